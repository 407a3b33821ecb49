/* SPDX-License-Identifier: MIT */
/*
 * mpi_expect.h - expect.h for ranks: what rank R expects is written to the file want.R.
 */
#ifndef RECORDER_TEST_MPI_EXPECT_H
#define RECORDER_TEST_MPI_EXPECT_H

#include "expect.h"

#include <mpi.h>

static int rank, size;

/* MPI_Init and the two questions every program asks. */
static inline void mpi_begin(int *argc, char ***argv)
{
	MPI_Init(argc, argv);
	expect("0 mpi MPI_Init() = MPI_SUCCESS");
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	expect("0 mpi MPI_Comm_rank(comm=MPI_COMM_WORLD, rank=%d) = MPI_SUCCESS", rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	expect("0 mpi MPI_Comm_size(comm=MPI_COMM_WORLD, size=%d) = MPI_SUCCESS", size);
}

/* Writes the rank's file; the value is for main() to return. */
static inline int expect_rank(void)
{
	char name[32];
	int fd;

	snprintf(name, sizeof(name), "want.%d", rank);
	fd = (int)bare(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	return bare(SYS_write, fd, expect_lines, expect_size) != (long)expect_size;
}

static inline int mpi_end(void)
{
	MPI_Finalize();
	expect("0 mpi MPI_Finalize() = MPI_SUCCESS");
	return expect_rank();
}

/* Statuses in which something lies already, that no record may show where MPI sets nothing. */
static inline MPI_Status *soiled(MPI_Status *statuses, int count)
{
	memset(statuses, 0x11, (size_t)count * sizeof(*statuses));
	return statuses;
}

/* The status of a receive as it is shown. */
static inline const char *status(int source, int tag, int bytes)
{
	char *text = expect_text();

	snprintf(text, 512, "{source=%d, tag=%d, bytes=%d}", source, tag, bytes);
	return text;
}

/* That of a file operation. */
static inline const char *moved(int bytes)
{
	char *text = expect_text();

	snprintf(text, 512, "{bytes=%d}", bytes);
	return text;
}

/* That of a send or a collective: MPI defines nothing in it. */
#define SENT "{}"
#define DONE "{}"

/* That of a request that had nothing to receive, or is from nobody. */
#define EMPTY "{source=MPI_ANY_SOURCE, tag=MPI_ANY_TAG, bytes=0}"
#define NOBODY "{source=MPI_PROC_NULL, tag=MPI_ANY_TAG, bytes=0}"
/* The same of a nonblocking receive, of which MPICH 4.0 says what MPI does not. */
#ifdef MPICH_VERSION
#define NOBODY_LATER "{source=0, tag=0, bytes=0}"
#else
#define NOBODY_LATER NOBODY
#endif

#endif
