/* SPDX-License-Identifier: MIT */
/*
 * metadata.h - what the LM says of the process, its machine and its job. The keys are in doc/format.md section 8.
 */
#ifndef RECORDER_RECORD_METADATA_H
#define RECORDER_RECORD_METADATA_H

#include <stddef.h>
#include <stdint.h>

#include "record/machine.h"

/* The first META chunk: what does not depend on the stream's name is gathered, which needs descriptors, before its file is made. */
void metadata_gather_start(void);
/* Its body, complete once the name and the identity are chosen; they may be chosen again. */
const void *metadata_start(size_t *size, uint32_t *count);
/* The FINAL one. `how`: "exit", "exec", "_exit" ... */
int metadata_write_end(const char *how, int status);
/* Before segment `number` is closed: says in the LM with this suffix that it is that segment's, and in the stream's own that what
 * it tells of comes after it. */
int metadata_write_segment(const char *suffix, uint32_t number);
/* After it was closed: completes that LM. */
int metadata_write_segment_end(const char *suffix);
/* At once: some of the process's live files are private memory. */
int metadata_write_private(void);
/* At once: when main() was called, in ticks. */
int metadata_write_main(uint64_t begin);
/* Nothing will be recorded: why. */
int metadata_write_failed(const char *error);
/* After a FINAL one that was not the end: an exec failed. */
int metadata_write_resumed(void);

/* The process is about to be sandboxed, by what: what follows may never be sealed. */
int metadata_write_sandboxed(const char *reason);

/* At once: a program that is started and cannot be traced. Number: from 0 in each stream. */
int metadata_write_untraced(uint32_t number, const char *reason, const char *path);

/* At once: a target of the user's that a function of this process is. `number` is that of the target among RECORDER_TARGETS. */
int metadata_write_target(unsigned number, const char *target);

/* What MPI says, for the FINAL chunk; rank and size are in `identity`. */
void metadata_set_mpi(const char *version);
void metadata_set_mpi_finalized(void);
/* Constants of the program's MPI whose values readers do not expect: as machine_each_kind(). */
typedef void mpi_symbols_each(void (*visit)(void *data, const char *kind,
					    const struct machine_symbol *symbols),
			      void *data);
void metadata_set_mpi_symbols(mpi_symbols_each *each);
/* At once: when CLOCK_MONOTONIC was at `mono` that of the machine with boot id `reference` was at mono + offset, give or take
 * `error`; ns. */
int metadata_write_point(const char *reference, int64_t mono, int64_t offset, uint64_t error);
/* The library of an MPI whose calls are not recorded. */
void metadata_set_mpi_other(const char *library);

#endif
