/* SPDX-License-Identifier: MIT */
/**
 * recorder.h - for programs that say what they are doing: regions, instants, counters; and when to record.
 *
 *	#include <recorder/recorder.h>
 *
 *	void train(int epochs)
 *	{
 *		RECORDER_FUNCTION();                          // from here to the end of the function, by its name
 *		for (int epoch = 0; epoch < epochs; epoch++) {
 *			RECORDER_REGION("epoch");             // from here to the end of the block
 *			recorder_set_int("epoch", epoch);     // an argument of it, and of all that is called in it
 *			...
 *			RECORDER_COUNTER("loss", loss);
 *		}
 *	}
 *
 * In a trace these are calls of the layer `user`, around the calls of MPI and files that are made in them.
 *
 * Header only: nothing is to be linked. Where the recorder is not loaded nothing happens, at the cost of a test; a program that uses it runs the same with it
 * and without it.
 *
 * Thread safety: all functions may be called by any thread at any time, also in signal handlers. A region belongs to the thread that began it.
 * What a function returns may be ignored: 0; -ENOSYS: this process is not recorded; else what is said there.
 */
#ifndef RECORDER_RECORDER_H
#define RECORDER_RECORDER_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Functions of librecorder.so, NULL where that is not loaded. `noplt` makes the compiler look at run time also in programs that are at fixed addresses (-no-pie); one
 * that does not know it (clang) does so in all others.
 */
#if defined(__has_attribute)
#if __has_attribute(noplt)
#define RECORDER_OPTIONAL __attribute__((weak, noplt))
#endif
#endif
#ifndef RECORDER_OPTIONAL
#define RECORDER_OPTIONAL __attribute__((weak))
#endif

/* Regions ------------------------------------------------------------------------ */

/** A place in the program that has a name; zero but for the two. It is best static: what is made anew for each call has to be looked up by its name, of which the recorder keeps a copy. */
struct recorder_site {
	const char *name;     /* up to 255 bytes; longer ones are cut */
	const char *category; /* up to 63 bytes; NULL: none */
	unsigned number;      /* the recorder's, of regions */
	unsigned mark;        /* and of instants, counters, spans */
};

#define RECORDER_SITE(name, category)                                                              \
	{                                                                                          \
		name, category, 0, 0                                                               \
	}

RECORDER_OPTIONAL int recorder_site_begin(struct recorder_site *site);
RECORDER_OPTIONAL int recorder_site_end(struct recorder_site *site);
RECORDER_OPTIONAL int recorder_site_inside(struct recorder_site *site);
RECORDER_OPTIONAL int recorder_site_cancel(struct recorder_site *site);
RECORDER_OPTIONAL int recorder_site_begin_at(struct recorder_site *site, int64_t unix_ns);
RECORDER_OPTIONAL int recorder_site_end_at(struct recorder_site *site, int64_t unix_ns);
RECORDER_OPTIONAL int recorder_site_instant(struct recorder_site *site);
RECORDER_OPTIONAL int recorder_site_counter(struct recorder_site *site, double value);
RECORDER_OPTIONAL int recorder_site_span(struct recorder_site *site, uint64_t id, int ends);
RECORDER_OPTIONAL int recorder_region_int(const char *key, int64_t value);
RECORDER_OPTIONAL int recorder_region_double(const char *key, double value);
RECORDER_OPTIONAL int recorder_region_string(const char *key, const char *value);
RECORDER_OPTIONAL int recorder_site_int(struct recorder_site *site, const char *key, int64_t value);
RECORDER_OPTIONAL int recorder_site_double(struct recorder_site *site, const char *key,
					   double value);
RECORDER_OPTIONAL int recorder_site_string(struct recorder_site *site, const char *key,
					   const char *value);
RECORDER_OPTIONAL int recorder_process_note(const char *key, const char *value);

/** A region begins, inside of those that the thread has open. */
static inline int recorder_begin(struct recorder_site *site)
{
	return recorder_site_begin ? recorder_site_begin(site) : -ENOSYS;
}

/**
 * It ends, and with it regions inside of it that have not been ended. NULL: the innermost one. -ENOENT: the thread has no such region open (it was ended before, begun by another
 * thread or before a fork); that is counted in the trace.
 */
static inline int recorder_end(struct recorder_site *site)
{
	return recorder_site_end ? recorder_site_end(site) : -ENOSYS;
}

/** How many regions the thread has open inside of its innermost one of that site. -ENOENT: there is none; -EBUSY: there are calls of libraries, or functions by name, in between. */
static inline int recorder_inside(struct recorder_site *site)
{
	return recorder_site_inside ? recorder_site_inside(site) : -ENOSYS;
}

/** It ends as by recorder_end(), and is not in the trace; what was called in it is. */
static inline int recorder_cancel(struct recorder_site *site)
{
	return recorder_site_cancel ? recorder_site_cancel(site) : -ENOSYS;
}

/**
 * For who measured by himself: a region that began and ended at times in the past, ns of CLOCK_REALTIME, said as soon as it is over. It begins no earlier than the region around it. What was recorded meanwhile is not
 * inside of it, but beside. -ERANGE: other calls of the thread ended later; in the trace it is as long as it was, but ends with them.
 */
static inline int recorder_begin_at(struct recorder_site *site, int64_t unix_ns)
{
	return recorder_site_begin_at ? recorder_site_begin_at(site, unix_ns) : -ENOSYS;
}

static inline int recorder_end_at(struct recorder_site *site, int64_t unix_ns)
{
	return recorder_site_end_at ? recorder_site_end_at(site, unix_ns) : -ENOSYS;
}

/** Something happens now. */
static inline int recorder_instant(struct recorder_site *site)
{
	return recorder_site_instant ? recorder_site_instant(site) : -ENOSYS;
}

/** A quantity has a value from now on. */
static inline int recorder_counter(struct recorder_site *site, double value)
{
	return recorder_site_counter ? recorder_site_counter(site, value) : -ENOSYS;
}

/** Something begins that need not end in this thread, nor inside of its regions; `id` tells it from others of the same name. */
static inline int recorder_span_begin(struct recorder_site *site, uint64_t id)
{
	return recorder_site_span ? recorder_site_span(site, id, 0) : -ENOSYS;
}

static inline int recorder_span_end(struct recorder_site *site, uint64_t id)
{
	return recorder_site_span ? recorder_site_span(site, id, 1) : -ENOSYS;
}

/**
 * An argument of the innermost region of the thread; up to 16, of up to 63 bytes each; a second value of a key takes the place of the first. The keys `epoch`, `step` and `sample` hold for
 * all that is called in the region. -ENOENT: there is none open; -EBUSY: in it is a call of a library that calls the program back, or a function by name; -ENOSPC: there is no room.
 */
static inline int recorder_set_int(const char *key, int64_t value)
{
	return recorder_region_int ? recorder_region_int(key, value) : -ENOSYS;
}

static inline int recorder_set_double(const char *key, double value)
{
	return recorder_region_double ? recorder_region_double(key, value) : -ENOSYS;
}

/** NULL: a value that is not there. Up to 4 KiB are kept. */
static inline int recorder_set_string(const char *key, const char *value)
{
	return recorder_region_string ? recorder_region_string(key, value) : -ENOSYS;
}

/** An argument of that region, which need not be the innermost one: others may be open inside of it, but no call of a library that calls the program back, and no function by name (-EBUSY). */
static inline int recorder_set_int_of(struct recorder_site *site, const char *key, int64_t value)
{
	return recorder_site_int ? recorder_site_int(site, key, value) : -ENOSYS;
}

static inline int recorder_set_double_of(struct recorder_site *site, const char *key, double value)
{
	return recorder_site_double ? recorder_site_double(site, key, value) : -ENOSYS;
}

static inline int recorder_set_string_of(struct recorder_site *site, const char *key,
					 const char *value)
{
	return recorder_site_string ? recorder_site_string(site, key, value) : -ENOSYS;
}

/** Something that is true of the whole process: `recorder info` shows it. */
static inline int recorder_note(const char *key, const char *value)
{
	return recorder_process_note ? recorder_process_note(key, value) : -ENOSYS;
}

/* With names that do not change ----------------------------------------------------- */

#define RECORDER_JOIN_(a, b) a##b
#define RECORDER_JOIN(a, b) RECORDER_JOIN_(a, b)
#define RECORDER_HERE(what) RECORDER_JOIN(recorder_##what##_, __LINE__)

static inline void recorder_scope_end(struct recorder_site *const *site)
{
	recorder_end(*site);
}

/** From here to the end of the block, however that is left: by return, break, goto; in C++ by exceptions, too. */
#ifdef __cplusplus
#define RECORDER_REGION_OF(name, category)                                                         \
	static struct recorder_site RECORDER_HERE(site) = RECORDER_SITE(name, category);           \
	recorder::region RECORDER_HERE(region)                                                     \
	{                                                                                          \
		RECORDER_HERE(site)                                                                \
	}
#else
#define RECORDER_REGION_OF(name, category)                                                         \
	static struct recorder_site RECORDER_HERE(site) = RECORDER_SITE(name, category);           \
	__attribute__((cleanup(recorder_scope_end),                                                \
		       unused)) struct recorder_site *const RECORDER_HERE(region) =                \
		&RECORDER_HERE(site);                                                              \
	recorder_begin(&RECORDER_HERE(site))
#endif
#define RECORDER_REGION(name) RECORDER_REGION_OF(name, NULL)
/** The same by the function's name. */
#define RECORDER_FUNCTION() RECORDER_REGION_OF(__func__, NULL)

/** Begins a region of that name; RECORDER_END() ends it, anywhere in the same thread. */
#define RECORDER_BEGIN(name)                                                                       \
	do {                                                                                       \
		static struct recorder_site recorder_site_ = RECORDER_SITE(name, NULL);            \
		recorder_begin(&recorder_site_);                                                   \
	} while (0)
/** Ends the innermost region of the thread. */
#define RECORDER_END() recorder_end(NULL)

#define RECORDER_INSTANT(name)                                                                     \
	do {                                                                                       \
		static struct recorder_site recorder_site_ = RECORDER_SITE(name, NULL);            \
		recorder_instant(&recorder_site_);                                                 \
	} while (0)
#define RECORDER_COUNTER(name, value)                                                              \
	do {                                                                                       \
		static struct recorder_site recorder_site_ = RECORDER_SITE(name, NULL);            \
		recorder_counter(&recorder_site_, value);                                          \
	} while (0)

/* When to record ----------------------------------------------------------------- */

enum recorder_request {
	RECORDER_PAUSE = 1,
	RECORDER_RESUME = 2,
	RECORDER_FLUSH = 3,
};

/** 0; -EINVAL: no such request; -ENOSYS: this process is not recorded. These act on the whole process; other threads follow within a tenth of a second or with their next call. */
RECORDER_OPTIONAL int recorder_control(int request);

/** No call is recorded until recorder_resume(). Calls and regions in flight are recorded when they end. */
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

namespace recorder
{
/** A region that lasts as long as the object. */
class region
{
      public:
	explicit region(struct recorder_site &site) noexcept : site_(&site)
	{
		recorder_begin(site_);
	}
	~region()
	{
		recorder_end(site_);
	}
	region(const region &) = delete;
	region &operator=(const region &) = delete;

	/** What is said of it, also while others are open inside of it. */
	void set(const char *key, double value) noexcept
	{
		recorder_set_double_of(site_, key, value);
	}
	void set(const char *key, const char *value) noexcept
	{
		recorder_set_string_of(site_, key, value);
	}
	template <typename Integer> void set(const char *key, Integer value) noexcept
	{
		recorder_set_int_of(site_, key, static_cast<int64_t>(value));
	}

      private:
	struct recorder_site *site_;
};
} // namespace recorder
#endif

#endif
