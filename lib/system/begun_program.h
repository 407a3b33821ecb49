/* SPDX-License-Identifier: MIT */
/* begun_program.h - what a process's program was begun with, arguments and environment, as the kernel's program tells them in pieces (bpf/begun.bpf.h). */
#ifndef RECORDER_SYSTEM_BEGUN_PROGRAM_H
#define RECORDER_SYSTEM_BEGUN_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

#include "bpf/kernel_events.h"

struct begun_text {
	char *bytes; /* strings with a zero behind each; NULL: nothing was told */
	size_t size, room;
};

struct begun_program {
	struct begun_text texts[BEGUN_WITH];
};

/* Whether all that the event says of itself is right. */
bool begun_piece_is_whole(const struct strings_event *event);
/* 0 or -ENOMEM. */
int begun_program_add(struct begun_program *program, const struct strings_event *event);
/* Before the next one, and at the end. */
void begun_program_forget(struct begun_program *program);

#endif
