/* SPDX-License-Identifier: MIT */
/* Names of files: links, renaming, removing; directories. */
#include "expect.h"

#include <dirent.h>
#include <sys/stat.h>

static void make(const char *name)
{
	int fd = creat(name, 0600);

	expect("0 posix creat(path=\"%s\", mode=0600) = %s", name, on_file(fd, name));
	close(fd);
	expect("0 posix close(fd=%s) = 0", on_file(fd, name));
}

static void files(void)
{
	char text[32];

	make("a");
	expect("0 posix link(from=\"a\", to=\"b\") = %d", link("a", "b"));
	expect("0 posix link(from=\"a\", to=\"b\") = %s", returned(link("a", "b")));
	expect("0 posix symlink(target=\"a\", path=\"s\") = %d", symlink("a", "s"));
	expect("0 posix readlink(path=\"s\", size=32) = %zd", readlink("s", text, sizeof(text)));
	expect("0 posix readlinkat(dirfd=AT_FDCWD, path=\"a\", size=32) = %s",
	       returned(readlinkat(AT_FDCWD, "a", text, sizeof(text))));
	expect("0 posix rename(from=\"b\", to=\"c\") = %d", rename("b", "c"));
	expect("0 posix renameat(from_dirfd=AT_FDCWD, from=\"c\", to_dirfd=AT_FDCWD, to=\"d\") = "
	       "%d",
	       renameat(AT_FDCWD, "c", AT_FDCWD, "d"));
	expect("0 posix rename(from=\"none\", to=\"c\") = %s", returned(rename("none", "c")));
	expect("0 posix unlink(path=\"d\") = %d", unlink("d"));
	expect("0 posix unlink(path=\"d\") = %s", returned(unlink("d")));
	expect("0 posix unlinkat(dirfd=AT_FDCWD, path=\"s\", flags=0) = %d",
	       unlinkat(AT_FDCWD, "s", 0));
	expect("0 stdio remove(path=\"a\") = %d", remove("a"));
	expect("0 posix unlink(path=\"tab\\t\\\"quote\\\\\\n\\377\") = %s",
	       returned(unlink("tab\t\"quote\\\n\xff")));
}

static void directories(void)
{
	DIR *dir;
	char *cwd;
	int entries = 0, fd;

	expect("0 posix mkdir(path=\"dir\", mode=0755) = %d", mkdir("dir", 0755));
	expect("0 posix mkdir(path=\"dir\", mode=0755) = %s", returned(mkdir("dir", 0755)));
	make("dir/x");
	dir = opendir("dir");
	expect("0 posix opendir(path=\"dir\") = 3 \"%s/dir\"", getenv("PWD"));
	while (readdir(dir))
		entries++;
	for (int i = 0; i < entries; i++)
		expect("0 posix readdir(dir=3 \"%s/dir\") = 0x1", getenv("PWD"));
	expect("0 posix readdir(dir=3 \"%s/dir\") = NULL", getenv("PWD"));
	closedir(dir);
	expect("0 posix closedir(dir=3 \"%s/dir\") = 0", getenv("PWD"));
	dir = opendir("none");
	expect("0 posix opendir(path=\"none\") = NULL ENOENT");
	expect("0 posix chdir(path=\"dir\") = %d", chdir("dir"));
	cwd = getcwd(NULL, 0);
	expect("0 posix getcwd(path=\"%s\", size=0) = 0x1", cwd);
	fd = open("x", O_RDONLY);
	expect("0 posix open(path=\"x\", flags=O_RDONLY) = %s", on_file(fd, "dir/x"));
	close(fd);
	expect("0 posix close(fd=%s) = 0", on_file(fd, "dir/x"));
	expect("0 posix chdir(path=\"..\") = %d", chdir(".."));
	expect("0 posix rmdir(path=\"dir\") = %s", returned(rmdir("dir")));
	expect("0 posix unlink(path=\"dir/x\") = %d", unlink("dir/x"));
	expect("0 posix rmdir(path=\"dir\") = %d", rmdir("dir"));
	free(cwd);
}

int main(void)
{
	files();
	directories();
	return expect_end();
}
