/* SPDX-License-Identifier: MIT */
/* comms.c - communicators, made in every way, used, and freed; datatypes */
#include "random.h"

struct comm comms[COMMS];
struct type types[TYPES];

static int made_count; /* of calls that make some: a label says which, and which of those it made */
static const char *name; /* of the seed */
static bool of_grid;     /* what is made now is made from a grid */

/* ---- who is in it ---- */

static int place_of(const int *group, int size, int rank)
{
	for (int at = 0; at < size; at++)
		if (group[at] == rank)
			return at;
	return -1;
}

bool on_other_side(const struct comm *comm)
{
	return place_of(comm->other, comm->others, world_rank) >= 0;
}

int rank_in(const struct comm *comm)
{
	if (on_other_side(comm))
		return place_of(comm->other, comm->others, world_rank);
	return place_of(comm->group, comm->size, world_rank);
}

const int *peers(const struct comm *comm, int *count)
{
	bool first = comm->others == 0 || on_other_side(comm);

	*count = first ? comm->size : comm->others;
	return first ? comm->group : comm->other;
}

const char *peer(const struct comm *comm, int rank)
{
	int count;
	const int *group = peers(comm, &count);

	return text("%d@%d", rank, rank >= 0 && rank < count ? group[rank] : -1);
}

const char *member(const struct comm *comm, int rank)
{
	return text("%d@%d", rank, on_other_side(comm) ? comm->other[rank] : comm->group[rank]);
}

const char *comm_text(const struct comm *comm)
{
	return text("c:%s", comm->label);
}

static struct comm *new_comm(void)
{
	for (int at = 0; at < COMMS; at++)
		if (!comms[at].used) {
			comms[at] = (struct comm){.grid = of_grid,
						  .handle = MPI_COMM_NULL,
						  .indegree = -1,
						  .outdegree = -1,
						  .used = true};
			return &comms[at];
		}
	return NULL;
}

static int unused_comms(void)
{
	int count = 0;

	for (int at = 0; at < COMMS; at++)
		count += !comms[at].used;
	return count;
}

struct comm *any_comm(bool inter, bool wild, int smallest)
{
	struct comm *fitting[COMMS];
	unsigned count = 0;

	for (int at = 0; at < COMMS; at++)
		if (comms[at].used && comms[at].wild == wild && (inter || comms[at].others == 0) &&
		    comms[at].size >= smallest)
			fitting[count++] = &comms[at];
	return count ? fitting[below(&plan, count)] : NULL;
}

static void introduce(struct comm *comm, int event, int part)
{
	bool other = on_other_side(comm);

	snprintf(comm->label, sizeof(comm->label), "%s/%d.%d", name, event, part);
	if (rank_in(comm) < 0)
		return;
	say("#comm %s %s %s", comm->label,
	    numbers(other ? comm->other : comm->group, other ? comm->others : comm->size),
	    numbers(other ? comm->group : comm->other, other ? comm->size : comm->others));
}

/* ---- made ---- */

static void dup(struct comm *from)
{
	struct comm *made = new_comm();
	unsigned way = below(&plan, 3);
	MPI_Request request;

	*made = (struct comm){.used = true,
			      .grid = of_grid,
			      .handle = MPI_COMM_NULL,
			      .size = from->size,
			      .others = from->others,
			      .wild = chance(&plan, 30),
			      .indegree = from->indegree,
			      .outdegree = from->outdegree};
	memcpy(made->group, from->group, sizeof(made->group));
	memcpy(made->other, from->other, sizeof(made->other));
	introduce(made, made_count++, 0);
	if (rank_in(from) < 0)
		return;
	if (way == 0) {
		MPI_Comm_dup(from->handle, &made->handle);
		say("MPI_Comm_dup 0 comm=%s newcomm=%s", comm_text(from), comm_text(made));
	} else if (way == 1 || from->others) {
		MPI_Comm_dup_with_info(from->handle, MPI_INFO_NULL, &made->handle);
		say("MPI_Comm_dup_with_info 0 comm=%s info=? newcomm=%s", comm_text(from),
		    comm_text(made));
	} else {
		int number = request_made();

		MPI_Comm_idup(from->handle, &made->handle, &request);
		say("MPI_Comm_idup 0 comm=%s newcomm=%s request=r:%d", comm_text(from),
		    comm_text(made), number);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		say("MPI_Wait 0 request=r:%d status=s:_,_,_ received=0", number);
	}
}

/* Those of a colour, ordered by key and then by rank. */
static void select_members(const struct comm *from, const int *colors, const int *keys, int color,
			   struct comm *made)
{
	int taken[RANKS_MAX] = {0};

	for (;;) {
		int best = -1;

		for (int at = 0; at < from->size; at++)
			if (colors[at] == color && !taken[at] &&
			    (best < 0 || keys[at] < keys[best]))
				best = at;
		if (best < 0)
			return;
		taken[best] = 1;
		made->group[made->size++] = from->group[best];
	}
}

static void split(struct comm *from)
{
	int colors[RANKS_MAX], keys[RANKS_MAX], count = 1 + (int)below(&plan, 3);
	bool by_type = chance(&plan, 20);
	struct comm *made[3] = {NULL}, *mine = NULL;
	int mine_at = place_of(from->group, from->size, world_rank);
	MPI_Comm handle;

	if (by_type)
		count = 1;
	for (int at = 0; at < from->size; at++) {
		colors[at] =
			!by_type && chance(&plan, 10) ? -1 : (int)below(&plan, (unsigned)count);
		keys[at] = (int)below(&plan, 5) - 2;
	}
	for (int color = 0; color < count; color++) {
		made[color] = new_comm();
		select_members(from, colors, keys, color, made[color]);
		introduce(made[color], made_count, color);
		if (rank_in(made[color]) >= 0)
			mine = made[color];
		if (made[color]->size == 0)
			made[color]->used = false;
	}
	made_count++;
	if (mine_at < 0)
		return;
	if (by_type) {
		MPI_Comm_split_type(from->handle, MPI_COMM_TYPE_SHARED, keys[mine_at],
				    MPI_INFO_NULL, &handle);
		say("MPI_Comm_split_type 0 comm=%s split_type=%d key=%d info=? newcomm=%s",
		    comm_text(from), MPI_COMM_TYPE_SHARED, keys[mine_at], comm_text(mine));
	} else {
		int color = colors[mine_at] < 0 ? MPI_UNDEFINED : colors[mine_at];

		MPI_Comm_split(from->handle, color, keys[mine_at], &handle);
		say("MPI_Comm_split 0 comm=%s color=%d key=%d newcomm=%s", comm_text(from), color,
		    keys[mine_at], mine ? comm_text(mine) : "c:null");
	}
	if (mine)
		mine->handle = handle;
}

/* Some of the members in any order, by a group. */
static void create(struct comm *from)
{
	int ranks[RANKS_MAX], count = 0, tag = (int)below(&plan, 100);
	bool only_members = chance(&plan, 50);
	struct comm *made = new_comm();
	MPI_Group all, some;
	MPI_Comm handle;

	for (int at = 0; at < from->size; at++) {
		int to = (int)below(&plan, (unsigned)count + 1);

		if (chance(&plan, 35) && !(at == from->size - 1 && count == 0))
			continue;
		memmove(ranks + to + 1, ranks + to, (size_t)(count - to) * sizeof(int));
		ranks[to] = at;
		count++;
	}
	for (int at = 0; at < count; at++)
		made->group[made->size++] = from->group[ranks[at]];
	introduce(made, made_count++, 0);
	if (rank_in(from) < 0 || (only_members && rank_in(made) < 0))
		return;
	MPI_Comm_group(from->handle, &all);
	say("MPI_Comm_group 0 comm=%s group=?", comm_text(from));
	MPI_Group_incl(all, count, ranks, &some);
	say("MPI_Group_incl 0 group=? n=%d ranks=a:%s newgroup=?", count, numbers(ranks, count));
	if (only_members) {
		MPI_Comm_create_group(from->handle, some, tag, &handle);
		say("MPI_Comm_create_group 0 comm=%s group=? tag=%d newcomm=%s", comm_text(from),
		    tag, comm_text(made));
	} else {
		MPI_Comm_create(from->handle, some, &handle);
		say("MPI_Comm_create 0 comm=%s group=? newcomm=%s", comm_text(from),
		    rank_in(made) >= 0 ? comm_text(made) : "c:null");
	}
	if (rank_in(made) >= 0)
		made->handle = handle;
	MPI_Group_free(&some);
	say("MPI_Group_free 0 group=?");
	MPI_Group_free(&all);
	say("MPI_Group_free 0 group=?");
}

/* ---- topologies ---- */

static void grid(struct comm *from)
{
	int dims[2] = {from->size, 1}, periods[2], columns = 1 + (int)below(&plan, 3);
	int keep[2] = {1, 0};
	struct comm *made, *line = NULL;

	of_grid = true;
	made = new_comm();

	if (from->size % columns == 0) {
		dims[0] = from->size / columns;
		dims[1] = columns;
	}
	periods[0] = (int)below(&plan, 2);
	periods[1] = (int)below(&plan, 2);
	made->size = from->size;
	memcpy(made->group, from->group, sizeof(made->group));
	made->indegree = made->outdegree = 4;
	introduce(made, made_count++, 0);
	/* the columns of the grid: each its own */
	for (int column = 0; column < dims[1]; column++) {
		struct comm *part = new_comm();

		part->indegree = part->outdegree = 2;
		for (int row = 0; row < dims[0]; row++)
			part->group[part->size++] = from->group[row * dims[1] + column];
		introduce(part, made_count, column);
		if (rank_in(part) >= 0)
			line = part;
	}
	made_count++;
	if (rank_in(from) < 0)
		return;
	MPI_Cart_create(from->handle, 2, dims, periods, 0, &made->handle);
	say("MPI_Cart_create 0 old_comm=%s ndims=2 dims=a:%s periods=a:%s reorder=0 comm_cart=%s",
	    comm_text(from), numbers(dims, 2), numbers(periods, 2), comm_text(made));
	MPI_Cart_sub(made->handle, keep, &line->handle);
	say("MPI_Cart_sub 0 comm=%s remain_dims=a:1,0 new_comm=%s", comm_text(made),
	    comm_text(line));
}

/* Each member has an edge to some of those behind it, in a ring. */
static void graph(struct comm *from)
{
	int degrees[RANKS_MAX], first[RANKS_MAX + 1] = {0}, edges[RANKS_MAX * RANKS_MAX];
	struct comm *made = new_comm();
	int me = place_of(from->group, from->size, world_rank);

	for (int at = 0; at < from->size; at++) {
		degrees[at] = (int)below(&plan, (unsigned)from->size + 1);
		for (int edge = 0; edge < degrees[at]; edge++)
			edges[first[at] + edge] = (at + 1 + edge) % from->size;
		first[at + 1] = first[at] + degrees[at];
	}
	made->size = from->size;
	memcpy(made->group, from->group, sizeof(made->group));
	introduce(made, made_count++, 0);
	if (me < 0)
		return;
	made->indegree = made->outdegree = degrees[me];
	MPI_Graph_create(from->handle, from->size, first + 1, edges, 0, &made->handle);
	say("MPI_Graph_create 0 comm_old=%s nnodes=%d index=a:%s edges=a:%s reorder=0 "
	    "comm_graph=%s",
	    comm_text(from), from->size, numbers(first + 1, from->size),
	    numbers(edges, first[from->size]), comm_text(made));
	/* a graph has no symmetry: its collectives are not for us */
	made->indegree = made->outdegree = -1;
}

/* To the next `width` members and from those before. */
static void dist_graph(struct comm *from)
{
	int width = (int)below(&plan, (unsigned)from->size);
	int in[RANKS_MAX] = {0}, out[RANKS_MAX] = {0}, weights[RANKS_MAX] = {0};
	struct comm *made = new_comm();
	int me = place_of(from->group, from->size, world_rank);

	made->size = from->size;
	memcpy(made->group, from->group, sizeof(made->group));
	made->indegree = made->outdegree = width;
	introduce(made, made_count++, 0);
	if (me < 0)
		return;
	for (int at = 0; at < width; at++) {
		out[at] = (me + 1 + at) % from->size;
		in[at] = (me - 1 - at + 2 * from->size) % from->size;
	}
	MPI_Dist_graph_create_adjacent(from->handle, width, in, weights, width, out, weights,
				       MPI_INFO_NULL, 0, &made->handle);
	say("MPI_Dist_graph_create_adjacent 0 comm_old=%s indegree=%d sources=a:%s outdegree=%d "
	    "destinations=a:%s info=? reorder=0 comm_dist_graph=%s",
	    comm_text(from), width, numbers(in, width), width, numbers(out, width),
	    comm_text(made));
}

/* ---- intercommunicators ---- */

/* Two halves, each with a communicator of its own, joined; and perhaps merged. */
static void join(struct comm *from)
{
	int me = place_of(from->group, from->size, world_rank),
	    half = 1 + (int)below(&plan, (unsigned)from->size - 1);
	bool merges = chance(&plan, 50), high = me >= half;
	int tag = (int)below(&plan, 50);
	struct comm *side[2] = {new_comm(), new_comm()}, *both = new_comm(), *merged = NULL;

	for (int at = 0; at < from->size; at++) {
		struct comm *to = side[at >= half];

		to->group[to->size++] = from->group[at];
	}
	for (int at = 0; at < 2; at++)
		introduce(side[at], made_count, at);
	made_count++;
	both->size = side[0]->size;
	both->others = side[1]->size;
	memcpy(both->group, side[0]->group, sizeof(both->group));
	memcpy(both->other, side[1]->group, sizeof(both->other));
	introduce(both, made_count++, 0);
	if (merges) {
		merged = new_comm();
		for (int at = 0; at < from->size; at++)
			merged->group[merged->size++] = from->group[(at + half) % from->size];
		introduce(merged, made_count++, 0);
	}
	if (me < 0)
		return;
	MPI_Comm_split(from->handle, high, 0, &side[high]->handle);
	say("MPI_Comm_split 0 comm=%s color=%d key=0 newcomm=%s", comm_text(from), high,
	    comm_text(side[high]));
	MPI_Intercomm_create(side[high]->handle, 0, from->handle, high ? 0 : half, tag,
			     &both->handle);
	/* only the leader's bridge is looked at */
	bool leads = me == (high ? half : 0);
	int other = high ? 0 : half;

	say("MPI_Intercomm_create 0 local_comm=%s local_leader=%s bridge_comm=%s remote_leader=%s "
	    "tag=%d newintercomm=%s",
	    comm_text(side[high]), member(side[high], 0), leads ? comm_text(from) : "c:null",
	    leads ? member(from, other) : text("%d@-1", other), tag, comm_text(both));
	if (!merges)
		return;
	/* the upper half goes first */
	MPI_Intercomm_merge(both->handle, !high, &merged->handle);
	say("MPI_Intercomm_merge 0 intercomm=%s high=%d newintercomm=%s", comm_text(both), !high,
	    comm_text(merged));
}

/* ---- freed ---- */

static void end(struct comm *comm)
{
	if (rank_in(comm) >= 0) {
		MPI_Comm_free(&comm->handle);
		say("MPI_Comm_free 0 comm=%s", comm_text(comm));
	}
	comm->used = false;
}

void comms_step(void)
{
	struct comm *from;

	if (unused_comms() < 4 || chance(&plan, 25)) {
		int victim = (int)below(&plan, COMMS);

		/* others may still have requests on it: MPI keeps it until they are complete; the first stays */
		if (victim > 0 && comms[victim].used) {
			requests_end();
			end(&comms[victim]);
		}
		return;
	}
	from = any_comm(false, false, 1);
	of_grid = from->grid;
	switch (below(&plan, 7)) {
	case 0:
		from = any_comm(true, false, 1);
		of_grid = from->grid;
		dup(from);
		break;
	case 1:
	case 2:
		split(from);
		break;
	case 3:
		create(from);
		break;
	case 4:
		if (chance(&plan, 50) && unused_comms() >= 4)
			grid(from);
		else
			dist_graph(from);
		break;
	case 5:
		graph(from);
		break;
	default:
		if (from->size > 1)
			join(from);
	}
}

/* Of the ranks of the world, two or more in any order. */
void comms_begin(const char *seed)
{
	int order[RANKS_MAX], count = 2 + (int)below(&plan, (unsigned)world_size - 1);
	struct comm *first;
	MPI_Comm handle;
	int key = 0;

	memset(comms, 0, sizeof(comms));
	made_count = 0;
	name = seed;
	for (int at = 0; at < world_size; at++) {
		int to = (int)below(&plan, (unsigned)at + 1);

		order[at] = order[to];
		order[to] = at;
	}
	if (count > world_size)
		count = world_size;
	of_grid = false;
	first = new_comm();
	first->size = count;
	memcpy(first->group, order, sizeof(order));
	snprintf(first->label, sizeof(first->label), "%s", seed);
	for (int at = 0; at < world_size; at++)
		key = order[at] == world_rank ? at : key;
	if (key < count)
		say("#comm %s %s", first->label, numbers(order, count));
	MPI_Comm_split(MPI_COMM_WORLD, key < count ? 0 : MPI_UNDEFINED, key, &handle);
	say("MPI_Comm_split 0 comm=c:world color=%d key=%d newcomm=%s",
	    key < count ? 0 : MPI_UNDEFINED, key, key < count ? comm_text(first) : "c:null");
	first->handle = handle;
}

void comms_end(void)
{
	for (int at = COMMS - 1; at >= 0; at--)
		if (comms[at].used)
			end(&comms[at]);
}

/* ---- datatypes ---- */

static void derived(struct type *type, const char *label, int size, int extent)
{
	MPI_Type_commit(&type->handle);
	snprintf(type->label, sizeof(type->label), "%s", label);
	type->size = size;
	type->extent = extent;
	say("MPI_Type_commit 0 type=%s", type_text(type));
}

const char *type_text(const struct type *type)
{
	return text("t:%s:%d", type->label, type->size);
}

void types_begin(void)
{
	int count = 1 + (int)below(&plan, 3);

	types[0] = (struct type){MPI_INT, "INT", 4, 4};
	types[1] = (struct type){MPI_DOUBLE, "DOUBLE", 8, 8};
	types[2] = (struct type){MPI_BYTE, "BYTE", 1, 1};
	MPI_Type_contiguous(count, MPI_INT, &types[3].handle);
	say("MPI_Type_contiguous 0 count=%d oldtype=t:INT:4 newtype=t:CONTIGUOUS:%d", count,
	    4 * count);
	derived(&types[3], "CONTIGUOUS", 4 * count, 4 * count);
	MPI_Type_dup(MPI_DOUBLE, &types[4].handle);
	say("MPI_Type_dup 0 type=t:DOUBLE:8 newtype=t:DUP:8");
	derived(&types[4], "DUP", 8, 8);
	MPI_Type_vector(3, 1, 1, MPI_INT, &types[5].handle);
	say("MPI_Type_vector 0 count=3 blocklength=1 stride=1 oldtype=t:INT:4 newtype=t:VECTOR:12");
	derived(&types[5], "VECTOR", 12, 12);
}

void types_end(void)
{
	for (int at = 3; at < TYPES; at++) {
		MPI_Type_free(&types[at].handle);
		say("MPI_Type_free 0 type=%s", type_text(&types[at]));
	}
}

void *room_for(const struct type *type, int count)
{
	return calloc(1, (size_t)type->extent * (size_t)count + 4 * UNIT);
}
