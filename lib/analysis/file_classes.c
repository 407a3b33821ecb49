/* SPDX-License-Identifier: MIT */
/* file_classes.c - see file_classes.h; the names of classes, see recorder/analysis.h */
#include "analysis/file_classes.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "format/affixes.h"

/* ---- by path ---- */

static bool lies_in(const char *path, const char *folders)
{
	while (*folders) {
		size_t length = strcspn(folders, " ");

		if (!strncmp(path, folders, length) && (path[length] == '/' || !path[length]))
			return true;
		folders += length + (folders[length] == ' ');
	}
	return false;
}

static const char *last_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* What Open MPI, PMIx, MPICH and what they send by make for themselves in /dev/shm and /tmp, and where the first two look for more of themselves. */
static bool is_of_mpi(const char *path, const char *name)
{
	static const char *const names[] = {"vader_segment.", "sm_segment.", "open_mpi.",
					    "osc_rdma.",      "osc_sm.",     "coll-sm-cid-",
					    "ucx_shm_",       "psm2_shm.",   "Intel_MPI_"};
	static const char *const folders[] = {"/ompi.",      "/openmpi-sessions-", "/pmix-",
					      "/pmix_dstor", "/mpich_shar_tmp",    "/.openmpi/",
					      "/.pmix/"};

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (name_begins_with(name, names[i]))
			return true;
	for (path = strchr(path, '/'); path; path = strchr(path + 1, '/'))
		for (unsigned i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
			if (name_begins_with(path, folders[i]))
				return true;
	return false;
}

/* What the kernel saw the library do. */
static bool is_of_traces(const char *name)
{
	if (!strcmp(name, "recorder.gm"))
		return true;
	return isdigit((unsigned char)*name) && (!fnmatch("[0-9]*.*.[0-9]*.lm", name, 0) ||
						 !fnmatch("[0-9]*.*.[0-9]*.rec", name, 0));
}

static bool is_software(const char *name)
{
	static const char *const suffixes[] = {".so", ".py", ".pyc", ".pth", ".conf"};

	for (unsigned i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		if (name_ends_in(name, suffixes[i]))
			return true;
	return strstr(name, ".so.") || !strcmp(name, "pyvenv.cfg");
}

enum analysis_file_class file_class_of_path(const char *path)
{
	const char *name = last_name(path);

	if (!strcmp(path, "pipe"))
		return ANALYSIS_PIPE;
	if (!strcmp(path, "socket"))
		return ANALYSIS_SOCKET;
	if (name_begins_with(path, "anon_inode:") || is_of_mpi(path, name) || is_of_traces(name))
		return ANALYSIS_SYSTEM;
	if (lies_in(path, "/dev/shm") && strcmp(path, "/dev/shm") != 0)
		return ANALYSIS_DATA;
	if (lies_in(path, "/proc /sys /dev /run /var/run"))
		return ANALYSIS_SYSTEM;
	if (lies_in(path, "/usr /lib /lib32 /lib64 /bin /sbin /etc /opt") || is_software(name))
		return ANALYSIS_SOFTWARE;
	return ANALYSIS_DATA;
}

enum analysis_file_class file_class_of_type(enum analysis_file_class place, uint32_t type)
{
	if (type == S_IFIFO || place == ANALYSIS_PIPE)
		return ANALYSIS_PIPE;
	if (type == S_IFSOCK || place == ANALYSIS_SOCKET)
		return ANALYSIS_SOCKET;
	return type == S_IFCHR || type == S_IFBLK ? ANALYSIS_SYSTEM : place;
}

enum analysis_file_class file_class(const char *path, uint32_t type)
{
	return file_class_of_type(file_class_of_path(path), type);
}

/* ---- names ---- */

const char *analysis_file_class_name(enum analysis_file_class class_)
{
	static const char *const names[ANALYSIS_FILE_CLASSES] = {
		[ANALYSIS_DATA] = "data",     [ANALYSIS_SOFTWARE] = "software",
		[ANALYSIS_SYSTEM] = "system", [ANALYSIS_PIPE] = "pipe",
		[ANALYSIS_SOCKET] = "socket",
	};

	return (unsigned)class_ < ANALYSIS_FILE_CLASSES ? names[class_] : "";
}

static unsigned class_set_of(const char *name, size_t size)
{
	for (unsigned i = 0; i < ANALYSIS_FILE_CLASSES; i++) {
		const char *known = analysis_file_class_name((enum analysis_file_class)i);

		if (strlen(known) == size && !strncmp(known, name, size))
			return 1u << i;
	}
	return size == 3 && !strncmp(name, "all", size) ? (1u << ANALYSIS_FILE_CLASSES) - 1 : 0;
}

unsigned analysis_file_class_set(const char *names)
{
	unsigned set = 0;

	for (;;) {
		size_t size = strcspn(names, ",");
		unsigned found = class_set_of(names, size);

		if (!found)
			return 0;
		set |= found;
		if (!names[size])
			return set;
		names += size + 1;
	}
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(files_have_classes)
{
	EXPECT_EQ(file_class("/scratch/out.0", S_IFREG), ANALYSIS_DATA);
	EXPECT_EQ(file_class("/scratch/none", 0), ANALYSIS_DATA);
	EXPECT_EQ(file_class("/dev/shm/x", S_IFREG), ANALYSIS_DATA);
	EXPECT_EQ(file_class("/dev/shm", S_IFDIR), ANALYSIS_SYSTEM);
	EXPECT_EQ(file_class("/dev/shm/vader_segment.vm.0.5f3b0001.2", S_IFREG), ANALYSIS_SYSTEM);
	EXPECT_EQ(file_class("/dev/shm/osc_rdma.vm.478a0001.19", S_IFREG), ANALYSIS_SYSTEM);
	EXPECT_EQ(file_class("/home/me/.openmpi/components", S_IFDIR), ANALYSIS_SYSTEM);
	EXPECT_EQ(file_class("/home/me/.pmix/components", 0), ANALYSIS_SYSTEM);
	EXPECT_EQ(file_class("/home/me/.pmix", 0), ANALYSIS_DATA);
	EXPECT_EQ(file_class("/tmp/ompi.vm.0/pid.1/pmix_dstor_ds21_1/seg", S_IFREG),
		  ANALYSIS_SYSTEM);
	EXPECT_EQ(file_class("/home/me/trace/0.n17.4711.lm", S_IFREG), ANALYSIS_SYSTEM);
	EXPECT_EQ(file_class("/home/me/trace/notes.rec", S_IFREG), ANALYSIS_DATA);
	EXPECT_EQ(file_class("/usr", S_IFDIR), ANALYSIS_SOFTWARE);
	EXPECT_EQ(file_class("/usrlocal/data", S_IFREG), ANALYSIS_DATA);
	EXPECT_EQ(file_class("/home/me/lib/libx.so.3", S_IFREG), ANALYSIS_SOFTWARE);
	EXPECT_EQ(file_class("/home/me/train.py", S_IFREG), ANALYSIS_SOFTWARE);
	EXPECT_EQ(file_class("/home/me/sop", S_IFREG), ANALYSIS_DATA);
	EXPECT_EQ(file_class("/dev/null", S_IFCHR), ANALYSIS_SYSTEM);
	EXPECT_EQ(file_class("/proc/self/maps", S_IFREG), ANALYSIS_SYSTEM);
	EXPECT_EQ(file_class("anon_inode:[eventpoll]", 0), ANALYSIS_SYSTEM);
	EXPECT_EQ(file_class("of/a/folder/unknown", 0), ANALYSIS_DATA);
	EXPECT_EQ(file_class("pipe", 0), ANALYSIS_PIPE);
	EXPECT_EQ(file_class("/tmp/fifo", S_IFIFO), ANALYSIS_PIPE);
	EXPECT_EQ(file_class("socket", 0), ANALYSIS_SOCKET);
}
#endif
