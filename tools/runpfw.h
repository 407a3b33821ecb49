/* SPDX-License-Identifier: MIT */
/*
 * runpfw.h - what DFTracer leaves behind, for `recorder run`: a file of events for each process, when the job is over.
 */
#ifndef RECORDER_TOOLS_RUNPFW_H
#define RECORDER_TOOLS_RUNPFW_H

#define RUN_PFW_ALL (-1)

/*
 * Makes PREFIX-APP-PID.pfw.gz of the trace `path`, in a process of its own: what goes wrong becomes a warning. `rank`: of its processes alone, as others are at work. DFTRACER_INC_METADATA=0
 * leaves arguments out, DFTRACER_TRACE_COMPRESSION=0 makes PREFIX-APP-PID.pfw.
 */
void run_pfw(const char *path, const char *prefix, int rank);

#endif
