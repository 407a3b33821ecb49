/* SPDX-License-Identifier: MIT */
/* native_names.c - see native_names.h */
#include "native/native_names.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "native/library_symbol.h"
#include "record/text.h"

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '$' || (c & 0x80);
}

typedef char *demangle_function(const char *mangled, char *buffer, size_t *size, int *status);
static demangle_function *demangle;

void native_names_init(void)
{
	if (!demangle)
		demangle = (demangle_function *)library_symbol("__cxa_demangle", NULL);
}

/* ---- C++ ---- */

static bool read_number(const char **text, size_t *number)
{
	uint64_t value;

	if (**text < '1' || **text > '9' || !text_read_u64(text, &value) || value > strlen(*text))
		return false;
	*number = (size_t)value;
	return true;
}

/* Behind the arguments of a template, of whatever kind: by counting what opens and closes. False: not that easy. */
static bool skip_template(const char **text)
{
	unsigned depth = 0;

	do {
		size_t length;

		if (**text == 'I' || **text == 'N' || **text == 'L' || **text == 'X')
			depth++;
		else if (**text == 'E')
			depth--;
		else if (read_number(text, &length)) {
			*text += length;
			continue;
		} else if (!**text) {
			return false;
		}
		++*text;
	} while (depth > 0);
	return true;
}

/*
 * Without a C++ library: the identifiers of the name, which are there as they are, each behind its length. What is abbreviated, operators and lambdas are not understood.
 */
static bool read_components(struct textbuf *name, const char *text)
{
	bool nested = *text == 'N';
	const char *last = NULL;
	size_t length = 0;

	text += nested;
	text += strspn(text, nested ? "rVK" : "L");
	if (!strncmp(text, "St", 2)) {
		text_add(name, "std");
		text += 2;
	}
	for (;;) {
		if (*text == 'L')
			text++;
		if (nested && (*text == 'C' || *text == 'D') && last) {
			text_add(name, *text == 'C' ? "::" : "::~");
			text_add_bytes(name, last, length);
			text += 2;
		} else if (read_number(&text, &length)) {
			if (name->length)
				text_add(name, "::");
			if (!strncmp(text, "_GLOBAL__N_", 11))
				text_add(name, "(anonymous namespace)");
			else
				text_add_bytes(name, text, length);
			last = text;
			text += length;
		} else {
			return false;
		}
		if (*text == 'I' && !skip_template(&text))
			return false;
		if (!nested || *text == 'E')
			return !name->cut;
	}
}

bool native_is_operator(const char *text, const char *at)
{
	return !strncmp(at, "operator", 8) && !is_letter(at[8]) &&
	       (at == text || !is_letter(at[-1]));
}

size_t native_parameters_of(const char *text)
{
	size_t at = strlen(text);
	int depth = 0;

	for (size_t i = 0; i < at; i++) {
		if (native_is_operator(text, text + i)) {
			i += 8;
			i += strspn(text + i, "<>=-!+*/%^&|~,[]");
			if (!strncmp(text + i, "()", 2))
				i += 2;
			i--;
			continue;
		}
		if (text[i] == '(' && depth == 0 && strncmp(text + i, "(anonymous", 10) != 0 &&
		    strncmp(text + i, "({", 2) != 0)
			return i;
		if (text[i] == '<' || text[i] == '(' || text[i] == '{' || text[i] == '[')
			depth++;
		else if (text[i] == '>' || text[i] == ')' || text[i] == '}' || text[i] == ']')
			depth--;
	}
	return at;
}

/* Where the name begins, behind the type of the result, which functions of templates have in front. */
static size_t begin_of(const char *text, size_t end)
{
	size_t begin = 0;
	int depth = 0;

	for (size_t i = 0; i < end; i++) {
		if (depth == 0 && native_is_operator(text, text + i))
			break;
		if (text[i] == '<' || text[i] == '(' || text[i] == '{')
			depth++;
		else if (text[i] == '>' || text[i] == ')' || text[i] == '}')
			depth--;
		else if (text[i] == ' ' && depth == 0)
			begin = i + 1;
	}
	return begin;
}

/* Versions of the ABI are none of a name: "[abi:cxx11]". */
static void add_untagged(struct textbuf *name, const char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (!strncmp(bytes + i, "[abi:", 5))
			i += strcspn(bytes + i, "]");
		else
			text_add_bytes(name, bytes + i, 1);
	}
}

static void read_mangled(struct textbuf *name, struct textbuf *parameters, const char *symbol)
{
	char *full = demangle ? demangle(symbol, NULL, NULL, NULL) : NULL;

	if (full) {
		size_t end = native_parameters_of(full), begin = begin_of(full, end);

		add_untagged(name, full + begin, end - begin);
		add_untagged(parameters, full + end, strlen(full + end));
		free(full);
	} else if (!read_components(name, symbol + 2)) {
		*name = text_in(name->buffer, name->size);
		text_add(name, symbol);
	}
}

/* ---- all ---- */

/* Copies that compilers make: ".constprop.0". */
static size_t without_suffix(const char *symbol, const char **part)
{
	static const char *const suffixes[] = {".constprop.", ".isra.", ".lto_priv.", ".llvm.",
					       ".localalias"};
	size_t length = strlen(symbol);
	const char *at;

	*part = NULL;
	if ((at = strstr(symbol, ".cold")) && at > symbol) {
		*part = "cold";
		length = (size_t)(at - symbol);
	} else if ((at = strstr(symbol, ".part.")) && at > symbol) {
		*part = "part";
		length = (size_t)(at - symbol);
	}
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		if ((at = strstr(symbol, suffixes[i])) && at > symbol &&
		    (size_t)(at - symbol) < length)
			length = (size_t)(at - symbol);
	return length;
}

/* Not inlined: compilers see lengths there that cannot be. */
static __attribute__((noinline)) void read_fortran(struct textbuf *name, const char *symbol,
						   size_t length, bool fortran)
{
	const char *module = length > 2 && strncmp(symbol, "__", 2) == 0
				     ? memmem(symbol + 2, length - 2, "_MOD_", 5)
				     : NULL;

	if (module) {
		text_add_bytes(name, symbol + 2, (size_t)(module - symbol) - 2);
		text_add(name, "::");
		text_add_bytes(name, module + 5, (size_t)(symbol + length - module) - 5);
		return;
	}
	if (fortran && !strcmp(symbol, "MAIN__"))
		length -= 2;
	else if (fortran && length > 1 && symbol[length - 1] == '_' && symbol[0] != '_')
		length--;
	text_add_bytes(name, symbol, length);
}

static void drop_templates(struct textbuf *plain, const char *name)
{
	int depth = 0;

	for (const char *text = name; *text; text++) {
		if (depth == 0 && native_is_operator(name, text)) {
			text_add(plain, text);
			return;
		}
		if (*text == '<')
			depth++;
		if (depth == 0)
			text_add_bytes(plain, text, 1);
		if (*text == '>' && depth > 0)
			depth--;
	}
}

void native_name(struct native_name *name, const char *symbol, bool fortran)
{
	struct textbuf text = text_in(name->text, sizeof(name->text));
	struct textbuf plain = text_in(name->plain, sizeof(name->plain));
	struct textbuf parameters = text_in(name->parameters, sizeof(name->parameters));
	char room[NATIVE_NAME_MAX];
	struct textbuf whole = text_in(room, sizeof(room));

	text_add_bytes(&whole, symbol, without_suffix(symbol, &name->part));
	if (!strncmp(room, "_Z", 2) && !whole.cut)
		read_mangled(&text, &parameters, room);
	else
		read_fortran(&text, room, whole.length, fortran);
	drop_templates(&plain, name->text);
}

#ifdef UNIT_TEST
#include "unittest.h"

static struct native_name made;

static const char *name_of(const char *symbol)
{
	native_name(&made, symbol, true);
	return made.text;
}

TEST_CASE(native_names_of_languages)
{
	EXPECT_STR(name_of("_Z5solvePdi"), "solve");
	EXPECT_STR(name_of("_ZN5Shape4areaEv"), "Shape::area");
	EXPECT_STR(name_of("_ZNK2ns3FooIiNS_1AEE3barEi"), "ns::Foo::bar");
	EXPECT_STR(name_of("_ZN3FooC2Ev"), "Foo::Foo");
	EXPECT_STR(name_of("_ZN3FooD0Ev"), "Foo::~Foo");
	EXPECT_STR(name_of("_ZN12_GLOBAL__N_15innerEv"), "(anonymous namespace)::inner");
	EXPECT_STR(name_of("_ZSt4sortv"), "std::sort");
	EXPECT_STR(name_of("_ZL6hiddenv"), "hidden");
	EXPECT_STR(name_of("_ZdlPv"), "_ZdlPv");
	EXPECT_STR(name_of("_Z99cut"), "_Z99cut");
	EXPECT(!made.parameters[0]);
	EXPECT_STR(name_of("__solver_MOD_step"), "solver::step");
	EXPECT_STR(name_of("solve_"), "solve");
	EXPECT_STR(name_of("MAIN__"), "MAIN");
	EXPECT_STR(name_of("work.constprop.0.isra.1"), "work");
	EXPECT(!made.part);
	EXPECT_STR(name_of("work.cold"), "work");
	EXPECT_STR(made.part, "cold");
}

TEST_CASE(native_names_lose_parameters)
{
	static const struct {
		const char *full, *name;
	} known[] = {
		{"int add<int>(int, int)", "add<int>"},
		{"ns::Foo<std::pair<int, (anonymous namespace)::X> >::bar(int) const",
		 "ns::Foo<std::pair<int, (anonymous namespace)::X> >::bar"},
		{"(anonymous namespace)::inner()", "(anonymous namespace)::inner"},
		{"Functor::operator()(int) const", "Functor::operator()"},
		{"operator<(A const&, B const&)", "operator<"},
		{"Foo::operator new(unsigned long)", "Foo::operator new"},
		{"int operators::apply<int>(int)", "operators::apply<int>"},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		size_t end = native_parameters_of(known[i].full),
		       begin = begin_of(known[i].full, end);
		char room[128];
		struct textbuf text = text_in(room, sizeof(room));

		text_add_bytes(&text, known[i].full + begin, end - begin);
		EXPECT_STR(room, known[i].name);
	}
}
#endif
