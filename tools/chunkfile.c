/* SPDX-License-Identifier: MIT */
/* chunkfile.c - see chunkfile.h */
#include "chunkfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "format/chunk.h"
#include "format/frame.h"

#define WINDOW (64u << 10) /* bytes searched at once */

/* Reads exactly `size` bytes. */
static int read_at(const struct chunkfile *file, void *buffer, size_t size, uint64_t offset)
{
	uint8_t *p = buffer;

	if (file->part) {
		ssize_t got = node_read(file->part, buffer, size, offset);

		return got < 0 ? (int)got : (size_t)got == size ? 0 : -ENODATA;
	}
	while (size > 0) {
		ssize_t got = pread(file->fd, p, size, (off_t)offset);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got ? -errno : -ENODATA;
		p += got;
		offset += (uint64_t)got;
		size -= (size_t)got;
	}
	return 0;
}

static int check_file(struct chunkfile *file, enum file_kind kind)
{
	struct file_header header;
	struct stat status;
	int error;

	if (fstat(file->fd, &status))
		return -errno;
	if (!S_ISREG(status.st_mode))
		return -EINVAL;
	file->size = (uint64_t)status.st_size;
	file->end = sizeof(header);
	error = read_at(file, &header, sizeof(header), 0);
	if (error)
		return error == -ENODATA ? -EINVAL : error;
	file->stream_id = header.stream_id;
	return file_header_check(&header, kind);
}

/* A link, a directory and a socket are no file of a trace, as a FIFO is not (check_file()). */
static int no_file(int error)
{
	return error == ELOOP || error == EISDIR || error == ENXIO ? -EINVAL : -error;
}

static int open_existing(struct chunkfile *file, int dir_fd, const char *name, int mode)
{
	memset(file, 0, sizeof(*file));
	file->fd = openat(dir_fd, name, mode | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	return file->fd < 0 ? no_file(errno) : 0;
}

int chunkfile_open(struct chunkfile *file, int dir_fd, const char *name, enum file_kind kind)
{
	int error = open_existing(file, dir_fd, name, O_RDWR);

	if (error)
		return error == -ENOENT ? 0 : error;
	/* a lock that the file system does not have is no reason to leave a trace unrepaired */
	while (flock(file->fd, LOCK_EX) && errno == EINTR)
		;
	error = check_file(file, kind);
	if (error)
		chunkfile_close(file);
	return error;
}

int chunkfile_open_to_read(struct chunkfile *file, int dir_fd, const char *name,
			   enum file_kind kind)
{
	int error = open_existing(file, dir_fd, name, O_RDONLY);

	if (error)
		return error == -ENOENT ? 0 : error;
	error = check_file(file, kind);
	if (error)
		chunkfile_close(file);
	return error;
}

int chunkfile_open_part(struct chunkfile *file, int dir_fd, const struct node_part *part, bool lock)
{
	struct node_file *node = part->stream->node;
	int error = open_existing(file, dir_fd, node->name, O_RDWR | O_APPEND);

	if (error)
		return error;
	while (lock && flock(file->fd, LOCK_EX) && errno == EINTR)
		;
	error = node_refresh(node); /* who had the lock before may have appended */
	if (error)
		chunkfile_close(file);
	file->part = part;
	file->stream_id = part->stream->id;
	file->size = part->size;
	file->end = sizeof(struct file_header);
	return error;
}

int chunkfile_open_part_to_read(struct chunkfile *file, const struct node_part *part)
{
	*file = (struct chunkfile){.fd = -1,
				   .part = part,
				   .stream_id = part->stream->id,
				   .size = part->size,
				   .end = sizeof(struct file_header)};
	return 0;
}

int chunkfile_create(struct chunkfile *file, int dir_fd, const char *name, enum file_kind kind,
		     uint64_t stream_id)
{
	struct file_header header;
	int error = 0;

	file->part = NULL;
	file->fd = openat(dir_fd, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (file->fd < 0)
		return -errno;
	file_header_init(&header, kind, stream_id);
	if (write(file->fd, &header, sizeof(header)) != sizeof(header)) {
		error = errno ? -errno : -ENOSPC;
		unlinkat(dir_fd, name, 0);
		chunkfile_close(file);
		return error;
	}
	file->stream_id = stream_id;
	file->size = file->end = sizeof(header);
	return 0;
}

void chunkfile_close(struct chunkfile *file)
{
	if (file->fd >= 0)
		close(file->fd);
	file->fd = -1;
}

/* Whether a whole chunk lies at `offset`; *body is its body then, to be freed. */
static bool read_chunk(const struct chunkfile *file, uint64_t offset, struct chunk_header *header,
		       uint8_t **body)
{
	if (file->size - offset < sizeof(*header) ||
	    read_at(file, header, sizeof(*header), offset) || chunk_header_check(header) ||
	    header->body_size > file->size - offset - sizeof(*header))
		return false;
	*body = malloc(header->body_size + 1);
	if (*body && !read_at(file, *body, header->body_size, offset + sizeof(*header)) &&
	    chunk_body_check(header, *body))
		return true;
	free(*body);
	return false;
}

/* Offset of the next magic at or after `offset`; the size of the file if there is none. */
static uint64_t find_magic(const struct chunkfile *file, uint64_t offset)
{
	static uint8_t window[WINDOW];
	const uint32_t magic = CHUNK_MAGIC;

	while (offset + sizeof(magic) <= file->size) {
		uint64_t left = file->size - offset;
		size_t size = left < WINDOW ? (size_t)left : WINDOW;
		const uint8_t *found;

		if (read_at(file, window, size, offset))
			break;
		found = memmem(window, size, &magic, sizeof(magic));
		if (found)
			return offset + (uint64_t)(found - window);
		offset += size - (sizeof(magic) - 1);
	}
	return file->size;
}

int chunkfile_walk(struct chunkfile *file,
		   int (*visit)(void *data, const struct chunk_header *header, struct bytes body),
		   void *data)
{
	uint64_t offset = sizeof(struct file_header);
	struct chunk_header header;
	int error = 0;

	while ((file->fd >= 0 || file->part) && offset < file->size && !error) {
		uint8_t *body;

		if (!read_chunk(file, offset, &header, &body)) {
			offset = find_magic(file, offset + 1);
			continue;
		}
		error = visit(data, &header, bytes_of(body, header.body_size));
		free(body);
		offset += sizeof(header) + header.body_size;
		file->end = offset;
	}
	return error;
}

/* Whether what follows the last whole chunk is the first part of one, as a write leaves it that was cut short. */
static bool is_torn(const struct chunkfile *file)
{
	struct chunk_header header;
	uint64_t left = file->size - file->end;

	if (left < sizeof(header))
		return left > 0;
	return !read_at(file, &header, sizeof(header), file->end) && !chunk_header_check(&header) &&
	       header.body_size > left - sizeof(header);
}

/* In one write, as others append at the same time; so what is cut short stays, and readers pass over it. */
static int append_frame(struct chunkfile *file, struct chunk_header *header, const void *body)
{
	struct frame_tag tag;
	struct iovec parts[3] = {{&tag, sizeof(tag)},
				 {header, sizeof(*header)},
				 {(void *)body, header->body_size}};
	ssize_t written;

	frame_tag_seal(&tag, file->stream_id, header);
	written = writev(file->fd, parts, 3);
	if (written < 0)
		return -errno;
	return written == (ssize_t)(FRAME_HEADER_SIZE + header->body_size) ? 0 : -ENOSPC;
}

/* What others appended behind it stays: readers are told to leave it out. */
static int take_back(struct chunkfile *file)
{
	struct chunk_header header = {.type = CHUNK_BACK};
	const struct node_extent *last;
	uint64_t offset;
	int error;

	if (file->part->count == 0)
		return 0;
	last = &file->part->extents[file->part->count - 1];
	if (last->at != file->end)
		return 0;
	offset = last->offset - FRAME_TAG_SIZE;
	header.body_size = header.plain_size = sizeof(offset);
	chunk_header_seal(&header, &offset);
	error = append_frame(file, &header, &offset);
	if (!error)
		file->size = file->end;
	return error;
}

int chunkfile_trim(struct chunkfile *file)
{
	if (file->fd < 0 || !is_torn(file))
		return 0;
	if (file->part)
		return take_back(file);
	if (ftruncate(file->fd, (off_t)file->end))
		return -errno;
	file->size = file->end;
	return 0;
}

int chunkfile_append(struct chunkfile *file, struct chunk_header *header, const void *body)
{
	struct iovec parts[2] = {{header, sizeof(*header)}, {(void *)body, header->body_size}};
	ssize_t size = (ssize_t)(sizeof(*header) + header->body_size), written;

	chunk_header_seal(header, body);
	if (file->part) {
		int error = append_frame(file, header, body);

		file->size += error ? 0 : (uint64_t)size;
		file->end = file->size;
		return error;
	}
	written = pwritev(file->fd, parts, 2, (off_t)file->size);
	if (written != size) {
		int error = written < 0 ? -errno : -ENOSPC;

		if (ftruncate(file->fd, (off_t)file->size))
			return -errno;
		return error;
	}
	file->size += (uint64_t)size;
	file->end = file->size;
	return 0;
}

#ifdef UNIT_TEST
#include "unittest.h"

static int sum_bodies(void *data, const struct chunk_header *header, struct bytes body)
{
	*(uint64_t *)data += header->thread * 1000 + bytes_left(&body);
	return 0;
}

static void append_text(struct chunkfile *file, uint32_t thread, const char *text)
{
	struct chunk_header header = {.type = CHUNK_DATA, .thread = thread};

	header.body_size = header.plain_size = (uint32_t)strlen(text);
	EXPECT_EQ(chunkfile_append(file, &header, text), 0);
}

TEST_CASE(chunk_files_lose_what_is_torn_and_nothing_else)
{
	char dir[] = "/tmp/chunkfile.XXXXXX";
	struct chunkfile file;
	uint64_t sum = 0;
	int dir_fd;

	REQUIRE(mkdtemp(dir));
	dir_fd = open(dir, O_RDONLY | O_DIRECTORY);
	EXPECT_EQ(chunkfile_open(&file, dir_fd, "a.rec", FILE_STREAM), 0);
	EXPECT_EQ(file.fd, -1);
	EXPECT_EQ(chunkfile_create(&file, dir_fd, "a.rec", FILE_STREAM, 5), 0);
	append_text(&file, 1, "abc");
	EXPECT_EQ(write(file.fd, "RCHK garbage", 12), 12); /* over the first chunk's header */
	append_text(&file, 2, "abcd");
	EXPECT_EQ(pwrite(file.fd, "RCHK torn", 9, (off_t)file.size), 9);
	chunkfile_close(&file);

	EXPECT_EQ(chunkfile_open(&file, dir_fd, "a.rec", FILE_STREAM), 0);
	EXPECT_EQ(file.stream_id, 5);
	EXPECT_EQ(chunkfile_walk(&file, sum_bodies, &sum), 0);
	EXPECT_EQ(sum, 2004);
	EXPECT_EQ(file.size - file.end, 9);
	EXPECT_EQ(chunkfile_trim(&file), 0);
	append_text(&file, 3, "");
	sum = 0;
	EXPECT_EQ(chunkfile_walk(&file, sum_bodies, &sum), 0);
	EXPECT_EQ(sum, 5004);
	chunkfile_close(&file);
	EXPECT_EQ(chunkfile_open(&file, dir_fd, "a.rec", FILE_LOCAL), -EINVAL);
	unlinkat(dir_fd, "a.rec", 0);
	close(dir_fd);
	rmdir(dir);
}
#endif
