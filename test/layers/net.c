/* SPDX-License-Identifier: MIT */
/* Sockets: addresses, messages with descriptors, waiting. */
#include "../trace/expect.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/un.h>

static char text[] = "0123456789", back[32];

static const char *sock(int fd)
{
	return strdup(on_other(fd, "socket"));
}

static void close_one(int fd, const char *name)
{
	expect("0 posix close(fd=%s) = %d", name, close(fd));
}

/* One end writes by plain calls, too: they are of layer posix. */
static void stream_pair(void)
{
	const char *one, *other;
	int fds[2];

	socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds);
	one = sock(fds[0]);
	other = sock(fds[1]);
	expect("0 net socketpair(domain=AF_UNIX, type=SOCK_STREAM|SOCK_CLOEXEC, protocol=0, "
	       "fds=[%d, %d]) = 0",
	       fds[0], fds[1]);
	expect("0 net send(fd=%s, count=10, flags=MSG_NOSIGNAL) = %zd", one,
	       send(fds[0], text, 10, MSG_NOSIGNAL));
	expect("0 net recv(fd=%s, count=4, flags=MSG_PEEK|MSG_WAITALL) = %zd", other,
	       recv(fds[1], back, 4, MSG_PEEK | MSG_WAITALL));
	expect("0 net recv(fd=%s, count=4, flags=0) = %zd", other, recv(fds[1], back, 4, 0));
	expect("0 posix read(fd=%s, count=32) = %zd", other, read(fds[1], back, 32));
	expect("0 net recv(fd=%s, count=4, flags=MSG_DONTWAIT) = -1 EAGAIN", other);
	recv(fds[1], back, 4, MSG_DONTWAIT);
	expect("0 posix write(fd=%s, count=3) = %zd", one, write(fds[0], text, 3));
	expect("0 net shutdown(fd=%s, how=SHUT_WR) = %d", one, shutdown(fds[0], SHUT_WR));
	expect("0 net sockatmark(fd=%s) = %s", one, returned(sockatmark(fds[0])));
	close_one(fds[0], one);
	close_one(fds[1], other);
}

static void tcp(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}},
			   peer;
	socklen_t size = sizeof(address);
	int listener, client, server, on = 1;
	const char *names[3];
	unsigned port, from;

	listener = socket(AF_INET, SOCK_STREAM, 0);
	names[0] = sock(listener);
	expect("0 net socket(domain=AF_INET, type=SOCK_STREAM, protocol=0) = %s", names[0]);
	expect("0 net setsockopt(fd=%s, level=SOL_SOCKET, option=%d, length=4) = %d", names[0],
	       SO_REUSEADDR, setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)));
	expect("0 net bind(fd=%s, address=\"127.0.0.1:0\") = %d", names[0],
	       bind(listener, (struct sockaddr *)&address, sizeof(address)));
	expect("0 net listen(fd=%s, backlog=5) = %d", names[0], listen(listener, 5));
	getsockname(listener, (struct sockaddr *)&address, &size);
	port = ntohs(address.sin_port);
	expect("0 net getsockname(fd=%s, address=\"127.0.0.1:%u\") = 0", names[0], port);
	client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, IPPROTO_TCP);
	names[1] = sock(client);
	expect("0 net socket(domain=AF_INET, type=SOCK_STREAM|SOCK_CLOEXEC, protocol=6) = %s",
	       names[1]);
	expect("0 net connect(fd=%s, address=\"127.0.0.1:%u\") = %d", names[1], port,
	       connect(client, (struct sockaddr *)&address, sizeof(address)));
	size = sizeof(peer);
	server = accept4(listener, (struct sockaddr *)&peer, &size, SOCK_CLOEXEC);
	names[2] = sock(server);
	from = ntohs(peer.sin_port);
	expect("0 net accept4(fd=%s, address=\"127.0.0.1:%u\", flags=SOCK_CLOEXEC) = %s", names[0],
	       from, names[2]);
	/* of an address that does not fit no more is read than there is */
	size = 4;
	expect("0 net getpeername(fd=%s, address=\"family:2\") = %d", names[2],
	       getpeername(server, (struct sockaddr *)&peer, &size));
	size = sizeof(on);
	expect("0 net getsockopt(fd=%s, level=SOL_SOCKET, option=%d) = %d", names[2], SO_ERROR,
	       getsockopt(server, SOL_SOCKET, SO_ERROR, &on, &size));
	close_one(server, names[2]);
	connect(client, (struct sockaddr *)&address, sizeof(address));
	expect("0 net connect(fd=%s, address=\"127.0.0.1:%u\") = -1 EISCONN", names[1], port);
	close_one(client, names[1]);
	close_one(listener, names[0]);
}

/* 0 where the system has no IPv6. */
static void udp(void)
{
	struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT},
			    odd = {.sin6_family = AF_INET6, .sin6_port = htons(7)};
	struct iovec parts[2] = {{text, 3}, {text, 4}};
	struct mmsghdr many[2] = {0};
	socklen_t size = sizeof(address);
	int fd = socket(AF_INET6, SOCK_DGRAM, 0);
	const char *name = sock(fd);
	unsigned port;

	expect("0 net socket(domain=AF_INET6, type=SOCK_DGRAM, protocol=0) = %s", name);
	inet_pton(AF_INET6, "2001:db8:0:0:1::ff", &odd.sin6_addr);
	connect(-1, (struct sockaddr *)&odd, sizeof(odd));
	expect("0 net connect(fd=-1, address=\"[2001:db8::1:0:0:ff]:7\") = -1 EBADF");
	if (bind(fd, (struct sockaddr *)&address, sizeof(address))) {
		expect("0 net bind(fd=%s, address=\"[::1]:0\") = -1 EADDRNOTAVAIL", name);
		close_one(fd, name);
		return;
	}
	expect("0 net bind(fd=%s, address=\"[::1]:0\") = 0", name);
	getsockname(fd, (struct sockaddr *)&address, &size);
	port = ntohs(address.sin6_port);
	expect("0 net getsockname(fd=%s, address=\"[::1]:%u\") = 0", name, port);
	expect("0 net sendto(fd=%s, count=5, flags=0, address=\"[::1]:%u\") = %zd", name, port,
	       sendto(fd, text, 5, 0, (struct sockaddr *)&address, size));
	expect("0 net recvfrom(fd=%s, count=32, flags=0, address=\"[::1]:%u\") = %zd", name, port,
	       recvfrom(fd, back, 32, 0, (struct sockaddr *)&address, &size));
	for (int i = 0; i < 2; i++) {
		many[i].msg_hdr.msg_iov = parts;
		many[i].msg_hdr.msg_iovlen = (size_t)i + 1;
		many[i].msg_hdr.msg_name = &address;
		many[i].msg_hdr.msg_namelen = sizeof(address);
	}
	expect("0 net sendmmsg(fd=%s, count=2, flags=0, sizes=[3, 7]) = %d", name,
	       sendmmsg(fd, many, 2, 0));
	expect("0 net recvmmsg(fd=%s, count=2, flags=0, sizes=[3, 7]) = %d", name,
	       recvmmsg(fd, many, 2, 0, NULL));
	close_one(fd, name);
}

/* A socket with a name, and one with a name that is no file's. */
static void unix_names(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "door"},
			   hidden = {.sun_family = AF_UNIX, .sun_path = "\0recorder-test"};
	int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
	const char *name = sock(fd);

	expect("0 net socket(domain=AF_UNIX, type=SOCK_DGRAM, protocol=0) = %s", name);
	expect("0 net bind(fd=%s, address=\"unix:door\") = %d", name,
	       bind(fd, (struct sockaddr *)&address, sizeof(address)));
	connect(fd, (struct sockaddr *)&hidden, sizeof(sa_family_t) + 14);
	expect("0 net connect(fd=%s, address=\"unix:@recorder-test\") = -1 ECONNREFUSED", name);
	connect(fd, NULL, 0);
	expect("0 net connect(fd=%s, address=NULL) = -1 EINVAL", name);
	connect(fd, (struct sockaddr *)16, 16);
	expect("0 net connect(fd=%s, address=?) = -1 EFAULT", name);
	close_one(fd, name);
}

union control {
	struct cmsghdr header;
	char room[CMSG_SPACE(2 * sizeof(int))];
};

/* Descriptors go along: numbers that stood for other files before. */
static void rights(void)
{
	int fds[2], file = open("data", O_RDWR | O_CREAT, 0600),
		    taken = open("taken", O_RDWR | O_CREAT, 0600);
	const char *one, *other, *name = strdup(on_file(file, "data")),
				 *gone = strdup(on_file(taken, "taken"));
	struct iovec parts[2] = {{text, 3}, {text, 4}}, room = {back, 32};
	union control control = {0};
	struct msghdr message = {.msg_iov = parts,
				 .msg_iovlen = 2,
				 .msg_control = &control,
				 .msg_controllen = CMSG_SPACE(sizeof(int))};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);

	expect("0 posix open(path=\"data\", flags=O_RDWR|O_CREAT, mode=0600) = %s", name);
	expect("0 posix open(path=\"taken\", flags=O_RDWR|O_CREAT, mode=0600) = %s", gone);
	socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fds);
	one = sock(fds[0]);
	other = sock(fds[1]);
	expect("0 net socketpair(domain=AF_UNIX, type=SOCK_SEQPACKET, protocol=0, fds=[%d, %d]) = "
	       "0",
	       fds[0], fds[1]);
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(header), &file, sizeof(int));
	expect("0 net sendmsg(fd=%s, flags=0, address=NULL, parts=[3, 4], files=[%s]) = %zd", one,
	       name, sendmsg(fds[0], &message, 0));
	/* behind our back: its number is to come back by the message */
	bare(SYS_close, taken);
	message.msg_iov = &room;
	message.msg_iovlen = 1;
	recvmsg(fds[1], &message, MSG_CMSG_CLOEXEC);
	expect("0 net recvmsg(fd=%s, flags=MSG_CMSG_CLOEXEC, address=NULL, parts=[32], files=[%s]) "
	       "= 7",
	       other, on_file(taken, "data"));
	expect("0 posix write(fd=%s, count=2) = %zd", on_file(taken, "data"),
	       write(taken, text, 2));
	close_one(taken, on_file(taken, "data"));
	sendmsg(fds[0], (struct msghdr *)16, 0);
	expect("0 net sendmsg(fd=%s, flags=0, address=NULL, parts=?, files=NULL) = -1 EFAULT", one);
	close_one(fds[0], one);
	close_one(fds[1], other);
	close_one(file, name);
}

static void waiting(void)
{
	struct epoll_event event = {.events = EPOLLOUT};
	struct timespec now = {0, 0};
	struct timeval at_once = {0, 0};
	struct pollfd polled[2];
	const char *one, *other, *epoll;
	int fds[2], fd;
	fd_set set;

	socketpair(AF_UNIX, SOCK_DGRAM, 0, fds);
	one = sock(fds[0]);
	other = sock(fds[1]);
	expect("0 net socketpair(domain=AF_UNIX, type=SOCK_DGRAM, protocol=0, fds=[%d, %d]) = 0",
	       fds[0], fds[1]);
	for (int i = 0; i < 2; i++)
		polled[i] = (struct pollfd){.fd = fds[i], .events = POLLOUT};
	expect("0 net poll(fds=[%s, %s], count=2, timeout=100) = %d", one, other,
	       poll(polled, 2, 100));
	expect("0 net ppoll(fds=[%s], count=1) = %d", one, ppoll(polled, 1, &now, NULL));
	poll(NULL, 1, 0);
	expect("0 net poll(fds=NULL, count=1, timeout=0) = -1 EFAULT");
	FD_ZERO(&set);
	FD_SET(fds[0], &set);
	expect("0 net select(count=%d) = %d", fds[1] + 1,
	       select(fds[1] + 1, NULL, &set, NULL, &at_once));
	expect("0 net pselect(count=%d) = %d", fds[1] + 1,
	       pselect(fds[1] + 1, NULL, &set, NULL, &now, NULL));
	fd = epoll_create1(0);
	epoll = strdup(on_other(fd, "anon_inode:[eventpoll]"));
	expect("0 posix epoll_create1(flags=0) = %s", epoll);
	expect("0 net epoll_ctl(fd=%s, operation=EPOLL_CTL_ADD, target=%s) = %d", epoll, one,
	       epoll_ctl(fd, EPOLL_CTL_ADD, fds[0], &event));
	expect("0 net epoll_wait(fd=%s, count=1, timeout=-1) = %d", epoll,
	       epoll_wait(fd, &event, 1, -1));
	expect("0 net epoll_pwait(fd=%s, count=1, timeout=-1) = %d", epoll,
	       epoll_pwait(fd, &event, 1, -1, NULL));
	expect("0 net epoll_pwait2(fd=%s, count=1) = %s", epoll,
	       returned(epoll_pwait2(fd, &event, 1, NULL, NULL)));
	close_one(fd, epoll);
	close_one(fds[0], one);
	close_one(fds[1], other);
}

static void names(void)
{
	struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV}, *list;

	expect("0 net getaddrinfo(node=\"127.0.0.1\", service=\"80\") = %d",
	       getaddrinfo("127.0.0.1", "80", &hints, &list));
	freeaddrinfo(list);
	expect("0 net getaddrinfo(node=\"nobody\", service=NULL) = %d",
	       getaddrinfo("nobody", NULL, &hints, &list));
}

int main(void)
{
	stream_pair();
	tcp();
	udp();
	unix_names();
	rights();
	waiting();
	names();
	return expect_end();
}
