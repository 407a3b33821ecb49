/* SPDX-License-Identifier: MIT */
/* descriptors.c - the table of descriptors. */
#include "record/descriptors.h"

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "record/files.h"
#include "record/filestatus.h"
#include "record/overhead.h"
#include "record/sandbox.h"
#include "record/sharing.h"
#include "record/stream_file.h"
#include "record/sys.h"
#include "record/text.h"
#include "record/thread.h"
#include "record/urings.h"
#include "record/wipe.h"

/* To be asked one by one these take a fifth of the time that a list of /proc/self/fd does. */
#define INHERITED_BELOW 32
#define BLOCK_COUNT 256u /* the kernel's own limit is usually 1 Mi descriptors */

/* Blocks are in wiped memory: in a forked child, whose file ids begin anew, every descriptor is unknown. */
static _Atomic(_Atomic uint32_t *) blocks[BLOCK_COUNT];
_Atomic(_Atomic uint32_t *) descriptor_first;

/* What the process was given. In wiped memory, too. */
static struct {
	uint32_t count;
	struct inherited_file {
		int fd;
		uint32_t id;
		uint64_t device, inode;
	} files[INHERITED_BELOW];
} * inherited;

/* Children that there are with this memory and descriptors of their own, and whether one has marked an entry. */
static atomic_uint children;
static atomic_bool marked;

static bool is_child(void)
{
	return __builtin_expect(thread_task()->vforked != 0, 0) || sharing_is_without(CLONE_FILES);
}

/* Whether the table has room for it. */
static bool can_have_entry(int fd)
{
	return fd >= 0 && (unsigned)fd / DESCRIPTOR_BLOCK < BLOCK_COUNT && files_active();
}

/* The entry of fd, NULL if there is none and `create` is not set or there is no memory. */
static _Atomic uint32_t *entry_of(int fd, bool create)
{
	unsigned number = (unsigned)fd / DESCRIPTOR_BLOCK;
	_Atomic uint32_t *block, *expected = NULL;

	if (!can_have_entry(fd))
		return NULL;
	block = atomic_load_explicit(&blocks[number], memory_order_acquire);
	if (!block && create) {
		block = wipe_alloc(DESCRIPTOR_BLOCK * sizeof(*block));
		if (!block)
			return NULL;
		if (!atomic_compare_exchange_strong(&blocks[number], &expected, block))
			block = expected;
		if (number == 0)
			atomic_store_explicit(&descriptor_first, block, memory_order_release);
	}
	return block ? &block[(unsigned)fd % DESCRIPTOR_BLOCK] : NULL;
}

/* What its entry says, 0 without one. */
static uint32_t entry_value(int fd)
{
	_Atomic uint32_t *entry = entry_of(fd, false);

	return entry ? atomic_load_explicit(entry, memory_order_relaxed) : 0;
}

static void inherit(int fd)
{
	struct file_status status;
	uint32_t id;

	if (stream_owns(fd) || file_status(fd, "", &status))
		return;
	id = file_of_descriptor_with(fd, &status);
	if (id)
		inherited->files[inherited->count++] =
			(struct inherited_file){fd, id, status.device, status.inode};
}

/* The number that the file got at the begin, if the descriptor stands for it still: the program may have made system calls itself. */
static uint32_t inherited_file(int fd)
{
	struct file_status status;

	for (uint32_t i = 0; inherited && i < inherited->count; i++) {
		const struct inherited_file *file = &inherited->files[i];

		if (file->fd != fd)
			continue;
		if (sandbox_active()) /* nobody can be asked */
			return file->id;
		return !file_status(fd, "", &status) && status.device == file->device &&
				       status.inode == file->inode
			       ? file->id
			       : 0;
	}
	return 0;
}

uint32_t descriptor_file_slow(int fd)
{
	uint32_t id = entry_value(fd), unknown;
	_Atomic uint32_t *entry;

	if ((id & DESCRIPTOR_CHANGED) && is_child())
		return file_of_descriptor(fd);
	unknown = id & DESCRIPTOR_CHANGED;
	id &= ~DESCRIPTOR_CHANGED;
	if (id || !can_have_entry(fd) ||
	    stream_owns(fd)) /* for the program our descriptor is a closed one */
		return id;
	id = inherited_file(fd);
	if (!id)
		id = file_of_descriptor(fd);
	if (id == 0 || is_child()) /* its parent's may be another */
		return id;
	entry = entry_of(fd, true);
	/* If somebody opened or closed it meanwhile, what he stored is newer; a mark is none of that. */
	if (entry && !atomic_compare_exchange_strong(entry, &unknown, id | unknown) &&
	    (unknown & ~DESCRIPTOR_CHANGED))
		id = unknown & ~DESCRIPTOR_CHANGED;
	return id;
}

/* A descriptor stands for another file: of this process, or of a child that has descriptors of its own. The one's is not the other's from here on. */
static void set(_Atomic uint32_t *entry, uint32_t id)
{
	bool of_child = is_child();

	if (!of_child && !atomic_load_explicit(&children, memory_order_relaxed)) {
		atomic_store_explicit(entry, id, memory_order_release);
		return;
	}
	atomic_store(&marked, true);
	if (of_child)
		atomic_fetch_or(entry, DESCRIPTOR_CHANGED);
	else
		atomic_store(entry, id | DESCRIPTOR_CHANGED);
}

/* What a directory is opened below, as far as it is known. */
static uint32_t folder_of(int dirfd)
{
	uint32_t id = entry_value(dirfd);

	return (id & DESCRIPTOR_CHANGED) && is_child() ? 0 : id & ~DESCRIPTOR_CHANGED;
}

uint32_t descriptor_opened(int fd, int dirfd, const char *path)
{
	_Atomic uint32_t *entry = entry_of(fd, true);
	uint64_t begin;
	uint32_t id;

	if (!entry || !sandbox_has_clock())
		return 0;
	begin = clock_ticks();
	id = file_opened(fd, dirfd, folder_of(dirfd), path);
	overhead_between(begin, clock_ticks());
	set(entry, id);
	return id;
}

void descriptor_duplicated(int from, int fd)
{
	_Atomic uint32_t *entry = entry_of(fd, true);

	if (entry)
		set(entry, entry_value(from) & ~DESCRIPTOR_CHANGED);
}

static void forget(int fd)
{
	_Atomic uint32_t *entry = entry_of(fd, false);

	if (entry)
		set(entry, 0);
}

void descriptors_child_begins(void)
{
	thread_task()->vforked++;
	descriptors_guest_begins();
}

void descriptors_guest_begins(void)
{
	atomic_fetch_add(&children, 1);
}

void descriptors_forked(void)
{
	thread_task()->vforked = 0;
	atomic_store(&children, 0);
	atomic_store(&marked, false);
}

static void unmark(_Atomic uint32_t *block)
{
	for (unsigned i = 0; i < DESCRIPTOR_BLOCK; i++)
		if (atomic_load_explicit(&block[i], memory_order_relaxed) & DESCRIPTOR_CHANGED)
			atomic_fetch_and(&block[i], ~DESCRIPTOR_CHANGED);
}

void descriptors_child_left(void)
{
	thread_task()->vforked--;
	descriptors_guest_left();
}

void descriptors_guest_left(void)
{
	if (atomic_fetch_sub(&children, 1) > 1 || !atomic_exchange(&marked, false))
		return;
	for (unsigned number = 0; number < BLOCK_COUNT; number++) {
		_Atomic uint32_t *block = atomic_load(&blocks[number]);

		if (block)
			unmark(block);
	}
}

void descriptor_forget(int fd)
{
	forget(fd);
	if (fd >= 0)
		uring_closed((unsigned)fd, (unsigned)fd);
}

void descriptor_forget_range(unsigned first, unsigned last)
{
	for (unsigned number = first / DESCRIPTOR_BLOCK;
	     number <= last / DESCRIPTOR_BLOCK && number < BLOCK_COUNT; number++) {
		unsigned from =
			number * DESCRIPTOR_BLOCK > first ? 0 : first - number * DESCRIPTOR_BLOCK;

		if (!atomic_load(&blocks[number]))
			continue;
		for (unsigned i = from;
		     i < DESCRIPTOR_BLOCK && number * DESCRIPTOR_BLOCK + i <= last; i++)
			forget((int)(number * DESCRIPTOR_BLOCK + i));
	}
	uring_closed(first, last);
}

void descriptors_inherited(void)
{
	if (!inherited)
		inherited = wipe_alloc(sizeof(*inherited));
	if (inherited)
		inherited->count = 0;
	for (int fd = 0; inherited && fd < INHERITED_BELOW; fd++)
		if (sys_fcntl(fd, F_GETFD, 0) >= 0)
			inherit(fd);
}

int descriptor_refused(void)
{
	errno = EBADF;
	return -1;
}
