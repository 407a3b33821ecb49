/* SPDX-License-Identifier: MIT */
/* writelock.c - see writelock.h */
#include "writelock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>

#define XFS_MAGIC 0x58465342

bool writelock_is_of_use(int fd)
{
	struct statfs system;

	if (fstatfs(fd, &system))
		return false;
	switch ((unsigned long)system.f_type) {
	case TMPFS_MAGIC:
	case RAMFS_MAGIC:
	case EXT4_SUPER_MAGIC: /* and of those before it */
	case XFS_MAGIC:
	case BTRFS_SUPER_MAGIC:
	case F2FS_SUPER_MAGIC:
	case OVERLAYFS_SUPER_MAGIC:
		return true;
	default:
		return false;
	}
}

/* Of the process, not of the open file, which processes of -j have in common. */
static int lock(int fd, int command, short type)
{
	struct flock whole = {.l_type = type, .l_whence = SEEK_SET};

	return fcntl(fd, command, &whole);
}

bool writelock_take(int fd, bool wait)
{
	return lock(fd, wait ? F_SETLKW : F_SETLK, F_WRLCK) == 0 ||
	       (errno != EACCES && errno != EAGAIN);
}

void writelock_give(int fd)
{
	lock(fd, F_SETLK, F_UNLCK);
}

#ifdef UNIT_TEST
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unittest.h"

TEST_CASE(one_process_at_a_time_has_the_lock)
{
	char name[] = "writelock.XXXXXX", byte = 0;
	int fd = mkstemp(name), ready[2], over[2], status = -1;
	pid_t child;

	REQUIRE(fd >= 0 && !unlink(name) && !pipe(ready) && !pipe(over));
	child = fork();
	if (child == 0) {
		bool taken = writelock_take(fd, false);

		close(over[1]);
		_exit(taken && write(ready[1], &byte, 1) == 1 && read(over[0], &byte, 1) == 0 ? 0
											      : 1);
	}
	close(ready[1]);
	close(over[0]);
	EXPECT_EQ(read(ready[0], &byte, 1), 1);
	EXPECT(!writelock_take(fd, false));
	close(over[1]);
	EXPECT(writelock_take(fd, true)); /* the other one ends */
	EXPECT_EQ(waitpid(child, &status, 0), child);
	EXPECT_EQ(status, 0);
	writelock_give(fd);
	close(ready[0]);
	close(fd);
}

TEST_CASE(what_cannot_be_locked_is_written_all_the_same)
{
	int ends[2];

	REQUIRE(!pipe(ends));
	close(ends[0]);
	EXPECT(!writelock_is_of_use(ends[1]));
	close(ends[1]);
	EXPECT(writelock_take(ends[1], false));
}
#endif
