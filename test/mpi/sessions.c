/* SPDX-License-Identifier: MIT */
/* A program that uses MPI without MPI_Init: two sessions, and communicators from their groups. */
#include "mpi_expect.h"

#define OK " = MPI_SUCCESS"

#if MPI_VERSION >= 4

/* Numbers of the last ones. */
static int sessions, comms = 2;

static MPI_Session open_session(void)
{
	MPI_Session session;

	MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
	expect("0 mpi MPI_Session_init(info=MPI_INFO_NULL, errhandler=MPI_ERRORS_RETURN, "
	       "session=session#%d)" OK,
	       ++sessions);
	return session;
}

/* All processes, in a communicator. */
static MPI_Comm everybody(MPI_Session session, int number, const char *tag)
{
	MPI_Group group;
	MPI_Comm comm;

	MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
	expect("0 mpi MPI_Group_from_session_pset(session=session#%d, pset_name=\"mpi://WORLD\", "
	       "newgroup=0-3)" OK,
	       number);
	MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
	expect("0 mpi MPI_Comm_create_from_group(group=0-3, stringtag=\"%s\", info=MPI_INFO_NULL, "
	       "errhandler=MPI_ERRORS_RETURN, newcomm=comm#%d)" OK,
	       tag, ++comms);
	MPI_Group_free(&group);
	expect("0 mpi MPI_Group_free(group=0-3)" OK);
	return comm;
}

static void look(MPI_Session session)
{
	char name[64];
	int count, length = 0;

	MPI_Session_get_num_psets(session, MPI_INFO_NULL, &count);
	expect("0 mpi MPI_Session_get_num_psets(session=session#1, info=MPI_INFO_NULL, "
	       "npset_names=%d)" OK,
	       count);
	MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, &length, NULL);
	expect("0 mpi MPI_Session_get_nth_pset(session=session#1, info=MPI_INFO_NULL, n=0, "
	       "pset_len=%d, pset_name=NULL)" OK,
	       length);
	MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, &length, name);
	expect("0 mpi MPI_Session_get_nth_pset(session=session#1, info=MPI_INFO_NULL, n=0, "
	       "pset_len=%d, pset_name=\"%s\")" OK,
	       length, name);
}

static void talk(MPI_Comm comm)
{
	int sum, from = comms;
	MPI_Comm half;

	MPI_Comm_rank(comm, &rank);
	expect("0 mpi MPI_Comm_rank(comm=comm#%d, rank=%d)" OK, comms, rank);
	MPI_Comm_size(comm, &size);
	expect("0 mpi MPI_Comm_size(comm=comm#%d, size=%d)" OK, comms, size);
	MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
	expect("0 mpi MPI_Allreduce(sendbuf=buffer, count=1, datatype=MPI_INT, op=MPI_SUM, "
	       "comm=comm#%d)" OK,
	       comms);
	MPI_Comm_split(comm, rank % 2, 0, &half);
	expect("0 mpi MPI_Comm_split(comm=comm#%d, color=%d, key=0, newcomm=comm#%d)" OK, from,
	       rank % 2, from + 1);
	comms++;
	MPI_Comm_free(&half);
	expect("0 mpi MPI_Comm_free(comm=comm#%d)" OK, comms);
	MPI_Comm_free(&comm);
	expect("0 mpi MPI_Comm_free(comm=comm#%d)" OK, from);
}

static void close_session(MPI_Session session, int number)
{
	MPI_Session_finalize(&session);
	expect("0 mpi MPI_Session_finalize(session=session#%d)" OK, number);
}

/* The same in a second session, when the first has gone. (MPICH 4.0 fails if there is none in between.) */
int main(void)
{
	MPI_Session first = open_session(), second;

	look(first);
	talk(everybody(first, 1, "first"));
	second = open_session();
	close_session(first, 1);
	talk(everybody(second, 2, "second"));
	close_session(second, 2);
	return expect_rank();
}

#else

int main(void)
{
	return 77;
}

#endif
