/* SPDX-License-Identifier: MIT */
/*
 * urings.h - rings of io_uring that the program sets up and maps itself: by descriptor, where their parts lie.
 *
 * Kept by the wrappers of io_uring_setup, mmap, munmap and mremap, whether or not these are recorded. No lock is taken. There is
 * room for some rings at a time; of further ones, and of those whose flags are of a later kernel than this code, nothing is known. A ring
 * is forgotten when its descriptor is closed, as in a forked child.
 */
#ifndef RECORDER_RECORD_URINGS_H
#define RECORDER_RECORD_URINGS_H

#include <linux/io_uring.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the kernel said of a ring, and where its parts are mapped: NULL, if they are not. */
struct uring {
	uint32_t flags;
	uint32_t submission_slots, completion_slots;
	struct io_sqring_offsets submission_offsets;
	struct io_cqring_offsets completion_offsets;
	const char *submissions, *completions;
	size_t submissions_size;
	const struct io_uring_sqe *requests;
	/* up to where they were looked at */
	_Atomic unsigned *submissions_seen, *completions_seen;
};

/* Whether slots of requests are told by an array (not so with IORING_SETUP_NO_SQARRAY). */
bool uring_has_array(const struct uring *ring);

/* `fd` is a new ring, with what the kernel wrote there. */
void uring_made(int fd, const struct io_uring_params *params);
/* Done: something is mapped there, of a file or, with fd -1, of none: a part of a ring maybe. */
void uring_mapped(int fd, const void *address, uint64_t length, int64_t offset);
/* What was mapped there is there no more. To be called before it is done. */
void uring_unmapped(const void *address, uint64_t length);
/* The descriptors from `first` to `last` are about to be closed. */
void uring_closed(unsigned first, unsigned last);
/* Copies what is known; false: nothing. */
bool uring_find(int fd, struct uring *found);

#endif
