#!/bin/sh
# SPDX-License-Identifier: MIT
# gcc.sh at length: 200 sources.
# timeout: 900
UNITS=200 exec "${TOP_SRCDIR:?}/test/real/gcc.sh"
