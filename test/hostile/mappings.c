/* SPDX-License-Identifier: MIT */
/*
 * mappings.c - names and lists of buffers in memory that can be read, and then, at the same address, no longer: the kernel says
 * EFAULT, and so it is with the recorder.
 */
#include "hostile.h"

#include <malloc.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#define PAGE 4096
#define PAGES 3
#define NOWHERE MAP_PRIVATE | MAP_ANONYMOUS

static int fd;

static void uses(const char *what, const char *page)
{
	struct stat status;
	long by_name, by_list;

	errno = 0;
	by_name = stat(page, &status) ? -errno : 0;
	errno = 0;
	by_list = writev(fd, (const struct iovec *)(page + 8), 1) < 0 ? -errno : 1;
	put(fd, 0);
	dprintf(1, "%s: stat %ld, writev %ld\n", what, by_name, by_list);
}

/* Of three pages the one in the middle is used. */
static char *with_name(char *pages)
{
	struct iovec list = {&fd, 1};

	for (int i = 0; i < PAGES; i++) {
		memcpy(pages + i * PAGE, "/", 2);
		memcpy(pages + i * PAGE + 8, &list, sizeof(list));
	}
	uses("readable", pages + PAGE);
	return pages;
}

static char *pages_with_name(void)
{
	return with_name(mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, NOWHERE, -1, 0));
}

static void unmapped(char *pages)
{
	munmap(pages + PAGE, PAGE);
	uses("unmapped", pages + PAGE);
	uses("its neighbour", pages);
}

static void unmapped_by_number(char *pages)
{
	syscall(SYS_munmap, pages, PAGES * PAGE);
	uses("unmapped by syscall", pages + PAGE);
}

static void protected(char *pages)
{
	mprotect(pages + PAGE, 1, PROT_NONE);
	uses("protected", pages + PAGE);
	mprotect(pages + PAGE, 1, PROT_READ);
	uses("and again not", pages + PAGE);
	mprotect(pages, PAGES * PAGE, PROT_WRITE | PROT_EXEC); /* on x86 that is readable */
	mprotect(pages, PAGES * PAGE, PROT_NONE);
	uses("all three protected", pages + PAGE);
}

static void replaced(char *pages)
{
	mmap(pages, PAGES * PAGE, PROT_NONE, NOWHERE | MAP_FIXED, -1, 0);
	uses("replaced", pages + PAGE);
}

static void shrunk(char *pages)
{
	mremap(pages, PAGES * PAGE, PAGE, 0);
	uses("shrunk", pages + PAGE);
}

static void moved_away(char *pages)
{
	char *elsewhere = mmap(NULL, PAGES * PAGE, PROT_NONE, NOWHERE, -1, 0);

	mremap(pages, PAGES * PAGE, PAGES * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, elsewhere);
	uses("moved away", pages + PAGE);
	uses("from where it is", elsewhere + PAGE);
}

static void moved_onto(char *pages)
{
	char *elsewhere = mmap(NULL, PAGES * PAGE, PROT_NONE, NOWHERE, -1, 0);

	mremap(elsewhere, PAGES * PAGE, PAGES * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, pages);
	uses("moved onto", pages + PAGE);
}

/* By a key, which a sandbox or an old CPU may not have: then nothing is left to be seen of it. */
static void protected_by_number(char *pages)
{
	syscall(SYS_pkey_mprotect, pages, PAGES * PAGE, PROT_NONE, -1);
	uses("protected without a key", pages + PAGE);
}

static void detached(char *pages)
{
	int id = shmget(IPC_PRIVATE, PAGES * PAGE, IPC_CREAT | 0600);
	char *shared = shmat(id, NULL, 0);

	munmap(pages, PAGES * PAGE);
	shmctl(id, IPC_RMID, NULL);
	if (id == -1 || shared == MAP_FAILED)
		return;
	with_name(shared);
	shmdt(shared);
	uses("detached", shared + PAGE);
}

static char *file_with_name(int *file)
{
	*file = open("cut", O_RDWR | O_CREAT, 0600);
	if (ftruncate(*file, PAGES * PAGE))
		abort();
	return with_name(mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, *file, 0));
}

static void cut(char *pages)
{
	int file;

	munmap(pages, PAGES * PAGE);
	pages = file_with_name(&file);
	if (ftruncate(file, PAGE))
		abort();
	uses("cut", pages + PAGE);
	close(file);
}

static void cut_by_another(char *pages)
{
	int file;

	munmap(pages, PAGES * PAGE);
	pages = file_with_name(&file);
	if (system("LD_PRELOAD= ; : >cut"))
		abort();
	uses("cut by another", pages + PAGE);
	close(file);
}

/* The heap of brk(2), which free() makes shorter. */
static void trimmed(char *pages)
{
	char *blocks[64], *volatile last;

	munmap(pages, PAGES * PAGE);
	for (int i = 0; i < 64; i++)
		blocks[i] = malloc(4 * PAGE);
	last = with_name(blocks[63] + PAGE - (uintptr_t)blocks[63] % PAGE);
	for (int i = 63; i >= 0; i--)
		free(blocks[i]);
	malloc_trim(0);
	uses("trimmed", last + PAGE);
}

/* What free() unmaps is forgotten soon: until then a fault is possible (readable.h). */
static void freed(char *pages)
{
	char *block = malloc(PAGES * 64 * PAGE), *volatile page;

	munmap(pages, PAGES * PAGE);
	page = with_name(block + PAGE - (uintptr_t)block % PAGE);
	free(block);
	usleep(200000);
	put(fd, 0);
	uses("freed", page + PAGE);
}

static int all(void)
{
	void (*const ways[])(char *) = {
		unmapped,   unmapped_by_number,  protected, replaced, shrunk,         moved_away,
		moved_onto, protected_by_number, detached,  cut,      cut_by_another, trimmed,
		freed};

	fd = open("file", O_RDWR | O_CREAT, 0600);
	for (int round = 0; round < 3; round++)
		for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
			ways[i](pages_with_name());
	report(REPORT);
	return 0;
}

int main(int argc, char **argv)
{
	static const struct hostile_case cases[] = {{"all", all}};

	return argc == 2 ? RUN_CASE(cases, argv[1]) : 2;
}
