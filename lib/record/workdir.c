/* SPDX-License-Identifier: MIT */
/* workdir.c - see workdir.h */
#include "record/workdir.h"

#include <limits.h>
#include <sched.h>
#include <stdatomic.h>

#include "format/defs.h"
#include "record/arena.h"
#include "record/bulk.h"
#include "record/clock.h"
#include "record/files.h"
#include "record/identity.h"
#include "record/sandbox.h"
#include "record/sharing.h"
#include "record/stream.h"
#include "record/sys.h"
#include "record/thread.h"

/* A new one goes into the next buffer, so that a reader keeps a whole text. */
static char directories[4][PATH_MAX] BULK;
static _Atomic unsigned current;
static atomic_bool known;
static _Atomic uint64_t changed; /* ticks */

/* That of the process is not this thread's. */
static __thread bool is_childs __attribute__((tls_model("initial-exec")));

static void ask(void)
{
	unsigned next = (atomic_load(&current) + 1) % 4;

	if (sys_getcwd(directories[next], PATH_MAX) <= 0)
		directories[next][0] = '\0';
	atomic_store(&current, next);
	atomic_store(&known, true);
}

void workdir_add(struct textbuf *text)
{
	if (is_childs || sharing_is_without(CLONE_FS)) {
		long size = sys_getcwd(text->buffer + text->length, text->size - text->length);

		if (size > 0)
			text->length += (size_t)size - 1;
		else
			text->buffer[text->length] = '\0';
		return;
	}
	if (!atomic_load(&known))
		ask();
	text_add(text, directories[atomic_load(&current)]);
}

/* `ticks`: since when. Before the stream is open there is no need: its metadata will say it. */
static void define(uint32_t thread, uint32_t file, uint64_t ticks)
{
	struct def_directory def = {.thread = thread, .file = file, .ticks = ticks};
	uint8_t payload[16];

	if (stream_is_open())
		arena_put(DEF_DIRECTORY, payload,
			  def_directory_pack(payload, sizeof(payload), &def));
}

uint64_t workdir_last_change(void)
{
	return atomic_load_explicit(&changed, memory_order_relaxed);
}

void workdir_changed(void)
{
	bool of_guest = sharing_is_without(CLONE_FS);
	uint64_t ticks;
	uint32_t file;

	if (!sandbox_has_clock())
		return;
	ticks = clock_ticks();
	atomic_store_explicit(&changed, ticks, memory_order_relaxed);
	if (!of_guest) {
		is_childs = !thread_tls.shared && !identity_is_own();
		if (!is_childs)
			atomic_store(&known, false);
	}
	if (!stream_is_open())
		return;
	file = file_of_path("");
	define(is_childs || of_guest ? sharing_self()->index : DIRECTORY_OF_ALL,
	       file & FILE_EXCLUDED ? 0 : file, ticks);
}

void workdir_forked(void)
{
	is_childs = false;
	atomic_store(&known, false);
}

void workdir_child_left(void)
{
	if (!is_childs)
		return;
	is_childs = false;
	define(sharing_self()->index, 0, clock_ticks());
}
