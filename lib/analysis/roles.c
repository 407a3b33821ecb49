/* SPDX-License-Identifier: MIT */
/* roles.c - see roles.h */
#include "analysis/roles.h"

#include <stdlib.h>
#include <string.h>

#include "format/affixes.h"

/* Names without the _c of large counts. Calls that make requests need no row of their own unless they are messages. */
static const struct {
	const char *name;
	unsigned roles;
} rows[] = {
	{"MPI_Send", ROLE_SENDS},
	{"MPI_Bsend", ROLE_SENDS},
	{"MPI_Ssend", ROLE_SENDS},
	{"MPI_Rsend", ROLE_SENDS},
	{"MPI_Recv", ROLE_RECEIVES},
	{"MPI_Sendrecv", ROLE_SENDS | ROLE_RECEIVES},
	{"MPI_Sendrecv_replace", ROLE_SENDS | ROLE_RECEIVES},
	{"MPI_Isend", ROLE_SENDS | ROLE_MAKES},
	{"MPI_Ibsend", ROLE_SENDS | ROLE_MAKES},
	{"MPI_Issend", ROLE_SENDS | ROLE_MAKES},
	{"MPI_Irsend", ROLE_SENDS | ROLE_MAKES},
	{"MPI_Irecv", ROLE_RECEIVES | ROLE_MAKES},
	{"MPI_Isendrecv", ROLE_SENDS | ROLE_RECEIVES | ROLE_MAKES},
	{"MPI_Isendrecv_replace", ROLE_SENDS | ROLE_RECEIVES | ROLE_MAKES},
	{"MPI_Send_init", ROLE_SENDS | ROLE_MAKES | ROLE_INACTIVE},
	{"MPI_Bsend_init", ROLE_SENDS | ROLE_MAKES | ROLE_INACTIVE},
	{"MPI_Ssend_init", ROLE_SENDS | ROLE_MAKES | ROLE_INACTIVE},
	{"MPI_Rsend_init", ROLE_SENDS | ROLE_MAKES | ROLE_INACTIVE},
	{"MPI_Recv_init", ROLE_RECEIVES | ROLE_MAKES | ROLE_INACTIVE},
	{"MPI_Mprobe", ROLE_PROBES},
	{"MPI_Improbe", ROLE_PROBES},
	{"MPI_Mrecv", ROLE_TAKES},
	{"MPI_Imrecv", ROLE_TAKES | ROLE_MAKES},
	{"MPI_Start", ROLE_STARTS},
	{"MPI_Startall", ROLE_STARTS},
	{"MPI_Wait", ROLE_COMPLETES},
	{"MPI_Waitall", ROLE_COMPLETES},
	{"MPI_Waitany", ROLE_COMPLETES},
	{"MPI_Waitsome", ROLE_COMPLETES},
	{"MPI_Test", ROLE_COMPLETES},
	{"MPI_Testall", ROLE_COMPLETES},
	{"MPI_Testany", ROLE_COMPLETES},
	{"MPI_Testsome", ROLE_COMPLETES},
	{"MPI_Request_free", ROLE_FREES},
	{"MPI_Request_get_status", 0},
	{"MPI_Cancel", 0},
	{"MPI_Grequest_complete", 0},
	{"MPI_Parrived", 0},
	{"MPI_Pready", 0},
	{"MPI_Pready_list", 0},
	{"MPI_Pready_range", 0},
	{"aio_read", ROLE_MAKES | ROLE_AIO | ROLE_IO},
	{"aio_write", ROLE_MAKES | ROLE_AIO | ROLE_IO},
	{"aio_fsync", ROLE_MAKES | ROLE_AIO | ROLE_IO},
	{"lio_listio", ROLE_MAKES | ROLE_AIO | ROLE_IO},
	{"aio_return", ROLE_COMPLETES | ROLE_AIO},
	{"io_submit", ROLE_MAKES | ROLE_AIO | ROLE_IO | ROLE_COUNTED},
	{"io_getevents", ROLE_COMPLETES | ROLE_AIO | ROLE_COUNTED},
	{"io_pgetevents", ROLE_COMPLETES | ROLE_AIO | ROLE_COUNTED},
};

static bool ends_with(const char *name, size_t size, const char *end)
{
	size_t length = strlen(end);

	return size >= length && strncmp(name + size - length, end, length) == 0;
}

/* Any other call of MPI with a request makes it: collective ones, of files, of memory of others. Transfers in two calls (MPI_File_write_all_begin, and ..._end) have none. */
static unsigned roles_of_maker(const char *name, size_t size)
{
	unsigned roles = ROLE_MAKES;

	if (name_begins_with(name, "MPI_File_") && ends_with(name, size, "_begin"))
		return ROLE_MAKES | ROLE_IO | ROLE_HALF;
	if (name_begins_with(name, "MPI_File_") && ends_with(name, size, "_end"))
		return ROLE_COMPLETES | ROLE_HALF;
	if (ends_with(name, size, "_init"))
		roles |= ROLE_INACTIVE;
	if (name_begins_with(name, "MPI_File_"))
		roles |= ROLE_IO;
	return roles;
}

static unsigned roles_by_name(const struct reader_function_info *function)
{
	const char *name = function->name;
	size_t size = strlen(name);

	if (name_begins_with(name, "MPI_") && ends_with(name, size, "_c"))
		size -= 2;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (strlen(rows[i].name) == size && strncmp(rows[i].name, name, size) == 0)
			return rows[i].roles;
	return name_begins_with(name, "MPI_") ? roles_of_maker(name, size) : 0;
}

static bool is_request(const char *kind, unsigned roles)
{
	if (roles & ROLE_HALF)
		return !strcmp(kind, "mpi_file");
	if (roles & ROLE_AIO)
		return !strcmp(kind, "aio") || !strcmp(kind, "aios");
	return !strcmp(kind, "request") || !strcmp(kind, "requests");
}

/* A trace may say of each argument what it likes: only those of the right class are taken. */
static void note(struct role_of_function *role, uint8_t index,
		 const struct reader_parameter *parameter)
{
	const char *kind = parameter->kind, *name = parameter->name;
	struct role_places *at = &role->at;
	bool list = parameter->class_ == READER_ARRAY;

	if (is_request(kind, role->roles) && (list || parameter->class_ <= READER_PAIR)) {
		at->request = index;
		role->list = list;
	} else if (list) {
		if (!strcmp(kind, "mpi_status"))
			at->status = index;
	} else if (parameter->class_ != READER_INT) {
		return;
	} else if (!strcmp(name, "dest") && !strcmp(kind, "rank")) {
		at->dest = index;
	} else if (!strcmp(name, "source") && !strcmp(kind, "rank")) {
		at->source = index;
	} else if (!strcmp(name, "sendtag")) {
		at->send_tag = index;
	} else if (!strcmp(name, "recvtag")) {
		at->receive_tag = index;
	} else if (!strcmp(name, "tag")) {
		at->send_tag = at->receive_tag = index;
	} else if (!strcmp(kind, "comm")) {
		at->comm = index;
	} else if (!strcmp(name, "flag")) {
		at->flag = index;
	} else if (!strcmp(kind, "message")) {
		at->message = index;
	}
}

/* Whether all arguments are there that its roles need. */
static bool is_complete(const struct role_of_function *role)
{
	const struct role_places *at = &role->at;
	unsigned roles = role->roles;
	bool receives = roles & (ROLE_RECEIVES | ROLE_PROBES);

	if (roles & ROLE_SENDS &&
	    (at->dest == NO_PLACE || at->send_tag == NO_PLACE || at->comm == NO_PLACE))
		return false;
	if (receives &&
	    (at->source == NO_PLACE || at->receive_tag == NO_PLACE || at->comm == NO_PLACE))
		return false;
	if (roles & (ROLE_PROBES | ROLE_TAKES) && at->message == NO_PLACE)
		return false;
	return !(roles & (ROLE_MAKES | ROLE_STARTS | ROLE_COMPLETES | ROLE_FREES)) ||
	       at->request != NO_PLACE;
}

struct role_of_function role_of(const struct reader_function_info *function)
{
	struct role_of_function role = {.roles = roles_by_name(function)};
	bool known = !strcmp(function->layer, "mpi") || !strcmp(function->layer, "mpiio") ||
		     (!strcmp(function->layer, "posix") && role.roles & ROLE_AIO);

	memset(&role.at, NO_PLACE, sizeof(role.at));
	for (unsigned i = 0; i < function->arg_count && i < NO_PLACE; i++)
		note(&role, (uint8_t)i, &function->args[i]);
	if (!known || !is_complete(&role))
		role.roles = 0;
	return role;
}

struct role_of_function *roles_of_all(const struct reader *trace)
{
	unsigned count = reader_function_count(trace);
	struct role_of_function *roles = calloc(count + 1, sizeof(*roles));

	for (unsigned id = 0; roles && id < count; id++)
		roles[id] = role_of(reader_function_by_id(trace, id));
	return roles;
}

char *roles_functions(const struct reader *trace, const struct role_of_function *roles)
{
	unsigned count = reader_function_count(trace);
	size_t size = 1;
	char *list, *end;

	for (unsigned id = 0; id < count; id++)
		size += roles[id].roles ? strlen(reader_function_by_id(trace, id)->name) + 1 : 0;
	end = list = malloc(size);
	if (!list)
		return NULL;
	*end = '\0';
	for (unsigned id = 0; id < count; id++) {
		const char *name = reader_function_by_id(trace, id)->name;

		if (!roles[id].roles)
			continue;
		if (end > list)
			*end++ = ',';
		memcpy(end, name, strlen(name) + 1);
		end += strlen(name);
	}
	return list;
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(roles_are_found_by_name_and_arguments)
{
	static const struct reader_parameter args[] = {{"count", "count", READER_INT},
						       {"dest", "rank", READER_INT},
						       {"tag", "tag", READER_INT},
						       {"comm", "comm", READER_INT},
						       {"request", "request", READER_INT}};
	static const struct reader_parameter file[] = {{"fh", "mpi_file", READER_PAIR}};
	struct reader_function_info function = {
		.layer = "mpi", .name = "MPI_Isend_c", .args = args, .arg_count = 5};
	struct role_of_function role = role_of(&function);

	EXPECT_EQ(role.roles, ROLE_SENDS | ROLE_MAKES);
	EXPECT_EQ(role.at.dest, 1);
	EXPECT_EQ(role.at.send_tag, 2);
	EXPECT_EQ(role.at.request, 4);
	EXPECT_EQ(role.at.status, NO_PLACE);
	function.arg_count = 4; /* a trace may say anything */
	EXPECT_EQ(role_of(&function).roles, 0);
	function.name = "MPI_Send";
	EXPECT_EQ(role_of(&function).roles, ROLE_SENDS);
	function.layer = "user";
	EXPECT_EQ(role_of(&function).roles, 0);
	function.layer = "mpi";
	function.name = "MPI_Barrier";
	EXPECT_EQ(role_of(&function).roles, 0);
	function.name = "MPI_File_read_all_end";
	EXPECT_EQ(role_of(&function).roles, 0);
	function.args = file;
	function.arg_count = 1;
	EXPECT_EQ(role_of(&function).roles, ROLE_COMPLETES | ROLE_HALF);
}
#endif
