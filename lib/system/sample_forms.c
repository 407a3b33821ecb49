/* SPDX-License-Identifier: MIT */
/* sample_forms.c - see sample_forms.h */
#include "system/sample_forms.h"

#include <string.h>

#include "format/kinds.h"

struct field {
	const char *name;
	enum kind kind;
};

struct form {
	const char *name;
	const struct field *fields;
	unsigned count;
};

/* ns but for `tsc`, ticks; `bound`: how far apart they may be, ns */
static const struct field clock_fields[] = {
	{"monotonic", KIND_uint}, {"boot", KIND_uint},  {"realtime", KIND_uint},
	{"tsc", KIND_uint},       {"bound", KIND_uint},
};

/* ticks of /proc, 100 a second; `user` has `guest` in it, `nice` has `guest_nice` */
static const struct field cpu_fields[] = {
	{"cpu", KIND_string},  {"user", KIND_uint},       {"nice", KIND_uint},
	{"system", KIND_uint}, {"idle", KIND_uint},       {"iowait", KIND_uint},
	{"irq", KIND_uint},    {"softirq", KIND_uint},    {"steal", KIND_uint},
	{"guest", KIND_uint},  {"guest_nice", KIND_uint},
};

static const struct field kernel_fields[] = {
	{"interrupts", KIND_uint}, {"switches", KIND_uint}, {"forks", KIND_uint},
	{"running", KIND_uint},    {"blocked", KIND_uint},
};

static const struct field memory_fields[] = {
	{"total", KIND_bytes},     {"free", KIND_bytes},   {"available", KIND_bytes},
	{"buffers", KIND_bytes},   {"cached", KIND_bytes}, {"dirty", KIND_bytes},
	{"writeback", KIND_bytes}, {"active", KIND_bytes}, {"inactive", KIND_bytes},
	{"shmem", KIND_bytes},     {"slab", KIND_bytes},   {"mapped", KIND_bytes},
};

/* sectors are of 512 bytes, times in ms */
static const struct field disk_fields[] = {
	{"disk", KIND_string},
	{"reads", KIND_uint},
	{"reads_merged", KIND_uint},
	{"sectors_read", KIND_uint},
	{"ms_reading", KIND_uint},
	{"writes", KIND_uint},
	{"writes_merged", KIND_uint},
	{"sectors_written", KIND_uint},
	{"ms_writing", KIND_uint},
	{"in_progress", KIND_uint},
	{"ms_busy", KIND_uint},
	{"ms_weighted", KIND_uint},
	{"discards", KIND_uint},
	{"discards_merged", KIND_uint},
	{"sectors_discarded", KIND_uint},
	{"ms_discarding", KIND_uint},
	{"flushes", KIND_uint},
	{"ms_flushing", KIND_uint},
};

static const struct field network_fields[] = {
	{"interface", KIND_string},  {"received", KIND_bytes},  {"packets_received", KIND_uint},
	{"errors_in", KIND_uint},    {"dropped_in", KIND_uint}, {"sent", KIND_bytes},
	{"packets_sent", KIND_uint}, {"errors_out", KIND_uint}, {"dropped_out", KIND_uint},
};

/* us in which some, or all, tasks waited */
static const struct field pressure_fields[] = {
	{"resource", KIND_string},
	{"some", KIND_uint},
	{"full", KIND_uint},
};

/* ticks as for CPUs; `rss` in bytes */
static const struct field process_fields[] = {
	{"pid", KIND_pid},
	{"ppid", KIND_pid},
	{"command", KIND_string},
	{"user", KIND_uint},
	{"system", KIND_uint},
	{"children_user", KIND_uint},
	{"children_system", KIND_uint},
	{"minor_faults", KIND_uint},
	{"major_faults", KIND_uint},
	{"threads", KIND_uint},
	{"rss", KIND_bytes},
	{"processor", KIND_uint},
	{"waited", KIND_uint},
};

static const struct field process_io_fields[] = {
	{"pid", KIND_pid},         {"read_by_calls", KIND_bytes}, {"written_by_calls", KIND_bytes},
	{"read_calls", KIND_uint}, {"write_calls", KIND_uint},    {"read", KIND_bytes},
	{"written", KIND_bytes},   {"cancelled", KIND_bytes},
};

/* shares in percent, memory in bytes, power in mW, energy in mJ, temperature in degrees, clocks in MHz */
static const struct field gpu_fields[] = {
	{"gpu", KIND_string},       {"sm", KIND_reading},           {"memory_busy", KIND_reading},
	{"used", KIND_reading},     {"free", KIND_reading},         {"total", KIND_reading},
	{"power", KIND_reading},    {"energy", KIND_reading},       {"temperature", KIND_reading},
	{"clock_sm", KIND_reading}, {"clock_memory", KIND_reading},
};

/* `at`: us since 1970, of the driver; the last ones as `nvidia-smi pmon -s um` has them */
static const struct field gpu_process_fields[] = {
	{"gpu", KIND_string},           {"pid", KIND_pid},         {"type", KIND_string},
	{"at", KIND_reading},           {"sm", KIND_reading},      {"memory_busy", KIND_reading},
	{"encoder", KIND_reading},      {"decoder", KIND_reading}, {"jpeg", KIND_reading},
	{"optical_flow", KIND_reading}, {"used", KIND_reading},
};

#define FORM(name) #name, name##_fields, sizeof(name##_fields) / sizeof(name##_fields[0])

static const struct form forms[SAMPLE_FORMS] = {
	[SAMPLE_CLOCK] = {FORM(clock)},
	[SAMPLE_CPU] = {FORM(cpu)},
	[SAMPLE_KERNEL] = {FORM(kernel)},
	[SAMPLE_MEMORY] = {FORM(memory)},
	[SAMPLE_DISK] = {FORM(disk)},
	[SAMPLE_NETWORK] = {FORM(network)},
	[SAMPLE_PRESSURE] = {FORM(pressure)},
	[SAMPLE_PROCESS] = {FORM(process)},
	[SAMPLE_PROCESS_IO] = {FORM(process_io)},
	[SAMPLE_GPU] = {FORM(gpu)},
	[SAMPLE_GPU_PROCESS] = {FORM(gpu_process)},
};

static struct watched_function functions[SAMPLE_FORMS];

unsigned sample_arguments(enum sample_form form)
{
	return forms[form].count;
}

/* With the first record of the form. */
static int define(struct watched_stream *stream, enum sample_form id)
{
	const struct form *form = &forms[id];
	uint8_t payload[1024];
	struct packer packer = packer_of(payload, sizeof(payload));

	functions[id].result_class = CLASS_INT;
	functions[id].arg_count = (uint8_t)form->count;
	def_function_pack(&packer, (uint16_t)id, (uint8_t)form->count, "sample", form->name,
			  CLASS_INT, kind_name(KIND_counter));
	for (unsigned i = 0; i < form->count; i++) {
		functions[id].arg_classes[i] = kind_class(form->fields[i].kind);
		def_parameter_pack(&packer, kind_class(form->fields[i].kind), form->fields[i].name,
				   kind_name(form->fields[i].kind));
	}
	watched_stream_function(stream, (uint16_t)id, &functions[id]);
	return watched_stream_define(stream, DEF_FUNCTION, payload, packer_size(&packer, payload));
}

void sample_begin(struct sample *sample, enum sample_form form, uint64_t time)
{
	struct raw_record *record = &sample->record;

	sample->form = form;
	sample->count = 0;
	memset(record, 0, sizeof(*record) + 8 * forms[form].count);
	record->size = (uint32_t)(sizeof(*record) + 8 * forms[form].count);
	record->function = (uint16_t)form;
	record->arg_count = (uint8_t)forms[form].count;
	record->tstart = record->tend = time;
	record->repeat = 1;
}

void sample_text(struct sample *sample, const char *text, size_t size)
{
	struct raw_record *record = &sample->record;
	struct string_block *block = (void *)((uint8_t *)record + record->size);
	size_t stored = size < SAMPLE_TEXT_MAX ? size : SAMPLE_TEXT_MAX;

	if (sample->count >= record->arg_count ||
	    record->size > sizeof(sample->room) - sizeof(*block) - SAMPLE_TEXT_MAX - 8)
		return;
	block->stored = (uint32_t)stored;
	block->original = (uint32_t)size;
	memcpy(block->bytes, text, stored);
	memset(block->bytes + stored, 0, -stored % 8);
	record->args[sample->count++] = record->size;
	record->size += (uint32_t)(sizeof(*block) + ((stored + 7) & ~(size_t)7));
}

void sample_number(struct sample *sample, uint64_t value)
{
	if (sample->count < sample->record.arg_count)
		sample->record.args[sample->count++] = value;
}

int sample_end(struct sample *sample, struct watched_stream *stream, uint32_t thread)
{
	int error = 0;

	if (!watched_stream_knows(stream, (uint16_t)sample->form))
		error = define(stream, sample->form);
	return error ? error : watched_stream_add(stream, thread, &sample->record);
}
