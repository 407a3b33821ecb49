/* SPDX-License-Identifier: MIT */
/* data.c - reading and writing, positions, sizes and mappings. */
#include "random.h"

#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/uio.h>

#define PARTS 4

static char block[2][BLOCK_MAX * PARTS]; /* what is read and written does not matter */

static size_t some_bytes(void)
{
	switch (random_below(8)) {
	case 0:
		return 0;
	case 1:
		return 1;
	case 2:
		return 4096;
	case 3:
		return random_below(BLOCK_MAX);
	default:
		return 1 + random_below(300);
	}
}

static off_t some_offset(void)
{
	switch (random_below(8)) {
	case 0:
		return 0;
	case 1:
		return -1 - (off_t)random_below(3);
	case 2:
		return (off_t)4096 * random_below(64);
	case 3:
		return ((off_t)1 << 20) + random_below(1 << 20); /* a hole before it */
	default:
		return random_below(30000);
	}
}

/* Where a write without an offset goes. */
static int64_t write_offset(const struct place *place)
{
	return !place->regular ? -1 : place->append ? place->size : place->position;
}

static int64_t known(const struct place *place, int64_t offset)
{
	return place->regular ? offset : -1;
}

static void plain_data(struct descriptor *d, const struct place *place)
{
	size_t count = some_bytes();
	off_t offset = some_offset();
	const char *file = who(d->fd);
	ssize_t got;

	switch (random_below(4)) {
	case 0:
		got = MADE(read(d->fd, block[0], count));
		say(got < 0, "read =%zd fd:f=%s count:i=%zu%s", got, file, count,
		    moved("fd", d, place->position, got));
		break;
	case 1:
		got = MADE(write(d->fd, block[1], count));
		say(got < 0, "write =%zd fd:f=%s count:i=%zu%s", got, file, count,
		    moved("fd", d, write_offset(place), got));
		break;
	case 2:
		got = MADE(pread(d->fd, block[0], count, offset));
		say(got < 0, "pread =%zd fd:f=%s count:i=%zu offset:i=%ld%s", got, file, count,
		    offset, moved("fd", d, known(place, offset), got));
		break;
	default:
		got = MADE(pwrite(d->fd, block[1], count, offset));
		say(got < 0, "pwrite =%zd fd:f=%s count:i=%zu offset:i=%ld%s", got, file, count,
		    offset,
		    moved("fd", d, place->append ? write_offset(place) : known(place, offset),
			  got));
	}
}

static int some_parts(struct iovec *parts, char *from, char *text)
{
	int count = 1 + (int)random_below(PARTS);

	*text = '\0';
	for (int i = 0; i < count; i++) {
		parts[i] = (struct iovec){from + i * BLOCK_MAX, random_below(2000)};
		text += sprintf(text, "%s%zu", i ? "," : "", parts[i].iov_len);
	}
	return count;
}

static void vector_read(struct descriptor *d, const struct place *place)
{
	off_t offset = some_offset();
	const char *file = who(d->fd);
	struct iovec parts[PARTS];
	char text[100];
	int count = some_parts(parts, block[0], text);
	ssize_t got;

	switch (random_below(3)) {
	case 0:
		got = MADE(readv(d->fd, parts, count));
		say(got < 0, "readv =%zd fd:f=%s parts:a=%s count:i=%d%s", got, file, text, count,
		    moved("fd", d, place->position, got));
		break;
	case 1:
		got = MADE(preadv(d->fd, parts, count, offset));
		say(got < 0, "preadv =%zd fd:f=%s parts:a=%s count:i=%d offset:i=%ld%s", got, file,
		    text, count, offset, moved("fd", d, known(place, offset), got));
		break;
	default:
		offset = offset < 0 ? -1 : offset;
		got = MADE(preadv2(d->fd, parts, count, offset, 0));
		say(got < 0, "preadv2 =%zd fd:f=%s parts:a=%s count:i=%d offset:i=%ld flags:i=0%s",
		    got, file, text, count, offset,
		    moved("fd", d, offset < 0 ? place->position : known(place, offset), got));
	}
}

static void vector_write(struct descriptor *d, const struct place *place)
{
	off_t offset = some_offset();
	const char *file = who(d->fd);
	struct iovec parts[PARTS];
	char text[100];
	int count = some_parts(parts, block[1], text), flags = random_below(3) ? 0 : RWF_APPEND;
	int64_t at = place->append ? write_offset(place) : known(place, offset);
	ssize_t got;

	switch (random_below(3)) {
	case 0:
		got = MADE(writev(d->fd, parts, count));
		say(got < 0, "writev =%zd fd:f=%s parts:a=%s count:i=%d%s", got, file, text, count,
		    moved("fd", d, write_offset(place), got));
		break;
	case 1:
		got = MADE(pwritev(d->fd, parts, count, offset));
		say(got < 0, "pwritev =%zd fd:f=%s parts:a=%s count:i=%d offset:i=%ld%s", got, file,
		    text, count, offset, moved("fd", d, at, got));
		break;
	default:
		offset = offset < 0 ? -1 : offset;
		at = flags ? place->size : offset < 0 ? write_offset(place) : at;
		got = MADE(pwritev2(d->fd, parts, count, offset, flags));
		say(got < 0,
		    "pwritev2 =%zd fd:f=%s parts:a=%s count:i=%d offset:i=%ld flags:i=%d%s", got,
		    file, text, count, offset, flags, moved("fd", d, at, got));
	}
}

void do_data(void)
{
	struct descriptor *d = any_descriptor();
	struct place place;

	if (!d)
		return;
	files_lock(d->fd, -1);
	place = place_of(d->fd);
	switch (random_below(4)) {
	case 0:
		vector_read(d, &place);
		break;
	case 1:
		vector_write(d, &place);
		break;
	default:
		plain_data(d, &place);
	}
	files_unlock(d->fd, -1);
}

/* ---- from descriptor to descriptor ---- */

static void send_file(struct descriptor *in, struct descriptor *out)
{
	struct place from = place_of(in->fd), to = place_of(out->fd);
	off_t offset = some_offset(), before = random_below(2) ? offset : -1;
	size_t count = some_bytes();
	ssize_t got;

	if (before < 0)
		before = -1;
	got = MADE(sendfile(out->fd, in->fd, before < 0 ? NULL : &offset, count));
	say(got < 0, "sendfile =%zd out:f=%s in:f=%s offset:i=%ld count:i=%zu%s%s", got,
	    who(out->fd), who(in->fd), before, count,
	    moved("in", in, before < 0 ? from.position : known(&from, before), got),
	    moved("out", out, write_offset(&to), got));
}

static void copy_range(struct descriptor *in, struct descriptor *out)
{
	struct place from = place_of(in->fd), to = place_of(out->fd);
	off_t in_offset = random_below(30000), out_offset = random_below(30000);
	off_t in_before = random_below(2) ? in_offset : -1,
	      out_before = random_below(2) ? out_offset : -1;
	size_t count = some_bytes();
	ssize_t got = MADE(copy_file_range(in->fd, in_before < 0 ? NULL : &in_offset, out->fd,
					   out_before < 0 ? NULL : &out_offset, count, 0));

	say(got < 0,
	    "copy_file_range =%zd in:f=%s in_offset:i=%ld out:f=%s out_offset:i=%ld count:i=%zu "
	    "flags:i=0%s%s",
	    got, who(in->fd), in_before, who(out->fd), out_before, count,
	    moved("in", in, in_before < 0 ? from.position : known(&from, in_before), got),
	    moved("out", out, out_before < 0 ? to.position : known(&to, out_before), got));
}

static void splice_data(struct descriptor *in, struct descriptor *out)
{
	struct place from = place_of(in->fd), to = place_of(out->fd);
	size_t count = some_bytes();
	off_t offset = random_below(30000), before = random_below(2) ? offset : -1;
	/* the one that is a pipe may have no offset */
	off_t *place = before < 0 ? NULL : &offset;
	ssize_t got = MADE(splice(in->fd, from.regular ? place : NULL, out->fd,
				  from.regular ? NULL : place, count, SPLICE_F_NONBLOCK));

	say(got < 0,
	    "splice =%zd in:f=%s in_offset:i=%ld out:f=%s out_offset:i=%ld count:i=%zu "
	    "flags:i=%d%s%s",
	    got, who(in->fd), from.regular ? before : -1, who(out->fd), from.regular ? -1 : before,
	    count, SPLICE_F_NONBLOCK,
	    moved("in", in, before < 0 ? from.position : known(&from, before), got),
	    moved("out", out, before < 0 || from.regular ? write_offset(&to) : known(&to, before),
		  got));
}

void do_transfer(void)
{
	struct descriptor *in = any_descriptor(), *out = any_descriptor();

	if (!in)
		return;
	if (!strcmp(strchr(who(in->fd), '/'), strchr(who(out->fd), '/')))
		return; /* on one file the kernel moves one position twice */
	files_lock(in->fd, out->fd);
	switch (random_below(3)) {
	case 0:
		send_file(in, out);
		break;
	case 1:
		copy_range(in, out);
		break;
	default:
		splice_data(in, out);
	}
	files_unlock(in->fd, out->fd);
}

/* ---- positions and sizes ---- */

void do_position(void)
{
	static const int whences[] = {SEEK_SET, SEEK_CUR, SEEK_END, SEEK_DATA, SEEK_HOLE};
	struct descriptor *d = any_descriptor();
	int whence = whences[random_below(5)];
	off_t offset = whence == SEEK_CUR || whence == SEEK_END ? (off_t)random_below(200) - 100
								: some_offset();
	off_t result;

	if (!d)
		return;
	files_lock(d->fd, -1);
	result = MADE(lseek(d->fd, offset, whence));
	say(result < 0, "lseek =%ld fd:f=%s offset:i=%ld whence:i=%d", result, who(d->fd), offset,
	    whence);
	files_unlock(d->fd, -1);
}

static void say_advice(int fd)
{
	off_t offset = random_below(30000), length = random_below(30000);
	int result;

	switch (random_below(4)) {
	case 0:
		result = MADE(fsync(fd));
		say(result, "fsync =%d fd:f=%s", result, who(fd));
		break;
	case 1:
		result = MADE(fdatasync(fd));
		say(result, "fdatasync =%d fd:f=%s", result, who(fd));
		break;
	case 2:
		result = MADE(posix_fadvise(fd, offset, length, POSIX_FADV_WILLNEED));
		say(false, "posix_fadvise =%d fd:f=%s offset:i=%ld length:i=%ld advice:i=%d",
		    result, who(fd), offset, length, POSIX_FADV_WILLNEED);
		break;
	default:
		result = MADE(sync_file_range(fd, offset, length, 0));
		say(result, "sync_file_range =%d fd:f=%s offset:i=%ld count:i=%ld flags:i=0",
		    result, who(fd), offset, length);
	}
}

static void set_size(int fd)
{
	static const int modes[] = {0, FALLOC_FL_KEEP_SIZE,
				    FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE};
	off_t offset = some_offset(), length = some_offset();
	int mode = modes[random_below(3)], result;

	switch (random_below(3)) {
	case 0:
		result = MADE(ftruncate(fd, length));
		say(result, "ftruncate =%d fd:f=%s length:i=%ld", result, who(fd), length);
		break;
	case 1:
		result = MADE(fallocate(fd, mode, offset, length));
		say(result, "fallocate =%d fd:f=%s mode:i=%d offset:i=%ld length:i=%ld", result,
		    who(fd), mode, offset, length);
		break;
	default:
		result = MADE(posix_fallocate(fd, offset, length));
		say(false, "posix_fallocate =%d fd:f=%s offset:i=%ld length:i=%ld", result, who(fd),
		    offset, length);
	}
}

void do_size(void)
{
	struct descriptor *d = any_descriptor();

	if (!d)
		return;
	files_lock(d->fd, -1);
	if (random_below(2))
		set_size(d->fd);
	else
		say_advice(d->fd);
	files_unlock(d->fd, -1);
}

/* Not a byte of the mapping is touched beyond the end of the file. */
void do_mapping(void)
{
	struct descriptor *d = any_descriptor();
	size_t length = 1 + random_below(9000);
	off_t offset = (off_t)4096 * random_below(3);
	int prot = random_below(2) ? PROT_READ : PROT_READ | PROT_WRITE, result;
	char *data, mapped[128];
	struct place place;

	if (!d)
		return;
	files_lock(d->fd, -1);
	place = place_of(d->fd);
	data = MADE(mmap(NULL, length, prot, MAP_SHARED, d->fd, offset));
	say(data == MAP_FAILED, "mmap length:i=%zu prot:i=%d flags:i=%d fd:f=%s offset:i=%ld",
	    length, prot, MAP_SHARED, who(d->fd), offset);
	if (data != MAP_FAILED) {
		if (place.regular && place.size > offset && prot & PROT_WRITE)
			data[0] = 'x';
		/* the file of a mapping has no descriptor */
		sprintf(mapped, "file:f=0%s file_offset:i=%ld mapped:i=%zu",
			strchr(who(d->fd), '/'), offset, length);
		result = MADE(msync(data, length, MS_ASYNC));
		say(result, "msync =%d length:i=%zu flags:i=%d %s", result, length, MS_ASYNC,
		    mapped);
		result = MADE(munmap(data, length));
		say(result, "munmap =%d length:i=%zu %s", result, length, mapped);
	}
	files_unlock(d->fd, -1);
}
