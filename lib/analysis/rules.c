/* SPDX-License-Identifier: MIT */
/* rules.c - what findings look for, see judging.h */
#include <stddef.h>

#include "analysis/judging.h"

const struct rule rules[] = {
	{{"small-reads", "1,000 reads of data and more, half of them of less than 10 KB",
	  "Read more at once: larger buffers, records put together, collective reads.", "sizes"},
	 rule_small_reads},
	{{"small-writes", "1,000 writes of data and more, half of them of less than 10 KB",
	  "Write more at once: larger buffers, records put together, collective writes.", "sizes"},
	 rule_small_writes},
	{{"random-reads",
	  "1,000 reads of data and more, half of them neither consecutive nor strided",
	  "Sort accesses by offset, read larger blocks, or keep what is read often in memory.",
	  "offsets"},
	 rule_random_reads},
	{{"random-writes",
	  "1,000 writes of data and more, half of them neither consecutive nor strided",
	  "Sort accesses by offset, or gather writes in memory.", "offsets"},
	 rule_random_writes},
	{{"unaligned-shared",
	  "a file that several ranks move bytes of, with 100 transfers and more, half of them not "
	  "aligned to its blocks",
	  "Align the parts of ranks to blocks or stripes, or use collective buffering: locks are "
	  "taken for whole blocks.",
	  "files"},
	 rule_unaligned_shared},
	{{"read-after-write",
	  "1 MB and more are read of a file that the run wrote before, and at least half of what "
	  "was written",
	  "Keep in memory, or on node-local storage, what is needed again.", "files"},
	 rule_read_after_write},
	{{"stdio-bulk", "stdio moves 100 MB and more, and half of all bytes of data",
	  "Use read and write, MPI-IO or a library made for it: stdio copies through small "
	  "buffers.",
	  "layers"},
	 rule_stdio_bulk},
	{{"one-rank-io", "4 ranks and more, of which one moves 90 % of 10 MB of data and more",
	  "Let several ranks do I/O: MPI-IO with collective buffering, or parallel HDF5.", "ranks"},
	 rule_one_rank_io},
	{{"file-per-process",
	  "64 files and more that are written by one rank each, by 16 ranks and more",
	  "Write to shared files, or fewer: many files are dear for the file system's metadata "
	  "server.",
	  "files"},
	 rule_file_per_process},
	{{"independent-io",
	  "100 independent transfers by MPI-IO and more on files that several ranks use, and ten "
	  "times as many as collective ones",
	  "Use the collective calls (MPI_File_write_at_all, H5FD_MPIO_COLLECTIVE), so that "
	  "transfers are put together.",
	  "layers"},
	 rule_independent_io},
	{{"amplified-reads",
	  "the system reads twice as much of a file as the program asked of MPI-IO or a library, 1 "
	  "MB and more",
	  "Ask for larger parts; where MPI-IO does it, turn data sieving off "
	  "(romio_ds_read=disable).",
	  "layers"},
	 rule_amplified_reads},
	{{"amplified-writes",
	  "the system writes twice as much of a file as the program gave to MPI-IO or a library, 1 "
	  "MB and more",
	  "Write larger parts, align chunks; where MPI-IO does it, turn data sieving off "
	  "(romio_ds_write=disable).",
	  "layers"},
	 rule_amplified_writes},
	{{"metadata-time",
	  "1,000 calls and more that open, close, seek, sync or ask about files of data, with 30 % "
	  "of the time in "
	  "files and 5 % of all time",
	  "Open files once, ask less, let one rank ask and tell the others.", "metadata"},
	 rule_metadata_time},
	{{"repeated-opens", "a file of data is opened 100 times and more by each of its ranks",
	  "Keep it open.", "files"},
	 rule_repeated_opens},
	{{"repeated-asks",
	  "1,000 calls and more by each of its ranks that ask what a file is, and twice as many as "
	  "there are transfers",
	  "Remember what it is; use the descriptor that is open.", "files"},
	 rule_repeated_asks},
	{{"seeks", "1,000 seeks and more in a file, and one for every two transfers",
	  "Use pread and pwrite, or MPI_File_read_at: one call in place of two.", "files"},
	 rule_seeks},
	{{"syncs", "100 syncs and more, one for every ten writes, with 5 % of all time",
	  "Sync once at the end of a checkpoint.", "metadata"},
	 rule_syncs},
	{{"failing-calls",
	  "a call fails in the same way 1,000 times and more, on files of data or none",
	  "Do not try again what cannot work: search paths, files that are not there.", "errors"},
	 rule_failing},
	{{"slow-call",
	  "a call on files that took 100 ms and more, a hundred times the median, and 1 % of the "
	  "run",
	  "Look at what else used the storage then.", "functions"},
	 rule_slow_call},
	{{"storage-bound",
	  "30 % of the ranks' time is spent in calls on files, or of the time of processes that "
	  "the "
	  "ranks wait for",
	  "Write less often or less, overlap I/O with the computation, look at the findings on "
	  "files.",
	  "time"},
	 rule_storage_bound},
	{{"library-bound",
	  "30 % of the ranks' time is spent in HDF5 or NetCDF itself, beside the calls that these "
	  "make",
	  "Look at filters (compression), at conversions between types, and at the cache of "
	  "chunks.",
	  "layers"},
	 rule_library_bound},
	{{"messages-bound",
	  "half of the ranks' time is spent in MPI, beside MPI_Init and MPI_Finalize",
	  "Look for imbalance first: who waits, and for whom.", "time"},
	 rule_messages_bound},
	{{"storage-imbalance",
	  "a rank spends half as much again as the mean in calls on files, and 5 % of its time "
	  "more",
	  "Share I/O out evenly.", "ranks"},
	 rule_storage_imbalance},
	{{"messages-imbalance",
	  "a rank spends half as much again as the mean in MPI, and 5 % of its time more",
	  "It waits for others: look at what those with little time in MPI do.", "ranks"},
	 rule_messages_imbalance},
	{{"late-start", "a rank begins when 5 % of the run and 100 ms have passed",
	  "Look at how the job is launched: where programs and libraries are loaded from.",
	  "ranks"},
	 rule_late_start},
	{{"early-end", "a rank ends when 10 % of the run, and 100 ms, are still to come",
	  "Work is not shared evenly, or one rank has work to do at the end.", "ranks"},
	 rule_early_end},
	{{"unoverlapped-checkpoint",
	  "three bursts of writes and more, of 10 MB together and 5 % of the run, in which "
	  "processes that are on files do nothing beside for 80 % of that time",
	  "Write while the program goes on: from another thread, by asynchronous I/O of the "
	  "library, or to node-local storage that is drained later.",
	  "bursts"},
	 rule_unoverlapped_checkpoint},
	{{"waits-for-data",
	  "in its epochs and steps the program spends 10 % of its time waiting for data, in three "
	  "fetches and more",
	  "Load ahead: more workers, more batches in advance, larger or fewer files, a cache on "
	  "node-local storage.",
	  "phases"},
	 rule_waits_for_data},
	{{"long-steps",
	  "ten steps and more, of which some take three times as long as most, and together 5 % of "
	  "the run more",
	  "Look at what these do: waiting for data, a checkpoint, another rank.", "phases"},
	 rule_long_steps},
	{{"small-messages", "10,000 messages and more, 90 % of them of less than 1 KB",
	  "Put messages together, or use collective calls and derived datatypes.", "messages"},
	 rule_small_messages},
	{{"polling", "100,000 calls and more that ask for messages, with 5 % of all time",
	  "Wait in place of asking, or do something between two questions.", "functions"},
	 rule_polling},
	{{"barriers", "5 % of the ranks' time is spent in MPI_Barrier",
	  "Leave out those that nothing needs; the rest shows imbalance.", "messages"},
	 rule_barriers},
	{{"collectives", "30 % of the ranks' time is spent in collective calls",
	  "Look for imbalance before them; use nonblocking ones, smaller communicators.",
	  "messages"},
	 rule_collectives},
	{{"one-pair", "8 ranks and more, of which two exchange half of 10 MB and more",
	  "Place them on one node, or share out what they exchange.", "messages"},
	 rule_one_pair},
	{{"late-sender",
	  "5 % of the ranks' time is spent in receives that wait for what has not been sent yet",
	  "Send earlier, or do something else before receiving: nonblocking receives that are "
	  "completed later. Look at what the rank that is waited for does before.",
	  "waits"},
	 rule_late_sender},
	{{"late-receiver",
	  "5 % of the ranks' time is spent in sends that wait for their receive to begin",
	  "Post receives earlier, or send without blocking: large messages are not sent before "
	  "somebody is there to take them.",
	  "waits"},
	 rule_late_receiver},
	{{"straggler",
	  "5 % of the ranks' time is spent in collective calls that wait for the last rank to "
	  "come, half of that for one rank, of 3 and more",
	  "Look at what that rank does before them: more work than its share, I/O, a slower node.",
	  "waits"},
	 rule_straggler},
	{{"racing-writes",
	  "two ranks are at the same bytes of a file at the same time, and one of them writes",
	  "Put the calls in order, by messages or a barrier, or write to bytes of one's own: who "
	  "comes first is chance.",
	  "conflicts"},
	 rule_racing_writes},
	{{"uncommitted-writes",
	  "a rank reads or writes bytes of a file that another one has written before, without a "
	  "sync or close of the writer between",
	  "Sync or close before others go on: only on file systems with the semantics of POSIX do "
	  "they see what was written. See doc/consistency.md.",
	  "conflicts"},
	 rule_uncommitted},
};

unsigned analysis_rule_count(void)
{
	return sizeof(rules) / sizeof(rules[0]);
}

const struct analysis_rule *analysis_rule(unsigned index)
{
	return index < analysis_rule_count() ? &rules[index].words : NULL;
}
