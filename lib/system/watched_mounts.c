/* SPDX-License-Identifier: MIT */
/* watched_mounts.c - see watched_mounts.h */
#include "system/watched_mounts.h"

#include <stdlib.h>
#include <string.h>

#include "read/mountinfo.h"

struct watched_mounts {
	char *text;
	struct watched_mount *list;
	uint32_t count;
};

static void add_mount(struct watched_mounts *mounts, const struct watched_mount *mount)
{
	struct watched_mount *list =
		realloc(mounts->list, (mounts->count + 1) * sizeof(*mounts->list));

	if (!list)
		return;
	mounts->list = list;
	list[mounts->count] = *mount;
	list[mounts->count].point = strdup(mount->point);
	if (list[mounts->count].point)
		mounts->count++;
}

static void take_line(struct watched_mounts *mounts, const char *line, char *room)
{
	static char of_root[] = "";
	struct watched_mount mount;
	const char *words[5];
	unsigned major_number, minor_number;

	for (unsigned i = 0; i < 5; i++)
		words[i] = mountinfo_word(&line, &room);
	if (sscanf(words[2], "%u:%u", &major_number, &minor_number) != 2 || strcmp(words[3], "/"))
		return;
	mount.device = major_number << 20 | minor_number;
	mount.number = (uint32_t)strtoul(words[0], NULL, 10);
	mount.point = strcmp(words[4], "/") ? (char *)words[4] : of_root;
	add_mount(mounts, &mount);
}

static void read_lines(struct watched_mounts *mounts, FILE *from)
{
	char *line = NULL;
	size_t size = 0, length;
	FILE *to = open_memstream(&mounts->text, &length);

	while (to && getline(&line, &size, from) > 0) {
		char *room = malloc(strlen(line) + 8);

		fputs(line, to);
		if (room)
			take_line(mounts, line, room);
		free(room);
	}
	if (to)
		fclose(to);
	free(line);
}

struct watched_mounts *watched_mounts_read(FILE *from)
{
	struct watched_mounts *mounts = calloc(1, sizeof(*mounts));

	if (mounts)
		read_lines(mounts, from);
	return mounts;
}

struct watched_mounts *watched_mounts_new(void)
{
	FILE *from = fopen("/proc/self/mountinfo", "re");
	struct watched_mounts *mounts;

	if (!from)
		return calloc(1, sizeof(*mounts));
	mounts = watched_mounts_read(from);
	fclose(from);
	return mounts;
}

void watched_mounts_free(struct watched_mounts *mounts)
{
	if (!mounts)
		return;
	for (uint32_t i = 0; i < mounts->count; i++)
		free(mounts->list[i].point);
	free(mounts->list);
	free(mounts->text);
	free(mounts);
}

const struct watched_mount *watched_mount(const struct watched_mounts *mounts, uint32_t device)
{
	for (uint32_t i = 0; i < mounts->count; i++)
		if (mounts->list[i].device == device)
			return &mounts->list[i];
	return NULL;
}

const char *watched_mounts_text(const struct watched_mounts *mounts)
{
	return mounts->text ? mounts->text : "";
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(mounts_are_found_by_their_device)
{
	char text[] = "21 1 8:1 / / rw - ext4 /dev/a rw\n"
		      "22 21 8:2 /below /part rw shared:1 - xfs /dev/b rw\n"
		      "23 21 8:2 / /data\\040disk rw - xfs /dev/b rw\n"
		      "24 21 8:2 / /again rw - xfs /dev/b rw\n"
		      "nonsense\n";
	FILE *from = fmemopen(text, sizeof(text) - 1, "r");
	struct watched_mounts *mounts = watched_mounts_read(from);

	fclose(from);
	EXPECT_STR(watched_mounts_text(mounts), text);
	EXPECT_STR(watched_mount(mounts, 8 << 20 | 1)->point, "");
	EXPECT_STR(watched_mount(mounts, 8 << 20 | 2)->point, "/data disk");
	EXPECT_EQ(watched_mount(mounts, 8 << 20 | 2)->number, 23u);
	EXPECT(!watched_mount(mounts, 8 << 20 | 3));
	watched_mounts_free(mounts);
}
#endif
