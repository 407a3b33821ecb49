/* SPDX-License-Identifier: MIT */
/*
 * queues.c - files written and read by queues that the kernel empties: io_uring, and libaio's. What goes through them is no call that a
 * recorder of libc's functions sees; open, pwrite and close around them are.
 *
 * queues uring|aio: 77 where the system does not allow it.
 */
#include "hostile.h"

#include <libaio.h>
#include <liburing.h>

#define BLOCKS 64
#define SIZE 512

static char blocks[BLOCKS][SIZE], back[BLOCKS][SIZE];

static void fill(void)
{
	for (int i = 0; i < BLOCKS; i++)
		memset(blocks[i], 'a' + i % 26, SIZE);
}

static int ring_turn(struct io_uring *ring, int fd, int write)
{
	for (int i = 0; i < BLOCKS; i++) {
		struct io_uring_sqe *entry = io_uring_get_sqe(ring);

		if (write)
			io_uring_prep_write(entry, fd, blocks[i], SIZE, (unsigned)i * SIZE);
		else
			io_uring_prep_read(entry, fd, back[i], SIZE, (unsigned)i * SIZE);
	}
	if (io_uring_submit_and_wait(ring, BLOCKS) != BLOCKS)
		return 1;
	for (int i = 0; i < BLOCKS; i++) {
		struct io_uring_cqe *done;

		if (io_uring_wait_cqe(ring, &done) || done->res != SIZE)
			return 1;
		io_uring_cqe_seen(ring, done);
	}
	return 0;
}

static int uring(int fd)
{
	struct io_uring ring;
	int error = io_uring_queue_init(BLOCKS, &ring, 0);

	if (error)
		return 77;
	if (ring_turn(&ring, fd, 1))
		return 4;
	puts_many(fd, 10);
	if (ring_turn(&ring, fd, 0))
		return 5;
	io_uring_queue_exit(&ring);
	return 0;
}

static int aio_turn(io_context_t queue, int fd, int write)
{
	static struct iocb requests[BLOCKS], *list[BLOCKS];
	static struct io_event events[BLOCKS];

	for (int i = 0; i < BLOCKS; i++) {
		list[i] = &requests[i];
		if (write)
			io_prep_pwrite(list[i], fd, blocks[i], SIZE, (long long)i * SIZE);
		else
			io_prep_pread(list[i], fd, back[i], SIZE, (long long)i * SIZE);
	}
	if (io_submit(queue, BLOCKS, list) != BLOCKS)
		return 1;
	return io_getevents(queue, BLOCKS, BLOCKS, events, NULL) != BLOCKS;
}

static int aio(int fd)
{
	io_context_t queue = NULL;

	if (io_setup(BLOCKS, &queue))
		return 77;
	if (aio_turn(queue, fd, 1))
		return 4;
	puts_many(fd, 10);
	if (aio_turn(queue, fd, 0))
		return 5;
	return io_destroy(queue);
}

int main(int argc, char **argv)
{
	int fd = open("queued", O_RDWR | O_CREAT, 0600);
	int status;

	fill();
	puts_many(fd, 100);
	status = argc > 1 && !strcmp(argv[1], "uring") ? uring(fd) : aio(fd);
	memset(blocks[0], 'x', 10); /* what puts_many() wrote over it */
	if (!status && memcmp(blocks, back, sizeof(blocks)) != 0)
		status = 6;
	close(fd);
	report(REPORT);
	return status;
}
