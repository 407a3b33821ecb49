/* SPDX-License-Identifier: MIT */
/* onesided.c - windows: put, get and accumulate between fences, locks, and posts */
#include "random.h"

#define PART 4096 /* bytes that each process exposes */

struct window {
	MPI_Win handle;
	struct comm *comm;
	char label[24];
	int unit;
};

static const char *window_text(const struct window *window)
{
	return text("w:%s:%s:%d", window->label, window->comm->label, window->unit);
}

/* One transfer; with a request if it may have one. */
static void transfer(const struct window *window, int target, bool requests)
{
	struct type *type = &types[below(&own, 3)];
	int bytes = UNIT * (1 + (int)below(&own, 10)), count = bytes / type->size;
	MPI_Aint place = (MPI_Aint)(UNIT * below(&own, 40) / window->unit);
	struct pending pending = {.kind = PENDING_ONE_SIDED, .comm = window->comm};
	unsigned way = below(&own, requests ? 5 : 3);
	MPI_Datatype handle = type->handle;
	const char *what, *to = peer(window->comm, target), *made = "", *name;
	int *memory = calloc(1, UNIT * 16);
	static const char *const names[] = {"Put", "Get", "Accumulate", "Rput", "Rget"};

	name = names[way];
	if (way == 0)
		MPI_Put(memory, count, handle, target, place, count, handle, window->handle);
	else if (way == 1)
		MPI_Get(memory, count, handle, target, place, count, handle, window->handle);
	else if (way == 2)
		MPI_Accumulate(memory, count, handle, target, place, count, handle, MPI_REPLACE,
			       window->handle);
	else if (way == 3)
		MPI_Rput(memory, count, handle, target, place, count, handle, window->handle,
			 &pending.request);
	else
		MPI_Rget(memory, count, handle, target, place, count, handle, window->handle,
			 &pending.request);
	what = text("origin_count=%d origin_datatype=%s target_rank=%s target_disp=%ld "
		    "target_count=%d target_datatype=%s",
		    count, type_text(type), to, (long)place, count, type_text(type));
	if (way > 2) {
		pending.number = request_made();
		made = text(" request=r:%d", pending.number);
	}
	say("MPI_%s 0 %s%s win=%s%s sent=%d received=%d", name, what, way == 2 ? " op=?" : "",
	    window_text(window), made, way == 1 || way == 4 ? 0 : bytes,
	    way == 1 || way == 4 ? bytes : 0);
	if (way <= 2) {
		/* in use until the epoch ends */
		static int *used[64];
		static int next;

		free(used[next % 64]);
		used[next++ % 64] = memory;
		return;
	}
	pending.buffer = memory;
	request_complete(&pending);
}

static void transfers(const struct window *window, bool requests)
{
	for (unsigned left = below(&own, 4); left > 0; left--)
		transfer(window, (int)below(&own, (unsigned)window->comm->size), requests);
}

static void fences(const struct window *window)
{
	MPI_Win_fence(MPI_MODE_NOPRECEDE, window->handle);
	say("MPI_Win_fence 0 assert=%d win=%s", MPI_MODE_NOPRECEDE, window_text(window));
	transfers(window, false);
	MPI_Win_fence(MPI_MODE_NOSUCCEED, window->handle);
	say("MPI_Win_fence 0 assert=%d win=%s", MPI_MODE_NOSUCCEED, window_text(window));
}

static void locks(const struct window *window)
{
	int target = (int)below(&own, (unsigned)window->comm->size);
	int type = chance(&own, 50) ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE;

	MPI_Win_lock(type, target, 0, window->handle);
	say("MPI_Win_lock 0 lock_type=%d rank=%s assert=0 win=%s", type, peer(window->comm, target),
	    window_text(window));
	for (unsigned left = below(&own, 4); left > 0; left--)
		transfer(window, target, true);
	if (chance(&own, 50)) {
		MPI_Win_flush(target, window->handle);
		say("MPI_Win_flush 0 rank=%s win=%s", peer(window->comm, target),
		    window_text(window));
	}
	MPI_Win_unlock(target, window->handle);
	say("MPI_Win_unlock 0 rank=%s win=%s", peer(window->comm, target), window_text(window));
}

static void locks_on_all(const struct window *window)
{
	MPI_Win_lock_all(0, window->handle);
	say("MPI_Win_lock_all 0 assert=0 win=%s", window_text(window));
	transfers(window, true);
	MPI_Win_flush_all(window->handle);
	say("MPI_Win_flush_all 0 win=%s", window_text(window));
	MPI_Win_unlock_all(window->handle);
	say("MPI_Win_unlock_all 0 win=%s", window_text(window));
}

/* Everybody is a target of everybody. */
static void posts(const struct window *window)
{
	MPI_Group group;

	MPI_Comm_group(window->comm->handle, &group);
	say("MPI_Comm_group 0 comm=%s group=?", comm_text(window->comm));
	MPI_Win_post(group, 0, window->handle);
	say("MPI_Win_post 0 group=? assert=0 win=%s", window_text(window));
	MPI_Win_start(group, 0, window->handle);
	say("MPI_Win_start 0 group=? assert=0 win=%s", window_text(window));
	transfers(window, false);
	MPI_Win_complete(window->handle);
	say("MPI_Win_complete 0 win=%s", window_text(window));
	MPI_Win_wait(window->handle);
	say("MPI_Win_wait 0 win=%s", window_text(window));
	MPI_Group_free(&group);
	say("MPI_Group_free 0 group=?");
}

void one_sided_step(void)
{
	static void (*const epochs[])(const struct window *) = {fences, locks, locks_on_all, posts};
	static int number;
	struct comm *comm = any_comm(false, false, 1);
	struct window window = {.comm = comm, .unit = 1 << 2 * below(&plan, 2)};
	bool shared = chance(&plan, 50);
	unsigned count = 1 + below(&plan, 3),
		 epoch[3] = {below(&plan, 4), below(&plan, 4), below(&plan, 4)};
	void *memory;

	if (rank_in(comm) < 0)
		return;
	snprintf(window.label, sizeof(window.label), "%d", number++);
	/* Open MPI has no MPI_Win_create here without a network */
	if (shared)
		MPI_Win_allocate_shared(PART, window.unit, MPI_INFO_NULL, comm->handle, &memory,
					&window.handle);
	else
		MPI_Win_allocate(PART, window.unit, MPI_INFO_NULL, comm->handle, &memory,
				 &window.handle);
	say("MPI_Win_%s 0 size=%d disp_unit=%d info=? comm=%s win=%s",
	    shared ? "allocate_shared" : "allocate", PART, window.unit, comm_text(comm),
	    window_text(&window));
	for (unsigned at = 0; at < count; at++)
		epochs[epoch[at]](&window);
	MPI_Win_free(&window.handle);
	say("MPI_Win_free 0 win=%s", window_text(&window));
}
