/* SPDX-License-Identifier: MIT */
/* messages.c - point to point: all ways to send, all ways to receive */
#include "random.h"

#define TAG_BASE 16

enum sending { SEND, BSEND, SSEND, ISEND, IBSEND, ISSEND, SENDING_WAYS };
enum receiving { RECV, IRECV, PROBE, IPROBE, MPROBE, IMPROBE, RECEIVING_WAYS };

/* One message of a step. */
struct message {
	struct comm *comm;
	int sender, receiver; /* ranks: of an intercommunicator, in their own groups */
	bool upward;          /* of an intercommunicator: from the first group to the other */
	struct type *type;
	int count, bytes, tag;
	enum sending sending;
	enum receiving receiving;
	bool any_source, any_tag;
	int *buffer;
};

void envelope_write(int *buffer, int tag, int bytes)
{
	if (bytes < 12)
		return;
	buffer[0] = world_rank;
	buffer[1] = tag;
	buffer[2] = bytes;
}

static int place_in_peers(const struct comm *comm, int world)
{
	int count;
	const int *group = peers(comm, &count);

	for (int at = 0; at < count; at++)
		if (group[at] == world)
			return at;
	return -1;
}

const char *status_by_message(const struct comm *comm, const int *buffer, int source, int tag)
{
	if (source == MPI_PROC_NULL)
		return text("%d@-1,%d,0", source, MPI_ANY_TAG);
	if (buffer[2] < 12)
		return text("%s,%d,0", peer(comm, source), tag);
	return text("%s,%d,%d", peer(comm, place_in_peers(comm, buffer[0])), buffer[1], buffer[2]);
}

/* What the status of MPI says must be what the message says. */
static void compare(const struct message *message, const MPI_Status *status)
{
	check(status->MPI_SOURCE == message->sender && status->MPI_TAG == message->tag,
	      "another message");
}

static const char *what(const struct message *message, int count)
{
	return text("count=%d datatype=%s", count, type_text(message->type));
}

/* ---- sending ---- */

static void send_blocking(const struct message *message, const char *name, int *buffer)
{
	MPI_Datatype type = message->type->handle;
	int to = message->receiver;

	if (message->sending == SEND)
		MPI_Send(buffer, message->count, type, to, message->tag, message->comm->handle);
	else if (message->sending == SSEND)
		MPI_Ssend(buffer, message->count, type, to, message->tag, message->comm->handle);
	else
		MPI_Bsend(buffer, message->count, type, to, message->tag, message->comm->handle);
	say("%s 0 %s dest=%s tag=%d comm=%s sent=%d", name, what(message, message->count),
	    peer(message->comm, to), message->tag, comm_text(message->comm), message->bytes);
	free(buffer);
}

static void send_later(const struct message *message, const char *name, int *buffer)
{
	struct pending pending = {.kind = PENDING_SEND, .comm = message->comm, .buffer = buffer};
	MPI_Datatype type = message->type->handle;
	MPI_Comm comm = message->comm->handle;
	int to = message->receiver;

	if (message->sending == ISEND)
		MPI_Isend(buffer, message->count, type, to, message->tag, comm, &pending.request);
	else if (message->sending == ISSEND)
		MPI_Issend(buffer, message->count, type, to, message->tag, comm, &pending.request);
	else
		MPI_Ibsend(buffer, message->count, type, to, message->tag, comm, &pending.request);
	pending.number = request_made();
	say("%s 0 %s dest=%s tag=%d comm=%s request=r:%d sent=%d", name,
	    what(message, message->count), peer(message->comm, to), message->tag,
	    comm_text(message->comm), pending.number, message->bytes);
	request_keep(pending);
}

static void send(const struct message *message)
{
	static const char *const names[] = {"MPI_Send",  "MPI_Bsend",  "MPI_Ssend",
					    "MPI_Isend", "MPI_Ibsend", "MPI_Issend"};
	int *buffer = room_for(message->type, message->count);

	envelope_write(buffer, message->tag, message->bytes);
	if (message->sending <= SSEND)
		send_blocking(message, names[message->sending], buffer);
	else
		send_later(message, names[message->sending], buffer);
}

/* ---- receiving ---- */

static const char *source_text(const struct message *message)
{
	return message->any_source ? text("%d@-1", MPI_ANY_SOURCE)
				   : peer(message->comm, message->sender);
}

static int source_of(const struct message *message)
{
	return message->any_source ? MPI_ANY_SOURCE : message->sender;
}

static int tag_of(const struct message *message)
{
	return message->any_tag ? MPI_ANY_TAG : message->tag;
}

static const char *envelope(const struct message *message)
{
	return text("%s,%d,%d", peer(message->comm, message->sender), message->tag, message->bytes);
}

static void receive_now(const struct message *message, int count, int source, int tag, int *buffer)
{
	MPI_Status status, *wanted = chance(&own, 50) ? &status : MPI_STATUS_IGNORE;

	MPI_Recv(buffer, count, message->type->handle, source, tag, message->comm->handle, wanted);
	if (wanted == &status)
		compare(message, &status);
	say("MPI_Recv 0 %s source=%s tag=%d comm=%s status=s:%s received=%d", what(message, count),
	    source < 0 ? text("%d@-1", source) : peer(message->comm, source), tag,
	    comm_text(message->comm), envelope(message), message->bytes);
	free(buffer);
}

static void receive_later(const struct message *message, int count, int *buffer)
{
	struct pending pending = {.kind = PENDING_RECEIVE,
				  .comm = message->comm,
				  .buffer = buffer,
				  .source = source_of(message),
				  .tag = tag_of(message)};

	MPI_Irecv(buffer, count, message->type->handle, pending.source, pending.tag,
		  message->comm->handle, &pending.request);
	pending.number = request_made();
	say("MPI_Irecv 0 %s source=%s tag=%d comm=%s request=r:%d", what(message, count),
	    source_text(message), pending.tag, comm_text(message->comm), pending.number);
	/* an empty one does not say from whom it is */
	pending.source = message->sender;
	pending.tag = message->tag;
	request_keep(pending);
}

static void receive_probed(const struct message *message, int count, int *buffer)
{
	MPI_Status status, *wanted = chance(&own, 50) ? &status : MPI_STATUS_IGNORE;
	int found = 1;

	do {
		if (message->receiving == PROBE)
			MPI_Probe(source_of(message), tag_of(message), message->comm->handle,
				  wanted);
		else
			MPI_Iprobe(source_of(message), tag_of(message), message->comm->handle,
				   &found, wanted);
		say("MPI_%s 0 source=%s tag=%d comm=%s %s status=s:%s",
		    message->receiving == PROBE ? "Probe" : "Iprobe", source_text(message),
		    tag_of(message), comm_text(message->comm),
		    message->receiving == PROBE ? "" : text("flag=%d", found),
		    found ? envelope(message) : "-");
		pause_unless(found);
	} while (!found);
	receive_now(message, count, message->sender, message->tag, buffer);
}

static void receive_matched(const struct message *message, int count, int *buffer)
{
	MPI_Status status, *wanted = chance(&own, 50) ? &status : MPI_STATUS_IGNORE;
	struct pending pending = {.kind = PENDING_RECEIVE,
				  .comm = message->comm,
				  .buffer = buffer,
				  .source = message->sender,
				  .tag = message->tag};
	bool waits = message->receiving == MPROBE;
	MPI_Message matched;
	int found = 1;

	do {
		if (waits)
			MPI_Mprobe(source_of(message), tag_of(message), message->comm->handle,
				   &matched, wanted);
		else
			MPI_Improbe(source_of(message), tag_of(message), message->comm->handle,
				    &found, &matched, wanted);
		say("MPI_%s 0 source=%s tag=%d comm=%s %s message=? status=s:%s",
		    waits ? "Mprobe" : "Improbe", source_text(message), tag_of(message),
		    comm_text(message->comm), waits ? "" : text("flag=%d", found),
		    found ? envelope(message) : "-");
		pause_unless(found);
	} while (!found);
	if (chance(&own, 50)) {
		MPI_Mrecv(buffer, count, message->type->handle, &matched, wanted);
		say("MPI_Mrecv 0 count=%d type=%s message=? status=s:%s received=%d", count,
		    type_text(message->type), envelope(message), message->bytes);
		free(buffer);
		return;
	}
	MPI_Imrecv(buffer, count, message->type->handle, &matched, &pending.request);
	pending.number = request_made();
	say("MPI_Imrecv 0 count=%d type=%s message=? request=r:%d", count, type_text(message->type),
	    pending.number);
	request_keep(pending);
}

static void receive(const struct message *message)
{
	int count = message->count + (int)below(&own, 5);
	int *buffer = room_for(message->type, count);

	switch (message->receiving) {
	case RECV:
		receive_now(message, count, source_of(message), tag_of(message), buffer);
		break;
	case IRECV:
		receive_later(message, count, buffer);
		break;
	case PROBE:
	case IPROBE:
		receive_probed(message, count, buffer);
		break;
	default:
		receive_matched(message, count, buffer);
	}
}

/* ---- steps ---- */

static int random_size(void)
{
	if (chance(&plan, 10))
		return 0;
	return chance(&plan, 10) ? UNIT * 3000 : UNIT * (1 + (int)below(&plan, 20));
}

static struct message random_message(struct comm *comm, int number)
{
	struct message message = {.comm = comm, .upward = chance(&plan, 50), .type = any_type()};
	int senders = comm->others && !message.upward ? comm->others : comm->size;
	int receivers = comm->others && message.upward ? comm->others : comm->size;

	message.bytes = random_size();
	message.count = message.bytes / message.type->size;
	message.tag = TAG_BASE + step * 8 + number;
	message.sender = (int)below(&plan, (unsigned)senders);
	message.receiver = (int)below(&plan, (unsigned)receivers);
	message.sending = (enum sending)below(&plan, SENDING_WAYS);
	message.receiving = (enum receiving)below(&plan, RECEIVING_WAYS);
	message.any_source = chance(&plan, 40);
	message.any_tag = !message.any_source && chance(&plan, 30);
	return message;
}

static bool is_sender(const struct message *message)
{
	bool side = message->comm->others == 0 || on_other_side(message->comm) != message->upward;

	return side && rank_in(message->comm) == message->sender;
}

static bool is_receiver(const struct message *message)
{
	bool side = message->comm->others == 0 || on_other_side(message->comm) == message->upward;

	return side && rank_in(message->comm) == message->receiver;
}

/* Memory for what is sent in buffered mode; detaching waits until it is gone. */
static void buffered(const struct message *message)
{
	int size = message->bytes + MPI_BSEND_OVERHEAD + 512, told = 0;
	void *memory = malloc((size_t)size), *back;

	MPI_Buffer_attach(memory, size);
	say("MPI_Buffer_attach 0 size=%d", size);
	send(message);
	MPI_Buffer_detach(&back, &told);
	say("MPI_Buffer_detach 0 size=%d", told);
	free(memory);
}

void messages_step(void)
{
	struct comm *comm = any_comm(true, false, 1);
	int count = 1 + (int)below(&plan, 3);

	for (int at = 0; at < count; at++) {
		struct message message = random_message(comm, at);
		bool itself = is_sender(&message) && is_receiver(&message);

		if (message.sending == BSEND || message.sending == IBSEND) {
			/* to wait for oneself is no good idea, neither is it in a chain */
			message.receiving = IRECV;
		}
		if (itself)
			message.receiving = IRECV;
		if (is_receiver(&message) && message.receiving == IRECV)
			receive(&message);
		if (is_sender(&message) && (message.sending == BSEND || message.sending == IBSEND))
			buffered(&message);
		else if (is_sender(&message))
			send(&message);
		if (is_receiver(&message) && message.receiving != IRECV)
			receive(&message);
	}
}

/* Everybody sends to one, who takes anything from anybody; all have done so before they go on. */
void wild_step(void)
{
	struct comm *comm = any_comm(false, true, 2);
	int target, me;

	if (!comm)
		return;
	target = (int)below(&plan, (unsigned)comm->size);
	me = rank_in(comm);
	for (int from = 0; from < comm->size; from++) {
		struct message message = {
			.comm = comm, .sender = from, .receiver = target, .type = any_type()};

		message.bytes = UNIT * (1 + (int)below(&plan, 20));
		message.count = message.bytes / message.type->size;
		message.tag = (int)below(&plan, 1000);
		if (me == from && from != target)
			send(&message);
	}
	for (int left = comm->size - 1; me == target && left > 0; left--) {
		int *buffer = calloc(1, UNIT * 30);

		MPI_Recv(buffer, UNIT * 20, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, comm->handle,
			 MPI_STATUS_IGNORE);
		say("MPI_Recv 0 count=%d datatype=t:BYTE:1 source=%d@-1 tag=%d comm=%s "
		    "status=s:%s received=%d",
		    UNIT * 20, MPI_ANY_SOURCE, MPI_ANY_TAG, comm_text(comm),
		    status_by_message(comm, buffer, 0, 0), buffer[2]);
		free(buffer);
	}
	if (me >= 0) {
		MPI_Barrier(comm->handle);
		say("MPI_Barrier 0 comm=%s", comm_text(comm));
	}
}

/* Everybody to the next and from the one before, both at once; to nobody; and a receive that never comes. */
void exchange_step(void)
{
	struct comm *comm = any_comm(false, false, 1);
	struct type *type = any_type();
	int bytes = UNIT * (1 + (int)below(&plan, 20)), count = bytes / type->size;
	int tag = TAG_BASE + step * 8, me = rank_in(comm), to, from;
	bool replace = chance(&plan, 30), line = chance(&plan, 30);
	int *out, *in;
	const char *told;

	if (me < 0)
		return;
	to = (me + 1) % comm->size;
	from = (me + comm->size - 1) % comm->size;
	if (line && me == comm->size - 1)
		to = MPI_PROC_NULL;
	if (line && me == 0)
		from = MPI_PROC_NULL;
	out = room_for(type, count);
	in = room_for(type, count);
	envelope_write(out, tag, bytes);
	if (replace) {
		MPI_Sendrecv_replace(out, count, type->handle, to, tag, from, tag, comm->handle,
				     MPI_STATUS_IGNORE);
		told = status_by_message(comm, out, from, tag);
		say("MPI_Sendrecv_replace 0 count=%d datatype=%s dest=%s sendtag=%d source=%s "
		    "recvtag=%d "
		    "comm=%s status=s:%s sent=%d received=%d",
		    count, type_text(type), peer(comm, to), tag, peer(comm, from), tag,
		    comm_text(comm), told, bytes, from < 0 ? 0 : bytes);
	} else {
		MPI_Sendrecv(out, count, type->handle, to, tag, in, bytes, MPI_BYTE, from, tag,
			     comm->handle, MPI_STATUS_IGNORE);
		told = status_by_message(comm, in, from, tag);
		say("MPI_Sendrecv 0 sendcount=%d sendtype=%s dest=%s sendtag=%d recvcount=%d "
		    "recvtype=t:BYTE:1 source=%s recvtag=%d comm=%s status=s:%s sent=%d "
		    "received=%d",
		    count, type_text(type), peer(comm, to), tag, bytes, peer(comm, from), tag,
		    comm_text(comm), told, bytes, from < 0 ? 0 : bytes);
	}
	free(out);
	free(in);
	if (chance(&own, 30)) {
		struct pending never = {.kind = PENDING_RECEIVE,
					.comm = comm,
					.cancelled = true,
					.buffer = malloc(64)};

		MPI_Irecv(never.buffer, 1, MPI_INT, 0, 1, comm->handle, &never.request);
		never.number = request_made();
		say("MPI_Irecv 0 count=1 datatype=t:INT:4 source=%s tag=1 comm=%s request=r:%d",
		    peer(comm, 0), comm_text(comm), never.number);
		MPI_Cancel(&never.request);
		say("MPI_Cancel 0 request=r:%d", never.number);
		request_keep(never);
	}
}

static struct pending persistent_made(const struct message *message, bool sends)
{
	struct pending made = {.comm = message->comm,
			       .persistent = true,
			       .kind = sends ? PENDING_SEND : PENDING_RECEIVE,
			       .source = message->sender,
			       .tag = message->tag};

	made.buffer = room_for(message->type, message->count);
	if (sends) {
		envelope_write(made.buffer, message->tag, message->bytes);
		MPI_Send_init(made.buffer, message->count, message->type->handle, message->receiver,
			      message->tag, message->comm->handle, &made.request);
	} else {
		MPI_Recv_init(made.buffer, message->count, message->type->handle,
			      source_of(message), tag_of(message), message->comm->handle,
			      &made.request);
	}
	made.number = request_made();
	say("MPI_%s_init 0 %s %s=%s tag=%d comm=%s request=r:%d", sends ? "Send" : "Recv",
	    what(message, message->count), sends ? "dest" : "source",
	    sends ? peer(message->comm, message->receiver) : source_text(message),
	    sends ? message->tag : tag_of(message), comm_text(message->comm), made.number);
	return made;
}

static void start(struct pending *pending)
{
	if (chance(&own, 50)) {
		MPI_Start(&pending->request);
		say("MPI_Start 0 request=r:%d", pending->number);
	} else {
		MPI_Startall(1, &pending->request);
		say("MPI_Startall 0 count=1 array_of_requests=R:%d", pending->number);
	}
}

/* The same message some times. */
void persistent_step(void)
{
	struct comm *comm = any_comm(false, false, 2);
	int rounds = 1 + (int)below(&plan, 3);
	struct message message;
	struct pending pending;

	if (!comm)
		return;
	message = random_message(comm, 0);
	if (message.sender == message.receiver)
		return;
	if (message.bytes == 0)
		message.any_source = message.any_tag = false;
	if (!is_sender(&message) && !is_receiver(&message))
		return;
	pending = persistent_made(&message, is_sender(&message));
	for (int round = 0; round < rounds; round++) {
		start(&pending);
		request_complete(&pending);
	}
	MPI_Request_free(&pending.request);
	say("MPI_Request_free 0 request=r:%d", pending.number);
	free(pending.buffer);
}
