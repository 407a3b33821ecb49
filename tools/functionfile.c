/* SPDX-License-Identifier: MIT */
/* functionfile.c - see functionfile.h */
#include "functionfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "native/insn.h"

#ifdef HAVE_LIBDW
#include <elfutils/libdwfl.h>
#include <gelf.h>

/* ---- symbols ---- */

static Dwfl *open_symbols(const char *path, Dwfl_Module **module)
{
	static char *debug_path;
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_build_id_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.section_address = dwfl_offline_section_address,
		.debuginfo_path = &debug_path,
	};
	Dwfl *dwfl;

	elf_version(EV_CURRENT);
	dwfl = dwfl_begin(&callbacks);
	if (!dwfl)
		return NULL;
	dwfl_report_begin(dwfl);
	*module = dwfl_report_offline(dwfl, path, path, -1);
	dwfl_report_end(dwfl, NULL, NULL);
	if (*module)
		return dwfl;
	dwfl_end(dwfl);
	return NULL;
}

/* Where an address of the file lies in it, if so many bytes there are code. */
static bool find_code(Elf *elf, uint64_t address, uint64_t size, uint64_t *offset)
{
	size_t count = 0;

	if (elf_getphdrnum(elf, &count))
		return false;
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr segment;

		if (!gelf_getphdr(elf, (int)i, &segment) || segment.p_type != PT_LOAD ||
		    !(segment.p_flags & PF_X) || address < segment.p_vaddr ||
		    address - segment.p_vaddr >= segment.p_filesz ||
		    size > segment.p_filesz - (address - segment.p_vaddr))
			continue;
		*offset = address - segment.p_vaddr + segment.p_offset;
		return true;
	}
	return false;
}

static void take_symbol(struct function_file *file, Dwfl_Module *module, int number)
{
	struct file_function *function = &file->functions[file->count];
	GElf_Addr address, bias;
	GElf_Sym symbol;
	const char *name =
		dwfl_module_getsym_info(module, number, &symbol, &address, NULL, NULL, NULL);
	Elf *elf = dwfl_module_getelf(module, &bias);

	if (!name || !elf)
		return;
	file->fortran |= !strncmp(name, "_gfortran_", 10) || !strncmp(name, "_FortranA", 9);
	if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF ||
	    symbol.st_size == 0 || !*name ||
	    !find_code(elf, address - bias, symbol.st_size, &function->offset) ||
	    function->offset > file->size || symbol.st_size > file->size - function->offset)
		return;
	function->symbol = name;
	function->size = symbol.st_size;
	function->code = (const uint8_t *)file->image + function->offset;
	file->count++;
}

static int by_offset(const void *a, const void *b)
{
	const struct file_function *left = a, *right = b;

	if (left->offset != right->offset)
		return left->offset < right->offset ? -1 : 1;
	return strcmp(left->symbol, right->symbol);
}

static int take_symbols(struct function_file *file, const char *path)
{
	Dwfl_Module *module = NULL;
	int count;

	file->symbols = open_symbols(path, &module);
	count = file->symbols ? dwfl_module_getsymtab(module) : -1;
	if (count < 0)
		return -ENOEXEC;
	file->functions = calloc((size_t)count + 1, sizeof(*file->functions));
	if (!file->functions)
		return -ENOMEM;
	for (int i = 0; i < count; i++)
		take_symbol(file, module, i);
	qsort(file->functions, file->count, sizeof(*file->functions), by_offset);
	return 0;
}

static void release_symbols(struct function_file *file)
{
	dwfl_end(file->symbols);
}

#else
static int take_symbols(struct function_file *file, const char *path)
{
	(void)file, (void)path;
	return -ENOSYS;
}

static void release_symbols(struct function_file *file)
{
	(void)file;
}
#endif

/* ---- the file ---- */

static int map_file(struct function_file *file, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), error = 0;
	struct stat status;
	void *image;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &status))
		error = -errno;
	else if (!S_ISREG(status.st_mode) || status.st_size <= 0)
		error = -ENOEXEC;
	if (!error) {
		file->inode = status.st_ino;
		file->size = (size_t)status.st_size;
		image = mmap(NULL, file->size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (image == MAP_FAILED)
			error = -errno;
		else
			file->image = image;
	}
	close(fd);
	return error;
}

int functionfile_open(struct function_file *file, const char *path)
{
	int error;

	memset(file, 0, sizeof(*file));
	error = map_file(file, path);
	if (!error)
		error = take_symbols(file, path);
	if (error)
		functionfile_close(file);
	return error;
}

void functionfile_close(struct function_file *file)
{
	if (file->symbols)
		release_symbols(file);
	if (file->image)
		munmap((void *)file->image, file->size);
	free(file->functions);
	memset(file, 0, sizeof(*file));
}

/* ---- ends ---- */

/* What the compiler has put elsewhere of a function ("solve.cold", "solve.part.0") is reached by jumps that come back. */
static bool is_part(const struct function_file *file, uint64_t offset)
{
	size_t low = 0, high = file->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (file->functions[middle].offset <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 &&
	       offset - file->functions[low - 1].offset < file->functions[low - 1].size &&
	       strstr(file->functions[low - 1].symbol, ".cold");
}

/* The kernel's probes are refused where an instruction begins with one of these prefixes of x86. */
static bool is_refused(const struct file_function *function, const struct insn *insn)
{
#if defined(__x86_64__)
	static const uint8_t prefixes[] = {0x26, 0x2e, 0x36, 0x3e, 0xf0};

	for (unsigned i = 0; i < insn->length && i < 4; i++) {
		if (memchr(prefixes, function->code[i], sizeof(prefixes)))
			return true;
		if (function->code[i] != 0x66 && function->code[i] != 0xf2 &&
		    function->code[i] != 0xf3)
			return false;
	}
#else
	(void)function;
#endif
	return insn->flow == INSN_TRAP;
}

/* Whether the call goes on elsewhere. */
static bool goes_out(const struct function_file *file, const struct file_function *function,
		     uint64_t at, const struct insn *insn)
{
	uint64_t target = at + (uint64_t)insn->target;

	return insn->flow == INSN_JUMP && target >= function->size &&
	       !is_part(file, function->offset + target);
}

const char *functionfile_ends(const struct function_file *file,
			      const struct file_function *function,
			      void (*visit)(void *data, uint64_t offset), void *data, bool *loops)
{
	struct insn insn;

	*loops = false;
	for (uint64_t at = 0; at < function->size; at += insn.length) {
		if (!insn_decode(function->code + at, function->size - at, &insn))
			return "its code is not understood";
		if (at == 0 && is_refused(function, &insn))
			return "the kernel has no probes for its first instruction";
		if ((insn.flow == INSN_JUMP || insn.flow == INSN_BRANCH ||
		     insn.flow == INSN_COUNTED) &&
		    at + (uint64_t)insn.target == 0)
			*loops = true;
		if (insn.flow == INSN_RETURN || goes_out(file, function, at, &insn))
			visit(data, function->offset + at);
	}
	return NULL;
}
