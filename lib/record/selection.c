/* SPDX-License-Identifier: MIT */
/* selection.c - selection of functions and processes. */
#include "record/selection.h"

#include <string.h>

#include "record/config.h"
#include "record/identity.h"
#include "record/memsums.h"
#include "record/named.h"
#include "record/note.h"
#include "record/text.h"

static const char *dropped; /* begin of the names of layers that cannot be recorded */
/* Of what is chosen: FUNCTION_NEW, FUNCTION_PAUSED, or for good FUNCTION_OFF. */
static uint8_t chosen_state = FUNCTION_NEW;

/* One entry of a comma list: [begin, begin + length), and whether a '-' takes it away, or a '+' adds it to what is there without a list. */
struct entry {
	const char *text;
	size_t length;
	bool remove, add;
};

static bool next_entry(const char **list, struct entry *entry)
{
	while (**list == ',')
		(*list)++;
	if (!**list)
		return false;
	entry->remove = **list == '-';
	entry->add = **list == '+';
	entry->text = *list + (entry->remove || entry->add);
	*list += strcspn(*list, ",");
	entry->length = (size_t)(*list - entry->text);
	return true;
}

static bool is_word(const struct entry *entry, const char *word)
{
	return entry->length == strlen(word) && !memcmp(entry->text, word, entry->length);
}

/* Whether an entry speaks of the name. Of layers: also by "all" and "default". */
static bool speaks_of(const struct entry *entry, const char *name, bool layer, bool opt_in)
{
	if (layer && (is_word(entry, "all") || is_word(entry, "default")))
		return !opt_in || is_word(entry, "all");
	return text_matches(entry->text, entry->length, name);
}

static bool chosen(const char *list, const char *name, bool layer, bool opt_in)
{
	struct entry entry;
	bool result, any_positive = false;

	for (const char *p = list; p && next_entry(&p, &entry);)
		any_positive |= !entry.remove && !entry.add;
	result = !any_positive && !opt_in;
	for (const char *p = list; p && next_entry(&p, &entry);)
		if (speaks_of(&entry, name, layer, opt_in))
			result = !entry.remove;
	return result;
}

bool selection_chosen(const char *list, const char *name)
{
	return chosen(list, name, false, false);
}

bool selection_chosen_layer(const char *list, const char *layer, bool opt_in)
{
	return chosen(list, layer, true, opt_in);
}

static bool is_dropped(const struct layer_entry *layer)
{
	return dropped && !strncmp(layer->name, dropped, strlen(dropped));
}

static bool layer_allowed(const struct layer_entry *layer)
{
	return !is_dropped(layer) &&
	       selection_chosen_layer(config.layers, layer->name, layer->opt_in);
}

static bool function_allowed(unsigned function)
{
	return !config.functions ||
	       selection_chosen(config.functions, function_table[function].name);
}

static bool is_of_targets(const char *layer)
{
	return !strcmp(layer, named_layer_name(NAMED_NATIVE)) ||
	       !strcmp(layer, named_layer_name(NAMED_PYTHON));
}

/* "--layers mpi -t solve" is both; only who takes the layer away by its name does not want it. */
static bool is_taken_away(const char *layer)
{
	struct entry entry;
	bool away = false;

	for (const char *p = config.layers; p && next_entry(&p, &entry);)
		if (speaks_of(&entry, layer, true, false))
			away = entry.remove;
	return away;
}

uint8_t selection_state(const char *layer, const char *name)
{
	bool opt_in = !strcmp(layer, named_layer_name(NAMED_MEM));
	bool is_chosen = selection_chosen_layer(config.layers, layer, opt_in) &&
			 (!config.functions || selection_chosen(config.functions, name));

	if (config.targets && is_of_targets(layer))
		is_chosen = !is_taken_away(layer);
	return is_chosen ? chosen_state : FUNCTION_OFF;
}

static void set_layer(const struct layer_entry *layer, uint8_t state)
{
	for (unsigned i = 0; i < layer->count; i++)
		function_set_state(layer->first + i, state);
}

/* All functions are FUNCTION_NEW before: mostly there is nothing to do, in each process that starts. */
void selection_apply(void)
{
	for (const struct layer_entry *layer = layer_table; layer < layer_table + layer_count;
	     layer++) {
		if (!layer_allowed(layer))
			set_layer(layer, FUNCTION_OFF);
		for (unsigned i = 0; config.functions && i < layer->count; i++)
			if (!function_allowed(layer->first + i))
				function_set_state(layer->first + i, FUNCTION_OFF);
	}
}

unsigned selection_count(const struct layer_entry *layer)
{
	unsigned count = 0;

	for (unsigned i = 0; i < layer->count; i++)
		count += function_state_of(layer->first + i) != FUNCTION_OFF;
	return count;
}

static bool names_any(const struct entry *entry, bool layers)
{
	if (layers && (is_word(entry, "all") || is_word(entry, "default")))
		return true;
	for (unsigned i = 0; layers && i < layer_count; i++)
		if (text_matches(entry->text, entry->length, layer_table[i].name))
			return true;
	for (unsigned i = 0; layers && i < NAMED_LAYERS; i++)
		if (text_matches(entry->text, entry->length, named_layer_name((enum named_layer)i)))
			return true;
	for (unsigned i = 0; !layers && i < function_count; i++)
		if (text_matches(entry->text, entry->length, function_table[i].name))
			return true;
	return false;
}

static void warn_unknown(const char *what, const char *list, bool layers)
{
	static char buffer[512]; /* the stack may be small, and one thread warns */
	struct textbuf text = text_in(buffer, sizeof(buffer));
	struct entry entry;

	while (list && next_entry(&list, &entry)) {
		if (names_any(&entry, layers))
			continue;
		text_add(&text, text.length ? "," : "");
		text_add_bytes(&text, entry.text, entry.length);
	}
	if (text.length)
		note(what, buffer, NULL);
}

void selection_warn(void)
{
	warn_unknown("RECORDER_LAYERS: there is no layer ", config.layers, true);
	warn_unknown("RECORDER_FUNCTIONS: unless the program has regions of that name there is no "
		     "function ",
		     config.functions, false);
	memsums_warn();
}

void selection_drop(const char *layers)
{
	dropped = layers;
	for (unsigned i = 0; i < layer_count; i++)
		if (is_dropped(&layer_table[i]))
			set_layer(&layer_table[i], FUNCTION_OFF);
}

void selection_none(void)
{
	chosen_state = FUNCTION_OFF;
	for (unsigned i = 0; i < function_count; i++)
		function_set_state(i, FUNCTION_OFF);
	named_select();
	memsums_select();
}

void selection_pause(bool pause)
{
	/* FUNCTION_NEW: the definition is made again, which does no harm. */
	uint8_t state = pause ? FUNCTION_PAUSED : FUNCTION_NEW;

	chosen_state = chosen_state == FUNCTION_OFF ? FUNCTION_OFF : state;
	for (const struct layer_entry *layer = layer_table; layer < layer_table + layer_count;
	     layer++)
		for (unsigned i = 0; layer_allowed(layer) && i < layer->count; i++)
			if (function_allowed(layer->first + i))
				function_set_state(layer->first + i, state);
	named_select();
	memsums_select();
}

/* "0,8-15,::64": numbers, ranges, first:last:step with any part left out. */
static bool in_ranks(const char *list, uint64_t rank)
{
	while (*list) {
		uint64_t first = 0, last = UINT64_MAX, step = 1;
		bool number = text_read_u64(&list, &first);

		if (*list == ':') {
			list++;
			text_read_u64(&list, &last);
			if (*list == ':') {
				list++;
				text_read_u64(&list, &step);
			}
		} else if (*list == '-') {
			list++;
			text_read_u64(&list, &last);
		} else {
			last = number ? first : 0;
		}
		if (rank >= first && rank <= last && step && (rank - first) % step == 0)
			return true;
		list += strcspn(list, ",");
		list += *list == ',';
	}
	return false;
}

bool selection_has_process(void)
{
	if (config.ranks && !in_ranks(config.ranks, (uint64_t)identity.rank))
		return false;
	return !config.programs || selection_chosen(config.programs, identity.program);
}
