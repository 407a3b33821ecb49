// SPDX-License-Identifier: MIT
/* opener.cc - runs main() of the library that its first argument names, with the others; a program of C++, so that there is what names are made by. */
#include <cstdio>
#include <dlfcn.h>
#include <stdexcept>

int main(int argc, char **argv)
{
	void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : nullptr;
	auto main_of = (int (*)(int, char **))(library ? dlsym(library, "main") : nullptr);

	if (!main_of)
		throw std::runtime_error("no library with a main()");
	return main_of(argc - 1, argv + 1);
}
