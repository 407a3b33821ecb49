/* SPDX-License-Identifier: MIT */
/* kernelcheck.c - see kernelcheck.h */
#include "kernelcheck.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/io_uring.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bpf/probes.h"
#include "heldchild.h"
#include "json.h"
#include "message.h"
#include "system/nvml.h"

#define BLOCK 4096u
#define LOOKS 200     /* at most, for an event that comes later than the call */
#define LOOK_EVERY 20 /* ms */

/* What is tried, and what came of it. */
struct attempt {
	const char *name, *step; /* step: at which it failed, "" */
	int error;               /* errno, 0: it works */
	uint64_t events;
	char why[512];
};

/* What makes events ------------------------------------------------------------------- */

/* A file that is written to the disk, at once and by write-back, and is gone. */
static void write_to_disk(void)
{
	char path[] = "/var/tmp/recorder-check.XXXXXX";
	static const char block[BLOCK];
	int fd = mkstemp(path);

	if (fd < 0)
		return;
	if (write(fd, block, sizeof(block)) == BLOCK)
		fsync(fd);
	if (write(fd, block, sizeof(block)) == BLOCK)
		syncfs(fd);
	unlink(path);
	close(fd);
}

/* One request that does nothing. */
static void ask_the_ring(void)
{
	struct io_uring_params params = {0};
	int fd = (int)syscall(SYS_io_uring_setup, 1, &params);
	struct io_uring_sqe *entries;
	uint8_t *ring;
	size_t size;

	if (fd < 0)
		return;
	size = params.sq_off.array + params.sq_entries * sizeof(unsigned);
	ring = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, IORING_OFF_SQ_RING);
	entries = mmap(NULL, params.sq_entries * sizeof(*entries), PROT_READ | PROT_WRITE,
		       MAP_SHARED, fd, IORING_OFF_SQES);
	if (ring != MAP_FAILED && entries != MAP_FAILED) {
		entries[0] = (struct io_uring_sqe){.opcode = IORING_OP_NOP};
		*(unsigned *)(ring + params.sq_off.array) = 0;
		atomic_store((_Atomic unsigned *)(ring + params.sq_off.tail), 1);
		syscall(SYS_io_uring_enter, fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0);
	}
	close(fd);
}

/* One that is probed. */
static __attribute__((noinline)) void be_called(void)
{
	__asm__ volatile("" ::: "memory");
}

static void make_events(void)
{
	be_called();
	getppid();
	write_to_disk();
	ask_the_ring();
}

/* Programs in the kernel -------------------------------------------------------------- */

struct part {
	const char *name;
	uint32_t groups;
	bool calls, sums;
	unsigned kind;        /* of the events that it has to make */
	unsigned first, last; /* enum occurrence, of EVENT_OCCURRED */
};

static const struct part parts[] = {
	{"calls", EVENTS_CALLS, true, false, EVENT_CALL, 0, 0},
	{"sums", EVENTS_CALLS, false, true, EVENT_SUM, 0, 0},
	{"block", EVENTS_BLOCK, true, false, EVENT_OCCURRED, 0, OCCURRED_block_request},
	{"writeback", EVENTS_WRITEBACK, true, false, EVENT_OCCURRED, OCCURRED_writeback_inode,
	 OCCURRED_writeback_inode},
	{"iouring", EVENTS_URING, true, false, EVENT_OCCURRED, OCCURRED_io_uring_request,
	 OCCURRED_io_uring_request},
	{"page", EVENTS_PAGES, true, false, EVENT_OCCURRED, OCCURRED_page_cache_add,
	 OCCURRED_read_ahead},
	{"functions", 0, true, false, EVENT_FUNCTION, 0, 0},
};

struct counting {
	const struct part *part;
	uint64_t events;
};

static void count_event(void *data, const void *event, size_t size)
{
	const struct event_head *head = event;
	struct counting *counting = data;
	unsigned what;

	if (size < sizeof(*head) || head->kind != counting->part->kind)
		return;
	if (head->kind == EVENT_OCCURRED) {
		what = ((const struct occurrence_event *)event)->what;
		if (what < counting->part->first || what > counting->part->last)
			return;
	}
	counting->events++;
}

/* Where be_called() is, by what the system says of this process's memory. False: it says nothing. */
static bool find_function(struct probe_point *point, char path[PATH_MAX])
{
	unsigned long begin, end, offset, inode, address = (unsigned long)(uintptr_t)be_called;
	FILE *maps = fopen("/proc/self/maps", "re");
	bool found = false;
	char line[PATH_MAX + 128];
	int at;

	while (maps && !found && fgets(line, sizeof(line), maps)) {
		found = sscanf(line, "%lx-%lx %*s %lx %*s %lu %n", &begin, &end, &offset, &inode,
			       &at) == 4 &&
			address >= begin && address < end;
		if (found)
			snprintf(path, PATH_MAX, "%.*s", (int)strcspn(line + at, "\n"), line + at);
	}
	if (maps)
		fclose(maps);
	if (found)
		*point = (struct probe_point){
			.path = path,
			.place = {inode, address - begin + offset},
			.point = {0, POINT_BEGIN},
		};
	return found;
}

static bool fails(struct attempt *attempt, const char *step, int error)
{
	if (error < 0) {
		attempt->step = step;
		attempt->error = -error;
	}
	return error < 0;
}

/* A child makes events while the programs are there. */
static void watch_child(struct attempt *attempt, struct probes *probes, struct counting *counting)
{
	struct held_child child;
	pid_t pid = held_fork(&child);
	int fd;

	if (pid == 0) {
		make_events();
		_exit(0);
	}
	if (fails(attempt, "fork", pid))
		return;
	fd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (!fails(attempt, "pidfd", fd < 0 ? -errno : 0) &&
	    !fails(attempt, "follow", probes_follow(probes, fd)))
		fails(attempt, "attach", probes_attach(probes, attempt->why, sizeof(attempt->why)));
	if (!attempt->error)
		fails(attempt, "probe",
		      probes_follow_functions(probes, pid, attempt->why, sizeof(attempt->why)));
	if (fd >= 0)
		close(fd);
	held_release(&child);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	for (int i = 0; i < LOOKS && !attempt->error && counting->events == 0; i++)
		probes_take(probes, LOOK_EVERY);
	if (!attempt->error && counting->events == 0) /* what has not ended */
		probes_detach(probes);
}

static void try_part(struct attempt *attempt, const struct part *part)
{
	static struct call_rule rules[EVENT_CALLS_MAX];
	struct counting counting = {.part = part};
	struct probe_options wanted = {.ring_size = 1u << 20,
				       .rules = rules,
				       .groups = part->groups,
				       .calls = part->calls,
				       .sums = part->sums,
				       .interval = 1000000000,
				       .event = count_event,
				       .data = &counting};
	struct probes *probes = NULL;
	struct probe_point point;
	char path[PATH_MAX];

	for (unsigned i = 0; i < EVENT_CALLS_MAX; i++)
		rules[i].wanted = 1;
	if (part->kind == EVENT_FUNCTION) {
		if (fails(attempt, "find", find_function(&point, path) ? 0 : -ENOENT))
			return;
		wanted.points = &point;
		wanted.point_count = 1;
	}
	if (fails(attempt, "load",
		  probes_open(&probes, &wanted, attempt->why, sizeof(attempt->why))))
		return;
	if (*probes_missing(probes))
		snprintf(attempt->why, sizeof(attempt->why), "no tracepoints %s",
			 probes_missing(probes));
	watch_child(attempt, probes, &counting);
	probes_close(probes);
	attempt->events = counting.events;
	if (!attempt->error && counting.events == 0)
		fails(attempt, "event", -ENODATA);
}

/* What samplers read ------------------------------------------------------------------ */

static void try_file(struct attempt *attempt, const char *path)
{
	char text[64];
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (!fails(attempt, "open", fd < 0 ? -errno : 0) &&
	    !fails(attempt, "read", read(fd, text, sizeof(text)) < 0 ? -errno : 0))
		attempt->events = 1;
	if (fd >= 0)
		close(fd);
}

static void try_gpus(struct attempt *attempt)
{
	char missing[1024];
	unsigned count = 0;
	struct nvml nvml;

	if (!nvml_open(&nvml, attempt->why, sizeof(attempt->why), missing, sizeof(missing))) {
		fails(attempt, "load", -ENODEV);
		return;
	}
	if (fails(attempt, "count", nvml.count(&count) ? -EIO : count == 0 ? -ENODEV : 0))
		count = 0;
	attempt->events = count;
	nvml_close(&nvml);
}

/* All of it --------------------------------------------------------------------------- */

static void put(struct json *json, const struct attempt *attempt)
{
	json_begin(json, NULL, '{');
	json_put_string(json, "name", attempt->name);
	json_put_bool(json, "works", attempt->error == 0);
	json_put_integer(json, "errno", attempt->error);
	json_put_string(json, "error", attempt->error ? strerror(attempt->error) : "");
	json_put_string(json, "step", attempt->error ? attempt->step : "");
	json_put_string(json, "why", attempt->why);
	json_put_unsigned(json, "events", attempt->events);
	json_end(json, '}');
}

static unsigned put_kernel(struct json *json)
{
	unsigned working = 0;

	json_begin(json, "kernel", '[');
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		struct attempt attempt = {.name = parts[i].name};

		try_part(&attempt, &parts[i]);
		put(json, &attempt);
		working += attempt.error == 0;
	}
	json_end(json, ']');
	return working;
}

static void put_samplers(struct json *json)
{
	static const char *const files[] = {"/proc/stat",
					    "/proc/meminfo",
					    "/proc/diskstats",
					    "/proc/net/dev",
					    "/proc/pressure/cpu",
					    "/proc/pressure/io",
					    "/proc/pressure/memory",
					    "/proc/self/stat",
					    "/proc/self/io"};
	struct attempt gpus = {.name = "gpu"};

	json_begin(json, "samplers", '[');
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct attempt attempt = {.name = files[i]};

		try_file(&attempt, files[i]);
		put(json, &attempt);
	}
	try_gpus(&gpus);
	put(json, &gpus);
	json_end(json, ']');
}

void kernelcheck(void)
{
	struct utsname names = {0};
	struct output output;
	struct json json = {.output = &output};
	unsigned working;

	uname(&names);
	output_begin_stdout(&output);
	json_begin(&json, NULL, '{');
	json_put_string(&json, "release", names.release);
	json_put_string(&json, "machine", names.machine);
	json_put_unsigned(&json, "euid", geteuid());
	working = put_kernel(&json);
	put_samplers(&json);
	json_put_string(&json, "records", working ? "system calls and samples" : "samples alone");
	json_end(&json, '}');
	output_end(&output);
}
