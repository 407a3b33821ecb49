/* SPDX-License-Identifier: MIT */
/*
 * exchange_probes.h - messages that are probed for before they are received (exchange.h): who probes waits, the receive that follows does not.
 *
 * Functions return 0, -ENOMEM, or -ENOSPC, as those of exchange_parts.h do.
 */
#ifndef RECORDER_ANALYSIS_EXCHANGE_PROBES_H
#define RECORDER_ANALYSIS_EXCHANGE_PROBES_H

#include "analysis/exchange_parts.h"

/* The message that a probe found: of MPI_Mprobe it is received by that. */
int exchange_probe_take(struct exchange *exchange, const struct exchange_facts *facts,
			const struct reader_requests *requests,
			const struct recorder_record *record);
/* What a matched probe has taken is received. */
int exchange_probe_receive(struct exchange *exchange, const struct exchange_facts *facts,
			   const struct recorder_record *record);
/* A receive has the interval of the probe before it, if that found its message. */
void exchange_probe_note(struct exchange *exchange, struct part *part,
			 const struct recorder_record *record);

#endif
