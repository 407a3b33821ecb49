/* SPDX-License-Identifier: MIT */
/*
 * judge.c - what libreader makes of many traces, in one process.
 *
 *	judge < LIST            a line for each directory of the list: refused, problems, then records
 *	                        stored, lost and unreadable
 *	judge --flip DIR FILE   every bit of a file of the trace flipped, one after the other: a line for
 *	                        each flip that is not noticed, then how many there were
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <recorder/reader.h>

#include "everything.h"

#define FILE_MAX (1u << 20)

static void put(const char *path, const uint8_t *data, size_t size)
{
	int fd = open(path, O_WRONLY | O_TRUNC);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size || close(fd)) {
		perror(path);
		exit(2);
	}
}

/* As `recorder check` judges. */
static int is_noticed(const char *dir)
{
	struct reader *trace = reader_open(dir, NULL);
	int problems = trace ? reader_verify(trace) : 1;

	reader_close(trace);
	return problems != 0;
}

static int flip(const char *dir, const char *path)
{
	static uint8_t data[FILE_MAX];
	FILE *file = fopen(path, "rb");
	size_t size = file ? fread(data, 1, sizeof(data), file) : 0;

	if (!file)
		return 2;
	fclose(file);
	for (size_t i = 0; i < size * 8; i++) {
		data[i / 8] ^= (uint8_t)(1u << i % 8);
		put(path, data, size);
		if (!is_noticed(dir))
			printf("%zu %zu\n", i / 8, i % 8);
		data[i / 8] ^= (uint8_t)(1u << i % 8);
	}
	put(path, data, size);
	printf("of %zu\n", size * 8);
	return 0;
}

int main(int argc, char **argv)
{
	char line[4096];

	if (argc == 4 && strcmp(argv[1], "--flip") == 0)
		return flip(argv[2], argv[3]);
	while (fgets(line, sizeof(line), stdin)) {
		struct everything all;

		line[strcspn(line, "\n")] = '\0';
		all = read_everything(line);
		printf("%d %u %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", !all.opened, all.found,
		       all.stored, all.lost, all.unreadable);
		fflush(stdout);
	}
	return 0;
}
