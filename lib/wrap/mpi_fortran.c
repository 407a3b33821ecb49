/* SPDX-License-Identifier: MIT */
/* mpi_fortran.c - arguments that Fortran passes otherwise than C */
#include "wrap/mpi_fortran.h"

#include "record/readable.h"

#ifdef FORTRAN_CALLS_PMPI

/* ---- addresses that mean something ---- */

/* Variables of MPI whose addresses stand for "none". The program has them in common blocks of the same names. */
enum sentinel { STATUS_IGNORE, STATUSES_IGNORE, ERRCODES_IGNORE, IN_PLACE, ARGV_NULL, SENTINELS };

static const char *const sentinel_names[SENTINELS] = {
	[STATUS_IGNORE] = "mpi_fortran_status_ignore_",
	[STATUSES_IGNORE] = "mpi_fortran_statuses_ignore_",
	[ERRCODES_IGNORE] = "mpi_fortran_errcodes_ignore_",
	[IN_PLACE] = "mpi_fortran_in_place_",
	[ARGV_NULL] = "mpi_fortran_argv_null_",
};

/* Several threads may look for it at once: all find the same. */
static bool is(const void *address, enum sentinel sentinel)
{
	static void *_Atomic known[SENTINELS];
	void *found = atomic_load_explicit(&known[sentinel], memory_order_relaxed);

	if (!found) {
		found = mpi_library_data(sentinel_names[sentinel]);
		atomic_store_explicit(&known[sentinel], found, memory_order_relaxed);
	}
	return found && address == found;
}

bool fortran_in_place(const void *buffer)
{
	return is(buffer, IN_PLACE);
}

/* ---- strings ---- */

/* Without the blanks at its end. */
static size_t trimmed(const char *text, size_t length)
{
	while (length > 0 && text[length - 1] == ' ')
		length--;
	return length;
}

/* Longer than any string that MPI takes: a length that is none, because the caller is not Fortran. */
#define TEXT_MAX ((size_t)64 << 10)

/* A copy as C has it, in scratch memory; NULL if the text cannot be read. */
static char *text_take(const char *text, size_t length)
{
	char *copy;

	if (length > TEXT_MAX || !text || !readable(text, length))
		return NULL;
	length = trimmed(text, length);
	copy = mpi_scratch_take(length + 1);
	if (copy) {
		memcpy(copy, text, length);
		copy[length] = '\0';
	}
	return copy;
}

void arg_fortran_string(struct call *call, unsigned index, const char *text, size_t length)
{
	char *copy = text_take(text, length);

	arg_string(call, index, copy);
	mpi_scratch_give(copy);
}

void arg_fortran_path(struct call *call, unsigned index, const char *path, size_t length)
{
	char *copy = text_take(path, length);

	arg_path(call, index, copy);
	mpi_scratch_give(copy);
}

/* Up to the string that is all blanks; -1: they cannot be read. */
static int64_t strings_count(const char *strings, size_t length)
{
	int64_t count = 0;

	for (;; count++, strings += length) {
		if ((size_t)(count + 1) * length > TEXT_MAX || !readable(strings, length))
			return -1;
		if (trimmed(strings, length) == 0)
			return count;
	}
}

void arg_fortran_strings(struct call *call, unsigned index, const char *strings, size_t length)
{
	int64_t count = is(strings, ARGV_NULL) || length == 0 ? -1 : strings_count(strings, length);
	size_t pointers = (size_t)(count + 1) * sizeof(char *);
	char **copies =
		count < 0 ? NULL : mpi_scratch_take(pointers + (size_t)count * (length + 1));
	char *text = (char *)copies + pointers;

	for (int64_t at = 0; copies && at < count; at++, strings += length, text += length + 1) {
		size_t kept = trimmed(strings, length);

		copies[at] = memcpy(text, strings, kept);
		text[kept] = '\0';
	}
	if (copies)
		copies[count] = NULL;
	arg_strings(call, index, copies);
	mpi_scratch_give(copies);
}

/* ---- handles ---- */

#define FORTRAN_ASKED(kind, type, object, f2c)                                                     \
	type fortran_##kind##_asked(MPI_Fint number)                                               \
	{                                                                                          \
		const struct mpi_library *mpi = mpi_running();                                     \
		type asked = mpi ? mpi->f2c(number) : (type)0;                                     \
                                                                                                   \
		if (fortran_known_handle(object, number) == FORTRAN_UNKNOWN)                       \
			fortran_known_learn(object, number, (uintptr_t)asked);                     \
		return asked;                                                                      \
	}

FORTRAN_ASKED(group, MPI_Group, MPI_OBJECT_GROUP, Group_f2c)
FORTRAN_ASKED(datatype, MPI_Datatype, MPI_OBJECT_DATATYPE, Type_f2c)
FORTRAN_ASKED(op, MPI_Op, MPI_OBJECT_OP, Op_f2c)
FORTRAN_ASKED(info, MPI_Info, MPI_OBJECT_INFO, Info_f2c)
FORTRAN_ASKED(errhandler, MPI_Errhandler, MPI_OBJECT_ERRHANDLER, Errhandler_f2c)
FORTRAN_ASKED(message, MPI_Message, MPI_OBJECT_MESSAGE, Message_f2c)
FORTRAN_ASKED(comm, MPI_Comm, MPI_OBJECT_COMM, Comm_f2c)
FORTRAN_ASKED(win, MPI_Win, MPI_OBJECT_WIN, Win_f2c)
#undef FORTRAN_ASKED

uint64_t fortran_mpi_file_made(int error, const MPI_Fint *handle, MPI_Comm comm, const char *path,
			       size_t length, int amode)
{
	MPI_File made = error == MPI_SUCCESS ? fortran_mpi_file(handle) : (MPI_File)0;
	char *text = text_take(path, length);
	uint64_t pair = mpi_file_opened(error, &made, comm, text, amode);

	mpi_scratch_give(text);
	return pair;
}

static int64_t datatype_number(struct call *call, const void *handles, int64_t at)
{
	MPI_Datatype type = fortran_datatype((const MPI_Fint *)handles + at);

	return mpi_handle_seen(call, MPI_OBJECT_DATATYPE, (uintptr_t)type);
}

static int64_t request_number(struct call *call, const void *handles, int64_t at)
{
	const MPI_Fint *request = (const MPI_Fint *)handles + at;

	(void)call;
	return mpi_request_find(fortran_request(request), request).number;
}

void arg_fortran_datatypes(struct call *call, unsigned index, const MPI_Fint types[], int64_t count)
{
	arg_mpi_numbers_of(call, index, types, count, sizeof(*types), datatype_number);
}

void arg_fortran_requests(struct call *call, unsigned index, const MPI_Fint requests[],
			  int64_t count)
{
	arg_mpi_numbers_of(call, index, requests, count, sizeof(*requests), request_number);
}

/* ---- statuses ---- */

MPI_Fint *fortran_status_or(MPI_Fint *status, union fortran_status *ours)
{
	if (!is(status, STATUS_IGNORE))
		return status;
	mpi_status_or(MPI_STATUS_IGNORE, &ours->c);
	return ours->words;
}

MPI_Fint *fortran_statuses_or(MPI_Fint statuses[], int count, union fortran_status **ours)
{
	*ours = NULL;
	if (count < 0 || !is(statuses, STATUSES_IGNORE))
		return statuses;
	*ours = mpi_scratch_take((size_t)count * sizeof(**ours));
	for (int at = 0; *ours && at < count; at++)
		mpi_status_or(MPI_STATUS_IGNORE, &(*ours)[at].c);
	return *ours ? (*ours)->words : statuses;
}

void fortran_statuses_read(MPI_Status to[], const MPI_Fint from[], int count)
{
	const struct mpi_library *mpi = mpi_library();
	struct mpi_query query;

	if (is(from, STATUS_IGNORE) || is(from, STATUSES_IGNORE))
		return;
	mpi_query_begin(&query);
	for (int at = 0; at < count; at++) {
		mpi_status_or(MPI_STATUS_IGNORE, &to[at]);
		if (mpi)
			mpi->Status_f2c(&from[at * (int)(sizeof(*to) / sizeof(*from))], &to[at]);
	}
	mpi_query_end(&query);
}

void arg_fortran_status(struct call *call, unsigned index, int error, const MPI_Fint *status)
{
	MPI_Status read;

	fortran_statuses_read(&read, status, 1);
	arg_mpi_status(call, index, error, &read);
}

void arg_fortran_status_bytes(struct call *call, unsigned index, int error, const MPI_Fint *status)
{
	MPI_Status read;

	fortran_statuses_read(&read, status, 1);
	arg_mpi_status_bytes(call, index, error, &read);
}

/* ---- arrays ---- */

void arg_fortran_ints(struct call *call, unsigned index, const MPI_Fint elements[], int64_t count)
{
	arg_ints(call, index, is(elements, ERRCODES_IGNORE) ? NULL : elements, count);
}

static int64_t logical(struct call *call, const void *logicals, int64_t at)
{
	(void)call;
	return fortran_logical((const MPI_Fint *)logicals + at);
}

void arg_fortran_logicals(struct call *call, unsigned index, const MPI_Fint logicals[],
			  int64_t count)
{
	arg_mpi_numbers_of(call, index, logicals, count, sizeof(*logicals), logical);
}

#endif
