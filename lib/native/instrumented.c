/* SPDX-License-Identifier: MIT */
/* instrumented.c - see instrumented.h */
#include "native/instrumented.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "native/addresses.h"
#include "native/asked.h"
#include "native/elf_symbols.h"
#include "native/finding.h"
#include "native/hot.h"
#include "native/native_names.h"
#include "native/thunks.h"
#include "record/bulk.h"
#include "record/pushed.h"
#include "record/config.h"
#include "record/lifecycle.h"
#include "record/named.h"
#include "record/patience.h"
#include "record/quick.h"
#include "record/sharing.h"
#include "record/targets.h"

#define EXPORTED __attribute__((visibility("default")))
#define KEPT_SYMBOLS 8u
#define SAME_FRAME                                                                                 \
	64u /* functions that are inlined into one another call from one frame, of some bytes */

EXPORTED void __cyg_profile_func_enter(void *function, void *site);
EXPORTED void __cyg_profile_func_exit(void *function, void *site);

uint8_t native_instrumented_off; /* nothing is recorded in this process; read by thunks_CPU.S */
void *native_next_mcount;
_Atomic uint64_t native_addresses[ADDRESSES] BULK;

/* ---- addresses ---- */

void address_add(uintptr_t address, uint32_t number)
{
	uint64_t word = (uint64_t)address << ADDRESS_NUMBER_BITS | number;
	uint32_t place = address_place(address);

	for (unsigned i = 0; i < ADDRESSES_TRIED; i++) {
		uint64_t expected = 0;

		if (atomic_compare_exchange_strong(&native_addresses[(place + i) % ADDRESSES],
						   &expected, word) ||
		    expected >> ADDRESS_NUMBER_BITS == address)
			return;
	}
}

void addresses_forget(void)
{
	for (unsigned i = 0; i < ADDRESSES; i++)
		atomic_store_explicit(&native_addresses[i], 0, memory_order_relaxed);
}

/* ---- names ---- */

/* The names of objects that were asked for last stay mapped. */
static struct kept {
	struct elf_object object;
	struct elf_symbols symbols;
	bool open;
} kept[KEPT_SYMBOLS] BULK;
static unsigned kept_next;
static _Atomic bool asking;

static struct kept *kept_of(uintptr_t address)
{
	struct elf_object object;
	struct kept *place;

	for (unsigned i = 0; i < KEPT_SYMBOLS; i++)
		if (kept[i].open && address >= kept[i].object.start && address < kept[i].object.end)
			return &kept[i];
	if (!elf_object_at(address, &object))
		return NULL;
	place = &kept[kept_next++ % KEPT_SYMBOLS];
	if (place->open)
		elf_close(&place->symbols);
	place->open = elf_open(&place->symbols, &object, false) && elf_sort(&place->symbols);
	place->object = object;
	place->object.name = place->object.path + (object.name - object.path);
	return place->open ? place : NULL;
}

static bool is_meant(const struct kept *place, const char *symbol, enum instrumented_by how)
{
	bool meant = false;

	if (!targets_count())
		return how != INSTRUMENTED_MCOUNT; /* that is for gprof, mostly */
	for (unsigned i = 0; i < targets_count(); i++) {
		if (!asked_means(target_at(i), &place->object, symbol, place->symbols.fortran))
			continue;
		target_matched(i);
		meant = true;
	}
	return meant;
}

static uint32_t number_by_name(uintptr_t address, enum instrumented_by how)
{
	struct kept *place = kept_of(address);
	const ElfW(Sym) *symbol =
		place ? elf_function_at(&place->symbols, address - place->object.base) : NULL;
	struct native_name name;
	uint32_t number;

	if (!symbol)
		return ADDRESS_OFF;
	native_name(&name, elf_name(&place->symbols, symbol), place->symbols.fortran);
	if (!is_meant(place, elf_name(&place->symbols, symbol), how)) {
		targets_offer(name.plain);
		return ADDRESS_OFF;
	}
	number = finding_number(&place->object, name.text);
	return number == NAMED_NONE ? ADDRESS_OFF : number;
}

/* Others wait for whoever asks; a signal handler of his does not, see aside.c. */
uint32_t instrumented_ask(uintptr_t address, enum instrumented_by how)
{
	struct patience patience = {0};
	uint32_t number;

	if (!lifecycle_start()) {
		native_instrumented_off = 1;
		return ADDRESS_OFF;
	}
	while (atomic_exchange(&asking, true))
		if (!patience_wait(&patience))
			return ADDRESS_OFF;
	runtime_enter();
	native_names_init();
	number = number_by_name(address, how);
	runtime_leave();
	address_add(address, number);
	atomic_store(&asking, false);
	return number;
}

/* ---- -finstrument-functions ---- */

static __attribute__((cold, noinline)) uint32_t ask(uintptr_t address)
{
	int saved = errno;
	uint32_t number = ADDRESS_OFF;

	if (native_tls.busy) {
		loss_count(LOSS_SIGNAL, 1);
		return number;
	}
	native_tls.busy = 1;
	number = instrumented_ask(address, INSTRUMENTED_CALLS);
	native_tls.busy = 0;
	errno = saved;
	return number;
}

/* What is inlined returns to where the function does that it is part of: another one with that frame was called when this one had been left. */
static bool is_inlined(const struct thread *thread, uintptr_t frame, uintptr_t site)
{
	return frame - thread->calls[thread->level - 1].frame < SAME_FRAME &&
	       quick_top(thread)->callsite == site;
}

/* The innermost open call lies at the same frame, or further in: left, or one into which this one is inlined. */
static uintptr_t frame_within(struct thread *thread, uintptr_t frame, uintptr_t site)
{
	uintptr_t top;

	if (thread->level == 0 || (top = thread->calls[thread->level - 1].frame) > frame)
		return frame;
	if (is_inlined(thread, frame, site))
		return top - 1;
	if (thread_mode(thread) == THREAD_ACTIVE && thread_is_idle(thread)) {
		thread_set_busy(thread);
		call_drop_left(thread, frame);
		thread_set_idle(thread);
	}
	return frame;
}

static __attribute__((noinline)) void enter(void *function, uintptr_t frame, uintptr_t site)
{
	uint32_t number = address_number((uintptr_t)function);
	struct call call;

	if (number == ADDRESS_UNKNOWN)
		number = native_instrumented_off ? ADDRESS_OFF : ask((uintptr_t)function);
	if (number == ADDRESS_OFF)
		return;
	frame = frame_within(sharing_self(), frame, site);
	if (!pushed_enter(&call, number, 0, site))
		return;
	call.thread->calls[call.record->level].frame = frame;
	pushed_start(&call);
}

EXPORTED void __cyg_profile_func_enter(void *function, void *site)
{
	uint32_t number = address_number((uintptr_t)function);
	uintptr_t frame = (uintptr_t)__builtin_dwarf_cfa();
	struct thread *thread = thread_tls.self;

	sanitizer_forget_left();
	if (number == ADDRESS_OFF)
		return;
	if (likely(number < ADDRESS_OFF && function_state_of(number) == FUNCTION_ON &&
		   quick_claim(thread))) {
		if (likely(quick_frame_inside(thread) >= frame && quick_has_room(thread))) {
			quick_begin(thread, number, (uintptr_t)site, frame);
			return;
		}
		quick_give_up(thread);
	}
	enter(function, frame, (uintptr_t)site);
}

/* Those further in have no end: left, or of a function that leaves by a jump. */
static bool close_inner(struct thread *thread, uint32_t number, uintptr_t frame)
{
	uint32_t level = thread->level;

	while (level > 0 && thread->calls[level - 1].frame < frame + SAME_FRAME)
		if (call_open_record(thread, --level)->function == number) {
			call_drop_inside(thread, level + 1);
			return true;
		}
	return false;
}

static __attribute__((noinline)) void leave(uint32_t number, uintptr_t frame)
{
	struct thread *thread = sharing_self();
	struct call call;

	if (unlikely(!thread_is_idle(thread)))
		thread = thread->spare;
	if (!thread || !thread_is_idle(thread) || thread->level == 0 ||
	    thread->calls[thread->level - 1].frame + SAME_FRAME < frame)
		return;
	if (call_open_record(thread, thread->level - 1)->function != number &&
	    !close_inner(thread, number, frame))
		return;
	call = (struct call){thread, call_open_record(thread, thread->level - 1)};
	pushed_stop(&call);
	thread->calls[thread->level - 1].frame = (uintptr_t)&call;
	pushed_leave(&call);
}

/* Whether it is the thread's innermost call that ends. */
static CALL_INLINE bool is_at_top(const struct thread *thread, uint32_t number, uintptr_t frame)
{
	return thread->level > 0 && thread->calls[thread->level - 1].frame + SAME_FRAME >= frame &&
	       quick_top(thread)->function == number;
}

/* At `now`, and the thread is busy. */
static __attribute__((noinline)) void leave_at(struct thread *thread, uint32_t number,
					       uintptr_t frame, uint64_t now)
{
	if (is_at_top(thread, number, frame)) {
		quick_leave(thread, now);
	} else {
		quick_give_up(thread);
		leave(number, frame);
	}
}

EXPORTED void __cyg_profile_func_exit(void *function, void *site)
{
	uint32_t number = address_number((uintptr_t)function);
	uintptr_t frame = (uintptr_t)__builtin_dwarf_cfa();
	struct thread *thread = thread_tls.self;
	uint64_t now;

	(void)site;
	sanitizer_forget_left();
	if (number >= ADDRESS_OFF)
		return;
	if (unlikely(!quick_claim(thread))) {
		leave(number, frame);
		return;
	}
	now = clock_counter();
	if (likely(is_at_top(thread, number, frame) && quick_end(thread, 0, now)))
		return;
	leave_at(thread, number, frame, now);
}

static void nothing(void)
{
}

/* At its first call: a program without one pays nothing for it. */
unsigned native_mcount_find(struct native_frame *frame, void *vectors)
{
	int saved = errno;
	void *next;

	(void)frame;
	(void)vectors;
	runtime_enter();
	next = dlsym(RTLD_NEXT, "_mcount");
	runtime_leave();
	native_next_mcount = next ? next : (void *)(uintptr_t)nothing;
	errno = saved;
	return 0;
}
