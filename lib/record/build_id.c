/* SPDX-License-Identifier: MIT */
/* build_id.c - see build_id.h */
#include "record/build_id.h"

#include <elf.h>
#include <link.h>
#include <string.h>

#include "record/bulk.h"
#include "record/sys.h"

#define IMAGE_SIZE 4096u /* the smallest page */

static uint64_t round_up(uint64_t value, uint64_t align)
{
	return (value + align - 1) & ~(align - 1);
}

struct text build_id_among(const void *notes, size_t size, size_t align)
{
	const char *bytes = notes;
	uint64_t at = 0, name, end;
	ElfW(Nhdr) note;

	for (; at < size && size - at >= sizeof(note); at = round_up(end, align)) {
		memcpy(&note, bytes + at, sizeof(note));
		name = at + sizeof(note);
		at = round_up(name + note.n_namesz, align);
		end = at + note.n_descsz;
		if (end > size)
			break;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof(ELF_NOTE_GNU) &&
		    memcmp(bytes + name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) == 0)
			return (struct text){bytes + at, note.n_descsz};
	}
	return (struct text){"", 0};
}

/* Among the notes of a segment, as far as they lie in the image. */
static struct text find_in_segment(const uint8_t *image, const ElfW(Phdr) * segment)
{
	uint64_t at = segment->p_offset, room = at < IMAGE_SIZE ? IMAGE_SIZE - at : 0;

	return build_id_among(room ? image + at : NULL,
			      segment->p_filesz < room ? segment->p_filesz : room,
			      segment->p_align == 8 ? 8 : 4);
}

static size_t find_in_image(const uint8_t *image, uint8_t *id, size_t room)
{
	ElfW(Ehdr) elf;
	ElfW(Phdr) segment;
	struct text found = {"", 0};

	memcpy(&elf, image, sizeof(elf));
	if (memcmp(elf.e_ident, ELFMAG, SELFMAG) || elf.e_phentsize != sizeof(segment))
		return 0;
	for (unsigned i = 0; i < elf.e_phnum && !found.length; i++) {
		uint64_t at = elf.e_phoff + i * sizeof(segment);

		if (at > IMAGE_SIZE - sizeof(segment))
			return 0;
		memcpy(&segment, image + at, sizeof(segment));
		if (segment.p_type == PT_NOTE)
			found = find_in_segment(image, &segment);
	}
	if (found.length > room)
		return 0;
	memcpy(id, found.bytes, found.length);
	return found.length;
}

size_t build_id_of(const void *base, uint8_t *id, size_t room)
{
	static uint8_t image[IMAGE_SIZE] BULK; /* the program's threads may have small stacks */

	if (sys_copy_from_self(image, base, sizeof(image)) != sizeof(image))
		return 0;
	return find_in_image(image, id, room);
}

#ifdef UNIT_TEST
#include "unittest.h"

#define NOTES_AT 1024u

/* An image with one segment of notes. */
struct made_image {
	uint8_t bytes[IMAGE_SIZE];
	size_t size; /* of the notes so far */
};

static void add_note(struct made_image *image, uint32_t type, const char *name, const char *text)
{
	ElfW(Nhdr) note = {.n_namesz = (ElfW(Word))strlen(name) + 1,
			   .n_descsz = (ElfW(Word))strlen(text),
			   .n_type = type};
	uint8_t *to = image->bytes + NOTES_AT + image->size;

	memcpy(to, &note, sizeof(note));
	memcpy(to + sizeof(note), name, note.n_namesz);
	memcpy(to + sizeof(note) + round_up(note.n_namesz, 4), text, note.n_descsz);
	image->size += sizeof(note) + round_up(note.n_namesz, 4) + round_up(note.n_descsz, 4);
}

static void add_headers(struct made_image *image)
{
	ElfW(Ehdr) elf = {.e_ident = ELFMAG, .e_phoff = sizeof(elf), .e_phnum = 2};
	ElfW(Phdr) segments[2] = {
		{.p_type = PT_LOAD},
		{.p_type = PT_NOTE, .p_offset = NOTES_AT, .p_filesz = image->size, .p_align = 4}};

	elf.e_phentsize = sizeof(segments[0]);
	memcpy(image->bytes, &elf, sizeof(elf));
	memcpy(image->bytes + sizeof(elf), segments, sizeof(segments));
}

TEST_CASE(build_ids_lie_behind_other_notes)
{
	static struct made_image image;
	uint8_t id[8];

	add_note(&image, NT_GNU_ABI_TAG, "GNU", "linux");
	add_note(&image, NT_GNU_BUILD_ID, "other", "wrong");
	add_note(&image, NT_GNU_BUILD_ID, "GNU", "seven..");
	add_headers(&image);
	EXPECT_EQ(find_in_image(image.bytes, id, sizeof(id)), 7);
	EXPECT(memcmp(id, "seven..", 7) == 0);
	EXPECT_EQ(find_in_image(image.bytes, id, 6), 0);
	image.bytes[0] = 0;
	EXPECT_EQ(find_in_image(image.bytes, id, sizeof(id)), 0);
	EXPECT_EQ(build_id_of(NULL, id, sizeof(id)), 0);
}

TEST_CASE(build_ids_are_not_looked_for_outside_an_image)
{
	static struct made_image image;
	ElfW(Nhdr) note = {.n_namesz = UINT32_MAX, .n_descsz = UINT32_MAX};
	uint8_t id[8];

	memcpy(image.bytes + NOTES_AT, &note, sizeof(note));
	image.size = UINT64_MAX;
	add_headers(&image);
	EXPECT_EQ(find_in_image(image.bytes, id, sizeof(id)), 0);
	note = (ElfW(Nhdr)){.n_namesz = 4, .n_descsz = IMAGE_SIZE, .n_type = NT_GNU_BUILD_ID};
	memcpy(image.bytes + NOTES_AT, &note, sizeof(note));
	memcpy(image.bytes + NOTES_AT + sizeof(note), "GNU", 4);
	EXPECT_EQ(find_in_image(image.bytes, id, sizeof(id)), 0);
}
#endif
