/* SPDX-License-Identifier: MIT */
/* thread.c - threads come and go. */
#include "record/thread.h"

#include <pthread.h>
#include <string.h>

#include "record/bulk.h"
#include "record/call.h"
#include "record/clock.h"
#include "record/control.h"
#include "record/lifecycle.h"
#include "record/critical.h"
#include "record/longloop.h"
#include "record/memsums.h"
#include "record/mend.h"
#include "record/open_chunk.h"
#include "record/overhead.h"
#include "record/patience.h"
#include "record/pthread_field.h"
#include "record/ring.h"
#include "record/sanitizer.h"
#include "record/sandbox.h"
#include "record/seal.h"
#include "record/sharing.h"
#include "record/sys.h"
#include "record/threaddef.h"
#include "record/wipe.h"

#define SLAB_SIZE 16u
#define SLAB_COUNT (THREADS_MAX / SLAB_SIZE)

struct thread thread_detached BULK;
__thread struct thread_tls thread_tls
	__attribute__((tls_model("initial-exec"))) = {.self = &thread_detached};

/* Structures lie in wiped memory: all free again in a forked child. Slabs themselves stay. */
static _Atomic(struct thread *) slabs[SLAB_COUNT];
static _Atomic uint32_t last_index, slots;
static pthread_key_t end_key;
static bool end_key_made, barriers;
static enum close_for closing; /* what thread_close_all() is at */
static bool closing_spares, taken;
static bool all_sealed;

static struct thread *slab_get(unsigned number)
{
	struct thread *slab = atomic_load(&slabs[number]), *expected = NULL;

	if (slab)
		return slab;
	slab = wipe_alloc(SLAB_SIZE * sizeof(*slab));
	if (slab && !atomic_compare_exchange_strong(&slabs[number], &expected, slab))
		return expected;
	return slab;
}

uint32_t thread_slots(void)
{
	return atomic_load(&slots);
}

static void count_slot(uint32_t slot)
{
	uint32_t known = atomic_load(&slots);

	while (known <= slot && !atomic_compare_exchange_weak(&slots, &known, slot + 1))
		;
}

/* A free structure, now ours; NULL if all are taken. Its ring_slot is set. */
static struct thread *claim(void)
{
	for (unsigned i = 0; i < THREADS_MAX; i++) {
		struct thread *slab = slab_get(i / SLAB_SIZE);
		struct thread *thread = slab ? &slab[i % SLAB_SIZE] : NULL;
		uint32_t expected = 0;

		if (!thread)
			return NULL;
		count_slot(i); /* before it is in use: who looks at all of them misses none */
		if (atomic_load_explicit(&thread->in_use, memory_order_relaxed) ||
		    !atomic_compare_exchange_strong(&thread->in_use, &expected, 1))
			continue;
		thread->ring_slot = i;
		return thread;
	}
	return NULL;
}

static bool go_on(struct thread *thread, uint32_t from, uint32_t to)
{
	return atomic_compare_exchange_strong((_Atomic uint32_t *)&thread->mode, &from, to);
}

/* Either the end of the process, or that it goes on after all, sees this thread's mode, or this thread sees that. */
static void activate(struct thread *thread)
{
	atomic_store((_Atomic uint32_t *)&thread->mode, THREAD_ACTIVE);
	while (lifecycle_has_ended() && go_on(thread, THREAD_ACTIVE, THREAD_WRITE_THROUGH) &&
	       !lifecycle_has_ended())
		go_on(thread, THREAD_WRITE_THROUGH, THREAD_ACTIVE);
}

static struct thread *make_one(uint32_t tid, bool spare)
{
	struct thread *thread = sandbox_active() ? NULL : claim();

	if (!thread)
		return NULL;
	thread->index = atomic_fetch_add(&last_index, 1);
	lifecycle_open(); /* once more: who resumes the stream as that of one thread has seen this one, or this one waits */
	thread->tid = tid;
	thread->is_spare = spare;
	thread->level = 0;
	thread->open_top = 0;
	thread->sequence_low = 0;
	thread->sequence_base = 0;
	thread->lost = 0;
	memset(thread->lost_chunks, 0, sizeof(thread->lost_chunks));
	thread->jumped_out = 0;
	thread->spare = NULL;
	thread->mem = NULL;
	thread->open_stored = false;
	thread->fast_fills = 0;
	thread->period = 0;
	thread->hold_appended = 0;
	longloop_begin(thread);
	memset(thread->guests, 0, sizeof(thread->guests));
	atomic_store(&thread->uncounted_guests, false);
	thread_set_idle(thread);
	thread->start = thread->last_end = clock_ticks();
	thread->seal_deadline = seal_deadline();
	thread->attention = seal_attention(thread);
	thread->flushes = control_flushes();
	if (ring_open(thread)) {
		atomic_store(&thread->in_use, 0);
		return NULL;
	}
	thread->ring->open_top = 0;
	thread->generation = (uint32_t)(thread->ring->published >> 32);
	threaddef_first(thread);
	activate(thread);
	return thread;
}

/* A structure with a ring, ready to record; NULL: no memory. */
static struct thread *make(uint32_t tid, bool spare)
{
	uint64_t blocked = critical_enter_alone();
	struct thread *thread = make_one(tid, spare);

	critical_leave_alone(blocked);
	return thread;
}

struct thread *thread_attach(void)
{
	struct thread *thread;
	int64_t begin;

	if (!lifecycle_open())
		return NULL;
	begin = overhead_begin();
	thread = sharing_has_room() ? make((uint32_t)sys_gettid(), false) : NULL;
	overhead_end(begin);
	if (!thread) {
		loss_count(LOSS_NO_RING, 1);
		return NULL;
	}
	if (sharing_attached(thread))
		return thread;
	thread_tls.self = thread;
	thread_tls.stacks = NULL;
	if (end_key_made)
		pthread_setspecific(end_key, thread);
	return thread;
}

struct thread *thread_spare(struct thread *thread)
{
	if (!thread->spare)
		thread->spare = make(thread->tid, true);
	return thread->spare;
}

static void release(struct thread *thread)
{
	if (sandbox_active()) { /* its ring keeps the records, so nobody else may have it */
		thread_set_mode(thread, THREAD_NONE);
		thread_set_idle(thread);
		return;
	}
	seal_thread(thread, true);
	loss_leave(thread);
	ring_release(thread);
	thread_set_mode(thread, THREAD_NONE);
	thread_set_idle(thread); /* the end of the process may be waiting for that */
	atomic_store_explicit(&thread->in_use, 0, memory_order_release);
}

/* It is busy, and stays so: from now on the end of the process waits for it. False: that was quicker, and its ring is left to it. */
static THREAD_INLINE bool take_back(struct thread *thread)
{
	thread_set_busy(thread);
	if (thread_mode(thread) == THREAD_ACTIVE)
		return true;
	thread_set_idle(thread);
	return false;
}

/* What is busy, and nobody's any more. */
static void give_up(struct thread *thread)
{
	if (thread->spare) {
		mend_at_end(thread->spare);
		if (take_back(thread->spare))
			release(thread->spare);
	}
	call_drop_all(thread);
	memsums_thread_ended(thread);
	release(thread);
}

/* Runs when a thread ends. Whatever it still does in later destructors attaches it anew. */
static void thread_ended(void *value)
{
	struct thread *thread = value;
	uint64_t blocked;

	sanitizer_forget_left();
	if (thread != sharing_self() || thread_mode(thread) != THREAD_ACTIVE)
		return;
	mend_at_end(thread);
	/* a handler would get another ring meanwhile, and wait for it with this one busy, if the process ends */
	blocked = signals_block();
	if (take_back(thread)) {
		thread_detach();
		compiler_barrier();
		give_up(thread);
	}
	signals_restore(blocked);
}

void thread_gone(struct thread *thread)
{
	if (thread_mode(thread) == THREAD_ACTIVE && take_back(thread))
		give_up(thread);
}

void thread_init(void)
{
	pthread_field_init();
	end_key_made = !pthread_key_create(&end_key, thread_ended);
	barriers = sys_membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0;
}

uint32_t thread_count(void)
{
	return atomic_load(&last_index);
}

/* Every thread of the process passes a memory barrier. */
static void barrier_all(void)
{
	if (!barriers || sys_membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED))
		sys_sched_yield();
}

static void each_thread(void (*visit)(struct thread *thread))
{
	for (unsigned i = 0; i < thread_slots(); i++) {
		struct thread *slab = atomic_load(&slabs[i / SLAB_SIZE]);

		if (slab && atomic_load_explicit(&slab[i % SLAB_SIZE].in_use, memory_order_acquire))
			visit(&slab[i % SLAB_SIZE]);
	}
}

/* Whether the structure is the calling thread's, for its calls or for those of its signal handlers. */
static bool is_own(const struct thread *thread)
{
	const struct thread *self = sharing_self();

	return thread == self || thread == self->spare;
}

/* Nobody but a signal handler can come between the calling thread and its own ring: that is kept off by `busy`. */
static void take_over(struct thread *thread)
{
	if (thread->is_spare == closing_spares && !is_own(thread))
		taken |= go_on(thread, THREAD_ACTIVE, THREAD_CLOSING);
}

/* The thread is out of the recorder, or has ended meanwhile; or it is so stuck that its ring must be left alone. */
static bool wait_idle(struct thread *thread)
{
	struct patience patience = {0};

	while (thread_mode(thread) == THREAD_CLOSING && !thread_is_idle(thread))
		if (!patience_wait(&patience))
			return false;
	return true;
}

static void close_taken(struct thread *thread)
{
	memsums_give(thread);
	if (seal_last(thread))
		loss_leave(thread);
	else /* its ring stays and states its losses */
		all_sealed = false;
	if (closing != CLOSE_FOR_EXEC)
		open_chunk_write(thread);
	compiler_barrier();
	if (closing != CLOSE_AT_ONCE || is_own(thread))
		thread_set_mode(thread, THREAD_WRITE_THROUGH);
}

static void close_own(struct thread *thread)
{
	bool idle = thread_is_idle(thread); /* not in a call that does not return */

	thread_set_busy(thread);
	close_taken(thread);
	if (idle)
		thread_set_idle(thread);
}

static void close_one(struct thread *thread)
{
	if (thread->is_spare != closing_spares)
		return;
	if (is_own(thread) && thread_mode(thread) == THREAD_ACTIVE)
		close_own(thread);
	else if (thread_mode(thread) != THREAD_CLOSING)
		return;
	else if (!wait_idle(thread))
		loss_count(LOSS_CLOSING, 0);
	else if (thread_mode(thread) == THREAD_CLOSING) /* else it has sealed its ring itself */
		close_taken(thread);
}

/* What signal handlers use that interrupted the recorder, or what all others do. */
static void close_each(bool spares)
{
	closing_spares = spares;
	taken = false;
	each_thread(take_over);
	if (taken)
		barrier_all();
	each_thread(close_one);
}

bool thread_close_all(enum close_for what)
{
	uint64_t blocked = critical_enter_alone();

	all_sealed = true;
	closing = what;
	close_each(
		false); /* first: a handler that waited for its ring would keep what it has interrupted, for which we wait */
	close_each(true);
	critical_leave_alone(blocked);
	return all_sealed;
}

void thread_let_go(void)
{
	struct thread *self = sharing_self();

	mend_at_exit(self);
	if (self->spare)
		mend_at_exit(self->spare);
}

static void reopen_one(struct thread *thread)
{
	if (thread_mode(thread) == THREAD_WRITE_THROUGH)
		thread_set_mode(thread, THREAD_ACTIVE);
}

void thread_reopen_all(void)
{
	each_thread(reopen_one);
}

void thread_forked(void)
{
	atomic_store(&last_index, 0);
	thread_detach();
	thread_task()->in_runtime = 0;
	ring_forked();
}
