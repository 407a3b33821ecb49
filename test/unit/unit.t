#!/bin/sh
# SPDX-License-Identifier: MIT
# All unit tests of all files, as TAP.
# shellcheck disable=SC2086 # a command with its options, or none
exec ${EMULATOR:-} "${TOP_BUILDDIR:?}/test/unit/unittest"
