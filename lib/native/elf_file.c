/* SPDX-License-Identifier: MIT */
/* elf_file.c - see elf_file.h */
#include "native/elf_file.h"

#include <string.h>
#include <zlib.h>

#include "record/build_id.h"
#include "record/errand.h"
#include "record/sys.h"

#define PLAIN_MAX (1ull << 31) /* bytes of a section that is inflated */

/* ---- mapping ---- */

struct mapping {
	const char *path;
	uint8_t *image;
	size_t size;
};

static int map_file(void *data)
{
	struct mapping *mapping = data;
	int fd = sys_open(mapping->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
	struct stat status;
	void *memory;

	if (fd < 0)
		return fd;
	mapping->image = NULL;
	if (!sys_fstat(fd, &status) && S_ISREG(status.st_mode) &&
	    status.st_size > (off_t)sizeof(ElfW(Ehdr))) {
		mapping->size = (size_t)status.st_size;
		memory = sys_mmap(mapping->size, PROT_READ, MAP_PRIVATE, fd);
		if (!sys_is_error((long)memory))
			mapping->image = memory;
	}
	sys_close(fd);
	return mapping->image ? 0 : -ENOEXEC;
}

static bool lies_within(const struct elf_file *file, uint64_t offset, uint64_t size)
{
	return offset <= file->size && size <= file->size - offset;
}

bool elf_file_take(struct elf_file *file, const void *memory, size_t size)
{
	const ElfW(Ehdr) *header = memory;

	*file = (struct elf_file){.image = memory, .size = size};
	if (size > sizeof(*header) && !memcmp(header->e_ident, ELFMAG, SELFMAG) &&
	    header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_ident[EI_DATA] == ELFDATA2LSB &&
	    header->e_phentsize == sizeof(ElfW(Phdr)) &&
	    header->e_phoff % _Alignof(ElfW(Phdr)) == 0 &&
	    lies_within(file, header->e_phoff, header->e_phnum * sizeof(ElfW(Phdr))) &&
	    header->e_shentsize == sizeof(ElfW(Shdr)) &&
	    header->e_shoff % _Alignof(ElfW(Shdr)) == 0 &&
	    lies_within(file, header->e_shoff, header->e_shnum * sizeof(ElfW(Shdr)))) {
		file->sections = (const ElfW(Shdr) *)(file->image + header->e_shoff);
		file->section_count = header->e_shnum;
		return true;
	}
	memset(file, 0, sizeof(*file));
	return false;
}

bool elf_file_open(struct elf_file *file, const char *path)
{
	struct mapping mapping = {.path = path};

	memset(file, 0, sizeof(*file));
	if (errand_run(map_file, &mapping))
		return false;
	if (elf_file_take(file, mapping.image, mapping.size))
		return true;
	sys_munmap(mapping.image, mapping.size);
	return false;
}

void elf_file_close(struct elf_file *file)
{
	if (file->image)
		sys_munmap((void *)file->image, file->size);
	memset(file, 0, sizeof(*file));
}

/* ---- sections ---- */

struct elf_bytes elf_file_bytes(const struct elf_file *file, const ElfW(Shdr) * section)
{
	if (!section || section->sh_type == SHT_NOBITS || !section->sh_size ||
	    !lies_within(file, section->sh_offset, section->sh_size))
		return (struct elf_bytes){.data = NULL};
	return (struct elf_bytes){.data = file->image + section->sh_offset,
				  .size = section->sh_size};
}

const ElfW(Shdr) * elf_file_section(const struct elf_file *file, const char *name)
{
	const ElfW(Ehdr) *header = (const ElfW(Ehdr) *)file->image;
	struct elf_bytes names = {.data = NULL};

	if (header->e_shstrndx < file->section_count)
		names = elf_file_bytes(file, &file->sections[header->e_shstrndx]);
	if (!names.data || names.data[names.size - 1])
		return NULL;
	for (unsigned i = 0; i < file->section_count; i++)
		if (file->sections[i].sh_name < names.size &&
		    !strcmp((const char *)names.data + file->sections[i].sh_name, name))
			return &file->sections[i];
	return NULL;
}

/* zlib's memory is not the program's malloc(). */
static void *take_memory(void *unused, unsigned count, unsigned size)
{
	size_t bytes = (size_t)count * size + 16;
	size_t *memory = sys_mmap(bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);

	(void)unused;
	if (sys_is_error((long)memory))
		return NULL;
	*memory = bytes;
	return memory + 2;
}

static void give_memory(void *unused, void *memory)
{
	size_t *begin = (size_t *)memory - 2;

	(void)unused;
	sys_munmap(begin, *begin);
}

static bool run_inflate(const uint8_t *packed, size_t packed_size, uint8_t *plain, size_t size)
{
	z_stream stream = {.zalloc = take_memory,
			   .zfree = give_memory,
			   .next_in = (uint8_t *)packed,
			   .avail_in = (uInt)packed_size,
			   .next_out = plain,
			   .avail_out = (uInt)size};
	bool done;

	if (inflateInit(&stream) != Z_OK)
		return false;
	done = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.total_out == size;
	inflateEnd(&stream);
	return done;
}

static struct elf_bytes inflate_section(struct elf_bytes packed)
{
	const ElfW(Chdr) *header = (const ElfW(Chdr) *)packed.data;
	struct elf_bytes plain = {.data = NULL};
	void *memory;

	if (packed.size <= sizeof(*header) || (uintptr_t)header % _Alignof(ElfW(Chdr)) ||
	    header->ch_type != ELFCOMPRESS_ZLIB || !header->ch_size ||
	    header->ch_size > PLAIN_MAX || packed.size > PLAIN_MAX)
		return plain;
	memory = sys_mmap(header->ch_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	if (sys_is_error((long)memory))
		return plain;
	plain = (struct elf_bytes){.data = memory, .size = header->ch_size, .mapped = true};
	if (!run_inflate(packed.data + sizeof(*header), packed.size - sizeof(*header), memory,
			 plain.size))
		elf_bytes_release(&plain);
	return plain;
}

struct elf_bytes elf_file_plain(const struct elf_file *file, const char *name)
{
	const ElfW(Shdr) *section = elf_file_section(file, name);
	struct elf_bytes bytes = elf_file_bytes(file, section);

	return bytes.data && (section->sh_flags & SHF_COMPRESSED) ? inflate_section(bytes) : bytes;
}

void elf_bytes_release(struct elf_bytes *bytes)
{
	if (bytes->mapped)
		sys_munmap((void *)bytes->data, bytes->size);
	memset(bytes, 0, sizeof(*bytes));
}

struct elf_bytes elf_file_build_id(const struct elf_file *file)
{
	struct elf_bytes notes = elf_file_bytes(file, elf_file_section(file, ".note.gnu.build-id"));
	struct text id = build_id_among(notes.data, notes.size, 4);

	/* by its first byte a folder is named, by the rest a file in it */
	return id.length < 2
		       ? (struct elf_bytes){.data = NULL}
		       : (struct elf_bytes){.data = (const uint8_t *)id.bytes, .size = id.length};
}
