/* SPDX-License-Identifier: MIT */
/* leftovers.c - see leftovers.h */
#include "leftovers.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "buffer.h"

#define JOB_DIGITS 13u /* of ranks_file() */
#define AGE 600        /* seconds */
#define RANDOM_LETTERS 6u

struct leftover {
	char job[JOB_DIGITS + 1];
	char name[256];
};

struct search {
	char folder[4096], name[256]; /* of the output */
	struct buffer found;          /* struct leftover */
	struct buffer alive;          /* jobs, struct leftover without names */
	time_t now;
};

/* "FOLDER/NAME.0123456789abc" -> FOLDER and NAME. */
static bool place_of(const char *base, struct search *search)
{
	const char *slash = strrchr(base, '/'), *name = slash ? slash + 1 : base;
	size_t folder = (size_t)(name - base), length = strlen(name);

	if (length <= JOB_DIGITS + 1 || length - JOB_DIGITS - 1 >= sizeof(search->name) ||
	    folder >= sizeof(search->folder))
		return false;
	memcpy(search->name, name, length - JOB_DIGITS - 1);
	search->name[length - JOB_DIGITS - 1] = '\0';
	memcpy(search->folder, base, folder);
	search->folder[folder] = '\0';
	if (folder == 0)
		memcpy(search->folder, ".", 2);
	return true;
}

static bool is_ending(const char *text, bool hidden)
{
	static const char *const endings[] = {".log", ".part", ".more", ".new"};

	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		size_t length = strlen(endings[i]);

		if (strncmp(text, endings[i], length) != 0)
			continue;
		if (!hidden)
			return text[length] == '\0';
		return text[length] == '.' && strlen(text + length + 1) == RANDOM_LETTERS;
	}
	return false;
}

/* Whether a file is called as those of ranks are; *job is set to where its job begins. */
static bool is_of_rank(const char *file, const char *name, const char **job)
{
	bool hidden = *file == '.' && *name != '.';
	const char *at = file + hidden;
	size_t length = strlen(name);

	if (strncmp(at, name, length) != 0 || at[length] != '.')
		return false;
	at += length + 1;
	*job = at;
	if (strspn(at, "0123456789abcdef") != JOB_DIGITS || at[JOB_DIGITS] != '.')
		return false;
	at += JOB_DIGITS + 1;
	if (!isdigit((unsigned char)*at))
		return false;
	return is_ending(at + strspn(at, "0123456789"), hidden);
}

static void look_at(struct search *search, int folder, const char *file)
{
	struct leftover leftover = {.name = ""};
	struct stat status;
	const char *job;

	if (!is_of_rank(file, search->name, &job) || strlen(file) >= sizeof(leftover.name) ||
	    fstatat(folder, file, &status, AT_SYMLINK_NOFOLLOW) || !S_ISREG(status.st_mode))
		return;
	memcpy(leftover.job, job, JOB_DIGITS);
	memcpy(leftover.name, file, strlen(file));
	buffer_add(status.st_mtime > search->now - AGE ? &search->alive : &search->found, &leftover,
		   sizeof(leftover));
}

static bool is_alive(const struct search *search, const char *job)
{
	const struct leftover *alive = (const void *)search->alive.bytes;

	for (size_t i = 0; i < search->alive.size / sizeof(*alive); i++)
		if (!strcmp(alive[i].job, job))
			return true;
	return false;
}

static void remove_found(const struct search *search, int folder)
{
	const struct leftover *found = (const void *)search->found.bytes;

	for (size_t i = 0; i < search->found.size / sizeof(*found); i++)
		if (!is_alive(search, found[i].job))
			unlinkat(folder, found[i].name, 0);
}

void leftovers_remove(const struct ranks *ranks, int fd)
{
	struct search search = {.now = 0};
	const struct dirent *entry;
	struct stat status;
	DIR *dir;

	if (!place_of(ranks->base, &search) || fstat(fd, &status))
		return;
	search.now = status.st_mtime;
	dir = opendir(search.folder);
	if (!dir)
		return;
	while ((entry = readdir(dir)))
		look_at(&search, dirfd(dir), entry->d_name);
	remove_found(&search, dirfd(dir));
	closedir(dir);
	buffer_release(&search.found);
	buffer_release(&search.alive);
}

#ifdef UNIT_TEST
#include "unittest.h"

static bool is_left(const char *file)
{
	const char *job;

	return is_of_rank(file, "a.csv", &job);
}

TEST_CASE(leftovers_are_known_by_their_names)
{
	struct search search;

	EXPECT(is_left("a.csv.0123456789abc.0.log") && is_left("a.csv.0123456789abc.17.part"));
	EXPECT(is_left(".a.csv.0123456789abc.1.more.xY7_aa"));
	EXPECT(!is_left("a.csv") && !is_left("a.csv.0123456789abc.log"));
	EXPECT(!is_left("a.csv.0123456789abc.1.logs") && !is_left("a.csv.0123456789abc..log"));
	EXPECT(!is_left("a.csv.0123456789ab.1.log") && !is_left("a.csv.0123456789abcd.1.log"));
	EXPECT(!is_left("b.csv.0123456789abc.1.log") && !is_left("xa.csv.0123456789abc.1.log"));
	EXPECT(!is_left(".a.csv.0123456789abc.1.part") && !is_left(".a.csv.xY7_aa"));
	EXPECT(!is_left("a.csv.0123456789abc.1.part.gz") && !is_left("a.csv.0123456789ABC.1.log"));
	EXPECT(place_of("/x/y/a.csv.0123456789abc", &search));
	EXPECT_STR(search.folder, "/x/y/");
	EXPECT_STR(search.name, "a.csv");
	EXPECT(place_of("a.0123456789abc", &search));
	EXPECT_STR(search.folder, ".");
	EXPECT_STR(search.name, "a");
}
#endif
