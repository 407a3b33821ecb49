/* SPDX-License-Identifier: MIT */
/* program_mpi.c - see program_mpi.h */
#include "program_mpi.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program.h"

#define WORDS_MAX 64    /* of a command that are looked at */
#define PROGRAMS_MAX 8u /* programs among them */
#define MARK "ompi_mpi_comm_world"

extern char **environ;

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

/* A line of what the dynamic linker lists: "\tNAME => PATH (ADDRESS)", "\tNAME => not found", "\tPATH (ADDRESS)". */
static const char *judge_line(char *line)
{
	static const char *const libraries[] = {"libmpi.so*",      "libmpi_cray*.so*",
						"libmpi_gnu*.so*", "libmpi_intel*.so*",
						"libmpich.so*",    "libmpich_*.so*",
						"libmpi_mt*.so*",  NULL};
	char *name = line + strspn(line, " \t"), *arrow = strstr(name, " => "),
	     *address = strstr(name, " (0x"), *path = arrow ? arrow + 4 : name;

	if (arrow)
		*arrow = '\0';
	if (address)
		*address = '\0';
	if (!matches(libraries, program_base(name)))
		return NULL;
	if (*path == '/' && !access(path, R_OK))
		return has_mark(path) ? "openmpi" : "mpich";
	return judge_name(program_base(name));
}

/* The descriptor that the linker's list of a program's libraries can be read from; -1: it cannot be asked. */
static int list_libraries(const char *loader, const char *path, pid_t *child)
{
	char *const argv[] = {(char *)loader, (char *)"--list", (char *)path, NULL};
	posix_spawn_file_actions_t actions;
	int ends[2], error;

	if (pipe2(ends, O_CLOEXEC))
		return -1;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	error = posix_spawn(child, loader, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	if (!error)
		return ends[0];
	close(ends[0]);
	return -1;
}

static const char *mpi_of_libraries(const char *loader, const char *path)
{
	const char *mpi = NULL;
	char *line = NULL;
	size_t size = 0;
	pid_t child;
	FILE *list;
	int fd = list_libraries(loader, path, &child);

	if (fd < 0)
		return NULL;
	list = fdopen(fd, "r");
	while (list && getline(&line, &size, list) > 0)
		if (!mpi) {
			line[strcspn(line, "\n")] = '\0';
			mpi = judge_line(line);
		}
	free(line);
	if (list)
		fclose(list);
	else
		close(fd);
	waitpid(child, NULL, 0);
	return mpi;
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

/*
 * Whether its linker may be asked. The command itself runs in any case, and so does its linker; a file that is merely named must not make
 * us run anything but what runs us.
 */
static bool may_ask(const struct program_facts *facts, bool runs)
{
	struct program_facts own;

	if (facts->untraced || !*facts->loader)
		return false;
	return runs ||
	       (!program_read("/proc/self/exe", &own) && !strcmp(facts->loader, own.loader));
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
		if (!program_read(program, &facts) && may_ask(&facts, i == 0))
			mpi = mpi_of_libraries(facts.loader, program);
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
	char line[128];

	snprintf(line, sizeof(line), "%s", text);
	return judge_line(line);
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
