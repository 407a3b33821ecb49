/* SPDX-License-Identifier: MIT */
/*
 * tracefiles.h - the files of a trace: opened without trust, and never too many at once.
 */
#ifndef RECORDER_READ_TRACEFILES_H
#define RECORDER_READ_TRACEFILES_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define FILES_OPEN_MAX 512u

struct nodes;
struct node_part;
struct packed;

/* A file that is opened when it is read and may be closed in between. */
struct file {
	const char *name; /* in the directory of its struct tracefiles */
	const char *
		next_name; /* the one that it gets when its process closes it; NULL: it keeps its own */
	int fd;            /* -1 closed */
	unsigned pins;     /* reads that go on */
	uint64_t used;     /* when it was used last, in uses */
	uint64_t device, inode; /* of the first opening: it must stay that file */
	uint32_t packed;        /* its number in a packed trace */
	struct node_part *part; /* it is chunks in the file of a node; NULL: a file of its own */
};

struct tracefiles {
	pthread_mutex_t lock;
	int dir_fd;
	struct file *open[FILES_OPEN_MAX];
	unsigned count, limit;
	uint64_t uses;
	struct packed *packed; /* NULL: the trace is a directory */
	struct nodes *nodes;   /* the files of nodes in it, NULL none */
};

/*
 * Opens a regular file for reading, no symbolic link; never blocks. The descriptor or a negative
 * errno; -EINVAL: not regular.
 */
int file_open_regular(int dir_fd, const char *name);

/* Reads up to `size` bytes; fewer only at the end of the file. Their number or a negative errno. */
ssize_t fd_read_at(int fd, void *buffer, size_t size, uint64_t offset);

void tracefiles_init(struct tracefiles *files, int dir_fd);
void tracefiles_release(struct tracefiles *files);

void file_init(const struct tracefiles *files, struct file *file, const char *name);
/* Nobody may be reading it. */
void file_close(struct tracefiles *files, struct file *file);
/* As fd_read_at(), opening the file if need be. */
ssize_t file_read_at(struct tracefiles *files, struct file *file, void *buffer, size_t size,
		     uint64_t offset);
/* Whether another file has its name since it was opened first. */
bool file_is_renamed(const struct tracefiles *files, const struct file *file);
/* Size of the file now; negative errno. */
int64_t file_size(struct tracefiles *files, struct file *file);

#endif
