/* SPDX-License-Identifier: MIT */
/* watched_files.c - see watched_files.h */
#include "system/watched_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "read/index.h"

struct watched_files {
	struct watched_file *files;
	uint32_t count, room;
	struct index index;
	struct watched_mounts *mounts;
};

uint64_t watched_device(uint32_t device)
{
	return makedev(device >> 20, device & 0xfffff);
}

/* NULL: it is mounted nowhere that we can see. */
static const char *mount_point(const struct watched_files *files, uint32_t device)
{
	const struct watched_mount *mount = watched_mount(files->mounts, device);

	return mount ? mount->point : NULL;
}

/* Files ---------------------------------------------------------------------------- */

struct watched_files *watched_files_new(void)
{
	struct watched_files *files = calloc(1, sizeof(*files));

	if (!files)
		return NULL;
	files->mounts = watched_mounts_new();
	if (files->mounts)
		return files;
	free(files);
	return NULL;
}

void watched_files_free(struct watched_files *files)
{
	if (!files)
		return;
	for (uint32_t i = 0; i < files->count; i++)
		free(files->files[i].path);
	index_release(&files->index);
	watched_mounts_free(files->mounts);
	free(files->files);
	free(files);
}

static uint32_t hash_of(uint32_t device, uint64_t inode)
{
	uint64_t key[2] = {device, inode};

	return index_hash(key, sizeof(key));
}

/* The first that was told, which is the one that the index has. */
static int64_t find_first(const struct watched_files *files, uint32_t device, uint64_t inode)
{
	uint32_t hash = hash_of(device, inode), position = hash;
	int64_t number;

	while ((number = index_next(&files->index, hash, &position)) >= 0)
		if (files->files[number].device == device && files->files[number].inode == inode)
			return number;
	return -1;
}

int64_t watched_files_find(const struct watched_files *files, uint32_t device, uint64_t inode)
{
	int64_t first = find_first(files, device, inode);

	return first < 0 ? -1 : (int64_t)files->files[first].newest;
}

const struct watched_mounts *watched_files_mounts(const struct watched_files *files)
{
	return files->mounts;
}

const struct watched_file *watched_file(const struct watched_files *files, uint32_t number)
{
	return &files->files[number];
}

/* The pages of a block device itself are those of an inode of its number. */
static char *block_device(uint64_t inode)
{
	char *path;

	return asprintf(&path, "/dev/block/%llu:%llu", (unsigned long long)inode >> 20,
			(unsigned long long)inode & 0xfffff) < 0
		       ? NULL
		       : path;
}

/* "pipe:[123]", as /proc/PID/fd shows it. */
static char *nameless(const struct file_event *event)
{
	const char *what = S_ISSOCK(event->mode)   ? "socket"
			   : S_ISFIFO(event->mode) ? "pipe"
						   : "inode";
	char *path;

	return asprintf(&path, "%s:[%llu]", what, (unsigned long long)event->inode) < 0 ? NULL
											: path;
}

/* The names stand from the file upwards; the path is the other way round. `size`: of the names, which end with a zero. */
static char *joined(const char *point, const struct file_event *event, size_t size)
{
	char *path = NULL;
	size_t length;
	FILE *to = open_memstream(&path, &length);

	if (!to)
		return NULL;
	fputs(point, to);
	if (event->cut)
		fputs("/...", to);
	for (size_t end = size; end > 0;) {
		size_t begin = end - 1;

		while (begin > 0 && event->text[begin - 1] != '\0')
			begin--;
		fputc('/', to);
		fputs(event->text + begin, to);
		end = begin;
	}
	if (size == 0 && !*point)
		fputc('/', to);
	if (fclose(to)) {
		free(path);
		return NULL;
	}
	return path;
}

static char *path_of(const struct watched_files *files, const struct file_event *event)
{
	const char *point = mount_point(files, event->device);
	size_t size = event->text_size < sizeof(event->text) ? event->text_size : 0;

	if (size > 0 && event->text[size - 1] != '\0')
		size = 0;
	if (!point && size == 0 && S_ISBLK(event->mode))
		return block_device(event->inode);
	if (!point && (S_ISSOCK(event->mode) || S_ISFIFO(event->mode) || size == 0))
		return nameless(event);
	return joined(point ? point : "", event, size);
}

int watched_files_tell(struct watched_files *files, const struct file_event *event)
{
	int64_t first = find_first(files, event->device, event->inode);
	struct watched_file *file;

	if (first >= 0 && files->files[files->files[first].newest].generation == event->generation)
		return 0;
	if (files->count == files->room) {
		uint32_t room = files->room ? 2 * files->room : 64;
		struct watched_file *more = realloc(files->files, room * sizeof(*more));

		if (!more)
			return -ENOMEM;
		files->files = more;
		files->room = room;
	}
	file = &files->files[files->count];
	*file = (struct watched_file){.inode = event->inode,
				      .size = (uint64_t)event->size,
				      .magic = event->magic,
				      .device = event->device,
				      .mode = event->mode,
				      .generation = event->generation,
				      .newest = files->count,
				      .path = path_of(files, event)};
	if (!file->path)
		return -ENOMEM;
	if (first >= 0) {
		files->files[first].newest = files->count;
	} else if (index_add(&files->index, hash_of(event->device, event->inode), files->count)) {
		free(file->path);
		return -ENOMEM;
	}
	files->count++;
	return 0;
}

#ifdef UNIT_TEST
#include "unittest.h"

#define DEVICE (250u << 20 | 7)

static struct watched_mounts *mounts_of(char *text, size_t size)
{
	FILE *from = fmemopen(text, size, "r");
	struct watched_mounts *mounts = watched_mounts_read(from);

	fclose(from);
	return mounts;
}

/* `names`: from the file upwards, a zero behind each, and one more. */
static void expect_path(const char *names, size_t size, uint32_t mode, uint32_t cut,
			const char *path)
{
	static struct file_event event;
	char mounts[] = "30 1 250:7 / /data rw - ext4 /dev/data rw\n";
	struct watched_files files = {.mounts = mounts_of(mounts, sizeof(mounts) - 1)};

	event = (struct file_event){.inode = 12,
				    .device = DEVICE,
				    .mode = mode,
				    .cut = cut,
				    .text_size = (uint16_t)size};
	memcpy(event.text, names, size);
	EXPECT_EQ(watched_files_tell(&files, &event), 0);
	EXPECT_EQ(watched_files_tell(&files, &event), 0);
	EXPECT_EQ(files.count, 1);
	EXPECT_EQ(watched_files_find(&files, DEVICE, 12), 0);
	EXPECT_EQ(watched_files_find(&files, DEVICE, 13), -1);
	EXPECT_STR(watched_file(&files, 0)->path, path);
	free(files.files[0].path);
	free(files.files);
	watched_mounts_free(files.mounts);
	index_release(&files.index);
}

TEST_CASE(watched_files_paths)
{
	expect_path("name\0folder\0top", 16, S_IFREG, 0, "/data/top/folder/name");
	expect_path("", 0, S_IFDIR, 0, "/data");
	expect_path("name\0folder", 12, S_IFREG, 1, "/data/.../folder/name");
	/* no zero at the end: not what the kernel's program writes */
	expect_path("name", 4, S_IFREG, 0, "/data");
}

/* A file is removed, and its number becomes another one's, twice. */
TEST_CASE(watched_files_numbers_again)
{
	static const char *const paths[] = {"/one", "/two", "/three"};
	char none[] = "\n";
	struct watched_files files = {.mounts = mounts_of(none, 1)};

	for (uint32_t i = 0; i < 3; i++) {
		struct file_event event = {.inode = 7, .mode = S_IFREG, .generation = i + 5};

		event.text_size = (uint16_t)strlen(paths[i]);
		memcpy(event.text, paths[i] + 1, event.text_size);
		EXPECT_EQ(watched_files_tell(&files, &event), 0);
		EXPECT_EQ(watched_files_tell(&files, &event), 0);
		EXPECT_EQ(watched_files_find(&files, 0, 7), i);
	}
	for (unsigned i = 0; i < files.count; i++) {
		EXPECT_STR(files.files[i].path, paths[i]);
		free(files.files[i].path);
	}
	EXPECT_EQ(files.count, 3);
	free(files.files);
	watched_mounts_free(files.mounts);
	index_release(&files.index);
}

TEST_CASE(watched_files_without_a_mount)
{
	char none[] = "\n";
	struct watched_files files = {.mounts = mounts_of(none, 1)};
	struct file_event pipe = {.inode = 5, .mode = S_IFIFO};
	struct file_event socket = {.inode = 6, .mode = S_IFSOCK};
	struct file_event deleted = {.inode = 7, .mode = S_IFREG, .text_size = 5, .text = "memo"};
	struct file_event disk = {.inode = 254u << 20 | 3, .mode = S_IFBLK};

	EXPECT_EQ(watched_files_tell(&files, &pipe), 0);
	EXPECT_EQ(watched_files_tell(&files, &socket), 0);
	EXPECT_EQ(watched_files_tell(&files, &deleted), 0);
	EXPECT_EQ(watched_files_tell(&files, &disk), 0);
	EXPECT_STR(files.files[0].path, "pipe:[5]");
	EXPECT_STR(files.files[1].path, "socket:[6]");
	EXPECT_STR(files.files[2].path, "/memo");
	EXPECT_STR(files.files[3].path, "/dev/block/254:3");
	for (unsigned i = 0; i < files.count; i++)
		free(files.files[i].path);
	free(files.files);
	watched_mounts_free(files.mounts);
	index_release(&files.index);
}
#endif
