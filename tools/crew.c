/* SPDX-License-Identifier: MIT */
/* crew.c - see crew.h */
#include "crew.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "instant.h"
#include "leftovers.h"
#include "message.h"
#include "quietthread.h"
#include "temporary.h"

#define STEP_LEAST 100000L /* ns between two looks */
#define STEP_MOST 4000000L
#define PATIENCE 120000000000 /* ns without any sign of life */
#define BEAT 10               /* seconds between two of them */

enum { HELLO = 1, WELCOME, DONE, GO, ALIVE };

struct hello {
	uint64_t nonce, same;
};

struct member {
	struct log ears[CREW_EARS];
	pid_t pid; /* of a process that was forked; 0: it has ended */
};

struct crew {
	struct ranks who;
	uint64_t nonce, same;
	struct member *members;
	pthread_mutex_t lock; /* of the next two */
	struct log own;
	bool ends;
	pthread_cond_t ending;
	pthread_t heart; /* of ranks */
	bool beats;
	char name[4096];      /* of this rank's log */
	unsigned waiting_for; /* and since when, and with how much said */
	int64_t since;
	off_t said;
	long step;
};

/* The one of this process, for when it fails. */
static struct crew *current;

static int say(struct crew *crew, uint32_t type, const void *bytes, size_t size)
{
	int error;

	pthread_mutex_lock(&crew->lock);
	error = log_put(&crew->own, type, bytes, size);
	pthread_mutex_unlock(&crew->lock);
	return error;
}

static void say_failed(void)
{
	if (current)
		say(current, LOG_FAILED, "", 0);
}

unsigned crew_number(const struct crew *crew)
{
	return crew->who.number;
}

/* ---- saying and hearing ---- */

void crew_say(struct crew *crew, uint32_t type, const void *bytes, size_t size)
{
	int error = say(crew, type, bytes, size);

	if (error)
		die("cannot write a temporary file: %s", strerror(-error));
}

bool crew_hear(struct crew *crew, unsigned number, unsigned ear, uint32_t type, struct buffer *body)
{
	uint32_t heard = log_next(&crew->members[number].ears[ear], type, body);

	if (heard == LOG_FAILED) {
		current = NULL; /* it has been said */
		if (crew->who.launched)
			die("rank %u failed", number);
		exit(message_failed);
	}
	if (heard) {
		crew->step = STEP_LEAST;
		crew->since = 0;
	}
	return heard != 0;
}

/* A forked process has ended before its time. */
static void look_after(struct crew *crew, unsigned number)
{
	int status;

	if (crew->members[number].pid <= 0 ||
	    waitpid(crew->members[number].pid, &status, WNOHANG) <= 0)
		return;
	crew->members[number].pid = 0;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return;
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE)
		raise(SIGPIPE);
	if (WIFSIGNALED(status))
		die("a process that converts was ended by signal %d", WTERMSIG(status));
	exit(message_failed); /* it has said why */
}

static void nap(struct crew *crew)
{
	struct timespec step = {0, crew->step};

	nanosleep(&step, NULL);
	if (crew->step < STEP_MOST)
		crew->step += crew->step / 2;
}

void crew_wait(struct crew *crew, unsigned number)
{
	int fd = crew->members[number].ears[0].fd;
	struct stat status;
	off_t said = fd >= 0 && !fstat(fd, &status) ? status.st_size : -1;

	if (!crew->since || crew->waiting_for != number || crew->said != said) {
		crew->since = instant_of(CLOCK_MONOTONIC);
		crew->waiting_for = number;
		crew->said = said;
	}
	for (unsigned i = 0; i < crew->who.count && !crew->who.launched; i++)
		look_after(crew, i);
	if (crew->who.launched && instant_of(CLOCK_MONOTONIC) - crew->since > PATIENCE)
		ranks_absent(&crew->who, number);
	nap(crew);
}

static void listen_to(struct crew *crew, unsigned number, int fd)
{
	for (unsigned ear = 0; ear < CREW_EARS; ear++)
		crew->members[number].ears[ear] = (struct log){.fd = fd};
}

/* ---- processes of our own ---- */

static void fork_member(struct crew *crew, unsigned number, pid_t parent)
{
	pid_t pid = fork();

	if (pid < 0)
		die("cannot fork: %s", strerror(errno));
	crew->members[number].pid = pid;
	if (pid > 0)
		return;
	temporary_forget();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(message_failed);
	crew->who.number = number;
	for (unsigned i = 0; i < crew->who.count; i++)
		crew->members[i].pid = 0;
}

static void fork_members(struct crew *crew)
{
	pid_t parent = getpid();

	for (unsigned i = 0; i < crew->who.count; i++) {
		listen_to(crew, i, memfd_create("recorder", MFD_CLOEXEC));
		if (crew->members[i].ears[0].fd < 0)
			die("cannot make a temporary file: %s", strerror(errno));
	}
	fflush(NULL);
	for (unsigned i = 1; i < crew->who.count && crew->who.number == 0; i++)
		fork_member(crew, i, parent);
	crew->own = crew->members[crew->who.number].ears[0];
}

/* ---- ranks of a launcher ---- */

static void make_log(struct crew *crew)
{
	ranks_file(&crew->who, crew->who.number, ".log", crew->name, sizeof(crew->name));
	unlink(crew->name); /* of a job that failed */
	crew->own.fd = open(crew->name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (crew->own.fd < 0 || temporary_add(crew->name))
		die("cannot make '%s': %s", crew->name, strerror(errno));
	crew_say(crew, HELLO, &(struct hello){crew->nonce, crew->same}, sizeof(struct hello));
	if (crew->who.number == 0)
		leftovers_remove(&crew->who, crew->own.fd);
}

/* Opens the log of a rank and reads how it begins. False: there is none yet, or nothing in it. */
static bool meet(struct crew *crew, unsigned number, struct hello *hello)
{
	struct buffer body = {0};
	char name[4096];
	bool met;
	int fd;

	ranks_file(&crew->who, number, ".log", name, sizeof(name));
	fd = open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return false;
	listen_to(crew, number, fd);
	met = crew_hear(crew, number, 0, HELLO, &body) && body.size == sizeof(*hello);
	if (met)
		memcpy(hello, body.bytes, sizeof(*hello));
	buffer_release(&body);
	if (!met) {
		close(fd);
		listen_to(crew, number, -1);
	}
	return met;
}

static void part_from(struct crew *crew, unsigned number)
{
	close(crew->members[number].ears[0].fd);
	listen_to(crew, number, -1);
}

static void welcome_all(struct crew *crew)
{
	struct buffer welcome = {0};
	struct hello hello;

	for (unsigned i = 0; i < crew->who.count; i++) {
		while (!meet(crew, i, &hello))
			crew_wait(crew, i);
		if (hello.same != crew->same)
			die("rank %u is to convert something else: the trace is being written, or "
			    "the options are others",
			    i);
		buffer_add(&welcome, &hello.nonce, sizeof(hello.nonce));
	}
	crew_say(crew, WELCOME, welcome.bytes, welcome.size);
	buffer_release(&welcome);
}

/* The nonces of all, from a leader's log that has ours. */
static void hear_welcome(struct crew *crew, struct buffer *nonces)
{
	size_t size = crew->who.count * sizeof(uint64_t);
	struct hello hello;
	uint64_t ours;

	for (;;) {
		while (!meet(crew, 0, &hello))
			crew_wait(crew, 0);
		while (!crew_hear(crew, 0, 0, WELCOME, nonces))
			crew_wait(crew, 0);
		if (nonces->size == size) {
			memcpy(&ours, nonces->bytes + crew->who.number * sizeof(ours),
			       sizeof(ours));
			if (ours == crew->nonce)
				return;
		}
		part_from(crew, 0);
		crew_wait(crew, 0);
	}
}

static void join(struct crew *crew)
{
	struct buffer nonces = {0};
	struct hello hello;
	uint64_t nonce;

	hear_welcome(crew, &nonces);
	for (unsigned i = 1; i < crew->who.count; i++) {
		memcpy(&nonce, nonces.bytes + i * sizeof(nonce), sizeof(nonce));
		for (;;) {
			if (meet(crew, i, &hello) && hello.nonce == nonce)
				break;
			if (crew->members[i].ears[0].fd >= 0)
				part_from(crew, i);
			crew_wait(crew, i);
		}
	}
	buffer_release(&nonces);
}

/* ---- signs of life ---- */

static void *beat(void *data)
{
	struct crew *crew = data;

	pthread_mutex_lock(&crew->lock);
	while (!crew->ends) {
		struct timespec next;

		clock_gettime(CLOCK_REALTIME, &next);
		next.tv_sec += BEAT;
		if (pthread_cond_timedwait(&crew->ending, &crew->lock, &next) == ETIMEDOUT)
			log_put(&crew->own, ALIVE, "", 0);
	}
	pthread_mutex_unlock(&crew->lock);
	return NULL;
}

/* Without it, work has to be done within the others' patience. */
static void begin_beating(struct crew *crew)
{
	crew->beats = !quietthread_start(&crew->heart, beat, crew);
}

static void end_beating(struct crew *crew)
{
	if (!crew->beats)
		return;
	pthread_mutex_lock(&crew->lock);
	crew->ends = true;
	pthread_cond_signal(&crew->ending);
	pthread_mutex_unlock(&crew->lock);
	pthread_join(crew->heart, NULL);
}

/* ---- beginning and end ---- */

struct crew *crew_start(const struct ranks *who, uint64_t same)
{
	struct crew *crew = calloc(1, sizeof(*crew));

	if (!crew || !(crew->members = calloc(who->count, sizeof(*crew->members))))
		die("out of memory");
	crew->who = *who;
	crew->same = same;
	crew->step = STEP_LEAST;
	pthread_mutex_init(&crew->lock, NULL);
	pthread_cond_init(&crew->ending, NULL);
	for (unsigned i = 0; i < who->count; i++)
		listen_to(crew, i, -1);
	if (getrandom(&crew->nonce, sizeof(crew->nonce), 0) != sizeof(crew->nonce))
		crew->nonce = (uint64_t)instant_of(CLOCK_MONOTONIC) ^ (uint64_t)getpid() << 32;
	if (!who->launched)
		fork_members(crew);
	else
		make_log(crew);
	current = crew;
	atexit(say_failed);
	if (who->launched)
		begin_beating(crew);
	if (who->launched && who->number == 0)
		welcome_all(crew);
	else if (who->launched)
		join(crew);
	return crew;
}

static void release(struct crew *crew)
{
	current = NULL;
	end_beating(crew);
	pthread_cond_destroy(&crew->ending);
	pthread_mutex_destroy(&crew->lock);
	for (unsigned i = 0; i < crew->who.count; i++)
		if (crew->members[i].ears[0].fd >= 0)
			close(crew->members[i].ears[0].fd);
	if (crew->who.launched) {
		close(crew->own.fd);
		unlink(crew->name);
		temporary_drop(crew->name);
	}
	free(crew->members);
	free(crew);
}

void crew_leave(struct crew *crew)
{
	struct buffer body = {0};

	crew_say(crew, DONE, "", 0);
	if (!crew->who.launched) {
		fflush(NULL);
		_exit(EXIT_SUCCESS);
	}
	while (!crew_hear(crew, 0, 0, GO, &body))
		crew_wait(crew, 0);
	buffer_release(&body);
	release(crew);
}

void crew_gather(struct crew *crew)
{
	struct buffer body = {0};

	for (unsigned i = 1; i < crew->who.count; i++)
		while (!crew_hear(crew, i, 0, DONE, &body))
			crew_wait(crew, i);
	buffer_release(&body);
}

/* Whether the rank has taken its log away. */
static bool has_left(const struct crew *crew, unsigned number)
{
	struct stat status;

	return fstat(crew->members[number].ears[0].fd, &status) || status.st_nlink == 0;
}

void crew_end(struct crew *crew)
{
	int64_t begin = instant_of(CLOCK_MONOTONIC);

	crew_say(crew, GO, "", 0);
	for (unsigned i = 1; i < crew->who.count; i++) {
		if (crew->members[i].pid > 0)
			waitpid(crew->members[i].pid, NULL, 0);
		while (crew->who.launched && !has_left(crew, i) &&
		       instant_of(CLOCK_MONOTONIC) - begin < PATIENCE)
			nap(crew);
	}
	release(crew);
}
