/* SPDX-License-Identifier: MIT */
/*
 * chrome.h - pieces of Chrome's trace events, for the files that write them.
 */
#ifndef RECORDER_TOOLS_CHROME_H
#define RECORDER_TOOLS_CHROME_H

#include "events.h"

/* Begins an event on its own line; commas go before all but the first of a file, and before that too where parts are put together. */
void chrome_open(struct out_events *events);
/* ,"pid":7,"tid":8,"ts":1.250 */
void chrome_place(struct out_events *events, uint32_t pid, uint32_t tid, int64_t ns);
/* ,"ts":1.250 of an instant or duration in ns. */
void chrome_us(struct out_events *events, const char *key, int64_t ns);
/* Begins a counter, up to its values: {"name":"disk sda","cat":"sample","ph":"C","pid":7,"tid":8,"ts":1.250,"args":{ */
void chrome_counter(struct out_events *events, const char *name, const char *category, uint32_t pid,
		    uint32_t tid, int64_t ns);
/* Names the process of a stream, if it has no name in this file */
void chrome_name_process(struct out_events *events, unsigned stream);
/* Names a thread; names_key() `key` if it has no name in this part. */
void chrome_name_thread(struct out_events *events, uint64_t key, uint32_t pid, uint32_t tid,
			const char *name);

#endif
