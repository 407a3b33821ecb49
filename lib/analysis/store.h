/* SPDX-License-Identifier: MIT */
/*
 * store.h - tables as bytes, for other processes of the same build that analyse the same trace together.
 */
#ifndef RECORDER_ANALYSIS_STORE_H
#define RECORDER_ANALYSIS_STORE_H

#include "analysis/tables.h"

/* 0 or -ENOMEM; `bytes` are to be freed. */
int tables_save(const struct tables *tables, char **bytes, size_t *size);
/* Fills tables that have begun and are empty. 0; -ENOMEM; -EBADMSG: these are not bytes of tables_save() of this trace and build. */
int tables_load(struct tables *tables, const char *bytes, size_t size);

#endif
