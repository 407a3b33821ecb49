/* SPDX-License-Identifier: MIT */
/*
 * mpi_args.h - capturing the arguments of MPI calls: what generated wrappers are written with.
 *
 * For a kind K of handle (doc/adding-a-function.md):
 *
 *	arg_mpi_K(call, index, handle)           the object's number, before a call that says whether it is one
 *	arg_mpi_K_if(call, index, bool, handle)  that, if MPI looks at the argument; else 0
 *	arg_mpi_K_behind(call, index, &handle)   that of the one behind a pointer, 0 for NULL
 *	arg_mpi_K_plain(call, index, handle)     before a call that does not say it
 *	arg_mpi_K_at(call, index, &handle)       behind a pointer, after the call
 *	arg_mpi_K_made(call, index, result, &handle, ...)   after a call that makes one
 *	arg_mpi_K_ended(call, index, &handle)    before a call that ends one
 *	result_mpi_K(call, handle)
 *
 * mpi_K_made() and mpi_K_ended() do the same without a record: the tables are kept also for calls
 * that are filtered out.
 */
#ifndef RECORDER_WRAP_MPI_ARGS_H
#define RECORDER_WRAP_MPI_ARGS_H

#include "wrap/mpi_library.h"

#include "record/args.h"
#include "wrap/mpi_clock.h"
#include "wrap/mpi_comm_lengths.h"
#include "wrap/mpi_comms.h"
#include "wrap/mpi_files.h"
#include "wrap/mpi_handles.h"
#include "wrap/mpi_requests.h"
#include "wrap/mpi_session.h"
#include "wrap/mpi_status.h"
#include "wrap/mpi_unknown.h"

/* For wrappers by hand: every argument is absent until it is known. */
static CALL_INLINE void args_absent(struct call *call, unsigned arg_count)
{
	memset(call->record->args, 0, arg_count * sizeof(call->record->args[0]));
}

/* ---- objects ---- */

#define MPI_OBJECT_BOOKS(kind, type, object)                                                       \
	static inline uint32_t mpi_##kind##_made(int result, const type *made)                     \
	{                                                                                          \
		bool done = result == MPI_SUCCESS && made;                                         \
                                                                                                   \
		return done ? mpi_handle_made(object, (uintptr_t)*made) : 0;                       \
	}                                                                                          \
                                                                                                   \
	static inline uint32_t mpi_##kind##_ended(const type *handle)                              \
	{                                                                                          \
		return handle ? mpi_handle_ended(object, (uintptr_t)*handle) : 0;                  \
	}

#define MPI_ARG_OBJECT(kind, type, object)                                                         \
	static inline void arg_mpi_##kind(struct call *call, unsigned index, type handle)          \
	{                                                                                          \
		arg_int(call, index, mpi_handle_seen(call, object, (uintptr_t)handle));            \
	}                                                                                          \
                                                                                                   \
	static inline void arg_mpi_##kind##_if(struct call *call, unsigned index, bool looked_at,  \
					       type handle)                                        \
	{                                                                                          \
		arg_int(call, index,                                                               \
			looked_at ? mpi_handle_seen(call, object, (uintptr_t)handle)               \
				  : mpi_handle_unseen(object));                                    \
	}                                                                                          \
                                                                                                   \
	static inline void arg_mpi_##kind##_behind(struct call *call, unsigned index,              \
						   const type *handle)                             \
	{                                                                                          \
		arg_int(call, index,                                                               \
			handle ? mpi_handle_seen(call, object, (uintptr_t)*handle) : 0);           \
	}                                                                                          \
                                                                                                   \
	static inline void arg_mpi_##kind##_plain(struct call *call, unsigned index, type handle)  \
	{                                                                                          \
		arg_int(call, index, mpi_handle_plain(object, (uintptr_t)handle));                 \
	}                                                                                          \
                                                                                                   \
	static inline void arg_mpi_##kind##_at(struct call *call, unsigned index,                  \
					       const type *handle)                                 \
	{                                                                                          \
		arg_int(call, index, handle ? mpi_handle_number(object, (uintptr_t)*handle) : 0);  \
	}                                                                                          \
                                                                                                   \
	static inline void arg_mpi_##kind##_ended(struct call *call, unsigned index,               \
						  const type *handle)                              \
	{                                                                                          \
		arg_int(call, index, mpi_##kind##_ended(handle));                                  \
	}                                                                                          \
                                                                                                   \
	static inline void result_mpi_##kind(struct call *call, type handle)                       \
	{                                                                                          \
		result_int(call, mpi_handle_number(object, (uintptr_t)handle), false);             \
	}

#define MPI_ARG_MADE(kind, type)                                                                   \
	static inline void arg_mpi_##kind##_made(struct call *call, unsigned index, int result,    \
						 const type *made)                                 \
	{                                                                                          \
		arg_int(call, index, mpi_##kind##_made(result, made));                             \
	}

#define MPI_OBJECT(kind, type, object)                                                             \
	MPI_OBJECT_BOOKS(kind, type, object)                                                       \
	MPI_ARG_OBJECT(kind, type, object)                                                         \
	MPI_ARG_MADE(kind, type)

MPI_OBJECT(group, MPI_Group, MPI_OBJECT_GROUP)
MPI_OBJECT(datatype, MPI_Datatype, MPI_OBJECT_DATATYPE)
MPI_OBJECT(op, MPI_Op, MPI_OBJECT_OP)
MPI_OBJECT(info, MPI_Info, MPI_OBJECT_INFO)
MPI_OBJECT(errhandler, MPI_Errhandler, MPI_OBJECT_ERRHANDLER)
MPI_OBJECT(message, MPI_Message, MPI_OBJECT_MESSAGE)
#if MPI_VERSION >= 4
MPI_ARG_OBJECT(session, MPI_Session, MPI_OBJECT_SESSION)
MPI_ARG_MADE(session, MPI_Session)
#endif

static inline uint32_t mpi_win_ended(const MPI_Win *handle)
{
	return handle ? mpi_handle_ended(MPI_OBJECT_WIN, (uintptr_t)*handle) : 0;
}

MPI_ARG_OBJECT(win, MPI_Win, MPI_OBJECT_WIN)

static inline void arg_mpi_win_made(struct call *call, unsigned index, int result,
				    const MPI_Win *made, enum win_flavor flavor, MPI_Comm comm,
				    MPI_Aint size, MPI_Aint unit)
{
	arg_int(call, index, mpi_win_made(result, made, flavor, comm, size, unit));
}

#undef MPI_OBJECT
#undef MPI_OBJECT_BOOKS
#undef MPI_ARG_OBJECT
#undef MPI_ARG_MADE

void arg_mpi_datatypes(struct call *call, unsigned index, const MPI_Datatype types[],
		       int64_t count);

/* Of an array what number() makes of the first elements, each of `size` bytes, and how many there are. NULL is absent. */
typedef int64_t mpi_number_of(struct call *call, const void *elements, int64_t at);

void arg_mpi_numbers_of(struct call *call, unsigned index, const void *elements, int64_t count,
			size_t size, mpi_number_of *number);

/* ---- communicators ---- */

static inline void arg_mpi_comm(struct call *call, unsigned index, MPI_Comm handle)
{
	arg_int(call, index, mpi_comm_seen(call, handle));
}

static inline void arg_mpi_comm_if(struct call *call, unsigned index, bool looked_at,
				   MPI_Comm handle)
{
	arg_int(call, index, looked_at ? mpi_comm_seen(call, handle) : 0);
}

static inline void arg_mpi_comm_plain(struct call *call, unsigned index, MPI_Comm handle)
{
	arg_int(call, index, mpi_comm_plain(handle));
}

static inline void arg_mpi_comm_at(struct call *call, unsigned index, const MPI_Comm *handle)
{
	arg_int(call, index, handle ? mpi_comm_number(*handle) : 0);
}

static inline void arg_mpi_comm_made(struct call *call, unsigned index, int result,
				     const MPI_Comm *made, enum comm_kind kind, MPI_Comm parent,
				     int tag)
{
	arg_int(call, index, mpi_comm_made(result, made, kind, parent, tag));
}

static inline void arg_mpi_comm_ended(struct call *call, unsigned index, const MPI_Comm *handle)
{
	arg_int(call, index, mpi_comm_ended(handle));
}

static inline void result_mpi_comm(struct call *call, MPI_Comm handle)
{
	result_int(call, mpi_comm_number(handle), false);
}

/* ---- files ---- */

static inline void arg_mpi_mpi_file(struct call *call, unsigned index, MPI_File file)
{
	call->record->args[index] = mpi_file_pair(file);
}

static inline uint64_t mpi_mpi_file_made(int result, const MPI_File *made, MPI_Comm comm,
					 const char *path, int amode)
{
	return mpi_file_opened(result, made, comm, path, amode);
}

static inline uint64_t mpi_mpi_file_ended(const MPI_File *file)
{
	return mpi_file_closing(file);
}

static inline void arg_mpi_mpi_file_made(struct call *call, unsigned index, int result,
					 const MPI_File *made, MPI_Comm comm, const char *path,
					 int amode)
{
	call->record->args[index] = mpi_file_opened(result, made, comm, path, amode);
}

static inline void arg_mpi_mpi_file_ended(struct call *call, unsigned index, const MPI_File *file)
{
	call->record->args[index] = mpi_file_closing(file);
}

static inline void result_mpi_mpi_file(struct call *call, MPI_File file)
{
	call->record->result = (int64_t)mpi_file_pair(file);
}

/* Where a transfer begins: at an offset that the program gives, at the pointer of this process, at the shared pointer. */
enum position { POSITION_EXPLICIT, POSITION_INDIVIDUAL, POSITION_SHARED };

/* Before the call: the byte of the file at which it begins, by the view that is set; -1 if MPI cannot tell that on its own. */
void arg_position(struct call *call, unsigned index, enum position position, MPI_File file,
		  MPI_Offset offset);
/* The keys and values of an info: "key=value", in its order, each with a zero byte behind it. */
void arg_hints(struct call *call, unsigned index, MPI_Info info);

/* ---- requests ---- */

static inline void arg_mpi_request(struct call *call, unsigned index, const MPI_Request *request)
{
	arg_int(call, index, request ? mpi_request_find(*request, request).number : 0);
}

static inline void arg_mpi_request_made(struct call *call, unsigned index, int result,
					const MPI_Request *request, enum mpi_request_kind kind)
{
	arg_int(call, index, mpi_request_made(result, request, kind));
}

static inline void arg_mpi_request_ended(struct call *call, unsigned index,
					 const MPI_Request *request)
{
	arg_int(call, index, mpi_request_ended(request));
}

void arg_mpi_requests(struct call *call, unsigned index, const MPI_Request requests[],
		      int64_t count);

/* ---- results ---- */

static inline void result_mpi_error(struct call *call, int error)
{
	call->record->result =
		likely(error == MPI_SUCCESS) ? MPI_SUCCESS : mpi_class_of_error(error);
	mpi_unknown_settle(call, error == MPI_SUCCESS);
}

/* ---- buffers ---- */

/* Whether the call takes its data from, or puts it into, the other buffer. */
static inline bool length_in_place(const void *buffer)
{
	return buffer == MPI_IN_PLACE;
}

static inline void arg_in_place(struct call *call, unsigned index, const void *buffer)
{
	arg_int(call, index, length_in_place(buffer));
}

/* ---- lengths, as those of mpi_comm_lengths.h ---- */

int64_t length_sum(const int numbers[], int64_t count);
int64_t length_last(const int numbers[], int64_t count);

#endif
