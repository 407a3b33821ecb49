/* SPDX-License-Identifier: MIT */
/*
 * random.h - a program that does with files what its seed tells, in threads, forked children and further images, and keeps a
 * journal of it that owes nothing to the recorder: what it needs to know it asks the kernel by raw system calls.
 *
 * One line a call, in the order of each thread:
 *
 *	pwrite =8 fd:f=5/8:1234 count:i=8 offset:i=16 @fd=16:8
 *
 * function, result, !errno if it failed, arguments by name (i: a number, f: a descriptor and device:inode of its file or ? if it has none,
 * s: a text, a: numbers), and for each descriptor on which bytes were moved where in the file that was. A ? after that says: the trace
 * cannot know, as the descriptor came over a socket. "name DEVICE:INODE PATH" is no call but a name of the file.
 *
 * Calls that depend on each other between threads and processes (on one file, on names) are made under locks in a shared mapping, so that
 * offsets are known; all others run at the same time.
 */
#ifndef RECORDER_TEST_RANDOM_H
#define RECORDER_TEST_RANDOM_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/sys.h"

#define DESCRIPTORS 12  /* that a thread has at most */
#define NOT_OPEN 4000   /* a number of no descriptor */
#define BLOCK_MAX 20000 /* bytes of a call at most */
#define FOLDERS 3

/* Made with errno = 0 before it, and errno kept after it. */
#define MADE(call)                                                                                 \
	({                                                                                         \
		errno = 0;                                                                         \
		__typeof__(call) made_result = (call);                                             \
		self->error = errno;                                                               \
		made_result;                                                                       \
	})

struct descriptor {
	int fd;
	int folder;   /* it is folder N of the tree, FOLDERS: the tree itself; -1: no folder */
	bool foreign; /* the trace does not say which position it has */
};

struct thread {
	uint64_t state; /* of the random numbers */
	int number, error;
	struct descriptor descriptors[DESCRIPTORS];
	unsigned count;
	int children[4];
	char *journal;
	size_t length;
};

/* What a call needs to know of a descriptor beforehand. */
struct place {
	bool regular, append;
	int64_t position, size;
	uint64_t device, inode;
};

struct plan {
	uint64_t seed;
	const char *tree, *journals; /* folders */
	char program[400];
	int image, depth;
	bool alone; /* the process has one thread */
	int folder; /* its working directory */
};

static inline int raw_openat(int dirfd, const char *path, int flags, unsigned mode)
{
	return (int)sys_raw(SYS_openat, dirfd, (long)path, flags, (long)mode, 0, 0);
}

static inline int raw_open(const char *path, int flags, unsigned mode)
{
	return raw_openat(AT_FDCWD, path, flags, mode);
}

static inline void raw_close(int fd)
{
	sys_raw(SYS_close, fd, 0, 0, 0, 0, 0);
}

static inline long raw_write(int fd, const void *data, size_t size)
{
	return sys_raw(SYS_write, fd, (long)data, (long)size, 0, 0, 0);
}

static inline long raw_pid(void)
{
	return sys_raw(SYS_getpid, 0, 0, 0, 0, 0, 0);
}

static inline long raw_tid(void)
{
	return sys_raw(SYS_gettid, 0, 0, 0, 0, 0, 0);
}

extern struct plan plan;
extern __thread struct thread *self;

uint64_t random_number(void);
/* Less than `limit`. */
unsigned random_below(unsigned limit);

/* ---- journal.c ---- */

void shared_map(bool create);
void journal_begin(void);
void journal_end(void);
/* A line; `failed`: with errno. */
__attribute__((format(printf, 2, 3))) void say(bool failed, const char *format, ...);
/* "5/8:1234", for a few texts at a time. */
const char *who(int fd);
const char *moved(const char *argument, const struct descriptor *descriptor, int64_t offset,
		  int64_t bytes);
void say_name(int fd, const char *path);

struct place place_of(int fd);
void names_lock(void);
void names_unlock(void);
/* On what both stand for; -1: none. */
void files_lock(int fd, int other);
void files_unlock(int fd, int other);

/* ---- descriptors ---- */

struct descriptor *any_descriptor(void);
/* Takes over an open descriptor; what there is no room for is closed. */
void keep(int fd, int folder, bool foreign);
void close_descriptor(struct descriptor *descriptor);

/* ---- what can be done ---- */

void do_data(void);
void do_transfer(void);
void do_position(void);
void do_size(void);
void do_mapping(void);
void do_open(void);
void do_other_open(void);
void do_names(void);
void do_status(void);
void do_folder(void);
void do_duplicate(void);
void do_close(void);
void do_share(void);
void do_stdio(void);
void do_process(void);
void do_pass(void);

void children_wait(void);
/* The process goes on as an image of its own, or as a new process, with these descriptors. */
void images_take(char *list);

#endif
