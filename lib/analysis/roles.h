/* SPDX-License-Identifier: MIT */
/*
 * roles.h - what functions do to messages and requests, and where in their arguments it stands.
 */
#ifndef RECORDER_ANALYSIS_ROLES_H
#define RECORDER_ANALYSIS_ROLES_H

#include <stdbool.h>

#include <recorder/reader.h>

enum role {
	ROLE_SENDS = 1 << 0,
	ROLE_RECEIVES = 1 << 1,
	ROLE_PROBES = 1 << 2,   /* takes a message out of the line: MPI_Mprobe */
	ROLE_TAKES = 1 << 3,    /* receives such a message: MPI_Mrecv */
	ROLE_MAKES = 1 << 4,    /* a request, or several */
	ROLE_INACTIVE = 1 << 5, /* which is to be started: MPI_Send_init */
	ROLE_STARTS = 1 << 6,
	ROLE_COMPLETES = 1 << 7,
	ROLE_FREES = 1 << 8,
	ROLE_IO = 1 << 9,       /* its requests are those of transfers of files */
	ROLE_AIO = 1 << 10,     /* its requests are of asynchronous I/O, not of MPI */
	ROLE_COUNTED = 1 << 11, /* its result is how many of the requests it is about */
	ROLE_HALF =
		1
		<< 12, /* the begin or end of a transfer in two calls; its file stands for a request */
};

#define NO_PLACE 0xffu

/* Numbers of arguments, or NO_PLACE. */
struct role_places {
	uint8_t dest, send_tag, source, receive_tag, comm, status, request, message, flag;
};

struct role_of_function {
	unsigned roles; /* 0: none */
	bool list;      /* of requests */
	struct role_places at;
};

struct role_of_function role_of(const struct reader_function_info *function);
/* Of all functions of a trace, by id; to be freed. NULL: no memory. */
struct role_of_function *roles_of_all(const struct reader *trace);
/* The functions of a trace that have one, as a list for reader_filter; "" there are none. To be freed. NULL: no memory. */
char *roles_functions(const struct reader *trace, const struct role_of_function *roles);

#endif
