/* SPDX-License-Identifier: MIT */
/* dftracer.cc - a program that says what it is doing by DFTracer's macros for C++. */
#include <dftracer/dftracer.h>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <unistd.h>

enum class mode { slow = 4 };

struct layer {
	int forward(int n)
	{
		DFTRACER_CPP_FUNCTION();
		DFTRACER_CPP_FUNCTION_UPDATE("n", n);
		if (n == 0)
			throw std::runtime_error("none left");
		return forward(n - 1);
	}
};

static void train(const std::string &name)
{
	DFTRACER_CPP_FUNCTION();
	DFTRACER_CPP_FUNCTION_UPDATE("name", name);
	DFTRACER_CPP_FUNCTION_UPDATE("rate", 0.5);
	{
		DFTRACER_CPP_REGION(load);
		DFTRACER_CPP_REGION_UPDATE(load, "bytes", static_cast<size_t>(5) << 30);
		DFTRACER_CPP_REGION_UPDATE(load, "good", true);
		access("/loaded", F_OK);
	}
	DFTRACER_CPP_REGION_START(step);
	DFTRACER_CPP_REGION_DYN_UPDATE(step, "mode", mode::slow);
	DFTRACER_CPP_REGION_DYN_UPDATE(step, "text", "a text");
	DFTRACER_CPP_REGION_UPDATE_TYPE(step, "single", 0.25f, 1);
	try {
		layer().forward(1);
	} catch (const std::exception &) {
		DFTRACER_CPP_REGION(caught);
		DFTRACER_CPP_FUNCTION_UPDATE("caught", 1); // two are open inside
	}
	DFTRACER_CPP_REGION_END(step);
	DFTRACER_CPP_REGION_START(open_to_the_end);
}

static void relax(const std::string &sequence)
{
	DFTRACER_CPP_FUNCTION();
	EntityID raw = profiler_dft_fn.uses("unrelaxed", sequence.c_str());
	EntityID done = profiler_dft_fn.generates("relaxed", sequence.c_str(),
						  DFT_STORE_BURST_BUFFER, "/bb/1");
	DFTRACER_CPP_ENTITY_RELATE(DFT_REL_REVISION_OF, done, raw);
	DFTRACER_CPP_FUNCTION_GENERATES("log", "relax.log");
	DFTRACER_CPP_REGION_START(clean);
	DFTRACER_CPP_REGION_DYN_RELATE(clean, DFT_REL_INVALIDATED, raw);
	DFTRACER_CPP_REGION_END(clean);
}

static void in_c()
{
	DFTRACER_C_FUNCTION_START();
	DFTRACER_C_FUNCTION_END();
}

int main(int, char *argv[])
{
	DFTRACER_CPP_INIT(nullptr, argv[1], nullptr);
	DFTRACER_CPP_METADATA(one, "run", "first");
	DFTRACER_CPP_METADATA(two, "text", std::string("of C++"));
	DFTRACER_CPP_APP_METADATA_INT("epochs", 3);
	train("net");
	relax("s1");
	in_c();
	DFTRACER_CPP_FINI();
	puts("done");
}
