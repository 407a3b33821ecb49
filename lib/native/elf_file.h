/* SPDX-License-Identifier: MIT */
/*
 * elf_file.h - programs, libraries and what was stripped of them, as files: mapped to be read, and taken for what they are only as far as they are well formed.
 */
#ifndef RECORDER_NATIVE_ELF_FILE_H
#define RECORDER_NATIVE_ELF_FILE_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_file {
	const uint8_t *image; /* NULL: none is open */
	size_t size;
	const ElfW(Shdr) * sections;
	unsigned section_count;
};

struct elf_bytes {
	const uint8_t *data; /* NULL: none */
	size_t size;
	bool mapped; /* memory of its own */
};

/* False: it cannot be read, or is no file of this CPU's. */
bool elf_file_open(struct elf_file *file, const char *path);
/* Of memory that sys_mmap() gave; it is the file's from now on. False: it is none, and the memory is still the caller's. */
bool elf_file_take(struct elf_file *file, const void *memory, size_t size);
void elf_file_close(struct elf_file *file);

/* What a section of the file has; data NULL: nothing that can be. */
struct elf_bytes elf_file_bytes(const struct elf_file *file, const ElfW(Shdr) * section);
/* NULL: there is none of that name. */
const ElfW(Shdr) * elf_file_section(const struct elf_file *file, const char *name);
/* The section's bytes, inflated if they are compressed by zlib. Given back by elf_bytes_release(). */
struct elf_bytes elf_file_plain(const struct elf_file *file, const char *name);
void elf_bytes_release(struct elf_bytes *bytes);

/* The note that tells builds apart; data NULL: none. */
struct elf_bytes elf_file_build_id(const struct elf_file *file);

#endif
