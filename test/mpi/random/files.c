/* SPDX-License-Identifier: MIT */
/*
 * files.c - MPI-IO: explicit offsets, individual and shared pointers, views, collective, split and non-blocking.
 *
 * Where each transfer begins is computed here from the view and a pointer of our own, not asked of MPI.
 */
#include "random.h"

#define FILE_SIZE (1 << 20)

struct file {
	MPI_File handle;
	struct comm *comm;
	char label[24];
	const char *path;
	/* the view: blocks of `block` etypes, `stride` etypes apart, from byte `begin`; etypes of `etype` bytes */
	long begin;
	int etype, block, stride;
	long pointer; /* in etypes */
};

static const char *file_text(const struct file *file)
{
	return text("f:%s:%s:%s", file->label, file->comm->label, file->path);
}

static long byte_of(const struct file *file, long offset)
{
	return file->begin +
	       (offset / file->block * file->stride + offset % file->block) * file->etype;
}

/* ---- one transfer ---- */

enum pointer { EXPLICIT, INDIVIDUAL, SHARED };

/* How much, with what, and where; drawn from the plan if all must do the same. */
struct transfer {
	bool writes;
	enum pointer pointer;
	long offset; /* of an explicit one, in etypes */
	int count, bytes;
	int *buffer;
};

static const char *begin_text(const struct file *file, const struct transfer *t)
{
	return text("fh=%s%s count=%d datatype=t:INT:4", file_text(file),
		    t->pointer == EXPLICIT ? text(" offset=%ld", t->offset) : "", t->count);
}

static long position(const struct file *file, const struct transfer *t)
{
	if (t->pointer == SHARED)
		return -1;
	return byte_of(file, t->pointer == EXPLICIT ? t->offset : file->pointer);
}

static const char *moved(const struct transfer *t)
{
	return text("sent=%d received=%d", t->writes ? t->bytes : 0, t->writes ? 0 : t->bytes);
}

static void advance(struct file *file, const struct transfer *t)
{
	if (t->pointer == INDIVIDUAL)
		file->pointer += t->bytes / file->etype;
}

static struct transfer drawn(struct random *random, const struct file *file, enum pointer pointer)
{
	struct transfer t = {.pointer = pointer, .writes = chance(random, 60)};

	t.bytes = UNIT * (1 + (int)below(random, 20));
	t.count = t.bytes / 4;
	t.offset = (long)(below(random, 500) * UNIT) / file->etype;
	t.buffer = calloc(1, (size_t)t.bytes);
	return t;
}

typedef int blocking_call(MPI_File, void *, int, MPI_Datatype, MPI_Status *);
typedef int explicit_call(MPI_File, MPI_Offset, void *, int, MPI_Datatype, MPI_Status *);

static int write_(MPI_File f, void *b, int n, MPI_Datatype t, MPI_Status *s)
{
	return MPI_File_write(f, b, n, t, s);
}

static int write_all_(MPI_File f, void *b, int n, MPI_Datatype t, MPI_Status *s)
{
	return MPI_File_write_all(f, b, n, t, s);
}

static int write_shared_(MPI_File f, void *b, int n, MPI_Datatype t, MPI_Status *s)
{
	return MPI_File_write_shared(f, b, n, t, s);
}

static int write_ordered_(MPI_File f, void *b, int n, MPI_Datatype t, MPI_Status *s)
{
	return MPI_File_write_ordered(f, b, n, t, s);
}

static int write_at_(MPI_File f, MPI_Offset o, void *b, int n, MPI_Datatype t, MPI_Status *s)
{
	return MPI_File_write_at(f, o, b, n, t, s);
}

static int write_at_all_(MPI_File f, MPI_Offset o, void *b, int n, MPI_Datatype t, MPI_Status *s)
{
	return MPI_File_write_at_all(f, o, b, n, t, s);
}

/* A blocking call: its name after read or write, and both ways. */
struct blocking {
	const char *ending;
	enum pointer pointer;
	blocking_call *calls[2];
	explicit_call *explicit_calls[2];
};

static const struct blocking alone[] = {
	{"", INDIVIDUAL, {MPI_File_read, write_}, {NULL}},
	{"_at", EXPLICIT, {NULL}, {MPI_File_read_at, write_at_}},
	{"_shared", SHARED, {MPI_File_read_shared, write_shared_}, {NULL}},
};

static const struct blocking together[] = {
	{"_all", INDIVIDUAL, {MPI_File_read_all, write_all_}, {NULL}},
	{"_at_all", EXPLICIT, {NULL}, {MPI_File_read_at_all, write_at_all_}},
	{"_ordered", SHARED, {MPI_File_read_ordered, write_ordered_}, {NULL}},
};

static void block(struct file *file, const struct blocking *call, struct transfer *t)
{
	MPI_Status status, *wanted = chance(&own, 50) ? &status : MPI_STATUS_IGNORE;
	long at = position(file, t);

	if (t->pointer == EXPLICIT)
		call->explicit_calls[t->writes](file->handle, t->offset, t->buffer, t->count,
						MPI_INT, wanted);
	else
		call->calls[t->writes](file->handle, t->buffer, t->count, MPI_INT, wanted);
	say("MPI_File_%s%s 0 %s status=s:_,_,%d position=%ld %s", t->writes ? "write" : "read",
	    call->ending, begin_text(file, t), t->bytes, at, moved(t));
	advance(file, t);
	free(t->buffer);
}

/* Begun by all, completed by each before it goes on with the file. */
static void later(struct file *file, struct transfer *t, bool all)
{
	struct pending pending = {.kind = PENDING_FILE,
				  .comm = file->comm,
				  .bytes = t->bytes,
				  .writes = t->writes,
				  .buffer = t->buffer};
	MPI_File handle = file->handle;
	long at = position(file, t);

	if (t->pointer == EXPLICIT && all)
		t->writes ? MPI_File_iwrite_at_all(handle, t->offset, t->buffer, t->count, MPI_INT,
						   &pending.request)
			  : MPI_File_iread_at_all(handle, t->offset, t->buffer, t->count, MPI_INT,
						  &pending.request);
	else if (t->pointer == EXPLICIT)
		t->writes ? MPI_File_iwrite_at(handle, t->offset, t->buffer, t->count, MPI_INT,
					       &pending.request)
			  : MPI_File_iread_at(handle, t->offset, t->buffer, t->count, MPI_INT,
					      &pending.request);
	else if (all)
		t->writes ? MPI_File_iwrite_all(handle, t->buffer, t->count, MPI_INT,
						&pending.request)
			  : MPI_File_iread_all(handle, t->buffer, t->count, MPI_INT,
					       &pending.request);
	else
		t->writes ? MPI_File_iwrite(handle, t->buffer, t->count, MPI_INT, &pending.request)
			  : MPI_File_iread(handle, t->buffer, t->count, MPI_INT, &pending.request);
	pending.number = request_made();
	say("MPI_File_i%s%s%s 0 %s request=r:%d position=%ld", t->writes ? "write" : "read",
	    t->pointer == EXPLICIT ? "_at" : "", all ? "_all" : "", begin_text(file, t),
	    pending.number, at);
	advance(file, t);
	request_complete(&pending);
}

/* In two halves. */
static void split(struct file *file, struct transfer *t)
{
	MPI_File handle = file->handle;
	long at = position(file, t);
	const char *way = t->writes ? "write" : "read", *kind = t->pointer == EXPLICIT ? "_at_all"
								: t->pointer == SHARED ? "_ordered"
										       : "_all";

	if (t->pointer == EXPLICIT)
		t->writes ? MPI_File_write_at_all_begin(handle, t->offset, t->buffer, t->count,
							MPI_INT)
			  : MPI_File_read_at_all_begin(handle, t->offset, t->buffer, t->count,
						       MPI_INT);
	else if (t->pointer == SHARED)
		t->writes ? MPI_File_write_ordered_begin(handle, t->buffer, t->count, MPI_INT)
			  : MPI_File_read_ordered_begin(handle, t->buffer, t->count, MPI_INT);
	else
		t->writes ? MPI_File_write_all_begin(handle, t->buffer, t->count, MPI_INT)
			  : MPI_File_read_all_begin(handle, t->buffer, t->count, MPI_INT);
	say("MPI_File_%s%s_begin 0 %s position=%ld", way, kind, begin_text(file, t), at);
	if (t->pointer == EXPLICIT)
		t->writes ? MPI_File_write_at_all_end(handle, t->buffer, MPI_STATUS_IGNORE)
			  : MPI_File_read_at_all_end(handle, t->buffer, MPI_STATUS_IGNORE);
	else if (t->pointer == SHARED)
		t->writes ? MPI_File_write_ordered_end(handle, t->buffer, MPI_STATUS_IGNORE)
			  : MPI_File_read_ordered_end(handle, t->buffer, MPI_STATUS_IGNORE);
	else
		t->writes ? MPI_File_write_all_end(handle, t->buffer, MPI_STATUS_IGNORE)
			  : MPI_File_read_all_end(handle, t->buffer, MPI_STATUS_IGNORE);
	say("MPI_File_%s%s_end 0 fh=%s status=s:_,_,%d %s", way, kind, file_text(file), t->bytes,
	    moved(t));
	advance(file, t);
	free(t->buffer);
}

/* ---- view and pointer ---- */

static void set_view(struct file *file, struct random *random)
{
	static const int sizes[] = {1, 4, 8};
	static const MPI_Datatype *etypes[] = {&types[2].handle, &types[0].handle,
					       &types[1].handle};
	static const char *const names[] = {"BYTE:1", "INT:4", "DOUBLE:8"};
	unsigned which = below(random, 3);
	bool strided = chance(random, 50);
	MPI_Datatype filetype = *etypes[which];

	file->begin = (long)below(random, 50) * UNIT;
	file->etype = sizes[which];
	file->block = strided ? 1 + (int)below(random, 8) : 1;
	file->stride = strided ? file->block + 1 + (int)below(random, 4) : 1;
	file->pointer = 0;
	if (strided) {
		MPI_Datatype blocks;
		int size = file->block * file->etype;

		MPI_Type_contiguous(file->block, *etypes[which], &blocks);
		say("MPI_Type_contiguous 0 count=%d oldtype=t:%s newtype=?", file->block,
		    names[which]);
		MPI_Type_create_resized(blocks, 0, (MPI_Aint)file->stride * file->etype, &filetype);
		say("MPI_Type_create_resized 0 oldtype=? lb=0 extent=%d newtype=?",
		    file->stride * file->etype);
		MPI_Type_commit(&filetype);
		say("MPI_Type_commit 0 type=t:?:%d", size);
		MPI_Type_free(&blocks);
		say("MPI_Type_free 0 type=?");
	}
	MPI_File_set_view(file->handle, file->begin, *etypes[which], filetype, "native",
			  MPI_INFO_NULL);
	say("MPI_File_set_view 0 fh=%s disp=%ld etype=t:%s filetype=t:?:%d datarep=? info=? "
	    "hints=?",
	    file_text(file), file->begin, names[which], file->block * file->etype);
	if (strided) {
		MPI_Type_free(&filetype);
		say("MPI_Type_free 0 type=?");
	}
}

static void seek(struct file *file)
{
	file->pointer = (long)(below(&own, 500) * UNIT) / file->etype;
	MPI_File_seek(file->handle, file->pointer, MPI_SEEK_SET);
	say("MPI_File_seek 0 fh=%s offset=%ld whence=%d", file_text(file), file->pointer,
	    MPI_SEEK_SET);
	MPI_Offset told = -1;

	MPI_File_get_position(file->handle, &told);
	say("MPI_File_get_position 0 fh=%s offset=%ld", file_text(file), (long)told);
	check(told == file->pointer, "a pointer elsewhere");
}

/* ---- steps ---- */

static void independent(struct file *file)
{
	for (unsigned left = 1 + below(&own, 4); left > 0; left--) {
		const struct blocking *call = &alone[below(&own, 3)];
		struct transfer t = drawn(&own, file, call->pointer);

		if (t.pointer == SHARED)
			t.writes = true; /* it moves behind what there is to read */
		if (t.pointer != SHARED && chance(&own, 40))
			later(file, &t, false);
		else
			block(file, call, &t);
		if (chance(&own, 30))
			seek(file);
	}
}

static void collective(struct file *file)
{
	const struct blocking *call = &together[below(&plan, 3)];
	unsigned way = below(&plan, 3);
	struct transfer t = drawn(&plan, file, call->pointer);

	if (t.pointer == SHARED)
		t.writes = true;
	if (rank_in(file->comm) < 0) {
		free(t.buffer);
		return;
	}
	if (way == 0 && t.pointer != SHARED)
		later(file, &t, true);
	else if (way == 1)
		split(file, &t);
	else
		block(file, call, &t);
}

static bool opened(struct file *file, const char *path)
{
	int amode = MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE;

	file->path = path;
	if (MPI_File_open(file->comm->handle, path, amode, MPI_INFO_NULL, &file->handle))
		return false;
	say("MPI_File_open 0 comm=%s filename=? amode=%d info=? fh=%s hints=?",
	    comm_text(file->comm), amode, file_text(file));
	MPI_File_set_size(file->handle, FILE_SIZE);
	say("MPI_File_set_size 0 fh=%s size=%d", file_text(file), FILE_SIZE);
	return true;
}

void file_step(const char *seed)
{
	static int number;
	struct file file = {.comm = any_comm(false, false, 1), .etype = 1, .block = 1, .stride = 1};
	int rounds = 2 + (int)below(&plan, 4);
	struct random view;
	char path[64];
	bool in;

	/* Open MPI 4.1 crashes in files that are opened on grids, and on what is made from them */
	if (file.comm->grid)
		file.comm = &comms[0];
	in = rank_in(file.comm) >= 0;

	snprintf(path, sizeof(path), "file.%s.%d", seed, step);
	snprintf(file.label, sizeof(file.label), "%d", number++);
	if (in)
		check(opened(&file, path), "a file that does not open");
	for (int round = 0; round < rounds; round++) {
		switch (below(&plan, 3)) {
		case 0:
			view.state = below(&plan, 1u << 30);
			if (in)
				set_view(&file, &view);
			break;
		case 1:
			collective(&file);
			break;
		default:
			if (in)
				independent(&file);
		}
	}
	if (!in)
		return;
	MPI_File_close(&file.handle);
	say("MPI_File_close 0 fh=%s", file_text(&file));
}
