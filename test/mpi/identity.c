/* SPDX-License-Identifier: MIT */
/*
 * identity - communicators of every making, on 8 ranks. Each gets a name that no other has, the same on all its members and on both
 * sides of an intercommunicator, so the trace must give it one identity, and no other the same (check.py identities).
 *
 * identity         all that one world can make
 * identity worlds  other worlds are spawned (this program with other words), and connected to
 */
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define NAMED_MAX 64

static char *program;
static int rank, size;
static MPI_Comm named[NAMED_MAX];
static int named_count;

__attribute__((format(printf, 2, 3))) static MPI_Comm name(MPI_Comm comm, const char *format, ...)
{
	char text[MPI_MAX_OBJECT_NAME] = "id.";
	va_list args;

	if (comm == MPI_COMM_NULL)
		return comm;
	va_start(args, format);
	vsnprintf(text + 3, sizeof(text) - 3, format, args);
	va_end(args);
	MPI_Comm_set_name(comm, text);
	named[named_count++] = comm;
	return comm;
}

static void free_named(void)
{
	while (named_count > 0)
		MPI_Comm_free(&named[--named_count]);
}

static void duplicates(void)
{
	MPI_Request request;
	MPI_Comm comm;

	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	name(comm, "dup");
	MPI_Comm_dup(comm, &comm);
	name(comm, "dup.dup");
	MPI_Comm_dup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &comm);
	name(comm, "dup_with_info");
	MPI_Comm_idup(MPI_COMM_WORLD, &comm, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	name(comm, "idup");
	MPI_Comm_dup(MPI_COMM_SELF, &comm);
	name(comm, "self.%d", rank);
}

/* Halves of halves of halves; both halves are made by one call each. */
static void splits(void)
{
	MPI_Comm comm, part;
	int node;

	MPI_Comm_split(MPI_COMM_WORLD, rank / 4, -rank, &comm);
	name(comm, "split.%d", rank / 4);
	MPI_Comm_split(comm, rank / 2 % 2, 0, &part);
	name(part, "split.%d.%d", rank / 4, rank / 2 % 2);
	MPI_Comm_split(part, rank % 2, 0, &part);
	name(part, "split.%d.%d.%d", rank / 4, rank / 2 % 2, rank % 2);
	/* the same members again, in another order, and from another parent */
	MPI_Comm_split(comm, 0, rank, &part);
	name(part, "order.%d", rank / 4);
	MPI_Comm_split(MPI_COMM_WORLD, rank / 4, rank, &part);
	name(part, "again.%d", rank / 4);
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &part);
	MPI_Comm_rank(part, &node);
	name(part, "split_type.%d", rank - node);
}

static void groups(void)
{
	int odd[] = {1, 3, 5, 7}, low[] = {0, 1, 2};
	MPI_Group world, group;
	MPI_Comm comm;

	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_incl(world, 4, odd, &group);
	MPI_Comm_create(MPI_COMM_WORLD, group, &comm);
	name(comm, "create.odd");
	if (rank % 2)
		MPI_Comm_create_group(MPI_COMM_WORLD, group, 5, &comm);
	name(rank % 2 ? comm : MPI_COMM_NULL, "create_group.5");
	if (rank % 2)
		MPI_Comm_create_group(MPI_COMM_WORLD, group, 6, &comm);
	name(rank % 2 ? comm : MPI_COMM_NULL, "create_group.6");
	MPI_Group_free(&group);
	MPI_Group_incl(world, 3, low, &group);
	MPI_Comm_create(MPI_COMM_WORLD, group, &comm);
	name(comm, "create.low");
	MPI_Group_free(&group);
	MPI_Group_free(&world);
}

static void topologies(void)
{
	int dims[] = {2, 2, 2}, periods[] = {1, 0, 1}, keep[] = {1, 0, 1}, coordinates[3];
	int index[] = {1, 2, 3, 4, 5, 6}, edges[] = {1, 2, 3, 4, 5, 0}; /* a ring of six */
	int next = (rank + 1) % size, before = (rank + size - 1) % size, one = 1;
	MPI_Comm comm, sub;

	MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 0, &comm);
	name(comm, "cart");
	MPI_Cart_coords(comm, rank, 3, coordinates);
	MPI_Cart_sub(comm, keep, &sub);
	name(sub, "cart_sub.%d", coordinates[1]);
	MPI_Graph_create(MPI_COMM_WORLD, 6, index, edges, 0, &comm);
	name(comm, "graph");
	MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &one, &next, &one, MPI_INFO_NULL, 0, &comm);
	name(comm, "dist_graph");
	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, &one, 1, &next, &one,
				       MPI_INFO_NULL, 0, &comm);
	name(comm, "dist_graph_adjacent");
}

static void intercomms(void)
{
	int upper = rank >= 3;
	MPI_Comm side, both, comm;

	MPI_Comm_split(MPI_COMM_WORLD, upper, 0, &side);
	name(side, "side.%d", upper);
	for (int tag = 1; tag <= 2; tag++) {
		MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, upper ? 0 : 3, tag, &both);
		name(both, "inter.%d", tag);
	}
	MPI_Comm_dup(both, &comm);
	name(comm, "inter.dup");
	MPI_Comm_split(both, rank % 2, 0, &comm);
	name(comm, "inter.split.%d", rank % 2);
	MPI_Intercomm_merge(both, upper, &comm);
	name(comm, "merge.low");
	MPI_Intercomm_merge(both, !upper, &comm);
	name(comm, "merge.high");
}

/* The same handles, groups and parents come again. */
static void again(void)
{
	MPI_Comm comm, part;

	for (int round = 0; round < 3; round++) {
		MPI_Comm_dup(MPI_COMM_WORLD, &comm);
		name(comm, "again.dup.%d", round);
		MPI_Comm_split(comm, rank % 3, 0, &part);
		name(part, "again.split.%d.%d", round, rank % 3);
		free_named();
	}
	/* who is in some of them has made more than others */
	for (int round = 0; round < 3; round++) {
		MPI_Comm_split(MPI_COMM_WORLD, rank < 2 + 2 * round ? 1 : MPI_UNDEFINED, 0, &part);
		name(part, "again.some.%d", round);
	}
}

/* ---- other worlds ---- */

/* Both sides of a connection: what can be made of it, with names that begin with `what`. */
static void use(MPI_Comm inter, int upper, const char *what)
{
	MPI_Comm both, comm;
	int all;

	name(inter, "%s", what);
	named_count--; /* to be disconnected */
	MPI_Comm_dup(inter, &comm);
	name(comm, "%s.dup", what);
	MPI_Intercomm_merge(inter, upper, &both);
	name(both, "%s.merge", what);
	MPI_Comm_rank(both, &all);
	MPI_Comm_split(both, all % 2, 0, &comm);
	name(comm, "%s.split.%d", what, all % 2);
	free_named();
}

static MPI_Comm spawn(MPI_Comm comm, int count, int root, const char *what)
{
	char *words[] = {"child", (char *)what, NULL};
	int errors[8];
	MPI_Comm inter;

	MPI_Comm_spawn(program, words, count, MPI_INFO_NULL, root, comm, &inter, errors);
	use(inter, 0, what);
	return inter;
}

static MPI_Comm spawn_several(MPI_Comm comm, int root, const char *what)
{
	char *commands[] = {program, program};
	char *words[] = {"child", (char *)what, NULL}, **argvs[] = {words, words};
	MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL};
	int counts[] = {1, 2}, errors[8];
	MPI_Comm inter;

	MPI_Comm_spawn_multiple(2, commands, argvs, counts, infos, root, comm, &inter, errors);
	use(inter, 0, what);
	return inter;
}

static void accept_or_connect(int accepts, char *port, MPI_Comm side, const char *what)
{
	MPI_Comm inter;

	for (int round = 0; round < 2; round++) {
		char text[64];

		if (accepts)
			MPI_Comm_accept(port, MPI_INFO_NULL, 0, side, &inter);
		else
			MPI_Comm_connect(port, MPI_INFO_NULL, 0, side, &inter);
		snprintf(text, sizeof(text), "%s.%d", what, round);
		use(inter, !accepts, text);
		MPI_Comm_disconnect(&inter);
	}
}

/* Halves of this world by a port of rank 0, which rank 3 has by its name. */
static void connected(void)
{
	char port[MPI_MAX_PORT_NAME] = "";
	static const char service[] = "identity";
	MPI_Comm half;

	if (rank == 0) {
		MPI_Open_port(MPI_INFO_NULL, port);
		MPI_Publish_name(service, MPI_INFO_NULL, port);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 3)
		MPI_Lookup_name(service, MPI_INFO_NULL, port);
	MPI_Comm_split(MPI_COMM_WORLD, rank < 3, 0, &half);
	accept_or_connect(rank < 3, port, half, "port");
	MPI_Comm_free(&half);
	if (rank == 0) {
		MPI_Unpublish_name(service, MPI_INFO_NULL, port);
		MPI_Close_port(port);
	}
}

/* Ranks 2 and 5 by a socket. */
static void joined(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "joined"};
	int listener = -1, fd;
	MPI_Comm inter;

	if (rank == 2) {
		listener = socket(AF_UNIX, SOCK_STREAM, 0);
		bind(listener, (struct sockaddr *)&address, sizeof(address));
		listen(listener, 1);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 2 || rank == 5) {
		fd = rank == 2 ? accept(listener, NULL, NULL) : socket(AF_UNIX, SOCK_STREAM, 0);
		if (rank == 5)
			connect(fd, (struct sockaddr *)&address, sizeof(address));
		MPI_Comm_join(fd, &inter);
		use(inter, rank == 5, "join");
		MPI_Comm_disconnect(&inter);
		close(fd);
	}
	if (rank == 2) {
		close(listener);
		unlink(address.sun_path);
	}
}

/* Two worlds of children, which have never met, by a port that the parents hand on. */
static void children_meet(MPI_Comm first, MPI_Comm second)
{
	char port[MPI_MAX_PORT_NAME];

	if (rank == 0) {
		MPI_Recv(port, sizeof(port), MPI_CHAR, 0, 1, first, MPI_STATUS_IGNORE);
		MPI_Send(port, sizeof(port), MPI_CHAR, 0, 1, second);
	}
}

static void parent(void)
{
	MPI_Comm first, second, third, half;

	connected();
	joined();
	first = spawn(MPI_COMM_WORLD, 3, 1, "spawn");
	second = spawn_several(MPI_COMM_WORLD, 0, "spawn_multiple");
	/* at the same time, by as many, of as many */
	MPI_Comm_split(MPI_COMM_WORLD, rank / 4, 0, &half);
	third = spawn(half, 1, 0, rank / 4 ? "spawn.upper" : "spawn.lower");
	children_meet(first, second);
	MPI_Comm_free(&half);
	MPI_Comm_disconnect(&third);
	MPI_Comm_disconnect(&second);
	MPI_Comm_disconnect(&first);
}

static void child(MPI_Comm inter, const char *what)
{
	char port[MPI_MAX_PORT_NAME] = "";
	int accepts = strcmp(what, "spawn") == 0, connects = strcmp(what, "spawn_multiple") == 0;

	use(inter, 1, what);
	if (accepts && rank == 0) {
		MPI_Open_port(MPI_INFO_NULL, port);
		MPI_Send(port, sizeof(port), MPI_CHAR, 0, 1, inter);
	} else if (connects && rank == 0) {
		MPI_Recv(port, sizeof(port), MPI_CHAR, 0, 1, inter, MPI_STATUS_IGNORE);
	}
	if (accepts || connects)
		accept_or_connect(accepts, port, MPI_COMM_WORLD, "children");
	MPI_Comm_disconnect(&inter);
}

static void one_world(void)
{
	duplicates();
	splits();
	groups();
	topologies();
	intercomms();
	free_named();
	again();
	free_named();
}

int main(int argc, char **argv)
{
	MPI_Comm inter;

	program = argv[0];
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Comm_get_parent(&inter);
	if (inter != MPI_COMM_NULL)
		child(inter, argv[argc - 1]);
	else if (size != 8)
		MPI_Abort(MPI_COMM_WORLD, 2);
	else if (argc > 1)
		parent();
	else
		one_world();
	MPI_Finalize();
	return 0;
}
