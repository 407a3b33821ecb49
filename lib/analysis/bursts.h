/* SPDX-License-Identifier: MIT */
/*
 * bursts.h - when much is read or written, and with what period: checkpoints, for instance.
 *
 * A bin is busy that has at least a tenth of what bins have on average. Busy bins with only short gaps between them are a burst; a gap is short that is less than half as
 * long as most gaps of two bins and more are (their median).
 */
#ifndef RECORDER_ANALYSIS_BURSTS_H
#define RECORDER_ANALYSIS_BURSTS_H

#include "analysis/results.h"

/* 0 or -ENOMEM. */
int bursts_make(struct results *results, const struct tables *tables);

#endif
