/* SPDX-License-Identifier: MIT */
/* object_names.c - see object_names.h */
#include "native/object_names.h"

#include <string.h>

#include "record/text.h"

bool object_is_of_system(const char *name)
{
	static const char *const names[] = {
		"libc.",      "libm.",      "libpthread.",  "libdl.",       "librt.",
		"libstdc++.", "libgcc_s.",  "libgfortran.", "libquadmath.", "libgomp.",
		"libc++.",    "libc++abi.", "libresolv.",   "libutil.",     "libmvec.",
		"libasan.",   "libtsan.",   "libubsan.",    "libc-"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strncmp(name, names[i], strlen(names[i])))
			return true;
	return false;
}

bool object_is_named(const char *path, const char *pattern)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	size_t length = strlen(pattern);

	if (strchr(pattern, '/') && text_matches(pattern, length, path))
		return true;
	return text_matches(pattern, length, name) ||
	       (!strncmp(name, pattern, length) && name[length] == '.');
}

bool object_has_of_compiler(const char *symbol)
{
	static const char *const names[] = {"_start",
					    "_init",
					    "call_weak_fn",
					    "_fini",
					    "frame_dummy",
					    "register_tm_clones",
					    "deregister_tm_clones",
					    "__do_global_dtors_aux",
					    "_dl_relocate_static_pie",
					    "__libc_csu_init",
					    "__libc_csu_fini"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(symbol, names[i]))
			return true;
	return !strncmp(symbol, "_GLOBAL__sub_I_", 15);
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(objects_are_named_by_their_begin_or_path)
{
	EXPECT(object_is_named("/usr/lib/libfoo.so.1", "libfoo"));
	EXPECT(object_is_named("/usr/lib/libfoo.so.1", "libfoo.so"));
	EXPECT(object_is_named("/usr/lib/libfoo.so.1", "libf*"));
	EXPECT(object_is_named("/usr/lib/libfoo.so.1", "/usr/*"));
	EXPECT(!object_is_named("/usr/lib/libfoo.so.1", "libfo"));
	EXPECT(!object_is_named("/usr/lib/libfoo.so.1", "lib/libfoo.so"));
	EXPECT(object_is_of_system("libc.so.6"));
	EXPECT(!object_is_of_system("libcurl.so.4"));
}
#endif
