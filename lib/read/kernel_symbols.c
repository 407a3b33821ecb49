/* SPDX-License-Identifier: MIT */
/* kernel_symbols.c - values of the kernel's own that no program sees: of occurrences that `recorder system` records */
#include <stddef.h>

#include "read/symbol_tables.h"

#define END                                                                                        \
	{                                                                                          \
		0, NULL                                                                            \
	}

/* The operation is told by the function's name. Bits above 21 are others from version to version of the kernel; the last two are ours. */
static const struct symbol block_flags[] = {
	{1 << 8, "FAILFAST_DEV"},
	{1 << 9, "FAILFAST_TRANSPORT"},
	{1 << 10, "FAILFAST_DRIVER"},
	{1 << 11, "SYNC"},
	{1 << 12, "META"},
	{1 << 13, "PRIO"},
	{1 << 14, "NOMERGE"},
	{1 << 15, "IDLE"},
	{1 << 16, "INTEGRITY"},
	{1 << 17, "FUA"},
	{1 << 18, "PREFLUSH"},
	{1 << 19, "RAHEAD"},
	{1 << 20, "BACKGROUND"},
	{1 << 21, "NOWAIT"},
	{1u << 30, "END_UNSEEN"},
	{1u << 31, "WRITEBACK"},
	END,
};

/* Why files are written back: to wait for it (WB_SYNC_ALL), as there is much to be written, as it is old, for sync(2). */
static const struct symbol writeback_flags[] = {
	{1, "ALL"}, {2, "BACKGROUND"}, {4, "PERIODIC"}, {8, "SYNC"}, END,
};

/* Of x86. */
static const struct symbol fault_flags[] = {
	{1, "PRESENT"},      {2, "WRITE"}, {4, "USER"}, {8, "RESERVED"},
	{16, "INSTRUCTION"}, {32, "KEY"},  END,
};

/* Why a thread has no CPU: it could go on, it waits, it waits for a device. */
static const struct symbol off_cpu_states[] = {
	{0, "RUNNABLE"}, {1, "SLEEPS"}, {2, "WAITS"}, {4, "STOPPED"}, {8, "TRACED"}, END,
};

static const struct symbol sqe_flags[] = {
	{1, "IOSQE_FIXED_FILE"},
	{2, "IOSQE_IO_DRAIN"},
	{4, "IOSQE_IO_LINK"},
	{8, "IOSQE_IO_HARDLINK"},
	{16, "IOSQE_ASYNC"},
	{32, "IOSQE_BUFFER_SELECT"},
	{64, "IOSQE_CQE_SKIP_SUCCESS"},
	END,
};

static const struct symbol *const tables[KIND_COUNT] = {
	[KIND_block_flags] = block_flags,      [KIND_writeback_flags] = writeback_flags,
	[KIND_sqe_flags] = sqe_flags,          [KIND_fault_flags] = fault_flags,
	[KIND_off_cpu_state] = off_cpu_states,
};

const struct symbol *kernel_symbols(enum kind kind)
{
	return tables[kind];
}
