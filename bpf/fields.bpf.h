/* SPDX-License-Identifier: MIT */
/*
 * fields.bpf.h - fields of the kernel's structures of which only the address is known. Each way is safe whatever the address is, and gives 0 for what cannot be read.
 *
 * A load takes a cycle, a helper ten nanoseconds and more, where returns are made safe from speculation even thirty; and a call on a file takes ten of them. So an address is given the structure's type where the kernel can do that (Linux
 * 6.2): it is no call, the verifier makes nothing of it, and a load that fails is mended by the kernel. The other way is not even looked at then.
 */
#ifndef RECORDER_BPF_FIELDS_BPF_H
#define RECORDER_BPF_FIELDS_BPF_H

#include "bpf/kernel_types.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

extern void *bpf_rdonly_cast(const void *address, u32 type) __ksym __weak;

#define field_of(structure, field)                                                                 \
	(bpf_rdonly_cast ? ((typeof(structure))bpf_rdonly_cast(                                    \
				    structure, bpf_core_type_id_kernel(typeof(*(structure)))))     \
				   ->field                                                         \
			 : BPF_CORE_READ(structure, field))

/* The pointer that lies at an address: the first field of a structure that begins with one. NULL: it cannot be read. */
static __always_inline void *pointer_at(const void *address)
{
	void *pointer = NULL;

	if (bpf_rdonly_cast)
		return ((struct path *)bpf_rdonly_cast(address,
						       bpf_core_type_id_kernel(struct path)))
			->mnt;
	bpf_probe_read_kernel(&pointer, sizeof(pointer), address);
	return pointer;
}

#endif
