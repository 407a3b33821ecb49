/* SPDX-License-Identifier: MIT */
/* pylives.c - see pylives.h */
#include "pycalls/pylives.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#include "pycalls/pycall.h"
#include "record/critical.h"
#include "record/sys.h"

#define FIRST_SIZE 64u
#define ORPHANS_MAX 256u

/* Open addressing; an entry that was removed leaves none behind, as those after it move up. */
struct life {
	const void *key; /* NULL: free */
	const struct pycode *code;
	PyObject *reference;
	uint64_t id;
	bool orphan;
};

static struct life *lives;
static uint32_t size, count; /* size: a power of two */
static uint64_t newest;
static struct {
	uint32_t count; /* more than ORPHANS_MAX: not all are in the list */
	const void *keys[ORPHANS_MAX];
} orphans;
static _Atomic bool busy; /* interpreters may have a lock each */

static void lock(void)
{
	critical_enter();
	while (atomic_exchange_explicit(&busy, true, memory_order_acquire))
		sys_sched_yield();
}

static void unlock(void)
{
	atomic_store_explicit(&busy, false, memory_order_release);
	critical_leave();
}

static uint32_t home_of(const void *key)
{
	return (uint32_t)(((uintptr_t)key >> 4) * 0x9E3779B97F4A7C15u >> 32) & (size - 1);
}

/* Its entry, or the free one where it would be. */
static struct life *find(const void *key)
{
	uint32_t at = home_of(key);

	while (lives[at].key && lives[at].key != key)
		at = (at + 1) & (size - 1);
	return &lives[at];
}

static bool grow(void)
{
	struct life *before = lives;
	uint32_t before_size = size;
	struct life *larger = calloc(size ? size * 2 : FIRST_SIZE, sizeof(*larger));

	if (!larger)
		return false;
	lives = larger;
	size = size ? size * 2 : FIRST_SIZE;
	for (uint32_t i = 0; i < before_size; i++)
		if (before[i].key)
			*find(before[i].key) = before[i];
	free(before);
	return true;
}

static void remove_at(uint32_t hole)
{
	uint32_t at = hole;

	for (;;) {
		at = (at + 1) & (size - 1);
		if (!lives[at].key)
			break;
		/* it may not move before its home */
		if (((at - home_of(lives[at].key)) & (size - 1)) >= ((at - hole) & (size - 1))) {
			lives[hole] = lives[at];
			hole = at;
		}
	}
	lives[hole] = (struct life){.key = NULL};
	count--;
}

bool pylives_has(const void *key)
{
	bool has;

	lock();
	has = size && find(key)->key;
	unlock();
	return has;
}

/* `life` is the entry of a generator that has none. */
static void begin(struct life *life, const void *key, const struct pycode *code)
{
	*life = (struct life){.key = key, .code = code, .id = ++newest};
}

bool pylives_resume(const void *key, const struct pycode *code, bool throwing)
{
	struct life *life, before = {.key = NULL};
	uint64_t id = 0;

	lock();
	if ((!size || (!find(key)->key && count >= size / 2)) && !grow()) {
		unlock();
		return false;
	}
	life = find(key);
	count += !life->key;
	if (life->orphan && !throwing) /* another one is where it was */
		before = *life;
	if (!life->key || before.key) {
		begin(life, key, code);
		id = newest;
	}
	life->orphan = false;
	unlock();
	if (before.key)
		pycall_mark(before.code->life_end, before.id);
	if (id)
		pycall_mark(code->life_begin, id);
	return id != 0;
}

void pylives_set_reference(const void *key, PyObject *reference)
{
	lock();
	find(key)->reference = reference;
	unlock();
}

/* `at` in the table, which is locked; unlocks. */
static PyObject *end_at(uint32_t at)
{
	struct life life = lives[at];

	remove_at(at);
	unlock();
	pycall_mark(life.code->life_end, life.id);
	return life.reference;
}

PyObject *pylives_end(const void *key)
{
	struct life *life;

	lock();
	life = size ? find(key) : NULL;
	if (life && life->key)
		return end_at((uint32_t)(life - lives));
	unlock();
	return NULL;
}

bool pylives_orphan(const void *key, const PyObject *reference)
{
	struct life *life;
	bool found = false;

	lock();
	life = size ? find(key) : NULL;
	if (life && life->key && life->reference == reference) {
		life->reference = NULL;
		life->orphan = found = true;
		if (orphans.count < ORPHANS_MAX)
			orphans.keys[orphans.count] = key;
		orphans.count++;
	}
	unlock();
	return found;
}

/* The next orphan, as an entry of the locked table; size: none. More than are listed are looked for. */
static uint32_t next_orphan(void)
{
	uint32_t at = 0;

	while (orphans.count > 0 && orphans.count <= ORPHANS_MAX) {
		struct life *life = find(orphans.keys[--orphans.count]);

		if (life->key && life->orphan)
			return (uint32_t)(life - lives);
	}
	if (orphans.count == 0)
		return size;
	while (at < size && !(lives[at].key && lives[at].orphan))
		at++;
	if (at == size)
		orphans.count = 0;
	return at;
}

void pylives_bury(void)
{
	for (;;) {
		uint32_t at;

		lock();
		at = next_orphan();
		if (at == size)
			break;
		end_at(at);
	}
	unlock();
}

void pylives_end_all(void)
{
	for (;;) {
		uint32_t at = 0;

		lock();
		while (at < size && !lives[at].key)
			at++;
		if (at == size)
			break;
		end_at(at);
	}
	orphans.count = 0;
	unlock();
}
