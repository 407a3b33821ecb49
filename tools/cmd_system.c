/* SPDX-License-Identifier: MIT */
/*
 * cmd_system.c - recorder system: runs a command and records it from outside, by programs in the kernel: what a preload does not reach, too.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bpf/probes.h"
#include "commands.h"
#include "environment.h"
#include "message.h"
#include "options.h"
#include "process.h"
#include "program.h"
#include "rundir.h"
#include "runs.h"
#include "system/kernelcalls.h"
#include "system/watched.h"

#define STATUS_OWN_FAILURE 125
#define STATUS_NOT_EXECUTABLE 126
#define STATUS_NOT_FOUND 127
#define LOOK_EVERY 20               /* ms: at the ring */
#define FLUSH_AFTER 10000000000ull  /* ns: records that are older are written */
#define STRAGGLERS_WAIT 3000000000u /* ns: for what the command leaves behind */

static const char *directory;
static uint64_t ring_size = 16u << 20;

/* "16M", "64K", "1048576": a power of two, of at least a page. */
static int parse_ring(const char *value)
{
	char *end;
	unsigned long long number = strtoull(value, &end, 10);
	unsigned shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;

	if (shift > 0)
		end++;
	if (end == value || *end || number == 0 || number > UINT32_MAX >> shift)
		return -EINVAL;
	ring_size = number << shift;
	return ring_size >= 4096 && (ring_size & (ring_size - 1)) == 0 ? 0 : -EINVAL;
}

static const struct option_row option_rows_system[] = {
	{OPTION_TEXT, 'o', "output", "DIR", "trace directory (recorder-PROGRAM-JOB)", &directory,
	 NULL},
	{OPTION_CALL, 0, "ring", "SIZE", "room for events in the kernel, a power of two (16M)",
	 NULL, parse_ring},
	OPTION_ROWS_END,
};

static const struct option_group groups[] = {{"options", option_rows_system},
					     {"general", option_rows_general},
					     {NULL, NULL}};

static const struct command command = {
	.name = "recorder system",
	.synopsis = "[options] [--] CMD [ARGS...]",
	.summary = "Runs CMD and records the system calls of it and of all that it starts, by "
		   "programs in the kernel (eBPF):\n"
		   "static programs and direct system calls are seen, too. Needs root, or "
		   "CAP_BPF and CAP_PERFMON.\n"
		   "The exit status and the signal are CMD's; 125: recorder itself failed.",
	.groups = groups,
	.examples = "  recorder system -- ./static-app\n"
		    "  recorder system -o trace -- mpirun -np 4 ./app\n"
		    "  recorder2text trace | grep ' kernel '\n",
	.stops_at_operand = true,
};

/* What is kept of each system call in the kernel. */
static void make_rules(struct call_rule rules[EVENT_CALLS_MAX])
{
	for (unsigned number = 0; number < EVENT_CALLS_MAX; number++) {
		const struct kernel_call *call = kernel_call(number);

		rules[number] = (struct call_rule){.wanted = 1};
		if (!call)
			continue;
		rules[number].descriptor = call->descriptor;
		rules[number].text = call->text;
		rules[number].makes = call->makes;
	}
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void take_event(void *data, const void *event, size_t size)
{
	watched_event(data, event, size);
}

/* The command ---------------------------------------------------------------------- */

struct child {
	pid_t pid;
	int go; /* what it waits for to be closed */
};

static _Noreturn void become_command(char **argv, int go)
{
	char path[PATH_MAX], byte;
	int error = program_find(argv[0], path, sizeof(path));

	while (read(go, &byte, 1) < 0 && errno == EINTR)
		;
	close(go);
	if (!error) {
		execv(path, argv);
		error = -errno;
	}
	message_error("cannot run '%s': %s", argv[0], strerror(-error));
	_exit(error == -ENOENT || error == -ENOTDIR ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE);
}

static struct child start(char **argv)
{
	struct child child;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		die("cannot make a pipe: %s", strerror(errno));
	fflush(NULL);
	child.pid = fork();
	if (child.pid < 0)
		die("cannot fork: %s", strerror(errno));
	if (child.pid == 0) {
		close(ends[1]);
		become_command(argv, ends[0]);
	}
	close(ends[0]);
	child.go = ends[1];
	return child;
}

/* The waiting child is followed from its first call on. */
static int follow(struct probes *probes, struct watched *watched, pid_t pid)
{
	/* /proc has it in clock ticks of 10 ms */
	struct watched_facts facts = {.pid = (uint32_t)pid,
				      .ppid = (uint32_t)getpid(),
				      .start_boottime = process_start((uint32_t)pid) * 10000000,
				      .start = now_ns(),
				      .rank = job_rank()};
	int fd = (int)syscall(SYS_pidfd_open, pid, 0), error;

	if (fd < 0)
		return -errno;
	error = probes_follow(probes, fd);
	close(fd);
	return error ? error : watched_process(watched, &facts, now_ns(), true);
}

/* Meanwhile ------------------------------------------------------------------------ */

static volatile sig_atomic_t command_pid;

static void forward(int signal)
{
	int error = errno;

	if (command_pid > 0)
		kill(command_pid, signal);
	errno = error;
}

static void handle_signals(void)
{
	struct sigaction pass = {.sa_handler = forward, .sa_flags = SA_RESTART};
	struct sigaction ignore = {.sa_handler = SIG_IGN};

	sigaction(SIGTERM, &pass, NULL);
	sigaction(SIGHUP, &pass, NULL);
	/* the terminal sends these to the command, too */
	sigaction(SIGINT, &ignore, NULL);
	sigaction(SIGQUIT, &ignore, NULL);
}

/* Until the command has ended, and what it started, or that goes on for long. Its wait status. */
static int watch(struct probes *probes, struct watched *watched, pid_t pid)
{
	uint64_t deadline = UINT64_MAX;
	int status = 0;

	for (;;) {
		uint64_t now = now_ns();

		if (probes_take(probes, LOOK_EVERY) < 0)
			break;
		watched_flush(watched, now > FLUSH_AFTER ? now - FLUSH_AFTER : 0);
		if (deadline == UINT64_MAX && waitpid(pid, &status, WNOHANG) == pid)
			deadline = now + STRAGGLERS_WAIT;
		if (deadline != UINT64_MAX && (watched_alive(watched) == 0 || now > deadline))
			break;
	}
	if (deadline == UINT64_MAX)
		waitpid(pid, &status, 0);
	return status;
}

/* After ---------------------------------------------------------------------------- */

static void say_counts(const uint64_t counters[COUNTERS], const struct watched *watched,
		       const char *path)
{
	struct watched_counts counts = watched_counts(watched);

	if (counters[COUNTER_LOST] > 0)
		message_warn("%" PRIu64
			     " calls were lost, as the ring was full: --ring makes it larger",
			     counters[COUNTER_LOST]);
	if (counters[COUNTER_NO_MEMORY] > 0)
		message_warn("%" PRIu64 " threads could not be followed, for want of memory",
			     counters[COUNTER_NO_MEMORY]);
	message_note("%" PRIu64 " system calls of %" PRIu64 " processes in %s", counts.records,
		     counts.processes, path);
}

static _Noreturn void end_as(int status)
{
	if (WIFSIGNALED(status)) {
		struct sigaction plain = {.sa_handler = SIG_DFL};

		sigaction(WTERMSIG(status), &plain, NULL);
		raise(WTERMSIG(status));
		exit(128 + WTERMSIG(status));
	}
	exit(WEXITSTATUS(status));
}

struct recording {
	struct watch_place place;
	struct watched *watched;
	struct probes *probes;
	char path[PATH_MAX], run_id[512];
};

static void prepare(struct recording *recording, char **argv)
{
	static struct call_rule rules[EVENT_CALLS_MAX];
	struct probe_options asked_for = {.ring_size = ring_size,
					  .rules = rules,
					  .event = take_event};
	char *asked = directory ? environment_directory(directory) : run_default_directory(argv);
	char why[512];
	int error, fd;

	run_id_make(recording->run_id, sizeof(recording->run_id));
	fd = rundir_open(asked, recording->run_id, argv[0], recording->path);
	if (fd < 0)
		die("cannot make '%s': %s", asked, strerror(-fd));
	free(asked);
	error = watch_place_init(&recording->place, fd, recording->run_id);
	recording->watched = error ? NULL : watched_new(&recording->place);
	if (!recording->watched)
		die("out of memory");
	make_rules(rules);
	asked_for.data = recording->watched;
	error = probes_open(&recording->probes, &asked_for, why, sizeof(why));
	if (error)
		die("cannot record from the kernel: %s%s%s", strerror(-error), *why ? ": " : "",
		    why);
}

int cmd_system(int argc, char **argv)
{
	struct recording recording;
	uint64_t counters[COUNTERS] = {0};
	struct child child;
	char why[512];
	int first = options_parse(&command, argc, argv), error, status;

	if (first == argc)
		options_usage_error(&command, "a command to run is needed");
	message_failed = STATUS_OWN_FAILURE;
	prepare(&recording, argv + first);
	child = start(argv + first);
	command_pid = child.pid;
	handle_signals();
	error = follow(recording.probes, recording.watched, child.pid);
	if (!error)
		error = probes_attach(recording.probes, why, sizeof(why));
	if (error)
		message_warn("nothing is recorded: %s", strerror(-error));
	close(child.go);
	status = watch(recording.probes, recording.watched, child.pid);
	probes_detach(recording.probes);
	probes_take(recording.probes, 0);
	probes_counters(recording.probes, counters);
	say_counts(counters, recording.watched, recording.path);
	watched_free(recording.watched, counters[COUNTER_LOST]);
	close(recording.place.dir_fd);
	watch_place_release(&recording.place);
	probes_close(recording.probes);
	end_as(status);
}
