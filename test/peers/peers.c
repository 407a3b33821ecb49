/* SPDX-License-Identifier: MIT */
/* peers CASE: programs that other tracers have brought down, misled or damaged. Each prints what it saw. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define SAY(call)                                                                                  \
	do {                                                                                       \
		errno = 0;                                                                         \
		printf("%s: %ld", #call, (long)(call));                                            \
		printf(" errno %d\n", errno);                                                      \
	} while (0)

static void *volatile null; /* so that no compiler knows it */

static int nulls(void)
{
	int fd = open("file", O_CREAT | O_RDWR, 0600);
	char *args[] = {NULL};

	SAY(open(null, O_RDONLY));
	SAY(openat(AT_FDCWD, null, O_RDONLY));
	SAY(fopen(null, "r"));
	SAY(access(null, R_OK));
	SAY(stat(null, null));
	SAY(fstat(fd, null));
	SAY(unlink(null));
	SAY(mkdir(null, 0700));
	SAY(rename(null, null));
	SAY(link("file", null));
	SAY(symlink(null, "link"));
	SAY(readlink("file", null, 8));
	SAY(truncate(null, 0));
	SAY(chdir(null));
	SAY(read(fd, null, 8));
	SAY(write(fd, null, 8));
	SAY(pread(fd, null, 8, 0));
	SAY(readv(fd, null, 1));
	SAY(writev(fd, null, 1));
	SAY(pipe(null));
	SAY(execv(null, args));
	SAY(execve("/nonexistent", null, null));
	return 3;
}

static void write_name(const char *name)
{
	int fd = open(name, O_CREAT | O_WRONLY, 0600);

	if (fd < 0 || write(fd, "x", 1) != 1)
		exit(1);
	close(fd);
}

static int names(void)
{
	static const char *const odd[] = {"a blank",       "a \"quote\"",
					  "back\\slash",   "new\nline",
					  "tab\tand \x01", "latin \xe9\xff",
					  "utf \xc3\xa9",  "{\"ph\": \"X\"},]}",
					  "%s%n",          "truncated \xe2\x82"};
	char deep[201];

	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++)
		write_name(odd[i]);
	if (fork() == 0) {
		write_name("of the child");
		exit(0);
	}
	wait(NULL);
	memset(deep, 'd', 200);
	deep[200] = '\0';
	for (int i = 0; i < 15; i++)
		if (mkdir(deep, 0700) || chdir(deep))
			return 1;
	write_name("deep");
	return 3;
}

static int descriptors(void)
{
	static int fds[1500];
	char name[32];

	for (int i = 0; i < 1500; i++) {
		snprintf(name, sizeof(name), "of-%d", i);
		fds[i] = open(name, O_CREAT | O_WRONLY, 0600);
		if (fds[i] < 0)
			return 1;
	}
	for (int i = 0; i < 1500; i++)
		if (pwrite(fds[i], "x", 1, i) != 1)
			return 1;
	return 3;
}

static void *open_and_close(void *argument)
{
	char name[32];

	for (int i = 0; i < 2000; i++) {
		int fd;

		snprintf(name, sizeof(name), "%ld-%d", (long)argument, i % 500);
		fd = open(name, O_CREAT | O_WRONLY, 0600);
		if (pwrite(fd, "x", 1, (long)argument * 10000 + i % 500) != 1)
			exit(1);
		close(fd);
	}
	return NULL;
}

static int threads(void)
{
	pthread_t all[4];

	for (long i = 0; i < 4; i++)
		pthread_create(&all[i], NULL, open_and_close, (void *)i);
	for (long i = 0; i < 4; i++)
		pthread_join(all[i], NULL);
	return 3;
}

/* A daemon's beginning; whoever kept a number of those would now write into these files. */
static int hijacked(void)
{
	write_name("before");
	for (int fd = 3; fd < 1100; fd++)
		close(fd);
	for (int i = 0; i < 1000; i++) {
		int fd = open("mine", O_CREAT | O_WRONLY | O_APPEND, 0600);

		if (fd < 0 || write(fd, "mine\n", 5) != 5)
			return 1;
	}
	return 3;
}

/* What is written when all is over, also if the trace could not be. */
static int buffered(void)
{
	write_name("file");
	printf("at the end");
	return 3;
}

static void *rest(void *unused)
{
	usleep(100000);
	write_name("later");
	return unused;
}

static int left(void)
{
	pthread_t thread;

	write_name("file");
	pthread_create(&thread, NULL, rest, NULL);
	pthread_exit(NULL);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(void);
	} cases[] = {{"nulls", nulls},     {"names", names},       {"descriptors", descriptors},
		     {"threads", threads}, {"hijacked", hijacked}, {"buffered", buffered},
		     {"left", left}};

	for (size_t i = 0; argc > 1 && i < sizeof(cases) / sizeof(cases[0]); i++)
		if (!strcmp(argv[1], cases[i].name))
			return cases[i].run();
	return 2;
}
