/* SPDX-License-Identifier: MIT */
/* sites.c - see sites.h */
#include "analysis/sites.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/add.h"
#include "analysis/rows.h"

#define PATH_LONGEST 4096u
#define NOWHERE_BITS 12 /* of the mask, which are for places in no file alone */

/* A key as it is in the dictionary: zeros where the structure has holes. */
struct key_bytes {
	struct site_key key;
	char path[PATH_LONGEST];
};

static size_t make_key(struct key_bytes *bytes, uint32_t function, uint64_t offset,
		       const char *path)
{
	size_t length = strnlen(path, PATH_LONGEST - 1);

	memset(&bytes->key, 0, sizeof(bytes->key));
	bytes->key.offset = offset;
	bytes->key.function = function;
	memcpy(bytes->path, path, length);
	return sizeof(bytes->key) + length;
}

/* The same in all processes, unlike that of an index. */
static uint32_t hash_of(const void *key, size_t size)
{
	const uint8_t *bytes = key;
	uint64_t hash = 0xcbf29ce484222325u;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ bytes[i]) * 0x100000001b3u;
	return (uint32_t)(hash >> 32 ^ hash);
}

static bool is_left_out(const struct sites *sites, const void *key, size_t size)
{
	bool nowhere = size <= sizeof(struct site_key);

	return hash_of(key, size) & (nowhere ? sites->mask : sites->mask >> NOWHERE_BITS);
}

static void note_place(struct site_row *into, uint32_t stream, uint32_t module)
{
	if (into->sums.calls == 0 || stream < into->stream ||
	    (stream == into->stream && module < into->module)) {
		into->stream = stream;
		into->module = module;
	}
}

static void add_row(struct site_row *into, const struct analysis_sums *sums, uint32_t stream,
		    uint32_t module)
{
	note_place(into, stream, module);
	add_calls(&into->sums, sums);
}

/* ---- as many as may be ---- */

static int put(struct sites *sites, const void *key, size_t size, uint32_t *number)
{
	struct site_row *rows =
		rows_grown_zeroed(sites->rows, &sites->room, sites->keys.count, sizeof(*rows));

	if (!rows)
		return -ENOMEM;
	sites->rows = rows;
	return dictionary_number(&sites->keys, key, size, number);
}

/* Leaves those that the mask lets through. */
static int thin(struct sites *sites)
{
	struct sites *fewer = calloc(1, sizeof(*fewer));
	int error = fewer ? 0 : -ENOMEM;

	for (uint32_t i = 0; !error && i < sites->keys.count; i++) {
		uint32_t number;
		size_t size;
		const char *key = dictionary_key(&sites->keys, i, &size);

		if (is_left_out(sites, key, size))
			continue;
		error = put(fewer, key, size, &number);
		if (!error)
			fewer->rows[number] = sites->rows[i];
	}
	if (!error) {
		fewer->mask = sites->mask;
		dictionary_release(&sites->keys);
		free(sites->rows);
		*sites = *fewer;
	} else if (fewer) {
		sites_release(fewer);
	}
	free(fewer);
	return error;
}

/* *row becomes NULL if the place is not one of those that are kept. */
static int find(struct sites *sites, const void *key, size_t size, struct site_row **row,
		uint32_t *number)
{
	int error = 0;

	*row = NULL;
	if (is_left_out(sites, key, size))
		return 0;
	error = put(sites, key, size, number);
	while (!error && sites->keys.count > SITES_MAX && sites->mask != UINT32_MAX) {
		sites->mask = 2 * sites->mask + 1;
		error = thin(sites);
		if (error || is_left_out(sites, key, size))
			return error;
		error = put(sites, key, size, number);
	}
	if (!error)
		*row = &sites->rows[*number];
	return error;
}

/* ---- counting ---- */

static struct site_known *known_place(struct sites *sites, const struct site_place *place)
{
	uint64_t mixed = (place->offset ^ (uint64_t)place->function << 20 ^ place->module) *
			 0x9e3779b97f4a7c15u;

	return &sites->known[mixed >> 40 & (SITES_KNOWN - 1)];
}

static bool is_known(const struct site_known *known, const struct site_place *place)
{
	return known->row > 0 && known->place.offset == place->offset &&
	       known->place.stream == place->stream && known->place.module == place->module &&
	       known->place.function == place->function;
}

int sites_count(struct sites *sites, const struct facts *facts, const struct site_place *place,
		const struct analysis_sums *sums)
{
	struct site_known *known = known_place(sites, place);
	struct reader_module module = {.path = ""};
	struct key_bytes key;
	struct site_row *row;
	uint32_t number;
	int error;

	if (is_known(known, place)) {
		add_row(&sites->rows[known->row - 1], sums, place->stream, place->module);
		return 0;
	}
	if (place->module)
		reader_module(facts->trace, place->stream, place->module, &module);
	error = find(sites, &key, make_key(&key, place->function, place->offset, module.path), &row,
		     &number);
	if (error || !row)
		return error;
	add_row(row, sums, place->stream, place->module);
	*known = (struct site_known){*place, number + 1};
	return 0;
}

int sites_merge(struct sites *into, const struct sites *from)
{
	int error = 0;

	if (from->mask > into->mask) {
		into->mask = from->mask;
		error = thin(into);
	}
	for (uint32_t i = 0; !error && i < from->keys.count; i++) {
		const struct site_row *row = &from->rows[i];
		struct site_row *merged;
		uint32_t number;
		size_t size;
		const char *key = dictionary_key(&from->keys, i, &size);

		error = find(into, key, size, &merged, &number);
		if (!error && merged)
			add_row(merged, &row->sums, row->stream, row->module);
	}
	return error;
}

struct site_key sites_key(const struct sites *sites, uint32_t number, const char **path)
{
	struct site_key key;
	size_t size;
	const char *bytes = dictionary_key(&sites->keys, number, &size);

	if (size < sizeof(key)) { /* of a table that was not made here */
		*path = "";
		return (struct site_key){0};
	}
	memcpy(&key, bytes, sizeof(key));
	*path = bytes + sizeof(key);
	return key;
}

void sites_release(struct sites *sites)
{
	dictionary_release(&sites->keys);
	free(sites->rows);
}

#ifdef UNIT_TEST
#include "unittest.h"

static int count_many(struct sites *sites, unsigned first, unsigned step, unsigned end,
		      const char *path)
{
	struct analysis_sums sums = {.calls = 1};
	int error = 0;

	for (unsigned i = first; i < end && !error; i += step) {
		struct key_bytes key;
		struct site_row *row;
		uint32_t number;

		error = find(sites, &key, make_key(&key, 1, i, path), &row, &number);
		if (!error && row)
			add_row(row, &sums, i, 1);
	}
	return error;
}

TEST_CASE(sites_that_are_kept_depend_on_no_order)
{
	static struct sites all, even, odd;
	unsigned same = 0;

	REQUIRE(!count_many(&all, 0, 1, 150000, "/bin/x"));
	REQUIRE(!count_many(&odd, 1, 2, 150000, "/bin/x"));
	REQUIRE(!count_many(&even, 0, 2, 150000, "/bin/x"));
	REQUIRE(!sites_merge(&odd, &even));
	EXPECT_EQ(all.mask, odd.mask);
	EXPECT_EQ(all.keys.count, odd.keys.count);
	EXPECT(all.keys.count <= SITES_MAX && all.keys.count > SITES_MAX / 4);
	for (uint32_t i = 0; i < all.keys.count; i++) {
		uint32_t number;
		size_t size;
		const char *key = dictionary_key(&all.keys, i, &size);

		REQUIRE(!dictionary_number(&odd.keys, key, size, &number));
		same += number < all.keys.count && odd.rows[number].sums.calls == 1 &&
			odd.rows[number].stream == all.rows[i].stream;
	}
	EXPECT_EQ(same, all.keys.count);
	sites_release(&all);
	sites_release(&even);
	sites_release(&odd);
}

TEST_CASE(sites_in_no_file_go_first)
{
	static struct sites sites;
	uint32_t in_file = 0;

	REQUIRE(!count_many(&sites, 0, 1, 20000, "/bin/x"));
	REQUIRE(!count_many(&sites, 0, 1, 500000, ""));
	for (uint32_t i = 0; i < sites.keys.count; i++) {
		const char *path;

		sites_key(&sites, i, &path);
		in_file += *path != 0;
	}
	EXPECT_EQ(in_file, 20000);
	EXPECT(sites.keys.count > 20000 + 500000 / 32 && sites.keys.count <= SITES_MAX);
	sites_release(&sites);
}
#endif
