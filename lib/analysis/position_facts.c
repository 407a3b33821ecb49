/* SPDX-License-Identifier: MIT */
/* position_facts.c - see position_facts.h */
#include "analysis/position_facts.h"

#include <string.h>

#include "analysis/operation.h"

static const struct {
	const char *name;
	enum position_role role;
} roles[] = {
	{"open", POSITION_OPENS},
	{"__open_2", POSITION_OPENS},
	{"openat", POSITION_OPENS},
	{"__openat_2", POSITION_OPENS},
	{"openat2", POSITION_OPENS},
	{"creat", POSITION_OPENS},
	{"shm_open", POSITION_OPENS},
	{"memfd_create", POSITION_OPENS},
	{"mkstemp", POSITION_OPENS},
	{"mkostemp", POSITION_OPENS},
	{"mkstemps", POSITION_OPENS},
	{"mkostemps", POSITION_OPENS},
	{"fopen", POSITION_OPENS},
	{"freopen", POSITION_OPENS},
	{"tmpfile", POSITION_OPENS},
	{"fdopen", POSITION_BUFFERS},
	{"dup", POSITION_COPIES},
	{"dup2", POSITION_COPIES},
	{"dup3", POSITION_COPIES},
	{"fcntl", POSITION_CONTROLS},
	{"close", POSITION_CLOSES},
	{"fclose", POSITION_CLOSES},
	{"pclose", POSITION_CLOSES},
	{"close_range", POSITION_CLOSES_FROM},
	{"closefrom", POSITION_CLOSES_FROM},
	{"lseek", POSITION_SEEKS},
	{"ftell", POSITION_SEEKS},
	{"ftello", POSITION_SEEKS},
	{"fseek", POSITION_SEEKS_BY},
	{"fseeko", POSITION_SEEKS_BY},
	{"rewind", POSITION_REWINDS},
	{"ungetc", POSITION_PUTS_BACK},
	{"read", POSITION_MOVES},
	{"write", POSITION_MOVES},
	{"readv", POSITION_MOVES},
	{"writev", POSITION_MOVES},
	{"sendfile", POSITION_PASSES},
	{"copy_file_range", POSITION_PASSES},
	{"splice", POSITION_PASSES},
	{"fork", POSITION_FORKS},
	{"_Fork", POSITION_FORKS},
	{"clone", POSITION_FORKS},
	{"vfork", POSITION_SPAWNS},
	{"posix_spawn", POSITION_SPAWNS},
	{"posix_spawnp", POSITION_SPAWNS},
	{"system", POSITION_SPAWNS},
	{"popen", POSITION_SPAWNS},
	/* calls of stdio on a stream that move nothing */
	{"fileno", POSITION_NONE},
	{"fflush", POSITION_NONE},
	{"fgetpos", POSITION_NONE},
	{"setvbuf", POSITION_NONE},
	{"setbuf", POSITION_NONE},
	{"setbuffer", POSITION_NONE},
	{"setlinebuf", POSITION_NONE},
	/* no descriptors of files: their positions mean nothing */
	{"tee", POSITION_NONE},
	{"vmsplice", POSITION_NONE},
};

#define ROLES (sizeof(roles) / sizeof(roles[0]))

static unsigned arg_of_kind(const struct reader_function_info *function, const char *kind)
{
	for (unsigned i = 0; i < function->arg_count; i++)
		if (!strcmp(function->args[i].kind, kind))
			return i;
	return NO_POSITION_ARG;
}

static unsigned second_descriptor(const struct reader_function_info *function)
{
	for (unsigned i = arg_of_kind(function, "fd") + 1; i > 0 && i < function->arg_count; i++)
		if (!strcmp(function->args[i].kind, "fd"))
			return i;
	return NO_POSITION_ARG;
}

static unsigned first_of(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static bool is_kind(const struct reader_function_info *function, const char *kind)
{
	return !strcmp(function->result.kind, kind);
}

static unsigned how_of(const struct reader_function_info *function)
{
	static const char *const kinds[] = {"open_flags",  "fcntl_cmd", "rw_flags",
					    "clone_flags", "fd_flags",  "close_range_flags"};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (arg_of_kind(function, kinds[i]) != NO_POSITION_ARG)
			return arg_of_kind(function, kinds[i]);
	for (unsigned i = 0; i < function->arg_count; i++)
		if (!strcmp(function->args[i].name, "mode") &&
		    function->args[i].class_ == READER_STRING)
			return i;
	return NO_POSITION_ARG;
}

static enum handle_space space_of(const struct reader_function_info *function, unsigned handle)
{
	if (!strcmp(function->layer, "kernel"))
		return HANDLE_KERNEL;
	if (is_kind(function, "stream") ||
	    (handle != NO_POSITION_ARG && !strcmp(function->args[handle].kind, "stream")))
		return HANDLE_STDIO;
	return HANDLE_FD;
}

/* Of what it reads and writes, result and arguments tell bytes only where reader_bytes() has them. */
static void find_amount(struct position_facts *facts, const struct reader_function_info *function)
{
	unsigned size = arg_of_kind(function, "bytes");

	facts->writes = operation_of(function->layer, function->name) == ANALYSIS_WRITE;
	facts->escapes =
		!strcmp(function->name, "__uflow") || !strcmp(function->name, "__overflow");
	if (is_kind(function, "count") && size != NO_POSITION_ARG)
		facts->size = size;
	else
		facts->blind = !is_kind(function, "bytes") && !is_kind(function, "char");
}

static bool role_by_name(const struct reader_function_info *function, enum position_role *role)
{
	for (size_t i = 0; i < ROLES; i++)
		if (!strcmp(roles[i].name, function->name)) {
			*role = roles[i].role;
			return true;
		}
	return false;
}

struct position_facts position_facts_of(const struct reader_function_info *function)
{
	bool posix = !strcmp(function->layer, "posix") || !strcmp(function->layer, "kernel");
	bool stdio = !strcmp(function->layer, "stdio"), mpi = !strcmp(function->layer, "mpiio");
	unsigned position = arg_of_kind(function, "position"); /* in bytes, not as its offset is */
	struct position_facts facts = {
		.handle = first_of(arg_of_kind(function, "fd"), arg_of_kind(function, "stream")),
		.other = second_descriptor(function),
		.given = position != NO_POSITION_ARG ? position : arg_of_kind(function, "offset"),
		.how = how_of(function),
		.size = NO_POSITION_ARG,
	};

	facts.space = space_of(function, facts.handle);
	if (!posix && !stdio && !mpi)
		return facts;
	find_amount(&facts, function);
	if (!mpi && role_by_name(function, &facts.role)) {
		facts.may_append =
			!strcmp(function->name, "openat2") && facts.how == NO_POSITION_ARG;
		return facts;
	}
	if (!is_kind(function, "bytes") && !stdio && !mpi)
		return facts;
	if (facts.given != NO_POSITION_ARG)
		facts.role = POSITION_GIVEN;
	else if (facts.handle != NO_POSITION_ARG)
		facts.role = POSITION_MOVES;
	return facts;
}

void position_movers(void (*each)(void *data, const char *name), void *data)
{
	for (size_t i = 0; i < ROLES; i++)
		if (roles[i].role != POSITION_NONE)
			each(data, roles[i].name);
}

#ifdef UNIT_TEST
#include "unittest.h"

static struct position_facts facts_of(const char *layer, const char *name, const char *kind,
				      const struct reader_parameter *args, unsigned count)
{
	struct reader_function_info info = {.layer = layer,
					    .name = name,
					    .result = {"", kind, READER_INT},
					    .arg_count = count,
					    .args = args};

	return position_facts_of(&info);
}

TEST_CASE(position_facts_by_name_and_arguments)
{
	static const struct reader_parameter on_fd[] = {{"fd", "fd", READER_PAIR},
							{"offset", "offset", READER_INT}},
					     on_stream[] = {{"size", "bytes", READER_INT},
							    {"count", "count", READER_INT},
							    {"stream", "stream", READER_PAIR}};
	struct position_facts facts = facts_of("posix", "pread", "bytes", on_fd, 2);

	EXPECT_EQ(facts.role, POSITION_GIVEN);
	EXPECT_EQ(facts.given, 1);
	EXPECT_EQ(facts_of("posix", "recv", "bytes", on_fd, 1).role, POSITION_MOVES);
	EXPECT_EQ(facts_of("posix", "fsync", "error", on_fd, 1).role, POSITION_NONE);
	EXPECT_EQ(facts_of("user", "read", "bytes", on_fd, 1).role, POSITION_NONE);
	EXPECT_EQ(facts_of("stdio", "dprintf", "bytes", on_fd, 1).space, HANDLE_FD);
	facts = facts_of("stdio", "fread", "count", on_stream, 3);
	EXPECT_EQ(facts.role, POSITION_MOVES);
	EXPECT_EQ(facts.space, HANDLE_STDIO);
	EXPECT(!facts.blind && facts.size == 0);
	EXPECT(facts_of("stdio", "fgets", "pointer", on_stream, 3).blind);
	EXPECT(facts_of("stdio", "__uflow", "int", on_stream, 3).escapes);
	EXPECT_EQ(facts_of("stdio", "fflush", "error", on_stream, 3).role, POSITION_NONE);
}
#endif
