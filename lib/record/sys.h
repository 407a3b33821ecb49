/* SPDX-License-Identifier: MIT */
/*
 * sys.h - the recorder's own system calls, made without libc.
 *
 * Nothing in the recorder may come back into one of its wrappers, touch the program's errno or be a
 * cancellation point. So each call here goes straight to the kernel and returns its result, or a
 * negative errno value. All of them pass through sys_call(), the one place where a test can make one fail.
 */
#ifndef RECORDER_RECORD_SYS_H
#define RECORDER_RECORD_SYS_H

#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <time.h>

#include "record/sanitizer.h"
#include "record/testfault.h"

/* The process is in a sandbox (sandbox.h): each call fails without being made. Not wiped by a fork, as the sandbox is not. */
extern bool sys_forbidden __attribute__((visibility("hidden")));
/* The same of one thread: while it runs the child of a vfork that is in a sandbox. */
extern __thread bool sys_forbidden_here
	__attribute__((visibility("hidden"), tls_model("initial-exec")));

static inline long sys_raw(long number, long a, long b, long c, long d, long e, long f)
{
#if defined(__x86_64__)
	long result;
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
#elif defined(__aarch64__)
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;

	__asm__ volatile("svc 0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory");
	return x0;
#else
#error "no raw system calls for this CPU yet"
#endif
}

/* Always inline: the child of a vfork-like clone goes on in the caller's frame. */
static inline __attribute__((always_inline)) long sys_call(long number, long a, long b, long c,
							   long d, long e, long f)
{
	if (__builtin_expect(sys_forbidden | sys_forbidden_here, 0))
		return -EPERM;
#ifdef RECORDER_TEST_HOOKS
	long args[] = {a, b, c, d, e, f}, result;

	if (test_fault(number, args, &result))
		return result;
#endif
	return sys_raw(number, a, b, c, d, e, f);
}

/* Whether the result of a call that returns a pointer is an error. */
static inline int sys_is_error(long result)
{
	return result < 0 && result >= -4095;
}

static inline int sys_open(const char *path, int flags, unsigned mode)
{
	return (int)sys_call(SYS_openat, AT_FDCWD, (long)path, flags, (long)mode, 0, 0);
}

static inline int sys_openat(int dirfd, const char *path, int flags, unsigned mode)
{
	return (int)sys_call(SYS_openat, dirfd, (long)path, flags, (long)mode, 0, 0);
}

static inline int sys_close(int fd)
{
	return (int)sys_call(SYS_close, fd, 0, 0, 0, 0, 0);
}

static inline long sys_read(int fd, void *buffer, size_t size)
{
	return sys_call(SYS_read, fd, (long)buffer, (long)size, 0, 0, 0);
}

static inline long sys_write(int fd, const void *buffer, size_t size)
{
	return sys_call(SYS_write, fd, (long)buffer, (long)size, 0, 0, 0);
}

static inline long sys_writev(int fd, const struct iovec *parts, int count)
{
	return sys_call(SYS_writev, fd, (long)parts, count, 0, 0, 0);
}

/* The first size - 1 bytes of a file and a zero; "" if it cannot be read. Returns how many. */
static inline size_t sys_read_file(const char *path, char *buffer, size_t size)
{
	int fd = sys_open(path, O_RDONLY | O_CLOEXEC, 0);
	size_t length = 0;
	long got = 1;

	while (fd >= 0 && got > 0 && length < size - 1) {
		got = sys_read(fd, buffer + length, size - 1 - length);
		length += got > 0 ? (size_t)got : 0;
	}
	if (fd >= 0)
		sys_close(fd);
	buffer[length] = '\0';
	return length;
}

static inline long sys_pread(int fd, void *buffer, size_t size, int64_t offset)
{
	return sys_call(SYS_pread64, fd, (long)buffer, (long)size, offset, 0, 0);
}

static inline long sys_pwrite(int fd, const void *buffer, size_t size, int64_t offset)
{
	return sys_call(SYS_pwrite64, fd, (long)buffer, (long)size, offset, 0, 0);
}

#define SYS_RENAME_EXCHANGE 2u /* both files change their names */

static inline int sys_rename(const char *from, const char *to, unsigned flags)
{
	return (int)sys_call(SYS_renameat2, AT_FDCWD, (long)from, AT_FDCWD, (long)to, flags, 0);
}

static inline int sys_fstat(int fd, struct stat *status)
{
	return (int)sys_call(SYS_fstat, fd, (long)status, 0, 0, 0, 0);
}

static inline int sys_stat(const char *path, struct stat *status)
{
	return (int)sys_call(SYS_newfstatat, AT_FDCWD, (long)path, (long)status, 0, 0, 0);
}

static inline int sys_lstat(const char *path, struct stat *status)
{
	return (int)sys_call(SYS_newfstatat, AT_FDCWD, (long)path, (long)status,
			     AT_SYMLINK_NOFOLLOW, 0, 0);
}

static inline int sys_statfs(const char *path, struct statfs *status)
{
	return (int)sys_call(SYS_statfs, (long)path, (long)status, 0, 0, 0, 0);
}

static inline int sys_statx(int dirfd, const char *path, int flags, unsigned mask,
			    struct statx *status)
{
	return (int)sys_call(SYS_statx, dirfd, (long)path, flags, (long)mask, (long)status, 0);
}

static inline long sys_fgetxattr(int fd, const char *name, void *buffer, size_t size)
{
	return sys_call(SYS_fgetxattr, fd, (long)name, (long)buffer, (long)size, 0, 0);
}

/* What getdents64(2) gives; `size`: to the next one. */
struct sys_dirent {
	uint64_t inode;
	int64_t offset;
	uint16_t size;
	uint8_t type;
	char name[];
};

static inline long sys_getdents(int fd, void *buffer, size_t size)
{
	return sys_call(SYS_getdents64, fd, (long)buffer, (long)size, 0, 0, 0);
}

/* A clock in ns, 0 if there is none: for those that the kernel alone can tell, and where libc must not be called; else clock_mono() is cheaper. */
static inline int64_t sys_clock_ns(clockid_t clock)
{
	struct timespec now = {0, 0};

	sys_call(SYS_clock_gettime, clock, (long)&now, 0, 0, 0, 0);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* How large files of this process may become; RLIM_INFINITY: as large as they like. */
static inline uint64_t sys_file_size_limit(void)
{
	struct rlimit limit;

	return sys_call(SYS_prlimit64, 0, RLIMIT_FSIZE, 0, (long)&limit, 0, 0) ? RLIM_INFINITY
									       : limit.rlim_cur;
}

struct rusage;

static inline int sys_getrusage(int who, struct rusage *usage)
{
	return (int)sys_call(SYS_getrusage, who, (long)usage, 0, 0, 0, 0);
}

static inline int sys_fstatfs(int fd, struct statfs *status)
{
	return (int)sys_call(SYS_fstatfs, fd, (long)status, 0, 0, 0, 0);
}

static inline int sys_ftruncate(int fd, int64_t size)
{
	return (int)sys_call(SYS_ftruncate, fd, size, 0, 0, 0, 0);
}

static inline int sys_fallocate(int fd, int mode, int64_t offset, int64_t size)
{
	return (int)sys_call(SYS_fallocate, fd, mode, offset, size, 0, 0);
}

static inline int sys_fcntl(int fd, int command, long argument)
{
	return (int)sys_call(SYS_fcntl, fd, command, argument, 0, 0, 0);
}

static inline int sys_access(const char *path, int mode)
{
	return (int)sys_call(SYS_faccessat, AT_FDCWD, (long)path, mode, 0, 0, 0);
}

static inline long sys_readlink(const char *path, char *buffer, size_t size)
{
	return sys_call(SYS_readlinkat, AT_FDCWD, (long)path, (long)buffer, (long)size, 0, 0);
}

static inline int sys_fchmod(int fd, unsigned mode)
{
	return (int)sys_call(SYS_fchmod, fd, (long)mode, 0, 0, 0, 0);
}

static inline int sys_chmod(const char *path, unsigned mode)
{
	return (int)sys_call(SYS_fchmodat, AT_FDCWD, (long)path, (long)mode, 0, 0, 0);
}

/* A new file with just this mode, whatever the program's umask is: it has to be opened again. */
static inline int sys_create(const char *path, int flags, unsigned mode)
{
	int fd = sys_open(path, flags | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
	struct stat status;

	if (fd >= 0 && !sys_fstat(fd, &status) && (status.st_mode & 07777) != mode)
		sys_fchmod(fd, mode);
	return fd;
}

static inline long sys_getrandom(void *buffer, size_t size)
{
	return sys_call(SYS_getrandom, (long)buffer, (long)size, 0, 0, 0, 0);
}

static inline int sys_unlink(const char *path)
{
	return (int)sys_call(SYS_unlinkat, AT_FDCWD, (long)path, 0, 0, 0, 0);
}

static inline int sys_rmdir(const char *path)
{
	return (int)sys_call(SYS_unlinkat, AT_FDCWD, (long)path, AT_REMOVEDIR, 0, 0, 0);
}

static inline int sys_link(const char *from, const char *to)
{
	return (int)sys_call(SYS_linkat, AT_FDCWD, (long)from, AT_FDCWD, (long)to, 0, 0);
}

static inline int sys_mkdir(const char *path, unsigned mode)
{
	return (int)sys_call(SYS_mkdirat, AT_FDCWD, (long)path, mode, 0, 0, 0);
}

static inline long sys_getcwd(char *buffer, size_t size)
{
	return sys_call(SYS_getcwd, (long)buffer, (long)size, 0, 0, 0, 0);
}

static inline void *sys_mmap(size_t size, int protection, int flags, int fd)
{
	return (void *)sys_call(SYS_mmap, sanitizer_address(size), (long)size, protection, flags,
				fd, 0);
}

static inline int sys_munmap(void *address, size_t size)
{
	return (int)sys_call(SYS_munmap, (long)address, (long)size, 0, 0, 0, 0);
}

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* younger than some C libraries */
#endif

static inline int sys_madvise(void *address, size_t size, int advice)
{
	return (int)sys_call(SYS_madvise, (long)address, (long)size, advice, 0, 0, 0);
}

static inline unsigned sys_geteuid(void)
{
	return (unsigned)sys_call(SYS_geteuid, 0, 0, 0, 0, 0, 0);
}

static inline unsigned sys_getegid(void)
{
	return (unsigned)sys_call(SYS_getegid, 0, 0, 0, 0, 0, 0);
}

static inline int sys_getpid(void)
{
	return (int)sys_call(SYS_getpid, 0, 0, 0, 0, 0, 0);
}

static inline int sys_getppid(void)
{
	return (int)sys_call(SYS_getppid, 0, 0, 0, 0, 0, 0);
}

static inline int sys_gettid(void)
{
	return (int)sys_call(SYS_gettid, 0, 0, 0, 0, 0, 0);
}

static inline int sys_sched_yield(void)
{
	return (int)sys_call(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
}

static inline int sys_nanosleep(const struct timespec *time)
{
	return (int)sys_call(SYS_nanosleep, (long)time, 0, 0, 0, 0, 0);
}

static inline int sys_membarrier(int command)
{
	return (int)sys_call(SYS_membarrier, command, 0, 0, 0, 0, 0);
}

static inline int sys_tgkill(pid_t process, pid_t task, int signal)
{
	return (int)sys_call(SYS_tgkill, process, task, signal, 0, 0, 0);
}

static inline int sys_waitid(int type, pid_t id, siginfo_t *found, int options)
{
	return (int)sys_call(SYS_waitid, type, id, (long)found, options, 0, 0);
}

/* Copies from this process's own memory, or fails with -EFAULT where a plain copy would fault. */
static inline long sys_copy_from_self(void *to, const void *from, size_t size)
{
	struct iovec local = {to, size};
	struct iovec remote = {(void *)from, size};

	return sys_call(SYS_process_vm_readv, sys_getpid(), (long)&local, 1, (long)&remote, 1, 0);
}

static inline int sys_sigaltstack(const stack_t *new_stack, stack_t *old_stack)
{
	return (int)sys_call(SYS_sigaltstack, (long)new_stack, (long)old_stack, 0, 0, 0, 0);
}

/* Signal sets as the kernel has them: 64 bits. */
static inline int sys_sigprocmask(int how, const uint64_t *set, uint64_t *old)
{
	return (int)sys_call(SYS_rt_sigprocmask, how, (long)set, (long)old, sizeof(*set), 0, 0);
}

static inline int sys_sigpending(uint64_t *set)
{
	return (int)sys_call(SYS_rt_sigpending, (long)set, sizeof(*set), 0, 0, 0, 0);
}

/* Takes a pending signal of `set` without waiting. */
static inline int sys_sigtake(const uint64_t *set)
{
	struct timespec none = {0, 0};

	return (int)sys_call(SYS_rt_sigtimedwait, (long)set, 0, (long)&none, sizeof(*set), 0, 0);
}

#endif
