/* SPDX-License-Identifier: MIT */
/*
 * repair.c - fuzz target: a whole trace directory is repaired. What the reader gave before it gives
 * after it, and a second repair changes no byte.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "everything.h"
#include "fold.h"
#include "format/chunk.h"
#include "message.h"
#include "mutate.h"
#include "packed.h"
#include "read/life.h"
#include "scratch.h"

#define FILE_MAX (4u << 20)
#define DIED 1700000000000000000 /* when whoever repairs says that the processes died */

/* In place of lib/read/life.c: every trace is of this machine, and its processes are dead. */
void life_view_init(struct life_view *view)
{
	memset(view, 0, sizeof(*view));
}

void life_view_release(struct life_view *view)
{
	(void)view;
}

enum life life_of(struct life_view *view, const struct life_claim *claim)
{
	(void)view;
	return strcmp(claim->boot_id, "none-of-ours") ? LIFE_ELSEWHERE : LIFE_ENDED;
}

static uint64_t file_digest(int dir_fd, const char *name)
{
	static uint8_t bytes[FILE_MAX];
	int fd = openat(dir_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
	ssize_t size = fd < 0 ? -1 : read(fd, bytes, sizeof(bytes));
	uint64_t name_crc = format_crc(name, strlen(name));

	if (fd >= 0)
		close(fd);
	return size < 0 ? name_crc : (name_crc << 32) + format_crc(bytes, (size_t)size);
}

/* Of names and contents, whatever their order. */
static uint64_t digest(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	uint64_t sum = 0;

	while (dir && (entry = readdir(dir)))
		if (entry->d_type == DT_REG)
			sum += file_digest(dirfd(dir), entry->d_name);
	if (dir)
		closedir(dir);
	return sum;
}

static void expect(bool condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "repair: %s\n", what);
	abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fold_result result;
	uint64_t repaired;

	message_quiet = true;
	mkdir(SCRATCH_LIVE, 0700); /* an earlier repair took it away */
	packed_unpack(data, size);
	scratch_put("trace/notes.txt", "", 0);
	if (fold_trace(SCRATCH_TRACE, DIED, true, &result))
		return 0;
	repaired = digest(SCRATCH_TRACE);
	read_everything(SCRATCH_TRACE);
	expect(digest(SCRATCH_TRACE) == repaired, "reading changes a trace");
	fold_trace(SCRATCH_TRACE, DIED, true, &result);
	expect(digest(SCRATCH_TRACE) == repaired, "a second repair changes a trace");
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	return mutate_packed(data, size, max, &seed);
}
