/* SPDX-License-Identifier: MIT */
/*
 * lifecycle.h - the life of a traced process, from its first traced call to its last.
 *
 *   start        constructor, or the first traced call if that is earlier: settings, identity, filters; no file is touched
 *   open         first recorded call: trace directory, LM, live files
 *   fork         a child begins a stream of its own at its first recorded call
 *   exec         everything is sealed and the stream ended (ending.h); the new image begins another. An exec that fails goes on
 *   end          exit, _exit, abort ...: everything is sealed, no live file is left. Threads that still run write through
 *
 * stage.h has how far it is.
 */
#ifndef RECORDER_RECORD_LIFECYCLE_H
#define RECORDER_RECORD_LIFECYCLE_H

#include <stdbool.h>

/* Start, if that has not been; true if the process records. */
bool lifecycle_start(void);
/* Start and open; true if there is a stream to record into. Waits for another thread that is just opening it; false in
 * a signal handler that interrupted that. */
bool lifecycle_open(void);

/* Whether the process has been started and records; does not start it. */
bool lifecycle_is_active(void);
/* Whether the stream has been ended: what is recorded from then on goes straight to the file. */
bool lifecycle_has_ended(void);
/* Whether there is a stream that is not ended. */
bool lifecycle_is_recording(void);

/* In the child of a fork, before it does anything else. */
void lifecycle_forked_child(void);
/* exit() is about to run the handlers, maybe before our constructor has run: in that of another library. */
void lifecycle_expect_exit(void);

/* The process is about to end (`how`: "exit", "abort" ...); handlers may still run, of exit, of signals. */
void lifecycle_exit(const char *how, int status);
/* The process ends with the next system call. */
void lifecycle_exit_at_once(const char *how, int status);

/* What MPI says after MPI_Init and MPI_Finalize. */
void lifecycle_mpi_initialized(int rank, int size, const char *library_version);
void lifecycle_mpi_finalized(void);
/* MPI_Pcontrol and the like: no call is recorded while paused. */
void lifecycle_pause(bool pause);

#endif
