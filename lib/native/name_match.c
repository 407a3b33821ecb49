/* SPDX-License-Identifier: MIT */
/* name_match.c - see name_match.h */
#include "native/name_match.h"

#include <string.h>

#include "record/text.h"

/* What stands for signs that are none of a glob. */
#define POINTER "\1"
#define INDEX "\2"

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '$' || (c & 0x80);
}

/* ---- one form ---- */

struct forming {
	struct textbuf *to;
	bool pattern, dotted; /* components have '.' between */
	unsigned depth;       /* within brackets */
	uint64_t consts;      /* a bit for each depth: its type has "const" in front */
};

static char last_of(const struct textbuf *to)
{
	return to->length ? to->buffer[to->length - 1] : '\0';
}

static bool is_behind_type(const struct textbuf *to)
{
	char last = last_of(to);

	return is_letter(last) || (last && strchr(">)&" POINTER, last));
}

static void add_depth(struct forming *forming, char c)
{
	if ((c == '<' || c == '(') && forming->depth < 63)
		forming->depth++;
	else if ((c == '>' || c == ')') && forming->depth > 0)
		forming->depth--;
}

/* "const T" is "T const", as demanglers write it: that comes where the type has its end. */
static void add_const(struct forming *forming, char next)
{
	if (!strchr("*&,)>", next) || !(forming->consts >> forming->depth & 1))
		return;
	text_add(forming->to, " const");
	forming->consts &= ~(1ull << forming->depth);
}

/* How much of the text is something that stands for something else. 0: nothing. */
static size_t form_special(struct forming *forming, const char *text)
{
	static const char string[] = "std::__cxx11::basic_string<char, std::char_traits<char>, "
				     "std::allocator<char> >";
	struct textbuf *to = forming->to;

	if (!strncmp(text, string, sizeof(string) - 1)) {
		text_add(to, "std::string");
		return sizeof(string) - 1;
	}
	if (!strncmp(text, "[]", 2)) {
		text_add(to, INDEX);
		return 2;
	}
	if (*text == '*' && (!forming->pattern || (forming->depth > 0 && is_behind_type(to)))) {
		text_add(to, POINTER);
		return 1;
	}
	if (*text == '.' && forming->dotted && forming->depth == 0) {
		text_add(to, "::");
		return 1;
	}
	if (forming->depth > 0 && !strncmp(text, "const ", 6) && strchr("(,<", last_of(to))) {
		forming->consts |= 1ull << forming->depth;
		return 6;
	}
	return 0;
}

/* As names and patterns are compared: without blanks but those between two words. */
static bool form(struct textbuf *to, const char *text, bool pattern)
{
	struct forming forming = {.to = to,
				  .pattern = pattern,
				  .dotted = pattern && !strstr(text, "::")};

	while (*text && !to->cut) {
		size_t length;

		add_const(&forming, *text);
		length = form_special(&forming, text);
		if (!length && *text == ' ') {
			length = strspn(text, " ");
			if (is_letter(last_of(to)) && is_letter(text[length]))
				text_add(to, " ");
		} else if (!length) {
			length = 1;
			add_depth(&forming, *text);
			text_add_bytes(to, text, 1);
		}
		text += length;
	}
	return !to->cut;
}

/* ---- matching ---- */

/* From any of its components on. */
static bool matches_from(const char *pattern, size_t length, const char *name)
{
	struct forming forming = {.depth = 0};

	if (text_matches(pattern, length, name))
		return true;
	for (const char *at = name; *at; at++) {
		if (forming.depth == 0 && native_is_operator(name, at))
			return false; /* its signs are no brackets */
		add_depth(&forming, *at);
		if (forming.depth == 0 && at[0] == ':' && at[1] == ':' &&
		    text_matches(pattern, length, at + 2))
			return true;
	}
	return false;
}

static bool matches(const struct textbuf *pattern, const char *name, const char *parameters)
{
	char joined[2 * NATIVE_NAME_MAX], room[2 * NATIVE_NAME_MAX];
	struct textbuf whole = text_in(joined, sizeof(joined)), text = text_in(room, sizeof(room));

	text_add(&whole, name);
	text_add(&whole, parameters);
	return form(&text, joined, false) && matches_from(pattern->buffer, pattern->length, room);
}

/* Of a method, "const" and the like behind them may be left out. */
static bool matches_parameters(const struct textbuf *pattern, const struct native_name *name)
{
	char parameters[NATIVE_NAME_MAX];
	struct textbuf text = text_in(parameters, sizeof(parameters));
	const char *close = strrchr(name->parameters, ')');

	if (close && last_of(pattern) == ')')
		text_add_bytes(&text, name->parameters, (size_t)(close + 1 - name->parameters));
	else
		text_add(&text, name->parameters);
	return matches(pattern, name->plain, parameters) ||
	       matches(pattern, name->text, parameters);
}

bool name_match(const struct native_name *name, const char *symbol, const char *pattern)
{
	char room[NATIVE_NAME_MAX];
	struct textbuf text = text_in(room, sizeof(room));

	if (!strcmp(symbol, pattern))
		return true;
	if (!form(&text, pattern, true))
		return false;
	if (pattern[native_parameters_of(pattern)])
		return matches_parameters(&text, name);
	return matches(&text, name->plain, "") || matches(&text, name->text, "");
}

/* Words that symbols have signs for. */
static bool is_abbreviated(const char *word, size_t length)
{
	static const char *const words[] = {"std",     "string",  "basic_string", "allocator",
					    "ostream", "istream", "iostream",     "operator"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strlen(words[i]) == length && !memcmp(words[i], word, length))
			return true;
	return !strncmp(word, "operator", 8);
}

/* The longest word of a pattern, outside of brackets, is in each symbol that it matches. */
bool name_match_possible(const char *symbol, const char *pattern)
{
	struct forming forming = {.depth = 0};
	const char *best = "", *at = pattern;
	size_t best_length = 0;

	if (strchr(pattern, '[') || strstr(pattern, "operator"))
		return true;
	while (*at) {
		size_t length = strcspn(at, "*?:.<>(), ~&");

		if (forming.depth == 0 && length > best_length && !is_abbreviated(at, length)) {
			best = at;
			best_length = length;
		}
		at += length;
		add_depth(&forming, *at);
		at += *at != '\0';
	}
	return best_length == 0 || memmem(symbol, strlen(symbol), best, best_length);
}

#ifdef UNIT_TEST
#include "unittest.h"

static struct native_name made;

static bool means(const char *pattern)
{
	return name_match(&made, "x", pattern);
}

/* As a demangler gives it. */
static void set(const char *text, const char *plain, const char *parameters)
{
	struct textbuf room = text_in(made.text, sizeof(made.text));

	text_add(&room, text);
	room = text_in(made.plain, sizeof(made.plain));
	text_add(&room, plain);
	room = text_in(made.parameters, sizeof(made.parameters));
	text_add(&room, parameters);
}

TEST_CASE(name_match_components)
{
	native_name(&made, "_ZN2ns3FooIiE3barEi", false);
	EXPECT(means("bar"));
	EXPECT(means("Foo::bar"));
	EXPECT(means("Foo.bar"));
	EXPECT(means("ns::*"));
	EXPECT(name_match(&made, "_ZN2ns3FooIiE3barEi", "_ZN2ns3FooIiE3barEi"));
	EXPECT(!means("ar"));
	EXPECT(!means("oo::bar"));
	set("operators::apply", "operators::apply", "()");
	EXPECT(means("apply"));
	set("(anonymous namespace)::inner", "(anonymous namespace)::inner", "(int)");
	EXPECT(means("(anonymous namespace)::inner"));
	EXPECT(means("inner(int)"));
	EXPECT(means("(anonymous namespace)::*"));
}

TEST_CASE(name_match_templates)
{
	set("ns::vec<int>::push", "ns::vec::push", "(int const&)");
	EXPECT(means("vec<int>::push"));
	EXPECT(means("vec< int >::push"));
	EXPECT(means("vec<*>::push"));
	EXPECT(means("vec::push"));
	EXPECT(means("vec<int>::push(const int &)"));
	EXPECT(!means("vec<long>::push"));
	EXPECT(!means("vec<int*>::push"));
	set("vec<std::pair<int, char const*> >::push", "vec::push", "()");
	EXPECT(means("vec<std::pair<int,const char*>>::push"));
	EXPECT(means("vec<std::pair<int, *>>::push()"));
}

TEST_CASE(name_match_parameters)
{
	set("f", "f", "(int)");
	EXPECT(means("f(int)"));
	EXPECT(means("f(*)"));
	EXPECT(!means("f()"));
	EXPECT(!means("f(int, int)"));
	set("C::f", "C::f", "(char const*, unsigned long, ...) const");
	EXPECT(means("f(const char *, unsigned long, ...)"));
	EXPECT(means("C::f(char const*,unsigned long,...) const"));
	EXPECT(means("f(const char *, *)"));
	EXPECT(!means("f(char *, *)"));
	EXPECT(!means("f(const char *, unsignedlong, ...)"));
	set("f", "f",
	    "(std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > "
	    "const&)");
	EXPECT(means("f(const std::string &)"));
	set("M::operator()", "M::operator()", "(int)");
	EXPECT(means("M::operator()"));
	EXPECT(means("operator()(int)"));
	EXPECT(!means("operator()(long)"));
	set("M::operator[]", "M::operator[]", "(int)");
	EXPECT(means("M::operator[]"));
	set("operator<", "operator<", "(A const&, A const&)");
	EXPECT(means("operator<"));
	EXPECT(means("operator<(const A&, const A&)"));
}

TEST_CASE(name_match_quick_look)
{
	EXPECT(name_match_possible("_ZN2ns3FooIiE3barEi", "Foo::b?r"));
	EXPECT(!name_match_possible("_ZN2ns3FooIiE3barEi", "Fooo::bar"));
	EXPECT(name_match_possible("_Z1fi", "f(int)"));
	EXPECT(name_match_possible("_ZSt4sortv", "std::sort"));
	EXPECT(name_match_possible("_ZNSt6vectorIiE2atEv", "std::vector<int>::at"));
	EXPECT(name_match_possible("anything", "*"));
}
#endif
