/* SPDX-License-Identifier: MIT */
/*
 * alignment.h - the clocks of the machines of a trace brought together, doc/format.md section 8.
 *
 * All streams of a machine share its CLOCK_MONOTONIC. Where a process of it has measured how that lies to another machine's, the
 * points lead from one to the other, in the end to a machine that all others come from; else there is only what each
 * takes for the time of day.
 */
#ifndef RECORDER_READ_ALIGNMENT_H
#define RECORDER_READ_ALIGNMENT_H

#include "read/readings.h"
#include "read/timeline.h"

struct reader;
struct stream;

struct machine {
	const char *boot_id;      /* "": of one stream that does not say it */
	const char *reference;    /* boot id of the machine that `line` leads to; NULL: no points */
	struct stream *streams;   /* of it, linked by `sibling` */
	struct readings readings; /* of all its clocks at once */
	struct timeline line;     /* from this machine's monotonic ns to those of `onto` */
	const struct machine *onto; /* NULL: this is a root */
	bool rootless;              /* its references do not come to an end */
	int64_t to_real;            /* CLOCK_REALTIME - CLOCK_MONOTONIC, by its earliest anchor */
};

/* Once the streams have their timelines: sets offsets, machines, time zero. 0 or -ENOMEM. */
int alignment_make(struct reader *trace);
void alignment_release(struct reader *trace);

/* What is known of the clock of a stream's machine. */
struct alignment {
	unsigned points; /* that were measured */
	int64_t offset; /* ns to be added to its monotonic time at the stream's start, to be that of the root */
	double drift; /* ns a second by which that changes in the stream */
	int64_t error; /* ns, bound of what offset and drift leave; -1: the machine was not joined to all others */
	const char *root; /* boot id of the machine whose clock it is then */
};

struct alignment alignment_of(const struct stream *stream);

/* What is known of the clocks of machine `index` of the trace. */
struct machine_clocks {
	const char *host;
	const struct readings *readings;
	unsigned outside; /* streams of it that were recorded from outside, on the kernel's clock */
	int64_t error; /* ns that the times of its other streams may be off these; -1: by the anchors alone, nothing is known */
};

struct machine_clocks machine_clocks(const struct reader *trace, unsigned index);

#endif
