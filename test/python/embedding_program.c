/* SPDX-License-Identifier: MIT */
/* embedding_program.c - opens a library of Python (its argument, "" is what it is linked with), and begins and ends it three times. */
#include <dlfcn.h>
#include <stdio.h>

static const char code[] = "def recurse(n):\n"
			   "    return recurse(n - 1) if n else 0\n"
			   "def generate():\n"
			   "    yield 1\n"
			   "recurse(3)\n"
			   "list(generate())\n";

int main(int argc, char **argv)
{
	void *python = argc == 2 ? dlopen(*argv[1] ? argv[1] : NULL, RTLD_NOW | RTLD_LOCAL) : NULL;
	void (*begin)(int);
	int (*run)(const char *code, void *flags);
	int (*end)(void);

	if (!python) {
		fprintf(stderr, "%s\n", argc == 2 ? dlerror() : "one argument");
		return 2;
	}
	begin = (void (*)(int))dlsym(python, "Py_InitializeEx");
	run = (int (*)(const char *, void *))dlsym(python, "PyRun_SimpleStringFlags");
	end = (int (*)(void))dlsym(python, "Py_FinalizeEx");
	if (!begin || !run || !end)
		return 3;
	for (int i = 0; i < 3; i++) {
		begin(0);
		if (run(code, NULL) || run("recurse(1)\n", NULL) || end())
			return 4;
	}
	puts("done");
	return 0;
}
