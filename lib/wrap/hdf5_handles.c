/* SPDX-License-Identifier: MIT */
/* hdf5_handles.c - see hdf5_handles.h */
#include "wrap/hdf5_handles.h"

#include "format/kinds.h"
#include "record/args.h"
#include "record/readable.h"
#include "record/text.h"
#include "wrap/hdf5_data.h"
#include "wrap/hdf5_predefined.h"
#include "wrap/object_table.h"

#define NUMBERS 1024u
#define NUMBER_WORDS (NUMBERS / 64)

/* The highest byte of a hid_t is its type, in all versions that have handles of 64 bits (1.10 and later). */
#define TYPE_SHIFT 56
#define TYPE_GROUP 2
#define TYPE_DATATYPE 3
#define TYPE_DATASET 5

static const char *const kind_names[HID_KINDS] = {
	[HID_GROUP] = "group",
	[HID_DATASET] = "dataset",
	[HID_DATATYPE] = "datatype",
	[HID_ATTRIBUTE] = "attribute",
	[HID_DATASPACE] = "dataspace",
	[HID_PLIST] = "property list",
	[HID_PLIST_CLASS] = "property list class",
	[HID_ERROR] = "error",
	[HID_OTHER] = "handle",
	[HID_OBJECT] = "object",
};

static struct mpi_table handles;   /* pair of number and object */
static struct mpi_table kept;      /* how many more H5Xclose() they stand */
static struct mpi_table transfers; /* of property lists that are not independent */

/* Which numbers handles without a name have: 0 none. The lowest free one is taken, so that a loop uses the same again. */
static struct {
	struct mpi_lock lock;
	uint64_t taken[HID_KINDS][NUMBER_WORDS];
} numbers;

static int32_t number_take(enum hid_kind kind)
{
	int32_t number = 0;

	mpi_lock(&numbers.lock);
	for (unsigned i = 0; i < NUMBER_WORDS && number == 0; i++) {
		uint64_t free = ~numbers.taken[kind][i];

		if (!free)
			continue;
		number = (int32_t)(i * 64) + __builtin_ctzll(free) + 1;
		numbers.taken[kind][i] |= free & -free;
	}
	mpi_unlock(&numbers.lock);
	return number;
}

static void number_give(enum hid_kind kind, int32_t number)
{
	uint32_t bit = (uint32_t)number - 1;

	mpi_lock(&numbers.lock);
	numbers.taken[kind][bit / 64] &= ~(1ull << bit % 64);
	mpi_unlock(&numbers.lock);
}

static enum hid_kind kind_of(const char *name)
{
	unsigned kind = 0;

	while (kind < HID_OTHER && kind_names[kind] != name)
		kind++;
	return (enum hid_kind)kind;
}

/* What the handle itself says. */
static enum hid_kind kind_by_type(int64_t id)
{
	switch (id >> TYPE_SHIFT) {
	case TYPE_GROUP:
		return HID_GROUP;
	case TYPE_DATATYPE:
		return HID_DATATYPE;
	case TYPE_DATASET:
		return HID_DATASET;
	default:
		return HID_OBJECT;
	}
}

static uint64_t find(const struct real *real, int64_t id)
{
	return mpi_table_find(&handles, object_key(real, id));
}

/* The object that a handle stands for; 0 not known. */
static uint32_t object_of(const struct real *real, int64_t id)
{
	uint64_t value = find(real, id);

	return value == MPI_TABLE_NONE ? 0 : pair_id(value);
}

static void drop(const struct real *real, int64_t id)
{
	uint64_t value = mpi_table_remove(&handles, object_key(real, id));

	if (value != MPI_TABLE_NONE && pair_value(value) > 0)
		number_give(kind_of(object_kind(pair_id(value))), pair_value(value));
}

static void enter(const struct real *real, int64_t id, int32_t number, uint32_t object)
{
	drop(real, id);
	if (mpi_table_find(&kept, object_key(real, id)) != MPI_TABLE_NONE)
		mpi_table_remove(&kept, object_key(real, id));
	mpi_table_set(&handles, object_key(real, id), pair_make(number, object));
}

/* A handle of something without a name. */
static void enter_unnamed(const struct real *real, int64_t id, enum hid_kind kind, uint32_t file)
{
	uint32_t object = object_of_name(kind_names[kind], file, "");

	if (object)
		enter(real, id, number_take(kind), object);
}

void hid_made(const struct real *real, int64_t id, enum hid_kind kind)
{
	enter_unnamed(real, id, kind, 0);
}

void hid_file(const struct real *real, int64_t id, const char *path)
{
	uint32_t file = object_of_path(path);

	if (file)
		enter(real, id, 0, file);
}

void hid_file_of(const struct real *real, int64_t id, int64_t of)
{
	uint32_t file = object_file(object_of(real, of));

	/* H5Iget_file_id() gives the handle that the program has, once more */
	if (find(real, id) != MPI_TABLE_NONE)
		hid_kept(real, id);
	else if (file)
		enter(real, id, 0, file);
}

/* What handles in a file begin with: an object whose own name is known, or not. */
static bool has_path(const struct real *real, int64_t at, uint32_t *begin)
{
	uint64_t value = find(real, at);

	*begin = value == MPI_TABLE_NONE ? 0 : pair_id(value);
	return *begin && pair_value(value) == 0;
}

void hid_opened(const struct real *real, int64_t id, enum hid_kind kind, int64_t at,
		const char *name)
{
	char path[OBJECT_NAME_MAX];
	uint32_t begin, object;
	size_t length;
	bool named = has_path(real, at, &begin) && name && readable_string(name, &length);

	if (kind == HID_OBJECT)
		kind = kind_by_type(id);
	if (!named && !(name && *name == '/' && object_file(begin))) {
		enter_unnamed(real, id, kind, object_file(begin));
		return;
	}
	object_path(path, begin, name);
	object = object_of_name(kind_names[kind], object_file(begin), path);
	if (object)
		enter(real, id, 0, object);
}

void hid_attribute(const struct real *real, int64_t id, int64_t at, const char *object,
		   const char *name)
{
	char path[OBJECT_NAME_MAX];
	struct textbuf text;
	uint32_t begin, number;
	size_t length;

	if (!has_path(real, at, &begin) || !name || !readable_string(name, &length)) {
		enter_unnamed(real, id, HID_ATTRIBUTE, object_file(begin));
		return;
	}
	object_path(path, begin, object);
	text = (struct textbuf){path, sizeof(path), strlen(path), false};
	text_add(&text, "@");
	text_add(&text, name);
	number = object_of_name(kind_names[HID_ATTRIBUTE], object_file(begin), path);
	if (number)
		enter(real, id, 0, number);
}

void hid_named(const struct real *real, int64_t id, int64_t at, const char *name)
{
	hid_opened(real, id, HID_DATATYPE, at, name);
}

void hid_kept(const struct real *real, int64_t id)
{
	mpi_table_count(&kept, object_key(real, id));
}

void hid_closed(const struct real *real, int64_t id)
{
	uintptr_t key = object_key(real, id);
	uint64_t more = mpi_table_find(&kept, key);

	if (more != MPI_TABLE_NONE) {
		if (more > 1)
			mpi_table_set(&kept, key, more - 1);
		else
			mpi_table_remove(&kept, key);
		return;
	}
	if (mpi_table_find(&transfers, key) != MPI_TABLE_NONE)
		mpi_table_remove(&transfers, key);
	hdf5_extent_forget(real, id);
	drop(real, id);
}

void hid_set_transfer(const struct real *real, int64_t id, int mode)
{
	mpi_table_set(&transfers, object_key(real, id), (uint64_t)mode);
}

int hid_transfer(const struct real *real, int64_t id)
{
	uint64_t mode = mpi_table_find(&transfers, object_key(real, id));

	return mode == MPI_TABLE_NONE ? 0 : (int)mode;
}

void hid_copied(const struct real *real, int64_t id, int64_t of)
{
	hid_made(real, id, HID_PLIST);
	if (hid_transfer(real, of))
		hid_set_transfer(real, id, hid_transfer(real, of));
}

/* ---- in records ---- */

static void set_predefined(const struct real *real, int64_t id, const char *name)
{
	bool is_type = name[2] == 'T';
	uint32_t object =
		object_of_name(kind_names[is_type ? HID_DATATYPE : HID_PLIST_CLASS], 0, name);

	if (object)
		enter(real, id, 0, object);
}

/* The value of an argument and its object. */
static int32_t value_of(const struct real *real, int64_t id, uint32_t *object)
{
	uint64_t value;

	*object = 0;
	if (id <= 0)
		return id < 0 ? -1 : 0;
	value = find(real, id);
	if (value == MPI_TABLE_NONE && hdf5_predefined(real, id, set_predefined))
		value = find(real, id);
	if (value == MPI_TABLE_NONE)
		return OBJECT_UNKNOWN;
	*object = pair_id(value);
	return pair_value(value);
}

void arg_hid(struct call *call, unsigned index, const struct real *real, int64_t id)
{
	uint32_t object;
	int32_t value = value_of(real, id, &object);

	arg_object(call, index, value, object);
}

void result_hid(struct call *call, const struct real *real, int64_t id)
{
	uint32_t object;
	int32_t value = value_of(real, id, &object);

	result_object(call, value, object);
}

bool hid_is(const struct real *real, int64_t id, enum hid_kind kind)
{
	uint32_t object;

	value_of(real, id, &object);
	return object && object_kind(object) == kind_names[kind];
}
