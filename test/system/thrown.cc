// SPDX-License-Identifier: MIT
// thrown.cc - exceptions and a thread's end that pass through functions.
#include <cstdio>
#include <pthread.h>

namespace shape {

template <typename T> struct Square {
	__attribute__((noipa)) T area(T side) { return check(side) * side; }
	__attribute__((noipa)) T check(T side)
	{
		if (side < 0)
			throw 7;
		return side;
	}
};

} // namespace shape

__attribute__((noipa)) void leaves(void)
{
	pthread_exit(nullptr);
}

static void *run(void *)
{
	leaves();
	return nullptr;
}

int main()
{
	shape::Square<int> square;
	pthread_t thread;
	int sum = 0;

	for (int i = -3; i < 5; i++)
		try {
			sum += square.area(i);
		} catch (int thrown) {
			sum += thrown;
		}
	if (pthread_create(&thread, nullptr, run, nullptr) || pthread_join(thread, nullptr))
		return 1;
	std::printf("%d\n", sum);
	return 0;
}
