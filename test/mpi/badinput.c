/* SPDX-License-Identifier: MIT */
/*
 * Calls with what is none: NULL pointers, handles that were freed or never were, negative counts, ranks that do not exist, and
 * with arguments that are allowed to be anything. Prints the class of each error and how often the program's error handler
 * was called: the same with the recorder and without it. With an argument it goes on to a call that crashes in MPI.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, handled, dies;
static FILE *out;

static void handler(MPI_Comm *comm, int *code, ...)
{
	(void)comm;
	(void)code;
	handled++;
}

static void win_handler(MPI_Win *win, int *code, ...)
{
	(void)win;
	(void)code;
	handled++;
}

/* What has become of a call, and of the handles that it must not have touched. */
static void tell(const char *what, int result)
{
	int class = -1;

	MPI_Error_class(result, &class);
	fprintf(out, "%s: class %d, handler %d\n", what, class, handled);
	handled = 0;
}

#define TELL(call) tell(#call, call)

static MPI_Comm freed_comm(void)
{
	MPI_Comm comm, old;

	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	old = comm;
	MPI_Comm_free(&comm);
	return old;
}

static MPI_Datatype freed_type(void)
{
	MPI_Datatype type, old;

	MPI_Type_contiguous(2, MPI_INT, &type);
	old = type;
	MPI_Type_free(&type);
	return old;
}

/* Memory that looks like no object of MPI. */
static void *no_object(void)
{
	static long zeros[512];

	return zeros;
}

static void communicators(void)
{
	MPI_Comm old = freed_comm(), made;
	MPI_Group group;
	int value = 1, got;

	TELL(MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_NULL));
	TELL(MPI_Comm_rank(MPI_COMM_NULL, &got));
	TELL(MPI_Comm_dup(MPI_COMM_NULL, &made));
	TELL(MPI_Comm_size(MPI_COMM_WORLD, NULL));
	TELL(MPI_Comm_free(&(MPI_Comm){MPI_COMM_NULL}));
	TELL(MPI_Comm_group(MPI_COMM_NULL, &group));
	if (dies)
		MPI_Comm_size(old, &got);
}

static void messages(void)
{
	int value = 1, flag = 0;
	MPI_Datatype old = freed_type();
	MPI_Request request = MPI_REQUEST_NULL;

	TELL(MPI_Send(&value, -1, MPI_INT, 0, 0, MPI_COMM_WORLD));
	TELL(MPI_Send(&value, 1, MPI_INT, size, 0, MPI_COMM_WORLD));
	TELL(MPI_Send(&value, 1, MPI_INT, -77, 0, MPI_COMM_WORLD));
	TELL(MPI_Send(&value, 1, MPI_INT, 0, -5, MPI_COMM_WORLD));
	TELL(MPI_Send(&value, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD));
	TELL(MPI_Send(NULL, 1, MPI_INT, 0, 0, MPI_COMM_WORLD));
	TELL(MPI_Irecv(&value, -1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request));
	TELL(MPI_Recv(&value, 1, old, 0, 0, MPI_COMM_NULL, MPI_STATUS_IGNORE));
	TELL(MPI_Wait(NULL, MPI_STATUS_IGNORE));
	TELL(MPI_Test(NULL, &flag, MPI_STATUS_IGNORE));
	TELL(MPI_Test(&request, NULL, MPI_STATUS_IGNORE));
	TELL(MPI_Waitall(2, NULL, MPI_STATUSES_IGNORE));
	TELL(MPI_Waitall(-1, &request, MPI_STATUSES_IGNORE));
	TELL(MPI_Testany(1, &request, &value, NULL, MPI_STATUS_IGNORE));
	TELL(MPI_Start(&request));
	TELL(MPI_Cancel(&request));
	TELL(MPI_Request_free(&request));
	TELL(MPI_Probe(size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

static void datatypes(void)
{
	MPI_Datatype made = MPI_DATATYPE_NULL;
	int lengths[2] = {1, -1}, places[2] = {0, 1}, bytes;

	TELL(MPI_Type_contiguous(-1, MPI_INT, &made));
	TELL(MPI_Type_contiguous(1, MPI_DATATYPE_NULL, &made));
	TELL(MPI_Type_indexed(2, lengths, places, MPI_INT, &made));
	TELL(MPI_Type_commit(NULL));
	TELL(MPI_Type_commit(&made));
	TELL(MPI_Type_free(&(MPI_Datatype){MPI_DATATYPE_NULL}));
	TELL(MPI_Type_free(&(MPI_Datatype){MPI_INT}));
	TELL(MPI_Type_size(MPI_DATATYPE_NULL, &bytes));
	TELL(MPI_Group_incl(MPI_GROUP_NULL, 1, places, &(MPI_Group){MPI_GROUP_NULL}));
}

/* What MPI pays no heed to may be anything. */
static void anything(void)
{
	int value = rank, all[64] = {0}, *nowhere = (int *)8;
	MPI_Datatype none = (MPI_Datatype)no_object(), null = 0;

	TELL(MPI_Gather(&value, 1, MPI_INT, all, 1, rank ? none : MPI_INT, 0, MPI_COMM_WORLD));
	TELL(MPI_Gather(rank ? &value : MPI_IN_PLACE, 1, rank ? MPI_INT : null, all, 1,
			rank ? null : MPI_INT, 0, MPI_COMM_WORLD));
	TELL(MPI_Gatherv(&value, 1, MPI_INT, all, rank ? nowhere : (int[]){1, 1, 1, 1},
			 rank ? nowhere : (int[]){0, 1, 2, 3}, rank ? none : MPI_INT, 0,
			 MPI_COMM_WORLD));
	TELL(MPI_Scatter(all, 1, rank ? none : MPI_INT, &value, 1, MPI_INT, 0, MPI_COMM_WORLD));
	TELL(MPI_Allgather(MPI_IN_PLACE, 7, null, all, 1, MPI_INT, MPI_COMM_WORLD));
	TELL(MPI_Alltoall(MPI_IN_PLACE, 7, none, all, 1, MPI_INT, MPI_COMM_WORLD));
	TELL(MPI_Alltoallv(MPI_IN_PLACE, nowhere, nowhere, none, all, (int[]){1, 1, 1, 1},
			   (int[]){0, 1, 2, 3}, MPI_INT, MPI_COMM_WORLD));
}

static void one_sided(void)
{
	MPI_Errhandler counting;
	int *memory, value = 1;
	MPI_Win win;

	MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	MPI_Win_create_errhandler(win_handler, &counting);
	MPI_Win_set_errhandler(win, counting);
	TELL(MPI_Put(&value, 1, MPI_INT, size, 0, 1, MPI_INT, win));
	TELL(MPI_Put(&value, -1, MPI_INT, 0, 0, 1, MPI_INT, win));
	TELL(MPI_Put(&value, 1, MPI_DATATYPE_NULL, 0, 0, 1, MPI_INT, win));
	TELL(MPI_Win_unlock(0, win));
	TELL(MPI_Win_fence(0, MPI_WIN_NULL));
	MPI_Win_free(&win);
	MPI_Errhandler_free(&counting);
}

static void files(void)
{
	int value;
	MPI_File file = MPI_FILE_NULL;

	TELL(MPI_File_open(MPI_COMM_WORLD, "missing/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
	TELL(MPI_File_read(MPI_FILE_NULL, &value, 1, MPI_INT, MPI_STATUS_IGNORE));
	TELL(MPI_File_close(&file));
	TELL(MPI_File_delete("missing", MPI_INFO_NULL));
}

int main(int argc, char **argv)
{
	MPI_Errhandler counting;
	char name[32];

	dies = argc > 1;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	snprintf(name, sizeof(name), "said.%d", rank);
	out = fopen(name, "w");
	if (!out || size != 4)
		MPI_Abort(MPI_COMM_WORLD, 2);
	MPI_Comm_create_errhandler(handler, &counting);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, counting);
	communicators();
	messages();
	datatypes();
	anything();
	one_sided();
	files();
	MPI_Errhandler_free(&counting);
	fclose(out);
	MPI_Finalize();
	return 0;
}
