/* SPDX-License-Identifier: MIT */
/*
 * posix_loading.h - what the dlopen() and dlmopen() of each CPU (dlopen_CPU.S) call in C.
 *
 * The loader looks for a library from where dlopen() is called: by the RUNPATH and the $ORIGIN of the object that the return address
 * lies in, and in its namespace. A wrapper with a frame would be that object. So the stub records that the call is made, puts
 * everything back as it was and jumps to the real function, which returns to the program: how that ended nobody sees.
 */
#ifndef RECORDER_WRAP_POSIX_LOADING_H
#define RECORDER_WRAP_POSIX_LOADING_H

#include <dlfcn.h>
#include <stdint.h>

typedef void *dlopen_function(const char *file, int flags);
typedef void *dlmopen_function(Lmid_t space, const char *file, int flags);

/* Record the call and give the function to jump to. Keep errno. */
dlopen_function *dlopen_enter(const char *file, int flags, uintptr_t site);
dlmopen_function *dlmopen_enter(Lmid_t space, const char *file, int flags, uintptr_t site);

#endif
