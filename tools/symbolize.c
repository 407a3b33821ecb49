/* SPDX-License-Identifier: MIT */
/* symbolize.c - see symbolize.h */
#include "symbolize.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "demangle.h"
#include "message.h"

#ifdef HAVE_LIBDW
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>

#include "symbolnames.h"

#define FOLDER_OF_DEBUG "/usr/lib/debug"
#define INLINED_MAX 64 /* functions inlined into each other; the outermost of more are left out */

struct kept_line {
	struct source_line line;
	struct kept_line *next;
};

struct symbol_file {
	Dwfl *dwfl;
	Dwfl_Module *module;
	struct symbol_names names;
	struct kept_line *lines; /* all that were given out */
};

/* ---- finding the file ---- */

static int open_regular(const char *path)
{
	struct stat status;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd >= 0 && (fstat(fd, &status) || !S_ISREG(status.st_mode))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

enum match { MATCH, OTHER, NO_FILE };

/* Whether the file is the one that is wanted; then it is open as *fd. */
static enum match match_file(const char *path, const struct symbol_query *query, int *fd)
{
	enum match match = NO_FILE;
	const void *id = NULL;
	ssize_t size;
	Elf *elf;

	*fd = open_regular(path);
	if (*fd < 0)
		return NO_FILE;
	elf = elf_begin(*fd, ELF_C_READ_MMAP, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF) {
		size = dwelf_elf_gnu_build_id(elf, &id);
		match = query->build_id_size == 0 ||
					(size == (ssize_t)query->build_id_size &&
					 memcmp(id, query->build_id, (size_t)size) == 0)
				? MATCH
				: OTHER;
	}
	elf_end(elf);
	if (match != MATCH)
		close(*fd);
	return match;
}

static void put_hex(char *text, size_t room, const unsigned char *bytes, size_t size)
{
	text[0] = '\0';
	for (size_t i = 0; i < size && 2 * i + 2 < room; i++)
		snprintf(text + 2 * i, 3, "%02x", bytes[i]);
}

/* FOLDER/.build-id/ab/cdef.debug */
static char *path_by_id(const char *folder, int length, const struct symbol_query *query)
{
	char *path = NULL, hex[130];

	put_hex(hex, sizeof(hex), query->build_id, query->build_id_size);
	if (strlen(hex) < 4 ||
	    asprintf(&path, "%.*s/.build-id/%.2s/%s.debug", length, folder, hex, hex + 2) < 0)
		return NULL;
	return path;
}

/* Where the file may be in one folder (or be that itself): best place first. NULL: no such place. */
static char *path_in(const char *folder, int length, const struct symbol_query *query,
		     unsigned place)
{
	const char *slash = strrchr(query->path, '/');
	char *path = NULL;
	int made = -1;

	if (place == 0)
		made = asprintf(&path, "%.*s/%s", length, folder, query->path);
	else if (place == 1)
		made = asprintf(&path, "%.*s/%s", length, folder, slash ? slash + 1 : query->path);
	else if (place == 2)
		made = asprintf(&path, "%.*s", length, folder);
	else
		return path_by_id(folder, length, query);
	return made < 0 ? NULL : path;
}

struct search {
	const struct symbol_query *query;
	char *other; /* the first file with another build-id */
	int fd;      /* of the one that was found, -1 none */
	char *path;
};

/* Takes `path` over. */
static bool try_path(struct search *search, char *path)
{
	enum match match = path ? match_file(path, search->query, &search->fd) : NO_FILE;

	if (match == MATCH) {
		search->path = path;
		return true;
	}
	search->fd = -1;
	if (match == OTHER && !search->other)
		search->other = path;
	else
		free(path);
	return false;
}

static bool search_folders(struct search *search)
{
	for (const char *folder = search->query->folders; folder && *folder;) {
		int length = (int)strcspn(folder, ":");

		for (unsigned place = 0; place < 4 && length > 0; place++)
			if (try_path(search, path_in(folder, length, search->query, place)))
				return true;
		folder += length + (folder[length] == ':');
	}
	return false;
}

/* The file as the kernel names it when it is gone. */
static char *plain_path(const char *path)
{
	static const char gone[] = " (deleted)";
	size_t length = strlen(path);

	if (length > sizeof(gone) - 1 && strcmp(path + length - (sizeof(gone) - 1), gone) == 0)
		length -= sizeof(gone) - 1;
	return strndup(path, length);
}

static void warn_not_found(const struct search *search)
{
	char hex[130];

	put_hex(hex, sizeof(hex), search->query->build_id, search->query->build_id_size);
	if (search->other)
		message_warn(
			"'%s' is not what was traced, its build-id is not %s: call sites in it "
			"have no names; --symbols says where the file is now",
			search->other, hex);
	else
		message_warn("cannot find '%s'%s%s: call sites in it have no names; --symbols says "
			     "where "
			     "the file is now",
			     search->query->path, *hex ? ", build-id " : "", hex);
}

static bool find_file(struct search *search)
{
	return search_folders(search) || try_path(search, plain_path(search->query->path)) ||
	       try_path(search,
			path_by_id(FOLDER_OF_DEBUG, (int)strlen(FOLDER_OF_DEBUG), search->query));
}

/* ---- opening it ---- */

static struct symbol_file *load(const char *path, int fd)
{
	static char *debug_path;
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_build_id_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.section_address = dwfl_offline_section_address,
		.debuginfo_path = &debug_path,
	};
	struct symbol_file *file = calloc(1, sizeof(*file));

	if (file) {
		file->dwfl = dwfl_begin(&callbacks);
		dwfl_report_begin(file->dwfl);
		file->module = dwfl_report_offline(file->dwfl, path, path, fd);
		dwfl_report_end(file->dwfl, NULL, NULL);
	}
	if (file && file->module)
		return file; /* which has the descriptor */
	close(fd);
	symbol_file_close(file);
	return NULL;
}

struct symbol_file *symbol_file_open(const struct symbol_query *query)
{
	struct search search = {.query = query, .fd = -1};
	struct symbol_file *file = NULL;

	elf_version(EV_CURRENT);
	/* "[vdso]" and the like are no files */
	if (query->path[0] == '[' || !query->path[0]) {
		errno = ENOENT;
		return NULL;
	}
	if (find_file(&search))
		file = load(search.path, search.fd);
	else
		warn_not_found(&search);
	free(search.path);
	free(search.other);
	if (!file)
		errno = ENOENT;
	return file;
}

void symbol_file_close(struct symbol_file *file)
{
	struct kept_line *line, *next;

	if (!file)
		return;
	for (line = file->lines; line; line = next) {
		next = line->next;
		free((char *)line->line.function);
		free((char *)line->line.file);
		free(line);
	}
	symbol_names_release(&file->names);
	dwfl_end(file->dwfl);
	free(file);
}

/* ---- what is there ---- */

/* The address, as the module is placed here, of an offset of the file. */
static bool address_of(struct symbol_file *file, uint64_t offset, Dwarf_Addr *address)
{
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(file->module, &bias);
	size_t count = 0;

	if (!elf || elf_getphdrnum(elf, &count))
		return false;
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr segment;

		if (!gelf_getphdr(elf, (int)i, &segment) || segment.p_type != PT_LOAD ||
		    offset < segment.p_offset || offset - segment.p_offset >= segment.p_filesz)
			continue;
		*address = offset - segment.p_offset + segment.p_vaddr + bias;
		return true;
	}
	/* a file of symbols alone has no code: in the usual layout offsets of code are addresses */
	*address = offset + bias;
	return true;
}

static const char *name_of(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	const char *linkage;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute) ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute)) {
		linkage = dwarf_formstring(&attribute);
		/* Fortran's MAIN__ has a better name */
		if (linkage && (strncmp(linkage, "_Z", 2) == 0 || strstr(linkage, "_MOD_")))
			return linkage;
	}
	return dwarf_diename(die);
}

/* Keeps a line; NULL: no memory. */
static struct source_line *keep_line(struct symbol_file *file, const char *function,
				     const char *path, int line)
{
	struct kept_line *kept = calloc(1, sizeof(*kept));

	if (!kept)
		return NULL;
	kept->line.function = function ? demangle(function) : strdup("");
	kept->line.file = strdup(path ? path : "");
	kept->line.line = path && line > 0 ? (unsigned)line : 0;
	kept->next = file->lines;
	file->lines = kept;
	return kept->line.function && kept->line.file ? &kept->line : NULL;
}

/* Where the call is that was inlined. */
static void call_of(Dwarf_Die *inlined, Dwarf_Die *unit, const char **path, int *line)
{
	Dwarf_Attribute attribute;
	Dwarf_Word number;
	Dwarf_Files *files;
	size_t count;

	*path = NULL;
	if (dwarf_getsrcfiles(unit, &files, &count) == 0 &&
	    dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &number) == 0)
		*path = dwarf_filesrc(files, number, NULL, NULL);
	*line = 0;
	if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &number) == 0)
		*line = (int)number;
}

/* Functions around the innermost scope, inlined ones each with its own line. */
static struct source_line *lines_of_scopes(struct symbol_file *file, Dwarf_Die *scopes, int count,
					   Dwarf_Die *unit, const char *path, int line)
{
	struct source_line *first = NULL, *last = NULL;

	for (int i = 0; i < count && i < INLINED_MAX; i++) {
		int tag = dwarf_tag(&scopes[i]);
		struct source_line *kept;

		if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine)
			continue;
		kept = keep_line(file, name_of(&scopes[i]), path, line);
		if (!kept)
			return NULL;
		if (last)
			last->caller = kept;
		else
			first = kept;
		last = kept;
		if (tag == DW_TAG_subprogram)
			break;
		call_of(&scopes[i], unit, &path, &line);
	}
	return first;
}

/* The compilation unit of an address. Not all compilers (clang) write the table that says it; then each unit is asked. */
static Dwarf_Die *unit_of(struct symbol_file *file, Dwarf_Addr address, Dwarf_Addr *bias)
{
	Dwarf_Die *unit = dwfl_module_addrdie(file->module, address, bias);

	if (unit)
		return unit;
	while ((unit = dwfl_module_nextcu(file->module, unit, bias)))
		if (dwarf_haspc(unit, address - *bias) > 0)
			return unit;
	return NULL;
}

static struct source_line *find_in_dwarf(struct symbol_file *file, Dwarf_Addr address)
{
	Dwarf_Addr bias;
	Dwarf_Die *unit = unit_of(file, address, &bias), *around = NULL, *scopes = NULL;
	Dwarf_Line *line = unit ? dwarf_getsrc_die(unit, address - bias) : NULL;
	const char *path = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
	struct source_line *found = NULL;
	int count = 0, number = 0;

	if (path)
		dwarf_lineno(line, &number);
	if (unit && dwarf_getscopes(unit, address - bias, &around) > 0)
		count = dwarf_getscopes_die(&around[0], &scopes);
	if (count > 0)
		found = lines_of_scopes(file, scopes, count, unit, path, number);
	/* assembler has lines, and no functions but symbols */
	if (!found && path)
		found = keep_line(file, symbol_names_find(&file->names, file->module, address),
				  path, number);
	free(around);
	free(scopes);
	return found;
}

const struct source_line *symbol_file_find(struct symbol_file *file, uint64_t offset)
{
	struct source_line *found;
	Dwarf_Addr address;
	const char *symbol;

	if (!address_of(file, offset, &address))
		return NULL;
	found = find_in_dwarf(file, address);
	if (found)
		return found;
	symbol = symbol_names_find(&file->names, file->module, address);
	return symbol ? keep_line(file, symbol, NULL, 0) : NULL;
}

#else

struct symbol_file *symbol_file_open(const struct symbol_query *query)
{
	(void)query;
	errno = ENOENT;
	return NULL;
}

void symbol_file_close(struct symbol_file *file)
{
	(void)file;
}

const struct source_line *symbol_file_find(struct symbol_file *file, uint64_t offset)
{
	(void)file;
	(void)offset;
	return NULL;
}

#endif
