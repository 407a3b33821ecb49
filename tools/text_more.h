/* SPDX-License-Identifier: MIT */
/* text_more.h - what recorder2text shows behind a record: what a call of MPI means, the thread, the phase, epoch and step. */
#ifndef RECORDER_TOOLS_TEXT_MORE_H
#define RECORDER_TOOLS_TEXT_MORE_H

#include "outputs.h"

/* Writes " {...}", or nothing, by text->show_*. 0 or -ENOMEM. */
int text_more(const struct out_text *text, const struct recorder_record *record);

#endif
