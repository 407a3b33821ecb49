/* SPDX-License-Identifier: MIT */
/* streams.c - stdio: a file that is opened, read and written in one go, whose position the program works out for itself. */
#include "random.h"

#define TEXT_MAX 40

struct session {
	FILE *stream;
	int fd;
	long position, size;
	bool reads, writes, appends;
	bool turned; /* the next call may read or write, as the position was set */
};

static void begin_turn(struct session *s)
{
	int result = MADE(fseeko(s->stream, s->position, SEEK_SET));

	say(result, "fseeko =%d stream:f=%s offset:i=%ld whence:i=%d", result, who(s->fd),
	    s->position, SEEK_SET);
}

static void grow(struct session *s, long bytes)
{
	if (s->appends)
		s->position = s->size;
	s->position += bytes;
	if (s->size < s->position)
		s->size = s->position;
}

static void write_some(struct session *s)
{
	static const char text[TEXT_MAX] = "0123456789abcdefghijklmnopqrstuvwxyz\n";
	size_t size = 1 + random_below(3), count = random_below(12), done;
	long at = s->appends ? s->size : s->position;
	int result;

	begin_turn(s);
	switch (random_below(4)) {
	case 0:
		result = MADE(fputc('x', s->stream));
		say(result < 0, "fputc =%d character:i=%d stream:f=%s @stream=%ld:1", result, 'x',
		    who(s->fd), at);
		grow(s, 1);
		break;
	case 1:
		result = MADE(fprintf(s->stream, "%d\n", 12345));
		say(result < 0, "fprintf =%d stream:f=%s @stream=%ld:6", result, who(s->fd), at);
		grow(s, 6);
		break;
	case 2:
		result = MADE(fputs(text, s->stream));
		say(result < 0, "fputs =%d stream:f=%s ~stream=%ld:%zu", result, who(s->fd), at,
		    strlen(text));
		grow(s, (long)strlen(text));
		break;
	default:
		done = MADE(fwrite(text, size, count, s->stream));
		say(done < count, "fwrite =%zu size:i=%zu count:i=%zu stream:f=%s @stream=%ld:%zu",
		    done, size, count, who(s->fd), at, done * size);
		grow(s, (long)(done * size));
	}
}

static void read_some(struct session *s)
{
	char text[TEXT_MAX], *line;
	size_t count = random_below(TEXT_MAX), done;
	int result;

	begin_turn(s);
	switch (random_below(3)) {
	case 0:
		result = MADE(fgetc(s->stream));
		say(false, "fgetc =%d stream:f=%s @stream=%ld:%d", result, who(s->fd), s->position,
		    result >= 0);
		s->position += result >= 0;
		if (result < 0)
			break;
		result = MADE(ungetc('u', s->stream));
		say(false, "ungetc =%d character:i=%d stream:f=%s", result, 'u', who(s->fd));
		s->position--;
		break;
	case 1:
		line = MADE(fgets(text, (int)count, s->stream));
		say(false, "fgets =%d size:i=%zu stream:f=%s ~stream=%ld:%zu", line != NULL, count,
		    who(s->fd), s->position, line ? strlen(line) : 0);
		if (line)
			s->position += (long)strlen(line);
		break;
	default:
		done = MADE(fread(text, 1, count, s->stream));
		say(false, "fread =%zu size:i=1 count:i=%zu stream:f=%s @stream=%ld:%zu", done,
		    count, who(s->fd), s->position, done);
		s->position += (long)done;
	}
}

static void move_some(struct session *s)
{
	long position = random_below(300), result;

	switch (random_below(5)) {
	case 0:
		rewind(s->stream);
		say(false, "rewind stream:f=%s", who(s->fd));
		s->position = 0;
		break;
	case 1:
		result = MADE(fseek(s->stream, position, SEEK_SET));
		say(result, "fseek =%ld stream:f=%s offset:i=%ld whence:i=%d", result, who(s->fd),
		    position, SEEK_SET);
		s->position = position;
		break;
	case 2:
		result = MADE(fseek(s->stream, 0, SEEK_END));
		say(result, "fseek =%ld stream:f=%s offset:i=0 whence:i=%d", result, who(s->fd),
		    SEEK_END);
		s->position = s->size;
		break;
	case 3:
		result = MADE(fflush(s->stream));
		say(result, "fflush =%ld stream:f=%s", result, who(s->fd));
		break;
	default:
		begin_turn(s);
		result = MADE(ftell(s->stream));
		say(result < 0, "ftell =%ld stream:f=%s", result, who(s->fd));
		if (result != s->position)
			abort();
	}
}

static void session_end(struct session *s)
{
	say(false, "fclose =0 stream:f=%s", who(s->fd));
	if (fclose(s->stream))
		abort();
}

static void session_run(struct session *s)
{
	unsigned calls = random_below(12);

	for (unsigned i = 0; i < calls; i++) {
		unsigned kind = random_below(3);

		if (kind == 0)
			move_some(s);
		else if (kind == 1 ? s->reads : !s->writes)
			read_some(s);
		else
			write_some(s);
	}
	session_end(s);
}

static struct session session_of(FILE *stream, const char *mode)
{
	bool both = strchr(mode, '+');
	struct session s = {.stream = stream, .fd = -1};
	struct stat status;

	if (!stream)
		return s;
	s.fd = MADE(fileno(stream));
	say(false, "fileno =%s stream:f=%s", who(s.fd), who(s.fd));
	s.reads = both || mode[0] == 'r';
	s.writes = both || mode[0] != 'r';
	s.appends = mode[0] == 'a';
	sys_raw(SYS_fstat, s.fd, (long)&status, 0, 0, 0, 0);
	s.size = status.st_size;
	return s;
}

static void with_path(const char *path, const char *mode)
{
	static const char *const modes[] = {"r", "r+", "a+", "w+"};
	FILE *stream = MADE(fopen(path, mode));
	int fd = stream ? fileno(stream) : -1;
	struct session s;

	say(!stream, "fopen =%s path:s=%s mode:s=%s", who(fd), path, mode);
	if (!stream)
		return;
	say(false, "fileno =%s stream:f=%s", who(fd), who(fd));
	say_name(fd, path);
	if (random_below(4) == 0) {
		const char *before = who(fd);

		mode = modes[random_below(4)];
		stream = MADE(freopen(path, mode, stream));
		fd = stream ? fileno(stream) : -1;
		say(!stream, "freopen =%s path:s=%s mode:s=%s stream:f=%s", who(fd), path, mode,
		    before);
		if (!stream)
			return;
		say(false, "fileno =%s stream:f=%s", who(fd), who(fd));
	}
	s = session_of(stream, mode);
	session_run(&s);
}

static void with_descriptor(const char *path)
{
	int fd = MADE(open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600));
	struct session s;
	FILE *stream;

	say(fd < 0, "open =%s path:s=%s flags:i=%d mode:i=%d", who(fd), path,
	    O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	say_name(fd, path);
	if (fd < 0)
		return;
	stream = MADE(fdopen(fd, "r+"));
	say(!stream, "fdopen =%s fd:f=%s mode:s=r+", who(fd), who(fd));
	s = session_of(stream, "r+");
	session_run(&s);
}

static void with_command(void)
{
	char text[TEXT_MAX], *line;
	FILE *stream = MADE(popen("pwd", "r"));
	int fd = stream ? fileno(stream) : -1, result;

	say(!stream, "popen =%s command:s=pwd mode:s=r", who(fd));
	if (!stream)
		return;
	say(false, "fileno =%s stream:f=%s", who(fd), who(fd));
	say_name(fd, NULL);
	line = MADE(fgets(text, sizeof(text), stream));
	say(false, "fgets =%d size:i=%zu stream:f=%s", line != NULL, sizeof(text), who(fd));
	say(false, "pclose =0 stream:f=%s", who(fd));
	result = pclose(stream);
	if (result)
		abort();
}

static void without_name(void)
{
	FILE *stream = MADE(tmpfile());
	int fd = stream ? fileno(stream) : -1;
	struct session s;

	say(!stream, "tmpfile =%s", who(fd));
	if (!stream)
		return;
	say(false, "fileno =%s stream:f=%s", who(fd), who(fd));
	say_name(fd, NULL);
	s = session_of(stream, "w+");
	session_run(&s);
}

void do_stdio(void)
{
	static const char *const modes[] = {"r", "r+", "w", "w+", "a", "a+"};
	char path[400];

	sprintf(path, "%s/stream-%ld-%u", plan.tree, raw_tid(), random_below(2));
	switch (random_below(8)) {
	case 0:
		without_name();
		break;
	case 1:
		if (random_below(4) == 0)
			with_command();
		break;
	case 2:
	case 3:
		with_descriptor(path);
		break;
	default:
		with_path(path, modes[random_below(6)]);
	}
}
