/* SPDX-License-Identifier: MIT */
/*
 * hdf5_handles.h - what each hid_t stands for.
 *
 * Known by book-keeping alone: a handle is entered by the call that makes it, under the name that the program gave there, and removed when it is
 * closed. HDF5 is not asked (H5Iget_name() of a reference searches the file, each call of HDF5 clears its error stack, and a call that
 * fails prints). So a name is the one by which the program came there; what was opened by number, address or reference has none.
 *
 * Two HDF5 libraries in a process give equal handles; the library is part of the key.
 */
#ifndef RECORDER_WRAP_HDF5_HANDLES_H
#define RECORDER_WRAP_HDF5_HANDLES_H

#include <stdbool.h>
#include <stdint.h>

#include "record/scope.h"

struct call;

enum hid_kind {
	HID_GROUP,
	HID_DATASET,
	HID_DATATYPE,
	HID_ATTRIBUTE,
	HID_DATASPACE,
	HID_PLIST,
	HID_PLIST_CLASS,
	HID_ERROR,  /* error class, message or stack */
	HID_OTHER,  /* drivers and types that programs register */
	HID_OBJECT, /* group, dataset or datatype: the handle tells which */
	HID_KINDS,
};

/* Each of these: `id` was made by a call that succeeded. */
void hid_made(const struct real *real, int64_t id, enum hid_kind kind);
void hid_file(const struct real *real, int64_t id, const char *path);
/* In the file or group, or at the object, `at`. `name` may be NULL: it has none that is known. */
void hid_opened(const struct real *real, int64_t id, enum hid_kind kind, int64_t at,
		const char *name);
/* The attribute `name` of the object `object`, which begins at `at`; "." is that itself. */
void hid_attribute(const struct real *real, int64_t id, int64_t at, const char *object,
		   const char *name);
/* The file that `of` lies in, opened again. */
void hid_file_of(const struct real *real, int64_t id, int64_t of);
/* A copy of a property list. */
void hid_copied(const struct real *real, int64_t id, int64_t of);

/* A committed datatype has a name from now on. */
void hid_named(const struct real *real, int64_t id, int64_t at, const char *name);

/* One more H5Xclose() until it is gone; one less. */
void hid_kept(const struct real *real, int64_t id);
void hid_closed(const struct real *real, int64_t id);

/* How data are transferred with this property list: H5FD_MPIO_COLLECTIVE or not. */
void hid_set_transfer(const struct real *real, int64_t id, int mode);
int hid_transfer(const struct real *real, int64_t id);

/* Whether a handle is known to be of that kind (not HID_OBJECT), so that the library may be asked about it. */
bool hid_is(const struct real *real, int64_t id, enum hid_kind kind);

/* ---- in records ---- */

void arg_hid(struct call *call, unsigned index, const struct real *real, int64_t id);
void result_hid(struct call *call, const struct real *real, int64_t id);

/* Where 0 has a name of its own. */
#define arg_hspace arg_hid
#define arg_hplist arg_hid

#endif
