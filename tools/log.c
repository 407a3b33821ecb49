/* SPDX-License-Identifier: MIT */
/* log.c - see log.h */
#include "log.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "output.h"
#include "read/tracefiles.h"

#define MESSAGE_MAX (1u << 30)

struct head {
	uint32_t type, size;
};

int log_put(struct log *log, uint32_t type, const void *bytes, size_t size)
{
	struct head head = {type, (uint32_t)size};
	struct buffer both = {0};
	int error;

	if (size > MESSAGE_MAX)
		return -EMSGSIZE;
	buffer_add(&both, &head, sizeof(head));
	buffer_add(&both, bytes, size);
	error = output_write_at(log->fd, both.bytes, both.size, &log->at);
	buffer_release(&both);
	return error;
}

static bool get(const struct log *log, void *bytes, size_t size, uint64_t at)
{
	return fd_read_at(log->fd, bytes, size, at) == (ssize_t)size;
}

uint32_t log_next(struct log *log, uint32_t type, struct buffer *body)
{
	struct head head;

	buffer_clear(body);
	while (get(log, &head, sizeof(head), log->at) && head.type && head.size <= MESSAGE_MAX) {
		uint64_t end = log->at + sizeof(head) + head.size;

		if (head.type == type || head.type == LOG_FAILED) {
			if (!get(log, buffer_room(body, head.size), head.size,
				 log->at + sizeof(head)))
				return 0;
			body->size = head.size;
			log->at = end;
			return head.type;
		}
		log->at = end;
	}
	return 0;
}

#ifdef UNIT_TEST
#include <stdio.h>

#include "unittest.h"

TEST_CASE(logs_give_whole_messages_by_type)
{
	FILE *file = tmpfile();
	struct log writer = {.fd = -1}, reader;
	struct buffer body = {0};

	REQUIRE(file != NULL);
	writer.fd = fileno(file);
	reader = writer;
	EXPECT_EQ(log_next(&reader, 1, &body), 0);
	EXPECT_EQ(log_put(&writer, 2, "no", 2), 0);
	EXPECT_EQ(log_put(&writer, 1, "yes", 3), 0);
	/* a message whose end is not there yet */
	EXPECT_EQ(pwrite(writer.fd, &(struct head){1, 5}, sizeof(struct head), (off_t)writer.at),
		  sizeof(struct head));
	EXPECT_EQ(log_next(&reader, 1, &body), 1);
	EXPECT_EQ(body.size, 3);
	EXPECT(memcmp(body.bytes, "yes", 3) == 0);
	EXPECT_EQ(log_next(&reader, 1, &body), 0);
	EXPECT_EQ(log_put(&writer, 1, "whole", 5), 0);
	EXPECT_EQ(log_put(&writer, LOG_FAILED, "", 0), 0);
	EXPECT_EQ(log_next(&reader, 1, &body), 1);
	EXPECT_EQ(log_next(&reader, 1, &body), LOG_FAILED);
	buffer_release(&body);
	fclose(file);
}
#endif
