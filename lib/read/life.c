/* SPDX-License-Identifier: MIT */
/* life.c - see life.h */
#include "read/life.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#define OUTERMOST_PID_NS 0xEFFFFFFCu /* the kernel gives it this inode number */
#define EXITING 0x4                  /* PF_EXITING, in field 9 of /proc/PID/stat */

struct life_seen {
	uint32_t pid; /* as it is numbered here */
	uint64_t start;
};

/* ---- /proc ---- */

/* The file in /proc/PID, or as much of it as there is room for; "" if it cannot be read. */
static void read_proc(const char *pid, const char *name, char *text, size_t size)
{
	char path[64];
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "/proc/%s/%s", pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	got = fd < 0 ? -1 : read(fd, text, size - 1);
	if (fd >= 0)
		close(fd);
	text[got > 0 ? got : 0] = 0;
}

struct stat_line {
	char state;
	unsigned long flags, threads;
	unsigned long long start;
};

/* The second word, the name, is in parentheses and may hold any. */
static bool read_stat(const char *pid, struct stat_line *line)
{
	char text[1024];
	const char *rest;

	read_proc(pid, "stat", text, sizeof(text));
	rest = strrchr(text, ')');
	return rest && sscanf(rest + 1,
			      " %c %*s %*s %*s %*s %*s %lu %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
			      "%lu %*s %llu",
			      &line->state, &line->flags, &line->threads, &line->start) == 4;
}

/* The value of a line of /proc/PID/status, after its label and blanks; NULL: there is none. */
static char *status_value(char *text, const char *label)
{
	char *line = strstr(text, label);

	return line ? line + strlen(label) + strspn(line + strlen(label), " \t") : NULL;
}

/* SIGKILL is on its way to the process. */
static bool is_being_killed(const char *pid)
{
	char text[4096];
	const char *pending;

	read_proc(pid, "status", text, sizeof(text));
	pending = status_value(text, "\nSigPnd:");
	if (pending && strtoull(pending, NULL, 16) & 1ull << 8)
		return true;
	pending = status_value(text, "\nShdPnd:");
	return pending && strtoull(pending, NULL, 16) & 1ull << 8;
}

/* A main thread that has ended is a zombie also while others of its process go on. */
static bool has_ended(const struct stat_line *line)
{
	return strchr("ZX", line->state) && line->threads < 2;
}

static enum life life_here(const char *pid, uint64_t start)
{
	struct stat_line line;

	if (!read_stat(pid, &line) || line.start != start || has_ended(&line))
		return LIFE_ENDED;
	return line.flags & EXITING || is_being_killed(pid) ? LIFE_DIES : LIFE_RUNS;
}

static uint64_t pid_ns_of(const char *pid)
{
	char path[64];
	struct stat status;

	snprintf(path, sizeof(path), "/proc/%s/ns/pid", pid);
	return stat(path, &status) ? 0 : status.st_ino;
}

/* The number that the process has in its own space: the last one of the line. */
static uint32_t inner_pid(const char *pid)
{
	char text[4096], *numbers;
	unsigned long inner = 0;

	read_proc(pid, "status", text, sizeof(text));
	numbers = status_value(text, "\nNSpid:");
	if (!numbers)
		return 0;
	numbers[strcspn(numbers, "\n")] = 0;
	while (*numbers)
		inner = strtoul(numbers, &numbers, 10);
	return (uint32_t)inner;
}

/* ---- processes of inner spaces ---- */

static bool add_seen(struct life_view *view, const char *pid)
{
	struct stat_line line;
	struct life_seen *larger;

	if (!read_stat(pid, &line))
		return true;
	larger = realloc(view->seen, (view->seen_count + 1) * sizeof(*larger));
	if (!larger)
		return false;
	view->seen = larger;
	larger[view->seen_count++] =
		(struct life_seen){(uint32_t)strtoul(pid, NULL, 10), line.start};
	return true;
}

static void see_all(struct life_view *view)
{
	DIR *proc = view->has_seen ? NULL : opendir("/proc");
	struct dirent *entry;

	view->has_seen = true;
	while (proc && (entry = readdir(proc)))
		if (isdigit((unsigned char)entry->d_name[0]) && !add_seen(view, entry->d_name))
			break;
	if (proc)
		closedir(proc);
}

/* As life_here(), for a process that has another number here. Whose space must not be looked at is taken for the one. */
static enum life life_within(struct life_view *view, const struct life_claim *claim)
{
	see_all(view);
	for (size_t i = 0; i < view->seen_count; i++) {
		char pid[16];
		uint64_t space;
		enum life life;

		if (view->seen[i].start != claim->pid_start)
			continue;
		snprintf(pid, sizeof(pid), "%u", view->seen[i].pid);
		space = pid_ns_of(pid);
		if ((space != 0 && space != claim->pid_ns) || inner_pid(pid) != claim->pid)
			continue;
		life = life_here(pid, claim->pid_start);
		if (life != LIFE_ENDED)
			return life;
	}
	return LIFE_ENDED;
}

/* ---- from here ---- */

void life_view_init(struct life_view *view)
{
	struct utsname names;
	char text[64];

	memset(view, 0, sizeof(*view));
	read_proc("sys/kernel/random", "boot_id", view->boot_id, sizeof(view->boot_id));
	view->boot_id[strcspn(view->boot_id, "\n")] = 0;
	if (!uname(&names))
		snprintf(view->host, sizeof(view->host), "%s", names.nodename);
	view->pid_ns = pid_ns_of("self");
	read_proc("self", "stat", text, sizeof(text));
	view->proc_is_own = strtol(text, NULL, 10) == getpid();
}

void life_view_release(struct life_view *view)
{
	free(view->seen);
	view->seen = NULL;
	view->seen_count = 0;
	view->has_seen = false;
}

static bool is_own_space(const struct life_view *view, const struct life_claim *claim)
{
	return claim->pid_ns == 0 || view->pid_ns == 0 || claim->pid_ns == view->pid_ns;
}

/* Whether a process that is not found has ended: not so if it might be where we cannot look. */
static bool would_be_seen(const struct life_view *view, const struct life_claim *claim)
{
	if (*claim->host && *view->host && strcmp(claim->host, view->host) != 0)
		return false;
	return is_own_space(view, claim) || view->pid_ns == OUTERMOST_PID_NS;
}

enum life life_of(struct life_view *view, const struct life_claim *claim)
{
	enum life life = LIFE_ENDED;
	char pid[16];

	if (!*claim->boot_id || strcmp(claim->boot_id, view->boot_id) != 0)
		return LIFE_ELSEWHERE;
	snprintf(pid, sizeof(pid), "%u", claim->pid);
	if (claim->pid > 0)
		life = is_own_space(view, claim) && (view->proc_is_own || claim->pid_ns == 0)
			       ? life_here(pid, claim->pid_start)
			       : life_within(view, claim);
	if (life != LIFE_ENDED)
		return life;
	return would_be_seen(view, claim) ? LIFE_ENDED : LIFE_ELSEWHERE;
}

bool life_is_there(uint32_t number)
{
	struct stat_line line;
	char pid[16];

	snprintf(pid, sizeof(pid), "%u", number);
	return read_stat(pid, &line) && !has_ended(&line);
}

#ifdef UNIT_TEST
#include <sys/wait.h>

#include "unittest.h"

static struct life_claim own_claim(const struct life_view *view)
{
	struct life_claim claim = {.boot_id = view->boot_id,
				   .host = view->host,
				   .pid_ns = view->pid_ns,
				   .pid = (uint32_t)getpid()};
	struct stat_line line;

	if (read_stat("self", &line))
		claim.pid_start = line.start;
	return claim;
}

TEST_CASE(zombies_are_not_there)
{
	siginfo_t ended;
	pid_t child;

	EXPECT(life_is_there((uint32_t)getpid()));
	child = fork();
	if (child == 0)
		_exit(0);
	EXPECT(child > 0);
	EXPECT_EQ(waitid(P_PID, (id_t)child, &ended, WEXITED | WNOWAIT), 0);
	EXPECT(!life_is_there((uint32_t)child));
	EXPECT_EQ(waitid(P_PID, (id_t)child, &ended, WEXITED), 0);
	EXPECT(!life_is_there((uint32_t)child));
}

TEST_CASE(processes_are_known_by_their_start)
{
	struct life_view view;
	struct life_claim claim;

	life_view_init(&view);
	claim = own_claim(&view);
	EXPECT_EQ(life_of(&view, &claim), LIFE_RUNS);
	claim.pid_start++;
	EXPECT_EQ(life_of(&view, &claim), LIFE_ENDED);
	claim.host = "another";
	EXPECT_EQ(life_of(&view, &claim), LIFE_ELSEWHERE);
	claim = own_claim(&view);
	claim.boot_id = "another";
	EXPECT_EQ(life_of(&view, &claim), LIFE_ELSEWHERE);
	claim.boot_id = "";
	EXPECT_EQ(life_of(&view, &claim), LIFE_ELSEWHERE);
	life_view_release(&view);
}

TEST_CASE(processes_of_another_space_are_not_ours)
{
	struct life_view view;
	struct life_claim claim;

	life_view_init(&view);
	claim = own_claim(&view);
	claim.pid_ns = view.pid_ns + 1;
	view.pid_ns = OUTERMOST_PID_NS + 2;
	EXPECT_EQ(life_of(&view, &claim), LIFE_ELSEWHERE);
	view.pid_ns = OUTERMOST_PID_NS;
	claim.pid_ns = OUTERMOST_PID_NS + 1;
	EXPECT_EQ(life_of(&view, &claim), LIFE_ENDED); /* it would be seen */
	claim.host = "another";
	EXPECT_EQ(life_of(&view, &claim), LIFE_ELSEWHERE);
	claim.pid_ns = 0; /* of a version that did not say */
	claim.host = view.host;
	EXPECT_EQ(life_of(&view, &claim), LIFE_RUNS);
	life_view_release(&view);
}

TEST_CASE(processes_are_found_by_their_own_number)
{
	struct life_view view;
	struct life_claim claim;

	life_view_init(&view);
	claim = own_claim(&view);
	EXPECT_EQ(inner_pid("self"), getpid());
	EXPECT_EQ(life_within(&view, &claim), LIFE_RUNS);
	claim.pid = UINT32_MAX; /* nobody, unlike the next number */
	EXPECT_EQ(life_within(&view, &claim), LIFE_ENDED);
	life_view_release(&view);
}
#endif
