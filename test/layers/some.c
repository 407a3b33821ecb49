/* SPDX-License-Identifier: MIT */
/* A call of each layer that needs no more than libc. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

	if (pthread_mutex_lock(&mutex) || pthread_mutex_unlock(&mutex))
		return 1;
	if (puts("text") == EOF)
		return 1;
	return access("/", R_OK);
}
