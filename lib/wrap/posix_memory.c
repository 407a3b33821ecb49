/* SPDX-License-Identifier: MIT */
/*
 * posix_memory.c - the wrappers that say which file is mapped where (mappings.h), whether or not they are recorded.
 */
#include "wrap/wrapper.h"

#include <stdarg.h>
#include <sys/mman.h>

#include "record/mappings.h"
#include "record/urings.h"
#include "wrap/posix_args.h"
#include "wrap/posix_records.h"

static void mapped_now(void *address, void *result, size_t length, int flags, int fd, off_t offset)
{
	/* what was there may be gone even where it failed */
	readable_forget(result == MAP_FAILED ? address : result, length);
	if (result == MAP_FAILED)
		return;
	if (flags & MAP_ANONYMOUS)
		fd = -1;
	mapping_added(result, length, fd < 0 ? 0 : descriptor_file(fd), offset);
	uring_mapped(fd, result, length, offset);
}

void *mmap_record(mmap_function *next, uintptr_t site, void *address, size_t length, int prot,
		  int flags, int fd, off_t offset)
{
	struct call call;
	void *result;

	if (!call_enter(&call, FN_mmap, 6, site)) {
		result = next(address, length, prot, flags, fd, offset);
		mapped_now(address, result, length, flags, fd, offset);
		return result;
	}
	arg_pointer(&call, 0, address);
	arg_int(&call, 1, length);
	arg_int(&call, 2, prot);
	arg_int(&call, 3, flags);
	arg_fd(&call, 4, fd);
	arg_int(&call, 5, offset);
	call_start(&call);
	result = next(address, length, prot, flags, fd, offset);
	call_stop(&call);
	mapped_now(address, result, length, flags, fd, offset);
	result_pointer(&call, result, result == MAP_FAILED);
	call_leave(&call);
	return result;
}

WRAPPER void *mmap(void *address, size_t length, int prot, int flags, int fd, off_t offset)
{
	return mmap_record(function_next(SYM_mmap), CALL_SITE, address, length, prot, flags, fd,
			   offset);
}

WRAPPER void *mmap64(void *address, size_t length, int prot, int flags, int fd, off_t offset)
{
	return mmap_record(function_next(SYM_mmap64), CALL_SITE, address, length, prot, flags, fd,
			   offset);
}

int munmap_record(munmap_function *next, uintptr_t site, void *address, size_t length)
{
	struct call call;
	int result;

	uring_unmapped(address, length);
	if (!call_enter(&call, FN_munmap, 5, site)) {
		mapping_removed(address, length);
		result = next(address, length);
		readable_forget(address, length);
		return result;
	}
	arg_pointer(&call, 0, address);
	arg_int(&call, 1, length);
	arg_mapped(&call, 2, address, length);
	arg_int(&call, 3, mapped_offset(address, length));
	arg_int(&call, 4, mapped_bytes(address, length));
	mapping_removed(address, length);
	call_start(&call);
	result = next(address, length);
	call_stop(&call);
	readable_forget(address, length); /* not before, as others may be asking */
	result_int(&call, result, result == -1);
	call_leave(&call);
	return result;
}

WRAPPER int munmap(void *address, size_t length)
{
	return munmap_record(function_next(SYM_munmap), CALL_SITE, address, length);
}

static void moved_now(const void *address, size_t length, void *result, size_t new_length,
		      int flags, const void *new_address)
{
	/* what was there is gone even where it failed */
	readable_forget(address, length);
	readable_forget(flags & MREMAP_FIXED ? new_address : result, new_length);
	if (result != MAP_FAILED)
		mapping_moved(address, length, result, new_length);
}

void *mremap_record(mremap_function *next, uintptr_t site, void *address, size_t length,
		    size_t new_length, int flags, void *new_address)
{
	struct call call;
	void *result;

	uring_unmapped(address, length);
	if (!call_enter(&call, FN_mremap, 8, site)) {
		result = next(address, length, new_length, flags, new_address);
		moved_now(address, length, result, new_length, flags, new_address);
		return result;
	}
	arg_pointer(&call, 0, address);
	arg_int(&call, 1, length);
	arg_int(&call, 2, new_length);
	arg_int(&call, 3, flags);
	arg_pointer(&call, 4, flags & MREMAP_FIXED ? new_address : NULL);
	arg_mapped(&call, 5, address, length);
	arg_int(&call, 6, mapped_offset(address, length));
	arg_int(&call, 7, mapped_bytes(address, length));
	call_start(&call);
	result = next(address, length, new_length, flags, new_address);
	call_stop(&call);
	moved_now(address, length, result, new_length, flags, new_address);
	result_pointer(&call, result, result == MAP_FAILED);
	call_leave(&call);
	return result;
}

WRAPPER void *mremap(void *address, size_t length, size_t new_length, int flags, ...)
{
	void *new_address = NULL;
	va_list args;

	va_start(args, flags);
	if (flags & MREMAP_FIXED)
		new_address = va_arg(args, void *);
	va_end(args);
	return mremap_record(function_next(SYM_mremap), CALL_SITE, address, length, new_length,
			     flags, new_address);
}
