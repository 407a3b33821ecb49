/* SPDX-License-Identifier: MIT */
/*
 * interpreter.h - what targets without an object mean where there is a Python.
 *
 * Who names '*' for a program of Python means its functions in Python, not the thousands in C that run them:
 *
 *	glob without a letter ('*')      no native function, if the program is Python's interpreter
 *	other globs ('Py*', 'solve*')    none of Python itself; those of other libraries
 *	whole names, 'python3*:*'        as anywhere
 */
#ifndef RECORDER_NATIVE_INTERPRETER_H
#define RECORDER_NATIVE_INTERPRETER_H

#include "native/elf_symbols.h"
#include "record/targets.h"

/* Whether the program is Python's interpreter; not one that has it in it. */
bool interpreter_is_program(void);
/* Whether this is Python itself: the interpreter or its library. */
bool interpreter_is_object(const struct elf_object *object);
/* Whether a target without an object can mean native functions in this process. */
bool interpreter_lets(const struct target *target);

#endif
