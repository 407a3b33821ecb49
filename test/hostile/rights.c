/* SPDX-License-Identifier: MIT */
/* rights.c - programs that take rights, resources and places away from themselves. */
#include "hostile.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

static int fd;

static void begin(void)
{
	fd = open("file", O_RDWR | O_CREAT, 0600);
	puts_many(fd, 100);
}

static int end(void)
{
	puts_many(fd, 20000);
	report(REPORT);
	return 0;
}

static void set(int resource, rlim_t value)
{
	struct rlimit limit = {value, value};

	printf("setrlimit %d\n", setrlimit(resource, &limit));
	fflush(stdout);
}

static int file_size(void)
{
	begin();
	signal(SIGXFSZ, SIG_IGN);
	set(RLIMIT_FSIZE, 0);
	puts_many(fd, 20000);
	dprintf(fd, "nothing");
	report(REPORT);
	return 0;
}

static int address_space(void)
{
	begin();
	set(RLIMIT_AS, 64 << 10);
	return end();
}

static int locked_memory(void)
{
	begin();
	set(RLIMIT_MEMLOCK, 0);
	return end();
}

static int directory_changed(void)
{
	begin();
	mkdir("below", 0700);
	printf("chdir %d\n", chdir("below"));
	fflush(stdout);
	return end();
}

static int root_changed(void)
{
	begin();
	mkdir("root", 0700);
	printf("chroot %d chdir %d\n", chroot("root"), chdir("/"));
	fflush(stdout);
	return end();
}

static void *work(void *data)
{
	(void)data;
	puts_many(fd, 1000);
	return NULL;
}

/* Threads and children come after it, whose rings and streams are another user's. */
static int user_changed(void)
{
	pthread_t thread;

	begin();
	printf("setgid %d setuid %d\n", setgid(65534), setuid(65534));
	fflush(stdout);
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	return end();
}

static int no_rights_by_default(void)
{
	struct stat status;

	umask(0777);
	fd = open("masked", O_RDWR | O_CREAT, 0666);
	puts_many(fd, 100);
	fstat(fd, &status);
	printf("mode %o umask %o\n", (unsigned)status.st_mode & 07777, (unsigned)umask(0777));
	fflush(stdout);
	return end();
}

/* The limit holds for the next image. */
static int small_stack(void)
{
	set(RLIMIT_STACK, 64 << 10);
	execl("/proc/self/exe", "rights", "stack_image", NULL);
	return 9;
}

static int stack_image(void)
{
	pthread_t thread;

	begin();
	if (pthread_create(&thread, NULL, work, NULL))
		return 8;
	pthread_join(thread, NULL);
	return end();
}

int main(int argc, char **argv)
{
	static const struct hostile_case cases[] = {
		{"fsize", file_size},
		{"as", address_space},
		{"memlock", locked_memory},
		{"chdir", directory_changed},
		{"chroot", root_changed},
		{"setuid", user_changed},
		{"umask", no_rights_by_default},
		{"stack", small_stack},
		{"stack_image", stack_image},
	};

	return argc < 2 ? 2 : RUN_CASE(cases, argv[1]);
}
