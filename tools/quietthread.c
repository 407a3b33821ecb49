/* SPDX-License-Identifier: MIT */
/* quietthread.c - see quietthread.h */
#include "quietthread.h"

#include <signal.h>

int quietthread_start(pthread_t *thread, void *(*run)(void *data), void *data)
{
	sigset_t all, before;
	int error;

	/* threads inherit the mask */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(thread, NULL, run, data);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return -error;
}
