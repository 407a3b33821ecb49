/* SPDX-License-Identifier: MIT */
/* unwind.c - see unwind.h */
#include "record/unwind.h"

#include "record/modules.h"
#include "record/readable.h"

#define PAGE_SHIFT 12 /* of the smallest pages */

/* The words are other functions', in frames that AddressSanitizer may have marked. */
#define NOT_CHECKED __attribute__((no_sanitize("address")))

void unwind_begin(struct unwind *unwind, struct unwind_rules *rules,
		  const struct unwind_start *start, struct unwind_word *words, uint32_t word_max)
{
	*unwind = (struct unwind){
		.rules = rules,
		.pc = start->pc,
		.sp = start->sp,
		.fp = start->fp,
		.words = words,
		.word_max = word_max,
	};
}

/* A word of the stack, noted. False: it cannot be read. */
static inline NOT_CHECKED bool read_word(struct unwind *unwind, uintptr_t address, uintptr_t *value)
{
	if (address % sizeof(*value))
		return false;
	if (address >> PAGE_SHIFT != unwind->page) {
		if (!readable((const void *)address, sizeof(*value)))
			return false;
		unwind->page = address >> PAGE_SHIFT;
	}
	*value = *(const volatile uintptr_t *)address;
	if (unwind->word_count < unwind->word_max)
		unwind->words[unwind->word_count++] = (struct unwind_word){address, *value};
	else
		unwind->overflown = true;
	return true;
}

static bool is_plain(const struct cfi_row *row)
{
	return row->cfa.place == CFI_AT_SP && row->cfa.offset > 0 && !row->cfa_in_memory &&
	       row->cfa_more == 0 && !row->signal && row->return_address.place == CFI_AT_CFA &&
	       row->return_address.offset == -(int32_t)sizeof(uintptr_t) &&
	       (row->frame_pointer.place == CFI_SAME || row->frame_pointer.place == CFI_AT_CFA);
}

/* The rule of an address that was not known yet. */
static __attribute__((noinline)) const struct unwind_rule *learn(struct unwind_rule *rule,
								 uintptr_t pc)
{
	const struct cfi_row *row = &rule->row;
	struct cfi_image image;

	rule->pc = 0;
	if (!modules_image(pc, &image) || !cfi_find(&image, pc, &rule->row))
		return NULL;
	rule->pc = pc;
	rule->is_plain = is_plain(row);
	rule->cfa_offset = row->cfa.offset;
	rule->fp_saved = row->frame_pointer.place != CFI_SAME;
	rule->fp_offset = row->frame_pointer.offset;
	return rule;
}

static inline const struct unwind_rule *rule_of(struct unwind *unwind)
{
	/* the call is before the address that it returns to, at times in another function's row */
	uintptr_t pc = unwind->pc - !unwind->interrupted;
	struct unwind_rule *rule = &unwind->rules->rules[pc % UNWIND_RULES];

	return rule->pc == pc ? rule : learn(rule, pc);
}

static inline bool frame_pointer(struct unwind *unwind, uintptr_t *value)
{
	if (unwind->fp_lost)
		return false;
	if (unwind->fp_at) {
		if (!read_word(unwind, unwind->fp_at, &unwind->fp))
			return false;
		unwind->fp_at = 0;
	}
	unwind->start_fp |= !unwind->fp_moved;
	*value = unwind->fp;
	return true;
}

/* The address that a row means. */
static inline bool address_of(struct unwind *unwind, struct cfi_where where, uintptr_t cfa,
			      uintptr_t *address)
{
	uintptr_t base = unwind->sp;

	if (where.place == CFI_AT_CFA)
		base = cfa;
	else if (where.place == CFI_AT_FP && !frame_pointer(unwind, &base))
		return false;
	else if (where.place != CFI_AT_FP && where.place != CFI_AT_SP)
		return false;
	*address = base + (uintptr_t)(intptr_t)where.offset;
	return true;
}

static inline bool find_cfa(struct unwind *unwind, const struct cfi_row *row, uintptr_t *cfa)
{
	if (!address_of(unwind, row->cfa, 0, cfa))
		return false;
	if (row->cfa_in_memory && !read_word(unwind, *cfa, cfa))
		return false;
	*cfa += (uintptr_t)(intptr_t)row->cfa_more;
	/* outwards, but where a handler ran on a stack of its own */
	return row->signal || *cfa > unwind->sp;
}

/* Where the caller's frame pointer is, if it is not still in its register. */
static inline void leave_frame_pointer(struct unwind *unwind, const struct cfi_row *row,
				       uintptr_t cfa)
{
	uintptr_t address;

	if (row->frame_pointer.place == CFI_SAME)
		return;
	unwind->fp_lost = !address_of(unwind, row->frame_pointer, cfa, &address);
	unwind->fp_at = unwind->fp_lost ? 0 : address;
	unwind->fp_moved = true;
}

uintptr_t (*unwind_hidden)(uintptr_t pc);

static inline bool reveal(struct unwind *unwind)
{
	uintptr_t at = unwind_hidden ? unwind_hidden(unwind->pc) : 0;

	return !at || read_word(unwind, at, &unwind->pc);
}

static __attribute__((noinline)) enum unwind_end step_by_row(struct unwind *unwind,
							     const struct cfi_row *row)
{
	uintptr_t cfa, at, pc;

	if (row->return_address.place == CFI_UNDEFINED)
		return UNWIND_OUTERMOST;
	if (!find_cfa(unwind, row, &cfa) || !address_of(unwind, row->return_address, cfa, &at) ||
	    !read_word(unwind, at, &pc))
		return UNWIND_LOST;
	leave_frame_pointer(unwind, row, cfa);
	unwind->pc = unwind_plain_address(pc);
	unwind->sp = cfa;
	unwind->interrupted = row->signal;
	if (!reveal(unwind))
		return UNWIND_LOST;
	return unwind->pc ? UNWIND_GOES_ON : UNWIND_OUTERMOST;
}

static inline enum unwind_end step(struct unwind *unwind)
{
	const struct unwind_rule *rule = rule_of(unwind);
	uintptr_t cfa;

	if (!rule)
		return UNWIND_LOST;
	if (!rule->is_plain)
		return step_by_row(unwind, &rule->row);
	cfa = unwind->sp + (uintptr_t)(intptr_t)rule->cfa_offset;
	if (!read_word(unwind, cfa - sizeof(uintptr_t), &unwind->pc))
		return UNWIND_LOST;
	if (rule->fp_saved) {
		unwind->fp_at = cfa + (uintptr_t)(intptr_t)rule->fp_offset;
		unwind->fp_moved = true;
		unwind->fp_lost = false;
	}
	unwind->pc = unwind_plain_address(unwind->pc);
	unwind->sp = cfa;
	unwind->interrupted = false;
	if (!reveal(unwind))
		return UNWIND_LOST;
	return unwind->pc ? UNWIND_GOES_ON : UNWIND_OUTERMOST;
}

enum unwind_end unwind_step(struct unwind *unwind)
{
	return step(unwind);
}

enum unwind_end unwind_frames(struct unwind *unwind, uint64_t *frames, uint32_t max,
			      uint32_t *count)
{
	enum unwind_end end = UNWIND_GOES_ON;
	uint32_t i = 0;

	while (i < max && end == UNWIND_GOES_ON) {
		frames[i++] = unwind->pc | (unwind->interrupted ? UNWIND_INTERRUPTED : 0);
		end = step(unwind);
	}
	*count = i;
	return i == max && end == UNWIND_LOST ? UNWIND_GOES_ON : end;
}
