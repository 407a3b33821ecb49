/* SPDX-License-Identifier: MIT */
/*
 * net_args.h - captures of layer net: addresses as texts, descriptors that go along with messages.
 */
#ifndef RECORDER_WRAP_NET_ARGS_H
#define RECORDER_WRAP_NET_ARGS_H

#include <poll.h>
#include <sys/socket.h>

#include "record/args.h"

/* The address of a socket: 127.0.0.1:80, [::1]:80, unix:/path, unix:@name. Of other families, their number: family:17. */
void arg_address(struct call *call, unsigned index, const struct sockaddr *address,
		 socklen_t length);
/* The room that there is for an address before a call fills it in. */
socklen_t address_room(const socklen_t *length);
/* What the call has filled in. */
void arg_address_at(struct call *call, unsigned index, const struct sockaddr *address,
		    const socklen_t *length, socklen_t room);
/* The files that are waited for. */
void arg_polled(struct call *call, unsigned index, const struct pollfd *fds, nfds_t count);

#endif
