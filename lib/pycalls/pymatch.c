/* SPDX-License-Identifier: MIT */
/* pymatch.c - see pymatch.h */
#include "pycalls/pymatch.h"

#include <string.h>

#include "record/text.h"

#define LOCALS "<locals>."

static bool is_like(const char *pattern, const char *text)
{
	return text_matches(pattern, strlen(pattern), text);
}

/* Without the "<locals>" that Python puts between a function and what is defined in it. */
static void add_without_locals(struct textbuf *text, const char *name)
{
	const char *locals;

	for (; (locals = strstr(name, LOCALS)); name = locals + sizeof(LOCALS) - 1)
		text_add_bytes(text, name, (size_t)(locals - name));
	text_add(text, name);
}

/* "C::m" as "C.m". */
static void with_dots(const char *name, char *buffer, size_t size)
{
	struct textbuf text = text_in(buffer, size);

	for (; *name; name++) {
		if (name[0] == ':' && name[1] == ':')
			name++;
		text_add_bytes(&text, *name == ':' ? "." : name, 1);
	}
}

static const char *last_part(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && dot[1] ? dot + 1 : name;
}

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* "dir/script.py" is "script", as which its functions are known although their module is "__main__". */
static bool module_of_file(const char *file, char *buffer, size_t size)
{
	const char *base = base_of(file);
	size_t length = strlen(base);
	struct textbuf text = text_in(buffer, size);

	if (length <= 3 || strcmp(base + length - 3, ".py") != 0)
		return false;
	text_add_bytes(&text, base, length - 3);
	return true;
}

/* Of names between dots that are whole: the end of `full`. */
static bool ends_like(const char *pattern, const char *full)
{
	for (; full; full = strchr(full, '.'), full += full != NULL)
		if (is_like(pattern, full))
			return true;
	return false;
}

static bool matches_full(const char *pattern, const char *module, const char *qualified)
{
	char full[2 * PYNAME_MAX], open[2 * PYNAME_MAX];
	struct textbuf text = text_in(full, sizeof(full));

	text_add(&text, module);
	text_add(&text, ".");
	text_add(&text, qualified);
	if (ends_like(pattern, full))
		return true;
	if (!strstr(full, LOCALS))
		return false;
	text = text_in(open, sizeof(open));
	add_without_locals(&text, full);
	return ends_like(pattern, open);
}

/* Names that nobody wrote (<lambda>) are meant by who writes them so. */
static bool is_written(const char *pattern, const char *part)
{
	return *part != '<' || strchr(pattern, '<');
}

static bool matches_anywhere(const char *pattern, const struct pyname *name)
{
	char script[PYNAME_MAX];

	if (!strchr(pattern, '.'))
		return is_like(pattern, last_part(name->qualified));
	return matches_full(pattern, name->module, name->qualified) ||
	       (!strcmp(name->module, "__main__") &&
		module_of_file(name->file, script, sizeof(script)) &&
		matches_full(pattern, script, name->qualified));
}

bool pymatch_file(const struct target *target, const char *file)
{
	size_t wanted = target->object ? strlen(target->object) : 0, length = strlen(file);

	if (!wanted)
		return false;
	if (is_like(target->object, file) || is_like(target->object, base_of(file)))
		return true;
	/* "dir/file.py" of "/home/me/dir/file.py" */
	return length > wanted && file[length - wanted - 1] == '/' &&
	       !strcmp(file + length - wanted, target->object);
}

static bool is_in_module(const struct target *target, const struct pyname *name)
{
	char script[PYNAME_MAX];

	return is_like(target->object, name->module) || pymatch_file(target, name->file) ||
	       (!strcmp(name->module, "__main__") &&
		module_of_file(name->file, script, sizeof(script)) &&
		is_like(target->object, script));
}

static bool matches_whole(const char *pattern, const char *qualified)
{
	char open[PYNAME_MAX];
	struct textbuf text = text_in(open, sizeof(open));

	if (is_like(pattern, qualified))
		return true;
	if (!strstr(qualified, LOCALS))
		return false;
	add_without_locals(&text, qualified);
	return is_like(pattern, open);
}

bool pymatch_name(const struct target *target, const struct pyname *name)
{
	char pattern[PYNAME_MAX];

	if (!target->name)
		return false;
	with_dots(target->name, pattern, sizeof(pattern));
	if (!is_written(pattern, last_part(name->qualified)))
		return false;
	if (target->object)
		return is_in_module(target, name) && matches_whole(pattern, name->qualified);
	return matches_anywhere(pattern, name);
}

void pymatch_path(const struct pyname *name, char *buffer, size_t size)
{
	struct textbuf text = text_in(buffer, size);

	text_add(&text, name->module);
	text_add(&text, *name->module ? "." : "");
	text_add(&text, name->qualified);
}

#ifdef UNIT_TEST
#include "unittest.h"

static bool means(const char *object, const char *name, const char *module, const char *qualified)
{
	struct target target = {.object = object, .name = name};
	struct pyname function = {module, qualified, "/home/me/dir/script.py"};

	return pymatch_name(&target, &function);
}

TEST_CASE(pymatch_knows_functions_by_their_ends)
{
	EXPECT(means(NULL, "f", "m", "f"));
	EXPECT(means(NULL, "f", "m", "C.f"));
	EXPECT(means(NULL, "f", "m", "outer.<locals>.f"));
	EXPECT(!means(NULL, "f", "m", "f.<locals>.g"));
	EXPECT(!means(NULL, "f", "f", "g"));
	EXPECT(means(NULL, "C.m", "mod", "C.m"));
	EXPECT(means(NULL, "C::m", "mod", "C.m"));
	EXPECT(!means(NULL, "C.m", "mod", "BC.m"));
	EXPECT(means(NULL, "mod.f", "pkg.mod", "f"));
	EXPECT(means(NULL, "pkg.mod.C.m", "pkg.mod", "C.m"));
	EXPECT(!means(NULL, "mod.f", "pkg.mod", "C.f"));
	EXPECT(means(NULL, "outer.inner", "m", "outer.<locals>.inner"));
	EXPECT(means(NULL, "script.f", "__main__", "f"));
}

TEST_CASE(pymatch_knows_functions_of_modules)
{
	EXPECT(means("json.decoder", "JSONDecoder.raw_decode", "json.decoder",
		     "JSONDecoder.raw_decode"));
	EXPECT(!means("json.decoder", "raw_decode", "json.decoder", "JSONDecoder.raw_decode"));
	EXPECT(means("json.*", "*", "json.decoder", "JSONDecoder.raw_decode"));
	EXPECT(!means("json.*", "*", "m", "f"));
	EXPECT(means("script.py", "f", "__main__", "f"));
	EXPECT(means("dir/script.py", "f", "__main__", "f"));
	EXPECT(!means("r/script.py", "f", "__main__", "f"));
	EXPECT(means("script", "f", "__main__", "f"));
	EXPECT(means("__main__", "o.f", "__main__", "o.<locals>.f"));
}

TEST_CASE(pymatch_knows_globs)
{
	EXPECT(means(NULL, "so*", "m", "solve"));
	EXPECT(!means(NULL, "so*", "solver", "f"));
	EXPECT(means(NULL, "solver.*", "solver", "C.f"));
	EXPECT(means(NULL, "*", "m", "f"));
	EXPECT(!means(NULL, "*", "m", "f.<locals>.<lambda>"));
	EXPECT(means(NULL, "<lambda>", "m", "f.<locals>.<lambda>"));
}
#endif
