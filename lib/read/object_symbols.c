/* SPDX-License-Identifier: MIT */
/* object_symbols.c - names of what HDF5, netCDF and PnetCDF have numbers for: the same on all machines. */
#include "read/symbol_tables.h"

#include <stddef.h>

/* clang-format off */
#define END {0, NULL}
/* clang-format on */

static const struct symbol hids[] = {
	{-1, "H5I_INVALID_HID"},
	END,
};

static const struct symbol spaces[] = {
	{-1, "H5I_INVALID_HID"},
	{0, "H5S_ALL"},
	END,
};

static const struct symbol plists[] = {
	{-1, "H5I_INVALID_HID"},
	{0, "H5P_DEFAULT"},
	END,
};

static const struct symbol transfer_modes[] = {
	{0, "INDEPENDENT"},
	{1, "COLLECTIVE"},
	END,
};

static const struct symbol accesses[] = {
	{0x1, "H5F_ACC_RDWR"},        {0x2, "H5F_ACC_TRUNC"},
	{0x4, "H5F_ACC_EXCL"},        {0x10, "H5F_ACC_CREAT"},
	{0x20, "H5F_ACC_SWMR_WRITE"}, {0x40, "H5F_ACC_SWMR_READ"},
	{0, "H5F_ACC_RDONLY"},        END,
};

static const struct symbol scopes[] = {
	{0, "H5F_SCOPE_LOCAL"},
	{1, "H5F_SCOPE_GLOBAL"},
	END,
};

static const struct symbol selects[] = {
	{-1, "H5S_SELECT_NOOP"},   {0, "H5S_SELECT_SET"},
	{1, "H5S_SELECT_OR"},      {2, "H5S_SELECT_AND"},
	{3, "H5S_SELECT_XOR"},     {4, "H5S_SELECT_NOTB"},
	{5, "H5S_SELECT_NOTA"},    {6, "H5S_SELECT_APPEND"},
	{7, "H5S_SELECT_PREPEND"}, END,
};

static const struct symbol space_classes[] = {
	{-1, "H5S_NO_CLASS"}, {0, "H5S_SCALAR"}, {1, "H5S_SIMPLE"}, {2, "H5S_NULL"}, END,
};

static const struct symbol type_classes[] = {
	{-1, "H5T_NO_CLASS"},
	{0, "H5T_INTEGER"},
	{1, "H5T_FLOAT"},
	{2, "H5T_TIME"},
	{3, "H5T_STRING"},
	{4, "H5T_BITFIELD"},
	{5, "H5T_OPAQUE"},
	{6, "H5T_COMPOUND"},
	{7, "H5T_REFERENCE"},
	{8, "H5T_ENUM"},
	{9, "H5T_VLEN"},
	{10, "H5T_ARRAY"},
	END,
};

static const struct symbol layouts[] = {
	{-1, "H5D_LAYOUT_ERROR"}, {0, "H5D_COMPACT"}, {1, "H5D_CONTIGUOUS"},
	{2, "H5D_CHUNKED"},       {3, "H5D_VIRTUAL"}, END,
};

/* Those that all versions of HDF5 number alike. */
static const struct symbol id_types[] = {
	{-2, "H5I_UNINIT"},  {-1, "H5I_BADID"},    {1, "H5I_FILE"},    {2, "H5I_GROUP"},
	{3, "H5I_DATATYPE"}, {4, "H5I_DATASPACE"}, {5, "H5I_DATASET"}, END,
};

static const struct symbol nc_errors[] = {
	{0, "NC_NOERR"},
	{-32, "NC_EXDR"},
	{-33, "NC_EBADID"},
	{-34, "NC_ENFILE"},
	{-35, "NC_EEXIST"},
	{-36, "NC_EINVAL"},
	{-37, "NC_EPERM"},
	{-38, "NC_ENOTINDEFINE"},
	{-39, "NC_EINDEFINE"},
	{-40, "NC_EINVALCOORDS"},
	{-41, "NC_EMAXDIMS"},
	{-42, "NC_ENAMEINUSE"},
	{-43, "NC_ENOTATT"},
	{-44, "NC_EMAXATTS"},
	{-45, "NC_EBADTYPE"},
	{-46, "NC_EBADDIM"},
	{-47, "NC_EUNLIMPOS"},
	{-48, "NC_EMAXVARS"},
	{-49, "NC_ENOTVAR"},
	{-50, "NC_EGLOBAL"},
	{-51, "NC_ENOTNC"},
	{-52, "NC_ESTS"},
	{-53, "NC_EMAXNAME"},
	{-54, "NC_EUNLIMIT"},
	{-55, "NC_ENORECVARS"},
	{-56, "NC_ECHAR"},
	{-57, "NC_EEDGE"},
	{-58, "NC_ESTRIDE"},
	{-59, "NC_EBADNAME"},
	{-60, "NC_ERANGE"},
	{-61, "NC_ENOMEM"},
	{-62, "NC_EVARSIZE"},
	{-63, "NC_EDIMSIZE"},
	{-64, "NC_ETRUNC"},
	{-65, "NC_EAXISTYPE"},
	{-66, "NC_EDAP"},
	{-67, "NC_ECURL"},
	{-68, "NC_EIO"},
	{-69, "NC_ENODATA"},
	{-70, "NC_EDAPSVC"},
	{-71, "NC_EDAS"},
	{-72, "NC_EDDS"},
	{-73, "NC_EDATADDS"},
	{-74, "NC_EDAPURL"},
	{-75, "NC_EDAPCONSTRAINT"},
	{-76, "NC_ETRANSLATION"},
	{-77, "NC_EACCESS"},
	{-78, "NC_EAUTH"},
	{-90, "NC_ENOTFOUND"},
	{-91, "NC_ECANTREMOVE"},
	{-92, "NC_EINTERNAL"},
	{-93, "NC_EPNETCDF"},
	{-101, "NC_EHDFERR"},
	{-102, "NC_ECANTREAD"},
	{-103, "NC_ECANTWRITE"},
	{-104, "NC_ECANTCREATE"},
	{-105, "NC_EFILEMETA"},
	{-106, "NC_EDIMMETA"},
	{-107, "NC_EATTMETA"},
	{-108, "NC_EVARMETA"},
	{-109, "NC_ENOCOMPOUND"},
	{-110, "NC_EATTEXISTS"},
	{-111, "NC_ENOTNC4"},
	{-112, "NC_ESTRICTNC3"},
	{-113, "NC_ENOTNC3"},
	{-114, "NC_ENOPAR"},
	{-115, "NC_EPARINIT"},
	{-116, "NC_EBADGRPID"},
	{-117, "NC_EBADTYPID"},
	{-118, "NC_ETYPDEFINED"},
	{-119, "NC_EBADFIELD"},
	{-120, "NC_EBADCLASS"},
	{-121, "NC_EMAPTYPE"},
	{-122, "NC_ELATEFILL"},
	{-123, "NC_ELATEDEF"},
	{-124, "NC_EDIMSCALE"},
	{-125, "NC_ENOGRP"},
	{-126, "NC_ESTORAGE"},
	{-127, "NC_EBADCHUNK"},
	{-128, "NC_ENOTBUILT"},
	{-129, "NC_EDISKLESS"},
	{-130, "NC_ECANTEXTEND"},
	{-131, "NC_EMPI"},
	{-132, "NC_EFILTER"},
	{-133, "NC_ERCFILE"},
	{-134, "NC_ENULLPAD"},
	{-135, "NC_EINMEMORY"},
	{-136, "NC_ENOFILTER"},
	{-137, "NC_ENCZARR"},
	{-138, "NC_ES3"},
	{-139, "NC_EEMPTY"},
	{-140, "NC_EOBJECT"},
	{-141, "NC_ENOOBJECT"},
	{-142, "NC_EPLUGIN"},
	{-201, "NC_ESMALL"},
	{-202, "NC_ENOTINDEP"},
	{-203, "NC_EINDEP"},
	{-204, "NC_EFILE"},
	{-205, "NC_EREAD"},
	{-206, "NC_EWRITE"},
	{-207, "NC_EOFILE"},
	{-208, "NC_EMULTITYPES"},
	{-209, "NC_EIOMISMATCH"},
	{-210, "NC_ENEGATIVECNT"},
	{-211, "NC_EUNSPTETYPE"},
	{-212, "NC_EINVAL_REQUEST"},
	{-213, "NC_EAINT_TOO_SMALL"},
	{-214, "NC_ENOTSUPPORT"},
	{-215, "NC_ENULLBUF"},
	{-216, "NC_EPREVATTACHBUF"},
	{-217, "NC_ENULLABUF"},
	{-218, "NC_EPENDINGBPUT"},
	{-219, "NC_EINSUFFBUF"},
	{-220, "NC_ENOENT"},
	{-221, "NC_EINTOVERFLOW"},
	{-222, "NC_ENOTENABLED"},
	{-223, "NC_EBAD_FILE"},
	{-224, "NC_ENO_SPACE"},
	{-225, "NC_EQUOTA"},
	{-226, "NC_ENULLSTART"},
	{-227, "NC_ENULLCOUNT"},
	{-228, "NC_EINVAL_CMODE"},
	{-229, "NC_ETYPESIZE"},
	{-230, "NC_ETYPE_MISMATCH"},
	{-231, "NC_ETYPESIZE_MISMATCH"},
	{-232, "NC_ESTRICTCDF2"},
	{-233, "NC_ENOTRECVAR"},
	{-234, "NC_ENOTFILL"},
	{-235, "NC_EINVAL_OMODE"},
	{-236, "NC_EPENDING"},
	{-237, "NC_EMAX_REQ"},
	{-238, "NC_EBADLOG"},
	{-239, "NC_EFLUSHED"},
	{-240, "NC_EADIOS"},
	{-250, "NC_EMULTIDEFINE"},
	{-251, "NC_EMULTIDEFINE_OMODE"},
	{-252, "NC_EMULTIDEFINE_DIM_NUM"},
	{-253, "NC_EMULTIDEFINE_DIM_SIZE"},
	{-254, "NC_EMULTIDEFINE_DIM_NAME"},
	{-255, "NC_EMULTIDEFINE_VAR_NUM"},
	{-256, "NC_EMULTIDEFINE_VAR_NAME"},
	{-257, "NC_EMULTIDEFINE_VAR_NDIMS"},
	{-258, "NC_EMULTIDEFINE_VAR_DIMIDS"},
	{-259, "NC_EMULTIDEFINE_VAR_TYPE"},
	{-260, "NC_EMULTIDEFINE_VAR_LEN"},
	{-261, "NC_EMULTIDEFINE_NUMRECS"},
	{-262, "NC_EMULTIDEFINE_VAR_BEGIN"},
	{-263, "NC_EMULTIDEFINE_ATTR_NUM"},
	{-264, "NC_EMULTIDEFINE_ATTR_SIZE"},
	{-265, "NC_EMULTIDEFINE_ATTR_NAME"},
	{-266, "NC_EMULTIDEFINE_ATTR_TYPE"},
	{-267, "NC_EMULTIDEFINE_ATTR_LEN"},
	{-268, "NC_EMULTIDEFINE_ATTR_VAL"},
	{-269, "NC_EMULTIDEFINE_FNC_ARGS"},
	{-270, "NC_EMULTIDEFINE_FILL_MODE"},
	{-271, "NC_EMULTIDEFINE_VAR_FILL_MODE"},
	{-272, "NC_EMULTIDEFINE_VAR_FILL_VALUE"},
	{-273, "NC_EMULTIDEFINE_CMODE"},
	END,
};

static const struct symbol nc_types[] = {
	{0, "NC_NAT"},     {1, "NC_BYTE"},
	{2, "NC_CHAR"},    {3, "NC_SHORT"},
	{4, "NC_INT"},     {5, "NC_FLOAT"},
	{6, "NC_DOUBLE"},  {7, "NC_UBYTE"},
	{8, "NC_USHORT"},  {9, "NC_UINT"},
	{10, "NC_INT64"},  {11, "NC_UINT64"},
	{12, "NC_STRING"}, END,
};

static const struct symbol nc_modes[] = {
	{0x1, "NC_WRITE"},
	{0x4, "NC_NOCLOBBER"},
	{0x8, "NC_DISKLESS"},
	{0x10, "NC_MMAP"},
	{0x20, "NC_64BIT_DATA"},
	{0x100, "NC_CLASSIC_MODEL"},
	{0x200, "NC_64BIT_OFFSET"},
	{0x800, "NC_SHARE"},
	{0x1000, "NC_NETCDF4"},
	{0x2000, "NC_MPIIO"},
	{0x4000, "NC_PERSIST"},
	{0x8000, "NC_INMEMORY"},
	END,
};

static const struct symbol varids[] = {
	{-1, "NC_GLOBAL"},
	END,
};

static const struct symbol nc_accesses[] = {
	{0, "NC_INDEPENDENT"},
	{1, "NC_COLLECTIVE"},
	END,
};

static const struct symbol *const tables[KIND_COUNT] = {
	[KIND_hid] = hids,
	[KIND_hspace] = spaces,
	[KIND_hplist] = plists,
	[KIND_transfer_mode] = transfer_modes,
	[KIND_h5_access] = accesses,
	[KIND_h5_scope] = scopes,
	[KIND_h5_select] = selects,
	[KIND_h5_space_class] = space_classes,
	[KIND_h5_type_class] = type_classes,
	[KIND_h5_layout] = layouts,
	[KIND_h5_id_type] = id_types,
	[KIND_nc_error] = nc_errors,
	[KIND_varid] = varids,
	[KIND_nc_type] = nc_types,
	[KIND_nc_mode] = nc_modes,
	[KIND_nc_access] = nc_accesses,
};

const struct symbol *object_symbols(enum kind kind)
{
	return tables[kind];
}
