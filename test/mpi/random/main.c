/* SPDX-License-Identifier: MIT */
/* main.c - seeds, steps and lines */
#include "random.h"

#include <stdarg.h>
#include <unistd.h>

#define STEPS 60
#define TEXTS 64
#define TEXT_SIZE 1024

struct random plan, own;
int world_rank, world_size, step;

static FILE *said;

/* splitmix64 */
unsigned below(struct random *random, unsigned limit)
{
	uint64_t z = random->state += 0x9E3779B97F4A7C15u;

	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
	z = (z ^ z >> 27) * 0x94D049BB133111EBu;
	return (unsigned)((z ^ z >> 31) >> 33) % limit;
}

void say(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vfprintf(said, format, arguments);
	va_end(arguments);
	fputc('\n', said);
}

static char *next_text(void)
{
	static char texts[TEXTS][TEXT_SIZE];
	static unsigned next;

	return texts[next++ % TEXTS];
}

const char *text(const char *format, ...)
{
	char *made = next_text();
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(made, TEXT_SIZE, format, arguments);
	va_end(arguments);
	return made;
}

const char *numbers(const int *values, int count)
{
	char *made = next_text();
	size_t length = 0;

	made[0] = '\0';
	for (int at = 0; at < count; at++)
		length += (size_t)snprintf(made + length, TEXT_SIZE - length, at ? ",%d" : "%d",
					   values[at]);
	return made;
}

void check(bool right, const char *what)
{
	if (right)
		return;
	fprintf(stderr, "random: rank %d, step %d: %s\n", world_rank, step, what);
	MPI_Abort(MPI_COMM_WORLD, 3);
}

void pause_unless(bool done)
{
	if (!done)
		usleep(200);
}

static void one_step(const char *seed)
{
	static void (*const kinds[])(void) = {
		messages_step, messages_step,   messages_step,   messages_step,   exchange_step,
		wild_step,     persistent_step, collective_step, collective_step, collective_step,
		neighbor_step, one_sided_step,  comms_step,      comms_step,      comms_step,
	};
	unsigned kind = below(&plan, 17);

	if (kind < sizeof(kinds) / sizeof(kinds[0]))
		kinds[kind]();
	else
		file_step(seed);
	if (chance(&own, 60))
		requests_step();
}

static void run(const char *seed)
{
	uint64_t number = strtoull(seed, NULL, 10);

	plan.state = number * 0xD1342543DE82EF95u + 1;
	own.state = plan.state ^ ((uint64_t)(unsigned)world_rank + 1) << 48;
	say("#seed %s", seed);
	types_begin();
	comms_begin(seed);
	for (step = 0; step < STEPS; step++)
		one_step(seed);
	requests_end();
	comms_end();
	types_end();
}

int main(int argc, char **argv)
{
	char name[32];

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
	MPI_Comm_size(MPI_COMM_WORLD, &world_size);
	snprintf(name, sizeof(name), "said.%d", world_rank);
	said = fopen(name, "w");
	if (!said || world_size > RANKS_MAX)
		MPI_Abort(MPI_COMM_WORLD, 2);
	/* what was said last is there after a crash */
	setvbuf(said, NULL, _IOLBF, 1 << 16);
	say("MPI_Init 0");
	say("#comm world %s", numbers((int[]){0, 1, 2, 3, 4, 5, 6, 7}, world_size));
	say("MPI_Comm_rank 0 comm=c:world rank=%d@%d", world_rank, world_rank);
	say("MPI_Comm_size 0 comm=c:world size=%d", world_size);
	for (int at = 1; at < argc; at++)
		run(argv[at]);
	MPI_Finalize();
	say("MPI_Finalize 0");
	return fclose(said) != 0;
}
