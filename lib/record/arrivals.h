/* SPDX-License-Identifier: MIT */
/*
 * arrivals.h - a Python that begins later than the program: its library is opened by a program that is none, or it is begun anew after its end.
 *
 * lib/native sees it, as it can be asked before a function of another library runs; lib/pycalls is told. Without a word between them neither knows the other.
 */
#ifndef RECORDER_RECORD_ARRIVALS_H
#define RECORDER_RECORD_ARRIVALS_H

/* Who is to be told. Once. */
void arrivals_of_python(void (*begins)(void));
/* A Python of this process is about to be initialized, by the calling thread. */
void arrivals_python_begins(void);

#endif
