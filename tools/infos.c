/* SPDX-License-Identifier: MIT */
/* infos.c - see infos.h */
#include "infos.h"

#include <inttypes.h>
#include <stdio.h>

const char *info_state(enum reader_stream_state state)
{
	static const char *const names[] = {
		[READER_CLEAN] = "clean", [READER_RUNNING] = "running", [READER_DIED] = "died"};

	return (unsigned)state < sizeof(names) / sizeof(names[0]) ? names[state] : "unknown";
}

uint64_t info_bytes(const struct reader *trace, unsigned streams)
{
	struct reader_stream stream = {.sz = sizeof(stream)};
	uint64_t bytes = 0;

	for (unsigned i = 0; i < streams; i++)
		if (!reader_stream(trace, i, &stream))
			bytes += stream.bytes;
	return bytes;
}

void info_csv(struct output *output, const struct reader *trace, const struct reader_info *info)
{
	struct reader_stream stream = {.sz = sizeof(stream)};

	output_text(output, "name,world,rank,pid,parent,host,exe,records,in_flight,lost,unreadable,"
			    "state,reason,start,end\n");
	for (unsigned i = 0; i < info->streams; i++) {
		char numbers[160];

		if (reader_stream(trace, i, &stream))
			continue;
		output_csv(output, stream.name);
		snprintf(numbers, sizeof(numbers), ",%d,%d,%u,%u,", (int)stream.world,
			 (int)stream.rank, stream.pid, stream.ppid);
		output_text(output, numbers);
		output_csv(output, stream.host);
		output_char(output, ',');
		output_csv(output, stream.exe);
		snprintf(numbers, sizeof(numbers),
			 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%s,", stream.records,
			 stream.in_flight, stream.lost, stream.unreadable,
			 info_state(stream.state));
		output_text(output, numbers);
		output_csv(output, stream.reason);
		output_char(output, ',');
		output_decimal(output, stream.start, 9);
		output_char(output, ',');
		output_decimal(output, stream.end, 9);
		output_char(output, '\n');
	}
}
