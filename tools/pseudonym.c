/* SPDX-License-Identifier: MIT */
/* pseudonym.c - see pseudonym.h */
#include "pseudonym.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

#include "message.h"

#define NAME_DIGITS 12
#define EXTENSION_MAX 8u

/* SipHash-2-4 ------------------------------------------------------------------------ */

struct sip {
	uint64_t v0, v1, v2, v3;
};

static uint64_t rotate(uint64_t value, unsigned bits)
{
	return value << bits | value >> (64 - bits);
}

static void sip_round(struct sip *sip)
{
	sip->v0 += sip->v1;
	sip->v2 += sip->v3;
	sip->v1 = rotate(sip->v1, 13) ^ sip->v0;
	sip->v3 = rotate(sip->v3, 16) ^ sip->v2;
	sip->v0 = rotate(sip->v0, 32);
	sip->v2 += sip->v1;
	sip->v0 += sip->v3;
	sip->v1 = rotate(sip->v1, 17) ^ sip->v2;
	sip->v3 = rotate(sip->v3, 21) ^ sip->v0;
	sip->v2 = rotate(sip->v2, 32);
}

static void sip_word(struct sip *sip, uint64_t word)
{
	sip->v3 ^= word;
	sip_round(sip);
	sip_round(sip);
	sip->v0 ^= word;
}

static uint64_t sip_hash(const uint64_t key[2], const void *bytes, size_t size)
{
	struct sip sip = {key[0] ^ 0x736f6d6570736575, key[1] ^ 0x646f72616e646f6d,
			  key[0] ^ 0x6c7967656e657261, key[1] ^ 0x7465646279746573};
	const uint8_t *p = bytes;
	uint64_t word = 0;
	size_t left = size;

	for (; left >= 8; left -= 8, p += 8) {
		memcpy(&word, p, 8);
		sip_word(&sip, word);
	}
	word = (uint64_t)size << 56;
	for (size_t i = 0; i < left; i++)
		word |= (uint64_t)p[i] << 8 * i;
	sip_word(&sip, word);
	sip.v2 ^= 0xff;
	for (unsigned i = 0; i < 4; i++)
		sip_round(&sip);
	return sip.v0 ^ sip.v1 ^ sip.v2 ^ sip.v3;
}

void pseudonyms_init(struct pseudonyms *pseudonyms, const char *text)
{
	static const uint64_t first[2] = {0, 0}, second[2] = {1, 0};

	if (text) {
		pseudonyms->key[0] = sip_hash(first, text, strlen(text));
		pseudonyms->key[1] = sip_hash(second, text, strlen(text));
	} else if (getrandom(pseudonyms->key, sizeof(pseudonyms->key), 0) !=
		   sizeof(pseudonyms->key)) {
		die("cannot make a key: %s", strerror(errno));
	}
}

/* Names ------------------------------------------------------------------------------ */

/* The length of ".h5" at the end of a name, 0 if it has none. */
static size_t extension_length(const char *name, size_t size)
{
	const char *dot = memrchr(name, '.', size);
	size_t length = dot ? (size_t)(name + size - dot) : 0;

	if (!dot || dot == name || length < 2 || length > EXTENSION_MAX)
		return 0;
	for (const char *p = dot + 1; p < name + size; p++)
		if (!((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
		      (*p >= '0' && *p <= '9')))
			return 0;
	return length;
}

void pseudonym_name(const struct pseudonyms *pseudonyms, struct buffer *out, const void *name,
		    size_t size)
{
	static const char digits[] = "abcdefghijklmnopqrstuvwxyz234567";
	uint64_t hash = sip_hash(pseudonyms->key, name, size);
	char text[NAME_DIGITS];

	if (size == 0)
		return;
	for (unsigned i = 0; i < NAME_DIGITS; i++, hash >>= 5)
		text[i] = digits[hash & 31];
	buffer_add(out, text, sizeof(text));
	if (pseudonyms->keep_extensions) {
		size_t length = extension_length(name, size);

		buffer_add(out, (const char *)name + size - length, length);
	}
}

/* What means the same on every machine. */
static bool is_special(const char *name, size_t size)
{
	return (size == 1 && name[0] == '.') || (size == 2 && !memcmp(name, "..", 2));
}

void pseudonym_path(const struct pseudonyms *pseudonyms, struct buffer *out, const char *path,
		    size_t size)
{
	const char *end = path + size;

	while (path < end) {
		const char *slash = memchr(path, '/', (size_t)(end - path));
		size_t length = (size_t)((slash ? slash : end) - path);

		if (is_special(path, length))
			buffer_add(out, path, length);
		else
			pseudonym_name(pseudonyms, out, path, length);
		path += length;
		if (slash) {
			buffer_add(out, "/", 1);
			path++;
		}
	}
}

static bool in_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (c && strchr("._-+~@%#", c)) || (unsigned char)c >= 0x80;
}

void pseudonym_text(const struct pseudonyms *pseudonyms, struct buffer *out, const char *text,
		    size_t size)
{
	const char *end = text + size;

	while (text < end) {
		const char *word = text;

		while (text < end && in_word(*text))
			text++;
		while (word < text && *word == '-') /* of an option */
			buffer_add(out, word++, 1);
		if (is_special(word, (size_t)(text - word)))
			buffer_add(out, word, (size_t)(text - word));
		else
			pseudonym_name(pseudonyms, out, word, (size_t)(text - word));
		if (text < end)
			buffer_add(out, text++, 1);
	}
}

void pseudonym_bytes(const struct pseudonyms *pseudonyms, struct buffer *out, const void *bytes,
		     size_t size)
{
	uint64_t hash = sip_hash(pseudonyms->key, bytes, size);

	for (size_t i = 0; i < size; i += sizeof(hash)) {
		buffer_add(out, &hash, size - i < sizeof(hash) ? size - i : sizeof(hash));
		hash = sip_hash(pseudonyms->key, &hash, sizeof(hash));
	}
}

uint64_t pseudonym_number(const struct pseudonyms *pseudonyms, uint64_t number)
{
	return sip_hash(pseudonyms->key, &number, sizeof(number));
}

#ifdef UNIT_TEST
#include "unittest.h"

static const char *as_text(struct buffer *buffer)
{
	buffer_add(buffer, "", 1);
	return (const char *)buffer->bytes;
}

TEST_CASE(siphash_is_siphash)
{
	const uint64_t key[2] = {0x0706050403020100, 0x0f0e0d0c0b0a0908};
	const uint8_t bytes[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};

	EXPECT_EQ(sip_hash(key, bytes, sizeof(bytes)), 0xa129ca6149be45e5);
}

TEST_CASE(pseudonyms_keep_the_shape_of_paths)
{
	struct pseudonyms pseudonyms = {{1, 2}, true};
	struct buffer one = {0}, two = {0}, text = {0};

	pseudonym_path(&pseudonyms, &one, "/home/me/../run.h5", 18);
	pseudonym_path(&pseudonyms, &two, "/home/me//x", 11);
	pseudonym_text(&pseudonyms, &text, "--out=/home/me/../run.h5", 24);
	EXPECT_EQ(one.size, 1 + 12 + 1 + 12 + 1 + 2 + 1 + 12 + 3);
	EXPECT_EQ(memcmp(one.bytes, two.bytes, 26), 0);
	EXPECT(strstr(as_text(&one), "/../"));
	EXPECT(!strcmp(as_text(&one) + one.size - 5, ".h5") || one.bytes[one.size - 2] == 0);
	EXPECT_EQ(strncmp(as_text(&text), "--", 2), 0);
	EXPECT(strstr((char *)text.bytes, (char *)one.bytes));
	EXPECT(!strstr((char *)text.bytes, "home"));
	buffer_release(&one);
	buffer_release(&two);
	buffer_release(&text);
}
#endif
