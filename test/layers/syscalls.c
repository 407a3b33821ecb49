/* SPDX-License-Identifier: MIT */
/* System calls that the program makes itself: recorded as the functions that they stand for, once, with all arguments. */
#include "../trace/expect.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>

static char text[] = "0123456789", back[16];

/* By a folder that is the root of the path. libc has no function for it. */
static void openat2(void)
{
#ifdef SYS_openat2
	struct {
		uint64_t flags, mode, resolve;
	} how = {O_RDWR | O_CREAT, 0640, 0x10 /* RESOLVE_IN_ROOT */};
	int folder = (int)syscall(SYS_open, ".", O_RDONLY | O_DIRECTORY);
	const char *root = strdup(on_file(folder, "")), *file;
	int fd = (int)syscall(SYS_openat2, folder, "/inside", &how, sizeof(how));

	expect("0 posix open(path=\".\", flags=O_RDONLY|O_DIRECTORY) = %s", root);
	if (fd == -1) {
		expect("0 posix openat(dirfd=%s, path=\"/inside\", flags=O_RDWR|O_CREAT, "
		       "mode=0640) "
		       "= %s",
		       root, returned(-1));
	} else {
		file = strdup(on_file(fd, "inside"));
		expect("0 posix openat(dirfd=%s, path=\"/inside\", flags=O_RDWR|O_CREAT, "
		       "mode=0640) "
		       "= %s",
		       root, file);
		expect("0 posix write(fd=%s, count=10) = %ld", file,
		       syscall(SYS_write, fd, text, 10));
		expect("0 posix close(fd=%s) = %ld", file, syscall(SYS_close, fd));
	}
	expect("0 posix close(fd=%s) = %ld", root, syscall(SYS_close, folder));
#endif
}

static void files(void)
{
	struct iovec parts[2] = {{back, 3}, {back, 4}};
	struct stat status;
	const char *file, *other;
	int fd, fds[2];

	fd = (int)syscall(SYS_openat, AT_FDCWD, "data", O_RDWR | O_CREAT, 0640);
	file = strdup(on_file(fd, "data"));
	expect("0 posix openat(dirfd=AT_FDCWD, path=\"data\", flags=O_RDWR|O_CREAT, mode=0640) = "
	       "%s",
	       file);
	expect("0 posix write(fd=%s, count=10) = %ld", file, syscall(SYS_write, fd, text, 10));
	expect("0 posix pwrite(fd=%s, count=4, offset=100) = %ld", file,
	       syscall(SYS_pwrite64, fd, text, 4, 100));
	expect("0 posix lseek(fd=%s, offset=2, whence=SEEK_SET) = %ld", file,
	       syscall(SYS_lseek, fd, 2, SEEK_SET));
	expect("0 posix read(fd=%s, count=3) = %ld", file, syscall(SYS_read, fd, back, 3));
	expect("0 posix preadv(fd=%s, parts=[3, 4], count=2, offset=1) = %ld", file,
	       syscall(SYS_preadv, fd, parts, 2, 1, 0));
	expect("0 posix preadv2(fd=%s, parts=[3, 4], count=2, offset=1, flags=RWF_HIPRI) = %s",
	       file, returned(syscall(SYS_preadv2, fd, parts, 2, 1, 0, RWF_HIPRI)));
	expect("0 posix fstat(fd=%s) = %ld", file, syscall(SYS_fstat, fd, &status));
	expect("0 posix fstatat(dirfd=AT_FDCWD, path=\"none\", flags=AT_SYMLINK_NOFOLLOW) = %s",
	       returned(syscall(SYS_newfstatat, AT_FDCWD, "none", &status, AT_SYMLINK_NOFOLLOW)));
	expect("0 posix faccessat(dirfd=AT_FDCWD, path=\"data\", mode=R_OK, flags=0) = %ld",
	       syscall(SYS_faccessat, AT_FDCWD, "data", R_OK, -1));
	expect("0 posix fcntl(fd=%s, command=F_SETFD, argument=FD_CLOEXEC) = %ld", file,
	       syscall(SYS_fcntl, fd, F_SETFD, FD_CLOEXEC));
	syscall(SYS_pipe2, fds, O_CLOEXEC);
	expect("0 posix pipe2(fds=[%d, %d], flags=O_CLOEXEC) = 0", fds[0], fds[1]);
	/* the descriptor stands for another file now */
	syscall(SYS_dup3, fd, fds[0], O_CLOEXEC);
	other = strdup(on_file(fds[0], "data"));
	expect("0 posix dup3(fd=%s, fd2=%s, flags=O_CLOEXEC) = %s", file, on_other(fds[0], "pipe"),
	       other);
	expect("0 posix ftruncate(fd=%s, length=5) = %ld", other,
	       syscall(SYS_ftruncate, fds[0], 5));
	expect("0 posix close(fd=%s) = %ld", other, syscall(SYS_close, fds[0]));
	expect("0 posix close(fd=%s) = %ld", on_other(fds[1], "pipe"), syscall(SYS_close, fds[1]));
	expect("0 posix close(fd=%s) = %ld", file, syscall(SYS_close, fd));
	expect("0 posix close(fd=%d ?) = %s", fd, returned(syscall(SYS_close, fd)));
	expect("0 posix renameat2(from_dirfd=AT_FDCWD, from=\"data\", to_dirfd=AT_FDCWD, "
	       "to=\"other\", flags=RENAME_NOREPLACE) = %ld",
	       syscall(SYS_renameat2, AT_FDCWD, "data", AT_FDCWD, "other", 1));
	expect("0 posix unlinkat(dirfd=AT_FDCWD, path=\"other\", flags=0) = %ld",
	       syscall(SYS_unlinkat, AT_FDCWD, "other", 0));
	expect("0 posix mkdirat(dirfd=AT_FDCWD, path=\"folder\", mode=0700) = %ld",
	       syscall(SYS_mkdirat, AT_FDCWD, "folder", 0700));
}

static void memory(void)
{
	void *map = (void *)syscall(SYS_mmap, NULL, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS,
				    -1, 0L);

	expect("0 posix mmap(address=NULL, length=8192, prot=PROT_READ, "
	       "flags=MAP_PRIVATE|MAP_ANONYMOUS, fd=-1, offset=0) = 0x1");
	expect("0 posix munmap(address=0x1, length=8192, file=none, file_offset=-1, mapped=0) = "
	       "%ld",
	       syscall(SYS_munmap, map, 8192));
	expect("0 posix munmap(address=0x1, length=8192, file=none, file_offset=-1, mapped=0) = %s",
	       returned(syscall(SYS_munmap, (char *)map + 1, 8192)));
}

static void socket_pair(void)
{
	int fds[2];

	syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, fds);
	expect("0 net socketpair(domain=AF_UNIX, type=SOCK_STREAM, protocol=0, fds=[%d, %d]) = 0",
	       fds[0], fds[1]);
	expect("0 net sendto(fd=%s, count=10, flags=0, address=NULL) = %ld",
	       on_other(fds[0], "socket"), syscall(SYS_sendto, fds[0], text, 10, 0, NULL, 0));
}

/* Processes begin and end as by libc's functions, each with a stream of its own. */
static void processes(void)
{
	char *args[] = {(char *)"true", NULL}, *none[] = {NULL};
	long child = syscall(SYS_fork);
	int status;

	if (child == 0) {
		expect_forked();
		syscall(SYS_close, -1);
		syscall(SYS_exit_group, 7);
	}
	syscall(SYS_wait4, child, &status, 0, NULL);
	expect("0 posix fork() = PID");
	expect("0 posix close(fd=-1) = -1 EBADF");
	expect("0 posix _exit(status=7) = ?");
	expect("0 posix wait4(pid=PID, status=0x%x, options=0) = PID", status);
	expect("0 posix execve(path=\"/none\", argv=[\"true\"]) = %s",
	       returned(syscall(SYS_execve, "/none", args, none)));
	expect("0 posix kill(pid=PID, signal=0) = %ld", syscall(SYS_kill, getpid(), 0));
}

/* What is no I/O passes without a record; a child may come back from it. */
static void others(void)
{
	long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);

	if (child == 0)
		bare(SYS_exit_group, 7);
	bare(SYS_wait4, child, NULL, 0, NULL);
	syscall(SYS_sched_yield);
	syscall(SYS_gettid);
	syscall(-1);
	syscall(100000);
}

int main(void)
{
	files();
	openat2();
	memory();
	socket_pair();
	processes();
	others();
	return expect_end();
}
