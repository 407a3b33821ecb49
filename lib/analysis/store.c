/* SPDX-License-Identifier: MIT */
/* store.c - see store.h */
#include "analysis/store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Goes over tables in one order, whether they are saved or loaded, so that there is one description of it. With an error nothing more happens, and what is
 * loaded is zeros.
 */
struct archive {
	bool loads;
	char *bytes;
	size_t size, at; /* at: of loading */
	size_t room;     /* of saving */
	int error;
};

static bool make_room(struct archive *archive, size_t more)
{
	size_t room = archive->room ? archive->room : 65536;
	char *bytes;

	while (room - archive->size < more)
		room *= 2;
	if (room == archive->room)
		return true;
	bytes = realloc(archive->bytes, room);
	if (!bytes) {
		archive->error = -ENOMEM;
		return false;
	}
	archive->bytes = bytes;
	archive->room = room;
	return true;
}

/* Bytes of the same size on both sides. */
static void pass(struct archive *archive, void *memory, size_t size)
{
	if (archive->error) {
		if (archive->loads)
			memset(memory, 0, size);
	} else if (!archive->loads) {
		if (make_room(archive, size)) {
			memcpy(archive->bytes + archive->size, memory, size);
			archive->size += size;
		}
	} else if (archive->size - archive->at < size) {
		archive->error = -EBADMSG;
		memset(memory, 0, size);
	} else {
		memcpy(memory, archive->bytes + archive->at, size);
		archive->at += size;
	}
}

/* A number that must be the same on both sides. */
static void agree(struct archive *archive, uint64_t number)
{
	uint64_t there = number;

	pass(archive, &there, sizeof(there));
	if (!archive->error && there != number)
		archive->error = -EBADMSG;
}

/* ---- dictionaries and what they number ---- */

static void save_keys(struct archive *archive, const struct dictionary *keys)
{
	for (uint32_t i = 0; i < keys->count; i++) {
		size_t size;
		const char *key = dictionary_key(keys, i, &size);

		pass(archive, &size, sizeof(size));
		pass(archive, (void *)(uintptr_t)key, size);
	}
}

/* Keys get the numbers that they had. */
static void load_keys(struct archive *archive, struct dictionary *keys, uint32_t count)
{
	for (uint32_t i = 0; i < count && !archive->error; i++) {
		uint32_t number;
		size_t size;

		pass(archive, &size, sizeof(size));
		if (archive->error)
			return;
		if (archive->size - archive->at < size) {
			archive->error = -EBADMSG;
			return;
		}
		archive->error =
			dictionary_number(keys, archive->bytes + archive->at, size, &number);
		archive->at += size;
		if (!archive->error && number != i)
			archive->error = -EBADMSG;
	}
}

/* A dictionary and its rows, `size` bytes each. Of loading *rows and *room are empty. */
static void pass_rows(struct archive *archive, struct dictionary *keys, void **rows, uint32_t *room,
		      size_t size)
{
	uint32_t count = keys->count;

	pass(archive, &count, sizeof(count));
	if (archive->loads) {
		load_keys(archive, keys, count);
		/* each key took some bytes, so that `count` is not absurd */
		*rows = archive->error ? NULL : calloc((size_t)count + 1, size);
		if (!*rows) {
			archive->error = archive->error ? archive->error : -ENOMEM;
			return;
		}
		*room = count + 1;
	} else {
		save_keys(archive, keys);
	}
	if (count > 0)
		pass(archive, *rows, count * size);
}

/* ---- tables ---- */

static void pass_sketch(struct archive *archive, struct sketch *sketch)
{
	uint32_t count = 0;

	for (unsigned i = 0; i < SEQUENCE_SYMBOLS; i++)
		count += sketch->counts[i] > 0;
	pass(archive, &count, sizeof(count));
	for (unsigned i = 0, next = 0; i < count && !archive->error; i++, next++) {
		while (!archive->loads && sketch->counts[next] == 0)
			next++;
		pass(archive, &next, sizeof(next));
		if (next >= SEQUENCE_SYMBOLS)
			archive->error = -EBADMSG;
		else
			pass(archive, &sketch->counts[next], sizeof(sketch->counts[next]));
	}
}

static void pass_function(struct archive *archive, struct function_row *row)
{
	bool there = row->times != NULL;

	pass(archive, &there, sizeof(there));
	if (!there || archive->error)
		return;
	if (archive->loads)
		row->times = calloc(1, sizeof(*row->times));
	if (!row->times) {
		archive->error = -ENOMEM;
		return;
	}
	pass(archive, &row->sums, sizeof(row->sums));
	pass(archive, &row->least, sizeof(row->least));
	pass(archive, &row->most, sizeof(row->most));
	pass(archive, &row->most_in_files, sizeof(row->most_in_files));
	pass_sketch(archive, row->times);
}

static void pass_grid(struct archive *archive, struct offset_grid *grid)
{
	size_t size;

	pass(archive, grid->columns, sizeof(grid->columns));
	pass(archive, &grid->most, sizeof(grid->most));
	pass(archive, &grid->shift, sizeof(grid->shift));
	pass(archive, &grid->count, sizeof(grid->count));
	pass(archive, &grid->room, sizeof(grid->room));
	size = grid->room * sizeof(*grid->cells);
	if (archive->loads && !archive->error && grid->room > 0) {
		if (archive->size - archive->at < size)
			archive->error = -EBADMSG;
		else
			grid->cells = malloc(size);
		if (!archive->error && !grid->cells)
			archive->error = -ENOMEM;
	}
	if (archive->error) {
		grid->room = grid->count = 0;
		return;
	}
	if (size > 0)
		pass(archive, grid->cells, size);
	offsets_count_columns(grid);
	if (archive->loads && grid->room > 0 && !offsets_are_valid(grid))
		archive->error = -EBADMSG;
}

static void pass_offsets(struct archive *archive, struct offset_grids *grids, uint32_t uses)
{
	uint32_t count = grids->count;

	pass(archive, &count, sizeof(count));
	pass(archive, &grids->level, sizeof(grids->level));
	pass(archive, &grids->weight, sizeof(grids->weight));
	if (!archive->error && (count > uses || grids->level > OFFSET_LEVELS))
		archive->error = -EBADMSG;
	if (archive->loads && !archive->error) {
		grids->list = calloc((size_t)count + 1, sizeof(*grids->list));
		grids->room = grids->list ? count + 1 : 0;
		archive->error = grids->list ? 0 : -ENOMEM;
	}
	for (uint32_t i = 0; i < count && !archive->error; i++) {
		if (archive->loads)
			grids->count = i + 1;
		pass_grid(archive, &grids->list[i]);
	}
}

static void pass_files(struct archive *archive, struct files *files)
{
	pass_rows(archive, &files->paths, (void **)&files->rows, &files->row_room,
		  sizeof(*files->rows));
	pass_rows(archive, &files->use_keys, (void **)&files->uses, &files->use_room,
		  sizeof(*files->uses));
	pass_rows(archive, &files->share_keys, (void **)&files->shares, &files->share_room,
		  sizeof(*files->shares));
	for (uint32_t i = 0; i < files->use_keys.count && !archive->error; i++)
		if (files->uses[i].file >= files->paths.count)
			archive->error = -EBADMSG;
	for (uint32_t i = 0; i < files->share_keys.count && !archive->error; i++)
		if (files->shares[i].use >= files->use_keys.count)
			archive->error = -EBADMSG;
	pass_offsets(archive, &files->offsets, files->use_keys.count);
}

/* Names are pointers: their texts follow. */
static void pass_names(struct archive *archive, struct messages *messages)
{
	for (uint32_t i = 0; i < messages->comm_keys.count && !archive->error; i++) {
		struct comm_row *row = &messages->comms[i];
		size_t size = !archive->loads && row->name ? strlen(row->name) : 0;

		pass(archive, &size, sizeof(size));
		if (!archive->loads) {
			if (size > 0)
				pass(archive, (void *)(uintptr_t)row->name, size);
			continue;
		}
		row->name = NULL;
		if (archive->error || archive->size - archive->at < size) {
			archive->error = -EBADMSG;
			return;
		}
		row->name = pool_copy(&messages->names, archive->bytes + archive->at, size);
		archive->error = row->name ? 0 : -ENOMEM;
		archive->at += size;
	}
}

static void pass_messages(struct archive *archive, struct messages *messages)
{
	pass_rows(archive, &messages->comm_keys, (void **)&messages->comms, &messages->comm_room,
		  sizeof(*messages->comms));
	pass_rows(archive, &messages->pair_keys, (void **)&messages->pairs, &messages->pair_room,
		  sizeof(*messages->pairs));
	pass_names(archive, messages);
}

/* An array of which nothing is known but its size. */
static void pass_array(struct archive *archive, void **array, uint32_t *count, uint32_t *room,
		       size_t size)
{
	pass(archive, count, sizeof(*count));
	if (archive->error || *count == 0)
		return;
	if (archive->loads) {
		if (archive->size - archive->at < *count * size) {
			archive->error = -EBADMSG;
			*count = 0;
			return;
		}
		*array = malloc(*count * size);
		if (!*array) {
			archive->error = -ENOMEM;
			*count = 0;
			return;
		}
		*room = *count;
	}
	pass(archive, *array, *count * size);
}

static void pass_touches(struct archive *archive, struct touches *touches, uint32_t files)
{
	pass_array(archive, (void **)&touches->list, &touches->count, &touches->room,
		   sizeof(*touches->list));
	pass_array(archive, (void **)&touches->untold, &touches->untold_count,
		   &touches->untold_room, sizeof(*touches->untold));
	for (uint32_t i = 0; i < touches->count && !archive->error; i++)
		if (touches->list[i].file >= files)
			archive->error = -EBADMSG;
	for (uint32_t i = 0; i < touches->untold_count && !archive->error; i++)
		if (touches->untold[i].file >= files)
			archive->error = -EBADMSG;
}

static void pass_half_list(struct archive *archive, struct half_list *things, uint32_t comms)
{
	pass(archive, &things->level, sizeof(things->level));
	pass_array(archive, (void **)&things->list, &things->count, &things->room,
		   sizeof(*things->list));
	for (uint32_t i = 0; i < things->count && !archive->error; i++)
		if (things->list[i].comm >= comms)
			archive->error = -EBADMSG;
}

static void pass_halves(struct archive *archive, struct halves *halves)
{
	pass_rows(archive, &halves->comm_keys, (void **)&halves->comms, &halves->comm_room,
		  sizeof(*halves->comms));
	pass(archive, halves->seen, sizeof(halves->seen));
	pass(archive, &halves->left_out, sizeof(halves->left_out));
	pass(archive, &halves->given_up, sizeof(halves->given_up));
	for (unsigned i = 0; i < HALVES_THINGS; i++)
		pass_half_list(archive, &halves->things[i], halves->comm_keys.count);
}

static void pass_series(struct archive *archive, struct series *series)
{
	agree(archive, series->count);
	agree(archive, (uint64_t)series->begin);
	agree(archive, (uint64_t)series->width);
	agree(archive, series->groups);
	pass(archive, series->layers, series->facts->layer_count * sizeof(*series->layers));
	pass(archive, series->heat, (size_t)series->groups * SERIES_HEATS * sizeof(*series->heat));
	pass(archive, series->states, OVERLAP_STATES * sizeof(*series->states));
}

static void pass_moved(struct archive *archive, struct moved *moved)
{
	for (unsigned place = 0; place < MOVED_PLACES; place++)
		for (unsigned height = 0; height < HEIGHT_NONE && !archive->error; height++) {
			struct moved_bins **row = &moved->rows[place][height];
			bool there = *row != NULL;

			pass(archive, &there, sizeof(there));
			if (!there || archive->error)
				continue;
			if (archive->loads)
				*row = calloc(1, sizeof(**row));
			if (*row)
				pass(archive, *row, sizeof(**row));
			else
				archive->error = -ENOMEM;
		}
}

static void pass_phases(struct archive *archive, struct phases *phases)
{
	pass(archive, &phases->epoch_halvings, sizeof(phases->epoch_halvings));
	pass(archive, &phases->step_halvings, sizeof(phases->step_halvings));
	pass_rows(archive, &phases->keys, (void **)&phases->rows, &phases->room,
		  sizeof(*phases->rows));
	for (uint32_t i = 0; i < phases->keys.count && !archive->error; i++) {
		size_t size;

		dictionary_key(&phases->keys, i, &size);
		if (size != sizeof(struct phase_key))
			archive->error = -EBADMSG;
	}
	if (phases->epoch_halvings > PHASES_HALVINGS || phases->step_halvings > PHASES_HALVINGS)
		archive->error = archive->error ? archive->error : -EBADMSG;
}

static void load_sizes(struct archive *archive, struct common_sizes *sizes, uint32_t count)
{
	struct common_size size;

	if (sizes->level > COMMON_SIZES_LEVELS || count > COMMON_SIZES)
		archive->error = -EBADMSG;
	for (uint32_t i = 0; i < count && !archive->error; i++) {
		pass(archive, &size, sizeof(size));
		if (!archive->error)
			archive->error = common_sizes_add(sizes, size.size, size.calls);
	}
}

static void pass_sizes(struct archive *archive, struct common_sizes *sizes)
{
	uint32_t count = sizes->count;

	pass(archive, &sizes->level, sizeof(sizes->level));
	pass(archive, &count, sizeof(count));
	if (archive->error)
		return;
	if (archive->loads) {
		load_sizes(archive, sizes, count);
		return;
	}
	for (uint32_t i = 0; i < sizes->room; i++)
		if (sizes->places[i].calls)
			pass(archive, &sizes->places[i], sizeof(sizes->places[i]));
}

static void pass_tables(struct archive *archive, struct tables *tables)
{
	const struct facts *facts = tables->facts;

	agree(archive, sizeof(struct tables) ^ sizeof(struct use_row) << 16 ^
			       sizeof(struct layer_bins) << 32);
	agree(archive, facts->function_count);
	agree(archive, facts->layer_count);
	agree(archive, facts->rank_count);
	for (unsigned i = 0; i < facts->function_count; i++)
		pass_function(archive, &tables->functions[i]);
	pass(archive, tables->layers, facts->layer_count * sizeof(*tables->layers));
	for (unsigned i = 0; i < facts->layer_count; i++)
		for (unsigned direction = 0; direction < ANALYSIS_DIRECTIONS; direction++)
			pass_sizes(archive, &tables->sizes[i][direction]);
	pass(archive, tables->ranks, facts->rank_count * sizeof(*tables->ranks));
	agree(archive, facts->info.streams);
	pass(archive, tables->processes, facts->info.streams * sizeof(*tables->processes));
	pass_rows(archive, &tables->failures.keys, (void **)&tables->failures.rows,
		  &tables->failures.room, sizeof(*tables->failures.rows));
	pass_files(archive, &tables->files);
	pass_messages(archive, &tables->messages);
	pass(archive, &tables->sites.mask, sizeof(tables->sites.mask));
	pass_rows(archive, &tables->sites.keys, (void **)&tables->sites.rows, &tables->sites.room,
		  sizeof(*tables->sites.rows));
	pass_halves(archive, &tables->halves);
	pass_touches(archive, &tables->touches, tables->files.paths.count);
	pass_series(archive, &tables->series);
	pass_moved(archive, &tables->moved);
	pass_phases(archive, &tables->phases);
}

int tables_save(const struct tables *tables, char **bytes, size_t *size)
{
	struct archive archive = {.loads = false};
	struct tables copy = *tables; /* saving changes nothing */

	pass_tables(&archive, &copy);
	if (archive.error)
		free(archive.bytes);
	*bytes = archive.error ? NULL : archive.bytes;
	*size = archive.size;
	return archive.error;
}

int tables_load(struct tables *tables, const char *bytes, size_t size)
{
	struct archive archive = {.loads = true, .bytes = (char *)(uintptr_t)bytes, .size = size};

	pass_tables(&archive, tables);
	if (!archive.error && archive.at != size)
		archive.error = -EBADMSG;
	return archive.error;
}
