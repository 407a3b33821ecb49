/* SPDX-License-Identifier: MIT */
/*
 * running_process.h - what /proc says of a process of the job, as long as it is there to be asked, by its number here; 0: that is not known. What is not known is left out.
 */
#ifndef RECORDER_SYSTEM_RUNNING_PROCESS_H
#define RECORDER_SYSTEM_RUNNING_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "system/watched_stream.h"

/* What its first thread is called. */
void running_name(uint32_t pid, char *name, size_t room);
void running_describe_arguments(struct watched_stream *stream, uint32_t pid);
/* Which file it executes. */
void running_describe_program(struct watched_stream *stream, uint32_t pid);
/* Which rank of which job it is, by the environment that its program began with. False: it is none. */
bool running_job(uint32_t pid, struct watched_job *job);
/* The same by an environment, "NAME=VALUE" with a zero behind each. */
bool running_job_by(const char *variables, size_t size, struct watched_job *job);

#endif
