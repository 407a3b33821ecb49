/* SPDX-License-Identifier: MIT */
/* Rings of io_uring that a program maps and fills itself, where the system allows it. */
#include "../trace/expect.h"

#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/uio.h>

#define NO_SQARRAY (1u << 16) /* not in all headers */
#define OTHER_FLAGS (MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED)
#define UNREADABLE "operations=?, files=?, offsets=?, sizes=?, data=?, done=?, results=?"
#define NOTHING "operations=[], files=[], offsets=[], sizes=[], data=[], done=[], results=[]"

static char text[] = "0123456789", back[32];
static struct iovec parts[2] = {{text, 3}, {text, 4}};
static int fd;
static const char *file;

struct ring {
	struct io_uring_params params;
	int fd;
	char name[64];
	char *submissions, *completions, *requests;
	size_t sizes[3];
};

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

static void *map(struct ring *ring, size_t length, unsigned long offset)
{
	void *address = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
			     ring->fd, (off_t)offset);

	if (address == MAP_FAILED)
		abort();
	expect("0 posix mmap(address=NULL, length=%zu, prot=PROT_READ|PROT_WRITE, "
	       "flags=MAP_SHARED|MAP_POPULATE, fd=%s, offset=%lu) = 0x1",
	       length, ring->name, offset);
	return address;
}

/* False: there is no such ring here. Of two parts that are one only the first is mapped, unless it is to be `apart`. */
static int open_ring(struct ring *ring, unsigned flags, int apart)
{
	struct io_uring_params *params = &ring->params;
	size_t submissions, completions;

	*ring = (struct ring){.params = {.flags = flags, .sq_thread_idle = 20000}};
	ring->fd = (int)syscall(SYS_io_uring_setup, 4, params);
	if (ring->fd < 0) {
		expect("0 posix io_uring_setup(entries=4) = -%d %s", errno, strerrorname_np(errno));
		return 0;
	}
	strcpy(ring->name, on_other(ring->fd, "anon_inode:[io_uring]"));
	expect("0 posix io_uring_setup(entries=4) = %s", ring->name);
	submissions = params->sq_off.array + params->sq_entries * sizeof(unsigned);
	completions = params->cq_off.cqes +
		      ((size_t)params->cq_entries << (flags & IORING_SETUP_CQE32 ? 5 : 4));
	if (!apart)
		submissions = completions = larger(submissions, completions);
	ring->submissions = ring->completions = map(ring, submissions, IORING_OFF_SQ_RING);
	if (apart)
		ring->completions = map(ring, completions, IORING_OFF_CQ_RING);
	ring->sizes[0] = submissions;
	ring->sizes[1] = apart ? completions : 0;
	ring->sizes[2] = (size_t)params->sq_entries << (flags & IORING_SETUP_SQE128 ? 7 : 6);
	ring->requests = map(ring, ring->sizes[2], IORING_OFF_SQES);
	return 1;
}

static void unmap(void *address, size_t length, const char *name, unsigned long offset)
{
	int result = munmap(address, length);

	expect("0 posix munmap(address=0x1, length=%zu, file=\"%s\", file_offset=%lu, mapped=%zu) "
	       "= %d",
	       length, name, offset, length, result);
}

static void close_ring(struct ring *ring)
{
	unmap(ring->requests, ring->sizes[2], "anon_inode:[io_uring]", IORING_OFF_SQES);
	if (ring->sizes[1])
		unmap(ring->completions, ring->sizes[1], "anon_inode:[io_uring]",
		      IORING_OFF_CQ_RING);
	unmap(ring->submissions, ring->sizes[0], "anon_inode:[io_uring]", IORING_OFF_SQ_RING);
	expect("0 posix close(fd=%s) = %d", ring->name, close(ring->fd));
}

static unsigned *word(char *mapped, unsigned offset)
{
	return (unsigned *)(void *)(mapped + offset);
}

/* A request in the slot that is `turned` by one from its place, so that the array is needed. */
static void put(struct ring *ring, int operation, const void *from, unsigned length, long offset,
		int flags, unsigned long data)
{
	const struct io_sqring_offsets *at = &ring->params.sq_off;
	unsigned *tail = word(ring->submissions, at->tail), mask = ring->params.sq_entries - 1;
	unsigned turned = ring->params.flags & NO_SQARRAY ? 0 : 1;
	unsigned slot = (*tail + turned) & mask;
	struct io_uring_sqe *request =
		(void *)(ring->requests +
			 ((size_t)slot << (ring->params.flags & IORING_SETUP_SQE128 ? 7 : 6)));

	memset(request, 0, sizeof(*request));
	request->opcode = (unsigned char)operation;
	request->flags = (unsigned char)flags;
	request->fd = fd;
	request->addr = (unsigned long)from;
	request->len = length;
	request->off = (unsigned long)offset;
	request->user_data = data;
	if (turned)
		word(ring->submissions, at->array)[*tail & mask] = slot;
	__atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
}

static void take(struct ring *ring)
{
	const struct io_cqring_offsets *at = &ring->params.cq_off;

	*word(ring->completions, at->head) =
		__atomic_load_n(word(ring->completions, at->tail), __ATOMIC_ACQUIRE);
}

static long enter(const struct ring *ring, unsigned submit, unsigned least, unsigned flags)
{
	return syscall(SYS_io_uring_enter, ring->fd, submit, least, flags, NULL, 0);
}

/* What a ring is for, more often than it has slots. */
static void transfers(unsigned flags, int apart)
{
	struct ring ring;

	if (!open_ring(&ring, flags, apart))
		return;
	for (unsigned long i = 0; i < 3; i++) {
		put(&ring, IORING_OP_WRITE, text, 10, 300, IOSQE_IO_LINK, 10 * i + 7);
		put(&ring, IORING_OP_WRITEV, parts, 2, 400, IOSQE_IO_LINK, 10 * i + 8);
		put(&ring, IORING_OP_FSYNC, NULL, 0, 0, 0, 10 * i + 9);
		expect("0 posix io_uring_enter(ring=%s, submit=3, least=3, flags=0x1, "
		       "operations=[WRITE, WRITEV, FSYNC], files=[%s, %s, %s], offsets=[300, 400, "
		       "0], sizes=[10, 7, 0], data=[%lu, %lu, %lu], done=[%lu, %lu, %lu], "
		       "results=[10, 7, 0]) = %ld",
		       ring.name, file, file, file, 10 * i + 7, 10 * i + 8, 10 * i + 9, 10 * i + 7,
		       10 * i + 8, 10 * i + 9, enter(&ring, 3, 3, IORING_ENTER_GETEVENTS));
		take(&ring);
	}
	/* one of two, and a completion that says why it failed */
	put(&ring, IORING_OP_READ, back, 32, 300, 0, 50);
	put(&ring, IORING_OP_READ, back, 8, -2, 0, 51);
	expect("0 posix io_uring_enter(ring=%s, submit=1, least=1, flags=0x1, operations=[READ], "
	       "files=[%s], offsets=[300], sizes=[32], data=[50], done=[50], results=[32]) = %ld",
	       ring.name, file, enter(&ring, 1, 1, IORING_ENTER_GETEVENTS));
	expect("0 posix io_uring_enter(ring=%s, submit=100, least=2, flags=0x1, "
	       "operations=[READ], files=[%s], offsets=[-2], sizes=[8], data=[51], done=[51], "
	       "results=[-22]) = %ld",
	       ring.name, file, enter(&ring, 100, 2, IORING_ENTER_GETEVENTS));
	expect("0 posix io_uring_enter(ring=%s, submit=0, least=0, flags=0x0, " NOTHING ") = %ld",
	       ring.name, enter(&ring, 0, 0, 0));
	close_ring(&ring);
}

/* The kernel takes what is there by itself, before the call or after it: it is seen at the call. */
static void polled(void)
{
	struct ring ring;

	if (!open_ring(&ring, IORING_SETUP_SQPOLL, 0))
		return;
	put(&ring, IORING_OP_READ, back, 8, 300, 0, 1);
	put(&ring, IORING_OP_READ, back, 8, 300, 0, 2);
	expect("0 posix io_uring_enter(ring=%s, submit=0, least=2, flags=0x3, operations=[READ, "
	       "READ], files=[%s, %s], offsets=[300, 300], sizes=[8, 8], data=[1, 2], done=[1, 2], "
	       "results=[8, 8]) = %ld",
	       ring.name, file, file,
	       enter(&ring, 0, 2, IORING_ENTER_SQ_WAKEUP | IORING_ENTER_GETEVENTS));
	close_ring(&ring);
}

/* What is not there is unreadable, and does no harm. */
static void bad(void)
{
	struct ring ring, other;
	struct io_uring_sqe *requests;

	syscall(SYS_io_uring_setup, 4, NULL);
	expect("0 posix io_uring_setup(entries=4) = -%d %s", errno, strerrorname_np(errno));
	syscall(SYS_io_uring_enter, fd, 9, 0, 0, NULL, 0);
	expect("0 posix io_uring_enter(ring=%s, submit=9, least=0, flags=0x0, " UNREADABLE
	       ") = -%d %s",
	       file, errno, strerrorname_np(errno));
	if (!open_ring(&ring, 0, 1))
		return;
	/* a slot that there is not */
	put(&ring, IORING_OP_NOP, NULL, 0, 0, 0, 1);
	word(ring.submissions, ring.params.sq_off.array)[0] = 77;
	expect("0 posix io_uring_enter(ring=%s, submit=1, least=0, flags=0x0, " NOTHING ") = %ld",
	       ring.name, enter(&ring, 1, 0, 0));
	/* more than there are */
	*word(ring.submissions, ring.params.sq_off.tail) += 1000;
	requests = (void *)ring.requests;
	memset(requests, 0, ring.sizes[2]);
	for (unsigned i = 0; i < 4; i++) {
		word(ring.submissions, ring.params.sq_off.array)[i] = i;
		requests[i].fd = -1;
	}
	expect("0 posix io_uring_enter(ring=%s, submit=4294967295, least=0, flags=0x0, "
	       "operations=[NOP, NOP, NOP, NOP], files=[-1, -1, -1, -1], offsets=[0, 0, 0, 0], "
	       "sizes=[0, 0, 0, 0], data=[0, 0, 0, 0], done=[0, 0, 0, 0], results=[0, 0, 0, 0]) = "
	       "%ld",
	       ring.name, enter(&ring, ~0u, 0, 0));
	/* what is there instead is no ring, readable as it is */
	mmap(ring.completions, ring.sizes[1], PROT_READ, OTHER_FLAGS, -1, 0);
	expect("0 posix mmap(address=0x1, length=%zu, prot=PROT_READ, "
	       "flags=MAP_PRIVATE|MAP_FIXED|MAP_ANONYMOUS, fd=-1, offset=0) = 0x1",
	       ring.sizes[1]);
	expect("0 posix io_uring_enter(ring=%s, submit=0, least=0, flags=0x0, operations=[], "
	       "files=[], offsets=[], sizes=[], data=[], done=?, results=?) = %ld",
	       ring.name, enter(&ring, 0, 0, 0));
	unmap(ring.requests, ring.sizes[2], "anon_inode:[io_uring]", IORING_OFF_SQES);
	bare(SYS_mmap, ring.requests, ring.sizes[2], PROT_READ, OTHER_FLAGS, -1, 0);
	expect("0 posix io_uring_enter(ring=%s, submit=0, least=0, flags=0x0, " UNREADABLE
	       ") = %ld",
	       ring.name, enter(&ring, 0, 0, 0));
	unmap(ring.submissions, ring.sizes[0], "anon_inode:[io_uring]", IORING_OFF_SQ_RING);
	/* closed by another that takes its place: its number has no parts that are known */
	if (!open_ring(&other, 0, 0))
		return;
	expect("0 posix dup2(fd=%s, fd2=%s) = ", ring.name, other.name);
	expect_size--;
	expect("%s", on_other(dup2(ring.fd, other.fd), "anon_inode:[io_uring]"));
	expect("0 posix io_uring_enter(ring=%s, submit=0, least=0, flags=0x0, " UNREADABLE
	       ") = %ld",
	       other.name, enter(&other, 0, 0, 0));
	close_ring(&other);
	expect("0 posix close(fd=%s) = %d", ring.name, close(ring.fd));
}

/* A child does not know its parent's rings. */
static void forked(void)
{
	struct ring ring;
	int status;
	pid_t child;

	if (!open_ring(&ring, 0, 0))
		return;
	child = fork();
	if (child == 0) {
		expect_forked();
		enter(&ring, 0, 0, 0);
		_exit(0);
	}
	bare(SYS_wait4, child, &status, 0, NULL);
	expect("0 posix fork() = PID");
	expect("0 posix io_uring_enter(ring=%s, submit=0, least=0, flags=0x0, " UNREADABLE ") = 0",
	       ring.name);
	expect("0 posix _exit(status=0) = ?");
	put(&ring, IORING_OP_NOP, NULL, 0, 0, 0, 1);
	expect("0 posix io_uring_enter(ring=%s, submit=1, least=1, flags=0x1, operations=[NOP], "
	       "files=[%s], offsets=[0], sizes=[0], data=[1], done=[1], results=[0]) = %ld",
	       ring.name, file, enter(&ring, 1, 1, IORING_ENTER_GETEVENTS));
	close_ring(&ring);
}

int main(void)
{
	fd = open("data", O_RDWR | O_CREAT, 0600);
	file = strdup(on_file(fd, "data"));
	expect("0 posix open(path=\"data\", flags=O_RDWR|O_CREAT, mode=0600) = %s", file);
	expect("0 posix ftruncate(fd=%s, length=4096) = %d", file, ftruncate(fd, 4096));
	transfers(0, 0);
	transfers(0, 1);
	transfers(IORING_SETUP_SQE128 | IORING_SETUP_CQE32, 0);
	transfers(NO_SQARRAY, 0);
	polled();
	forked();
	bad();
	expect("0 posix close(fd=%s) = %d", file, close(fd));
	return expect_end();
}
