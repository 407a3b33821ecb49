/* SPDX-License-Identifier: MIT */
/*
 * asynchronous.h - bytes of asynchronous I/O of POSIX: aio_return() says how many a request moved, and the call that submitted it (aio_read, aio_write, lio_listio) of which file, in
 * which direction and from where on. So the bytes count when their number is known: at aio_return(), on that file. What is never asked for by aio_return() is not known.
 */
#ifndef RECORDER_ANALYSIS_ASYNCHRONOUS_H
#define RECORDER_ANALYSIS_ASYNCHRONOUS_H

#include <stdbool.h>

#include <recorder/reader.h>

#define ASYNCHRONOUS_REQUESTS 4096u /* outstanding ones that are known: the last */

enum asynchronous_role { ASYNC_NONE, ASYNC_SUBMITS, ASYNC_SUBMITS_LIST, ASYNC_RETURNS };

/* What a function does with requests, and the numbers of its arguments that say of what. */
struct asynchronous_facts {
	enum asynchronous_role role;
	bool writes; /* of ASYNC_SUBMITS */
	unsigned request, operation, file, offset;
};

struct asynchronous_facts asynchronous_facts_of(const struct reader_function_info *function);

struct asynchronous_request {
	int64_t number; /* 0: none */
	int64_t offset;
	uint32_t file; /* id in the stream */
	bool write;
};

/* Of one stream. Zeroed: nothing is outstanding. */
struct asynchronous {
	struct asynchronous_request *requests; /* NULL: none yet */
};

/* Follows a call of a function that has a role. *returned becomes the request whose result it takes, NULL: none that is known; it stays until the next call. 0 or -ENOMEM. */
int asynchronous_take(struct asynchronous *asynchronous, const struct asynchronous_facts *facts,
		      const struct recorder_record *record,
		      const struct asynchronous_request **returned);
void asynchronous_release(struct asynchronous *asynchronous);

#endif
