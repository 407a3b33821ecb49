/* SPDX-License-Identifier: MIT */
/* fastcrc.h - the CRC-32 of zlib's crc32(), of much text: by carry-less multiplication where the CPU has it, which is some ten times as fast. */
#ifndef RECORDER_TOOLS_FASTCRC_H
#define RECORDER_TOOLS_FASTCRC_H

#include <stddef.h>
#include <stdint.h>

/* The CRC-32 of bytes behind others whose CRC-32 is `crc`, 0: none. */
uint32_t fast_crc32(uint32_t crc, const void *bytes, size_t size);

#endif
