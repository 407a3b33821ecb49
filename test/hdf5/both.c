/* SPDX-License-Identifier: MIT */
/*
 * both.c - two HDF5 libraries in one process, each behind a module that is opened privately; equal handles of both, in turns. Then one is
 * closed and opened again, many times.
 *
 *	both MODULE MODULE
 */
#include "hdf5_expect.h"

#include <dlfcn.h>
#include <stdbool.h>

struct side {
	void *module;
	hid_t (*open)(const char *path);
	int (*write)(hid_t file, const char *name, int count);
	void (*close)(hid_t file);
	hid_t file;
	const char *name;
};

static void load(struct side *side, const char *path, const char *name)
{
	side->module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!side->module) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
	*(void **)&side->open = dlsym(side->module, "side_open");
	*(void **)&side->write = dlsym(side->module, "side_write");
	*(void **)&side->close = dlsym(side->module, "side_close");
	side->name = name;
}

static void create(struct side *side)
{
	side->file = side->open(side->name);
	expect_name = side->name;
	expect("0 hdf5 H5Fcreate(filename=\"%s\", flags=H5F_ACC_TRUNC, fcpl_id=H5P_DEFAULT, "
	       "fapl_id=H5P_DEFAULT) = %s",
	       side->name, the_file());
}

static void fill(struct side *side, const char *name, int count)
{
	if (side->write(side->file, name, count))
		exit(1);
	expect_name = side->name;
	expect("0 hdf5 H5Screate_simple(rank=1, dims=[%d], maxdims=NULL) = dataspace#1", count);
	expect("0 hdf5 H5Dcreate2(loc_id=%s, name=\"%s\", type_id=H5T_NATIVE_INT, "
	       "space_id=dataspace#1, lcpl_id=H5P_DEFAULT, dcpl_id=H5P_DEFAULT, "
	       "dapl_id=H5P_DEFAULT) = {dataset=\"/%s\", file=\"%s/%s\"}",
	       the_file(), name, name, getenv("PWD"), side->name);
	expect("0 hdf5 H5Dwrite(dset_id={dataset=\"/%s\", file=\"%s/%s\"}, "
	       "mem_type_id=H5T_NATIVE_INT, mem_space_id=H5S_ALL, file_space_id=H5S_ALL, "
	       "dxpl_id=H5P_DEFAULT, bytes=%d, mode=INDEPENDENT) = 0",
	       name, getenv("PWD"), side->name, count * 4);
	expect("0 hdf5 H5Dclose(dset_id={dataset=\"/%s\", file=\"%s/%s\"}) = 0", name,
	       getenv("PWD"), side->name);
	expect("0 hdf5 H5Sclose(space_id=dataspace#1) = 0");
}

static void finish(struct side *side)
{
	side->close(side->file);
	expect_name = side->name;
	expect("0 hdf5 H5Fclose(file_id=%s) = 0", the_file());
}

int main(int argc, char **argv)
{
	struct side one, two;
	bool equal;

	if (argc < 3)
		return 2;
	load(&one, argv[1], "one.h5");
	load(&two, argv[2], "two.h5");
	create(&one);
	create(&two);
	equal = one.file == two.file;
	fill(&one, "a", 3);
	fill(&two, "b", 5);
	fill(&one, "c", 7);
	finish(&one);
	fill(&two, "d", 9);
	for (int round = 0; round < 5; round++) {
		const char *names[] = {"p", "q", "r", "s", "t"};

		dlclose(one.module);
		load(&one, argv[1], "one.h5");
		create(&one);
		fill(&two, names[round], 2);
		finish(&one);
	}
	finish(&two);
	if (!equal)
		fprintf(stderr, "the handles differ: nothing was tried\n");
	return expect_end();
}
