/* SPDX-License-Identifier: MIT */
/* journal.c - what was really done: lines in memory, written raw; locks that all processes share. */
#include "random.h"

#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <sys/syscall.h>

#define JOURNAL_SIZE (1u << 20)
#define LOCKS 64
#define TEXTS 8

static struct shared {
	atomic_int names;
	atomic_int files[LOCKS];
} * shared;

void shared_map(bool create)
{
	char path[512];
	int fd;

	snprintf(path, sizeof(path), "%s/shared", plan.journals);
	fd = raw_open(path, O_RDWR | (create ? O_CREAT : 0), 0600);
	if (create)
		sys_raw(SYS_ftruncate, fd, sizeof(*shared), 0, 0, 0, 0);
	shared = (struct shared *)sys_raw(SYS_mmap, 0, sizeof(*shared), PROT_READ | PROT_WRITE,
					  MAP_SHARED, fd, 0);
	if (fd < 0 || sys_is_error((long)shared))
		abort();
	raw_close(fd);
}

static void lock(atomic_int *word)
{
	while (atomic_exchange(word, 1))
		sys_raw(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
}

void names_lock(void)
{
	lock(&shared->names);
}

void names_unlock(void)
{
	atomic_store(&shared->names, 0);
}

static unsigned lock_number(int fd)
{
	struct stat status;

	if (fd < 0 || sys_raw(SYS_fstat, fd, (long)&status, 0, 0, 0, 0))
		return LOCKS;
	return (unsigned)((status.st_ino * 31 + status.st_dev) % LOCKS);
}

void files_lock(int fd, int other)
{
	unsigned a = lock_number(fd), b = lock_number(other);
	unsigned first = a < b ? a : b, second = a < b ? b : a;

	if (first < LOCKS)
		lock(&shared->files[first]);
	if (second < LOCKS && second != first)
		lock(&shared->files[second]);
}

void files_unlock(int fd, int other)
{
	unsigned a = lock_number(fd), b = lock_number(other);

	if (a < LOCKS)
		atomic_store(&shared->files[a], 0);
	if (b < LOCKS && b != a)
		atomic_store(&shared->files[b], 0);
}

void journal_begin(void)
{
	self->journal = (char *)sys_raw(SYS_mmap, 0, JOURNAL_SIZE, PROT_READ | PROT_WRITE,
					MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	self->length = 0;
	if (sys_is_error((long)self->journal))
		abort();
}

/* Into a file of the thread. */
void journal_end(void)
{
	char path[512];
	int fd;

	snprintf(path, sizeof(path), "%s/%ld.%d.%ld", plan.journals, raw_pid(), plan.image,
		 raw_tid());
	fd = raw_open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (raw_write(fd, self->journal, self->length) != (long)self->length)
		abort();
	raw_close(fd);
	self->length = 0;
}

void say(bool failed, const char *format, ...)
{
	char *line = self->journal + self->length;
	size_t room = JOURNAL_SIZE - self->length;
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(line, room, format, args);
	va_end(args);
	if (length < 0 || (size_t)length + 16 > room)
		abort();
	self->length += (size_t)length;
	if (failed)
		self->length += (size_t)sprintf(self->journal + self->length, " !%d", self->error);
	self->journal[self->length++] = '\n';
}

static char *new_text(void)
{
	static __thread char texts[TEXTS][512];
	static __thread unsigned next;

	return texts[next++ % TEXTS];
}

const char *who(int fd)
{
	char *text = new_text();
	struct stat status;

	if (fd < 0 || sys_raw(SYS_fstat, fd, (long)&status, 0, 0, 0, 0))
		sprintf(text, "%d/?", fd);
	else
		sprintf(text, "%d/%lu:%lu", fd, (unsigned long)status.st_dev,
			(unsigned long)status.st_ino);
	return text;
}

const char *moved(const char *argument, const struct descriptor *descriptor, int64_t offset,
		  int64_t bytes)
{
	char *text = new_text();

	if (offset < 0 || bytes <= 0)
		return "";
	sprintf(text, " @%s=%ld:%ld%s", argument, (long)offset, (long)bytes,
		descriptor->foreign ? "?" : "");
	return text;
}

void say_name(int fd, const char *path)
{
	char link[64], name[512];
	struct stat status;
	long length;

	if (fd < 0 || sys_raw(SYS_fstat, fd, (long)&status, 0, 0, 0, 0))
		return;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = sys_raw(SYS_readlink, (long)link, (long)name, sizeof(name) - 1, 0, 0, 0);
	name[length > 0 ? length : 0] = '\0';
	say(false, "name %lu:%lu %s", (unsigned long)status.st_dev, (unsigned long)status.st_ino,
	    name);
	if (path)
		say(false, "name %lu:%lu %s", (unsigned long)status.st_dev,
		    (unsigned long)status.st_ino, path);
}

struct place place_of(int fd)
{
	struct place place = {false, false, -1, -1, 0, 0};
	struct stat status;
	long flags = sys_raw(SYS_fcntl, fd, F_GETFL, 0, 0, 0, 0);

	if (fd < 0 || sys_raw(SYS_fstat, fd, (long)&status, 0, 0, 0, 0))
		return place;
	place.regular = S_ISREG(status.st_mode) && !(flags & O_PATH);
	place.append = flags & O_APPEND;
	place.device = status.st_dev;
	place.inode = status.st_ino;
	if (place.regular) {
		place.position = sys_raw(SYS_lseek, fd, 0, SEEK_CUR, 0, 0, 0);
		place.size = status.st_size;
	}
	return place;
}
