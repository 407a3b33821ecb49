/* SPDX-License-Identifier: MIT */
/*
 * kinds.h - what an argument or result means: one row a kind.
 *
 * KIND(name, class, text): `name` is the word written in the catalogue
 * (functions, files ending in .api) and stored in each trace; `class` says how the value is
 * stored (wire.h); `text` is the rule by which readers show it (lib/read/show.c).
 * To add a kind: one row here and, if the wrappers cannot use the capture function of
 * its class, one inline arg_NAME() in lib/record/args.h.
 */
#ifndef RECORDER_FORMAT_KINDS_H
#define RECORDER_FORMAT_KINDS_H

#include <stdbool.h>
#include <stdint.h>

#define STREAM_WITHOUT_FD (-2) /* fmemopen() and the like */

/* A handle that the recorder has not seen being made: the value of a hid and the like. */
#define OBJECT_UNKNOWN (-2)

/* A lock of fcntl(): type, whence, start, length, owner. */
#define FLOCK_WORDS 5

#define FORMAT_KINDS(KIND)                                                                         \
	KIND(none, INT, NONE) /* no result */                                                      \
	/* what is no call: of functions that the program names */                                 \
	KIND(instant, INT, NONE)    /* the first of them: named_is_mark() */                       \
	KIND(counter, INT, NONE)    /* its value is the last argument */                           \
	KIND(sum, INT, NONE)        /* of many calls: sums.h */                                    \
	KIND(span_begin, INT, NONE) /* the same id in an argument of the end, in any thread */     \
	KIND(span_end, INT, NONE)                                                                  \
	KIND(metadata, INT, NONE) /* of the process: a name and its value */                       \
	/* of Python's functions: the call returned, was left by an exception, or goes on later */ \
	KIND(ending, INT, SYMBOL)                                                                  \
	/* what a value of Python is that is no number and no str; absent: None */                 \
	KIND(value, STRING, BARE)                                                                  \
	KIND(truth, INT, TRUTH) /* a bool of Python */                                             \
	/* plain numbers */                                                                        \
	KIND(int, INT, DECIMAL)                                                                    \
	KIND(uint, INT, UNSIGNED)                                                                  \
	KIND(hex, INT, HEX)                                                                        \
	KIND(double, DOUBLE, DOUBLE)                                                               \
	KIND(seconds, DOUBLE, DOUBLE) /* that a clock says; NaN where times are summed */          \
	KIND(bool, INT, DECIMAL)                                                                   \
	KIND(char, INT, DECIMAL)                                                                   \
	KIND(wchar, INT, SYMBOL) /* WEOF by name */                                                \
	KIND(count, INT, DECIMAL)                                                                  \
	KIND(bytes, INT, DECIMAL) /* a size or transferred bytes */                                \
	KIND(offset, INT, DECIMAL)                                                                 \
	KIND(pointer, INT, HEX) /* stored as 0 or 1 unless RECORDER_LOG_POINTER */                 \
	KIND(time, INT, DECIMAL)                                                                   \
	KIND(reading, INT, SYMBOL) /* of a sampler; negative: why there is none */                 \
	KIND(busy, INT, DECIMAL)   /* ticks in the calls of a run, of functions that fold */       \
	/* posix */                                                                                \
	KIND(error, INT, DECIMAL) /* 0 or -1 with errno */                                         \
	KIND(errnum, INT, ERRNO)  /* 0 or an error number as the result */                         \
	KIND(fd, PAIR, FD)                                                                         \
	KIND(dirfd, PAIR, FD)  /* AT_FDCWD by name */                                              \
	KIND(stream, PAIR, FD) /* FILE *: its descriptor and file; -1 for NULL, -2: see above */   \
	KIND(dir, PAIR, FD)    /* DIR *: likewise */                                               \
	KIND(mapped, PAIR, MAPPED) /* the file at an address; -1: none known */                    \
	KIND(fds, ARRAY, DECIMALS)                                                                 \
	KIND(path, STRING, STRING)                                                                 \
	KIND(string, STRING, STRING)                                                               \
	KIND(command, STRING, STRING)  /* for a shell; secrets masked */                           \
	KIND(strings, STRING, STRINGS) /* argv: strings separated by zero bytes */                 \
	KIND(open_flags, INT, FLAGS)                                                               \
	KIND(fd_flags, INT, FLAGS) /* the same without access mode: O_CLOEXEC ... */               \
	KIND(mode, INT, OCTAL)                                                                     \
	KIND(access_mode, INT, FLAGS)                                                              \
	KIND(at_flags, INT, FLAGS)                                                                 \
	KIND(whence, INT, SYMBOL)                                                                  \
	KIND(prot, INT, FLAGS)                                                                     \
	KIND(map_flags, INT, FLAGS)                                                                \
	KIND(advice, INT, SYMBOL)                                                                  \
	KIND(file_advice, INT, SYMBOL)                                                             \
	KIND(fcntl_cmd, INT, SYMBOL)                                                               \
	KIND(flock_op, INT, FLAGS)                                                                 \
	KIND(lockf_cmd, INT, SYMBOL)                                                               \
	/* by the command: the words below, or others */                                           \
	KIND(fcntl_arg, INT, BY_COMMAND)                                                           \
	KIND(fcntl_result, PAIR, BY_COMMAND)                                                       \
	KIND(ioctl_arg, INT, BY_COMMAND)                                                           \
	KIND(flock, ARRAY, FLOCK) /* FLOCK_WORDS */                                                \
	KIND(close_on_exec, INT, FLAGS)                                                            \
	KIND(record_lock, INT, SYMBOL)                                                             \
	KIND(seals, INT, FLAGS)                                                                    \
	KIND(notices, INT, FLAGS)                                                                  \
	KIND(write_hint, INT, SYMBOL)                                                              \
	KIND(ioctl_cmd, INT, HEX_SYMBOL)                                                           \
	KIND(faccessat_flags, INT, FLAGS)                                                          \
	KIND(rw_flags, INT, FLAGS)                                                                 \
	KIND(splice_flags, INT, FLAGS)                                                             \
	KIND(sync_range_flags, INT, FLAGS)                                                         \
	KIND(fallocate_mode, INT, FLAGS)                                                           \
	KIND(rename_flags, INT, FLAGS)                                                             \
	KIND(xattr_flags, INT, FLAGS)                                                              \
	KIND(msync_flags, INT, FLAGS)                                                              \
	KIND(mremap_flags, INT, FLAGS)                                                             \
	KIND(mlock_flags, INT, FLAGS)                                                              \
	KIND(mlockall_flags, INT, FLAGS)                                                           \
	KIND(memfd_flags, INT, FLAGS)                                                              \
	KIND(close_range_flags, INT, FLAGS)                                                        \
	KIND(clone_flags, INT, FLAGS)                                                              \
	KIND(dlopen_flags, INT, FLAGS)                                                             \
	KIND(nftw_flags, INT, FLAGS)                                                               \
	KIND(wait_options, INT, FLAGS)                                                             \
	KIND(statx_mask, INT, FLAGS)                                                               \
	KIND(inotify_mask, INT, FLAGS)                                                             \
	KIND(wait_id, INT, SYMBOL)                                                                 \
	KIND(clock, INT, SYMBOL)                                                                   \
	KIND(buffering, INT, SYMBOL)                                                               \
	KIND(files, ARRAY, FDS) /* each element a descriptor and its FILE: a PAIR */               \
	KIND(polled, ARRAY, FDS)                                                                   \
	KIND(address, STRING, STRING) /* of a socket, as text */                                   \
	KIND(sock_domain, INT, SYMBOL)                                                             \
	KIND(sock_type, INT, FLAGS)                                                                \
	KIND(sock_level, INT, SYMBOL)                                                              \
	KIND(msg_flags, INT, FLAGS)                                                                \
	KIND(shutdown_how, INT, SYMBOL)                                                            \
	KIND(epoll_op, INT, SYMBOL)                                                                \
	KIND(aio_outcome, INT, SYMBOL)                                                             \
	KIND(lio_mode, INT, SYMBOL)                                                                \
	KIND(lio_ops, ARRAY, SYMBOLS)                                                              \
	KIND(iocb_ops, ARRAY, SYMBOLS)                                                             \
	KIND(uring_setup, INT, FLAGS)                                                              \
	KIND(device, INT, DEVICE) /* of stat(2): major and minor number */                         \
	KIND(block_flags, INT, FLAGS)                                                              \
	KIND(writeback_flags, INT, FLAGS)                                                          \
	KIND(fault_flags, INT, FLAGS)                                                              \
	KIND(off_cpu_state, INT, SYMBOL)                                                           \
	KIND(uring_op, INT, SYMBOL)                                                                \
	KIND(sqe_flags, INT, FLAGS)                                                                \
	KIND(uring_ops, ARRAY, SYMBOLS)                                                            \
	KIND(flags, INT, HEX) /* of a word that has no names here */                               \
	KIND(pid, INT, DECIMAL)                                                                    \
	KIND(uid, INT, DECIMAL) /* of a user or group; -1: as it is */                             \
	KIND(signal, INT, SYMBOL)                                                                  \
	KIND(status, INT, DECIMAL) /* exit status */                                               \
	KIND(ints, ARRAY, DECIMALS)                                                                \
	KIND(counts, ARRAY, DECIMALS)                                                              \
	KIND(offsets, ARRAY, DECIMALS)                                                             \
	KIND(parts, ARRAY, DECIMALS) /* bytes of each part of a buffer; their sum is asked for */  \
	/* what has an address and no name: its number in the process, -1 not known */             \
	KIND(aio, INT, NUMBER) /* a request of asynchronous I/O */                                 \
	KIND(aios, ARRAY, DECIMALS)                                                                \
	KIND(aio_context, INT, NUMBER)                                                             \
	KIND(uring, INT, NUMBER)                                                                   \
	KIND(mutex, INT, NUMBER)                                                                   \
	KIND(cond, INT, NUMBER)                                                                    \
	KIND(barrier, INT, NUMBER)                                                                 \
	KIND(rwlock, INT, NUMBER)                                                                  \
	KIND(spinlock, INT, NUMBER)                                                                \
	KIND(semaphore, INT, NUMBER)                                                               \
	KIND(pthread, INT, NUMBER)                                                                 \
	/* mpi: handles are stored as the id of their definition */                                \
	KIND(mpi_error, INT, SYMBOL) /* MPI_SUCCESS or the error class */                          \
	KIND(rank, INT, SYMBOL)      /* in the communicator; negative: MPI_ANY_SOURCE ... */       \
	KIND(ranks, ARRAY, DECIMALS)                                                               \
	KIND(tag, INT, SYMBOL)                                                                     \
	KIND(comm, INT, HANDLE)                                                                    \
	KIND(group, INT, HANDLE)                                                                   \
	KIND(datatype, INT, HANDLE)                                                                \
	KIND(datatypes, ARRAY, HANDLES)                                                            \
	KIND(op, INT, HANDLE)                                                                      \
	KIND(win, INT, HANDLE)                                                                     \
	KIND(info, INT, HANDLE)                                                                    \
	KIND(errhandler, INT, HANDLE)                                                              \
	KIND(session, INT, HANDLE)                                                                 \
	KIND(message, INT, DECIMAL)                                                                \
	KIND(keyval, INT, SYMBOL)                                                                  \
	KIND(mpi_file, PAIR, FD)    /* value: number of the MPI_File, -1 null; id: FILE */         \
	KIND(request, INT, REQUEST) /* number in its process; 0 null, -1 not known */              \
	KIND(requests, ARRAY, DECIMALS)                                                            \
	KIND(mpi_status, ARRAY, STATUSES) /* STATUS_WORDS each: source, tag, bytes, error */       \
	KIND(amode, INT, FLAGS)                                                                    \
	KIND(thread_level, INT, SYMBOL)                                                            \
	KIND(lock_type, INT, SYMBOL)                                                               \
	KIND(mpi_assert, INT, FLAGS)                                                               \
	KIND(mpi_order, INT, SYMBOL)                                                               \
	KIND(mpi_whence, INT, SYMBOL)                                                              \
	KIND(position, INT, DECIMAL) /* byte of a file at which a transfer begins; -1 not known */ \
	KIND(hints, STRING, STRINGS) /* of an MPI_Info: key=value, separated by zero bytes */      \
	KIND(in_place, INT, SYMBOL)  /* of a buffer: 1 for MPI_IN_PLACE */                         \
	KIND(color, INT, SYMBOL)                                                                   \
	KIND(mpi_comparison, INT, SYMBOL)                                                          \
	KIND(mpi_split_type, INT, SYMBOL)                                                          \
	KIND(mpi_combiner, INT, SYMBOL)                                                            \
	KIND(mpi_topology, INT, SYMBOL)                                                            \
	KIND(mpi_typeclass, INT, SYMBOL)                                                           \
	KIND(mpi_count, INT, SYMBOL) /* a count that may be MPI_UNDEFINED */                       \
	KIND(index, INT, SYMBOL)                                                                   \
	/* hdf5: value of a handle that has no name of its own: its number; id: OBJECT */          \
	KIND(herr, INT, DECIMAL) /* negative: failed; else 0, or a count or an answer */           \
	KIND(hid, PAIR, OBJECT)                                                                    \
	KIND(hspace, PAIR, OBJECT)      /* H5S_ALL by name */                                      \
	KIND(hplist, PAIR, OBJECT)      /* H5P_DEFAULT by name */                                  \
	KIND(transferred, INT, DECIMAL) /* bytes that the call moved */                            \
	KIND(transfer_mode, INT, SYMBOL)                                                           \
	KIND(h5_access, INT, FLAGS)                                                                \
	KIND(h5_scope, INT, SYMBOL)                                                                \
	KIND(h5_select, INT, SYMBOL)                                                               \
	KIND(h5_space_class, INT, SYMBOL)                                                          \
	KIND(h5_type_class, INT, SYMBOL)                                                           \
	KIND(h5_layout, INT, SYMBOL)                                                               \
	KIND(h5_id_type, INT, SYMBOL)                                                              \
	/* netcdf and pnetcdf: value of an ncid or varid: its number; id: OBJECT */                \
	KIND(nc_error, INT, SYMBOL)                                                                \
	KIND(ncid, PAIR, NUMBERED)                                                                 \
	KIND(varid, PAIR, NUMBERED)                                                                \
	KIND(nc_type, INT, SYMBOL)                                                                 \
	KIND(nc_mode, INT, FLAGS)                                                                  \
	KIND(nc_access, INT, SYMBOL)

enum kind {
#define KIND(name, class, text) KIND_##name,
	FORMAT_KINDS(KIND)
#undef KIND
		KIND_COUNT
};

/* The words of an mpi_status, and what they say that is no number: doc/format.md section 4. */
#define STATUS_WORDS 4u
#define STATUS_WORD_UNKNOWN (-1)       /* bytes: MPI cannot tell */
#define STATUS_WORD_CANCELLED (-2)     /* bytes: the request was cancelled */
#define STATUS_WORD_UNDEFINED (-32766) /* source, tag, bytes: mean nothing for this operation */

/* Whether a value of this kind, -1 unknown, is a descriptor of the process together with the FILE that it stands for, or a handle of HDF5 with its OBJECT: functions that are called
 * with it one after the other have the same. */
static inline bool kind_is_descriptor(int kind)
{
	return kind == KIND_fd || kind == KIND_dirfd || kind == KIND_stream || kind == KIND_dir ||
	       kind == KIND_fcntl_result || kind == KIND_hid;
}

/* The word of a kind, and its enum arg_class. */
const char *kind_name(enum kind kind);
uint8_t kind_class(enum kind kind);
/* The kind of that name; -1: none, it is of a later version. */
int kind_find(const char *name);

#endif
