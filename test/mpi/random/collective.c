/* SPDX-License-Identifier: MIT */
/* collective.c - collectives, blocking and not, in place and not, with vectors, on neighbours */
#include "random.h"

/* What outlives the call if it does not block. */
struct vectors {
	int send_counts[RANKS_MAX], send_places[RANKS_MAX];
	int receive_counts[RANKS_MAX], receive_places[RANKS_MAX];
	MPI_Datatype send_types[RANKS_MAX], receive_types[RANKS_MAX];
};

/* One collective on one communicator, as this process has it. */
struct collective {
	struct comm *comm;
	MPI_Comm handle;
	int me, size; /* size: of the group whose vectors it has */
	int root;     /* as given to the call */
	bool is_root, is_leaf;
	bool later, in_place;
	struct type *type;
	int count, bytes; /* of a block */
	struct vectors *vectors;
	char *out, *in;
	MPI_Request request;
	int number; /* of the request */
	int sent, received;
};

#define CALL(c, small, large, ...)                                                                 \
	((c)->later ? MPI_I##small(__VA_ARGS__, &(c)->request) : MPI_##large(__VA_ARGS__))

static const char *full(const struct collective *c, const char *name)
{
	return text("MPI_%s%s 0", c->later ? "I" : "", name);
}

/* The end of every line: communicator, request, bytes. */
static const char *rest(struct collective *c)
{
	const char *made = c->later ? text(" request=r:%d", c->number) : "";

	return text("comm=%s%s sent=%d received=%d", comm_text(c->comm), made, c->sent,
		    c->received);
}

static const char *root_text(const struct collective *c)
{
	return c->root < 0 ? text("%d@-1", c->root) : peer(c->comm, c->root);
}

static const char *capital(const struct collective *c, const char *small, const char *large)
{
	return c->later ? small : large;
}

static void barrier(struct collective *c)
{
	CALL(c, barrier, Barrier, c->handle);
	say("%s comm=%s%s", full(c, capital(c, "barrier", "Barrier")), comm_text(c->comm),
	    c->later ? text(" request=r:%d", c->number) : "");
}

static void bcast(struct collective *c)
{
	c->sent = c->is_root ? c->bytes : 0;
	c->received = c->is_leaf && !c->is_root ? c->bytes : 0;
	CALL(c, bcast, Bcast, c->in, c->count, c->type->handle, c->root, c->handle);
	say("%s count=%d datatype=%s root=%s %s", full(c, capital(c, "bcast", "Bcast")), c->count,
	    c->root == MPI_PROC_NULL ? "t:null:-1" : type_text(c->type), root_text(c), rest(c));
}

static const char *if_seen(bool seen, const struct type *type)
{
	return seen ? type_text(type) : "t:null:-1";
}

static void gather(struct collective *c)
{
	void *from = c->in_place && c->is_root ? MPI_IN_PLACE : c->out;
	bool mine = c->is_leaf && from != MPI_IN_PLACE;

	c->sent = mine ? c->bytes : 0;
	c->received = c->is_root ? c->bytes * c->size : 0;
	CALL(c, gather, Gather, from, c->count, c->type->handle, c->in, c->count, c->type->handle,
	     c->root, c->handle);
	say("%s sendbuf=%d sendcount=%d sendtype=%s recvcount=%d recvtype=%s root=%s %s",
	    full(c, capital(c, "gather", "Gather")), from == MPI_IN_PLACE, c->count,
	    if_seen(mine, c->type), c->count, if_seen(c->is_root, c->type), root_text(c), rest(c));
}

static void scatter(struct collective *c)
{
	void *to = c->in_place && c->is_root ? MPI_IN_PLACE : c->in;
	bool mine = c->is_leaf && to != MPI_IN_PLACE;

	c->received = mine ? c->bytes : 0;
	c->sent = c->is_root ? c->bytes * c->size : 0;
	CALL(c, scatter, Scatter, c->out, c->count, c->type->handle, to, c->count, c->type->handle,
	     c->root, c->handle);
	say("%s sendcount=%d sendtype=%s recvbuf=%d recvcount=%d recvtype=%s root=%s %s",
	    full(c, capital(c, "scatter", "Scatter")), c->count, if_seen(c->is_root, c->type),
	    to == MPI_IN_PLACE, c->count, if_seen(mine, c->type), root_text(c), rest(c));
}

/* Member `at` has at + 1 blocks. */
static int all_blocks(const struct collective *c)
{
	return c->count * c->size * (c->size + 1) / 2;
}

static void blocks(struct collective *c)
{
	struct vectors *v = c->vectors;

	for (int at = 0, place = 0; at < c->size; at++) {
		v->receive_counts[at] = v->send_counts[at] = c->count * (at + 1);
		v->receive_places[at] = v->send_places[at] = place;
		place += c->count * (at + 1);
	}
}

static const char *vector_text(const int *values, int count)
{
	return text("a:%s", numbers(values, count));
}

static void gatherv(struct collective *c)
{
	struct vectors *v = c->vectors;
	int mine = c->count * (c->me + 1), listed = c->is_root ? c->size : 0;

	blocks(c);
	c->sent = mine * c->type->size;
	c->received = c->is_root ? all_blocks(c) * c->type->size : 0;
	CALL(c, gatherv, Gatherv, c->out, mine, c->type->handle, c->in, v->receive_counts,
	     v->receive_places, c->type->handle, c->root, c->handle);
	say("%s sendbuf=0 sendcount=%d sendtype=%s recvcounts=%s displs=%s recvtype=%s root=%s %s",
	    full(c, capital(c, "gatherv", "Gatherv")), mine, type_text(c->type),
	    vector_text(v->receive_counts, listed), vector_text(v->receive_places, listed),
	    if_seen(c->is_root, c->type), root_text(c), rest(c));
}

static void scatterv(struct collective *c)
{
	struct vectors *v = c->vectors;
	int mine = c->count * (c->me + 1), listed = c->is_root ? c->size : 0;

	blocks(c);
	c->received = mine * c->type->size;
	c->sent = c->is_root ? all_blocks(c) * c->type->size : 0;
	CALL(c, scatterv, Scatterv, c->out, v->send_counts, v->send_places, c->type->handle, c->in,
	     mine, c->type->handle, c->root, c->handle);
	say("%s sendcounts=%s displs=%s sendtype=%s recvbuf=0 recvcount=%d recvtype=%s root=%s %s",
	    full(c, capital(c, "scatterv", "Scatterv")), vector_text(v->send_counts, listed),
	    vector_text(v->send_places, listed), if_seen(c->is_root, c->type), mine,
	    type_text(c->type), root_text(c), rest(c));
}

static void allgather(struct collective *c)
{
	void *from = c->in_place ? MPI_IN_PLACE : c->out;

	c->sent = c->bytes;
	c->received = c->bytes * c->size;
	CALL(c, allgather, Allgather, from, c->count, c->type->handle, c->in, c->count,
	     c->type->handle, c->handle);
	say("%s sendbuf=%d sendcount=%d sendtype=%s recvcount=%d recvtype=%s %s",
	    full(c, capital(c, "allgather", "Allgather")), c->in_place, c->count,
	    if_seen(!c->in_place, c->type), c->count, type_text(c->type), rest(c));
}

static void allgatherv(struct collective *c)
{
	struct vectors *v = c->vectors;
	int mine = c->count * (c->me + 1);

	blocks(c);
	c->sent = mine * c->type->size;
	c->received = all_blocks(c) * c->type->size;
	CALL(c, allgatherv, Allgatherv, c->out, mine, c->type->handle, c->in, v->receive_counts,
	     v->receive_places, c->type->handle, c->handle);
	say("%s sendbuf=0 sendcount=%d sendtype=%s recvcounts=%s displs=%s recvtype=%s %s",
	    full(c, capital(c, "allgatherv", "Allgatherv")), mine, type_text(c->type),
	    vector_text(v->receive_counts, c->size), vector_text(v->receive_places, c->size),
	    type_text(c->type), rest(c));
}

static void alltoall(struct collective *c)
{
	void *from = c->in_place ? MPI_IN_PLACE : c->out;

	c->sent = c->received = c->bytes * c->size;
	CALL(c, alltoall, Alltoall, from, c->count, c->type->handle, c->in, c->count,
	     c->type->handle, c->handle);
	say("%s sendbuf=%d sendcount=%d sendtype=%s recvcount=%d recvtype=%s %s",
	    full(c, capital(c, "alltoall", "Alltoall")), c->in_place, c->count,
	    if_seen(!c->in_place, c->type), c->count, type_text(c->type), rest(c));
}

/* To each member as much as to each other, but not nothing. */
static void even_blocks(struct collective *c, int unit)
{
	struct vectors *v = c->vectors;

	for (int at = 0; at < c->size; at++) {
		v->receive_counts[at] = v->send_counts[at] = c->count;
		v->receive_places[at] = v->send_places[at] = at * c->count * unit;
		v->send_types[at] = v->receive_types[at] = c->type->handle;
	}
}

static void alltoallv(struct collective *c)
{
	struct vectors *v = c->vectors;
	const char *counts, *places;

	even_blocks(c, 1);
	c->sent = c->received = c->bytes * c->size;
	CALL(c, alltoallv, Alltoallv, c->out, v->send_counts, v->send_places, c->type->handle,
	     c->in, v->receive_counts, v->receive_places, c->type->handle, c->handle);
	counts = vector_text(v->send_counts, c->size);
	places = vector_text(v->send_places, c->size);
	say("%s sendbuf=0 sendcounts=%s sdispls=%s sendtype=%s recvcounts=%s rdispls=%s "
	    "recvtype=%s "
	    "%s",
	    full(c, capital(c, "alltoallv", "Alltoallv")), counts, places, type_text(c->type),
	    counts, places, type_text(c->type), rest(c));
}

static void alltoallw(struct collective *c)
{
	struct vectors *v = c->vectors;
	const char *counts, *places;

	even_blocks(c, c->type->extent);
	c->sent = c->received = c->bytes * c->size;
	CALL(c, alltoallw, Alltoallw, c->out, v->send_counts, v->send_places, v->send_types, c->in,
	     v->receive_counts, v->receive_places, v->receive_types, c->handle);
	counts = vector_text(v->send_counts, c->size);
	places = vector_text(v->send_places, c->size);
	say("%s sendbuf=0 sendcounts=%s sdispls=%s sendtypes=T:%d:%s recvcounts=%s rdispls=%s "
	    "recvtypes=T:%d:%s %s",
	    full(c, capital(c, "alltoallw", "Alltoallw")), counts, places, c->size,
	    type_text(c->type), counts, places, c->size, type_text(c->type), rest(c));
}

/* ---- reductions: of numbers that MPI knows ---- */

static void reduce(struct collective *c)
{
	void *from = c->in_place && c->is_root ? MPI_IN_PLACE : c->out;

	c->sent = c->bytes;
	c->received = c->is_root ? c->bytes : 0;
	CALL(c, reduce, Reduce, from, c->in, c->count, c->type->handle, MPI_SUM, c->root,
	     c->handle);
	say("%s sendbuf=%d count=%d datatype=%s op=? root=%s %s",
	    full(c, capital(c, "reduce", "Reduce")), from == MPI_IN_PLACE, c->count,
	    type_text(c->type), root_text(c), rest(c));
}

static void allreduce(struct collective *c)
{
	void *from = c->in_place ? MPI_IN_PLACE : c->out;

	c->sent = c->received = c->bytes;
	CALL(c, allreduce, Allreduce, from, c->in, c->count, c->type->handle, MPI_SUM, c->handle);
	say("%s sendbuf=%d count=%d datatype=%s op=? %s",
	    full(c, capital(c, "allreduce", "Allreduce")), c->in_place, c->count,
	    type_text(c->type), rest(c));
}

static void scan(struct collective *c)
{
	c->sent = c->received = c->bytes;
	CALL(c, scan, Scan, c->out, c->in, c->count, c->type->handle, MPI_SUM, c->handle);
	say("%s sendbuf=0 count=%d datatype=%s op=? %s", full(c, capital(c, "scan", "Scan")),
	    c->count, type_text(c->type), rest(c));
}

static void exscan(struct collective *c)
{
	c->sent = c->bytes;
	c->received = c->me ? c->bytes : 0;
	CALL(c, exscan, Exscan, c->out, c->in, c->count, c->type->handle, MPI_SUM, c->handle);
	say("%s sendbuf=0 count=%d datatype=%s op=? %s", full(c, capital(c, "exscan", "Exscan")),
	    c->count, type_text(c->type), rest(c));
}

static void reduce_scatter(struct collective *c)
{
	struct vectors *v = c->vectors;

	blocks(c);
	c->sent = all_blocks(c) * c->type->size;
	c->received = c->count * (c->me + 1) * c->type->size;
	CALL(c, reduce_scatter, Reduce_scatter, c->out, c->in, v->receive_counts, c->type->handle,
	     MPI_SUM, c->handle);
	say("%s sendbuf=0 recvcounts=%s datatype=%s op=? %s",
	    full(c, capital(c, "reduce_scatter", "Reduce_scatter")),
	    vector_text(v->receive_counts, c->size), type_text(c->type), rest(c));
}

static void reduce_scatter_block(struct collective *c)
{
	c->sent = c->bytes * c->size;
	c->received = c->bytes;
	CALL(c, reduce_scatter_block, Reduce_scatter_block, c->out, c->in, c->count,
	     c->type->handle, MPI_SUM, c->handle);
	say("%s sendbuf=0 recvcount=%d datatype=%s op=? %s",
	    full(c, capital(c, "reduce_scatter_block", "Reduce_scatter_block")), c->count,
	    type_text(c->type), rest(c));
}

/* ---- steps ---- */

static const struct kind {
	void (*run)(struct collective *c);
	bool inter, reduces;
} kinds[] = {
	{barrier, true, false},
	{bcast, true, false},
	{gather, true, false},
	{allgather, true, false},
	{allreduce, true, true},
	{scatter, true, false},
	{alltoall, true, false},
	{reduce, false, true},
	{gatherv, false, false},
	{scatterv, false, false},
	{allgatherv, false, false},
	{alltoallv, false, false},
	{alltoallw, false, false},
	{scan, false, true},
	{exscan, false, true},
	{reduce_scatter, false, true},
	{reduce_scatter_block, false, true},
};

#define INTER_KINDS 7u

static void roles(struct collective *c, int root, bool upward)
{
	bool other = on_other_side(c->comm);

	c->me = rank_in(c->comm);
	peers(c->comm, &c->size);
	c->root = root;
	c->is_root = c->comm->others == 0 ? root == c->me : other == upward && root == c->me;
	c->is_leaf = c->comm->others == 0 || other != upward;
	if (c->comm->others && !c->is_leaf)
		c->root = c->is_root ? MPI_ROOT : MPI_PROC_NULL;
}

static void finish(struct collective *c)
{
	struct pending pending = {.kind = PENDING_COLLECTIVE,
				  .comm = c->comm,
				  .request = c->request,
				  .buffer = (int *)c->out,
				  .second = (int *)c->vectors};

	if (c->later) {
		pending.number = c->number;
		request_keep(pending);
		return;
	}
	free(c->out);
	free(c->vectors);
}

void collective_step(void)
{
	struct comm *comm = any_comm(true, false, 1);
	const struct kind *kind =
		&kinds[below(&plan, comm->others ? INTER_KINDS : sizeof(kinds) / sizeof(kinds[0]))];
	bool later = chance(&plan, 40), in_place = chance(&plan, 30), upward = chance(&plan, 50);
	int root =
		(int)below(&plan, (unsigned)(comm->others && upward ? comm->others : comm->size));
	int bytes = UNIT * (1 + (int)below(&plan, 4));
	struct type *type = kind->reduces ? &types[below(&plan, 2)] : any_type();
	struct collective c = {.comm = comm,
			       .handle = comm->handle,
			       .later = later,
			       .type = type,
			       .count = bytes / type->size,
			       .bytes = bytes};

	if (rank_in(comm) < 0)
		return;
	c.in_place = in_place && comm->others == 0;
	roles(&c, root, upward);
	/* room for as many blocks as there can be, and the same again to receive */
	c.out = calloc(1, 2 * 8192);
	c.in = c.out + 8192;
	c.vectors = calloc(1, sizeof(*c.vectors));
	if (later)
		c.number = request_made();
	kind->run(&c);
	finish(&c);
}

void neighbor_step(void)
{
	struct comm *comm = any_comm(false, false, 1);
	struct type *type = any_type();
	bool gathers = chance(&plan, 50);
	int bytes = UNIT * (1 + (int)below(&plan, 4)), count = bytes / type->size;
	char *memory;

	/* the next that has a topology, if there is one */
	for (int at = 0; at < COMMS && comm->indegree < 0; at++)
		if (comms[at].used && !comms[at].wild && comms[at].indegree >= 0)
			comm = &comms[at];
	if (comm->indegree < 0 || rank_in(comm) < 0)
		return;
	memory = calloc(1, 2 * 8192);
	if (gathers) {
		MPI_Neighbor_allgather(memory, count, type->handle, memory + 8192, count,
				       type->handle, comm->handle);
		say("MPI_Neighbor_allgather 0 sendcount=%d sendtype=%s recvcount=%d recvtype=%s "
		    "comm=%s sent=%d received=%d",
		    count, type_text(type), count, type_text(type), comm_text(comm), bytes,
		    bytes * comm->indegree);
	} else {
		MPI_Neighbor_alltoall(memory, count, type->handle, memory + 8192, count,
				      type->handle, comm->handle);
		say("MPI_Neighbor_alltoall 0 sendcount=%d sendtype=%s recvcount=%d recvtype=%s "
		    "comm=%s sent=%d received=%d",
		    count, type_text(type), count, type_text(type), comm_text(comm),
		    bytes * comm->outdegree, bytes * comm->indegree);
	}
	free(memory);
}
