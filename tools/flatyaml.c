/* SPDX-License-Identifier: MIT */
/* flatyaml.c - see flatyaml.h */
#include "flatyaml.h"

#include <errno.h>
#include <stdlib.h>

static void release_value(struct flat_value *value)
{
	free(value->text);
}

void flat_release(struct flat_file *file)
{
	for (unsigned i = 0; i < file->count; i++) {
		release_value(&file->entries[i].key);
		for (unsigned k = 0; k < file->entries[i].count; k++)
			release_value(&file->entries[i].values[k]);
		free(file->entries[i].values);
	}
	free(file->entries);
	*file = (struct flat_file){0};
}

#ifndef HAVE_LIBYAML

int flat_read(struct flat_file *file, const char *path,
	      void (*wrong)(void *data, struct flat_place place, const char *text), void *data)
{
	(void)path;
	(void)wrong;
	(void)data;
	*file = (struct flat_file){0};
	return -ENOSYS;
}

#else

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <yaml.h>

#include "buffer.h"
#include "message.h"

#define FILE_MOST (1u << 20) /* bytes: it is no configuration then */

struct reading {
	struct flat_file *file;
	yaml_document_t document;
	void (*wrong)(void *data, struct flat_place place, const char *text);
	void *data;
	bool failed;
};

static struct flat_place place_of(yaml_mark_t mark)
{
	return (struct flat_place){(unsigned)mark.line + 1, (unsigned)mark.column + 1};
}

static void refuse(struct reading *reading, struct flat_place place, const char *text)
{
	reading->failed = true;
	reading->wrong(reading->data, place, text);
}

/* ---- the tree ---- */

/* "~" and "null" are no value, as is nothing at all. */
static bool is_null(const yaml_node_t *node)
{
	const char *text = (const char *)node->data.scalar.value;

	return node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
	       (!strcmp(text, "~") || !strcasecmp(text, "null"));
}

static bool take_scalar(struct reading *reading, const yaml_node_t *node, struct flat_value *value)
{
	const char *text = (const char *)node->data.scalar.value;

	value->place = place_of(node->start_mark);
	if (strlen(text) != node->data.scalar.length) {
		refuse(reading, value->place, "there is a zero byte in a value");
		return false;
	}
	value->text = strdup(is_null(node) ? "" : text);
	if (!value->text)
		die("out of memory");
	return true;
}

static void take_values(struct reading *reading, struct flat_entry *entry,
			const yaml_node_item_t *items, unsigned count)
{
	entry->values = calloc(count + 1u, sizeof(*entry->values));
	if (!entry->values)
		die("out of memory");
	for (unsigned i = 0; i < count; i++) {
		const yaml_node_t *node = yaml_document_get_node(&reading->document, items[i]);

		if (node->type != YAML_SCALAR_NODE)
			refuse(reading, place_of(node->start_mark),
			       "a value is wanted, or a list of values, and nothing deeper");
		else if (take_scalar(reading, node, &entry->values[entry->count]))
			entry->count++;
	}
	entry->is_broken = entry->count < count;
}

static void take_pair(struct reading *reading, const yaml_node_pair_t *pair)
{
	const yaml_node_t *key = yaml_document_get_node(&reading->document, pair->key);
	const yaml_node_t *value = yaml_document_get_node(&reading->document, pair->value);
	struct flat_entry *entry = &reading->file->entries[reading->file->count];

	if (key->type != YAML_SCALAR_NODE) {
		refuse(reading, place_of(key->start_mark), "a key is wanted here");
		return;
	}
	if (!take_scalar(reading, key, &entry->key))
		return;
	reading->file->count++;
	entry->is_list = value->type == YAML_SEQUENCE_NODE;
	if (entry->is_list)
		take_values(reading, entry, value->data.sequence.items.start,
			    (unsigned)(value->data.sequence.items.top -
				       value->data.sequence.items.start));
	else
		take_values(reading, entry, &pair->value, 1);
}

static void take_root(struct reading *reading)
{
	const yaml_node_t *root = yaml_document_get_root_node(&reading->document);
	const yaml_node_pair_t *pairs, *end;

	if (!root ||
	    (root->type == YAML_SCALAR_NODE && (root->data.scalar.length == 0 || is_null(root))))
		return; /* comments alone */
	if (root->type != YAML_MAPPING_NODE) {
		refuse(reading, place_of(root->start_mark), "lines of 'key: value' are wanted");
		return;
	}
	pairs = root->data.mapping.pairs.start;
	end = root->data.mapping.pairs.top;
	reading->file->entries = calloc((size_t)(end - pairs) + 1, sizeof(struct flat_entry));
	if (!reading->file->entries)
		die("out of memory");
	for (; pairs < end; pairs++)
		take_pair(reading, pairs);
}

/* ---- the text ---- */

/* Of a byte that is no UTF-8 only the offset is told. */
static struct flat_place place_at(const struct buffer *text, size_t offset)
{
	struct flat_place place = {1, 1};

	for (size_t i = 0; i < offset && i < text->size; i++) {
		place.column++;
		if (text->bytes[i] == '\n')
			place = (struct flat_place){place.line + 1, 1};
	}
	return place;
}

static void refuse_text(struct reading *reading, const yaml_parser_t *parser,
			const struct buffer *text)
{
	char said[512];

	if (parser->error == YAML_MEMORY_ERROR)
		die("out of memory");
	snprintf(said, sizeof(said), "%s%s%s", parser->context ? parser->context : "",
		 parser->context ? ": " : "", parser->problem ? parser->problem : "no YAML");
	refuse(reading,
	       parser->error == YAML_READER_ERROR ? place_at(text, parser->problem_offset)
						  : place_of(parser->problem_mark),
	       said);
}

static void parse(struct reading *reading, const struct buffer *text)
{
	yaml_parser_t parser;
	bool more = false;

	if (!yaml_parser_initialize(&parser))
		die("out of memory");
	yaml_parser_set_input_string(&parser, text->bytes, text->size);
	if (!yaml_parser_load(&parser, &reading->document)) {
		refuse_text(reading, &parser, text);
		yaml_parser_delete(&parser);
		return;
	}
	take_root(reading);
	more = yaml_document_get_root_node(&reading->document) != NULL;
	yaml_document_delete(&reading->document);
	if (more && !yaml_parser_load(&parser, &reading->document)) {
		refuse_text(reading, &parser, text);
	} else if (more) {
		const yaml_node_t *next = yaml_document_get_root_node(&reading->document);

		if (next)
			refuse(reading, place_of(next->start_mark), "a second document begins");
		yaml_document_delete(&reading->document);
	}
	yaml_parser_delete(&parser);
}

static int read_text(const char *path, struct buffer *text)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), error = 0;
	ssize_t got = 1;

	if (fd < 0)
		return -errno;
	while (got > 0 && text->size <= FILE_MOST) {
		got = read(fd, buffer_room(text, 4096), 4096);
		if (got < 0)
			error = -errno;
		else
			text->size += (size_t)got;
	}
	close(fd);
	return error ? error : text->size > FILE_MOST ? -EFBIG : 0;
}

int flat_read(struct flat_file *file, const char *path,
	      void (*wrong)(void *data, struct flat_place place, const char *text), void *data)
{
	struct reading reading = {.file = file, .wrong = wrong, .data = data};
	struct buffer text = {0};
	int error;

	*file = (struct flat_file){0};
	error = read_text(path, &text);
	if (!error)
		parse(&reading, &text);
	buffer_release(&text);
	return error ? error : reading.failed ? -EINVAL : 0;
}

#endif
