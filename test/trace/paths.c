/* SPDX-License-Identifier: MIT */
/* Names, what names.c and status.c leave out: calls relative to a directory, temporary names, times, directories read in other ways. */
#include "expect.h"

#include <dirent.h>
#include <ftw.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <utime.h>

static int dir;
static const char *dir_text;

static void begin(void)
{
	expect("0 posix mkdir(path=\"dir\", mode=0755) = %d", mkdir("dir", 0755));
	dir = open("dir", O_RDONLY | O_DIRECTORY);
	dir_text = strdup(on_file(dir, "dir"));
	expect("0 posix open(path=\"dir\", flags=O_RDONLY|O_DIRECTORY) = %s", dir_text);
}

static void relative(void)
{
	int fd = openat(dir, "a", O_RDWR | O_CREAT, 0600);
	const char *file = strdup(on_file(fd, "dir/a"));

	expect("0 posix openat(dirfd=%s, path=\"a\", flags=O_RDWR|O_CREAT, mode=0600) = %s",
	       dir_text, file);
	expect("0 posix mkdirat(dirfd=%s, path=\"d\", mode=0700) = %d", dir_text,
	       mkdirat(dir, "d", 0700));
	expect("0 posix mkfifo(path=\"dir/p\", mode=0600) = %d", mkfifo("dir/p", 0600));
	expect("0 posix mkfifoat(dirfd=%s, path=\"p\", mode=0600) = %s", dir_text,
	       returned(mkfifoat(dir, "p", 0600)));
	expect("0 posix mknodat(dirfd=%s, path=\"q\", mode=010600, device=0x0) = %d", dir_text,
	       mknodat(dir, "q", S_IFIFO | 0600, 0));
	expect("0 posix linkat(from_dirfd=%s, from=\"a\", to_dirfd=%s, to=\"b\", flags=0) = %d",
	       dir_text, dir_text, linkat(dir, "a", dir, "b", 0));
	expect("0 posix symlinkat(target=\"a\", dirfd=%s, path=\"s\") = %d", dir_text,
	       symlinkat("a", dir, "s"));
	expect("0 posix renameat2(from_dirfd=%s, from=\"b\", to_dirfd=%s, to=\"a\", "
	       "flags=RENAME_NOREPLACE) = "
	       "%s",
	       dir_text, dir_text, returned(renameat2(dir, "b", dir, "a", RENAME_NOREPLACE)));
	expect("0 posix fchmodat(dirfd=%s, path=\"a\", mode=0640, flags=0) = %d", dir_text,
	       fchmodat(dir, "a", 0640, 0));
	expect("0 posix fchownat(dirfd=%s, path=\"s\", owner=-1, group=-1, "
	       "flags=AT_SYMLINK_NOFOLLOW) "
	       "= %d",
	       dir_text, fchownat(dir, "s", (uid_t)-1, (gid_t)-1, AT_SYMLINK_NOFOLLOW));
	expect("0 posix fchown(fd=%s, owner=-1, group=-1) = %d", file,
	       fchown(fd, (uid_t)-1, (gid_t)-1));
	expect("0 posix lchown(path=\"dir/s\", owner=-1, group=-1) = %d",
	       lchown("dir/s", (uid_t)-1, (gid_t)-1));
	expect("0 posix eaccess(path=\"dir/none\", mode=R_OK) = %s",
	       returned(eaccess("dir/none", R_OK)));
	close(fd);
	expect("0 posix close(fd=%s) = 0", file);
}

static void times(void)
{
	struct timeval both[2] = {{1, 2}, {3, 4}};
	struct utimbuf old = {5, 6};

	expect("0 posix utime(path=\"dir/a\") = %d", utime("dir/a", &old));
	expect("0 posix utimes(path=\"dir/a\") = %d", utimes("dir/a", both));
	expect("0 posix lutimes(path=\"dir/s\") = %d", lutimes("dir/s", both));
	expect("0 posix futimes(fd=%s) = %d", dir_text, futimes(dir, both));
	expect("0 posix futimesat(dirfd=%s, path=\"a\") = %d", dir_text, futimesat(dir, "a", both));
}

static void temporary(void)
{
	char names[5][16] = {"t1XXXXXX", "t2XXXXXX", "t3XXXXXX.c", "t4XXXXXX.c", "t5XXXXXX"};
	int fds[4];

	fds[0] = mkstemp(names[0]);
	expect("0 posix mkstemp(pattern=\"%s\") = %s", names[0], on_file(fds[0], names[0]));
	fds[1] = mkostemp(names[1], O_CLOEXEC);
	expect("0 posix mkostemp(pattern=\"%s\", flags=O_CLOEXEC) = %s", names[1],
	       on_file(fds[1], names[1]));
	fds[2] = mkstemps(names[2], 2);
	expect("0 posix mkstemps(pattern=\"%s\", suffix=2) = %s", names[2],
	       on_file(fds[2], names[2]));
	fds[3] = mkostemps(names[3], 2, O_APPEND);
	expect("0 posix mkostemps(pattern=\"%s\", suffix=2, flags=O_APPEND) = %s", names[3],
	       on_file(fds[3], names[3]));
	expect("0 posix mkdtemp(pattern=\"%s\") = 0x1", mkdtemp(names[4]));
	expect("0 posix closefrom(first=%d) = -", fds[0]);
	closefrom(fds[0]);
}

static int visit(const char *path, const struct stat *status, int type, struct FTW *where)
{
	(void)path, (void)status, (void)type, (void)where;
	return 0;
}

static int visit_old(const char *path, const struct stat *status, int type)
{
	(void)path, (void)status, (void)type;
	return 0;
}

static void entries(void)
{
	char buffer[4096];
	struct dirent **list, entry, *end;
	off_t base = 0;
	DIR *stream;
	long where;
	int count;

	expect("0 posix getdents64(fd=%s, size=4096) = %zd", dir_text,
	       getdents64(dir, buffer, sizeof(buffer)));
	expect("0 posix getdirentries(fd=%s, size=4096) = %zd", dir_text,
	       getdirentries(dir, buffer, sizeof(buffer), &base));
	count = scandirat(AT_FDCWD, "dir", &list, NULL, NULL);
	expect("0 posix scandirat(dirfd=AT_FDCWD, path=\"dir\") = %d", count);
	stream = fdopendir(dir);
	expect("0 posix fdopendir(fd=%s) = %s", dir_text, dir_text);
	expect("0 posix dirfd(dir=%s) = %s", dir_text, on_file(dirfd(stream), "dir"));
	rewinddir(stream);
	expect("0 posix rewinddir(dir=%s) = -", dir_text);
	where = telldir(stream);
	expect("0 posix telldir(dir=%s) = %ld", dir_text, where);
	expect("0 posix readdir_r(dir=%s) = %d", dir_text, readdir_r(stream, &entry, &end));
	seekdir(stream, where);
	expect("0 posix seekdir(dir=%s, position=%ld) = -", dir_text, where);
	expect("0 posix nftw(path=\"dir/d\", descriptors=3, flags=FTW_PHYS) = %d",
	       nftw("dir/d", visit, 3, FTW_PHYS));
	expect("0 posix ftw(path=\"dir/d\", descriptors=3) = %d", ftw("dir/d", visit_old, 3));
}

static void attributes(void)
{
	char value[8];
	int fd = open("dir/a", O_RDONLY);
	const char *file = strdup(on_file(fd, "dir/a"));

	expect("0 posix open(path=\"dir/a\", flags=O_RDONLY) = %s", file);
	expect("0 posix setxattr(path=\"dir/a\", name=\"user.x\", size=3, flags=0) = %s",
	       returned(setxattr("dir/a", "user.x", "abc", 3, 0)));
	expect("0 posix lsetxattr(path=\"dir/a\", name=\"user.y\", size=3, flags=XATTR_CREATE) = "
	       "%s",
	       returned(lsetxattr("dir/a", "user.y", "abc", 3, XATTR_CREATE)));
	expect("0 posix fsetxattr(fd=%s, name=\"user.z\", size=3, flags=XATTR_REPLACE) = %s", file,
	       returned(fsetxattr(fd, "user.z", "abc", 3, XATTR_REPLACE)));
	expect("0 posix getxattr(path=\"dir/a\", name=\"user.x\", size=8) = %s",
	       returned(getxattr("dir/a", "user.x", value, 8)));
	expect("0 posix lgetxattr(path=\"dir/a\", name=\"user.x\", size=8) = %s",
	       returned(lgetxattr("dir/a", "user.x", value, 8)));
	expect("0 posix fgetxattr(fd=%s, name=\"user.x\", size=8) = %s", file,
	       returned(fgetxattr(fd, "user.x", value, 8)));
	expect("0 posix listxattr(path=\"dir/a\", size=0) = %s",
	       returned(listxattr("dir/a", NULL, 0)));
	expect("0 posix llistxattr(path=\"dir/a\", size=0) = %s",
	       returned(llistxattr("dir/a", NULL, 0)));
	expect("0 posix flistxattr(fd=%s, size=0) = %s", file, returned(flistxattr(fd, NULL, 0)));
	expect("0 posix removexattr(path=\"dir/a\", name=\"user.x\") = %s",
	       returned(removexattr("dir/a", "user.x")));
	expect("0 posix lremovexattr(path=\"dir/a\", name=\"user.y\") = %s",
	       returned(lremovexattr("dir/a", "user.y")));
	expect("0 posix fremovexattr(fd=%s, name=\"user.z\") = %s", file,
	       returned(fremovexattr(fd, "user.z")));
}

static void handles(void)
{
	struct {
		struct file_handle head;
		char bytes[MAX_HANDLE_SZ];
	} handle = {.head.handle_bytes = MAX_HANDLE_SZ};
	int mount, fd;

	expect("0 posix lchmod(path=\"dir/a\", mode=0600) = %s", returned(lchmod("dir/a", 0600)));
	expect("0 posix name_to_handle_at(dirfd=%s, path=\"d\", flags=0) = %s", dir_text,
	       returned(name_to_handle_at(dir, "d", &handle.head, &mount, 0)));
	fd = open_by_handle_at(dir, &handle.head, O_RDONLY);
	expect("0 posix open_by_handle_at(dirfd=%s, flags=O_RDONLY) = %s", dir_text,
	       on_file(fd, "dir/d"));
}

static void places(void)
{
	struct statvfs system;
	char text[4096];

	free(realpath("dir/s", NULL));
	expect("0 posix realpath(path=\"dir/s\") = 0x1");
	free(canonicalize_file_name("dir/none"));
	expect("0 posix canonicalize_file_name(path=\"dir/none\") = NULL ENOENT");
	free(get_current_dir_name());
	expect("0 posix get_current_dir_name() = 0x1");
	getwd(text);
	expect("0 posix getwd(path=\"%s\") = 0x1", getenv("PWD"));
	expect("0 posix statvfs(path=\"dir\") = %d", statvfs("dir", &system));
	expect("0 posix fstatvfs(fd=%s) = %d", dir_text, fstatvfs(dir, &system));
	expect("0 posix chroot(path=\"dir/none\") = %s", returned(chroot("dir/none")));
	expect("0 posix revoke(path=\"dir/a\") = %s", returned(revoke("dir/a")));
	expect("0 posix fchdir(fd=%s) = %d", dir_text, fchdir(dir));
	expect("0 posix unlink(path=\"a\") = %d", unlink("a"));
	sync();
	expect("0 posix sync() = -");
}

int main(void)
{
	begin();
	relative();
	times();
	temporary();
	entries();
	attributes();
	handles();
	places();
	return expect_end();
}
