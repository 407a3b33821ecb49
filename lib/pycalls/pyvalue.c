/* SPDX-License-Identifier: MIT */
/* pyvalue.c - see pyvalue.h */
#include "pycalls/pyvalue.h"

#include <string.h>

#include "record/args.h"
#include "record/paired.h"
#include "record/text.h"

#define BITS_MAX 512        /* of an int whose digits are stored */
#define TYPE_NAME_OFFSET 24 /* of a type's name, in all versions */
#define TYPE_NAME_MAX 60u

/* ---- texts ---- */

/* Bytes of a name that is no UTF-8 as they were, half characters as they are. Both handlers are Python's own: no look-up. */
static PyObject *encoded(PyObject *text)
{
	PyObject *bytes = py.PyUnicode_AsEncodedString(text, "utf-8", "surrogateescape");

	if (bytes)
		return bytes;
	py.PyErr_Clear();
	return py.PyUnicode_AsEncodedString(text, "utf-8", "surrogatepass");
}

/* The first characters of an exact str. `kind`: string or value. */
static void take_text(struct pyvalue *value, PyObject *text, enum kind kind)
{
	ptrdiff_t length = py.PyUnicode_GetLength(text);
	PyObject *first = length > PYVALUE_CHARACTERS
				  ? py.PyUnicode_Substring(text, 0, PYVALUE_CHARACTERS)
				  : NULL;

	value->kind = (uint8_t)kind;
	value->bytes = encoded(first ? first : text);
	value->original = value->bytes ? (uint32_t)py.PyBytes_Size(value->bytes) : 0;
	if (first && length - PYVALUE_CHARACTERS < UINT32_MAX / 2)
		value->original += (uint32_t)(length - PYVALUE_CHARACTERS);
	pyapi_release(first);
}

/* What str() says of an exact int or float. */
static void take_digits(struct pyvalue *value, PyObject *object)
{
	PyObject *text = py.PyObject_Str(object);

	value->kind = KIND_value;
	if (text)
		take_text(value, text, KIND_value);
	pyapi_release(text);
}

static void take_words(struct pyvalue *value, const char *words)
{
	struct textbuf text = text_in(value->words, sizeof(value->words));

	text_add(&text, words);
	value->kind = KIND_value;
}

/* ---- numbers ---- */

static void take_large_int(struct pyvalue *value, PyObject *object)
{
	PyObject *length = py.PyObject_CallMethod(object, "bit_length", NULL);
	long bits = length ? py.PyLong_AsLong(length) : -1;
	struct textbuf text = text_in(value->words, sizeof(value->words));

	pyapi_release(length);
	if (bits >= 0 && bits <= BITS_MAX) {
		take_digits(value, object);
		return;
	}
	value->kind = KIND_value;
	text_add(&text, "int of ");
	text_add_u64(&text, bits > 0 ? (uint64_t)bits : 0);
	text_add(&text, " bits");
}

static void take_int(struct pyvalue *value, PyObject *object, bool as_text)
{
	int overflow = 0;
	long long number = py.PyLong_AsLongLongAndOverflow(object, &overflow);

	if (overflow) {
		take_large_int(value, object);
	} else if (as_text) {
		take_digits(value, object);
	} else {
		value->kind = KIND_int;
		value->word = (uint64_t)number;
	}
}

static void take_float(struct pyvalue *value, PyObject *object, bool as_text)
{
	double number = py.PyFloat_AsDouble(object);

	if (as_text) {
		take_digits(value, object);
		return;
	}
	value->kind = KIND_double;
	memcpy(&value->word, &number, sizeof(number));
}

static void take_bool(struct pyvalue *value, bool is_true, bool as_text)
{
	if (as_text) {
		take_words(value, is_true ? "True" : "False");
		return;
	}
	value->kind = KIND_truth;
	value->word = is_true;
}

/* ---- all others ---- */

/* Of Python's own types; -1: it has none, or another's function would tell it. */
static ptrdiff_t length_of(PyObject *object, const PyObject *type)
{
	if (type == py.ListType)
		return py.PyList_Size(object);
	if (type == py.TupleType)
		return py.PyTuple_Size(object);
	if (type == py.DictType)
		return py.PyDict_Size(object);
	if (type == py.BytesType)
		return py.PyBytes_Size(object);
	if (type == py.ByteArrayType)
		return py.PyByteArray_Size(object);
	if (type == py.SetType || type == py.FrozenSetType)
		return py.PySet_Size(object);
	return -1;
}

/* Its attribute __name__ could be a metaclass's. That it is where it is known to be is seen by a type whose name is known. */
static const char *name_of(const PyObject *type)
{
	const char *known = *(const char *const *)((const char *)py.DictType + TYPE_NAME_OFFSET);
	const char *name = *(const char *const *)((const char *)type + TYPE_NAME_OFFSET), *dot;

	if (strcmp(known, "dict") != 0)
		return "object";
	dot = strrchr(name, '.');
	return dot ? dot + 1 : name;
}

static void take_type(struct pyvalue *value, PyObject *object, const PyObject *type)
{
	const char *name = name_of(type);
	size_t size = strnlen(name, TYPE_NAME_MAX);
	ptrdiff_t length = length_of(object, type);
	struct textbuf text = text_in(value->words, sizeof(value->words));

	while (size == TYPE_NAME_MAX && (name[size] & 0xc0) == 0x80)
		size--; /* not within a character */
	text_add_bytes(&text, name, size);
	if (length >= 0) {
		text_add(&text, "[");
		text_add_u64(&text, (uint64_t)length);
		text_add(&text, "]");
	}
	value->kind = KIND_value;
}

/* ---- any ---- */

void pyvalue_take(struct pyvalue *value, PyObject *object, bool as_text)
{
	PyObject *type;

	value->kind = KIND_value;
	value->bytes = NULL;
	value->word = 0;
	value->words[0] = '\0';
	value->is_none = object == py.None;
	if (!object)
		take_words(value, "unset");
	if (!object || value->is_none)
		return;
	type = py.PyObject_Type(object);
	if (type == py.LongType)
		take_int(value, object, as_text);
	else if (type == py.FloatType)
		take_float(value, object, as_text);
	else if (object == py.True || object == py.False)
		take_bool(value, object == py.True, as_text);
	else if (type == py.UnicodeType)
		take_text(value, object, as_text ? KIND_value : KIND_string);
	else
		take_type(value, object, type);
	pyapi_release(type);
	py.PyErr_Clear();
}

void pyvalue_put(struct call *call, unsigned index, const struct pyvalue *value)
{
	if (kind_class((enum kind)value->kind) != CLASS_STRING)
		arg_int(call, index, (int64_t)value->word);
	else if (value->is_none)
		call->record->args[index] = BLOCK_ABSENT;
	else if (value->bytes)
		arg_bytes_of(call, index, py.PyBytes_AsString(value->bytes),
			     (size_t)py.PyBytes_Size(value->bytes), value->original);
	else
		arg_bytes(call, index, value->words, strlen(value->words));
}

void pyvalue_release(struct pyvalue *value)
{
	pyapi_release(value->bytes);
	value->bytes = NULL;
}

struct thread *pyvalue_quiet(void)
{
	struct thread *thread = paired_thread();

	if (thread)
		thread_set_busy(thread);
	runtime_enter();
	return thread;
}

void pyvalue_loud(struct thread *thread)
{
	runtime_leave();
	if (thread)
		thread_set_idle(thread);
}
