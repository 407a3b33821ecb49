/* SPDX-License-Identifier: MIT */
/* dry_run.c - see dry_run.h */
#include "native/dry_run.h"

#include <stdbool.h>
#include <unistd.h>

#include "native/interpreter.h"
#include "native/native.h"
#include "record/identity.h"
#include "record/sys.h"
#include "record/targets.h"
#include "record/text.h"

#define LINE_MAX_SIZE 2048u
#define NAME_COLUMN 32u

static bool found[TARGETS_MAX];

static void write_line(const struct textbuf *line)
{
	size_t done = 0;

	while (done < line->length) {
		long written = sys_write(STDOUT_FILENO, line->buffer + done, line->length - done);

		if (written <= 0)
			return;
		done += (size_t)written;
	}
}

static void add_name(struct textbuf *line, const char *name)
{
	size_t begin = line->length;

	for (; *name; name++)
		text_add_bytes(line, (unsigned char)*name < ' ' || *name == 127 ? "?" : name, 1);
	do
		text_add(line, " ");
	while (line->length - begin < NAME_COLUMN && !line->cut);
}

static void add_arguments(struct textbuf *line, const struct native_finding *finding)
{
	if (finding->with) {
		text_add(line, "; with ");
		text_add(line, finding->with);
	}
	if (!finding->why)
		return;
	text_add(line, "; without ");
	text_add(line, *finding->without ? finding->without : "arguments");
	text_add(line, ": ");
	text_add(line, finding->why);
}

void dry_run_tell(const struct native_finding *finding)
{
	static const char *const ways[] = {
		[NATIVE_NONE] = "not traced",
		[NATIVE_WRAPPER] = "a wrapper",
		[NATIVE_INSTRUMENTED] = "instrumented by its compiler",
		[NATIVE_NOPS] = "room that the compiler left",
		[NATIVE_PROLOGUE] = "its first instructions are moved",
		[NATIVE_GOT] = "calls from other objects",
		[NATIVE_IFUNC] = "chosen at run time (IFUNC), by the word that has the choice"};
	char room[LINE_MAX_SIZE];
	struct textbuf line = text_in(room, sizeof(room) - 1);

	if (identity.rank != 0)
		return; /* one of the job tells */
	if (finding->target < TARGETS_MAX)
		found[finding->target] = true;
	add_name(&line, finding->name);
	text_add(&line, ways[finding->way]);
	if (*finding->object) {
		text_add(&line, ", ");
		text_add(&line, finding->object);
	}
	if (finding->reason) {
		text_add(&line,
			 finding->way == NATIVE_NONE ? ": " : ", as its code cannot be changed: ");
		text_add(&line, finding->reason);
	}
	add_arguments(&line, finding);
	line.size++;
	text_add(&line, "\n");
	write_line(&line);
}

void dry_run_end(void)
{
	for (unsigned i = 0; identity.rank == 0 && i < targets_count(); i++) {
		char room[LINE_MAX_SIZE];
		struct textbuf line = text_in(room, sizeof(room) - 1);

		if (found[i])
			continue;
		add_name(&line, target_at(i)->text);
		text_add(&line, interpreter_is_program()
					? "functions of Python are found when they are called"
					: "not traced: no symbol of that name; it may be inlined, "
					  "stripped, of a "
					  "library that is loaded later, or of Python");
		line.size++;
		text_add(&line, "\n");
		write_line(&line);
	}
	sys_call(SYS_exit_group, 0, 0, 0, 0, 0, 0);
	__builtin_unreachable();
}
