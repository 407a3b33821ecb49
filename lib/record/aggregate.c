/* SPDX-License-Identifier: MIT */
/* aggregate.c - see aggregate.h */
#include "record/aggregate.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "format/chunk.h"
#include "format/job.h"
#include "record/bulk.h"
#include "record/config.h"
#include "record/identity.h"
#include "record/live.h"
#include "record/livecount.h"
#include "record/quiet_write.h"
#include "record/sys.h"
#include "record/text.h"
#include "record/tracedir.h"

static char node_path[PATH_MAX] BULK; /* static, as the stack may be small: see tracedir.c */
static const char *refused = "";

const char *aggregate_refused(void)
{
	return refused;
}

const char *aggregate_path(void)
{
	return node_path;
}

/* What needs a file of one's own: "" nothing. */
static const char *obstacle(void)
{
	if (config.rotate_size || config.rotate_time)
		return "rotate"; /* files that are closed, copied away and removed */
	if (sys_file_size_limit() != RLIM_INFINITY)
		return "file_size"; /* a limit for each file of the process would be one for all of the node */
	return identity.boot_id[0] ? "" : "boot_id";
}

bool aggregate_wanted(bool first)
{
	refused = "";
	if (config.aggregate == CONFIG_AGGREGATE_NONE)
		return false;
	if (config.aggregate == CONFIG_AGGREGATE_AUTO)
		return !*obstacle() &&
		       (job_node().size > AGGREGATE_STREAMS ||
			livecount_add(AGGREGATE_STREAMS, first) == AGGREGATE_STREAMS);
	refused = obstacle();
	return !*refused;
}

static void name_file(void)
{
	struct textbuf path = text_in(node_path, sizeof(node_path));

	text_add(&path, tracedir_path);
	text_add(&path, "/");
	text_add_name(&path, identity.host);
	text_add(&path, "-");
	text_add_hex(&path, text_hash(identity.boot_id, strlen(identity.boot_id), 0) >> 32, 8);
	text_add(&path, ".node");
}

/* With its header at once, as nobody may append before that. 0 or a negative errno. */
static int make_file(void)
{
	static char private[PATH_MAX + 64] BULK;
	struct textbuf name = text_in(private, sizeof(private));
	struct file_header header;
	int fd, error;

	text_add(&name, tracedir_path);
	text_add(&name, "/.node.");
	text_add_hex(&name, identity.stream_id, 16);
	fd = sys_create(private, O_WRONLY, config.traces_mode);
	if (fd < 0)
		return fd;
	file_header_init(&header, FILE_NODE, 0);
	error = write_error(quiet_write(fd, &header, sizeof(header)), sizeof(header));
	sys_close(fd);
	if (!error)
		error = sys_link(private, node_path);
	sys_unlink(private);
	return error == -EEXIST ? 0 : error;
}

/* Whether it is a file of a node that this version can append to. 0 or a negative errno. */
static int check_file(int fd, struct stat *status)
{
	struct file_header header;
	int error = sys_fstat(fd, status);

	if (error)
		return error;
	if (!S_ISREG(status->st_mode) ||
	    sys_pread(fd, &header, sizeof(header), 0) != sizeof(header))
		return -EINVAL;
	return file_header_check(&header, FILE_NODE);
}

static int open_file(void)
{
	return sys_open(node_path, O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0);
}

int aggregate_open(struct stat *status)
{
	int fd, error;

	name_file();
	fd = open_file();
	if (fd == -ENOENT) {
		error = make_file();
		fd = error ? error : open_file();
	}
	error = fd < 0 ? fd : check_file(fd, status);
	if (fd >= 0 && error)
		sys_close(fd);
	if (error && config.aggregate == CONFIG_AGGREGATE_NODE)
		refused = "no_file";
	return error ? error : fd;
}

bool aggregate_name_taken(const char *stream, bool *own)
{
	char path[LIVE_PATH_MAX];
	struct textbuf text = live_path(path);
	struct arena_header header;
	int fd;

	*own = false;
	if (!live_directory()[0])
		return false;
	text_add(&text, stream);
	text_add(&text, ".defs");
	fd = sys_open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0);
	if (fd < 0)
		return false;
	*own = sys_read(fd, &header, sizeof(header)) == sizeof(header) &&
	       header.stream_id == identity.stream_id;
	sys_close(fd);
	return true;
}
