/* SPDX-License-Identifier: MIT */
/* configfile.c - see configfile.h */
#include "configfile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buffer.h"
#include "environment.h"
#include "flatyaml.h"
#include "likeness.h"
#include "message.h"
#include "settings.h"

static const char *path;

const struct option_row option_rows_config[] = {
	{OPTION_TEXT, 'c', "config", "FILE",
	 "take options from FILE, which is YAML; those given here come first", &path, NULL},
	OPTION_ROWS_END,
};

/* Settings whose options have other names. */
static const struct {
	const char *name, *option;
} renamed[] = {{"traces-dir", "output"}, {"targets", "target"}};

#define RENAMED (sizeof(renamed) / sizeof(renamed[0]))

struct applying {
	const struct command *command;
	const struct option_row *others;
	unsigned wrong;
};

/* ---- what is wrong ---- */

static void refuse(void *data, struct flat_place place, const char *text)
{
	struct applying *applying = data;

	message_error("%s:%u:%u: %s", path, place.line, place.column, text);
	applying->wrong++;
}

static void refuse_value(struct applying *applying, const struct flat_entry *entry,
			 const struct flat_value *value, const char *what)
{
	char text[1024];

	snprintf(text, sizeof(text), "%s: %s is wanted, not '%s'", entry->key.text, what,
		 value->text);
	refuse(applying, value->place, text);
}

/* ---- keys ---- */

/* What has an answer, and no meaning in a file. */
static bool is_key(const struct option_row *row)
{
	return row->type != OPTION_END && row->target != &path;
}

static bool is_last(const struct option_row *row)
{
	return !row->name;
}

static const struct option_row *row_in(const struct option_row *rows, const char *name)
{
	for (; rows && !is_last(rows); rows++)
		if (is_key(rows) && !strcmp(rows->name, name))
			return rows;
	return NULL;
}

static const char *option_of(const char *key)
{
	for (size_t i = 0; i < RENAMED; i++)
		if (!strcmp(renamed[i].name, key))
			return renamed[i].option;
	return key;
}

static const struct option_row *row_of(const struct applying *applying, const char *key)
{
	const struct option_row *row = NULL;

	for (const struct option_group *group = applying->command->groups; group->rows && !row;
	     group++)
		row = row_in(group->rows, option_of(key));
	return row ? row : row_in(applying->others, option_of(key));
}

static void refuse_key(struct applying *applying, const struct flat_value *key)
{
	struct likeness likeness = likeness_of(key->text);
	char text[512];

	for (size_t i = 0; i < RENAMED; i++)
		likeness_try(&likeness, renamed[i].name);
	for (const struct option_group *group = applying->command->groups; group->rows; group++)
		for (const struct option_row *row = group->rows; !is_last(row); row++)
			if (is_key(row))
				likeness_try(&likeness, row->name);
	snprintf(text, sizeof(text), "there is no option '%s'%s%s%s", key->text,
		 likeness.best ? "; is '" : "", likeness.best ? likeness.best : "",
		 likeness.best ? "' meant?" : "");
	refuse(applying, key->place, text);
}

/* ---- values ---- */

/* 1, 0; -EINVAL: neither yes nor no. */
static int truth_of(const char *text)
{
	static const char *const yes[] = {"yes", "true", "on", "1"};
	static const char *const no[] = {"no", "false", "off", "0"};

	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++) {
		if (!strcasecmp(text, yes[i]))
			return 1;
		if (!strcasecmp(text, no[i]))
			return 0;
	}
	return -EINVAL;
}

/* Values stay as long as the process, whoever looks at them. */
static char *keep_text(char *text)
{
	static struct buffer kept; /* char * */

	if (!text)
		die("out of memory");
	buffer_add(&kept, &text, sizeof(text));
	return text;
}

static const char *keep(const char *text)
{
	return keep_text(strdup(text));
}

static const char *joined(const struct flat_entry *entry, char separator)
{
	struct buffer text = {0};

	for (unsigned i = 0; i < entry->count; i++) {
		buffer_add(&text, &separator, i > 0);
		buffer_add_text(&text, entry->values[i].text);
	}
	buffer_add(&text, "", 1);
	return keep_text((char *)text.bytes);
}

static void take_flag(struct applying *applying, const struct option_row *row,
		      const struct flat_entry *entry)
{
	int truth = truth_of(entry->values[0].text);

	if (truth < 0)
		refuse_value(applying, entry, &entry->values[0], "yes or no");
	else if (!options_given(row))
		options_take(row, truth ? NULL : "");
}

/* "no" may be meant as a word where there are others. */
static const char *setting_text(const struct setting_form *form, const struct flat_entry *entry)
{
	int truth = truth_of(entry->values[0].text);

	if ((form->is_switch || form->has_switch) && truth >= 0)
		return truth ? "1" : "0";
	return form->separator ? joined(entry, form->separator) : keep(entry->values[0].text);
}

static void take_setting(struct applying *applying, const struct option_row *row,
			 const struct setting_form *form, const struct flat_entry *entry)
{
	const char *text = setting_text(form, entry);
	const struct flat_value *wrong = NULL;

	if (form->check && !entry->is_list && form->check(text))
		wrong = &entry->values[0];
	for (unsigned i = 0; form->check && entry->is_list && i < entry->count && !wrong; i++)
		if (form->check(entry->values[i].text))
			wrong = &entry->values[i];
	if (wrong)
		refuse_value(applying, entry, wrong, form->what);
	else if (!options_given(row))
		options_take(row, text);
}

/* Each value as if the option had been given again; all of them, or those of the command line. */
static void take_again(struct applying *applying, const struct option_row *row,
		       const struct flat_entry *entry)
{
	bool given = options_given(row);

	for (unsigned i = 0; i < entry->count && !given; i++)
		if (options_take(row, keep(entry->values[i].text)))
			refuse_value(applying, entry, &entry->values[i], row->value);
}

static bool is_again(const struct option_row *row)
{
	return row->type == OPTION_CALL && row_in(option_rows_targets, row->name) == row;
}

static bool takes_list(const struct option_row *row)
{
	const struct setting_form *form = setting_form(row);

	return is_again(row) || (form && form->separator);
}

static void take(struct applying *applying, const struct option_row *row,
		 const struct flat_entry *entry)
{
	const struct setting_form *form = setting_form(row);

	if (form)
		take_setting(applying, row, form, entry);
	else if (row->type == OPTION_FLAG)
		take_flag(applying, row, entry);
	else
		take_again(applying, row, entry);
}

/* ---- entries ---- */

static bool has_values(struct applying *applying, const struct flat_entry *entry)
{
	char text[512];

	for (unsigned i = 0; i < entry->count; i++)
		if (!*entry->values[i].text) {
			snprintf(text, sizeof(text), "%s: there is no value", entry->key.text);
			refuse(applying, entry->values[i].place, text);
			return false;
		}
	if (entry->count > 0)
		return true;
	snprintf(text, sizeof(text), "%s: the list is empty", entry->key.text);
	refuse(applying, entry->key.place, text);
	return false;
}

static bool is_again_in(const struct applying *applying, const struct flat_file *file,
			unsigned number, const struct option_row *row)
{
	for (unsigned i = 0; i < number; i++)
		if (row_of(applying, file->entries[i].key.text) == row)
			return true;
	return false;
}

static void apply(struct applying *applying, const struct flat_file *file, unsigned number)
{
	const struct flat_entry *entry = &file->entries[number];
	const struct option_row *row = row_of(applying, entry->key.text);
	char text[512];

	if (!row) {
		refuse_key(applying, &entry->key);
	} else if (entry->is_broken) {
		return;
	} else if (is_again_in(applying, file, number, row)) {
		snprintf(text, sizeof(text), "'%s' has been given before", entry->key.text);
		refuse(applying, entry->key.place, text);
	} else if (entry->is_list && !takes_list(row)) {
		snprintf(text, sizeof(text), "%s: one value is wanted, not a list",
			 entry->key.text);
		refuse(applying, entry->key.place, text);
	} else if (has_values(applying, entry) && row_in(applying->others, row->name) != row) {
		take(applying, row, entry);
	}
}

static _Noreturn void end(void)
{
	exit(message_failed == EXIT_FAILED ? EXIT_USAGE : message_failed);
}

void config_file_apply(const struct command *command, const struct option_row *others)
{
	struct applying applying = {.command = command, .others = others};
	struct flat_file file;
	int error;

	if (!path)
		return;
	error = flat_read(&file, path, refuse, &applying);
	if (error == -ENOSYS)
		message_error("this recorder was built without libyaml: it reads no "
			      "configuration files");
	else if (error == -EFBIG)
		message_error("'%s' is no configuration file: it is too large", path);
	else if (error && error != -EINVAL)
		message_error("cannot read '%s': %s", path, strerror(-error));
	for (unsigned i = 0; i < file.count; i++)
		apply(&applying, &file, i);
	flat_release(&file);
	if (error || applying.wrong > 0)
		end();
	message_quiet = options.quiet;
}
