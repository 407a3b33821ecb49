/* SPDX-License-Identifier: MIT */
/*
 * dry_run.h - recorder run --dry-run: says what would be traced how, and ends the process before its program begins.
 */
#ifndef RECORDER_NATIVE_DRY_RUN_H
#define RECORDER_NATIVE_DRY_RUN_H

struct native_finding;

/* One line on standard output. */
void dry_run_tell(const struct native_finding *finding);
/* Says which targets nothing is, and ends the process with status 0. */
void dry_run_end(void) __attribute__((noreturn));

#endif
