/* SPDX-License-Identifier: MIT */
/* pathtext.c - see pathtext.h */
#include "record/pathtext.h"

#include <string.h>

#include "record/byte_blocks.h"
#include "record/readable.h"
#include "record/sanitizer.h"

/* Whether it has '/' with another one behind it, or with "./", "..", or '.' at the end. */
static bool has_detour(const char *path, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (path[i] == '/' &&
		    (path[i + 1] == '/' ||
		     (path[i + 1] == '.' &&
		      (path[i + 2] == '/' || path[i + 2] == '.' || !path[i + 2]))))
			return true;
	return false;
}

/* What is known of a path from its blocks so far. */
struct look {
	unsigned after_slash; /* 1: the block before ends in '/' */
	unsigned doubtful;    /* some '/' has '/' or '.' behind it */
};

static inline void look_at(struct look *look, byte_block block, unsigned valid)
{
	unsigned slashes = block_equal(block, '/') & valid;
	unsigned dots = block_equal(block, '.') & valid;

	look->doubtful |= (slashes << 1 | look->after_slash) & (slashes | dots);
	look->after_slash = slashes >> (BLOCK_SIZE - 1);
}

sanitizer_reads_around bool path_text_read(const char *text, struct path_text *path)
{
	const byte_block *block = block_of(text);
	unsigned valid = block_from(text), ends;
	struct look look = {0, 0};

	if (!readable(text, 1))
		return false;
	while (!(ends = block_equal(*block, 0) & valid)) {
		look_at(&look, *block, valid);
		valid = BLOCK_ALL;
		block++;
		if ((const char *)block - text >= READABLE_MEASURED)
			break;
		if ((uintptr_t)block % (1u << READABLE_PAGE) == 0 && !readable(block, 1))
			return false;
	}
	path->text = text;
	if (ends) {
		look_at(&look, *block, valid & (ends ^ (ends - 1)));
		path->length = (size_t)((const char *)block - text) + (size_t)__builtin_ctz(ends);
	} else {
		path->length = READABLE_MEASURED;
	}
	path->roundabout = text[0] == '.' || (look.doubtful && has_detour(text, path->length));
	return true;
}

/* ---- detours ---- */

static bool is_here(const char *component, size_t length)
{
	return length == 1 && component[0] == '.';
}

static bool is_parent(const char *component, size_t length)
{
	return length == 2 && component[0] == '.' && component[1] == '.';
}

size_t path_straighten(char *path)
{
	char *to = path;

	for (const char *from = path; *from;) {
		size_t length;

		from += strspn(from, "/");
		length = strcspn(from, "/");
		if (is_parent(from, length)) {
			while (to > path && *--to != '/')
				;
		} else if (length > 0 && !is_here(from, length)) {
			*to++ = '/';
			memmove(to, from, length);
			to += length;
		}
		from += length;
	}
	if (to == path)
		*to++ = '/';
	*to = '\0';
	return (size_t)(to - path);
}

bool path_goes_back(const char *path, bool *parents)
{
	bool named = false;

	*parents = false;
	while (*(path += strspn(path, "/"))) {
		size_t length = strcspn(path, "/");
		bool parent = is_parent(path, length);

		if (parent && named)
			return true;
		*parents |= parent;
		named |= !parent && !is_here(path, length);
		path += length;
	}
	return false;
}

#ifdef UNIT_TEST
#include "unittest.h"

static bool path_is(const char *text, bool roundabout)
{
	/* at every place of a block */
	static char room[64 + 2 * BLOCK_SIZE] __attribute__((aligned(16)));
	struct path_text path;

	for (unsigned at = 0; at < BLOCK_SIZE; at++) {
		memset(room, '/', sizeof(room)); /* what lies around it does not matter */
		memcpy(room + at, text, strlen(text) + 1);
		if (!path_text_read(room + at, &path) || path.text != room + at ||
		    path.length != strlen(text) || path.roundabout != roundabout)
			return false;
	}
	return true;
}

TEST_CASE(pathtext_reads)
{
	EXPECT(path_is("", false));
	EXPECT(path_is("/", false));
	EXPECT(path_is("/data/run/output/part.0001", false));
	EXPECT(path_is("/data/run/out.put/.hidden/..", true));
	EXPECT(path_is("/data/.hidden/of/several/blocks.of/.bytes", false));
	EXPECT(path_is("/data/of/several/blocks/that/is/at/its/end/.", true));
	EXPECT(path_is("/data/of/several/blocks//twice", true));
	EXPECT(path_is("/data/./here", true));
	EXPECT(path_is("data/a../b./c", false));
	EXPECT(path_is("data/../c", true));
	EXPECT(path_is("./c", true));
	EXPECT(path_is("c", false));
	EXPECT(path_is("//", true));
	EXPECT(path_is("relative/path/that/has/sixteen-and/more.bytes/", false));
}

static bool straight_is(const char *text, const char *straight)
{
	char room[64];

	memcpy(room, text, strlen(text) + 1);
	return path_straighten(room) == strlen(straight) && !strcmp(room, straight);
}

TEST_CASE(pathtext_without_detours)
{
	EXPECT(straight_is("/", "/"));
	EXPECT(straight_is("/a/b.c", "/a/b.c"));
	EXPECT(straight_is("//a/.//b/", "/a/b"));
	EXPECT(straight_is("/a/../b/..", "/"));
	EXPECT(straight_is("/../a/.../..b/../c.", "/a/.../c."));
}

TEST_CASE(pathtext_that_goes_back)
{
	bool parents = true;

	EXPECT(!path_goes_back("/a//b/.", &parents) && !parents);
	EXPECT(!path_goes_back("./.././../a", &parents) && parents);
	EXPECT(path_goes_back("../a/..", &parents));
	EXPECT(path_goes_back("/a/../b", &parents));
}
#endif
