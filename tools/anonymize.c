/* SPDX-License-Identifier: MIT */
/* anonymize.c - texts, metadata and definitions; see anonymize.h. Records are in anonymize_data.c. */
#include "anonymize.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "format/defs.h"
#include "format/meta.h"
#include "message.h"

#define TEXT_MAX 60000u /* of a str, which has 16 bits for its length */
#define KEY_MAX 1024u

/* Texts ------------------------------------------------------------------------------ */

static bool begins_with(const char *text, size_t size, const char *with)
{
	return size >= strlen(with) && !memcmp(text, with, strlen(with));
}

static void put_strings(const struct pseudonyms *pseudonyms, struct buffer *out, const char *text,
			size_t size)
{
	const char *end = text + size;

	while (text < end) {
		size_t length = strnlen(text, (size_t)(end - text));

		pseudonym_text(pseudonyms, out, text, length);
		text += length;
		if (text < end)
			buffer_add(out, text++, 1);
	}
}

/* "MPI_INT" is nobody's secret; a program may call its own types so, too, which then stay. */
static bool is_mpi_name(const char *text, size_t size)
{
	if (!begins_with(text, size, "MPI_"))
		return false;
	for (size_t i = 0; i < size; i++)
		if (!((text[i] >= 'A' && text[i] <= 'Z') || (text[i] >= '0' && text[i] <= '9') ||
		      text[i] == '_'))
			return false;
	return true;
}

/* What the kernel calls files that have no path. */
static bool is_kernel_name(const char *text, size_t size)
{
	static const char *const names[] = {"pipe", "socket", "[vdso]", "[vsyscall]"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (size == strlen(names[i]) && begins_with(text, size, names[i]))
			return true;
	return begins_with(text, size, "anon_inode:") && !memchr(text, '/', size);
}

static bool is_fopen_mode(const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (!strchr("rwabtexcm+", text[i]) || !text[i])
			return false;
	return size > 0 && size <= 6;
}

void anonymize_text(const struct pseudonyms *pseudonyms, enum text_kind kind, struct buffer *out,
		    const void *text, size_t size)
{
	if (kind == TEXT_KEEP || (kind == TEXT_OBJECT && is_mpi_name(text, size)) ||
	    (kind == TEXT_FILE && is_kernel_name(text, size)) ||
	    (kind == TEXT_MODE && is_fopen_mode(text, size)))
		buffer_add(out, text, size);
	else if (kind == TEXT_NAME)
		pseudonym_name(pseudonyms, out, text, size);
	else if (kind == TEXT_PATH || kind == TEXT_FILE)
		pseudonym_path(pseudonyms, out, text, size);
	else if (kind == TEXT_STRINGS)
		put_strings(pseudonyms, out, text, size);
	else
		pseudonym_text(pseudonyms, out, text, size);
}

/* Metadata --------------------------------------------------------------------------- */

/* Keys whose bytes are not words of the user, and how the others are replaced; any other key: its words. */
static const struct key_rule {
	const char *pattern;
	enum text_kind kind;
} key_rules[] = {
	{"format", TEXT_KEEP},
	{"recorder.version", TEXT_KEEP},
	{"rank.source", TEXT_KEEP},
	{"source", TEXT_KEEP},
	{"calls", TEXT_KEEP},
	{"clock.kind", TEXT_KEEP},
	{"clock.reading.*", TEXT_KEEP},
	{"clock.source", TEXT_KEEP},
	{"clock.*", TEXT_NAME}, /* host and boot id of each machine */
	{"libc", TEXT_KEEP},
	{"machine", TEXT_KEEP},
	{"symbols.*", TEXT_KEEP},
	{"affinity", TEXT_KEEP},
	{"byte.order", TEXT_KEEP},
	{"omp.threads", TEXT_KEEP},
	{"nodes", TEXT_KEEP},
	{"tasks", TEXT_KEEP},
	{"mpi.version", TEXT_KEEP},
	{"end.reason", TEXT_KEEP},
	{"aggregate.refused", TEXT_KEEP},
	{"cgroup.*.max", TEXT_KEEP},
	{"options.RECORDER_LAYERS", TEXT_KEEP},
	{"options.RECORDER_FUNCTIONS", TEXT_KEEP},
	{"options.RECORDER_RANKS", TEXT_KEEP},
	{"options.RECORDER_MIN_*", TEXT_KEEP},
	{"options.RECORDER_MAX_SIZE", TEXT_KEEP},
	{"options.RECORDER_TIME_RESOLUTION", TEXT_KEEP},
	{"options.RECORDER_TIMING", TEXT_KEEP},
	{"options.RECORDER_BUFFER_SIZE", TEXT_KEEP},
	{"options.RECORDER_LIVE_MAX", TEXT_KEEP},
	{"options.RECORDER_FLUSH", TEXT_KEEP},
	{"options.RECORDER_ROTATE", TEXT_KEEP},
	{"options.RECORDER_KEEP", TEXT_KEEP},
	{"options.RECORDER_MODE", TEXT_KEEP},
	{"options.RECORDER_MEM_INTERVAL", TEXT_KEEP},
	{"options.RECORDER_LOG_POINTER", TEXT_KEEP},
	{"options.RECORDER_FOLD", TEXT_KEEP},
	{"options.RECORDER_CLOCK_SYNC", TEXT_KEEP},
	{"options.RECORDER_AGGREGATE", TEXT_KEEP},
	{"options.RECORDER_STACKS", TEXT_KEEP},
	{"options.RECORDER_QUIET", TEXT_KEEP},
	{"options.RECORDER_DRY_RUN", TEXT_KEEP},
	{"options.RECORDER_USAGE", TEXT_KEEP},
	{"options.RECORDER_VERBOSE", TEXT_KEEP},
	{"run.id", TEXT_NAME},
	{"host", TEXT_NAME},
	{"boot.id", TEXT_NAME},
	{"world", TEXT_NAME},
	{"job.*", TEXT_NAME},
	{"timezone", TEXT_NAME},
	{"kernel", TEXT_NAME}, /* often named after a site */
	{"command", TEXT_PATH},
	{"exe", TEXT_PATH},
	{"cwd", TEXT_PATH},
	{"live.dir", TEXT_PATH},
	{"cgroup", TEXT_PATH},
	{"argv", TEXT_STRINGS},
};

static enum text_kind kind_of_key(const char *key)
{
	for (size_t i = 0; i < sizeof(key_rules) / sizeof(key_rules[0]); i++)
		if (!fnmatch(key_rules[i].pattern, key, 0))
			return key_rules[i].kind;
	return TEXT_WORDS;
}

/* The n-th word of a line: from *begin to *end. */
static bool word_at(const char **begin, const char **end, const char *line_end)
{
	*begin = *end;
	while (*begin < line_end && **begin == ' ')
		(*begin)++;
	*end = *begin;
	while (*end < line_end && **end != ' ')
		(*end)++;
	return *end > *begin;
}

/* Lines as in /proc/self/mountinfo: of the options only whether it can be written, and no optional words. */
static void put_mounts(const struct pseudonyms *pseudonyms, struct buffer *out, const char *text,
		       size_t size)
{
	const char *end = text + size;

	for (const char *line = text; line < end;) {
		const char *line_end = memchr(line, '\n', (size_t)(end - line));
		const char *word, *after = line;

		line_end = line_end ? line_end : end;
		for (unsigned i = 0; i < 9 && word_at(&word, &after, line_end);) {
			size_t length = (size_t)(after - word);

			if (i == 6 && !(length == 1 && *word == '-'))
				continue;
			buffer_add(out, " ", i > 0);
			if (i == 3 || i == 4 || i == 8)
				pseudonym_path(pseudonyms, out, word, length);
			else
				buffer_add(out, word, i == 5 ? strcspn(word, ", \n") : length);
			i++;
		}
		line = line_end + 1;
		buffer_add(out, "\n", line < end);
	}
}

/* "static /bin/x" */
static void put_untraced(const struct pseudonyms *pseudonyms, struct buffer *out, const char *text,
			 size_t size)
{
	const char *blank = memchr(text, ' ', size);
	size_t length = blank ? (size_t)(blank + 1 - text) : 0;

	buffer_add(out, text, length);
	pseudonym_path(pseudonyms, out, text + length, size - length);
}

static void put_value(const struct pseudonyms *pseudonyms, const char *key, struct text value,
		      const char *name, struct buffer *out)
{
	if (!strcmp(key, "stream.name"))
		buffer_add_text(out, name);
	else if (!strcmp(key, "mounts"))
		put_mounts(pseudonyms, out, value.bytes, value.length);
	else if (!strncmp(key, "untraced.", 9))
		put_untraced(pseudonyms, out, value.bytes, value.length);
	else
		anonymize_text(pseudonyms, kind_of_key(key), out, value.bytes, value.length);
}

static void put_entry(const struct pseudonyms *pseudonyms, const char *key,
		      const struct meta_entry *entry, const char *name, struct buffer *out)
{
	struct buffer value = {0};
	struct packer packer;
	size_t size;

	if (entry->type == META_BYTES)
		put_value(pseudonyms, key, entry->bytes, name, &value);
	size = strlen(key) + value.size + 32;
	packer = packer_of(buffer_room(out, size), size);
	if (entry->type == META_BYTES)
		meta_put_bytes(&packer, key, value.bytes ? value.bytes : (const uint8_t *)"",
			       value.size);
	else if (entry->type == META_I64)
		meta_put_i64(&packer, key, entry->i64);
	else if (entry->type == META_F64)
		meta_put_f64(&packer, key, entry->f64);
	else if (!strcmp(key, "uid") && entry->u64 != 0)
		meta_put_u64(&packer, key, 1000 + pseudonym_number(pseudonyms, entry->u64) % 60000);
	else
		meta_put_u64(&packer, key, entry->u64);
	out->size += packer_size(&packer, out->bytes + out->size);
	buffer_release(&value);
}

int anonymize_meta(const struct pseudonyms *pseudonyms, struct bytes body, const char *name,
		   struct buffer *out, uint32_t *count)
{
	struct meta_entry entry;
	char key[KEY_MAX];

	*count = 0;
	while (meta_next(&body, &entry)) {
		if (entry.key.length >= sizeof(key))
			continue;
		memcpy(key, entry.key.bytes, entry.key.length);
		key[entry.key.length] = '\0';
		put_entry(pseudonyms, key, &entry, name, out);
		++*count;
	}
	return body.bad ? -EBADMSG : 0;
}

/* Definitions ------------------------------------------------------------------------ */

/* Where the texts of each type lie: behind `prefix` bytes; behind them what is left is kept or not. */
static const struct def_rule {
	bool known;
	uint8_t prefix, texts;
	bool keep_rest;
	uint8_t kinds[5];
} def_rules[] = {
	[DEF_PADDING] = {.known = false},
	[DEF_FUNCTION] = {true, 0, 0, true, {0}},
	[DEF_FILE] = {true, 40, 1, false, {TEXT_FILE}}, /* and two numbers, below */
	[DEF_THREAD] = {true, 24, 1, false, {TEXT_WORDS}},
	[DEF_MODULE] = {true, 32, 1, false, {TEXT_FILE}}, /* and the build-id, below */
	[DEF_NAME] = {true, 4, 2, false, {TEXT_KEEP, TEXT_OBJECT}},
	[DEF_COMM] = {true, 32, 1, true, {TEXT_OBJECT}},
	[DEF_DATATYPE] = {true, 24, 1, false, {TEXT_OBJECT}},
	[DEF_STRING] = {true, 4, 1, false, {TEXT_WORDS}},
	[DEF_STACK] = {true, 0, 0, true, {0}},
	[DEF_MPIFILE] = {true, 16, 1, false, {TEXT_PATH}},
	[DEF_OBJECT] = {true, 8, 2, false, {TEXT_KEEP, TEXT_OBJECT}},
	[DEF_WIN] = {true, 0, 0, true, {0}},
	[DEF_DIRECTORY] = {true, 0, 0, true, {0}},
	/* what a function is called stays, as in FUNCTION */
	[DEF_SOURCE] =
		{true, 16, 5, false, {TEXT_FILE, TEXT_KEEP, TEXT_FILE, TEXT_WORDS, TEXT_WORDS}},
};

static void put_str(struct buffer *out, const struct buffer *text)
{
	uint16_t length = (uint16_t)(text->size < TEXT_MAX ? text->size : TEXT_MAX);

	buffer_add(out, &length, sizeof(length));
	buffer_add(out, text->bytes, length);
}

static bool put_payload(const struct pseudonyms *pseudonyms, const struct def_entry *entry,
			struct buffer *out)
{
	const struct def_rule *rule = &def_rules[entry->type];
	struct bytes payload = entry->payload;
	const uint8_t *prefix = bytes_take(&payload, rule->prefix);
	struct buffer text = {0};
	bool is_world = false;

	buffer_add(out, prefix, prefix ? rule->prefix : 0);
	for (unsigned i = 0; i < rule->texts; i++) {
		struct text from = bytes_str(&payload);

		buffer_clear(&text);
		anonymize_text(pseudonyms, is_world ? TEXT_NAME : rule->kinds[i], &text, from.bytes,
			       from.length);
		/* what a world is called in the metadata, too */
		is_world = entry->type == DEF_NAME && from.length == 5 &&
			   memcmp(from.bytes, "world", 5) == 0;
		put_str(out, &text);
	}
	if (entry->type == DEF_MODULE) {
		struct text from = bytes_str(&payload);

		buffer_clear(&text);
		pseudonym_bytes(pseudonyms, &text, from.bytes, from.length);
		put_str(out, &text);
	}
	if (entry->type == DEF_FILE && bytes_left(&payload) > 0) {
		const uint8_t *numbers = bytes_take(&payload, 8);

		buffer_add(out, numbers, numbers ? 8 : 0);
		buffer_clear(&text);
		put_str(out, &text); /* striping may name a pool */
	}
	if (rule->keep_rest)
		buffer_add(out, payload.p, bytes_left(&payload));
	buffer_release(&text);
	return !payload.bad;
}

static enum text_kind kind_of_parameter(const struct def_parameter *parameter)
{
	static const struct {
		const char *kind;
		enum text_kind text;
	} rules[] = {{"path", TEXT_PATH}, {"strings", TEXT_STRINGS}};

	if (parameter->name.length == 4 && !memcmp(parameter->name.bytes, "mode", 4))
		return TEXT_MODE;
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (strlen(rules[i].kind) == parameter->kind.length &&
		    !memcmp(rules[i].kind, parameter->kind.bytes, parameter->kind.length))
			return rules[i].text;
	return TEXT_WORDS;
}

static void learn_function(struct anonymize_functions *functions, struct bytes payload)
{
	struct anonymize_function *function;
	struct def_parameter parameter;
	struct def_function head;

	if (!def_function_unpack(&payload, &head) || head.arg_count > RECORD_MAX_ARGS)
		return;
	if (!functions->by_id[head.id])
		functions->by_id[head.id] = calloc(1, sizeof(*function));
	function = functions->by_id[head.id];
	if (!function)
		die("out of memory");
	memset(function, 0, sizeof(*function));
	for (unsigned i = 0; i < head.arg_count; i++) {
		if (!def_parameter_unpack(&payload, &parameter))
			return;
		function->classes[i] = parameter.class;
		function->kinds[i] = (uint8_t)kind_of_parameter(&parameter);
		function->strings += parameter.class == CLASS_STRING;
	}
	function->arg_count = head.arg_count;
	function->result_class = head.result_class;
	function->known = true;
}

void anonymize_functions_release(struct anonymize_functions *functions)
{
	for (size_t i = 0; i <= UINT16_MAX; i++)
		free(functions->by_id[i]);
	memset(functions, 0, sizeof(*functions));
}

int anonymize_defs(const struct pseudonyms *pseudonyms, struct anonymize_functions *functions,
		   struct bytes body, struct buffer *out, uint32_t *count)
{
	struct buffer payload = {0};
	struct def_entry entry;

	*count = 0;
	while (def_entry_next(&body, &entry)) {
		size_t size;

		if ((size_t)entry.type >= sizeof(def_rules) / sizeof(def_rules[0]) ||
		    !def_rules[entry.type].known)
			continue;
		if (entry.type == DEF_FUNCTION)
			learn_function(functions, entry.payload);
		buffer_clear(&payload);
		if (!put_payload(pseudonyms, &entry, &payload))
			continue;
		size = def_entry_size(payload.size);
		out->size += def_entry_pack(buffer_room(out, size), size, entry.type, payload.bytes,
					    payload.size);
		++*count;
	}
	buffer_release(&payload);
	return body.bad ? -EBADMSG : 0;
}
