/* SPDX-License-Identifier: MIT */
/* modules.c - mapped files by address. */
#include "record/modules.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "format/bump.h"
#include "format/defs.h"
#include "record/arena.h"
#include "record/build_id.h"
#include "record/bulk.h"
#include "record/cfi.h"
#include "record/critical.h"
#include "record/errand.h"
#include "record/maps.h"
#include "record/overhead.h"
#include "record/sys.h"
#include "record/text.h"
#include "record/vdso.h"

#define MODULES_MAX 2048

struct module {
	uint64_t start, end, offset;
	uint64_t path_hash;
	uint32_t id;
	_Atomic uint32_t seen; /* `closings` when it was last found to be there */
	uint64_t base;         /* where the first page of its file is */
	uint64_t build_id;     /* hash of it; 0: it has none */
	/* what was said of it, for the stream of a forked child; NULL: there was no memory to keep it */
	const uint8_t *definition;
	uint32_t definition_size;
};

#define KEEP_STEP (64u << 10)
#define ATTENDED 64u /* records that are looked at */

/* Only grows; written under `refreshing`, read by anyone up to `count`. A module mapped over an older one comes
 * later, so searches go backwards. */
static struct module modules[MODULES_MAX] BULK;
static _Atomic uint32_t count;
static atomic_flag refreshing = ATOMIC_FLAG_INIT;
static _Atomic uint32_t openings, closings; /* of libraries */
static _Atomic uint32_t scanned;            /* their sum when it was last looked who is there */
static struct bump room;                    /* where definitions are kept */

static const uint8_t *keep(const uint8_t *definition, size_t size)
{
	void *place = bump_take(&room, size, 1), *more;

	if (!place) {
		more = sys_mmap(KEEP_STEP, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
		if (sys_is_error((long)more))
			return NULL;
		room = (struct bump){more, KEEP_STEP};
		place = bump_take(&room, size, 1);
	}
	return memcpy(place, definition, size);
}

static void define(struct module *module, const char *path)
{
	uint8_t payload[MAPS_PATH_SIZE + 128], build_id[64];
	struct def_module def = {.id = module->id,
				 .start = module->start,
				 .end = module->end,
				 .offset = module->offset,
				 .path = text_of(path)};
	size_t size;

	def.build_id =
		(struct text){(const char *)build_id,
			      build_id_of((const void *)module->base, build_id, sizeof(build_id))};
	size = def_module_pack(payload, sizeof(payload), &def);
	arena_put(DEF_MODULE, payload, size);
	module->build_id = def.build_id.length ? text_hash(build_id, def.build_id.length, 0) : 0;
	module->definition = keep(payload, size);
	module->definition_size = (uint32_t)size;
}

static struct module *find_known(const struct module *module, uint32_t known)
{
	for (uint32_t i = known; i-- > 0;)
		if (modules[i].start == module->start && modules[i].end == module->end &&
		    modules[i].path_hash == module->path_hash)
			return &modules[i];
	return NULL;
}

/* `base`: where the first page of the same file is mapped. */
static void add_mapping(const struct maps_line *mapping, uint64_t base)
{
	uint32_t known = atomic_load(&count);
	struct module module = {.start = mapping->start,
				.end = mapping->end,
				.offset = mapping->offset,
				.path_hash = text_hash(mapping->path, strlen(mapping->path), 0),
				.id = known + 1,
				.seen = atomic_load(&closings),
				.base = base};
	struct module *same = find_known(&module, known);

	if (same)
		atomic_store(&same->seen, module.seen);
	if (same || known == MODULES_MAX)
		return;
	define(&module, mapping->path);
	modules[known] = module;
	atomic_store_explicit(&count, known + 1, memory_order_release);
}

static void visit(const struct maps_line *mapping, void *base)
{
	uint64_t *first = base;

	if (mapping->offset == 0)
		*first = mapping->start;
	if (mapping->executable)
		add_mapping(mapping, *first);
}

static int scan_maps(void *unused)
{
	static struct maps_reader reader BULK;
	uint64_t base = 0;

	(void)unused;
	return maps_read(&reader, visit, &base);
}

static bool has_changed(void)
{
	return atomic_load(&scanned) != modules_changes();
}

void modules_refresh(void)
{
	critical_enter();
	if (!atomic_flag_test_and_set(&refreshing)) {
		atomic_store(&scanned, modules_changes());
		errand_run(scan_maps, NULL);
		atomic_flag_clear(&refreshing);
	}
	critical_leave();
}

/* Where nobody else counts what it takes. */
static void refresh_by_itself(void)
{
	int64_t begin = overhead_begin();

	modules_refresh();
	overhead_end(begin);
}

void modules_forking(void)
{
	if (has_changed())
		refresh_by_itself();
}

/* Whether a forked child has the definitions of all that is mapped. */
static bool knows_all(void)
{
	uint32_t known = atomic_load(&count);

	for (uint32_t i = 0; i < known; i++)
		if (!modules[i].definition)
			return false;
	return known > 0 && !has_changed();
}

void modules_begin(void)
{
	if (!knows_all()) {
		atomic_store(&count, 0);
		modules_refresh();
		return;
	}
	for (uint32_t i = 0; i < atomic_load(&count); i++)
		arena_put(DEF_MODULE, modules[i].definition, modules[i].definition_size);
}

/* Libraries take each other's place: the one that was seen last, of those the newest. */
static struct module *search(uint64_t address)
{
	uint32_t i = atomic_load_explicit(&count, memory_order_acquire);
	uint32_t now = atomic_load(&closings), seen = 0;
	struct module *found = NULL;

	while (i-- > 0 && !(found && seen == now)) {
		if (address < modules[i].start || address >= modules[i].end ||
		    (found && atomic_load(&modules[i].seen) <= seen))
			continue;
		found = &modules[i];
		seen = atomic_load(&found->seen);
	}
	return found;
}

/* Whether a look for new mappings may be worth it: not again and again for addresses of generated code. */
static bool may_refresh(void)
{
	static _Atomic int64_t last;
	int64_t now = vdso_clock_ns(CLOCK_MONOTONIC_COARSE) / 100000000;

	return atomic_exchange(&last, now) != now;
}

static bool is_there(const struct module *module)
{
	return module && atomic_load(&module->seen) == atomic_load(&closings);
}

/* The build-id that lies at its begin tells whether it is another library by now. */
static bool has_its_build_id(const struct module *module)
{
	uint8_t id[64];
	size_t size = build_id_of((const void *)module->base, id, sizeof(id));

	return module->build_id && size && text_hash(id, size, 0) == module->build_id;
}

/* Whether libraries were closed since it was seen, and another one may have come to where it was. */
static bool may_be_replaced(struct module *module)
{
	bool same = true;

	if (is_there(module) || !has_changed())
		return false;
	critical_enter();
	if (!atomic_flag_test_and_set(&refreshing)) {
		same = has_its_build_id(module);
		if (same)
			atomic_store(&module->seen, atomic_load(&closings));
		atomic_flag_clear(&refreshing);
	}
	critical_leave();
	return !same;
}

struct encode_site modules_find(uint64_t address)
{
	struct module *module = search(address);

	if (module ? may_be_replaced(module) : may_refresh()) {
		modules_refresh();
		module = search(address);
	}
	if (!module)
		return (struct encode_site){0, address};
	return (struct encode_site){module->id, address - module->start + module->offset};
}

static bool is_unknown(uint64_t address)
{
	struct module *module = search(address);

	return !module || may_be_replaced(module);
}

/* Whether the first of these records, the newest of the thread, were made in a library that is not known. */
static bool has_unknown(const uint8_t *record, const uint8_t *end)
{
	for (unsigned i = 0; i < ATTENDED && record < end; i++) {
		uint64_t site = ((const struct raw_record *)record)->callsite;

		if (site && is_unknown(site))
			return true;
		record += ((const struct raw_record *)record)->size;
	}
	return false;
}

void modules_attend(const uint8_t *records, const uint8_t *end)
{
	static _Atomic uint32_t met;
	uint32_t changes = modules_changes();

	if (atomic_exchange(&met, changes) == changes && has_changed() && has_unknown(records, end))
		refresh_by_itself();
}

bool modules_image(uint64_t address, struct cfi_image *image)
{
	struct module *module = search(address);

	if (!is_there(module) && (has_changed() || may_refresh())) {
		modules_refresh();
		module = search(address);
	}
	if (!is_there(module))
		return false;
	image->base = module->base;
	return true;
}

void modules_opening(void)
{
	atomic_fetch_add(&openings, 1);
}

void modules_closed(void)
{
	atomic_fetch_add(&closings, 1);
}

uint32_t modules_changes(void)
{
	return atomic_load(&openings) + atomic_load(&closings);
}

void modules_forked(void)
{
	/* another thread was about it */
	if (atomic_flag_test_and_set(&refreshing))
		atomic_store(&count, 0);
	room = (struct bump){NULL, 0};
	atomic_flag_clear(&refreshing);
}
