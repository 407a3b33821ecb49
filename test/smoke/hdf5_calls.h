/* SPDX-License-Identifier: MIT */
/*
 * hdf5_calls.h - what the calls of hdf5.calls are made on, and what the trace must say of each handle: HDF5 itself is
 * asked for its kind, its name and its file.
 *
 * What fixtures make is closed by no other than the call that is tried, so no two handles without a name that are there
 * have the same number, which the checker (check_handles.py) relies on.
 */
#ifndef RECORDER_TEST_SMOKE_HDF5_CALLS_H
#define RECORDER_TEST_SMOKE_HDF5_CALLS_H

#include <hdf5.h>

#include "objects.h"
#include "smoke.h"

#include <limits.h>

/* The function as the program is bound to it; NULL if HDF5 has none of that name, though its header may say so. */
static inline void *smoke_find(const char *symbol)
{
	Dl_info info;

	/* one that the recorder does not wrap */
	if (!dladdr(dlsym(RTLD_DEFAULT, "H5get_libversion"), &info))
		return NULL;
	return smoke_find_in(info.dli_fname, symbol);
}

static inline void must(bool done, const char *what)
{
	if (done)
		return;
	fprintf(stderr, "%s\n", what);
	exit(1);
}

static inline hid_t made(hid_t id, const char *what)
{
	must(id >= 0, what);
	return id;
}

#define MADE(call) made(call, #call)
#define DONE(call) must((call) >= 0, #call)

/* ---- what a record must have ---- */

/* These are told no name, but a number, an address or a reference. */
static inline bool by_number(void)
{
	static const char *const names[] = {"H5Aopen_by_idx", "H5Aopen_idx",     "H5Oopen_by_addr",
					    "H5Oopen_by_idx", "H5Rdereference1", "H5Rdereference2"};
	bool found = false;

	for (unsigned at = 0; at < sizeof(names) / sizeof(names[0]); at++)
		found |= strcmp(smoke.name + strlen("hdf5 "), names[at]) == 0;
	return found;
}

static inline const char *kind_of_handle(hid_t id)
{
	switch (H5Iget_type(id)) {
	case H5I_GROUP:
		return "group";
	case H5I_DATATYPE:
		return "datatype";
	case H5I_DATASPACE:
		return "dataspace";
	case H5I_DATASET:
		return "dataset";
	case H5I_ATTR:
		return "attribute";
	case H5I_GENPROP_CLS:
		return "property list class";
	case H5I_GENPROP_LST:
		return "property list";
	case H5I_ERROR_CLASS:
	case H5I_ERROR_MSG:
	case H5I_ERROR_STACK:
		return "error";
	default:
		return "handle";
	}
}

/* The path of the file that something lies in; NULL: it lies in none. */
static inline const char *file_of_handle(hid_t id)
{
	static char path[PATH_MAX];
	char name[PATH_MAX];
	H5I_type_t type = H5Iget_type(id);

	if (type != H5I_FILE && type != H5I_GROUP && type != H5I_DATASET && type != H5I_ATTR &&
	    type != H5I_DATATYPE)
		return NULL;
	if (type == H5I_DATATYPE && H5Tcommitted(id) <= 0)
		return NULL;
	must(H5Fget_name(id, name, sizeof(name)) > 0 && realpath(name, path), "H5Fget_name");
	return path;
}

/* A name in the file; "" for what has none. */
static inline const char *name_of_handle(hid_t id)
{
	static char name[1024];
	ssize_t length = H5Iget_name(id, name, sizeof(name));

	if (length <= 0)
		return "";
	if (H5Iget_type(id) == H5I_ATTR) {
		name[length] = '@';
		must(H5Aget_name(id, sizeof(name) - (size_t)length - 1, name + length + 1) > 0,
		     "H5Aget_name");
	}
	return name;
}

/* As it is printed. One without a name has a number, which the checker finds out. */
static inline const char *hid_text(hid_t id, const char *predefined, bool named)
{
	static char text[SMOKE_TEXT];
	const char *kind, *file, *name;
	char number[300], token[64];

	if (id < 0)
		return "H5I_INVALID_HID";
	if (predefined)
		return predefined;
	kind = kind_of_handle(id);
	snprintf(token, sizeof(token), "%s", kind);
	for (char *c = token; *c; c++)
		*c = *c == ' ' ? '_' : *c;
	snprintf(number, sizeof(number), "#%s",
		 smoke_handle_text(token, (uintptr_t)id, NULL, SMOKE_USE));
	file = file_of_handle(id);
	name = file && named ? name_of_handle(id) : "";
	if (file && H5Iget_type(id) == H5I_FILE)
		snprintf(text, sizeof(text), "{file=\"%s\"}", file);
	else if (file)
		snprintf(text, sizeof(text), "{%s%s%s%s, file=\"%s\"}", kind,
			 *name ? "=\"" : number, name, *name ? "\"" : "", file);
	else
		snprintf(text, sizeof(text), "%s%s", kind, number);
	return text;
}

static inline void smoke_hid(unsigned at, const char *name, hid_t id, const char *predefined)
{
	smoke_arg(at, name, "%s", id == 0 ? "0" : hid_text(id, predefined, true));
}

static inline void smoke_hspace(unsigned at, const char *name, hid_t id, const char *predefined)
{
	smoke_arg(at, name, "%s", id == H5S_ALL ? "H5S_ALL" : hid_text(id, predefined, true));
}

static inline void smoke_hplist(unsigned at, const char *name, hid_t id, const char *predefined)
{
	smoke_arg(at, name, "%s",
		  id == H5P_DEFAULT ? "H5P_DEFAULT" : hid_text(id, predefined, true));
}

/* Handles that the call has ended, and types that it gave a place in a file: their numbers are free. */
static inline void mark_ended(void)
{
	for (unsigned at = 0; at < smoke.count; at++) {
		char *token = strchr(smoke.args[at], '<');
		int before;
		long id;

		if (token && sscanf(token, "<%*s %lx %n", &id, &before) == 1 &&
		    (H5Iis_valid((hid_t)id) <= 0 || H5Tcommitted((hid_t)id) > 0))
			memcpy(token + before, "end", 3);
	}
}

static inline void smoke_end_hid(hid_t result)
{
	must(result > 0, smoke.name);
	mark_ended();
	smoke_line(hid_text(result, NULL, !by_number()));
}

static inline void smoke_end_herr(long long result)
{
	char text[32];

	must(result >= 0, smoke.name);
	mark_ended();
	snprintf(text, sizeof(text), "%lld", result);
	smoke_line(text);
}

/* Extents, offsets and handles: some of them are long long. */
#define smoke_longs(at, name, values, count)                                                       \
	do {                                                                                       \
		_Static_assert(sizeof(*(values)) == sizeof(int64_t), "not of 64 bits");            \
		smoke_longs(at, name, (const int64_t *)(values), count);                           \
	} while (0)

static inline long long length_rank(hid_t id)
{
	return H5Sget_simple_extent_ndims(H5Iget_type(id) == H5I_DATASET ? H5Dget_space(id) : id);
}

/* ---- memory ---- */

static int memory[256], other_memory[256], number = 5, another_number = 6;
static unsigned filter_values[8];
static const unsigned one_value[1] = {4};
static const hsize_t shape[2] = {6, 4}, larger[2] = {8, 4}, ones[2] = {1, 1}, origin[2] = {0, 0};
static const hsize_t unlimited[2] = {H5S_UNLIMITED, 4}, two_points[4] = {0, 1, 2, 3};
static const hssize_t no_steps[2] = {0, 0};
static hsize_t room[16], more_room[16];
static hid_t some_ids[H5FD_MEM_NTYPES < 8 ? 8 : H5FD_MEM_NTYPES];
static H5FD_mem_t some_map[H5FD_MEM_NTYPES];
static char *some_names[H5FD_MEM_NTYPES];
static haddr_t some_addresses[H5FD_MEM_NTYPES];
static hobj_ref_t reference;
static hdset_reg_ref_t region;

/* Made at its first use, for all. */
#define KEPT(function, make)                                                                       \
	static inline hid_t function(void)                                                         \
	{                                                                                          \
		static hid_t id;                                                                   \
                                                                                                   \
		if (id == 0)                                                                       \
			id = MADE(make);                                                           \
		return id;                                                                         \
	}

/* ---- property lists: a new one for each call ---- */

static inline hid_t a_list(hid_t class)
{
	return MADE(H5Pcreate(class));
}

#define LIST(function, class, set)                                                                 \
	static inline hid_t function(void)                                                         \
	{                                                                                          \
		hid_t list = a_list(class);                                                        \
                                                                                                   \
		DONE(set);                                                                         \
		return list;                                                                       \
	}

static inline hid_t a_space(void);
static inline H5FD_splitter_vfd_config_t *a_splitter(void)
{
	static H5FD_splitter_vfd_config_t config;

	memset(&config, 0, sizeof(config));
	config.magic = H5FD_SPLITTER_MAGIC;
	config.version = H5FD_CURR_SPLITTER_VFD_CONFIG_VERSION;
	config.rw_fapl_id = config.wo_fapl_id = H5P_DEFAULT;
	snprintf(config.wo_path, sizeof(config.wo_path), "split");
	return &config;
}

LIST(a_list_with_property, H5P_DATASET_CREATE,
     H5Pinsert2(list, "smoke", sizeof(number), &number, NULL, NULL, NULL, NULL, NULL, NULL))
LIST(a_chunked_list, H5P_DATASET_CREATE, H5Pset_chunk(list, 2, shape))
LIST(a_core_list, H5P_FILE_ACCESS, H5Pset_fapl_core(list, 4096, 0))
LIST(a_family_list, H5P_FILE_ACCESS, H5Pset_fapl_family(list, 1048576, H5P_DEFAULT))
LIST(a_multi_list, H5P_FILE_ACCESS, H5Pset_fapl_multi(list, NULL, NULL, NULL, NULL, 1))
LIST(a_splitter_list, H5P_FILE_ACCESS, H5Pset_fapl_splitter(list, a_splitter()))
LIST(a_logging_list, H5P_FILE_ACCESS, H5Pset_mdc_log_options(list, 1, "mdc.log", 0))
LIST(a_transforming_list, H5P_DATASET_XFER, H5Pset_data_transform(list, "x+1"))
LIST(a_link_list_with_fapl, H5P_LINK_ACCESS, H5Pset_elink_fapl(list, a_list(H5P_FILE_ACCESS)))
LIST(an_external_list, H5P_DATASET_CREATE, H5Pset_external(list, "raw", 0, 96))
LIST(a_filtered_list, H5P_DATASET_CREATE, H5Pset_deflate(list, 6))
LIST(a_sharing_list, H5P_FILE_CREATE, H5Pset_shared_mesg_nindexes(list, 2))
LIST(a_virtual_list, H5P_DATASET_CREATE,
     H5Pset_virtual(list, a_space(), "other.h5", "/source", a_space()))

KEPT(a_class, H5Pcreate_class(H5P_ROOT, "class", NULL, NULL, NULL, NULL, NULL, NULL))
KEPT(a_driver, H5Pget_driver(a_core_list()))

static inline hid_t an_unused_class(void)
{
	return MADE(H5Pcreate_class(H5P_ROOT, "unused", NULL, NULL, NULL, NULL, NULL, NULL));
}

static inline hid_t a_class_with_property(void)
{
	hid_t class = an_unused_class();

	DONE(H5Pregister2(class, "smoke", sizeof(number), &number, NULL, NULL, NULL, NULL, NULL,
			  NULL, NULL));
	return class;
}

static inline const void *an_encoded_list(void)
{
	static char code[4096];
	size_t size = sizeof(code);

	DONE(H5Pencode(a_list(H5P_DATASET_CREATE), code, &size));
	return code;
}

static inline H5AC_cache_config_t *a_cache_config(void)
{
	static H5AC_cache_config_t config;

	config.version = H5AC__CURR_CACHE_CONFIG_VERSION;
	DONE(H5Pget_mdc_config(a_list(H5P_FILE_ACCESS), &config));
	return &config;
}

static inline H5AC_cache_image_config_t *an_image_config(void)
{
	static H5AC_cache_image_config_t config;

	config.version = H5AC__CURR_CACHE_IMAGE_CONFIG_VERSION;
	DONE(H5Pget_mdc_image_config(a_list(H5P_FILE_ACCESS), &config));
	return &config;
}

/* ---- dataspaces and datatypes ---- */

KEPT(a_space, H5Screate_simple(2, shape, NULL))
KEPT(a_scalar, H5Screate(H5S_SCALAR))

static inline hid_t a_new_space(void)
{
	return MADE(H5Screate_simple(2, shape, NULL));
}

static inline hid_t a_selection(void)
{
	hid_t space = a_new_space();

	DONE(H5Sselect_hyperslab(space, H5S_SELECT_SET, origin, NULL, ones, NULL));
	return space;
}

static inline hid_t some_points(void)
{
	hid_t space = a_new_space();

	DONE(H5Sselect_elements(space, H5S_SELECT_SET, 2, two_points));
	return space;
}

static inline const void *an_encoded_space(void)
{
	static char code[1024];
	size_t size = sizeof(code);

	DONE(H5Sencode(a_space(), code, &size));
	return code;
}

static inline hid_t a_type(void)
{
	return MADE(H5Tcopy(H5T_NATIVE_INT));
}

static inline hid_t a_float_type(void)
{
	return MADE(H5Tcopy(H5T_IEEE_F32LE));
}

static inline hid_t a_string_type(void)
{
	return MADE(H5Tcopy(H5T_C_S1));
}

static inline hid_t an_opaque_type(void)
{
	hid_t type = MADE(H5Tcreate(H5T_OPAQUE, 8));

	DONE(H5Tset_tag(type, "opaque"));
	return type;
}

static inline hid_t a_pair(void)
{
	hid_t type = MADE(H5Tcreate(H5T_COMPOUND, 24));

	DONE(H5Tinsert(type, "first", 0, H5T_NATIVE_INT));
	DONE(H5Tinsert(type, "second", 8, H5T_NATIVE_DOUBLE));
	return type;
}

static inline hid_t an_enumeration(void)
{
	hid_t type = MADE(H5Tenum_create(H5T_NATIVE_INT));

	DONE(H5Tenum_insert(type, "five", &number));
	return type;
}

KEPT(a_ragged_type, H5Tvlen_create(H5T_NATIVE_INT))
KEPT(an_array_type, H5Tarray_create2(H5T_NATIVE_INT, 2, shape))

static inline void *nothing_ragged(void)
{
	static hvl_t none;

	return &none;
}

static inline const void *an_encoded_type(void)
{
	static char code[1024];
	size_t size = sizeof(code);

	DONE(H5Tencode(H5T_NATIVE_INT, code, &size));
	return code;
}

static inline herr_t convert(hid_t from, hid_t to, H5T_cdata_t *data, size_t count, size_t stride,
			     size_t back_stride, void *buffer, void *back, hid_t list)
{
	(void)from, (void)to, (void)data, (void)count, (void)stride, (void)back_stride;
	(void)buffer, (void)back, (void)list;
	return 0;
}

static inline H5T_conv_ret_t keep_exception(H5T_conv_except_t what, hid_t from, hid_t to,
					    void *source, void *target, void *data)
{
	(void)what, (void)from, (void)to, (void)source, (void)target, (void)data;
	return H5T_CONV_UNHANDLED;
}

/* ---- the file and what lies in it ---- */

static inline hid_t create_in(hid_t file, const char *name, hid_t type, hid_t space, hid_t list)
{
	return MADE(H5Dcreate2(file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT));
}

static inline hid_t create_group_in(hid_t at, const char *name)
{
	return MADE(H5Gcreate2(at, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}

static inline hid_t create_attribute(hid_t at, const char *name)
{
	return MADE(H5Acreate2(at, name, H5T_NATIVE_INT, a_scalar(), H5P_DEFAULT, H5P_DEFAULT));
}

static inline hid_t create_file(const char *name, hid_t list)
{
	return MADE(H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, list));
}

KEPT(a_file, create_file("data.h5", H5P_DEFAULT))
KEPT(another_file, create_file("other.h5", H5P_DEFAULT))
KEPT(a_group, create_group_in(a_file(), "group"))
KEPT(a_dataset, create_in(a_file(), "data", H5T_NATIVE_INT, a_space(), H5P_DEFAULT))
KEPT(a_ragged_dataset, create_in(a_file(), "ragged", a_ragged_type(), a_space(), H5P_DEFAULT))
KEPT(an_attribute, create_attribute(a_dataset(), "units"))

static inline hid_t a_committed_type(void)
{
	return MADE(H5Topen2(a_file(), "type", H5P_DEFAULT));
}

/* A dataset in chunks, each of them written. */
static inline hid_t chunks(void)
{
	static const hsize_t size[2] = {2, 2};
	hid_t list = a_list(H5P_DATASET_CREATE), dataset, space;

	DONE(H5Pset_chunk(list, 2, size));
	space = MADE(H5Screate_simple(2, shape, unlimited));
	dataset = create_in(a_file(), fresh("chunks"), H5T_NATIVE_INT, space, list);
	DONE(H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, memory));
	return dataset;
}

static inline hid_t an_anonymous_dataset(void)
{
	return MADE(H5Dcreate_anon(a_file(), H5T_NATIVE_INT, a_space(), H5P_DEFAULT, H5P_DEFAULT));
}

static inline hid_t an_open_dataset(void)
{
	return MADE(H5Dopen2(a_file(), "data", H5P_DEFAULT));
}

static inline hid_t an_open_group(void)
{
	return MADE(H5Gopen2(a_file(), "group", H5P_DEFAULT));
}

static inline hid_t an_open_attribute(void)
{
	return MADE(H5Aopen(a_dataset(), "units", H5P_DEFAULT));
}

static inline hid_t an_open_file(void)
{
	return MADE(H5Freopen(another_file()));
}

/* In the newest format, as some calls want it. */
static inline hid_t a_new_file(void)
{
	hid_t list = a_list(H5P_FILE_ACCESS);

	DONE(H5Pset_libver_bounds(list, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST));
	return create_file(fresh("new.h5"), list);
}

static inline hid_t a_logged_file(void)
{
	return create_file(fresh("logged.h5"), a_logging_list());
}

static inline hid_t a_paged_file(void)
{
	hid_t creation = a_list(H5P_FILE_CREATE), access = a_list(H5P_FILE_ACCESS);

	DONE(H5Pset_file_space_strategy(creation, H5F_FSPACE_STRATEGY_PAGE, 0, 1));
	DONE(H5Pset_page_buffer_size(access, 65536, 0, 0));
	return MADE(H5Fcreate(fresh("paged.h5"), H5F_ACC_TRUNC, creation, access));
}

static inline const char *group_there(void)
{
	const char *name = fresh("group");

	create_group_in(a_file(), name);
	return name;
}

static inline const char *attribute_there(void)
{
	const char *name = fresh("attribute");

	create_attribute(a_file(), name);
	return name;
}

static inline const char *spare_attribute(void)
{
	const char *name = fresh("attribute");

	create_attribute(MADE(H5Gopen2(a_file(), "spare", H5P_DEFAULT)), name);
	return name;
}

static inline void link_to_delete(void)
{
	DONE(H5Lcreate_soft("nowhere", a_file(), "links/soft", H5P_DEFAULT, H5P_DEFAULT));
}

static inline void soft_links(void)
{
	DONE(H5Lcreate_soft("nowhere", a_file(), "soft_ones/soft", H5P_DEFAULT, H5P_DEFAULT));
}

static inline haddr_t address_of_data(void)
{
	H5O_info_t info;

	DONE(H5Oget_info2(a_dataset(), &info, H5O_INFO_BASIC));
	return info.addr;
}

static inline const void *a_reference(void)
{
	DONE(H5Rcreate(&reference, a_file(), "data", H5R_OBJECT, -1));
	return &reference;
}

static inline const void *a_region(void)
{
	DONE(H5Rcreate(&region, a_file(), "data", H5R_DATASET_REGION, a_selection()));
	return &region;
}

static const size_t external_size = 12; /* a byte for version and flags, and both names */

static inline const void *an_external_value(void)
{
	return "\0other.h5\0/";
}

/* ---- what is called back; it calls nothing ---- */

static inline herr_t see_attribute(hid_t at, const char *name, const H5A_info_t *info, void *data)
{
	(void)at, (void)name, (void)info, (void)data;
	return 0;
}

static inline herr_t see_attribute_1(hid_t at, const char *name, void *data)
{
	(void)at, (void)name, (void)data;
	return 0;
}

static inline herr_t see_link(hid_t at, const char *name, const H5L_info_t *info, void *data)
{
	(void)at, (void)name, (void)info, (void)data;
	return 0;
}

static inline herr_t see_object(hid_t at, const char *name, const H5O_info_t *info, void *data)
{
	(void)at, (void)name, (void)info, (void)data;
	return 0;
}

static inline herr_t see_name(hid_t at, const char *name, void *data)
{
	(void)at, (void)name, (void)data;
	return 0;
}

static inline herr_t see_element(void *element, hid_t type, unsigned dimensions,
				 const hsize_t *point, void *data)
{
	(void)element, (void)type, (void)dimensions, (void)point, (void)data;
	return 0;
}

static inline herr_t see_property(hid_t list, const char *name, void *data)
{
	(void)list, (void)name, (void)data;
	return 0;
}

static inline herr_t see_error(unsigned at, const H5E_error2_t *error, void *data)
{
	(void)at, (void)error, (void)data;
	return 0;
}

static inline herr_t see_error_1(int at, H5E_error1_t *error, void *data)
{
	(void)at, (void)error, (void)data;
	return 0;
}

static inline int see_handle(void *object, hid_t id, void *key)
{
	(void)object, (void)id, (void)key;
	return 1;
}

static inline herr_t give_numbers(const void **buffer, size_t *bytes, void *data)
{
	(void)data;
	*buffer = other_memory;
	*bytes = 96;
	return 0;
}

/* ---- errors and handles of the program's own ---- */

KEPT(an_error_class, H5Eregister_class("class", "smoke", "1"))

static inline hid_t an_unused_error_class(void)
{
	return MADE(H5Eregister_class("unused", "smoke", "1"));
}

static inline hid_t an_unused_message(void)
{
	return MADE(H5Ecreate_msg(an_error_class(), H5E_MINOR, "unused"));
}

KEPT(a_message, H5Ecreate_msg(an_error_class(), H5E_MAJOR, "message"))

static inline hid_t an_unused_stack(void)
{
	hid_t stack = MADE(H5Ecreate_stack());

	DONE(H5Epush2(stack, "smoke.c", "main", 7, an_error_class(), a_message(), a_message(),
		      "?"));
	return stack;
}

#define a_stack an_unused_stack

static inline FILE *no_stream(void)
{
	FILE *stream = fopen("/dev/null", "w");

	must(stream, "/dev/null");
	return stream;
}

static inline H5I_type_t a_new_type_of_handles(void)
{
	H5I_type_t type = H5Iregister_type(64, 0, NULL);

	must(type >= 0, "H5Iregister_type");
	return type;
}

static inline H5I_type_t a_type_of_handles(void)
{
	static H5I_type_t type;

	if (type == 0)
		type = a_new_type_of_handles();
	return type;
}

static inline hid_t a_handle(void)
{
	return MADE(H5Iregister(a_type_of_handles(), &number));
}

/* ---- links and filters of the program's own ---- */

static inline hid_t follow(const char *name, hid_t at, const void *data, size_t size, hid_t list,
			   hid_t transfer)
{
	(void)name, (void)at, (void)data, (void)size, (void)list, (void)transfer;
	return -1;
}

static const H5L_class_t link_class = {
	.version = H5L_LINK_CLASS_T_VERS,
	.id = (H5L_type_t)(H5L_TYPE_UD_MIN + 20),
	.comment = "smoke",
	.trav_func = follow,
};

static inline H5L_type_t a_link_class(void)
{
	DONE(H5Lregister(&link_class));
	return link_class.id;
}

static inline size_t leave_data(unsigned flags, size_t count, const unsigned values[], size_t bytes,
				size_t *size, void **buffer)
{
	(void)flags, (void)count, (void)values, (void)size, (void)buffer;
	return bytes;
}

static const H5Z_class2_t filter_class = {
	.version = H5Z_CLASS_T_VERS,
	.id = 300,
	.encoder_present = 1,
	.decoder_present = 1,
	.name = "smoke",
	.filter = leave_data,
};

static inline H5Z_filter_t a_filter(void)
{
	DONE(H5Zregister(&filter_class));
	return filter_class.id;
}

/* ---- before all calls: no call finds the file empty ---- */

static inline void smoke_hdf5_start(int argc, char **argv)
{
	smoke_start(argc, argv);
	DONE(H5Eset_auto1(NULL, NULL));
	DONE(H5Dwrite(a_dataset(), H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, memory));
	DONE(H5Awrite(an_attribute(), H5T_NATIVE_INT, &number));
	DONE(H5Tcommit2(a_file(), "type", a_type(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
	DONE(H5Oset_comment(a_dataset(), "some comment"));
	create_group_in(a_group(), "inner");
	create_group_in(a_file(), "spare");
	create_group_in(a_file(), "links");
	create_group_in(a_file(), "soft_ones");
	DONE(H5Lcreate_soft("nowhere", a_file(), "soft", H5P_DEFAULT, H5P_DEFAULT));
	create_in(another_file(), "source", H5T_NATIVE_INT, a_space(), H5P_DEFAULT);
}

#define smoke_start smoke_hdf5_start

#endif
