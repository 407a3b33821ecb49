/* SPDX-License-Identifier: MIT */
/* lists.c - see lists.h */
#include "format/lists.h"

#include <errno.h>
#include <string.h>

#include "format/varint.h"

/* Checks that `count` varints follow, and gives them. */
static struct bytes take_list(struct bytes *body, uint64_t count)
{
	struct bytes list = *body;

	if (count > bytes_left(body))
		bytes_fail(body);
	for (uint64_t i = 0; i < count && !body->bad; i++)
		bytes_varint(body);
	list.end = body->bad ? list.p : body->p;
	return list;
}

uint32_t lists_take_count(struct bytes *body, uint64_t limit)
{
	uint64_t count = bytes_varint(body);

	if (count > limit || count > bytes_left(body)) {
		bytes_fail(body);
		return 0;
	}
	return (uint32_t)count;
}

int lists_open(struct lists *lists, const struct chunk_header *header, struct bytes *body)
{
	memset(lists, 0, sizeof(*lists));
	lists->count = header->count;
	lists->carried = header->carried;
	lists->unit = bytes_varint(body);
	lists->phase = bytes_varint(body);
	if (lists->unit == 0 || lists->phase >= lists->unit || header->t_base < lists->phase)
		return -EBADMSG;
	if ((header->t_base - lists->phase) % lists->unit != 0)
		return -EBADMSG;
	lists->base = (header->t_base - lists->phase) / lists->unit;
	if (header->encoding == DATA_SUMMED) {
		if (header->t_max < lists->phase ||
		    (header->t_max - lists->phase) % lists->unit != 0)
			return -EBADMSG;
		lists->last = (header->t_max - lists->phase) / lists->unit;
	}
	lists->function_count = lists_take_count(body, UINT16_MAX + 1);
	lists->function_list = take_list(body, lists->function_count);
	lists->site_count = lists_take_count(body, UINT32_MAX / 2);
	lists->site_list = take_list(body, (uint64_t)lists->site_count * 2);
	lists->carried_list = take_list(body, (uint64_t)lists->carried * 2);
	return body->bad ? -EBADMSG : 0;
}

int lists_functions(const struct lists *lists, struct list_function *functions)
{
	struct bytes list = lists->function_list;
	uint8_t seen[(UINT16_MAX + 1) / 8] = {0};

	for (uint32_t i = 0; i < lists->function_count; i++) {
		uint64_t id = bytes_varint(&list);

		if (id > UINT16_MAX || seen[id / 8] & 1 << id % 8)
			return -EBADMSG;
		seen[id / 8] |= (uint8_t)(1 << id % 8);
		memset(&functions[i], 0, sizeof(functions[i]));
		functions[i].id = (uint16_t)id;
	}
	return 0;
}

int lists_sites(const struct lists *lists, struct list_site *sites)
{
	struct bytes list = lists->site_list;

	for (uint32_t i = 0; i < lists->site_count; i++) {
		uint64_t module = bytes_varint(&list);

		if (module > UINT32_MAX)
			return -EBADMSG;
		sites[i].module = (uint32_t)module;
		sites[i].offset = bytes_varint(&list);
	}
	return 0;
}

bool lists_carried(struct lists *lists, uint32_t index, uint64_t before)
{
	struct bytes *list = &lists->carried_list;
	uint64_t wanted = bytes_varint(list), since = bytes_varint(list);

	return !list->bad && wanted == index && since == before;
}

bool lists_ended(const struct lists *lists)
{
	return bytes_left(&lists->carried_list) == 0;
}
