/* SPDX-License-Identifier: MIT */
/*
 * pyframes.h - Python 3.9 to 3.11: each frame goes through a function of ours (PEP 523).
 *
 * An interpreter has one function that runs frames. Ours looks at the word in the frame's code object (pyextra.h) and hands it on to the one that was there before; a
 * target's call is recorded around that. So a call's frame on the C stack is that of a wrapper, and begin and end belong together whatever happens in between.
 *
 * With such a function Python's calls take the C stack again, which from 3.11 on they do not otherwise: a program that recurses deeper than its stack would die of us. Where
 * less than STACK_GUARD of the stack is left ours goes away until the frame that found so has ended.
 */
#ifndef RECORDER_PYCALLS_PYFRAMES_H
#define RECORDER_PYCALLS_PYFRAMES_H

#include <stdbool.h>

/* In the interpreter of the calling thread. False: this is not how this Python works; *why says what is missing. */
bool pyframes_install(void *interpreter, const char **why);
/* Whether ours is still the function that frames go through. */
bool pyframes_are_ours(void *interpreter);

#endif
