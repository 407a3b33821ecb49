/* SPDX-License-Identifier: MIT */
/* linux_symbols.c - names of Linux; see symbol_tables.h. The name of zero, if there is one among flags, stands last. */
#include "read/symbol_tables.h"

#include <stddef.h>

#include "format/machine_symbols.h"

#define END                                                                                        \
	{                                                                                          \
		0, NULL                                                                            \
	}

#define ROW(name, value) {value, #name},

/* And what the kernel alone sees: calls that signals interrupted, and that are made again. They are above all errors of all machines. */
static const struct symbol errnos[] = {ERRNUM_SYMBOLS(ROW) ROW(ERESTARTSYS, 512)
					       ROW(ERESTARTNOINTR, 513) ROW(ERESTARTNOHAND, 514)
						       ROW(ERESTART_RESTARTBLOCK, 516) END};
/* The access mode is no flag: see show_names.c. O_LARGEFILE is what the system sets, not what the macro is. */
static const struct symbol open_flags[] = {OPEN_FLAGS_SYMBOLS(ROW) ROW(O_LARGEFILE, 0100000) END};
static const struct symbol map_flags[] = {MAP_FLAGS_SYMBOLS(ROW) END};
static const struct symbol fcntl_commands[] = {
	FCNTL_CMD_SYMBOLS(ROW) ROW(F_GET_RW_HINT, 1035) ROW(F_SET_RW_HINT, 1036)
		ROW(F_GET_FILE_RW_HINT, 1037) ROW(F_SET_FILE_RW_HINT, 1038) END};
static const struct symbol signals[] = {SIGNAL_SYMBOLS(ROW) END};

static const struct symbol access_modes[] = {
	{4, "R_OK"}, {2, "W_OK"}, {1, "X_OK"}, {0, "F_OK"}, END,
};

static const struct symbol at_flags[] = {
	{0x100, "AT_SYMLINK_NOFOLLOW"}, {0x200, "AT_REMOVEDIR"},   {0x400, "AT_SYMLINK_FOLLOW"},
	{0x800, "AT_NO_AUTOMOUNT"},     {0x1000, "AT_EMPTY_PATH"}, {0x2000, "AT_STATX_FORCE_SYNC"},
	{0x4000, "AT_STATX_DONT_SYNC"}, {0x8000, "AT_RECURSIVE"},  END,
};

/* READING_... of lib/system/sample_forms.h */
static const struct symbol readings[] = {
	{-1, "NOT_SUPPORTED"}, {-2, "NO_PERMISSION"}, {-3, "NO_FUNCTION"},
	{-4, "FAILED"},        {-5, "NONE"},          END,
};

static const struct symbol whences[] = {
	{0, "SEEK_SET"}, {1, "SEEK_CUR"}, {2, "SEEK_END"}, {3, "SEEK_DATA"}, {4, "SEEK_HOLE"}, END,
};

static const struct symbol prots[] = {
	{1, "PROT_READ"},
	{2, "PROT_WRITE"},
	{4, "PROT_EXEC"},
	{0x1000000, "PROT_GROWSDOWN"},
	{0x2000000, "PROT_GROWSUP"},
	{0, "PROT_NONE"},
	END,
};

static const struct symbol file_advices[] = {
	{0, "POSIX_FADV_NORMAL"},
	{1, "POSIX_FADV_RANDOM"},
	{2, "POSIX_FADV_SEQUENTIAL"},
	{3, "POSIX_FADV_WILLNEED"},
	{4, "POSIX_FADV_DONTNEED"},
	{5, "POSIX_FADV_NOREUSE"},
	END,
};

static const struct symbol advices[] = {
	{0, "MADV_NORMAL"},          {1, "MADV_RANDOM"},
	{2, "MADV_SEQUENTIAL"},      {3, "MADV_WILLNEED"},
	{4, "MADV_DONTNEED"},        {8, "MADV_FREE"},
	{9, "MADV_REMOVE"},          {10, "MADV_DONTFORK"},
	{11, "MADV_DOFORK"},         {12, "MADV_MERGEABLE"},
	{13, "MADV_UNMERGEABLE"},    {14, "MADV_HUGEPAGE"},
	{15, "MADV_NOHUGEPAGE"},     {16, "MADV_DONTDUMP"},
	{17, "MADV_DODUMP"},         {18, "MADV_WIPEONFORK"},
	{19, "MADV_KEEPONFORK"},     {20, "MADV_COLD"},
	{21, "MADV_PAGEOUT"},        {22, "MADV_POPULATE_READ"},
	{23, "MADV_POPULATE_WRITE"}, END,
};

static const struct symbol flock_operations[] = {
	{1, "LOCK_SH"}, {2, "LOCK_EX"}, {8, "LOCK_UN"}, {4, "LOCK_NB"}, END,
};

static const struct symbol lockf_commands[] = {
	{0, "F_ULOCK"}, {1, "F_LOCK"}, {2, "F_TLOCK"}, {3, "F_TEST"}, END,
};

static const struct symbol faccessat_flags[] = {
	{0x100, "AT_SYMLINK_NOFOLLOW"},
	{0x200, "AT_EACCESS"},
	{0x1000, "AT_EMPTY_PATH"},
	END,
};

static const struct symbol rw_flags[] = {
	{1, "RWF_HIPRI"},  {2, "RWF_DSYNC"},     {4, "RWF_SYNC"},
	{8, "RWF_NOWAIT"}, {0x10, "RWF_APPEND"}, END,
};

static const struct symbol splice_flags[] = {
	{1, "SPLICE_F_MOVE"},
	{2, "SPLICE_F_NONBLOCK"},
	{4, "SPLICE_F_MORE"},
	{8, "SPLICE_F_GIFT"},
	END,
};

static const struct symbol sync_range_flags[] = {
	{1, "SYNC_FILE_RANGE_WAIT_BEFORE"},
	{2, "SYNC_FILE_RANGE_WRITE"},
	{4, "SYNC_FILE_RANGE_WAIT_AFTER"},
	END,
};

static const struct symbol fallocate_modes[] = {
	{1, "FALLOC_FL_KEEP_SIZE"},        {2, "FALLOC_FL_PUNCH_HOLE"},
	{4, "FALLOC_FL_NO_HIDE_STALE"},    {8, "FALLOC_FL_COLLAPSE_RANGE"},
	{0x10, "FALLOC_FL_ZERO_RANGE"},    {0x20, "FALLOC_FL_INSERT_RANGE"},
	{0x40, "FALLOC_FL_UNSHARE_RANGE"}, END,
};

static const struct symbol rename_flags[] = {
	{1, "RENAME_NOREPLACE"},
	{2, "RENAME_EXCHANGE"},
	{4, "RENAME_WHITEOUT"},
	END,
};

static const struct symbol xattr_flags[] = {
	{1, "XATTR_CREATE"},
	{2, "XATTR_REPLACE"},
	END,
};

static const struct symbol msync_flags[] = {
	{1, "MS_ASYNC"},
	{2, "MS_INVALIDATE"},
	{4, "MS_SYNC"},
	END,
};

static const struct symbol mremap_flags[] = {
	{1, "MREMAP_MAYMOVE"},
	{2, "MREMAP_FIXED"},
	{4, "MREMAP_DONTUNMAP"},
	END,
};

static const struct symbol mlock_flags[] = {
	{1, "MLOCK_ONFAULT"},
	END,
};

static const struct symbol mlockall_flags[] = {
	{1, "MCL_CURRENT"},
	{2, "MCL_FUTURE"},
	{4, "MCL_ONFAULT"},
	END,
};

static const struct symbol memfd_flags[] = {
	{1, "MFD_CLOEXEC"},     {2, "MFD_ALLOW_SEALING"}, {4, "MFD_HUGETLB"},
	{8, "MFD_NOEXEC_SEAL"}, {0x10, "MFD_EXEC"},       END,
};

static const struct symbol close_range_flags[] = {
	{2, "CLOSE_RANGE_UNSHARE"},
	{4, "CLOSE_RANGE_CLOEXEC"},
	END,
};

/* The lowest byte is the signal of its end. */
static const struct symbol clone_flags[] = {
	{0x11, "SIGCHLD"},
	{0x80, "CLONE_NEWTIME"},
	{0x100, "CLONE_VM"},
	{0x200, "CLONE_FS"},
	{0x400, "CLONE_FILES"},
	{0x800, "CLONE_SIGHAND"},
	{0x1000, "CLONE_PIDFD"},
	{0x2000, "CLONE_PTRACE"},
	{0x4000, "CLONE_VFORK"},
	{0x8000, "CLONE_PARENT"},
	{0x10000, "CLONE_THREAD"},
	{0x20000, "CLONE_NEWNS"},
	{0x40000, "CLONE_SYSVSEM"},
	{0x80000, "CLONE_SETTLS"},
	{0x100000, "CLONE_PARENT_SETTID"},
	{0x200000, "CLONE_CHILD_CLEARTID"},
	{0x400000, "CLONE_DETACHED"},
	{0x800000, "CLONE_UNTRACED"},
	{0x1000000, "CLONE_CHILD_SETTID"},
	{0x2000000, "CLONE_NEWCGROUP"},
	{0x4000000, "CLONE_NEWUTS"},
	{0x8000000, "CLONE_NEWIPC"},
	{0x10000000, "CLONE_NEWUSER"},
	{0x20000000, "CLONE_NEWPID"},
	{0x40000000, "CLONE_NEWNET"},
	{0x80000000, "CLONE_IO"},
	END,
};

static const struct symbol close_on_exec[] = {{1, "FD_CLOEXEC"}, END};

static const struct symbol record_locks[] = {
	{0, "F_RDLCK"},
	{1, "F_WRLCK"},
	{2, "F_UNLCK"},
	END,
};

static const struct symbol seals[] = {
	{1, "F_SEAL_SEAL"},
	{2, "F_SEAL_SHRINK"},
	{4, "F_SEAL_GROW"},
	{8, "F_SEAL_WRITE"},
	{0x10, "F_SEAL_FUTURE_WRITE"},
	{0x20, "F_SEAL_EXEC"},
	END,
};

static const struct symbol notices[] = {
	{1, "DN_ACCESS"},
	{2, "DN_MODIFY"},
	{4, "DN_CREATE"},
	{8, "DN_DELETE"},
	{0x10, "DN_RENAME"},
	{0x20, "DN_ATTRIB"},
	{0x80000000, "DN_MULTISHOT"},
	END,
};

static const struct symbol write_hints[] = {
	{0, "RWH_WRITE_LIFE_NOT_SET"},
	{1, "RWH_WRITE_LIFE_NONE"},
	{2, "RWH_WRITE_LIFE_SHORT"},
	{3, "RWH_WRITE_LIFE_MEDIUM"},
	{4, "RWH_WRITE_LIFE_LONG"},
	{5, "RWH_WRITE_LIFE_EXTREME"},
	END,
};

static const struct symbol ioctl_commands[] = {
	{0x5401, "TCGETS"},
	{0x5402, "TCSETS"},
	{0x5403, "TCSETSW"},
	{0x5404, "TCSETSF"},
	{0x5409, "TCSBRK"},
	{0x540A, "TCXONC"},
	{0x540B, "TCFLSH"},
	{0x540E, "TIOCSCTTY"},
	{0x540F, "TIOCGPGRP"},
	{0x5410, "TIOCSPGRP"},
	{0x5411, "TIOCOUTQ"},
	{0x5413, "TIOCGWINSZ"},
	{0x5414, "TIOCSWINSZ"},
	{0x541B, "FIONREAD"},
	{0x5421, "FIONBIO"},
	{0x5422, "TIOCNOTTY"},
	{0x5429, "TIOCGSID"},
	{0x5450, "FIONCLEX"},
	{0x5451, "FIOCLEX"},
	{0x5452, "FIOASYNC"},
	{0x80045430, "TIOCGPTN"},
	{0x40045431, "TIOCSPTLCK"},
	{1, "FIBMAP"},
	{2, "FIGETBSZ"},
	{0x40049409, "FICLONE"},
	{0x4020940D, "FICLONERANGE"},
	{0xC0189436, "FIDEDUPERANGE"},
	{0x80086601, "FS_IOC_GETFLAGS"},
	{0x40086602, "FS_IOC_SETFLAGS"},
	{0x801C581F, "FS_IOC_FSGETXATTR"},
	{0x401C5820, "FS_IOC_FSSETXATTR"},
	{0xC020660B, "FS_IOC_FIEMAP"},
	{0xC0045877, "FIFREEZE"},
	{0xC0045878, "FITHAW"},
	{0xC0185879, "FITRIM"},
	{0x125D, "BLKROGET"},
	{0x1260, "BLKGETSIZE"},
	{0x1261, "BLKFLSBUF"},
	{0x1268, "BLKSSZGET"},
	{0x1277, "BLKDISCARD"},
	{0x80081272, "BLKGETSIZE64"},
	END,
};

static const struct symbol dlopen_flags[] = {
	{1, "RTLD_LAZY"},
	{2, "RTLD_NOW"},
	{4, "RTLD_NOLOAD"},
	{8, "RTLD_DEEPBIND"},
	{0x100, "RTLD_GLOBAL"},
	{0x1000, "RTLD_NODELETE"},
	END,
};

static const struct symbol nftw_flags[] = {
	{1, "FTW_PHYS"},  {2, "FTW_MOUNT"},           {4, "FTW_CHDIR"},
	{8, "FTW_DEPTH"}, {0x10, "FTW_ACTIONRETVAL"}, END,
};

static const struct symbol wait_options[] = {
	{1, "WNOHANG"},         {2, "WUNTRACED"},         {4, "WEXITED"},
	{8, "WCONTINUED"},      {0x1000000, "WNOWAIT"},   {0x20000000, "__WNOTHREAD"},
	{0x40000000, "__WALL"}, {0x80000000, "__WCLONE"}, END,
};

static const struct symbol wait_ids[] = {
	{0, "P_ALL"}, {1, "P_PID"}, {2, "P_PGID"}, {3, "P_PIDFD"}, END,
};

static const struct symbol clocks[] = {
	{0, "CLOCK_REALTIME"},       {1, "CLOCK_MONOTONIC"},      {7, "CLOCK_BOOTTIME"},
	{8, "CLOCK_REALTIME_ALARM"}, {9, "CLOCK_BOOTTIME_ALARM"}, END,
};

static const struct symbol statx_masks[] = {
	{0x7ff, "STATX_BASIC_STATS"},
	{1, "STATX_TYPE"},
	{2, "STATX_MODE"},
	{4, "STATX_NLINK"},
	{8, "STATX_UID"},
	{0x10, "STATX_GID"},
	{0x20, "STATX_ATIME"},
	{0x40, "STATX_MTIME"},
	{0x80, "STATX_CTIME"},
	{0x100, "STATX_INO"},
	{0x200, "STATX_SIZE"},
	{0x400, "STATX_BLOCKS"},
	{0x800, "STATX_BTIME"},
	{0x1000, "STATX_MNT_ID"},
	{0x2000, "STATX_DIOALIGN"},
	END,
};

static const struct symbol inotify_masks[] = {
	{0xfff, "IN_ALL_EVENTS"},
	{1, "IN_ACCESS"},
	{2, "IN_MODIFY"},
	{4, "IN_ATTRIB"},
	{8, "IN_CLOSE_WRITE"},
	{0x10, "IN_CLOSE_NOWRITE"},
	{0x20, "IN_OPEN"},
	{0x40, "IN_MOVED_FROM"},
	{0x80, "IN_MOVED_TO"},
	{0x100, "IN_CREATE"},
	{0x200, "IN_DELETE"},
	{0x400, "IN_DELETE_SELF"},
	{0x800, "IN_MOVE_SELF"},
	{0x1000000, "IN_ONLYDIR"},
	{0x2000000, "IN_DONT_FOLLOW"},
	{0x4000000, "IN_EXCL_UNLINK"},
	{0x10000000, "IN_MASK_CREATE"},
	{0x20000000, "IN_MASK_ADD"},
	{0x80000000, "IN_ONESHOT"},
	END,
};

static const struct symbol wide_characters[] = {
	{0xffffffff, "WEOF"},
	END,
};

static const struct symbol bufferings[] = {
	{0, "_IOFBF"},
	{1, "_IOLBF"},
	{2, "_IONBF"},
	END,
};

static const struct symbol socket_domains[] = {
	{0, "AF_UNSPEC"},   {1, "AF_UNIX"},    {2, "AF_INET"},  {10, "AF_INET6"},
	{16, "AF_NETLINK"}, {17, "AF_PACKET"}, {21, "AF_RDS"},  {27, "AF_IB"},
	{29, "AF_CAN"},     {30, "AF_TIPC"},   {38, "AF_ALG"},  {40, "AF_VSOCK"},
	{43, "AF_SMC"},     {44, "AF_XDP"},    {45, "AF_MCTP"}, END,
};

/* The type proper is no flag: see show_names.c. */
static const struct symbol socket_types[] = {
	{04000, "SOCK_NONBLOCK"},
	{02000000, "SOCK_CLOEXEC"},
	END,
};

static const struct symbol socket_levels[] = {
	{0, "IPPROTO_IP"},
	{1, "SOL_SOCKET"},
	{6, "IPPROTO_TCP"},
	{17, "IPPROTO_UDP"},
	{41, "IPPROTO_IPV6"},
	{132, "IPPROTO_SCTP"},
	{263, "SOL_PACKET"},
	{270, "SOL_NETLINK"},
	{279, "SOL_ALG"},
	{282, "SOL_TLS"},
	END,
};

static const struct symbol message_flags[] = {
	{1, "MSG_OOB"},
	{2, "MSG_PEEK"},
	{4, "MSG_DONTROUTE"},
	{8, "MSG_CTRUNC"},
	{0x10, "MSG_PROXY"},
	{0x20, "MSG_TRUNC"},
	{0x40, "MSG_DONTWAIT"},
	{0x80, "MSG_EOR"},
	{0x100, "MSG_WAITALL"},
	{0x200, "MSG_FIN"},
	{0x400, "MSG_SYN"},
	{0x800, "MSG_CONFIRM"},
	{0x1000, "MSG_RST"},
	{0x2000, "MSG_ERRQUEUE"},
	{0x4000, "MSG_NOSIGNAL"},
	{0x8000, "MSG_MORE"},
	{0x10000, "MSG_WAITFORONE"},
	{0x40000, "MSG_BATCH"},
	{0x4000000, "MSG_ZEROCOPY"},
	{0x20000000, "MSG_FASTOPEN"},
	{0x40000000, "MSG_CMSG_CLOEXEC"},
	END,
};

static const struct symbol shutdown_hows[] = {
	{0, "SHUT_RD"},
	{1, "SHUT_WR"},
	{2, "SHUT_RDWR"},
	END,
};

static const struct symbol endings[] = {
	{0, "return"},
	{1, "exception"},
	{2, "yield"},
	END,
};

static const struct symbol epoll_operations[] = {
	{1, "EPOLL_CTL_ADD"},
	{2, "EPOLL_CTL_DEL"},
	{3, "EPOLL_CTL_MOD"},
	END,
};

static const struct symbol aio_outcomes[] = {
	{0, "AIO_CANCELED"},
	{1, "AIO_NOTCANCELED"},
	{2, "AIO_ALLDONE"},
	END,
};

static const struct symbol lio_modes[] = {{0, "LIO_WAIT"}, {1, "LIO_NOWAIT"}, END};

static const struct symbol lio_operations[] = {
	{0, "LIO_READ"},
	{1, "LIO_WRITE"},
	{2, "LIO_NOP"},
	END,
};

static const struct symbol iocb_operations[] = {
	{0, "PREAD"}, {1, "PWRITE"}, {2, "FSYNC"},   {3, "FDSYNC"}, {5, "POLL"},
	{6, "NOOP"},  {7, "PREADV"}, {8, "PWRITEV"}, END,
};

/* IORING_OP_ */
static const struct symbol uring_operations[] = {
	{0, "NOP"},
	{1, "READV"},
	{2, "WRITEV"},
	{3, "FSYNC"},
	{4, "READ_FIXED"},
	{5, "WRITE_FIXED"},
	{6, "POLL_ADD"},
	{7, "POLL_REMOVE"},
	{8, "SYNC_FILE_RANGE"},
	{9, "SENDMSG"},
	{10, "RECVMSG"},
	{11, "TIMEOUT"},
	{12, "TIMEOUT_REMOVE"},
	{13, "ACCEPT"},
	{14, "ASYNC_CANCEL"},
	{15, "LINK_TIMEOUT"},
	{16, "CONNECT"},
	{17, "FALLOCATE"},
	{18, "OPENAT"},
	{19, "CLOSE"},
	{20, "FILES_UPDATE"},
	{21, "STATX"},
	{22, "READ"},
	{23, "WRITE"},
	{24, "FADVISE"},
	{25, "MADVISE"},
	{26, "SEND"},
	{27, "RECV"},
	{28, "OPENAT2"},
	{29, "EPOLL_CTL"},
	{30, "SPLICE"},
	{31, "PROVIDE_BUFFERS"},
	{32, "REMOVE_BUFFERS"},
	{33, "TEE"},
	{34, "SHUTDOWN"},
	{35, "RENAMEAT"},
	{36, "UNLINKAT"},
	{37, "MKDIRAT"},
	{38, "SYMLINKAT"},
	{39, "LINKAT"},
	{40, "MSG_RING"},
	{41, "FSETXATTR"},
	{42, "SETXATTR"},
	{43, "FGETXATTR"},
	{44, "GETXATTR"},
	{45, "SOCKET"},
	{46, "URING_CMD"},
	{47, "SEND_ZC"},
	{48, "SENDMSG_ZC"},
	END,
};

static const struct symbol uring_flags[] = {
	{1, "IORING_SETUP_IOPOLL"},
	{2, "IORING_SETUP_SQPOLL"},
	{4, "IORING_SETUP_SQ_AFF"},
	{8, "IORING_SETUP_CQSIZE"},
	{0x10, "IORING_SETUP_CLAMP"},
	{0x20, "IORING_SETUP_ATTACH_WQ"},
	{0x40, "IORING_SETUP_R_DISABLED"},
	{0x80, "IORING_SETUP_SUBMIT_ALL"},
	{0x100, "IORING_SETUP_COOP_TASKRUN"},
	{0x200, "IORING_SETUP_TASKRUN_FLAG"},
	{0x400, "IORING_SETUP_SQE128"},
	{0x800, "IORING_SETUP_CQE32"},
	{0x1000, "IORING_SETUP_SINGLE_ISSUER"},
	{0x2000, "IORING_SETUP_DEFER_TASKRUN"},
	END,
};

static const struct symbol *const tables[KIND_COUNT] = {
	[KIND_errnum] = errnos,
	[KIND_open_flags] = open_flags,
	[KIND_access_mode] = access_modes,
	[KIND_at_flags] = at_flags,
	[KIND_whence] = whences,
	[KIND_reading] = readings,
	[KIND_prot] = prots,
	[KIND_map_flags] = map_flags,
	[KIND_advice] = advices,
	[KIND_file_advice] = file_advices,
	[KIND_fcntl_cmd] = fcntl_commands,
	[KIND_flock_op] = flock_operations,
	[KIND_lockf_cmd] = lockf_commands,
	[KIND_signal] = signals,
	[KIND_faccessat_flags] = faccessat_flags,
	[KIND_rw_flags] = rw_flags,
	[KIND_splice_flags] = splice_flags,
	[KIND_sync_range_flags] = sync_range_flags,
	[KIND_fallocate_mode] = fallocate_modes,
	[KIND_rename_flags] = rename_flags,
	[KIND_xattr_flags] = xattr_flags,
	[KIND_msync_flags] = msync_flags,
	[KIND_mremap_flags] = mremap_flags,
	[KIND_mlock_flags] = mlock_flags,
	[KIND_mlockall_flags] = mlockall_flags,
	[KIND_memfd_flags] = memfd_flags,
	[KIND_close_range_flags] = close_range_flags,
	[KIND_clone_flags] = clone_flags,
	[KIND_close_on_exec] = close_on_exec,
	[KIND_record_lock] = record_locks,
	[KIND_seals] = seals,
	[KIND_notices] = notices,
	[KIND_write_hint] = write_hints,
	[KIND_ioctl_cmd] = ioctl_commands,
	[KIND_dlopen_flags] = dlopen_flags,
	[KIND_nftw_flags] = nftw_flags,
	[KIND_wait_options] = wait_options,
	[KIND_wait_id] = wait_ids,
	[KIND_clock] = clocks,
	[KIND_statx_mask] = statx_masks,
	[KIND_inotify_mask] = inotify_masks,
	[KIND_wchar] = wide_characters,
	[KIND_buffering] = bufferings,
	[KIND_sock_domain] = socket_domains,
	[KIND_sock_type] = socket_types,
	[KIND_sock_level] = socket_levels,
	[KIND_msg_flags] = message_flags,
	[KIND_shutdown_how] = shutdown_hows,
	[KIND_ending] = endings,
	[KIND_epoll_op] = epoll_operations,
	[KIND_aio_outcome] = aio_outcomes,
	[KIND_lio_mode] = lio_modes,
	[KIND_lio_ops] = lio_operations,
	[KIND_iocb_ops] = iocb_operations,
	[KIND_uring_op] = uring_operations,
	[KIND_uring_ops] = uring_operations,
	[KIND_uring_setup] = uring_flags,
};

const struct symbol *linux_symbols(enum kind kind)
{
	return tables[kind];
}
