/* SPDX-License-Identifier: MIT */
/*
 * template.h - the structure that all records of a signature are given out in: what they have in common is there, the rest is put in for each.
 */
#ifndef RECORDER_READ_TEMPLATE_H
#define RECORDER_READ_TEMPLATE_H

#include "format/signatures_decode.h"
#include "read/convert.h"
#include "read/filter.h"

/* Where the value of a patch goes. */
struct template_patch {
	uint16_t at; /* byte of the template */
	uint8_t how;
};

#define TEMPLATE_FIRST 2u

struct template
{
	struct recorder_record record;
	const struct function *function;
	const struct template_patch *patches;
	uint16_t patch_count;
	uint16_t first
		[TEMPLATE_FIRST]; /* where the first values go if they are words, else into `nowhere` */
	uint16_t flags;           /* of all */
	bool wanted;              /* by its function and level */
	bool run;   /* records may stand for several calls, and tell how long these took */
	bool words; /* all patches are of 64 bits */
	/* Which arguments are there depends on other values: each record is converted by itself. */
	bool apart;
	uint64_t nowhere;
	struct recorder_arg args[];
};

/* The templates of a chunk. Zeroed memory has none. */
struct templates {
	const struct thread *thread;
	struct template **all; /* by signature */
	uint8_t *memory;
	size_t size;
	bool plain;                   /* all are wanted, and there are no runs */
	struct signatures signatures; /* as they were when all records were decoded */
};

/* Makes those of all signatures, which must stay as long. 0 or -ENOMEM. */
int templates_make(struct templates *templates, const struct signatures *signatures,
		   const struct thread *thread, const struct filter *filter,
		   struct converter *converter);
void templates_release(struct templates *templates);

/* Whether some of them may be runs, for which more than their times in ns must be known. */
bool templates_have_runs(const struct thread *thread, const struct signatures *signatures);
/* Ticks in the calls of the run that was made last of a template. */
uint64_t templates_busy(const struct template *template, const struct converter *converter);

/* The record with these values where that takes more than to put words in. */
struct recorder_record *templates_give_special(struct templates *templates,
					       struct template *template, uint32_t signature,
					       const uint64_t *values, struct converter *converter);

/*
 * Puts the values in where all of them are words. Most records have no more than TEMPLATE_FIRST, which are always put somewhere instead of counted: so many are
 * to be there.
 */
static inline void templates_put_words(struct template *template, const uint64_t *values)
{
	for (unsigned i = 0; i < TEMPLATE_FIRST; i++)
		memcpy((uint8_t *)template + template->first[i], &values[i], sizeof(*values));
	for (unsigned i = TEMPLATE_FIRST; i < template->patch_count; i++)
		memcpy((uint8_t *)template + template->patches[i].at, &values[i], sizeof(*values));
}

/*
 * The record of an item, in memory of its template or the converter. It has no times, no sequence number and no flags that follow from
 * times.
 */
static inline struct recorder_record *templates_give(struct templates *templates,
						     struct template *template, uint32_t signature,
						     const uint64_t *values,
						     struct converter *converter)
{
	template->record.flags = template->flags;
	if (__builtin_expect(!template->words, 0))
		return templates_give_special(templates, template, signature, values, converter);
	templates_put_words(template, values);
	return &template->record;
}

#endif
