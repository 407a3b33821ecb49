/* SPDX-License-Identifier: MIT */
/* fields.c - see fields.h */
#include "format/fields.h"

#include <stddef.h>

unsigned fields_of_value(struct field_place *places, unsigned class, size_t at)
{
	static const uint8_t forms[] = {[CLASS_INT] = FORM_WORD,
					[CLASS_PAIR] = FORM_VALUE,
					[CLASS_DOUBLE] = FORM_WORD,
					[CLASS_STRING] = FORM_STRING,
					[CLASS_ARRAY] = FORM_ARRAY};

	places[0].at = (uint16_t)at;
	places[0].form = class < sizeof(forms) ? forms[class] : FORM_UNKNOWN;
	if (class != CLASS_PAIR)
		return 1;
	places[1].at = (uint16_t)(at + 4);
	places[1].form = FORM_ID;
	return 2;
}

unsigned fields_of_call(struct field_place *places, unsigned result_class)
{
	places[FIELD_REPEAT] =
		(struct field_place){offsetof(struct raw_record, repeat), FORM_REPEAT};
	places[FIELD_SITE] = (struct field_place){offsetof(struct raw_record, callsite), FORM_SITE};
	places[FIELD_STACK] = (struct field_place){offsetof(struct raw_record, stack), FORM_ID};
	return FIELD_RESULT + fields_of_value(&places[FIELD_RESULT], result_class,
					      offsetof(struct raw_record, result));
}

unsigned fields_of_arg(struct field_place *places, unsigned class, unsigned index)
{
	return fields_of_value(places, class,
			       offsetof(struct raw_record, args) + 8 * (size_t)index);
}
