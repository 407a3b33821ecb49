/* SPDX-License-Identifier: MIT */
/*
 * lookups.c - functions that are called for the first time while signals come all the time: it is then that the recorder looks for them. Prints how many calls of pwrite the handler made.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <unistd.h>

#define MOST 20000 /* a machine that has time for nothing else is to come to an end */

static volatile sig_atomic_t calls;
static int sink;

static void stop(void)
{
	setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
}

static void on_signal(int number)
{
	(void)number;
	if (pwrite(sink, "x", 1, calls) == 1 && ++calls == MOST)
		stop();
}

/* Each of these once; what comes of it does not matter. */
static void call_many(void)
{
	struct iovec part = {&(char){0}, 1};
	struct statvfs volume;
	struct stat status;
	char text[64];
	void *nothing;

	(void)!readlink("link", text, sizeof(text));
	(void)!symlink("data", "link");
	(void)!link("data", "other");
	(void)!rename("other", "another");
	(void)!chmod("data", 0600);
	(void)!fchmod(sink, 0600);
	(void)!chown("data", getuid(), getgid());
	(void)!fchown(sink, getuid(), getgid());
	(void)!lchown("link", getuid(), getgid());
	(void)!truncate("another", 5);
	(void)!ftruncate(sink, 1000);
	(void)!fallocate(sink, 0, 0, 1000);
	(void)!posix_fallocate(sink, 0, 1000);
	(void)!posix_fadvise(sink, 0, 0, POSIX_FADV_RANDOM);
	(void)!flock(sink, LOCK_UN);
	(void)!lockf(sink, F_TEST, 1);
	(void)!fsync(sink);
	(void)!fdatasync(sink);
	(void)!statvfs(".", &volume);
	(void)!fstatvfs(sink, &volume);
	(void)!lstat("link", &status);
	(void)!fstatat(AT_FDCWD, "link", &status, 0);
	(void)!mkfifo("fifo", 0600);
	(void)!mkdirat(AT_FDCWD, "folder", 0700);
	(void)!unlinkat(AT_FDCWD, "folder", AT_REMOVEDIR);
	(void)!preadv(sink, &part, 1, 0);
	(void)!pwritev(sink, &part, 1, 900);
	(void)!getxattr("data", "user.none", text, sizeof(text));
	(void)!listxattr("data", text, sizeof(text));
	(void)!removexattr("data", "user.none");
	(void)!utimes("data", NULL);
	(void)!futimens(sink, NULL);
	(void)!pathconf("data", _PC_NAME_MAX);
	(void)!shmget(IPC_PRIVATE, 0, 0);
	(void)!semget(IPC_PRIVATE, 0, 0);
	nothing = tmpfile();
	if (nothing)
		fclose(nothing);
}

int main(void)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
	struct itimerval timer = {{0, 20}, {0, 20}};

	sink = open("data", O_RDWR | O_CREAT, 0600);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
	call_many();
	stop();
	printf("%ld\n", (long)calls);
	return 0;
}
