/* SPDX-License-Identifier: MIT */
/* regions.c - a program that says what it is doing, by recorder.h; argv[1] says which way. */
#include <recorder/recorder.h>

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int fibonacci(int n)
{
	RECORDER_FUNCTION();

	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

/* A region that is left by return, continue and break. */
static int leave(int how)
{
	RECORDER_REGION("leave");
	for (int i = 0; i < 2; i++) {
		RECORDER_REGION("turn");
		recorder_set_int("turn", i);
		if (how == 0)
			return i;
		if (how == 1)
			continue;
		break;
	}
	return how;
}

static void say_all(void)
{
	static struct recorder_site copy = RECORDER_SITE("copy", "device");

	RECORDER_REGION_OF("job", "app");
	recorder_set_string("host", "a \"b\"\n");
	recorder_note("model", "resnet50");
	for (int epoch = 0; epoch < 2; epoch++) {
		RECORDER_REGION("epoch");
		recorder_set_int("epoch", epoch);
		for (int step = 0; step < 2; step++) {
			RECORDER_BEGIN("step");
			recorder_set_int("step", step);
			recorder_set_double("rate", 0.5 / (step + 1));
			recorder_set_string("which", step ? "second" : NULL);
			recorder_set_int("behind", -step);
			recorder_set_string("which", "again");
			access("/by/step", F_OK);
			RECORDER_COUNTER("loss", 1.0 / (step + 1));
			RECORDER_END();
		}
		RECORDER_INSTANT("done");
	}
	fibonacci(3);
	for (int how = 0; how < 3; how++)
		leave(how);
	recorder_span_begin(&copy, 7);
	recorder_span_end(&copy, UINT64_MAX);
}

static struct recorder_site outer = RECORDER_SITE("outer", NULL),
			    inner = RECORDER_SITE("inner", NULL);

static void *end_of_another(void *unused)
{
	if (recorder_end(&outer) == -ENOENT)
		access("/not/mine", F_OK);
	recorder_begin(&inner); /* never ended: it is when the thread is */
	return unused;
}

static void in_other_orders(void)
{
	pthread_t thread;
	int status;
	pid_t child;

	if (recorder_end(&outer) != -ENOENT || recorder_set_int("key", 1) != -ENOENT)
		abort();
	recorder_begin(&outer);
	recorder_begin(&inner);
	recorder_end(&outer); /* and inner, too */
	if (recorder_end(&inner) != -ENOENT)
		abort();
	recorder_begin(&outer);
	pthread_create(&thread, NULL, end_of_another, NULL);
	pthread_join(thread, NULL);
	child = fork();
	if (child == 0)
		_exit(recorder_end(&outer) == -ENOENT ? 3 : 4);
	if (waitpid(child, &status, 0) != child || WEXITSTATUS(status) != 3)
		abort();
	recorder_end(&outer);
}

static void many_names(void)
{
	static struct recorder_site sites[20000];
	static char names[20000][16];

	for (int i = 0; i < 20000; i++) {
		snprintf(names[i], sizeof(names[i]), "name %d", i);
		sites[i].name = names[i];
		recorder_begin(&sites[i]);
		recorder_set_int("i", i);
		recorder_end(&sites[i]);
	}
}

static void too_much(void)
{
	static struct recorder_site named;
	char key[16], text[6000];

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	named.name = text;
	recorder_begin(&named);
	for (int i = 0; i < 16; i++) {
		snprintf(key, sizeof(key), "k%d", i);
		if (recorder_set_int(key, i))
			abort();
	}
	if (recorder_set_int("one more", 1) != -ENOSPC || recorder_set_int("k3", 33))
		abort();
	RECORDER_BEGIN("strings");
	for (int i = 0; i < 16; i++) {
		snprintf(key, sizeof(key), "s%d", i);
		recorder_set_string(key, text);
	}
	recorder_end(NULL);
	recorder_end(&named);
}

static void pauses(void)
{
	RECORDER_REGION("around");
	recorder_pause();
	RECORDER_BEGIN("paused");
	recorder_set_int("lost", 1);
	recorder_resume();
	RECORDER_END();
	recorder_set_int("kept", 1);
}

static void filtered(void)
{
	RECORDER_REGION("kept");
	RECORDER_BEGIN("dropped");
	recorder_set_int("of dropped", 1);
	RECORDER_END();
	recorder_set_int("of kept", 1);
	access("/by/kept", F_OK);
}

static int64_t real_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Called by a library: regions around its call are out of reach. */
static int from_within(const struct dirent *entry)
{
	(void)entry;
	if (recorder_set_int_of(&outer, "from within", 1) != -EBUSY ||
	    recorder_set_int("from within", 1) != -EBUSY || recorder_inside(&outer) != -EBUSY)
		abort();
	return 0;
}

/* Regions that are given up, asked for, said of when others are inside, and said of when they are over. */
static void by_site(void)
{
	static struct recorder_site past = RECORDER_SITE("past", NULL);
	int64_t begin = real_ns();
	static const struct timespec pause = {0, 3000000};
	struct dirent **entries;

	nanosleep(&pause, NULL);
	if (recorder_inside(&outer) != -ENOENT || recorder_cancel(&outer) != -ENOENT ||
	    recorder_set_int_of(&outer, "key", 1) != -ENOENT)
		abort();
	recorder_begin(&outer);
	recorder_begin(&inner);
	recorder_set_string_of(&outer, "text", "a text of some length");
	recorder_set_string_of(&inner, "text", "inner");
	recorder_set_string_of(&outer, "text", "b");
	recorder_set_double_of(&outer, "real", 0.5);
	if (recorder_inside(&outer) != 1 || recorder_inside(&inner) != 0)
		abort();
	if (scandir(".", &entries, from_within, NULL) != 0)
		abort();
	free(entries);
	recorder_cancel(&inner);
	recorder_begin(&inner);
	recorder_cancel(&outer); /* inner is over, too, and is there */
	recorder_begin(&outer);
	recorder_set_int_of(&outer, "kept", 1);
	recorder_end(&outer);
	recorder_begin_at(&past, begin);
	recorder_set_int_of(&past, "ms", 3);
	if (recorder_end_at(&past, begin + 3000000) != -ERANGE) /* others have ended since */
		abort();
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "all";

	if (!strcmp(how, "orders")) {
		in_other_orders();
	} else if (!strcmp(how, "names")) {
		many_names();
	} else if (!strcmp(how, "much")) {
		too_much();
	} else if (!strcmp(how, "pauses")) {
		pauses();
	} else if (!strcmp(how, "filtered")) {
		filtered();
	} else if (!strcmp(how, "by site")) {
		by_site();
	} else if (!strcmp(how, "killed")) {
		RECORDER_REGION("epoch");
		recorder_set_int("epoch", 41);
		RECORDER_REGION("step");
		recorder_set_string("what", "dies");
		kill(getpid(), SIGKILL);
	} else {
		say_all();
	}
	puts("done");
	return 0;
}
