/* SPDX-License-Identifier: MIT */
/*
 * uring.c - requests of io_uring without liburing: uring FILE. 64 writes, half of them by workers of the kernel; 16 reads, a no-operation, one that fails, and one that is written without a completion.
 */
#include <fcntl.h>
#include <linux/io_uring.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ENTRIES 8
#define WRITES 64
#define READS 16
#define SIZE 4096

struct uring {
	int fd;
	struct io_uring_params params;
	char *queue; /* both queues */
	struct io_uring_sqe *entries;
};

static uint32_t *word(struct uring *uring, uint32_t offset)
{
	return (uint32_t *)(void *)(uring->queue + offset);
}

static int set_up(struct uring *uring)
{
	size_t size;

	memset(uring, 0, sizeof(*uring));
	uring->fd = (int)syscall(SYS_io_uring_setup, ENTRIES, &uring->params);
	if (uring->fd < 0)
		return -1;
	size = uring->params.cq_off.cqes + uring->params.cq_entries * sizeof(struct io_uring_cqe) +
	       uring->params.sq_off.array + ENTRIES * sizeof(uint32_t);
	uring->queue = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
			    uring->fd, IORING_OFF_SQ_RING);
	uring->entries = mmap(NULL, ENTRIES * sizeof(struct io_uring_sqe), PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_POPULATE, uring->fd, IORING_OFF_SQES);
	return uring->queue == MAP_FAILED || uring->entries == MAP_FAILED ? -1 : 0;
}

/* Submits it, and waits for its completion, if it is to have one: the result. */
static int submit(struct uring *uring, const struct io_uring_sqe *entry)
{
	uint32_t *tail = word(uring, uring->params.sq_off.tail);
	uint32_t *head = word(uring, uring->params.cq_off.head);
	uint32_t slot = *tail & (ENTRIES - 1);
	struct io_uring_cqe *done;
	int waits = !(entry->flags & IOSQE_CQE_SKIP_SUCCESS);

	uring->entries[slot] = *entry;
	word(uring, uring->params.sq_off.array)[slot] = slot;
	__atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
	if (syscall(SYS_io_uring_enter, uring->fd, 1, waits, IORING_ENTER_GETEVENTS, NULL, 0) != 1)
		exit(3);
	if (!waits)
		return 0;
	done = (struct io_uring_cqe *)(void *)(uring->queue + uring->params.cq_off.cqes) +
	       (*head & (uring->params.cq_entries - 1));
	__atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
	return done->res;
}

int main(int argc, char **argv)
{
	static char memory[SIZE];
	struct uring uring;
	int fd = argc == 2 ? open(argv[1], O_CREAT | O_RDWR | O_TRUNC, 0600) : -1;
	struct io_uring_sqe entry = {.fd = fd, .addr = (uintptr_t)memory, .len = SIZE};

	if (fd < 0)
		return 2;
	if (set_up(&uring))
		return 77;
	entry.opcode = IORING_OP_WRITE;
	for (int i = 0; i < WRITES; i++) {
		entry.off = (uint64_t)i * SIZE;
		entry.user_data = (uint64_t)i;
		entry.flags = i % 2 ? IOSQE_ASYNC : 0;
		if (submit(&uring, &entry) != SIZE)
			return 1;
	}
	entry.opcode = IORING_OP_READ;
	entry.flags = 0;
	for (int i = 0; i < READS; i++) {
		entry.off = (uint64_t)i * SIZE;
		if (submit(&uring, &entry) != SIZE)
			return 1;
	}
	entry.flags = IOSQE_CQE_SKIP_SUCCESS;
	submit(&uring, &entry);
	entry.flags = 0;
	entry.fd = 9999;
	if (submit(&uring, &entry) != -9)
		return 1;
	entry.opcode = IORING_OP_NOP;
	entry.fd = -1;
	return submit(&uring, &entry);
}
