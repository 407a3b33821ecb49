/* SPDX-License-Identifier: MIT */
/*
 * sizes.h - classes of access sizes.
 */
#ifndef RECORDER_ANALYSIS_SIZES_H
#define RECORDER_ANALYSIS_SIZES_H

#include <recorder/analysis.h>

/* The class of so many bytes. */
unsigned size_class_of(int64_t bytes);

#endif
