/* SPDX-License-Identifier: MIT */
/* hidden.h - data that is the library's own: what is not declared so is taken for something that the program may have another one of, and read by its address. */
#ifndef RECORDER_RECORD_HIDDEN_H
#define RECORDER_RECORD_HIDDEN_H

#define HIDDEN __attribute__((visibility("hidden")))

#endif
