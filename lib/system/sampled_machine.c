/* SPDX-License-Identifier: MIT */
/* sampled_machine.c - see sampled_machine.h */
#include "system/sampled_machine.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "system/sample_forms.h"
#include "system/watch_place.h"

static const char *const pressure_names[PRESSURES] = {"cpu", "io", "memory"};

/* Begin and end -------------------------------------------------------------------- */

static void note_missing(char *missing, size_t room, const char *name)
{
	size_t used = strlen(missing);

	snprintf(missing + used, room - used, "%s%s", used ? " " : "", name);
}

static int open_one(const char *proc, const char *name, char *missing, size_t room)
{
	char path[PATH_MAX], text[1];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", proc, name);
	fd = proc_open(path);
	/* those of pressure are there, and refuse, where the kernel was booted without */
	if (fd >= 0 && pread(fd, text, sizeof(text), 0) < 0) {
		close(fd);
		fd = -1;
	}
	if (fd < 0)
		note_missing(missing, room, name);
	return fd;
}

void sampled_machine_open(struct sampled_machine *machine, const char *proc, char *missing,
			  size_t room)
{
	*machine = (struct sampled_machine){
		.stat = open_one(proc, "stat", missing, room),
		.memory = open_one(proc, "meminfo", missing, room),
		.disks = open_one(proc, "diskstats", missing, room),
		.network = open_one(proc, "net/dev", missing, room),
	};
	for (unsigned i = 0; i < PRESSURES; i++) {
		char name[32];

		snprintf(name, sizeof(name), "pressure/%s", pressure_names[i]);
		machine->pressures[i] = open_one(proc, name, missing, room);
	}
}

static void close_one(int fd)
{
	if (fd >= 0)
		close(fd);
}

void sampled_machine_close(struct sampled_machine *machine)
{
	close_one(machine->stat);
	close_one(machine->memory);
	close_one(machine->disks);
	close_one(machine->network);
	for (unsigned i = 0; i < PRESSURES; i++)
		close_one(machine->pressures[i]);
	free(machine->known);
	pile_release(&machine->text);
}

/* A device that has never done anything, as the loop and RAM devices that are always there, is left out. */
static bool has_worked(const char *numbers)
{
	char first = numbers[strspn(numbers, " 0")];

	return first != '\n' && first;
}

/* CPUs ----------------------------------------------------------------------------- */

/* Where records go. */
struct sink {
	struct watched_stream *stream;
	uint32_t thread;
	uint64_t time;
};

static int put_numbers(const struct sink *sink, struct sample *sample, const char *numbers)
{
	while (sample->count < sample_arguments(sample->form))
		sample_number(sample, proc_number(&numbers));
	return sample_end(sample, sink->stream, sink->thread);
}

#define FORKS 2 /* of the words of put_kernel() */

/* "cpu  1 2 ..." and "cpu0 1 2 ..." */
static int put_cpu(const struct sink *sink, const char *line)
{
	const char *name = proc_behind(line, "cpu");
	size_t length = strspn(name, "0123456789");
	struct sample sample;

	sample_begin(&sample, SAMPLE_CPU, sink->time);
	if (length > 0)
		sample_text(&sample, name, length);
	else
		sample_text(&sample, "all", strlen("all"));
	return put_numbers(sink, &sample, name + length);
}

static int put_kernel(const struct sink *sink, const char *text, uint64_t *forks)
{
	static const char *const words[] = {"intr ", "ctxt ", "processes ", "procs_running ",
					    "procs_blocked "};
	uint64_t values[sizeof(words) / sizeof(words[0])] = {0};
	struct sample sample;

	for (const char *line = text; line; line = proc_line(line))
		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
			const char *value = *line == *words[i] ? proc_behind(line, words[i]) : NULL;

			if (value)
				values[i] = proc_number(&value);
		}
	sample_begin(&sample, SAMPLE_KERNEL, sink->time);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		sample_number(&sample, values[i]);
	*forks = values[FORKS];
	return sample_end(&sample, sink->stream, sink->thread);
}

static int take_stat(const struct sink *sink, const char *text, uint64_t *forks)
{
	const char *line = text;
	int error = 0;

	for (; line && proc_behind(line, "cpu") && !error; line = proc_line(line))
		error = put_cpu(sink, line);
	return error || !line ? error : put_kernel(sink, line, forks);
}

/* Memory --------------------------------------------------------------------------- */

static int take_memory(const struct sink *sink, const char *text)
{
	static const char *const words[] = {"MemTotal:", "MemFree:", "MemAvailable:", "Buffers:",
					    "Cached:",   "Dirty:",   "Writeback:",    "Active:",
					    "Inactive:", "Shmem:",   "Slab:",         "Mapped:"};
	uint64_t values[sizeof(words) / sizeof(words[0])] = {0};
	struct sample sample;

	for (const char *line = text; line; line = proc_line(line))
		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
			const char *value = *line == *words[i] ? proc_behind(line, words[i]) : NULL;

			if (value)
				values[i] = proc_number(&value) * 1024;
		}
	sample_begin(&sample, SAMPLE_MEMORY, sink->time);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		sample_number(&sample, values[i]);
	return sample_end(&sample, sink->stream, sink->thread);
}

/* Disks ---------------------------------------------------------------------------- */

/* Partitions are in /sys/block only below their disk. */
static bool is_whole(struct sampled_machine *machine, const char *name, size_t length)
{
	struct sampled_disk *larger, disk = {.is_whole = true};
	char path[64];

	for (uint32_t i = 0; i < machine->known_count; i++)
		if (!strncmp(machine->known[i].name, name, length) &&
		    !machine->known[i].name[length])
			return machine->known[i].is_whole;
	if (length >= sizeof(disk.name))
		return true;
	memcpy(disk.name, name, length);
	snprintf(path, sizeof(path), "/sys/block/%s", disk.name);
	for (char *at = path + strlen("/sys/block/"); *at; at++)
		if (*at == '/') /* as sysfs has it */
			*at = '!';
	disk.is_whole = !access(path, F_OK) || access("/sys/block", F_OK);
	larger = realloc(machine->known, (machine->known_count + 1) * sizeof(*larger));
	if (larger) {
		machine->known = larger;
		larger[machine->known_count++] = disk;
	}
	return disk.is_whole;
}

/* "   8       0 sda 1 2 ..." */
static int take_disks(const struct sink *sink, struct sampled_machine *machine, const char *text)
{
	int error = 0;

	for (const char *line = text; line && *line && !error; line = proc_line(line)) {
		const char *name = line;
		struct sample sample;
		size_t length;

		proc_skip(&name, 2);
		name += strspn(name, " ");
		length = strcspn(name, " \n");
		if (!has_worked(name + length) || !is_whole(machine, name, length))
			continue;
		sample_begin(&sample, SAMPLE_DISK, sink->time);
		sample_text(&sample, name, length);
		error = put_numbers(sink, &sample, name + length);
	}
	return error;
}

/* Network and pressure ------------------------------------------------------------- */

/* "  eth0: BYTES PACKETS ERRORS DROPS FIFO FRAME COMPRESSED MULTICAST BYTES PACKETS ERRORS DROPS ..."; two lines of heads before */
static int put_interface(const struct sink *sink, const char *name, const char *colon)
{
	const char *at = colon + 1;
	struct sample sample;

	sample_begin(&sample, SAMPLE_NETWORK, sink->time);
	sample_text(&sample, name, (size_t)(colon - name));
	for (unsigned i = 0; i < 4; i++)
		sample_number(&sample, proc_number(&at));
	proc_skip(&at, 4);
	return put_numbers(sink, &sample, at);
}

static int take_network(const struct sink *sink, const char *text)
{
	int error = 0;

	for (const char *line = text; line && !error; line = proc_line(line)) {
		const char *name = line + strspn(line, " "), *colon = name + strcspn(name, ":\n");

		if (*colon == ':' && has_worked(colon + 1))
			error = put_interface(sink, name, colon);
	}
	return error;
}

/* "some avg10=0.00 avg60=0.00 avg300=0.00 total=12"; CPUs of older kernels have no "full" */
static int take_pressure(const struct sink *sink, const char *name, const char *text)
{
	uint64_t values[2] = {0};
	struct sample sample;

	for (const char *line = text; line && *line; line = proc_line(line)) {
		const char *total = strstr(line, "total=");

		if (total) {
			total += strlen("total=");
			values[*line == 'f'] = proc_number(&total);
		}
	}
	sample_begin(&sample, SAMPLE_PRESSURE, sink->time);
	sample_text(&sample, name, strlen(name));
	sample_number(&sample, values[0]);
	sample_number(&sample, values[1]);
	return sample_end(&sample, sink->stream, sink->thread);
}

/* All of it ------------------------------------------------------------------------ */

/* The text of the file, and the time at which it was read: the middle of the reading. */
static const char *read_one(struct sampled_machine *machine, int fd, struct sink *sink)
{
	uint64_t before = watch_now();
	const char *text = fd < 0 ? NULL : proc_read(fd, &machine->text);

	sink->time = before + (watch_now() - before) / 2;
	return text;
}

int sampled_machine_take(struct sampled_machine *machine, struct watched_stream *stream,
			 uint32_t thread)
{
	struct sink sink = {.stream = stream, .thread = thread};
	const char *text;
	int error = 0;

	if ((text = read_one(machine, machine->stat, &sink)))
		error = take_stat(&sink, text, &machine->forks);
	if (!error && (text = read_one(machine, machine->memory, &sink)))
		error = take_memory(&sink, text);
	if (!error && (text = read_one(machine, machine->disks, &sink)))
		error = take_disks(&sink, machine, text);
	if (!error && (text = read_one(machine, machine->network, &sink)))
		error = take_network(&sink, text);
	for (unsigned i = 0; i < PRESSURES && !error; i++)
		if ((text = read_one(machine, machine->pressures[i], &sink)))
			error = take_pressure(&sink, pressure_names[i], text);
	return error;
}
