/* SPDX-License-Identifier: MIT */
/* POSIX asynchronous I/O: requests submitted, waited for, and what came of them. */
#include "../trace/expect.h"

#include <aio.h>
#include <time.h>

static char text[] = "0123456789", back[16];
static int fd;
static const char *file;

static void submit_and_wait(void)
{
	struct aiocb block = {
		.aio_fildes = fd, .aio_buf = text, .aio_nbytes = 10, .aio_offset = 20};
	const struct aiocb *list[2] = {NULL, &block};

	expect("0 posix aio_write(request=1, fd=%s, offset=20, count=10) = %d", file,
	       aio_write(&block));
	expect("0 posix aio_suspend(requests=[0, 1], count=2) = %d", aio_suspend(list, 2, NULL));
	expect("0 posix aio_error(request=1) = %d", aio_error(&block));
	expect("0 posix aio_return(request=1) = %zd", aio_return(&block));
	expect("0 posix aio_error(request=?) = %d", aio_error(&block));
	expect("0 posix aio_fsync(operation=O_DSYNC, request=2, fd=%s) = %d", file,
	       aio_fsync(O_DSYNC, &block));
	expect("0 posix aio_suspend(requests=[0, 2], count=2) = %d", aio_suspend(list, 2, NULL));
	expect("0 posix aio_return(request=2) = %zd", aio_return(&block));
	block.aio_buf = back;
	expect("0 posix aio_read(request=3, fd=%s, offset=20, count=10) = %d", file,
	       aio_read(&block));
	expect("0 posix aio_suspend(requests=[0, 3], count=2) = %d", aio_suspend(list, 2, NULL));
	expect("0 posix aio_cancel(fd=%s, request=3) = AIO_ALLDONE", file);
	aio_cancel(fd, &block);
	expect("0 posix aio_return(request=3) = %zd", aio_return(&block));
	if (memcmp(text, back, 10))
		abort();
}

/* The 64 names are other symbols. */
static void wide(void)
{
	struct aiocb64 block = {
		.aio_fildes = fd, .aio_buf = text, .aio_nbytes = 3, .aio_offset = 1};
	const struct aiocb64 *list[1] = {&block};

	expect("0 posix aio_write(request=4, fd=%s, offset=1, count=3) = %d", file,
	       aio_write64(&block));
	expect("0 posix aio_suspend(requests=[4], count=1) = %d", aio_suspend64(list, 1, NULL));
	expect("0 posix aio_error(request=4) = %d", aio_error64(&block));
	expect("0 posix aio_return(request=4) = %zd", aio_return64(&block));
	expect("0 posix aio_fsync(operation=O_SYNC, request=5, fd=%s) = %d", file,
	       aio_fsync64(O_SYNC, &block));
	expect("0 posix aio_suspend(requests=[5], count=1) = %d", aio_suspend64(list, 1, NULL));
	expect("0 posix aio_cancel(fd=%s, request=5) = AIO_ALLDONE", file);
	aio_cancel64(fd, &block);
	expect("0 posix aio_return(request=5) = %zd", aio_return64(&block));
	expect("0 posix aio_read(request=6, fd=%s, offset=1, count=3) = %d", file,
	       aio_read64(&block));
	expect("0 posix aio_suspend(requests=[6], count=1) = %d", aio_suspend64(list, 1, NULL));
	expect("0 posix aio_return(request=6) = %zd", aio_return64(&block));
}

static void lists(void)
{
	struct aiocb first = {.aio_fildes = fd,
			      .aio_buf = text,
			      .aio_nbytes = 4,
			      .aio_lio_opcode = LIO_WRITE,
			      .aio_offset = 100},
		     second = first, bad = first;
	struct aiocb *list[4] = {&first, NULL, &second, &bad};

	second.aio_offset = 200;
	second.aio_nbytes = 5;
	bad.aio_lio_opcode = LIO_READ;
	bad.aio_fildes = 999;
	expect("0 posix lio_listio(mode=LIO_WAIT, requests=[7, 0, 8, 9], count=4, "
	       "operations=[LIO_WRITE, LIO_NOP, LIO_WRITE, LIO_READ], files=[%s, -1, %s, 999 ?], "
	       "offsets=[100, 0, 200, 100], sizes=[4, 0, 5, 4]) = %s",
	       file, file, returned(lio_listio(LIO_WAIT, list, 4, NULL)));
	expect("0 posix aio_return(request=7) = %zd", aio_return(&first));
	expect("0 posix aio_return(request=8) = %zd", aio_return(&second));
	expect("0 posix aio_error(request=9) = %d EBADF", aio_error(&bad));
	expect("0 posix lio_listio(mode=LIO_NOWAIT, requests=[10], count=1, "
	       "operations=[LIO_WRITE], files=[%s], offsets=[100], sizes=[4]) = %d",
	       file, lio_listio64(LIO_NOWAIT, (struct aiocb64 **)list, 1, NULL));
	expect("0 posix aio_suspend(requests=[10], count=1) = %d",
	       aio_suspend((const struct aiocb **)list, 1, NULL));
	expect("0 posix aio_return(request=10) = %zd", aio_return(&first));
}

/* Sums of what a list asks for stay whole where the list is cut. */
static void long_list(void)
{
	static struct aiocb blocks[100];
	struct aiocb *list[100];
	char *line = expect_lines + expect_size;

	for (int i = 0; i < 100; i++) {
		blocks[i] = (struct aiocb){.aio_fildes = fd,
					   .aio_buf = text,
					   .aio_nbytes = 1,
					   .aio_lio_opcode = LIO_WRITE,
					   .aio_offset = i};
		list[i] = &blocks[i];
	}
	lio_listio(LIO_WAIT, list, 100, NULL);
	expect("0 posix lio_listio(mode=LIO_WAIT, requests=[");
	for (int part = 0; part < 5; part++) {
		static const char *const names[] = {"], count=100, operations=[", "], files=[",
						    "], offsets=[", "], sizes=["};

		if (part)
			expect("%s", names[part - 1]);
		for (int i = 0; i < 64; i++) {
			const char *const texts[] = {"", "LIO_WRITE", file, "", "1"};

			if (part == 0 || part == 3)
				expect("%d, ", part ? i : 11 + i);
			else
				expect("%s, ", texts[part]);
		}
		expect("...100");
	}
	expect("]) = 0");
	/* one line, of what are many */
	for (char *p = line; p < expect_lines + expect_size - 1; p++)
		if (*p == '\n')
			memmove(p, p + 1, (size_t)(expect_lines + --expect_size - p)), p--;
	for (int i = 0; i < 100; i++)
		expect("0 posix aio_return(request=%d) = %zd", 11 + i, aio_return(&blocks[i]));
}

int main(void)
{
	fd = open("data", O_RDWR | O_CREAT, 0600);
	file = strdup(on_file(fd, "data"));
	expect("0 posix open(path=\"data\", flags=O_RDWR|O_CREAT, mode=0600) = %s", file);
	submit_and_wait();
	wide();
	lists();
	long_list();
	expect("0 posix close(fd=%s) = %d", file, close(fd));
	return expect_end();
}
