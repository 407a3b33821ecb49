/* SPDX-License-Identifier: MIT */
/* net_address.c - addresses of sockets as texts */
#include "wrap/wrapper.h"

#include <netinet/in.h>
#include <sys/un.h>

#include "record/text.h"
#include "wrap/net_args.h"

#define TEXT_SIZE 192

static void add_port(struct textbuf *text, in_port_t port)
{
	text_add(text, ":");
	text_add_u64(text, (uint64_t)(port >> 8 | (port & 0xff) << 8));
}

static void add_inet(struct textbuf *text, const struct sockaddr_in *address)
{
	const uint8_t *bytes = (const uint8_t *)&address->sin_addr;

	for (unsigned i = 0; i < 4; i++) {
		text_add(text, i ? "." : "");
		text_add_u64(text, bytes[i]);
	}
	add_port(text, address->sin_port);
}

static unsigned group_of(const uint8_t *bytes, unsigned at)
{
	return (unsigned)bytes[2 * at] << 8 | bytes[2 * at + 1];
}

static void add_group(struct textbuf *text, unsigned group)
{
	unsigned digits = group > 0xfff ? 4 : group > 0xff ? 3 : group > 0xf ? 2 : 1;

	text_add_hex(text, group, digits);
}

/* The longest run of at least two zero groups, which is left out: its begin; *count 0 if there is none. */
static unsigned longest_zeros(const uint8_t *bytes, unsigned *count)
{
	unsigned best = 0;

	*count = 0;
	for (unsigned from = 0; from < 8; from++) {
		unsigned run = 0;

		while (from + run < 8 && group_of(bytes, from + run) == 0)
			run++;
		if (run > 1 && run > *count) {
			best = from;
			*count = run;
		}
	}
	return best;
}

static void add_inet6(struct textbuf *text, const struct sockaddr_in6 *address)
{
	const uint8_t *bytes = (const uint8_t *)&address->sin6_addr;
	unsigned count, zeros = longest_zeros(bytes, &count);

	text_add(text, "[");
	for (unsigned i = 0; i < 8; i++) {
		if (count && i == zeros) {
			text_add(text, "::");
			i += count - 1;
			continue;
		}
		text_add(text, i && !(count && i == zeros + count) ? ":" : "");
		add_group(text, group_of(bytes, i));
	}
	if (address->sin6_scope_id) {
		text_add(text, "%");
		text_add_u64(text, address->sin6_scope_id);
	}
	text_add(text, "]");
	add_port(text, address->sin6_port);
}

/* Abstract names begin with a zero, and may hold more. */
static void add_unix(struct textbuf *text, const struct sockaddr_un *address, socklen_t length)
{
	size_t size = length - offsetof(struct sockaddr_un, sun_path);
	const char *path = address->sun_path;

	text_add(text, "unix:");
	if (size == 0)
		return;
	if (path[0]) {
		text_add_bytes(text, path, strnlen(path, size));
		return;
	}
	text_add(text, "@");
	for (size_t i = 1; i < size; i++)
		text_add_bytes(text, path[i] ? path + i : "@", 1);
}

static void add_address(struct textbuf *text, const struct sockaddr_storage *address,
			socklen_t length)
{
	const void *any = address;

	if (address->ss_family == AF_INET && length >= sizeof(struct sockaddr_in)) {
		add_inet(text, any);
	} else if (address->ss_family == AF_INET6 && length >= sizeof(struct sockaddr_in6)) {
		add_inet6(text, any);
	} else if (address->ss_family == AF_UNIX) {
		add_unix(text, any, length);
	} else {
		text_add(text, "family:");
		text_add_u64(text, address->ss_family);
	}
}

void arg_address(struct call *call, unsigned index, const struct sockaddr *address,
		 socklen_t length)
{
	struct sockaddr_storage copy = {0};
	char buffer[TEXT_SIZE];
	struct textbuf text = text_in(buffer, sizeof(buffer));

	call->record->args[index] = address ? BLOCK_UNREADABLE : BLOCK_ABSENT;
	if (length > sizeof(copy))
		length = sizeof(copy);
	if (!address || length < sizeof(address->sa_family) || !readable(address, length))
		return;
	memcpy(&copy, address, length);
	add_address(&text, &copy, length);
	arg_string(call, index, buffer);
}

socklen_t address_room(const socklen_t *length)
{
	return length && readable(length, sizeof(*length)) ? *length : 0;
}

void arg_address_at(struct call *call, unsigned index, const struct sockaddr *address,
		    const socklen_t *length, socklen_t room)
{
	socklen_t filled = address_room(length);

	/* nobody's address, as of a stream that is connected */
	if (address && filled == 0)
		address = NULL;
	arg_address(call, index, address, filled < room ? filled : room);
}
