/* SPDX-License-Identifier: MIT */
/*
 * kernel_types.h - the fields of the kernel's structures that our programs read, and nothing else of them.
 *
 * Where a field lies on the running kernel is found when the programs are loaded (CO-RE): the build needs no kernel headers and no BTF of the machine. A field that newer or older kernels lack
 * is asked for with bpf_core_field_exists() before it is read.
 */
#ifndef RECORDER_BPF_KERNEL_TYPES_H
#define RECORDER_BPF_KERNEL_TYPES_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/bpf.h>
#include <linux/types.h>

typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long s64;

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct qstr {
	const unsigned char *name;
};

struct dentry;

struct super_block {
	u32 s_dev;
	unsigned long s_magic;
	struct dentry *s_root;
};

struct hlist_node {
	struct hlist_node *next;
};

struct hlist_head {
	struct hlist_node *first;
};

struct inode {
	unsigned short i_mode;
	struct super_block *i_sb;
	unsigned long i_ino;
	long long i_size;
	u32 i_generation;
	struct hlist_head i_dentry;
};

struct dentry {
	struct dentry *d_parent;
	struct qstr d_name;
	struct inode *d_inode;
	union {
		struct hlist_node d_alias;
	} d_u;
};

struct vfsmount {
	struct dentry *mnt_root;
};

struct path {
	struct vfsmount *mnt;
	struct dentry *dentry;
};

struct file {
	struct path f_path;
	struct inode *f_inode;
	long long f_pos;
	unsigned int f_flags;
};

struct fdtable {
	unsigned int max_fds;
	struct file **fd;
};

struct files_struct {
	struct fdtable *fdt;
};

/* Of x86: system calls of programs of 32 bits have other numbers. */
struct thread_info {
	u32 status;
};

typedef struct {
	int counter;
} atomic_t;

struct signal_struct {
	atomic_t live;
};

struct mm_struct {
	unsigned long arg_start;
	unsigned long arg_end;
	unsigned long env_start;
	unsigned long env_end;
};

/* Which probe a task is at, since Linux 6.11. */
struct arch_uprobe;

struct uprobe_task {
	struct arch_uprobe *auprobe;
};

struct arch_uprobe {
	char ixol[16];
};

struct uprobe {
	struct inode *inode;
	s64 offset;
	struct arch_uprobe arch;
};

struct vm_area_struct {
	unsigned long vm_start;
	unsigned long vm_pgoff;
	struct file *vm_file;
};

struct kernfs_node {
	u64 id;
};

struct cgroup;

struct cgroup_subsys_state {
	struct cgroup *cgroup;
	struct cgroup_subsys_state *parent;
};

struct cgroup {
	struct cgroup_subsys_state self;
	struct kernfs_node *kn;
};

struct css_set {
	struct cgroup *dfl_cgrp; /* in the hierarchy of version 2 */
};

struct bpf_local_storage;

struct task_struct {
	struct thread_info thread_info;
	unsigned int __state;
	unsigned int flags;
	struct mm_struct *mm;
	int pid;
	int tgid;
	int exit_code;
	u64 start_time;
	u64 start_boottime;
	struct task_struct *group_leader;
	struct task_struct *real_parent;
	struct pid *thread_pid;
	struct files_struct *files;
	struct signal_struct *signal;
	struct uprobe_task *utask;
	unsigned long sas_ss_sp;
	size_t sas_ss_size;
	struct css_set *cgroups;
	struct bpf_local_storage *bpf_storage;
	char comm[16];
};

struct ns_common {
	unsigned int inum;
};

struct pid_namespace {
	struct ns_common ns;
};

struct upid {
	int nr;
	struct pid_namespace *ns;
};

/* What stands for a process number, in all spaces that have one for it. */
struct pid {
	unsigned int level; /* how many spaces are around the innermost one */
	struct upid numbers[1];
};

struct bpf_iter__task {
	struct task_struct *task;
};

struct linux_binprm {
	const char *filename;
};

struct address_space {
	struct inode *host;
};

enum writeback_sync_modes { WB_SYNC_NONE };

struct writeback_control {
	long nr_to_write;
	enum writeback_sync_modes sync_mode;
	unsigned for_kupdate : 1;
	unsigned for_background : 1;
	unsigned for_sync : 1;
};

struct io_cqe {
	u64 user_data;
	int fd;
};

struct io_kiocb {
	unsigned char opcode;
	u64 flags;
	struct io_cqe cqe;
};

/* Of requests that read or write, at the begin of the request. */
struct kiocb {
	struct file *ki_filp;
	s64 ki_pos;
};

struct io_rw {
	struct kiocb kiocb;
	u32 len;
};

struct io_uring_cqe {
	int res;
	u32 flags;
};

enum pageflags { PG_head };

struct folio {
	struct address_space *mapping;
	unsigned long index;
	unsigned long _flags_1;
};

struct file_ra_state {
	unsigned long start;
	unsigned int size;
	unsigned int async_size;
};

struct iov_iter {
	size_t count;
};

struct page {
	unsigned long compound_head;
	struct address_space *mapping;
};

/* Before Linux 5.16, which has folios. */
struct page___old {
	unsigned long index;
};

struct bio_vec {
	struct page *bv_page;
	unsigned int bv_len;
	unsigned int bv_offset;
};

struct bvec_iter {
	unsigned int bi_size;
	unsigned int bi_idx;
	unsigned int bi_bvec_done;
};

struct bio {
	struct bio *bi_next;
	struct bio_vec *bi_io_vec;
	struct bvec_iter bi_iter;
};

struct gendisk {
	int major;
	int first_minor;
	char disk_name[32];
};

struct request_queue {
	struct gendisk *disk;
};

struct request {
	struct request_queue *q;
	u32 cmd_flags;
	unsigned int __data_len;
	u64 __sector;
	struct bio *bio;
};

/* Before Linux 5.17. */
struct request___old {
	struct gendisk *rq_disk;
};

/* Registers of a system call, in the order of its arguments. */
#if defined(__TARGET_ARCH_x86)
struct pt_regs {
	unsigned long di, si, dx, r10, r8, r9, ip, sp;
};
#elif defined(__TARGET_ARCH_arm64)
struct pt_regs {
	unsigned long regs[31];
	unsigned long orig_x0;
	unsigned long pc;
	unsigned long sp;
};
#else
#error "the system calls' registers of this machine are not known here"
#endif

#pragma clang attribute pop

#endif
