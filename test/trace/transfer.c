/* SPDX-License-Identifier: MIT */
/* Bytes between descriptors without the program, space, locks, and descriptors of no file. */
#include "expect.h"

#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/uio.h>

static char text[] = "0123456789";

static int open_file(const char *name, const char **file)
{
	int fd = open(name, O_RDWR | O_CREAT, 0600);

	*file = strdup(on_file(fd, name));
	expect("0 posix open(path=\"%s\", flags=O_RDWR|O_CREAT, mode=0600) = %s", name, *file);
	return fd;
}

static void close_file(int fd, const char *file)
{
	expect("0 posix close(fd=%s) = %d", file, close(fd));
}

static void copies(void)
{
	const char *from, *to, *reader, *writer;
	int in = open_file("from", &from), out = open_file("to", &to), fds[2];
	struct iovec part = {text, 3};
	off_t offset = 2;

	pipe2(fds, O_CLOEXEC);
	reader = strdup(on_other(fds[0], "pipe"));
	writer = strdup(on_other(fds[1], "pipe"));
	expect("0 posix pipe2(fds=[%d, %d], flags=O_CLOEXEC) = 0", fds[0], fds[1]);
	expect("0 posix pwrite(fd=%s, count=10, offset=0) = %zd", from, pwrite(in, text, 10, 0));
	expect("0 posix copy_file_range(in=%s, in_offset=2, out=%s, out_offset=-1, count=4, "
	       "flags=0x0) = %zd",
	       from, to, copy_file_range(in, &offset, out, NULL, 4, 0));
	offset = 5;
	expect("0 posix sendfile(out=%s, in=%s, offset=5, count=100) = %zd", to, from,
	       sendfile(out, in, &offset, 100));
	offset = 1;
	expect("0 posix splice(in=%s, in_offset=1, out=%s, out_offset=-1, count=6, "
	       "flags=SPLICE_F_MOVE|SPLICE_F_MORE) = %zd",
	       from, writer, splice(in, &offset, fds[1], NULL, 6, SPLICE_F_MOVE | SPLICE_F_MORE));
	expect("0 posix splice(in=%s, in_offset=-1, out=%s, out_offset=-1, count=6, "
	       "flags=0) = %zd",
	       reader, to, splice(fds[0], NULL, out, NULL, 6, 0));
	expect("0 posix vmsplice(fd=%s, parts=[3], count=1, flags=0) = %zd", writer,
	       vmsplice(fds[1], &part, 1, 0));
	expect("0 posix tee(in=%s, out=%s, count=3, flags=0) = %s", reader, writer,
	       returned(tee(fds[0], fds[1], 3, 0)));
	expect("0 posix splice(in=%s, in_offset=-1, out=%s, out_offset=-1, count=6, "
	       "flags=0) = %s",
	       from, to, returned(splice(in, NULL, out, NULL, 6, 0)));
	close_file(fds[0], reader);
	close_file(fds[1], writer);
	close_file(in, from);
	close_file(out, to);
}

/* What the argument is, and the result, the command says. */
static void commands(int fd, const char *file)
{
	int flags = fcntl(fd, F_GETFL), yes = 0;

	expect("0 posix fcntl(fd=%s, command=F_GETFL) = %s", file,
	       flags & 0100000 ? "O_RDWR|O_LARGEFILE" : "O_RDWR");
	expect("0 posix fcntl(fd=%s, command=F_SETFL, argument=O_APPEND|O_NONBLOCK) = %d", file,
	       fcntl(fd, F_SETFL, O_APPEND | O_NONBLOCK));
	expect("0 posix fcntl(fd=%s, command=F_SETFL, argument=0) = %d", file,
	       fcntl(fd, F_SETFL, 0));
	expect("0 posix fcntl(fd=%s, command=F_SETFD, argument=FD_CLOEXEC) = %d", file,
	       fcntl(fd, F_SETFD, FD_CLOEXEC));
	fcntl(fd, F_GETFD);
	expect("0 posix fcntl(fd=%s, command=F_GETFD) = FD_CLOEXEC", file);
	expect("0 posix fcntl(fd=%s, command=F_SETSIG, argument=SIGUSR1) = %d", file,
	       fcntl(fd, F_SETSIG, SIGUSR1));
	expect("0 posix fcntl(fd=%s, command=F_GETSIG) = %s", file,
	       fcntl(fd, F_GETSIG) == SIGUSR1 ? "SIGUSR1" : "?");
	expect("0 posix fcntl(fd=%s, command=12345, argument=0x1) = %s", file,
	       returned(fcntl(fd, 12345, &yes)));
	expect("0 posix ioctl(fd=%s, request=FIONBIO, argument=0) = %d", file,
	       ioctl(fd, FIONBIO, &yes));
	expect("0 posix ioctl(fd=%s, request=FIONREAD) = %s", file,
	       returned(ioctl(fd, FIONREAD, (void *)8)));
	expect("0 posix ioctl(fd=%s, request=0x4321, argument=0x1) = %s", file,
	       returned(ioctl(fd, 0x4321, &yes)));
}

static void locks(int fd, const char *file)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 5, .l_len = 10};

	expect("0 posix fcntl(fd=%s, command=F_SETLK, argument=0x1, lock={F_WRLCK, SEEK_SET, "
	       "start=5, length=10}) = %d",
	       file, fcntl(fd, F_SETLK, &lock));
	lock.l_type = F_RDLCK;
	expect("0 posix fcntl(fd=%s, command=F_GETLK, argument=0x1, lock={F_RDLCK, SEEK_SET, "
	       "start=5, length=10}, found={F_UNLCK, SEEK_SET, start=5, length=10}) = %d",
	       file, fcntl(fd, F_GETLK, &lock));
	expect("0 posix fcntl(fd=%s, command=F_SETLK, argument=0x1, lock=?) = %s", file,
	       returned(fcntl(fd, F_SETLK, (void *)8)));
}

static void clones(int fd, const char *file)
{
	struct file_clone_range range = {fd, 1, 2, 3};

	expect("0 posix ioctl(fd=%s, request=FICLONE, argument=%d, source=%s) = %s", file, fd, file,
	       returned(ioctl(fd, FICLONE, fd)));
	expect("0 posix ioctl(fd=%s, request=FICLONERANGE, argument=0x1, source=%s, range=[1, 2, "
	       "3]) = %s",
	       file, file, returned(ioctl(fd, FICLONERANGE, &range)));
	expect("0 posix ioctl(fd=%s, request=FICLONERANGE, argument=0x1) = %s", file,
	       returned(ioctl(fd, FICLONERANGE, (void *)8)));
}

static void space(void)
{
	const char *file;
	int fd = open_file("space", &file), waiting;

	expect("0 posix fallocate(fd=%s, mode=FALLOC_FL_KEEP_SIZE, offset=0, length=8192) = %s",
	       file, returned(fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, 8192)));
	expect("0 posix readahead(fd=%s, offset=0, count=4096) = %s", file,
	       returned(readahead(fd, 0, 4096)));
	expect("0 posix sync_file_range(fd=%s, offset=0, count=4096, flags=SYNC_FILE_RANGE_WRITE) "
	       "= %s",
	       file, returned(sync_file_range(fd, 0, 4096, SYNC_FILE_RANGE_WRITE)));
	expect("0 posix syncfs(fd=%s) = %d", file, syncfs(fd));
	expect("0 posix flock(fd=%s, operation=LOCK_EX) = %d", file, flock(fd, LOCK_EX));
	expect("0 posix flock(fd=%s, operation=LOCK_UN) = %d", file, flock(fd, LOCK_UN));
	expect("0 posix lockf(fd=%s, command=F_TLOCK, length=10) = %d", file,
	       lockf(fd, F_TLOCK, 10));
	waiting = ioctl(fd, FIONREAD, &waiting) ? -1 : waiting;
	expect("0 posix ioctl(fd=%s, request=FIONREAD, argument=%d) = 0", file, waiting);
	commands(fd, file);
	locks(fd, file);
	clones(fd, file);
	close_file(fd, file);
}

static void other_kinds(void)
{
	eventfd_t count;
	sigset_t set;
	int fd, watch;

	sigemptyset(&set);
	fd = eventfd(3, EFD_CLOEXEC);
	expect("0 posix eventfd(value=3, flags=O_CLOEXEC) = %s",
	       on_other(fd, "anon_inode:[eventfd]"));
	expect("0 posix eventfd_write(fd=%s) = %d", on_other(fd, "anon_inode:[eventfd]"),
	       eventfd_write(fd, 4));
	expect("0 posix eventfd_read(fd=%s) = %d", on_other(fd, "anon_inode:[eventfd]"),
	       eventfd_read(fd, &count));
	close_file(fd, on_other(fd, "anon_inode:[eventfd]"));
	fd = epoll_create(1);
	expect("0 posix epoll_create(size=1) = %s", on_other(fd, "anon_inode:[eventpoll]"));
	close_file(fd, on_other(fd, "anon_inode:[eventpoll]"));
	fd = epoll_create1(0);
	expect("0 posix epoll_create1(flags=0) = %s", on_other(fd, "anon_inode:[eventpoll]"));
	close_file(fd, on_other(fd, "anon_inode:[eventpoll]"));
	fd = timerfd_create(CLOCK_MONOTONIC, 0);
	expect("0 posix timerfd_create(clock=CLOCK_MONOTONIC, flags=0) = %s",
	       on_other(fd, "anon_inode:[timerfd]"));
	close_file(fd, on_other(fd, "anon_inode:[timerfd]"));
	fd = signalfd(-1, &set, SFD_CLOEXEC);
	expect("0 posix signalfd(fd=-1, flags=O_CLOEXEC) = %s",
	       on_other(fd, "anon_inode:[signalfd]"));
	close_file(fd, on_other(fd, "anon_inode:[signalfd]"));
	fd = inotify_init();
	expect("0 posix inotify_init() = %s", on_other(fd, "anon_inode:inotify"));
	watch = inotify_add_watch(fd, ".", IN_CREATE);
	expect("0 posix inotify_add_watch(fd=%s, path=\".\", mask=IN_CREATE) = %d",
	       on_other(fd, "anon_inode:inotify"), watch);
	expect("0 posix inotify_rm_watch(fd=%s, watch=%d) = %d", on_other(fd, "anon_inode:inotify"),
	       watch, inotify_rm_watch(fd, watch));
	close_file(fd, on_other(fd, "anon_inode:inotify"));
	fd = inotify_init1(IN_CLOEXEC);
	expect("0 posix inotify_init1(flags=O_CLOEXEC) = %s", on_other(fd, "anon_inode:inotify"));
	close_file(fd, on_other(fd, "anon_inode:inotify"));
	fd = memfd_create("memory", MFD_CLOEXEC);
	expect("0 posix memfd_create(name=\"memory\", flags=MFD_CLOEXEC) = %s",
	       on_other(fd, "/memfd:memory (deleted)"));
	close_file(fd, on_other(fd, "/memfd:memory (deleted)"));
	fd = shm_open("/recorder-test-none", O_RDWR, 0);
	expect("0 posix shm_open(name=\"/recorder-test-none\", flags=O_RDWR, mode=0000) = %s",
	       returned(fd));
	expect("0 posix shm_unlink(name=\"/recorder-test-none\") = %s",
	       returned(shm_unlink("/recorder-test-none")));
}

static void memory(void)
{
	unsigned char pages[2];
	char *map = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	expect("0 posix mmap(address=NULL, length=8192, prot=PROT_READ|PROT_WRITE, "
	       "flags=MAP_PRIVATE|MAP_ANONYMOUS, fd=-1, offset=0) = 0x1");
	expect("0 posix mlock(address=0x1, length=4096) = %s", returned(mlock(map, 4096)));
	expect("0 posix munlock(address=0x1, length=4096) = %s", returned(munlock(map, 4096)));
	expect("0 posix mlock2(address=0x1, length=4096, flags=MLOCK_ONFAULT) = %s",
	       returned(mlock2(map, 4096, MLOCK_ONFAULT)));
	expect("0 posix mlockall(flags=0) = %s", returned(mlockall(0)));
	expect("0 posix munlockall() = %s", returned(munlockall()));
	expect("0 posix mincore(address=0x1, length=8192) = %d", mincore(map, 8192, pages));
	expect("0 posix posix_madvise(address=0x1, length=8192, advice=MADV_RANDOM, file=none, "
	       "file_offset=-1, mapped=0) = %d",
	       posix_madvise(map, 8192, POSIX_MADV_RANDOM));
	expect("0 posix remap_file_pages(address=0x1, length=4096, prot=PROT_NONE, page=0, "
	       "flags=0) = %s",
	       returned(remap_file_pages(map, 4096, 0, 0, 0)));
	map = mremap(map, 8192, 16384, MREMAP_MAYMOVE);
	expect("0 posix mremap(address=0x1, length=8192, new_length=16384, flags=MREMAP_MAYMOVE, "
	       "new_address=NULL, file=none, file_offset=-1, mapped=0) = "
	       "0x1");
	expect("0 posix munmap(address=0x1, length=16384, file=none, file_offset=-1, mapped=0) = "
	       "%d",
	       munmap(map, 16384));
}

int main(void)
{
	copies();
	space();
	other_kinds();
	memory();
	return expect_end();
}
