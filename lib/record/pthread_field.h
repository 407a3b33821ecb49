/* SPDX-License-Identifier: MIT */
/*
 * pthread_field.h - fields of libc's struct pthread that no function gives, by what libc tells debuggers of it (the symbols of
 * nptl_db, /usr/include/thread_db.h): how wide a field is and where it lies.
 */
#ifndef RECORDER_RECORD_PTHREAD_FIELD_H
#define RECORDER_RECORD_PTHREAD_FIELD_H

#include <pthread.h>
#include <stdint.h>
#include <sys/types.h>

/* Once, before other threads; looks symbols up, so not inside of an allocator. */
void pthread_field_init(void);

/*
 * 0: not known, and the main thread has no start routine. The tid is 0, too, when the thread has ended; it may be gone with its
 * memory, which is read without risk.
 */
uintptr_t pthread_field_start(pthread_t thread);
pid_t pthread_field_tid(pthread_t thread);

#endif
