/* SPDX-License-Identifier: MIT */
/* verbose.c - see verbose.h */
#include "record/verbose.h"

#include <string.h>

#include "record/config.h"
#include "record/identity.h"
#include "record/live.h"
#include "record/note.h"
#include "record/selection.h"
#include "record/stream.h"
#include "record/text.h"
#include "record/tracedir.h"

#define PART_MAX 512 /* of static buffers: the stack may be small, and one thread tells */

/* "rank 3 (./app, process 4711)" */
static void put_process(char *buffer, size_t size)
{
	struct textbuf text = text_in(buffer, size);

	text_add(&text, "rank ");
	text_add_u64(&text, (uint64_t)identity.rank);
	text_add(&text, " (");
	text_add(&text, identity.program);
	text_add(&text, ", process ");
	text_add_u64(&text, identity.pid);
	text_add(&text, ")");
}

/* "88 functions of posix, 12 of stdio" */
static void put_functions(char *buffer, size_t size)
{
	struct textbuf text = text_in(buffer, size);
	bool first = true;

	for (const struct layer_entry *layer = layer_table; layer < layer_table + layer_count;
	     layer++) {
		unsigned on = selection_count(layer);

		if (!on)
			continue;
		text_add(&text, first ? "" : ", ");
		text_add_u64(&text, on);
		text_add(&text, first ? " functions of " : " of ");
		text_add(&text, layer->name);
		first = false;
	}
	if (first)
		text_add(&text, "nothing");
}

/* The settings that leave something out: " FUNCTIONS=MPI_*" each. */
static void put_filter(void *data, const char *name, const char *value)
{
	static const char *const filters[] = {"RECORDER_LAYERS",      "RECORDER_FUNCTIONS",
					      "RECORDER_INCLUDE",     "RECORDER_EXCLUDE",
					      "RECORDER_RANKS",       "RECORDER_PROGRAMS",
					      "RECORDER_MIN_DURATION"};

	for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++) {
		if (strcmp(name, filters[i]) != 0)
			continue;
		text_add(data, " ");
		text_add(data, name);
		text_add(data, "=");
		text_add(data, value);
	}
}

void verbose_opened(void)
{
	static char process[PART_MAX], functions[PART_MAX], filter[PART_MAX];
	struct textbuf text = text_in(filter, sizeof(filter));
	const char *live = live_directory();

	if (!config.verbose || !identity.main || identity.image > 0)
		return;
	put_process(process, sizeof(process));
	put_functions(functions, sizeof(functions));
	config_each(put_filter, &text);
	note_verbose(process, " records ", functions, " into ", tracedir_path, "/", stream_name(),
		     "; live files in ", *live ? live : "no directory: not crash-safe",
		     *filter ? "; by" : "", filter, NULL);
}

void verbose_passive(const char *reason)
{
	static char process[PART_MAX];

	if (!config.verbose || !identity.main)
		return;
	put_process(process, sizeof(process));
	note_verbose(process, " is not recorded: ", reason, NULL);
}
