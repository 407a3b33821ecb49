/* SPDX-License-Identifier: MIT */
/* Every function of layer thread, in one thread at a time: what waits for somebody does not have to. */
#include "../trace/expect.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>

static const struct timespec past = {1, 0};

static void mutexes(void)
{
	pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second;

	expect("0 thread pthread_mutex_lock(mutex=1) = %d", pthread_mutex_lock(&first));
	expect("0 thread pthread_mutex_trylock(mutex=1) = 16 EBUSY");
	pthread_mutex_trylock(&first);
	expect("0 thread pthread_mutex_timedlock(mutex=1) = 110 ETIMEDOUT");
	pthread_mutex_timedlock(&first, &past);
	expect("0 thread pthread_mutex_clocklock(mutex=1, clock=CLOCK_MONOTONIC) = 110 ETIMEDOUT");
	pthread_mutex_clocklock(&first, CLOCK_MONOTONIC, &past);
	expect("0 thread pthread_mutex_unlock(mutex=1) = %d", pthread_mutex_unlock(&first));
	expect("0 thread pthread_mutex_init(mutex=2) = %d", pthread_mutex_init(&second, NULL));
	expect("0 thread pthread_mutex_consistent(mutex=2) = 22 EINVAL");
	pthread_mutex_consistent(&second);
	expect("0 thread pthread_mutex_destroy(mutex=2) = %d", pthread_mutex_destroy(&second));
	expect("0 thread pthread_mutex_init(mutex=3) = %d", pthread_mutex_init(&second, NULL));
	expect("0 thread pthread_mutex_destroy(mutex=3) = %d", pthread_mutex_destroy(&second));
}

static void spinlocks(void)
{
	pthread_spinlock_t lock;

	expect("0 thread pthread_spin_init(lock=4, shared=0) = %d", pthread_spin_init(&lock, 0));
	expect("0 thread pthread_spin_lock(lock=4) = %d", pthread_spin_lock(&lock));
	expect("0 thread pthread_spin_trylock(lock=4) = 16 EBUSY");
	pthread_spin_trylock(&lock);
	expect("0 thread pthread_spin_unlock(lock=4) = %d", pthread_spin_unlock(&lock));
	expect("0 thread pthread_spin_destroy(lock=4) = %d", pthread_spin_destroy(&lock));
}

static void rwlocks(void)
{
	pthread_rwlock_t lock;

	expect("0 thread pthread_rwlock_init(lock=5) = %d", pthread_rwlock_init(&lock, NULL));
	expect("0 thread pthread_rwlock_rdlock(lock=5) = %d", pthread_rwlock_rdlock(&lock));
	expect("0 thread pthread_rwlock_tryrdlock(lock=5) = %d", pthread_rwlock_tryrdlock(&lock));
	expect("0 thread pthread_rwlock_timedrdlock(lock=5) = %d",
	       pthread_rwlock_timedrdlock(&lock, &past));
	expect("0 thread pthread_rwlock_clockrdlock(lock=5, clock=CLOCK_REALTIME) = %d",
	       pthread_rwlock_clockrdlock(&lock, CLOCK_REALTIME, &past));
	expect("0 thread pthread_rwlock_trywrlock(lock=5) = 16 EBUSY");
	pthread_rwlock_trywrlock(&lock);
	expect("0 thread pthread_rwlock_timedwrlock(lock=5) = 110 ETIMEDOUT");
	pthread_rwlock_timedwrlock(&lock, &past);
	expect("0 thread pthread_rwlock_clockwrlock(lock=5, clock=CLOCK_MONOTONIC) = 110 "
	       "ETIMEDOUT");
	pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &past);
	for (int i = 0; i < 4; i++)
		expect("0 thread pthread_rwlock_unlock(lock=5) = %d", pthread_rwlock_unlock(&lock));
	expect("0 thread pthread_rwlock_wrlock(lock=5) = %d", pthread_rwlock_wrlock(&lock));
	expect("0 thread pthread_rwlock_unlock(lock=5) = %d", pthread_rwlock_unlock(&lock));
	expect("0 thread pthread_rwlock_destroy(lock=5) = %d", pthread_rwlock_destroy(&lock));
}

static void conditions(void)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t cond;

	expect("0 thread pthread_cond_init(cond=6) = %d", pthread_cond_init(&cond, NULL));
	expect("0 thread pthread_cond_signal(cond=6) = %d", pthread_cond_signal(&cond));
	expect("0 thread pthread_cond_broadcast(cond=6) = %d", pthread_cond_broadcast(&cond));
	expect("0 thread pthread_mutex_init(mutex=7) = %d", pthread_mutex_init(&mutex, NULL));
	expect("0 thread pthread_mutex_lock(mutex=7) = %d", pthread_mutex_lock(&mutex));
	expect("0 thread pthread_cond_timedwait(cond=6, mutex=7) = 110 ETIMEDOUT");
	pthread_cond_timedwait(&cond, &mutex, &past);
	expect("0 thread pthread_cond_clockwait(cond=6, mutex=7, clock=CLOCK_MONOTONIC) = "
	       "110 ETIMEDOUT");
	pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, &past);
	expect("0 thread pthread_mutex_unlock(mutex=7) = %d", pthread_mutex_unlock(&mutex));
	expect("0 thread pthread_mutex_destroy(mutex=7) = %d", pthread_mutex_destroy(&mutex));
	expect("0 thread pthread_cond_destroy(cond=6) = %d", pthread_cond_destroy(&cond));
}

static void barriers(void)
{
	pthread_barrier_t barrier;

	expect("0 thread pthread_barrier_init(barrier=8, count=1) = %d",
	       pthread_barrier_init(&barrier, NULL, 1));
	expect("0 thread pthread_barrier_wait(barrier=8) = -1");
	pthread_barrier_wait(&barrier);
	expect("0 thread pthread_barrier_destroy(barrier=8) = %d",
	       pthread_barrier_destroy(&barrier));
}

static void semaphores(void)
{
	sem_t semaphore, *named;
	int value;

	expect("0 thread sem_init(semaphore=9, shared=0, value=3) = %d",
	       sem_init(&semaphore, 0, 3));
	expect("0 thread sem_wait(semaphore=9) = %d", sem_wait(&semaphore));
	expect("0 thread sem_trywait(semaphore=9) = %d", sem_trywait(&semaphore));
	expect("0 thread sem_timedwait(semaphore=9) = %d", sem_timedwait(&semaphore, &past));
	expect("0 thread sem_trywait(semaphore=9) = -1 EAGAIN");
	sem_trywait(&semaphore);
	expect("0 thread sem_clockwait(semaphore=9, clock=CLOCK_MONOTONIC) = -1 ETIMEDOUT");
	sem_clockwait(&semaphore, CLOCK_MONOTONIC, &past);
	expect("0 thread sem_post(semaphore=9) = %d", sem_post(&semaphore));
	expect("0 thread sem_getvalue(semaphore=9, value=1) = %d",
	       sem_getvalue(&semaphore, &value));
	expect("0 thread sem_destroy(semaphore=9) = %d", sem_destroy(&semaphore));
	named = sem_open("/recorder-test-layers", O_CREAT | O_EXCL, 0600, 1);
	expect("0 thread sem_open(name=\"/recorder-test-layers\", flags=O_RDONLY|O_CREAT|O_EXCL, "
	       "mode=0600, value=1, semaphore=10) = 0x1");
	expect("0 thread sem_close(semaphore=10) = %d", sem_close(named));
	expect("0 thread sem_unlink(name=\"/recorder-test-layers\") = %d",
	       sem_unlink("/recorder-test-layers"));
	sem_open("/recorder-test-layers", 0);
	expect("0 thread sem_open(name=\"/recorder-test-layers\", flags=O_RDONLY, mode=0000, "
	       "value=0, semaphore=?) = NULL ENOENT");
}

static void *nothing(void *argument)
{
	return argument;
}

/* Waits until it is told. */
static void *wait_for_pipe(void *argument)
{
	char byte;

	return (void *)bare(SYS_read, *(int *)argument, &byte, 1);
}

static void threads(void)
{
	pthread_t thread;
	int fds[2];

	bare(SYS_pipe2, fds, 0);
	pthread_create(&thread, NULL, wait_for_pipe, fds);
	expect("0 thread pthread_create(thread=1, start=0x1, tid=TID) = 0");
	expect("0 thread pthread_tryjoin_np(thread=1) = 16 EBUSY");
	pthread_tryjoin_np(thread, NULL);
	expect("0 thread pthread_timedjoin_np(thread=1) = 110 ETIMEDOUT");
	pthread_timedjoin_np(thread, NULL, &past);
	expect("0 thread pthread_clockjoin_np(thread=1, clock=CLOCK_MONOTONIC) = 110 ETIMEDOUT");
	pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &past);
	expect("0 thread pthread_kill(thread=1, signal=0) = %d", pthread_kill(thread, 0));
	bare(SYS_write, fds[1], "x", 1);
	expect("0 thread pthread_join(thread=1) = %d", pthread_join(thread, NULL));
	pthread_create(&thread, NULL, nothing, NULL);
	expect("0 thread pthread_create(thread=2, start=0x1, tid=TID) = 0");
	expect("0 thread pthread_cancel(thread=2) = %d", pthread_cancel(thread));
	expect("0 thread pthread_detach(thread=2) = %d", pthread_detach(thread));
}

int main(void)
{
	mutexes();
	spinlocks();
	rwlocks();
	conditions();
	barriers();
	semaphores();
	threads();
	return expect_end();
}
