/* SPDX-License-Identifier: MIT */
/* pack_defs.c - see pack_defs.h */
#include "pack_defs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/defs.h"
#include "format/defs_relative.h"
#include "message.h"

#define COUNTING 8u /* times smaller than its entries is a chunk of definitions that count on */

void pack_defs_forget(struct part_maker *maker)
{
	for (size_t i = 0; i <= UINT16_MAX; i++) {
		free(maker->functions[i]);
		maker->functions[i] = NULL;
	}
}

static void learn_function(struct part_maker *maker, struct bytes payload)
{
	struct known_function *function;
	struct def_function head;
	struct def_parameter parameter;

	if (!def_function_unpack(&payload, &head) || head.arg_count > RECORD_MAX_ARGS)
		return;
	if (!maker->functions[head.id])
		maker->functions[head.id] = calloc(1, sizeof(*function));
	function = maker->functions[head.id];
	if (!function)
		die("out of memory");
	function->known = true;
	function->arg_count = head.arg_count;
	function->result_class = head.result_class;
	for (unsigned i = 0; i < head.arg_count; i++)
		if (def_parameter_unpack(&payload, &parameter))
			function->classes[i] = parameter.class;
		else
			function->known = false;
}

void pack_defs_learn(struct part_maker *maker, struct bytes entries)
{
	struct def_entry entry;

	while (def_entry_next(&entries, &entry))
		if (entry.type == DEF_FUNCTION)
			learn_function(maker, entry.payload);
}

/* The entries of a chunk in the relative encoding, in maker->entries. -EBADMSG: they would be encoded in another way. */
static int unpack_relative(struct part_maker *maker)
{
	struct bytes words = bytes_of(maker->plain.bytes, maker->plain.size);
	uint32_t size = defs_relative_size(&words);
	struct varints again;
	size_t room;

	if (size > DEFS_RELATIVE_MAX)
		return -EBADMSG;
	if (defs_relative_unpack(&words, buffer_resize(&maker->entries, size), size))
		return -EBADMSG;
	room = defs_relative_bound(size);
	again = varints_in(buffer_resize(&maker->again, room), room);
	defs_relative_pack(maker->entries.bytes, size, &again);
	return !again.full && (size_t)(again.p - maker->again.bytes) == maker->plain.size &&
			       memcmp(maker->again.bytes, maker->plain.bytes, maker->plain.size) ==
				       0
		       ? 0
		       : -EBADMSG;
}

static int put_blob(struct part_maker *maker, const struct chunk_header *header)
{
	part_put_header(maker, PACK_OP_BLOB, header);
	shape_number(&maker->shape, header->body_size);
	shape_number(&maker->shape, header->plain_size);
	shape_blob(&maker->shape, maker->sink.words(maker->sink.self, UINT32_MAX,
						    maker->plain.bytes, maker->plain.size));
	return 0;
}

/* Definitions whose entries are in `entries`, as tokens. */
static int put_entries(struct part_maker *maker, const struct chunk_header *header, enum pack_op op,
		       struct bytes entries)
{
	int error;

	part_put_header(maker, op, header);
	shape_number(&maker->shape, header->body_size);
	if (op == PACK_OP_RELATIVE)
		shape_number(&maker->shape, header->plain_size);
	error = tokens_defs(&maker->shape, entries);
	tokens_end(&maker->shape);
	return error;
}

/* Whether definitions are little more than what is different from the one before, as those of files with numbers for names: tokens would lose that. */
static bool counts_on(const struct chunk_header *header, struct bytes entries)
{
	return bytes_left(&entries) / COUNTING > header->body_size;
}

int pack_defs_put(struct part_maker *maker, const struct chunk_header *header, struct bytes body)
{
	struct bytes rest, entries;
	bool relative = header->encoding == DEFS_RELATIVE;
	int error = part_inflate_exactly(maker, header, body, &rest);

	if (error || bytes_left(&rest) > 0)
		return -EBADMSG;
	entries = bytes_of(maker->plain.bytes, maker->plain.size);
	if (relative) {
		error = unpack_relative(maker);
		entries = bytes_of(maker->entries.bytes, maker->entries.size);
	}
	pack_defs_learn(maker, entries);
	if (error || bytes_left(&entries) > PACK_DEFS_TOKENS_MOST || counts_on(header, entries))
		return put_blob(maker, header);
	return put_entries(maker, header, relative ? PACK_OP_RELATIVE : PACK_OP_DEFLATED, entries);
}
