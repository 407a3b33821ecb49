/* SPDX-License-Identifier: MIT */
/*
 * callsites.c - see callsites.h
 *
 *	(stream, module, offset)  ── where: one for each stream ──>  (object, offset)  ──>  struct callsite
 *
 * An object is a program or library, by path and build-id: ranks share them.
 */
#include "callsites.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "numbered.h"
#include "options.h"

struct object {
	char *path;
	void *build_id;
	size_t build_id_size;
	struct symbol_file *file; /* NULL: not found */
	struct object *next;
};

struct site {
	struct callsite site;
	const struct object *object;
	bool exact;
};

struct callsites {
	const struct reader *trace;
	const char *folders;
	struct object *objects;
	struct numbered modules; /* their objects */
	struct site **sites;     /* open-addressed by (object, offset, exact) */
	size_t site_count, site_room;
};

const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static uint64_t mix(uint64_t a, uint64_t b)
{
	uint64_t hash = (a + 0x9e3779b97f4a7c15u) ^ (b * 0xff51afd7ed558ccdu);

	hash ^= hash >> 33;
	hash *= 0xc4ceb9fe1a85ec53u;
	return hash ^ (hash >> 29);
}

struct callsites *callsites_new(const struct reader *trace, const char *folders)
{
	struct callsites *callsites = calloc(1, sizeof(*callsites));

	if (callsites) {
		callsites->trace = trace;
		callsites->folders = folders;
	}
	return callsites;
}

struct callsites *callsites_shared(const struct reader *trace)
{
	static struct callsites *shared;

	if (!shared)
		shared = callsites_new(trace, options.symbols);
	if (!shared)
		die("out of memory");
	return shared;
}

static void object_free(struct object *object)
{
	symbol_file_close(object->file);
	free(object->path);
	free(object->build_id);
	free(object);
}

void callsites_free(struct callsites *callsites)
{
	struct object *next;

	if (!callsites)
		return;
	for (size_t i = 0; i < callsites->site_room; i++) {
		if (callsites->sites[i])
			free((char *)callsites->sites[i]->site.text);
		free(callsites->sites[i]);
	}
	for (struct object *object = callsites->objects; object; object = next) {
		next = object->next;
		object_free(object);
	}
	free(callsites->sites);
	numbered_release(&callsites->modules, NULL);
	free(callsites);
}

/* ---- objects ---- */

static struct object *object_new(struct callsites *callsites, const struct reader_module *module)
{
	struct object *object = calloc(1, sizeof(*object));
	struct symbol_query query = {module->path, module->build_id, module->build_id_size,
				     callsites->folders};

	if (!object)
		return NULL;
	object->path = strdup(module->path);
	object->build_id = malloc(module->build_id_size + 1);
	if (!object->path || !object->build_id) {
		object_free(object);
		return NULL;
	}
	if (module->build_id_size)
		memcpy(object->build_id, module->build_id, module->build_id_size);
	object->build_id_size = module->build_id_size;
	object->file = symbol_file_open(&query);
	object->next = callsites->objects;
	callsites->objects = object;
	return object;
}

static struct object *object_of(struct callsites *callsites, const struct reader_module *module)
{
	for (struct object *object = callsites->objects; object; object = object->next)
		if (object->build_id_size == module->build_id_size &&
		    !memcmp(object->build_id, module->build_id, module->build_id_size) &&
		    !strcmp(object->path, module->path))
			return object;
	return object_new(callsites, module);
}

/* ---- modules of streams ---- */

/* 0: *object, NULL if the module is not known; or -ENOMEM. */
static int module_object(struct callsites *callsites, unsigned stream, uint32_t module,
			 struct object **object)
{
	struct reader_module info;
	void **known;

	*object = NULL;
	if (module == 0)
		return 0;
	known = numbered_at(&callsites->modules, stream, module);
	if (!known)
		return -ENOMEM;
	if (!*known && reader_module(callsites->trace, stream, module, &info) == 0) {
		*known = object_of(callsites, &info);
		if (!*known)
			return -ENOMEM;
	}
	*object = *known;
	return 0;
}

/* ---- call sites ---- */

char *callsite_text(const struct callsite *site, const struct source_line *line)
{
	const char *function = line ? line->function : "", *module = base_name(site->module);
	const char *blank = *function ? " " : "";
	char *text;
	int made;

	if (line && *line->file)
		made = asprintf(&text, "%s%s%s:%u", function, blank, base_name(line->file),
				line->line);
	else if (*module)
		made = asprintf(&text, "%s%s%s+0x%" PRIx64, function, blank, module, site->offset);
	else if (site->offset)
		made = asprintf(&text, "0x%" PRIx64, site->offset);
	else
		made = asprintf(&text, "?");
	return made < 0 ? NULL : text;
}

static struct site *site_new(const struct object *object, uint64_t offset, bool exact)
{
	struct site *site = calloc(1, sizeof(*site));

	if (!site)
		return NULL;
	site->object = object;
	site->exact = exact;
	site->site.module = object ? object->path : "";
	site->site.offset = offset;
	if (object && object->file)
		site->site.source = symbol_file_find(object->file, exact ? offset : offset - 1);
	site->site.text = callsite_text(&site->site, site->site.source);
	if (site->site.text)
		return site;
	free(site);
	return NULL;
}

static struct site **find_site(struct site **sites, size_t room, const struct object *object,
			       uint64_t offset, bool exact)
{
	size_t at = mix((uint64_t)(uintptr_t)object + exact, offset) & (room - 1);

	while (sites[at] && (sites[at]->object != object || sites[at]->site.offset != offset ||
			     sites[at]->exact != exact))
		at = (at + 1) & (room - 1);
	return &sites[at];
}

static int grow_sites(struct callsites *callsites)
{
	size_t room = callsites->site_room ? 2 * callsites->site_room : 256;
	struct site **sites = calloc(room, sizeof(*sites));

	if (!sites)
		return -ENOMEM;
	for (size_t i = 0; i < callsites->site_room; i++) {
		struct site *site = callsites->sites[i];

		if (site)
			*find_site(sites, room, site->object, site->site.offset, site->exact) =
				site;
	}
	free(callsites->sites);
	callsites->sites = sites;
	callsites->site_room = room;
	return 0;
}

static const struct callsite *find(struct callsites *callsites, unsigned stream, uint32_t module,
				   uint64_t offset, bool exact)
{
	struct object *object;
	struct site **site;

	if (module_object(callsites, stream, module, &object))
		return NULL;
	if (2 * callsites->site_count >= callsites->site_room && grow_sites(callsites))
		return NULL;
	site = find_site(callsites->sites, callsites->site_room, object, offset, exact);
	if (!*site) {
		*site = site_new(object, offset, exact);
		if (!*site)
			return NULL;
		callsites->site_count++;
	}
	return &(*site)->site;
}

const struct callsite *callsites_find(struct callsites *callsites, unsigned stream, uint32_t module,
				      uint64_t offset)
{
	return find(callsites, stream, module, offset, false);
}

const struct callsite *callsites_find_exact(struct callsites *callsites, unsigned stream,
					    uint32_t module, uint64_t offset)
{
	return find(callsites, stream, module, offset, true);
}
