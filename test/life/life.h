/* SPDX-License-Identifier: MIT */
/*
 * life.h - what the cases of test/life are written with.
 *
 * A process makes marks: one byte appended to the file of that name, one write() each. So the
 * size of a file tells how many records of write() there are to be for it, whoever wrote them.
 */
#ifndef RECORDER_TEST_LIFE_H
#define RECORDER_TEST_LIFE_H

#include <stdbool.h>
#include <sys/types.h>

struct life_case {
	const char *name;
	int (*run)(void); /* status of the process, unless it ends otherwise */
};

extern const struct life_case births[], crowds[], ends[], faults[]; /* a row of NULL at the end */
extern const char *self;                                            /* path of this program */
extern char **environ;

/* Safe in signal handlers and after vfork. */
void mark(const char *name, int count);
/* The number of bytes of a file, which nobody records. */
long marks_of(const char *name);
/* Waits until another process or thread has made so many marks. */
void await_marks(const char *name, long count);
/* The child's wait status is as wanted, or the process ends with status 98. */
void await_child(pid_t pid, int wanted);
/* Ends the process unrecorded: something is not as it is without the recorder. */
_Noreturn void broken(const char *what);
void check(bool good, const char *what);

/* The process goes on as another image, which makes the mark "image" 4 times. */
void become(void);
/* Makes ./script, which fails in the kernel alone: what is looked at beforehand is good. */
void make_script(void);
/* Fails to go on as that. */
void run_script(void);

#endif
