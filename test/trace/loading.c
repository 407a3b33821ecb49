/* SPDX-License-Identifier: MIT */
/*
 * Libraries that are opened by name. The loader looks for them from where dlopen() is called: `outer` has a RUNPATH by which it finds
 * `inner`, the program has not.
 */
#include "expect.h"

#include <dlfcn.h>
#include <sys/stat.h>

typedef void *open_fn(const char *file);

static void plug(const char *name, const char *folder)
{
	char from[1024], to[1024];

	snprintf(from, sizeof(from), "%s/%s", LIBRARIES, name);
	snprintf(to, sizeof(to), "%s/%s", folder, name);
	if (bare(SYS_symlinkat, from, AT_FDCWD, to))
		abort();
}

static void closing(void *handle, const char *file)
{
	expect("0 posix dlclose(handle=0x1, file=\"%s\") = %d", file, dlclose(handle));
}

/* What the outer library opens, and where that was found. */
static void from_outside(open_fn *outer_open, const char *name, const char *found)
{
	void *handle = outer_open(name);

	expect("0 posix dlopen(file=\"%s\", flags=RTLD_NOW) = ?", name);
	if (!handle)
		abort();
	closing(handle, found);
}

static void failing(void)
{
	void *handle = dlopen("inner.so", RTLD_LAZY | RTLD_GLOBAL);

	expect("0 posix dlopen(file=\"inner.so\", flags=RTLD_LAZY|RTLD_GLOBAL) = ?");
	if (handle || !dlerror())
		abort();
	handle = dlopen("$ORIGIN/inner.so", RTLD_NOW | RTLD_NODELETE);
	expect("0 posix dlopen(file=\"$ORIGIN/inner.so\", flags=RTLD_NOW|RTLD_NODELETE) = ?");
	if (handle)
		abort();
}

/* The program itself, and a namespace of its own. */
static void others(const char *outer)
{
	void *handle = dlopen(NULL, RTLD_NOW);

	expect("0 posix dlopen(file=NULL, flags=RTLD_NOW) = ?");
	closing(handle, "");
	handle = dlmopen(LM_ID_NEWLM, outer, RTLD_NOW);
	expect("0 posix dlmopen(space=-1, file=\"%s\", flags=RTLD_NOW) = ?", outer);
	if (!handle)
		abort();
	closing(handle, outer);
}

int main(void)
{
	char outer[512], inner[512];
	void *handle;
	open_fn *outer_open;

	bare(SYS_mkdirat, AT_FDCWD, "inner", 0700);
	plug("outer.so", ".");
	plug("inner.so", "inner");
	snprintf(outer, sizeof(outer), "%s/outer.so", getenv("PWD"));
	snprintf(inner, sizeof(inner), "%s/inner/inner.so", getenv("PWD"));
	failing();
	handle = dlopen(outer, RTLD_NOW);
	expect("0 posix dlopen(file=\"%s\", flags=RTLD_NOW) = ?", outer);
	if (!handle)
		abort();
	outer_open = (open_fn *)dlsym(handle, "outer_open");
	from_outside(outer_open, "inner.so", inner);
	from_outside(outer_open, "$ORIGIN/inner/inner.so", inner);
	closing(handle, outer);
	others(outer);
	return expect_end();
}
