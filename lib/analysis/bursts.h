/* SPDX-License-Identifier: MIT */
/*
 * bursts.h - when much is read or written, and with what period: checkpoints, for instance.
 *
 * A bin is busy that has at least a tenth of what bins have on average. Gaps of three bins and more divide bursts if they are at least half as long as most of these gaps
 * (their median). Where most gaps are shorter than a third of what lies between them it only falters: that is one burst.
 */
#ifndef RECORDER_ANALYSIS_BURSTS_H
#define RECORDER_ANALYSIS_BURSTS_H

#include "analysis/results.h"

/* 0 or -ENOMEM. */
int bursts_make(struct results *results, const struct tables *tables);

#endif
