/* SPDX-License-Identifier: MIT */
/* probes.c - see probes.h */
#include "bpf/probes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_BPF
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "bpf/function_event.h"
#include "bpf/late_rounds.h"
#include "bpf/program_choice.h"
#include "bpf/system.skel.h"

#define RING_SIZE (16u << 20)

struct probes {
	struct system_bpf *programs;
	struct ring_buffer *ring;
	bool calls, sums;
	struct late_rounds rounds;
	void (*event)(void *data, const void *event, size_t size);
	void *data;
	char missing[1024];
	const struct probe_point *points;
	uint32_t point_count, point_next;
	struct bpf_link *functions;
	int64_t tracefs_event; /* 0: none */
	int *held; /* descriptors: first that for all tasks, then those of processes by their numbers */
	uint32_t *held_numbers;
	uint32_t held_count, held_room;
};

/* What libbpf says goes where the caller wants it: the last line says most. */
static char *say_into;
static size_t say_room;

static __attribute__((format(printf, 2, 0))) int say(enum libbpf_print_level level,
						     const char *format, va_list args)
{
	if (level == LIBBPF_WARN && say_into) {
		vsnprintf(say_into, say_room, format, args);
		say_into[strcspn(say_into, "\n")] = '\0';
	}
	return 0;
}

static void listen_to_libbpf(char *why, size_t room)
{
	say_into = why;
	say_room = room;
	if (why && room > 0)
		why[0] = '\0';
	libbpf_set_print(say);
}

static int take(void *data, void *event, size_t size)
{
	struct probes *probes = data;

	if (probes->sums && size >= sizeof(struct event_head))
		late_rounds_see(&probes->rounds, event);
	probes->event(probes->data, event, size);
	return 0;
}

static int set_rules(const struct probes *probes, const struct call_rule *rules)
{
	int fd = bpf_map__fd(probes->programs->maps.rules);

	for (uint32_t number = 0; number < EVENT_CALLS_MAX; number++)
		if (bpf_map_update_elem(fd, &number, &rules[number], BPF_ANY))
			return -errno;
	return 0;
}

static int set_points(const struct probes *probes)
{
	int fd = bpf_map__fd(probes->programs->maps.points);

	for (uint32_t i = 0; i < probes->point_count; i++)
		if (bpf_map_update_elem(fd, &probes->points[i].place, &probes->points[i].point,
					BPF_NOEXIST))
			return -errno;
	return 0;
}

/* Each call, sums of them, or both. */
static void choose_form(const struct probes *probes, const struct probe_options *options)
{
	probes->programs->rodata->sends_calls = options->calls;
	probes->programs->rodata->sends_sums = options->sums;
	if (options->interval > 0)
		probes->programs->rodata->interval = options->interval;
	probes->programs->rodata->interval_shift = options->interval_shift;
	for (unsigned number = 0; number < EVENT_CALLS_MAX; number++)
		if (!options->rules[number].wanted)
			probes->programs->rodata->all_calls = 0;
	probes->programs->rodata->joins_cgroup = options->cgroup;
	bpf_program__set_autoload(probes->programs->progs.sums_left, options->sums);
	bpf_program__set_autoattach(probes->programs->progs.sums_left, false);
	bpf_program__set_autoattach(probes->programs->progs.tasks_join, false);
	probes->programs->rodata->wakes_at_forks = options->point_count > 0;
	bpf_program__set_autoload(probes->programs->progs.function_point, options->point_count > 0);
	bpf_program__set_autoattach(probes->programs->progs.function_point, false);
}

/* 0: they are in the kernel. */
static int load_programs(struct probes *probes, const struct probe_options *options,
			 uint32_t groups)
{
	uint64_t ring_size = options->ring_size ? options->ring_size : RING_SIZE;
	int error;

	probes->programs = system_bpf__open();
	if (!probes->programs)
		return -errno;
	error = program_choice_make(probes->programs->obj, groups, probes->missing,
				    sizeof(probes->missing));
	if (error)
		return error;
	bpf_map__set_max_entries(probes->programs->maps.ring, (uint32_t)ring_size);
	bpf_map__set_max_entries(probes->programs->maps.points,
				 options->point_count > 0 ? options->point_count : 1);
	if (!options->sums)
		bpf_map__set_max_entries(probes->programs->maps.late_sums, 1);
	if (probes->programs->rodata->wake_above > ring_size / 4)
		probes->programs->rodata->wake_above = ring_size / 4;
	choose_form(probes, options);
	return system_bpf__load(probes->programs) ? -errno : 0;
}

/* A kernel that does not take what is wanted besides system calls takes those alone, perhaps. */
static int load_programs_or_fewer(struct probes *probes, const struct probe_options *options)
{
	int error = load_programs(probes, options, options->groups);

	if (!error || !(options->groups & ~(uint32_t)EVENTS_CALLS) || error == -EPERM)
		return error;
	system_bpf__destroy(probes->programs);
	error = load_programs(probes, options, EVENTS_CALLS);
	snprintf(probes->missing, sizeof(probes->missing), "all");
	return error;
}

static int load(struct probes *probes, const struct probe_options *options)
{
	int error = load_programs_or_fewer(probes, options);

	if (error)
		return error;
	probes->ring =
		ring_buffer__new(bpf_map__fd(probes->programs->maps.ring), take, probes, NULL);
	if (!probes->ring)
		return -errno;
	probes->rounds = (struct late_rounds){
		.map = bpf_map__fd(probes->programs->maps.late_sums),
		.number = &probes->programs->bss->late_round,
		.interval = probes->programs->rodata->interval,
		.interval_shift = options->interval_shift,
	};
	late_rounds_begin(&probes->rounds);
	error = set_rules(probes, options->rules);
	return error ? error : set_points(probes);
}

int probes_open(struct probes **probes, const struct probe_options *options, char *why, size_t room)
{
	struct probes *made = calloc(1, sizeof(*made));
	int error;

	if (!made)
		return -ENOMEM;
	made->event = options->event;
	made->data = options->data;
	made->calls = options->calls;
	made->sums = options->sums;
	made->points = options->points;
	made->point_count = options->point_count;
	listen_to_libbpf(why, room);
	error = load(made, options);
	listen_to_libbpf(NULL, 0);
	if (error) {
		probes_close(made);
		return error;
	}
	*probes = made;
	return 0;
}

const char *probes_missing(const struct probes *probes)
{
	return probes->missing;
}

int probes_follow(struct probes *probes, int pidfd)
{
	struct task_state state;
	int fd = bpf_map__fd(probes->programs->maps.tasks);

	memset(&state, 0, sizeof(state));
	return bpf_map_update_elem(fd, &pidfd, &state, BPF_NOEXIST) ? -errno : 0;
}

int probes_attach(struct probes *probes, char *why, size_t room)
{
	int error;

	listen_to_libbpf(why, room);
	error = system_bpf__attach(probes->programs);
	listen_to_libbpf(NULL, 0);
	return error;
}

/* Functions ---------------------------------------------------------------------------- */

static bool next_point(void *data, struct function_event_probe *probe)
{
	struct probes *probes = data;

	if (probes->point_next == probes->point_count)
		return false;
	probe->path = probes->points[probes->point_next].path;
	probe->offset = probes->points[probes->point_next].place.offset;
	probes->point_next++;
	return true;
}

/* What could not be is said of the one that was tried last. */
static int define_functions(struct probes *probes, int64_t *event, char *why, size_t room)
{
	probes->point_next = 0;
	*event = function_event_define(next_point, probes);
	if (*event >= 0)
		return 0;
	snprintf(why, room, "an event of tracefs%s%s: %s", probes->point_next ? " for " : "",
		 probes->point_next ? probes->points[probes->point_next - 1].path : "",
		 strerror((int)-*event));
	return (int)*event;
}

/* Closes it if there is no memory. */
static int hold(struct probes *probes, int fd, uint32_t number)
{
	if (fd < 0)
		return fd;
	if (probes->held_count == probes->held_room) {
		uint32_t room = probes->held_room ? 2 * probes->held_room : 64;
		int *held = realloc(probes->held, room * sizeof(*held));
		uint32_t *numbers;

		probes->held = held ? held : probes->held;
		numbers = held ? realloc(probes->held_numbers, room * sizeof(*numbers)) : NULL;
		if (!numbers) {
			close(fd);
			return -ENOMEM;
		}
		probes->held_numbers = numbers;
		probes->held_room = room;
	}
	probes->held[probes->held_count] = fd;
	probes->held_numbers[probes->held_count++] = number;
	return 0;
}

static int cover(struct probes *probes, int pid)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0), error = 0;
	uint32_t yes = 1;

	if (fd < 0)
		return -errno;
	if (bpf_map_update_elem(bpf_map__fd(probes->programs->maps.covered), &fd, &yes, BPF_ANY))
		error = -errno;
	close(fd);
	return error;
}

void probes_process_begun(struct probes *probes, uint32_t number, int pid)
{
	if (probes->functions && pid > 0 &&
	    !hold(probes, function_event_open(probes->tracefs_event, pid, false), number))
		cover(probes, pid);
}

void probes_process_ended(struct probes *probes, uint32_t number)
{
	for (uint32_t i = 1; i < probes->held_count; i++)
		if (probes->held_numbers[i] == number) {
			close(probes->held[i]);
			probes->held_count--;
			probes->held[i] = probes->held[probes->held_count];
			probes->held_numbers[i] = probes->held_numbers[probes->held_count];
			return;
		}
}

/* The program is at an event of the first task's. */
static int attach_functions(struct probes *probes, int task, char *why, size_t room)
{
	int fd = function_event_open(probes->tracefs_event, task, false), error;

	if (fd < 0)
		return fd;
	listen_to_libbpf(why, room);
	probes->functions =
		bpf_program__attach_perf_event(probes->programs->progs.function_point, fd);
	error = probes->functions ? 0 : -errno;
	listen_to_libbpf(NULL, 0);
	if (error)
		close(fd);
	return error ? error : cover(probes, task);
}

int probes_follow_functions(struct probes *probes, int task, char *why, size_t room)
{
	int error;

	if (probes->point_count == 0)
		return 0;
	error = define_functions(probes, &probes->tracefs_event, why, room);
	if (error) {
		probes->tracefs_event = 0;
		return error;
	}
	error = hold(probes, function_event_open(probes->tracefs_event, task, true), 0);
	if (!error)
		error = attach_functions(probes, task, why, room);
	if (error && !*why)
		snprintf(why, room, "perf_event_open: %s", strerror(-error));
	return error;
}

static void detach_functions(struct probes *probes)
{
	bpf_link__destroy(probes->functions);
	probes->functions = NULL;
	for (uint32_t i = 0; i < probes->held_count; i++)
		close(probes->held[i]);
	probes->held_count = 0;
	if (probes->tracefs_event)
		function_event_remove();
	probes->tracefs_event = 0;
}

/* -------------------------------------------------------------------------------------- */

/* Has the kernel run the program for each task that there is. */
static int run_for_tasks(const struct bpf_program *program)
{
	struct bpf_link *link = bpf_program__attach_iter(program, NULL);
	int fd = link ? bpf_iter_create(bpf_link__fd(link)) : -1;
	char nothing[16];

	if (fd < 0) {
		bpf_link__destroy(link);
		return -errno;
	}
	while (read(fd, nothing, sizeof(nothing)) > 0)
		;
	close(fd);
	bpf_link__destroy(link);
	return 0;
}

int probes_tell(struct probes *probes, int pid)
{
	const volatile unsigned long long *told = &probes->programs->bss->tasks_joined;
	unsigned long long before = *told;
	int error;

	probes->programs->bss->tells_alone = (unsigned)pid;
	error = run_for_tasks(probes->programs->progs.tasks_join);
	probes->programs->bss->tells_alone = 0;
	if (error)
		return error;
	return *told == before ? -ESRCH : 0;
}

int probes_join(struct probes *probes)
{
	const volatile unsigned long long *joined = &probes->programs->bss->tasks_joined;
	unsigned long long before;
	int error;

	do {
		before = *joined;
		error = run_for_tasks(probes->programs->progs.tasks_join);
	} while (!error && *joined != before);
	return error;
}

/* Where there are sums these say that the thread has counted it. */
static void give_unended(struct probes *probes, struct occurrence_event event)
{
	if (probes->sums)
		event.flags &= (__u8)~OCCURRENCE_COUNTED;
	probes->event(probes->data, &event, sizeof(event));
}

static void give_unended_sum(struct probes *probes, const struct occurrence_event *event)
{
	bool has_file = event->flags & OCCURRENCE_HAS_FILE;
	struct late_sum_event sum = {
		.head = {.kind = EVENT_LATE_SUM,
			 .size = sizeof(sum),
			 .pid = event->head.pid,
			 .tid = event->head.tid,
			 .time = event->head.time},
		.key = {.inode = has_file ? event->inode : 0,
			.begin = late_rounds_interval(&probes->rounds, event->head.time),
			.start = event->start,
			.device = has_file ? event->device : 0,
			.pid = event->head.pid,
			.tid = event->head.tid,
			.what = event->what,
			.flags = has_file ? CALL_HAS_FILE : 0},
		.sum = {.count = 1,
			.time = event->args[BLOCK_QUEUE],
			.bytes = event->args[BLOCK_BYTES],
			.queue = event->args[BLOCK_QUEUE],
			.counted = event->flags & OCCURRENCE_COUNTED ? 1 : 0},
	};

	probes->event(probes->data, &sum, sizeof(sum));
}

/* Requests to disks that go on, or whose end was not seen. */
static void take_unended(struct probes *probes)
{
	int fd = bpf_map__fd(probes->programs->maps.pending);
	struct occurrence_event event;
	uint64_t address, *before = NULL;

	while (!bpf_map_get_next_key(fd, before, &address)) {
		before = &address;
		if (bpf_map_lookup_elem(fd, &address, &event) ||
		    event.what > OCCURRED_block_request || event.flags & OCCURRENCE_SENT)
			continue;
		event.args[BLOCK_FLAGS] |= BLOCK_END_UNSEEN;
		event.head.time = event.begin + event.args[BLOCK_QUEUE];
		if (probes->calls)
			give_unended(probes, event);
		if (probes->sums)
			give_unended_sum(probes, &event);
	}
}

void probes_detach(struct probes *probes)
{
	detach_functions(probes);
	system_bpf__detach(probes->programs);
	/* programs that still run have ended behind this: it waits for all CPUs */
	syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
	if (probes->sums)
		probes_want_sums(probes);
	probes_take(probes, 0);
	take_unended(probes);
	if (probes->sums)
		run_for_tasks(probes->programs->progs.sums_left);
}

int probes_take(struct probes *probes, int milliseconds)
{
	int polled = ring_buffer__poll(probes->ring, milliseconds), taken;

	if (polled < 0 && polled != -EINTR)
		return polled;
	/* What was put in without a wake-up is not polled. */
	taken = ring_buffer__consume(probes->ring);
	if (probes->sums && late_rounds_due(&probes->rounds)) {
		late_rounds_turn(&probes->rounds);
		ring_buffer__consume(probes->ring);
		late_rounds_take(&probes->rounds, probes->event, probes->data);
	}
	return taken < 0 ? taken : taken + (polled > 0 ? polled : 0);
}

void probes_want_sums(struct probes *probes)
{
	probes->rounds.wanted = true;
}

int probes_counters(const struct probes *probes, uint64_t counters[COUNTERS])
{
	int fd = bpf_map__fd(probes->programs->maps.counters), cpus = libbpf_num_possible_cpus();
	uint64_t *values;

	if (cpus < 0)
		return cpus;
	values = calloc((size_t)cpus, sizeof(*values));
	if (!values)
		return -ENOMEM;
	for (uint32_t counter = 0; counter < COUNTERS; counter++) {
		counters[counter] = 0;
		if (!bpf_map_lookup_elem(fd, &counter, values))
			for (int cpu = 0; cpu < cpus; cpu++)
				counters[counter] += values[cpu];
	}
	free(values);
	return 0;
}

void probes_close(struct probes *probes)
{
	if (!probes)
		return;
	detach_functions(probes);
	ring_buffer__free(probes->ring);
	system_bpf__destroy(probes->programs);
	free(probes->held);
	free(probes->held_numbers);
	free(probes);
}

#else
int probes_open(struct probes **probes, const struct probe_options *options, char *why, size_t room)
{
	(void)probes, (void)options;
	snprintf(why, room, "this recorder was built without libbpf");
	return -ENOSYS;
}

const char *probes_missing(const struct probes *probes)
{
	(void)probes;
	return "";
}

int probes_follow(struct probes *probes, int pidfd)
{
	(void)probes, (void)pidfd;
	return -ENOSYS;
}

int probes_follow_functions(struct probes *probes, int task, char *why, size_t room)
{
	(void)probes, (void)task, (void)why, (void)room;
	return -ENOSYS;
}

void probes_process_begun(struct probes *probes, uint32_t number, int pid)
{
	(void)probes, (void)number, (void)pid;
}

void probes_process_ended(struct probes *probes, uint32_t number)
{
	(void)probes, (void)number;
}

int probes_tell(struct probes *probes, int pid)
{
	(void)probes, (void)pid;
	return -ENOSYS;
}

int probes_join(struct probes *probes)
{
	(void)probes;
	return -ENOSYS;
}

int probes_attach(struct probes *probes, char *why, size_t room)
{
	(void)probes, (void)why, (void)room;
	return -ENOSYS;
}

void probes_detach(struct probes *probes)
{
	(void)probes;
}

int probes_take(struct probes *probes, int milliseconds)
{
	(void)probes, (void)milliseconds;
	return -ENOSYS;
}

void probes_want_sums(struct probes *probes)
{
	(void)probes;
}

int probes_counters(const struct probes *probes, uint64_t counters[COUNTERS])
{
	(void)probes, (void)counters;
	return -ENOSYS;
}

void probes_close(struct probes *probes)
{
	(void)probes;
}
#endif
