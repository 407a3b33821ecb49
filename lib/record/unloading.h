/* SPDX-License-Identifier: MIT */
/*
 * unloading.h - a library may be about to go, and another may come to where it was: what calls it made is stored while it is there.
 */
#ifndef RECORDER_RECORD_UNLOADING_H
#define RECORDER_RECORD_UNLOADING_H

#include <link.h>

/*
 * Before dlclose(). If the calling thread has calls of the library in its ring, they are sealed: their call sites are looked up now. (What
 * other threads called from there is looked up when their rings are sealed.)
 */
void unloading(const struct link_map *library);

#endif
