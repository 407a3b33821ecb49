// SPDX-License-Identifier: MIT
// objects.cc - regions of C++ are left by exceptions, in threads, too.
#include <recorder/recorder.h>

#include <cstdio>
#include <stdexcept>
#include <thread>

static void deeper(int n)
{
	RECORDER_FUNCTION();
	if (n == 0)
		throw std::runtime_error("deep enough");
	deeper(n - 1);
}

static void work(int threads)
{
	static recorder_site site = RECORDER_SITE("work", "cpp");
	recorder::region region(site);

	region.set("threads", threads);
	region.set("ratio", 0.25);
	region.set("text", "of C++");
	try {
		RECORDER_REGION("tried");
		deeper(2);
	} catch (const std::exception &) {
		RECORDER_INSTANT("caught");
	}
}

int main()
{
	work(1);
	std::thread(work, 2).join();
	std::puts("done");
	return 0;
}
