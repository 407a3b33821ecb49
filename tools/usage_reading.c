/* SPDX-License-Identifier: MIT */
/* usage_reading.c - see usage_reading.h */
#include "usage_reading.h"

#include <stdio.h>
#include <string.h>

/* What is looked at of a form, by name: which thing it is of, and numbers. */
struct form_names {
	const char *name, *of;
	const char *numbers[USAGE_NUMBERS];
};

static const struct form_names form_names[USAGE_FORMS] = {
	[USAGE_FORM_CPU] = {"cpu",
			    "cpu",
			    {"user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal",
			     "guest", "guest_nice"}},
	[USAGE_FORM_MEMORY] = {"memory", NULL, {"total", "available"}},
	[USAGE_FORM_DISK] = {"disk", "disk", {"sectors_read", "sectors_written"}},
	[USAGE_FORM_NETWORK] = {"network", "interface", {"received", "sent"}},
	[USAGE_FORM_PRESSURE] = {"pressure", "resource", {"some"}},
	[USAGE_FORM_PROCESS] = {"process", "command", {"pid", "ppid", "user", "system", "rss"}},
	[USAGE_FORM_PROCESS_IO] = {"process_io",
				   NULL,
				   {"pid", "read_by_calls", "written_by_calls", "read", "written"}},
	[USAGE_FORM_GPU] = {"gpu", "gpu", {"sm", "memory_busy", "used", "power"}},
};

static int find_argument(const struct reader_function_info *function, const char *name,
			 enum reader_class class)
{
	for (unsigned i = 0; name && i < function->arg_count; i++)
		if (!strcmp(function->args[i].name, name))
			return function->args[i].class_ == class ? (int)i : -1;
	return -1;
}

void usage_reading_map(struct usage_reading_map *map, const struct reader_function_info *function)
{
	map->form = USAGE_FORM_NONE;
	if (strcmp(function->layer, "sample") != 0)
		return;
	for (unsigned form = 1; form < USAGE_FORMS; form++) {
		if (strcmp(function->name, form_names[form].name) != 0)
			continue;
		map->form = (enum usage_form)form;
		map->of = find_argument(function, form_names[form].of, READER_STRING);
		for (unsigned i = 0; i < USAGE_NUMBERS; i++)
			map->numbers[i] =
				find_argument(function, form_names[form].numbers[i], READER_INT);
	}
}

bool usage_reading_take(struct usage_reading *reading, const struct usage_reading_map *map,
			const struct recorder_record *record)
{
	const struct recorder_arg *of =
		map->of >= 0 && map->of < (int)record->arg_count ? &record->args[map->of] : NULL;

	reading->form = map->form;
	reading->time = record->tstart;
	reading->of[0] = '\0';
	if (of && of->state == RECORDER_ARG_PRESENT)
		snprintf(reading->of, sizeof(reading->of), "%.*s", (int)of->count, of->bytes);
	for (unsigned i = 0; i < USAGE_NUMBERS; i++) {
		int at = map->numbers[i];

		if (at < 0 && form_names[map->form].numbers[i])
			return false;
		reading->numbers[i] =
			at >= 0 && at < (int)record->arg_count ? record->args[at].i64 : 0;
	}
	return true;
}
