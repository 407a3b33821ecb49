/* SPDX-License-Identifier: MIT */
/* pathtext.h - a path as the program passed it, looked at once: whether it can be read, how long it is, whether it says more than it has to, and what it says without that. */
#ifndef RECORDER_RECORD_PATHTEXT_H
#define RECORDER_RECORD_PATHTEXT_H

#include <stdbool.h>
#include <stddef.h>

struct path_text {
	const char *text;
	size_t length;
	bool roundabout; /* it may name the same file as a shorter text: //, /./, /../ and the like */
};

/* False: it cannot be read to its end. More than 64 KiB are not looked at. */
bool path_text_read(const char *text, struct path_text *path);

/* Takes "//", "." and ".." out of an absolute path, as if nothing in it were a link. Its length then. */
size_t path_straighten(char *path);
/* Whether ".." comes behind a name, which may be a link; in `parents` whether it comes at all. */
bool path_goes_back(const char *path, bool *parents);

#endif
