/* SPDX-License-Identifier: MIT */
/*
 * Levels: calls made by callbacks inside of traced calls, and calls that are left by longjmp() or
 * by the end of a thread.
 */
#include "expect.h"

#include <dirent.h>
#include <dlfcn.h>
#include <ftw.h>
#include <pthread.h>
#include <setjmp.h>
#include <sys/stat.h>

static jmp_buf back;
static enum { LOOK, NEST, FILL, JUMP, END } doing;

#define MANY 4000 /* records, more than the first ring holds */

static int filter(const struct dirent *entry)
{
	struct dirent **list;

	if (strcmp(entry->d_name, "file"))
		return 0;
	if (access("dir/file", R_OK))
		abort();
	if (doing == NEST) {
		doing = LOOK;
		free(scandir("dir", &list, filter, NULL) == 1 ? list[0] : NULL);
		free(list);
	}
	for (int i = 0; doing == FILL && i < MANY; i++)
		dlopen(NULL, RTLD_LAZY);
	if (doing == JUMP)
		longjmp(back, 1);
	if (doing == END)
		pthread_exit(NULL);
	return 1;
}

static int scan(void)
{
	struct dirent **list;
	int count = scandir("dir", &list, filter, NULL);

	free(list[0]);
	free(list);
	return count;
}

static void *work(void *argument)
{
	(void)argument;
	doing = END;
	scan();
	return NULL;
}

static int visit(const char *path, const struct stat *status, int type)
{
	(void)path;
	(void)status;
	return type == FTW_F ? access("dir/file", F_OK) : 0;
}

int main(void)
{
	pthread_t thread;

	expect("0 posix mkdir(path=\"dir\", mode=0755) = %d", mkdir("dir", 0755));
	expect("0 posix mknod(path=\"dir/file\", mode=0100600, device=0x0) = %d",
	       mknod("dir/file", S_IFREG | 0600, 0));
	expect("0 posix scandir(path=\"dir\") = %d", scan());
	expect("1 posix access(path=\"dir/file\", mode=R_OK) = 0");
	/* the ring grows while the outer call is open, by calls that are stored when they begin */
	doing = FILL;
	expect("0 posix scandir(path=\"dir\") = %d", scan());
	expect("1 posix access(path=\"dir/file\", mode=R_OK) = 0");
	for (int i = 0; i < MANY; i++)
		expect("1 posix dlopen(file=NULL, flags=RTLD_LAZY) = ?");
	doing = NEST;
	expect("0 posix scandir(path=\"dir\") = %d", scan());
	expect("1 posix access(path=\"dir/file\", mode=R_OK) = 0");
	expect("1 posix scandir(path=\"dir\") = 1");
	expect("2 posix access(path=\"dir/file\", mode=R_OK) = 0");
	expect("0 posix ftw(path=\"dir\", descriptors=5) = %d", ftw("dir", visit, 5));
	expect("1 posix access(path=\"dir/file\", mode=F_OK) = 0");
	doing = JUMP;
	if (!setjmp(back))
		scan();
	expect("0 posix scandir(path=\"dir\") = ? left");
	expect("1 posix access(path=\"dir/file\", mode=R_OK) = 0");
	expect("0 posix access(path=\"dir\", mode=F_OK) = %d", access("dir", F_OK));
	if (pthread_create(&thread, NULL, work, NULL) || pthread_join(thread, NULL))
		abort();
	expect("0 posix scandir(path=\"dir\") = ? left");
	expect("1 posix access(path=\"dir/file\", mode=R_OK) = 0");
	expect("0 posix access(path=\"dir\", mode=F_OK) = %d", access("dir", F_OK));
	return expect_end();
}
