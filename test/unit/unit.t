#!/bin/sh
# SPDX-License-Identifier: MIT
# All unit tests of all files, as TAP.
exec "${TOP_BUILDDIR:?}/test/unit/unittest"
