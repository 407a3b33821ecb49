/* SPDX-License-Identifier: MIT */
/* mpi_names.c - see mpi_names.h */
#include "read/mpi_names.h"

#include <ctype.h>
#include <string.h>

#include "format/affixes.h"

#define NAME_ROOM 32

/* Names without MPI_, an I for non-blocking and _c for large counts, in small letters. */
static const struct rule {
	const char *name;
	uint8_t sent, received; /* enum mpi_times */
} rules[] = {
	{"send", TIMES_ONCE, TIMES_NEVER},
	{"bsend", TIMES_ONCE, TIMES_NEVER},
	{"rsend", TIMES_ONCE, TIMES_NEVER},
	{"ssend", TIMES_ONCE, TIMES_NEVER},
	{"recv", TIMES_NEVER, TIMES_TOLD},
	{"mrecv", TIMES_NEVER, TIMES_TOLD},
	{"sendrecv", TIMES_ONCE, TIMES_TOLD},
	{"sendrecv_replace", TIMES_ONCE, TIMES_TOLD},
	{"wait", TIMES_NEVER, TIMES_TOLD},
	{"waitall", TIMES_NEVER, TIMES_TOLD},
	{"waitany", TIMES_NEVER, TIMES_TOLD},
	{"waitsome", TIMES_NEVER, TIMES_TOLD},
	{"test", TIMES_NEVER, TIMES_TOLD},
	{"testall", TIMES_NEVER, TIMES_TOLD},
	{"testany", TIMES_NEVER, TIMES_TOLD},
	{"testsome", TIMES_NEVER, TIMES_TOLD},
	{"bcast", TIMES_ROOT, TIMES_OTHERS},
	{"gather", TIMES_LEAVES, TIMES_ROOT_MEMBERS},
	{"gatherv", TIMES_LEAVES, TIMES_ROOT_MEMBERS},
	{"scatter", TIMES_ROOT_MEMBERS, TIMES_LEAVES},
	{"scatterv", TIMES_ROOT_MEMBERS, TIMES_LEAVES},
	{"allgather", TIMES_ONCE, TIMES_MEMBERS},
	{"allgatherv", TIMES_ONCE, TIMES_MEMBERS},
	{"alltoall", TIMES_MEMBERS, TIMES_MEMBERS},
	{"alltoallv", TIMES_MEMBERS, TIMES_MEMBERS},
	{"alltoallw", TIMES_MEMBERS, TIMES_MEMBERS},
	{"reduce", TIMES_LEAVES, TIMES_ROOT},
	{"allreduce", TIMES_ONCE, TIMES_ONCE},
	{"scan", TIMES_ONCE, TIMES_ONCE},
	{"exscan", TIMES_ONCE, TIMES_BEHIND},
	{"reduce_scatter", TIMES_ALL_OF_THEM, TIMES_OWN},
	{"reduce_scatter_block", TIMES_ALL_OF_THEM, TIMES_ONCE},
	{"neighbor_allgather", TIMES_ONCE, TIMES_SOURCES},
	{"neighbor_allgatherv", TIMES_ONCE, TIMES_SOURCES},
	{"neighbor_alltoall", TIMES_DESTINATIONS, TIMES_SOURCES},
	{"neighbor_alltoallv", TIMES_DESTINATIONS, TIMES_SOURCES},
	{"neighbor_alltoallw", TIMES_DESTINATIONS, TIMES_SOURCES},
	{"put", TIMES_ONCE, TIMES_NEVER},
	{"rput", TIMES_ONCE, TIMES_NEVER},
	{"accumulate", TIMES_ONCE, TIMES_NEVER},
	{"raccumulate", TIMES_ONCE, TIMES_NEVER},
	{"get", TIMES_NEVER, TIMES_ONCE},
	{"rget", TIMES_NEVER, TIMES_ONCE},
	{"get_accumulate", TIMES_ONCE, TIMES_ONCE},
	{"rget_accumulate", TIMES_ONCE, TIMES_ONCE},
	{"fetch_and_op", TIMES_ONCE, TIMES_ONCE},
	{"compare_and_swap", TIMES_ONCE, TIMES_ONCE},
};

static const char *const parameters[] = {
#define PARAMETER(name) #name,
	MPI_PARAMETERS(PARAMETER)
#undef PARAMETER
};

/* "MPI_Iallgatherv_c" as "allgatherv"; *waits: it is non-blocking. */
static void base_name(const char *name, char base[NAME_ROOM], bool *waits)
{
	size_t length = 0;

	name += strncmp(name, "MPI_", 4) == 0 ? 4 : 0;
	*waits = name[0] == 'I' && islower((unsigned char)name[1]);
	name += *waits;
	for (; *name && length < NAME_ROOM - 1; name++)
		base[length++] = (char)tolower((unsigned char)*name);
	base[length] = '\0';
	if (length > 2 && strcmp(base + length - 2, "_c") == 0)
		base[length - 2] = '\0';
}

static void find_rule(struct mpi_names *names, const char *base)
{
	for (size_t at = 0; at < sizeof(rules) / sizeof(rules[0]); at++)
		if (strcmp(rules[at].name, base) == 0) {
			names->moves = true;
			names->sent = rules[at].sent;
			names->received = rules[at].received;
			return;
		}
}

/* Which way a transfer of a file goes. */
static void find_direction(struct mpi_names *names, const char *base)
{
	if (strncmp(base, "file_", 5) != 0)
		return;
	base += 5;
	names->begins_file = base[0] == 'i';
	base += names->begins_file;
	if (strncmp(base, "read", 4) == 0)
		names->direction = MPI_FROM_FILE;
	else if (strncmp(base, "write", 5) == 0)
		names->direction = MPI_TO_FILE;
	names->first_half = name_ends_in(base, "_begin");
}

static enum mpi_completion completion_of(const char *name)
{
	if (strncmp(name, "MPI_Wait", 8) == 0)
		return MPI_COMPLETES;
	if (strncmp(name, "MPI_Test", 8) == 0)
		return MPI_COMPLETES_BY_FLAG;
	return strcmp(name, "MPI_Request_free") == 0 ? MPI_FREES : MPI_COMPLETES_NOTHING;
}

static int8_t parameter_of(const struct reader_function_info *function, const char *name)
{
	for (unsigned at = 0; at < function->arg_count; at++)
		if (strcmp(function->args[at].name, name) == 0)
			return (int8_t)at;
	return -1;
}

void mpi_names_find(struct mpi_names *names, const struct reader_function_info *function)
{
	char base[NAME_ROOM];

	*names = (struct mpi_names){.completion = (uint8_t)completion_of(function->name)};
	base_name(function->name, base, &names->waits);
	find_rule(names, base);
	find_direction(names, base);
	names->persistent =
		name_ends_in(function->name, "_init") || name_ends_in(function->name, "_init_c");
	names->says_own_rank = strcmp(function->name, "MPI_Comm_rank") == 0;
	for (unsigned i = 0; i < MPI_PARAMETER_COUNT; i++)
		names->parameters[i] = parameter_of(function, parameters[i]);
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(mpi_names_say_what_goes_which_way)
{
	static const struct reader_parameter args[] = {{"count", "count", READER_INT},
						       {"flag", "bool", READER_INT}};
	struct reader_function_info function = {.name = "MPI_Ireduce_scatter_block_c",
						.args = args,
						.arg_count = 2};
	struct mpi_names names;

	mpi_names_find(&names, &function);
	EXPECT(names.moves && names.waits);
	EXPECT_EQ(names.sent, TIMES_ALL_OF_THEM);
	EXPECT_EQ(names.received, TIMES_ONCE);
	EXPECT_EQ(names.parameters[MPI_PARAMETER_flag], 1);
	EXPECT_EQ(names.parameters[MPI_PARAMETER_root], -1);
	function.name = "MPI_File_iwrite_at";
	mpi_names_find(&names, &function);
	EXPECT(!names.moves && names.begins_file && !names.first_half);
	EXPECT_EQ(names.direction, MPI_TO_FILE);
	function.name = "MPI_File_read_all_begin";
	mpi_names_find(&names, &function);
	EXPECT(names.first_half && !names.begins_file);
	EXPECT_EQ(names.direction, MPI_FROM_FILE);
	function.name = "MPI_Testsome";
	mpi_names_find(&names, &function);
	EXPECT_EQ(names.completion, MPI_COMPLETES_BY_FLAG);
	EXPECT_EQ(names.received, TIMES_TOLD);
	function.name = "pwrite";
	mpi_names_find(&names, &function);
	EXPECT(!names.moves && names.direction == MPI_NO_TRANSFER);
}
#endif
