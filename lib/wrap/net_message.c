/* SPDX-License-Identifier: MIT */
/*
 * net_message.c - the wrappers of sendmsg, recvmsg and their like for many messages. Descriptors that a message brings stand for
 * files that are not known yet, whether or not the call is recorded.
 */
#include "wrap/wrapper.h"

#include "wrap/net_args.h"

/* The next control header behind `header`, or the first; NULL: the end. As CMSG_NXTHDR(), but nothing is read that is not there. */
static const struct cmsghdr *next_control(const struct msghdr *message,
					  const struct cmsghdr *header)
{
	const char *begin = message->msg_control, *end = begin + message->msg_controllen;
	const char *next = header ? (const char *)header + CMSG_ALIGN(header->cmsg_len) : begin;

	if (!begin || next < begin || (size_t)(end - begin) < sizeof(*header) ||
	    next > end - sizeof(*header))
		return NULL;
	header = (const struct cmsghdr *)next;
	if (!readable(header, sizeof(*header)) || header->cmsg_len < sizeof(*header) ||
	    header->cmsg_len > (size_t)(end - next) || !readable(header, header->cmsg_len))
		return NULL;
	return header;
}

/* The first control header that carries descriptors. */
static const struct cmsghdr *rights_of(const struct msghdr *message)
{
	const struct cmsghdr *header = NULL;

	while ((header = next_control(message, header)))
		if (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS)
			return header;
	return NULL;
}

static uint32_t rights_count(const struct cmsghdr *rights)
{
	return (uint32_t)((rights->cmsg_len - CMSG_LEN(0)) / sizeof(int));
}

static int64_t file_at(const void *fds, uint32_t at)
{
	int fd;

	memcpy(&fd, (const char *)fds + at * sizeof(fd), sizeof(fd));
	return fd_pair(fd);
}

static void arg_rights(struct call *call, unsigned index, const struct msghdr *message)
{
	const struct cmsghdr *rights = message ? rights_of(message) : NULL;

	arg_int(call, index, BLOCK_ABSENT);
	if (rights)
		arg_each(call, index, rights_count(rights), file_at, CMSG_DATA(rights));
}

/* The descriptors that have come are new. */
static void rights_came(const struct msghdr *message)
{
	const struct cmsghdr *rights =
		readable(message, sizeof(*message)) ? rights_of(message) : NULL;

	for (uint32_t at = 0; rights && at < rights_count(rights); at++) {
		int fd;

		memcpy(&fd, CMSG_DATA(rights) + at * sizeof(fd), sizeof(fd));
		descriptor_forget(fd);
	}
}

static void arg_message_parts(struct call *call, unsigned index, const struct msghdr *message)
{
	if (message)
		arg_parts(call, index, message->msg_iov, (int64_t)message->msg_iovlen);
	else
		arg_int(call, index, BLOCK_UNREADABLE);
}

WRAPPER ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
	__typeof__(sendmsg) *next = function_next(SYM_sendmsg);
	const struct msghdr *seen;
	struct call call;
	ssize_t result;

	if (!call_enter(&call, FN_sendmsg, 5, CALL_SITE))
		return next(fd, message, flags);
	seen = readable(message, sizeof(*message)) ? message : NULL;
	arg_fd(&call, 0, fd);
	arg_int(&call, 1, flags);
	arg_address(&call, 2, seen ? seen->msg_name : NULL, seen ? seen->msg_namelen : 0);
	arg_message_parts(&call, 3, seen);
	arg_rights(&call, 4, seen);
	call_start(&call);
	result = next(fd, message, flags);
	call_stop(&call);
	result_int(&call, result, result == -1);
	call_leave(&call);
	return result;
}

/* `unrecorded` calls come here, too: for the descriptors. */
WRAPPER ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
	__typeof__(recvmsg) *next = function_next(SYM_recvmsg);
	const struct msghdr *seen;
	socklen_t room = 0;
	struct call call;
	ssize_t result;

	if (!call_enter(&call, FN_recvmsg, 5, CALL_SITE)) {
		result = next(fd, message, flags);
		if (result != -1)
			rights_came(message);
		return result;
	}
	seen = readable(message, sizeof(*message)) ? message : NULL;
	if (seen)
		room = seen->msg_namelen;
	arg_fd(&call, 0, fd);
	arg_int(&call, 1, flags);
	arg_int(&call, 2, 0);
	arg_message_parts(&call, 3, seen);
	arg_int(&call, 4, 0);
	call_start(&call);
	result = next(fd, message, flags);
	call_stop(&call);
	result_int(&call, result, result == -1);
	if (result != -1) {
		rights_came(message);
		arg_address_at(&call, 2, message->msg_name, &message->msg_namelen, room);
		arg_rights(&call, 4, message);
	}
	call_leave(&call);
	return result;
}

/* ---- many ---- */

static int64_t size_at(const void *messages, uint32_t at)
{
	return ((const struct mmsghdr *)messages)[at].msg_len;
}

static void arg_sizes(struct call *call, unsigned index, const struct mmsghdr *messages, int count)
{
	if (count > 0 && readable(messages, (size_t)count * sizeof(*messages)))
		arg_each(call, index, count, size_at, messages);
}

static void many_start(struct call *call, int fd, unsigned count, int flags)
{
	arg_fd(call, 0, fd);
	arg_int(call, 1, count);
	arg_int(call, 2, flags);
	arg_int(call, 3, 0);
	call_start(call);
}

WRAPPER int sendmmsg(int fd, struct mmsghdr *messages, unsigned count, int flags)
{
	__typeof__(sendmmsg) *next = function_next(SYM_sendmmsg);
	struct call call;
	int result;

	if (!call_enter(&call, FN_sendmmsg, 4, CALL_SITE))
		return next(fd, messages, count, flags);
	many_start(&call, fd, count, flags);
	result = next(fd, messages, count, flags);
	call_stop(&call);
	result_int(&call, result, result == -1);
	arg_sizes(&call, 3, messages, result);
	call_leave(&call);
	return result;
}

static void many_came(const struct mmsghdr *messages, int count)
{
	for (int at = 0; at < count; at++)
		rights_came(&messages[at].msg_hdr);
}

WRAPPER int recvmmsg(int fd, struct mmsghdr *messages, unsigned count, int flags,
		     struct timespec *timeout)
{
	__typeof__(recvmmsg) *next = function_next(SYM_recvmmsg);
	struct call call;
	int result;

	if (!call_enter(&call, FN_recvmmsg, 4, CALL_SITE)) {
		result = next(fd, messages, count, flags, timeout);
		many_came(messages, result);
		return result;
	}
	many_start(&call, fd, count, flags);
	result = next(fd, messages, count, flags, timeout);
	call_stop(&call);
	result_int(&call, result, result == -1);
	many_came(messages, result);
	arg_sizes(&call, 3, messages, result);
	call_leave(&call);
	return result;
}
