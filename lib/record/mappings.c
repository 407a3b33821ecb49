/* SPDX-License-Identifier: MIT */
/* mappings.c - see mappings.h */
#include "record/mappings.h"

#include <stdatomic.h>

#include "record/bulk.h"
#include "record/errand.h"
#include "record/files.h"
#include "record/maps.h"
#include "record/ranges.h"
#include "record/readable.h"
#include "record/sys.h"
#include "record/wipe.h"

#define PAGE_MASK 4095ul /* of the smallest page there is */

/* In memory that a forked child inherits, as it does the mappings. */
static struct ranges *_Atomic inherited;

enum state { FRESH, BEING_NAMED, NAMED };

/* In wiped memory: whether the numbers of files are those of this process's stream. */
static _Atomic uint32_t *_Atomic state;

/* ---- of a forked child ---- */

/* One of the kernel's mappings, and its file once it is known. */
struct naming {
	const struct maps_line *line;
	uint32_t file;
};

static bool name(struct range *range, void *data)
{
	struct naming *naming = data;

	if (range->file)
		return false;
	if (!naming->file)
		naming->file =
			file_mapped(naming->line->path, naming->line->device, naming->line->inode);
	range->file = naming->file;
	return true;
}

/* Those of the parent that lie in it are of this file. */
static void name_inherited(const struct maps_line *line, void *ranges)
{
	struct naming naming = {line, 0};

	ranges_each(ranges, line->start, line->end, name, &naming);
}

static bool forget_name(struct range *range, void *unused)
{
	(void)unused;
	range->file = 0;
	return true;
}

static int ask_kernel(void *ranges)
{
	static struct maps_reader reader BULK;

	ranges_each(ranges, 0, UINTPTR_MAX, forget_name, NULL);
	return maps_read(&reader, name_inherited, ranges);
}

/* ---- the table ---- */

static _Atomic uint32_t *state_word(void)
{
	_Atomic uint32_t *word = atomic_load_explicit(&state, memory_order_acquire), *none = NULL;

	if (word || !files_active())
		return word;
	word = wipe_alloc(sizeof(*word));
	return word && !atomic_compare_exchange_strong(&state, &none, word) ? none : word;
}

/* NULL: nothing is mapped that we know of. */
static struct ranges *known(void)
{
	struct ranges *ranges = atomic_load_explicit(&inherited, memory_order_acquire);
	_Atomic uint32_t *word = ranges ? state_word() : NULL;
	uint32_t fresh = FRESH;

	if (!word)
		return NULL;
	if (atomic_load_explicit(word, memory_order_acquire) == NAMED)
		return ranges;
	if (!atomic_compare_exchange_strong(word, &fresh, BEING_NAMED))
		return NULL;
	errand_run(ask_kernel, ranges);
	atomic_store_explicit(word, NAMED, memory_order_release);
	return ranges;
}

static bool note_one(struct range *range, void *found)
{
	(void)range;
	*(bool *)found = true;
	return false;
}

/* Whether a part of the range is a file's, of whatever name: nothing is asked of the kernel. */
static bool is_of_file(const void *address, uint64_t length)
{
	struct ranges *ranges = atomic_load_explicit(&inherited, memory_order_acquire);
	uintptr_t start = (uintptr_t)address;
	bool found = false;

	if (ranges)
		ranges_each(ranges, start, start + length, note_one, &found);
	return found;
}

/* The same, made if it is not there. */
static struct ranges *known_or_made(void)
{
	struct ranges *ranges, *none = NULL;

	if (atomic_load_explicit(&inherited, memory_order_acquire) || !state_word())
		return known();
	ranges = sys_mmap(ranges_size(), PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
	if (sys_is_error((long)ranges))
		return NULL;
	readable_except(is_of_file);
	if (atomic_compare_exchange_strong(&inherited, &none, ranges))
		atomic_store(state_word(), NAMED);
	else
		sys_munmap(ranges, ranges_size());
	return known();
}

static uintptr_t end_of(const void *address, uint64_t length)
{
	uintptr_t end = ((uintptr_t)address + length + PAGE_MASK) & ~PAGE_MASK;

	return end < (uintptr_t)address ? UINTPTR_MAX : end;
}

/* ---- looking ---- */

struct search {
	uintptr_t start, end;
	uintptr_t lowest; /* where the range begins that was found */
	struct mapped_part part;
};

static bool take_lowest(struct range *range, void *data)
{
	struct search *search = data;
	uintptr_t from = range->start > search->start ? range->start : search->start;
	uintptr_t to = range->end < search->end ? range->end : search->end;

	if (range->start >= search->lowest)
		return false;
	search->lowest = range->start;
	search->part =
		(struct mapped_part){range->file, range->offset + (int64_t)(from - range->start),
				     to - from};
	return false;
}

struct mapped_part mapping_find(const void *address, uint64_t length)
{
	uintptr_t start = (uintptr_t)address;
	struct search search = {start, start + length, UINTPTR_MAX, {.offset = -1}};
	struct ranges *ranges = known();

	if (ranges)
		ranges_each(ranges, search.start, search.end, take_lowest, &search);
	return search.part;
}

/* ---- changing ---- */

void mapping_removed(const void *address, uint64_t length)
{
	struct ranges *ranges = known();

	if ((uintptr_t)address & PAGE_MASK || length == 0) /* the kernel refuses it */
		return;
	if (ranges)
		ranges_cut(ranges, (uintptr_t)address, end_of(address, length));
}

void mapping_added(const void *address, uint64_t length, uint32_t file, int64_t offset)
{
	struct range range = {(uintptr_t)address, end_of(address, length), offset, file};
	struct ranges *ranges;

	mapping_removed(address, length);
	if (!file)
		return;
	ranges = known_or_made();
	if (ranges)
		ranges_add(ranges, &range);
}

void mapping_moved(const void *from, uint64_t length, const void *to, uint64_t new_length)
{
	struct mapped_part part = mapping_find(from, length ? length : 1);

	mapping_removed(from, length);
	mapping_added(to, new_length, part.file, part.offset);
}
