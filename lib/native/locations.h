/* SPDX-License-Identifier: MIT */
/*
 * locations.h - where a parameter is when its function begins: by an expression of DWARF, or the first one of a list.
 */
#ifndef RECORDER_NATIVE_LOCATIONS_H
#define RECORDER_NATIVE_LOCATIONS_H

#include "native/dwarf.h"

#define LOCATION_VECTORS 17 /* the number of the first vector register on x86-64 */

/* Whether it came as an address: what is in memory at a register, or at an address that the frame holds. Also where that is not known. */
bool location_is_address(const struct dwarf *dwarf, const struct dwarf_unit *unit,
			 const struct dwarf_entry *parameter);
/* The register, by DWARF's number, that has its value at `begin`, where the function does; -1: none is told. */
int location_register(const struct dwarf *dwarf, const struct dwarf_unit *unit,
		      const struct dwarf_entry *parameter, uint64_t begin);

#endif
