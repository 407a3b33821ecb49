/* SPDX-License-Identifier: MIT */
/*
 * embedded.c - see embedded.h
 *
 * Looked for are names of functions inside of the libraries, which a program only has if it was linked with the archive: in the names of its
 * symbol table, which lies behind what is loaded.
 */
#include "record/embedded.h"

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "record/bulk.h"
#include "record/errand.h"
#include "record/sys.h"

#define NAMES_MAX ((size_t)32 << 20) /* larger tables take too long */
#define SECTIONS_MAX 256u

static const struct {
	const char *function, *reason;
} libraries[] = {
	{"H5_init_library", "static-hdf5"},
	{"NC_check_id", "static-netcdf"},
	{"PNC_check_id", "static-pnetcdf"},
};

#define LIBRARIES (sizeof(libraries) / sizeof(libraries[0]))

struct look {
	bool found[LIBRARIES];
};

static bool has_name(const char *names, size_t size, const char *name)
{
	size_t length = strlen(name) + 1;
	const char *at = names, *end = names + size;

	while ((at = memmem(at, (size_t)(end - at), name, length))) {
		if (at > names && at[-1] == '\0')
			return true;
		at++;
	}
	return false;
}

/* Where the names of .symtab lie; false: the file has none, or is nothing that we can read. */
static bool find_names(int fd, ElfW(Shdr) * names)
{
	static ElfW(Shdr) sections[SECTIONS_MAX] BULK;
	ElfW(Ehdr) elf;
	size_t size;

	if (sys_pread(fd, &elf, sizeof(elf), 0) != sizeof(elf) ||
	    memcmp(elf.e_ident, ELFMAG, SELFMAG) || elf.e_shentsize != sizeof(*sections) ||
	    elf.e_shnum > SECTIONS_MAX)
		return false;
	size = elf.e_shnum * sizeof(*sections);
	if (sys_pread(fd, sections, size, (int64_t)elf.e_shoff) != (long)size)
		return false;
	for (unsigned i = 0; i < elf.e_shnum; i++) {
		if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= elf.e_shnum)
			continue;
		*names = sections[sections[i].sh_link];
		return true;
	}
	return false;
}

static void look_in(int fd, struct look *look)
{
	ElfW(Shdr) names;
	char *memory;

	if (!find_names(fd, &names) || names.sh_size == 0 || names.sh_size > NAMES_MAX)
		return;
	memory = sys_mmap(names.sh_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	if (sys_is_error((long)memory))
		return;
	if (sys_pread(fd, memory, names.sh_size, (int64_t)names.sh_offset) == (long)names.sh_size)
		for (size_t i = 0; i < LIBRARIES; i++)
			look->found[i] = has_name(memory, names.sh_size, libraries[i].function);
	sys_munmap(memory, names.sh_size);
}

static int look_at_program(void *look)
{
	int fd = sys_open("/proc/self/exe", O_RDONLY | O_CLOEXEC, 0);

	if (fd < 0)
		return fd;
	look_in(fd, look);
	sys_close(fd);
	return 0;
}

void embedded_look(void (*found)(const char *reason))
{
	static struct look look; /* the program stays what it is */
	static bool looked;

	if (!looked)
		errand_run(look_at_program, &look);
	looked = true;
	for (size_t i = 0; i < LIBRARIES; i++)
		if (look.found[i])
			found(libraries[i].reason);
}
