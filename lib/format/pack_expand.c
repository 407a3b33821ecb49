/* SPDX-License-Identifier: MIT */
/* pack_expand.c - see pack_expand.h */
#include "format/pack_expand.h"

#include <errno.h>

#include "format/pack_walk.h"

static unsigned digits_of(uint64_t value, char digits[PACK_DIGITS_MAX + 2])
{
	unsigned count = 0, at = PACK_DIGITS_MAX + 2;

	do {
		digits[--at] = (char)('0' + value % 10);
		value /= 10;
		count++;
	} while (value > 0 && at > 0);
	memmove(digits, digits + at, count);
	return count;
}

/* The list at work. */
struct token_list {
	uint64_t done;  /* bytes of it */
	uint32_t place; /* in its group */
	bool in_group;
};

/* The bytes of a token; NULL: malformed, or the end. `space` has room for a number of any kind. */
static const void *token_bytes(struct pack_walker *walker, unsigned token,
			       const struct token_list *list, char *space, size_t *size)
{
	uint64_t value;

	switch (token) {
	case PACK_TOKEN_BYTES:
		value = bytes_varint(&walker->ops);
		*size = value > bytes_left(&walker->ops) ? SIZE_MAX : (size_t)value;
		return bytes_take(&walker->ops, *size);
	case PACK_TOKEN_U16:
		value = pack_walk_number(walker, UINT16_MAX);
		*size = 2;
		break;
	case PACK_TOKEN_U32:
		value = pack_walk_number(walker, UINT32_MAX);
		*size = 4;
		break;
	case PACK_TOKEN_U64:
		value = pack_walk_number(walker, UINT64_MAX);
		*size = 8;
		break;
	case PACK_TOKEN_TIME:
		value = pack_walk_time(walker, UINT64_MAX);
		*size = 8;
		break;
	case PACK_TOKEN_ADDRESS:
		walker->address += pack_walk_number(walker, UINT64_MAX) << PACK_PAGE_SHIFT;
		value = walker->address;
		*size = 8;
		break;
	case PACK_TOKEN_DECIMAL:
		*size = digits_of(pack_walk_number(walker, 999999999999999999u), space);
		return space;
	case PACK_TOKEN_PAD:
		value = 0;
		*size = (size_t)(-list->done & 7);
		break;
	case PACK_TOKEN_PLACE:
		value = pack_walk_number(walker, UINT32_MAX) + list->place;
		walker->bad |= !list->in_group || value > UINT32_MAX;
		*size = 4;
		break;
	default:
		return NULL;
	}
	memcpy(space, &value, sizeof(value));
	return space;
}

static int64_t expand_group(struct pack_walker *walker, uint8_t *out, size_t room);

/* The tokens up to the end of a list; their size, or -EBADMSG. */
static int64_t expand(struct pack_walker *walker, struct token_list *list, uint8_t *out,
		      size_t room)
{
	char space[PACK_DIGITS_MAX + 2];
	unsigned token;

	while (!walker->bad && (token = bytes_u8(&walker->ops)) != PACK_TOKEN_END) {
		size_t size = 0;

		if (token == PACK_TOKEN_GROUP && !list->in_group) {
			int64_t got = expand_group(walker, out ? out + list->done : NULL,
						   room - list->done);

			if (got < 0)
				return got;
			size = (size_t)got;
		} else {
			const void *bytes = token_bytes(walker, token, list, space, &size);

			if (!bytes || walker->bad || size > room - list->done)
				return -EBADMSG;
			if (out && size > 0)
				memcpy(out + list->done, bytes, size);
		}
		list->done += size;
	}
	walker->bad |= walker->ops.bad;
	return walker->bad ? -EBADMSG : (int64_t)list->done;
}

/* Which list comes at each place; each comes once. */
static bool take_order(struct pack_walker *walker, uint8_t *order, unsigned count)
{
	bool there[PACK_GROUP_MAX] = {false};

	for (unsigned i = 0; i < count; i++) {
		order[i] = (uint8_t)pack_walk_number(walker, count - 1);
		if (walker->bad || there[order[i]])
			return false;
		there[order[i]] = true;
	}
	return true;
}

/* Where a list of a group begins. */
struct list_begin {
	struct pack_place place;
	struct bytes ops;
	uint64_t address;
};

/* Passes the lists, so that they can be taken in their order. */
static int find_lists(struct pack_walker *walker, struct list_begin *begins, unsigned count,
		      size_t room)
{
	for (unsigned i = 0; i < count; i++) {
		struct token_list list = {.in_group = true};

		begins[i] = (struct list_begin){*walker->place, walker->ops, walker->address};
		if (expand(walker, &list, NULL, room) < 0)
			return -EBADMSG;
	}
	return 0;
}

static int64_t expand_group(struct pack_walker *walker, uint8_t *out, size_t room)
{
	uint64_t count = bytes_varint(&walker->ops);
	struct list_begin begins[PACK_GROUP_MAX], end;
	uint8_t order[PACK_GROUP_MAX];
	size_t done = 0;

	if (count == 0 || count > PACK_GROUP_MAX || !take_order(walker, order, (unsigned)count) ||
	    find_lists(walker, begins, (unsigned)count, room))
		return -EBADMSG;
	end = (struct list_begin){*walker->place, walker->ops, walker->address};
	for (unsigned i = 0; i < count; i++) {
		struct token_list list = {.in_group = true, .place = i};
		int64_t size;

		*walker->place = begins[order[i]].place;
		walker->ops = begins[order[i]].ops;
		walker->address = begins[order[i]].address;
		size = expand(walker, &list, out ? out + done : NULL, room - done);
		if (size < 0)
			return size;
		done += (size_t)size;
	}
	*walker->place = end.place;
	walker->ops = end.ops;
	walker->address = end.address;
	return (int64_t)done;
}

int64_t pack_tokens_expand(const struct pack_part *part, struct pack_place *place, uint8_t *out,
			   size_t room)
{
	struct pack_walker walker = pack_walk_from(part, place);
	struct token_list list = {0};
	int64_t size = expand(&walker, &list, out, room);

	pack_walk_done(&walker);
	return walker.bad ? -EBADMSG : size;
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(groups_come_in_the_order_of_numbers)
{
	static const uint8_t ops[] = {PACK_TOKEN_GROUP,
				      2,
				      PACK_TOKEN_PLACE,
				      PACK_TOKEN_END,
				      PACK_TOKEN_BYTES,
				      1,
				      'b',
				      PACK_TOKEN_PLACE,
				      PACK_TOKEN_END,
				      PACK_TOKEN_END};
	uint64_t numbers[] = {1, 0, 5, 5};
	struct pack_part part = {bytes_of(ops, sizeof(ops)), numbers, NULL, 4, 0};
	struct pack_place place = {0};
	uint8_t out[16];

	EXPECT_EQ(pack_tokens_expand(&part, &place, out, sizeof(out)), 9);
	EXPECT_MEM(out, "b\5\0\0\0\6\0\0\0", 9);
	EXPECT(place.op == sizeof(ops) && place.number == 4);
	place = (struct pack_place){0};
	numbers[1] = 1;
	EXPECT_EQ(pack_tokens_expand(&part, &place, out, sizeof(out)), -EBADMSG);
}

TEST_CASE(addresses_go_on_in_the_order_of_the_ops)
{
	/* the second list of the group comes first, but counts from the first one */
	static const uint8_t ops[] = {PACK_TOKEN_GROUP,   2,
				      PACK_TOKEN_ADDRESS, PACK_TOKEN_END,
				      PACK_TOKEN_ADDRESS, PACK_TOKEN_END,
				      PACK_TOKEN_ADDRESS, PACK_TOKEN_END};
	uint64_t numbers[] = {1, 0, 0x10, 1, (uint64_t)-2};
	struct pack_part part = {bytes_of(ops, sizeof(ops)), numbers, NULL, 5, 0};
	struct pack_place place = {0};
	uint8_t out[24];
	uint64_t words[3];

	EXPECT_EQ(pack_tokens_expand(&part, &place, out, sizeof(out)), 24);
	memcpy(words, out, sizeof(words));
	EXPECT(words[0] == 0x11000 && words[1] == 0x10000 && words[2] == 0xf000);
	place = (struct pack_place){0};
	part.number_count = 4;
	EXPECT_EQ(pack_tokens_expand(&part, &place, out, sizeof(out)), -EBADMSG);
}
#endif
