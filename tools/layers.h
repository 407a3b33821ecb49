/* SPDX-License-Identifier: MIT */
/*
 * layers.h - the layers that this version knows.
 */
#ifndef RECORDER_TOOLS_LAYERS_H
#define RECORDER_TOOLS_LAYERS_H

#include <stdbool.h>

/* Calls `unknown` with each word of a comma list that is no layer, pattern of layers, "all" or "default". 0; -EINVAL if
 * there was one; -ENOMEM. */
int layers_check(const char *list, void (*unknown)(const char *word));

/* Whether the list has a layer recorded that is not without being asked for. NULL: no list. */
bool layers_choose_opt_in(const char *list, const char *layer);

#endif
