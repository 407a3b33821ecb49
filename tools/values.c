/* SPDX-License-Identifier: MIT */
/* values.c - see values.h */
#include "values.h"

#include "format/kinds.h"
#include "format/wire.h"

static const unsigned char rules[KIND_COUNT] = {
#define KIND(name, class, text) [KIND_##name] = VALUE_##text,
	FORMAT_KINDS(KIND)
#undef KIND
};

enum value_rule value_rule(const struct reader_parameter *parameter)
{
	int kind = kind_find(parameter->kind);

	if (kind >= 0 && kind_class((enum kind)kind) == (unsigned)parameter->class_)
		return rules[kind];
	switch (parameter->class_) {
	case READER_PAIR:
		return VALUE_FD;
	case READER_DOUBLE:
		return VALUE_DOUBLE;
	case READER_STRING:
		return VALUE_STRING;
	case READER_ARRAY:
		return VALUE_DECIMALS;
	default:
		return VALUE_DECIMAL;
	}
}
