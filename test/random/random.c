/* SPDX-License-Identifier: MIT */
/* random.c - random SEED TREE JOURNALS: the plan and its threads. */
#include "random.h"

#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>

#define THREADS_MAX 4

struct plan plan = {.folder = FOLDERS};
__thread struct thread *self;

uint64_t random_number(void)
{
	uint64_t z = self->state += 0x9E3779B97F4A7C15u;

	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
	z = (z ^ z >> 27) * 0x94D049BB133111EBu;
	return z ^ z >> 31;
}

unsigned random_below(unsigned limit)
{
	return (unsigned)(random_number() >> 33) % limit;
}

struct descriptor *any_descriptor(void)
{
	return self->count ? &self->descriptors[random_below(self->count)] : NULL;
}

void close_descriptor(struct descriptor *d)
{
	const char *file = who(d->fd);
	int result = MADE(close(d->fd));

	say(result, "close =%d fd:f=%s", result, file);
	*d = self->descriptors[--self->count];
}

void keep(int fd, int folder, bool foreign)
{
	if (self->count == DESCRIPTORS)
		close_descriptor(any_descriptor());
	self->descriptors[self->count++] = (struct descriptor){fd, folder, foreign};
}

static void run_calls(unsigned calls)
{
	static const struct {
		unsigned weight;
		void (*action)(void);
	} actions[] = {
		{20, do_data},   {6, do_transfer}, {6, do_position},   {5, do_size},
		{3, do_mapping}, {14, do_open},    {5, do_other_open}, {7, do_names},
		{4, do_status},  {3, do_folder},   {7, do_duplicate},  {9, do_close},
		{3, do_share},   {4, do_stdio},    {1, do_process},    {2, do_pass},
	};

	while (calls--) {
		unsigned at = random_below(99), i = 0;

		while (at >= actions[i].weight)
			at -= actions[i++].weight;
		actions[i].action();
	}
}

static void thread_begin(struct thread *thread, unsigned number)
{
	self = thread;
	thread->state = plan.seed * 1000003 + number;
	journal_begin();
}

static void *run_thread(void *argument)
{
	struct thread thread = {0};

	thread_begin(&thread, (unsigned)(uintptr_t)argument);
	run_calls(30 + random_below(120));
	children_wait();
	journal_end();
	return NULL;
}

static void run_threads(unsigned count)
{
	pthread_t threads[THREADS_MAX];

	for (uintptr_t i = 0; i < count; i++)
		if (pthread_create(&threads[i], NULL, run_thread, (void *)(i + 1)))
			abort();
	run_calls(30 + random_below(120));
	for (unsigned i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
}

static void make_tree(void)
{
	char path[400];
	int result = MADE(chdir(plan.tree));

	say(result, "chdir =%d path:s=%s", result, plan.tree);
	for (unsigned i = 0; i < FOLDERS; i++) {
		sprintf(path, "%s/d%u", plan.tree, i);
		result = MADE(mkdir(path, 0700));
		say(result, "mkdir =%d path:s=%s mode:i=%d", result, path, 0700);
	}
}

int main(int argc, char **argv)
{
	struct thread thread = {0};
	bool first = argc == 4;
	unsigned threads;

	if (argc != 4 && argc != 8)
		return 2;
	signal(SIGPIPE, SIG_IGN);
	plan.seed = strtoull(argv[1], NULL, 10);
	plan.tree = argv[2];
	plan.journals = argv[3];
	if (!first) {
		plan.image = atoi(argv[4]);
		plan.depth = atoi(argv[5]);
		plan.folder = atoi(argv[6]);
	}
	sys_raw(SYS_readlink, (long)"/proc/self/exe", (long)plan.program, sizeof(plan.program) - 1,
		0, 0, 0);
	shared_map(first);
	thread_begin(&thread, 0);
	if (first)
		make_tree();
	else
		images_take(argv[7]);
	threads = random_below(first ? THREADS_MAX : 2);
	plan.alone = !threads;
	run_threads(threads);
	children_wait();
	while (thread.count)
		close_descriptor(thread.descriptors);
	say(false, "exit status:i=0");
	journal_end();
	exit(0);
}
