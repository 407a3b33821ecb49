/* SPDX-License-Identifier: MIT */
/* program.c - see program.h */
#include <elf.h>

#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/image.h"

/* A mapped file; nothing in it is trusted. */
struct image {
	const uint8_t *bytes;
	size_t size;
	const Elf64_Phdr *headers;
	unsigned header_count;
};

static const void *image_at(const struct image *image, uint64_t offset, uint64_t size)
{
	if (offset > image->size || size > image->size - offset)
		return NULL;
	return image->bytes + offset;
}

/* Where an address lies in the file; NULL: not in it. */
static const void *image_address(const struct image *image, uint64_t address, uint64_t size)
{
	for (unsigned i = 0; i < image->header_count; i++) {
		const Elf64_Phdr *segment = &image->headers[i];

		if (segment->p_type == PT_LOAD && address >= segment->p_vaddr &&
		    address - segment->p_vaddr < segment->p_filesz)
			return image_at(image, segment->p_offset + (address - segment->p_vaddr),
					size);
	}
	return NULL;
}

static bool image_headers(struct image *image)
{
	const Elf64_Ehdr *header = image_at(image, 0, sizeof(*header));

	if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
	    header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB ||
	    header->e_phentsize != sizeof(Elf64_Phdr) || header->e_phoff % sizeof(uint64_t) != 0)
		return false;
	image->headers = image_at(image, header->e_phoff, header->e_phnum * sizeof(Elf64_Phdr));
	image->header_count = image->headers ? header->e_phnum : 0;
	return image->headers != NULL;
}

static uint64_t dynamic_value(const Elf64_Dyn *dynamic, size_t count, int64_t tag)
{
	for (size_t i = 0; i < count && dynamic[i].d_tag != DT_NULL; i++)
		if (dynamic[i].d_tag == tag)
			return dynamic[i].d_un.d_val;
	return 0;
}

static void find_asan(const struct image *image, const Elf64_Phdr *segment,
		      struct program_facts *facts)
{
	const Elf64_Dyn *dynamic = image_at(image, segment->p_offset, segment->p_filesz);
	size_t count = segment->p_filesz / sizeof(*dynamic);
	uint64_t size;
	const char *names;

	if (!dynamic || segment->p_offset % sizeof(uint64_t) != 0)
		return;
	size = dynamic_value(dynamic, count, DT_STRSZ);
	names = image_address(image, dynamic_value(dynamic, count, DT_STRTAB), size);
	if (!names || size == 0 || names[size - 1] != '\0')
		return;
	for (size_t i = 0; i < count && dynamic[i].d_tag != DT_NULL; i++) {
		const char *name = names + dynamic[i].d_un.d_val;

		if (dynamic[i].d_tag != DT_NEEDED || dynamic[i].d_un.d_val >= size ||
		    strncmp(name, "libasan.so", 10) != 0 || strlen(name) >= sizeof(facts->asan))
			continue;
		memcpy(facts->asan, name, strlen(name) + 1);
		return;
	}
}

static void find_loader(const struct image *image, const Elf64_Phdr *segment,
			struct program_facts *facts)
{
	const char *path = image_at(image, segment->p_offset, segment->p_filesz);

	facts->is_dynamic = true;
	if (path && segment->p_filesz <= sizeof(facts->loader) &&
	    memchr(path, '\0', segment->p_filesz))
		memcpy(facts->loader, path, strlen(path) + 1);
}

static void read_image(struct image *image, struct program_facts *facts)
{
	if (!image_headers(image))
		return;
	facts->is_elf = true;
	for (unsigned i = 0; i < image->header_count; i++) {
		if (image->headers[i].p_type == PT_INTERP)
			find_loader(image, &image->headers[i], facts);
		if (image->headers[i].p_type == PT_DYNAMIC)
			find_asan(image, &image->headers[i], facts);
	}
}

int program_read(const char *path, struct program_facts *facts)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct image image = {0};
	struct stat status;
	void *bytes;

	memset(facts, 0, sizeof(*facts));
	if (fd < 0)
		return -errno;
	if (fstat(fd, &status) || !S_ISREG(status.st_mode) || status.st_size == 0) {
		close(fd);
		return -EINVAL;
	}
	image.size = (size_t)status.st_size;
	bytes = mmap(NULL, image.size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (bytes == MAP_FAILED)
		return -errno;
	image.bytes = bytes;
	read_image(&image, facts);
	facts->untraced = image_untraced(bytes, image.size);
	munmap(bytes, image.size);
	return 0;
}

/* Names ------------------------------------------------------------------------ */

const char *program_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

bool program_is_launcher(const char *name)
{
	static const char *const launchers[] = {"mpirun",  "mpirun.*", "mpiexec", "mpiexec.*",
						"orterun", "prun",     "prterun", "srun",
						"flux",    "jsrun",    "aprun"};

	for (size_t i = 0; i < sizeof(launchers) / sizeof(launchers[0]); i++)
		if (!fnmatch(launchers[i], program_base(name), 0))
			return true;
	return false;
}

static int check_executable(const char *path)
{
	struct stat status;

	if (stat(path, &status))
		return -ENOENT;
	return S_ISREG(status.st_mode) && !access(path, X_OK) ? 0 : -EACCES;
}

int program_find(const char *name, char *path, size_t size)
{
	const char *place = getenv("PATH");
	int error = -ENOENT;

	if (strchr(name, '/')) {
		if ((size_t)snprintf(path, size, "%s", name) >= size)
			return -ENOENT;
		return check_executable(path);
	}
	if (!place)
		place = "/usr/local/bin:/bin:/usr/bin";
	while (*name) {
		size_t length = strcspn(place, ":");
		int found;

		if ((size_t)snprintf(path, size, "%.*s/%s", length ? (int)length : 1,
				     length ? place : ".", name) < size) {
			found = check_executable(path);
			if (!found)
				return 0;
			if (found == -EACCES)
				error = found;
		}
		if (!place[length])
			break;
		place += length + 1;
	}
	return error;
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(program_tells_of_interpreters)
{
	struct program_facts facts;

	EXPECT_EQ(program_read("/proc/self/exe", &facts), 0);
	EXPECT(facts.is_elf);
	EXPECT(facts.is_dynamic);
	EXPECT(strstr(facts.loader, "/ld-"));
	EXPECT_EQ(program_read("/etc/passwd", &facts), 0);
	EXPECT(!facts.is_elf);
	EXPECT_EQ(program_read("/no/such/file", &facts), -ENOENT);
}

TEST_CASE(programs_are_found_as_the_shell_does)
{
	char path[4096];

	EXPECT_EQ(program_find("sh", path, sizeof(path)), 0);
	EXPECT_EQ(program_find("/bin/sh", path, sizeof(path)), 0);
	EXPECT_EQ(program_find("no such program", path, sizeof(path)), -ENOENT);
	EXPECT_EQ(program_find("/etc/passwd", path, sizeof(path)), -EACCES);
	EXPECT_EQ(program_find("", path, sizeof(path)), -ENOENT);
	EXPECT(program_is_launcher("/usr/bin/mpirun"));
	EXPECT(program_is_launcher("mpiexec.hydra"));
	EXPECT(!program_is_launcher("./mpi_app"));
}
#endif
