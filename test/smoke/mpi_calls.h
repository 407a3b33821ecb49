/* SPDX-License-Identifier: MIT */
/*
 * mpi_calls.h - what the calls of mpi.calls and mpiio.calls are made on. Two ranks run the program and do the same. What a call needs of the
 * peer is done in the same place by both, so nobody waits for long.
 *
 * Objects that are used again are made once and never freed: a handle has one meaning in the whole
 * trace, which the checker (check_handles.py) relies on.
 */
#ifndef RECORDER_TEST_SMOKE_MPI_CALLS_H
#define RECORDER_TEST_SMOKE_MPI_CALLS_H

#define OMPI_OMIT_MPI1_COMPAT_DECLS 0
#include <mpi.h>

#include "datatypes.h"
#include "smoke.h"

#include <limits.h>

/* Functions that a program built without the recorder has from its MPI. */
#define smoke_find(symbol) dlsym(RTLD_DEFAULT, symbol)

/* Where a transfer begins, in a view that is as the file lies. */
enum position { POSITION_EXPLICIT, POSITION_INDIVIDUAL, POSITION_SHARED };

static inline void smoke_position(unsigned at, const char *name, enum position position,
				  MPI_File file, MPI_Offset offset)
{
	MPI_Offset byte = -1;

	if (position == POSITION_INDIVIDUAL)
		PMPI_File_get_position(file, &offset);
	if (position != POSITION_SHARED)
		PMPI_File_get_byte_offset(file, offset, &byte);
	smoke_int(at, name, byte);
}

static inline void smoke_hints(unsigned at, const char *name, MPI_Info info)
{
	char all[1024], key[MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 1];
	int count = 0, there;
	size_t size = 0;

	if (info == MPI_INFO_NULL) {
		smoke_arg(at, name, "NULL");
		return;
	}
	PMPI_Info_get_nkeys(info, &count);
	for (int number = 0; number < count; number++) {
		PMPI_Info_get_nthkey(info, number, key);
		PMPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &there);
		size += (size_t)snprintf(all + size, sizeof(all) - size, "%s=%s", key, value) + 1;
	}
	smoke_arg(at, name, "%s", smoke_quoted(all, size));
}

static int my_rank, the_peer;
static double send_memory[1000], receive_memory[1000], window_memory[100], other_memory[100];
static char buffered[4096 + MPI_BSEND_OVERHEAD];
static void *attached, *allocated, *memory_of_window;
static int attribute = 5;
static void *found_attribute;
static MPI_Status one_status;
static MPI_Request posted, posted_send, general;
static MPI_Fint fortran_status[64];
static const int ones[4] = {1, 1, 1, 1}, steps[4] = {0, 1, 2, 3}, twos[1] = {2}, tens[1] = {10};
static const int blocks[1] = {MPI_DISTRIBUTE_BLOCK}, default_sizes[1] = {MPI_DISTRIBUTE_DFLT_DARG};
static const int index_of_nodes[2] = {1, 2}, edges_of_nodes[2] = {1, 0};
static const MPI_Aint long_steps[4] = {0, 8, 16, 24};
static MPI_Datatype ints[4];
#if MPI_VERSION >= 4
static const MPI_Count many_ones[4] = {1, 1, 1, 1}, many_steps[4] = {0, 8, 16, 24};
static const MPI_Count many_twos[1] = {2}, many_tens[1] = {10};
static MPI_F08_status status_in_f08;
static const int last_first[2] = {1, 0};
static char *program_words[] = {"program", NULL};
#endif
static int one_range[3] = {0, 1, 1};

static inline int peer(void)
{
	return the_peer;
}

static inline void must(bool done, const char *what)
{
	if (done)
		return;
	fprintf(stderr, "%s\n", what);
	PMPI_Abort(MPI_COMM_WORLD, 1);
}

/* ---- what a record must have ---- */

static inline void smoke_end_mpi_error(int result)
{
	must(result == MPI_SUCCESS, smoke.name);
	smoke_line("0");
}

/* Requests are numbered as they are made; which one is meant is known by its variable. */
static struct {
	const MPI_Request *variable;
	int number;
} smoke_requests[8]; /* by variable */
static int smoke_last_request;

static inline void request_made(const MPI_Request *variable)
{
	unsigned at = 0;

	while (at < 7 && smoke_requests[at].variable && smoke_requests[at].variable != variable)
		at++;
	smoke_requests[at].variable = variable;
	smoke_requests[at].number = ++smoke_last_request;
}

/* That of a request that is there, or was before a call that completed it. */
static inline int request_of(const MPI_Request *variable)
{
	for (unsigned at = 0; at < 8; at++) {
		if (smoke_requests[at].variable == variable)
			return smoke_requests[at].number;
	}
	return 0;
}

static inline int request_number(const MPI_Request *variable)
{
	return *variable == MPI_REQUEST_NULL ? 0 : request_of(variable);
}

static inline void smoke_request(unsigned at, const char *name, const MPI_Request *request)
{
	smoke_int(at, name, request_number(request));
}

#define smoke_request_ended smoke_request

static inline void smoke_request_done(unsigned at, const char *name, const MPI_Request *request)
{
	smoke_int(at, name, request_of(request));
}

/* One that is given by its value is the last that was made, or none. */
static inline void smoke_request_value(unsigned at, const char *name, MPI_Request request)
{
	smoke_int(at, name, request == MPI_REQUEST_NULL ? 0 : smoke_last_request);
}

static inline void smoke_request_made(unsigned at, const char *name, const MPI_Request *request)
{
	request_made(request);
	smoke_int(at, name, smoke_last_request);
}

/* Arrays have one element here. */
static inline void smoke_requests_array(unsigned at, const char *name, const MPI_Request requests[],
					long long count)
{
	must(count == 1, "one request at a time");
	smoke_arg(at, name, "[%d]", request_number(requests));
}

static inline void smoke_requests_done(unsigned at, const char *name, const MPI_Request requests[],
				       long long count)
{
	must(count == 1, "one request at a time");
	smoke_arg(at, name, "[%d]", request_of(requests));
}

/* What the peer sends: two ints with tag 7. */
static inline const char *envelope(void)
{
	static char text[64];

	snprintf(text, sizeof(text), "[%d, 7, 8, 0]", the_peer);
	return text;
}

/* ---- lengths of arrays, as the catalogue writes them ---- */

static inline int length_size(MPI_Comm comm)
{
	int size;

	PMPI_Comm_size(comm, &size);
	return size;
}

#define length_localsize length_size

static inline bool length_in_place(const void *buffer)
{
	return buffer == MPI_IN_PLACE;
}

static inline void smoke_in_place(unsigned at, const char *name, const void *buffer)
{
	smoke_int(at, name, length_in_place(buffer));
}

static inline int length_rootsize(MPI_Comm comm, int root)
{
	int rank;

	PMPI_Comm_rank(comm, &rank);
	return root == rank ? length_size(comm) : 0;
}

static inline int length_indegree(MPI_Comm comm)
{
	(void)comm;
	return 2; /* of a_line() */
}

#define length_outdegree length_indegree

static inline int length_cartdims(MPI_Comm comm)
{
	(void)comm;
	return 1;
}

static inline int length_sum(const int numbers[], int count)
{
	int sum = 0;

	for (int at = 0; at < count; at++)
		sum += numbers[at];
	return sum;
}

/* Sends to the root, or receives from it. */
static inline bool length_leaf(MPI_Comm comm, int root)
{
	(void)comm, (void)root;
	return true; /* in an intracommunicator the root, too */
}

static inline int length_last(const int numbers[], int count)
{
	return numbers[count - 1];
}

/* ---- messages ---- */

static inline void receive_later(void)
{
	PMPI_Irecv(other_memory, 2, MPI_INT, the_peer, 7, MPI_COMM_WORLD, &posted);
	PMPI_Barrier(MPI_COMM_WORLD);
}

static inline void received(void)
{
	PMPI_Wait(&posted, MPI_STATUS_IGNORE);
}

static inline void send_later(void)
{
	PMPI_Isend(other_memory, 2, MPI_INT, the_peer, 7, MPI_COMM_WORLD, &posted_send);
}

static inline void sent(void)
{
	PMPI_Wait(&posted_send, MPI_STATUS_IGNORE);
}

static inline void receive(void)
{
	PMPI_Recv(receive_memory, 2, MPI_INT, the_peer, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Comes back when the peer's message is there. */
static inline void send_and_wait(void)
{
	send_later();
	PMPI_Probe(the_peer, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static inline MPI_Message *a_message(void)
{
	static MPI_Message message;

	send_later();
	MPI_Mprobe(the_peer, 7, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
	return &message;
}

static inline void take(MPI_Message *message)
{
	MPI_Mrecv(receive_memory, 2, MPI_INT, message, MPI_STATUS_IGNORE);
}

static inline const MPI_Status *full_status(void)
{
	send_later();
	PMPI_Recv(receive_memory, 2, MPI_INT, the_peer, 7, MPI_COMM_WORLD, &one_status);
	sent();
	return &one_status;
}

static inline const MPI_Fint *a_fortran_status(void)
{
	PMPI_Status_c2f(full_status(), fortran_status);
	return fortran_status;
}

#if MPI_VERSION >= 4
/* MPICH 4.0 has what converts such statuses in the library for Fortran, which is there with the one for C. */
static inline const MPI_F08_status *a_status_of_f08(void)
{
	int (*convert)(const MPI_Status *, MPI_F08_status *) =
		dlsym(RTLD_DEFAULT, "PMPI_Status_c2f08");

	must(convert != NULL, "libmpichfort");
	convert(full_status(), &status_in_f08);
	return &status_in_f08;
}
#endif

static inline void attach(void)
{
	PMPI_Buffer_attach(buffered, sizeof(buffered));
}

static inline void detach(void)
{
	PMPI_Buffer_detach(&attached, &(int){0});
}

/* ---- requests ---- */

static inline MPI_Request *a_request(void)
{
	static MPI_Request request;

	request = MPI_REQUEST_NULL;
	return &request;
}

static inline void finish(MPI_Request *request)
{
	MPI_Wait(request, MPI_STATUS_IGNORE);
}

static inline void drop(MPI_Request *request)
{
	MPI_Request_free(request);
}

static MPI_Request smoke_arriving;

/* A receive that is complete but for the call that says so. */
static inline MPI_Request *arriving(void)
{
	int flag = 0;

	send_later();
	MPI_Irecv(receive_memory, 2, MPI_INT, the_peer, 7, MPI_COMM_WORLD, &smoke_arriving);
	request_made(&smoke_arriving);
	while (!flag)
		PMPI_Request_get_status(smoke_arriving, &flag, MPI_STATUS_IGNORE);
	return &smoke_arriving;
}

static inline MPI_Request *arrived(void)
{
	return &smoke_arriving;
}

static inline MPI_Request *unmatched_receive(void)
{
	MPI_Request *request = a_request();

	MPI_Irecv(receive_memory, 2, MPI_INT, the_peer, 99, MPI_COMM_WORLD, request);
	request_made(request);
	return request;
}

static inline MPI_Request *idle_send(void)
{
	static MPI_Request request;

	MPI_Send_init(send_memory, 2, MPI_INT, the_peer, 7, MPI_COMM_WORLD, &request);
	request_made(&request);
	return &request;
}

#define idle_request idle_send
#define drop_idle drop

static inline int query(void *state, MPI_Status *status)
{
	(void)state;
	PMPI_Status_set_elements(status, MPI_INT, 0);
	PMPI_Status_set_cancelled(status, 0);
	return MPI_SUCCESS;
}

static inline int nothing(void *state)
{
	(void)state;
	return MPI_SUCCESS;
}

static inline int cancel(void *state, int complete)
{
	(void)state, (void)complete;
	return MPI_SUCCESS;
}

static inline MPI_Request a_general_request(void)
{
	MPI_Grequest_start(query, nothing, cancel, NULL, &general);
	request_made(&general);
	return general;
}

/* One of a persistent request that is idle again after it. */
static inline void run(MPI_Request *request)
{
	MPI_Start(request);
	finish(request);
	drop(request);
}

#if MPI_VERSION >= 4
/* What the peer gets in two parts of two ints, and what it sends: both ranks do both. */
static MPI_Request parts_out, parts_in;

#define PARTITIONS_CONST const

static inline void ready(int parts)
{
	for (int part = 0; part < parts; part++)
		PMPI_Pready(part, parts_out);
}

/* A send that is started, of which that many parts are still to be ready. */
static inline MPI_Request sent_in_parts(int unready)
{
	PMPI_Precv_init(receive_memory, 2, 2, MPI_INT, the_peer, 8, MPI_COMM_WORLD, MPI_INFO_NULL,
			&parts_in);
	MPI_Psend_init(send_memory, 2, 2, MPI_INT, the_peer, 8, MPI_COMM_WORLD, MPI_INFO_NULL,
		       &parts_out);
	request_made(&parts_out);
	PMPI_Start(&parts_in);
	PMPI_Start(&parts_out);
	ready(2 - unready);
	return parts_out;
}

/* A receive of which all parts are there. */
static inline MPI_Request arriving_in_parts(void)
{
	PMPI_Psend_init(send_memory, 2, 2, MPI_INT, the_peer, 8, MPI_COMM_WORLD, MPI_INFO_NULL,
			&parts_out);
	MPI_Precv_init(receive_memory, 2, 2, MPI_INT, the_peer, 8, MPI_COMM_WORLD, MPI_INFO_NULL,
		       &parts_in);
	request_made(&parts_in);
	PMPI_Start(&parts_in);
	PMPI_Start(&parts_out);
	ready(2);
	for (int part = 0, flag; part < 2; part += flag)
		PMPI_Parrived(parts_in, part, &flag);
	return parts_in;
}

static inline void finish_parts(void)
{
	PMPI_Waitall(2, (MPI_Request[]){parts_in, parts_out}, MPI_STATUSES_IGNORE);
	MPI_Request_free(&parts_in);
	MPI_Request_free(&parts_out);
}
#endif

/* ---- objects ---- */

/* An object that is made at its first use and then stays. */
#define SMOKE_KEPT(type, function, make)                                                           \
	static inline type function(void)                                                          \
	{                                                                                          \
		static type kept;                                                                  \
		static bool made;                                                                  \
                                                                                                   \
		if (!made)                                                                         \
			make;                                                                      \
		made = true;                                                                       \
		return kept;                                                                       \
	}

/* One for a call that ends it. */
#define SMOKE_UNUSED(type, function, make)                                                         \
	static inline type *function(void)                                                         \
	{                                                                                          \
		static type kept;                                                                  \
                                                                                                   \
		make;                                                                              \
		return &kept;                                                                      \
	}

SMOKE_KEPT(MPI_Info, an_info, MPI_Info_create(&kept))
SMOKE_UNUSED(MPI_Info, an_unused_info, MPI_Info_create(&kept))
SMOKE_KEPT(MPI_Group, world_group, MPI_Comm_group(MPI_COMM_WORLD, &kept))
SMOKE_KEPT(MPI_Group, self_group, MPI_Comm_group(MPI_COMM_SELF, &kept))
SMOKE_UNUSED(MPI_Group, an_unused_group, MPI_Group_incl(world_group(), 1, ones, &kept))
SMOKE_KEPT(MPI_Comm, a_line, MPI_Cart_create(MPI_COMM_WORLD, 1, twos, ones, 0, &kept))
SMOKE_KEPT(MPI_Comm, an_old_graph,
	   MPI_Graph_create(MPI_COMM_WORLD, 2, index_of_nodes, edges_of_nodes, 0, &kept))
SMOKE_KEPT(MPI_Comm, a_graph,
	   MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &the_peer, MPI_UNWEIGHTED, 1,
					  &the_peer, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &kept))
SMOKE_KEPT(MPI_Comm, an_intercomm,
	   MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, the_peer, 3, &kept))
SMOKE_UNUSED(MPI_Comm, an_unused_comm, MPI_Comm_dup(MPI_COMM_WORLD, &kept))
SMOKE_KEPT(MPI_Datatype, a_vector, MPI_Type_vector(2, 1, 3, MPI_INT, &kept))
SMOKE_UNUSED(MPI_Datatype, an_unused_type, MPI_Type_contiguous(3, MPI_INT, &kept))
SMOKE_KEPT(MPI_Win, a_window,
	   MPI_Win_create(window_memory, sizeof(window_memory), 8, MPI_INFO_NULL, MPI_COMM_WORLD,
			  &kept))
SMOKE_KEPT(MPI_Win, a_dynamic_window, MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &kept))
SMOKE_KEPT(MPI_Win, a_shared_window,
	   MPI_Win_allocate_shared(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory_of_window, &kept))
SMOKE_UNUSED(MPI_Win, an_unused_window,
	     MPI_Win_create(other_memory, 64, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &kept))
SMOKE_KEPT(int, a_keyval,
	   MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &kept, NULL))
SMOKE_UNUSED(int, an_unused_keyval,
	     MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &kept, NULL))
SMOKE_KEPT(int, a_type_keyval,
	   MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &kept, NULL))
SMOKE_UNUSED(int, an_unused_type_keyval,
	     MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &kept, NULL))
SMOKE_KEPT(int, a_window_keyval,
	   MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &kept, NULL))
SMOKE_UNUSED(int, an_unused_window_keyval,
	     MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &kept, NULL))
SMOKE_KEPT(int, an_error_class, MPI_Add_error_class(&kept))

static inline void add_numbers(void *in, void *inout, int *count, MPI_Datatype *type)
{
	(void)in, (void)inout, (void)count, (void)type;
}

static inline void of_comm(MPI_Comm *comm, int *error, ...)
{
	(void)comm, (void)error;
}

static inline void of_window(MPI_Win *win, int *error, ...)
{
	(void)win, (void)error;
}

SMOKE_UNUSED(MPI_Op, an_unused_op, MPI_Op_create(add_numbers, 1, &kept))
SMOKE_UNUSED(MPI_Errhandler, an_unused_errhandler, MPI_Comm_create_errhandler(of_comm, &kept))

#if MPI_VERSION >= 4
SMOKE_KEPT(MPI_Session, a_session, MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &kept))
SMOKE_UNUSED(MPI_Session, an_unused_session,
	     MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &kept))
SMOKE_KEPT(MPI_Group, session_group, MPI_Group_from_session_pset(a_session(), "mpi://WORLD", &kept))
SMOKE_KEPT(MPI_Group, my_session_group, MPI_Group_incl(session_group(), 1, &my_rank, &kept))
SMOKE_KEPT(MPI_Group, peers_session_group, MPI_Group_incl(session_group(), 1, &the_peer, &kept))

static inline void of_session(MPI_Session *session, int *error, ...)
{
	(void)session, (void)error;
}

static inline MPI_Session a_patient_session(void)
{
	PMPI_Session_set_errhandler(a_session(), MPI_ERRORS_RETURN);
	return a_session();
}

static inline void add_many_numbers(void *in, void *inout, MPI_Count *count, MPI_Datatype *type)
{
	(void)in, (void)inout, (void)count, (void)type;
}
#endif

static inline MPI_Info a_full_info(void)
{
	PMPI_Info_set(an_info(), "smoke", "some value");
	return an_info();
}

static inline MPI_Comm a_patient_comm(void)
{
	PMPI_Comm_set_errhandler(a_line(), MPI_ERRORS_RETURN);
	return a_line();
}

static inline MPI_Win a_patient_window(void)
{
	PMPI_Win_set_errhandler(a_window(), MPI_ERRORS_RETURN);
	return a_window();
}

static inline MPI_Comm with_attribute(void)
{
	PMPI_Comm_set_attr(a_line(), a_keyval(), &attribute);
	return a_line();
}

static inline MPI_Datatype type_with_attribute(void)
{
	PMPI_Type_set_attr(a_vector(), a_type_keyval(), &attribute);
	return a_vector();
}

static inline MPI_Win window_with_attribute(void)
{
	PMPI_Win_set_attr(a_window(), a_window_keyval(), &attribute);
	return a_window();
}

static inline void *some_memory(void)
{
	void *memory = NULL;

	PMPI_Alloc_mem(100, MPI_INFO_NULL, &memory);
	return memory;
}

/* Room for a text that a call writes. */
static inline char *texts(void)
{
	static char
		text[MPI_MAX_LIBRARY_VERSION_STRING + MPI_MAX_ERROR_STRING + MPI_MAX_OBJECT_NAME];

	return text;
}

/* ---- epochs ---- */

static inline void open_epoch(void)
{
	PMPI_Win_lock_all(0, a_window());
}

static inline void close_epoch(void)
{
	PMPI_Win_unlock_all(a_window());
}

/* An epoch in which the window was exposed and that both have completed. */
static inline void exposed(void)
{
	PMPI_Win_post(world_group(), 0, a_window());
	PMPI_Win_start(world_group(), 0, a_window());
	PMPI_Win_complete(a_window());
	PMPI_Barrier(MPI_COMM_WORLD);
}

/* ---- start and end ---- */

static inline void smoke_mpi_start(int argc, char **argv)
{
	char name[1024];

	smoke_pause();
#if MPI_VERSION >= 4
	dlopen("libmpichfort.so.12", RTLD_LAZY | RTLD_GLOBAL);
#endif
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
	the_peer = 1 - my_rank;
	for (unsigned at = 0; at < 4; at++)
		ints[at] = MPI_INT;
	snprintf(name, sizeof(name), "%s.%d", argc == 2 ? argv[1] : "want", my_rank);
	smoke_start(2, (char *[]){argv[0], name, NULL});
}

static inline int smoke_mpi_finish(void)
{
	int result = smoke_finish();

	MPI_Finalize();
	return result;
}

#define smoke_start smoke_mpi_start
#define smoke_finish smoke_mpi_finish

#endif
