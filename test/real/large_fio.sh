#!/bin/sh
# SPDX-License-Identifier: MIT
# fio.sh at length: some 260,000 reads and writes.
# timeout: 900
FIO_SIZE=134217728 exec "${TOP_SRCDIR:?}/test/real/fio.sh"
