/* SPDX-License-Identifier: MIT */
/* callers.c - see callers.h */
#include "callers.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "message.h"
#include "options.h"
#include "read/globs.h"

#define TEXT_MAX 4096
#define KNOWN 512 /* places that need not be judged again */

static bool matches(const char *glob, const char *text)
{
	return *text && fnmatch(glob, text, 0) == 0;
}

/* The name of a function of C++ up to its arguments. */
static bool matches_function(const char *glob, const char *function)
{
	char name[TEXT_MAX];
	const char *arguments = strchr(function, '(');

	if (matches(glob, function))
		return true;
	if (!arguments || (size_t)(arguments - function) >= sizeof(name))
		return false;
	memcpy(name, function, (size_t)(arguments - function));
	name[arguments - function] = '\0';
	return matches(glob, name);
}

static bool matches_file(const char *glob, const char *path, unsigned line)
{
	char text[TEXT_MAX];

	if (matches(glob, path) || matches(glob, base_name(path)))
		return true;
	snprintf(text, sizeof(text), "%s:%u", base_name(path), line);
	return *path && matches(glob, text);
}

static bool matches_site(const char *glob, const struct callsite *site)
{
	for (const struct source_line *line = site->source; line; line = line->caller)
		if (matches_function(glob, line->function) ||
		    matches_file(glob, line->file, line->line))
			return true;
	return matches(glob, site->module) || matches(glob, base_name(site->module));
}

bool callers_match(const char *list, const struct callsite *site)
{
	bool chosen = list[0] == '-';

	for (const char *word = list; word;) {
		size_t length = glob_length(word);
		bool take = word[0] != '-';
		char glob[TEXT_MAX];

		if (length < sizeof(glob)) {
			snprintf(glob, sizeof(glob), "%.*s", (int)(length - !take), word + !take);
			if (matches_site(glob, site))
				chosen = take;
		}
		word = word[length] ? word + length + 1 : NULL;
	}
	return chosen;
}

static int accept_record(void *data, const struct recorder_record *record)
{
	static struct {
		const struct callsite *site;
		bool chosen;
	} known[KNOWN];
	const struct callsite *site = callsites_of(data, record);
	size_t at = ((uintptr_t)site >> 5) % KNOWN;

	if (!site)
		die("out of memory");
	if (known[at].site != site) {
		known[at].site = site;
		known[at].chosen = callers_match(options.callers, site);
	}
	return known[at].chosen;
}

void callers_begin(const struct reader *trace)
{
	if (!options.callers)
		return;
	options.filter.accept = accept_record;
	options.filter.accept_data = callsites_shared(trace);
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(callers_are_functions_files_and_libraries)
{
	const struct source_line outer = {"main", "/src/heat.c", 42, NULL};
	const struct source_line inner = {"ns::save(int)", "/src/save.h", 7, &outer};
	const struct callsite site = {"/usr/bin/heat", 0x1234, &inner, "ns::save(int) save.h:7"};
	const struct source_line of_pair = {"pair<int, 3>::set(int)", "/src/pair.h", 7, NULL};
	const struct callsite pair = {"/usr/bin/heat", 0x1234, &of_pair, "pair.h:7"};
	const struct callsite bare = {"", 0x1234, NULL, "0x1234"};

	EXPECT(callers_match("main", &site) && callers_match("ns::save", &site));
	EXPECT(callers_match("none,pair<int\\, 3>::*", &pair));
	EXPECT(!callers_match("pair<int, 3>::*", &pair));
	EXPECT(callers_match("ns::*(int)", &site) && callers_match("heat.c", &site));
	EXPECT(callers_match("heat.c:42", &site) && !callers_match("heat.c:43", &site));
	EXPECT(callers_match("/src/*", &site) && callers_match("x,heat", &site));
	EXPECT(!callers_match("-main", &site) && callers_match("-other", &site));
	EXPECT(!callers_match("main,-save.h", &site) && !callers_match("*", &bare));
}
#endif
