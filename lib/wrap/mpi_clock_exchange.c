/* SPDX-License-Identifier: MIT */
/* mpi_clock_exchange.c - see mpi_clock_exchange.h */
#include "wrap/mpi_clock_exchange.h"

#include <string.h>

#include "record/clock.h"
#include "record/config.h"
#include "record/sys.h"

#define CHILDREN 2
#define TAGS 1024 /* by number of the measurement */

#define ROUNDS_MIN 16
#define ROUNDS_MANY 64
#define ROUNDS_IDLE 256  /* rounds that taught nothing end it */
#define ENOUGH 1000      /* ns, width of the range at which it ends */
#define ROUNDS_NS_MAX 10 /* times the time of rounds: others have the processors */

/*
 * While nothing comes: how long to look again at once, and to sleep then. Who has been asleep finds the other one awake; and a processor that
 * is given to others (sched_yield) is gone for longer.
 */
#define SPIN_NS 150000
#define SLEEP_NS 100000
#define ATTENTION_NS 20000000 /* one child is waited for alone, while it asks */

/* Clocks of any two machines run apart by less: parts of an interval that are added to its error. */
#define DRIFT_PART_PAIR 10000

enum ping_state {
	PING_MORE,  /* another one will follow at once */
	PING_ASKED, /* it knows now, and will answer those below it */
	PING_DONE,  /* they know, too */
	PING_GONE,  /* it has waited long enough */
};

struct clock_message {
	int64_t received, sent; /* of the clock above: t2 and t3 */
	int64_t offset;         /* from there to the root's */
	uint64_t error;
	uint32_t state; /* ping: enum ping_state */
	uint32_t known; /* pong: offset and error are */
	uint32_t gone;  /* pong: it has waited long enough, nothing else counts */
	char reference[sizeof(identity.boot_id)]; /* the root's machine */
};

struct peer {
	int rank; /* in the communicator */
	bool receiving, sending;
	bool waiting; /* for the pong that sends it on */
	bool stuck;   /* a send to it did not end */
	MPI_Request receive, send;
	struct clock_message in, out;
};

static struct {
	MPI_Comm comm;
	MPI_Datatype byte;
	int tag;
	int64_t deadline;
	struct peer above, below[CHILDREN];
	bool is_root, one_by_one;
	int64_t rounds_ns;
	int children;
	bool known;
	struct mpi_clock_point point;
} clocks;

/* ---- messages ---- */

static bool done(const struct mpi_library *mpi, MPI_Request *request)
{
	int flag = 0;

	return mpi->Test(request, &flag, MPI_STATUS_IGNORE) == MPI_SUCCESS && flag;
}

static void idle(int64_t since)
{
	static const struct timespec pause = {0, SLEEP_NS};

	if (clock_mono() - since > SPIN_NS)
		sys_nanosleep(&pause);
}

static bool receive_begin(const struct mpi_library *mpi, struct peer *peer)
{
	peer->receiving = mpi->Irecv(&peer->in, sizeof(peer->in), clocks.byte, peer->rank,
				     clocks.tag, clocks.comm, &peer->receive) == MPI_SUCCESS;
	return peer->receiving;
}

static bool received(const struct mpi_library *mpi, struct peer *peer)
{
	if (peer->receiving && done(mpi, &peer->receive)) {
		peer->receiving = false;
		return true;
	}
	return false;
}

/* The one before it is gone: it was answered. False: not by the deadline. */
static bool sent(const struct mpi_library *mpi, struct peer *peer)
{
	int64_t since = clock_mono();

	while (peer->sending && !done(mpi, &peer->send)) {
		if (clock_mono() > clocks.deadline)
			return false;
		idle(since);
	}
	peer->sending = false;
	return true;
}

static bool send_begin(const struct mpi_library *mpi, struct peer *peer)
{
	peer->sending =
		!peer->stuck && mpi->Isend(&peer->out, sizeof(peer->out), clocks.byte, peer->rank,
					   clocks.tag, clocks.comm, &peer->send) == MPI_SUCCESS;
	return peer->sending;
}

/* Who did not come is not waited for: what is still under way is given up, into memory that stays. False: something was. */
static bool give_up(const struct mpi_library *mpi, struct peer *peer)
{
	bool whole = !peer->receiving;

	if (peer->receiving) {
		mpi->Cancel(&peer->receive);
		if (!done(mpi, &peer->receive))
			mpi->Request_free(&peer->receive);
		peer->receiving = false;
	}
	if (!sent(mpi, peer)) {
		mpi->Request_free(&peer->send);
		peer->sending = false;
		peer->stuck = true;
		return false;
	}
	return whole;
}

/* ---- asking the one above ---- */

struct range {
	int64_t low, high; /* by how much the clock above is ahead */
	int64_t begin, end;
	unsigned rounds, idle; /* all, and the last ones that did not narrow it */
};

static void narrow(struct range *range, const struct clock_message *pong, int64_t ping_sent,
		   int64_t pong_received)
{
	int64_t low = pong->sent - pong_received, high = pong->received - ping_sent;

	range->idle++;
	if (range->rounds == 0 || low > range->low) {
		range->low = low;
		range->idle = 0;
	}
	if (range->rounds == 0 || high < range->high) {
		range->high = high;
		range->idle = 0;
	}
	if (range->rounds++ == 0)
		range->begin = ping_sent;
	range->end = pong_received;
}

static bool is_enough(const struct range *range)
{
	unsigned rounds = range->rounds + 1;
	int64_t time = range->end - range->begin;

	if (range->idle >= ROUNDS_IDLE || time >= clocks.rounds_ns * ROUNDS_NS_MAX)
		return true;
	return (rounds >= ROUNDS_MIN && range->high - range->low <= ENOUGH) ||
	       (rounds >= ROUNDS_MANY && time >= clocks.rounds_ns);
}

/* Ping and pong. When the ping was sent; 0: no answer in time. */
static int64_t ask_once(const struct mpi_library *mpi, enum ping_state state)
{
	struct peer *above = &clocks.above;
	int64_t ping_sent;

	if (!sent(mpi, above) || !receive_begin(mpi, above))
		return 0;
	above->out.state = state;
	ping_sent = clock_mono();
	if (!send_begin(mpi, above))
		return 0;
	while (!received(mpi, above)) {
		if (clock_mono() > clocks.deadline)
			return 0;
		idle(ping_sent);
	}
	return ping_sent;
}

static bool ask_round(const struct mpi_library *mpi, struct range *range, bool last)
{
	int64_t ping_sent = ask_once(mpi, last ? PING_ASKED : PING_MORE);

	if (!ping_sent)
		return false;
	narrow(range, &clocks.above.in, ping_sent, clock_mono());
	/* how long the first took says when the other came, not how far the measurement reaches */
	if (range->rounds == 1)
		range->begin = range->end;
	return true;
}

static void ask(const struct mpi_library *mpi)
{
	const struct clock_message *pong = &clocks.above.in;
	struct range range = {.rounds = 0};
	bool last = false;
	int64_t width;

	clocks.known = false;
	for (;;) {
		if (!ask_round(mpi, &range, last) || pong->gone)
			return;
		if (last)
			break;
		last = is_enough(&range);
	}
	if (!pong->known)
		return;
	width = range.high > range.low ? range.high - range.low : range.low - range.high;
	clocks.known = true;
	clocks.point.mono = range.end;
	clocks.point.offset = range.low + (range.high - range.low) / 2 + pong->offset;
	clocks.point.error =
		(uint64_t)(width / 2 + 1 + (range.end - range.begin) / DRIFT_PART_PAIR) +
		pong->error;
	memcpy(clocks.point.reference, pong->reference, sizeof(clocks.point.reference));
}

/* ---- answering those below ---- */

/* False: it cannot be told. */
static bool pong(const struct mpi_library *mpi, struct peer *below, int64_t now, bool gone)
{
	below->out.received = now;
	below->out.gone = gone;
	below->out.known = clocks.known;
	below->out.offset = clocks.point.offset;
	below->out.error =
		clocks.point.error + (uint64_t)(now - clocks.point.mono) / CLOCK_DRIFT_PART;
	memcpy(below->out.reference, clocks.point.reference, sizeof(clocks.point.reference));
	below->out.sent = clock_mono();
	return send_begin(mpi, below);
}

/* A ping has come from it: what it says. */
static enum ping_state answer(const struct mpi_library *mpi, struct peer *below)
{
	int64_t now = clock_mono();
	enum ping_state state = (enum ping_state)below->in.state;

	below->waiting = state == PING_DONE;
	if (state == PING_DONE || state == PING_GONE)
		return PING_DONE;
	if (!sent(mpi, below) || !receive_begin(mpi, below) || !pong(mpi, below, now, false))
		return PING_DONE;
	return state;
}

/* Whether the one that asks is the only one that is listened to: its rounds are short then. */
static bool has_attention(enum ping_state state)
{
	return state == PING_MORE || (clocks.one_by_one && state == PING_ASKED);
}

static void answer_all(const struct mpi_library *mpi)
{
	struct peer *asking = NULL;
	int left = clocks.children;
	int64_t since = clock_mono();

	while (left > 0 && clock_mono() < clocks.deadline) {
		bool came = false;

		if (!clocks.one_by_one && clock_mono() - since > ATTENTION_NS)
			asking = NULL;
		for (int i = 0; i < clocks.children; i++) {
			struct peer *below = &clocks.below[i];
			enum ping_state state;

			if ((asking && asking != below) || !received(mpi, below))
				continue;
			came = true;
			state = answer(mpi, below);
			asking = has_attention(state) ? below : NULL;
			left -= state == PING_DONE;
			since = clock_mono();
		}
		if (!came)
			idle(since);
	}
}

/* All below are done, or not waited for any more. */
static void go_on(const struct mpi_library *mpi)
{
	if (!clocks.is_root && clocks.known)
		ask_once(mpi, PING_DONE);
	for (int i = 0; i < clocks.children; i++) {
		struct peer *below = &clocks.below[i];

		if (below->waiting && sent(mpi, below))
			pong(mpi, below, clock_mono(), false);
		below->waiting = false;
	}
}

/* ---- a measurement ---- */

/* False: somebody did not come; who comes later is told not to wait. */
static bool settle(const struct mpi_library *mpi)
{
	bool whole = true;

	for (int i = 0; i < clocks.children; i++) {
		if (give_up(mpi, &clocks.below[i]))
			continue;
		whole = false;
		pong(mpi, &clocks.below[i], clock_mono(), true);
		give_up(mpi, &clocks.below[i]);
	}
	if (clocks.is_root || give_up(mpi, &clocks.above))
		return whole;
	clocks.above.out.state = PING_GONE;
	send_begin(mpi, &clocks.above);
	give_up(mpi, &clocks.above);
	return false;
}

void mpi_clock_exchange_open(MPI_Comm comm, MPI_Datatype byte, int index, int count)
{
	clocks.comm = comm;
	clocks.byte = byte;
	clocks.is_root = index == 0;
	clocks.above.rank = (index - 1) / CHILDREN;
	clocks.children = 0;
	for (int child = index * CHILDREN + 1; child <= (index + 1) * CHILDREN && child < count;
	     child++)
		clocks.below[clocks.children++].rank = child;
	clocks.tag = CLOCK_TAG;
	clocks.one_by_one = config.clock_sync & CONFIG_CLOCK_ALL;
	if (!clocks.is_root)
		return;
	clocks.known = true;
	memcpy(clocks.point.reference, identity.boot_id, sizeof(clocks.point.reference));
}

const struct mpi_clock_point *mpi_clock_exchange_begin(const struct mpi_library *mpi,
						       int64_t rounds_ns)
{
	clocks.rounds_ns = rounds_ns;
	clocks.deadline = clock_mono() + CLOCK_PATIENCE;
	for (int i = 0; i < clocks.children; i++)
		receive_begin(mpi, &clocks.below[i]);
	if (clocks.is_root)
		clocks.point.mono = clock_mono();
	else
		ask(mpi);
	answer_all(mpi);
	return clocks.known ? &clocks.point : NULL;
}

bool mpi_clock_exchange_end(const struct mpi_library *mpi)
{
	bool whole;

	go_on(mpi);
	whole = settle(mpi);
	clocks.tag = CLOCK_TAG + (clocks.tag - CLOCK_TAG + 1) % TAGS;
	return whole;
}
