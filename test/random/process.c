/* SPDX-License-Identifier: MIT */
/* process.c - descriptors that go on in other numbers, threads, processes and images. */
#include "random.h"

#include <linux/close_range.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define BOXES 8
#define DEPTH_MAX 2

extern char **environ;

/* ---- numbers ---- */

static void duplicated(int fd, const struct descriptor *from)
{
	if (fd >= 0)
		keep(fd, from->folder, from->foreign);
}

/* One of the thread's own descriptors is replaced. */
static void duplicate_onto(struct descriptor *from)
{
	struct descriptor *to = any_descriptor();
	const char *before = who(to->fd), *file = who(from->fd);
	int fd, flags = random_below(2) ? O_CLOEXEC : 0;

	if (random_below(2)) {
		fd = MADE(dup2(from->fd, to->fd));
		say(fd < 0, "dup2 =%s fd:f=%s fd2:f=%s", who(fd), file, before);
	} else {
		fd = MADE(dup3(from->fd, to->fd, flags));
		say(fd < 0, "dup3 =%s fd:f=%s fd2:f=%s flags:i=%d", who(fd), file, before, flags);
	}
	if (fd >= 0)
		*to = (struct descriptor){fd, from->folder, from->foreign};
}

static void set_flags(struct descriptor *d)
{
	int value = random_below(2), command = random_below(2) ? F_SETFD : F_SETFL, result;

	if (command == F_SETFL)
		value = O_NONBLOCK | (value ? O_APPEND : 0);
	files_lock(d->fd, -1);
	result = MADE(fcntl(d->fd, command, value));
	say(result < 0, "fcntl =%d fd:f=%s command:i=%d argument:i=%d", result, who(d->fd), command,
	    value);
	files_unlock(d->fd, -1);
}

void do_duplicate(void)
{
	struct descriptor *d = any_descriptor();
	int fd, least = (int)random_below(60), command;

	if (!d)
		return;
	switch (random_below(4)) {
	case 0:
		fd = MADE(dup(d->fd));
		say(fd < 0, "dup =%s fd:f=%s", who(fd), who(d->fd));
		duplicated(fd, d);
		break;
	case 1:
		command = random_below(2) ? F_DUPFD : F_DUPFD_CLOEXEC;
		fd = MADE(fcntl(d->fd, command, least));
		say(fd < 0, "fcntl =%s fd:f=%s command:i=%d argument:i=%d", who(fd), who(d->fd),
		    command, least);
		duplicated(fd, d);
		break;
	case 2:
		set_flags(d);
		break;
	default:
		duplicate_onto(d);
	}
}

void do_close(void)
{
	struct descriptor *d = any_descriptor();
	int result, fd = NOT_OPEN + (int)random_below(10);

	if (random_below(8) == 0) {
		result = MADE(close(fd));
		say(result, "close =%d fd:f=%s", result, who(fd));
	} else if (d && random_below(6) == 0) {
		unsigned number = (unsigned)d->fd;

		result = MADE(close_range(number, number, 0));
		say(result, "close_range =%d first:i=%u last:i=%u flags:i=0", result, number,
		    number);
		*d = self->descriptors[--self->count];
	} else if (d) {
		close_descriptor(d);
	}
}

/* ---- threads ---- */

/* Descriptors that any thread of the process may take: one word each, so that a fork finds nothing half done. */
static _Atomic uint64_t boxes[BOXES]; /* descriptor + 1, folder + 1, foreign */

/* A duplicate is left for another thread, or one that was left is taken. */
void do_share(void)
{
	_Atomic uint64_t *box = &boxes[random_below(BOXES)];
	uint64_t word = atomic_exchange(box, 0);
	struct descriptor *d = any_descriptor();
	int fd;

	if (word) {
		keep((int)(word & 0xFFFF) - 1, (int)(word >> 16 & 0xFF) - 1, word >> 24 & 1);
		return;
	}
	if (!d)
		return;
	fd = MADE(dup(d->fd));
	say(fd < 0, "dup =%s fd:f=%s", who(fd), who(d->fd));
	if (fd < 0)
		return;
	word = (uint64_t)(fd + 1) | (uint64_t)(d->folder + 1) << 16 | (uint64_t)d->foreign << 24;
	word = atomic_exchange(box, word);
	if (word) /* another one was as fast */
		keep((int)(word & 0xFFFF) - 1, (int)(word >> 16 & 0xFF) - 1, word >> 24 & 1);
}

/* ---- processes ---- */

static void child_of(unsigned number)
{
	for (unsigned i = 0; i < BOXES; i++)
		boxes[i] = 0;
	memset(self->children, 0, sizeof(self->children));
	self->length = 0; /* what was there is the parent's */
	self->state = self->state * 0x9E3779B97F4A7C15u + number;
	plan.depth++;
	plan.image = 0;
	plan.alone = true;
}

/* The descriptors in text, for the next image: those that it will have. */
static void write_list(char *text)
{
	for (unsigned i = 0; i < self->count; i++) {
		const struct descriptor *d = &self->descriptors[i];

		if (!(sys_raw(SYS_fcntl, d->fd, F_GETFD, 0, 0, 0, 0) & FD_CLOEXEC))
			text += sprintf(text, "%d.%d.%d,", d->fd, d->folder, d->foreign);
	}
	*text = '\0';
}

void images_take(char *list)
{
	for (char *end; *list; list = end + 1) {
		struct descriptor *d = &self->descriptors[self->count++];

		d->fd = (int)strtol(list, &end, 10);
		d->folder = (int)strtol(end + 1, &end, 10);
		d->foreign = strtol(end + 1, &end, 10);
	}
}

struct image_arguments {
	char seed[24], image[12], depth[12], folder[12], list[DESCRIPTORS * 16];
	char *vector[9];
};

static char **image_vector(struct image_arguments *a, int image, int depth)
{
	sprintf(a->seed, "%lu", (unsigned long)random_number());
	sprintf(a->image, "%d", image);
	sprintf(a->depth, "%d", depth);
	sprintf(a->folder, "%d", plan.folder);
	write_list(a->list);
	a->vector[0] = plan.program;
	a->vector[1] = a->seed;
	a->vector[2] = (char *)plan.tree;
	a->vector[3] = (char *)plan.journals;
	a->vector[4] = a->image;
	a->vector[5] = a->depth;
	a->vector[6] = a->folder;
	a->vector[7] = a->list;
	return a->vector;
}

/* "program,seed,..." as the journal has it. */
static const char *vector_text(char **vector)
{
	static __thread char text[1024];
	char *end = text;

	for (; *vector; vector++)
		end += sprintf(end, "%s%s", end == text ? "" : "|", *vector);
	return text;
}

static void exec_self(void)
{
	struct image_arguments arguments = {.vector = {NULL}};
	char **vector = image_vector(&arguments, plan.image + 1, plan.depth);
	int result;

	if (random_below(4) == 0) {
		result = MADE(execv("/nowhere/at/all", vector));
		say(true, "execv =%d path:s=/nowhere/at/all argv:v=%s", result,
		    vector_text(vector));
	}
	say(false, "execve =0 path:s=%s argv:v=%s", plan.program, vector_text(vector));
	journal_end();
	execve(plan.program, vector, environ);
	abort();
}

static void child_run(unsigned calls)
{
	static void (*const actions[])(void) = {do_data,       do_data,      do_position,
						do_open,       do_duplicate, do_close,
						do_other_open, do_folder,    do_transfer};

	while (calls--)
		actions[random_below(9)]();
	if (random_below(2))
		exec_self();
	children_wait();
	say(false, "_exit status:i=0");
	journal_end();
	_exit(0);
}

static void child_began(int pid)
{
	for (unsigned i = 0; i < 4; i++)
		if (!self->children[i]) {
			self->children[i] = pid;
			return;
		}
	children_wait();
	self->children[0] = pid;
}

void children_wait(void)
{
	int status, pid;

	for (unsigned i = 0; i < 4; i++) {
		if (!self->children[i])
			continue;
		pid = MADE(waitpid(self->children[i], &status, 0));
		say(pid < 0, "waitpid =%d pid:i=%d status:i=%d options:i=0", pid, self->children[i],
		    status);
		if (status)
			abort();
		self->children[i] = 0;
	}
}

static void fork_child(void)
{
	unsigned number = random_below(1000), calls = 4 + random_below(30);
	int pid = MADE(fork());

	if (pid == 0) {
		child_of(number);
		child_run(calls);
	}
	say(pid < 0, "fork =%d", pid);
	if (pid > 0)
		child_began(pid);
}

static void spawn_child(void)
{
	struct image_arguments arguments = {.vector = {NULL}};
	char **vector = image_vector(&arguments, 0, plan.depth + 1);
	int pid = 0, result;

	result = MADE(posix_spawn(&pid, plan.program, NULL, NULL, vector, environ));
	say(false, "posix_spawn =%d pid:i=%d path:s=%s argv:v=%s", result, pid, plan.program,
	    vector_text(vector));
	if (result)
		abort();
	child_began(pid);
}

void do_process(void)
{
	if (plan.depth >= DEPTH_MAX)
		return;
	if (random_below(4))
		fork_child();
	else
		spawn_child();
}

/* ---- what comes from elsewhere ---- */

/* By a message over a socket pair. */
static int pass_by_message(int fd)
{
	char byte = 0, room[CMSG_SPACE(sizeof(int))] = {0};
	struct iovec part = {&byte, 1};
	struct msghdr message = {.msg_iov = &part,
				 .msg_iovlen = 1,
				 .msg_control = room,
				 .msg_controllen = sizeof(room)};
	struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
	int pair[2], passed = -1;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		return -1;
	rights->cmsg_level = SOL_SOCKET;
	rights->cmsg_type = SCM_RIGHTS;
	rights->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(rights), &fd, sizeof(fd));
	if (sendmsg(pair[0], &message, 0) == 1 && recvmsg(pair[1], &message, 0) == 1)
		memcpy(&passed, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(passed));
	for (int i = 0; i < 2; i++) {
		say(false, "close =0 fd:f=%s", who(pair[i]));
		close(pair[i]);
	}
	return passed;
}

/* From the process itself, as a debugger takes them. */
static int pass_by_pid(int fd)
{
	int pid = (int)sys_raw(SYS_pidfd_open, raw_pid(), 0, 0, 0, 0, 0);
	int passed = (int)sys_raw(SYS_pidfd_getfd, pid, fd, 0, 0, 0, 0);

	raw_close(pid);
	return passed;
}

/* A file that no other descriptor stands for: what is done with this one, the trace cannot follow. */
void do_pass(void)
{
	int flags = O_RDWR | O_CREAT | (random_below(3) ? 0 : O_APPEND), from, fd;
	char path[400];

	sprintf(path, "%s/passed-%ld", plan.tree, raw_tid());
	from = MADE(open(path, flags, 0600));
	say(from < 0, "open =%s path:s=%s flags:i=%d mode:i=384", who(from), path, flags);
	say_name(from, path);
	if (from < 0)
		return;
	fd = random_below(3) ? pass_by_message(from) : pass_by_pid(from);
	say(false, "close =0 fd:f=%s", who(from));
	close(from);
	if (fd >= 0)
		keep(fd, -1, true);
}
