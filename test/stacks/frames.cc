/* SPDX-License-Identifier: MIT */
/*
 * frames.cc - calls of pwrite() from many kinds of frames, each with an offset of its own, by which what the recorder stored can be
 * compared with what a debugger sees. All of it comes several times: from new places, and from places that were there before.
 *
 *	frames FIRST.so SECOND.so
 */
#include <alloca.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))
#define KEEP_FRAME() __asm__ volatile("" ::: "memory") /* no call before it becomes a jump */

static int file;
static int number;

static NOINLINE void mark()
{
	if (pwrite(file, "x", 1, number++) != 1)
		abort();
	KEEP_FRAME();
}

static NOINLINE void chain(int depth)
{
	if (depth > 0)
		chain(depth - 1);
	else
		mark();
	KEEP_FRAME();
}

/*
 * Frames of a size that is known only at run time lie at the frame pointer. Both callers come to the same stack pointer
 * at the call, with other frames around, and what the one left there the other finds: return addresses, too.
 */
static NOINLINE void sized(size_t size)
{
	char *space = (char *)alloca(size);

	__asm__ volatile("" : : "r"(space) : "memory");
	mark();
}

static NOINLINE void narrow(size_t size)
{
	sized(size);
	KEEP_FRAME();
}

static NOINLINE void wide(size_t size)
{
	volatile char more[112];

	__asm__ volatile("" : : "r"(more) : "memory");
	sized(size);
	KEEP_FRAME();
}

static void sizes()
{
	static const struct {
		void (*function)(size_t size);
		size_t more;
	} calls[] = {{wide, 0}, {narrow, 96}, {narrow, 112}, {narrow, 128}, {narrow, 144}, {wide, 0}};

	/* all from one place: of the two only the frames themselves differ */
	for (size_t size = 16; size < 400; size += 16)
		for (const auto &call : calls)
			call.function(size + call.more);
}

/* A frame that is aligned more than the ABI asks for. */
static NOINLINE void aligned(size_t size)
{
	alignas(64) volatile char line[64];
	char *space = (char *)alloca(size);

	line[0] = 1;
	__asm__ volatile("" : : "r"(space), "r"(line) : "memory");
	mark();
}

struct noisy {
	NOINLINE ~noisy()
	{
		mark();
	}
};

struct told {
	int value;
	explicit told(int from) : value(from) {}
	NOINLINE told(const told &other) : value(other.value)
	{
		mark();
	}
};

static NOINLINE void thrower(int depth)
{
	noisy here;

	if (depth > 0)
		thrower(depth - 1);
	else
		throw told(7);
	KEEP_FRAME();
}

static NOINLINE void exceptions()
{
	try {
		thrower(3);
	} catch (told error) {
		mark();
		try {
			throw;
		} catch (const told &again) {
			chain(again.value - 5);
		}
	}
	mark();
}

static sigjmp_buf back;

static void handler(int)
{
	mark();
	chain(1);
}

static void leave(int)
{
	mark();
	siglongjmp(back, 1);
}

/* The instruction that faults is the function's first: the one before it is another function's. */
extern "C" void faults(void);
__asm__(".text\n.p2align 4\n.globl faults\n.hidden faults\n.type faults, @function\nfaults:\n"
	".cfi_startproc\nmovl 0, %eax\nret\n.cfi_endproc\n.size faults, . - faults\n");

static NOINLINE void faulty()
{
	if (!sigsetjmp(back, 1))
		faults();
	mark();
}

static NOINLINE void signals()
{
	static char space[64 << 10];
	stack_t stack = {};
	struct sigaction action = {};

	action.sa_handler = handler;
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	stack.ss_sp = space;
	stack.ss_size = sizeof(space);
	sigaltstack(&stack, NULL);
	action.sa_flags = SA_ONSTACK;
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	action.sa_handler = leave;
	sigaction(SIGSEGV, &action, NULL);
	faulty();
	action.sa_flags = 0;
	sigaction(SIGSEGV, &action, NULL);
	faulty();
	raise(SIGUSR1);
}

static int compare(const void *a, const void *b)
{
	mark();
	return *(const int *)a - *(const int *)b;
}

static void callbacks()
{
	int numbers[] = {3, 1, 2};

	qsort(numbers, 3, sizeof(numbers[0]), compare);
}

static NOINLINE void jumps()
{
	jmp_buf here;

	if (!setjmp(here)) {
		chain(2);
		longjmp(here, 1);
	}
	chain(2);
}

static ucontext_t main_context, other_context;

static void coroutine()
{
	chain(1);
	swapcontext(&other_context, &main_context);
	chain(2);
}

static NOINLINE void coroutines()
{
	char *stack = (char *)malloc(64 << 10);

	getcontext(&other_context);
	other_context.uc_stack.ss_sp = stack;
	other_context.uc_stack.ss_size = 64 << 10;
	other_context.uc_link = &main_context;
	makecontext(&other_context, coroutine, 0);
	swapcontext(&main_context, &other_context);
	chain(1);
	swapcontext(&main_context, &other_context);
	free(stack);
}

static void *threaded(void *)
{
	chain(2);
	sizes();
	chain(2);
	return NULL;
}

static void threads()
{
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 128 << 10);
	for (int i = 0; i < 2; i++) {
		pthread_create(&thread, i ? &attributes : NULL, threaded, NULL);
		pthread_join(thread, NULL);
	}
}

/* A library goes, and another comes to the same place: the same addresses, other functions. */
static NOINLINE void library(const char *path)
{
	void *handle = dlopen(path, RTLD_NOW);
	void (*through)(void (*)()) = handle ? (void (*)(void (*)()))dlsym(handle, "through") : NULL;

	if (!through) {
		fprintf(stderr, "%s\n", dlerror());
		exit(2);
	}
	through(mark);
	through(mark);
	dlclose(handle);
}

static void all(char **libraries)
{
	for (int i = 0; i < 3; i++)
		for (int depth = 0; depth < 5; depth++)
			chain(depth);
	sizes();
	for (size_t size = 0; size < 200; size += 8)
		aligned(size);
	exceptions();
	signals();
	callbacks();
	jumps();
	coroutines();
	chain(100);
	chain(101);
	for (int i = 0; i < 2; i++) {
		library(libraries[0]);
		library(libraries[1]);
	}
}

/* Where a debugger is to wait for calls: libc's own function, behind the recorder's. */
void *volatile real_pwrite;

extern "C" NOINLINE void ready(void)
{
	KEEP_FRAME();
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	real_pwrite = dlsym(dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD), "pwrite");
	ready();
	file = open("out", O_CREAT | O_RDWR | O_TRUNC, 0600);
	all(argv + 1);
	all(argv + 1);
	threads();
	close(file);
	return 0;
}
