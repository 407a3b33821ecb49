/* SPDX-License-Identifier: MIT */
/* Queues that the kernel empties: by libaio, by its system calls, and by liburing, where the system allows it. */
#include "../trace/expect.h"

#include <libaio.h>
#include <liburing.h>

static char text[] = "0123456789", back[32];
static struct iovec parts[2] = {{text, 3}, {text, 4}};
static int fd;
static const char *file;

static void aio(void)
{
	struct iocb write, vector, *list[2] = {&write, &vector};
	struct io_event events[4];
	struct iocb **volatile bad = (struct iocb **)16;
	io_context_t context = NULL;

	io_prep_pwrite(&write, fd, text, 10, 100);
	io_prep_pwritev(&vector, fd, parts, 2, 200);
	expect("0 posix io_setup(count=8, context=1) = %d", io_setup(8, &context));
	expect("0 posix io_submit(context=1, count=2, requests=[1, 2], operations=[PWRITE, "
	       "PWRITEV], "
	       "files=[%s, %s], offsets=[100, 200], sizes=[10, 7]) = %d",
	       file, file, io_submit(context, 2, list));
	/* in the order of their ends */
	io_getevents(context, 2, 4, events, NULL);
	expect("0 posix io_getevents(context=1, least=2, count=4, requests=[%d, %d], "
	       "results=[%d, %d]) = 2",
	       events[0].obj == &write ? 1 : 2, events[1].obj == &write ? 1 : 2, (int)events[0].res,
	       (int)events[1].res);
	io_prep_pread(&write, fd, back, 32, 100);
	expect("0 posix io_submit(context=1, count=1, requests=[3], operations=[PREAD], "
	       "files=[%s], "
	       "offsets=[100], sizes=[32]) = %ld",
	       file, syscall(SYS_io_submit, context, 1, list));
	expect("0 posix io_getevents(context=1, least=1, count=1, requests=[3], results=[32]) = "
	       "%ld",
	       syscall(SYS_io_getevents, context, 1, 1, events, NULL));
	expect("0 posix io_submit(context=1, count=1, requests=?, operations=[NOOP], files=[-1], "
	       "offsets=[0], sizes=[0]) = -14 EFAULT");
	io_submit(context, 1, bad);
	syscall(SYS_io_submit, context, -1L, list);
	expect("0 posix io_submit(context=1, count=-1, requests=[], operations=[], files=[], "
	       "offsets=[], sizes=[]) = -22 EINVAL");
	expect("0 posix io_destroy(context=1) = %d", io_destroy(context));
}

/* What is no read or write has other things where these have offsets, sizes and descriptors. */
static void other_operations(struct io_uring *ring)
{
	struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
	struct io_uring_cqe *done;
	int order[4];

	io_uring_cq_advance(ring, 1); /* the one before */
	io_uring_prep_fallocate(io_uring_get_sqe(ring), fd, 0, 100, 5000);
	io_uring_prep_provide_buffers(io_uring_get_sqe(ring), back, 16, fd, 1, 0);
	io_uring_prep_renameat(io_uring_get_sqe(ring), AT_FDCWD, "no such", AT_FDCWD, "other", 0);
	io_uring_prep_sendmsg(io_uring_get_sqe(ring), fd, &message, 0);
	for (unsigned i = 0; i < 4; i++)
		ring->sq.sqes[(ring->sq.sqe_head + i) & *ring->sq.kring_mask].user_data = i;
	io_uring_submit_and_wait(ring, 4);
	io_uring_peek_cqe(ring, &done);
	for (unsigned i = 0; i < 4; i++)
		order[i] = (int)done[i].user_data;
	expect("0 posix io_uring_submit_and_wait(ring=1, least=4, operations=[FALLOCATE, "
	       "PROVIDE_BUFFERS, RENAMEAT, SENDMSG], files=[%s, -1, -100, %s], offsets=[100, 0, 0, "
	       "0], sizes=[5000, 16, 0, 7], data=[0, 1, 2, 3], done=[%d, %d, %d, %d], results=[%d, "
	       "%d, %d, %d]) = 4",
	       file, file, order[0], order[1], order[2], order[3], done[0].res, done[1].res,
	       done[2].res, done[3].res);
	io_uring_cq_advance(ring, 4);
}

static void rings(void)
{
	struct io_uring ring;
	struct io_uring_sqe *entry;
	struct io_uring_cqe *done;
	int error = io_uring_queue_init(8, &ring, 0);

	if (error) {
		expect("0 posix io_uring_queue_init(entries=8, ring=?, flags=0) = %d %s", error,
		       strerrorname_np(-error));
		return;
	}
	expect("0 posix io_uring_queue_init(entries=8, ring=1, flags=0) = 0");
	entry = io_uring_get_sqe(&ring);
	io_uring_prep_write(entry, fd, text, 10, 300);
	entry->user_data = 7;
	entry = io_uring_get_sqe(&ring);
	io_uring_prep_writev(entry, fd, parts, 2, 400);
	entry->user_data = 8;
	entry->flags |= IOSQE_IO_LINK;
	entry = io_uring_get_sqe(&ring);
	io_uring_prep_fsync(entry, fd, 0);
	entry->user_data = 9;
	entry->flags |= IOSQE_IO_DRAIN;
	io_uring_submit_and_wait(&ring, 3);
	io_uring_peek_cqe(&ring, &done);
	expect("0 posix io_uring_submit_and_wait(ring=1, least=3, operations=[WRITE, WRITEV, "
	       "FSYNC], "
	       "files=[%s, %s, %s], offsets=[300, 400, 0], sizes=[10, 7, 0], data=[7, 8, 9], "
	       "done=[%d, %d, 9], results=[%d, %d, 0]) = 3",
	       file, file, file, (int)done[0].user_data, (int)done[1].user_data, done[0].res,
	       done[1].res);
	io_uring_cq_advance(&ring, 3);
	entry = io_uring_get_sqe(&ring);
	io_uring_prep_read(entry, fd, back, 32, 300);
	entry->user_data = 10;
	expect("0 posix io_uring_submit_and_wait(ring=1, least=1, operations=[READ], files=[%s], "
	       "offsets=[300], "
	       "sizes=[32], data=[10], done=[10], results=[32]) = %d",
	       file, io_uring_submit_and_wait(&ring, 1));
	expect("0 posix io_uring_submit(ring=1, operations=[], files=[], offsets=[], sizes=[], "
	       "data=[], "
	       "done=[], results=[]) = %d",
	       io_uring_submit(&ring));
	other_operations(&ring);
	io_uring_queue_exit(&ring);
	expect("0 posix io_uring_queue_exit(ring=1) = -");
}

int main(void)
{
	fd = open("data", O_RDWR | O_CREAT, 0600);
	file = strdup(on_file(fd, "data"));
	expect("0 posix open(path=\"data\", flags=O_RDWR|O_CREAT, mode=0600) = %s", file);
	expect("0 posix ftruncate(fd=%s, length=4096) = %d", file, ftruncate(fd, 4096));
	aio();
	rings();
	expect("0 posix close(fd=%s) = %d", file, close(fd));
	return expect_end();
}
