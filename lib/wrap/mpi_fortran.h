/* SPDX-License-Identifier: MIT */
/*
 * mpi_fortran.h - capturing the arguments of MPI calls made in Fortran: what their generated wrappers are written with.
 *
 * A call is made with the program's own arguments, bit by bit, so that MPI_BOTTOM, MPI_IN_PLACE and the like, which are addresses, mean
 * what they mean. Two are replaced, as in C: a status that the program ignores, since the recorder wants it,
 * and an ierror that it leaves out (mpi_f08). For the record values are converted to what C would get: handles to
 * those of C, logicals to 0 and 1, indices to count from 0, strings to end at their last character that is no blank.
 *
 * For a kind K of handle, beside what mpi_args.h has:
 *
 *	fortran_K(handle)                   the C handle; 0, which no object has, where MPI would have to be asked and must not
 *	arg_fortran_K_at(call, index, handle)   after a call that gave one
 *	fortran_K_made(error, handle, ...)  after a call that makes one; its number
 *	fortran_K_ended(handle)             before a call that ends one; its number
 */
#ifndef RECORDER_WRAP_MPI_FORTRAN_H
#define RECORDER_WRAP_MPI_FORTRAN_H

#include "wrap/mpi_args.h"
#include "wrap/mpi_batch.h"
#include "wrap/mpi_fortran_known.h"

/* Functions that MPI gets passed and the recorder has no business with. */
typedef void fortran_procedure(void);

#ifdef FORTRAN_CALLS_PMPI

/* Where the error of a call is to be put: where the program wants it, or in `absent` if it leaves that out. */
static inline MPI_Fint *fortran_error(MPI_Fint *ierror, MPI_Fint *absent)
{
	return ierror ? ierror : absent;
}

static inline bool fortran_logical(const MPI_Fint *logical)
{
	return *logical != 0;
}

/* ---- handles ---- */

#define FORTRAN_HANDLE(kind, type, object)                                                         \
	/* One that is not known to be MPI's own: asks MPI. */                                     \
	type fortran_##kind##_asked(MPI_Fint number);                                              \
                                                                                                   \
	static inline type fortran_##kind(const MPI_Fint *handle)                                  \
	{                                                                                          \
		uintptr_t known = fortran_known_handle(object, *handle);                           \
                                                                                                   \
		return __builtin_expect(known > FORTRAN_OF_PROGRAM, 1)                             \
			       ? (type)known                                                       \
			       : fortran_##kind##_asked(*handle);                                  \
	}                                                                                          \
                                                                                                   \
	static inline void arg_fortran_##kind##_at(struct call *call, unsigned index,              \
						   const MPI_Fint *handle)                         \
	{                                                                                          \
		type got = fortran_##kind(handle);                                                 \
                                                                                                   \
		arg_mpi_##kind##_at(call, index, &got);                                            \
	}                                                                                          \
                                                                                                   \
	static inline uint64_t fortran_##kind##_ended(const MPI_Fint *handle)                      \
	{                                                                                          \
		type ended = fortran_##kind(handle);                                               \
                                                                                                   \
		return mpi_##kind##_ended(&ended);                                                 \
	}

#define FORTRAN_OBJECT(kind, type, object)                                                         \
	FORTRAN_HANDLE(kind, type, object)                                                         \
                                                                                                   \
	static inline uint32_t fortran_##kind##_made(int error, const MPI_Fint *handle)            \
	{                                                                                          \
		type made = error == MPI_SUCCESS ? fortran_##kind(handle) : (type)0;               \
                                                                                                   \
		return mpi_##kind##_made(error, &made);                                            \
	}

FORTRAN_OBJECT(group, MPI_Group, MPI_OBJECT_GROUP)
FORTRAN_OBJECT(datatype, MPI_Datatype, MPI_OBJECT_DATATYPE)
FORTRAN_OBJECT(op, MPI_Op, MPI_OBJECT_OP)
FORTRAN_OBJECT(info, MPI_Info, MPI_OBJECT_INFO)
FORTRAN_OBJECT(errhandler, MPI_Errhandler, MPI_OBJECT_ERRHANDLER)
FORTRAN_OBJECT(message, MPI_Message, MPI_OBJECT_MESSAGE)
FORTRAN_HANDLE(comm, MPI_Comm, MPI_OBJECT_COMM)
FORTRAN_HANDLE(win, MPI_Win, MPI_OBJECT_WIN)
#undef FORTRAN_OBJECT
#undef FORTRAN_HANDLE

static inline MPI_File fortran_mpi_file(const MPI_Fint *handle)
{
	const struct mpi_library *mpi = mpi_running();

	return mpi ? mpi->File_f2c(*handle) : (MPI_File)0;
}

static inline uint64_t fortran_mpi_file_ended(const MPI_Fint *handle)
{
	MPI_File ended = fortran_mpi_file(handle);

	return mpi_mpi_file_ended(&ended);
}

static inline uint32_t fortran_comm_made(int error, const MPI_Fint *handle, enum comm_kind kind,
					 MPI_Comm parent, int tag)
{
	MPI_Comm made = error == MPI_SUCCESS ? fortran_comm(handle) : (MPI_Comm)0;

	return mpi_comm_made(error, &made, kind, parent, tag);
}

static inline uint32_t fortran_win_made(int error, const MPI_Fint *handle, enum win_flavor flavor,
					MPI_Comm comm, MPI_Aint size, int unit)
{
	MPI_Win made = error == MPI_SUCCESS ? fortran_win(handle) : (MPI_Win)0;

	return mpi_win_made(error, &made, flavor, comm, size, unit);
}

/* The path is one of Fortran. */
uint64_t fortran_mpi_file_made(int error, const MPI_Fint *handle, MPI_Comm comm, const char *path,
			       size_t length, int amode);

void arg_fortran_datatypes(struct call *call, unsigned index, const MPI_Fint types[],
			   int64_t count);

/* ---- requests ---- */

/* Open MPI leaves the number of a request that has completed in the program's variable if the call failed: it stands for none any more. */
static inline MPI_Request fortran_request(const MPI_Fint *handle)
{
	const struct mpi_library *mpi = mpi_running();
	MPI_Request request = mpi ? mpi->Request_f2c(*handle) : (MPI_Request)0;

	return request ? request : (MPI_Request)mpi_request_null;
}

static inline int64_t fortran_request_made(int error, const MPI_Fint *handle,
					   enum mpi_request_kind kind)
{
	if (error != MPI_SUCCESS)
		return MPI_REQUEST_NUMBER_NULL;
	return mpi_request_new(fortran_request(handle), handle, kind);
}

static inline int64_t fortran_request_ended(const MPI_Fint *handle)
{
	return mpi_request_take(fortran_request(handle), handle).number;
}

static inline void arg_fortran_request(struct call *call, unsigned index, const MPI_Fint *handle)
{
	arg_int(call, index, mpi_request_find(fortran_request(handle), handle).number);
}

static inline struct mpi_variables fortran_variables(const MPI_Fint requests[])
{
	return (struct mpi_variables){.first = requests, .fortran = true};
}

void arg_fortran_requests(struct call *call, unsigned index, const MPI_Fint requests[],
			  int64_t count);

/* ---- statuses ---- */

union fortran_status {
	MPI_Fint words[sizeof(MPI_Status) / sizeof(MPI_Fint)];
	MPI_Status c; /* Fortran's has the same size; for what MPI leaves undefined */
};

/* Where MPI shall put the status: where the program wants it, or in `ours` if it wants none. */
MPI_Fint *fortran_status_or(MPI_Fint *status, union fortran_status *ours);
/* The same of `count` statuses; `*ours` is scratch memory then, else NULL. Without memory none are taken. */
MPI_Fint *fortran_statuses_or(MPI_Fint statuses[], int count, union fortran_status **ours);
/* Statuses as C has them. */
void fortran_statuses_read(MPI_Status to[], const MPI_Fint from[], int count);

void arg_fortran_status(struct call *call, unsigned index, int error, const MPI_Fint *status);
void arg_fortran_status_bytes(struct call *call, unsigned index, int error, const MPI_Fint *status);

/* ---- buffers, arrays and strings ---- */

/* Whether a buffer is MPI_IN_PLACE, that of Fortran. */
bool fortran_in_place(const void *buffer);

/* An array that is left out (MPI_ERRCODES_IGNORE) is absent. */
void arg_fortran_ints(struct call *call, unsigned index, const MPI_Fint elements[], int64_t count);
void arg_fortran_logicals(struct call *call, unsigned index, const MPI_Fint logicals[],
			  int64_t count);

void arg_fortran_string(struct call *call, unsigned index, const char *text, size_t length);
void arg_fortran_path(struct call *call, unsigned index, const char *path, size_t length);
/* Strings of equal length, of which one that is all blanks is the end: an argv. */
void arg_fortran_strings(struct call *call, unsigned index, const char *strings, size_t length);

#endif
#endif
