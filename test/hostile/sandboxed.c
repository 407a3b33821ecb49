/* SPDX-License-Identifier: MIT */
/*
 * sandboxed.c - programs that give up system calls: for any but a few, the kernel kills them. `few`: so few records that the ring has room.
 */
#include "hostile.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define ALLOW(number)                                                                              \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),                                         \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static int fd;

static struct sock_filter filter[] = {
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	ALLOW(SYS_pwrite64),
	ALLOW(SYS_write),
	ALLOW(SYS_exit_group),
	ALLOW(SYS_exit),
	ALLOW(SYS_clone),
	ALLOW(SYS_clone3),
	ALLOW(SYS_set_robust_list),
	ALLOW(SYS_rseq),
	ALLOW(SYS_mmap),
	ALLOW(SYS_mprotect),
	ALLOW(SYS_munmap),
	ALLOW(SYS_madvise),
	ALLOW(SYS_futex),
	ALLOW(SYS_rt_sigprocmask),
	ALLOW(SYS_wait4),
	ALLOW(SYS_rt_sigaction),
	ALLOW(SYS_getrandom),
	ALLOW(SYS_brk),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
};

/* What a new image needs of the loader, and of libc, to begin and to say something. */
static struct sock_filter image_filter[] = {
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	ALLOW(SYS_execve),
	ALLOW(SYS_brk),
	ALLOW(SYS_mmap),
	ALLOW(SYS_mprotect),
	ALLOW(SYS_munmap),
	ALLOW(SYS_access),
	ALLOW(SYS_openat),
	ALLOW(SYS_read),
	ALLOW(SYS_pread64),
	ALLOW(SYS_fstat),
	ALLOW(SYS_newfstatat),
	ALLOW(SYS_close),
	ALLOW(SYS_set_tid_address),
	ALLOW(SYS_set_robust_list),
	ALLOW(SYS_rseq),
	ALLOW(SYS_prlimit64),
	ALLOW(SYS_getrandom),
	ALLOW(SYS_futex),
#ifdef SYS_arch_prctl
	ALLOW(SYS_arch_prctl),
#endif
	ALLOW(SYS_write),
	ALLOW(SYS_pwrite64),
	ALLOW(SYS_exit_group),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
};

static struct sock_fprog image_program = {sizeof(image_filter) / sizeof(image_filter[0]),
					  image_filter};

static struct sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};

static void begin(void)
{
	fd = open("file", O_RDWR | O_CREAT, 0600);
	puts_many(fd, 100);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

static int end(unsigned count)
{
	puts_many(fd, count);
	if (write(1, "alive\n", 6) != 6)
		return 9;
	report(REPORT);
	return 0;
}

/* Only read, write, _exit and sigreturn: the counted call is not among them, so the count is that of before. */
static int strict(void)
{
	begin();
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0, 0))
		return 8;
	if (write(1, "alive\n", 6) != 6)
		syscall(SYS_exit, 9);
	report(REPORT);
	syscall(SYS_exit, 0);
	return 9;
}

static int by_prctl(unsigned count)
{
	begin();
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0))
		return 8;
	return end(count);
}

static int few(void)
{
	return by_prctl(200);
}

static int many(void)
{
	return by_prctl(50000);
}

static int by_syscall(void)
{
	begin();
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program))
		return 8;
	return end(200);
}

static void *work(void *data)
{
	(void)data;
	puts_many(fd, 100);
	return NULL;
}

static int threads(void)
{
	pthread_t thread;

	begin();
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0))
		return 8;
	for (int i = 0; i < 3; i++) {
		if (pthread_create(&thread, NULL, work, NULL))
			return 7;
		pthread_join(thread, NULL);
	}
	return end(200);
}

/* Where reading the counter faults. */
static int no_counter(void)
{
	begin();
	if (prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0))
		return 8;
	close(open("file", O_RDWR)); /* what else asks for the time */
	if (chdir("."))
		return 7;
	calls -= 200; /* these cannot be recorded, nor counted */
	return end(200);
}

/* What the child does is in no trace, and must not kill it. */
static int child(void)
{
	int status;
	pid_t pid;

	begin();
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0))
		return 8;
	pid = fork();
	if (pid == 0) {
		puts_many(fd, 100);
		_exit(5);
	}
	if (wait4(pid, &status, 0, NULL) != pid || status != 5 << 8)
		return 7;
	return end(200);
}

/* A filter that is refused changes nothing. */
static int refused(void)
{
	struct sock_fprog empty = {0, NULL};

	begin();
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &empty, 0, 0) != -1 || errno != EINVAL)
		return 8;
	return end(50000);
}

/* The new image is not traced: its calls are not counted. */
static void become(void)
{
	char *argv[] = {(char *)"sandboxed", (char *)"image", NULL};

	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &image_program, 0, 0);
	puts_many(fd, 10);
	execve("/proc/self/exe", argv, environ);
	_exit(9);
}

static int image(void)
{
	fd = 2;
	for (int i = 0; i < 100; i++)
		(void)!pwrite(1, "", 0, 0);
	return write(1, "image\n", 6) == 6 ? 5 : 9;
}

static int executed(void)
{
	begin();
	calls += 10; /* those of become(), which cannot say it any more */
	report(REPORT);
	calls -= 10;
	become();
	return 9;
}

static int waited(pid_t pid)
{
	int status;

	if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 5 << 8)
		return 7;
	return end(50000);
}

/* Counts are the parent's, too: the child has its memory. */
static int vforked(void)
{
	pid_t pid;

	begin();
	pid = vfork();
	if (pid == 0)
		become();
	return waited(pid);
}

/* As man does. What the child calls before it is a new image is in no trace. */
static int forked(void)
{
	pid_t pid;

	begin();
	pid = fork();
	if (pid == 0)
		become();
	return waited(pid);
}

int main(int argc, char **argv)
{
	static const struct hostile_case cases[] = {
		{"strict", strict},   {"few", few},
		{"many", many},       {"syscall", by_syscall},
		{"threads", threads}, {"child", child},
		{"refused", refused}, {"no_counter", no_counter},
		{"image", image},     {"executed", executed},
		{"vforked", vforked}, {"forked", forked},
	};

	return argc < 2 ? 2 : RUN_CASE(cases, argv[1]);
}
