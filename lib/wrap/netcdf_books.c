/* SPDX-License-Identifier: MIT */
/* netcdf_books.c - see netcdf_books.h */
#include "wrap/netcdf_books.h"

#include <string.h>

#include "functions_gen.h"
#include "record/args.h"
#include "record/readable.h"
#include "wrap/mpi_query.h"
#include "wrap/object_table.h"

#define DIMENSIONS_MAX 64  /* variables of more are not counted whole */
#define NAME_ROOM 512      /* NC_MAX_NAME is 256 */
#define GROUP_BITS 0xffffu /* of an ncid; the rest is the file's */
#define VARIDS (1 << 24)   /* variables beyond are not known */

static const char variable_kind[] = "variable", group_kind[] = "group";

/* What a file or group has: to be removed when the file is closed. */
struct nc_place {
	uint32_t object;
	_Atomic int32_t last_variable;
	_Atomic uint32_t last_group;
	struct nc_place *next_free;
};

static struct mpi_table places;    /* struct nc_place, by ncid */
static struct mpi_table variables; /* struct variable, packed, by ncid and varid */
static struct nc_place *free_places;
static struct mpi_lock places_lock;

static uint64_t variable_pack(struct nc_variable variable)
{
	return (uint64_t)(variable.size & 0xffffff) << 40 |
	       (uint64_t)((variable.dimensions + 1) & 0xffff) << 24 | (variable.object & 0xffffff);
}

static struct nc_variable variable_unpack(uint64_t value)
{
	if (value == MPI_TABLE_NONE)
		return (struct nc_variable){0, -1, 0};
	return (struct nc_variable){(uint32_t)value & 0xffffff, (int32_t)(value >> 24 & 0xffff) - 1,
				    (uint32_t)(value >> 40)};
}

static uintptr_t variable_key(const struct real *real, int ncid, int varid)
{
	return ((uintptr_t)real->library << 56 | (uintptr_t)(uint32_t)ncid << 24 |
		(uint32_t)varid) +
	       2;
}

static bool is_varid(int varid)
{
	return varid >= 0 && varid < VARIDS - 2;
}

/* ---- files and groups ---- */

static struct nc_place *place_of(const struct real *real, int ncid)
{
	uint64_t value = mpi_table_find(&places, object_key(real, ncid));

	return value == MPI_TABLE_NONE ? NULL : (struct nc_place *)(uintptr_t)value;
}

static struct nc_place *place_new(void)
{
	struct nc_place *place;

	mpi_lock(&places_lock);
	place = free_places;
	if (place)
		free_places = place->next_free;
	mpi_unlock(&places_lock);
	return place ? place : mpi_memory_get(sizeof(*place));
}

static void place_free(struct nc_place *place)
{
	mpi_lock(&places_lock);
	place->next_free = free_places;
	free_places = place;
	mpi_unlock(&places_lock);
}

static void place_add(const struct real *real, int ncid, uint32_t object)
{
	struct nc_place *place = place_of(real, ncid);

	if (!place)
		place = place_new();
	if (!place)
		return;
	place->object = object;
	place->last_variable = -1;
	place->last_group = 0;
	mpi_table_set(&places, object_key(real, ncid), (uintptr_t)place);
}

static void place_remove(const struct real *real, int ncid)
{
	struct nc_place *place = place_of(real, ncid);

	if (!place)
		return;
	mpi_table_remove(&places, object_key(real, ncid));
	for (int varid = 0; varid <= place->last_variable; varid++)
		mpi_table_remove(&variables, variable_key(real, ncid, varid));
	place_free(place);
}

/* What an ncid stands for; of a group that is not known the file. */
static uint32_t object_at(const struct real *real, int ncid)
{
	struct nc_place *place = place_of(real, ncid);

	if (!place)
		place = place_of(real, (int)((unsigned)ncid & ~GROUP_BITS));
	return place ? place->object : 0;
}

void nc_opened(const struct real *real, const char *path, int ncid)
{
	size_t length;
	uint32_t file;

	/* what is read from a server is no file */
	if (!path || !readable_string(path, &length) || strstr(path, "://"))
		return;
	file = object_of_path(path);
	if (file)
		place_add(real, ncid, file);
}

void nc_closed(const struct real *real, int ncid)
{
	struct nc_place *place = place_of(real, ncid);
	uint32_t groups = place ? place->last_group : 0;

	for (uint32_t group = 1; group <= groups; group++)
		place_remove(real, (int)((unsigned)ncid + group));
	place_remove(real, ncid);
}

void nc_group(const struct real *real, int parent, const char *name, const int *ncid)
{
	char path[OBJECT_NAME_MAX];
	struct nc_place *root;
	uint32_t begin = object_at(real, parent), group;

	if (!begin || !name || !ncid || (root = place_of(real, *ncid)))
		return;
	object_path(path, begin, name);
	place_add(real, *ncid, object_of_name(group_kind, object_file(begin), path));
	root = place_of(real, (int)((unsigned)*ncid & ~GROUP_BITS));
	group = (unsigned)*ncid & GROUP_BITS;
	if (root && group > root->last_group)
		root->last_group = group;
}

/* ---- variables ---- */

static struct nc_variable variable_of(const struct real *real, int ncid, int varid)
{
	return variable_unpack(is_varid(varid)
				       ? mpi_table_find(&variables, variable_key(real, ncid, varid))
				       : MPI_TABLE_NONE);
}

static void keep(const struct real *real, int ncid, int varid, struct nc_variable variable)
{
	struct nc_place *place = place_of(real, ncid);

	/* only what is forgotten again */
	if (!place || !is_varid(varid))
		return;
	if (varid > place->last_variable)
		place->last_variable = varid;
	mpi_table_set(&variables, variable_key(real, ncid, varid), variable_pack(variable));
}

static void name_variable(const struct real *real, int ncid, int varid, const char *name,
			  struct nc_variable variable)
{
	char path[OBJECT_NAME_MAX];
	uint32_t begin = object_at(real, ncid);

	if (!begin)
		return;
	object_path(path, begin, name);
	variable.object = object_of_name(variable_kind, object_file(begin), path);
	keep(real, ncid, varid, variable);
}

void nc_named(const struct real *real, int ncid, const char *name, const int *varid)
{
	if (name && varid)
		name_variable(real, ncid, *varid, name, variable_of(real, ncid, *varid));
}

void nc_defined(const struct real *real, int ncid, const char *name, int dimensions,
		const int *varid)
{
	if (name && varid)
		name_variable(real, ncid, *varid, name, (struct nc_variable){0, dimensions, 0});
}

/* ---- asking the library ---- */

typedef int ask_name(int ncid, int id, char *name);
typedef int ask_number(int ncid, int id, int *number);
typedef int ask_length(int ncid, int id, size_t *length);
typedef int ask_type(int ncid, int type, char *name, size_t *size);

static const struct {
	unsigned name, dimensions, type, dimension, length;
} questions[] = {
	[NC_PLAIN] = {SYM_nc_inq_varname, SYM_nc_inq_varndims, SYM_nc_inq_vartype,
		      SYM_nc_inq_vardimid, SYM_nc_inq_dimlen},
	[NC_PARALLEL] = {SYM_ncmpi_inq_varname, SYM_ncmpi_inq_varndims, SYM_ncmpi_inq_vartype,
			 SYM_ncmpi_inq_vardimid, SYM_ncmpi_inq_dimlen},
};

static void *beside(const struct real *real, unsigned symbol)
{
	return scope_real(symbol, (uintptr_t)real->function).function;
}

static uint32_t ask_size(const struct real *real, enum nc_api api, int ncid, int type)
{
	static const uint8_t sizes[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8, sizeof(char *)};
	ask_type *inq_type;
	size_t size = 0;

	if (type > 0 && (size_t)type < sizeof(sizes))
		return sizes[type];
	inq_type = api == NC_PLAIN ? beside(real, SYM_nc_inq_type) : NULL;
	if (!inq_type || inq_type(ncid, type, NULL, &size))
		return 0;
	return (uint32_t)size;
}

struct nc_variable nc_learn(const struct real *real, enum nc_api api, int ncid, int varid)
{
	struct nc_variable variable = variable_of(real, ncid, varid);
	ask_name *inq_name = beside(real, questions[api].name);
	ask_number *inq_ndims = beside(real, questions[api].dimensions);
	ask_number *inq_type = beside(real, questions[api].type);
	char name[NAME_ROOM] = "";
	struct mpi_query query;
	int type = 0;

	if (variable.object && variable.dimensions >= 0 && variable.size)
		return variable;
	mpi_query_begin(&query);
	if (variable.dimensions < 0 && inq_ndims)
		inq_ndims(ncid, varid, &variable.dimensions);
	if (!variable.size && inq_type && !inq_type(ncid, varid, &type))
		variable.size = ask_size(real, api, ncid, type);
	if (!variable.object && inq_name && inq_name(ncid, varid, name))
		name[0] = '\0';
	mpi_query_end(&query);
	if (name[0])
		name_variable(real, ncid, varid, name, variable);
	else
		keep(real, ncid, varid, variable);
	return variable;
}

int64_t length_vardims(const struct real *real, int ncid, int varid)
{
	return nc_learn(real, NC_PLAIN, ncid, varid).dimensions;
}

int64_t length_pvardims(const struct real *real, int ncid, int varid)
{
	return nc_learn(real, NC_PARALLEL, ncid, varid).dimensions;
}

int64_t nc_elements(const struct real *real, enum nc_api api, int ncid, int varid)
{
	int32_t dimensions = nc_learn(real, api, ncid, varid).dimensions;
	ask_number *inq_dimids = beside(real, questions[api].dimension);
	ask_length *inq_length = beside(real, questions[api].length);
	int64_t elements = 1, length;
	int dimids[DIMENSIONS_MAX];
	struct mpi_query query;
	bool known;

	if (dimensions < 0 || dimensions > DIMENSIONS_MAX || !inq_dimids || !inq_length)
		return -1;
	mpi_query_begin(&query);
	known = !inq_dimids(ncid, varid, dimids);
	for (int i = 0; known && i < dimensions; i++)
		known = !inq_length(ncid, dimids[i], (size_t *)&length) &&
			!__builtin_mul_overflow(elements, length, &elements);
	mpi_query_end(&query);
	return known ? elements : -1;
}

/* ---- in records ---- */

void arg_ncid(struct call *call, unsigned index, const struct real *real, int ncid)
{
	arg_object(call, index, ncid, object_at(real, ncid));
}

void arg_ncid_at(struct call *call, unsigned index, const struct real *real, const int *ncid)
{
	if (ncid)
		arg_ncid(call, index, real, *ncid);
}

void arg_varid(struct call *call, unsigned index, const struct real *real, int varid, int ncid)
{
	arg_object(call, index, varid, variable_of(real, ncid, varid).object);
}

void arg_varid_at(struct call *call, unsigned index, const struct real *real, const int *varid,
		  int ncid)
{
	if (varid)
		arg_varid(call, index, real, *varid, ncid);
}
