/* SPDX-License-Identifier: MIT */
/* proc_text.c - see proc_text.h */
#include "system/proc_text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define READ_ROOM 16384u
/*
 * What the kernel makes of lines is read a page at a time: less than this much has ended, as no line of the files that are read is so long that it would not have fit behind. One line that is longer, as that of interrupts, comes as a whole. Asking again
 * costs as much as a small file.
 */
#define READ_ENDS 3072

int proc_open(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

const char *proc_read(int fd, struct pile *text)
{
	ssize_t got;

	text->size = 0;
	do {
		uint8_t *at = pile_room(text, READ_ROOM);

		if (!at)
			return NULL;
		got = pread(fd, at, READ_ROOM - 1, (off_t)text->size);
		if (got < 0)
			return NULL;
		at[got] = '\0';
		text->size += (size_t)got;
	} while (got >= READ_ENDS);
	return (const char *)text->bytes;
}

static bool is_digit(char character)
{
	return character >= '0' && character <= '9';
}

uint64_t proc_number(const char **at)
{
	const char *p = *at;
	uint64_t value = 0;

	while (*p == ' ' || *p == '\t')
		p++;
	for (; is_digit(*p); p++)
		value = value * 10 + (uint64_t)(*p - '0');
	*at = p;
	return value;
}

void proc_skip(const char **at, unsigned words)
{
	const char *p = *at;

	while (words-- > 0) {
		p += strspn(p, " \t");
		p += strcspn(p, " \t\n");
	}
	*at = p;
}

const char *proc_line(const char *at)
{
	const char *end = strchr(at, '\n');

	return end && end[1] ? end + 1 : NULL;
}

const char *proc_behind(const char *at, const char *word)
{
	size_t length = strlen(word);

	return strncmp(at, word, length) ? NULL : at + length;
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(texts_of_proc_are_taken_apart)
{
	const char *at = "cpu0 12 x\t7\nnext 5";
	const char *p = proc_behind(at, "cpu");

	REQUIRE(p != NULL);
	EXPECT_EQ(proc_number(&p), 0);
	EXPECT_EQ(proc_number(&p), 12);
	proc_skip(&p, 1);
	EXPECT_EQ(proc_number(&p), 7);
	EXPECT_EQ(proc_number(&p), 0);
	p = proc_line(at);
	REQUIRE(p != NULL);
	EXPECT(proc_behind(p, "nextt") == NULL);
	proc_skip(&p, 1);
	EXPECT_EQ(proc_number(&p), 5);
	EXPECT(proc_line(p) == NULL);
}
#endif
