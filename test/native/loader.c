/* SPDX-License-Identifier: MIT */
/* loader.c - loads plugin.so (its argument) three times, while another thread runs. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static _Atomic int done;

static void *run(void *unused)
{
	(void)unused;
	while (!done)
		;
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc != 2 || pthread_create(&thread, NULL, run, NULL))
		return 2;
	for (int i = 0; i < 3; i++) {
		void *plugin = dlopen(argv[1], RTLD_NOW);
		int (*work)(int) = plugin ? (int (*)(int))dlsym(plugin, "plugin_work") : NULL;

		if (!work)
			return 3;
		printf("%d\n", work(i));
		dlclose(plugin);
	}
	done = 1;
	pthread_join(thread, NULL);
	return 0;
}
