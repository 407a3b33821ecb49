/* SPDX-License-Identifier: MIT */
/* cmd_anonymize.c - recorder anonymize: a trace that can be shown around */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "anonymize.h"
#include "chunkfile.h"
#include "commands.h"
#include "format/defs_relative.h"
#include "format/deflater.h"
#include "format/loop_decode.h"
#include "format/meta.h"
#include "message.h"
#include "newdir.h"
#include "options.h"
#include "ranks.h"
#include "read/trace.h"
#include "recode.h"
#include "walk.h"

#define NAME_ROOM 256u              /* of a stream is 200 at most */
#define FILE_ROOM (NAME_ROOM + 16u) /* "-s999999999.rec" behind it */

static const char *target, *key;
static bool force, keep_extensions;

static const struct option_row own_rows[] = {
	{OPTION_TEXT, 'o', "output", "DIR2", "the new trace", &target, NULL},
	{OPTION_FLAG, 0, "force", NULL, "replace a trace that is there", &force, NULL},
	{OPTION_FLAG, 0, "keep-extensions", NULL, "files keep their endings: .h5, .txt",
	 &keep_extensions, NULL},
	{OPTION_TEXT, 0, "key", "TEXT", "the same names in all traces made with TEXT", &key, NULL},
	OPTION_ROWS_END,
};

static const struct option_group groups[] = {{"options", own_rows},
					     {"general", option_rows_general},
					     {NULL, NULL}};

static const struct command command = {
	.name = "recorder anonymize",
	.synopsis = "[options] -o DIR2 [DIR]",
	.summary = "Copies a trace and replaces the names in it: of files, hosts, users, jobs, and "
		   "all words of\n"
		   "arguments. A name becomes the same everywhere; depth and common beginnings of "
		   "paths stay, and\n"
		   "all numbers and times. DIR defaults to the newest trace in the working "
		   "directory.",
	.groups = groups,
	.examples = "  recorder anonymize -o shareable trace\n"
		    "  recorder anonymize --keep-extensions --key 'my secret' -o b2 b\n",
};

/* What is at work on one trace. */
struct work {
	struct pseudonyms pseudonyms;
	int from_fd, to_fd;      /* directories */
	struct tracefiles files; /* of the first */
	struct nodes nodes;      /* streams in it that have no files of their own */
	struct deflater *deflater;
	struct buffer plain, packed;
	struct recoded recoded;
	uint64_t left_out; /* chunks that could not be understood */
	/* of the stream at work */
	char name[NAME_ROOM];
	struct anonymize_functions functions;
	struct chunkfile to;
};

/* Chunks ----------------------------------------------------------------------------- */

static void deflate_plain(struct work *work)
{
	size_t room = deflater_bound(work->plain.size);

	buffer_clear(&work->packed);
	work->packed.size = deflater_run(work->deflater, work->plain.bytes, work->plain.size,
					 buffer_room(&work->packed, room), room);
	if (work->packed.size == 0)
		die("cannot compress");
}

/* The plain body of definitions; to be freed. NULL: it has none. */
static uint8_t *inflate_body(const struct chunk_header *header, struct bytes body)
{
	uint8_t *plain = malloc((size_t)header->plain_size + 1);
	uLongf size = header->plain_size;

	if (!plain)
		die("out of memory");
	if (uncompress(plain, &size, body.p, bytes_left(&body)) == Z_OK &&
	    size == header->plain_size)
		return plain;
	free(plain);
	return NULL;
}

/* `plain_size`: of the body before it was compressed. */
static int append(struct work *work, const struct chunk_header *from, const struct buffer *body,
		  size_t plain_size)
{
	struct chunk_header header = *from;
	int error;

	if (body->size > CHUNK_MAX_BODY || plain_size > CHUNK_MAX_PLAIN)
		die("%s: a chunk becomes too large", work->name);
	header.body_size = (uint32_t)body->size;
	header.plain_size = (uint32_t)plain_size;
	error = chunkfile_append(&work->to, &header, body->bytes ? body->bytes : (uint8_t *)"");
	if (error)
		die("cannot write to '%s': %s", target, strerror(-error));
	return 0;
}

/* The entries that are in `words`, which lie in `plain`, and takes their place; to be freed. NULL: they are damaged. */
static uint8_t *unpack_entries(uint8_t *plain, struct bytes *words)
{
	uint32_t size = defs_relative_size(words);
	uint8_t *entries = size == UINT32_MAX ? NULL : malloc((size_t)size + 1);

	if (size != UINT32_MAX && !entries)
		die("out of memory");
	if (entries && defs_relative_unpack(words, entries, size)) {
		free(entries);
		entries = NULL;
	}
	free(plain);
	*words = bytes_of(entries, entries ? size : 0);
	return entries;
}

static int put_definitions(struct work *work, struct chunk_header *header, struct bytes body)
{
	uint8_t *plain = inflate_body(header, body);
	struct bytes words = bytes_of(plain, header->plain_size);
	int error = -EBADMSG;

	if (plain && header->encoding == DEFS_RELATIVE)
		plain = unpack_entries(plain, &words);
	if (plain)
		error = anonymize_defs(&work->pseudonyms, &work->functions, words, &work->plain,
				       &header->count);
	free(plain);
	if (error)
		return error;
	header->encoding = DEFS_DEFLATED;
	deflate_plain(work);
	return append(work, header, &work->packed, work->plain.size);
}

static bool describe_function(void *data, struct list_function *function)
{
	const struct anonymize_functions *functions = data;
	const struct anonymize_function *known = functions->by_id[function->id];

	if (!known || !known->known)
		return false;
	function->arg_count = known->arg_count;
	function->result_class = known->result_class;
	function->classes = known->classes;
	return true;
}

/* Other names of other lengths: the records are encoded anew. */
static int put_encoded(struct work *work, struct chunk_header *header, struct bytes body)
{
	struct recoded *recoded = &work->recoded;
	int error = recode_out(recoded, header, body, describe_function, &work->functions);
	struct bytes records = bytes_of(recoded->records.bytes, recoded->records.size);
	struct buffer before;

	if (!error)
		error = anonymize_records(&work->pseudonyms, &work->functions, records,
					  &work->plain);
	if (error)
		return error;
	before = recoded->records;
	recoded->records = work->plain;
	work->plain = before;
	if (recode_in(recoded, header, describe_function, &work->functions, &work->packed))
		return -EBADMSG;
	return append(work, header, &work->packed, header->plain_size);
}

/* Of a loop only its block says what calls were about. */
static int put_loop(struct work *work, struct chunk_header *header, struct bytes body)
{
	bool deflated = header->plain_size != header->body_size;
	uint8_t *inflated = deflated ? inflate_body(header, body) : NULL;
	const uint8_t *words = deflated ? inflated : body.p;
	struct buffer block = {0}, other = {0};
	struct looped looped;
	uint32_t size;
	int error = -EBADMSG;

	if (words && !looped_open(&looped, header, words, header->plain_size) &&
	    (size = looped_block_size(&looped)) > 0) {
		buffer_add(&block, looped.words.p, size); /* aligned */
		error = anonymize_records(&work->pseudonyms, &work->functions,
					  bytes_of(block.bytes, size), &other);
	}
	if (!error && other.size > LOOP_MAX_BLOCK)
		error = -EBADMSG;
	if (!error) {
		buffer_add(&work->plain, words, (size_t)(looped.words.p - words));
		buffer_add(&work->plain, other.bytes, other.size);
		buffer_add(&work->plain, looped.words.p + size, bytes_left(&looped.words) - size);
		deflate_plain(work);
		error = append(work, header, &work->packed, work->plain.size);
	}
	buffer_release(&block);
	buffer_release(&other);
	free(inflated);
	return error;
}

/* Its index is a hint, and would be wrong now. */
static void put_end(struct work *work, struct chunk_header *header, struct bytes body)
{
	struct end_head head = {.records = bytes_u64(&body), .lost = bytes_u64(&body)};
	struct end_tail tail = {.offset = work->to.size};

	memcpy(tail.magic, INDEX_MAGIC, sizeof(tail.magic));
	header->count = 0;
	buffer_add(&work->plain, &head, sizeof(head));
	buffer_add(&work->plain, &tail, sizeof(tail));
}

static int put_plain(struct work *work, struct chunk_header *header, struct bytes body)
{
	int error = 0;

	switch (header->type) {
	case CHUNK_META:
		error = anonymize_meta(&work->pseudonyms, body, work->name, &work->plain,
				       &header->count);
		break;
	case CHUNK_DEFS:
		error = anonymize_defs(&work->pseudonyms, &work->functions, body, &work->plain,
				       &header->count);
		break;
	case CHUNK_DATA:
	case CHUNK_OPEN:
		error = anonymize_records(&work->pseudonyms, &work->functions, body, &work->plain);
		break;
	case CHUNK_LOST: /* counts, and words of the format */
		buffer_add(&work->plain, body.p, bytes_left(&body));
		break;
	case CHUNK_END:
		put_end(work, header, body);
		break;
	default:
		error = -EBADMSG;
	}
	return error ? error : append(work, header, &work->plain, work->plain.size);
}

/* What cannot be understood may have names in it. Of records the header stays, so that readers go on counting them as unreadable. */
static int leave_out(struct work *work, const struct chunk_header *from)
{
	work->left_out++;
	buffer_clear(&work->plain);
	return from->type == CHUNK_DATA ? append(work, from, &work->plain, 0) : 0;
}

static int put_chunk(void *data, const struct chunk_header *from, struct bytes body)
{
	struct work *work = data;
	struct chunk_header header = *from;
	int error = -EBADMSG;

	buffer_clear(&work->plain);
	if (header.type == CHUNK_DEFS &&
	    (header.encoding == DEFS_DEFLATED || header.encoding == DEFS_RELATIVE))
		error = put_definitions(work, &header, body);
	else if (header.type == CHUNK_DATA &&
		 (header.encoding >= DATA_COLUMNS && header.encoding <= DATA_SUMMED))
		error = put_encoded(work, &header, body);
	else if (header.type == CHUNK_DATA && data_is_loop(header.encoding))
		error = put_loop(work, &header, body);
	else if (header.encoding == 0)
		error = put_plain(work, &header, body);
	return error == -EBADMSG ? leave_out(work, from) : error;
}

/* Files ------------------------------------------------------------------------------ */

/* What of a stream's name is known to be no name: digits, dots and what ends it. */
static bool is_number(const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (!isdigit((unsigned char)text[i]) && text[i] != '-')
			return false;
	return size > 0;
}

struct host {
	char name[NAME_ROOM]; /* as it stands in names of streams */
};

static int read_host(void *data, const struct chunk_header *header, struct bytes body)
{
	struct host *host = data;
	struct meta_entry entry;

	if (header->type != CHUNK_META || header->encoding != 0)
		return 0;
	while (meta_next(&body, &entry))
		if (entry.key.length == 4 && !memcmp(entry.key.bytes, "host", 4) &&
		    entry.type == META_BYTES && entry.bytes.length < sizeof(host->name)) {
			memcpy(host->name, entry.bytes.bytes, entry.bytes.length);
			host->name[entry.bytes.length] = '\0';
		}
	return 0;
}

/* A file of the trace that is read; without it there is nothing to be walked over. 0 or a negative errno. */
static int open_from(struct work *work, struct chunkfile *file, const char *name,
		     enum file_kind kind)
{
	const struct node_part *part = nodes_find(&work->nodes, name);

	return part ? chunkfile_open_part_to_read(file, part)
		    : chunkfile_open_to_read(file, work->from_fd, name, kind);
}

/* What the files of all segments of a stream begin with, also where the newest ones are not there. */
static void take_base(const struct stream *stream, char base[NAME_ROOM])
{
	size_t length = strlen(stream->name);

	if (stream->newest.number > 0)
		length = (size_t)(strrchr(stream->name, '-') - stream->name);
	snprintf(base, NAME_ROOM, "%.*s", (int)length, stream->name);
}

/*
 * RANK.HOST.PID... with another host: rank and process number stay, for people who look for them. A name that is not like that
 * becomes another one as a whole. `old` without the number of a segment.
 */
static void choose_name(struct work *work, const char *old, const struct segment *newest)
{
	struct host host = {""};
	struct chunkfile lm;
	struct buffer name = {0};
	const char *dot = strchr(old, '.');
	char file[FILE_ROOM];
	size_t length;

	snprintf(file, sizeof(file), "%s.lm", newest->name);
	if (!open_from(work, &lm, file, FILE_LOCAL)) {
		chunkfile_walk(&lm, read_host, &host);
		chunkfile_close(&lm);
	}
	length = strlen(host.name);
	if (dot && is_number(old, (size_t)(dot - old)) && length > 0 && strlen(dot) > length + 2 &&
	    dot[1 + length] == '.' && is_number(dot + 2 + length, strcspn(dot + 2 + length, "."))) {
		buffer_add(&name, old, (size_t)(dot + 1 - old));
		pseudonym_name(&work->pseudonyms, &name, host.name, length);
		for (const char *p = dot + 1 + length;
		     *p && (isdigit((unsigned char)*p) || *p == '.' || *p == '-'); p++)
			buffer_add(&name, p, 1);
	} else {
		pseudonym_name(&work->pseudonyms, &name, old, strlen(old));
	}
	snprintf(work->name, sizeof(work->name), "%.*s", (int)name.size, (const char *)name.bytes);
	buffer_release(&name);
}

static void copy_file(struct work *work, const char *old, const char *new, enum file_kind kind)
{
	struct chunkfile from;
	int error = open_from(work, &from, old, kind);

	if (error == -EBADMSG || error == -EINVAL) {
		work->left_out++;
		return;
	}
	if (!error && from.fd < 0 && !from.part)
		return;
	if (!error)
		error = chunkfile_create(&work->to, work->to_fd, new, kind, from.stream_id);
	if (!error)
		error = chunkfile_walk(&from, put_chunk, work);
	if (error)
		die("cannot copy '%s': %s", old, strerror(-error));
	chunkfile_close(&from);
	if (close(work->to.fd))
		die("cannot write to '%s': %s", target, strerror(errno));
}

/* work->name has been chosen. */
static void copy_segment(struct work *work, const struct segment *segment)
{
	char from[FILE_ROOM], to[FILE_ROOM], number[16] = "";

	if (segment->number > 0)
		snprintf(number, sizeof(number), "-s%u", (unsigned)segment->number);
	snprintf(from, sizeof(from), "%s.lm", segment->name);
	snprintf(to, sizeof(to), "%s%s.lm", work->name, number);
	copy_file(work, from, to, FILE_LOCAL);
	snprintf(from, sizeof(from), "%s.rec", segment->name);
	snprintf(to, sizeof(to), "%s%s.rec", work->name, number);
	copy_file(work, from, to, FILE_STREAM);
}

static void copy_stream(struct work *work, const struct stream *stream)
{
	char base[NAME_ROOM];

	take_base(stream, base);
	choose_name(work, base, &stream->newest);
	for (uint32_t i = 0; i < stream->closed_count; i++)
		copy_segment(work, stream->closed[i]);
	copy_segment(work, &stream->newest);
	anonymize_functions_release(&work->functions);
}

/* Streams of which something is in memory only, and damage, are told of: they are not in the copy. */
static void look_at(const struct reader *trace, const char *dir)
{
	struct reader_info info = {.sz = sizeof(info)};
	struct reader_stream stream = {.sz = sizeof(stream)};
	unsigned died = 0;

	reader_info(trace, &info);
	if (info.running)
		die("'%s' is still being written", dir);
	for (unsigned i = 0; i < info.streams; i++)
		died += !reader_stream(trace, i, &stream) && stream.state == READER_DIED;
	if (died > 0)
		message_warn("%u processes did not end in order; what they left in memory is not "
			     "copied (try 'recorder repair %s' first)",
			     died, dir);
}

static void copy_trace(struct work *work, const struct reader *trace)
{
	work->name[0] = '\0';
	copy_file(work, "recorder.gm", "recorder.gm", FILE_GLOBAL);
	for (unsigned i = 0; i < trace->stream_count; i++)
		if (strlen(trace->streams[i]->name) < NAME_ROOM - 1)
			copy_stream(work, trace->streams[i]);
}

static void open_directories(struct work *work, const char *from)
{
	work->from_fd = open(from, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (work->from_fd < 0 && errno == ENOTDIR)
		die("'%s' is a packed trace: first run 'recorder unpack'", from);
	if (work->from_fd < 0)
		die("cannot open '%s': %s", from, strerror(errno));
	work->to_fd =
		open(newdir_begin(target, force), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	if (work->to_fd < 0)
		die("cannot open '%s': %s", target, strerror(errno));
}

/* As the reader of the trace has named them. */
static void open_nodes(struct work *work)
{
	int fd = dup(work->from_fd), error = 0;
	DIR *entries = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	tracefiles_init(&work->files, work->from_fd);
	work->nodes.files = &work->files;
	while (entries && !error && (entry = readdir(entries))) {
		const char *dot = strrchr(entry->d_name, '.');

		if (node_is_name(entry->d_name))
			error = nodes_add(&work->nodes, entry->d_name);
		else if (dot && (!strcmp(dot, ".lm") || !strcmp(dot, ".rec")))
			error = nodes_take_name(&work->nodes, entry->d_name,
						(size_t)(dot - entry->d_name));
	}
	if (entries)
		closedir(entries);
	if (error || nodes_load(&work->nodes))
		die("out of memory");
}

int cmd_anonymize(int argc, char **argv)
{
	static struct work work;
	struct reader_info info = {.sz = sizeof(info)};
	int at = options_parse(&command, argc, argv);
	struct reader *trace;

	if (!target)
		options_usage_error(&command, "where to? (-o DIR2)");
	if (argc - at > 1)
		options_usage_error(&command, "one trace at a time, not '%s' too", argv[at + 1]);
	ranks_leave_to_first();
	trace = trace_open(argv[at]);
	reader_info(trace, &info);
	look_at(trace, info.dir);
	pseudonyms_init(&work.pseudonyms, key);
	work.pseudonyms.keep_extensions = keep_extensions;
	work.deflater = deflater_init(aligned_alloc(16, (deflater_size() + 15) & ~(size_t)15));
	if (!work.deflater)
		die("out of memory");
	open_directories(&work, info.dir);
	open_nodes(&work);
	copy_trace(&work, trace);
	newdir_commit();
	if (work.left_out > 0)
		message_warn("%" PRIu64 " damaged or unknown parts were left out", work.left_out);
	buffer_release(&work.plain);
	buffer_release(&work.packed);
	recode_release(&work.recoded);
	tracefiles_release(&work.files);
	nodes_release(&work.nodes);
	free(work.deflater);
	reader_close(trace);
	return EXIT_DONE;
}
