/* SPDX-License-Identifier: MIT */
/*
 * sampled_machine.h - what CPUs, memory, disks and network of this machine have done so far, and what its tasks wait for: from /proc, as mpstat and iostat have it.
 */
#ifndef RECORDER_SYSTEM_SAMPLED_MACHINE_H
#define RECORDER_SYSTEM_SAMPLED_MACHINE_H

#include "system/proc_text.h"
#include "system/watched_stream.h"

#define PRESSURES 3u

struct sampled_disk {
	char name[32];
	bool is_whole; /* no partition */
};

/* Zeroed memory is nothing open. */
struct sampled_machine {
	int stat, memory, disks, network, pressures[PRESSURES]; /* descriptors */
	struct sampled_disk *known;
	uint32_t known_count;
	struct pile text;
	uint64_t forks; /* since it was booted, as read last; 0: not known */
};

/* `proc`: where /proc is. What cannot be read is named in `missing`, with blanks between; it stays empty where all is there. */
void sampled_machine_open(struct sampled_machine *machine, const char *proc, char *missing,
			  size_t room);
void sampled_machine_close(struct sampled_machine *machine);
/* Adds a record of each thing. 0 or -ENOMEM. */
int sampled_machine_take(struct sampled_machine *machine, struct watched_stream *stream,
			 uint32_t thread);

#endif
