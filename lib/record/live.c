/* SPDX-License-Identifier: MIT */
/* live.c - live files: where they lie, how they are made. */
#include "record/live.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "format/variable.h"
#include "record/config.h"
#include "record/errand.h"
#include "record/identity.h"
#include "record/livecount.h"
#include "record/metadata.h"
#include "record/patience.h"
#include "record/quiet_write.h"
#include "record/stream.h"
#include "record/sys.h"
#include "record/testpoint.h"
#include "record/text.h"

#define NAME_TRIES 4
#define DIRECTORY_TRIES 16 /* each time a process of the run must have ended just then */
#define FREE_SHARE 20      /* live files of a node may take 1/20 of what is free */

/* Magic numbers of statfs(2) where files are shared between machines, or mappings of files are. */
static const uint64_t network_systems[] = {
	0x6969,     /* nfs */
	0x0BD00BD0, /* lustre */
	0x47504653, /* gpfs */
	0xFF534D42, /* cifs */
	0xFE534D42, /* smb2 */
	0x65735546, /* fuse */
	0x19830326, /* beegfs */
	0x00C36400, /* ceph */
	0x01021997, /* 9p */
};

static char directory[LIVE_PATH_MAX];
static atomic_bool closed;      /* no new files: the process has ended, though threads may go on */
static _Atomic uint32_t making; /* threads that are making a file */
static _Atomic uint64_t in_use; /* bytes of live files of this process */
static atomic_bool noted;       /* that not all are files */

static bool is_network(uint64_t magic)
{
	for (size_t i = 0; i < sizeof(network_systems) / sizeof(network_systems[0]); i++)
		if (network_systems[i] == (magic & 0xFFFFFFFFu))
			return true;
	return false;
}

/* Whether `directory` is a directory, of this user, and closed to others. */
static bool directory_is_ours(void)
{
	struct stat status;

	return !sys_lstat(directory, &status) && S_ISDIR(status.st_mode) &&
	       status.st_uid == geteuid() && !(status.st_mode & 022);
}

/* Makes the directory unless it is there and ours. 0 or a negative errno. */
static int make_directory(void)
{
	int error = sys_mkdir(directory, 0700);

	if (!error)
		sys_chmod(directory, 0700); /* the umask may take rights even from its owner */
	else if (error == -EEXIST && directory_is_ours())
		error = 0;
	return error;
}

/* Where others could put their directory in the place of ours. */
static bool is_open_to_others(const char *parent)
{
	struct stat status;
	int fd = sys_open(parent, O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
	int error = fd < 0 ? fd : sys_fstat(fd, &status);

	if (fd >= 0)
		sys_close(fd);
	return error || ((status.st_mode & 022) && !(status.st_mode & S_ISVTX));
}

static bool name_directory(const char *parent, uint64_t number)
{
	struct textbuf path = text_in(directory, sizeof(directory));

	text_add(&path, parent);
	text_add(&path, "/recorder-");
	text_add_u64(&path, (uint64_t)geteuid());
	text_add(&path, "-");
	text_add_hex(&path, number, 16);
	return !path.cut && path.length <= sizeof(directory) - 256;
}

/*
 * A directory of ours below `parent`, named after user and run, so that all processes of the run find the same one. That name can be
 * foreseen: where somebody else has taken it, it is a number that nobody can.
 */
static bool try_parent(const char *parent)
{
	uint64_t number = text_hash(identity.run_id, strlen(identity.run_id), 0);
	struct statfs system;

	if (!parent || !*parent || sys_statfs(parent, &system) ||
	    is_network((uint64_t)system.f_type) || is_open_to_others(parent))
		return false;
	for (unsigned i = 0; i < NAME_TRIES; i++) {
		int error = name_directory(parent, number) ? make_directory() : -ENAMETOOLONG;

		if (error != -EEXIST)
			return !error;
		if (sys_getrandom(&number, sizeof(number)) != sizeof(number))
			return false;
	}
	return false;
}

void live_open(void)
{
	if (config.live_dir ? try_parent(config.live_dir)
			    : try_parent("/dev/shm") || try_parent(variable_get("TMPDIR")) ||
				      try_parent("/tmp"))
		return;
	directory[0] = '\0';
}

const char *live_directory(void)
{
	return directory;
}

struct textbuf live_path(char path[LIVE_PATH_MAX])
{
	struct textbuf text = text_in(path, LIVE_PATH_MAX);

	text_add(&text, directory);
	text_add(&text, "/");
	return text;
}

void live_shut(void)
{
	struct patience patience = {0};

	atomic_store(&closed, true);
	while (atomic_load(&making) > 0 && patience_wait(&patience))
		;
}

void live_close(void)
{
	live_shut();
	livecount_close();
}

/* How many processes of the run share the node, as far as launchers say. */
static uint64_t local_processes(void)
{
	static _Atomic uint64_t known;
	uint64_t count = atomic_load(&known);
	const char *text;

	if (count)
		return count;
	text = variable_get("OMPI_COMM_WORLD_LOCAL_SIZE");
	if (!text || !text_read_u64(&text, &count) || count == 0)
		count = 1;
	atomic_store(&known, count);
	return count;
}

/* Whether `used` bytes, of which `size` are to come, stay within the limits of process and node. */
static bool within_limits(int fd, uint64_t used, uint64_t size)
{
	struct statfs system;
	uint64_t free_bytes;

	if (used > config.live_max || sys_fstatfs(fd, &system))
		return false;
	free_bytes = (uint64_t)system.f_bavail * (uint64_t)system.f_bsize;
	return size <= free_bytes && used <= free_bytes / FREE_SHARE / local_processes();
}

/* Takes `size` bytes of the budget, before they are asked for: threads that begin together must not each find it untouched. */
static bool take_budget(int fd, uint64_t size)
{
	uint64_t used = atomic_fetch_add_explicit(&in_use, size, memory_order_relaxed) + size;

	if (within_limits(fd, used, size))
		return true;
	atomic_fetch_sub_explicit(&in_use, size, memory_order_relaxed);
	return false;
}

/* Gives the file memory for its first `reserved` bytes, if any, and lengthens it to `size`. The limit to the size of files is for both. */
static int give_room(int fd, size_t reserved, size_t size)
{
	struct quiet_guard guard = quiet_begin();
	int error = reserved > 0 ? sys_fallocate(fd, 0, 0, (int64_t)reserved) : 0;

	if (!error && reserved < size)
		error = sys_ftruncate(fd, (int64_t)size);
	quiet_end(&guard, error);
	return error;
}

/* Pages of a new file are mapped when they are come to, as a process that ends soon comes to few of them; of one that has grown, all that have memory will be. */
static int map_file(struct live_file *file, int fd, size_t size, size_t reserved)
{
	int populate = file->address && reserved == size ? MAP_POPULATE : 0;
	void *address = sys_mmap(size, PROT_READ | PROT_WRITE, MAP_SHARED | populate, fd);

	if (sys_is_error((long)address))
		return -ENOMEM;
	file->address = address;
	file->size = size;
	return 0;
}

/* Maps `size` bytes, `more` of them new to the budget, and reserves the first `reserved`: the others need none later. */
static int fill_file(struct live_file *file, int fd, size_t size, size_t reserved, size_t more)
{
	int error;

	if (!take_budget(fd, more))
		return -ENOSPC;
	error = give_room(fd, reserved > atomic_load(&file->reserved) ? reserved : 0, size);
	if (!error)
		error = map_file(file, fd, size, reserved);
	if (error)
		atomic_fetch_sub_explicit(&in_use, more, memory_order_relaxed);
	else
		atomic_store(&file->reserved, reserved);
	return error;
}

/*
 * A descriptor, or a negative errno. A process of the run that ends takes the directory away if it is empty: one that begins finds it made, and gone again before its
 * first file is in it.
 */
static int create_file(const char *path)
{
	int fd;

	if (test_without("live-directory"))
		sys_rmdir(directory);
	fd = sys_create(path, O_RDWR, 0600);
	for (unsigned i = 0; fd == -ENOENT && i < DIRECTORY_TRIES && !make_directory(); i++)
		fd = sys_create(path, O_RDWR, 0600);
	return fd;
}

/* DIRECTORY/STREAM.SUFFIX */
static void make_path(char path[LIVE_PATH_MAX], const char *suffix)
{
	struct textbuf text = live_path(path);

	text_add(&text, stream_name());
	text_add(&text, ".");
	text_add(&text, suffix);
}

struct creation {
	struct live_file *file;
	const char *suffix;
	size_t size, reserved;
};

static int create_shared(void *data)
{
	const struct creation *job = data;
	struct live_file *file = job->file;
	struct textbuf name = text_in(file->suffix, sizeof(file->suffix));
	char path[LIVE_PATH_MAX];
	int fd, error;

	if (!directory[0] || closed)
		return -ENOENT;
	text_add(&name, job->suffix);
	make_path(path, job->suffix);
	fd = create_file(path);
	if (fd < 0)
		return fd;
	error = fill_file(file, fd, job->size, job->reserved, job->size);
	sys_close(fd);
	if (error)
		sys_unlink(path);
	return error;
}

static int create_private(struct live_file *file, size_t size)
{
	void *address = sys_mmap(size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);

	if (sys_is_error((long)address))
		return -ENOMEM;
	file->address = address;
	file->reserved = size;
	file->size = size;
	file->private = true;
	file->suffix[0] = '\0';
	return 0;
}

/* The LM says so now: should the process be killed, it is known that records may be missing. Without a directory it does anyway. */
static void note_private(void)
{
	if (directory[0] && !closed && !atomic_exchange(&noted, true))
		metadata_write_private();
}

int live_create(struct live_file *file, const char *suffix, size_t size, size_t reserved)
{
	struct creation job = {file, suffix, size, reserved};
	int error;

	file->private = false;
	file->address = NULL;
	atomic_store(&file->reserved, 0);
	atomic_fetch_add(&making, 1); /* before it looks whether it is closed */
	error = errand_run(create_shared, &job);
	atomic_fetch_sub(&making, 1);
	if (!error)
		return 0;
	note_private();
	return create_private(file, size);
}

/* A descriptor of a file that has a name, or a negative errno. */
static int open_again(const struct live_file *file)
{
	char path[LIVE_PATH_MAX];

	make_path(path, file->suffix);
	return sys_open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0);
}

static int grow_shared(void *data)
{
	const struct creation *job = data;
	struct live_file *file = job->file, grown = *file;
	int fd = open_again(file), error;

	if (fd < 0)
		return fd;
	error = fill_file(&grown, fd, job->size, job->reserved, job->size - file->size);
	sys_close(fd);
	if (error)
		return error;
	sys_munmap(file->address, file->size);
	*file = grown;
	return 0;
}

int live_grow(struct live_file *file, size_t size, size_t reserved)
{
	size_t before = atomic_load(&file->reserved);
	struct creation job = {file, file->suffix, size, reserved > before ? reserved : before};
	struct live_file grown = *file;

	if (!file->private)
		return file->suffix[0] ? errand_run(grow_shared, &job) : -ENOENT;
	if (create_private(&grown, size))
		return -ENOMEM;
	memcpy(grown.address, file->address, file->size);
	live_unmap(file);
	*file = grown;
	return 0;
}

static int reserve_by_name(void *data)
{
	const struct creation *job = data;
	int fd = open_again(job->file), error;

	if (fd < 0)
		return fd;
	error = give_room(fd, job->reserved, job->reserved);
	sys_close(fd);
	return error;
}

/* Linux 5.14 makes pages of what is mapped, or says that a store would raise SIGBUS: also if the file has no name any more, or none that the process may open. */
static int reserve_mapped(const struct live_file *file, size_t from, size_t size)
{
	return sys_madvise((uint8_t *)file->address + from, size - from, MADV_POPULATE_WRITE);
}

int live_reserve(struct live_file *file, size_t size)
{
	struct creation job = {file, file->suffix, file->size, size};
	size_t before = atomic_load(&file->reserved);
	int error;

	if (size <= before)
		return 0;
	error = reserve_mapped(file, before, size);
	if (error == -EINVAL)
		error = file->suffix[0] ? errand_run(reserve_by_name, &job) : -ENOENT;
	while (!error && before < size &&
	       !atomic_compare_exchange_weak(&file->reserved, &before, size))
		;
	return error;
}

void live_unlink(struct live_file *file)
{
	char path[LIVE_PATH_MAX];

	if (!file->suffix[0])
		return;
	make_path(path, file->suffix);
	sys_unlink(path);
	file->suffix[0] = '\0';
}

int live_restore(struct live_file *file, const char *suffix)
{
	char path[LIVE_PATH_MAX];
	long address = -ENOSPC;
	struct textbuf name;
	int fd;

	if (file->private || !directory[0])
		return -ENOENT;
	if (file->suffix[0]) /* a thread has made it meanwhile */
		return 0;
	if (make_directory())
		return -EACCES;
	closed = false;
	make_path(path, suffix);
	fd = create_file(path);
	if (fd < 0)
		return fd;
	if (!give_room(fd, file->size, file->size) &&
	    quiet_write(fd, file->address, file->size) == (long)file->size)
		address = sys_call(SYS_mmap, (long)file->address, (long)file->size,
				   PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0);
	sys_close(fd);
	if (sys_is_error(address)) {
		sys_unlink(path);
		return (int)address;
	}
	name = text_in(file->suffix, sizeof(file->suffix));
	text_add(&name, suffix);
	return 0;
}

void live_forked(void)
{
	atomic_store(&in_use, 0);
	atomic_store(&noted, false);
	atomic_store(&making, 0); /* those threads are not here */
	closed = false;
}

void live_unmap(struct live_file *file)
{
	if (!file->address)
		return;
	sys_munmap(file->address, file->size);
	if (!file->private)
		atomic_fetch_sub_explicit(&in_use, file->size, memory_order_relaxed);
	file->address = NULL;
	file->suffix[0] = '\0';
}
