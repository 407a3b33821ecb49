/* SPDX-License-Identifier: MIT */
/* symbols.c - see symbols.h */
#include "read/symbols.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#define S(name)                                                                                    \
	{                                                                                          \
		name, #name                                                                        \
	}
#define END                                                                                        \
	{                                                                                          \
		0, NULL                                                                            \
	}

/* ---- Linux ---- */

static const struct symbol errnos[] = {
	S(EPERM),
	S(ENOENT),
	S(ESRCH),
	S(EINTR),
	S(EIO),
	S(ENXIO),
	S(E2BIG),
	S(ENOEXEC),
	S(EBADF),
	S(ECHILD),
	S(EAGAIN),
	S(ENOMEM),
	S(EACCES),
	S(EFAULT),
	S(ENOTBLK),
	S(EBUSY),
	S(EEXIST),
	S(EXDEV),
	S(ENODEV),
	S(ENOTDIR),
	S(EISDIR),
	S(EINVAL),
	S(ENFILE),
	S(EMFILE),
	S(ENOTTY),
	S(ETXTBSY),
	S(EFBIG),
	S(ENOSPC),
	S(ESPIPE),
	S(EROFS),
	S(EMLINK),
	S(EPIPE),
	S(EDOM),
	S(ERANGE),
	S(EDEADLK),
	S(ENAMETOOLONG),
	S(ENOLCK),
	S(ENOSYS),
	S(ENOTEMPTY),
	S(ELOOP),
	S(ENOMSG),
	S(EIDRM),
	S(ECHRNG),
	S(EL2NSYNC),
	S(EL3HLT),
	S(EL3RST),
	S(ELNRNG),
	S(EUNATCH),
	S(ENOCSI),
	S(EL2HLT),
	S(EBADE),
	S(EBADR),
	S(EXFULL),
	S(ENOANO),
	S(EBADRQC),
	S(EBADSLT),
	S(EBFONT),
	S(ENOSTR),
	S(ENODATA),
	S(ETIME),
	S(ENOSR),
	S(ENONET),
	S(ENOPKG),
	S(EREMOTE),
	S(ENOLINK),
	S(EADV),
	S(ESRMNT),
	S(ECOMM),
	S(EPROTO),
	S(EMULTIHOP),
	S(EDOTDOT),
	S(EBADMSG),
	S(EOVERFLOW),
	S(ENOTUNIQ),
	S(EBADFD),
	S(EREMCHG),
	S(ELIBACC),
	S(ELIBBAD),
	S(ELIBSCN),
	S(ELIBMAX),
	S(ELIBEXEC),
	S(EILSEQ),
	S(ERESTART),
	S(ESTRPIPE),
	S(EUSERS),
	S(ENOTSOCK),
	S(EDESTADDRREQ),
	S(EMSGSIZE),
	S(EPROTOTYPE),
	S(ENOPROTOOPT),
	S(EPROTONOSUPPORT),
	S(ESOCKTNOSUPPORT),
	S(EOPNOTSUPP),
	S(EPFNOSUPPORT),
	S(EAFNOSUPPORT),
	S(EADDRINUSE),
	S(EADDRNOTAVAIL),
	S(ENETDOWN),
	S(ENETUNREACH),
	S(ENETRESET),
	S(ECONNABORTED),
	S(ECONNRESET),
	S(ENOBUFS),
	S(EISCONN),
	S(ENOTCONN),
	S(ESHUTDOWN),
	S(ETOOMANYREFS),
	S(ETIMEDOUT),
	S(ECONNREFUSED),
	S(EHOSTDOWN),
	S(EHOSTUNREACH),
	S(EALREADY),
	S(EINPROGRESS),
	S(ESTALE),
	S(EUCLEAN),
	S(ENOTNAM),
	S(ENAVAIL),
	S(EISNAM),
	S(EREMOTEIO),
	S(EDQUOT),
	S(ENOMEDIUM),
	S(EMEDIUMTYPE),
	S(ECANCELED),
	S(ENOKEY),
	S(EKEYEXPIRED),
	S(EKEYREVOKED),
	S(EKEYREJECTED),
	S(EOWNERDEAD),
	S(ENOTRECOVERABLE),
	S(ERFKILL),
	S(EHWPOISON),
	END,
};

/* The access mode is no flag: see show.c. Those that are made of several bits go first. */
static const struct symbol open_flags[] = {
	S(O_TMPFILE),
	S(O_CREAT),
	S(O_EXCL),
	S(O_NOCTTY),
	S(O_TRUNC),
	S(O_APPEND),
	S(O_NONBLOCK),
	S(O_SYNC),
	S(O_DSYNC),
	S(O_ASYNC),
	S(O_DIRECT),
	S(O_DIRECTORY),
	S(O_NOFOLLOW),
	S(O_NOATIME),
	S(O_CLOEXEC),
	S(O_PATH),
	{0100000, "O_LARGEFILE"},
	END,
};

static const struct symbol access_modes[] = {S(R_OK), S(W_OK), S(X_OK), S(F_OK), END};

static const struct symbol at_flags[] = {
	S(AT_SYMLINK_NOFOLLOW), S(AT_REMOVEDIR),  S(AT_SYMLINK_FOLLOW),
	S(AT_NO_AUTOMOUNT),     S(AT_EMPTY_PATH), S(AT_STATX_FORCE_SYNC),
	S(AT_STATX_DONT_SYNC),  S(AT_RECURSIVE),  END,
};

static const struct symbol whences[] = {
	S(SEEK_SET), S(SEEK_CUR), S(SEEK_END), S(SEEK_DATA), S(SEEK_HOLE), END,
};

static const struct symbol prots[] = {
	S(PROT_READ),    S(PROT_WRITE), S(PROT_EXEC), S(PROT_GROWSDOWN),
	S(PROT_GROWSUP), S(PROT_NONE),  END,
};

static const struct symbol map_flags[] = {
	S(MAP_SHARED_VALIDATE),
	S(MAP_SHARED),
	S(MAP_PRIVATE),
	S(MAP_FIXED),
	S(MAP_ANONYMOUS),
	S(MAP_GROWSDOWN),
	S(MAP_DENYWRITE),
	S(MAP_EXECUTABLE),
	S(MAP_LOCKED),
	S(MAP_NORESERVE),
	S(MAP_POPULATE),
	S(MAP_NONBLOCK),
	S(MAP_STACK),
	S(MAP_HUGETLB),
	S(MAP_SYNC),
	S(MAP_FIXED_NOREPLACE),
	END,
};

static const struct symbol file_advices[] = {
	S(POSIX_FADV_NORMAL),
	S(POSIX_FADV_RANDOM),
	S(POSIX_FADV_SEQUENTIAL),
	S(POSIX_FADV_WILLNEED),
	S(POSIX_FADV_DONTNEED),
	S(POSIX_FADV_NOREUSE),
	END,
};

static const struct symbol advices[] = {
	S(MADV_NORMAL),         S(MADV_RANDOM),
	S(MADV_SEQUENTIAL),     S(MADV_WILLNEED),
	S(MADV_DONTNEED),       S(MADV_FREE),
	S(MADV_REMOVE),         S(MADV_DONTFORK),
	S(MADV_DOFORK),         S(MADV_MERGEABLE),
	S(MADV_UNMERGEABLE),    S(MADV_HUGEPAGE),
	S(MADV_NOHUGEPAGE),     S(MADV_DONTDUMP),
	S(MADV_DODUMP),         S(MADV_WIPEONFORK),
	S(MADV_KEEPONFORK),     S(MADV_COLD),
	S(MADV_PAGEOUT),        S(MADV_POPULATE_READ),
	S(MADV_POPULATE_WRITE), END,
};

static const struct symbol fcntl_commands[] = {
	S(F_DUPFD),         S(F_GETFD),
	S(F_SETFD),         S(F_GETFL),
	S(F_SETFL),         S(F_GETLK),
	S(F_SETLK),         S(F_SETLKW),
	S(F_SETOWN),        S(F_GETOWN),
	S(F_SETSIG),        S(F_GETSIG),
	S(F_SETOWN_EX),     S(F_GETOWN_EX),
	S(F_OFD_GETLK),     S(F_OFD_SETLK),
	S(F_OFD_SETLKW),    S(F_SETLEASE),
	S(F_GETLEASE),      S(F_NOTIFY),
	S(F_DUPFD_CLOEXEC), S(F_SETPIPE_SZ),
	S(F_GETPIPE_SZ),    S(F_ADD_SEALS),
	S(F_GET_SEALS),     END,
};

static const struct symbol flock_operations[] = {
	S(LOCK_SH), S(LOCK_EX), S(LOCK_UN), S(LOCK_NB), END,
};

static const struct symbol lockf_commands[] = {
	S(F_ULOCK), S(F_LOCK), S(F_TLOCK), S(F_TEST), END,
};

static const struct symbol signals[] = {
	S(SIGHUP),  S(SIGINT),    S(SIGQUIT), S(SIGILL),  S(SIGTRAP),   S(SIGABRT), S(SIGBUS),
	S(SIGFPE),  S(SIGKILL),   S(SIGUSR1), S(SIGSEGV), S(SIGUSR2),   S(SIGPIPE), S(SIGALRM),
	S(SIGTERM), S(SIGSTKFLT), S(SIGCHLD), S(SIGCONT), S(SIGSTOP),   S(SIGTSTP), S(SIGTTIN),
	S(SIGTTOU), S(SIGURG),    S(SIGXCPU), S(SIGXFSZ), S(SIGVTALRM), S(SIGPROF), S(SIGWINCH),
	S(SIGIO),   S(SIGPWR),    S(SIGSYS),  END,
};

/* ---- Open MPI ---- */

static const struct symbol mpi_errors[] = {
	{0, "MPI_SUCCESS"},
	{1, "MPI_ERR_BUFFER"},
	{2, "MPI_ERR_COUNT"},
	{3, "MPI_ERR_TYPE"},
	{4, "MPI_ERR_TAG"},
	{5, "MPI_ERR_COMM"},
	{6, "MPI_ERR_RANK"},
	{7, "MPI_ERR_REQUEST"},
	{8, "MPI_ERR_ROOT"},
	{9, "MPI_ERR_GROUP"},
	{10, "MPI_ERR_OP"},
	{11, "MPI_ERR_TOPOLOGY"},
	{12, "MPI_ERR_DIMS"},
	{13, "MPI_ERR_ARG"},
	{14, "MPI_ERR_UNKNOWN"},
	{15, "MPI_ERR_TRUNCATE"},
	{16, "MPI_ERR_OTHER"},
	{17, "MPI_ERR_INTERN"},
	{18, "MPI_ERR_IN_STATUS"},
	{19, "MPI_ERR_PENDING"},
	{20, "MPI_ERR_ACCESS"},
	{21, "MPI_ERR_AMODE"},
	{22, "MPI_ERR_ASSERT"},
	{23, "MPI_ERR_BAD_FILE"},
	{24, "MPI_ERR_BASE"},
	{25, "MPI_ERR_CONVERSION"},
	{26, "MPI_ERR_DISP"},
	{27, "MPI_ERR_DUP_DATAREP"},
	{28, "MPI_ERR_FILE_EXISTS"},
	{29, "MPI_ERR_FILE_IN_USE"},
	{30, "MPI_ERR_FILE"},
	{31, "MPI_ERR_INFO_KEY"},
	{32, "MPI_ERR_INFO_NOKEY"},
	{33, "MPI_ERR_INFO_VALUE"},
	{34, "MPI_ERR_INFO"},
	{35, "MPI_ERR_IO"},
	{36, "MPI_ERR_KEYVAL"},
	{37, "MPI_ERR_LOCKTYPE"},
	{38, "MPI_ERR_NAME"},
	{39, "MPI_ERR_NO_MEM"},
	{40, "MPI_ERR_NOT_SAME"},
	{41, "MPI_ERR_NO_SPACE"},
	{42, "MPI_ERR_NO_SUCH_FILE"},
	{43, "MPI_ERR_PORT"},
	{44, "MPI_ERR_QUOTA"},
	{45, "MPI_ERR_READ_ONLY"},
	{46, "MPI_ERR_RMA_CONFLICT"},
	{47, "MPI_ERR_RMA_SYNC"},
	{48, "MPI_ERR_SERVICE"},
	{49, "MPI_ERR_SIZE"},
	{50, "MPI_ERR_SPAWN"},
	{51, "MPI_ERR_UNSUPPORTED_DATAREP"},
	{52, "MPI_ERR_UNSUPPORTED_OPERATION"},
	{53, "MPI_ERR_WIN"},
	{68, "MPI_ERR_RMA_RANGE"},
	{69, "MPI_ERR_RMA_ATTACH"},
	{70, "MPI_ERR_RMA_FLAVOR"},
	{71, "MPI_ERR_RMA_SHARED"},
	END,
};

static const struct symbol mpi_ranks[] = {
	{-1, "MPI_ANY_SOURCE"},
	{-2, "MPI_PROC_NULL"},
	{-4, "MPI_ROOT"},
	{-32766, "MPI_UNDEFINED"},
	END,
};

static const struct symbol mpi_tags[] = {{-1, "MPI_ANY_TAG"}, END};

static const struct symbol mpi_amodes[] = {
	{1, "MPI_MODE_CREATE"},
	{2, "MPI_MODE_RDONLY"},
	{4, "MPI_MODE_WRONLY"},
	{8, "MPI_MODE_RDWR"},
	{16, "MPI_MODE_DELETE_ON_CLOSE"},
	{32, "MPI_MODE_UNIQUE_OPEN"},
	{64, "MPI_MODE_EXCL"},
	{128, "MPI_MODE_APPEND"},
	{256, "MPI_MODE_SEQUENTIAL"},
	END,
};

static const struct symbol mpi_thread_levels[] = {
	{0, "MPI_THREAD_SINGLE"},
	{1, "MPI_THREAD_FUNNELED"},
	{2, "MPI_THREAD_SERIALIZED"},
	{3, "MPI_THREAD_MULTIPLE"},
	END,
};

static const struct symbol mpi_lock_types[] = {
	{1, "MPI_LOCK_EXCLUSIVE"},
	{2, "MPI_LOCK_SHARED"},
	END,
};

static const struct symbol mpi_whences[] = {
	{600, "MPI_SEEK_SET"},
	{602, "MPI_SEEK_CUR"},
	{604, "MPI_SEEK_END"},
	END,
};

/* ---- */

const struct symbol *symbols_of(enum kind kind)
{
	static const struct symbol *const tables[KIND_COUNT] = {
		[KIND_open_flags] = open_flags,
		[KIND_fd_flags] = open_flags,
		[KIND_access_mode] = access_modes,
		[KIND_at_flags] = at_flags,
		[KIND_whence] = whences,
		[KIND_prot] = prots,
		[KIND_map_flags] = map_flags,
		[KIND_advice] = advices,
		[KIND_file_advice] = file_advices,
		[KIND_fcntl_cmd] = fcntl_commands,
		[KIND_flock_op] = flock_operations,
		[KIND_lockf_cmd] = lockf_commands,
		[KIND_signal] = signals,
		[KIND_mpi_error] = mpi_errors,
		[KIND_rank] = mpi_ranks,
		[KIND_tag] = mpi_tags,
		[KIND_amode] = mpi_amodes,
		[KIND_thread_level] = mpi_thread_levels,
		[KIND_lock_type] = mpi_lock_types,
		[KIND_mpi_whence] = mpi_whences,
	};

	return tables[kind];
}

const char *symbol_name(const struct symbol *symbols, int64_t value)
{
	for (; symbols && symbols->name; symbols++) {
		if (symbols->value == value)
			return symbols->name;
	}
	return NULL;
}

const char *symbol_errno(int err)
{
	return symbol_name(errnos, err);
}
