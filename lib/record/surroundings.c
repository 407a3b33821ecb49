/* SPDX-License-Identifier: MIT */
/* surroundings.c - see surroundings.h */
#include "record/surroundings.h"

#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "format/job.h"
#include "format/secrets.h"
#include "format/variable.h"
#include "record/bulk.h"
#include "record/clock.h"
#include "record/config.h"
#include "record/glibc.h"
#include "record/identity.h"
#include "record/live.h"
#include "record/selection.h"
#include "record/sys.h"
#include "record/text.h"

#define ARGV_MAX 4096
#define SYMBOLS_MAX 4096 /* holds all of a kind */
#define ENVIRONMENT_NAME_MAX 256
#define ENVIRONMENT_VALUE_MAX 4096
#define FILE_MAX 16384 /* as much of /proc/self/mountinfo is kept */

/* For one thing after the other: the threads of a program may have small stacks, and what is gathered is gathered by one of them. */
static struct {
	char text[FILE_MAX], path[PATH_MAX], group[PATH_MAX];
} room BULK;

static void put_environment(struct entries *entries, const char *key, const char *const *names)
{
	for (; *names; names++) {
		const char *value = variable_get(*names);

		if (value && *value) {
			entries_str(entries, key, value);
			return;
		}
	}
}

static void put_argv(struct entries *entries)
{
	size_t size;

	if (config_secrets() == SECRETS_LEAVE_OUT)
		return;
	size = sys_read_file("/proc/self/cmdline", room.text, ARGV_MAX);
	if (size == 0)
		return;
	if (config_secrets() == SECRETS_MASK)
		secrets_mask_argv(room.text, size);
	entries_bytes(entries, "argv", room.text, size);
}

static void put_process(struct entries *entries)
{
	long length = sys_readlink("/proc/self/exe", room.path, sizeof(room.path) - 1);

	room.path[length > 0 ? length : 0] = '\0';
	entries_str(entries, "exe", room.path);
	put_argv(entries);
	if (sys_getcwd(room.path, sizeof(room.path)) > 0)
		entries_str(entries, "cwd", room.path);
	entries_u64(entries, "uid", (uint64_t)geteuid());
	entries_str(entries, "live.dir", live_directory());
	entries_str(entries, "tags", config.tags);
}

/* The CPUs the process may run on, as a list of ranges. */
static void put_affinity(struct entries *entries)
{
	char list[256];
	struct textbuf text = text_in(list, sizeof(list));
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set))
		return;
	for (int first = 0; first < CPU_SETSIZE; first++) {
		int last = first;

		if (!CPU_ISSET(first, &set))
			continue;
		while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, &set))
			last++;
		text_add(&text, text.length ? "," : "");
		text_add_u64(&text, (uint64_t)first);
		if (last > first) {
			text_add(&text, "-");
			text_add_u64(&text, (uint64_t)last);
		}
		first = last;
	}
	entries_str(entries, "affinity", list);
}

void surroundings_symbols(void *entries, const char *kind, const struct machine_symbol *symbols)
{
	struct textbuf text = text_in(room.text, SYMBOLS_MAX);
	char name[32];
	struct textbuf key = text_in(name, sizeof(name));

	machine_differing(symbols, &text);
	text_add(&key, "symbols.");
	text_add(&key, kind);
	entries_str(entries, name, room.text);
}

static void put_machine(struct entries *entries)
{
	struct utsname names;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	entries_str(entries, "recorder.version", RECORDER_VERSION);
	entries_str(entries, "libc", gnu_get_libc_version());
	if (!uname(&names)) {
		entries_str(entries, "kernel", names.release);
		entries_str(entries, "machine", names.machine);
	}
	entries_u64(entries, "cpu.count", cpus > 0 ? (uint64_t)cpus : 0);
	put_affinity(entries);
	entries_str(entries, "timezone", variable_get("TZ"));
	entries_str(entries, "omp.threads", variable_get("OMP_NUM_THREADS"));
	entries_str(entries, "clock.kind", clock_kind());
	entries_u64(entries, "clock.granule", clock_granule());
	entries_u64(entries, "clock.resolution", config.time_resolution);
	machine_each_kind(surroundings_symbols, entries);
}

/* The first bytes of a file, in memory that the next call reuses; "" if it cannot be read. */
static const char *read_text(const char *path)
{
	size_t size = sys_read_file(path, room.text, sizeof(room.text));

	while (size > 0 && room.text[size - 1] == '\n')
		size--;
	room.text[size] = '\0';
	return room.text;
}

/* The memory nodes (NUMA) that the process may use, as a list of ranges. */
static void put_memory_nodes(struct entries *entries)
{
	static const char label[] = "\nMems_allowed_list:";
	const char *line = strstr(read_text("/proc/self/status"), label);
	char list[256];
	struct textbuf text = text_in(list, sizeof(list));

	if (!line)
		return;
	line += strlen(label);
	line += strspn(line, " \t");
	text_add_bytes(&text, line, strcspn(line, "\n"));
	entries_str(entries, "affinity.memory", list);
}

/* A limit of the control group (version 2) that the process is in. */
static void put_cgroup_limit(struct entries *entries, const char *key, const char *group,
			     const char *file)
{
	struct textbuf path = text_in(room.path, sizeof(room.path));

	text_add(&path, "/sys/fs/cgroup");
	text_add(&path, group);
	text_add(&path, "/");
	text_add(&path, file);
	if (!path.cut)
		entries_str(entries, key, read_text(room.path));
}

static void put_cgroup(struct entries *entries)
{
	struct textbuf text = text_in(room.group, sizeof(room.group));
	const char *line = read_text("/proc/self/cgroup");
	const char *own = strstr(line, "0::/");

	if (!own || (own != line && own[-1] != '\n'))
		return;
	text_add_bytes(&text, own + 3, strcspn(own + 3, "\n"));
	entries_str(entries, "cgroup", room.group);
	put_cgroup_limit(entries, "cgroup.memory.max", room.group, "memory.max");
	put_cgroup_limit(entries, "cgroup.cpu.max", room.group, "cpu.max");
}

/* What all processes of the rank have in common is told by its own process alone. */
static void put_common(struct entries *entries)
{
	entries_str(entries, "byte.order", "little");
	put_memory_nodes(entries);
	put_cgroup(entries);
	entries_str(entries, "mounts", read_text("/proc/self/mountinfo"));
}

static void put_job(struct entries *entries)
{
	static const char *const nodes[] = {"SLURM_JOB_NUM_NODES", "OMPI_MCA_orte_num_nodes", NULL};
	static const char *const tasks[] = {"SLURM_NTASKS", "OMPI_COMM_WORLD_SIZE", NULL};

	entries_str(entries, "job.id", job_scheduler_id());
	entries_str(entries, "job.step", job_scheduler_step());
	put_environment(entries, "nodes", nodes);
	put_environment(entries, "tasks", tasks);
}

static void put_option(void *data, const char *name, const char *value)
{
	char key[160];
	struct textbuf text = text_in(key, sizeof(key));

	text_add(&text, "options.");
	text_add(&text, name);
	entries_str(data, key, value);
}

/* One variable of the program's environment, if it was asked for. */
static void put_variable(struct entries *entries, const char *name, const char *value)
{
	char key[ENVIRONMENT_NAME_MAX + 4];
	struct textbuf text = text_in(room.text, ENVIRONMENT_VALUE_MAX);
	struct textbuf key_text = text_in(key, sizeof(key));

	text_add(&text, value);
	if (config_secrets() != SECRETS_KEEP)
		secrets_mask_variable(name, room.text, text.length);
	text_add(&key_text, "env.");
	text_add(&key_text, name);
	entries_bytes(entries, key, room.text, strlen(room.text));
}

static void put_logged_environment(struct entries *entries)
{
	for (char **variable = environ; config.log_env && variable && *variable; variable++) {
		const char *equals = strchr(*variable, '=');
		char name[ENVIRONMENT_NAME_MAX];
		struct textbuf text = text_in(name, sizeof(name));

		if (!equals || entries_left(entries) < ENVIRONMENT_VALUE_MAX + SURROUNDINGS_LEFT)
			continue;
		text_add_bytes(&text, *variable, (size_t)(equals - *variable));
		if (!text.cut && selection_chosen(config.log_env, name))
			put_variable(entries, name, equals + 1);
	}
}

void surroundings_gather(struct entries *entries)
{
	put_process(entries);
	put_machine(entries);
	put_job(entries);
	if (identity.main)
		put_common(entries);
	config_each(put_option, entries);
	put_logged_environment(entries);
}
