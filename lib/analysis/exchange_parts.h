/* SPDX-License-Identifier: MIT */
/*
 * exchange_parts.h - a process's parts in messages and collective calls, from the call that makes one to the one that ends it; exchange.c says which calls do what.
 *
 * A part is numbered when it is made or, of a request that persists, started; it is kept by its request until that completes; it goes to the halves when it ends. Functions return 0, -ENOMEM, or -ENOSPC: nothing can be
 * numbered any more (numbering.h).
 */
#ifndef RECORDER_ANALYSIS_EXCHANGE_PARTS_H
#define RECORDER_ANALYSIS_EXCHANGE_PARTS_H

#include "analysis/exchange.h"
#include "analysis/numbering.h"

/* What MPI_Probe found, and how long it took: the receive that follows did not wait. */
struct probe {
	uint64_t channel; /* 0: none */
	int64_t begin, end;
	uint32_t thread;
};

struct exchange {
	const struct reader *trace;
	struct halves *halves;
	enum exchange_view view;
	uint32_t rank;
	uint32_t call; /* the present one */
	bool off;      /* numbers would be wrong from here on */
	struct numbering numbering;
	struct part_map parts; /* by request */
	struct probe probe;
};

/* A part made by a call, of the communicator of the record; it is the caller's. *made is NULL if its communicator is not known. */
int exchange_part_new(struct exchange *exchange, const struct recorder_record *record,
		      enum half_kind kind, struct part **made);
/* What a call sends, without a number. *made is NULL if nothing is sent. */
int exchange_part_send(struct exchange *exchange, const struct exchange_facts *facts,
		       const struct recorder_record *record, struct part **made);
/* What it receives, likewise. */
int exchange_part_receive(struct exchange *exchange, const struct exchange_facts *facts,
			  const struct recorder_record *record, struct part **made);
/* Nobody needs it any more, but for the list of deferred ones if it is in there. NULL is none. */
void exchange_part_drop(struct exchange *exchange, struct part *part);

/* A send has its number; one that is of the call that sent needs nothing more. */
int exchange_part_number(struct exchange *exchange, struct part *part);
/* Keeps what a request stands for; on error it is dropped. One without a number is not seen to end. */
int exchange_part_keep(struct exchange *exchange, int64_t number, struct part *part);
/* Keeps it by any number that is not 0; on error it is dropped. -ENOSPC: too many are kept, or one has that number. */
int exchange_part_keep_as(struct exchange *exchange, int64_t number, struct part *part);

/* Fills in what anybody and any tag were, by the status `at` of the call. */
void exchange_part_resolve(struct part *part, const struct exchange_facts *facts,
			   const struct reader_requests *requests,
			   const struct recorder_record *record, unsigned at);
/* It has the interval of the call that completed it; one that was probed for waited there. */
void exchange_part_end(struct exchange *exchange, struct part *part,
		       const struct recorder_record *record);
/* A part that ends: it is given away, here or, if it has no number yet, by whoever settles. Frees it. */
int exchange_part_finish(struct exchange *exchange, struct part *part);

/* Gives away what was sent and is kept: it has its number, whether or not it is seen to complete. */
int exchange_parts_emit_sends(struct exchange *exchange);
/* Frees those that are kept, and the deferred ones. */
void exchange_parts_free(struct exchange *exchange);

#endif
