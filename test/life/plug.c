/* SPDX-License-Identifier: MIT */
/* plug.c - a library that writes when it comes, when it is called and when it goes. */
#include <fcntl.h>
#include <unistd.h>

void plug_work(void);

static void write_marks(const char *name, int count)
{
	int fd = open(name, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);

	for (int i = 0; i < count; i++)
		write(fd, "x", 1);
	close(fd);
}

__attribute__((constructor)) static void come(void)
{
	write_marks("plug-comes", 1);
}

__attribute__((destructor)) static void go(void)
{
	write_marks("plug-goes", 2);
}

void plug_work(void)
{
	write_marks("plug-works", 3);
}
