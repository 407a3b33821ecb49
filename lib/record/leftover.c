/* SPDX-License-Identifier: MIT */
/* leftover.c - see leftover.h. Works by raw system calls: it may run in a signal handler that ends the program. */
#include "record/leftover.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "format/bytes.h"
#include "format/variable.h"
#include "format/wire.h"
#include "record/bulk.h"
#include "record/config.h"
#include "record/folder.h"
#include "record/identity.h"
#include "record/note.h"
#include "record/procstat.h"
#include "record/signals.h"
#include "record/sys.h"
#include "record/text.h"

#define DEATHS_MAX 1024
#define TRACES_MAX 16     /* trace directories of one launcher that are completed */
#define STRAGGLE_WAITS 60 /* for ranks that are just being killed, at most */
#define FOLD_SECONDS 60
#define WAIT_NS 50000000

/* A walk over the live files of the ranks that this process started. */
struct search {
	char prefix[40]; /* of directories of live files */
	uint64_t pid_ns;
	uint32_t launcher;
	unsigned dying;       /* ranks that have not ended yet */
	char trace[PATH_MAX]; /* of one that has, "" none */
};

/* The newest children that have ended. */
static struct death {
	uint32_t pid;
	uint64_t time; /* Unix ns */
} deaths[DEATHS_MAX] BULK;

static _Atomic unsigned death_count;
static int64_t started; /* CLOCK_MONOTONIC, 0: not a launcher */
static struct search search BULK;

void leftover_init(void)
{
	started = sys_clock_ns(CLOCK_MONOTONIC);
}

void leftover_note_death(uint32_t pid)
{
	unsigned number;

	if (!started)
		return;
	number = atomic_fetch_add(&death_count, 1) % DEATHS_MAX;
	deaths[number] = (struct death){pid, (uint64_t)sys_clock_ns(CLOCK_REALTIME)};
}

/* 0: not known, or no child of ours. */
static uint64_t time_of_death(uint32_t pid)
{
	uint64_t newest = 0;

	for (unsigned i = 0; i < DEATHS_MAX; i++)
		if (deaths[i].pid == pid && deaths[i].time > newest)
			newest = deaths[i].time;
	return newest;
}

/* Finding them -------------------------------------------------------------------- */

/*
 * Whether a process is at work or being killed. A main thread that has ended is a zombie also while others of its process go on: nobody may
 * complete the stream yet.
 */
static bool is_there(const struct process_stat *stat)
{
	if (stat->state == 'Z' || stat->state == 'X')
		return stat->threads > 1;
	return stat->state != '\0';
}

/* Whether the arena is that of a process below a rank that this process started: not an earlier process of its number. */
static bool is_ours(const uint8_t *arena, const struct arena_header *header)
{
	uint64_t pid_ns;

	memcpy(&pid_ns, arena + ARENA_PID_NS, sizeof(pid_ns));
	return (pid_ns == 0 || pid_ns == search.pid_ns) &&
	       !memcmp(header->magic, ARENA_MAGIC, sizeof(header->magic)) &&
	       header->launcher == search.launcher && header->anchor.mono >= started;
}

static void take_trace(const uint8_t *arena)
{
	struct bytes rest = bytes_of(arena + ARENA_TRACE_DIR, ARENA_TRACE_DIR_MAX + 2);
	struct text found = bytes_str(&rest);
	struct textbuf trace = text_in(search.trace, sizeof(search.trace));

	if (!rest.bad)
		text_add_bytes(&trace, found.bytes, found.length);
}

/* Tells who completes the stream, which may be anybody, when its process died. */
static void write_death(int directory, const char *name, uint64_t time)
{
	int fd = time ? sys_openat(directory, name, O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0) : -1;

	if (fd < 0)
		return;
	sys_call(SYS_pwrite64, fd, (long)&time, sizeof(time), ARENA_DEATH, 0, 0);
	sys_close(fd);
}

static bool look_at_arena(int directory, const char *name, void *unused)
{
	uint8_t arena[LIVE_HEADER_SIZE];
	struct arena_header header;
	size_t length = strlen(name);
	struct process_stat stat;
	int fd;

	(void)unused;
	if (length < 5 || strcmp(name + length - 5, ".defs") != 0)
		return true;
	fd = sys_openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0);
	if (fd < 0)
		return true;
	length = sys_read(fd, arena, sizeof(arena)) == sizeof(arena);
	sys_close(fd);
	memcpy(&header, arena, sizeof(header));
	if (!length || !is_ours(arena, &header))
		return true;
	stat = process_stat_of(header.pid);
	if (is_there(&stat)) {
		search.dying += stat.parent == search.launcher;
		return true;
	}
	take_trace(arena);
	write_death(directory, name, time_of_death(header.pid));
	return true;
}

static bool look_at_run(int parent, const char *name, void *unused)
{
	(void)unused;
	if (!strncmp(name, search.prefix, strlen(search.prefix)))
		folder_each(parent, name, look_at_arena, NULL);
	return true;
}

/* Sets search.trace and search.dying. The places are those of live_open(). */
static void find_leftovers(void)
{
	const char *const places[] = {"/dev/shm", variable_get("TMPDIR"), "/tmp"};

	search.trace[0] = '\0';
	search.dying = 0;
	if (config.live_dir)
		folder_each(AT_FDCWD, config.live_dir, look_at_run, NULL);
	for (size_t i = 0; !config.live_dir && i < sizeof(places) / sizeof(places[0]); i++)
		if (places[i] && *places[i])
			folder_each(AT_FDCWD, places[i], look_at_run, NULL);
}

/* Completing them ------------------------------------------------------------------- */

/* Path of the program `recorder` that belongs to this library; false: there is none. */
static bool find_program(char path[PATH_MAX])
{
	/* as seen from the library: in the build tree, installed, and installed below lib/CPU-OS */
	static const char *const places[] = {"/../tools/recorder", "/../bin/recorder",
					     "/../../bin/recorder"};
	static char library[PATH_MAX] BULK;
	Dl_info self;
	char *slash;

	if (dladdr(&started, &self) && self.dli_fname && realpath(self.dli_fname, library) &&
	    (slash = strrchr(library, '/'))) {
		*slash = '\0';
		for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
			struct textbuf text = text_in(path, PATH_MAX);

			text_add(&text, library);
			text_add(&text, places[i]);
			if (!text.cut && !sys_access(path, X_OK))
				return true;
		}
	}
	memcpy(path, RECORDER_BINDIR "/recorder", sizeof(RECORDER_BINDIR "/recorder"));
	return !sys_access(path, X_OK);
}

static long fork_quietly(void)
{
	/* no signal at its end, and none of the handlers of fork() */
	return sys_call(SYS_clone, 0, 0, 0, 0, 0, 0);
}

static void pause_briefly(void)
{
	struct timespec pause = {0, WAIT_NS};

	sys_call(SYS_nanosleep, (long)&pause, 0, 0, 0, 0, 0);
}

/* Waits for a child; false if it takes too long. */
static bool wait_for(long child, unsigned seconds)
{
	for (uint64_t waited = 0; waited < seconds * 1000000000ull; waited += WAIT_NS) {
		if (sys_call(SYS_wait4, child, 0, WNOHANG | __WALL, 0, 0, 0) != 0)
			return true; /* it has ended, or the kernel has reaped it already */
		pause_briefly();
	}
	return false;
}

/* In a process of its own. */
static _Noreturn void become_repair(const char *program, const char *trace)
{
	const char *const argv[] = {program, "repair", "-q", "--died", "now", trace, NULL};
	uint64_t none = 0;
	char **to = environ;
	int null = sys_open("/dev/null", O_RDWR, 0);

	sys_sigprocmask(SIG_SETMASK, &none, NULL);
	sys_call(SYS_dup3, null, STDIN_FILENO, 0, 0, 0, 0);
	sys_call(SYS_dup3, null, STDOUT_FILENO, 0, 0, 0, 0);
	sys_call(SYS_close_range, STDERR_FILENO + 1, ~0u, 0, 0, 0, 0);
	for (char **from = environ; from && *from; from++)
		if (strncmp(*from, "LD_PRELOAD=", 11) != 0)
			*to++ = *from;
	if (to)
		*to = NULL;
	sys_call(SYS_execve, (long)program, (long)argv, (long)environ, 0, 0, 0);
	sys_call(SYS_exit_group, 1, 0, 0, 0, 0, 0);
	__builtin_unreachable();
}

/*
 * A program started by execve(2) tells its parent by SIGCHLD when it ends, whatever the parent asked for. So
 * a process between takes that: the launcher's handlers and its waiting for any child see nothing.
 */
static _Noreturn void watch_over(const char *program, const char *trace)
{
	long child = fork_quietly();

	if (child == 0)
		become_repair(program, trace);
	if (child > 0 && !wait_for(child, FOLD_SECONDS))
		sys_call(SYS_kill, child, SIGKILL, 0, 0, 0, 0);
	sys_call(SYS_exit_group, 0, 0, 0, 0, 0, 0);
	__builtin_unreachable();
}

static void repair(const char *program, const char *trace)
{
	uint64_t blocked = signals_block();
	long child;

	child = fork_quietly();
	if (child == 0)
		watch_over(program, trace);
	signals_restore(blocked);
	if (child > 0)
		wait_for(child, FOLD_SECONDS + 1);
}

/* A launcher may end a moment before the last of the ranks that it kills. */
static void wait_for_dying(void)
{
	find_leftovers();
	for (unsigned i = 0; i < STRAGGLE_WAITS && search.dying > 0; i++) {
		pause_briefly();
		find_leftovers();
	}
}

void leftover_fold(void)
{
	static char program[PATH_MAX] BULK, last[PATH_MAX] BULK;
	struct textbuf prefix = text_in(search.prefix, sizeof(search.prefix));

	text_add(&prefix, "recorder-");
	text_add_u64(&prefix, geteuid());
	text_add(&prefix, "-");
	search.pid_ns = identity_pid_ns();
	search.launcher = (uint32_t)sys_getpid(); /* it may have forked since it began */
	wait_for_dying();
	if (search.trace[0] && !find_program(program)) {
		note("killed processes left records in memory: run 'recorder repair ", search.trace,
		     "' on this machine", NULL);
		return;
	}
	/* what is completed is not found again */
	for (unsigned i = 0; i < TRACES_MAX && search.trace[0] && strcmp(search.trace, last); i++) {
		memcpy(last, search.trace, sizeof(last));
		repair(program, last);
		find_leftovers();
	}
}
