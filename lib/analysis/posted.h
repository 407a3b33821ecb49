/* SPDX-License-Identifier: MIT */
/*
 * posted.h - receives in the order in which they were posted, until it is known from whom and with what tag each was: then they go to their channels
 * (channels.h).
 *
 * A receive from anybody, or with any tag, holds up those that were posted after it and may have the same envelope: if it turns out to have it, the message before
 * theirs is its. Most receives wait for nobody and pass at once.
 */
#ifndef RECORDER_ANALYSIS_POSTED_H
#define RECORDER_ANALYSIS_POSTED_H

#include "analysis/channels.h"

struct posted;

/* NULL: no memory. `channels` must outlive it. */
struct posted *posted_new(struct channels *channels);
void posted_free(struct posted *posted);

/* A receive from channels_receive() that somebody holds, with its envelope as far as the call says. 0 or a negative errno. */
int posted_add(struct posted *posted, struct receive *receive);
/* It has completed: from whom and with what tag. As channels_complete(); nobody holds it any more. */
int posted_complete(struct posted *posted, struct receive *receive, struct reader_process from,
		    int64_t tag, const struct message_call *call);
/* It was cancelled, and nobody holds it any more. */
int posted_cancel(struct posted *posted, struct receive *receive);
/* Nobody holds it, and nobody will say that it completed: its place among the others stays. With its envelope unknown, no order is known there any more. */
void posted_forget(struct posted *posted, struct receive *receive);

#endif
