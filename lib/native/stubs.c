/* SPDX-License-Identifier: MIT */
/* stubs.c - see stubs.h */
#include "native/stubs.h"

#include <string.h>
#include <unistd.h>

#include "native/hot.h"
#include "record/opaque.h"
#include "record/sys.h"

#define HEAD 16u
#define STUB_SIZE (PROLOGUE_ENTRY_SIZE + PROLOGUE_MOVED_MAX)
#define REACH PROLOGUE_REACH
#define STEP ((uintptr_t)1 << 16)

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
	if (!area->memory && PROLOGUE_FAR) {
		void *memory = sys_mmap(area->size, PROT_READ | PROT_WRITE,
					MAP_PRIVATE | MAP_ANONYMOUS, -1);

		area->memory = sys_is_error((long)memory) ? NULL : memory;
	}
	if (!area->memory)
		return -ENOMEM;
	memcpy(area->memory, &entry, sizeof(entry));
	area->used = HEAD;
	return 0;
}

static uint8_t *write_entry(struct stub_area *area, uint32_t number, const struct prologue *plan,
			    struct stub *stub)
{
	uint8_t *bytes = area->memory + area->used;

	if (area->size - area->used < STUB_SIZE)
		return NULL;
	prologue_entry(bytes, plan, number, (const uintptr_t *)(const void *)area->memory);
	stub->entry = (uintptr_t)bytes;
	stub->resume = (uintptr_t)bytes + PROLOGUE_ENTRY_SIZE;
	stub->far = false;
	return bytes;
}

bool stub_write(struct stub_area *area, uint32_t number, uintptr_t address,
		const struct prologue *plan, struct stub *stub)
{
	struct prologue chosen = *plan;
	uint8_t *bytes = write_entry(area, number, plan, stub);

	if (!bytes)
		return false;
	chosen.far = stub->far = !prologue_reaches(address + plan->at, stub->entry);
	if (chosen.far && !plan->far_length)
		return false;
	if (!prologue_move((const uint8_t *)address, address, &chosen, bytes + PROLOGUE_ENTRY_SIZE,
			   stub->resume))
		return false;
	if (PROLOGUE_LANDS_ANYWHERE && plan->nops)
		stub->resume = address + plan->at + plan->length;
	area->used += STUB_SIZE;
	return true;
}

bool stub_write_plain(struct stub_area *area, uint32_t number, struct stub *stub)
{
	if (!write_entry(area, number, NULL, stub))
		return false;
	area->used += STUB_SIZE;
	return true;
}

static int protect(uintptr_t address, size_t size, int protection)
{
	uintptr_t begin = address & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1);

	return (int)sys_call(SYS_mprotect, (long)begin, (long)(address + size - begin), protection,
			     0, 0, 0);
}

static void flush(uintptr_t address, size_t size)
{
	__builtin___clear_cache((char *)address, (char *)address + size);
}

int stubs_close(struct stub_area *area)
{
	flush((uintptr_t)area->memory, area->used);
	return protect((uintptr_t)area->memory, area->size, PROT_READ | PROT_EXEC);
}

void stubs_free(struct stub_area *area)
{
	if (area->memory)
		sys_munmap(area->memory, area->size);
	area->memory = NULL;
}

/* Writable and executable for a moment: where that is forbidden (SELinux, PaX) nothing has changed yet, and there is nothing to be put back. */
int code_jump(uintptr_t address, const struct stub *stub)
{
	uint8_t jump[PROLOGUE_JUMP_MAX];
	size_t size = prologue_jump(jump, address, stub->entry, stub->far);
	int error = protect(address, size, PROT_READ | PROT_WRITE | PROT_EXEC);

	if (error)
		return error;
	memcpy((void *)address, jump, size);
	flush(address, size);
	protect(address, size, PROT_READ | PROT_EXEC);
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

#ifdef UNIT_TEST
#include <stdarg.h>
#include <stdio.h>

#include "native/cpu.h"
#include "unittest.h"

/* Stubs and thunks as they are, with handlers that only count; in place of hot.c and of what it needs. */
#define DEPTH_MAX 40u /* deeper calls have no thunk */

struct thunk_word native_words[THUNKS_MAX];
uint8_t native_has_more_vectors, native_instrumented_off;
void *native_next_mcount;
static unsigned entered, left, depth;
static uint64_t last_argument, last_result;
static uintptr_t resumes[16];

int native_personality(void);

static unsigned count_enter(struct native_frame *frame, void *vectors)
{
	uintptr_t resume = resumes[frame->at];

	(void)vectors;
	entered++;
	last_argument = native_word(frame, 0);
	frame->at = resume;
	if (depth == DEPTH_MAX)
		return 0;
	native_words[depth] = (struct thunk_word){resume, frame->slot};
	frame->at = thunk_entry(depth++);
	return 1;
}

static unsigned count_leave(struct native_frame *frame, void *vectors)
{
	(void)vectors;
	left++;
	last_result = native_result(frame);
	depth--;
	if (thunk_of(frame->at) != depth)
		test_failed(__FILE__, __LINE__, "thunk %u, not %u", thunk_of(frame->at), depth);
	frame->slot = native_words[depth].real;
	return 0;
}

unsigned native_enter(struct native_frame *frame)
{
	return native_aside(count_enter, frame);
}

void native_leave(struct native_frame *frame)
{
	native_aside(count_leave, frame);
}

unsigned native_fentry_enter(struct native_frame *frame)
{
	(void)frame;
	return 0;
}

void native_mcount_enter(struct native_frame *frame)
{
	(void)frame;
}

int native_personality(void)
{
	return 0;
}

/* ---- functions that are patched ---- */

#define PATCHED OPAQUE __attribute__((aligned(64)))

struct words {
	long word[6];
};

static long (*volatile patched_again)(long n);

PATCHED static long patched_nested(long n)
{
	return n ? patched_again(n - 1) + n : 0;
}

PATCHED static double patched_floating(int a, double b, float c)
{
	return a + b * (double)c;
}

PATCHED static long double patched_longer(long double a)
{
	return a * 3;
}

PATCHED static struct words patched_structure(long a)
{
	return (struct words){{a, a + 1, a + 2, a + 3, a + 4, a + 5}};
}

PATCHED static long patched_many(const long *a, long b, long c, long d, long e, long f, long g,
				 long h, long i, long j)
{
	return *a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j;
}

PATCHED static long patched_from_far(long a, long b, long c)
{
	return a * 2 + b * 3 + c * 5 + a * b * c;
}

PATCHED __attribute__((format(printf, 3, 4))) static int patched_text(char *to, size_t size,
								      const char *format, ...)
{
	va_list list;
	int length;

	va_start(list, format);
	length = vsnprintf(to, size, format, list);
	va_end(list);
	return length;
}

/* How long the function is does not matter here, only that what is looked at ends with an instruction. */
static bool patch(struct stub_area *area, uint32_t number, uintptr_t address, struct stub *stub,
		  uintptr_t *at)
{
	const char *reason = "";
	struct prologue plan;

	for (size_t size = 48; reason && size >= 8; size--)
		reason = prologue_plan((const uint8_t *)address, size, size, &plan);
	if (reason || !stub_write(area, number, address, &plan, stub))
		return false;
	resumes[number] = stub->resume;
	*at = address + plan.at;
	return true;
}

/* `distance`: of the stubs from the functions. */
static bool patch_all(const uintptr_t *functions, unsigned first, unsigned count,
		      uintptr_t distance)
{
	struct stub_area area;
	struct stub stubs[16];
	uintptr_t at[16], near = functions[0] + distance;

	if (stubs_open(&area, near & ~(uintptr_t)0xffff, near + 0x10000, count))
		return false;
	for (unsigned i = 0; i < count; i++)
		if (!patch(&area, first + i, functions[i], &stubs[i], &at[i]) ||
		    stubs[i].far != (distance != 0))
			return false;
	if (stubs_close(&area))
		return false;
	for (unsigned i = 0; i < count; i++)
		if (code_jump(at[i], &stubs[i]))
			return false;
	return true;
}

static bool equal(double a, double b)
{
	return !(a < b) && !(a > b);
}

/* What functions get and give is as it was, and each call and each return is seen. */
TEST_CASE(stubs_are_jumped_to)
{
	const uintptr_t functions[] = {(uintptr_t)patched_nested, (uintptr_t)patched_floating,
				       (uintptr_t)patched_longer, (uintptr_t)patched_structure,
				       (uintptr_t)patched_many,   (uintptr_t)patched_text};
	const long one = 1;
	struct words words;
	char room[64];

	native_has_more_vectors = cpu_has_more_vectors();
	patched_again = patched_nested;
	REQUIRE(patch_all(functions, 0, sizeof(functions) / sizeof(functions[0]), 0));
	EXPECT_EQ(patched_nested(10), 55);
	EXPECT_EQ(entered, 11);
	EXPECT_EQ(left, 11);
	EXPECT_EQ(last_argument, 0);
	EXPECT_EQ(last_result, 55);
	EXPECT_EQ(patched_nested(100), 5050);
	EXPECT_EQ(entered, 11 + 101);
	EXPECT_EQ(left, 11 + DEPTH_MAX);
	EXPECT_EQ(depth, 0);
	EXPECT(equal(patched_floating(1, 2.5, 4.0f), 11));
	EXPECT(equal((double)patched_longer(1.5L), 4.5));
	words = patched_structure(7);
	EXPECT_EQ(words.word[0] + words.word[5], 19);
	EXPECT_EQ(patched_many(&one, 2, 3, 4, 5, 6, 7, 8, 9, 10), 385);
	EXPECT_EQ(last_argument, (uintptr_t)&one);
	EXPECT_EQ(last_result, 385);
	EXPECT_EQ(patched_text(room, sizeof(room), "%d %.2f %s", 42, 2.5, "text"), 12);
	EXPECT_STR(room, "42 2.50 text");
	EXPECT_EQ(entered, 11 + 101 + 5);
	EXPECT_EQ(left, 11 + DEPTH_MAX + 5);
}

/* What no short jump reaches is reached by a long one, or refused. */
TEST_CASE(stubs_are_jumped_to_from_far)
{
	const uintptr_t functions[] = {(uintptr_t)patched_from_far};
	unsigned before = entered;

	EXPECT_EQ(patch_all(functions, 15, 1, (uintptr_t)1 << 33), PROLOGUE_FAR != 0);
	EXPECT_EQ(patched_from_far(2, 3, 4), 57);
	EXPECT_EQ(entered - before, PROLOGUE_FAR != 0);
	EXPECT_EQ(depth, 0);
}
#endif
