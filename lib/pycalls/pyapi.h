/* SPDX-License-Identifier: MIT */
/*
 * pyapi.h - what of Python's C interface this folder calls, found by name in the process: no header and no library of Python is needed, and one build is for all its
 * versions. A process that lacks any of it that its version must have is one whose functions are not recorded, which is said once.
 */
#ifndef RECORDER_PYCALLS_PYAPI_H
#define RECORDER_PYCALLS_PYAPI_H

#include <stdbool.h>
#include <stddef.h>

/* Python's: nothing in here reads any of its fields. */
struct pyobject;
typedef struct pyobject PyObject;

typedef PyObject *py_callback(PyObject *self, PyObject *const *args, ptrdiff_t count);

/* As PyMethodDef, which is part of Python's stable ABI. */
struct pymethod {
	const char *name;
	py_callback *function;
	int flags;
	const char *text;
};

#define PY_METH_FASTCALL 0x80

/* Each: result, name, parameters. In every version from 3.8 on. */
#define PYAPI_NEEDED(F)                                                                            \
	F(int, PySys_AddAuditHook, (int (*)(const char *, PyObject *, void *), void *))            \
	F(int, Py_IsInitialized, (void))                                                           \
	F(void, Py_IncRef, (PyObject *))                                                           \
	F(void, Py_DecRef, (PyObject *))                                                           \
	F(void, PyErr_Fetch, (PyObject **, PyObject **, PyObject **))                              \
	F(void, PyErr_Restore, (PyObject *, PyObject *, PyObject *))                               \
	F(void, PyErr_Clear, (void))                                                               \
	F(PyObject *, PyImport_ImportModule, (const char *))                                       \
	F(PyObject *, PyImport_GetModuleDict, (void))                                              \
	F(PyObject *, PyObject_GetAttrString, (PyObject *, const char *))                          \
	F(PyObject *, PyObject_CallMethod, (PyObject *, const char *, const char *, ...))          \
	F(int, PyObject_IsInstance, (PyObject *, PyObject *))                                      \
	F(PyObject *, PyDict_GetItemString, (PyObject *, const char *))                            \
	F(PyObject *, PyTuple_GetItem, (PyObject *, ptrdiff_t))                                    \
	F(ptrdiff_t, PyTuple_Size, (PyObject *))                                                   \
	F(PyObject *, PyList_GetItem, (PyObject *, ptrdiff_t))                                     \
	F(ptrdiff_t, PyList_Size, (PyObject *))                                                    \
	F(ptrdiff_t, PyDict_Size, (PyObject *))                                                    \
	F(ptrdiff_t, PySet_Size, (PyObject *))                                                     \
	F(ptrdiff_t, PyBytes_Size, (PyObject *))                                                   \
	F(ptrdiff_t, PyByteArray_Size, (PyObject *))                                               \
	F(PyObject *, PyObject_Type, (PyObject *))                                                 \
	F(PyObject *, PyObject_Str, (PyObject *))                                                  \
	F(PyObject *, PyCell_Get, (PyObject *))                                                    \
	F(long long, PyLong_AsLongLongAndOverflow, (PyObject *, int *))                            \
	F(double, PyFloat_AsDouble, (PyObject *))                                                  \
	F(ptrdiff_t, PyUnicode_GetLength, (PyObject *))                                            \
	F(PyObject *, PyUnicode_Substring, (PyObject *, ptrdiff_t, ptrdiff_t))                     \
	F(PyObject *, PyLong_FromVoidPtr, (void *))                                                \
	F(void *, PyLong_AsVoidPtr, (PyObject *))                                                  \
	F(long, PyLong_AsLong, (PyObject *))                                                       \
	F(PyObject *, PyUnicode_AsEncodedString, (PyObject *, const char *, const char *))         \
	F(char *, PyBytes_AsString, (PyObject *))                                                  \
	F(PyObject *, PyCFunction_NewEx, (struct pymethod *, PyObject *, PyObject *))              \
	F(PyObject *, PyWeakref_NewRef, (PyObject *, PyObject *))                                  \
	F(int, PyCode_Addr2Line, (PyObject *, int))                                                \
	F(int, Py_AddPendingCall, (int (*)(void *), void *))                                       \
	F(PyObject *, PyEval_GetFrame, (void))

typedef PyObject *py_evaluator(void *thread_state, void *frame, int throwing);
typedef int py_profiler(PyObject *self, PyObject *frame, int what, PyObject *value);

/* Of some versions alone: NULL where they are missing. */
#define PYAPI_OPTIONAL(F)                                                                          \
	F(void *, PyInterpreterState_Get, (void))                                                  \
	F(void *, _PyInterpreterState_Get, (void))                                                 \
	F(py_evaluator *, _PyInterpreterState_GetEvalFrameFunc, (void *))                          \
	F(void, _PyInterpreterState_SetEvalFrameFunc, (void *, py_evaluator *))                    \
	F(ptrdiff_t, _PyEval_RequestCodeExtraIndex, (void (*)(void *)))                            \
	F(int, _PyCode_SetExtra, (PyObject *, ptrdiff_t, void *))                                  \
	F(ptrdiff_t, PyUnstable_Eval_RequestCodeExtraIndex, (void (*)(void *)))                    \
	F(int, PyUnstable_Code_SetExtra, (PyObject *, ptrdiff_t, void *))                          \
	F(PyObject *, PyFrame_GetGenerator, (PyObject *))                                          \
	F(PyObject *, PyFrame_GetCode, (PyObject *))                                               \
	F(PyObject *, PyFrame_GetVarString, (PyObject *, const char *))                            \
	F(PyObject *, PyEval_GetGlobals, (void))                                                   \
	F(void, PyEval_SetProfile, (py_profiler *, PyObject *))                                    \
	F(PyObject *, _PyEval_EvalFrameDefault, (void *, void *, int))

/* Each: what it is called here and in Python. */
#define PYAPI_OBJECTS(F)                                                                           \
	F(None, _Py_NoneStruct)                                                                    \
	F(True, _Py_TrueStruct)                                                                    \
	F(False, _Py_FalseStruct)                                                                  \
	F(CodeType, PyCode_Type)                                                                   \
	F(DictType, PyDict_Type)                                                                   \
	F(LongType, PyLong_Type)                                                                   \
	F(FloatType, PyFloat_Type)                                                                 \
	F(UnicodeType, PyUnicode_Type)                                                             \
	F(BytesType, PyBytes_Type)                                                                 \
	F(ByteArrayType, PyByteArray_Type)                                                         \
	F(ListType, PyList_Type)                                                                   \
	F(TupleType, PyTuple_Type)                                                                 \
	F(SetType, PySet_Type)                                                                     \
	F(FrozenSetType, PyFrozenSet_Type)                                                         \
	F(CellType, PyCell_Type)

struct pyapi {
	unsigned minor; /* of 3.minor */
#define MEMBER(result, name, parameters) result(*name) parameters;
	PYAPI_NEEDED(MEMBER)
	PYAPI_OPTIONAL(MEMBER)
#undef MEMBER
#define MEMBER(name, symbol) PyObject *name;
	PYAPI_OBJECTS(MEMBER)
#undef MEMBER
};

extern struct pyapi py;

/* A function or object of Python, NULL: it has none of that name. Its library need not be open to all. */
void *pyapi_symbol(const char *name);
/* Whether the process has a Python, of any version. */
bool pyapi_is_here(void);
/* Fills `py`, anew where it was. False: this is none whose functions can be recorded; *why then says what is missing. */
bool pyapi_find(const char **why);
/* The interpreter that the calling thread, which must hold its lock, runs. */
void *pyapi_interpreter(void);

/* `object`'s attribute, to be released; NULL: it has none. No exception is left. */
PyObject *pyapi_get(PyObject *object, const char *attribute);
/* A number, -1: there is none. */
long pyapi_number(PyObject *object, const char *attribute);
/* The text of a str, cut to `size`; *empty* if it is none. No exception is left. */
void pyapi_text(PyObject *text, char *buffer, size_t size);
/* The same of an attribute of `object`. */
void pyapi_text_of(PyObject *object, const char *attribute, char *buffer, size_t size);
void pyapi_release(PyObject *object); /* NULL: nothing */

#endif
