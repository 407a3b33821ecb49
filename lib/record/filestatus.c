/* SPDX-License-Identifier: MIT */
/* filestatus.c - what the kernel says of a file. */
#include "record/filestatus.h"

#include <errno.h>
#include <linux/magic.h>
#include <stdatomic.h>
#include <stddef.h>

#include "record/sys.h"
#include "record/testpoint.h"

#define DEVICES_MAX 32
#define LUSTRE_MAGIC 0x0BD00BD0u
#ifndef STATX_MNT_ID
#define STATX_MNT_ID 0x1000u
#endif

#define BEING_ASKED UINT64_MAX

/* File-system magic by device + 1; a few are enough. */
static struct {
	_Atomic uint64_t device, magic;
} devices[DEVICES_MAX];

static atomic_bool without_statx; /* an old kernel, or a filter that does not know it */

/* As the C library makes a dev_t. */
static uint64_t device_number(uint32_t major, uint32_t minor)
{
	return (uint64_t)(minor & 0xFF) | (uint64_t)(major & 0xFFF) << 8 |
	       (uint64_t)(minor & ~0xFFu) << 12 | (uint64_t)(major & ~0xFFFu) << 32;
}

static int by_statx(int fd, const char *path, struct file_status *status)
{
	struct statx found;
	int error = sys_statx(fd < 0 ? AT_FDCWD : fd, path, fd < 0 ? 0 : AT_EMPTY_PATH,
			      STATX_BASIC_STATS | STATX_MNT_ID, &found);

	if (error == -ENOSYS || error == -EPERM || error == -EINVAL)
		atomic_store(&without_statx, true);
	if (error)
		return error;
	status->device = device_number(found.stx_dev_major, found.stx_dev_minor);
	status->inode = found.stx_ino;
	status->size = found.stx_size;
	status->type = found.stx_mode & S_IFMT;
	status->block_size = found.stx_blksize;
	status->mount = found.stx_mask & STATX_MNT_ID ? found.stx_mnt_id : 0;
	return 0;
}

static int by_stat(int fd, const char *path, struct file_status *status)
{
	struct stat found;
	int error = fd < 0 ? sys_stat(path, &found) : sys_fstat(fd, &found);

	if (error)
		return error;
	status->device = found.st_dev;
	status->inode = found.st_ino;
	status->size = (uint64_t)found.st_size;
	status->type = found.st_mode & S_IFMT;
	status->block_size = (uint32_t)found.st_blksize;
	return 0;
}

int file_status(int fd, const char *path, struct file_status *status)
{
	int error = -ENOSYS;

	*status = (struct file_status){0};
	if (!atomic_load_explicit(&without_statx, memory_order_relaxed))
		error = by_statx(fd, fd < 0 ? path : "", status);
	return error && atomic_load(&without_statx) ? by_stat(fd, path, status) : error;
}

uint64_t file_system_magic(int fd, uint64_t device)
{
	struct statfs system;

	if (fd < 0)
		return 0;
	for (unsigned i = 0; i < DEVICES_MAX; i++) {
		uint64_t known = atomic_load(&devices[i].device);

		if (known == device + 1)
			return atomic_load(&devices[i].magic);
		if (known == 0 && !sys_fstatfs(fd, &system)) {
			uint64_t magic = (uint64_t)system.f_type & 0xFFFFFFFFu;

			if (!atomic_compare_exchange_strong(&devices[i].device, &known,
							    BEING_ASKED))
				return magic;
			atomic_store(&devices[i].magic, magic);
			atomic_store(&devices[i].device, device + 1);
			return magic;
		}
	}
	return 0;
}

const char *file_nameless(int fd, const struct file_status *status)
{
	/* a FIFO that has a path is on another file system, and so is a socket's that was opened with O_PATH */
	if (status->type == S_IFIFO && file_system_magic(fd, status->device) == PIPEFS_MAGIC)
		return "pipe";
	if (status->type == S_IFSOCK && file_system_magic(fd, status->device) == SOCKFS_MAGIC)
		return "socket";
	return NULL;
}

size_t file_striping(int fd, uint64_t magic, void *buffer)
{
	/* any file system of a test's machine has attributes of that name */
	const char *name = test_without("lustre") ? "user.lustre.lov" : "lustre.lov";
	long size;

	if (fd < 0 || (magic != LUSTRE_MAGIC && !test_without("lustre")))
		return 0;
	size = sys_fgetxattr(fd, name, buffer, FILE_STRIPING_MAX);
	return size > 0 ? (size_t)size : 0;
}
