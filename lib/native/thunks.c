/* SPDX-License-Identifier: MIT */
/* thunks.c - see thunks.h */
#include "native/thunks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "native/hot.h"
#include "native/prologue.h"
#include "record/bulk.h"
#include "record/readable.h"
#include "record/sys.h"
#include "record/unwind.h"

#define THUNKS_AT_ONCE 16u
#define THUNKS_OF_THREAD 512u /* more than calls can be open */

struct thunk_word native_words[THUNKS_MAX] BULK __attribute__((aligned(64)));
struct thunk_call native_calls[THUNKS_MAX] BULK __attribute__((aligned(64)));
__thread struct native_tls native_tls __attribute__((tls_model("initial-exec")));

static _Atomic uint32_t fresh;  /* those from here on have never been used */
static _Atomic uint64_t common; /* the process's list: first + 1, and above a count of changes */
static pthread_key_t key;
static bool has_key;

/* ---- the process's list ---- */

static uint32_t common_take(void)
{
	uint64_t head = atomic_load(&common), next;

	do {
		if (!(uint32_t)head)
			break;
		next = ((head >> 32) + 1) << 32 |
		       __atomic_load_n(&native_calls[(uint32_t)head - 1].next, __ATOMIC_RELAXED);
	} while (!atomic_compare_exchange_weak(&common, &head, next));
	if ((uint32_t)head)
		return (uint32_t)head - 1;
	if (atomic_load(&fresh) >= THUNKS_MAX)
		return THUNK_NONE;
	head = atomic_fetch_add(&fresh, 1);
	return head < THUNKS_MAX ? (uint32_t)head : THUNK_NONE;
}

static void common_give(uint32_t thunk)
{
	uint64_t head = atomic_load(&common), next;

	do {
		__atomic_store_n(&native_calls[thunk].next, (uint32_t)head, __ATOMIC_RELAXED);
		next = ((head >> 32) + 1) << 32 | (thunk + 1);
	} while (!atomic_compare_exchange_weak(&common, &head, next));
}

/* ---- a thread's ---- */

/* Stacks may have gone meanwhile. 0: this one has. */
static uintptr_t word_at(const uintptr_t *address)
{
	uintptr_t word;
	long copied = sys_copy_from_self(&word, address, sizeof(word));

	if (copied == sizeof(word))
		return word;
	return copied != -EFAULT && readable_now(address) ? *address : 0;
}

/* Whether its word is as the call has left it. */
static bool word_is_kept(uint32_t thunk)
{
	uintptr_t slot = native_calls[thunk].slot;

	/* of a function that never stores it, or it is not known where */
	if (slot % sizeof(slot))
		return slot % sizeof(slot) != sizeof(slot) - PROLOGUE_SAVED_NOWHERE;
	return unwind_plain_address(word_at((const uintptr_t *)slot)) == thunk_return(thunk);
}

/* Those to which nothing can return. A call that has jumped to another one, or that has not stored its return address yet, is among the open ones. */
static void take_back(struct native_tls *tls, bool ends)
{
	uint32_t end = atomic_load(&fresh);

	for (uint32_t i = 0; i < end && i < THUNKS_MAX; i++)
		if (native_calls[i].owner == tls && native_calls[i].slot &&
		    (ends || !thunk_holder(&native_calls[i])) && !word_is_kept(i))
			thunk_give(tls, i);
}

static void thread_ends(void *data)
{
	struct native_tls *tls = data;

	tls->busy = 1;
	take_back(tls, true);
	while (tls->free) {
		uint32_t thunk = thunk_take(tls);

		native_calls[thunk].owner = NULL;
		common_give(thunk);
	}
	tls->taken = 0;
	tls->has_end = false;
	tls->busy = 0;
}

static void take_more(struct native_tls *tls)
{
	for (unsigned i = 0; tls->taken < THUNKS_OF_THREAD && i < THUNKS_AT_ONCE; i++) {
		uint32_t thunk = common_take();

		if (thunk == THUNK_NONE)
			return;
		native_calls[thunk].owner = tls;
		tls->taken++;
		thunk_give(tls, thunk);
	}
}

bool thunks_refill(struct native_tls *tls)
{
	take_more(tls);
	if (!tls->free)
		take_back(tls, false);
	if (has_key && !tls->has_end)
		tls->has_end = !pthread_setspecific(key, tls);
	return tls->free != 0;
}

void thunks_init(void)
{
	has_key = pthread_key_create(&key, thread_ends) == 0;
}
