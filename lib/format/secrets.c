/* SPDX-License-Identifier: MIT */
/* secrets.c - see secrets.h */
#include "format/secrets.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define PART_MAX 32u      /* longest part of a name that is looked at */
#define DEPTH_MAX 3u      /* commands quoted in commands */
#define USER_TOKEN_MIN 20 /* a "user" of a URL that is longer is a token */
#define FORM_MIN 12       /* shortest rest of a token that is known by its prefix */

/* What words that were seen say of the next ones. */
struct scan {
	bool next;           /* the next word is a secret */
	bool rest;           /* all further ones are */
	const char *letters; /* options of the program whose value is one: "p", "+p" only as -pX */
	unsigned depth;
};

static const struct program {
	const char *name, *letters;
} programs[] = {
	{"mysql*", "+p"}, {"mariadb*", "+p"}, {"7z*", "+p"},  {"sshpass", "p"},   {"docker", "p"},
	{"podman", "p"},  {"mongo*", "p"},    {"curl", "uU"}, {"smbclient", "U"}, {"ldap*", "w"},
	{"redis*", "a"},  {"zip", "P"},       {"unzip", "P"}, {"ipmitool", "P"},  {"sqlcmd", "P"},
	{"openssl", "k"}, {"lftp", "u"},
};

/* Parts of names, in lower case, separated in the name by other signs or by capitals. */
static const char *const secret_parts[] = {"auth",    "authorization", "bearer", "cookie",
					   "cookies", "credentials",   "keys",   "otp",
					   "pw",      "secrets",       "sig",    "signature"};
static const char *const secret_ends[] = {"pass", "passwd", "password",   "passphrase", "passcode",
					  "pwd",  "secret", "credential", "token",      "key"};
/* What tokens of well-known services begin with. */
static const char *const secret_forms[] = {"ghp_",        "gho_",   "ghs_",  "ghu_",  "ghr_",
					   "github_pat_", "glpat-", "xoxb-", "xoxp-", "AKIA",
					   "ASIA",        "hf_",    "sk-",   "sk_",   "eyJ"};

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool is_alnum(char c)
{
	return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9');
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_quote(char c)
{
	return c == '"' || c == '\'';
}

static bool in_name(char c)
{
	return is_alnum(c) || c == '_' || c == '-' || c == '.';
}

static bool begins_with(const char *p, const char *end, const char *text)
{
	size_t length = strlen(text);

	return (size_t)(end - p) >= length && !memcmp(p, text, length);
}

static void mask(char *p, const char *end)
{
	if (p < end)
		memset(p, '*', (size_t)(end - p));
}

/* Names ---------------------------------------------------------------------------- */

static bool is_secret_part(const char *part, size_t length)
{
	for (size_t i = 0; i < sizeof(secret_parts) / sizeof(secret_parts[0]); i++)
		if (strlen(secret_parts[i]) == length && !memcmp(secret_parts[i], part, length))
			return true;
	for (size_t i = 0; i < sizeof(secret_ends) / sizeof(secret_ends[0]); i++) {
		size_t end = strlen(secret_ends[i]);

		if (end <= length && !memcmp(part + length - end, secret_ends[i], end))
			return true;
	}
	return false;
}

/* PWD is a directory. */
static bool is_harmless(const char *name, const char *end)
{
	return (end - name == 3 && !memcmp(name, "PWD", 3)) ||
	       (end - name == 6 && !memcmp(name, "OLDPWD", 6));
}

static bool is_secret_name(const char *name, const char *end)
{
	char part[PART_MAX];
	size_t length = 0;

	if (is_harmless(name, end))
		return false;
	for (const char *p = name; p < end; p++) {
		bool begins = !is_alnum(*p) || (p > name && is_upper(*p) && !is_upper(p[-1]));

		if (begins && is_secret_part(part, length))
			return true;
		if (begins)
			length = 0;
		if (is_alnum(*p) && length < sizeof(part))
			part[length++] = lower(*p);
	}
	return is_secret_part(part, length);
}

/* Inside of a word ----------------------------------------------------------------- */

/* scheme://user:SECRET@host and scheme://TOKEN@host */
static void mask_user(char *p, char *end)
{
	char *begin, *at = NULL, *colon = NULL;

	for (; end - p > 3; p++)
		if (!memcmp(p, "://", 3))
			break;
	if (end - p <= 3)
		return;
	begin = p + 3;
	for (p = begin; p < end && *p != '/' && *p != '?' && !is_blank(*p) && !is_quote(*p); p++) {
		if (*p == '@')
			at = p;
		if (*p == ':' && !colon)
			colon = p;
	}
	if (at && colon && colon < at)
		mask(colon + 1, at);
	else if (at && at - begin >= USER_TOKEN_MIN)
		mask(begin, at);
	mask_user(p, end);
}

/* Tokens that can be known by themselves. */
static void mask_forms(char *begin, char *end)
{
	for (char *p = begin; p < end; p++) {
		if (p > begin && in_name(p[-1]))
			continue;
		for (size_t i = 0; i < sizeof(secret_forms) / sizeof(secret_forms[0]); i++) {
			char *last = p;

			if (!begins_with(p, end, secret_forms[i]))
				continue;
			while (last < end && in_name(*last))
				last++;
			if (last - p >= (ptrdiff_t)strlen(secret_forms[i]) + FORM_MIN)
				mask(p, last);
		}
	}
}

/* Where the value of a name ends: those of URLs at '&'. */
static char *value_end(const char *before, char *value, char *end)
{
	if (*before != '?' && *before != '&')
		return end;
	while (value < end && *value != '&' && *value != '#' && !is_quote(*value))
		value++;
	return value;
}

/* NAME=SECRET, NAME:SECRET and "NAME":SECRET anywhere in a word. */
static void mask_named(struct scan *scan, char *begin, char *end)
{
	for (char *p = begin; p < end; p++) {
		char *name = p, *after;

		while (p < end && in_name(*p))
			p++;
		after = p;
		if (after == name || !is_secret_name(name, after))
			continue;
		while (after < end && is_quote(*after))
			after++;
		if (after == end || (*after != '=' && *after != ':') ||
		    begins_with(after, end, "://"))
			continue;
		if (after + 1 == end) {
			scan->next = true; /* {"password": "X"} */
			return;
		}
		p = value_end(name > begin ? name - 1 : name, after + 1, end);
		mask(after + 1, p);
	}
}

/* Words ---------------------------------------------------------------------------- */

static void mask_words(struct scan *scan, char *command, char *end);

/* "-pX", "-p X": whether the word is one of the program's options for secrets, which is done with then. */
static bool mask_letter(struct scan *scan, char *word, char *end)
{
	const char *letters = scan->letters;
	bool joined = letters && *letters == '+';

	if (!letters || end - word < 2 || word[0] != '-' || word[1] == '+' ||
	    !strchr(letters, word[1]))
		return false;
	if (end - word > 2)
		mask(word + 2, end);
	else
		scan->next = !joined;
	return true;
}

/* `pattern`: a name, or what it begins with and a star. */
static bool is_named(const char *pattern, const char *name, size_t length)
{
	size_t known = strcspn(pattern, "*");

	return (pattern[known] ? length >= known : length == known) &&
	       !memcmp(pattern, name, known);
}

static void look_for_program(struct scan *scan, const char *word, const char *end)
{
	const char *base = memrchr(word, '/', (size_t)(end - word));

	base = base ? base + 1 : word;
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
		if (is_named(programs[i].name, base, (size_t)(end - base)))
			scan->letters = programs[i].letters;
}

static bool has_blank(const char *word, const char *end)
{
	for (; word < end; word++)
		if (is_blank(*word))
			return true;
	return false;
}

/* "Authorization: Bearer X": the name of a header before a colon. */
static bool mask_header(char *word, char *end)
{
	char *p = word;

	while (p < end && in_name(*p))
		p++;
	if (p == word || p == end || *p != ':' || !is_secret_name(word, p))
		return false;
	mask(p + 1, end);
	return true;
}

/* A word of several words: what a shell is to run ("sh -c"), or a header. */
static bool mask_phrase(struct scan *scan, char *word, char *end)
{
	struct scan inner = {.depth = scan->depth + 1};

	if (!has_blank(word, end) || word[0] == '-' || scan->depth >= DEPTH_MAX)
		return false;
	if (!mask_header(word, end))
		mask_words(&inner, word, end);
	return true;
}

static void mask_word(struct scan *scan, char *word, char *end, bool of_shell)
{
	char *name = word;

	if (scan->rest || (scan->next && !begins_with(word, end, "--"))) {
		mask(word, end);
		scan->next = false;
		return;
	}
	scan->next = false;
	if (begins_with(word, end, "-----BEGIN")) {
		mask(word, end);
		scan->rest = true;
		return;
	}
	if (of_shell && end - word >= 2 && is_quote(*word) && end[-1] == *word) {
		word++;
		end--;
		of_shell = false;
	}
	if ((!of_shell && mask_phrase(scan, word, end)) || mask_letter(scan, word, end))
		return;
	look_for_program(scan, word, end);
	while (name < end && *name == '-')
		name++;
	for (char *p = name; p <= end; p++)
		if (p == end)
			scan->next = (name > word && is_secret_name(name, end)) ||
				     (end - name == 6 && !memcmp(name + 1, "earer", 5));
		else if (!in_name(*p))
			break;
	mask_named(scan, word, end);
	mask_user(word, end);
	mask_forms(word, end);
}

/* The end of a shell's word: the next blank that is not quoted. */
static char *word_end(char *p, const char *end)
{
	char quote = '\0';

	for (; p < end && (quote || !is_blank(*p)); p++) {
		if (*p == '\\' && quote != '\'' && p + 1 < end)
			p++;
		else if (quote ? *p == quote : is_quote(*p))
			quote = quote ? '\0' : *p;
	}
	return p;
}

static void mask_words(struct scan *scan, char *command, char *end)
{
	while (command < end) {
		char *word = command;

		while (word < end && is_blank(*word))
			word++;
		command = word_end(word, end);
		if (command > word)
			mask_word(scan, word, command, true);
	}
}

/* ---------------------------------------------------------------------------------- */

enum secrets_kept secrets_kept_by(const char *setting)
{
	if (setting && !strcmp(setting, "0"))
		return SECRETS_LEAVE_OUT;
	return setting && !strcmp(setting, "raw") ? SECRETS_KEEP : SECRETS_MASK;
}

void secrets_mask_argv(char *strings, size_t size)
{
	struct scan scan = {.next = false};
	char *end = strings + size;

	while (strings < end) {
		size_t length = strnlen(strings, (size_t)(end - strings));

		mask_word(&scan, strings, strings + length, false);
		strings += length + 1;
	}
}

void secrets_mask_command(char *command, size_t length)
{
	struct scan scan = {.next = false};

	mask_words(&scan, command, command + length);
}

void secrets_mask_variable(const char *name, char *value, size_t length)
{
	struct scan scan = {.next = false};

	if (is_secret_name(name, name + strlen(name)))
		mask(value, value + length);
	else
		mask_word(&scan, value, value + length, false);
}

#ifdef UNIT_TEST
#include "unittest.h"

static void replace(char *text, size_t length, char from, char to)
{
	for (size_t i = 0; i < length; i++)
		if (text[i] == from)
			text[i] = to;
}

/* "|" stands for the end of an argument. */
static const char *masked_argv(const char *line)
{
	static char text[512];
	size_t length = strlen(line);

	memcpy(text, line, length + 1);
	replace(text, length, '|', '\0');
	secrets_mask_argv(text, length + 1);
	replace(text, length, '\0', '|');
	return text;
}

static const char *masked_command(const char *line)
{
	static char text[512];

	memcpy(text, line, strlen(line) + 1);
	secrets_mask_command(text, strlen(text));
	return text;
}

TEST_CASE(secrets_in_arguments_are_masked)
{
	EXPECT_STR(masked_argv("app|--password|abc|x"), "app|--password|***|x");
	EXPECT_STR(masked_argv("app|--password=abc|x"), "app|--password=***|x");
	EXPECT_STR(masked_argv("app|-passwd|abc"), "app|-passwd|***");
	EXPECT_STR(masked_argv("app|--api-key|abc"), "app|--api-key|***");
	EXPECT_STR(masked_argv("app|--apiKey=abc"), "app|--apiKey=***");
	EXPECT_STR(masked_argv("app|--hf_token=abc"), "app|--hf_token=***");
	EXPECT_STR(masked_argv("env|AWS_SECRET_ACCESS_KEY=abc|app"),
		   "env|AWS_SECRET_ACCESS_KEY=***|app");
	EXPECT_STR(masked_argv("/usr/bin/mysql|-u|root|-pabc|db"),
		   "/usr/bin/mysql|-u|root|-p***|db");
	EXPECT_STR(masked_argv("mysql|-p|db"), "mysql|-p|db");
	EXPECT_STR(masked_argv("sshpass|-p|abc|ssh|h"), "sshpass|-p|***|ssh|h");
	EXPECT_STR(masked_argv("curl|-u|me:abc|https://h"), "curl|-u|******|https://h");
	EXPECT_STR(masked_argv("curl|-H|Authorization: Bearer abc|u"),
		   "curl|-H|Authorization:***********|u");
	EXPECT_STR(masked_argv("git|clone|https://me:abc@host/x"),
		   "git|clone|https://me:***@host/x");
	EXPECT_STR(masked_argv("x|https://h/?a=1&token=abc&b=2"), "x|https://h/?a=1&token=***&b=2");
	EXPECT_STR(masked_argv("x|{\"password\":\"abc\"}"), "x|{\"password\":******");
	EXPECT_STR(masked_argv("x|-passin|pass:abc"), "x|-passin|pass:***");
	EXPECT_STR(masked_argv("x|ghp_0123456789abcdef"), "x|********************");
	EXPECT_STR(masked_argv("sh|-c|PGPASSWORD=abc psql -h db"),
		   "sh|-c|PGPASSWORD=*** psql -h db");
}

TEST_CASE(what_is_no_secret_stays)
{
	const char *const lines[] = {
		"app|--max-tokens|4096",         "app|--tokenizer=gpt2", "app|-p|8080",
		"TOKENIZERS_PARALLELISM=true|x", "PWD=/home/me|x",       "ssh://host:22/a@b",
		"app|--passes=3|--compress",     "cp|/etc/passwd|/tmp"};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		EXPECT_STR(masked_argv(lines[i]), lines[i]);
}

TEST_CASE(secrets_in_shell_commands_are_masked)
{
	EXPECT_STR(masked_command("curl -H \"Authorization: Bearer abc\" https://h/x"),
		   "curl -H \"Authorization:***********\" https://h/x");
	EXPECT_STR(masked_command("TOKEN=abc run --password 'a b' x"),
		   "TOKEN=*** run --password ***** x");
	EXPECT_STR(masked_command("sh -c 'mysql -pabc db' && ls"), "sh -c 'mysql -p*** db' && ls");
	EXPECT_STR(masked_command("echo {\"password\": \"abc\"}"), "echo {\"password\": ******");
	EXPECT_STR(masked_command(""), "");
	EXPECT_STR(masked_command("\"' \"' \"' \"' \"' \"' \"'"), "\"' \"' \"' \"' \"' \"' \"'");
}

TEST_CASE(secrets_in_variables_are_masked)
{
	char password[] = "abc", url[] = "postgres://me:abc@h/db", path[] = "/usr/bin:/bin";

	secrets_mask_variable("MY_PASSWORD", password, strlen(password));
	secrets_mask_variable("DATABASE", url, strlen(url));
	secrets_mask_variable("PATH", path, strlen(path));
	EXPECT_STR(password, "***");
	EXPECT_STR(url, "postgres://me:***@h/db");
	EXPECT_STR(path, "/usr/bin:/bin");
}
#endif
