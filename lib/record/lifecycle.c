/* SPDX-License-Identifier: MIT */
/* lifecycle.c - start, open, fork, exit. */
#include "record/lifecycle.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "record/arena.h"
#include "record/budget.h"
#include "record/call.h"
#include "record/clock.h"
#include "record/config.h"
#include "record/control.h"
#include "record/define.h"
#include "record/descriptors.h"
#include "record/ending.h"
#include "record/files.h"
#include "record/glibc.h"
#include "record/identity.h"
#include "record/leftover.h"
#include "record/live.h"
#include "record/memsums.h"
#include "record/metadata.h"
#include "record/modules.h"
#include "record/note.h"
#include "record/overhead.h"
#include "record/pathfilter.h"
#include "record/sandbox.h"
#include "record/sanitizer.h"
#include "record/regions.h"
#include "record/scope.h"
#include "record/scratch.h"
#include "record/seal.h"
#include "record/segment.h"
#include "record/selection.h"
#include "record/signals.h"
#include "record/sources.h"
#include "record/stacks.h"
#include "record/stage.h"
#include "record/stream.h"
#include "record/sys.h"
#include "record/targets.h"
#include "record/thread.h"
#include "record/tracedir.h"
#include "record/untraced.h"
#include "record/variables.h"
#include "record/verbose.h"
#include "record/workdir.h"

enum start { START_NOT, START_PASSIVE, START_LAUNCHER, START_ACTIVE };
static _Atomic(enum start) start; /* set last: by then everything is ready for other threads */
static pthread_once_t start_once = PTHREAD_ONCE_INIT;

static void set_min_ticks(void)
{
	struct anchor first, now;

	if (!config.min_duration)
		return;
	first = clock_first_anchor();
	/* what a tick is worth cannot wait here; a tenth of a millisecond tells it well enough */
	do
		now = clock_anchor();
	while (now.mono - first.mono < 100000);
	call_min_ticks = clock_ticks_in((int64_t)config.min_duration, &first, &now);
}

static bool make_active(void)
{
	if (!stage_init() || !files_init()) {
		verbose_passive("no memory");
		return false;
	}
	identity_complete();
	identity_export();
	tracedir_export();
	clock_init();
	selection_apply();
	if (identity.rank == 0 && !config.main_pid) /* once for the whole job */
		selection_warn();
	pathfilter_init();
	set_min_ticks();
	stacks_init((uint32_t)config.stacks);
	if (config.paused)
		control_pause(true);
	untraced_init();
	thread_init();
	stage_word->original = true;
	return true;
}

static enum start start_as(void)
{
	if (!config.enable) {
		verbose_passive("RECORDER_ENABLE is 0");
		return START_PASSIVE;
	}
	if (!glibc_is_here()) {
		verbose_passive("its libc is not glibc");
		return START_PASSIVE;
	}
	if (identity_is_launcher()) {
		leftover_init();
		verbose_passive("it is a launcher of ranks");
		return START_LAUNCHER;
	}
	if (identity_is_prolog()) {
		static char disable[] = "RECORDER_ENABLE=0";

		variable_put(disable); /* nor is what it starts; the rank does not get this */
		verbose_passive("it is the prolog of a task");
		return START_PASSIVE;
	}
	if (!selection_has_process()) {
		verbose_passive("RECORDER_RANKS or RECORDER_PROGRAMS leaves it out");
		return START_PASSIVE;
	}
	return make_active() ? START_ACTIVE : START_PASSIVE;
}

/* Maybe inside of an allocator that has made a traced call: nothing here may allocate. */
static void start_process(void)
{
	enum start as = START_PASSIVE;

	runtime_enter();
	config_init();
	symbol_resolve_eager();
	/* else it may be under a seccomp filter (sandbox.h): no system call is made */
	if (config.enable || config.verbose) {
		int64_t begin = overhead_begin();

		note_init();
		identity_init();
		as = start_as();
		overhead_end(begin);
	}
	if (as != START_ACTIVE)
		selection_none();
	else
		memsums_start();
	start = as;
	runtime_leave();
}

bool lifecycle_start(void)
{
	/* AddressSanitizer makes calls before libc has the environment: those are none of the program's. */
	if (start == START_NOT && environ)
		pthread_once(&start_once, start_process);
	return start == START_ACTIVE;
}

/* One line for the whole job, not for each of its processes. */
static void complain(int error)
{
	if (identity.rank != 0 || !identity.main)
		return;
	note("cannot write a trace to ", tracedir_path, ": ", strerrordesc_np(-error),
	     "; the program runs untraced", NULL);
}

static void after_fork(void)
{
	identity_forked();
	clock_forked();
	stream_forked();
	arena_forked();
	thread_forked();
	live_forked();
	files_forked();
	descriptors_forked();
	workdir_forked();
	modules_forked();
	scratch_forked();
	seal_forked();
	budget_forked();
	control_forked();
	segment_forked();
	definitions_forked();
	targets_forked();
	overhead_forked();
	scopes_forked();
	stacks_forked();
}

static bool open_stream(void)
{
	int64_t begin;
	int error;

	if (!stage_word->original)
		after_fork();
	stage_word->original = true;
	begin = overhead_begin();
	seal_init();
	error = stream_open();
	if (error) {
		complain(error);
		selection_none();
		return false;
	}
	pathfilter_set_own(tracedir_path, live_directory());
	modules_begin();
	untraced_libraries();
	descriptors_inherited();
	verbose_opened();
	overhead_end(begin);
	return true;
}

/* Signals wait: the calls of a handler would not be recorded, and one that ends the process would leave a stream that nobody opens. */
static void open_once(uint32_t tid)
{
	uint64_t blocked = signals_block();

	if (stage_go_on(STAGE_NONE, STAGE_OPENING)) {
		atomic_store(&stage_word->opener, tid);
		stage_set(open_stream() ? STAGE_OPEN : STAGE_FAILED);
	}
	signals_restore(blocked);
}

bool lifecycle_open(void)
{
	uint32_t tid;

	if (!lifecycle_start())
		return false;
	if (stage_now() >= STAGE_OPEN)
		return stage_now() != STAGE_FAILED;
	if (sandbox_active())
		return false;
	tid = (uint32_t)sys_gettid();
	if (stage_now() == STAGE_NONE)
		open_once(tid);
	while (stage_now() == STAGE_OPENING) {
		if (atomic_load(&stage_word->opener) == tid)
			return false;
		sys_sched_yield();
	}
	return stage_now() != STAGE_FAILED;
}

bool lifecycle_is_active(void)
{
	return start == START_ACTIVE;
}

bool lifecycle_is_recording(void)
{
	return start == START_ACTIVE && stage_now() == STAGE_OPEN;
}

bool lifecycle_has_ended(void)
{
	enum stage stage = stage_now();

	return stage >= STAGE_ENDING && stage <= STAGE_ENDED;
}

void lifecycle_forked_child(void)
{
	if (start == START_ACTIVE && !sandbox_active()) /* the counter may be forbidden, too */
		identity_begins();
	regions_forked();
	sources_forked();
	thread_detach();
}

static void end_process(enum close_for what, const char *how, int status)
{
	ending_end(what, how, status);
	if (start == START_LAUNCHER)
		leftover_fold();
}

void lifecycle_exit(const char *how, int status)
{
	end_process(CLOSE_FOR_END, how, status);
}

void lifecycle_exit_at_once(const char *how, int status)
{
	end_process(CLOSE_AT_ONCE, how, status);
}

void lifecycle_mpi_initialized(int rank, int size, const char *library_version)
{
	identity_set_rank(rank, size);
	metadata_set_mpi(library_version);
}

void lifecycle_mpi_finalized(void)
{
	metadata_set_mpi_finalized();
}

void lifecycle_pause(bool pause)
{
	if (start == START_ACTIVE)
		control_pause(pause);
}

static void at_exit(int status, void *unused)
{
	(void)unused;
	sanitizer_forget_left();
	lifecycle_exit("exit", status);
}

static bool ends_by_handler;

/*
 * exit() tells the status to handlers, and runs the one that was registered first last: after the destructors of all libraries, so what these do
 * is recorded, too. Not in the first traced call, as it may allocate.
 */
void lifecycle_expect_exit(void)
{
	if (!ends_by_handler && start > START_PASSIVE)
		ends_by_handler = !on_exit(at_exit, NULL);
}

__attribute__((constructor)) static void constructor(void)
{
	lifecycle_start();
	lifecycle_expect_exit();
}

__attribute__((destructor)) static void destructor(void)
{
	if (!ends_by_handler)
		at_exit(0, NULL);
}
