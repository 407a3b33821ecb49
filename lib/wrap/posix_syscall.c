/* SPDX-License-Identifier: MIT */
/*
 * posix_syscall.c - system calls that programs make themselves. Those of functions with a generated wrapper are recorded by
 * what is generated from the same lines; here is what leads to the wrappers by hand, each with the real call in the shape of libc's.
 *
 * A process that shares memory with its parent (vfork, clone with CLONE_VM) is passed on unrecorded, without a frame of ours: it may return
 * on another stack, or before its parent does. clone3 and a thread's own exit are passed on, too.
 */
#include "wrap/wrapper.h"

#include <stdarg.h>
#include <sys/syscall.h>

#include "wrap/posix_records.h"
#include "wrap/posix_syscall.h"

#include "syscalls_gen.h"

/* Registers that a system call does not have are not looked at. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#ifdef SYS_open
static int real_open(const char *path, int flags, ...)
{
	mode_t mode;
	va_list args;

	va_start(args, flags);
	mode = va_arg(args, mode_t);
	va_end(args);
	return (int)syscall_next()(SYS_open, (long)path, (long)flags, (long)mode, 0, 0, 0);
}

static long record_open(syscall_function *next, uintptr_t site, long a, long b, long c, long d,
			long e, long f)
{
	return (long)open_record(real_open, site, (const char *)a, (int)b, (mode_t)c);
}
#endif

static int real_openat(int dirfd, const char *path, int flags, ...)
{
	mode_t mode;
	va_list args;

	va_start(args, flags);
	mode = va_arg(args, mode_t);
	va_end(args);
	return (int)syscall_next()(SYS_openat, (long)dirfd, (long)path, (long)flags, (long)mode, 0,
				   0);
}

static long record_openat(syscall_function *next, uintptr_t site, long a, long b, long c, long d,
			  long e, long f)
{
	return (long)openat_record(real_openat, site, (int)a, (const char *)b, (int)c, (mode_t)d);
}

#ifdef SYS_openat2
static long real_openat2(int dirfd, const char *path, const struct opening *how, size_t size)
{
	return syscall_next()(SYS_openat2, (long)dirfd, (long)path, (long)how, (long)size, 0, 0);
}

static long record_openat2(syscall_function *next, uintptr_t site, long a, long b, long c, long d,
			   long e, long f)
{
	return openat2_record(real_openat2, site, (int)a, (const char *)b,
			      (const struct opening *)c, (size_t)d);
}
#endif

#ifdef SYS_pipe
static int real_pipe(int fds[2])
{
	return (int)syscall_next()(SYS_pipe, (long)fds, 0, 0, 0, 0, 0);
}

static long record_pipe(syscall_function *next, uintptr_t site, long a, long b, long c, long d,
			long e, long f)
{
	return (long)pipe_record(real_pipe, site, (int *)a);
}
#endif

static int real_pipe2(int fds[2], int flags)
{
	return (int)syscall_next()(SYS_pipe2, (long)fds, (long)flags, 0, 0, 0, 0);
}

static long record_pipe2(syscall_function *next, uintptr_t site, long a, long b, long c, long d,
			 long e, long f)
{
	return (long)pipe2_record(real_pipe2, site, (int *)a, (int)b);
}

static int real_close(int fd)
{
	return (int)syscall_next()(SYS_close, (long)fd, 0, 0, 0, 0, 0);
}

static long record_close(syscall_function *next, uintptr_t site, long a, long b, long c, long d,
			 long e, long f)
{
	return (long)close_record(real_close, site, (int)a);
}

#ifdef SYS_close_range
static int real_close_range(unsigned first, unsigned last, int flags)
{
	return (int)syscall_next()(SYS_close_range, (long)first, (long)last, (long)flags, 0, 0, 0);
}

static long record_close_range(syscall_function *next, uintptr_t site, long a, long b, long c,
			       long d, long e, long f)
{
	return (long)close_range_record(real_close_range, site, (unsigned)a, (unsigned)b, (int)c);
}
#endif

static int real_dup(int fd)
{
	return (int)syscall_next()(SYS_dup, (long)fd, 0, 0, 0, 0, 0);
}

static long record_dup(syscall_function *next, uintptr_t site, long a, long b, long c, long d,
		       long e, long f)
{
	return (long)dup_record(real_dup, site, (int)a);
}

#ifdef SYS_dup2
static int real_dup2(int fd, int fd2)
{
	return (int)syscall_next()(SYS_dup2, (long)fd, (long)fd2, 0, 0, 0, 0);
}

static long record_dup2(syscall_function *next, uintptr_t site, long a, long b, long c, long d,
			long e, long f)
{
	return (long)dup2_record(real_dup2, site, (int)a, (int)b);
}
#endif

static int real_dup3(int fd, int fd2, int flags)
{
	return (int)syscall_next()(SYS_dup3, (long)fd, (long)fd2, (long)flags, 0, 0, 0);
}

static long record_dup3(syscall_function *next, uintptr_t site, long a, long b, long c, long d,
			long e, long f)
{
	return (long)dup3_record(real_dup3, site, (int)a, (int)b, (int)c);
}

static int real_fcntl(int fd, int command, ...)
{
	unsigned long argument;
	va_list args;

	va_start(args, command);
	argument = va_arg(args, unsigned long);
	va_end(args);
	return (int)syscall_next()(SYS_fcntl, (long)fd, (long)command, (long)argument, 0, 0, 0);
}

static long record_fcntl(syscall_function *next, uintptr_t site, long a, long b, long c, long d,
			 long e, long f)
{
	return (long)fcntl_record(real_fcntl, site, (int)a, (int)b, (unsigned long)c);
}

static int real_ioctl(int fd, unsigned long request, ...)
{
	unsigned long argument;
	va_list args;

	va_start(args, request);
	argument = va_arg(args, unsigned long);
	va_end(args);
	return (int)syscall_next()(SYS_ioctl, (long)fd, (long)request, (long)argument, 0, 0, 0);
}

static long record_ioctl(syscall_function *next, uintptr_t site, long a, long b, long c, long d,
			 long e, long f)
{
	return (long)ioctl_record(real_ioctl, site, (int)a, (unsigned long)b, (void *)c);
}

static void *real_mmap(void *address, size_t length, int prot, int flags, int fd, off_t offset)
{
	return (void *)syscall_next()(SYS_mmap, (long)address, (long)length, (long)prot,
				      (long)flags, (long)fd, (long)offset);
}

static long record_mmap(syscall_function *next, uintptr_t site, long a, long b, long c, long d,
			long e, long f)
{
	return (long)mmap_record(real_mmap, site, (void *)a, (size_t)b, (int)c, (int)d, (int)e, f);
}

static int real_munmap(void *address, size_t length)
{
	return (int)syscall_next()(SYS_munmap, (long)address, (long)length, 0, 0, 0, 0);
}

static long record_munmap(syscall_function *next, uintptr_t site, long a, long b, long c, long d,
			  long e, long f)
{
	return (long)munmap_record(real_munmap, site, (void *)a, (size_t)b);
}

static void *real_mremap(void *address, size_t length, size_t new_length, int flags, ...)
{
	void *new_address;
	va_list args;

	va_start(args, flags);
	new_address = va_arg(args, void *);
	va_end(args);
	return (void *)syscall_next()(SYS_mremap, (long)address, (long)length, (long)new_length,
				      (long)flags, (long)new_address, 0);
}

static long record_mremap(syscall_function *next, uintptr_t site, long a, long b, long c, long d,
			  long e, long f)
{
	return (long)mremap_record(real_mremap, site, (void *)a, (size_t)b, (size_t)c, (int)d,
				   (void *)e);
}

/* ---- the life of processes ---- */

#ifdef SYS_fork
static pid_t real_fork(void)
{
	return (pid_t)syscall_next()(SYS_fork, 0, 0, 0, 0, 0, 0);
}

static long record_fork(syscall_function *next, uintptr_t site, long a, long b, long c, long d,
			long e, long f)
{
	return (long)fork_record(real_fork, FN_fork, site);
}
#endif

static long record_execve(syscall_function *next, uintptr_t site, long a, long b, long c, long d,
			  long e, long f)
{
	return (long)execve_record(site, (const char *)a, (char *const *)b, (char *const *)c);
}

static long record_exit_group(syscall_function *next, uintptr_t site, long a, long b, long c,
			      long d, long e, long f)
{
	exit_at_once_record(site, (int)a);
	return next(SYS_exit_group, a, b, c, d, e, f);
}

static pid_t real_wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
	return (pid_t)syscall_next()(SYS_wait4, (long)pid, (long)status, (long)options, (long)usage,
				     0, 0);
}

static long record_wait4(syscall_function *next, uintptr_t site, long a, long b, long c, long d,
			 long e, long f)
{
	return (long)wait4_record(real_wait4, site, (pid_t)a, (int *)b, (int)c, (struct rusage *)d);
}

/*
 * ---- those of libaio ----
 * The library's functions give negative error numbers, and make these calls by syscall() themselves: recorded once.
 */

static int negative(long result)
{
	return result == -1 ? -errno : (int)result;
}

static long as_of_system(int result)
{
	if (result >= 0)
		return result;
	errno = -result;
	return -1;
}

static int real_io_setup(int count, struct io_context **context)
{
	return negative(syscall_next()(SYS_io_setup, count, (long)context, 0, 0, 0, 0));
}

static long record_io_setup(syscall_function *next, uintptr_t site, long a, long b, long c, long d,
			    long e, long f)
{
	if (call_is_inside(FN_io_setup))
		return next(SYS_io_setup, a, b, c, d, e, f);
	return as_of_system(io_setup_record(real_io_setup, site, (int)a, (struct io_context **)b));
}

static int real_io_destroy(struct io_context *context)
{
	return negative(syscall_next()(SYS_io_destroy, (long)context, 0, 0, 0, 0, 0));
}

static long record_io_destroy(syscall_function *next, uintptr_t site, long a, long b, long c,
			      long d, long e, long f)
{
	if (call_is_inside(FN_io_destroy))
		return next(SYS_io_destroy, a, b, c, d, e, f);
	return as_of_system(io_destroy_record(real_io_destroy, site, (struct io_context *)a));
}

static int real_io_submit(struct io_context *context, long count, struct iocb *requests[])
{
	return negative(
		syscall_next()(SYS_io_submit, (long)context, count, (long)requests, 0, 0, 0));
}

static long record_io_submit(syscall_function *next, uintptr_t site, long a, long b, long c, long d,
			     long e, long f)
{
	if (call_is_inside(FN_io_submit))
		return next(SYS_io_submit, a, b, c, d, e, f);
	return as_of_system(io_submit_record(real_io_submit, site, (struct io_context *)a, b,
					     (struct iocb **)c));
}

static int real_io_getevents(struct io_context *context, long least, long count,
			     struct io_event *events, struct timespec *timeout)
{
	return negative(syscall_next()(SYS_io_getevents, (long)context, least, count, (long)events,
				       (long)timeout, 0));
}

static long record_io_getevents(syscall_function *next, uintptr_t site, long a, long b, long c,
				long d, long e, long f)
{
	if (call_is_inside(FN_io_getevents))
		return next(SYS_io_getevents, a, b, c, d, e, f);
	return as_of_system(io_getevents_record(real_io_getevents, site, (struct io_context *)a, b,
						c, (struct io_event *)d, (struct timespec *)e));
}

static int real_io_cancel(struct io_context *context, struct iocb *request, struct io_event *event)
{
	return negative(
		syscall_next()(SYS_io_cancel, (long)context, (long)request, (long)event, 0, 0, 0));
}

static long record_io_cancel(syscall_function *next, uintptr_t site, long a, long b, long c, long d,
			     long e, long f)
{
	if (call_is_inside(FN_io_cancel))
		return next(SYS_io_cancel, a, b, c, d, e, f);
	return as_of_system(io_cancel_record(real_io_cancel, site, (struct io_context *)a,
					     (struct iocb *)b, (struct io_event *)c));
}

/* ---- those of io_uring ---- */

static int real_io_uring_setup(unsigned entries, struct io_uring_params *params)
{
	return negative(
		syscall_next()(SYS_io_uring_setup, (long)entries, (long)params, 0, 0, 0, 0));
}

static long record_io_uring_setup(syscall_function *next, uintptr_t site, long a, long b, long c,
				  long d, long e, long f)
{
	return as_of_system(io_uring_setup_record(real_io_uring_setup, site, (unsigned)a,
						  (struct io_uring_params *)b));
}

static int real_io_uring_enter(unsigned ring, unsigned submit, unsigned least, unsigned flags,
			       const void *argument, size_t size)
{
	return negative(syscall_next()(SYS_io_uring_enter, (long)ring, (long)submit, (long)least,
				       (long)flags, (long)argument, (long)size));
}

static long record_io_uring_enter(syscall_function *next, uintptr_t site, long a, long b, long c,
				  long d, long e, long f)
{
	return as_of_system(io_uring_enter_record(real_io_uring_enter, site, (unsigned)a,
						  (unsigned)b, (unsigned)c, (unsigned)d,
						  (const void *)e, (size_t)f));
}

static int real_io_uring_register(unsigned ring, unsigned operation, const void *argument,
				  unsigned count)
{
	return negative(syscall_next()(SYS_io_uring_register, (long)ring, (long)operation,
				       (long)argument, (long)count, 0, 0));
}

static long record_io_uring_register(syscall_function *next, uintptr_t site, long a, long b, long c,
				     long d, long e, long f)
{
	return as_of_system(io_uring_register_record(real_io_uring_register, site, (unsigned)a,
						     (unsigned)b, (const void *)c, (unsigned)d));
}

static record_function *const records[] = {
	[SYS_io_setup] = record_io_setup,
	[SYS_io_destroy] = record_io_destroy,
	[SYS_io_submit] = record_io_submit,
	[SYS_io_getevents] = record_io_getevents,
	[SYS_io_cancel] = record_io_cancel,
	[SYS_io_uring_setup] = record_io_uring_setup,
	[SYS_io_uring_enter] = record_io_uring_enter,
	[SYS_io_uring_register] = record_io_uring_register,
#ifdef SYS_open
	[SYS_open] = record_open,
#endif
	[SYS_openat] = record_openat,
#ifdef SYS_openat2
	[SYS_openat2] = record_openat2,
#endif
#ifdef SYS_pipe
	[SYS_pipe] = record_pipe,
#endif
	[SYS_pipe2] = record_pipe2,
	[SYS_close] = record_close,
#ifdef SYS_close_range
	[SYS_close_range] = record_close_range,
#endif
	[SYS_dup] = record_dup,
#ifdef SYS_dup2
	[SYS_dup2] = record_dup2,
#endif
	[SYS_dup3] = record_dup3,
	[SYS_fcntl] = record_fcntl,
	[SYS_ioctl] = record_ioctl,
#ifdef SYS_fork
	[SYS_fork] = record_fork,
#endif
	[SYS_execve] = record_execve,
	[SYS_exit_group] = record_exit_group,
	[SYS_wait4] = record_wait4,
	[SYS_mmap] = record_mmap,
	[SYS_munmap] = record_munmap,
	[SYS_mremap] = record_mremap,
};

static record_function *find(record_function *const *table, size_t count, long number)
{
	return number >= 0 && (size_t)number < count ? table[number] : NULL;
}

record_function *syscall_record_of(long number)
{
	record_function *found =
		find(generated_records, sizeof(generated_records) / sizeof(*generated_records),
		     number);

	return found ? found : find(records, sizeof(records) / sizeof(*records), number);
}
