/* SPDX-License-Identifier: MIT */
/* instrumentation.c - see instrumentation.h */
#include "native/instrumentation.h"

#include <string.h>

#include "native/got.h"
#include "native/insn_x86_64.h"

#define STUB_MAX 16u /* bytes of an entry of the PLT */
#define FENTRY 1u    /* of the words */

void instrumentation_find(const struct elf_object *object, uintptr_t words[INSTRUMENTATION_WORDS])
{
	static const char *const names[INSTRUMENTATION_WORDS] = {"__cyg_profile_func_enter",
								 "__fentry__", "mcount"};

	for (unsigned i = 0; i < INSTRUMENTATION_WORDS; i++)
		words[i] = got_word(object, names[i]);
	if (!words[2])
		words[2] = got_word(object, "_mcount");
}

/* The word in memory that an instruction goes by. */
static uintptr_t word_of(const uint8_t *code, const struct insn *insn, uintptr_t address)
{
	int32_t offset;

	if (!insn->displacement)
		return 0;
	memcpy(&offset, code + insn->displacement, sizeof(offset));
	return address + insn->length + (uintptr_t)(intptr_t)offset;
}

/* What a stub of the PLT goes by: [endbr64] jmp *word. It lies in the same object as what calls it. */
static uintptr_t word_of_stub(const struct elf_object *object, uintptr_t address)
{
	const uint8_t *code = (const uint8_t *)address;
	struct insn insn;

	if (!elf_is_code(object, address, STUB_MAX))
		return 0;
	for (size_t at = 0; at < STUB_MAX; at += insn.length) {
		if (!insn_decode(code + at, STUB_MAX - at, &insn))
			return 0;
		if (insn.flow == INSN_JUMP_INDIRECT)
			return word_of(code + at, &insn, address + at);
		if (insn.flow != INSN_NEXT)
			return 0;
	}
	return 0;
}

/* What a call goes by; 0: something else, or not a call. */
static uintptr_t word_called(const struct elf_object *object, const uint8_t *code,
			     const struct insn *insn, uintptr_t address)
{
	if (insn->flow == INSN_CALL)
		return word_of_stub(object, address + (uintptr_t)insn->target);
	return insn->flow == INSN_CALL_INDIRECT ? word_of(code, insn, address) : 0;
}

uint8_t instrumentation_begins(const struct elf_object *object, uintptr_t address, size_t size,
			       const uintptr_t words[INSTRUMENTATION_WORDS])
{
	const uint8_t *code = (const uint8_t *)address;
	struct insn insn;

	if (!words[FENTRY] || !insn_decode(code, size, &insn) ||
	    word_called(object, code, &insn, address) != words[FENTRY])
		return 0;
	return insn.length;
}

bool instrumentation_calls(const struct elf_object *object, uintptr_t address, size_t size,
			   const uintptr_t words[INSTRUMENTATION_WORDS])
{
	const uint8_t *code = (const uint8_t *)address;
	struct insn insn;

	if (!words[0] && !words[1] && !words[2])
		return false;
	for (size_t at = 0; at < size; at += insn.length) {
		uintptr_t word;

		if (!insn_decode(code + at, size - at, &insn))
			return false;
		word = word_called(object, code + at, &insn, address + at);
		for (unsigned i = 0; word && i < INSTRUMENTATION_WORDS; i++)
			if (word == words[i])
				return true;
	}
	return false;
}
