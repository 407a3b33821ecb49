/* SPDX-License-Identifier: MIT */
/*
 * errand.h - work that needs a descriptor when the program has left none, or must not take one of its own.
 *
 * A program may use up every descriptor it is allowed, or lower its limit (RLIMIT_NOFILE) to what it has. So such work is done
 * by a child that shares the memory and lives as long as the work: the thread waits for it, as in vfork(2). A child has limits of its
 * own, which it raises, and if wanted a copy of the descriptors of its own, in which it makes room. The program is not told of
 * it: neither by SIGCHLD nor by wait(2).
 */
#ifndef RECORDER_RECORD_ERRAND_H
#define RECORDER_RECORD_ERRAND_H

/*
 * Runs work(data). When that gives -EMFILE it is run once more, in a child with descriptors of its own: so it has to close what it
 * opens, and what it maps stays. Returns what `work` did.
 */
int errand_run(int (*work)(void *data), void *data);

/*
 * A duplicate of `fd`, close-on-exec, with a number of at least `least` that the program's own calls cannot get or miss: beyond its
 * limit. -ERANGE: the limit is so high that one descriptor does not matter; -EPERM: the system does not allow it.
 */
int errand_dup_beyond(int fd, int least);

#endif
