/* SPDX-License-Identifier: MIT */
/* got.c - see got.h */
#include "native/got.h"

#include <elf.h>
#include <string.h>

#include "native/elf_symbols.h"
#include "native/stubs.h"

#ifdef __aarch64__
#define JUMP_SLOT R_AARCH64_JUMP_SLOT
#define GLOB_DAT R_AARCH64_GLOB_DAT
#define IRELATIVE R_AARCH64_IRELATIVE
#else
#define JUMP_SLOT R_X86_64_JUMP_SLOT
#define GLOB_DAT R_X86_64_GLOB_DAT
#define IRELATIVE R_X86_64_IRELATIVE
#endif

struct replacing {
	struct got_words words;
	uintptr_t entry;
	unsigned count;
	/* of the object */
	const struct elf_object *object;
	const ElfW(Sym) * symbols;
	const char *names;
};

static const ElfW(Dyn) * dynamic_of(const struct elf_object *object)
{
	for (unsigned i = 0; i < object->header_count; i++)
		if (object->headers[i].p_type == PT_DYNAMIC)
			return (const ElfW(Dyn) *)(object->base + object->headers[i].p_vaddr);
	return NULL;
}

/* The loader has made addresses of some of them. */
static uintptr_t value_of(const struct elf_object *object, const ElfW(Dyn) * dynamic, int64_t tag)
{
	for (; dynamic->d_tag != DT_NULL; dynamic++)
		if (dynamic->d_tag == tag)
			return tag == DT_PLTRELSZ || tag == DT_RELASZ ||
					       dynamic->d_un.d_ptr >= object->start
				       ? dynamic->d_un.d_ptr
				       : dynamic->d_un.d_ptr + object->base;
	return 0;
}

static bool is_read_only(const struct elf_object *object, uintptr_t address)
{
	for (unsigned i = 0; i < object->header_count; i++)
		if (object->headers[i].p_type == PT_GNU_RELRO &&
		    address - object->base - object->headers[i].p_vaddr <
			    object->headers[i].p_memsz)
			return true;
	return false;
}

/* Where it is bound at its first call, it leads to the object's own stub until then. */
static bool leads_to(const struct replacing *replacing, uintptr_t value, bool lazy)
{
	return value == replacing->words.real ||
	       (lazy && value >= replacing->object->start && value < replacing->object->end);
}

/* Whether it is one by which a function of that name is called. */
static bool is_of(const struct replacing *replacing, const ElfW(Rela) * relocation)
{
	unsigned type = ELF64_R_TYPE(relocation->r_info);
	const struct got_words *words = &replacing->words;
	const ElfW(Sym) *symbol = &replacing->symbols[ELF64_R_SYM(relocation->r_info)];

	if (type == IRELATIVE)
		return words->resolver &&
		       replacing->object->base + (uintptr_t)relocation->r_addend == words->resolver;
	return words->symbol && (type == JUMP_SLOT || type == GLOB_DAT) &&
	       !strcmp(replacing->names + symbol->st_name, words->symbol);
}

static bool is_lazy(const ElfW(Rela) * relocation)
{
	return ELF64_R_TYPE(relocation->r_info) == JUMP_SLOT;
}

typedef void visit_word(struct replacing *replacing, uintptr_t *word, bool lazy);

static void walk(struct replacing *replacing, const ElfW(Rela) * relocations, size_t size,
		 visit_word *visit)
{
	for (size_t i = 0; relocations && i < size / sizeof(*relocations); i++)
		if (is_of(replacing, &relocations[i]))
			visit(replacing,
			      (uintptr_t *)(replacing->object->base + relocations[i].r_offset),
			      is_lazy(&relocations[i]));
}

static void walk_object(struct replacing *replacing, const struct elf_object *object,
			visit_word *visit)
{
	const ElfW(Dyn) *dynamic = dynamic_of(object);

	if (!dynamic)
		return;
	replacing->object = object;
	replacing->symbols = (const ElfW(Sym) *)value_of(object, dynamic, DT_SYMTAB);
	replacing->names = (const char *)value_of(object, dynamic, DT_STRTAB);
	if (!replacing->symbols || !replacing->names)
		return;
	walk(replacing, (const ElfW(Rela) *)value_of(object, dynamic, DT_JMPREL),
	     value_of(object, dynamic, DT_PLTRELSZ), visit);
	walk(replacing, (const ElfW(Rela) *)value_of(object, dynamic, DT_RELA),
	     value_of(object, dynamic, DT_RELASZ), visit);
}

static void replace_word(struct replacing *replacing, uintptr_t *word, bool lazy)
{
	if (!leads_to(replacing, *word, lazy))
		return;
	if (!replacing->entry ||
	    !data_word(word, replacing->entry, is_read_only(replacing->object, (uintptr_t)word)))
		replacing->count++;
}

static void replace(const struct elf_object *object, void *data)
{
	walk_object(data, object, replace_word);
}

unsigned got_replace(const struct got_words *words, uintptr_t entry)
{
	struct replacing replacing = {.words = *words, .entry = entry};

	elf_objects(replace, &replacing);
	return replacing.count;
}

static void keep_word(struct replacing *replacing, uintptr_t *word, bool lazy)
{
	(void)lazy;
	replacing->entry = (uintptr_t)word;
}

uintptr_t got_word(const struct elf_object *object, const char *symbol)
{
	struct replacing replacing = {.words = {.symbol = symbol}};

	walk_object(&replacing, object, keep_word);
	return replacing.entry;
}

uintptr_t got_chosen(const struct elf_object *object, uintptr_t resolver)
{
	struct replacing replacing = {.words = {.resolver = resolver}};

	walk_object(&replacing, object, keep_word);
	return replacing.entry ? *(const uintptr_t *)replacing.entry : 0;
}
