# SPDX-License-Identifier: MIT
"""access.py: reads and writes files in every way that moves a position; prints where each lay: "FILE r|w OFFSET SIZE"."""
import ctypes
import fcntl
import os

libc = ctypes.CDLL(None)
for name in ("fopen", "fdopen", "freopen"):
    getattr(libc, name).restype = ctypes.c_void_p
told = []


def tell(name, way, offset, size):
    told.append(f"{name} {way} {offset} {size}")


def descriptors():
    fd = os.open("plain", os.O_RDWR | os.O_CREAT)
    os.write(fd, b"a" * 100)
    tell("plain", "w", 0, 100)
    os.write(fd, b"a" * 50)
    tell("plain", "w", 100, 50)
    os.lseek(fd, 10, os.SEEK_SET)
    other = os.dup(fd)
    os.read(other, 5)
    tell("plain", "r", 10, 5)
    os.read(fd, 5)
    tell("plain", "r", 15, 5)
    os.lseek(other, -10, os.SEEK_END)
    os.read(fd, 100)
    tell("plain", "r", 140, 10)
    os.pwrite(fd, b"b" * 7, 33)
    tell("plain", "w", 33, 7)
    os.read(fd, 3)  # at the end: nothing
    os.lseek(fd, 0, os.SEEK_SET)
    os.writev(fd, [b"c" * 4, b"c" * 8])
    tell("plain", "w", 0, 12)
    os.preadv(fd, [bytearray(6), bytearray(6)], 20)
    tell("plain", "r", 20, 12)
    child = os.fork()
    if child == 0:
        os.read(fd, 9)  # the position is the parent's, too
        os._exit(0)
    os.waitpid(child, 0)
    tell("plain", "r", 12, 9)
    os.read(fd, 2)
    tell("plain", "r", 21, 2)
    os.close(other)
    os.close(fd)


def appending():
    for _ in range(2):
        fd = os.open("log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.write(fd, b"x" * 11)
        os.write(fd, b"x" * 11)
        os.close(fd)
    for i in range(4):
        tell("log", "w", 11 * i, 11)


def streams():
    buffer = ctypes.create_string_buffer(1000)
    file = ctypes.c_void_p(libc.fopen(b"stream", b"w+"))
    libc.fwrite(buffer, 4, 25, file)
    tell("stream", "w", 0, 100)
    libc.fprintf(file, b"0123456789")
    tell("stream", "w", 100, 10)
    libc.fseek(file, 50, 0)
    libc.fread(buffer, 1, 20, file)
    tell("stream", "r", 50, 20)
    libc.fseek(file, -30, 1)
    libc.fread(buffer, 5, 2, file)
    tell("stream", "r", 40, 10)
    libc.fseek(file, -10, 2)
    libc.fread(buffer, 1, 100, file)
    tell("stream", "r", 100, 10)
    file = ctypes.c_void_p(libc.freopen(b"stream", b"r", file))
    libc.ungetc(libc.fgetc(file), file)
    tell("stream", "r", 0, 1)
    libc.fread(buffer, 1, 20, file)
    tell("stream", "r", 0, 20)
    libc.fgets(buffer, 5, file)
    libc.fread(buffer, 1, 7, file)  # nobody knows where
    libc.fclose(file)


def both():
    fd = os.open("both", os.O_RDWR | os.O_CREAT)
    os.write(fd, b"d" * 100)
    tell("both", "w", 0, 100)
    other = fcntl.fcntl(fd, fcntl.F_DUPFD, 70)
    os.lseek(other, 10, os.SEEK_SET)
    out = os.open("sent", os.O_RDWR | os.O_CREAT)
    os.sendfile(out, fd, None, 20)
    os.write(out, b"e" * 3)
    tell("sent", "w", 20, 3)
    os.read(fd, 4)
    tell("both", "r", 30, 4)
    file = ctypes.c_void_p(libc.fdopen(fd, b"r+"))
    libc.fread(ctypes.create_string_buffer(10), 1, 5, file)
    tell("both", "r", 34, 5)
    libc.fclose(file)


os.mkdir("data")
os.chdir("data")
descriptors()
appending()
streams()
both()
print("\n".join(told))
