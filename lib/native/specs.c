/* SPDX-License-Identifier: MIT */
/* specs.c - see specs.h */
#include "native/specs.h"

#include <string.h>

#include "record/text.h"

#define ARGUMENT_MAX 64u

static bool skip(const char **text, const char *word)
{
	size_t length = strlen(word);

	if (strncmp(*text, word, length) != 0)
		return false;
	*text += length;
	return true;
}

static bool read_format(const char **text, struct native_item *item)
{
	static const struct {
		char letter;
		uint8_t kind, bits;
		bool floating;
	} formats[] = {{'i', KIND_int, 0, false},     {'u', KIND_uint, 0, false},
		       {'x', KIND_hex, 0, false},     {'c', KIND_char, 8, false},
		       {'s', KIND_string, 64, false}, {'p', KIND_pointer, 64, false},
		       {'f', KIND_double, 32, true},  {'d', KIND_double, 64, true}};
	uint64_t bits;

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		if (**text != formats[i].letter)
			continue;
		++*text;
		item->kind = formats[i].kind;
		item->bits = formats[i].bits;
		item->floating = formats[i].floating;
		if (**text < '0' || **text > '9')
			return true;
		if (!text_read_u64(text, &bits) ||
		    (bits != 8 && bits != 16 && bits != 32 && bits != 64))
			return false;
		if (item->floating ? bits < 32
				   : item->kind == KIND_string || item->kind == KIND_pointer)
			return false;
		item->bits = (uint8_t)bits;
		return true;
	}
	return false;
}

/* "arg1/i"; *position: as it is counted in the source, 0 of a register that is named. */
static bool read_argument(const char **text, struct native_item *item, uint64_t *position)
{
	struct textbuf name = text_in(item->name, sizeof(item->name));
	bool direct = skip(text, "fp");
	uint64_t number;

	if (!skip(text, "arg") || !text_read_u64(text, &number) || number == 0 ||
	    number > ARGUMENT_MAX || !skip(text, "/"))
		return false;
	if (!read_format(text, item) || (direct && !item->floating))
		return false;
	text_add(&name, direct ? "fparg" : "arg");
	text_add_u64(&name, number);
	item->place = (uint8_t)(number - 1);
	*position = direct ? 0 : number;
	return true;
}

/* Counts each among its own kind: those before it of the other kind take no register of this one. */
static void place(struct native_spec *spec, const uint64_t *positions)
{
	for (unsigned i = 0; i < spec->arg_count; i++) {
		unsigned floating = 0;

		for (unsigned k = 0; k < spec->arg_count; k++)
			if (positions[k] && positions[k] < positions[i])
				floating += spec->args[k].floating;
		if (positions[i])
			spec->args[i].place =
				(uint8_t)(spec->args[i].floating ? floating
								 : positions[i] - 1 - floating);
	}
}

bool spec_arguments(struct native_spec *spec, const char *list)
{
	struct native_spec read = *spec;
	uint64_t positions[SPEC_ARGS_MAX] = {0};

	if (!list)
		return false;
	read.arg_count = 0;
	do {
		if (read.arg_count == SPEC_ARGS_MAX ||
		    !read_argument(&list, &read.args[read.arg_count], &positions[read.arg_count]))
			return false;
		read.arg_count++;
	} while (skip(&list, ","));
	if (*list)
		return false;
	place(&read, positions);
	for (unsigned i = 0; i < read.arg_count; i++)
		if (read.args[i].floating && read.args[i].place > 7)
			return false;
	*spec = read;
	return true;
}

bool spec_result(struct native_spec *spec, const char *list)
{
	struct native_item item = {.name = "result"};

	if (!list || (!skip(&list, "retval/") && !skip(&list, "ret/")) ||
	    !read_format(&list, &item) || *list)
		return false;
	spec->result = item;
	spec->has_result = true;
	return true;
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(specs_are_read)
{
	struct native_spec spec = {0};

	REQUIRE(spec_arguments(&spec, "arg1/i,arg2/d,arg3/s,arg4/f,arg5/u16"));
	EXPECT_EQ(spec.arg_count, 5);
	EXPECT_EQ(spec.args[0].place, 0);
	EXPECT(spec.args[1].floating && spec.args[1].place == 0 && spec.args[1].bits == 64);
	EXPECT_EQ(spec.args[2].place, 1);
	EXPECT_EQ(spec.args[2].kind, KIND_string);
	EXPECT(spec.args[3].floating && spec.args[3].place == 1 && spec.args[3].bits == 32);
	EXPECT_EQ(spec.args[4].place, 2);
	EXPECT_STR(spec.args[4].name, "arg5");
	REQUIRE(spec_arguments(&spec, "fparg2/d"));
	EXPECT_EQ(spec.args[0].place, 1);
	REQUIRE(spec_result(&spec, "ret/d"));
	EXPECT(spec.has_result && spec.result.floating);
}

TEST_CASE(specs_are_refused)
{
	static const char *const wrong[] = {"",        "arg",     "arg0/i",   "arg1",   "arg1/q",
					    "arg1/i7", "arg1/i,", "arg1/i;x", "ret/i",  "fparg1/i",
					    "arg99/i", "arg1/s8", "arg1/f16", "arg1/ix"};
	struct native_spec spec = {0};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		EXPECT(!spec_arguments(&spec, wrong[i]));
	EXPECT(!spec_result(&spec, "arg1/i"));
	EXPECT_EQ(spec.arg_count, 0);
}

TEST_CASE(specs_give_integers)
{
	struct native_item item = {.kind = KIND_int};

	EXPECT_EQ(spec_integer(&item, 0xffffffff), -1);
	EXPECT_EQ(spec_integer(&item, 0x1ffffffff), 0x1ffffffff);
	EXPECT_EQ(spec_integer(&item, (uint64_t)-5), -5);
	item.bits = 8;
	EXPECT_EQ(spec_integer(&item, 0x1ff), -1);
	item.kind = KIND_uint;
	EXPECT_EQ(spec_integer(&item, 0x1ff), 255);
	item.bits = 0;
	EXPECT_EQ(spec_integer(&item, 0xffffffff), 0xffffffff);
}
#endif
