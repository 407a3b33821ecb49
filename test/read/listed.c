/* SPDX-License-Identifier: MIT */
/* listed.c - listed TRACE NAME: what is wrong with the trace when its folder is listed without one of its files, which has come meanwhile. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include <recorder/reader.h>

static const char *unlisted;
static unsigned left_out;

struct dirent *__real_readdir(DIR *entries);
struct dirent *__wrap_readdir(DIR *entries);

struct dirent *__wrap_readdir(DIR *entries)
{
	struct dirent *entry = __real_readdir(entries);

	if (!entry || strcmp(entry->d_name, unlisted) != 0)
		return entry;
	left_out++;
	return __real_readdir(entries);
}

int main(int argc, char **argv)
{
	struct reader_info info = {.sz = sizeof(info)};
	struct reader *trace;

	if (argc < 3)
		return 2;
	unlisted = argv[2];
	trace = reader_open(argv[1], NULL);
	if (!trace || reader_info(trace, &info)) {
		fprintf(stderr, "%s\n", reader_error(trace));
		return 1;
	}
	for (unsigned i = 0; i < reader_problem_count(trace); i++)
		printf("%s\n", reader_problem(trace, i));
	printf("%u left out, %llu records, complete %d\n", left_out,
	       (unsigned long long)info.records, info.complete);
	reader_close(trace);
	return 0;
}
