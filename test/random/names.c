/* SPDX-License-Identifier: MIT */
/* names.c - opening files by all kinds of names, and changing what names stand for. */
#include "random.h"

#include <dirent.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>

#define NAMES 6

/* A name of the tree as the program passes it: from a folder's descriptor, if there is one. */
struct name {
	char path[400];
	int dirfd;
	int folder; /* that it begins in, FOLDERS the tree; -1 not known */
};

static const char *const ups[] = {"", "../"};

/* "d1/f3", "f3" */
static void some_file(char *name)
{
	unsigned folder = random_below(FOLDERS + 1);

	if (folder < FOLDERS)
		sprintf(name, "d%u/f%u", folder, random_below(NAMES));
	else
		sprintf(name, "f%u", random_below(NAMES));
}

static void write_path(struct name *name, const char *file)
{
	const char *up = ups[plan.folder < FOLDERS];

	name->dirfd = AT_FDCWD;
	name->folder = plan.folder;
	switch (random_below(6)) {
	case 0:
		sprintf(name->path, "%s%s", up, file);
		break;
	case 1:
		sprintf(name->path, "./%s%s", up, file);
		break;
	case 2:
		sprintf(name->path, "%s//%s", plan.tree, file);
		break;
	case 3:
		sprintf(name->path, "%s/d1/../%s", plan.tree, file);
		break;
	default:
		sprintf(name->path, "%s/%s", plan.tree, file);
	}
}

static struct name some_name(void)
{
	struct name name;
	char file[32];

	some_file(file);
	write_path(&name, file);
	return name;
}

static struct descriptor *some_folder(void)
{
	struct descriptor *d = any_descriptor();

	return d && d->folder >= 0 ? d : NULL;
}

/* For the calls that take a folder's descriptor. */
static struct name some_name_at(void)
{
	struct name name = some_name();
	struct descriptor *folder = some_folder();
	char file[32];

	if (folder && random_below(4)) {
		some_file(file);
		sprintf(name.path, "%s%s", ups[folder->folder < FOLDERS], file);
		name.dirfd = folder->fd;
		name.folder = folder->folder;
	} else if (random_below(8) == 0) {
		name.dirfd = NOT_OPEN;
		name.folder = -1;
	}
	return name;
}

static int some_flags(void)
{
	static const int modes[] = {O_RDONLY, O_WRONLY, O_RDWR, O_RDWR};
	static const int others[] = {0,      0,      0,          O_APPEND,   O_TRUNC, O_CLOEXEC,
				     O_EXCL, O_SYNC, O_NOFOLLOW, O_NONBLOCK, O_PATH};
	int flags = modes[random_below(4)] | others[random_below(11)] | others[random_below(6)];

	return flags | (random_below(3) ? O_CREAT : 0);
}

/* The file that a name stands for now, to be locked while it is truncated; -1: none. */
static int lock_named(const struct name *name)
{
	int fd = raw_openat(name->dirfd, name->path, O_PATH | O_CLOEXEC, 0);

	files_lock(fd, -1);
	return fd;
}

static void unlock_named(int fd)
{
	files_unlock(fd, -1);
	if (fd >= 0)
		raw_close(fd);
}

/* The absolute form of what was passed: by the time the kernel is asked the file may have another name. */
static const char *whole(const struct name *name)
{
	static __thread char text[1024];

	if (name->path[0] == '/')
		return name->path;
	if (name->folder < 0)
		return NULL;
	if (name->folder < FOLDERS)
		sprintf(text, "%s/d%d/%s", plan.tree, name->folder, name->path);
	else
		sprintf(text, "%s/%s", plan.tree, name->path);
	return text;
}

static void opened(int fd, const struct name *name)
{
	say_name(fd, whole(name));
	if (fd >= 0)
		keep(fd, -1, false);
}

static void open_plain(void)
{
	struct name name = some_name();
	int flags = some_flags(), mode = random_below(2) ? 0600 : 0640, fd;
	int named = lock_named(&name);

	if (random_below(6) == 0) {
		fd = MADE(creat(name.path, (mode_t)mode));
		say(fd < 0, "creat =%s path:s=%s mode:i=%d", who(fd), name.path, mode);
	} else if (flags & O_CREAT) {
		fd = MADE(open(name.path, flags, mode));
		say(fd < 0, "open =%s path:s=%s flags:i=%d mode:i=%d", who(fd), name.path, flags,
		    mode);
	} else {
		fd = MADE(open(name.path, flags));
		say(fd < 0, "open =%s path:s=%s flags:i=%d", who(fd), name.path, flags);
	}
	unlock_named(named);
	opened(fd, &name);
}

static void open_at(void)
{
	struct name name = some_name_at();
	int flags = some_flags() | O_CREAT, fd;
	const char *folder = who(name.dirfd);
	int named = lock_named(&name);

	fd = MADE(openat(name.dirfd, name.path, flags, 0600));
	say(fd < 0, "openat =%s dirfd:f=%s path:s=%s flags:i=%d mode:i=%d", who(fd), folder,
	    name.path, flags, 0600);
	unlock_named(named);
	opened(fd, &name);
}

static void open_folder(void)
{
	unsigned folder = random_below(FOLDERS + 1);
	struct name name;
	char text[32] = ".";
	int fd;

	if (folder < FOLDERS)
		sprintf(text, "d%u", folder);
	write_path(&name, text);
	fd = MADE(open(name.path, O_RDONLY | O_DIRECTORY));
	say(fd < 0, "open =%s path:s=%s flags:i=%d", who(fd), name.path, O_RDONLY | O_DIRECTORY);
	say_name(fd, whole(&name));
	if (fd >= 0)
		keep(fd, (int)folder, false);
}

/* Without a name, and perhaps given one. */
static void open_unnamed(void)
{
	int flags = O_TMPFILE | O_RDWR, fd = MADE(open(plan.tree, flags, 0600)), result;
	struct name name = some_name();
	char link[64];

	say(fd < 0, "open =%s path:s=%s flags:i=%d mode:i=%d", who(fd), plan.tree, flags, 0600);
	if (fd < 0)
		return;
	if (random_below(2)) {
		sprintf(link, "/proc/self/fd/%d", fd);
		result = MADE(linkat(AT_FDCWD, link, AT_FDCWD, name.path, AT_SYMLINK_FOLLOW));
		say(result,
		    "linkat =%d from_dirfd:f=%d/? from:s=%s to_dirfd:f=%d/? to:s=%s flags:i=%d",
		    result, AT_FDCWD, link, AT_FDCWD, name.path, AT_SYMLINK_FOLLOW);
	}
	opened(fd, &name);
}

static void make_unnamed(void)
{
	struct name name = {"", AT_FDCWD, -1};
	int fd;

	sprintf(name.path, "%s/mXXXXXX", plan.tree);
	fd = MADE(mkstemp(name.path));
	say(fd < 0, "mkstemp =%s pattern:s=%s", who(fd), name.path);
	opened(fd, &name);
}

void do_open(void)
{
	names_lock();
	switch (random_below(10)) {
	case 0:
		open_folder();
		break;
	case 1:
		open_unnamed();
		break;
	case 2:
		make_unnamed();
		break;
	case 3:
	case 4:
	case 5:
		open_at();
		break;
	default:
		open_plain();
	}
	names_unlock();
}

/* ---- what has no name, and files of the thread alone, without any lock ---- */

static void open_own(void)
{
	struct name name = {"", AT_FDCWD, -1};
	int flags = O_RDWR | O_CREAT | (random_below(2) ? O_TRUNC : 0), fd, result;

	sprintf(name.path, "%s/own-%ld", plan.tree, raw_tid());
	fd = MADE(open(name.path, flags, 0600));
	say(fd < 0, "open =%s path:s=%s flags:i=%d mode:i=%d", who(fd), name.path, flags, 0600);
	opened(fd, &name);
	if (random_below(2)) {
		result = MADE(unlink(name.path));
		say(result, "unlink =%d path:s=%s", result, name.path);
	}
}

static void open_pipe(void)
{
	int fds[2], result;

	if (random_below(2)) {
		result = MADE(pipe2(fds, O_NONBLOCK | O_CLOEXEC));
		say(result, "pipe2 =%d fds:a=%d,%d flags:i=%d", result, fds[0], fds[1],
		    O_NONBLOCK | O_CLOEXEC);
	} else {
		result = MADE(pipe(fds));
		say(result, "pipe =%d fds:a=%d,%d", result, fds[0], fds[1]);
		for (int i = 0; i < 2; i++) {
			result = MADE(fcntl(fds[i], F_SETFL, O_NONBLOCK));
			say(result, "fcntl =%d fd:f=%s command:i=%d argument:i=%d", result,
			    who(fds[i]), F_SETFL, O_NONBLOCK);
		}
	}
	say_name(fds[0], NULL);
	keep(fds[0], -1, false);
	keep(fds[1], -1, false);
}

static int open_anonymous(void)
{
	int fd;

	switch (random_below(5)) {
	case 0:
		fd = MADE(eventfd(1, EFD_NONBLOCK));
		say(fd < 0, "eventfd =%s value:i=1 flags:i=%d", who(fd), EFD_NONBLOCK);
		break;
	case 1:
		fd = MADE(epoll_create1(EPOLL_CLOEXEC));
		say(fd < 0, "epoll_create1 =%s flags:i=%d", who(fd), EPOLL_CLOEXEC);
		break;
	case 2:
		fd = MADE(timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK));
		say(fd < 0, "timerfd_create =%s clock:i=%d flags:i=%d", who(fd), CLOCK_MONOTONIC,
		    TFD_NONBLOCK);
		break;
	case 3:
		fd = MADE(inotify_init1(IN_NONBLOCK));
		say(fd < 0, "inotify_init1 =%s flags:i=%d", who(fd), IN_NONBLOCK);
		break;
	default:
		fd = MADE(memfd_create("memory", 0));
		say(fd < 0, "memfd_create =%s name:s=memory flags:i=0", who(fd));
	}
	return fd;
}

void do_other_open(void)
{
	int fd;

	switch (random_below(4)) {
	case 0:
		open_pipe();
		break;
	case 1:
		fd = open_anonymous();
		say_name(fd, NULL);
		if (fd >= 0)
			keep(fd, -1, false);
		break;
	default:
		open_own();
	}
}

/* ---- names ---- */

/* A file that goes on under another name, which who inherits it will see. */
static void say_new_name(const struct name *name)
{
	int fd = raw_openat(name->dirfd, name->path, O_PATH | O_NOFOLLOW | O_CLOEXEC, 0);

	say_name(fd, NULL);
	if (fd >= 0)
		raw_close(fd);
}

static void rename_some(void)
{
	struct name from = some_name_at(), to = some_name_at();
	unsigned flags = random_below(3) ? 0 : random_below(2) ? RENAME_NOREPLACE : RENAME_EXCHANGE;
	const char *a = who(from.dirfd), *b = who(to.dirfd);
	int result;

	switch (random_below(3)) {
	case 0:
		from = some_name(), to = some_name();
		result = MADE(rename(from.path, to.path));
		say(result, "rename =%d from:s=%s to:s=%s", result, from.path, to.path);
		break;
	case 1:
		result = MADE(renameat(from.dirfd, from.path, to.dirfd, to.path));
		say(result, "renameat =%d from_dirfd:f=%s from:s=%s to_dirfd:f=%s to:s=%s", result,
		    a, from.path, b, to.path);
		break;
	default:
		result = MADE(renameat2(from.dirfd, from.path, to.dirfd, to.path, flags));
		say(result,
		    "renameat2 =%d from_dirfd:f=%s from:s=%s to_dirfd:f=%s to:s=%s flags:i=%u",
		    result, a, from.path, b, to.path, flags);
	}
	say_new_name(&to);
	say_new_name(&from); /* exchanged */
}

static void remove_some(void)
{
	struct name name = some_name_at();
	const char *folder = who(name.dirfd);
	int result;

	switch (random_below(3)) {
	case 0:
		result = MADE(unlinkat(name.dirfd, name.path, 0));
		say(result, "unlinkat =%d dirfd:f=%s path:s=%s flags:i=0", result, folder,
		    name.path);
		break;
	case 1:
		result = MADE(remove(name.path));
		say(result, "remove =%d path:s=%s", result, name.path);
		break;
	default:
		result = MADE(unlink(name.path));
		say(result, "unlink =%d path:s=%s", result, name.path);
	}
}

static void link_some(void)
{
	struct name from = some_name_at(), to = some_name_at();
	const char *a = who(from.dirfd), *b = who(to.dirfd);
	int result;

	switch (random_below(3)) {
	case 0:
		result = MADE(linkat(from.dirfd, from.path, to.dirfd, to.path, 0));
		say(result, "linkat =%d from_dirfd:f=%s from:s=%s to_dirfd:f=%s to:s=%s flags:i=0",
		    result, a, from.path, b, to.path);
		break;
	case 1:
		result = MADE(link(from.path, to.path));
		say(result, "link =%d from:s=%s to:s=%s", result, from.path, to.path);
		from.dirfd = to.dirfd = AT_FDCWD;
		break;
	default:
		result = MADE(symlink(from.path, to.path));
		say(result, "symlink =%d target:s=%s path:s=%s", result, from.path, to.path);
	}
}

static void truncate_some(void)
{
	struct name name = some_name();
	off_t length = random_below(40000);
	int named = lock_named(&name), result;
	struct stat status;

	/* what a symbolic link leads to is for the kernel alone to say */
	if (!sys_raw(SYS_newfstatat, AT_FDCWD, (long)name.path, (long)&status, AT_SYMLINK_NOFOLLOW,
		     0, 0) &&
	    S_ISLNK(status.st_mode)) {
		unlock_named(named);
		return;
	}
	result = MADE(truncate(name.path, length));
	say(result, "truncate =%d path:s=%s length:i=%ld", result, name.path, length);
	unlock_named(named);
}

void do_names(void)
{
	names_lock();
	switch (random_below(5)) {
	case 0:
		remove_some();
		break;
	case 1:
		link_some();
		break;
	case 2:
		truncate_some();
		break;
	default:
		rename_some();
	}
	names_unlock();
}

void do_status(void)
{
	struct name name = some_name_at();
	struct descriptor *d = any_descriptor();
	const char *folder = who(name.dirfd);
	struct stat status;
	int result;

	switch (random_below(6)) {
	case 0:
		result = MADE(stat(name.path, &status));
		say(result, "stat =%d path:s=%s", result, name.path);
		break;
	case 1:
		result = MADE(lstat(name.path, &status));
		say(result, "lstat =%d path:s=%s", result, name.path);
		break;
	case 2:
		result = MADE(fstatat(name.dirfd, name.path, &status, AT_SYMLINK_NOFOLLOW));
		say(result, "fstatat =%d dirfd:f=%s path:s=%s flags:i=%d", result, folder,
		    name.path, AT_SYMLINK_NOFOLLOW);
		break;
	case 3:
		result = MADE(access(name.path, R_OK));
		say(result, "access =%d path:s=%s mode:i=%d", result, name.path, R_OK);
		break;
	case 4:
		result = MADE(fchmod(d ? d->fd : NOT_OPEN, 0600));
		say(result, "fchmod =%d fd:f=%s mode:i=%d", result, who(d ? d->fd : NOT_OPEN),
		    0600);
		break;
	default:
		result = MADE(fstat(d ? d->fd : NOT_OPEN, &status));
		say(result, "fstat =%d fd:f=%s", result, who(d ? d->fd : NOT_OPEN));
	}
}

/* ---- folders ---- */

static void read_folder(DIR *dir, int fd, unsigned entries)
{
	for (unsigned i = 0; i < entries; i++) {
		struct dirent *entry = MADE(readdir(dir));

		say(false, "readdir =%d dir:f=%s", entry != NULL, who(fd));
	}
	if (entries) {
		rewinddir(dir);
		say(false, "rewinddir dir:f=%s", who(fd));
	}
}

static void open_stream_of_folder(void)
{
	char path[400];
	DIR *dir;
	int fd;

	sprintf(path, "%s/d%u", plan.tree, random_below(FOLDERS));
	if (random_below(2)) {
		dir = MADE(opendir(path));
		fd = dir ? dirfd(dir) : -1;
		say(!dir, "opendir =%s path:s=%s", who(fd), path);
		if (dir)
			say(false, "dirfd =%s dir:f=%s", who(fd), who(fd));
	} else {
		fd = MADE(open(path, O_RDONLY | O_DIRECTORY));
		say(fd < 0, "open =%s path:s=%s flags:i=%d", who(fd), path, O_RDONLY | O_DIRECTORY);
		dir = MADE(fdopendir(fd));
		say(!dir, "fdopendir =%s fd:f=%s", who(fd), who(fd));
	}
	say_name(fd, path);
	if (!dir)
		return;
	read_folder(dir, fd, random_below(4));
	say(false, "closedir =0 dir:f=%s", who(fd));
	if (closedir(dir))
		abort();
}

static void change_folder(void)
{
	struct descriptor *d = some_folder();
	unsigned folder = random_below(FOLDERS + 1);
	char path[400];
	int result;

	if (d) {
		result = MADE(fchdir(d->fd));
		say(result, "fchdir =%d fd:f=%s", result, who(d->fd));
		plan.folder = d->folder;
		return;
	}
	sprintf(path, folder < FOLDERS ? "%s/d%u" : "%s", plan.tree, folder);
	result = MADE(chdir(path));
	say(result, "chdir =%d path:s=%s", result, path);
	plan.folder = (int)folder;
}

static void make_folder(void)
{
	char path[400];
	int result;

	sprintf(path, "%s/e%u", plan.tree, random_below(3));
	names_lock();
	if (random_below(2)) {
		result = MADE(mkdir(path, 0700));
		say(result, "mkdir =%d path:s=%s mode:i=%d", result, path, 0700);
	} else {
		result = MADE(rmdir(path));
		say(result, "rmdir =%d path:s=%s", result, path);
	}
	names_unlock();
}

void do_folder(void)
{
	switch (random_below(3)) {
	case 0:
		open_stream_of_folder();
		break;
	case 1:
		make_folder();
		break;
	default:
		if (plan.alone)
			change_folder();
	}
}
