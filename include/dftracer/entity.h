/* SPDX-License-Identifier: MIT */
/**
 * entity.h - what DFTracer calls entities: the data that a program works with, and how they came to be; included by dftracer.h.
 *
 *	DFTRACER_C_ENTITY_TYPE("sequence", DFT_ROLE_INPUT, "What is folded")
 *	void fold(const char *name)
 *	{
 *		DFTRACER_C_FUNCTION_START();
 *		DFTRACER_C_FUNCTION_USES("sequence", name);
 *		...
 *
 * An entity is one instance (the key: a path, a number of a sample) of a type; both make its id, which is the same in every process and language: FNV-1a of 64 bits over the type,
 * a byte 0x1f and the key, as DFTracer's documentation of its format says. The key itself is not stored.
 *
 * In the trace: an entity that is declared, a type, a relation of two entities are metadata of the process, of the names `entity` ("ID TYPE STORE URI"), `entity_type`
 * ("TYPE ROLE DESCRIPTION") and `entity_relation` ("RELATION SUBJECT OBJECT"). What a function or region has to do with entities are arguments of its call: `used`, `generated`,
 * `invalidated`, `updated` with an id; of more than one, `used_2`, `used_3` and so on, as many as a region has arguments (16).
 *
 * Nothing is kept by the header: an entity that is declared again is in the trace again, with the same id. Where the recorder is not loaded ids are DFT_ENTITY_NONE.
 */
#ifndef DFTRACER_ENTITY_H
#define DFTRACER_ENTITY_H

#include <stdio.h>
#include <string.h>

#include <recorder/recorder.h>

typedef uint64_t EntityID;
typedef const char *ConstEntityTypeName, *ConstEntityKey, *ConstEntityURI, *ConstEntityDescription;

#define DFT_ENTITY_NONE ((EntityID)0)

/** Where it lives. */
typedef enum {
	DFT_STORE_MEMORY,
	DFT_STORE_GPU_MEMORY,
	DFT_STORE_LOCAL_DISK,
	DFT_STORE_PARALLEL_FS,
	DFT_STORE_BURST_BUFFER,
	DFT_STORE_OBJECT_STORE,
	DFT_STORE_DATABASE,
	DFT_STORE_NETWORK,
	DFT_STORE_OTHER
} EntityStore;

/** What entities of a type are to the program. */
typedef enum {
	DFT_ROLE_UNKNOWN,
	DFT_ROLE_INPUT,
	DFT_ROLE_OUTPUT,
	DFT_ROLE_INTERMEDIATE,
	DFT_ROLE_PARAMETER,
	DFT_ROLE_REFERENCE
} EntityRole;

/** Below 16: of a call to an entity; from there on: of two entities. */
typedef enum {
	DFT_REL_USED,
	DFT_REL_GENERATED,
	DFT_REL_INVALIDATED,
	DFT_REL_UPDATED,
	DFT_REL_DERIVED_FROM = 16,
	DFT_REL_REVISION_OF,
	DFT_REL_CONTAINS,
	DFT_REL_PART_OF,
	DFT_REL_SPECIALIZATION_OF,
	DFT_REL_ALTERNATE_OF,
	DFT_REL_DEPENDS_ON
} EntityRelation;

#ifdef __cplusplus
extern "C" {
#endif

/* The names have this length at most; `%.*s` cuts what is longer, as DFTracer does. */
enum { DFTRACER_TYPE_ROOM = 31, DFTRACER_TEXT_ROOM = 255 };

static inline const char *dftracer_store_name(unsigned store)
{
	static const char *const names[] = {"memory",      "gpu_memory",   "local_disk",
					    "parallel_fs", "burst_buffer", "object_store",
					    "database",    "network",      "other"};

	return store < sizeof(names) / sizeof(names[0]) ? names[store] : "other";
}

static inline const char *dftracer_role_name(unsigned role)
{
	static const char *const names[] = {"unknown",      "input",     "output",
					    "intermediate", "parameter", "reference"};

	return role < sizeof(names) / sizeof(names[0]) ? names[role] : "unknown";
}

/* NULL: DFTracer has no such relation. */
static inline const char *dftracer_relation_name(unsigned relation)
{
	static const char *const of_calls[] = {"used", "generated", "invalidated", "updated"};
	static const char *const of_entities[] = {"derived_from",      "revision_of",
						  "contains",          "part_of",
						  "specialization_of", "alternate_of",
						  "depends_on"};

	if (relation < sizeof(of_calls) / sizeof(of_calls[0]))
		return of_calls[relation];
	relation -= DFT_REL_DERIVED_FROM;
	return relation < sizeof(of_entities) / sizeof(of_entities[0]) ? of_entities[relation]
								       : NULL;
}

static inline uint64_t dftracer_hashed(uint64_t hash, const char *text)
{
	for (; text && *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
	return hash;
}

/** The id of an entity, also where nothing is recorded. */
static inline EntityID dftracer_entity_id(ConstEntityTypeName type, ConstEntityKey key)
{
	return dftracer_hashed(dftracer_hashed(dftracer_hashed(0xcbf29ce484222325u, type), "\x1f"),
			       key);
}

/** An entity is there; its id, with which others name it. `uri`: where it is to be found, or NULL. */
static inline EntityID dftracer_declare_entity(ConstEntityTypeName type, ConstEntityKey key,
					       EntityStore store, ConstEntityURI uri)
{
	char text[16 + DFTRACER_TYPE_ROOM + 16 + DFTRACER_TEXT_ROOM + 8];
	EntityID id = dftracer_entity_id(type, key);

	if (!recorder_process_note)
		return DFT_ENTITY_NONE;
	snprintf(text, sizeof(text), "%016llx %.*s %s%s%.*s", (unsigned long long)id,
		 DFTRACER_TYPE_ROOM, type ? type : "", dftracer_store_name((unsigned)store),
		 uri ? " " : "", DFTRACER_TEXT_ROOM, uri ? uri : "");
	recorder_note("entity", text);
	return id;
}

/** What entities of that type are. */
static inline void dftracer_declare_entity_type(ConstEntityTypeName type, EntityRole role,
						ConstEntityDescription description)
{
	char text[DFTRACER_TYPE_ROOM + 16 + DFTRACER_TEXT_ROOM + 8];

	if (!recorder_process_note)
		return;
	snprintf(text, sizeof(text), "%.*s %s %.*s", DFTRACER_TYPE_ROOM, type ? type : "",
		 dftracer_role_name((unsigned)role), DFTRACER_TEXT_ROOM,
		 description ? description : "");
	recorder_note("entity_type", text);
}

/** `subject` is derived from, contains ... `object`. */
static inline void dftracer_relate_entities(EntityRelation relation, EntityID subject,
					    EntityID object)
{
	const char *name = dftracer_relation_name((unsigned)relation);
	char text[64];

	if (!recorder_process_note || !name)
		return;
	snprintf(text, sizeof(text), "%s %016llx %016llx", name, (unsigned long long)subject,
		 (unsigned long long)object);
	recorder_note("entity_relation", text);
}

/* How many entities a call has to do with, by relation. */
struct dftracer_related {
	unsigned char count[DFT_REL_UPDATED + 1];
};

/* Into `key` and `id`, of that much room, what is to be set in the call's region; 0: nothing is. */
static inline int dftracer_relation_argument(struct dftracer_related *related,
					     EntityRelation relation, EntityID entity, char key[24],
					     char id[24])
{
	unsigned index = (unsigned)relation;

	if (index > DFT_REL_UPDATED || entity == DFT_ENTITY_NONE || related->count[index] == 255)
		return 0;
	if (++related->count[index] == 1)
		snprintf(key, 24, "%s", dftracer_relation_name(index));
	else
		snprintf(key, 24, "%s_%u", dftracer_relation_name(index), related->count[index]);
	snprintf(id, 24, "%016llx", (unsigned long long)entity);
	return 1;
}

#ifdef __cplusplus
}
#endif

#define DFTRACER_C_ENTITY(type, key, store, uri) dftracer_declare_entity(type, key, store, uri)
#define DFTRACER_C_ENTITY_TYPE(type, role, description)                                            \
	dftracer_declare_entity_type(type, role, description);
#define DFTRACER_C_ENTITY_RELATE(relation, subject, object)                                        \
	dftracer_relate_entities(relation, subject, object);
#define DFTRACER_CPP_ENTITY(type, key, store, uri) dftracer_declare_entity(type, key, store, uri)
#define DFTRACER_CPP_ENTITY_TYPE(type, role, description)                                          \
	dftracer_declare_entity_type(type, role, description);
#define DFTRACER_CPP_ENTITY_RELATE(relation, subject, object)                                      \
	dftracer_relate_entities(relation, subject, object);

#endif
