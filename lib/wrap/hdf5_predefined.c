/* SPDX-License-Identifier: MIT */
/* hdf5_predefined.c - see hdf5_predefined.h */
#include "wrap/hdf5_predefined.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#include "record/text.h"
#include "wrap/mpi_query.h"

#define LIBRARIES 256u
#define TRIES 4u /* a library makes its handles when it is first used */

/* The handles are data of the library, H5T_NATIVE_INT_g and H5P_CLS_FILE_CREATE_ID_g. */
static const char *const types[] = {
	"C_S1",
	"FORTRAN_S1",
	"IEEE_F32BE",
	"IEEE_F32LE",
	"IEEE_F64BE",
	"IEEE_F64LE",
	"NATIVE_B16",
	"NATIVE_B32",
	"NATIVE_B64",
	"NATIVE_B8",
	"NATIVE_DOUBLE",
	"NATIVE_FLOAT",
	"NATIVE_HADDR",
	"NATIVE_HBOOL",
	"NATIVE_HERR",
	"NATIVE_HSIZE",
	"NATIVE_HSSIZE",
	"NATIVE_INT",
	"NATIVE_INT16",
	"NATIVE_INT32",
	"NATIVE_INT64",
	"NATIVE_INT8",
	"NATIVE_INT_FAST16",
	"NATIVE_INT_FAST32",
	"NATIVE_INT_FAST64",
	"NATIVE_INT_FAST8",
	"NATIVE_INT_LEAST16",
	"NATIVE_INT_LEAST32",
	"NATIVE_INT_LEAST64",
	"NATIVE_INT_LEAST8",
	"NATIVE_LDOUBLE",
	"NATIVE_LLONG",
	"NATIVE_LONG",
	"NATIVE_OPAQUE",
	"NATIVE_SCHAR",
	"NATIVE_SHORT",
	"NATIVE_UCHAR",
	"NATIVE_UINT",
	"NATIVE_UINT16",
	"NATIVE_UINT32",
	"NATIVE_UINT64",
	"NATIVE_UINT8",
	"NATIVE_UINT_FAST16",
	"NATIVE_UINT_FAST32",
	"NATIVE_UINT_FAST64",
	"NATIVE_UINT_FAST8",
	"NATIVE_UINT_LEAST16",
	"NATIVE_UINT_LEAST32",
	"NATIVE_UINT_LEAST64",
	"NATIVE_UINT_LEAST8",
	"NATIVE_ULLONG",
	"NATIVE_ULONG",
	"NATIVE_USHORT",
	"STD_B16BE",
	"STD_B16LE",
	"STD_B32BE",
	"STD_B32LE",
	"STD_B64BE",
	"STD_B64LE",
	"STD_B8BE",
	"STD_B8LE",
	"STD_I16BE",
	"STD_I16LE",
	"STD_I32BE",
	"STD_I32LE",
	"STD_I64BE",
	"STD_I64LE",
	"STD_I8BE",
	"STD_I8LE",
	"STD_REF_DSETREG",
	"STD_REF_OBJ",
	"STD_U16BE",
	"STD_U16LE",
	"STD_U32BE",
	"STD_U32LE",
	"STD_U64BE",
	"STD_U64LE",
	"STD_U8BE",
	"STD_U8LE",
	"UNIX_D32BE",
	"UNIX_D32LE",
	"UNIX_D64BE",
	"UNIX_D64LE",
	"VAX_F32",
	"VAX_F64",
};

static const char *const plist_classes[] = {
	"ATTRIBUTE_ACCESS",
	"ATTRIBUTE_CREATE",
	"DATASET_ACCESS",
	"DATASET_CREATE",
	"DATASET_XFER",
	"DATATYPE_ACCESS",
	"DATATYPE_CREATE",
	"FILE_ACCESS",
	"FILE_CREATE",
	"FILE_MOUNT",
	"GROUP_ACCESS",
	"GROUP_CREATE",
	"LINK_ACCESS",
	"LINK_CREATE",
	"OBJECT_COPY",
	"OBJECT_CREATE",
	"ROOT",
	"STRING_CREATE",
};

static const char *const default_plists[] = {
	"ATTRIBUTE_ACCESS", "ATTRIBUTE_CREATE", "DATASET_ACCESS", "DATASET_CREATE", "DATASET_XFER",
	"DATATYPE_ACCESS",  "DATATYPE_CREATE",  "FILE_ACCESS",    "FILE_CREATE",    "FILE_MOUNT",
	"GROUP_ACCESS",     "GROUP_CREATE",     "LINK_ACCESS",    "LINK_CREATE",    "OBJECT_COPY",
};

static const struct group {
	const char *const *names;
	size_t count;
	const char *symbol, *symbol_end; /* around the name */
	const char *shown, *shown_end;
} groups[] = {
	{types, sizeof(types) / sizeof(types[0]), "H5T_", "_g", "H5T_", ""},
	{plist_classes, sizeof(plist_classes) / sizeof(plist_classes[0]), "H5P_CLS_", "_ID_g",
	 "H5P_", ""},
	{default_plists, sizeof(default_plists) / sizeof(default_plists[0]), "H5P_LST_", "_ID_g",
	 "H5P_", "_DEFAULT"},
};

/* The executable has copies of data that it uses; those of the library are then not set. */
static int64_t read_handle(void *library, const char *symbol)
{
	const int64_t *handle = dlsym(library, symbol);

	if (!handle || *handle <= 0)
		handle = dlsym(RTLD_DEFAULT, symbol);
	return handle ? *handle : -1;
}

static bool read_group(const struct real *real, void *library, const struct group *group,
		       int64_t wanted, hdf5_predefined_set *set)
{
	bool found = false;

	for (size_t i = 0; i < group->count; i++) {
		char symbol[64], shown[64];
		struct textbuf text = text_in(symbol, sizeof(symbol));
		int64_t id;

		text_add(&text, group->symbol);
		text_add(&text, group->names[i]);
		text_add(&text, group->symbol_end);
		id = read_handle(library, symbol);
		if (id <= 0)
			continue;
		text = text_in(shown, sizeof(shown));
		text_add(&text, group->shown);
		text_add(&text, group->names[i]);
		text_add(&text, group->shown_end);
		set(real, id, shown);
		found |= id == wanted;
	}
	return found;
}

bool hdf5_predefined(const struct real *real, int64_t wanted, hdf5_predefined_set *set)
{
	static uint8_t tries[LIBRARIES + 1]; /* by library; a race of two threads costs a try */
	struct mpi_query query;
	void *library = NULL;
	bool found = false;
	Dl_info info;

	if (real->library > LIBRARIES || tries[real->library] == TRIES)
		return false;
	tries[real->library]++;
	mpi_query_begin(&query);
	if (dladdr(real->function, &info) && info.dli_fname)
		library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
	for (size_t i = 0; library && i < sizeof(groups) / sizeof(groups[0]); i++)
		found |= read_group(real, library, &groups[i], wanted, set);
	if (library)
		dlclose(library);
	mpi_query_end(&query);
	return found;
}
