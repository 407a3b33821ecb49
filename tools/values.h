/* SPDX-License-Identifier: MIT */
/*
 * values.h - by which rule an argument or result is shown: the third column of format/kinds.h.
 */
#ifndef RECORDER_TOOLS_VALUES_H
#define RECORDER_TOOLS_VALUES_H

#include <recorder/reader.h>

enum value_rule {
	VALUE_NONE,
	VALUE_DECIMAL,
	VALUE_UNSIGNED,
	VALUE_HEX,
	VALUE_HEX_SYMBOL,
	VALUE_BY_COMMAND,
	VALUE_FLOCK,
	VALUE_DOUBLE,
	VALUE_ERRNO,
	VALUE_FD,
	VALUE_MAPPED,
	VALUE_DEVICE,
	VALUE_DECIMALS,
	VALUE_FDS,
	VALUE_SYMBOLS,
	VALUE_STRING,
	VALUE_BARE,
	VALUE_TRUTH,
	VALUE_STRINGS,
	VALUE_FLAGS,
	VALUE_OCTAL,
	VALUE_SYMBOL,
	VALUE_HANDLE,
	VALUE_HANDLES,
	VALUE_REQUEST,
	VALUE_NUMBER,
	VALUE_STATUSES,
	VALUE_OBJECT,
	VALUE_NUMBERED,
};

/* A kind of a later version, or one that a damaged trace gives another class, is shown by its class. */
enum value_rule value_rule(const struct reader_parameter *parameter);

#endif
