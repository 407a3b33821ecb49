/* SPDX-License-Identifier: MIT */
/* instrumentation.c - see instrumentation.h */
#include "native/instrumentation.h"

#include "native/got.h"
#include "native/insn.h"

#define STUB_MAX 16u /* bytes of an entry of the PLT up to its jump, or less */
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

/* What a stub of the PLT goes by. It lies in the same object as what calls it. */
static uintptr_t word_of_stub(const struct elf_object *object, uintptr_t address)
{
	const uint8_t *code = (const uint8_t *)address;
	struct insn_words words = {{0}};
	struct insn insn;
	uintptr_t word;

	if (!elf_is_code(object, address, STUB_MAX))
		return 0;
	for (size_t at = 0; at < STUB_MAX; at += insn.length) {
		if (!insn_decode(code + at, STUB_MAX - at, &insn))
			return 0;
		word = insn_word(&words, code + at, &insn, address + at);
		if (word || insn.flow != INSN_NEXT)
			return word;
	}
	return 0;
}

/* What a call goes by; 0: something else, or not a call. */
static uintptr_t word_called(const struct elf_object *object, struct insn_words *seen,
			     const uint8_t *code, const struct insn *insn, uintptr_t address)
{
	return insn->flow == INSN_CALL ? word_of_stub(object, address + (uintptr_t)insn->target)
				       : insn_word(seen, code, insn, address);
}

uint8_t instrumentation_begins(const struct elf_object *object, uintptr_t address, size_t size,
			       const uintptr_t words[INSTRUMENTATION_WORDS])
{
	const uint8_t *code = (const uint8_t *)address;
	struct insn_words seen = {{0}};
	struct insn insn;

	if (!words[FENTRY] || !insn_decode(code, size, &insn) ||
	    word_called(object, &seen, code, &insn, address) != words[FENTRY])
		return 0;
	return insn.length;
}

bool instrumentation_calls(const struct elf_object *object, uintptr_t address, size_t size,
			   const uintptr_t words[INSTRUMENTATION_WORDS])
{
	const uint8_t *code = (const uint8_t *)address;
	struct insn_words seen = {{0}};
	struct insn insn;

	if (!words[0] && !words[1] && !words[2])
		return false;
	for (size_t at = 0; at < size; at += insn.length) {
		uintptr_t word;

		if (!insn_decode(code + at, size - at, &insn))
			return false;
		word = word_called(object, &seen, code + at, &insn, address + at);
		for (unsigned i = 0; word && i < INSTRUMENTATION_WORDS; i++)
			if (word == words[i])
				return true;
	}
	return false;
}
