/* SPDX-License-Identifier: MIT */
/*
 * settings.h - the settings of the runtime as options of the commands: each is a RECORDER_* variable of doc/environment.md.
 */
#ifndef RECORDER_TOOLS_SETTINGS_H
#define RECORDER_TOOLS_SETTINGS_H

#include <stdbool.h>

#include "options.h"

/* How values of a setting are written. */
struct setting_form {
	const char *what;                /* "a time, as 10us, 1.5ms or 2 (seconds)" */
	char separator;                  /* of a list; 0: one value */
	bool is_switch;                  /* 0 and 1 alone, or no and yes */
	bool has_switch;                 /* those, and other words */
	int (*check)(const char *value); /* 0 or -EINVAL; NULL: any text */
};

/* For the tables of the commands. */
extern const struct option_row option_rows_settings[];

/* NULL: the row is no setting. */
const struct setting_form *setting_form(const struct option_row *row);
/* Calls `visit` with the name of the variable and the value of each setting that has one. */
void settings_each(void (*visit)(void *data, const char *name, const char *value), void *data);

#endif
