/* SPDX-License-Identifier: MIT */
/*
 * threads.h - the threads of a stream, once its files are scanned and its definitions known: their
 * chunks in order, each record once, and behind them what rings still hold.
 */
#ifndef RECORDER_READ_THREADS_H
#define RECORDER_READ_THREADS_H

#include "read/snapshot.h"
#include "read/trace.h"

/* 0 or -ENOMEM. What is missing or there twice is noted. */
int threads_load(struct stream *stream, struct snapshot *snapshot);

#endif
