/* SPDX-License-Identifier: MIT */
/*
 * posix_start.c - when main() begins and ends: what is called before and after that, constructors, destructors and handlers of exit() call.
 */
#include "wrap/wrapper.h"

#include <dlfcn.h>

#include "record/lifecycle.h"
#include "record/mainspan.h"

typedef int main_fn(int argc, char **argv, char **envp);
typedef int start_fn(main_fn *main, int argc, char **argv, void (*init)(void), void (*fini)(void),
		     void (*loader_fini)(void), void *stack_end);

extern start_fn __libc_start_main;

static main_fn *program_main;

static int spanned_main(int argc, char **argv, char **envp)
{
	int status;

	/* has a frame pointer: who unwinds by it, as sanitizers do in malloc(), finds libc's frame above */
	__asm__ volatile("" : : "r"(__builtin_frame_address(0)));
	mainspan_begin();
	status = program_main(argc, argv, envp);
	mainspan_end();
	return status;
}

/* The C library calls the constructors of the program itself in here, those of libraries are through. */
WRAPPER int __libc_start_main(main_fn *main, int argc, char **argv, void (*init)(void),
			      void (*fini)(void), void (*loader_fini)(void), void *stack_end)
{
	start_fn *next;

	runtime_enter();
	next = (start_fn *)dlsym(RTLD_NEXT, "__libc_start_main");
	runtime_leave();
	program_main = main;
	/* the constructor may have come before libc knew the environment (m4/link.m4) */
	lifecycle_start();
	lifecycle_expect_exit();
	return next(spanned_main, argc, argv, init, fini, loader_fini, stack_end);
}
