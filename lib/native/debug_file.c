/* SPDX-License-Identifier: MIT */
/* debug_file.c - see debug_file.h */
#include "native/debug_file.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <zlib.h>

#include "native/elf_symbols.h"
#include "record/sys.h"
#include "record/text.h"
#include "record/thread.h"

#define FOLDER_OF_DEBUG "/usr/lib/debug"
#define LZMA "liblzma.so.5"
#define LZMA_DONE 0
#define LZMA_NO_ROOM 10
#define UNPACKED_MAX (256u << 20)
#define UNPACKED_FIRST 8u /* times what is packed */

/* ---- files ---- */

static bool is_of(const struct elf_file *debug, const struct elf_file *object, const uint32_t *sum)
{
	struct elf_bytes wanted = elf_file_build_id(object), found = elf_file_build_id(debug);

	if (wanted.data && found.data)
		return wanted.size == found.size && !memcmp(wanted.data, found.data, found.size);
	return sum && crc32_z(0, debug->image, debug->size) == *sum;
}

static bool try_file(struct elf_file *debug, const struct elf_file *object,
		     const struct textbuf *path, const uint32_t *sum)
{
	if (path->cut || !elf_file_open(debug, path->buffer))
		return false;
	if (is_of(debug, object, sum))
		return true;
	elf_file_close(debug);
	return false;
}

static bool open_by_id(struct elf_file *debug, const struct elf_file *object)
{
	struct elf_bytes id = elf_file_build_id(object);
	char room[ELF_PATH_MAX];
	struct textbuf path = text_in(room, sizeof(room));

	if (!id.data)
		return false;
	text_add(&path, FOLDER_OF_DEBUG "/.build-id/");
	for (size_t i = 0; i < id.size; i++) {
		text_add_hex(&path, id.data[i], 2);
		text_add(&path, i == 0 ? "/" : "");
	}
	text_add(&path, ".debug");
	return try_file(debug, object, &path, NULL);
}

static bool open_linked(struct elf_file *debug, const struct elf_file *object,
			const char *object_path, const char *name, uint32_t sum)
{
	static const char *const forms[][2] = {{"", ""}, {"", ".debug/"}, {FOLDER_OF_DEBUG, ""}};
	const char *slash = strrchr(object_path, '/');
	size_t folder = slash ? (size_t)(slash + 1 - object_path) : 0;

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		char room[ELF_PATH_MAX];
		struct textbuf path = text_in(room, sizeof(room));

		text_add(&path, forms[i][0]);
		text_add_bytes(&path, object_path, folder);
		text_add(&path, forms[i][1]);
		text_add(&path, name);
		if (try_file(debug, object, &path, &sum))
			return true;
	}
	return false;
}

static bool open_by_link(struct elf_file *debug, const struct elf_file *object, const char *path)
{
	struct elf_bytes link = elf_file_bytes(object, elf_file_section(object, ".gnu_debuglink"));
	const char *name = (const char *)link.data;
	size_t length = link.data ? strnlen(name, link.size) : 0, at = (length + 4) & ~(size_t)3;
	uint32_t sum;

	if (!length || at + sizeof(sum) > link.size || memchr(name, '/', length))
		return false;
	memcpy(&sum, link.data + at, sizeof(sum));
	return open_linked(debug, object, path, name, sum);
}

bool debug_file_open(struct elf_file *debug, const struct elf_file *object, const char *path)
{
	memset(debug, 0, sizeof(*debug));
	return open_by_id(debug, object) || open_by_link(debug, object, path);
}

/* ---- data ---- */

typedef int lzma_function(uint64_t *memory_limit, uint32_t flags, const void *allocator,
			  const uint8_t *in, size_t *in_at, size_t in_size, uint8_t *out,
			  size_t *out_at, size_t out_size);

/* How big it is in the end is not known before: so with more room again and again. */
static bool unpack(lzma_function *decode, struct elf_bytes packed, struct elf_file *debug)
{
	int status = LZMA_NO_ROOM;

	for (size_t size = packed.size * UNPACKED_FIRST;
	     status == LZMA_NO_ROOM && size <= UNPACKED_MAX; size *= 2) {
		uint64_t limit = UNPACKED_MAX;
		size_t in = 0, out = 0;
		void *memory =
			sys_mmap(size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);

		if (sys_is_error((long)memory))
			return false;
		status = decode(&limit, 0, NULL, packed.data, &in, packed.size, memory, &out, size);
		if (status == LZMA_DONE && elf_file_take(debug, memory, size))
			return true;
		sys_munmap(memory, size);
	}
	return false;
}

bool debug_data_open(struct elf_file *debug, const struct elf_file *object, bool may_load)
{
	struct elf_bytes packed =
		elf_file_bytes(object, elf_file_section(object, ".gnu_debugdata"));
	lzma_function *decode;
	bool done = false;
	int saved = errno;
	void *library;

	memset(debug, 0, sizeof(*debug));
	if (!packed.data)
		return false;
	runtime_enter();
	library = dlopen(LZMA, RTLD_NOW | RTLD_LOCAL | (may_load ? 0 : RTLD_NOLOAD));
	decode = library ? (lzma_function *)dlsym(library, "lzma_stream_buffer_decode") : NULL;
	if (decode)
		done = unpack(decode, packed, debug);
	if (library)
		dlclose(library);
	runtime_leave();
	errno = saved;
	return done;
}
