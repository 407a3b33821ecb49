/* SPDX-License-Identifier: MIT */
/*
 * posix_records.h - recording calls of functions whose wrappers are by hand: for their other names, and for programs that make the
 * system call themselves. `next` makes the real call, `site` is where the program made it.
 */
#ifndef RECORDER_WRAP_POSIX_RECORDS_H
#define RECORDER_WRAP_POSIX_RECORDS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "record/call.h"

typedef int open_function(const char *path, int flags, ...);
typedef int openat_function(int dirfd, const char *path, int flags, ...);
/* struct open_how of linux/openat2.h, which is not everywhere. */
struct opening {
	uint64_t flags, mode, resolve;
};
typedef long openat2_function(int dirfd, const char *path, const struct opening *how, size_t size);
typedef int pipe_function(int fds[2]);
typedef int pipe2_function(int fds[2], int flags);
typedef int close_function(int fd);
typedef int close_range_function(unsigned first, unsigned last, int flags);
typedef int dup_function(int fd);
typedef int dup2_function(int fd, int fd2);
typedef int dup3_function(int fd, int fd2, int flags);
typedef int fcntl_function(int fd, int command, ...);
typedef int ioctl_function(int fd, unsigned long request, ...);
typedef void *mmap_function(void *address, size_t length, int prot, int flags, int fd,
			    off_t offset);
typedef int munmap_function(void *address, size_t length);
typedef void *mremap_function(void *address, size_t length, size_t new_length, int flags, ...);

int open_record(open_function *next, uintptr_t site, const char *path, int flags, mode_t mode);
int openat_record(openat_function *next, uintptr_t site, int dirfd, const char *path, int flags,
		  mode_t mode);
long openat2_record(openat2_function *next, uintptr_t site, int dirfd, const char *path,
		    const struct opening *how, size_t size);
int pipe_record(pipe_function *next, uintptr_t site, int fds[2]);
int pipe2_record(pipe2_function *next, uintptr_t site, int fds[2], int flags);
int close_record(close_function *next, uintptr_t site, int fd);
int close_range_record(close_range_function *next, uintptr_t site, unsigned first, unsigned last,
		       int flags);
int dup_record(dup_function *next, uintptr_t site, int fd);
int dup2_record(dup2_function *next, uintptr_t site, int fd, int fd2);
int dup3_record(dup3_function *next, uintptr_t site, int fd, int fd2, int flags);
int fcntl_record(fcntl_function *next, uintptr_t site, int fd, int command, unsigned long argument);
int ioctl_record(ioctl_function *next, uintptr_t site, int fd, unsigned long request,
		 void *argument);
void *mmap_record(mmap_function *next, uintptr_t site, void *address, size_t length, int prot,
		  int flags, int fd, off_t offset);
int munmap_record(munmap_function *next, uintptr_t site, void *address, size_t length);
void *mremap_record(mremap_function *next, uintptr_t site, void *address, size_t length,
		    size_t new_length, int flags, void *new_address);

/* ---- the life of processes ---- */

struct rusage;

typedef pid_t fork_function(void);
typedef pid_t wait4_function(pid_t pid, int *status, int options, struct rusage *usage);

pid_t fork_record(fork_function *next, unsigned function, uintptr_t site);
pid_t wait4_record(wait4_function *next, uintptr_t site, pid_t pid, int *status, int options,
		   struct rusage *usage);
int execve_record(uintptr_t site, const char *path, char *const argv[], char *const envp[]);
/* What is to be done before a process ends by _exit(2). */
void exit_at_once_record(uintptr_t site, int status);

/* ---- libaio: results are negative error numbers ---- */

struct io_context;
struct iocb;
struct io_event;
struct timespec;

typedef int io_setup_function(int count, struct io_context **context);
typedef int io_destroy_function(struct io_context *context);
typedef int io_submit_function(struct io_context *context, long count, struct iocb *requests[]);
typedef int io_getevents_function(struct io_context *context, long least, long count,
				  struct io_event *events, struct timespec *timeout);
typedef int io_cancel_function(struct io_context *context, struct iocb *request,
			       struct io_event *event);

int io_setup_record(io_setup_function *next, uintptr_t site, int count,
		    struct io_context **context);
int io_destroy_record(io_destroy_function *next, uintptr_t site, struct io_context *context);
int io_submit_record(io_submit_function *next, uintptr_t site, struct io_context *context,
		     long count, struct iocb *requests[]);
int io_getevents_record(io_getevents_function *next, uintptr_t site, struct io_context *context,
			long least, long count, struct io_event *events, struct timespec *timeout);
int io_cancel_record(io_cancel_function *next, uintptr_t site, struct io_context *context,
		     struct iocb *request, struct io_event *event);
/* ---- io_uring: the same ---- */

struct io_uring_params;

typedef int io_uring_setup_function(unsigned entries, struct io_uring_params *params);
typedef int io_uring_enter_function(unsigned ring, unsigned submit, unsigned least, unsigned flags,
				    const void *argument, size_t size);
typedef int io_uring_register_function(unsigned ring, unsigned operation, const void *argument,
				       unsigned count);

int io_uring_setup_record(io_uring_setup_function *next, uintptr_t site, unsigned entries,
			  struct io_uring_params *params);
int io_uring_enter_record(io_uring_enter_function *next, uintptr_t site, unsigned ring,
			  unsigned submit, unsigned least, unsigned flags, const void *argument,
			  size_t size);
int io_uring_register_record(io_uring_register_function *next, uintptr_t site, unsigned ring,
			     unsigned operation, const void *argument, unsigned count);

/* A result that is a negative error number if the call failed. */
void result_negative(struct call *call, long result);

#endif
