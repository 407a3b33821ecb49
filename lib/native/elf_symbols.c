/* SPDX-License-Identifier: MIT */
/* elf_symbols.c - see elf_symbols.h */
#include "native/elf_symbols.h"

#include <string.h>

#include "native/debug_file.h"
#include "record/sys.h"

/* ---- objects ---- */

static void set_path(struct elf_object *object, const char *path)
{
	size_t length = strnlen(path, sizeof(object->path) - 1);
	const char *slash;

	memcpy(object->path, path, length);
	object->path[length] = '\0';
	slash = strrchr(object->path, '/');
	object->name = slash ? slash + 1 : object->path;
}

static void set_program_path(struct elf_object *object)
{
	char path[ELF_PATH_MAX];
	long length = sys_readlink("/proc/self/exe", path, sizeof(path) - 1);

	path[length > 0 ? length : 0] = '\0';
	set_path(object, path);
}

static void set_extent(struct elf_object *object)
{
	object->start = UINTPTR_MAX;
	object->end = 0;
	for (unsigned i = 0; i < object->header_count; i++) {
		const ElfW(Phdr) *header = &object->headers[i];
		uintptr_t begin = object->base + header->p_vaddr;

		if (header->p_type != PT_LOAD)
			continue;
		if (begin < object->start)
			object->start = begin;
		if (begin + header->p_memsz > object->end)
			object->end = begin + header->p_memsz;
	}
}

/* The recorder, and what must not be touched: the loader works while others are patched. */
static bool is_untouchable(const struct elf_object *object)
{
	uintptr_t own = (uintptr_t)&is_untouchable;

	if (own >= object->start && own < object->end)
		return true;
	return !strncmp(object->name, "ld-linux", 8) || !strncmp(object->name, "ld-musl", 7) ||
	       !strncmp(object->name, "ld.so", 5) || !strncmp(object->name, "linux-vdso", 10) ||
	       !strncmp(object->name, "linux-gate", 10);
}

struct walk {
	void (*visit)(const struct elf_object *object, void *data);
	void *data;
	bool first;
};

static int visit_object(struct dl_phdr_info *info, size_t size, void *data)
{
	struct walk *walk = data;
	struct elf_object object = {.base = info->dlpi_addr,
				    .headers = info->dlpi_phdr,
				    .header_count = info->dlpi_phnum,
				    .program = walk->first};

	(void)size;
	walk->first = false;
	if (object.program)
		set_program_path(&object);
	else
		set_path(&object, info->dlpi_name ? info->dlpi_name : "");
	set_extent(&object);
	if (object.end && *object.path && !is_untouchable(&object))
		walk->visit(&object, walk->data);
	return 0;
}

void elf_objects(void (*visit)(const struct elf_object *object, void *data), void *data)
{
	struct walk walk = {visit, data, true};

	dl_iterate_phdr(visit_object, &walk);
}

struct search {
	uintptr_t address;
	struct elf_object *object;
	bool found;
};

static void compare(const struct elf_object *object, void *data)
{
	struct search *search = data;

	if (search->found || search->address < object->start || search->address >= object->end)
		return;
	search->found = true;
	*search->object = *object;
	search->object->name = search->object->path + (object->name - object->path);
}

bool elf_object_at(uintptr_t address, struct elf_object *object)
{
	struct search search = {address, object, false};

	elf_objects(compare, &search);
	return search.found;
}

bool elf_is_code(const struct elf_object *object, uintptr_t address, size_t size)
{
	for (unsigned i = 0; i < object->header_count; i++) {
		const ElfW(Phdr) *header = &object->headers[i];

		if (header->p_type == PT_LOAD && (header->p_flags & PF_X) &&
		    address - object->base - header->p_vaddr < header->p_memsz &&
		    size <= header->p_memsz - (address - object->base - header->p_vaddr))
			return true;
	}
	return false;
}

/* ---- files ---- */

/* The file may have been replaced since it was loaded: its headers are compared with those in memory. */
static bool is_loaded(const struct elf_file *file, const struct elf_object *object)
{
	const ElfW(Ehdr) *header = (const ElfW(Ehdr) *)file->image;

	return header->e_phnum == object->header_count &&
	       !memcmp(file->image + header->e_phoff, object->headers,
		       header->e_phnum * sizeof(ElfW(Phdr)));
}

static bool take_table(struct elf_symbols *symbols, const struct elf_file *file, unsigned type)
{
	for (unsigned i = 0; i < file->section_count; i++) {
		const ElfW(Shdr) *section = &file->sections[i];
		struct elf_bytes table, names;

		if (section->sh_type != type || section->sh_link >= file->section_count ||
		    section->sh_entsize != sizeof(ElfW(Sym)))
			continue;
		table = elf_file_bytes(file, section);
		names = elf_file_bytes(file, &file->sections[section->sh_link]);
		if (!table.data || (uintptr_t)table.data % _Alignof(ElfW(Sym)) || !names.data ||
		    names.data[names.size - 1])
			continue;
		symbols->table = (const ElfW(Sym) *)table.data;
		symbols->count = table.size / sizeof(ElfW(Sym));
		symbols->names = (const char *)names.data;
		symbols->names_size = names.size;
		return true;
	}
	return false;
}

static bool uses_fortran(const struct elf_symbols *symbols)
{
	for (size_t i = 0; i < symbols->count; i++)
		if (!strncmp(elf_name(symbols, &symbols->table[i]), "_gfortran_", 10) ||
		    !strncmp(elf_name(symbols, &symbols->table[i]), "_FortranA", 9))
			return true;
	return false;
}

/* Both, in memory of its own. */
static bool join(struct elf_symbols *symbols, const struct elf_symbols *others)
{
	size_t tables = (symbols->count + others->count) * sizeof(*symbols->table);
	size_t size = tables + symbols->names_size + others->names_size;
	uint8_t *memory = sys_mmap(size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	ElfW(Sym) *table = (ElfW(Sym) *)memory;
	char *names = (char *)memory + tables;

	if (sys_is_error((long)memory))
		return false;
	memcpy(table, symbols->table, symbols->count * sizeof(*table));
	memcpy(table + symbols->count, others->table, others->count * sizeof(*table));
	memcpy(names, symbols->names, symbols->names_size);
	memcpy(names + symbols->names_size, others->names, others->names_size);
	for (size_t i = symbols->count; i < symbols->count + others->count; i++)
		table[i].st_name += (uint32_t)symbols->names_size;
	symbols->joined = memory;
	symbols->joined_size = size;
	symbols->table = table;
	symbols->count += others->count;
	symbols->names = names;
	symbols->names_size += others->names_size;
	return true;
}

/* Those that .dynsym has are not in .gnu_debugdata. */
static bool add_packed(struct elf_symbols *symbols, bool early)
{
	struct elf_symbols packed = {.count = 0};
	struct elf_file file;
	bool added;

	if (!debug_data_open(&file, &symbols->file, early))
		return false;
	added = take_table(&packed, &file, SHT_SYMTAB) && join(symbols, &packed);
	elf_file_close(&file);
	return added;
}

static bool take_tables(struct elf_symbols *symbols, const char *path, bool early)
{
	symbols->full = take_table(symbols, &symbols->file, SHT_SYMTAB);
	if (!symbols->full && debug_file_open(&symbols->debug, &symbols->file, path))
		symbols->full = take_table(symbols, &symbols->debug, SHT_SYMTAB);
	if (!symbols->full && !take_table(symbols, &symbols->file, SHT_DYNSYM))
		return false;
	if (!symbols->full)
		symbols->full = add_packed(symbols, early);
	symbols->fortran = uses_fortran(symbols);
	return true;
}

bool elf_open(struct elf_symbols *symbols, const struct elf_object *object, bool early)
{
	memset(symbols, 0, sizeof(*symbols));
	if (!elf_file_open(&symbols->file, object->program ? "/proc/self/exe" : object->path))
		return false;
	if (is_loaded(&symbols->file, object) && take_tables(symbols, object->path, early))
		return true;
	elf_close(symbols);
	return false;
}

static bool has_dwarf(const struct elf_file *file)
{
	return file->image && elf_file_section(file, ".debug_info");
}

const struct elf_file *elf_with_dwarf(struct elf_symbols *symbols, const struct elf_object *object)
{
	if (has_dwarf(&symbols->file))
		return &symbols->file;
	if (!symbols->debug.image)
		debug_file_open(&symbols->debug, &symbols->file, object->path);
	return has_dwarf(&symbols->debug) ? &symbols->debug : NULL;
}

void elf_close(struct elf_symbols *symbols)
{
	if (symbols->by_address)
		sys_munmap(symbols->by_address, symbols->count * sizeof(*symbols->by_address));
	if (symbols->joined)
		sys_munmap(symbols->joined, symbols->joined_size);
	elf_file_close(&symbols->file);
	elf_file_close(&symbols->debug);
	memset(symbols, 0, sizeof(*symbols));
}

/* ---- symbols ---- */

const char *elf_name(const struct elf_symbols *symbols, const ElfW(Sym) * symbol)
{
	return symbol->st_name < symbols->names_size ? symbols->names + symbol->st_name : "";
}

bool elf_is_function(const ElfW(Sym) * symbol)
{
	unsigned type = ELF64_ST_TYPE(symbol->st_info);

	return (type == STT_FUNC || type == STT_GNU_IFUNC) && symbol->st_shndx != SHN_UNDEF &&
	       symbol->st_value;
}

static uintptr_t begin_of(const struct elf_symbols *symbols, size_t place)
{
	return symbols->table[symbols->by_address[place]].st_value;
}

static void sift(struct elf_symbols *symbols, size_t root, size_t end)
{
	for (;;) {
		size_t child = 2 * root + 1;
		uint32_t other;

		if (child >= end)
			return;
		if (child + 1 < end && begin_of(symbols, child) < begin_of(symbols, child + 1))
			child++;
		if (begin_of(symbols, root) >= begin_of(symbols, child))
			return;
		other = symbols->by_address[root];
		symbols->by_address[root] = symbols->by_address[child];
		symbols->by_address[child] = other;
		root = child;
	}
}

/* By heap: libc's qsort() takes memory where the program may have its own. */
bool elf_sort(struct elf_symbols *symbols)
{
	void *memory;

	if (symbols->by_address)
		return true;
	memory = sys_mmap(symbols->count * sizeof(*symbols->by_address), PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1);
	if (!symbols->count || sys_is_error((long)memory))
		return false;
	symbols->by_address = memory;
	for (size_t i = 0; i < symbols->count; i++)
		if (elf_is_function(&symbols->table[i]))
			symbols->by_address[symbols->sorted++] = (uint32_t)i;
	for (size_t i = symbols->sorted / 2; i > 0; i--)
		sift(symbols, i - 1, symbols->sorted);
	for (size_t end = symbols->sorted; end > 1; end--) {
		uint32_t last = symbols->by_address[end - 1];

		symbols->by_address[end - 1] = symbols->by_address[0];
		symbols->by_address[0] = last;
		sift(symbols, 0, end - 1);
	}
	return true;
}

/* How many begin at `address` or before it. */
static size_t count_up_to(const struct elf_symbols *symbols, uintptr_t address)
{
	size_t low = 0, high = symbols->sorted;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (begin_of(symbols, middle) <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uintptr_t elf_next_begin(const struct elf_symbols *symbols, uintptr_t address)
{
	size_t place = count_up_to(symbols, address);

	return place < symbols->sorted ? begin_of(symbols, place) : UINTPTR_MAX;
}

const ElfW(Sym) * elf_function_at(const struct elf_symbols *symbols, uintptr_t address)
{
	const ElfW(Sym) *best = NULL;

	for (size_t place = count_up_to(symbols, address); place > 0; place--) {
		const ElfW(Sym) *symbol = &symbols->table[symbols->by_address[place - 1]];

		if (best && symbol->st_value != best->st_value)
			break;
		if (address - symbol->st_value >= symbol->st_size && address != symbol->st_value)
			break;
		if (!best || ELF64_ST_BIND(symbol->st_info) == STB_GLOBAL)
			best = symbol;
	}
	return best;
}
