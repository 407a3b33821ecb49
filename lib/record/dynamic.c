/* SPDX-License-Identifier: MIT */
/* dynamic.c - see dynamic.h */
#include "record/dynamic.h"

#include <elf.h>
#include <stddef.h>
#include <string.h>

#define WORD_BITS (8 * (uint32_t)sizeof(ElfW(Addr)))
#define END_OF_CHAIN 1u       /* the lowest bit of a hash value in a chain */
#define VERSION_HIDDEN 0x8000 /* only for who asks for that version */

static struct dynamic_hash hash_parts(const uint32_t *table)
{
	struct dynamic_hash hash = {.bucket_count = table[0],
				    .first = table[1],
				    .word_mask = table[2] - 1,
				    .shift = table[3]};

	hash.filter = (const void *)(table + 4);
	hash.buckets = (const void *)(hash.filter + table[2]);
	hash.chains = hash.buckets + hash.bucket_count;
	return hash;
}

void dynamic_open(struct dynamic *object, const ElfW(Dyn) * section, uintptr_t base)
{
	memset(object, 0, sizeof(*object));
	object->base = base;
	for (; section->d_tag != DT_NULL; section++) {
		uintptr_t at = section->d_un.d_ptr;
		const void *place;

		/* some loaders leave them as they are in the file */
		place = (const void *)(at < base ? at + base : at);
		switch (section->d_tag) {
		case DT_SYMTAB:
			object->symbols = place;
			break;
		case DT_STRTAB:
			object->strings = place;
			break;
		case DT_VERSYM:
			object->versions = place;
			break;
		case DT_VERNEED:
			object->needed = place;
			break;
		case DT_VERDEF:
			object->defined = place;
			break;
		case DT_HASH:
			object->sysv_hash = place;
			break;
		case DT_GNU_HASH:
			object->hash = hash_parts(place);
			break;
		default:
			break;
		}
	}
}

/* The number of symbols is in no field of a GNU hash table: it follows from the last chain. */
static uint32_t last_of_chains(const struct dynamic_hash *hash)
{
	uint32_t last = 0;

	for (uint32_t i = 0; i < hash->bucket_count; i++)
		last = hash->buckets[i] > last ? hash->buckets[i] : last;
	if (last < hash->first)
		return hash->first;
	while (!(hash->chains[last - hash->first] & END_OF_CHAIN))
		last++;
	return last + 1;
}

uint32_t dynamic_symbol_count(const struct dynamic *object)
{
	if (object->sysv_hash)
		return object->sysv_hash[1];
	return object->hash.bucket_count ? last_of_chains(&object->hash) : 0;
}

struct dynamic_name dynamic_name(const char *text)
{
	struct dynamic_name name = {text, 5381};

	while (*text)
		name.hash = name.hash * 33 + (unsigned char)*text++;
	return name;
}

/* The first symbol of the chain that the name is in; 0: the object has none of that name. */
static uint32_t chain_of(const struct dynamic_hash *hash, uint32_t value)
{
	ElfW(Addr) word = hash->filter[value / WORD_BITS & hash->word_mask];

	if (!(word >> value % WORD_BITS & word >> (value >> hash->shift) % WORD_BITS & 1))
		return 0;
	return hash->buckets[value % hash->bucket_count];
}

static bool is_definition(const struct dynamic *object, uint32_t symbol, const char *name)
{
	const ElfW(Sym) *entry = &object->symbols[symbol];

	return entry->st_shndx != SHN_UNDEF && !strcmp(object->strings + entry->st_name, name);
}

static bool is_function(const ElfW(Sym) * entry)
{
	return ELF64_ST_TYPE(entry->st_info) == STT_FUNC && entry->st_shndx != SHN_ABS;
}

/* Whether it is given to whoever asks for no version. */
static bool is_default(const struct dynamic *object, uint32_t symbol)
{
	return !object->versions || (!(object->versions[symbol] & VERSION_HIDDEN) &&
				     object->versions[symbol] != VER_NDX_LOCAL);
}

/* One more definition by the name; false: it is not the same function as those before. */
static bool take(const struct dynamic *object, uint32_t symbol, uintptr_t *address)
{
	const ElfW(Sym) *entry = &object->symbols[symbol];
	uintptr_t here = object->base + entry->st_value;

	if (!is_function(entry) || (*address && *address != here))
		return false;
	*address = here;
	return true;
}

bool dynamic_function(const struct dynamic *object, const struct dynamic_name *name,
		      uintptr_t *address)
{
	const struct dynamic_hash *hash = &object->hash;
	uint32_t symbol, met;
	bool found = false;

	*address = 0;
	if (!hash->bucket_count || !object->symbols || !object->strings)
		return false;
	symbol = chain_of(hash, name->hash);
	if (symbol < hash->first || symbol == 0)
		return true;
	do {
		met = hash->chains[symbol - hash->first];
		if ((met | END_OF_CHAIN) == (name->hash | END_OF_CHAIN) &&
		    is_definition(object, symbol, name->text)) {
			if (!take(object, symbol, address))
				return false;
			found = found || is_default(object, symbol);
		}
		symbol++;
	} while (!(met & END_OF_CHAIN));
	return found || !*address;
}

#ifdef UNIT_TEST
#include <dlfcn.h>

#include "unittest.h"

static struct link_map *open_libc(struct dynamic *libc)
{
	struct link_map *map = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);

	if (map)
		dynamic_open(libc, map->l_ld, map->l_addr);
	return map;
}

/* The loader itself is asked for each of the some 3,000 names. */
TEST_CASE(dynamic_functions_are_those_of_the_loader)
{
	struct dynamic libc;
	struct link_map *map = open_libc(&libc);
	unsigned same = 0, other = 0, untold = 0;

	EXPECT(map && dynamic_symbol_count(&libc) > 2000);
	for (uint32_t i = 1; map && i < dynamic_symbol_count(&libc); i++) {
		const char *text = libc.strings + libc.symbols[i].st_name;
		struct dynamic_name name = dynamic_name(text);
		uintptr_t address;

		if (!dynamic_function(&libc, &name, &address))
			untold++;
		else if (!address || (void *)address == dlsym(map, text))
			same++;
		else
			other++;
	}
	EXPECT_EQ(other, 0u);
	EXPECT(same > 4 * untold && untold > 0);
	dlclose(map);
}

/* Whether it is told, and then whether there is one. */
static bool is_told(const struct dynamic *object, const char *text, bool *there)
{
	struct dynamic_name name = dynamic_name(text);
	uintptr_t address;
	bool told = dynamic_function(object, &name, &address);

	*there = address != 0;
	return told;
}

TEST_CASE(dynamic_functions_of_no_such_name)
{
	struct dynamic libc, bare = {0};
	struct link_map *map = open_libc(&libc);
	bool there;

	EXPECT(map && is_told(&libc, "no_such_function", &there) && !there);
	EXPECT(is_told(&libc, "", &there) && !there);
	EXPECT(is_told(&libc, "write", &there) && there);
	/* what is chosen when it is bound, data, and an object without a hash table */
	EXPECT(!is_told(&libc, "strlen", &there));
	EXPECT(!is_told(&libc, "environ", &there));
	EXPECT(!is_told(&bare, "write", &there));
	EXPECT_EQ(dynamic_symbol_count(&bare), 0u);
	dlclose(map);
}
#endif
