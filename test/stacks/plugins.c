/* SPDX-License-Identifier: MIT */
/* plugins.c - plugins FILE NAME...: loads each library, calls its function and unloads it, twice: they take each other's place. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	int fd = open("out", O_CREAT | O_RDWR, 0600);

	for (int i = 0; i < 2 * (argc - 1); i += 2) {
		int at = 1 + i % (argc - 1);
		void *library = dlopen(argv[at], RTLD_NOW);
		long (*call)(int) = library ? (long (*)(int))dlsym(library, argv[at + 1]) : NULL;

		if (!call || call(fd) != 1) {
			fprintf(stderr, "%s\n", dlerror());
			return 1;
		}
		dlclose(library);
	}
	return 0;
}
