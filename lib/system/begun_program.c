/* SPDX-License-Identifier: MIT */
/* begun_program.c - see begun_program.h */
#include "system/begun_program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool begun_piece_is_whole(const struct strings_event *event)
{
	return event->kind < BEGUN_WITH && event->text_size <= STRINGS_PIECE;
}

static int make_room(struct begun_text *text, size_t size)
{
	size_t room = text->room ? text->room : STRINGS_PIECE;
	char *bytes;

	while (room < size)
		room *= 2;
	if (room == text->room)
		return 0;
	bytes = realloc(text->bytes, room);
	if (!bytes)
		return -ENOMEM;
	text->bytes = bytes;
	text->room = room;
	return 0;
}

int begun_program_add(struct begun_program *program, const struct strings_event *event)
{
	struct begun_text *text = &program->texts[event->kind];

	/* more than the kernel's program ever sends */
	if (text->size + event->text_size > (size_t)STRINGS_PIECE * STRINGS_PIECES)
		return 0;
	if (make_room(text, text->size + event->text_size))
		return -ENOMEM;
	memcpy(text->bytes + text->size, event->text, event->text_size);
	text->size += event->text_size;
	return 0;
}

void begun_program_forget(struct begun_program *program)
{
	for (unsigned i = 0; i < BEGUN_WITH; i++)
		free(program->texts[i].bytes);
	memset(program, 0, sizeof(*program));
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(begun_programs_are_put_together_from_pieces)
{
	struct strings_event event = {.kind = BEGUN_WITH_ENVIRONMENT, .text_size = STRINGS_PIECE};
	struct begun_program program = {0};

	memset(event.text, 'a', sizeof(event.text));
	EXPECT(begun_piece_is_whole(&event));
	for (unsigned i = 0; i < STRINGS_PIECES + 3; i++)
		EXPECT_EQ(begun_program_add(&program, &event), 0);
	EXPECT_EQ(program.texts[BEGUN_WITH_ENVIRONMENT].size,
		  (size_t)STRINGS_PIECE * STRINGS_PIECES);
	EXPECT_EQ(program.texts[BEGUN_WITH_ARGUMENTS].size, 0u);
	begun_program_forget(&program);
	event = (struct strings_event){.kind = BEGUN_WITH_ARGUMENTS,
				       .text_size = 4,
				       .text = "a\0b"};
	EXPECT_EQ(begun_program_add(&program, &event), 0);
	EXPECT_EQ(memcmp(program.texts[BEGUN_WITH_ARGUMENTS].bytes, "a\0b", 4), 0);
	event.text_size = STRINGS_PIECE + 1;
	EXPECT(!begun_piece_is_whole(&event));
	event = (struct strings_event){.kind = BEGUN_WITH};
	EXPECT(!begun_piece_is_whole(&event));
	begun_program_forget(&program);
}
#endif
