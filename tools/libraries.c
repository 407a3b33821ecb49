/* SPDX-License-Identifier: MIT */
/* libraries.c - see libraries.h */
#include "libraries.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "program.h"

static const struct {
	const char *mpi, *name;
} kinds[] = {{"openmpi", "Open MPI"}, {"mpich", "MPICH"}, {"nompi", "no MPI"}};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))
#define KINDS_OF_MPI (KINDS - 1) /* nobody asks for the last one */

static const char *asked;

static int ask(const char *mpi)
{
	for (size_t i = 0; i < KINDS_OF_MPI; i++)
		if (!strcmp(mpi, kinds[i].mpi)) {
			asked = kinds[i].mpi;
			return 0;
		}
	return -EINVAL;
}

const struct option_row option_rows_mpi[] = {
	{OPTION_CALL, 0, "mpi", "MPI", "the program's MPI, if it cannot be told: openmpi, mpich",
	 NULL, ask},
	OPTION_ROWS_END,
};

const char *library_asked(void)
{
	return asked;
}

const char *library_mpi_name(const char *mpi)
{
	for (size_t i = 0; i < KINDS; i++)
		if (!strcmp(mpi, kinds[i].mpi))
			return kinds[i].name;
	return mpi;
}

/* Places -------------------------------------------------------------------------- */

/* The folder where libraries were installed, as seen from the folder of the programs: "../lib/x86_64-linux-gnu". */
static const char *relative_libdir(void)
{
	static const char libdir[] = RECORDER_LIBDIR, bindir[] = RECORDER_BINDIR;
	static char path[PATH_MAX];
	size_t same = 0;

	/* the common part of both, in whole words */
	for (size_t i = 0; libdir[i] && libdir[i] == bindir[i]; i++)
		if (libdir[i] == '/')
			same = i + 1;
	snprintf(path, sizeof(path), "../%s", libdir + same);
	return strchr(bindir + same, '/') ? "../lib" : path;
}

/* The path of the library in `folder`, without its links: libtool's own name is a link, and is to stay. */
static bool library_in(const char *folder, char path[PATH_MAX])
{
	static const char name[] = "/librecorder.so";
	size_t length;

	if (!realpath(folder, path))
		return false;
	length = strlen(path);
	if (length + sizeof(name) > PATH_MAX)
		return false;
	memcpy(path + length, name, sizeof(name));
	return !access(path, R_OK);
}

static bool library_of(const char *libdir, const char *mpi, char path[PATH_MAX])
{
	char folder[2 * PATH_MAX + 32];

	snprintf(folder, sizeof(folder), "%s/recorder/%s", libdir, mpi);
	return library_in(folder, path);
}

/* By the folder that it really lies in; elsewhere it is the one of this build. */
static const char *mpi_of(const char *path)
{
	char real[PATH_MAX];
	char *slash;

	if (!realpath(path, real))
		return RECORDER_MPI;
	slash = strrchr(real, '/');
	*slash = '\0';
	for (size_t i = 0; i < KINDS; i++)
		if (!strcmp(program_base(real), kinds[i].mpi))
			return kinds[i].mpi;
	return RECORDER_MPI;
}

static bool find_in(const char *libdir, const char *mpi, struct library *library)
{
	bool found = mpi && library_of(libdir, mpi, library->path);

	if (!found)
		found = library_in(libdir, library->path);
	for (size_t i = 0; !found && i < KINDS; i++)
		found = library_of(libdir, kinds[i].mpi, library->path);
	if (found)
		library->mpi = mpi_of(library->path);
	return found;
}

static bool find(const char *mpi, struct library *library)
{
	const char *const places[] = {"../.libs", "../../.libs", relative_libdir(),
				      RECORDER_LIBDIR};
	char self[PATH_MAX], libdir[2 * PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);

	self[length > 0 ? length : 0] = '\0';
	if (strrchr(self, '/'))
		*strrchr(self, '/') = '\0';
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		snprintf(libdir, sizeof(libdir), "%s%s%s", *places[i] == '/' ? "" : self,
			 *places[i] == '/' ? "" : "/", places[i]);
		if (find_in(libdir, mpi, library))
			return true;
	}
	return false;
}

void library_find(const char *mpi, struct library *library)
{
	if (!find(asked ? asked : mpi, library))
		die("librecorder.so is neither in '%s' nor beside this program", RECORDER_LIBDIR);
	if (asked && strcmp(library->mpi, asked) != 0)
		die("there is no librecorder.so for %s; %s is for %s", library_mpi_name(asked),
		    library->path, library_mpi_name(library->mpi));
	if (strpbrk(library->path, " :"))
		die("'%s' cannot be preloaded: LD_PRELOAD allows no blank and no colon",
		    library->path);
}
