/* SPDX-License-Identifier: MIT */
/*
 * exec --password=WORD: starts /bin/true with secrets among its arguments, by every call that has arguments:
 * each secret is the given word.
 */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *word;

static char *with(const char *before, const char *after)
{
	char *text;

	if (asprintf(&text, "%s%s%s", before, word, after) < 0)
		abort();
	return text;
}

static char **arguments(void)
{
	static char *argv[32];
	unsigned n = 0;

	argv[n++] = strdup("true");
	argv[n++] = strdup("--password");
	argv[n++] = with("", "");
	argv[n++] = with("--password=", "");
	argv[n++] = with("--Api-Key=", "");
	argv[n++] = with("-token=", "");
	argv[n++] = with("AWS_SECRET_ACCESS_KEY=", "");
	argv[n++] = strdup("--api-key");
	argv[n++] = with("", "");
	argv[n++] = with("https://user:", "@host/path");
	argv[n++] = with("https://host/path?x=1&access_token=", "&y=2");
	argv[n++] = with("Authorization: Bearer ", "");
	argv[n++] = with("{\"password\": \"", "\"}");
	argv[n++] = with("sh -c 'DB_PASSWORD=", " ./run'");
	argv[n++] = strdup("Bearer");
	argv[n++] = with("", "");
	argv[n++] = strdup("plain-argument");
	return argv;
}

static void wait_for(pid_t pid)
{
	int status;

	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		abort();
}

int main(int argc, char **argv)
{
	char **own;
	FILE *pipe;
	pid_t pid;

	if (argc != 2)
		return 2;
	word = argv[1] + strlen("--password=");
	own = arguments();
	pid = fork();
	if (pid == 0) {
		execv("/bin/true", own);
		_exit(1);
	}
	wait_for(pid);
	pid = vfork();
	if (pid == 0) {
		execve("/bin/true", own, environ);
		_exit(1);
	}
	wait_for(pid);
	if (posix_spawn(&pid, "/bin/true", NULL, NULL, own, environ))
		return 1;
	wait_for(pid);
	if (system(with("true --password ", " plain-argument")))
		return 1;
	pipe = popen(with("true -H \"Authorization: Bearer ", "\" plain-argument"), "r");
	if (!pipe || pclose(pipe))
		return 1;

	return system(with("true mysql -uroot -p", " plain-argument")) != 0;
}
