/* SPDX-License-Identifier: MIT */
/*
 * crew.h - processes that write one output together: those of -j, which are forked, or the ranks of a launcher.
 *
 * Each has a log that the others read (log.h); the leader's log begins with who takes part. A process that fails says so in its log, and the others
 * fail with it; one that dies is missed by its parent, or by the others when they hear nothing for two minutes: a thread of each rank says now and then that it is alive, however long
 * its work takes. All messages come in the order in which they were said.
 *
 * The logs of ranks are files beside the output. Since a job may run the same command twice, and one rank may still be in the first when another is in the second,
 * each has a random number, and logs that begin with others than those in the leader's log are not listened to; the leader ends last.
 */
#ifndef RECORDER_TOOLS_CREW_H
#define RECORDER_TOOLS_CREW_H

#include "log.h"
#include "ranks.h"

/* What is said for the crew itself is from 1 to 9. */
#define CREW_FIRST_TYPE 10u
#define CREW_DAMAGE 9u /* see damage.h */
#define CREW_EARS 3u

struct crew;

/* Begins. `same` must be the same for all ranks. Returns in every process of the crew; those that fail end with a message. */
struct crew *crew_start(const struct ranks *who, uint64_t same);
/* The number of this process, 0 is the leader. */
unsigned crew_number(const struct crew *crew);

void crew_say(struct crew *crew, uint32_t type, const void *bytes, size_t size);
/*
 * Whether process `number` has said something more of that type, which is in `body` then. Messages of up to CREW_EARS types can be asked for in turn, each in its order: `ear`, from 0,
 * tells which.
 */
bool crew_hear(struct crew *crew, unsigned number, unsigned ear, uint32_t type,
	       struct buffer *body);
/* Waits a little for a process that has not yet said what is asked for; ends this one if there is no hope. */
void crew_wait(struct crew *crew, unsigned number);

/* This process, not the leader, has done its share: waits until the leader has done its, and does not return if it was forked. */
void crew_leave(struct crew *crew);
/* The leader: waits until all others have done their share. */
void crew_gather(struct crew *crew);
/* The leader has done all: lets the others go. */
void crew_end(struct crew *crew);

#endif
