/* SPDX-License-Identifier: MIT */
/* quietthread.h - a thread that no signal is delivered to: those are the main thread's. */
#ifndef RECORDER_TOOLS_QUIETTHREAD_H
#define RECORDER_TOOLS_QUIETTHREAD_H

#include <pthread.h>

/* As pthread_create(); 0 or a negative errno. */
int quietthread_start(pthread_t *thread, void *(*run)(void *data), void *data);

#endif
