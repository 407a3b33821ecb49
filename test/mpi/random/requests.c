/* SPDX-License-Identifier: MIT */
/* requests.c - requests that are left for later, and the ways to complete them */
#include "random.h"

#define PENDING_MAX 64
#define TOGETHER 6

static struct pending pool[PENDING_MAX];
static int pool_count, made_count;

/* Of sends that were freed: MPI may still read them. */
static void *leftovers[4096];
static int leftover_count;

int request_made(void)
{
	return ++made_count;
}

/* MPI gives one handle to several requests that are complete at once: which is which then nobody can tell. */
static void tell_handle(const struct pending *pending)
{
	say("#handle %d %llx", pending->number, (unsigned long long)(uintptr_t)pending->request);
}

void request_keep(struct pending pending)
{
	tell_handle(&pending);
	if (pool_count == PENDING_MAX)
		request_complete(&pending);
	else
		pool[pool_count++] = pending;
}

/* What its status is, by what the program knows; NULL: there was no request. */
static const char *outcome(const struct pending *pending)
{
	if (!pending)
		return text("%d@-1,%d,0", MPI_ANY_SOURCE, MPI_ANY_TAG);
	if (pending->cancelled)
		return "_,_,x";
	if (pending->kind == PENDING_FILE)
		return text("_,_,%d%s", pending->bytes, pending->writes ? "w" : "");
	if (pending->kind != PENDING_RECEIVE)
		return "_,_,_";
	return status_by_message(pending->comm, pending->buffer, pending->source, pending->tag);
}

/* Received bytes, as the statuses tell them; "w" is behind what was written. */
static int received(const char *told)
{
	int sum = 0;

	for (; told; told = strchr(told, ';')) {
		int source, world, tag, bytes;
		char written = 0;

		told += *told == ';';
		if (sscanf(told, "%d@%d,%d,%d", &source, &world, &tag, &bytes) == 4 ||
		    (sscanf(told, "_,_,%d%c", &bytes, &written) >= 1 && written != 'w'))
			sum += bytes;
	}
	return sum;
}

static void over(struct pending *pending)
{
	if (pending->persistent)
		return;
	check(pending->request == MPI_REQUEST_NULL, "a request that is complete and still there");
	free(pending->buffer);
	free(pending->second);
}

static void one_by_wait(struct pending *pending)
{
	MPI_Status status, *wanted = chance(&own, 50) ? &status : MPI_STATUS_IGNORE;
	const char *told;
	int number = pending->number;

	MPI_Wait(&pending->request, wanted);
	told = outcome(pending);
	say("MPI_Wait 0 request=r:%d status=s:%s received=%d", number, told, received(told));
	over(pending);
}

static void one_by_test(struct pending *pending)
{
	MPI_Status status, *wanted = chance(&own, 50) ? &status : MPI_STATUS_IGNORE;
	const char *told;
	int done = 0;

	while (!done) {
		MPI_Test(&pending->request, &done, wanted);
		told = done ? outcome(pending) : "-";
		say("MPI_Test 0 request=r:%d flag=%d status=s:%s received=%d", pending->number,
		    done, told, received(told));
		pause_unless(done);
	}
	over(pending);
}

static void look(struct pending *pending)
{
	int done = 0;
	MPI_Status status;

	MPI_Request_get_status(pending->request, &done,
			       chance(&own, 50) ? &status : MPI_STATUS_IGNORE);
	say("MPI_Request_get_status 0 request=r:%d flag=%d status=s:%s", pending->number, done,
	    done ? outcome(pending) : "-");
}

void request_complete(struct pending *pending)
{
	tell_handle(pending);
	if (chance(&own, 15))
		look(pending);
	if (chance(&own, 50))
		one_by_wait(pending);
	else
		one_by_test(pending);
}

/* ---- several ---- */

/* Some of the pool, moved out of it, with holes between; `whole[at]` is NULL for a hole. */
struct several {
	MPI_Request requests[TOGETHER];
	MPI_Status statuses[TOGETHER];
	struct pending which[TOGETHER];
	bool there[TOGETHER];
	int count, left;
};

static void several_take(struct several *several)
{
	*several = (struct several){.count = 1 + (int)below(&own, TOGETHER)};
	for (int at = 0; at < several->count; at++) {
		several->requests[at] = MPI_REQUEST_NULL;
		if (pool_count == 0 || chance(&own, 20))
			continue;
		int from = (int)below(&own, (unsigned)pool_count);

		several->which[at] = pool[from];
		several->requests[at] = pool[from].request;
		several->there[at] = true;
		several->left++;
		pool[from] = pool[--pool_count];
	}
}

static void several_done(struct several *several, int at)
{
	struct pending *pending = &several->which[at];

	pending->request = several->requests[at];
	over(pending);
	several->there[at] = false;
	several->left--;
}

/* What is not complete goes back. */
static void several_return(struct several *several)
{
	for (int at = 0; at < several->count; at++)
		if (several->there[at]) {
			several->which[at].request = several->requests[at];
			pool[pool_count++] = several->which[at];
		}
}

static const char *number_of(const struct several *several, int at)
{
	return text("%d", several->there[at] ? several->which[at].number : 0);
}

static const char *told_of(const struct several *several, int at)
{
	return outcome(several->there[at] ? &several->which[at] : NULL);
}

/* Numbers and statuses of those at `indices`, or of all of them. */
static void tell(const struct several *several, const int *indices, int count, char *made,
		 char *told)
{
	made[0] = told[0] = '\0';
	for (int at = 0; at < count; at++) {
		int index = indices ? indices[at] : at;

		sprintf(made + strlen(made), "%s%s", at ? "," : "", number_of(several, index));
		sprintf(told + strlen(told), "%s%s", at ? ";" : "", told_of(several, index));
	}
}

static void all(struct several *several)
{
	MPI_Status *wanted = chance(&own, 50) ? several->statuses : MPI_STATUSES_IGNORE;
	bool waits = chance(&own, 50);
	char made[256], told[1024];
	int done = 1;

	if (waits)
		MPI_Waitall(several->count, several->requests, wanted);
	else
		MPI_Testall(several->count, several->requests, &done, wanted);
	tell(several, NULL, done ? several->count : 0, made, told);
	if (waits)
		say("MPI_Waitall 0 count=%d array_of_requests=R:%s array_of_statuses=s:%s "
		    "received=%d",
		    several->count, made, told, received(told));
	else
		say("MPI_Testall 0 count=%d array_of_requests=R:%s flag=%d array_of_statuses=s:%s "
		    "received=%d",
		    several->count, done ? made : "-", done, done ? told : "-", received(told));
	for (int at = 0; done && at < several->count; at++)
		if (several->there[at])
			several_done(several, at);
}

static void any(struct several *several)
{
	MPI_Status status, *wanted = chance(&own, 50) ? &status : MPI_STATUS_IGNORE;
	bool waits = chance(&own, 50);
	int index = -5, done = 1;
	const char *made = "", *told;

	if (waits)
		MPI_Waitany(several->count, several->requests, &index, wanted);
	else
		MPI_Testany(several->count, several->requests, &index, &done, wanted);
	told = done ? outcome(NULL) : "-";
	if (done && index != MPI_UNDEFINED) {
		made = number_of(several, index);
		told = told_of(several, index);
	}
	if (waits)
		say("MPI_Waitany 0 count=%d array_of_requests=R:%s index=%d status=s:%s "
		    "received=%d",
		    several->count, made, index, told, received(told));
	else
		say("MPI_Testany 0 count=%d array_of_requests=R:%s index=%d flag=%d status=s:%s "
		    "received=%d",
		    several->count, done ? made : "-", index, done, told, received(told));
	if (done && index != MPI_UNDEFINED)
		several_done(several, index);
}

static void some(struct several *several)
{
	MPI_Status *wanted = chance(&own, 50) ? several->statuses : MPI_STATUSES_IGNORE;
	bool waits = chance(&own, 50);
	int indices[TOGETHER], count = 0;
	char made[256], told[1024];
	const char *places;

	if (waits)
		MPI_Waitsome(several->count, several->requests, &count, indices, wanted);
	else
		MPI_Testsome(several->count, several->requests, &count, indices, wanted);
	tell(several, indices, count > 0 ? count : 0, made, told);
	places = count > 0 ? numbers(indices, count) : "-";
	say("%s 0 incount=%d array_of_requests=R:%s outcount=%d array_of_indices=a:%s "
	    "array_of_statuses=s:%s received=%d",
	    waits ? "MPI_Waitsome" : "MPI_Testsome", several->count, count > 0 ? made : "-", count,
	    places, count > 0 ? told : "-", count > 0 ? received(told) : 0);
	for (int at = 0; at < count; at++)
		several_done(several, indices[at]);
}

/* The program does not want to know what becomes of a send. */
static bool free_one(void)
{
	for (int at = 0; at < pool_count; at++) {
		struct pending *pending = &pool[at];

		if (pending->kind != PENDING_SEND || leftover_count >= 4000)
			continue;
		MPI_Request_free(&pending->request);
		say("MPI_Request_free 0 request=r:%d", pending->number);
		leftovers[leftover_count++] = pending->buffer;
		*pending = pool[--pool_count];
		return true;
	}
	return false;
}

void requests_step(void)
{
	struct several several;

	if (chance(&own, 5) && free_one())
		return;
	several_take(&several);
	switch (below(&own, 3)) {
	case 0:
		all(&several);
		break;
	case 1:
		any(&several);
		break;
	default:
		some(&several);
	}
	several_return(&several);
}

void requests_end(void)
{
	while (pool_count > 0) {
		if (chance(&own, 70)) {
			requests_step();
		} else {
			struct pending last = pool[--pool_count];

			request_complete(&last);
		}
	}
	/* what the freed ones sent has been received by everybody */
	MPI_Barrier(MPI_COMM_WORLD);
	say("MPI_Barrier 0 comm=c:world");
	while (leftover_count > 0)
		free(leftovers[--leftover_count]);
}
