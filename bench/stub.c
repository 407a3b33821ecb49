/* SPDX-License-Identifier: MIT */
/*
 * stub.c - a pwrite() that does nothing, preloaded behind librecorder.so, so that what is left is the recorder's own time.
 */
#include <sys/types.h>

__attribute__((visibility("default"))) ssize_t pwrite(int fd, const void *buffer, size_t count,
						      off_t offset);

ssize_t pwrite(int fd, const void *buffer, size_t count, off_t offset)
{
	(void)fd;
	(void)buffer;
	(void)offset;
	return (ssize_t)count;
}
