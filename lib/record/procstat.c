/* SPDX-License-Identifier: MIT */
/* procstat.c - see procstat.h */
#include "record/procstat.h"

#include <string.h>

#include "record/sys.h"
#include "record/text.h"

/* The second field, the program's name, may hold blanks and brackets. */
static struct process_stat read_stat(const char *path)
{
	struct process_stat stat = {0};
	char buffer[1024];
	const char *p = buffer;

	sys_read_file(path, buffer, sizeof(buffer));
	text_read_u64(&p, &stat.pid);
	p = strrchr(buffer, ')');
	for (unsigned field = 3; p && (p = strchr(p, ' ')); field++) {
		p++;
		if (field == 3)
			stat.state = *p;
		else if (field == 4)
			text_read_u64(&p, &stat.parent);
		else if (field == 20)
			text_read_u64(&p, &stat.threads);
		else if (field == 22)
			text_read_u64(&p, &stat.start);
	}
	return stat;
}

struct process_stat process_stat_of(uint32_t pid)
{
	char path[40];
	struct textbuf text = text_in(path, sizeof(path));

	text_add(&text, "/proc/");
	text_add_u64(&text, pid);
	text_add(&text, "/stat");
	return read_stat(path);
}

struct process_stat process_stat_of_self(void)
{
	return read_stat("/proc/self/stat");
}
