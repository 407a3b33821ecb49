/* SPDX-License-Identifier: MIT */
/* program_choice.c - see program_choice.h */
#include "bpf/program_choice.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "bpf/kernel_events.h"

#define PREFIX "btf_trace_"
#define SECTION "tp_btf/"

/* A program that is not always loaded. */
struct optional {
	const char *program;
	uint32_t groups; /* it is for one of them */
	uint32_t
		arguments; /* that the tracepoint has in the form that it is for; 0: there is but one form */
	const char *type;    /* what its first argument points to, likewise; NULL: any */
	const char *instead; /* of the tracepoint of this name, where the kernel has not got that */
};

static const struct optional optionals[] = {
	{"block_queued", EVENTS_BLOCK, 0, NULL, NULL},
	{"block_issued", EVENTS_BLOCK, 1, NULL, NULL},
	{"block_issued_of_queue", EVENTS_BLOCK, 2, NULL, NULL},
	{"block_merged", EVENTS_BLOCK, 1, NULL, NULL},
	{"block_merged_of_queue", EVENTS_BLOCK, 2, NULL, NULL},
	{"block_completed", EVENTS_BLOCK, 0, NULL, NULL},
	{"folio_dirtied", EVENTS_WRITEBACK, 0, NULL, NULL},
	{"page_dirtied", EVENTS_WRITEBACK, 0, NULL, "writeback_dirty_folio"},
	{"writeback_begun", EVENTS_WRITEBACK, 0, NULL, NULL},
	{"writeback_ended", EVENTS_WRITEBACK, 0, NULL, NULL},
	{"uring_submitted", EVENTS_URING, 0, NULL, NULL},
	{"uring_submitted_entry", EVENTS_URING, 2, NULL, "io_uring_submit_req"},
	{"uring_completed", EVENTS_URING, 3, NULL, NULL},
	{"uring_completed_values", EVENTS_URING, 7, NULL, NULL},
	{"page_faults", EVENTS_FAULTS, 0, NULL, NULL},
	{"page_added", EVENTS_PAGES, 1, "folio", NULL},
	{"page_deleted", EVENTS_PAGES, 1, "folio", NULL},
	{"read_ahead", EVENTS_PAGES, 0, NULL, NULL},
	{"read_ahead_large", EVENTS_PAGES, 3, NULL, NULL},
	{"ext4_delayed_write_begins", EVENTS_EXT4, 3, NULL, NULL},
	{"ext4_delayed_write_ends", EVENTS_EXT4, 0, NULL, NULL},
	{"ext4_write_begins", EVENTS_EXT4, 3, NULL, NULL},
	{"ext4_write_ends", EVENTS_EXT4, 0, NULL, NULL},
	{"ext4_sync_begins", EVENTS_EXT4, 0, NULL, NULL},
	{"ext4_sync_ends", EVENTS_EXT4, 0, NULL, NULL},
	{"ext4_fallocate_begins", EVENTS_EXT4, 0, NULL, NULL},
	{"ext4_fallocate_ends", EVENTS_EXT4, 0, NULL, NULL},
	{"ext4_unlink_begins", EVENTS_EXT4, 0, NULL, NULL},
	{"ext4_unlink_ends", EVENTS_EXT4, 0, NULL, NULL},
	{"ext4_truncate_begins", EVENTS_EXT4, 0, NULL, NULL},
	{"ext4_truncate_ends", EVENTS_EXT4, 0, NULL, NULL},
	{"ext4_writepages_begins", EVENTS_EXT4, 0, NULL, NULL},
	{"ext4_writepages_ends", EVENTS_EXT4, 0, NULL, NULL},
	{"xfs_reads", EVENTS_XFS, 2, NULL, NULL},
	{"xfs_reads_direct", EVENTS_XFS, 2, NULL, NULL},
	{"xfs_writes", EVENTS_XFS, 2, NULL, NULL},
	{"xfs_writes_direct", EVENTS_XFS, 2, NULL, NULL},
	{"task_switches", EVENTS_SWITCHES, 4, NULL, NULL},
	{"task_switches_without_why", EVENTS_SWITCHES, 3, NULL, NULL},
};

#define OPTIONALS (sizeof(optionals) / sizeof(optionals[0]))

/* What the kernel says of the tracepoint of each of them. */
struct tracepoint {
	const char *name; /* NULL: the program is not wanted */
	struct bpf_program *program;
	bool fits; /* it is there, in the form that the program is for */
};

static const char *name_of(const struct btf *btf, uint32_t id)
{
	const struct btf_type *type = btf__type_by_id(btf, id);

	return type ? btf__name_by_offset(btf, type->name_off) : "";
}

/* Whether the tracepoint of that prototype is the one that the program is for. The first parameter is the context. */
static bool fits(const struct btf *btf, const struct btf_type *prototype,
		 const struct optional *optional)
{
	const struct btf_type *first;

	if (!prototype || !btf_is_func_proto(prototype) || btf_vlen(prototype) == 0)
		return false;
	if (optional->arguments && optional->arguments + 1 != btf_vlen(prototype))
		return false;
	if (!optional->type)
		return true;
	if (btf_vlen(prototype) < 2)
		return false;
	first = btf__type_by_id(btf, btf_params(prototype)[1].type);
	return first && btf_is_ptr(first) && !strcmp(name_of(btf, first->type), optional->type);
}

static void look_in(const struct btf *btf, struct tracepoint *tracepoints)
{
	for (uint32_t id = 1; id < btf__type_cnt(btf); id++) {
		const struct btf_type *type = btf__type_by_id(btf, id);
		const struct btf_type *pointer, *prototype;
		const char *name;

		if (!btf_is_typedef(type))
			continue;
		name = btf__name_by_offset(btf, type->name_off);
		if (!name || strncmp(name, PREFIX, strlen(PREFIX)))
			continue;
		pointer = btf__type_by_id(btf, type->type);
		prototype =
			pointer && btf_is_ptr(pointer) ? btf__type_by_id(btf, pointer->type) : NULL;
		for (size_t i = 0; i < OPTIONALS; i++)
			if (tracepoints[i].name &&
			    !strcmp(tracepoints[i].name, name + strlen(PREFIX)))
				tracepoints[i].fits = fits(btf, prototype, &optionals[i]);
	}
}

/* File systems are modules of most kernels. */
static void look_in_modules(struct btf *kernel, struct tracepoint *tracepoints)
{
	static const char *const modules[] = {"ext4", "xfs"};

	for (size_t i = 0; i < sizeof(modules) / sizeof(modules[0]); i++) {
		char path[64];
		struct btf *btf;

		snprintf(path, sizeof(path), "/sys/kernel/btf/%s", modules[i]);
		if (access(path, R_OK))
			continue;
		btf = btf__load_module_btf(modules[i], kernel);
		if (libbpf_get_error(btf))
			continue;
		look_in(btf, tracepoints);
		btf__free(btf);
	}
}

static void add_missing(const char *name, char *missing, size_t room)
{
	size_t length = strlen(missing), size = strlen(name);
	const char *before = strstr(missing, name);

	if (before && (before == missing || before[-1] == ',') &&
	    (before[size] == ',' || before[size] == '\0'))
		return;
	if (length + size + 2 <= room)
		snprintf(missing + length, room - length, "%s%s", length ? "," : "", name);
}

/* Whether a program is there for a form of the tracepoint that the kernel has, or for what stands in its place. */
static bool has_program(const struct tracepoint *tracepoints, const char *name, bool instead)
{
	for (size_t i = 0; i < OPTIONALS; i++) {
		if (!tracepoints[i].name || !tracepoints[i].fits)
			continue;
		if (!strcmp(tracepoints[i].name, name) ||
		    (instead && optionals[i].instead && !strcmp(optionals[i].instead, name)))
			return true;
	}
	return false;
}

static void choose(const struct tracepoint *tracepoints, size_t which, char *missing, size_t room)
{
	const struct tracepoint *tracepoint = &tracepoints[which];
	const char *instead = optionals[which].instead;
	bool wanted = tracepoint->name && (!instead || !has_program(tracepoints, instead, false));

	bpf_program__set_autoload(tracepoint->program, wanted && tracepoint->fits);
	if (wanted && !instead && !has_program(tracepoints, tracepoint->name, true))
		add_missing(tracepoint->name, missing, room);
}

static int find_programs(struct bpf_object *object, uint32_t groups, struct tracepoint *tracepoints)
{
	for (size_t i = 0; i < OPTIONALS; i++) {
		struct bpf_program *program =
			bpf_object__find_program_by_name(object, optionals[i].program);
		const char *section;

		if (!program)
			return -ENOENT;
		tracepoints[i].program = program;
		section = bpf_program__section_name(program);
		if (optionals[i].groups & groups && !strncmp(section, SECTION, strlen(SECTION)))
			tracepoints[i].name = section + strlen(SECTION);
	}
	return 0;
}

int program_choice_make(struct bpf_object *object, uint32_t groups, char *missing, size_t room)
{
	struct tracepoint tracepoints[OPTIONALS];
	struct btf *kernel;
	int error;

	memset(tracepoints, 0, sizeof(tracepoints));
	missing[0] = '\0';
	error = find_programs(object, groups, tracepoints);
	if (error)
		return error;
	kernel = btf__load_vmlinux_btf();
	if (libbpf_get_error(kernel))
		return -errno;
	look_in(kernel, tracepoints);
	look_in_modules(kernel, tracepoints);
	btf__free(kernel);
	for (size_t i = 0; i < OPTIONALS; i++)
		choose(tracepoints, i, missing, room);
	return 0;
}
