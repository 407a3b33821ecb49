/* SPDX-License-Identifier: MIT */
/*
 * program_choice.h - which of the programs are loaded: those of the groups of events that are wanted, as far as the kernel has what they are attached to, in the form that they were made for.
 */
#ifndef RECORDER_BPF_PROGRAM_CHOICE_H
#define RECORDER_BPF_PROGRAM_CHOICE_H

#include <stddef.h>
#include <stdint.h>

struct bpf_object;

/* Of an object that is open and not loaded. Names of tracepoints that no program was found for go to `missing`, a text of `room` bytes, with commas between. 0 or a negative errno. */
int program_choice_make(struct bpf_object *object, uint32_t groups, char *missing, size_t room);

#endif
