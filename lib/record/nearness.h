/* SPDX-License-Identifier: MIT */
/*
 * nearness.h - whether somebody who wrote one name may have meant another one.
 */
#ifndef RECORDER_RECORD_NEARNESS_H
#define RECORDER_RECORD_NEARNESS_H

#include <stdint.h>

#define NEARNESS_NONE UINT32_MAX

/* By what is behind the last '.' or ':': the letters to be changed, taken or put, large and small alike; NEARNESS_NONE: it is another name altogether. */
unsigned nearness(const char *wanted_name, const char *met_name);

#endif
