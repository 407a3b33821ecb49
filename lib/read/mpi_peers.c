/* SPDX-License-Identifier: MIT */
/* mpi_peers.c - datatypes, windows and files of MPI; which process of the world a rank argument means. */
#include <errno.h>

#include <recorder/reader.h>

#include "format/kinds.h"
#include "read/trace.h"

int reader_datatype(const struct reader *trace, unsigned stream, uint32_t id,
		    struct reader_datatype *type)
{
	const struct stream *from = stream_at(trace, stream);
	const struct def_datatype *def = from ? idmap_get(&from->defs.datatypes, id) : NULL;

	if (!def)
		return -ENOENT;
	*type = (struct reader_datatype){.size = def->size,
					 .extent = def->extent,
					 .name = def->name.bytes};
	return 0;
}

int reader_win(const struct reader *trace, unsigned stream, uint32_t id, struct reader_win *win)
{
	static const char *const flavors[] = {"unknown", "create", "allocate", "allocate_shared",
					      "dynamic"};
	const struct stream *from = stream_at(trace, stream);
	const struct def_win *def = from ? idmap_get(&from->defs.wins, id) : NULL;
	const char *name;

	if (!def)
		return -ENOENT;
	name = definitions_name(&from->defs, "win", id);
	*win = (struct reader_win){
		.comm = def->comm,
		.flavor = flavors[def->flavor <= WIN_DYNAMIC ? def->flavor : WIN_UNKNOWN],
		.unit = def->unit,
		.size = def->size,
		.name = name ? name : "",
	};
	return 0;
}

int reader_mpi_file(const struct reader *trace, unsigned stream, uint32_t id,
		    struct reader_mpi_file *file)
{
	const struct stream *from = stream_at(trace, stream);
	const struct def_mpifile *def = from ? idmap_get(&from->defs.mpifiles, id) : NULL;

	if (!def)
		return -ENOENT;
	*file = (struct reader_mpi_file){
		.comm = def->comm,
		.file = def->file,
		.amode = def->amode,
		.path = def->path.bytes,
	};
	return 0;
}

/* The communicator that an argument is, or that its window or file is of; 0: it is none of these. */
static uint32_t comm_of(const struct stream *stream, int kind, const struct recorder_arg *arg)
{
	const struct def_mpifile *file = NULL;
	const struct def_win *win = NULL;

	if (arg->state != RECORDER_ARG_PRESENT)
		return 0;
	switch (kind) {
	case KIND_comm:
		return (uint32_t)arg->i64;
	case KIND_win:
		win = idmap_get(&stream->defs.wins, (uint32_t)arg->i64);
		return win ? win->comm : 0;
	case KIND_mpi_file:
		file = arg->i64 > 0 ? idmap_get(&stream->defs.mpifiles, (uint32_t)arg->i64) : NULL;
		return file ? file->comm : 0;
	default:
		return 0;
	}
}

static bool has_ranks(int kind)
{
	return kind == KIND_comm || kind == KIND_win || kind == KIND_mpi_file;
}

/* Ranks stand behind their communicator (MPI_Cart_rank, each of MPI_Intercomm_create) or else before it. */
static uint32_t comm_beside(const struct stream *stream, const struct function *function,
			    const struct recorder_record *record, unsigned index)
{
	unsigned count = record->arg_count < function->info.arg_count ? record->arg_count
								      : function->info.arg_count;

	for (unsigned at = index; at-- > 0;)
		if (has_ranks(function->kinds[at]))
			return comm_of(stream, function->kinds[at], &record->args[at]);
	for (unsigned at = index + 1; at < count; at++)
		if (has_ranks(function->kinds[at]))
			return comm_of(stream, function->kinds[at], &record->args[at]);
	return 0;
}

uint32_t reader_record_comm(const struct reader *trace, const struct recorder_record *record)
{
	const struct stream *stream = stream_at(trace, record->stream);
	const struct function *function;

	if (!stream || record->func_id >= trace->functions.count)
		return 0;
	function = trace->functions.items[record->func_id];
	if (function->comm_arg == NO_ARG || function->comm_arg >= record->arg_count)
		return 0;
	return comm_of(stream, function->kinds[function->comm_arg],
		       &record->args[function->comm_arg]);
}

struct reader_process reader_peer_process(const struct reader *trace,
					  const struct recorder_record *record, unsigned index)
{
	const struct reader_process nobody = {-1, -1};
	const struct stream *stream = stream_at(trace, record->stream);
	const struct function *function;
	const struct recorder_arg *arg;
	uint32_t comm;
	int32_t own;

	if (!stream || record->func_id >= trace->functions.count)
		return nobody;
	function = trace->functions.items[record->func_id];
	if (index >= record->arg_count || index >= function->info.arg_count ||
	    function->kinds[index] != KIND_rank)
		return nobody;
	arg = &record->args[index];
	if (arg->state != RECORDER_ARG_PRESENT || arg->i64 < 0 || arg->i64 > INT32_MAX)
		return nobody;
	comm = comm_beside(stream, function, record, index);
	if (!function->mpi.says_own_rank)
		return reader_comm_process(trace, record->stream, comm, (int32_t)arg->i64);
	/* the one rank that is in one's own group */
	own = reader_comm_member(trace, record->stream, comm, (int32_t)arg->i64);
	return own < 0 ? nobody : (struct reader_process){stream->world, own};
}

int32_t reader_peer(const struct reader *trace, const struct recorder_record *record,
		    unsigned index)
{
	struct reader_process peer = reader_peer_process(trace, record, index);

	return peer.world == record->world ? peer.rank : -1;
}
