/* SPDX-License-Identifier: MIT */
/*
 * machine_symbols.h - names whose values differ from machine to machine: errors, flags of open() and mmap(), commands of fcntl(),
 * signals.
 *
 * One list a kind, one row a name: SYMBOL(name, its value on x86-64). A reader takes the value; a process that records compares it
 * with the macro of that name, and what differs is told by its trace (doc/format.md section 8, `symbols.KIND`). Of flags, those that
 * are made of several bits go first.
 */
#ifndef RECORDER_FORMAT_MACHINE_SYMBOLS_H
#define RECORDER_FORMAT_MACHINE_SYMBOLS_H

#define ERRNUM_SYMBOLS(SYMBOL)                                                                     \
	SYMBOL(EPERM, 1)                                                                           \
	SYMBOL(ENOENT, 2)                                                                          \
	SYMBOL(ESRCH, 3)                                                                           \
	SYMBOL(EINTR, 4)                                                                           \
	SYMBOL(EIO, 5)                                                                             \
	SYMBOL(ENXIO, 6)                                                                           \
	SYMBOL(E2BIG, 7)                                                                           \
	SYMBOL(ENOEXEC, 8)                                                                         \
	SYMBOL(EBADF, 9)                                                                           \
	SYMBOL(ECHILD, 10)                                                                         \
	SYMBOL(EAGAIN, 11)                                                                         \
	SYMBOL(ENOMEM, 12)                                                                         \
	SYMBOL(EACCES, 13)                                                                         \
	SYMBOL(EFAULT, 14)                                                                         \
	SYMBOL(ENOTBLK, 15)                                                                        \
	SYMBOL(EBUSY, 16)                                                                          \
	SYMBOL(EEXIST, 17)                                                                         \
	SYMBOL(EXDEV, 18)                                                                          \
	SYMBOL(ENODEV, 19)                                                                         \
	SYMBOL(ENOTDIR, 20)                                                                        \
	SYMBOL(EISDIR, 21)                                                                         \
	SYMBOL(EINVAL, 22)                                                                         \
	SYMBOL(ENFILE, 23)                                                                         \
	SYMBOL(EMFILE, 24)                                                                         \
	SYMBOL(ENOTTY, 25)                                                                         \
	SYMBOL(ETXTBSY, 26)                                                                        \
	SYMBOL(EFBIG, 27)                                                                          \
	SYMBOL(ENOSPC, 28)                                                                         \
	SYMBOL(ESPIPE, 29)                                                                         \
	SYMBOL(EROFS, 30)                                                                          \
	SYMBOL(EMLINK, 31)                                                                         \
	SYMBOL(EPIPE, 32)                                                                          \
	SYMBOL(EDOM, 33)                                                                           \
	SYMBOL(ERANGE, 34)                                                                         \
	SYMBOL(EDEADLK, 35)                                                                        \
	SYMBOL(ENAMETOOLONG, 36)                                                                   \
	SYMBOL(ENOLCK, 37)                                                                         \
	SYMBOL(ENOSYS, 38)                                                                         \
	SYMBOL(ENOTEMPTY, 39)                                                                      \
	SYMBOL(ELOOP, 40)                                                                          \
	SYMBOL(ENOMSG, 42)                                                                         \
	SYMBOL(EIDRM, 43)                                                                          \
	SYMBOL(ECHRNG, 44)                                                                         \
	SYMBOL(EL2NSYNC, 45)                                                                       \
	SYMBOL(EL3HLT, 46)                                                                         \
	SYMBOL(EL3RST, 47)                                                                         \
	SYMBOL(ELNRNG, 48)                                                                         \
	SYMBOL(EUNATCH, 49)                                                                        \
	SYMBOL(ENOCSI, 50)                                                                         \
	SYMBOL(EL2HLT, 51)                                                                         \
	SYMBOL(EBADE, 52)                                                                          \
	SYMBOL(EBADR, 53)                                                                          \
	SYMBOL(EXFULL, 54)                                                                         \
	SYMBOL(ENOANO, 55)                                                                         \
	SYMBOL(EBADRQC, 56)                                                                        \
	SYMBOL(EBADSLT, 57)                                                                        \
	SYMBOL(EBFONT, 59)                                                                         \
	SYMBOL(ENOSTR, 60)                                                                         \
	SYMBOL(ENODATA, 61)                                                                        \
	SYMBOL(ETIME, 62)                                                                          \
	SYMBOL(ENOSR, 63)                                                                          \
	SYMBOL(ENONET, 64)                                                                         \
	SYMBOL(ENOPKG, 65)                                                                         \
	SYMBOL(EREMOTE, 66)                                                                        \
	SYMBOL(ENOLINK, 67)                                                                        \
	SYMBOL(EADV, 68)                                                                           \
	SYMBOL(ESRMNT, 69)                                                                         \
	SYMBOL(ECOMM, 70)                                                                          \
	SYMBOL(EPROTO, 71)                                                                         \
	SYMBOL(EMULTIHOP, 72)                                                                      \
	SYMBOL(EDOTDOT, 73)                                                                        \
	SYMBOL(EBADMSG, 74)                                                                        \
	SYMBOL(EOVERFLOW, 75)                                                                      \
	SYMBOL(ENOTUNIQ, 76)                                                                       \
	SYMBOL(EBADFD, 77)                                                                         \
	SYMBOL(EREMCHG, 78)                                                                        \
	SYMBOL(ELIBACC, 79)                                                                        \
	SYMBOL(ELIBBAD, 80)                                                                        \
	SYMBOL(ELIBSCN, 81)                                                                        \
	SYMBOL(ELIBMAX, 82)                                                                        \
	SYMBOL(ELIBEXEC, 83)                                                                       \
	SYMBOL(EILSEQ, 84)                                                                         \
	SYMBOL(ERESTART, 85)                                                                       \
	SYMBOL(ESTRPIPE, 86)                                                                       \
	SYMBOL(EUSERS, 87)                                                                         \
	SYMBOL(ENOTSOCK, 88)                                                                       \
	SYMBOL(EDESTADDRREQ, 89)                                                                   \
	SYMBOL(EMSGSIZE, 90)                                                                       \
	SYMBOL(EPROTOTYPE, 91)                                                                     \
	SYMBOL(ENOPROTOOPT, 92)                                                                    \
	SYMBOL(EPROTONOSUPPORT, 93)                                                                \
	SYMBOL(ESOCKTNOSUPPORT, 94)                                                                \
	SYMBOL(EOPNOTSUPP, 95)                                                                     \
	SYMBOL(EPFNOSUPPORT, 96)                                                                   \
	SYMBOL(EAFNOSUPPORT, 97)                                                                   \
	SYMBOL(EADDRINUSE, 98)                                                                     \
	SYMBOL(EADDRNOTAVAIL, 99)                                                                  \
	SYMBOL(ENETDOWN, 100)                                                                      \
	SYMBOL(ENETUNREACH, 101)                                                                   \
	SYMBOL(ENETRESET, 102)                                                                     \
	SYMBOL(ECONNABORTED, 103)                                                                  \
	SYMBOL(ECONNRESET, 104)                                                                    \
	SYMBOL(ENOBUFS, 105)                                                                       \
	SYMBOL(EISCONN, 106)                                                                       \
	SYMBOL(ENOTCONN, 107)                                                                      \
	SYMBOL(ESHUTDOWN, 108)                                                                     \
	SYMBOL(ETOOMANYREFS, 109)                                                                  \
	SYMBOL(ETIMEDOUT, 110)                                                                     \
	SYMBOL(ECONNREFUSED, 111)                                                                  \
	SYMBOL(EHOSTDOWN, 112)                                                                     \
	SYMBOL(EHOSTUNREACH, 113)                                                                  \
	SYMBOL(EALREADY, 114)                                                                      \
	SYMBOL(EINPROGRESS, 115)                                                                   \
	SYMBOL(ESTALE, 116)                                                                        \
	SYMBOL(EUCLEAN, 117)                                                                       \
	SYMBOL(ENOTNAM, 118)                                                                       \
	SYMBOL(ENAVAIL, 119)                                                                       \
	SYMBOL(EISNAM, 120)                                                                        \
	SYMBOL(EREMOTEIO, 121)                                                                     \
	SYMBOL(EDQUOT, 122)                                                                        \
	SYMBOL(ENOMEDIUM, 123)                                                                     \
	SYMBOL(EMEDIUMTYPE, 124)                                                                   \
	SYMBOL(ECANCELED, 125)                                                                     \
	SYMBOL(ENOKEY, 126)                                                                        \
	SYMBOL(EKEYEXPIRED, 127)                                                                   \
	SYMBOL(EKEYREVOKED, 128)                                                                   \
	SYMBOL(EKEYREJECTED, 129)                                                                  \
	SYMBOL(EOWNERDEAD, 130)                                                                    \
	SYMBOL(ENOTRECOVERABLE, 131)                                                               \
	SYMBOL(ERFKILL, 132)                                                                       \
	SYMBOL(EHWPOISON, 133)

#define OPEN_FLAGS_SYMBOLS(SYMBOL)                                                                 \
	SYMBOL(O_TMPFILE, 020200000)                                                               \
	SYMBOL(O_CREAT, 0100)                                                                      \
	SYMBOL(O_EXCL, 0200)                                                                       \
	SYMBOL(O_NOCTTY, 0400)                                                                     \
	SYMBOL(O_TRUNC, 01000)                                                                     \
	SYMBOL(O_APPEND, 02000)                                                                    \
	SYMBOL(O_NONBLOCK, 04000)                                                                  \
	SYMBOL(O_SYNC, 04010000)                                                                   \
	SYMBOL(O_DSYNC, 010000)                                                                    \
	SYMBOL(O_ASYNC, 020000)                                                                    \
	SYMBOL(O_DIRECT, 040000)                                                                   \
	SYMBOL(O_DIRECTORY, 0200000)                                                               \
	SYMBOL(O_NOFOLLOW, 0400000)                                                                \
	SYMBOL(O_NOATIME, 01000000)                                                                \
	SYMBOL(O_CLOEXEC, 02000000)                                                                \
	SYMBOL(O_PATH, 010000000)

#define MAP_FLAGS_SYMBOLS(SYMBOL)                                                                  \
	SYMBOL(MAP_SHARED_VALIDATE, 3)                                                             \
	SYMBOL(MAP_SHARED, 1)                                                                      \
	SYMBOL(MAP_PRIVATE, 2)                                                                     \
	SYMBOL(MAP_FIXED, 0x10)                                                                    \
	SYMBOL(MAP_ANONYMOUS, 0x20)                                                                \
	SYMBOL(MAP_GROWSDOWN, 0x100)                                                               \
	SYMBOL(MAP_DENYWRITE, 0x800)                                                               \
	SYMBOL(MAP_EXECUTABLE, 0x1000)                                                             \
	SYMBOL(MAP_LOCKED, 0x2000)                                                                 \
	SYMBOL(MAP_NORESERVE, 0x4000)                                                              \
	SYMBOL(MAP_POPULATE, 0x8000)                                                               \
	SYMBOL(MAP_NONBLOCK, 0x10000)                                                              \
	SYMBOL(MAP_STACK, 0x20000)                                                                 \
	SYMBOL(MAP_HUGETLB, 0x40000)                                                               \
	SYMBOL(MAP_SYNC, 0x80000)                                                                  \
	SYMBOL(MAP_FIXED_NOREPLACE, 0x100000)

#define FCNTL_CMD_SYMBOLS(SYMBOL)                                                                  \
	SYMBOL(F_DUPFD, 0)                                                                         \
	SYMBOL(F_GETFD, 1)                                                                         \
	SYMBOL(F_SETFD, 2)                                                                         \
	SYMBOL(F_GETFL, 3)                                                                         \
	SYMBOL(F_SETFL, 4)                                                                         \
	SYMBOL(F_GETLK, 5)                                                                         \
	SYMBOL(F_SETLK, 6)                                                                         \
	SYMBOL(F_SETLKW, 7)                                                                        \
	SYMBOL(F_SETOWN, 8)                                                                        \
	SYMBOL(F_GETOWN, 9)                                                                        \
	SYMBOL(F_SETSIG, 10)                                                                       \
	SYMBOL(F_GETSIG, 11)                                                                       \
	SYMBOL(F_SETOWN_EX, 15)                                                                    \
	SYMBOL(F_GETOWN_EX, 16)                                                                    \
	SYMBOL(F_OFD_GETLK, 36)                                                                    \
	SYMBOL(F_OFD_SETLK, 37)                                                                    \
	SYMBOL(F_OFD_SETLKW, 38)                                                                   \
	SYMBOL(F_SETLEASE, 1024)                                                                   \
	SYMBOL(F_GETLEASE, 1025)                                                                   \
	SYMBOL(F_NOTIFY, 1026)                                                                     \
	SYMBOL(F_DUPFD_CLOEXEC, 1030)                                                              \
	SYMBOL(F_SETPIPE_SZ, 1031)                                                                 \
	SYMBOL(F_GETPIPE_SZ, 1032)                                                                 \
	SYMBOL(F_ADD_SEALS, 1033)                                                                  \
	SYMBOL(F_GET_SEALS, 1034)

#define SIGNAL_SYMBOLS(SYMBOL)                                                                     \
	SYMBOL(SIGHUP, 1)                                                                          \
	SYMBOL(SIGINT, 2)                                                                          \
	SYMBOL(SIGQUIT, 3)                                                                         \
	SYMBOL(SIGILL, 4)                                                                          \
	SYMBOL(SIGTRAP, 5)                                                                         \
	SYMBOL(SIGABRT, 6)                                                                         \
	SYMBOL(SIGBUS, 7)                                                                          \
	SYMBOL(SIGFPE, 8)                                                                          \
	SYMBOL(SIGKILL, 9)                                                                         \
	SYMBOL(SIGUSR1, 10)                                                                        \
	SYMBOL(SIGSEGV, 11)                                                                        \
	SYMBOL(SIGUSR2, 12)                                                                        \
	SYMBOL(SIGPIPE, 13)                                                                        \
	SYMBOL(SIGALRM, 14)                                                                        \
	SYMBOL(SIGTERM, 15)                                                                        \
	SYMBOL(SIGSTKFLT, 16)                                                                      \
	SYMBOL(SIGCHLD, 17)                                                                        \
	SYMBOL(SIGCONT, 18)                                                                        \
	SYMBOL(SIGSTOP, 19)                                                                        \
	SYMBOL(SIGTSTP, 20)                                                                        \
	SYMBOL(SIGTTIN, 21)                                                                        \
	SYMBOL(SIGTTOU, 22)                                                                        \
	SYMBOL(SIGURG, 23)                                                                         \
	SYMBOL(SIGXCPU, 24)                                                                        \
	SYMBOL(SIGXFSZ, 25)                                                                        \
	SYMBOL(SIGVTALRM, 26)                                                                      \
	SYMBOL(SIGPROF, 27)                                                                        \
	SYMBOL(SIGWINCH, 28)                                                                       \
	SYMBOL(SIGIO, 29)                                                                          \
	SYMBOL(SIGPWR, 30)                                                                         \
	SYMBOL(SIGSYS, 31)

/* Each list, with the word of its kind. */
#define MACHINE_SYMBOLS(KIND)                                                                      \
	KIND(errnum, ERRNUM_SYMBOLS)                                                               \
	KIND(open_flags, OPEN_FLAGS_SYMBOLS)                                                       \
	KIND(map_flags, MAP_FLAGS_SYMBOLS)                                                         \
	KIND(fcntl_cmd, FCNTL_CMD_SYMBOLS)                                                         \
	KIND(signal, SIGNAL_SYMBOLS)

#endif
