/* SPDX-License-Identifier: MIT */
/* machine.c - see machine.h */
#include "record/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>

#include "format/machine_symbols.h"

#define ROW(name, reference) {#name, reference, name},

void machine_each_kind(void (*visit)(void *data, const char *kind,
				     const struct machine_symbol *symbols),
		       void *data)
{
#define KIND(kind, list) static const struct machine_symbol kind##_rows[] = {list(ROW){"", 0, 0}};
	MACHINE_SYMBOLS(KIND)
#undef KIND
#define KIND(kind, list) {#kind, kind##_rows},
	static const struct {
		const char *kind;
		const struct machine_symbol *symbols;
	} kinds[] = {MACHINE_SYMBOLS(KIND)};
#undef KIND

	for (size_t at = 0; at < sizeof(kinds) / sizeof(*kinds); at++)
		visit(data, kinds[at].kind, kinds[at].symbols);
}

void machine_differing(const struct machine_symbol *symbols, struct textbuf *text)
{
	for (; *symbols->name; symbols++) {
		if (symbols->value == symbols->reference)
			continue;
		text_add(text, text->length ? " " : "");
		text_add(text, symbols->name);
		text_add(text, symbols->value < 0 ? "=-" : "=");
		text_add_u64(text, symbols->value < 0 ? -(uint64_t)symbols->value
						      : (uint64_t)symbols->value);
	}
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(symbols_of_another_machine)
{
	static const struct machine_symbol flags[] = {
		{"O_CREAT", 0100, 0100},
		{"O_DIRECT", 040000, 0200000},
		{"O_DIRECTORY", 0200000, 040000},
		{"O_BELOW", -2, -1},
		{"", 0, 0},
	};
	char buffer[64];
	struct textbuf text = text_in(buffer, sizeof(buffer));

	machine_differing(flags, &text);
	EXPECT_STR(buffer, "O_DIRECT=65536 O_DIRECTORY=16384 O_BELOW=-1");
}

static void count_kind(void *data, const char *kind, const struct machine_symbol *symbols)
{
	EXPECT(*kind && *symbols->name);
	++*(unsigned *)data;
}

TEST_CASE(symbols_of_every_kind)
{
	unsigned kinds = 0;

	machine_each_kind(count_kind, &kinds);
	EXPECT_EQ(kinds, 5);
}
#endif
