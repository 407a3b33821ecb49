/* SPDX-License-Identifier: MIT */
/* symbols.c - see symbols.h */
#include "read/symbols.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/bytes.h"
#include "format/machine_symbols.h"

#define OWN_MAX 256 /* names of one kind that a trace may bring */
#define NAME_LENGTH_MAX 64
#define END                                                                                        \
	{                                                                                          \
		0, NULL                                                                            \
	}

/* ---- Linux ---- */

#define ROW(name, value) {value, #name},

static const struct symbol errnos[] = {ERRNUM_SYMBOLS(ROW) END};
/* The access mode is no flag: see show.c. O_LARGEFILE is what the system sets, not what the macro is. */
static const struct symbol open_flags[] = {OPEN_FLAGS_SYMBOLS(ROW) ROW(O_LARGEFILE, 0100000) END};
static const struct symbol map_flags[] = {MAP_FLAGS_SYMBOLS(ROW) END};
static const struct symbol fcntl_commands[] = {FCNTL_CMD_SYMBOLS(ROW) END};
static const struct symbol signals[] = {SIGNAL_SYMBOLS(ROW) END};

static const struct symbol access_modes[] = {
	{4, "R_OK"}, {2, "W_OK"}, {1, "X_OK"}, {0, "F_OK"}, END,
};

static const struct symbol at_flags[] = {
	{0x100, "AT_SYMLINK_NOFOLLOW"}, {0x200, "AT_REMOVEDIR"},   {0x400, "AT_SYMLINK_FOLLOW"},
	{0x800, "AT_NO_AUTOMOUNT"},     {0x1000, "AT_EMPTY_PATH"}, {0x2000, "AT_STATX_FORCE_SYNC"},
	{0x4000, "AT_STATX_DONT_SYNC"}, {0x8000, "AT_RECURSIVE"},  END,
};

static const struct symbol whences[] = {
	{0, "SEEK_SET"}, {1, "SEEK_CUR"}, {2, "SEEK_END"}, {3, "SEEK_DATA"}, {4, "SEEK_HOLE"}, END,
};

static const struct symbol prots[] = {
	{1, "PROT_READ"},
	{2, "PROT_WRITE"},
	{4, "PROT_EXEC"},
	{0x1000000, "PROT_GROWSDOWN"},
	{0x2000000, "PROT_GROWSUP"},
	{0, "PROT_NONE"},
	END,
};

static const struct symbol file_advices[] = {
	{0, "POSIX_FADV_NORMAL"},
	{1, "POSIX_FADV_RANDOM"},
	{2, "POSIX_FADV_SEQUENTIAL"},
	{3, "POSIX_FADV_WILLNEED"},
	{4, "POSIX_FADV_DONTNEED"},
	{5, "POSIX_FADV_NOREUSE"},
	END,
};

static const struct symbol advices[] = {
	{0, "MADV_NORMAL"},          {1, "MADV_RANDOM"},
	{2, "MADV_SEQUENTIAL"},      {3, "MADV_WILLNEED"},
	{4, "MADV_DONTNEED"},        {8, "MADV_FREE"},
	{9, "MADV_REMOVE"},          {10, "MADV_DONTFORK"},
	{11, "MADV_DOFORK"},         {12, "MADV_MERGEABLE"},
	{13, "MADV_UNMERGEABLE"},    {14, "MADV_HUGEPAGE"},
	{15, "MADV_NOHUGEPAGE"},     {16, "MADV_DONTDUMP"},
	{17, "MADV_DODUMP"},         {18, "MADV_WIPEONFORK"},
	{19, "MADV_KEEPONFORK"},     {20, "MADV_COLD"},
	{21, "MADV_PAGEOUT"},        {22, "MADV_POPULATE_READ"},
	{23, "MADV_POPULATE_WRITE"}, END,
};

static const struct symbol flock_operations[] = {
	{1, "LOCK_SH"}, {2, "LOCK_EX"}, {8, "LOCK_UN"}, {4, "LOCK_NB"}, END,
};

static const struct symbol lockf_commands[] = {
	{0, "F_ULOCK"}, {1, "F_LOCK"}, {2, "F_TLOCK"}, {3, "F_TEST"}, END,
};

/* ---- Open MPI ---- */

static const struct symbol mpi_errors[] = {
	{0, "MPI_SUCCESS"},
	{1, "MPI_ERR_BUFFER"},
	{2, "MPI_ERR_COUNT"},
	{3, "MPI_ERR_TYPE"},
	{4, "MPI_ERR_TAG"},
	{5, "MPI_ERR_COMM"},
	{6, "MPI_ERR_RANK"},
	{7, "MPI_ERR_REQUEST"},
	{8, "MPI_ERR_ROOT"},
	{9, "MPI_ERR_GROUP"},
	{10, "MPI_ERR_OP"},
	{11, "MPI_ERR_TOPOLOGY"},
	{12, "MPI_ERR_DIMS"},
	{13, "MPI_ERR_ARG"},
	{14, "MPI_ERR_UNKNOWN"},
	{15, "MPI_ERR_TRUNCATE"},
	{16, "MPI_ERR_OTHER"},
	{17, "MPI_ERR_INTERN"},
	{18, "MPI_ERR_IN_STATUS"},
	{19, "MPI_ERR_PENDING"},
	{20, "MPI_ERR_ACCESS"},
	{21, "MPI_ERR_AMODE"},
	{22, "MPI_ERR_ASSERT"},
	{23, "MPI_ERR_BAD_FILE"},
	{24, "MPI_ERR_BASE"},
	{25, "MPI_ERR_CONVERSION"},
	{26, "MPI_ERR_DISP"},
	{27, "MPI_ERR_DUP_DATAREP"},
	{28, "MPI_ERR_FILE_EXISTS"},
	{29, "MPI_ERR_FILE_IN_USE"},
	{30, "MPI_ERR_FILE"},
	{31, "MPI_ERR_INFO_KEY"},
	{32, "MPI_ERR_INFO_NOKEY"},
	{33, "MPI_ERR_INFO_VALUE"},
	{34, "MPI_ERR_INFO"},
	{35, "MPI_ERR_IO"},
	{36, "MPI_ERR_KEYVAL"},
	{37, "MPI_ERR_LOCKTYPE"},
	{38, "MPI_ERR_NAME"},
	{39, "MPI_ERR_NO_MEM"},
	{40, "MPI_ERR_NOT_SAME"},
	{41, "MPI_ERR_NO_SPACE"},
	{42, "MPI_ERR_NO_SUCH_FILE"},
	{43, "MPI_ERR_PORT"},
	{44, "MPI_ERR_QUOTA"},
	{45, "MPI_ERR_READ_ONLY"},
	{46, "MPI_ERR_RMA_CONFLICT"},
	{47, "MPI_ERR_RMA_SYNC"},
	{48, "MPI_ERR_SERVICE"},
	{49, "MPI_ERR_SIZE"},
	{50, "MPI_ERR_SPAWN"},
	{51, "MPI_ERR_UNSUPPORTED_DATAREP"},
	{52, "MPI_ERR_UNSUPPORTED_OPERATION"},
	{53, "MPI_ERR_WIN"},
	{68, "MPI_ERR_RMA_RANGE"},
	{69, "MPI_ERR_RMA_ATTACH"},
	{70, "MPI_ERR_RMA_FLAVOR"},
	{71, "MPI_ERR_RMA_SHARED"},
	END,
};

static const struct symbol mpi_ranks[] = {
	{-1, "MPI_ANY_SOURCE"},
	{-2, "MPI_PROC_NULL"},
	{-4, "MPI_ROOT"},
	{-32766, "MPI_UNDEFINED"},
	END,
};

static const struct symbol mpi_tags[] = {
	{-1, "MPI_ANY_TAG"},
	END,
};

static const struct symbol mpi_amodes[] = {
	{1, "MPI_MODE_CREATE"},
	{2, "MPI_MODE_RDONLY"},
	{4, "MPI_MODE_WRONLY"},
	{8, "MPI_MODE_RDWR"},
	{16, "MPI_MODE_DELETE_ON_CLOSE"},
	{32, "MPI_MODE_UNIQUE_OPEN"},
	{64, "MPI_MODE_EXCL"},
	{128, "MPI_MODE_APPEND"},
	{256, "MPI_MODE_SEQUENTIAL"},
	END,
};

static const struct symbol mpi_thread_levels[] = {
	{0, "MPI_THREAD_SINGLE"},
	{1, "MPI_THREAD_FUNNELED"},
	{2, "MPI_THREAD_SERIALIZED"},
	{3, "MPI_THREAD_MULTIPLE"},
	END,
};

static const struct symbol mpi_lock_types[] = {
	{1, "MPI_LOCK_EXCLUSIVE"},
	{2, "MPI_LOCK_SHARED"},
	END,
};

static const struct symbol mpi_whences[] = {
	{600, "MPI_SEEK_SET"},
	{602, "MPI_SEEK_CUR"},
	{604, "MPI_SEEK_END"},
	END,
};

/* ---- */

static const struct symbol *const usual[KIND_COUNT] = {
	[KIND_errnum] = errnos,
	[KIND_open_flags] = open_flags,
	[KIND_access_mode] = access_modes,
	[KIND_at_flags] = at_flags,
	[KIND_whence] = whences,
	[KIND_prot] = prots,
	[KIND_map_flags] = map_flags,
	[KIND_advice] = advices,
	[KIND_file_advice] = file_advices,
	[KIND_fcntl_cmd] = fcntl_commands,
	[KIND_flock_op] = flock_operations,
	[KIND_lockf_cmd] = lockf_commands,
	[KIND_signal] = signals,
	[KIND_mpi_error] = mpi_errors,
	[KIND_rank] = mpi_ranks,
	[KIND_tag] = mpi_tags,
	[KIND_amode] = mpi_amodes,
	[KIND_thread_level] = mpi_thread_levels,
	[KIND_lock_type] = mpi_lock_types,
	[KIND_mpi_whence] = mpi_whences,
};

/* Tables in place of the usual ones, NULL where those are right. */
struct symbols {
	const struct symbol *tables[KIND_COUNT];
};

const struct symbol *symbols_of(const struct symbols *own, enum kind kind)
{
	if (kind == KIND_fd_flags)
		kind = KIND_open_flags;
	return own && own->tables[kind] ? own->tables[kind] : usual[kind];
}

const char *symbol_name(const struct symbol *symbols, int64_t value)
{
	for (; symbols && symbols->name; symbols++) {
		if (symbols->value == value)
			return symbols->name;
	}
	return NULL;
}

/* ---- those of a trace ---- */

/* "NAME=value" at *text, moved behind it and the blank after it; false: that is no such thing. */
static bool read_symbol(const char **text, struct text *name, int64_t *value)
{
	char *end;

	name->bytes = *text;
	name->length = strspn(*text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
	if (name->length == 0 || name->length > NAME_LENGTH_MAX || (*text)[name->length] != '=')
		return false;
	*value = strtoll(*text + name->length + 1, &end, 10);
	*text = end + strspn(end, " ");
	return true;
}

/* The row of that name, or the one behind the last. */
static struct symbol *find_symbol(struct symbol *table, struct text name)
{
	while (table->name &&
	       (strncmp(table->name, name.bytes, name.length) != 0 || table->name[name.length]))
		table++;
	return table;
}

/* A copy of the table with the values that `text` gives, as far as they can be read. */
static const struct symbol *merge_symbols(struct pool *pool, const struct symbol *table,
					  const char *text)
{
	size_t count = 0, own = 0;
	struct symbol *merged;
	struct text name;
	int64_t value;

	while (table && table[count].name)
		count++;
	merged = pool_alloc(pool, (count + OWN_MAX + 1) * sizeof(*merged));
	if (!merged)
		return NULL;
	if (table)
		memcpy(merged, table, count * sizeof(*merged));
	for (; own < OWN_MAX && read_symbol(&text, &name, &value); own++) {
		struct symbol *symbol = find_symbol(merged, name);

		if (!symbol->name)
			symbol->name = pool_copy(pool, name.bytes, name.length);
		if (!symbol->name)
			return NULL;
		symbol->value = value;
	}
	return merged;
}

int symbols_load(const struct symbols **own, const struct metadata *lm, struct pool *pool)
{
	struct symbols *symbols = NULL;
	char key[64];

	for (int kind = 0; kind < KIND_COUNT; kind++) {
		const char *text;

		snprintf(key, sizeof(key), "symbols.%s", kind_name((enum kind)kind));
		text = metadata_text(lm, key);
		if (!*text)
			continue;
		if (!symbols)
			*own = symbols = pool_alloc(pool, sizeof(*symbols));
		if (!symbols)
			return -ENOMEM;
		symbols->tables[kind] = merge_symbols(pool, usual[kind], text);
		if (!symbols->tables[kind])
			return -ENOMEM;
	}
	return 0;
}
