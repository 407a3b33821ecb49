/* SPDX-License-Identifier: MIT */
/* layers.c - see layers.h */
#include "layers.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "layers_gen.h"

static const char *const layers[] = {LAYER_NAMES, "user",   "native", "python", "kernel",
				     "block",     "sample", "all",    "default"};

/* One word, "mpi" or "-mpi". */
static bool is_layer(const char *word)
{
	for (size_t i = 0; i < sizeof(layers) / sizeof(layers[0]); i++)
		if (!fnmatch(word + (*word == '-'), layers[i], 0))
			return true;
	return false;
}

int layers_check(const char *list, void (*unknown)(const char *word))
{
	char *words = strdup(list), *rest = NULL;
	int error = words ? 0 : -ENOMEM;

	for (char *word = words ? strtok_r(words, ",", &rest) : NULL; word;
	     word = strtok_r(NULL, ",", &rest)) {
		if (is_layer(word))
			continue;
		unknown(word + (*word == '-'));
		error = -EINVAL;
	}
	free(words);
	return error;
}
