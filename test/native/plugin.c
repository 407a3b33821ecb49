/* SPDX-License-Identifier: MIT */
/* plugin.c - a library that is loaded, with a constructor of its own, again and again. */
int plugin_work(int n);

static int begun;

__attribute__((noinline)) int plugin_work(int n)
{
	volatile int value = n + begun;

	return value;
}

__attribute__((constructor)) static void begin(void)
{
	begun = plugin_work(100);
}
