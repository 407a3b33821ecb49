# SPDX-License-Identifier: MIT
"""A program whose calls differ in numbers, some of them of other lengths, negative or too large for JSON, or in the file that they give."""
import ctypes
import os

OFFSETS = (0, 9, 10, 99, 100, 12345678, 2**53, 2**53 + 1, 2**60, 7)
files = [os.open(f"seeking{i}", os.O_RDWR | os.O_CREAT, 0o600) for i in range(3)]

for i in range(3000):
    file = files[i * i % 3]
    os.lseek(file, OFFSETS[i % 10 % 6] + i // 10 % 3, os.SEEK_SET)
    try:
        os.lseek(file, -5 - i, os.SEEK_CUR if i % 50 == 0 else os.SEEK_SET)
    except OSError:
        pass
    os.posix_fadvise(file, OFFSETS[i * 3 % 10], i * 7 % 4000, os.POSIX_FADV_NORMAL)

libc = ctypes.CDLL(None)
for _ in range(20):
    libc.tmpfile()
