/* SPDX-License-Identifier: MIT */
/* watched_life.h - what events of the kernel say of the life of processes: who begins, which program it executes and which place it has in the job. Events are whole (watched.c). */
#ifndef RECORDER_SYSTEM_WATCHED_LIFE_H
#define RECORDER_SYSTEM_WATCHED_LIFE_H

#include "bpf/kernel_events.h"
#include "system/watched_processes.h"

/* All: 0 or -ENOMEM. */
int watched_life_fork(struct watched_processes *processes, const struct fork_event *event);
/* A thread that was there before; the root, if that is awaited. */
int watched_life_joined(struct watched_processes *processes, const struct joined_event *event);
int watched_life_strings(struct watched_processes *processes, const struct strings_event *event);

/* A thread that executes a program becomes its process's first one, and goes on with its numbers: before the thread of the event is asked for. */
void watched_life_moves(struct watched_processes *processes, const struct exec_event *event);
void watched_life_exec(struct watched_task *task, const struct exec_event *event);
void watched_life_exit(struct watched_processes *processes, struct watched_task *task,
		       const struct exit_event *event);

#endif
