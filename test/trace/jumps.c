/* SPDX-License-Identifier: MIT */
/*
 * Signal handlers that jump out of the recorder: jumps CASE child|thread|end [STEP]. end: they end the process there, each of them its own.
 *
 *	write, settle, characters	the n-th instruction of calls of that kind is jumped out of, for each n (of write) or every third one, until they end before it:
 *	                        	the CPU traps after each one. Status 77 where it cannot
 *	open                    	every fortieth one of calls that define a file
 *	seal                    	STEP alone of calls that fill a ring
 *
 * After each jump come calls of pread, which are not interrupted. Some jumps at a time are made by a process or thread of its own: its ring is not sealed before it ends.
 * The last line: jumps; calls of pwrite that began, and that returned; calls of pread.
 */
#include "../bare.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define BATCH 10 /* jumps of one process or thread */

/* Of all processes and threads. */
static volatile struct counts {
	long jumps, began, returned, checked;
	long step; /* the next one to be jumped out of */
	int done;
} * counts;

static struct {
	uintptr_t begin, end;
} recorder;
static sigjmp_buf back;
static volatile sig_atomic_t armed;
static volatile long passed; /* steps */
static const char *kind;
static long only; /* that step; 0: each */
static long stride;
static int ends;
static int data;
static FILE *text;
static char directory
	[512]; /* a relative name would be critical: what it begins with is put together where all threads do that */

/* ---- calls that are jumped out of ---- */

static void write_one(void)
{
	counts->began++;
	if (pwrite(data, "x", 1, 0) != 1)
		abort();
	counts->returned++;
}

static int filter(const struct dirent *entry)
{
	(void)entry;
	write_one();
	return 0;
}

/* A record in place is moved out of the way of those inside. */
static void settle(void)
{
	struct dirent **list = NULL;

	if (scandir(directory, &list, filter, NULL))
		abort();
	free(list);
}

static void characters(void)
{
	rewind(text);
	for (int i = 0; i < 3; i++)
		if (fgetc(text) == EOF)
			abort();
}

static void open_one(void)
{
	static int number;
	char name[64];
	int fd;

	snprintf(name, sizeof(name), "dir/%d.with-a-name", number++);
	fd = open(name, O_CREAT | O_WRONLY, 0600);
	if (fd >= 0)
		close(fd);
	unlink(name);
}

static void fill(void)
{
	for (int i = 0; i < 900; i++)
		write_one();
}

static void (*const calls[])(void) = {write_one, settle, characters, open_one, fill};
static const char *const names[] = {"write", "settle", "characters", "open", "seal"};

static void call(void)
{
	for (unsigned i = 0; i < 5; i++)
		if (!strcmp(kind, names[i]))
			calls[i]();
}

/* ---- jumps ---- */

static void check(int times)
{
	char byte;

	for (int i = 0; i < times; i++) {
		if (pread(data, &byte, 1, 0) != 1)
			abort();
		counts->checked++;
	}
}

/* The library that pwrite is recorded by. */
static int find_recorder(struct dl_phdr_info *info, size_t size, void *unused)
{
	uintptr_t inside = (uintptr_t)dlsym(RTLD_DEFAULT, "pwrite"), end = 0;

	(void)size;
	(void)unused;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD)
			end = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr +
			      info->dlpi_phdr[i].p_memsz;
	if (inside < info->dlpi_addr || inside >= end)
		return 0;
	recorder.begin = info->dlpi_addr;
	recorder.end = end;
	return 1;
}

/* Not out of libc, which would keep its locks. */
static int is_in_recorder(const ucontext_t *context)
{
#if defined(__x86_64__)
	uintptr_t at = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#else
	uintptr_t at = (uintptr_t)context->uc_mcontext.pc;
#endif

	return at >= recorder.begin && at < recorder.end;
}

#if defined(__x86_64__)
#define CAN_STEP 1

static void step_on(void)
{
	__asm__ volatile("pushf\n\torl $0x100, (%%rsp)\n\tpopf" : : : "memory", "cc");
}

static void step_off(void)
{
	__asm__ volatile("pushf\n\tandl $~0x100, (%%rsp)\n\tpopf" : : : "memory", "cc");
}
#else
#define CAN_STEP 0

static void step_on(void)
{
}

static void step_off(void)
{
}
#endif

/* Whether something jumped out of the calls. */
static int jumped_out(void)
{
	int jumped = sigsetjmp(back, 1);

	if (!jumped) {
		armed = 1;
		step_on();
		call();
		step_off();
		armed = 0;
	}
	bare(SYS_close_range, 100, ~0u, 0); /* that were opened and not closed */
	return jumped;
}

static void on_step(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	if (!armed || !is_in_recorder(context) || ++passed != counts->step)
		return;
	armed = 0;
	counts->jumps++;
	if (ends) {
		counts->step += stride;
		_exit(0);
	}
	siglongjmp(back, 1);
}

static void by_steps(void)
{
	for (int i = 0; i < BATCH && !counts->done; i++) {
		passed = 0;
		counts->done = !jumped_out() || only;
		counts->step += stride;
		check(1);
	}
}

/* ---- who makes them ---- */

static void *work(void *unused)
{
	call(); /* what is done once is done */
	check(1);
	by_steps();
	check(20);
	return unused;
}

static void in_child(void)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		work(NULL);
		exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
		abort();
}

static void in_thread(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, work, NULL) || pthread_join(thread, NULL))
		abort();
}

static void *shared(size_t size)
{
	return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

static void open_files(void)
{
	mkdir("dir", 0700);
	if (!getcwd(directory, sizeof(directory) - 4))
		abort();
	strcat(directory, "/dir");
	data = open("data", O_CREAT | O_TRUNC | O_RDWR, 0600);
	text = fopen("text", "w+");
	if (data < 0 || !text || fputs("0123456789", text) < 0 || fflush(text))
		abort();
	write_one();
}

int main(int argc, char **argv)
{
	struct sigaction step = {.sa_sigaction = on_step, .sa_flags = SA_SIGINFO};
	char line[128];
	int by_threads = argc > 2 && !strcmp(argv[2], "thread"), tries = 0;

	kind = argc > 2 ? argv[1] : "";
	only = argc > 3 ? atol(argv[3]) : 0;
	stride = !strcmp(kind, "write") ? 1 : !strcmp(kind, "open") ? 40 : 3;
	ends = argc > 2 && !strcmp(argv[2], "end");
	if (!CAN_STEP)
		return 77;
	counts = shared(sizeof(*counts));
	counts->step = only ? only : 1;
	open_files();
	dl_iterate_phdr(find_recorder, NULL);
	sigaction(SIGTRAP, &step, NULL);
	while (!counts->done && tries++ < 1000)
		by_threads ? in_thread() : in_child();
	snprintf(line, sizeof(line), "%ld %ld %ld %ld\n", counts->jumps, counts->began,
		 counts->returned, counts->checked);
	return bare(SYS_write, 1, line, strlen(line)) < 0;
}
