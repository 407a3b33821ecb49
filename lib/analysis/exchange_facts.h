/* SPDX-License-Identifier: MIT */
/*
 * exchange_facts.h - what a function of MPI means for matching: which arguments say who sends to whom, and in a collective call who waits for whom.
 */
#ifndef RECORDER_ANALYSIS_EXCHANGE_FACTS_H
#define RECORDER_ANALYSIS_EXCHANGE_FACTS_H

#include <recorder/analysis.h>

#define NO_ARGUMENT (~0u)

enum exchange_role {
	EXCHANGE_NONE,       /* but it may complete something */
	EXCHANGE_MESSAGE,    /* sends, receives, or both */
	EXCHANGE_PERSISTENT, /* describes what is started later */
	EXCHANGE_START,
	EXCHANGE_PROBE,
	EXCHANGE_MATCHED_PROBE,   /* takes a message, as a receive does */
	EXCHANGE_MATCHED_RECEIVE, /* gets what such a probe has taken */
	EXCHANGE_COLLECTIVE
};

enum exchange_shape {
	SHAPE_OTHER, /* nobody is known to wait: scans, neighbours */
	SHAPE_ALL,   /* everybody for the last one */
	SHAPE_FROM_ROOT,
	SHAPE_TO_ROOT
};

struct exchange_facts {
	enum exchange_role role;
	enum exchange_shape shape;
	/* numbers of arguments, or NO_ARGUMENT */
	unsigned dest, send_tag, source, receive_tag, root;
	unsigned request, status; /* one, or an array of them */
	unsigned flag, message;
};

struct exchange_facts exchange_facts_of(const struct reader_function_info *function,
					enum analysis_operation operation);

#endif
