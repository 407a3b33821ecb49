/* SPDX-License-Identifier: MIT */
/* callstacks.c - see callstacks.h */
#include "callstacks.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "numbered.h"

/* Frames as the trace has them, before inlined ones are added. */
struct sites {
	unsigned count;
	bool cut;
	const struct callsite **list;
};

struct entry {
	struct callstack stack;
	struct sites sites;
	uint64_t hash;
	struct entry *next;
};

struct callstacks {
	const struct reader *trace;
	struct callsites *callsites;
	struct numbered known;       /* stacks of streams */
	struct entry *entries[4096]; /* by hash */
};

struct callstacks *callstacks_new(const struct reader *trace, struct callsites *callsites)
{
	struct callstacks *callstacks = calloc(1, sizeof(*callstacks));

	if (callstacks) {
		callstacks->trace = trace;
		callstacks->callsites = callsites;
	}
	return callstacks;
}

static void entry_free(struct entry *entry)
{
	free((char *)entry->stack.text);
	free(entry->stack.frames);
	free(entry->sites.list);
	free(entry);
}

void callstacks_free(struct callstacks *callstacks)
{
	struct entry *entry, *next;

	if (!callstacks)
		return;
	for (size_t i = 0; i < sizeof(callstacks->entries) / sizeof(callstacks->entries[0]); i++)
		for (entry = callstacks->entries[i]; entry; entry = next) {
			next = entry->next;
			entry_free(entry);
		}
	numbered_release(&callstacks->known, NULL);
	free(callstacks);
}

/* ---- one stack ---- */

static int add_frame(struct callstack *stack, const struct callsite *site,
		     const struct source_line *line)
{
	unsigned count = stack->count;

	if ((count & (count - 1)) == 0) { /* room is the next power of two */
		struct call_frame *frames =
			realloc(stack->frames, (count ? 2 * (size_t)count : 1) * sizeof(*frames));

		if (!frames)
			return -ENOMEM;
		stack->frames = frames;
	}
	stack->frames[stack->count++] = (struct call_frame){site, line};
	return 0;
}

static int add_frames(struct callstack *stack, const struct callsite *site)
{
	const struct source_line *line = site->source;
	int error = add_frame(stack, site, line);

	while (!error && line && (line = line->caller))
		error = add_frame(stack, site, line);
	return error;
}

static int write_text(struct callstack *stack)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	bool whole = out != NULL;

	for (unsigned i = 0; whole && i < stack->count; i++) {
		char *frame = callsite_text(stack->frames[i].site, stack->frames[i].line);

		whole = frame && fprintf(out, "%s\"%s\"", i ? ", " : "", frame) > 0;
		free(frame);
	}
	if (whole && stack->cut)
		whole = fprintf(out, "%s...", stack->count ? ", " : "") > 0;
	if (out && fclose(out))
		whole = false;
	stack->text = text;
	return whole ? 0 : -ENOMEM;
}

static struct entry *entry_new(const struct sites *sites, uint64_t hash)
{
	struct entry *entry = calloc(1, sizeof(*entry));

	if (!entry)
		return NULL;
	entry->hash = hash;
	entry->sites = *sites;
	entry->sites.list = malloc((sites->count + 1) * sizeof(*sites->list));
	if (!entry->sites.list) {
		free(entry);
		return NULL;
	}
	memcpy(entry->sites.list, sites->list, sites->count * sizeof(*sites->list));
	entry->stack.cut = sites->cut;
	for (unsigned i = 0; i < sites->count; i++)
		if (add_frames(&entry->stack, sites->list[i])) {
			entry_free(entry);
			return NULL;
		}
	if (write_text(&entry->stack)) {
		entry_free(entry);
		return NULL;
	}
	return entry;
}

static struct callstack *intern(struct callstacks *callstacks, const struct sites *sites)
{
	uint64_t hash = sites->count + sites->cut;
	struct entry **place, *entry;

	for (unsigned i = 0; i < sites->count; i++)
		hash = (hash ^ (uint64_t)(uintptr_t)sites->list[i]) * 0x9e3779b97f4a7c15u;
	place = &callstacks->entries[hash >> 52];
	for (entry = *place; entry; entry = entry->next)
		if (entry->hash == hash && entry->sites.count == sites->count &&
		    entry->sites.cut == sites->cut &&
		    !memcmp(entry->sites.list, sites->list, sites->count * sizeof(*sites->list)))
			return &entry->stack;
	entry = entry_new(sites, hash);
	if (!entry)
		return NULL;
	entry->next = *place;
	*place = entry;
	return &entry->stack;
}

static struct callstack *read_stack(struct callstacks *callstacks, unsigned stream, uint32_t id)
{
	struct reader_stack info = {.cut = 1};
	struct sites sites = {0};
	struct callstack *stack = NULL;
	struct reader_frame frame;
	bool whole = true;

	reader_stack(callstacks->trace, stream, id, &info);
	sites.cut = info.cut;
	sites.list = malloc((info.count + 1) * sizeof(*sites.list));
	for (unsigned i = 0; sites.list && whole && i < info.count; i++) {
		if (reader_frame(callstacks->trace, stream, id, i, &frame))
			break;
		sites.list[i] = (frame.interrupted ? callsites_find_exact : callsites_find)(
			callstacks->callsites, stream, frame.module, frame.offset);
		whole = sites.list[i] != NULL;
		sites.count++;
	}
	if (sites.list && whole)
		stack = intern(callstacks, &sites);
	free(sites.list);
	return stack;
}

const struct callstack *callstacks_find(struct callstacks *callstacks, unsigned stream, uint32_t id)
{
	void **known = numbered_at(&callstacks->known, stream, id);

	if (known && !*known)
		*known = read_stack(callstacks, stream, id);
	return known ? *known : NULL;
}

const struct callstack *callstacks_of_site(struct callstacks *callstacks,
					   const struct callsite *site)
{
	struct sites sites = {.count = 1, .list = &site};

	return intern(callstacks, &sites);
}

int callstack_json(const struct callstack *stack, struct output *output, bool ascii)
{
	const char *before = ",\"stack\":[";

	for (unsigned i = 0; i < stack->count; i++) {
		char *text = callsite_text(stack->frames[i].site, stack->frames[i].line);

		if (!text)
			return -ENOMEM;
		output_text(output, before);
		json_string(output, text, strlen(text), ascii);
		before = ",";
		free(text);
	}
	if (stack->cut || stack->count == 0) {
		output_text(output, before);
		json_string(output, "...", 3, ascii);
	}
	output_char(output, ']');
	return 0;
}
