#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""plain.py DIR: every byte of a trace on stdout, names of files included, and compressed bodies a second time as they are
decompressed: to look for what must not be in it."""
import os
import struct
import sys
import zlib

FILE_HEADER, CHUNK_HEADER = 32, 96
FRAME_TAG = 12  # in front of each chunk in the file of a node


def bodies(data, tag):
    at = FILE_HEADER + tag
    while at + CHUNK_HEADER <= len(data):
        encoding = data[at + 5]
        size, = struct.unpack_from("<I", data, at + 8)
        body = data[at + CHUNK_HEADER:at + CHUNK_HEADER + size]
        yield zlib.decompressobj().decompress(body) if encoding else body
        at += CHUNK_HEADER + size + tag


for name in sorted(os.listdir(sys.argv[1])):
    with open(os.path.join(sys.argv[1], name), "rb") as file:
        content = file.read()
    sys.stdout.buffer.write(name.encode() + b"\n" + content)
    for plain in bodies(content, FRAME_TAG if name.endswith(".node") else 0):
        sys.stdout.buffer.write(plain + b"\n")
