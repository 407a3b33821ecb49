/* SPDX-License-Identifier: MIT */
/* stubs.c - see stubs.h */
#include "native/stubs.h"

#include <string.h>
#include <unistd.h>

#include "native/hot.h"
#include "record/sys.h"

#define HEAD 16u
#define STUB_RESUME 16u
#define STUB_SIZE (STUB_RESUME + PROLOGUE_MOVED_MAX)
#define REACH ((uintptr_t)0x7ff00000) /* of 32 bits with a sign */
#define STEP ((uintptr_t)1 << 16)
#define PAGE 4096ul

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

static void *map_at(uintptr_t address, size_t size)
{
	long memory = sys_call(SYS_mmap, (long)address, (long)size, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	if (sys_is_error(memory))
		return NULL;
	if ((uintptr_t)memory != address) { /* a kernel that does not know the flag */
		sys_munmap((void *)memory, size);
		return NULL;
	}
	return (void *)memory;
}

/* Below, as far as it may be; else above, not so near that the program's heap could not grow. */
static void *map_near(uintptr_t start, uintptr_t end, size_t size)
{
	uintptr_t at;
	void *memory;

	size = (size + STEP - 1) & ~(STEP - 1); /* from step to step */
	for (at = (start & ~(STEP - 1)) - size; at < start && end - at < REACH; at -= STEP)
		if ((memory = map_at(at, size)))
			return memory;
	for (at = (end + REACH / 2) & ~(STEP - 1); at + size - start < REACH; at += STEP)
		if ((memory = map_at(at, size)))
			return memory;
	return NULL;
}

int stubs_open(struct stub_area *area, uintptr_t start, uintptr_t end, unsigned count)
{
	uintptr_t entry = (uintptr_t)native_entry;

	area->size = (HEAD + count * (size_t)STUB_SIZE + STEP - 1) & ~(STEP - 1);
	area->memory = map_near(start, end, area->size);
	if (!area->memory)
		return -ENOMEM;
	memcpy(area->memory, &entry, sizeof(entry));
	area->used = HEAD;
	return 0;
}

/* push $number; jmp *(head) */
static uint8_t *write_entry(struct stub_area *area, uint32_t number, struct stub *stub)
{
	uint8_t *bytes = area->memory + area->used;
	int32_t offset = -(int32_t)(area->used + 11);

	if (area->size - area->used < STUB_SIZE)
		return NULL;
	memset(bytes, 0xcc, STUB_SIZE);
	bytes[0] = 0x68;
	memcpy(bytes + 1, &number, sizeof(number));
	bytes[5] = 0xff;
	bytes[6] = 0x25;
	memcpy(bytes + 7, &offset, sizeof(offset));
	stub->entry = (uintptr_t)bytes;
	stub->resume = (uintptr_t)bytes + STUB_RESUME;
	return bytes;
}

bool stub_write(struct stub_area *area, uint32_t number, uintptr_t address,
		const struct prologue *plan, struct stub *stub)
{
	uint8_t *bytes = write_entry(area, number, stub);

	if (!bytes || !prologue_move((const uint8_t *)address, address, plan, bytes + STUB_RESUME,
				     stub->resume))
		return false;
	area->used += STUB_SIZE;
	return true;
}

bool stub_write_plain(struct stub_area *area, uint32_t number, struct stub *stub)
{
	if (!write_entry(area, number, stub))
		return false;
	area->used += STUB_SIZE;
	return true;
}

static int protect(uintptr_t address, size_t size, int protection)
{
	uintptr_t begin = address & ~(PAGE - 1);

	return (int)sys_call(SYS_mprotect, (long)begin, (long)(address + size - begin), protection,
			     0, 0, 0);
}

int stubs_close(struct stub_area *area)
{
	return protect((uintptr_t)area->memory, area->size, PROT_READ | PROT_EXEC);
}

void stubs_free(struct stub_area *area)
{
	if (area->memory)
		sys_munmap(area->memory, area->size);
	area->memory = NULL;
}

/* Writable and executable for a moment: where that is forbidden (SELinux, PaX) nothing has changed yet, and there is nothing to be put back. */
int code_jump(uintptr_t address, uintptr_t target)
{
	uint8_t jump[PROLOGUE_JUMP] = {0xe9};
	int32_t offset = (int32_t)(target - address - sizeof(jump));
	int error = protect(address, sizeof(jump), PROT_READ | PROT_WRITE | PROT_EXEC);

	if (error)
		return error;
	memcpy(jump + 1, &offset, sizeof(offset));
	memcpy((void *)address, jump, sizeof(jump));
	protect(address, sizeof(jump), PROT_READ | PROT_EXEC);
	return 0;
}

int data_word(uintptr_t *word, uintptr_t value, bool read_only)
{
	int error = read_only ? protect((uintptr_t)word, sizeof(*word), PROT_READ | PROT_WRITE) : 0;

	if (error)
		return error;
	__atomic_store_n(word, value, __ATOMIC_RELEASE);
	if (read_only)
		protect((uintptr_t)word, sizeof(*word), PROT_READ);
	return 0;
}
