/* SPDX-License-Identifier: MIT */
/* layers.c - see layers.h */
#include "layers.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "layers_gen.h"

/* Of recorder system. */
#define KERNEL_LAYERS                                                                              \
	"kernel", "block", "writeback", "iouring", "pagecache", "fault", "ext4", "xfs", "sched"

static const char *const layers[] = {LAYER_NAMES,   "user",   "native", "python", "mem",
				     KERNEL_LAYERS, "sample", "all",    "default"};

/* Of one word: "mpi", "-mpi" or "+mpi". */
static const char *pattern_of(const char *word)
{
	return word + (*word == '-' || *word == '+');
}

static bool is_layer(const char *word)
{
	for (size_t i = 0; i < sizeof(layers) / sizeof(layers[0]); i++)
		if (!fnmatch(pattern_of(word), layers[i], 0))
			return true;
	return false;
}

/* False: no memory. */
static bool each_word(const char *list, void (*visit)(void *data, const char *word), void *data)
{
	char *words = strdup(list), *rest = NULL;

	for (char *word = words ? strtok_r(words, ",", &rest) : NULL; word;
	     word = strtok_r(NULL, ",", &rest))
		visit(data, word);
	free(words);
	return words != NULL;
}

struct checking {
	void (*unknown)(const char *word);
	int error;
};

static void check_word(void *data, const char *word)
{
	struct checking *checking = data;

	if (is_layer(word))
		return;
	checking->unknown(pattern_of(word));
	checking->error = -EINVAL;
}

int layers_check(const char *list, void (*unknown)(const char *word))
{
	struct checking checking = {.unknown = unknown};

	return each_word(list, check_word, &checking) ? checking.error : -ENOMEM;
}

struct asking {
	const char *layer;
	bool chosen;
};

static void ask_word(void *data, const char *word)
{
	struct asking *asking = data;

	if (!strcmp(pattern_of(word), "all") || !fnmatch(pattern_of(word), asking->layer, 0))
		asking->chosen = *word != '-';
}

bool layers_choose_opt_in(const char *list, const char *layer)
{
	struct asking asking = {.layer = layer};

	if (list)
		each_word(list, ask_word, &asking);
	return asking.chosen;
}
