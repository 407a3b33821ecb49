/* SPDX-License-Identifier: MIT */
/*
 * short.c - functions that are hard to trace, and arguments. Prints how often each was called, "NAME CALLS", and then what the tests compare.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))

int narrow(int a, int b);
int looping(int n);
int tabled(int n);
int calling(int n);
int chosen(int n);
double mixed(int a, double b, const char *c, float d, long e, unsigned f, int g, long h,
	     const char *i);
const char *texts(int n);
int exported(int n);
int deep(int n);

/* 4 bytes, with the next one right behind; a loop to its begin; a call among the first instructions; a loop by a table */
#ifdef __aarch64__
__asm__(".text\n.globl narrow\n.type narrow, %function\nnarrow:\n\tadd w0, w0, w1\n\tret\n.size "
	"narrow, . - narrow\n"
	".globl looping\n.type looping, %function\nlooping:\n\tsubs w0, w0, 3\n\tb.gt "
	"looping\n\tret\n"
	".size looping, . - looping\n"
	".globl calling\n.type calling, %function\ncalling:\n\tstp x29, x30, [sp, -16]!\n\tbl "
	"getpid\n\tldp x29, x30, [sp], 16\n\tret\n.size calling, . - calling\n"
	".globl tabled\n.type tabled, %function\ntabled:\n2:\tsub w0, w0, 1\n\tadr x1, 2b\n\tadr "
	"x2, 1f\n\ttst "
	"w0, 1\n\tcsel x1, x1, x2, eq\n\tbr x1\n1:\tret\n.size tabled, . - tabled\n");
#else
__asm__(".text\n.globl narrow\n.type narrow, @function\nnarrow:\n\tleal (%rdi,%rsi), "
	"%eax\n\tret\n.size narrow, . - narrow\n"
	".globl looping\n.type looping, @function\nlooping:\n\tmovl %edi, %eax\n1:\tsubl $3, "
	"%eax\n\tjg 1b\n\tret\n.size looping, . - looping\n"
	".globl calling\n.type calling, @function\ncalling:\n\tcall getpid@plt\n\tret\n.size "
	"calling, . - calling\n"
	".globl tabled\n.type tabled, @function\ntabled:\n\tmovl %edi, %eax\n\tandl $1, "
	"%eax\n\tleaq "
	"9f(%rip), %rcx\n\tmovslq (%rcx, %rax, 4), %rax\n\taddq %rcx, %rax\n\tsubl $1, %edi\n\tjmp "
	"*%rax\n1:\tleal 3(%rdi), %eax\n\tret\n.size tabled, . - tabled\n"
	".section .rodata\n.p2align 2\n9:\t.long tabled - 9b, 1b - 9b\n.text\n");
#endif

static NOINLINE int hidden(int n)
{
	static volatile int sum;

	sum = sum + n;
	return sum;
}

static int chosen_now(int n)
{
	return n * 3;
}

static int (*choose(void))(int)
{
	return chosen_now;
}

int chosen(int n) __attribute__((ifunc("choose")));

NOINLINE double mixed(int a, double b, const char *c, float d, long e, unsigned f, int g, long h,
		      const char *i)
{
	return a + b + (double)strlen(c) + d + (double)e + f + g + (double)h + (double)strlen(i);
}

NOINLINE const char *texts(int n)
{
	static const char *const all[] = {"zero", "one", NULL, (const char *)8};

	return all[n & 3];
}

NOINLINE int exported(int n)
{
	return n ? hidden(n) : -7;
}

NOINLINE int deep(int n)
{
	volatile int here = n;

	return n ? deep(n - 1) + here : 0;
}

/* In a child of its own, which calls what its parent has open. */
static NOINLINE int forking(int n)
{
	int status = 0;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child == 0) {
		n = hidden(n) + deep(3);
		return -1;
	}
	waitpid(child, &status, 0);
	return WEXITSTATUS(status);
}

int main(void)
{
	int sum = 0, status;

	for (int i = 0; i < 10; i++)
		sum += narrow(i, 2) + looping(i + 1) + tabled(i + 1) + (calling(i) > 0) +
		       hidden(i) + chosen(i);
	printf("%d %d\n", sum, exported(0) + exported(4));
	printf("%.3f\n", mixed(-1, 2.5, "three", 4.25F, 1L << 40, 4000000000U, 7, -8, "nine"));
	for (int i = 0; i < 4; i++)
		printf("%d\n", texts(i) != NULL);
	printf("%d\n", deep(300));
	status = forking(1);
	if (status < 0)
		exit(23); /* the child, which has returned from what its parent called */
	printf("child %d\n", status);
	return 0;
}
