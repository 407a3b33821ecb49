/* SPDX-License-Identifier: MIT */
/*
 * thread.h - what the recorder knows of one thread of the program.
 *
 *   tls.self ──> struct thread ──> ring (mapped file: header, open-call stack, data)
 *                     │
 *                     └── spare ──> a second struct thread, for signal handlers that
 *                                   interrupt the recorder itself
 *
 * Ownership: a struct thread belongs to the thread whose tls.self points to it. Only the owner
 * touches it, with two exceptions: at the end of the process the closing thread
 * sets `mode`, waits until `busy` is 0 and then owns it; and the structures of dead threads are reused.
 *
 * Structures lie in memory that the kernel wipes in a forked child (MADV_WIPEONFORK): a
 * child finds mode 0, THREAD_NONE, whatever way it was forked, and begins a stream of its own.
 *
 * The handshake between owner and closer (Dekker): the owner sets `busy`, then reads `mode`; the closer sets `mode`, makes every
 * thread pass a barrier (membarrier(2)), then reads `busy`. So the owner needs no barrier instruction, only one for the compiler.
 *
 * `busy` says where the thread is at it: an address in the frame of the call that is being recorded. A signal handler that jumps (siglongjmp) leaves it behind; the
 * next call finds that its frame is gone (mend.h).
 */
#ifndef RECORDER_RECORD_THREAD_H
#define RECORDER_RECORD_THREAD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "format/wire.h"
#include "record/loss.h"

#define THREADS_MAX 4096u /* at once; further ones are not recorded, which is counted */
#define THREAD_NAME_SIZE 16u
#define THREAD_INLINE inline __attribute__((always_inline)) /* on the path of each call */
#define GUESTS_MAX 8u       /* of a thread, that it looks after (sharing.h) */
#define OPEN_CALLS_MAX 256u /* calls in flight in one thread; deeper ones are counted as lost */

enum thread_mode {
	THREAD_NONE = 0, /* not attached, or wiped by a fork */
	THREAD_ACTIVE,   /* records into its ring */
	/* the end of the process takes its ring: calls wait in the slow path, or are lost */
	THREAD_CLOSING,
	THREAD_WRITE_THROUGH, /* after the end of the process: one chunk a call */
};

/* A call in flight: where its record grows in the open-call stack. */
struct open_call {
	uintptr_t frame; /* stack address inside the wrapper's frame */
	union {
		uint64_t place; /* both; of a call that begins: its offset */
		struct {
			uint32_t offset;  /* of its record, from the begin of the open-call stack */
			uint32_t skipped; /* paired.h: begun inside of this one and not recorded */
		};
	};
};

/* What a task of the kernel is in the middle of. */
struct thread_task {
	uint32_t in_runtime; /* the recorder calls libc (dlsym): forward whatever comes in */
	uint32_t critical;  /* a jump out of what the recorder does cannot be mended (critical.h) */
	uint32_t appending; /* inside of segment_enter(), how deep */
	uint32_t flushing;  /* between two steps of the arena that have an order among threads */
	uint32_t defining;  /* has reserved an entry of the arena that is not complete */
	uint32_t
		vforked; /* children of vfork() that run in its place: their parent's is 0 again when they are gone */
};

/* A task that runs on another one's thread-local storage (sharing.h). */
struct guest {
	_Atomic uint32_t tid;  /* 0: none */
	uint32_t flags;        /* of clone() */
	struct thread *thread; /* NULL: it has not recorded yet */
	struct thread_task task;
};

/* Whose characters are counted (counted.h). */
#define COUNTED_PLACES 32u
struct counted_place {
	uintptr_t key;             /* of the symbol and the stream (counted_key()), never 0 */
	uintptr_t site;            /* where the calls are made */
	struct raw_record *record; /* theirs */
	uint32_t limit;            /* its repeat at which the next one is timed */
	uint32_t file_id;
	const uint32_t *file;       /* where the descriptor table says that number */
	void *next;                 /* the real function, which is libc's own */
	struct counted_place *then; /* what came after this one, last time */
};

struct thread {
	/* Hot: read or written by every call. */
	uint32_t
		mode; /* enum thread_mode; the closer writes it. By thread_mode(), thread_set_mode() */
	uint32_t data_size;
	uintptr_t
		busy; /* where the recorder is at work in this thread, 0 nowhere. By thread_set_busy() and its like */
	union {
		uint64_t depth; /* both; 0: no call is in flight */
		struct {
			uint32_t level; /* calls in flight */
			uint32_t
				open_top; /* bytes in use of the open-call stack; and OPEN_IN_PLACE */
		};
	};
	uint8_t *open; /* the open-call stack */
	uint8_t *data; /* the ring's records */
	union {
		uint64_t position; /* as the ring's header has it published */
		struct {
			uint32_t head; /* bytes of data in use */
			uint32_t generation;
		};
	};
	uint32_t sequence_low; /* of the next record */
	uint32_t data_offset;  /* of the ring's records, from the begin of the open-call stack */
	struct ring_header *ring;
	uint64_t last_end; /* tend of the newest record, ticks */
	uint64_t
		attention; /* ticks after which the next call takes the slow path: the ring is old, or to look at the control word */

	/* Of calls that may be repeated (repeat.h): where the newest of their records lies. */
	uint32_t run_begin, run_end;
	struct raw_record *
		poll; /* behind it, at the head: as the poll that was last added to it left its own; NULL: none */
	struct counted_place *counted_at; /* of counted.h: the one that was found last */
	uint32_t counted_places;          /* in use, those of the newest group; they lie below */
	uint32_t counted_most;            /* that a group of the row had */
	bool counted_any;                 /* calls may have been counted in records of the ring */
	uint64_t counted_before;          /* calls of the groups before it in the row */
	uint32_t repeated;                /* timed calls that were added to records of the ring */
	uint32_t open_size;

	/* Warm: at sealing. */
	uint64_t sequence_base; /* number of the first record in the ring */
	uint64_t seal_deadline; /* ticks after which the ring is to be sealed */
	uint32_t fast_fills;    /* how often in a row the ring was full soon, since it has grown */
	uint32_t
		period; /* records at the end of the last chunk that came again and again, 0 none */
	uint32_t hold_appended;    /* how often what it held was appended for its age */
	uint32_t flushes;          /* control_flushes() when the ring was last looked at */
	struct hold *hold;         /* see hold.h; NULL: none yet */
	struct longloop *longloop; /* see longloop.h; NULL: none yet */
	uint64_t attended;         /* `position` then */
	uint64_t lost;             /* calls nested too deep, since the last chunk */
	/* records of chunks that could not be written, since the last that could */
	uint64_t lost_chunks[LOSS_REASONS];
	uintptr_t jumped_out; /* what `busy` was, of a jump that is being mended; else 0 */
	struct thread *spare;
	struct mem_block *mem; /* see memsums.h; NULL: none yet */
	uint64_t start;        /* when it was attached, ticks */
	uint64_t
		start_offset; /* of the function that it was started with, in the file of its module */
	uint32_t start_module;       /* 0 unknown */
	char name[THREAD_NAME_SIZE]; /* as it was last defined */
	uint32_t index;              /* thread index in the stream */
	uint32_t tid;
	uint32_t ring_slot;              /* its ring in the process's table */
	_Atomic uint32_t in_use;         /* claimed by a thread */
	uint32_t skipped_outside;        /* open_call.skipped, outside of all calls */
	struct guest guests[GUESTS_MAX]; /* that run on its storage */
	atomic_bool uncounted_guests;    /* and there were more: it stays shared */
	_Atomic uint32_t guest_flags;    /* of clone(), for the newest */
	uint32_t guest_looks;            /* how often they may have been looked for */
	bool is_spare;
	bool open_stored; /* its newest OPEN chunk holds calls */

	struct counted_place counted[COUNTED_PLACES];
	struct open_call calls[OPEN_CALLS_MAX];
};

struct thread_tls {
	struct thread *self;     /* never NULL: a thread not attached points to thread_detached */
	uint8_t *stacks;         /* its slots of stacks.h; NULL: none yet */
	struct thread_task task; /* by thread_task() */
	struct thread
		*shared; /* whose storage this is, while others run on it (sharing.h); else NULL */
};

_Static_assert(sizeof(struct thread_tls) <= 256, "thread-local storage of a preload is scarce");

/* No calls are counted in the records that are there. */
static inline void thread_forget_counted(struct thread *thread)
{
	thread->counted_places = 0;
	thread->counted_at = thread->counted[0].then = &thread->counted[0];
	thread->counted[0].key = 0;
}

extern struct thread thread_detached; /* mode THREAD_NONE for ever */
extern __thread struct thread_tls thread_tls __attribute__((tls_model("initial-exec")));

/* Makes the calling thread one that records: stream, structure, ring. Returns its structure, or NULL if it cannot be recorded
 * (the loss is counted). Keeps errno. */
struct thread *thread_attach(void);
/* Gives back the structure of a guest (sharing.h) that has ended. */
void thread_gone(struct thread *thread);
/* A second structure for calls of signal handlers that interrupted the recorder in this thread; NULL if there is none to be had. */
struct thread *thread_spare(struct thread *thread);
enum close_for {
	CLOSE_FOR_EXEC, /* which may fail */
	CLOSE_FOR_END, /* after handlers and destructors. Calls in flight are stored, too: the process may end while they are made */
	CLOSE_AT_ONCE /* likewise, but nothing comes before the end: threads that are about to make a call wait for it */
};

/* At the end of the process: takes every thread's ring away from it, one by one, sealed. Threads that go on write through.
 * False: a ring could not be sealed, and the live files must stay. */
bool thread_close_all(enum close_for what);
/* Number of threads that this stream has had. */
uint32_t thread_count(void);
/* Slots of structures and rings from this one on have never been in use. All THREADS_MAX are much to look at for a process that ends soon. */
uint32_t thread_slots(void);
/* The key whose destructor seals a thread's ring when the thread ends. Once. */
void thread_init(void);
/* In a forked child: forgets the parent's threads. */
void thread_forked(void);
/* Who ends the process in a handler does not go back to what that has interrupted: nobody waits for it. */
void thread_let_go(void);
/* After thread_close_all(), when the process goes on after all (a failed exec): rings are filled again. */
void thread_reopen_all(void);

/* Of whoever calls. */
struct thread_task *sharing_ask_task(void);
static inline struct thread_task *thread_task(void)
{
	return __builtin_expect(!thread_tls.shared, 1) ? &thread_tls.task : sharing_ask_task();
}

/* What calls from here on has no structure, until it records. */
static inline void thread_detach(void)
{
	thread_tls.self = &thread_detached;
	thread_tls.shared = NULL;
}

/* Around what calls libc. */
static inline void runtime_enter(void)
{
	thread_task()->in_runtime++;
}

static inline void runtime_leave(void)
{
	thread_task()->in_runtime--;
}

/* In `open_top` while the record of the innermost call is in place, at the ring's head (fixed.h). The stack seems to be full then to those who do not know of it, who go the long way. */
#define OPEN_IN_PLACE 0x80000000u
/* What such a call adds to `depth`. */
#define DEPTH_IN_PLACE ((uint64_t)OPEN_IN_PLACE << 32 | 1)

static THREAD_INLINE bool thread_is_in_place(const struct thread *thread)
{
	return (int64_t)thread->depth < 0;
}

/* The same of a call that lies in no other one: then nothing is on the stack of open calls. */
static THREAD_INLINE bool thread_is_alone_in_place(const struct thread *thread)
{
	return thread->open_top == OPEN_IN_PLACE;
}

/* Keeps the compiler from moving memory accesses across: enough between a thread and its own signal handlers. */
static THREAD_INLINE void compiler_barrier(void)
{
	atomic_signal_fence(memory_order_seq_cst);
}

/*
 * The owner's side of the handshake: what it did while busy is seen by who then finds it idle. `frame`: an address in that of the call that is being recorded, of the function of ours
 * that the program has called; it lasts as long as the thread is busy.
 */
static THREAD_INLINE void thread_set_busy_in(struct thread *thread, uintptr_t frame)
{
	atomic_store_explicit((_Atomic uintptr_t *)&thread->busy, frame, memory_order_relaxed);
	compiler_barrier();
}

/* The same of a function that makes it idle again itself. */
static THREAD_INLINE void thread_set_busy(struct thread *thread)
{
	thread_set_busy_in(thread, (uintptr_t)__builtin_dwarf_cfa());
}

static THREAD_INLINE void thread_set_idle(struct thread *thread)
{
	compiler_barrier();
	atomic_store_explicit((_Atomic uintptr_t *)&thread->busy, 0, memory_order_release);
}

/* 0: it is idle. */
static THREAD_INLINE uintptr_t thread_busy(const struct thread *thread)
{
	return atomic_load_explicit((const _Atomic uintptr_t *)&thread->busy, memory_order_acquire);
}

static THREAD_INLINE bool thread_is_idle(const struct thread *thread)
{
	return !thread_busy(thread);
}

/*
 * A record of so many bytes at the head of the ring is complete: from now on it is one of those that a reader finds. The position is loaded and stored as a whole, as half of it, just stored, would have
 * to reach the cache first.
 */
static THREAD_INLINE void thread_publish(struct thread *thread, uint32_t size)
{
	uint64_t position = thread->position + size;

	thread->position = position;
	atomic_store_explicit((_Atomic uint64_t *)&thread->ring->published, position,
			      memory_order_release);
}

static THREAD_INLINE uint32_t thread_mode(const struct thread *thread)
{
	return atomic_load_explicit((const _Atomic uint32_t *)&thread->mode, memory_order_acquire);
}

static inline void thread_set_mode(struct thread *thread, uint32_t mode)
{
	atomic_store_explicit((_Atomic uint32_t *)&thread->mode, mode, memory_order_release);
}

#endif
