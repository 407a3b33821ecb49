/* SPDX-License-Identifier: MIT */
/**
 * recorder.h - for programs that tell the recorder when to record.
 *
 * Header only: nothing is to be linked. Where the recorder is not loaded the functions do nothing; a program that uses them
 * runs the same with it and without it.
 *
 * Thread safety: all functions may be called by any thread at any time, also in signal handlers; they act on the whole process.
 * Other threads follow within a tenth of a second or with their next call.
 */
#ifndef RECORDER_RECORDER_H
#define RECORDER_RECORDER_H

#ifdef __cplusplus
extern "C" {
#endif

enum recorder_request {
	RECORDER_PAUSE = 1,
	RECORDER_RESUME = 2,
	RECORDER_FLUSH = 3,
};

/** 0; -EINVAL: no such request; -ENOSYS: this process is not recorded. In librecorder.so; NULL where that is not loaded. */
__attribute__((weak)) int recorder_control(int request);

/** No call is recorded until recorder_resume(). Calls in flight are recorded when they end. */
static inline void recorder_pause(void)
{
	if (recorder_control)
		recorder_control(RECORDER_PAUSE);
}

/** Calls are recorded again, also after RECORDER_PAUSED=1 or `recorder ctl PID pause`. */
static inline void recorder_resume(void)
{
	if (recorder_control)
		recorder_control(RECORDER_RESUME);
}

/**
 * What each thread has recorded goes to the trace directory with its next call. Not needed for safety: records of a killed
 * process are not lost.
 */
static inline void recorder_flush(void)
{
	if (recorder_control)
		recorder_control(RECORDER_FLUSH);
}

#ifdef __cplusplus
}
#endif

#endif
