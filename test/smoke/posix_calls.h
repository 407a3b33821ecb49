/* SPDX-License-Identifier: MIT */
/*
 * posix_calls.h - what the calls of posix.calls are made on. The program runs in an empty directory of its own.
 */
#ifndef RECORDER_TEST_SMOKE_POSIX_CALLS_H
#define RECORDER_TEST_SMOKE_POSIX_CALLS_H

#include "smoke.h"

#include <fts.h>
#include <ftw.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <utime.h>

#define FILE_SIZE 8192

/* Memory for whatever a call writes or reads. */
static union {
	char bytes[FILE_SIZE];
	struct stat status;
	struct stat64 status64;
	struct statx statusx;
	struct statfs fs;
	struct statfs64 fs64;
	struct statvfs vfs;
	struct statvfs64 vfs64;
	siginfo_t info;
	long words[16];
} memory __attribute__((aligned(4096)));

static char *const no_argv[] = {(char *)"true", NULL};
static char *const no_envp[] = {NULL};
static const struct timespec now[2] = {{.tv_nsec = UTIME_NOW}, {.tv_nsec = UTIME_NOW}};
static const struct timeval seconds[2] = {{.tv_sec = 5}, {.tv_sec = 6}};
static struct iovec two_parts[2] = {{memory.bytes, 100}, {memory.bytes + 200, 28}};

#define smoke_find(symbol) smoke_find_in("libc.so.6", symbol)

static inline void must(bool done, const char *what)
{
	if (done)
		return;
	perror(what);
	exit(1);
}

/* A name that nothing has. */
static inline char *fresh(void)
{
	static char names[4][32];
	static unsigned count;
	char *name = names[count % 4];

	snprintf(name, sizeof(names[0]), "new.%u", count++);
	return name;
}

/* A file of FILE_SIZE bytes that is there. */
static inline const char *there(void)
{
	const char *name = fresh();
	int fd = open(name, O_RDWR | O_CREAT, 0600);

	must(fd >= 0 && write(fd, memory.bytes, FILE_SIZE) == FILE_SIZE && close(fd) == 0, name);
	return name;
}

/* Such a file, open; the position is at its begin. */
static inline int a_file(void)
{
	static int last = -1;

	if (last >= 0)
		close(last);
	last = open(there(), O_RDWR);
	must(last >= 0, "a_file()");
	return last;
}

/* Another one beside a_file(). */
static inline int second_file(void)
{
	static int last = -1;

	if (last >= 0)
		close(last);
	last = open(there(), O_RDWR);
	must(last >= 0, "second_file()");
	return last;
}

/* A descriptor of the working directory. */
static inline int a_folder(void)
{
	static int last = -1;

	if (last < 0)
		last = open(".", O_RDONLY | O_DIRECTORY);
	must(last >= 0, "a_folder()");
	return last;
}

static inline const char *new_folder(void)
{
	const char *name = fresh();

	must(mkdir(name, 0700) == 0, name);
	return name;
}

static inline const char *link_there(void)
{
	const char *name = fresh();

	must(symlink("elsewhere", name) == 0, name);
	return name;
}

static inline DIR *open_folder(void)
{
	static DIR *last;

	if (last)
		closedir(last);
	last = opendir(".");
	must(last != NULL, "open_folder()");
	return last;
}

/* For a call that closes it. */
static inline DIR *closing_folder(void)
{
	return opendir(".");
}

/* A pipe with bytes in it: 0 its end to read, 1 to write. */
static inline int pipe_end(int end)
{
	static int ends[2] = {-1, -1};

	if (ends[0] >= 0 && end == 0) {
		close(ends[0]);
		close(ends[1]);
		ends[0] = -1;
	}
	if (ends[0] < 0)
		must(pipe(ends) == 0 && write(ends[1], "0123456789", 10) == 10, "pipe_end()");
	return ends[end];
}

static inline int other_pipe_end(void)
{
	static int ends[2] = {-1, -1};

	if (ends[0] < 0)
		must(pipe(ends) == 0, "other_pipe_end()");
	return ends[1];
}

static inline int an_event(void)
{
	static int fd = -1;

	if (fd < 0)
		fd = eventfd(5, 0);
	return fd;
}

static inline int watcher(void)
{
	static int fd = -1;

	if (fd < 0)
		fd = inotify_init1(0);
	return fd;
}

static inline int a_watch(void)
{
	return inotify_add_watch(watcher(), ".", IN_CREATE);
}

static inline const sigset_t *signals(void)
{
	static sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	return &set;
}

/* A file in memory, for a call that unmaps it. */
static int mapped_file = -1;

static inline void *mapped_once(void)
{
	void *at;

	mapped_file = a_file();
	at = mmap(NULL, FILE_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, mapped_file, 0);
	must(at != MAP_FAILED, "mapped_once()");
	return at;
}

/* Memory of System V that goes with the last who is attached to it. */
static void *attached;

static inline int a_segment(void)
{
	int id = shmget(IPC_PRIVATE, FILE_SIZE, IPC_CREAT | 0600);

	must(id != -1, "a_segment()");
	attached = shmat(id, NULL, 0);
	must(attached != (void *)-1 && !shmctl(id, IPC_RMID, NULL), "a_segment()");
	return id;
}

static inline void *an_attached_segment(void)
{
	a_segment();
	return attached;
}

static inline void *mapped(void)
{
	static void *last;

	if (last)
		munmap(last, FILE_SIZE);
	last = mapped_once();
	return last;
}

static inline const char *with_attribute(void)
{
	const char *name = there();

	must(setxattr(name, "user.smoke", "1", 1, 0) == 0, "setxattr");
	return name;
}

static inline int fd_with_attribute(void)
{
	int fd = a_file();

	must(fsetxattr(fd, "user.smoke", "1", 1, 0) == 0, "fsetxattr");
	return fd;
}

/* A child that has ended and waits to be collected. */
static inline pid_t ended_child(void)
{
	pid_t pid = fork();
	siginfo_t info;

	if (pid == 0)
		_exit(3);
	must(pid > 0 && waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) == 0, "ended_child()");
	return pid;
}

/* One that waits to be ended, leader of a group of its own. */
static inline pid_t waiting_child(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		setpgid(0, 0);
		alarm(60);
		pause();
		_exit(0);
	}
	must(pid > 0, "waiting_child()");
	setpgid(pid, pid);
	return pid;
}

static inline void collect(pid_t pid)
{
	waitpid(pid, NULL, 0);
}

/* After a fork: the child goes no further. */
static inline void part(pid_t pid)
{
	if (pid == 0)
		_exit(0);
	collect(pid);
}

static inline char *writable(const char *text)
{
	static char copy[64];

	return strcpy(copy, text);
}

static inline const char *shm_name(void)
{
	static char name[64];

	snprintf(name, sizeof(name), "/recorder-smoke.%d", getpid());
	return name;
}

static inline const char *shm_there(void)
{
	int fd = shm_open(shm_name(), O_RDWR | O_CREAT, 0600);

	must(fd >= 0 && close(fd) == 0, "shm_open");
	return shm_name();
}

static inline int accept_all(const struct dirent *entry)
{
	(void)entry;
	return 1;
}

static inline int accept_all64(const struct dirent64 *entry)
{
	(void)entry;
	return 1;
}

static inline int look(const char *path, const struct stat *status, int flag)
{
	(void)path, (void)status, (void)flag;
	return 0;
}

static inline int look64(const char *path, const struct stat64 *status, int flag)
{
	(void)path, (void)status, (void)flag;
	return 0;
}

static inline int look_deep(const char *path, const struct stat *status, int flag, struct FTW *ftw)
{
	(void)path, (void)status, (void)flag, (void)ftw;
	return 0;
}

static inline int look_deep64(const char *path, const struct stat64 *status, int flag,
			      struct FTW *ftw)
{
	(void)path, (void)status, (void)flag, (void)ftw;
	return 0;
}

static char *const here[] = {(char[]){"."}, NULL};

static inline FTS *new_walk(void)
{
	FTS *walk = fts_open(here, FTS_PHYSICAL, NULL);

	must(walk != NULL, "fts_open()");
	return walk;
}

/* Through the working directory; the one before has ended. */
static inline FTS *a_walk(void)
{
	static FTS *last;

	if (last)
		fts_close(last);
	last = new_walk();
	return last;
}

static inline struct file_handle *handle_of(const char *path)
{
	static union {
		struct file_handle handle;
		char room[sizeof(struct file_handle) + 128];
	} space;
	int mount;

	space.handle.handle_bytes = 128;
	if (path)
		must(name_to_handle_at(AT_FDCWD, path, &space.handle, &mount, 0) == 0,
		     "name_to_handle_at");
	return &space.handle;
}

#endif
