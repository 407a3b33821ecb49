/* SPDX-License-Identifier: MIT */
/* position_opens.c - see position_opens.h */
#include "analysis/position_opens.h"

#include <errno.h>

#include "analysis/position_args.h"

/* Numbers of Linux, as traces have them. */
#define DUPLICATE 0 /* F_DUPFD, F_DUPFD_CLOEXEC, F_SETFL */
#define DUPLICATE_CLOEXEC 1030
#define SET_FLAGS 4
#define THREAD 0x10000 /* CLONE_THREAD, CLONE_VFORK */
#define UNTIL_EXEC 0x4000
#define ONLY_ON_EXEC 4 /* CLOSE_RANGE_CLOEXEC */

#define STANDARD_LAST 2 /* of the descriptors 0, 1, 2 */

/* A stream that is opened to append stands where the C library likes. */
static int opens(struct open_files *files, const struct position_facts *facts,
		 const struct recorder_record *record)
{
	const struct recorder_arg *how = position_arg(record, facts->how);
	bool is_mode = facts->space == HANDLE_STDIO && facts->how != NO_POSITION_ARG;
	struct opened *opened;

	if (record->err || record->ret < 0 || !position_returned(record))
		return 0;
	if (facts->handle != NO_POSITION_ARG) /* freopen() */
		open_files_close(files, facts->space, position_number(record, facts->handle, -1),
				 position_number(record, facts->handle, -1));
	opened = open_files_open(files, facts->space, record->ret);
	if (!opened)
		return -ENOMEM;
	if (is_mode && (!how || how->count == 0 || how->bytes[0] == 'a')) {
		opened->appends = true;
		opened->at = POSITION_UNKNOWN;
	} else if (!is_mode) {
		opened->appends = facts->may_append || (how && how->i64 & APPENDING);
	}
	return 0;
}

static int buffers(struct open_files *files, const struct position_facts *facts,
		   const struct recorder_record *record)
{
	const struct recorder_arg *mode = position_arg(record, facts->how);
	struct opened *opened;

	if (record->err || record->ret < 0 ||
	    record->ret != position_number(record, facts->handle, -1))
		return 0;
	opened = open_files_buffer(files, record->ret);
	if (!opened)
		return -ENOMEM;
	if (!mode || mode->count == 0 || mode->bytes[0] == 'a') {
		opened->appends = true;
		opened->at = POSITION_UNKNOWN;
		open_files_disturb(files, HANDLE_STDIO, record->ret);
	}
	return 0;
}

static int copies(struct open_files *files, const struct position_facts *facts,
		  const struct recorder_record *record)
{
	int64_t from = position_number(record, facts->handle, -1);

	if (from < 0 || record->ret < 0 || record->ret == from)
		return 0;
	return open_files_copy(files, facts->space, from, record->ret);
}

static int controls(struct open_files *files, const struct position_facts *facts,
		    const struct recorder_record *record)
{
	int64_t command = position_number(record, facts->how, -1);
	struct opened *opened;

	if (record->err)
		return 0;
	if (command == DUPLICATE || command == DUPLICATE_CLOEXEC)
		return copies(files, facts, record);
	if (command != SET_FLAGS || position_number(record, facts->handle, -1) < 0)
		return 0;
	opened = open_files_use(files, facts->space, position_number(record, facts->handle, -1));
	if (!opened)
		return -ENOMEM;
	opened->appends = position_number(record, facts->how + 1, APPENDING) & APPENDING;
	return 0;
}

/* closefrom() has no end. */
static void closes_from(struct open_files *files, const struct position_facts *facts,
			const struct recorder_record *record)
{
	if (!record->err && !(position_number(record, facts->how, 0) & ONLY_ON_EXEC))
		open_files_close(files, facts->space, position_number(record, 0, INT64_MAX - 1),
				 facts->how == NO_POSITION_ARG
					 ? INT64_MAX
					 : position_number(record, 1, INT64_MAX));
}

/* A thread has the descriptors of its process anyway. */
static void forks(struct open_files *files, const struct position_facts *facts,
		  const struct recorder_record *record)
{
	int64_t how =
		facts->role == POSITION_FORKS ? position_number(record, facts->how, 0) : UNTIL_EXEC;

	if (!record->err && !(how & THREAD))
		open_files_share(files, 0, how & UNTIL_EXEC ? STANDARD_LAST : INT64_MAX);
}

static void closes(struct open_files *files, const struct position_facts *facts,
		   const struct recorder_record *record)
{
	int64_t handle = position_number(record, facts->handle, -1);

	if (handle >= 0)
		open_files_close(files, facts->space, handle, handle);
}

int position_opens(struct open_files *files, const struct position_facts *facts,
		   const struct recorder_record *record)
{
	switch (facts->role) {
	case POSITION_OPENS:
		return opens(files, facts, record);
	case POSITION_BUFFERS:
		return buffers(files, facts, record);
	case POSITION_COPIES:
		return copies(files, facts, record);
	case POSITION_CONTROLS:
		return controls(files, facts, record);
	case POSITION_CLOSES:
		closes(files, facts, record);
		return 0;
	case POSITION_CLOSES_FROM:
		closes_from(files, facts, record);
		return 0;
	default:
		forks(files, facts, record);
		return 0;
	}
}
