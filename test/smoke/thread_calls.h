/* SPDX-License-Identifier: MIT */
/*
 * thread_calls.h - what the calls of thread.calls are made on; objects of C11 are the others by another name. Other threads do what they do by libc's own functions, which no
 * wrapper sees.
 */
#ifndef RECORDER_TEST_SMOKE_THREAD_CALLS_H
#define RECORDER_TEST_SMOKE_THREAD_CALLS_H

#include "smoke.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <threads.h>
#include <time.h>

#define smoke_find(symbol) smoke_find_in("libc.so.6", symbol)

static pthread_t created;
static void *ended;
static atomic_int created_thread, may_end, waking;

/* libc's own function of this name. */
#define LIBC(function)                                                                             \
	((__typeof__(function) *)dlsym(dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD), #function))

static inline void must(bool done, const char *what)
{
	if (done)
		return;
	fprintf(stderr, "%s\n", what);
	exit(1);
}

static inline const struct timespec *in_seconds(clockid_t clock, int seconds)
{
	static struct timespec time;

	clock_gettime(clock, &time);
	time.tv_sec += seconds;
	return &time;
}

static inline const struct timespec *later(void)
{
	return in_seconds(CLOCK_REALTIME, 60);
}

static inline const struct timespec *monotonic_later(void)
{
	return in_seconds(CLOCK_MONOTONIC, 60);
}

static inline const struct timespec *earlier(void)
{
	static const struct timespec begin = {.tv_sec = 1};

	return &begin;
}

/* ---- threads ---- */

static inline void *begin(void *argument)
{
	(void)argument;
	atomic_store(&created_thread, (int)syscall(SYS_gettid));
	return NULL;
}

/* Stays until it is joined: of one that has ended already the number is not known. */
static inline void *begin_and_stay(void *argument)
{
	begin(argument);
	while (!atomic_load(&may_end))
		sched_yield();
	return NULL;
}

static inline int begin_c11(void *argument)
{
	begin_and_stay(argument);
	return 0;
}

/* The thread number of the thread that was created last. */
static inline const char *created_tid(void)
{
	static char text[16];

	while (atomic_load(&created_thread) == 0)
		sched_yield();
	snprintf(text, sizeof(text), "%d", atomic_exchange(&created_thread, 0));
	return text;
}

static inline void join(pthread_t thread)
{
	atomic_store(&may_end, 1);
	must(pthread_join(thread, NULL) == 0, "join");
}

static inline pthread_t an_ended_thread(void)
{
	pthread_t thread;
	char path[64];

	must(pthread_create(&thread, NULL, begin, NULL) == 0, "pthread_create");
	snprintf(path, sizeof(path), "/proc/self/task/%s", created_tid());
	while (access(path, F_OK) == 0)
		sched_yield();
	return thread;
}

static inline void *sleep_long(void *argument)
{
	sleep(60);
	return argument;
}

static inline pthread_t a_sleeping_thread(void)
{
	pthread_t thread;

	must(pthread_create(&thread, NULL, sleep_long, NULL) == 0, "pthread_create");
	return thread;
}

/* ---- what is waited for: one that stays, and new ones that are used once ---- */

#define SMOKE_LOCKS 6

#define SMOKE_SYNC(type, kept, fresh, unused, make)                                                \
	static inline type *fresh(void)                                                            \
	{                                                                                          \
		static type all[SMOKE_LOCKS];                                                      \
		static int count;                                                                  \
                                                                                                   \
		must(count < SMOKE_LOCKS, #fresh);                                                 \
		return &all[count++];                                                              \
	}                                                                                          \
                                                                                                   \
	static inline type *unused(void)                                                           \
	{                                                                                          \
		type *object = fresh();                                                            \
                                                                                                   \
		must((make) == 0, #unused);                                                        \
		return object;                                                                     \
	}                                                                                          \
                                                                                                   \
	static inline type *kept(void)                                                             \
	{                                                                                          \
		static type *object;                                                               \
                                                                                                   \
		if (!object)                                                                       \
			object = unused();                                                         \
		return object;                                                                     \
	}

SMOKE_SYNC(pthread_mutex_t, a_mutex, a_new_mutex, an_unused_mutex, pthread_mutex_init(object, NULL))
SMOKE_SYNC(pthread_spinlock_t, a_spinlock, a_new_spinlock, an_unused_spinlock,
	   pthread_spin_init(object, 0))
SMOKE_SYNC(pthread_rwlock_t, a_lock, a_new_lock, an_unused_lock, pthread_rwlock_init(object, NULL))
SMOKE_SYNC(pthread_cond_t, a_condition, a_new_condition, an_unused_condition,
	   pthread_cond_init(object, NULL))
SMOKE_SYNC(pthread_barrier_t, a_barrier, a_new_barrier, an_unused_barrier,
	   pthread_barrier_init(object, NULL, 1))
SMOKE_SYNC(sem_t, a_semaphore, a_new_semaphore, an_unused_semaphore, sem_init(object, 0, 10))

static inline pthread_mutex_t *a_locked_mutex(void)
{
	must(LIBC(pthread_mutex_lock)(a_mutex()) == 0, "lock");
	return a_mutex();
}

static inline void unlocked(pthread_mutex_t *mutex)
{
	must(LIBC(pthread_mutex_unlock)(mutex) == 0, "unlock");
}

static inline void *lock_and_end(void *mutex)
{
	LIBC(pthread_mutex_lock)(mutex);
	return NULL;
}

/* Its owner ended without unlocking it. */
static inline pthread_mutex_t *an_abandoned_mutex(void)
{
	static pthread_mutex_t mutex;
	pthread_mutexattr_t attributes;
	pthread_t thread;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&mutex, &attributes);
	must(pthread_create(&thread, NULL, lock_and_end, &mutex) == 0, "pthread_create");
	join(thread);
	must(LIBC(pthread_mutex_lock)(&mutex) == EOWNERDEAD, "an abandoned mutex");
	return &mutex;
}

static inline pthread_spinlock_t *a_locked_spinlock(void)
{
	must(LIBC(pthread_spin_lock)(a_spinlock()) == 0, "lock");
	return a_spinlock();
}

static inline void spin_unlocked(pthread_spinlock_t *lock)
{
	must(LIBC(pthread_spin_unlock)(lock) == 0, "unlock");
}

static inline pthread_rwlock_t *a_held_lock(void)
{
	must(LIBC(pthread_rwlock_rdlock)(a_lock()) == 0, "lock");
	return a_lock();
}

static inline void lock_released(pthread_rwlock_t *lock)
{
	must(LIBC(pthread_rwlock_unlock)(lock) == 0, "unlock");
}

/* A thread that goes on waking whoever waits for a_condition(). */
static pthread_t waker;

static inline void *wake(void *condition)
{
	while (atomic_load(&waking)) {
		LIBC(pthread_cond_broadcast)(condition);
		sched_yield();
	}
	return NULL;
}

static inline void wake_soon(void)
{
	atomic_store(&waking, 1);
	must(pthread_create(&waker, NULL, wake, a_condition()) == 0, "pthread_create");
}

static inline void woken(void)
{
	atomic_store(&waking, 0);
	join(waker);
}

static inline const char *semaphore_name(void)
{
	static char name[64];

	snprintf(name, sizeof(name), "/recorder-smoke.%d", getpid());
	return name;
}

static inline const char *semaphore_there(void)
{
	sem_t *semaphore = sem_open(semaphore_name(), O_CREAT, 0600, 1);

	must(semaphore != SEM_FAILED && sem_close(semaphore) == 0, "sem_open");
	return semaphore_name();
}

#endif
