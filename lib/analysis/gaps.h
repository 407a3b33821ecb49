/* SPDX-License-Identifier: MIT */
/* gaps.h - which streams miss calls that their process made: lost ones, ones made while recording paused, and ones that settings of the recorder left out. */
#ifndef RECORDER_ANALYSIS_GAPS_H
#define RECORDER_ANALYSIS_GAPS_H

#include <stdbool.h>

#include <recorder/reader.h>

/* Whether calls of any kind are missing from a time on that nobody knows. What is damaged counts once it has been found. */
bool gaps_in_calls(const struct reader *trace, unsigned stream);
/* Whether calls of a function whose name begins so were left out as too short. */
bool gaps_by_duration(const struct reader *trace, unsigned stream, const char *begin);
/* Whether calls that move descriptors are missing (position_facts.h). Damage, of which the reader tells, is left out: who has read it already differs from who has not. */
bool gaps_in_moves(const struct reader *trace, unsigned stream);
/* Whether those of stdio are not recorded, which move descriptors that they have opened. */
bool gaps_in_stdio(const struct reader *trace, unsigned stream);

#endif
