/* SPDX-License-Identifier: MIT */
/* program_mpi.c - see program_mpi.h */
#include "program_mpi.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "linked.h"
#include "program.h"

#define WORDS_MAX 64    /* of a command that are looked at */
#define PROGRAMS_MAX 8u /* programs among them */
#define MARK "ompi_mpi_comm_world"

static bool matches(const char *const patterns[], const char *name)
{
	for (; *patterns; patterns++)
		if (!fnmatch(*patterns, name, 0))
			return true;
	return false;
}

/* Libraries ------------------------------------------------------------------------ */

/* Whether a library defines what Open MPI alone has: MPICH and its relatives may have its name. */
static bool has_mark(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat status;
	bool found = false;
	void *bytes;

	if (fd < 0)
		return false;
	if (!fstat(fd, &status) && S_ISREG(status.st_mode) && status.st_size > 0) {
		bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (bytes != MAP_FAILED) {
			found = memmem(bytes, (size_t)status.st_size, MARK, sizeof(MARK)) != NULL;
			munmap(bytes, (size_t)status.st_size);
		}
	}
	close(fd);
	return found;
}

/* Of a library that is not there: before it was 20, Open MPI had the numbers 0, 1 and 12, and 12 is everybody else's. */
static const char *judge_name(const char *name)
{
	static const char *const open_mpi[] = {"libmpi.so.[2-9]?", "libmpi.so.[01]", NULL};

	return matches(open_mpi, name) ? "openmpi" : "mpich";
}

static const char *judge(const char *name, const char *path)
{
	static const char *const libraries[] = {"libmpi.so*",      "libmpi_cray*.so*",
						"libmpi_gnu*.so*", "libmpi_intel*.so*",
						"libmpich.so*",    "libmpich_*.so*",
						"libmpi_mt*.so*",  NULL};

	if (!matches(libraries, program_base(name)))
		return NULL;
	if (*path == '/' && !access(path, R_OK))
		return has_mark(path) ? "openmpi" : "mpich";
	return judge_name(program_base(name));
}

static void look_at_library(void *data, const char *name, const char *path)
{
	const char **mpi = data;

	if (!*mpi)
		*mpi = judge(name, path);
}

/* Launchers ------------------------------------------------------------------------ */

/* `mpirun` is a link to what it is. */
static const char *mpi_of_launcher(const char *path)
{
	static const char *const open_mpi[] = {"orterun",        "prte*",           "prun",
					       "mpirun.openmpi", "mpiexec.openmpi", NULL};
	static const char *const mpich[] = {"mpiexec.hydra", "mpiexec.gforker", "mpirun.mpich",
					    "mpiexec.mpich", NULL};
	char real[PATH_MAX];

	if (!realpath(path, real))
		return NULL;
	if (matches(open_mpi, program_base(real)))
		return "openmpi";
	return matches(mpich, program_base(real)) ? "mpich" : NULL;
}

static const char *mpi_of_job(void)
{
	if (getenv("OMPI_COMM_WORLD_SIZE"))
		return "openmpi";
	return getenv("HYDI_CONTROL_FD") ? "mpich" : NULL;
}

/* Options, values and numbers are no programs. */
static bool is_program(const char *word, char path[PATH_MAX])
{
	return *word != '-' && !strchr(word, '=') && !program_find(word, path, PATH_MAX);
}

const char *program_mpi(char *const argv[], char program[PATH_MAX])
{
	const char *launcher = NULL, *mpi = NULL;
	struct program_facts facts;
	unsigned programs = 0;

	for (unsigned i = 0; argv[i] && i < WORDS_MAX && programs < PROGRAMS_MAX; i++) {
		if (!is_program(argv[i], program))
			continue;
		programs++;
		if (!launcher)
			launcher = mpi_of_launcher(program);
		if (!program_read(program, &facts) && linked_may_ask(&facts, i == 0))
			linked_each(facts.loader, program, look_at_library, &mpi);
		if (mpi)
			return mpi;
	}
	*program = '\0';
	return launcher ? launcher : mpi_of_job();
}

#ifdef UNIT_TEST
#include "unittest.h"

static const char *judged(const char *text)
{
	const char *name, *path;
	char line[128];

	snprintf(line, sizeof(line), "%s", text);
	linked_read(line, &name, &path);
	return judge(name, path);
}

TEST_CASE(an_mpi_is_known_by_the_libraries_that_are_listed)
{
	EXPECT(!judged("	linux-vdso.so.1 (0x00007ffd)"));
	EXPECT(!judged("	libmpi_cxx.so.40 => not found"));
	EXPECT(!judged("	libc.so.6 => /lib/libc.so.6 (0x00007f17)"));
	EXPECT(!judged(""));
	EXPECT(!judged("	 => "));
	EXPECT_STR(judged("	libmpi.so.40 => not found"), "openmpi");
	EXPECT_STR(judged("	libmpi.so.12 => not found"), "mpich");
	EXPECT_STR(judged("	libmpich.so.12 => /no/such (0x0)"), "mpich");
	EXPECT_STR(judged("	/a b/libmpi.so.20 (0x00007f17)"), "openmpi");
}

TEST_CASE(what_needs_no_mpi_is_of_none)
{
	char *const argv[] = {(char *)"env",
			      (char *)"A=B",
			      (char *)"-x",
			      (char *)"/no/such",
			      (char *)"/proc/self/exe",
			      NULL};
	char program[PATH_MAX];

	unsetenv("OMPI_COMM_WORLD_SIZE");
	unsetenv("HYDI_CONTROL_FD");
	EXPECT(!program_mpi(argv, program));
	EXPECT_STR(program, "");
}
#endif
