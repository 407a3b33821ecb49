/* SPDX-License-Identifier: MIT */
/*
 * net_calls.h - what the calls of net.calls are made on: sockets of the loopback device and pairs of them.
 */
#ifndef RECORDER_TEST_SMOKE_NET_CALLS_H
#define RECORDER_TEST_SMOKE_NET_CALLS_H

#include "smoke.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>

#define smoke_find(symbol) smoke_find_in("libc.so.6", symbol)

static char memory[100];
static int number = 1;
static struct timespec no_time;
static struct timeval no_time_at_all;
static fd_set reading_set;
static struct epoll_event interest = {.events = EPOLLIN};
static struct sockaddr_storage peer_address;
static struct addrinfo numeric = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
				  .ai_socktype = SOCK_STREAM},
		       *found_addresses;

static inline void must(bool done, const char *what)
{
	if (done)
		return;
	perror(what);
	exit(1);
}

static inline const struct sockaddr *loopback(int port)
{
	static struct sockaddr_in address;

	address = (struct sockaddr_in){.sin_family = AF_INET,
				       .sin_port = htons((uint16_t)port),
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	return (struct sockaddr *)&address;
}

static inline socklen_t *room_for_address(void)
{
	static socklen_t length;

	length = sizeof(peer_address);
	return &length;
}

/* The last one is closed. */
static inline int new_socket(void)
{
	static int last = -1;

	if (last >= 0)
		close(last);
	last = socket(AF_INET, SOCK_STREAM, 0);
	must(last >= 0, "socket");
	return last;
}

static inline int bound(void)
{
	int fd = new_socket();

	must(bind(fd, loopback(0), sizeof(struct sockaddr_in)) == 0, "bind");
	return fd;
}

static inline int kept(int type)
{
	int fd = socket(AF_INET, type, 0);

	must(fd >= 0 && bind(fd, loopback(0), sizeof(struct sockaddr_in)) == 0,
	     "a socket that is bound");
	return fd;
}

static inline const struct sockaddr *address_of(int fd)
{
	static struct sockaddr_in address;

	must(getsockname(fd, (struct sockaddr *)&address, &(socklen_t){sizeof(address)}) == 0,
	     "getsockname");
	return (struct sockaddr *)&address;
}

/* As the trace is to have it. */
static inline const char *text_of(const struct sockaddr *address)
{
	static char text[64];
	const struct sockaddr_in *in = (const struct sockaddr_in *)address;

	snprintf(text, sizeof(text), "\"%s:%d\"", inet_ntoa(in->sin_addr), ntohs(in->sin_port));
	return text;
}

/* ---- streams ---- */

static inline int listener(void)
{
	static int fd = -1;

	if (fd < 0) {
		fd = kept(SOCK_STREAM);
		must(listen(fd, 5) == 0, "listen");
	}
	return fd;
}

#define listener_address() address_of(listener())
#define listener_text() text_of(listener_address())

static inline void accepted(void)
{
	int fd = accept(listener(), NULL, NULL);

	must(fd >= 0 && close(fd) == 0, "accept");
}

static inline int client(void)
{
	static int fd = -1;

	if (fd < 0) {
		fd = socket(AF_INET, SOCK_STREAM, 0);
		must(connect(fd, listener_address(), sizeof(struct sockaddr_in)) == 0, "connect");
		must(accept(listener(), NULL, NULL) >= 0, "accept");
	}
	return fd;
}

static int waiting_client = -1;

/* The listener, with somebody who waits for it. */
static inline int pending(void)
{
	if (waiting_client >= 0)
		close(waiting_client);
	waiting_client = socket(AF_INET, SOCK_STREAM, 0);
	must(connect(waiting_client, listener_address(), sizeof(struct sockaddr_in)) == 0,
	     "connect");
	return listener();
}

static inline const char *peer_text(void)
{
	return text_of(address_of(waiting_client));
}

/* ---- pairs ---- */

static inline int pair_end(int end)
{
	static int ends[2] = {-1, -1};

	if (ends[0] < 0)
		must(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0, "socketpair");
	return ends[end];
}

static inline int connected(void)
{
	return pair_end(0);
}

static inline void something_to_read(void)
{
	must(send(pair_end(1), "twelve bytes", 12, 0) == 12, "send");
}

static inline void two_datagrams(void)
{
	must(send(pair_end(1), "twelve bytes", 12, 0) == 12 &&
		     send(pair_end(1), "8 bytes.", 8, 0) == 8,
	     "send");
}

static inline int disposable(void)
{
	int ends[2];

	must(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "socketpair");
	return ends[0];
}

static inline struct msghdr *a_message(void)
{
	static struct iovec parts[2] = {{memory, 5}, {memory + 10, 7}};
	static struct msghdr message;

	message = (struct msghdr){.msg_iov = parts, .msg_iovlen = 2};
	return &message;
}

static inline struct mmsghdr *two_messages(void)
{
	static struct mmsghdr messages[2];

	messages[0] = messages[1] = (struct mmsghdr){.msg_hdr = *a_message()};
	return messages;
}

/* ---- datagrams ---- */

static inline int datagram(void)
{
	static int fd = -1;

	if (fd < 0)
		fd = kept(SOCK_DGRAM);
	return fd;
}

#define datagram_address() address_of(datagram())
#define datagram_text() text_of(datagram_address())

/* One that has sent something to itself. */
static inline int filled_datagram(void)
{
	must(sendto(datagram(), "text", 4, 0, datagram_address(), sizeof(struct sockaddr_in)) == 4,
	     "sendto");
	return datagram();
}

/* ---- waiting ---- */

static inline struct pollfd *polled_fds(void)
{
	static struct pollfd fds[2];

	fds[0] = (struct pollfd){.fd = connected(), .events = POLLOUT};
	fds[1] = (struct pollfd){.fd = listener(), .events = POLLIN};
	return fds;
}

static inline const char *polled_text(void)
{
	static char text[64];

	snprintf(text, sizeof(text), "[<fd %x use ->, <fd %x use ->]", connected(), listener());
	return text;
}

static inline void look_at_one(void)
{
	FD_ZERO(&reading_set);
	FD_SET(connected(), &reading_set);
}

static inline int poller(void)
{
	static int fd = -1;

	if (fd < 0)
		fd = epoll_create1(0);
	return fd;
}

#endif
