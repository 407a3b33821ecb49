/* SPDX-License-Identifier: MIT */
/* names.c - handles of all kinds, opened and closed in all orders, are known by what they stand for. */
#include "hdf5_expect.h"

#define AT(kind, name) in_file(kind, name)

static hid_t file;

static hid_t create_file(void)
{
	hid_t plist = H5Pcreate(H5P_FILE_CREATE), made;

	expect("0 hdf5 H5Pcreate(cls_id=H5P_FILE_CREATE) = property list#1");
	made = H5Fcreate("data.h5", H5F_ACC_TRUNC, plist, H5P_DEFAULT);
	expect("0 hdf5 H5Fcreate(filename=\"data.h5\", flags=H5F_ACC_TRUNC, fcpl_id=property "
	       "list#1, "
	       "fapl_id=H5P_DEFAULT) = %s",
	       the_file());
	H5Pclose(plist);
	expect("0 hdf5 H5Pclose(plist_id=property list#1) = 0");
	return made;
}

static hid_t create_group(hid_t at, const char *where, const char *name, const char *path)
{
	hid_t group = H5Gcreate2(at, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);

	expect("0 hdf5 H5Gcreate2(loc_id=%s, name=\"%s\", lcpl_id=H5P_DEFAULT, "
	       "gcpl_id=H5P_DEFAULT, "
	       "gapl_id=H5P_DEFAULT) = %s",
	       where, name, AT("group", path));
	return group;
}

static void close_group(hid_t group, const char *path)
{
	H5Gclose(group);
	expect("0 hdf5 H5Gclose(group_id=%s) = 0", AT("group", path));
}

/* Groups in groups, by names with too many slashes and points, from the root and from a group. */
static void groups(void)
{
	hid_t outer = create_group(file, the_file(), "outer", "/outer");
	hid_t inner = create_group(outer, AT("group", "/outer"), "./inner//", "/outer/inner");
	hid_t again;

	close_group(outer, "/outer");
	again = H5Gopen2(inner, "/outer", H5P_DEFAULT);
	expect("0 hdf5 H5Gopen2(loc_id=%s, name=\"/outer\", gapl_id=H5P_DEFAULT) = %s",
	       AT("group", "/outer/inner"), AT("group", "/outer"));
	close_group(again, "/outer");
	again = H5Oopen(file, "outer/inner", H5P_DEFAULT);
	expect("0 hdf5 H5Oopen(loc_id=%s, name=\"outer/inner\", lapl_id=H5P_DEFAULT) = %s",
	       the_file(), AT("group", "/outer/inner"));
	H5Oclose(again);
	expect("0 hdf5 H5Oclose(object_id=%s) = 0", AT("group", "/outer/inner"));
	close_group(inner, "/outer/inner");
}

/* A dataset with an attribute, and a second one of the same name on the file. */
static void attributes(void)
{
	hid_t space = H5Screate(H5S_SCALAR), dataset, attribute;
	int value = 7;

	expect("0 hdf5 H5Screate(type=H5S_SCALAR) = dataspace#1");
	dataset = H5Dcreate2(file, "outer/x", H5T_STD_I32BE, space, H5P_DEFAULT, H5P_DEFAULT,
			     H5P_DEFAULT);
	expect("0 hdf5 H5Dcreate2(loc_id=%s, name=\"outer/x\", type_id=H5T_STD_I32BE, "
	       "space_id=dataspace#1, lcpl_id=H5P_DEFAULT, dcpl_id=H5P_DEFAULT, "
	       "dapl_id=H5P_DEFAULT) = %s",
	       the_file(), AT("dataset", "/outer/x"));
	attribute = H5Acreate2(dataset, "units", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT);
	expect("0 hdf5 H5Acreate2(loc_id=%s, attr_name=\"units\", type_id=H5T_NATIVE_INT, "
	       "space_id=dataspace#1, acpl_id=H5P_DEFAULT, aapl_id=H5P_DEFAULT) = %s",
	       AT("dataset", "/outer/x"), AT("attribute", "/outer/x@units"));
	H5Awrite(attribute, H5T_NATIVE_INT, &value);
	expect("0 hdf5 H5Awrite(attr_id=%s, type_id=H5T_NATIVE_INT, bytes=4) = 0",
	       AT("attribute", "/outer/x@units"));
	H5Aclose(attribute);
	expect("0 hdf5 H5Aclose(attr_id=%s) = 0", AT("attribute", "/outer/x@units"));
	attribute = H5Aopen_by_name(file, "outer/x", "units", H5P_DEFAULT, H5P_DEFAULT);
	expect("0 hdf5 H5Aopen_by_name(loc_id=%s, obj_name=\"outer/x\", attr_name=\"units\", "
	       "aapl_id=H5P_DEFAULT, lapl_id=H5P_DEFAULT) = %s",
	       the_file(), AT("attribute", "/outer/x@units"));
	H5Aread(attribute, H5T_NATIVE_INT, &value);
	expect("0 hdf5 H5Aread(attr_id=%s, type_id=H5T_NATIVE_INT, bytes=4) = 0",
	       AT("attribute", "/outer/x@units"));
	H5Aclose(attribute);
	expect("0 hdf5 H5Aclose(attr_id=%s) = 0", AT("attribute", "/outer/x@units"));
	H5Dclose(dataset);
	expect("0 hdf5 H5Dclose(dset_id=%s) = 0", AT("dataset", "/outer/x"));
	H5Sclose(space);
	expect("0 hdf5 H5Sclose(space_id=dataspace#1) = 0");
}

/* A type of the program's own: without a name until it is committed. */
static void datatypes(void)
{
	hid_t type = H5Tcreate(H5T_COMPOUND, 16), other;

	expect("0 hdf5 H5Tcreate(type=H5T_COMPOUND, size=16) = datatype#1");
	H5Tinsert(type, "a", 8, H5T_NATIVE_DOUBLE);
	expect("0 hdf5 H5Tinsert(parent_id=datatype#1, name=\"a\", offset=8, "
	       "member_id=H5T_NATIVE_DOUBLE) = 0");
	other = H5Tcopy(H5T_C_S1);
	expect("0 hdf5 H5Tcopy(type_id=H5T_C_S1) = datatype#2");
	H5Tcommit2(file, "pair", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	expect("0 hdf5 H5Tcommit2(loc_id=%s, name=\"pair\", type_id=datatype#1, "
	       "lcpl_id=H5P_DEFAULT, "
	       "tcpl_id=H5P_DEFAULT, tapl_id=H5P_DEFAULT) = 0",
	       the_file());
	H5Tclose(type);
	expect("0 hdf5 H5Tclose(type_id=%s) = 0", AT("datatype", "/pair"));
	type = H5Tcopy(H5T_NATIVE_INT);
	expect("0 hdf5 H5Tcopy(type_id=H5T_NATIVE_INT) = datatype#1");
	H5Tclose(other);
	expect("0 hdf5 H5Tclose(type_id=datatype#2) = 0");
	H5Tclose(type);
	expect("0 hdf5 H5Tclose(type_id=datatype#1) = 0");
}

/* What a reference leads to is known by its kind and file. */
static void references(void)
{
	hobj_ref_t reference;
	hid_t object;

	H5Rcreate(&reference, file, "outer", H5R_OBJECT, -1);
	expect("0 hdf5 H5Rcreate(loc_id=%s, name=\"outer\", ref_type=0, space_id=H5I_INVALID_HID) "
	       "= 0",
	       the_file());
	object = H5Rdereference2(file, H5P_DEFAULT, H5R_OBJECT, &reference);
	expect("0 hdf5 H5Rdereference2(obj_id=%s, oapl_id=H5P_DEFAULT, ref_type=0) = %s",
	       the_file(), AT("group", "#1"));
	H5Oclose(object);
	expect("0 hdf5 H5Oclose(object_id=%s) = 0", AT("group", "#1"));
}

/* A handle is there until it was closed as often as it was kept; a file handle is closed before what is in it. */
static void lifetimes(void)
{
	hid_t group = H5Gopen2(file, "outer", H5P_DEFAULT), again;

	expect("0 hdf5 H5Gopen2(loc_id=%s, name=\"outer\", gapl_id=H5P_DEFAULT) = %s", the_file(),
	       AT("group", "/outer"));
	H5Iinc_ref(group);
	expect("0 hdf5 H5Iinc_ref(id=%s) = 2", AT("group", "/outer"));
	close_group(group, "/outer");
	again = H5Iget_file_id(group);
	expect("0 hdf5 H5Iget_file_id(id=%s) = %s", AT("group", "/outer"), the_file());
	H5Fclose(again);
	expect("0 hdf5 H5Fclose(file_id=%s) = 0", the_file());
	again = H5Freopen(file);
	expect("0 hdf5 H5Freopen(file_id=%s) = %s", the_file(), the_file());
	H5Fclose(file);
	expect("0 hdf5 H5Fclose(file_id=%s) = 0", the_file());
	H5Fclose(again);
	expect("0 hdf5 H5Fclose(file_id=%s) = 0", the_file());
	file = H5Iget_file_id(group);
	expect("0 hdf5 H5Iget_file_id(id=%s) = %s", AT("group", "/outer"), the_file());
	close_group(group, "/outer");
	H5Fclose(file);
	expect("0 hdf5 H5Fclose(file_id=%s) = 0", the_file());
}

/* Calls that fail, with handles that were never there or are no more. */
static void errors(void)
{
	hid_t space = H5Screate(H5S_NULL);

	expect("0 hdf5 H5Screate(type=H5S_NULL) = dataspace#1");
	H5Sclose(space);
	expect("0 hdf5 H5Sclose(space_id=dataspace#1) = 0");
	H5Sclose(space);
	expect("0 hdf5 H5Sclose(space_id=?) = -1");
	H5Dread(space, H5T_NATIVE_INT, space, space, -5, NULL);
	expect("0 hdf5 H5Dread(dset_id=?, mem_type_id=H5T_NATIVE_INT, mem_space_id=?, "
	       "file_space_id=?, "
	       "dxpl_id=H5I_INVALID_HID, bytes=-1, mode=INDEPENDENT) = -1");
	H5Fopen("missing.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
	expect("0 hdf5 H5Fopen(filename=\"missing.h5\", flags=H5F_ACC_RDONLY, fapl_id=H5P_DEFAULT) "
	       "= "
	       "H5I_INVALID_HID");
	H5Fopen(NULL, H5F_ACC_RDWR, H5P_DEFAULT);
	expect("0 hdf5 H5Fopen(filename=NULL, flags=H5F_ACC_RDWR, fapl_id=H5P_DEFAULT) = "
	       "H5I_INVALID_HID");
	H5Aopen(0, NULL, H5P_DEFAULT);
	expect("0 hdf5 H5Aopen(obj_id=0, attr_name=NULL, aapl_id=H5P_DEFAULT) = H5I_INVALID_HID");
	H5Sget_simple_extent_dims(-1, NULL, NULL);
	expect("0 hdf5 H5Sget_simple_extent_dims(space_id=H5I_INVALID_HID) = -1");
}

int main(void)
{
	H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
	file = create_file();
	groups();
	attributes();
	datatypes();
	references();
	lifetimes();
	errors();
	return expect_end();
}
