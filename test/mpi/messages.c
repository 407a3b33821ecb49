/* SPDX-License-Identifier: MIT */
/*
 * Messages of every kind, each of which says by what call it was sent: "sent RANK CALL received RANK CALL" for each, CALL being the number of the call among those
 * of the rank that send, or that complete a receive. A thread beside them writes files, also asynchronously.
 */
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROUNDS 12
#define COUNT 3 /* requests of each kind in a round */

struct letter {
	int rank, call, padding[14];
};

static int rank, size, sends, completions;
static FILE *log_file;

/* What the next call that sends has in it. */
static struct letter letter(void)
{
	struct letter made = {.rank = rank, .call = ++sends};

	return made;
}

/* The call that was counted last brought this. */
static void received(const struct letter *got)
{
	fprintf(log_file, "sent %d %d received %d %d\n", got->rank, got->call, rank, completions);
}

/* Pseudo-random, but the same on all ranks. */
static unsigned dice(unsigned sides)
{
	static unsigned state = 12345;

	state = state * 1103515245 + 12345;
	return (state >> 16) % sides;
}

/* Everybody sends COUNT letters around by so many ranks; tags as they come. Receives are posted from anybody, with any tag, or neither. */
static void scatter(MPI_Comm comm, int round)
{
	int step = 1 + (int)dice((unsigned)size - 1), left = (rank + size - step) % size;
	MPI_Request requests[2 * COUNT];
	struct letter in[COUNT], out[COUNT];
	int tags[COUNT], indices[2 * COUNT], left_over = 2 * COUNT, done;

	for (int i = 0; i < COUNT; i++)
		tags[i] = (int)dice(2);
	for (int i = 0; i < COUNT; i++) {
		/* what takes any comes last: the others would have nothing to take */
		int any = round % 3;

		MPI_Irecv(&in[i], (int)sizeof(in[i]), MPI_BYTE, any == 1 ? MPI_ANY_SOURCE : left,
			  any == 2 ? MPI_ANY_TAG : tags[i], comm, &requests[i]);
	}
	for (int i = 0; i < COUNT; i++) {
		out[i] = letter();
		MPI_Isend(&out[i], (int)sizeof(out[i]), MPI_BYTE, (rank + step) % size, tags[i],
			  comm, &requests[COUNT + i]);
	}
	while (left_over > 0 && round % 2) {
		completions++;
		MPI_Waitsome(2 * COUNT, requests, &done, indices, MPI_STATUSES_IGNORE);
		for (int i = 0; i < done; i++)
			if (indices[i] < COUNT)
				received(&in[indices[i]]);
		left_over -= done;
	}
	if (left_over == 0)
		return;
	completions++;
	MPI_Waitall(2 * COUNT, requests, MPI_STATUSES_IGNORE);
	for (int i = 0; i < COUNT; i++)
		received(&in[i]);
}

/* One posted for anybody completes behind those that were posted after it. */
static void overtake(void)
{
	int right = (rank + 1) % size, left = (rank + size - 1) % size;
	struct letter in[3], out;
	MPI_Request requests[3];

	MPI_Irecv(&in[0], (int)sizeof(in[0]), MPI_BYTE, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD,
		  &requests[0]);
	MPI_Irecv(&in[1], (int)sizeof(in[1]), MPI_BYTE, left, 7, MPI_COMM_WORLD, &requests[1]);
	MPI_Irecv(&in[2], (int)sizeof(in[2]), MPI_BYTE, left, 8, MPI_COMM_WORLD, &requests[2]);
	for (int i = 0; i < 3; i++) {
		out = letter();
		MPI_Send(&out, (int)sizeof(out), MPI_BYTE, right, i == 2 ? 8 : 7, MPI_COMM_WORLD);
	}
	for (int i = 2; i >= 0; i--) {
		completions++;
		MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
		received(&in[i]);
	}
}

/* A receive that is cancelled is none. */
static void cancel(void)
{
	int right = (rank + 1) % size, left = (rank + size - 1) % size;
	struct letter in, out = letter();
	MPI_Request request;

	MPI_Irecv(&in, (int)sizeof(in), MPI_BYTE, left, 9, MPI_COMM_WORLD, &request);
	MPI_Cancel(&request);
	completions++;
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Send(&out, (int)sizeof(out), MPI_BYTE, right, 9, MPI_COMM_WORLD);
	completions++;
	MPI_Recv(&in, (int)sizeof(in), MPI_BYTE, left, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	received(&in);
}

static void exchange(MPI_Comm comm)
{
	int right = (rank + 1) % size;
	struct letter in, out = letter();

	completions++;
	MPI_Sendrecv(&out, (int)sizeof(out), MPI_BYTE, right, 3, &in, (int)sizeof(in), MPI_BYTE,
		     MPI_ANY_SOURCE, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
	received(&in);
	/* nobody */
	letter();
	completions++;
	MPI_Sendrecv(&out, 1, MPI_BYTE, MPI_PROC_NULL, 3, &in, 1, MPI_BYTE, MPI_PROC_NULL, 3, comm,
		     MPI_STATUS_IGNORE);
}

/* Two messages of one kind are taken out of the line in turn, and received the other way round. */
static void by_message(void)
{
	int right = (rank + 1) % size, left = (rank + size - 1) % size;
	MPI_Message first, second;
	struct letter in, out[2];
	MPI_Request sent[2], request;

	for (int i = 0; i < 2; i++) {
		out[i] = letter();
		MPI_Issend(&out[i], (int)sizeof(out[i]), MPI_BYTE, right, 4, MPI_COMM_WORLD,
			   &sent[i]);
	}
	MPI_Mprobe(MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &first, MPI_STATUS_IGNORE);
	MPI_Mprobe(left, MPI_ANY_TAG, MPI_COMM_WORLD, &second, MPI_STATUS_IGNORE);
	completions++;
	MPI_Mrecv(&in, (int)sizeof(in), MPI_BYTE, &second, MPI_STATUS_IGNORE);
	received(&in);
	MPI_Imrecv(&in, (int)sizeof(in), MPI_BYTE, &first, &request);
	completions++;
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	received(&in);
	completions++;
	MPI_Waitall(2, sent, MPI_STATUSES_IGNORE);
}

static void persistent(void)
{
	int right = (rank + 1) % size, left = (rank + size - 1) % size;
	struct letter in, out;
	MPI_Request requests[2];

	MPI_Recv_init(&in, (int)sizeof(in), MPI_BYTE, left, 5, MPI_COMM_WORLD, &requests[0]);
	MPI_Send_init(&out, (int)sizeof(out), MPI_BYTE, right, 5, MPI_COMM_WORLD, &requests[1]);
	for (int i = 0; i < 3; i++) {
		out = letter();
		MPI_Startall(2, requests);
		completions++;
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
		received(&in);
	}
	MPI_Request_free(&requests[0]);
	MPI_Request_free(&requests[1]);
}

static void *write_files(void *data)
{
	char block[4096] = "", name[64];
	struct aiocb requests[3] = {{0}};
	const struct aiocb *one;
	int file;

	snprintf(name, sizeof(name), "%s.%d", (const char *)data, rank);
	file = open(name, O_CREAT | O_RDWR | O_TRUNC, 0600);
	for (int i = 0; i < 20; i++)
		if (pwrite(file, block, sizeof(block), 4096L * i) < 0)
			abort();
	for (int i = 0; i < 3; i++) {
		requests[i].aio_fildes = file;
		requests[i].aio_buf = block;
		requests[i].aio_nbytes = sizeof(block);
		requests[i].aio_offset = 4096L * i;
		if (i == 1 ? aio_read(&requests[i]) : aio_write(&requests[i]))
			abort();
	}
	for (int i = 2; i >= 0; i--) {
		one = &requests[i];
		while (aio_error(one) == EINPROGRESS)
			aio_suspend(&one, 1, NULL);
		if (aio_return(&requests[i]) != (ssize_t)sizeof(block))
			abort();
	}
	close(file);
	return NULL;
}

static void write_together(void)
{
	MPI_Request requests[2];
	char block[8192] = "";
	MPI_File file;

	MPI_File_open(MPI_COMM_WORLD, "together", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
		      &file);
	for (int i = 0; i < 2; i++)
		MPI_File_iwrite_at(file, (MPI_Offset)(2 * rank + i) * (MPI_Offset)sizeof(block),
				   block, (int)sizeof(block), MPI_BYTE, &requests[i]);
	completions++;
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	MPI_File_read_at_all(file, (MPI_Offset)rank * (MPI_Offset)sizeof(block), block,
			     (int)sizeof(block), MPI_BYTE, MPI_STATUS_IGNORE);
	MPI_File_write_at_all_begin(file, (MPI_Offset)rank * (MPI_Offset)sizeof(block), block,
				    (int)sizeof(block), MPI_BYTE);
	MPI_File_write_at_all_end(file, block, MPI_STATUS_IGNORE);
	MPI_File_close(&file);
}

int main(int argc, char **argv)
{
	static char data[] = "data";
	char name[64];
	MPI_Comm other;
	MPI_Request barrier;
	pthread_t thread;
	int provided;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	snprintf(name, sizeof(name), "log.%d", rank);
	log_file = fopen(name, "w");
	pthread_create(&thread, NULL, write_files, data);
	MPI_Comm_dup(MPI_COMM_WORLD, &other);
	for (int round = 0; round < ROUNDS; round++) {
		scatter(round % 2 ? other : MPI_COMM_WORLD, round);
		MPI_Barrier(MPI_COMM_WORLD);
	}
	overtake();
	MPI_Barrier(MPI_COMM_WORLD);
	cancel();
	exchange(other);
	by_message();
	persistent();
	MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
	completions++;
	MPI_Wait(&barrier, MPI_STATUS_IGNORE);
	write_together();
	pthread_join(thread, NULL);
	fclose(log_file);
	MPI_Finalize();
	return 0;
}
