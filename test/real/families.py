# SPDX-License-Identifier: MIT
"""Families of system calls, and the functions of the catalogue that make one of them each."""

# name: (system calls, recorded functions that are one each, beside those of the same name)
FAMILIES = {
    "read": ("read pread64 readv preadv preadv2", "pread getdirentries eventfd_read"),
    "write": ("write pwrite64 writev pwritev pwritev2", "pwrite eventfd_write"),
    "copy": ("sendfile copy_file_range splice tee vmsplice readahead", ""),
    "open": ("open openat openat2 creat memfd_create", ""),
    "close": ("close close_range", "closefrom"),
    "seek": ("lseek", ""),
    "status": ("stat fstat lstat newfstatat statx statfs fstatfs access faccessat faccessat2",
               "fstatat"),
    "to disk": ("fsync fdatasync sync syncfs sync_file_range msync", ""),
    "size": ("truncate ftruncate fallocate fadvise64", "posix_fadvise posix_fallocate"),
    "names": ("rename renameat renameat2 unlink unlinkat mkdir mkdirat rmdir link linkat symlink symlinkat "
              "mknod mknodat readlink readlinkat", "mkfifo mkfifoat"),
    "attributes": ("chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat utime utimes utimensat "
                   "futimesat umask getxattr lgetxattr fgetxattr setxattr lsetxattr fsetxattr listxattr "
                   "llistxattr flistxattr removexattr lremovexattr fremovexattr", "futimens"),
    "directories": ("getdents getdents64 chdir fchdir getcwd chroot", ""),
    "descriptors": ("dup dup2 dup3 fcntl ioctl flock pipe pipe2 eventfd2 epoll_create epoll_create1 "
                    "inotify_init1 inotify_add_watch inotify_rm_watch signalfd4 timerfd_create", "eventfd inotify_init signalfd"),
    "mappings of files": ("mmap munmap mremap", ""),
    "processes": ("fork vfork clone clone3 execve execveat wait4 waitid kill exit_group",
                  "execv execl execle fexecve wait waitpid wait3 killpg _exit _Fork"),
    "asynchronous": ("io_setup io_destroy io_submit io_cancel io_getevents io_pgetevents io_uring_setup "
                     "io_uring_enter io_uring_register", ""),
    "sockets": ("socket socketpair bind listen connect accept accept4 getsockname getpeername getsockopt "
                "setsockopt shutdown sendto recvfrom sendmsg recvmsg sendmmsg recvmmsg", "send recv"),
    "waiting": ("poll ppoll select pselect6 epoll_ctl epoll_wait epoll_pwait epoll_pwait2", "pselect"),
}

OF_CALL = {call: family for family, (calls, _) in FAMILIES.items() for call in calls.split()}
OF_FUNCTION = {name: family for family, (calls, functions) in FAMILIES.items()
               for name in (calls + " " + functions).split()}

# How often a program makes these depends on the time that others take: what they are is explained,
# not how many. Waiting, too, and what is done on pipes and the like, which others fill.
BY_TIME = frozenset("wait4 waitid".split()) | frozenset(
    name for family in ("waiting", "sockets", "asynchronous") for name in FAMILIES[family][0].split())
PASSING = frozenset(("pipe", "socket", "anon_inode"))


def family_of(call):
    """The family of a system call of strace_log, or None if it is not looked at."""
    if call.name in ("mmap", "munmap", "mremap") and not call.file:
        return None
    if call.name.startswith("clone") and "CLONE_THREAD" in call.text:
        return None
    return OF_CALL.get(call.name)


def by_time(call, pattern):
    """Whether it cannot be said how often a call is made; pattern: of files that a program asks for again and again."""
    return call.name in BY_TIME or call.file in PASSING or bool(pattern.search(call.file))
