/* SPDX-License-Identifier: MIT */
/* births.c - how processes begin and multiply, and how they become another program. */
#include "../bare.h"
#include "life.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define STACK (256 << 10)
#define FULL_RING 600 /* marks that fill more than half of the first ring */

static char *image[] = {NULL, "image", "4", NULL}; /* marks 4 times */

void become(void)
{
	image[0] = (char *)self;
	execv(self, image);
	broken("execv");
}

/* ---- fork ---- */

/* The child marks and ends by `end`. */
static int fork_then(void (*end)(void), int wanted)
{
	pid_t pid;

	mark("before", 2);
	pid = fork();
	if (pid == 0) {
		mark("child", 3);
		end();
	}
	mark("parent", 5);
	await_child(pid, wanted);
	mark("after", 1);
	return 0;
}

static void end_by_exit(void)
{
	exit(7);
}

static void end_by__exit(void)
{
	_exit(8);
}

static void end_by_raw_exit(void)
{
	syscall(SYS_exit_group, 9);
}

static void end_by_kill(void)
{
	kill(getpid(), SIGKILL);
}

static int fork_exit(void)
{
	return fork_then(end_by_exit, 7 << 8);
}

static int fork__exit(void)
{
	return fork_then(end_by__exit, 8 << 8);
}

static int fork_raw_exit(void)
{
	return fork_then(end_by_raw_exit, 9 << 8);
}

static int fork_exec(void)
{
	return fork_then(become, 0);
}

static int fork_killed(void)
{
	return fork_then(end_by_kill, SIGKILL);
}

static int fork_return(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		mark("child", 3);
		return 5;
	}
	await_child(pid, 5 << 8);
	mark("after", 1);
	return 0;
}

static int fork_before_any_record(void)
{
	pid_t pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);

	if (pid == 0)
		mark("child", 3);
	else
		await_child(pid, 0);
	return 0;
}

static void prepare(void)
{
	mark("prepare", 1);
}

static void in_parent(void)
{
	mark("at-parent", 1);
}

static void in_child(void)
{
	mark("at-child", 1);
}

static int fork_handlers(void)
{
	pthread_atfork(prepare, in_parent, in_child);
	return fork_exit();
}

static volatile bool stop;

static void *mark_on(void *name)
{
	while (!stop)
		mark(name, 1);
	return NULL;
}

static int fork_threads(void)
{
	static char *names[] = {"t0", "t1", "t2"};
	pthread_t threads[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, mark_on, names[i]);
	for (int i = 0; i < 10; i++) {
		pid_t pid;

		await_marks(names[i % 3], i * 10);
		pid = fork();
		if (pid == 0) {
			mark("child", 3);
			exit(0);
		}
		await_child(pid, 0);
	}
	stop = true;
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

/* A child with a child with a child, each living longer than its parent. */
static int fork_generations(void)
{
	static char *names[] = {"g0", "g1", "g2", "g3"};

	for (int i = 0; i < 3; i++) {
		pid_t pid = fork();

		if (pid == 0)
			continue;
		mark(names[i], i + 1);
		if (i == 0)
			await_marks("g3", 4);
		_exit(0);
	}
	mark(names[3], 4);
	return 0;
}

/* ---- vfork ---- */

static int vfork_exec(void)
{
	pid_t pid;

	mark("before", 2);
	image[0] = (char *)self;
	pid = vfork();
	if (pid == 0) {
		execv(self, image);
		_exit(127);
	}
	await_child(pid, 0);
	mark("after", 1);
	return 0;
}

/* As shells do it: each folder of PATH, redirections before. */
static int vfork_shell(void)
{
	pid_t pid;

	mark("before", 2);
	image[0] = (char *)self;
	pid = vfork();
	if (pid == 0) {
		int fd = open("redirected", O_CREAT | O_WRONLY | O_TRUNC, 0600);

		dup2(fd, 1);
		write(1, "x", 1);
		execve("/nonexistent/life", image, environ);
		execve("/etc/passwd", image, environ);
		execve(self, image, environ);
		_exit(127);
	}
	await_child(pid, 0);
	mark("after", 1);
	return 0;
}

static int vfork__exit(void)
{
	pid_t pid = vfork();

	if (pid == 0) {
		mark("in-vfork", 2);
		_exit(3);
	}
	await_child(pid, 3 << 8);
	mark("after", 1);
	return 0;
}

/* ---- spawn, system, popen, a shell ---- */

static int spawn_with(int (*spawn)(pid_t *, const char *, const posix_spawn_file_actions_t *,
				   const posix_spawnattr_t *, char *const *, char *const *))
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none;
	pid_t pid;

	sigemptyset(&none);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	image[0] = (char *)self;
	mark("before", 2);
	check(!spawn(&pid, self, &actions, &attributes, image, environ), "spawn");
	await_child(pid, 0);
	mark("after", 1);
	return 0;
}

static int spawned(void)
{
	return spawn_with(posix_spawn);
}

static int spawned_by_path(void)
{
	return spawn_with(posix_spawnp);
}

static int by_system(void)
{
	char command[4096];

	mark("before", 2);
	snprintf(command, sizeof(command), "'%s' image 4 && exit 3", self);
	check(system(command) == 3 << 8, "system");
	mark("after", 1);
	return 0;
}

static int by_popen(void)
{
	char command[4096], line[16] = "";
	FILE *stream;

	mark("before", 2);
	snprintf(command, sizeof(command), "'%s' image 4; echo done", self);
	stream = popen(command, "r");
	check(stream && fgets(line, sizeof(line), stream) && !strcmp(line, "done\n"), "popen");
	check(pclose(stream) == 0, "pclose");
	mark("after", 1);
	return 0;
}

static int by_shell(void)
{
	char command[8192];

	snprintf(command, sizeof(command),
		 "'%s' image 4 & ('%s' child 3) | cat; wait; exec '%s' after 1", self, self, self);
	mark("before", 2);
	execl("/bin/sh", "sh", "-c", command, NULL);
	return 1;
}

/* ---- clone ---- */

static int cloned_main(void *unused)
{
	(void)unused;
	mark("child", 3);
	return 6;
}

static int clone_with(int flags)
{
	char *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int status = 0;
	pid_t pid;

	mark("before", 2);
	pid = clone(cloned_main, stack + STACK, flags | SIGCHLD, NULL);
	check(pid > 0, "clone");
	/* bare: where both share the thread's storage only one may call at a time */
	check(bare(SYS_wait4, pid, &status, 0, NULL, 0, 0) == pid && status == 6 << 8, "wait4");
	mark("after", 1);
	return 0;
}

static int clone_copied(void)
{
	return clone_with(0);
}

static int clone_shared(void)
{
	return clone_with(CLONE_VM);
}

static int clone_shared_waiting(void)
{
	return clone_with(CLONE_VM | CLONE_VFORK);
}

static int clone_raw(void)
{
	pid_t pid;

	mark("before", 2);
	pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (pid == 0) {
		mark("child", 3);
		_exit(0);
	}
	mark("parent", 5);
	await_child(pid, 0);
	return 0;
}

/* A new process number space, where every first child is process 1. */
static int clone_namespace(void)
{
	char *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pid_t pid;

	mark("before", 2);
	for (int i = 0; i < 2; i++) {
		pid = clone(cloned_main, stack + STACK, CLONE_NEWPID | SIGCHLD, NULL);
		if (pid < 0)
			return 77;
		await_child(pid, 6 << 8);
	}
	mark("after", 1);
	return 0;
}

/* ---- daemons ---- */

static int double_fork(void)
{
	mark("before", 2);
	if (fork())
		_exit(0);
	mark("middle", 3);
	setsid();
	if (fork())
		_exit(0);
	chdir("/tmp");
	for (int fd = 0; fd < 1024; fd++)
		close(fd);
	check(!chdir(getenv("LIFE_DIR")), "chdir");
	mark("daemon", 4);
	usleep(300000);
	mark("daemon", 4);
	mark("over", 1);
	return 0;
}

static int by_daemon(void)
{
	mark("before", 2);
	check(!daemon(1, 0), "daemon");
	mark("daemon", 4);
	usleep(300000);
	mark("daemon", 4);
	mark("over", 1);
	return 0;
}

/* ---- exec in place ---- */

static int exec_in_place(void)
{
	mark("before", 2);
	become();
	return 1;
}

/* The ring is full enough to be made larger when it is sealed, while the record of exec lies in it. */
static int exec_full_ring(void)
{
	mark("before", FULL_RING);
	become();
	return 1;
}

static int daemon_full_ring(void)
{
	mark("before", FULL_RING);
	check(!daemon(1, 0), "daemon");
	mark("daemon", 8);
	mark("over", 1);
	return 0;
}

static int exec_twice(void)
{
	char command[4096];

	mark("before", 2);
	snprintf(command, sizeof(command), "exec '%s' image 4", self);
	execl("/bin/sh", "sh", "-c", command, NULL);
	return 1;
}

static int exec_failing(void)
{
	mark("before", 2);
	image[0] = "/etc/passwd";
	execv(image[0], image); /* not executable */
	check(errno == EACCES, "errno");
	image[0] = ".";
	execvp(image[0], image);
	check(errno == EACCES, "errno of a folder");
	mark("after", 1);
	become();
	return 1;
}

void make_script(void)
{
	int fd = open("script", O_CREAT | O_WRONLY, 0700);

	write(fd, "#!/nonexistent/interpreter\n", 27);
	close(fd);
}

void run_script(void)
{
	image[0] = "./script";
	execv(image[0], image);
	check(errno == ENOENT, "errno");
}

/* Fails in the kernel alone: what the wrapper looked at beforehand was good. */
static int exec_failing_late(void)
{
	make_script();
	mark("before", 2);
	for (int i = 0; i < 5; i++) {
		run_script();
		mark("between", 1);
	}
	become();
	return 1;
}

static void excluded_in_handler(int signal)
{
	(void)signal;
	close(open("/dev/null", O_RDONLY));
}

/* The same where a handler makes calls that leave nothing in the file. */
static int exec_failing_interrupted(void)
{
	const struct itimerval often = {{0, 50}, {0, 50}}, never = {{0, 0}, {0, 0}};

	make_script();
	signal(SIGALRM, excluded_in_handler);
	check(!setitimer(ITIMER_REAL, &often, NULL), "setitimer");
	for (int i = 0; i < 200; i++)
		run_script();
	check(!setitimer(ITIMER_REAL, &never, NULL), "setitimer");
	become();
	return 1;
}

static void *exec_from_thread_main(void *unused)
{
	(void)unused;
	mark("thread", 3);
	become();
	return NULL;
}

static int exec_from_thread(void)
{
	pthread_t thread;

	mark("before", 2);
	pthread_create(&thread, NULL, exec_from_thread_main, NULL);
	pthread_join(thread, NULL);
	return 1;
}

static int exec_threads_writing(void)
{
	static char *names[] = {"t0", "t1", "t2"};
	pthread_t threads[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, mark_on, names[i]);
	for (int i = 0; i < 3; i++)
		await_marks(names[i], 20);
	become();
	return 1;
}

const struct life_case births[] = {
	{"fork_exit", fork_exit},
	{"fork__exit", fork__exit},
	{"fork_raw_exit", fork_raw_exit},
	{"fork_exec", fork_exec},
	{"fork_killed", fork_killed},
	{"fork_return", fork_return},
	{"fork_before_any_record", fork_before_any_record},
	{"fork_handlers", fork_handlers},
	{"fork_threads", fork_threads},
	{"fork_generations", fork_generations},
	{"vfork_exec", vfork_exec},
	{"vfork_shell", vfork_shell},
	{"vfork__exit", vfork__exit},
	{"spawned", spawned},
	{"spawned_by_path", spawned_by_path},
	{"by_system", by_system},
	{"by_popen", by_popen},
	{"by_shell", by_shell},
	{"clone_copied", clone_copied},
	{"clone_shared", clone_shared},
	{"clone_shared_waiting", clone_shared_waiting},
	{"clone_raw", clone_raw},
	{"clone_namespace", clone_namespace},
	{"double_fork", double_fork},
	{"by_daemon", by_daemon},
	{"exec_in_place", exec_in_place},
	{"exec_full_ring", exec_full_ring},
	{"daemon_full_ring", daemon_full_ring},
	{"exec_twice", exec_twice},
	{"exec_failing", exec_failing},
	{"exec_failing_late", exec_failing_late},
	{"exec_failing_interrupted", exec_failing_interrupted},
	{"exec_from_thread", exec_from_thread},
	{"exec_threads_writing", exec_threads_writing},
	{NULL, NULL},
};
