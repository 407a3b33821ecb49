/* SPDX-License-Identifier: MIT */
/* lifecycle.c - start, open, fork, exec, end. */
#include "record/lifecycle.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "record/arena.h"
#include "record/budget.h"
#include "record/bulk.h"
#include "record/call.h"
#include "record/clock.h"
#include "record/config.h"
#include "record/control.h"
#include "record/define.h"
#include "record/descriptors.h"
#include "record/files.h"
#include "record/glibc.h"
#include "record/identity.h"
#include "record/leftover.h"
#include "record/live.h"
#include "record/loss.h"
#include "record/memsums.h"
#include "record/metadata.h"
#include "record/modules.h"
#include "record/note.h"
#include "record/open_calls.h"
#include "record/overhead.h"
#include "record/pathfilter.h"
#include "record/patience.h"
#include "record/ring.h"
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
#include "record/stream.h"
#include "record/sys.h"
#include "record/targets.h"
#include "record/thread.h"
#include "record/tracedir.h"
#include "record/untraced.h"
#include "record/variables.h"
#include "record/verbose.h"
#include "record/wipe.h"
#include "record/workdir.h"

enum stage {
	STAGE_NONE = 0, /* no stream yet; also in a forked child, which finds this wiped */
	STAGE_OPENING,
	STAGE_OPEN,
	STAGE_ENDING, /* a thread seals all; from here on those that go on write through */
	STAGE_LEFT,   /* sealed, for an exec that may still fail */
	STAGE_ENDED,  /* sealed */
	STAGE_FAILED,
};

/* In wiped memory. */
static struct stage_word {
	_Atomic uint32_t stage;
	_Atomic uint32_t opener; /* tid */
	_Atomic uint32_t ender;  /* tid of who seals, and leaves: 0 again when it has stayed */
	bool original;           /* what start_process() found out is of this very process */
} * word;

enum start { START_NOT, START_PASSIVE, START_LAUNCHER, START_ACTIVE };
static _Atomic(enum start) start; /* set last: by then everything is ready for other threads */
static bool rings_sealed;         /* at the end */
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
	word = wipe_alloc(sizeof(*word));
	if (!word || !files_init()) {
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
	word->original = true;
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

	if (!word->original)
		after_fork();
	word->original = true;
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

static bool go_on(uint32_t from, uint32_t to)
{
	return atomic_compare_exchange_strong(&word->stage, &from, to);
}

/* Signals wait: the calls of a handler would not be recorded, and one that ends the process would leave a stream that nobody opens. */
static void open_once(uint32_t tid)
{
	uint64_t blocked = signals_block();

	if (go_on(STAGE_NONE, STAGE_OPENING)) {
		atomic_store(&word->opener, tid);
		atomic_store(&word->stage, open_stream() ? STAGE_OPEN : STAGE_FAILED);
	}
	signals_restore(blocked);
}

bool lifecycle_open(void)
{
	uint32_t tid;

	if (!lifecycle_start())
		return false;
	if (atomic_load(&word->stage) >= STAGE_OPEN)
		return atomic_load(&word->stage) != STAGE_FAILED;
	if (sandbox_active())
		return false;
	tid = (uint32_t)sys_gettid();
	if (atomic_load(&word->stage) == STAGE_NONE)
		open_once(tid);
	while (atomic_load(&word->stage) == STAGE_OPENING) {
		if (atomic_load(&word->opener) == tid)
			return false;
		sys_sched_yield();
	}
	return atomic_load(&word->stage) != STAGE_FAILED;
}

bool lifecycle_is_recording(void)
{
	return start == START_ACTIVE && atomic_load(&word->stage) == STAGE_OPEN;
}

bool lifecycle_has_ended(void)
{
	uint32_t stage = atomic_load(&word->stage);

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

/* Completes the files and removes the live ones, unless something is left in them that could not be written. */
static void finish_stream(const char *how, int status)
{
	loss_write(0);
	if (!rings_sealed || !seal_owed_definitions())
		return;
	seal_write_end();
	if (metadata_write_end(how, status))
		return;
	live_shut(); /* or a thread that begins just now would make one that stays */
	ring_unlink_all();
	arena_unlink();
	live_close();
}

/* Whether the stream, if there is one, is the calling process's. */
static bool is_recorded(void)
{
	return start == START_ACTIVE && identity_is_own();
}

/* Seals all rings, once. */
static bool close_stream(enum close_for what)
{
	if (!is_recorded() || !go_on(STAGE_OPEN, STAGE_ENDING))
		return false;
	atomic_store(&word->ender, (uint32_t)sys_gettid());
	segment_stop(true);
	rings_sealed = thread_close_all(what);
	return true;
}

/* Threads that begin wait as for the one that opens the stream, and so do others that end it. */
static bool begin_reopening(uint32_t from)
{
	atomic_store(&word->opener, (uint32_t)sys_gettid());
	return go_on(from, STAGE_OPENING);
}

/* Calls go to rings again. */
static void reopen_stream(void)
{
	segment_stop(false);
	thread_reopen_all();
	atomic_store(&word->ender, 0);
	atomic_store(&word->stage, STAGE_OPEN);
}

/* Whether another thread is opening or ending the stream, or has left it by an exec that has not failed so far. */
static bool others_are_at(uint32_t stage)
{
	uint32_t tid = (uint32_t)sys_gettid();

	if (stage == STAGE_OPENING)
		return atomic_load(&word->opener) != tid;
	return (stage == STAGE_ENDING || stage == STAGE_LEFT) && atomic_load(&word->ender) != tid;
}

/* Who ends the process now would cut them short: waits as long as they get on. Returns the stage then. */
static uint32_t wait_for_others(void)
{
	struct patience patience = {0};
	uint64_t bytes = 0;
	uint32_t stage;

	while (stage = atomic_load(&word->stage), others_are_at(stage)) {
		if (stage == STAGE_ENDING && stream_bytes() != bytes) {
			bytes = stream_bytes();
			patience = (struct patience){0};
		}
		if (!patience_wait(&patience))
			break;
	}
	return stage;
}

/* Where the record of the leaving call lies in the .rec, to be taken back if it fails. */
static struct {
	uint64_t before, after; /* sizes of the file; 0: nothing to be taken back */
	uint64_t last_end;
	uint64_t record[RECORD_MAX_SIZE / 8]; /* a handler may put calls together in its place */
} leaving BULK;

static void leave_stream(const char *how, struct call *call)
{
	uint64_t stored, flushed, appended;

	leaving.before = leaving.after = 0;
	if (call) {
		loss_write(call->thread->index); /* before what comes after it */
		/* what is not written now would be taken back, too */
		leaving.before = seal_definitions() ? stream_size() : 0;
		leaving.last_end = call->thread->last_end;
	}
	appended = stream_own_bytes();
	flushed = arena_flushed();
	stored = arena_stored();
	if (call)
		call_store_noreturn(call); /* after close_stream() it goes straight to the file */
	if (arena_stored() == stored)      /* or is counted as lost */
		leaving.before = 0;
	finish_stream(how, 0);
	if (call) {
		memcpy(leaving.record, call->record, call->record->size);
		leaving.after = stream_size();
	}
	if (leaving.after - leaving.before != stream_own_bytes() - appended ||
	    flushed != arena_flushed())
		leaving.before = 0; /* what others have appended is to stay, or is defined there */
	atomic_store(&word->stage, STAGE_LEFT);
}

void lifecycle_leaving(const char *how, struct call *call)
{
	bool recorded = is_recorded();
	uint64_t blocked = recorded ? signals_block() : SIGNALS_UNTOUCHED;

	if (close_stream(CLOSE_FOR_EXEC)) {
		leave_stream(how, call);
	} else {
		if (call)
			call_store_noreturn(call);
		if (recorded)
			wait_for_others(); /* not before: they may be waiting for the call */
	}
	signals_restore(blocked);
}

/* The stream goes on as if nothing had been, if it was the calling thread that had left it. */
static bool resume_stream(void)
{
	if (!is_recorded() || atomic_load(&word->ender) != (uint32_t)sys_gettid() ||
	    !begin_reopening(STAGE_LEFT))
		return false;
	metadata_write_resumed();
	if (thread_count() == 1) { /* with more of them, what follows is not crash-safe */
		ring_restore_all();
		arena_restore();
	}
	reopen_stream();
	return true;
}

static bool take_back(void *call)
{
	const struct thread *thread = ((struct call *)call)->thread;

	return stream_take_back(leaving.before, leaving.after, thread->index,
				thread->sequence_base - 1);
}

/* The thread is busy: another one may end the process as soon as the stream is open, and waits for it. */
static void call_stayed(struct call *call, int err)
{
	if (!resume_stream()) {
		call_correct_stored(call, err);
	} else if (leaving.before && segment_alone(take_back, call)) {
		memcpy(call->record, leaving.record, ((struct raw_record *)leaving.record)->size);
		seal_undone(call->thread, call->record->function, leaving.last_end);
		call_store_failed(call, err);
	}
	thread_set_idle(call->thread);
}

void lifecycle_stayed(struct call *call, int err)
{
	uint64_t blocked = is_recorded() ? signals_block() : SIGNALS_UNTOUCHED;

	if (call && call_take_ring(call->thread, (uintptr_t)call))
		call_stayed(call, err);
	else
		resume_stream();
	signals_restore(blocked);
}

/* Signals wait: a handler that ends the process, too, would cut this short. */
static void end_stream(enum close_for what, const char *how, int status)
{
	uint64_t blocked = signals_block();
	bool closed;

	thread_let_go();
	closed = close_stream(what);
	while (!closed && wait_for_others() == STAGE_OPEN)
		closed = close_stream(what);
	if (closed)
		finish_stream(how, status);
	if (closed || atomic_load(&word->stage) == STAGE_LEFT)
		atomic_store(&word->stage, STAGE_ENDED);
	signals_restore(blocked);
}

static void end_process(enum close_for what, const char *how, int status)
{
	if (is_recorded())
		end_stream(what, how, status);
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

bool lifecycle_seal(const char *reason)
{
	uint64_t blocked;

	if (!lifecycle_is_recording())
		return true;
	if (!identity_is_own())
		return false;
	blocked = signals_block();
	if (close_stream(CLOSE_FOR_EXEC)) {
		seal_definitions();
		loss_write(0);
		metadata_write_sandboxed(reason);
		begin_reopening(STAGE_ENDING);
		reopen_stream(); /* the live files are still there: nothing is to be restored */
	}
	signals_restore(blocked);
	return true;
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
