/* SPDX-License-Identifier: MIT */
/*
 * triviality.h - whether a class of C++ is passed as a structure of C is: it has no constructor for copies, destructor or virtual function of its own, and no part that has. Others are passed by their address.
 */
#ifndef RECORDER_NATIVE_TRIVIALITY_H
#define RECORDER_NATIVE_TRIVIALITY_H

#include "native/dwarf.h"

/* `class`: the entry of a structure, class or union. *known false: that cannot be told. */
bool triviality_of(struct dwarf *dwarf, const struct dwarf_unit *unit,
		   const struct dwarf_entry *class, bool *known);

#endif
