/* SPDX-License-Identifier: MIT */
/*
 * by_command.h - what argument and result of fcntl() and ioctl() are: their command says it.
 */
#ifndef RECORDER_READ_BY_COMMAND_H
#define RECORDER_READ_BY_COMMAND_H

#include <recorder/reader.h>

#include "read/symbols.h"

/* The kind by which a value of kind fcntl_arg, fcntl_result or ioctl_arg is shown in this record; -1: another kind, which stays. */
int by_command_kind(const struct symbols *own, int kind, const struct recorder_record *record);

#endif
