/* SPDX-License-Identifier: MIT */
/* image.c - see image.h */
#include "format/image.h"

#include <elf.h>
#include <string.h>

#include "format/bytes.h"

#if defined(__x86_64__)
#define MACHINE EM_X86_64
#elif defined(__aarch64__)
#define MACHINE EM_AARCH64
#else
#error "which machine is this?"
#endif

/* By the name of the dynamic linker: what is not glibc's loads no library that needs glibc. */
static const char *judge_linker(const uint8_t *head, size_t size, const Elf64_Phdr *segment)
{
	if (segment->p_offset > size || segment->p_filesz > size - segment->p_offset)
		return NULL;
	return memmem(head + segment->p_offset, segment->p_filesz, "ld-musl", 7) ? "musl" : NULL;
}

static const char *judge_64(const uint8_t *head, size_t size)
{
	Elf64_Ehdr header;

	if (size < sizeof(header))
		return NULL;
	memcpy(&header, head, sizeof(header));
	if (header.e_machine != MACHINE)
		return "other-machine";
	if (header.e_phentsize != sizeof(Elf64_Phdr))
		return NULL;
	for (unsigned i = 0; i < header.e_phnum; i++) {
		uint64_t offset = header.e_phoff + i * sizeof(Elf64_Phdr);
		Elf64_Phdr segment;

		if (offset < header.e_phoff || offset > size || size - offset < sizeof(segment))
			return NULL;
		memcpy(&segment, head + offset, sizeof(segment));
		if (segment.p_type == PT_INTERP)
			return judge_linker(head, size, &segment);
	}
	return "static";
}

const char *image_untraced(const void *head, size_t size)
{
	const uint8_t *bytes = head;

	if (size < EI_NIDENT || memcmp(bytes, ELFMAG, SELFMAG) != 0)
		return NULL;
	if (bytes[EI_CLASS] == ELFCLASS32)
		return "32-bit";
	if (bytes[EI_CLASS] != ELFCLASS64 || bytes[EI_DATA] != ELFDATA2LSB)
		return "other-machine";
	return judge_64(bytes, size);
}

bool image_interpreter(const void *head, size_t size, char *path, size_t room)
{
	const char *p = head, *end = p + size;
	size_t length = 0;

	if (size < 2 || p[0] != '#' || p[1] != '!')
		return false;
	p += 2;
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	while (p + length < end && !strchr(" \t\n", p[length]))
		length++;
	if (length == 0 || p + length == end || length >= room)
		return false;
	memcpy(path, p, length);
	path[length] = '\0';
	return true;
}

#ifdef UNIT_TEST
#include "unittest.h"

static size_t make_program(uint8_t *head, const char *linker)
{
	Elf64_Ehdr header = {.e_machine = MACHINE,
			     .e_phoff = sizeof(header),
			     .e_phentsize = sizeof(Elf64_Phdr),
			     .e_phnum = 2};
	Elf64_Phdr segments[2] = {{.p_type = PT_LOAD},
				  {.p_type = linker ? PT_INTERP : PT_NOTE,
				   .p_offset = sizeof(header) + sizeof(segments),
				   .p_filesz = linker ? strlen(linker) + 1 : 0}};

	memcpy(header.e_ident, ELFMAG, SELFMAG);
	header.e_ident[EI_CLASS] = ELFCLASS64;
	header.e_ident[EI_DATA] = ELFDATA2LSB;
	memcpy(head, &header, sizeof(header));
	memcpy(head + sizeof(header), segments, sizeof(segments));
	if (linker)
		memcpy(head + sizeof(header) + sizeof(segments), linker, strlen(linker) + 1);
	return IMAGE_HEAD;
}

static bool judged(const uint8_t *head, size_t size, const char *want)
{
	const char *got = image_untraced(head, size);

	return got == want || (got && want && !strcmp(got, want));
}

TEST_CASE(images_tell_whether_a_preload_reaches_them)
{
	uint8_t head[IMAGE_HEAD] = {0};
	size_t size = make_program(head, "/lib64/ld-linux-x86-64.so.2");

	EXPECT(judged(head, size, NULL));
	make_program(head, "/lib/ld-musl-x86_64.so.1");
	EXPECT(judged(head, size, "musl"));
	make_program(head, NULL);
	EXPECT(judged(head, size, "static"));
	for (size_t cut = 0; cut < sizeof(Elf64_Ehdr) + 2 * sizeof(Elf64_Phdr); cut++)
		EXPECT(judged(head, cut, NULL));
	head[EI_CLASS] = ELFCLASS32;
	EXPECT(judged(head, size, "32-bit"));
	memset(head, 0xff, sizeof(head));
	memcpy(head, ELFMAG "\2\1", 6);
	EXPECT(judged(head, size, "other-machine"));
	EXPECT(judged((const uint8_t *)"#!/bin/sh\n", 10, NULL));
}

TEST_CASE(scripts_tell_their_interpreter)
{
	char path[16];

	EXPECT(image_interpreter("#! /bin/sh -e\n", 14, path, sizeof(path)));
	EXPECT_STR(path, "/bin/sh");
	EXPECT(!image_interpreter("#!/bin/sh", 9, path, sizeof(path)));
	EXPECT(!image_interpreter("#!\n", 3, path, sizeof(path)));
	EXPECT(!image_interpreter("#!/a/very/long/path/to\n", 23, path, sizeof(path)));
}
#endif
