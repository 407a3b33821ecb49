/* SPDX-License-Identifier: MIT */
/* files.c - numbers for files. */
#include "record/files.h"

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "format/defs.h"
#include "record/arena.h"
#include "record/bulk.h"
#include "record/critical.h"
#include "record/filestatus.h"
#include "record/foldernames.h"
#include "record/pathfilter.h"
#include "record/sys.h"
#include "record/testpoint.h"
#include "record/text.h"
#include "record/wipe.h"
#include "record/workdir.h"

#define GROUPS (1u << 12)
#define FIRST_GROUPS 32u /* a page */
#define GROUP_SIZE 16u   /* two lines of a cache */
#define FEW 1000         /* instead of FILES_MAX, for tests */
#define BUFFERS 8
#define PATIENCE 2000 /* yields, until one is given back */

/*
 * A file that is known: its id, 0 while it is being defined, and above it FILES_BITS bits less of its hash, in one word so that they
 * are read together. 0: free.
 */
typedef _Atomic uint64_t slot;

/* A path being put together. Buffers are static: the caller's stack may be small. */
struct path_buffer {
	char path[PATH_MAX + 8];
	size_t length; /* of the path */
	uint8_t payload[PATH_MAX + FILE_STRIPING_MAX + 128];
	char striping[FILE_STRIPING_MAX];
};

/*
 * In wiped memory: a child's numbers begin anew, with its stream. Files are in the first groups as long as these are not full, so that those of a short process do not have a
 * page each.
 */
static struct table {
	_Atomic uint32_t last_id;
	_Atomic uint64_t unnamed;
	slot first[FIRST_GROUPS][GROUP_SIZE];
	slot groups[GROUPS][GROUP_SIZE];
	struct foldernames folders;
} * table;

static struct path_buffer buffers[BUFFERS] BULK;
static atomic_bool buffer_taken[BUFFERS]; /* apart, so that a forked child touches no buffers */

static atomic_bool buffers_scarce; /* all were taken for so long that some will not come back */

static struct path_buffer *buffer_find(void)
{
	for (unsigned i = 0; i < BUFFERS; i++)
		if (!atomic_exchange_explicit(&buffer_taken[i], true, memory_order_acquire))
			return &buffers[i];
	return NULL;
}

static struct path_buffer *buffer_map(void)
{
	void *buffer = sys_mmap(sizeof(struct path_buffer), PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1);

	return sys_is_error((long)buffer) ? NULL : buffer;
}

/* A signal handler that jumps out of what is done with a buffer (critical.h) leaves it taken. So when there is none for long, each use has one of its own. */
static struct path_buffer *buffer_take(void)
{
	unsigned patience = atomic_load(&buffers_scarce) ? 0 : PATIENCE;
	struct path_buffer *buffer;

	critical_enter();
	while (!(buffer = buffer_find())) {
		if (patience == 0 && (buffer = buffer_map())) {
			atomic_store(&buffers_scarce, true);
			break;
		}
		patience -= patience > 0;
		sys_sched_yield();
	}
	return buffer;
}

static void buffer_give(struct path_buffer *buffer)
{
	if (buffer >= buffers && buffer < buffers + BUFFERS)
		atomic_store_explicit(&buffer_taken[buffer - buffers], false, memory_order_release);
	else
		sys_munmap(buffer, sizeof(*buffer));
	critical_leave();
}

/* The kernel names pipes and sockets by their inode, "pipe:[12345]". That is in the definition anyway, and left out of the
 * name two runs of a program have the same names. */
static struct text visible_name(const char *path)
{
	struct text name = text_of(path);
	const char *bracket = strstr(path, ":[");

	if (path[0] != '/' && bracket && bracket[2] >= '0' && bracket[2] <= '9')
		name.length = (size_t)(bracket - path);
	return name;
}

static void define(struct path_buffer *buffer, uint32_t id, int fd,
		   const struct file_status *status)
{
	struct def_file def = {
		.id = id,
		.path = visible_name(buffer->path),
		.type = status->type,
		.device = status->device,
		.inode = status->inode,
		.size = status->size,
		.fs_magic = file_system_magic(fd, status->device),
		.block_size = status->block_size,
		.mount = (uint32_t)status->mount,
	};

	def.striping.bytes = buffer->striping;
	def.striping.length = file_striping(fd, def.fs_magic, buffer->striping);
	arena_put(DEF_FILE, buffer->payload,
		  def_file_pack(buffer->payload, sizeof(buffer->payload), &def));
}

static uint32_t new_id(struct path_buffer *buffer, int fd, const struct file_status *status)
{
	uint32_t limit = test_without("many-files") ? FEW : FILES_MAX;
	uint32_t id;

	id = atomic_load(&table->last_id) < limit ? atomic_fetch_add(&table->last_id, 1) + 1
						  : FILE_UNNAMED;
	if (id >= FILE_UNNAMED) /* also where threads were faster than the limit */
		return FILE_UNNAMED;
	define(buffer, id, fd, status);
	return id;
}

static uint32_t id_in(uint64_t word)
{
	return (uint32_t)word & ((1u << FILES_BITS) - 1);
}

/* Once another thread has defined it. 0: it was pushed out since. */
static uint32_t wait_for_id(slot *place, uint64_t key)
{
	uint64_t word;

	while ((word = atomic_load_explicit(place, memory_order_acquire)) == key)
		sys_sched_yield();
	return (word ^ key) >> FILES_BITS ? 0 : id_in(word);
}

static uint32_t define_in(slot *place, uint64_t key, struct path_buffer *buffer, int fd,
			  const struct file_status *status)
{
	uint32_t id = new_id(buffer, fd, status);

	atomic_store_explicit(place, key | id, memory_order_release);
	return id;
}

/* Files that are made one after the other mostly have inodes in a row: those are kept side by side, not where a cache misses each of them. */
static uint64_t group_of(const struct file_status *status)
{
	uint64_t row = status->inode / (GROUP_SIZE / 2);

	return row ^ text_hash(&status->device, 8, row / GROUPS);
}

/* The place of a file in a group, or a free one, which is claimed for it: *claimed. NULL: there is none, *oldest is the one that was defined first. */
static slot *place_in(slot *group, uint64_t key, bool *claimed, slot **oldest)
{
	uint32_t least = FILES_MAX;

	*claimed = false;
	for (unsigned i = 0; i < GROUP_SIZE; i++) {
		uint64_t word = atomic_load_explicit(&group[i], memory_order_acquire);

		/* where another thread is faster `word` is what it has put there */
		if (word == 0 && atomic_compare_exchange_strong(&group[i], &word, key)) {
			*claimed = true;
			return &group[i];
		}
		if ((word ^ key) >> FILES_BITS == 0)
			return &group[i];
		if (id_in(word) - 1 < least) { /* not one that is being defined */
			least = id_in(word) - 1;
			*oldest = &group[i];
		}
	}
	return NULL;
}

static uint32_t id_of(uint64_t hash, struct path_buffer *buffer, int fd,
		      const struct file_status *status)
{
	uint64_t group = group_of(status);
	uint64_t key = hash >> FILES_BITS << FILES_BITS | 1ull << 63;
	slot *oldest = NULL, *place;
	bool claimed;
	uint32_t id;

	place = place_in(table->first[group % FIRST_GROUPS], key, &claimed, &oldest);
	if (!place) {
		oldest = table->groups[group % GROUPS];
		place = place_in(oldest, key, &claimed, &oldest);
	}
	if (!place || claimed)
		return define_in(place ? place : oldest, key, buffer, fd, status);
	id = wait_for_id(place, key);
	return id ? id : new_id(buffer, fd, status);
}

/* The id of what buffer->path is; gives the buffer back. */
static uint32_t intern_as(struct path_buffer *buffer, int fd, const struct file_status *status)
{
	uint64_t who[2] = {status->device, status->inode};
	uint64_t hash = text_hash(who, sizeof(who), 0);
	uint32_t id = id_of(text_hash(buffer->path, buffer->length, hash), buffer, fd, status);

	if (id == FILE_UNNAMED)
		atomic_fetch_add(&table->unnamed, 1);
	else if (status->type == S_IFDIR)
		foldernames_put(&table->folders, id, buffer->path, buffer->length);
	buffer_give(buffer);
	return id;
}

static uint32_t intern_excluded(struct path_buffer *buffer)
{
	buffer_give(buffer);
	return FILE_UNNAMED | FILE_EXCLUDED;
}

/* `status`: of fd, if that is known already, else NULL. */
static uint32_t intern(struct path_buffer *buffer, int fd, const struct file_status *status)
{
	struct file_status found;

	if (pathfilter_excludes(buffer->path, buffer->length))
		return intern_excluded(buffer);
	if (!status)
		file_status(fd, buffer->path, &found);
	return intern_as(buffer, fd, status ? status : &found);
}

/* A path behind the folder whose name `text` has in the buffer; false if that is not known, or they do not fit. */
static bool join(struct path_buffer *buffer, struct textbuf *text, const struct path_text *path)
{
	if (text->length == 0)
		return false;
	if (text->length != 1 && path->length > 0)
		text_add(text, "/");
	text_add_bytes(text, path->text, path->length);
	buffer->length = text->length;
	return !text->cut;
}

static bool make_absolute(struct path_buffer *buffer, const struct path_text *path)
{
	struct textbuf text = text_in(buffer->path, sizeof(buffer->path));

	if (path->text[0] != '/') {
		workdir_add(&text);
		return join(buffer, &text, path);
	}
	text_add_bytes(&text, path->text, path->length);
	buffer->length = text.length;
	return !text.cut;
}

/* Behind the name by which a folder was opened, if that is known still. */
static bool make_absolute_below(struct path_buffer *buffer, uint32_t folder,
				const struct path_text *path)
{
	struct textbuf text = text_in(buffer->path, sizeof(buffer->path));

	text.length = foldernames_get(&table->folders, folder, buffer->path);
	return join(buffer, &text, path);
}

/* What the kernel says that fd is. */
static bool ask_kernel(struct path_buffer *buffer, int fd)
{
	char link[32];
	struct textbuf text = text_in(link, sizeof(link));
	long length;

	text_add(&text, "/proc/self/fd/");
	text_add_u64(&text, (uint64_t)fd);
	length = sys_readlink(link, buffer->path, PATH_MAX);
	buffer->length = length > 0 ? (size_t)length : 0;
	buffer->path[buffer->length] = '\0';
	return length > 0;
}

uint64_t files_unnamed(void)
{
	return table ? atomic_load(&table->unnamed) : 0;
}

bool files_active(void)
{
	return table;
}

/* The name that the kernel would say of a pipe or socket; false: it is none. */
static bool name_nameless(struct path_buffer *buffer, int fd, const struct file_status *status)
{
	struct textbuf text = text_in(buffer->path, sizeof(buffer->path));
	const char *name = file_nameless(fd, status);

	if (!name)
		return false;
	text_add(&text, name);
	text_add(&text, ":[");
	text_add_u64(&text, status->inode);
	text_add(&text, "]");
	buffer->length = text.length;
	return true;
}

uint32_t file_of_descriptor_with(int fd, const struct file_status *status)
{
	struct path_buffer *buffer = buffer_take();

	if (name_nameless(buffer, fd, status) || ask_kernel(buffer, fd))
		return intern(buffer, fd, status);
	buffer_give(buffer);
	return 0;
}

uint32_t file_of_descriptor(int fd)
{
	struct file_status status;

	/* Asked first: looking for a name that is not there takes ten times as long, and programs close all descriptors that they could have. */
	if (file_status(fd, "", &status) == -EBADF)
		return 0;
	return file_of_descriptor_with(fd, &status);
}

/* As it was opened, if it can be told without asking what is a link. The kernel has no links in the name of the working directory, so what is above that is known. */
static bool name_opened(struct path_buffer *buffer, int dirfd, uint32_t folder,
			const struct path_text *path)
{
	bool below = path->text[0] != '/' && dirfd != AT_FDCWD, parents = false;

	if (path->roundabout && (path_goes_back(path->text, &parents) || (below && parents)))
		return false;
	if (below ? !make_absolute_below(buffer, folder, path) : !make_absolute(buffer, path))
		return false;
	if (!path->roundabout)
		return true;
	if (buffer->path[0] == '/')
		buffer->length = path_straighten(buffer->path);
	return buffer->path[0] == '/';
}

uint32_t file_opened(int fd, int dirfd, uint32_t folder, const char *path)
{
	struct path_buffer *buffer;
	struct path_text text;

	if (!path_text_read(path, &text))
		return file_of_descriptor(fd);
	buffer = buffer_take();
	if (name_opened(buffer, dirfd, folder, &text))
		return intern(buffer, fd, NULL);
	buffer_give(buffer);
	return file_of_descriptor(fd);
}

uint32_t file_of_path(const char *path)
{
	struct path_buffer *buffer;
	struct path_text text;

	if (!table || !path_text_read(path, &text))
		return 0;
	buffer = buffer_take();
	if (make_absolute(buffer, &text))
		return intern(buffer, -1, NULL);
	buffer_give(buffer);
	return 0;
}

uint32_t file_mapped(const char *path, uint64_t device, uint64_t inode)
{
	struct path_buffer *buffer = buffer_take();
	struct textbuf text = text_in(buffer->path, sizeof(buffer->path));
	struct file_status status;

	text_add(&text, path);
	buffer->length = text.length;
	if (pathfilter_excludes(path, strlen(path)))
		return intern_excluded(buffer);
	/* another one may have its name by now */
	if (file_status(-1, path, &status) || status.inode != inode)
		status = (struct file_status){.device = device, .inode = inode};
	return intern_as(buffer, -1, &status);
}

/* Behind the name of a directory that is open. */
static bool make_absolute_at(struct path_buffer *buffer, int dirfd, const struct path_text *path)
{
	struct textbuf text = text_in(buffer->path, sizeof(buffer->path));

	ask_kernel(buffer, dirfd);
	text.length = buffer->length;
	return join(buffer, &text, path);
}

/* `path`, made absolute in the buffer: only a detour needs more than that a '/' at its end goes. */
static void straighten_path(struct path_buffer *buffer, const struct path_text *path)
{
	if (path->roundabout && buffer->path[0] == '/')
		buffer->length = path_straighten(buffer->path);
	else if (buffer->length > 1 && buffer->path[buffer->length - 1] == '/')
		buffer->path[--buffer->length] = '\0';
}

bool file_excluded(int dirfd, const struct path_text *path)
{
	bool absolute = path->text[0] == '/', known, excluded;
	struct path_buffer *buffer;

	if (absolute && !path->roundabout)
		return pathfilter_excludes(path->text, path->length);
	/* the folder is judged by its descriptor, and asking for its name takes a system call */
	if (!absolute && dirfd != AT_FDCWD && pathfilter_is_default())
		return false;
	buffer = buffer_take();
	known = absolute || dirfd == AT_FDCWD ? make_absolute(buffer, path)
					      : make_absolute_at(buffer, dirfd, path);
	if (known)
		straighten_path(buffer, path);
	excluded = known && pathfilter_excludes(buffer->path, buffer->length);
	buffer_give(buffer);
	return excluded;
}

bool file_absolute_path(const char *path, char *absolute, size_t size)
{
	struct path_buffer *buffer;
	struct path_text text;
	bool fits;

	if (!path_text_read(path, &text))
		return false;
	buffer = buffer_take();
	fits = make_absolute(buffer, &text) && buffer->length < size;
	if (fits)
		memcpy(absolute, buffer->path, buffer->length + 1);
	buffer_give(buffer);
	return fits;
}

bool files_init(void)
{
	table = wipe_alloc(sizeof(*table));
	return table;
}

void files_forked(void)
{
	for (unsigned i = 0; i < BUFFERS; i++)
		atomic_store(&buffer_taken[i], false);
}
