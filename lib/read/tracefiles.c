/* SPDX-License-Identifier: MIT */
/* tracefiles.c - see tracefiles.h */
#include "read/tracefiles.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "read/nodefile.h"
#include "read/packed.h"

int file_open_regular(int dir_fd, const char *name)
{
	struct stat status;
	int fd = openat(dir_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);

	if (fd < 0)
		return errno == ELOOP ? -EINVAL : -errno;
	if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
		return fd;
	close(fd);
	return -EINVAL;
}

ssize_t fd_read_at(int fd, void *buffer, size_t size, uint64_t offset)
{
	size_t done = 0;

	while (done < size) {
		ssize_t part;

		if (offset + done > INT64_MAX)
			return -EFBIG;
		part = pread(fd, (char *)buffer + done, size - done, (off_t)(offset + done));
		if (part < 0 && errno == EINTR)
			continue;
		if (part < 0)
			return -errno;
		if (part == 0)
			break;
		done += (size_t)part;
	}
	return (ssize_t)done;
}

void tracefiles_init(struct tracefiles *files, int dir_fd)
{
	struct rlimit limit;

	pthread_mutex_init(&files->lock, NULL);
	files->dir_fd = dir_fd;
	files->count = 0;
	files->limit = FILES_OPEN_MAX;
	files->uses = 0;
	files->packed = NULL;
	files->nodes = NULL;
	/* The rest is for the program that uses the library. */
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur / 2 < FILES_OPEN_MAX)
		files->limit = limit.rlim_cur < 4 ? 1 : (unsigned)(limit.rlim_cur / 2);
}

void tracefiles_release(struct tracefiles *files)
{
	for (unsigned i = 0; i < files->count; i++)
		close(files->open[i]->fd);
	pthread_mutex_destroy(&files->lock);
}

void file_init(const struct tracefiles *files, struct file *file, const char *name)
{
	*file = (struct file){.name = name, .fd = -1};
	if (files->packed)
		file->packed = packed_find(files->packed, name);
	else if (files->nodes && name)
		file->part = nodes_find(files->nodes, name);
}

static void close_open(struct tracefiles *files, unsigned number)
{
	close(files->open[number]->fd);
	files->open[number]->fd = -1;
	files->open[number] = files->open[--files->count];
}

void file_close(struct tracefiles *files, struct file *file)
{
	pthread_mutex_lock(&files->lock);
	for (unsigned i = 0; i < files->count; i++) {
		if (files->open[i] != file)
			continue;
		close_open(files, i);
		break;
	}
	pthread_mutex_unlock(&files->lock);
}

/* Closes the file that was not used for the longest time; those being read stay. */
static void close_oldest(struct tracefiles *files)
{
	unsigned oldest = files->count;

	for (unsigned i = 0; i < files->count; i++) {
		if (files->open[i]->pins == 0 &&
		    (oldest == files->count || files->open[i]->used < files->open[oldest]->used))
			oldest = i;
	}
	if (oldest < files->count)
		close_open(files, oldest);
}

/* The descriptor of what has this name, if it is the file that was opened first; else a negative errno. */
static int open_same(const struct tracefiles *files, const struct file *file, const char *name,
		     struct stat *status)
{
	int fd = file_open_regular(files->dir_fd, name);

	if (fd < 0)
		return fd;
	if (fstat(fd, status) == 0 &&
	    (!file->inode || (file->inode == status->st_ino && file->device == status->st_dev)))
		return fd;
	close(fd);
	return -ESTALE;
}

bool file_is_renamed(const struct tracefiles *files, const struct file *file)
{
	struct stat status;

	return file->inode &&
	       fstatat(files->dir_fd, file->name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
	       (file->inode != status.st_ino || file->device != status.st_dev);
}

static int open_file(struct tracefiles *files, struct file *file)
{
	struct stat status;
	int fd;

	while (files->count >= files->limit) {
		unsigned before = files->count;

		close_oldest(files);
		if (files->count == before)
			break;
	}
	if (files->count == FILES_OPEN_MAX)
		return -EMFILE;
	fd = open_same(files, file, file->name, &status);
	if (fd == -ESTALE && file->next_name)
		fd = open_same(files, file, file->next_name, &status);
	if (fd < 0)
		return fd;
	file->inode = status.st_ino;
	file->device = status.st_dev;
	file->fd = fd;
	files->open[files->count++] = file;
	return 0;
}

static int pin(struct tracefiles *files, struct file *file)
{
	int error = 0;

	pthread_mutex_lock(&files->lock);
	if (file->fd < 0)
		error = open_file(files, file);
	if (!error) {
		file->pins++;
		file->used = ++files->uses;
	}
	pthread_mutex_unlock(&files->lock);
	return error;
}

static void unpin(struct tracefiles *files, struct file *file)
{
	pthread_mutex_lock(&files->lock);
	file->pins--;
	pthread_mutex_unlock(&files->lock);
}

ssize_t file_read_at(struct tracefiles *files, struct file *file, void *buffer, size_t size,
		     uint64_t offset)
{
	ssize_t result;

	if (files->packed)
		return packed_read(files->packed, file->packed, buffer, size, offset);
	if (file->part)
		return node_read(file->part, buffer, size, offset);
	result = pin(files, file);
	if (result)
		return result;
	result = fd_read_at(file->fd, buffer, size, offset);
	unpin(files, file);
	return result;
}

int64_t file_size(struct tracefiles *files, struct file *file)
{
	struct stat status;
	int64_t result;

	if (files->packed)
		return (int64_t)packed_file_size(files->packed, file->packed);
	if (file->part) {
		result = node_refresh(file->part->stream->node);
		return result ? result : (int64_t)file->part->size;
	}
	result = pin(files, file);
	if (result)
		return result;
	result = fstat(file->fd, &status) ? -errno : status.st_size;
	unpin(files, file);
	return result;
}
