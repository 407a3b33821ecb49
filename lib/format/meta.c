/* SPDX-License-Identifier: MIT */
/* meta.c - see meta.h */
#include "format/meta.h"

static void put_key(struct packer *packer, enum meta_type type, const char *key)
{
	pack_u8(packer, (uint8_t)type);
	pack_u8(packer, 0);
	pack_str(packer, key);
}

void meta_put_u64(struct packer *packer, const char *key, uint64_t value)
{
	put_key(packer, META_U64, key);
	pack_u64(packer, value);
}

void meta_put_i64(struct packer *packer, const char *key, int64_t value)
{
	put_key(packer, META_I64, key);
	pack_i64(packer, value);
}

void meta_put_f64(struct packer *packer, const char *key, double value)
{
	put_key(packer, META_F64, key);
	pack_f64(packer, value);
}

void meta_put_bytes(struct packer *packer, const char *key, const void *bytes, size_t size)
{
	if (size > UINT32_MAX) {
		packer->overflow = true;
		return;
	}
	put_key(packer, META_BYTES, key);
	pack_u32(packer, (uint32_t)size);
	pack_bytes(packer, bytes, size);
}

void meta_put_str(struct packer *packer, const char *key, const char *text)
{
	meta_put_bytes(packer, key, text, strlen(text));
}

bool meta_next(struct bytes *entries, struct meta_entry *entry)
{
	if (bytes_left(entries) == 0)
		return false;
	memset(entry, 0, sizeof(*entry));
	entry->type = (enum meta_type)bytes_u8(entries);
	bytes_u8(entries);
	entry->key = bytes_str(entries);
	entry->bytes = (struct text){"", 0};
	switch (entry->type) {
	case META_U64:
		entry->u64 = bytes_u64(entries);
		break;
	case META_I64:
		entry->i64 = bytes_i64(entries);
		break;
	case META_F64:
		entry->f64 = bytes_f64(entries);
		break;
	case META_BYTES:
		entry->bytes = bytes_text(entries, bytes_u32(entries));
		break;
	default: /* its size is not known */
		bytes_fail(entries);
		break;
	}
	return !entries->bad;
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(meta_round_trip)
{
	uint8_t buffer[256];
	struct packer packer = packer_of(buffer, sizeof(buffer));
	struct meta_entry entry;
	struct bytes bytes;
	size_t size;

	meta_put_u64(&packer, "pid", 42);
	meta_put_i64(&packer, "end.status", -1);
	meta_put_f64(&packer, "load", 0.5);
	meta_put_str(&packer, "host", "node7");
	size = packer_size(&packer, buffer);
	bytes = bytes_of(buffer, size);
	EXPECT(meta_next(&bytes, &entry) && entry.u64 == 42 && entry.key.length == 3);
	EXPECT(meta_next(&bytes, &entry) && entry.i64 == -1);
	EXPECT(meta_next(&bytes, &entry) && entry.f64 == 0.5);
	EXPECT(meta_next(&bytes, &entry) && entry.bytes.length == 5);
	EXPECT_MEM(entry.bytes.bytes, "node7", 5);
	EXPECT(!meta_next(&bytes, &entry) && !bytes.bad);
	for (size_t cut = 0; cut < size; cut++) {
		bytes = bytes_of(buffer, cut);
		while (meta_next(&bytes, &entry))
			EXPECT(entry.key.bytes + entry.key.length <= (char *)buffer + cut);
	}
}

TEST_CASE(meta_unknown_type_is_refused)
{
	struct bytes bytes = bytes_of("\x09\0\x01\0k12345678", 13);
	struct meta_entry entry;

	EXPECT(!meta_next(&bytes, &entry));
	EXPECT(bytes.bad);
}
#endif
