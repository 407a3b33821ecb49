/* SPDX-License-Identifier: MIT */
/*
 * stub.c - functions that do nothing, preloaded behind librecorder.so, so that what is left is the recorder's own time.
 */
#include <stdio.h>
#include <sys/types.h>
#include <sys/uio.h>

#define STUB __attribute__((visibility("default")))

STUB ssize_t pwrite(int fd, const void *buffer, size_t count, off_t offset);
STUB ssize_t read(int fd, void *buffer, size_t count);
STUB ssize_t readv(int fd, const struct iovec *parts, int count);
STUB off_t lseek(int fd, off_t offset, int whence);
STUB int access(const char *path, int mode);
STUB size_t fread(void *buffer, size_t size, size_t count, FILE *stream);
STUB char *fgets(char *buffer, int size, FILE *stream);

ssize_t pwrite(int fd, const void *buffer, size_t count, off_t offset)
{
	(void)fd;
	(void)buffer;
	(void)offset;
	return (ssize_t)count;
}

ssize_t read(int fd, void *buffer, size_t count)
{
	(void)fd;
	(void)buffer;
	return (ssize_t)count;
}

ssize_t readv(int fd, const struct iovec *parts, int count)
{
	(void)fd;
	return (ssize_t)parts[0].iov_len * count;
}

off_t lseek(int fd, off_t offset, int whence)
{
	(void)fd;
	(void)whence;
	return offset;
}

int access(const char *path, int mode)
{
	(void)path;
	(void)mode;
	return 0;
}

size_t fread(void *buffer, size_t size, size_t count, FILE *stream)
{
	(void)buffer;
	(void)size;
	(void)stream;
	return count;
}

char *fgets(char *buffer, int size, FILE *stream)
{
	(void)size;
	(void)stream;
	return buffer;
}
