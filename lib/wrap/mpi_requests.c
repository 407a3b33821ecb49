/* SPDX-License-Identifier: MIT */
/* mpi_requests.c - the multiset of outstanding requests */
#include "wrap/mpi_requests.h"

#include "record/bulk.h"
#include "wrap/mpi_handles.h"
#include "wrap/mpi_memory.h"

#define SHARDS 32u
#define BUCKETS 128u
#define POOL 64u /* nodes taken at a time */

/*
 * Each node is in two lists, oldest first: of its handle, and of its handle and variable. (Lists hold other requests
 * of the same hash too; outstanding requests are few.)
 */
enum list_kind { BY_HANDLE, BY_VARIABLE, LIST_KINDS };

struct node {
	uintptr_t handle, variable;
	struct mpi_request request;
	struct node *next[LIST_KINDS], *previous[LIST_KINDS];
};

struct list {
	struct node *first, *last;
};

/*
 * What was found last, for polls, which ask for the same request again and again: it may be read without the lock. `version` is odd while it is being written, which is under
 * the lock; what was read is right if the version is still the same after it.
 */
struct recent {
	_Atomic uint32_t version;
	_Atomic uint32_t kind;
	_Atomic uintptr_t handle, variable; /* 0: nothing */
	_Atomic int64_t number;
};

static struct shard {
	struct mpi_lock lock;
	struct recent recent;
	struct node *unused;
	struct list lists[LIST_KINDS][BUCKETS];
} shards[SHARDS] BULK;

uintptr_t mpi_request_null;
bool mpi_requests_kept;
static _Atomic int64_t last_number;

static uint32_t hash(uintptr_t a, uintptr_t b)
{
	return (uint32_t)(((a ^ b << 7) * 0x9E3779B97F4A7C15u) >> 40);
}

static struct shard *shard_of(uintptr_t handle)
{
	return &shards[hash(handle, 0) / BUCKETS % SHARDS];
}

static struct list *list_of(struct shard *shard, enum list_kind kind, uintptr_t handle,
			    uintptr_t variable)
{
	return &shard->lists[kind][hash(handle, kind == BY_VARIABLE ? variable : 0) % BUCKETS];
}

static void list_add(struct list *list, struct node *node, enum list_kind kind)
{
	node->next[kind] = NULL;
	node->previous[kind] = list->last;
	if (list->last)
		list->last->next[kind] = node;
	else
		list->first = node;
	list->last = node;
}

static void list_remove(struct list *list, struct node *node, enum list_kind kind)
{
	if (node->previous[kind])
		node->previous[kind]->next[kind] = node->next[kind];
	else
		list->first = node->next[kind];
	if (node->next[kind])
		node->next[kind]->previous[kind] = node->previous[kind];
	else
		list->last = node->previous[kind];
}

/* ---- what was found last ---- */

/* Under the lock. */
static void recent_set(struct recent *recent, uintptr_t handle, uintptr_t variable,
		       struct mpi_request request)
{
	uint32_t version = atomic_load_explicit(&recent->version, memory_order_relaxed);

	atomic_store_explicit(&recent->version, version + 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_release);
	atomic_store_explicit(&recent->handle, handle, memory_order_relaxed);
	atomic_store_explicit(&recent->variable, variable, memory_order_relaxed);
	atomic_store_explicit(&recent->number, request.number, memory_order_relaxed);
	atomic_store_explicit(&recent->kind, request.kind, memory_order_relaxed);
	atomic_store_explicit(&recent->version, version + 2, memory_order_release);
}

/* Under the lock: requests have come or gone, so another one may be meant by the same handle and variable. */
static void recent_forget(struct recent *recent)
{
	if (atomic_load_explicit(&recent->handle, memory_order_relaxed))
		recent_set(recent, 0, 0, (struct mpi_request){0});
}

/* Whether it is this one; then *request is what was found. */
static bool recent_is(const struct recent *recent, uintptr_t handle, uintptr_t variable,
		      struct mpi_request *request)
{
	uint32_t version = atomic_load_explicit(&recent->version, memory_order_acquire);
	bool same = atomic_load_explicit(&recent->handle, memory_order_relaxed) == handle &&
		    atomic_load_explicit(&recent->variable, memory_order_relaxed) == variable;

	request->number = atomic_load_explicit(&recent->number, memory_order_relaxed);
	request->kind = atomic_load_explicit(&recent->kind, memory_order_relaxed);
	atomic_thread_fence(memory_order_acquire);
	return same && !(version & 1) &&
	       atomic_load_explicit(&recent->version, memory_order_relaxed) == version;
}

/* ---- all of them ---- */

static struct node *shard_search(struct shard *shard, uintptr_t handle, uintptr_t variable)
{
	struct node *node = list_of(shard, BY_VARIABLE, handle, variable)->first;

	while (node && (node->handle != handle || node->variable != variable))
		node = node->next[BY_VARIABLE];
	if (node)
		return node;
	node = list_of(shard, BY_HANDLE, handle, 0)->first;
	while (node && node->handle != handle)
		node = node->next[BY_HANDLE];
	return node;
}

static struct node *node_new(struct shard *shard)
{
	struct node *nodes, *node = shard->unused;

	if (!node) {
		nodes = mpi_memory_get(POOL * sizeof(*nodes));
		for (uint32_t at = 0; nodes && at < POOL; at++) {
			nodes[at].next[0] = node;
			node = &nodes[at];
		}
	}
	if (node)
		shard->unused = node->next[0];
	return node;
}

void mpi_request_put(MPI_Request handle, const void *variable, struct mpi_request request)
{
	uintptr_t key = (uintptr_t)handle, place = (uintptr_t)variable;
	struct shard *shard = shard_of(key);
	struct node *node;

	if (request.number <= 0)
		return;
	mpi_lock(&shard->lock);
	recent_forget(&shard->recent);
	node = node_new(shard);
	if (node) {
		node->handle = key;
		node->variable = place;
		node->request = request;
		list_add(list_of(shard, BY_HANDLE, key, place), node, BY_HANDLE);
		list_add(list_of(shard, BY_VARIABLE, key, place), node, BY_VARIABLE);
	}
	mpi_unlock(&shard->lock);
}

int64_t mpi_request_new(MPI_Request handle, const void *variable, enum mpi_request_kind kind)
{
	struct mpi_request made = {.kind = kind};

	if (!mpi_request_null)
		mpi_handles_load();
	if (!mpi_requests_kept)
		return MPI_REQUEST_NUMBER_UNKNOWN;
	if ((uintptr_t)handle == mpi_request_null)
		return MPI_REQUEST_NUMBER_NULL;
	made.number = atomic_fetch_add_explicit(&last_number, 1, memory_order_relaxed) + 1;
	mpi_request_put(handle, variable, made);
	return made.number;
}

int64_t mpi_request_made(int result, const MPI_Request *request, enum mpi_request_kind kind)
{
	if (result != MPI_SUCCESS || !request)
		return MPI_REQUEST_NUMBER_NULL;
	return mpi_request_new(*request, request, kind);
}

/* Whether a handle can be that of a request that is in the table; if not *request is what it stands for. */
static bool may_be_known(MPI_Request handle, struct mpi_request *request)
{
	if (!mpi_request_null)
		mpi_handles_load();
	request->kind = REQUEST_UNKNOWN;
	request->number = (uintptr_t)handle == mpi_request_null ? MPI_REQUEST_NUMBER_NULL
								: MPI_REQUEST_NUMBER_UNKNOWN;
	return request->number == MPI_REQUEST_NUMBER_UNKNOWN;
}

struct mpi_request mpi_request_find(MPI_Request handle, const void *variable)
{
	uintptr_t key = (uintptr_t)handle, place = (uintptr_t)variable;
	struct shard *shard = shard_of(key);
	struct mpi_request found;
	struct node *node;

	if (key && recent_is(&shard->recent, key, place, &found))
		return found;
	if (!may_be_known(handle, &found))
		return found;
	mpi_lock(&shard->lock);
	node = shard_search(shard, key, place);
	if (node) {
		found = node->request;
		recent_set(&shard->recent, key, place, found);
	}
	mpi_unlock(&shard->lock);
	return found;
}

struct mpi_request mpi_request_take(MPI_Request handle, const void *variable)
{
	uintptr_t key = (uintptr_t)handle;
	struct shard *shard = shard_of(key);
	struct mpi_request found;
	struct node *node;

	if (!may_be_known(handle, &found))
		return found;
	mpi_lock(&shard->lock);
	node = shard_search(shard, key, (uintptr_t)variable);
	if (node) {
		found = node->request;
		recent_forget(&shard->recent);
		list_remove(list_of(shard, BY_HANDLE, key, 0), node, BY_HANDLE);
		list_remove(list_of(shard, BY_VARIABLE, key, node->variable), node, BY_VARIABLE);
		node->next[0] = shard->unused;
		shard->unused = node;
	}
	mpi_unlock(&shard->lock);
	return found;
}

int64_t mpi_request_ended(const MPI_Request *request)
{
	return request ? mpi_request_take(*request, request).number : MPI_REQUEST_NUMBER_NULL;
}

#ifdef UNIT_TEST
#include "unittest.h"

/* Without an MPI there is nothing to load. */
void mpi_handles_load(void)
{
}

TEST_CASE(mpi_requests_of_one_handle_end_in_order_unless_named)
{
	MPI_Request same = (MPI_Request)(uintptr_t)4096, at[3] = {same, same, same},
		    elsewhere = same;
	int64_t first;

	mpi_request_null = 64;
	mpi_requests_kept = true;
	first = mpi_request_made(MPI_SUCCESS, &at[0], REQUEST_SEND);
	EXPECT_EQ(mpi_request_made(MPI_SUCCESS, &at[1], REQUEST_FILE), first + 1);
	EXPECT_EQ(mpi_request_made(MPI_SUCCESS, &at[2], REQUEST_SEND), first + 2);
	EXPECT_EQ(mpi_request_find(same, &elsewhere).number, first);
	EXPECT_EQ(mpi_request_find(same, &at[1]).kind, REQUEST_FILE);
	EXPECT_EQ(mpi_request_take(same, &at[1]).number, first + 1);
	EXPECT_EQ(mpi_request_take(same, &elsewhere).number, first);
	EXPECT_EQ(mpi_request_take(same, &elsewhere).number, first + 2);
	EXPECT_EQ(mpi_request_take(same, &elsewhere).number, MPI_REQUEST_NUMBER_UNKNOWN);
	EXPECT_EQ(mpi_request_take(same, &elsewhere).kind, REQUEST_UNKNOWN);
}

TEST_CASE(mpi_requests_that_stay_keep_their_number)
{
	MPI_Request request = (MPI_Request)(uintptr_t)8192, null = (MPI_Request)(uintptr_t)64;
	struct mpi_request taken;
	int64_t number;

	mpi_request_null = 64;
	mpi_requests_kept = true;
	number = mpi_request_made(MPI_SUCCESS, &request, REQUEST_SEND);
	for (int round = 0; round < 3; round++) {
		taken = mpi_request_take(request, &request);
		EXPECT_EQ(taken.number, number);
		EXPECT_EQ(taken.kind, REQUEST_SEND);
		mpi_request_put(request, &request, taken);
	}
	EXPECT_EQ(mpi_request_ended(&request), number);
	EXPECT_EQ(mpi_request_find(request, &request).number, MPI_REQUEST_NUMBER_UNKNOWN);
	EXPECT_EQ(mpi_request_made(MPI_ERR_OTHER, &request, REQUEST_SEND), MPI_REQUEST_NUMBER_NULL);
	EXPECT_EQ(mpi_request_take(null, &request).number, MPI_REQUEST_NUMBER_NULL);
}

TEST_CASE(mpi_requests_that_were_found_are_looked_for_again_when_others_came_or_went)
{
	MPI_Request same = (MPI_Request)(uintptr_t)12288, at[2] = {same, same};
	int64_t first, second;

	mpi_request_null = 64;
	mpi_requests_kept = true;
	first = mpi_request_made(MPI_SUCCESS, &at[0], REQUEST_SEND);
	EXPECT_EQ(mpi_request_find(same, &at[1]).number, first);
	EXPECT_EQ(mpi_request_find(same, &at[1]).kind, REQUEST_SEND);
	second = mpi_request_made(MPI_SUCCESS, &at[1], REQUEST_FILE);
	EXPECT_EQ(mpi_request_find(same, &at[1]).number, second);
	EXPECT_EQ(mpi_request_find(same, &at[0]).number, first);
	EXPECT_EQ(mpi_request_take(same, &at[1]).number, second);
	EXPECT_EQ(mpi_request_find(same, &at[1]).number, first);
	EXPECT_EQ(mpi_request_take(same, &at[0]).number, first);
	EXPECT_EQ(mpi_request_find(same, &at[0]).number, MPI_REQUEST_NUMBER_UNKNOWN);
	EXPECT_EQ(mpi_request_find(same, &at[1]).number, MPI_REQUEST_NUMBER_UNKNOWN);
}

TEST_CASE(mpi_requests_are_many)
{
	static MPI_Request requests[5000];
	int64_t numbers[2];

	mpi_request_null = 64;
	mpi_requests_kept = true;
	for (int at = 0; at < 5000; at++) {
		requests[at] = (MPI_Request)(uintptr_t)(1 << 20 | at << 5);
		numbers[at != 0] = mpi_request_made(MPI_SUCCESS, &requests[at], REQUEST_SEND);
	}
	EXPECT_EQ(numbers[1], numbers[0] + 4999);
	for (int at = 4999; at >= 0; at--)
		EXPECT_EQ(mpi_request_take(requests[at], &requests[at]).number, numbers[0] + at);
}
#endif
