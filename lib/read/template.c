/* SPDX-License-Identifier: MIT */
/* template.c - see template.h */
#include "read/template.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/bump.h"

enum template_how {
	PATCH_WORD, /* 64 bits */
	PATCH_NOTHING,
	PATCH_ID, /* 32 bits */
	PATCH_REPEAT,
	PATCH_SITE,
	PATCH_STRING,
	PATCH_ARRAY,
};

#define ARG_AT(i) (offsetof(struct template, args) + (i) * sizeof(struct recorder_arg))

/* ---- what is where ---- */

/* A field of the result or the record itself. */
static struct template_patch place_in_record(struct field_place place)
{
	switch (place.form) {
	case FORM_REPEAT:
		return (struct template_patch){.how = PATCH_REPEAT, .at = 0};
	case FORM_SITE:
		return (struct template_patch){.how = PATCH_SITE, .at = 0};
	case FORM_WORD:
	case FORM_VALUE:
		return (struct template_patch){.how = PATCH_WORD,
					       .at = offsetof(struct template, record.ret)};
	case FORM_ID:
		if (place.at == offsetof(struct raw_record, stack))
			return (struct template_patch){
				.how = PATCH_ID, .at = offsetof(struct template, record.stack)};
		return (struct template_patch){.how = PATCH_ID,
					       .at = offsetof(struct template, record.ret_id)};
	default:
		return (struct template_patch){.how = PATCH_NOTHING, .at = 0};
	}
}

static struct template_patch place_in_arg(struct field_place place, unsigned class, size_t arg)
{
	switch (place.form) {
	case FORM_WORD:
		return (struct template_patch){
			.how = PATCH_WORD,
			.at = (uint16_t)(arg + (class == CLASS_DOUBLE
							? offsetof(struct recorder_arg, f64)
							: offsetof(struct recorder_arg, i64)))};
	case FORM_VALUE:
		return (struct template_patch){.how = PATCH_WORD,
					       .at = (uint16_t)(arg + offsetof(struct recorder_arg,
									       i64))};
	case FORM_ID:
		return (struct template_patch){
			.how = PATCH_ID, .at = (uint16_t)(arg + offsetof(struct recorder_arg, id))};
	case FORM_STRING:
		return (struct template_patch){.how = PATCH_STRING, .at = (uint16_t)arg};
	case FORM_ARRAY:
		return (struct template_patch){.how = PATCH_ARRAY, .at = (uint16_t)arg};
	default:
		return (struct template_patch){.how = PATCH_NOTHING, .at = 0};
	}
}

static unsigned arg_of_place(struct field_place place)
{
	return (unsigned)(place.at - offsetof(struct raw_record, args)) / 8;
}

static struct template_patch place_patch(const struct function *function, struct field_place place)
{
	unsigned arg = arg_of_place(place);

	if (place.at < offsetof(struct raw_record, args))
		return place_in_record(place);
	return place_in_arg(place, function->classes[arg], ARG_AT(arg));
}

/* Whether an argument or the result is a patch that tells which arguments are there. */
static bool is_apart(const struct function *function, const struct decoded_signature *signature)
{
	struct raw_record failed = {.result = -1};
	bool decides = convert_unset(function, &failed) != 0;
	bool unset = convert_unset(function, signature->record) != 0;

	for (unsigned i = 0; i < signature->patch_count && function->outputs; i++) {
		struct field_place place = signature->patches[i].place;

		if (decides && place.at >= offsetof(struct raw_record, result) &&
		    place.at < offsetof(struct raw_record, callsite))
			return true;
		if (place.at >= offsetof(struct raw_record, args) && unset &&
		    function->outputs >> arg_of_place(place) & 1)
			return true;
	}
	return false;
}

/* Whether records of the signature may be runs of which is known how long their calls took. */
static bool may_be_run(const struct function *function, const struct decoded_signature *signature)
{
	const struct raw_record *raw = signature->record;

	if (raw->arg_count <= function->info.arg_count)
		return false;
	for (unsigned i = 0; i < signature->patch_count; i++)
		if (signature->patches[i].place.form == FORM_REPEAT)
			return true;
	return raw->repeat > 1;
}

static const struct function *function_of(const struct thread *thread,
					  const struct decoded_signature *signature)
{
	return definitions_function(&thread->stream->defs, signature->record->function);
}

bool templates_have_runs(const struct thread *thread, const struct signatures *signatures)
{
	for (uint32_t i = 0; i < signatures->signature_count; i++) {
		const struct decoded_signature *signature = &signatures->signatures[i];

		if (may_be_run(function_of(thread, signature), signature))
			return true;
	}
	return false;
}

/* ---- making them ---- */

static void place_patches(struct template *template, struct template_patch *to,
			  const struct decoded_signature *signature)
{
	template->patches = to;
	template->patch_count = signature->patch_count;
	template->words = !template->apart;
	for (unsigned i = 0; i < signature->patch_count; i++) {
		to[i] = place_patch(template->function, signature->patches[i].place);
		template->words &= to[i].how == PATCH_WORD;
	}
	for (unsigned i = 0; i < TEMPLATE_FIRST; i++)
		template->first[i] = i < signature->patch_count &&template->words
					     ? to[i].at
					     : offsetof(struct template, nowhere);
}

static size_t size_of_template(const struct decoded_signature *signature)
{
	size_t size = ARG_AT(signature->record->arg_count) +
		      signature->patch_count * sizeof(struct template_patch);

	return (size + BUMP_ALIGNMENT - 1) & ~(size_t)(BUMP_ALIGNMENT - 1);
}

/* Memory for all; false: there is none. What was there is lost. */
static bool reserve(struct templates *templates, const struct signatures *signatures,
		    struct bump *bump)
{
	size_t size = signatures->signature_count * sizeof(*templates->all) + BUMP_ALIGNMENT;

	for (uint32_t i = 0; i < signatures->signature_count; i++)
		size += size_of_template(&signatures->signatures[i]);
	if (size > templates->size) {
		free(templates->memory);
		templates->memory = malloc(size);
		templates->size = templates->memory ? size : 0;
	}
	*bump = (struct bump){templates->memory, templates->size};
	return templates->memory;
}

static struct template *make(const struct templates *templates, struct bump *bump,
			     const struct decoded_signature *signature, const struct filter *filter,
			     struct converter *converter)
{
	const struct raw_record *raw = signature->record;
	const struct function *function = function_of(templates->thread, signature);
	struct template *template = bump_take(bump, 1, size_of_template(signature));

	convert_untimed(converter, templates->thread, function, raw);
	template->function = function;
	template->flags = converter->record.flags;
	template->wanted =
		filter_function(filter, function) && number_set_has(&filter->levels, raw->level);
	template->apart = is_apart(function, signature);
	template->run = may_be_run(function, signature);
	template->record = converter->record;
	template->record.args = template->args;
	memcpy(template->args, converter->args,
	       converter->record.arg_count * sizeof(*template->args));
	for (unsigned i = converter->record.arg_count; i < raw->arg_count; i++)
		template->args[i].i64 = (int64_t)raw->args[i]; /* not shown: see templates_busy() */
	place_patches(template, (void *)&template->args[raw->arg_count], signature);
	return template;
}

int templates_make(struct templates *templates, const struct signatures *signatures,
		   const struct thread *thread, const struct filter *filter,
		   struct converter *converter)
{
	struct bump bump;

	if (!reserve(templates, signatures, &bump))
		return -ENOMEM;
	templates->thread = thread;
	templates->signatures = *signatures;
	templates->all = bump_take(&bump, signatures->signature_count, sizeof(*templates->all));
	templates->plain = true;
	for (uint32_t i = 0; i < signatures->signature_count; i++) {
		templates->all[i] =
			make(templates, &bump, &signatures->signatures[i], filter, converter);
		templates->plain &= templates->all[i]->wanted && !templates->all[i]->run;
	}
	return 0;
}

void templates_release(struct templates *templates)
{
	free(templates->memory);
	memset(templates, 0, sizeof(*templates));
}

/* ---- records ---- */

static enum recorder_arg_state state_of(uint64_t value)
{
	return value == BLOCK_ABSENT       ? RECORDER_ARG_ABSENT
	       : value == BLOCK_UNREADABLE ? RECORDER_ARG_UNREADABLE
					   : RECORDER_ARG_PRESENT;
}

static void put_string(const struct record_blocks *blocks, struct recorder_arg *arg, uint64_t value)
{
	const struct decoded_string *string;

	*arg = (struct recorder_arg){.state = state_of(value), .bytes = ""};
	if (arg->state != RECORDER_ARG_PRESENT)
		return;
	string = record_blocks_string(blocks, value);
	arg->bytes = (const char *)string->bytes;
	arg->count = string->stored;
	arg->original = string->original;
}

static void put_array(const struct record_blocks *blocks, struct recorder_arg *arg, uint64_t value)
{
	const struct decoded_array *array;

	*arg = (struct recorder_arg){.state = state_of(value)};
	if (arg->state != RECORDER_ARG_PRESENT)
		return;
	array = record_blocks_array(blocks, value);
	arg->elements = array->elements;
	arg->count = array->stored;
	arg->original = array->original;
	arg->sum = array->sum;
}

static void put_value(const struct templates *templates, struct template *template,
		      struct template_patch patch, uint64_t value, struct converter *converter)
{
	const struct signatures *signatures = &templates->signatures;
	void *to = (uint8_t *)template + patch.at;

	switch (patch.how) {
	case PATCH_WORD:
		memcpy(to, &value, sizeof(value));
		break;
	case PATCH_ID:
		*(uint32_t *)to = (uint32_t)value;
		break;
	case PATCH_REPEAT:
		template->record.repeat = (uint32_t)value + 1;
		break;
	case PATCH_SITE:
		convert_site(converter, templates->thread->stream, &template->record,
			     signatures->sites[value].module, signatures->sites[value].offset);
		break;
	case PATCH_STRING:
		put_string(&signatures->blocks, to, value);
		break;
	case PATCH_ARRAY:
		put_array(&signatures->blocks, to, value);
		break;
	default:
		break;
	}
}

static struct recorder_record *convert_apart(struct templates *templates, uint32_t signature,
					     const uint64_t *values, struct converter *converter)
{
	struct signature_item item = {.signature = (uint16_t)signature};
	struct raw_record *raw = (struct raw_record *)converter->raw;

	signatures_record(&templates->signatures, &item, values, raw);
	convert_untimed(converter, templates->thread, templates->all[signature]->function, raw);
	return &converter->record;
}

uint64_t templates_busy(const struct template *template, const struct converter *converter)
{
	unsigned last = template->function->info.arg_count;

	if (template->apart)
		return ((const struct raw_record *)converter->raw)->args[last];
	return (uint64_t) template->args[last].i64;
}

struct recorder_record *templates_give_special(struct templates *templates,
					       struct template *template, uint32_t signature,
					       const uint64_t *values, struct converter *converter)
{
	if (template->apart)
		return convert_apart(templates, signature, values, converter);
	for (unsigned i = 0; i < template->patch_count; i++)
		put_value(templates, template, template->patches[i], values[i], converter);
	return &template->record;
}
