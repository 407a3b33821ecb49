/* SPDX-License-Identifier: MIT */
/* reasons.h - the reasons for which records are lost, by number and by name: doc/format.md section 6. */
#ifndef RECORDER_FORMAT_REASONS_H
#define RECORDER_FORMAT_REASONS_H

#include <stdint.h>

/* Numbers are part of the format; 0: not known. */
enum loss_reason {
	LOSS_NONE,
	LOSS_NO_RING,
	LOSS_RING_FULL,
	LOSS_WRITE_ERROR,
	LOSS_NO_SPACE,
	LOSS_DESCRIPTOR_LOST,
	LOSS_TOO_DEEP,
	LOSS_SIGNAL,
	LOSS_CLOSING,
	LOSS_DISABLED,
	LOSS_ROTATED,
	LOSS_MAX_SIZE,
	LOSS_MIN_FREE,
	LOSS_OTHER,
	LOSS_FILE_SIZE,
	LOSS_REASONS
};

/* The name of a number; "other" for those without one. */
const char *loss_name(uint32_t number);
/* What stands for two reasons in the place of one; LOSS_NONE stands for no loss. */
enum loss_reason loss_both(enum loss_reason a, enum loss_reason b);

#endif
