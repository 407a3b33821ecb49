#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Python I/O: the same bytes as streams.cc, by a buffered file."""
with open("data", "wb") as out:
    for _ in range(1000):
        out.write(b"x" * 29 + b"\n")
    out.seek(100)
    out.write(b"y" * 50)
    out.seek(40000)
    out.write(b"the end")
with open("data", "rb") as file:
    text = file.read()
    file.seek(40000)
    assert file.read() == b"the end" and len(text) == 40007
