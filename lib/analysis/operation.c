/* SPDX-License-Identifier: MIT */
/* operation.c - see operation.h */
#include "analysis/operation.h"

#include <fnmatch.h>
#include <stddef.h>
#include <string.h>

/* The first row whose layer is that of a function and of whose patterns, separated by blanks, one is its name. */
struct operation_row {
	const char *layer;
	enum analysis_operation operation;
	const char *patterns;
};

static const struct operation_row rows[] = {
	{"posix", ANALYSIS_READ,
	 "read __read_chk pread __pread_chk readv preadv preadv2 aio_read* eventfd_read"},
	{"posix", ANALYSIS_WRITE,
	 "write pwrite writev pwritev pwritev2 aio_write* eventfd_write vmsplice"},
	{"posix", ANALYSIS_COPY, "sendfile copy_file_range splice tee"},
	{"posix", ANALYSIS_OPEN,
	 "open __open_2 openat __openat_2 creat shm_open posix_openpt getpt open_by_handle_at "
	 "memfd_create eventfd "
	 "epoll_create* inotify_init* signalfd timerfd_create pipe pipe2 mk*temp* dup dup2 dup3 "
	 "opendir fdopendir"},
	{"posix", ANALYSIS_CLOSE, "close close_range closefrom closedir"},
	{"posix", ANALYSIS_SEEK, "lseek rewinddir seekdir telldir"},
	{"posix", ANALYSIS_SYNC, "fsync fdatasync sync syncfs sync_file_range msync aio_fsync*"},
	{"posix", ANALYSIS_COMPLETION,
	 "aio_* lio_listio* io_submit io_getevents io_pgetevents io_cancel io_uring_enter "
	 "io_uring_submit* "
	 "io_uring_get_events __io_uring_get_cqe io_uring_wait* io_uring_peek*"},
	{"posix", ANALYSIS_MAP,
	 "mmap munmap mremap mprotect madvise posix_madvise mincore mlock* munlock* "
	 "remap_file_pages"},
	{"posix", ANALYSIS_PROCESS,
	 "fork _Fork vfork daemon exec* fexecve posix_spawn* system wait wait3 wait4 waitpid "
	 "waitid kill killpg exit "
	 "quick_exit _exit abort dlopen dlmopen dlclose"},
	{"posix", ANALYSIS_OTHER,
	 "umask dirfd io_setup io_destroy io_uring_setup io_uring_register io_uring_queue*"},
	{"posix", ANALYSIS_METADATA, "*"},
	{"kernel", ANALYSIS_READ, "read pread64 readv preadv preadv2"},
	{"kernel", ANALYSIS_WRITE, "write pwrite64 writev pwritev pwritev2 vmsplice"},
	{"kernel", ANALYSIS_COPY, "sendfile copy_file_range splice tee"},
	{"kernel", ANALYSIS_OPEN,
	 "open openat openat2 creat open_by_handle_at memfd_create eventfd eventfd2 epoll_create* "
	 "inotify_init* "
	 "signalfd* timerfd_create pipe pipe2 dup dup2 dup3"},
	{"kernel", ANALYSIS_CLOSE, "close close_range"},
	{"kernel", ANALYSIS_SEEK, "lseek"},
	{"kernel", ANALYSIS_SYNC, "fsync fdatasync sync syncfs sync_file_range msync"},
	{"kernel", ANALYSIS_COMPLETION,
	 "io_submit io_getevents io_pgetevents io_cancel io_uring_enter"},
	{"kernel", ANALYSIS_MAP,
	 "mmap munmap mremap mprotect madvise mincore mlock* munlock* remap_file_pages brk"},
	{"kernel", ANALYSIS_PROCESS,
	 "fork vfork clone clone3 execve execveat wait4 waitid kill tkill tgkill exit exit_group"},
	{"kernel", ANALYSIS_METADATA,
	 "stat fstat lstat newfstatat statx statfs fstatfs access faccessat* mkdir* rmdir unlink* "
	 "rename* link* "
	 "symlink* readlink* chmod fchmod* chown fchown* lchown utime* futimesat truncate "
	 "ftruncate fallocate "
	 "getdents* chdir fchdir chroot *xattr* mknod* fcntl flock fadvise64 readahead ioctl"},
	{"stdio", ANALYSIS_OPEN,
	 "fopen freopen fdopen tmpfile fmemopen open_memstream open_wmemstream fopencookie popen"},
	{"stdio", ANALYSIS_CLOSE, "fclose fcloseall pclose"},
	{"stdio", ANALYSIS_READ,
	 "fread __fread_chk fget*c fgets __fgets_chk gets __gets_chk get*c getchar getwchar getw "
	 "getline getdelim __uflow "
	 "fgetws __fgetws_chk *scanf"},
	{"stdio", ANALYSIS_WRITE,
	 "fwrite fput* puts put*c putchar putwchar putw __overflow perror *printf *printf_chk"},
	{"stdio", ANALYSIS_SEEK, "fseek* ftell* rewind fgetpos* fsetpos* ungetc ungetwc"},
	{"stdio", ANALYSIS_SYNC, "fflush"},
	{"stdio", ANALYSIS_METADATA, "remove"},
	{"mpiio", ANALYSIS_OPEN, "MPI_File_open"},
	{"mpiio", ANALYSIS_CLOSE, "MPI_File_close"},
	{"mpiio", ANALYSIS_READ, "MPI_File_read* MPI_File_iread*"},
	{"mpiio", ANALYSIS_WRITE, "MPI_File_write* MPI_File_iwrite*"},
	{"mpiio", ANALYSIS_SEEK, "MPI_File_seek* MPI_File_get_position*"},
	{"mpiio", ANALYSIS_SYNC, "MPI_File_sync"},
	{"mpiio", ANALYSIS_METADATA,
	 "MPI_File_delete MPI_File_get_size MPI_File_set_size MPI_File_preallocate "
	 "MPI_File_set_view"},
	{"hdf5", ANALYSIS_READ, "H5Dread* H5Aread"},
	{"hdf5", ANALYSIS_WRITE, "H5Dwrite* H5Awrite"},
	{"hdf5", ANALYSIS_OPEN, "H5Fopen H5Fcreate H5Freopen"},
	{"hdf5", ANALYSIS_CLOSE, "H5Fclose"},
	{"hdf5", ANALYSIS_SYNC, "H5Fflush H5Dflush H5Gflush H5Oflush H5Tflush"},
	{"hdf5", ANALYSIS_METADATA, "H5[ADFGLOR]*"},
	{"netcdf", ANALYSIS_READ, "nc_get_var*"},
	{"netcdf", ANALYSIS_WRITE, "nc_put_var*"},
	{"netcdf", ANALYSIS_OPEN, "nc_open* nc_create* nc__open* nc__create*"},
	{"netcdf", ANALYSIS_CLOSE, "nc_close* nc_abort"},
	{"netcdf", ANALYSIS_SYNC, "nc_sync"},
	{"netcdf", ANALYSIS_METADATA, "nc_*"},
	{"pnetcdf", ANALYSIS_READ, "ncmpi_get_var* ncmpi_mget_var* ncmpi_iget_var*"},
	{"pnetcdf", ANALYSIS_WRITE,
	 "ncmpi_put_var* ncmpi_mput_var* ncmpi_iput_var* ncmpi_bput_var*"},
	{"pnetcdf", ANALYSIS_COMPLETION, "ncmpi_wait* ncmpi_cancel"},
	{"pnetcdf", ANALYSIS_OPEN, "ncmpi_open ncmpi_create"},
	{"pnetcdf", ANALYSIS_CLOSE, "ncmpi_close ncmpi_abort"},
	{"pnetcdf", ANALYSIS_SYNC, "ncmpi_sync* ncmpi_flush"},
	{"pnetcdf", ANALYSIS_METADATA, "ncmpi_*"},
	{"mpi", ANALYSIS_OTHER, "*_init MPI_Psend_init* MPI_Precv_init* MPI_Reduce_local"},
	{"mpi", ANALYSIS_POINT_TO_POINT,
	 "MPI_Send* MPI_Bsend MPI_Ssend MPI_Rsend MPI_Isend* MPI_Ibsend MPI_Issend MPI_Irsend "
	 "MPI_Recv MPI_Irecv MPI_Mrecv "
	 "MPI_Imrecv MPI_Pready*"},
	{"mpi", ANALYSIS_COMPLETION,
	 "MPI_Wait* MPI_Test MPI_Testall MPI_Testany MPI_Testsome MPI_Request_get_status MPI_Probe "
	 "MPI_Iprobe MPI_Mprobe "
	 "MPI_Improbe MPI_Start MPI_Startall MPI_Parrived"},
	{"mpi", ANALYSIS_ONE_SIDED,
	 "MPI_Accumulate MPI_Compare_and_swap MPI_Fetch_and_op MPI_Get MPI_Get_accumulate MPI_Put "
	 "MPI_Raccumulate MPI_Rget "
	 "MPI_Rget_accumulate MPI_Rput MPI_Win_complete MPI_Win_fence MPI_Win_flush* MPI_Win_lock* "
	 "MPI_Win_post "
	 "MPI_Win_start MPI_Win_sync MPI_Win_test MPI_Win_unlock* MPI_Win_wait"},
	{"mpi", ANALYSIS_COLLECTIVE,
	 "MPI_Barrier MPI_Ibarrier MPI_Bcast MPI_Ibcast MPI_*gather MPI_*gatherv MPI_*reduce "
	 "MPI_*reduce_scatter* "
	 "MPI_*alltoall MPI_*alltoallv MPI_*alltoallw MPI_*scan MPI_*scatter MPI_*scatterv "
	 "MPI_Reduce* MPI_Gather* "
	 "MPI_Scatter* MPI_Scan MPI_Allgather* MPI_Allreduce MPI_Alltoall*"},
	{"net", ANALYSIS_READ, "recv* __recv*"},
	{"net", ANALYSIS_WRITE, "send*"},
	{"net", ANALYSIS_COMPLETION,
	 "poll __poll_chk ppoll __ppoll_chk select pselect epoll_*wait*"},
};

#define ROW_COUNT (sizeof(rows) / sizeof(rows[0]))
#define PATTERN_MAX 64u

static bool is_one_of(const char *patterns, const char *name)
{
	char pattern[PATTERN_MAX];

	while (*patterns) {
		size_t length = strcspn(patterns, " ");

		if (length > 0 && length < sizeof(pattern)) {
			memcpy(pattern, patterns, length);
			pattern[length] = '\0';
			if (!fnmatch(pattern, name, 0))
				return true;
		}
		patterns += length + (patterns[length] == ' ');
	}
	return false;
}

/* MPI_Send_c of MPI-4 does what MPI_Send does. */
static void without_count_suffix(const char *name, char plain[PATTERN_MAX])
{
	size_t length = strlen(name);

	if (length > 6 && !strncmp(name, "MPI_", 4) && !strcmp(name + length - 2, "_c"))
		length -= 2;
	if (length >= PATTERN_MAX)
		length = PATTERN_MAX - 1;
	memcpy(plain, name, length);
	plain[length] = '\0';
}

enum analysis_operation operation_of(const char *layer, const char *function)
{
	char plain[PATTERN_MAX];

	without_count_suffix(function, plain);
	for (size_t i = 0; i < ROW_COUNT; i++)
		if (!strcmp(rows[i].layer, layer) && is_one_of(rows[i].patterns, plain))
			return rows[i].operation;
	return ANALYSIS_OTHER;
}

bool operation_asks(const char *function)
{
	return is_one_of("*stat* *access* *readlink* *realpath* canonicalize_file_name "
			 "*getxattr *listxattr *getcwd* getwd get_current_dir_name "
			 "MPI_File_get_* H5*get_* H5*exists* H5Fis_* nc_inq* ncmpi_inq*",
			 function);
}

enum analysis_use operation_layer_use(const char *layer)
{
	static const char *const storage[] = {"posix",  "stdio",   "mpiio", "hdf5",
					      "netcdf", "pnetcdf", "kernel"};

	for (size_t i = 0; i < sizeof(storage) / sizeof(storage[0]); i++)
		if (!strcmp(layer, storage[i]))
			return ANALYSIS_USE_STORAGE;
	return !strcmp(layer, "mpi") ? ANALYSIS_USE_MESSAGES : ANALYSIS_USE_OTHER;
}

enum analysis_use operation_use(const char *layer, enum analysis_operation operation)
{
	enum analysis_use use = operation_layer_use(layer);

	if (use != ANALYSIS_USE_STORAGE)
		return use;
	if (operation == ANALYSIS_PROCESS)
		return ANALYSIS_USE_OTHER;
	if (!strcmp(layer, "kernel") && (operation == ANALYSIS_OTHER || operation == ANALYSIS_MAP))
		return ANALYSIS_USE_OTHER;
	return use;
}

bool operation_layer_is_aside(const char *layer)
{
	static const char *const aside[] = {"block", "iouring", "writeback", "pagecache",
					    "fault", "ext4",    "xfs",       "sched"};

	for (size_t i = 0; i < sizeof(aside) / sizeof(aside[0]); i++)
		if (!strcmp(layer, aside[i]))
			return true;
	return false;
}

enum layer_height operation_layer_height(const char *layer)
{
	if (operation_layer_use(layer) != ANALYSIS_USE_STORAGE)
		return HEIGHT_NONE;
	if (!strcmp(layer, "posix") || !strcmp(layer, "stdio") || !strcmp(layer, "kernel"))
		return HEIGHT_SYSTEM;
	return !strcmp(layer, "mpiio") ? HEIGHT_MPIIO : HEIGHT_ABOVE;
}

static const char *const names[] = {
	[ANALYSIS_OTHER] = "other",
	[ANALYSIS_OPEN] = "open",
	[ANALYSIS_CLOSE] = "close",
	[ANALYSIS_READ] = "read",
	[ANALYSIS_WRITE] = "write",
	[ANALYSIS_COPY] = "copy",
	[ANALYSIS_SEEK] = "seek",
	[ANALYSIS_SYNC] = "sync",
	[ANALYSIS_METADATA] = "metadata",
	[ANALYSIS_MAP] = "map",
	[ANALYSIS_PROCESS] = "process",
	[ANALYSIS_COMPLETION] = "completion",
	[ANALYSIS_POINT_TO_POINT] = "point-to-point",
	[ANALYSIS_COLLECTIVE] = "collective",
	[ANALYSIS_ONE_SIDED] = "one-sided",
};

const char *analysis_operation_name(enum analysis_operation operation)
{
	return (unsigned)operation < ANALYSIS_OPERATIONS ? names[operation] : names[ANALYSIS_OTHER];
}
