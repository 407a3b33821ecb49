/* SPDX-License-Identifier: MIT */
/*
 * asynchronous.c - asynchronous I/O on the file "data" in the working directory, by POSIX: 10 aio_write of 1,000 bytes; 3 aio_read of 500, the last of which gets
 * 200; a list of 2 writes of 64 bytes and a read of 100; one aio_write of 7 bytes whose result nobody takes; one request that fails.
 */
#include <aio.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char bytes[1000];
static int fd;

static void must(int condition, const char *what)
{
	if (condition)
		return;
	perror(what);
	exit(1);
}

static struct aiocb request(size_t size, off_t offset, int operation)
{
	return (struct aiocb){.aio_fildes = fd,
			      .aio_buf = bytes,
			      .aio_nbytes = size,
			      .aio_offset = offset,
			      .aio_lio_opcode = operation};
}

static ssize_t result_of(struct aiocb *block)
{
	const struct aiocb *list[] = {block};

	while (aio_suspend(list, 1, NULL) != 0)
		;
	return aio_return(block);
}

static void one_by_one(void)
{
	for (int i = 0; i < 10; i++) {
		struct aiocb block = request(1000, i * 1000, 0);

		must(aio_write(&block) == 0 && result_of(&block) == 1000, "aio_write");
	}
	for (int i = 0; i < 3; i++) {
		struct aiocb block = request(500, i < 2 ? i * 500 : 9800, 0);

		must(aio_read(&block) == 0 && result_of(&block) == (i < 2 ? 500 : 200), "aio_read");
	}
}

static void as_list(void)
{
	struct aiocb blocks[] = {request(64, 20000, LIO_WRITE), request(100, 0, LIO_READ),
				 request(0, 0, LIO_NOP), request(64, 20064, LIO_WRITE)};
	struct aiocb *list[] = {&blocks[0], &blocks[1], &blocks[2], &blocks[3]};

	must(lio_listio(LIO_WAIT, list, 4, NULL) == 0, "lio_listio");
	must(aio_return(&blocks[0]) == 64, "the first of the list");
	must(aio_return(&blocks[1]) == 100, "the second of the list");
	must(aio_return(&blocks[3]) == 64, "the last of the list");
}

int main(void)
{
	struct aiocb left, failing;
	const struct aiocb *list[] = {&left};

	fd = open("data", O_RDWR | O_CREAT | O_TRUNC, 0644);
	must(fd >= 0, "data");
	one_by_one();
	as_list();
	left = request(7, 30000, 0);
	must(aio_write(&left) == 0, "aio_write");
	while (aio_suspend(list, 1, NULL) != 0)
		;
	failing = request(10, -5, 0);
	must(aio_read(&failing) != 0 || result_of(&failing) < 0, "a read before the file's begin");
	return close(fd);
}
