/* SPDX-License-Identifier: MIT */
/*
 * aside_decode.h - where the fields of signatures that are being decoded find the numbers that these leave aside. aside_encode.h writes them.
 */
#ifndef RECORDER_FORMAT_ASIDE_DECODE_H
#define RECORDER_FORMAT_ASIDE_DECODE_H

struct signatures;

/* The fields that have numbers aside get these, in the order in which they are in the words, where they are next. 0, -EBADMSG, -ENOBUFS. */
int asides_open(struct signatures *signatures);

#endif
