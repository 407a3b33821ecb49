/* SPDX-License-Identifier: MIT */
/*
 * embedded.h - libraries that are part of the program itself: calls of them pass no wrapper.
 */
#ifndef RECORDER_RECORD_EMBEDDED_H
#define RECORDER_RECORD_EMBEDDED_H

/* Calls `found` with the reason ("static-hdf5") for each that the program was linked with. A program without a symbol table tells nothing. */
void embedded_look(void (*found)(const char *reason));

#endif
