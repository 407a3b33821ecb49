/* SPDX-License-Identifier: MIT */
/* particles SAVES PARTICLES [together]: particles fly about in a box, and are saved SAVES times; each rank has PARTICLES of them.
 * doc/tour.md finds out why it is slow. With "together" it is mended: all ranks write, at one go, and what a step needs is read once.
 *
 *   mpicc -g -O2 -o particles particles.c -lm */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STEPS_A_SAVE 20

struct particle {
	double place[3], speed[3];
};

static int ranks, rank, count;
static struct particle *particles, *all_particles;

static double read_drag(void)
{
	double drag = 0;
	FILE *file = fopen("drag.txt", "r");

	if (!file || fscanf(file, "%lf", &drag) != 1)
		MPI_Abort(MPI_COMM_WORLD, 1);
	fclose(file);
	return drag;
}

static void move(double drag)
{
	for (int i = 0; i < count; i++)
		for (int axis = 0; axis < 3; axis++) {
			struct particle *one = &particles[i];

			one->speed[axis] *= 1 - drag * fabs(one->speed[axis]);
			one->place[axis] = fmod(one->place[axis] + one->speed[axis] + 1, 1);
		}
}

static double energy(void)
{
	double mine = 0, all;

	for (int i = 0; i < count; i++)
		for (int axis = 0; axis < 3; axis++)
			mine += particles[i].speed[axis] * particles[i].speed[axis];
	MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	return all;
}

/* All that is on disk cannot be lost: every hundred lines are made sure of. */
static void save_each(FILE *file)
{
	const int size = 6 * count;

	MPI_Gather(particles, size, MPI_DOUBLE, all_particles, size, MPI_DOUBLE, 0, MPI_COMM_WORLD);
	if (rank != 0)
		return;
	for (int i = 0; i < ranks * count; i++) {
		const struct particle *one = &all_particles[i];

		fprintf(file, "%d %.9g %.9g %.9g %.9g %.9g %.9g\n", i, one->place[0], one->place[1],
			one->place[2], one->speed[0], one->speed[1], one->speed[2]);
		if (i % 100 == 99) {
			fflush(file);
			fsync(fileno(file));
		}
	}
}

static void save_together(MPI_File file, int save)
{
	const MPI_Offset part =
		((MPI_Offset)save * ranks + rank) * count * (MPI_Offset)sizeof(struct particle);

	MPI_File_write_at_all(file, part, particles, 6 * count, MPI_DOUBLE, MPI_STATUS_IGNORE);
}

static void begin(void)
{
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	particles = calloc((size_t)count, sizeof(*particles));
	all_particles = calloc((size_t)count * ranks, sizeof(*particles));
	if (!particles || !all_particles)
		MPI_Abort(MPI_COMM_WORLD, 1);
	for (int i = 0; i < count; i++)
		for (int axis = 0; axis < 3; axis++) {
			particles[i].place[axis] = fmod(i * 0.618 + axis * 0.414 + rank * 0.732, 1);
			particles[i].speed[axis] = fmod(i * 0.302 + axis * 0.236, 0.02) - 0.01;
		}
	if (rank == 0) {
		FILE *file = fopen("drag.txt", "w");

		if (!file || fprintf(file, "0.5\n") < 0 || fclose(file))
			MPI_Abort(MPI_COMM_WORLD, 1);
	}
	MPI_Barrier(MPI_COMM_WORLD);
}

/* Moves them about, and returns their energy at the end. */
static double simulate(int saves, int together, FILE *text, MPI_File file)
{
	double drag = read_drag(), last = 0;

	for (int save = 0; save < saves; save++) {
		for (int step = 0; step < STEPS_A_SAVE; step++) {
			if (!together)
				drag = read_drag();
			move(drag);
		}
		last = energy();
		if (together)
			save_together(file, save);
		else
			save_each(text);
	}
	return last;
}

int main(int argc, char **argv)
{
	int saves = argc > 1 ? atoi(argv[1]) : 20,
	    together = argc > 3 && !strcmp(argv[3], "together");
	MPI_File file = MPI_FILE_NULL;
	FILE *text = NULL;
	double last;

	count = argc > 2 ? atoi(argv[2]) : 1000;
	MPI_Init(&argc, &argv);
	begin();
	if (together)
		MPI_File_open(MPI_COMM_WORLD, "particles.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
			      MPI_INFO_NULL, &file);
	else if (rank == 0 && !(text = fopen("particles.txt", "w")))
		MPI_Abort(MPI_COMM_WORLD, 1);
	last = simulate(saves, together, text, file);
	if (text)
		fclose(text);
	if (together)
		MPI_File_close(&file);
	if (rank == 0)
		printf("energy %.6f after %d steps\n", last, saves * STEPS_A_SAVE);
	free(particles);
	free(all_particles);
	MPI_Finalize();
	return 0;
}
