/* SPDX-License-Identifier: MIT */
/*
 * A handler that opens, writes and closes many new files, and may come at any step of the recorder's work in
 * its thread (the tests' library sends it there). The trace must have every call of both, once.
 */
#include "expect.h"

#include <signal.h>
#include <sys/stat.h>

#define ROUNDS 4000
#define HANDLER_ROUNDS 1500

static int made;
static volatile sig_atomic_t at_end;

static void make_file(const char *who, int number)
{
	char name[64];
	int fd;

	snprintf(name, sizeof(name), "files/%s.%d.with-a-long-name", who, number);
	fd = open(name, O_CREAT | O_WRONLY, 0600);
	if (fd < 0 || write(fd, "x", 1) != 1 || close(fd))
		abort();
	unlink(name);
	made++;
}

/* Without a call that is traced: the last line counts. */
static void tell(void)
{
	char line[32];
	int length = snprintf(line, sizeof(line), "%d\n", made);

	bare(SYS_write, 1, line, length);
}

/* Functions that nobody else calls: their definitions stand behind whatever was interrupted. */
static void call_others(void)
{
	access("files", F_OK);
	chmod("files/none", 0600);
	rename("files/none", "files/neither");
	truncate("files/none", 0);
	rmdir("files/none");
}

static void on_signal(int signal)
{
	(void)signal;
	call_others();
	for (int i = 0; i < HANDLER_ROUNDS; i++)
		make_file("handler", i);
	if (at_end)
		tell();
}

int main(void)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};

	mkdir("files", 0700);
	sigaction(SIGUSR1, &action, NULL);
	for (int i = 0; i < ROUNDS; i++)
		make_file("main", i);
	at_end = 1;
	tell();
	return 0;
}
