/* SPDX-License-Identifier: MIT */
/* by_command.c - the meaning of values by the name of the command. */
#include "read/by_command.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define COMMAND 1 /* index of the argument */

struct meaning {
	const char *command;
	enum kind argument, result;
};

static const struct meaning of_fcntl[] = {
	{"F_DUPFD", KIND_int, KIND_fd},
	{"F_DUPFD_CLOEXEC", KIND_int, KIND_fd},
	{"F_GETFD", KIND_int, KIND_close_on_exec},
	{"F_SETFD", KIND_close_on_exec, KIND_int},
	{"F_GETFL", KIND_int, KIND_open_flags},
	{"F_SETFL", KIND_fd_flags, KIND_int},
	{"F_SETOWN", KIND_pid, KIND_int},
	{"F_GETOWN", KIND_int, KIND_pid},
	{"F_SETSIG", KIND_signal, KIND_int},
	{"F_GETSIG", KIND_int, KIND_signal},
	{"F_SETLEASE", KIND_record_lock, KIND_int},
	{"F_GETLEASE", KIND_int, KIND_record_lock},
	{"F_NOTIFY", KIND_notices, KIND_int},
	{"F_SETPIPE_SZ", KIND_bytes, KIND_bytes},
	{"F_GETPIPE_SZ", KIND_int, KIND_bytes},
	{"F_ADD_SEALS", KIND_seals, KIND_int},
	{"F_GET_SEALS", KIND_int, KIND_seals},
	{"F_SET_RW_HINT", KIND_write_hint, KIND_int},
	{"F_SET_FILE_RW_HINT", KIND_write_hint, KIND_int},
	{NULL, KIND_pointer, KIND_int},
};

static const struct meaning of_ioctl[] = {
	{"FIONREAD", KIND_bytes, KIND_int},      {"TIOCOUTQ", KIND_bytes, KIND_int},
	{"FIONBIO", KIND_int, KIND_int},         {"FIOASYNC", KIND_int, KIND_int},
	{"TIOCGPGRP", KIND_pid, KIND_int},       {"TIOCSPGRP", KIND_pid, KIND_int},
	{"FIGETBSZ", KIND_bytes, KIND_int},      {"FS_IOC_GETFLAGS", KIND_hex, KIND_int},
	{"FS_IOC_SETFLAGS", KIND_hex, KIND_int}, {"BLKGETSIZE64", KIND_bytes, KIND_int},
	{"FICLONE", KIND_int, KIND_int},         {NULL, KIND_pointer, KIND_int},
};

/* The row of a command, or the last one. */
static const struct meaning *find(const struct meaning *row, const char *command)
{
	while (row->command && (!command || strcmp(row->command, command) != 0))
		row++;
	return row;
}

int by_command_kind(const struct symbols *own, int kind, const struct recorder_record *record)
{
	bool is_ioctl = kind == KIND_ioctl_arg;
	const struct meaning *found;
	const char *command;

	if ((!is_ioctl && kind != KIND_fcntl_arg && kind != KIND_fcntl_result) ||
	    record->arg_count <= COMMAND)
		return -1;
	command = symbol_name(symbols_of(own, is_ioctl ? KIND_ioctl_cmd : KIND_fcntl_cmd),
			      record->args[COMMAND].i64);
	found = find(is_ioctl ? of_ioctl : of_fcntl, command);
	if (kind != KIND_fcntl_result)
		return (int)found->argument;
	/* a failed call has no descriptor and no flags */
	return (int)(record->err || record->ret == -1 ? KIND_int : found->result);
}
