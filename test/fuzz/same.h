/* SPDX-License-Identifier: MIT */
/* same.h - what must be so, or the target has found something. */
#ifndef RECORDER_FUZZ_SAME_H
#define RECORDER_FUZZ_SAME_H

#include <stdio.h>
#include <stdlib.h>

#define SAME(condition)                                                                            \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: not the same: %s\n", __FILE__, __LINE__,           \
				#condition);                                                       \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

#endif
