/* SPDX-License-Identifier: MIT */
/* pyobjects.c - what the numbers in arguments stand for: files, communicators, datatypes ... */
#include <string.h>

#include "face.h"

PyObject *file_dict(const struct reader *trace, unsigned stream, uint32_t id)
{
	struct reader_file file;
	struct reader_mount mount = {"", "", ""};

	if (reader_file(trace, stream, id, &file))
		Py_RETURN_NONE;
	reader_file_mount(trace, stream, id, &mount);
	return Py_BuildValue("{s:I,s:N,s:I,s:K,s:K,s:K,s:K,s:I,s:N,s:N,s:N}", "id", id, "path",
			     text_of(file.path), "type", file.type, "device",
			     (unsigned long long)file.device, "inode",
			     (unsigned long long)file.inode, "size", (unsigned long long)file.size,
			     "fs_magic", (unsigned long long)file.fs_magic, "block_size",
			     file.block_size, "mount", text_of(mount.directory), "fs_type",
			     text_of(mount.type), "source", text_of(mount.source));
}

PyObject *file_list(const struct reader *trace, unsigned stream)
{
	PyObject *list = PyList_New(0);
	uint32_t id;

	for (unsigned i = 0; list && !reader_file_id(trace, stream, i, &id); i++) {
		PyObject *file = file_dict(trace, stream, id);

		if (!file || PyList_Append(list, file))
			Py_CLEAR(list);
		Py_XDECREF(file);
	}
	return list;
}

static PyObject *comm_dict(const struct reader *trace, unsigned stream, uint32_t id)
{
	struct reader_comm comm;

	if (reader_comm(trace, stream, id, &comm))
		Py_RETURN_NONE;
	return Py_BuildValue("{s:K,s:I,s:i,s:i,s:i,s:N,s:N}", "identity",
			     (unsigned long long)comm.identity, "parent", comm.parent, "rank",
			     comm.rank, "size", comm.size, "remote_size", comm.remote_size, "kind",
			     text_of(comm.kind), "name", text_of(comm.name));
}

static PyObject *datatype_dict(const struct reader *trace, unsigned stream, uint32_t id)
{
	struct reader_datatype type;

	if (reader_datatype(trace, stream, id, &type))
		Py_RETURN_NONE;
	return Py_BuildValue("{s:L,s:L,s:N}", "size", (long long)type.size, "extent",
			     (long long)type.extent, "name", text_of(type.name));
}

static PyObject *win_dict(const struct reader *trace, unsigned stream, uint32_t id)
{
	struct reader_win win;

	if (reader_win(trace, stream, id, &win))
		Py_RETURN_NONE;
	return Py_BuildValue("{s:I,s:N,s:i,s:L,s:N}", "comm", win.comm, "flavor",
			     text_of(win.flavor), "unit", win.unit, "size", (long long)win.size,
			     "name", text_of(win.name));
}

static PyObject *mpi_file_dict(const struct reader *trace, unsigned stream, uint32_t id)
{
	struct reader_mpi_file file;

	if (reader_mpi_file(trace, stream, id, &file))
		Py_RETURN_NONE;
	return Py_BuildValue("{s:I,s:I,s:I,s:N}", "comm", file.comm, "file", file.file, "amode",
			     file.amode, "path", text_of(file.path));
}

/* HDF5's and NetCDF's handles */
static PyObject *handle_dict(const struct reader *trace, unsigned stream, uint32_t id)
{
	struct reader_object object;

	if (reader_object(trace, stream, id, &object))
		Py_RETURN_NONE;
	return Py_BuildValue("{s:N,s:N,s:I}", "kind", text_of(object.kind), "name",
			     text_of(object.name), "file", object.file);
}

static PyObject *module_dict(const struct reader *trace, unsigned stream, uint32_t id)
{
	struct reader_module module;

	if (reader_module(trace, stream, id, &module))
		Py_RETURN_NONE;
	return Py_BuildValue("{s:N,s:K,s:K,s:K,s:y#}", "path", text_of(module.path), "start",
			     (unsigned long long)module.start, "end",
			     (unsigned long long)module.end, "offset",
			     (unsigned long long)module.offset, "build_id", module.build_id,
			     (Py_ssize_t)module.build_id_size);
}

PyObject *object_dict(const struct reader *trace, const char *kind, unsigned stream, uint32_t id)
{
	static const struct {
		const char *kind;
		PyObject *(*give)(const struct reader *, unsigned, uint32_t);
	} kinds[] = {{"file", file_dict},         {"comm", comm_dict}, {"datatype", datatype_dict},
		     {"mpi_file", mpi_file_dict}, {"win", win_dict},   {"object", handle_dict},
		     {"module", module_dict}};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i].kind, kind) == 0)
			return kinds[i].give(trace, stream, id);
	return PyErr_Format(PyExc_ValueError, "'%s' is no kind of object", kind);
}
