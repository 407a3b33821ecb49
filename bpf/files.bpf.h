/* SPDX-License-Identifier: MIT */
/*
 * files.bpf.h - which file a descriptor of the current task is: device and inode number; and, when these are met first, an event that tells its names.
 *
 * Names are those of the folders up to where the file system is mounted; the recorder puts the mount point before them.
 */
#ifndef RECORDER_BPF_FILES_BPF_H
#define RECORDER_BPF_FILES_BPF_H

#include "bpf/fields.bpf.h"
#include "bpf/tree.bpf.h"

struct file_key {
	u64 inode;
	u64 device;
};

/* Files that were told, with their generations: numbers of files that were removed are used again. Those that fall out of it are told again. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 65536);
	__type(key, struct file_key);
	__type(value, u32);
} told SEC(".maps");

/* NULL: there is none. */
static __always_inline struct file *file_at(struct task_struct *task, u32 fd)
{
	struct fdtable *table = task->files->fdt;

	if (fd >= table->max_fds)
		return NULL;
	return pointer_at(table->fd + fd);
}

/* Names from `at` upwards to `root`, that of its mount or file system. */
static __always_inline void put_names(struct file_event *event, struct dentry *at,
				      struct dentry *root)
{
	u32 size = 0;

	for (int depth = 0; depth < FILE_DEPTH; depth++) {
		struct dentry *parent = BPF_CORE_READ(at, d_parent);
		long added;

		if (at == root || !parent || parent == at)
			break;
		if (size > sizeof(event->text) - 256) {
			event->cut = 1;
			break;
		}
		added = bpf_probe_read_kernel_str(&event->text[size & 1023], 256,
						  BPF_CORE_READ(at, d_name.name));
		if (added < 0)
			break;
		size += added;
		at = parent;
		if (depth == FILE_DEPTH - 1)
			event->cut = 1;
	}
	event->text_size = size;
}

static __always_inline void tell_file(struct task_struct *task, struct inode *inode,
				      struct dentry *dentry, struct dentry *root,
				      const struct file_key *key)
{
	struct file_event *event = bpf_ringbuf_reserve(&ring, sizeof(*event), 0);
	u32 generation = BPF_CORE_READ(inode, i_generation);

	if (!event) { /* told by the next one who uses it */
		count(COUNTER_FILES_LATER);
		return;
	}
	begin_event(&event->head, EVENT_FILE, task, bpf_ktime_get_ns());
	event->head.size = sizeof(*event);
	event->head.number = 0;
	event->inode = key->inode;
	event->device = key->device;
	event->mode = BPF_CORE_READ(inode, i_mode);
	event->size = BPF_CORE_READ(inode, i_size);
	event->magic = BPF_CORE_READ(inode, i_sb, s_magic);
	event->generation = generation;
	event->cut = 0;
	put_names(event, dentry, root);
	bpf_ringbuf_submit(event, BPF_RB_NO_WAKEUP);
	bpf_map_update_elem(&told, key, &generation, BPF_ANY);
}

static __always_inline struct file_key key_of(struct inode *inode)
{
	struct super_block *file_system = field_of(inode, i_sb);
	struct file_key key = {};

	key.inode = field_of(inode, i_ino);
	key.device = field_of(file_system, s_dev);
	return key;
}

static __always_inline bool is_told(struct inode *inode, const struct file_key *key)
{
	u32 *generation = bpf_map_lookup_elem(&told, key);

	return generation && *generation == field_of(inode, i_generation);
}

/* The same for who has just asked for that file: most calls are on the one that the call before was on. */
static __always_inline bool is_known(struct task_state *state, struct inode *inode,
				     const struct file_key *key)
{
	u32 generation = field_of(inode, i_generation);

	if (state->known_inode == key->inode && state->known_device == key->device &&
	    state->known_generation == generation)
		return true;
	if (!is_told(inode, key))
		return false;
	state->known_inode = key->inode;
	state->known_device = key->device;
	state->known_generation = generation;
	return true;
}

#define APPENDS 02000 /* O_APPEND */

/* Into the call: where its bytes were appended, now that they are: only now the file's position says so. */
static __always_inline void find_appended(struct task_struct *task, struct task_state *state,
					  u32 fd)
{
	struct file *file = file_at(task, fd);

	if (file)
		state->call.offset = field_of(file, f_pos) - state->call.result;
}

/* Into the call: which file its descriptor is, and where that stands. */
static __always_inline void identify(struct task_struct *task, struct task_state *state, u32 fd)
{
	struct file *file = file_at(task, fd);
	struct file_key key;
	struct inode *inode;

	if (!file)
		return;
	inode = field_of(file, f_inode);
	key = key_of(inode);
	state->call.inode = key.inode;
	state->call.device = key.device;
	state->call.offset = field_of(file, f_pos);
	state->call.flags |= CALL_HAS_FILE;
	if (field_of(file, f_flags) & APPENDS)
		state->call.flags |= CALL_APPENDS;
	if (!is_known(state, inode, &key))
		tell_file(task, inode, BPF_CORE_READ(file, f_path.dentry),
			  BPF_CORE_READ(file, f_path.mnt, mnt_root), &key);
}

#endif
