/* SPDX-License-Identifier: MIT */
/* inventory.c - the files and threads of a trace. */
#include "inventory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#define STRIPING_SHOWN 1024 /* bytes */

static const char *type_name(uint32_t type)
{
	static const struct {
		uint32_t type;
		const char *name;
	} names[] = {{S_IFREG, "file"},    {S_IFDIR, "directory"}, {S_IFIFO, "pipe"},
		     {S_IFSOCK, "socket"}, {S_IFCHR, "character"}, {S_IFBLK, "block"},
		     {S_IFLNK, "link"}};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].type == type)
			return names[i].name;
	return "other";
}

static struct reader_mount mount_of(const struct reader *trace, unsigned stream, uint32_t id)
{
	struct reader_mount mount;

	if (reader_file_mount(trace, stream, id, &mount))
		return (struct reader_mount){"", "", ""};
	return mount;
}

static void put_file(struct output *output, const struct reader *trace,
		     const struct reader_stream *stream, unsigned index, uint32_t id)
{
	struct reader_mount mount = mount_of(trace, index, id);
	struct reader_file file;
	char numbers[160];

	if (reader_file(trace, index, id, &file))
		return;
	snprintf(numbers, sizeof(numbers),
		 "%-10d %7u %-9s %4u:%-4u %12" PRIu64 " %12" PRIu64 " %7u ", (int)stream->rank,
		 stream->pid, type_name(file.type), major(file.device), minor(file.device),
		 file.inode, file.size, file.block_size);
	output_text(output, numbers);
	output_printable(output, *mount.type ? mount.type : "?");
	output_char(output, ' ');
	output_printable(output, *mount.directory ? mount.directory : "?");
	output_char(output, ' ');
	output_printable(output, file.path);
	output_char(output, '\n');
}

void inventory_files(struct output *output, const struct reader *trace, unsigned streams)
{
	struct reader_stream stream = {.sz = sizeof(stream)};
	uint32_t id;

	output_text(output,
		    "\nrank           pid type       device        inode         size   block "
		    "file system, mounted on, path\n");
	for (unsigned i = 0; i < streams; i++)
		for (unsigned k = 0;
		     !reader_stream(trace, i, &stream) && !reader_file_id(trace, i, k, &id); k++)
			put_file(output, trace, &stream, i, id);
}

void inventory_threads(struct output *output, const struct reader *trace, unsigned streams)
{
	struct reader_stream stream = {.sz = sizeof(stream)};
	struct reader_thread thread = {.sz = sizeof(thread)};
	char numbers[96];

	output_text(output,
		    "\nrank           pid     tid      records name             started in\n");
	for (unsigned i = 0; i < streams; i++)
		for (unsigned k = 0;
		     !reader_stream(trace, i, &stream) && !reader_thread(trace, i, k, &thread);
		     k++) {
			snprintf(numbers, sizeof(numbers), "%-10d %7u %7u %12" PRIu64 " ",
				 (int)stream.rank, stream.pid, thread.tid, thread.records);
			output_text(output, numbers);
			output_printable(output, *thread.name ? thread.name : "?");
			for (size_t n = strlen(thread.name); n < 17; n++)
				output_char(output, ' ');
			output_printable(output, thread.main      ? "main()"
						 : *thread.module ? thread.module
								  : "?");
			output_char(output, '\n');
		}
}

static void json_striping(struct json *json, const struct reader_file *file)
{
	char hex[2 * STRIPING_SHOWN + 1] = "";

	for (size_t i = 0; i < file->striping_size && i < STRIPING_SHOWN; i++)
		snprintf(hex + 2 * i, 3, "%02x", ((const unsigned char *)file->striping)[i]);
	json_put_string(json, "striping", hex);
}

void inventory_files_json(struct json *json, const struct reader *trace, unsigned stream)
{
	struct reader_file file;
	uint32_t id;

	json_begin(json, "files", '[');
	for (unsigned k = 0; !reader_file_id(trace, stream, k, &id); k++) {
		struct reader_mount mount = mount_of(trace, stream, id);

		if (reader_file(trace, stream, id, &file))
			continue;
		json_begin(json, NULL, '{');
		json_put_string(json, "path", file.path);
		json_put_string(json, "type", type_name(file.type));
		json_put_unsigned(json, "device", file.device);
		json_put_unsigned(json, "inode", file.inode);
		json_put_unsigned(json, "size", file.size);
		json_put_unsigned(json, "block_size", file.block_size);
		json_put_string(json, "file_system", mount.type);
		json_put_string(json, "mounted_on", mount.directory);
		json_put_string(json, "source", mount.source);
		if (file.striping_size)
			json_striping(json, &file);
		json_end(json, '}');
	}
	json_end(json, ']');
}

void inventory_threads_json(struct json *json, const struct reader *trace, unsigned stream)
{
	struct reader_thread thread = {.sz = sizeof(thread)};

	json_begin(json, "thread_list", '[');
	for (unsigned k = 0; !reader_thread(trace, stream, k, &thread); k++) {
		json_begin(json, NULL, '{');
		json_put_unsigned(json, "tid", thread.tid);
		json_put_string(json, "name", thread.name);
		json_put_bool(json, "main", thread.main);
		json_put_bool(json, "signal", thread.signal);
		json_put_string(json, "started_in", thread.module);
		json_put_unsigned(json, "records", thread.records);
		json_put_unsigned(json, "lost", thread.lost);
		json_end(json, '}');
	}
	json_end(json, ']');
}
