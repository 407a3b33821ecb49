/* SPDX-License-Identifier: MIT */
/*
 * operation.h - what functions do, by their names: those of this table's layers that it does not name are ANALYSIS_OTHER, and so are all of other layers.
 */
#ifndef RECORDER_ANALYSIS_OPERATION_H
#define RECORDER_ANALYSIS_OPERATION_H

#include <stdbool.h>

#include <recorder/analysis.h>

enum analysis_operation operation_of(const char *layer, const char *function);
/* Whether a call of ANALYSIS_METADATA asks what a file is or is called; others change it, lock it or list what is in it. */
bool operation_asks(const char *function);

enum analysis_use operation_layer_use(const char *layer);
/* That of a function of the layer: what waits for processes and, of the kernel's calls, what sleeps, waits or is about memory is no call on files. */
enum analysis_use operation_use(const char *layer, enum analysis_operation operation);

/* Whether records of the layer are what the kernel does for a thread, in its calls or beside them: they overlap these, and each other. */
bool operation_layer_is_aside(const char *layer);

/* How near to the kernel a layer moves bytes of files: the same bytes may pass several, and those of the lowest count. */
enum layer_height { HEIGHT_SYSTEM, HEIGHT_MPIIO, HEIGHT_ABOVE, HEIGHT_NONE };

enum layer_height operation_layer_height(const char *layer);

/* Whether it works on files without moving bytes. */
static inline bool operation_is_metadata(enum analysis_operation operation)
{
	return operation == ANALYSIS_OPEN || operation == ANALYSIS_CLOSE ||
	       operation == ANALYSIS_SEEK || operation == ANALYSIS_SYNC ||
	       operation == ANALYSIS_METADATA;
}

static inline bool operation_moves(enum analysis_operation operation)
{
	return operation == ANALYSIS_READ || operation == ANALYSIS_WRITE ||
	       operation == ANALYSIS_COPY;
}

#endif
