/* SPDX-License-Identifier: MIT */
/* beginning.c - a program that looks at what it begins with, as the system laid it out. */
#include <link.h>

#include "hostile.h"

#define MOST 64 /* entries of the vector */

static char **environment;

/* The auxiliary vector behind the environment. */
static int vector(void)
{
	const ElfW(auxv_t) * entry;
	unsigned count = 0;
	char **end = environment;

	while (*end)
		end++;
	entry = (const void *)(end + 1);
	for (; entry->a_type != AT_NULL && count < MOST; entry++, count++)
		if (entry->a_type == AT_PAGESZ || entry->a_type == AT_PHNUM ||
		    entry->a_type == AT_UID)
			printf("%lu: %lu\n", (unsigned long)entry->a_type,
			       (unsigned long)entry->a_un.a_val);
	printf("%u entries\n", count);
	return 0;
}

int main(int argc, char **argv, char **envp)
{
	static const struct hostile_case cases[] = {{"vector", vector}};
	int status;

	environment = envp;
	status = argc == 2 ? RUN_CASE(cases, argv[1]) : 2;
	puts_many(open("beginning.data", O_CREAT | O_RDWR, 0600), 10);
	report(REPORT);
	return status;
}
