/* SPDX-License-Identifier: MIT */
/* target_text.c - see target_text.h */
#include "record/target_text.h"

#include <string.h>

#include "record/text.h"

static const char *keep(struct target_texts *texts, const char *text, size_t length)
{
	char *copy = texts->bytes + texts->used;

	if (length + 1 > sizeof(texts->bytes) - texts->used)
		return NULL;
	memcpy(copy, text, length);
	copy[length] = '\0';
	texts->used += length + 1;
	return copy;
}

/* The ':' between object and name: not one of "::", nor within brackets. */
static const char *divider_of(const char *text)
{
	int depth = 0;

	for (; *text; text++) {
		depth += *text == '(' || *text == '[';
		depth -= *text == ')' || *text == ']';
		if (*text != ':' || depth > 0)
			continue;
		if (text[1] != ':')
			return text;
		text++;
	}
	return NULL;
}

static bool read_line(const char *text, uint32_t *line)
{
	uint64_t number;

	if (!text_read_u64(&text, &number) || *text || number == 0 || number > UINT32_MAX)
		return false;
	*line = (uint32_t)number;
	return true;
}

bool target_read(struct target_texts *texts, const char *text, size_t length, struct target *target)
{
	const char *divider;

	memset(target, 0, sizeof(*target));
	target->text = keep(texts, text, length);
	if (!target->text || !*target->text)
		return false;
	target->plain = !strpbrk(target->text, "*?[");
	divider = divider_of(target->text);
	if (!divider) {
		target->name = target->text;
		return true;
	}
	if (divider > target->text)
		target->object = keep(texts, target->text, (size_t)(divider - target->text));
	if (divider > target->text && !target->object)
		return false;
	if (!target->object || !read_line(divider + 1, &target->line))
		target->name = divider + 1;
	return target->line || *target->name;
}

bool target_request_read(struct target_texts *texts, const char *text, size_t length,
			 struct target_request *request)
{
	const char *at = memchr(text, '@', length);

	request->list = NULL;
	if (!at)
		return target_read(texts, text, length, &request->target);
	if (at + 1 == text + length ||
	    !target_read(texts, text, (size_t)(at - text), &request->target))
		return false;
	request->list = keep(texts, at + 1, (size_t)(text + length - at - 1));
	return request->list != NULL;
}

bool target_next(const char **list, const char **part, size_t *length)
{
	for (*list += strspn(*list, "; "); **list; *list += strspn(*list, "; ")) {
		*part = *list;
		*length = strcspn(*list, ";");
		*list += *length;
		while (*length && (*part)[*length - 1] == ' ')
			--*length;
		return true;
	}
	return false;
}

#ifdef UNIT_TEST
#include "unittest.h"

static struct target_texts unit_texts;

static struct target unit_target(const char *text)
{
	struct target target;

	EXPECT(target_read(&unit_texts, text, strlen(text), &target));
	return target;
}

TEST_CASE(targets_have_parts)
{
	struct target target = unit_target("f");

	EXPECT(!target.object && !strcmp(target.name, "f") && target.plain);
	target = unit_target("ns::f");
	EXPECT(!target.object && !strcmp(target.name, "ns::f"));
	target = unit_target("libfoo.so:ns::bar");
	EXPECT(!strcmp(target.object, "libfoo.so") && !strcmp(target.name, "ns::bar"));
	target = unit_target("libfoo.so:(anonymous namespace)::f(a::b *)");
	EXPECT(!strcmp(target.object, "libfoo.so") &&
	       !strcmp(target.name, "(anonymous namespace)::f(a::b *)"));
	target = unit_target("vec<a::b>::f[abi:cxx11](a::b)");
	EXPECT(!target.object);
	target = unit_target("mod:C.m");
	EXPECT(!strcmp(target.object, "mod") && !strcmp(target.name, "C.m"));
	target = unit_target("dir/file.py:12");
	EXPECT(!strcmp(target.object, "dir/file.py") && !target.name && target.line == 12);
	target = unit_target(":g");
	EXPECT(!target.object && !strcmp(target.name, "g"));
	EXPECT(!unit_target("a*").plain);
	EXPECT(!target_read(&unit_texts, "", 0, &target));
	EXPECT(!target_read(&unit_texts, "mod:", 4, &target));
}

TEST_CASE(targets_are_in_lists)
{
	const char *list = " f; C.m ;;g", *part;
	size_t length;

	EXPECT(target_next(&list, &part, &length) && length == 1 && *part == 'f');
	EXPECT(target_next(&list, &part, &length) && length == 3 && !memcmp(part, "C.m", 3));
	EXPECT(target_next(&list, &part, &length) && length == 1 && *part == 'g');
	EXPECT(!target_next(&list, &part, &length));
}

TEST_CASE(targets_have_requests)
{
	struct target_request request;
	const char *text = "lib:solve@arg1/i,arg2/s";

	EXPECT(target_request_read(&unit_texts, text, strlen(text), &request));
	EXPECT(!strcmp(request.target.object, "lib") && !strcmp(request.target.name, "solve"));
	EXPECT(!strcmp(request.list, "arg1/i,arg2/s"));
	EXPECT(target_request_read(&unit_texts, "odd", 3, &request));
	EXPECT(!strcmp(request.target.name, "odd") && !request.list);
	EXPECT(!target_request_read(&unit_texts, "empty@", 6, &request));
	EXPECT(!target_request_read(&unit_texts, "@list", 5, &request));
}
#endif
