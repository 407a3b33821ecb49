/* SPDX-License-Identifier: MIT */
/*
 * operation.h - what functions do, by their names: those of this table's layers that it does not name are ANALYSIS_OTHER, and so are all of other layers.
 */
#ifndef RECORDER_ANALYSIS_OPERATION_H
#define RECORDER_ANALYSIS_OPERATION_H

#include <stdbool.h>

#include <recorder/analysis.h>

enum analysis_operation operation_of(const char *layer, const char *function);

enum analysis_use operation_layer_use(const char *layer);

#endif
