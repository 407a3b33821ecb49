/* SPDX-License-Identifier: MIT */
/*
 * functions.h - the functions that loops of real calls are made of: libc's own, and these between two time stamps.
 *
 * What two stamps add to a call of nothing is the unit, 2T. Around a call into the kernel, which has caches and predictors to itself meanwhile, they add something else: less than
 * that no recorder can take.
 */
#ifndef BENCH_FUNCTIONS_H
#define BENCH_FUNCTIONS_H

#include <sys/stat.h>
#include <sys/types.h>

struct functions {
	ssize_t (*pwrite)(int, const void *, size_t, off_t);
	ssize_t (*pread)(int, void *, size_t, off_t);
	ssize_t (*write)(int, const void *, size_t);
	ssize_t (*read)(int, void *, size_t);
	off_t (*lseek)(int, off_t, int);
	int (*open)(const char *, int, ...);
	int (*close)(int);
	int (*stat)(const char *, struct stat *);
	int (*fstat)(int, struct stat *);
	int (*rename)(const char *, const char *);
	int (*unlink)(const char *);
};

extern struct functions bare; /* libc's, behind the back of whatever is preloaded */
/* Those, each with a stamp before and behind it, which are stored one behind the other. One thread may use them. */
extern const struct functions stamped;

/* To be called before any of them. */
void functions_find(void);

#endif
