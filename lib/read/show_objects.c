/* SPDX-License-Identifier: MIT */
/* show_objects.c - see show_objects.h */
#include "read/show_objects.h"

#include "format/kinds.h"
#include "read/definitions.h"
#include "read/trace.h"

void show_fd(struct text_out *out, const struct shown *shown)
{
	const struct recorder_arg *arg = shown->arg;
	const struct def_file *file = NULL;

	if (shown->kind == KIND_dirfd && arg->i64 == AT_FDCWD_VALUE) {
		text_out_add(out, "AT_FDCWD");
		return;
	}
	if (arg->i64 == -1 && (shown->kind == KIND_stream || shown->kind == KIND_dir)) {
		text_out_add(out, "NULL");
		return;
	}
	if (arg->i64 == STREAM_WITHOUT_FD && shown->kind == KIND_stream) {
		text_out_add(out, "memory");
		return;
	}
	text_out_decimal(out, arg->i64);
	if (arg->id)
		file = idmap_get(&shown->stream->defs.files, arg->id);
	if (!file && arg->i64 < 0)
		return;
	text_out_char(out, ' ');
	if (file)
		text_out_string(out, file->path.bytes, file->path.length);
	else
		text_out_char(out, '?');
}

void show_mapped(struct text_out *out, const struct shown *shown)
{
	const struct def_file *file = NULL;

	if (shown->arg->id)
		file = idmap_get(&shown->stream->defs.files, shown->arg->id);
	if (file)
		text_out_string(out, file->path.bytes, file->path.length);
	else
		text_out_add(out, shown->arg->i64 < 0 ? "none" : "?");
}

/* NULL or empty: the object has no name. */
static const char *handle_text(const struct shown *shown, uint32_t id)
{
	const struct definitions *defs = &shown->stream->defs;
	const char *name = definitions_name(defs, shown->kind_name, id);
	const struct known_comm *comm = NULL;
	const struct def_datatype *type = NULL;

	if (name && *name)
		return name;
	if (shown->kind == KIND_comm)
		comm = idmap_get(&defs->comms, id);
	else if (shown->kind == KIND_datatype)
		type = idmap_get(&defs->datatypes, id);
	if (comm)
		return comm->def.name.bytes;
	return type ? type->name.bytes : NULL;
}

void show_handle(struct text_out *out, const struct shown *shown, int64_t value)
{
	const char *name = handle_text(shown, (uint32_t)value);

	if (name && *name) {
		show_name(out, name);
		return;
	}
	text_out_add(out, shown->kind_name);
	text_out_char(out, '#');
	text_out_decimal(out, value);
}

static void put_text(struct text_out *out, struct text text)
{
	text_out_string(out, text.bytes, text.length);
}

static const struct def_file *object_file(const struct shown *shown,
					  const struct def_object *object)
{
	return object->file ? idmap_get(&shown->stream->defs.files, object->file) : NULL;
}

/* kind="name" or, where it has none, kind#number; the file behind it. */
static void put_object_words(struct text_out *out, const struct def_object *object,
			     const struct def_file *file, int64_t number)
{
	text_out_char(out, '{');
	if (!object->name.length && file && number == 0) {
		text_out_add(out, "file=");
	} else {
		text_out_add(out, object->kind.bytes);
		text_out_char(out, object->name.length ? '=' : '#');
		if (object->name.length)
			put_text(out, object->name);
		else
			text_out_decimal(out, number);
		text_out_add(out, ", file=");
	}
	if (file)
		put_text(out, file->path);
	else
		text_out_char(out, '?');
	text_out_char(out, '}');
}

void show_object(struct text_out *out, const struct shown *shown)
{
	const struct recorder_arg *arg = shown->arg;
	const struct def_object *object = idmap_get(&shown->stream->defs.objects, arg->id);

	if (arg->id == 0 && arg->i64 == OBJECT_UNKNOWN) {
		text_out_char(out, '?');
	} else if (arg->id == 0) {
		show_symbol(out, shown, arg->i64);
	} else if (!object) {
		text_out_char(out, '?');
	} else if (object->file) {
		put_object_words(out, object, object_file(shown, object), arg->i64);
	} else if (object->name.length) {
		show_name(out, object->name.bytes);
	} else {
		text_out_add(out, object->kind.bytes);
		text_out_char(out, '#');
		text_out_decimal(out, arg->i64);
	}
}

void show_numbered(struct text_out *out, const struct shown *shown)
{
	const struct recorder_arg *arg = shown->arg;
	const struct def_object *object = idmap_get(&shown->stream->defs.objects, arg->id);
	const struct def_file *file = NULL;

	show_symbol(out, shown, arg->i64);
	if (!object)
		return;
	text_out_char(out, ' ');
	if (shown->kind != KIND_varid)
		file = object_file(shown, object);
	if (file && object->name.length)
		put_object_words(out, object, file, 0);
	else
		put_text(out, file ? file->path : object->name);
}
