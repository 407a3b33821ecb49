/* SPDX-License-Identifier: MIT */
/* mpi_handles.c - numbers and definitions of MPI objects */
#include "wrap/mpi_handles.h"

#include "format/defs_mpi.h"
#include "functions_gen.h"
#include "record/arena.h"
#include "record/bulk.h"
#include "record/selection.h"
#include "wrap/mpi_comms.h"
#include "wrap/mpi_files.h"
#include "wrap/mpi_library.h"
#include "wrap/mpi_ranks.h"
#include "wrap/mpi_requests.h"
#include "wrap/mpi_unknown.h"

#define NAME_SIZE 512u

struct mpi_table mpi_handle_tables[MPI_OBJECTS] BULK;

/* What an object's kind is called (format/kinds.h), and whether a call can give the same handle twice, to be freed twice. */
static const struct {
	const char *kind;
	bool shared;
} objects[MPI_OBJECTS] = {
	[MPI_OBJECT_COMM] = {"comm", false},
	[MPI_OBJECT_GROUP] = {"group", true},
	[MPI_OBJECT_DATATYPE] = {"datatype", false},
	[MPI_OBJECT_OP] = {"op", false},
	[MPI_OBJECT_WIN] = {"win", false},
	[MPI_OBJECT_INFO] = {"info", false},
	[MPI_OBJECT_ERRHANDLER] = {"errhandler", true},
	[MPI_OBJECT_SESSION] = {"session", false},
	[MPI_OBJECT_MESSAGE] = {"message", false},
};

/* The highest number of each. */
static _Atomic uint32_t numbers[MPI_OBJECTS];

/* Held while a value is changed by what it was before; never while MPI is asked. */
static struct mpi_lock handles_lock;

static bool define_name(enum mpi_object object, uint32_t number, const char *text)
{
	uint8_t payload[NAME_SIZE + 64];
	struct def_name def = {.id = number,
			       .kind = text_of(objects[object].kind),
			       .text = text_of(text)};
	size_t size;

	if (def.text.length > NAME_SIZE)
		def.text.length = NAME_SIZE;
	size = def_name_pack(payload, sizeof(payload), &def);
	return arena_put(DEF_NAME, payload, size);
}

/* How a type was made, and of how many types. MPI refuses to tell it in ints of one that was made with large counts. */
static int envelope(const struct mpi_library *mpi, MPI_Datatype type, int64_t *types)
{
	int combiner = -1;
#if MPI_VERSION >= 4
	MPI_Count integers, addresses, counts, held = 0;

	mpi->Type_get_envelope_c(type, &integers, &addresses, &counts, &held, &combiner);
#else
	int integers, addresses, held = 0;

	mpi->Type_get_envelope(type, &integers, &addresses, &held, &combiner);
#endif
	*types = held;
	return combiner;
}

/* Asks for everything; an unnamed type has an empty name. */
static bool define_datatype(const struct mpi_library *mpi, MPI_Datatype type, uint32_t number)
{
	char name[MPI_MAX_OBJECT_NAME + 1] = "";
	int length = 0;
	int64_t types;
	MPI_Count size = -1, lower = 0, extent = -1;
	uint8_t payload[sizeof(name) + 64];
	struct def_datatype def = {.id = number};
	struct mpi_query query;

	mpi_query_begin(&query);
	def.combiner = (uint32_t)envelope(mpi, type, &types);
	mpi->Type_size_x(type, &size);
	mpi->Type_get_extent_x(type, &lower, &extent);
	mpi->Type_get_name(type, name, &length);
	mpi_query_end(&query);
	def.size = size;
	def.extent = extent;
	def.name = text_of(name);
	return arena_put(DEF_DATATYPE, payload, def_datatype_pack(payload, sizeof(payload), &def));
}

static bool define_group(const struct mpi_library *mpi, MPI_Group group, uint32_t number)
{
	char text[NAME_SIZE];

	mpi_ranks_text(mpi, group, text, sizeof(text));
	return define_name(MPI_OBJECT_GROUP, number, text);
}

/* Whether the object is now defined, or needs no definition. */
static bool define(enum mpi_object object, uintptr_t handle, uint64_t value)
{
	bool predefined = value & MPI_HANDLE_PREDEFINED;
	const struct mpi_library *mpi;

	if (predefined && (object != MPI_OBJECT_DATATYPE || (uint32_t)value == 0))
		return define_name(object, (uint32_t)value,
				   mpi_predefined_name(object, (uint32_t)value));
	if (object != MPI_OBJECT_DATATYPE && object != MPI_OBJECT_GROUP)
		return true;
	mpi = mpi_running();
	if (!mpi)
		return false;
	if (object == MPI_OBJECT_DATATYPE)
		return define_datatype(mpi, (MPI_Datatype)handle, (uint32_t)value);
	return define_group(mpi, (MPI_Group)handle, (uint32_t)value);
}

static void mark_defined(enum mpi_object object, uintptr_t handle)
{
	struct mpi_table *table = &mpi_handle_tables[object];
	uint64_t value;

	mpi_lock(&handles_lock);
	value = mpi_table_find(table, handle);
	if (value != MPI_TABLE_NONE)
		mpi_table_set(table, handle, value | MPI_HANDLE_DEFINED);
	mpi_unlock(&handles_lock);
}

static uint64_t number_new(enum mpi_object object, uintptr_t handle)
{
	uint32_t number = atomic_fetch_add_explicit(&numbers[object], 1, memory_order_relaxed) + 1;
	uint64_t value = number | MPI_HANDLE_HELD;

	mpi_table_set(&mpi_handle_tables[object], handle, value);
	return value;
}

/* The value of a handle, a new one if it has none yet; 0 for what can be no handle. */
static uint64_t value_of(enum mpi_object object, uintptr_t handle)
{
	uint64_t value;

	if (mpi_way_now() == MPI_WAY_FOREIGN || handle <= MPI_TABLE_KEY_NEVER)
		return 0;
	mpi_handles_load();
	mpi_lock(&handles_lock);
	value = mpi_table_find(&mpi_handle_tables[object], handle);
	if (value == MPI_TABLE_NONE)
		value = number_new(object, handle);
	mpi_unlock(&handles_lock);
	return value;
}

uint32_t mpi_handle_number_slow(enum mpi_object object, uintptr_t handle)
{
	uint64_t value = value_of(object, handle);

	if (value != 0 && !(value & MPI_HANDLE_DEFINED) && define(object, handle, value))
		mark_defined(object, handle);
	return (uint32_t)value;
}

uint32_t mpi_handle_seen_slow(struct call *call, enum mpi_object object, uintptr_t handle)
{
	struct mpi_table *table = &mpi_handle_tables[object];
	uint64_t value = mpi_table_find(table, handle);
	bool asks = object == MPI_OBJECT_DATATYPE || object == MPI_OBJECT_GROUP;

	if (value == MPI_TABLE_NONE)
		value = value_of(object, handle);
	if (value == 0)
		return 0;
	if (value & MPI_HANDLE_DEFINED)
		return mpi_table_remember(table, handle, (uint32_t)value);
	if (asks && !(value & MPI_HANDLE_PREDEFINED))
		mpi_unknown_add(call, object, handle);
	else if (define(object, handle, value))
		mark_defined(object, handle);
	return (uint32_t)value;
}

uint32_t mpi_handle_plain(enum mpi_object object, uintptr_t handle)
{
	uint64_t value = value_of(object, handle);
	uint64_t known = value & (MPI_HANDLE_PREDEFINED | MPI_HANDLE_DEFINED);

	if (known == MPI_HANDLE_PREDEFINED && define(object, handle, value))
		mark_defined(object, handle);
	return (uint32_t)value;
}

static uint32_t hold(enum mpi_object object, uintptr_t handle, bool shared)
{
	struct mpi_table *table = &mpi_handle_tables[object];
	uint64_t value;

	if (mpi_way_now() == MPI_WAY_FOREIGN || !handle)
		return 0;
	mpi_handles_load();
	mpi_lock(&handles_lock);
	value = mpi_table_find(table, handle);
	if (value == MPI_TABLE_NONE)
		number_new(object, handle);
	else if (!(value & MPI_HANDLE_PREDEFINED) && shared)
		mpi_table_set(table, handle, value + MPI_HANDLE_HELD);
	else if (!(value & MPI_HANDLE_PREDEFINED))
		number_new(object, handle); /* the old one was freed where we do not see it */
	mpi_unlock(&handles_lock);
	return mpi_handle_number(object, handle);
}

uint32_t mpi_handle_made(enum mpi_object object, uintptr_t handle)
{
	return hold(object, handle, objects[object].shared);
}

uint32_t mpi_handle_shared(enum mpi_object object, uintptr_t handle)
{
	return hold(object, handle, true);
}

uint32_t mpi_handle_ended(enum mpi_object object, uintptr_t handle)
{
	struct mpi_table *table = &mpi_handle_tables[object];
	uint32_t number = mpi_handle_plain(object, handle);
	uint64_t value;

	mpi_lock(&handles_lock);
	value = mpi_table_find(table, handle);
	if (value != MPI_TABLE_NONE && !(value & MPI_HANDLE_PREDEFINED)) {
		if (value < 2 * MPI_HANDLE_HELD)
			mpi_table_remove(table, handle);
		else
			mpi_table_set(table, handle, value - MPI_HANDLE_HELD);
	}
	mpi_unlock(&handles_lock);
	return number;
}

void mpi_datatype_renamed(MPI_Datatype type)
{
	uint32_t number = mpi_handle_number(MPI_OBJECT_DATATYPE, (uintptr_t)type);
	const struct mpi_library *mpi = mpi_running();

	if (mpi)
		define_datatype(mpi, type, number);
}

void mpi_win_renamed(MPI_Win win)
{
	uint32_t number = mpi_handle_number(MPI_OBJECT_WIN, (uintptr_t)win);
	const struct mpi_library *mpi = mpi_running();
	char name[MPI_MAX_OBJECT_NAME + 1] = "";
	struct mpi_query query;
	int length = 0;

	if (!mpi)
		return;
	mpi_query_begin(&query);
	mpi->Win_get_name(win, name, &length);
	mpi_query_end(&query);
	define_name(MPI_OBJECT_WIN, number, name);
}

int64_t mpi_contents_count(MPI_Datatype type)
{
	int64_t count;
	const struct mpi_library *mpi = mpi_running();
	struct mpi_query query;

	if (!mpi)
		return 0;
	mpi_query_begin(&query);
	envelope(mpi, type, &count);
	mpi_query_end(&query);
	return count;
}

void mpi_contents_held(MPI_Datatype type, int64_t most, const MPI_Datatype types[])
{
	int64_t count = types ? mpi_contents_count(type) : 0;

	for (int64_t at = 0; at < count && at < most; at++)
		mpi_handle_shared(MPI_OBJECT_DATATYPE, (uintptr_t)types[at]);
}

uint32_t mpi_handle_unseen(enum mpi_object object)
{
	static atomic_bool defined[MPI_OBJECTS];

	if (!atomic_exchange_explicit(&defined[object], true, memory_order_relaxed))
		mpi_handle_null_defined(object);
	return 0;
}

uint32_t mpi_win_made(int result, const MPI_Win *made, enum win_flavor flavor, MPI_Comm comm,
		      MPI_Aint size, MPI_Aint unit)
{
	struct def_win def = {.flavor = flavor, .unit = (int32_t)unit, .size = size};
	uint8_t payload[64];

	if (result != MPI_SUCCESS || !made)
		return 0;
	def.comm = mpi_comm_number(comm);
	def.id = mpi_handle_made(MPI_OBJECT_WIN, (uintptr_t)*made);
	arena_put(DEF_WIN, payload, def_win_pack(payload, sizeof(payload), &def));
	return def.id;
}

void mpi_handle_null_defined(enum mpi_object object)
{
	define_name(object, 0, mpi_predefined_name(object, 0));
}

/* Whether any function of this one's layer is recorded. */
static bool layer_is_recorded(unsigned function)
{
	return selection_count(&layer_table[function_table[function].layer]) > 0;
}

static void load(const struct mpi_predefined *predefined, uint32_t number)
{
	enum mpi_object object = predefined->object;

	if (object == MPI_OBJECT_COMM) {
		mpi_comm_predefined(predefined->handle, number);
	} else if (object == MPI_OBJECT_REQUEST) {
		mpi_request_null = predefined->handle;
		mpi_requests_kept =
			layer_is_recorded(FN_MPI_Test) || layer_is_recorded(FN_MPI_File_iread);
	} else if (object == MPI_OBJECT_FILE) {
		mpi_table_set(&mpi_handle_tables[object], predefined->handle, MPI_FILE_PAIR_NULL);
	} else {
		mpi_table_set(&mpi_handle_tables[object], predefined->handle,
			      number | MPI_HANDLE_PREDEFINED | MPI_HANDLE_HELD);
		atomic_store_explicit(&numbers[object], number, memory_order_relaxed);
	}
}

void mpi_handles_load(void)
{
	enum { NOT_LOADED, LOADING, LOADED };
	static atomic_uint state;
	unsigned expected = NOT_LOADED;

	if (atomic_load_explicit(&state, memory_order_acquire) == LOADED || !mpi_library())
		return;
	if (atomic_compare_exchange_strong(&state, &expected, LOADING)) {
		mpi_predefined_each(load);
		atomic_store_explicit(&state, LOADED, memory_order_release);
	}
	while (atomic_load_explicit(&state, memory_order_acquire) != LOADED)
		sys_sched_yield();
}
