/* SPDX-License-Identifier: MIT */
/* targets.c - see targets.h */
#include "record/targets.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "record/config.h"
#include "record/lifecycle.h"
#include "record/metadata.h"
#include "record/note.h"
#include "record/sys.h"
#include "record/text.h"

#define REQUESTS_MAX 256u
#define TEXTS_SIZE 32768u /* of all three settings, and once more of what is cut */
#define NEAR_NAME_MAX 80u
#define COMPARED_MAX 48u /* bytes of a name */

/* Mapped once there is something to be kept. */
static struct tables {
	struct target targets[TARGETS_MAX];
	struct target_request arguments[REQUESTS_MAX], results[REQUESTS_MAX];
	_Atomic bool matched[TARGETS_MAX], written[TARGETS_MAX];
	struct near {
		char name[NEAR_NAME_MAX];
		unsigned distance;
	} near[TARGETS_MAX][TARGET_NEAR_MAX];
	char texts[TEXTS_SIZE];
	size_t texts_used;
} * tables;

static struct {
	unsigned targets, arguments, results;
} counts;
static _Atomic unsigned unmatched;
static pthread_once_t read_once = PTHREAD_ONCE_INIT;
static _Atomic bool near_busy;

/* ---- reading ---- */

static const char *keep(const char *text, size_t length)
{
	char *copy = tables->texts + tables->texts_used;

	if (length + 1 > TEXTS_SIZE - tables->texts_used)
		return NULL;
	memcpy(copy, text, length);
	copy[length] = '\0';
	tables->texts_used += length + 1;
	return copy;
}

/* The ':' between object and name: not one of "::". */
static const char *divider_of(const char *text)
{
	for (; *text; text++) {
		if (*text != ':')
			continue;
		if (text[1] != ':')
			return text;
		text++;
	}
	return NULL;
}

static bool read_line(const char *text, uint32_t *line)
{
	uint64_t number;

	if (!text_read_u64(&text, &number) || *text || number == 0 || number > UINT32_MAX)
		return false;
	*line = (uint32_t)number;
	return true;
}

/* False: nothing to be looked for, or no room. */
static bool read_target(const char *text, size_t length, struct target *target)
{
	const char *divider;

	memset(target, 0, sizeof(*target));
	target->text = keep(text, length);
	if (!target->text || !*target->text)
		return false;
	target->plain = !strpbrk(target->text, "*?[");
	divider = divider_of(target->text);
	if (!divider) {
		target->name = target->text;
		return true;
	}
	if (divider > target->text)
		target->object = keep(target->text, (size_t)(divider - target->text));
	if (divider > target->text && !target->object)
		return false;
	if (!target->object || !read_line(divider + 1, &target->line))
		target->name = divider + 1;
	return target->line || *target->name;
}

static bool read_request(const char *text, size_t length, struct target_request *request)
{
	const char *at = memchr(text, '@', length);

	if (!at || at + 1 == text + length ||
	    !read_target(text, (size_t)(at - text), &request->target))
		return false;
	request->list = keep(at + 1, (size_t)(text + length - at - 1));
	return request->list != NULL;
}

static void complain(const char *setting, const char *text, size_t length)
{
	char buffer[160];
	struct textbuf copy = text_in(buffer, sizeof(buffer));

	text_add_bytes(&copy, text, length);
	note("cannot understand '", buffer, "' of ", setting, "; it is ignored", NULL);
}

/* The next of a list with ';' between; false at its end. */
static bool next_part(const char **list, const char **part, size_t *length)
{
	for (*list += strspn(*list, "; "); **list; *list += strspn(*list, "; ")) {
		*part = *list;
		*length = strcspn(*list, ";");
		*list += *length;
		while (*length && (*part)[*length - 1] == ' ')
			--*length;
		return true;
	}
	return false;
}

static void read_targets(const char *list)
{
	const char *part;
	size_t length;

	while (list && next_part(&list, &part, &length))
		if (counts.targets < TARGETS_MAX &&
		    read_target(part, length, &tables->targets[counts.targets]))
			counts.targets++;
		else
			complain("RECORDER_TARGETS", part, length);
}

static unsigned read_requests(const char *setting, const char *list,
			      struct target_request *requests)
{
	unsigned count = 0;
	const char *part;
	size_t length;

	while (list && next_part(&list, &part, &length))
		if (count < REQUESTS_MAX && read_request(part, length, &requests[count]))
			count++;
		else
			complain(setting, part, length);
	return count;
}

static void read_settings(void)
{
	void *memory =
		sys_mmap(sizeof(*tables), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);

	if (sys_is_error((long)memory))
		return;
	tables = memory;
	read_targets(config.targets);
	counts.arguments = read_requests("RECORDER_ARGUMENTS", config.arguments, tables->arguments);
	counts.results = read_requests("RECORDER_RESULTS", config.results, tables->results);
	atomic_store(&unmatched, counts.targets);
}

/* Whether there is anything to be read, and it is. */
static bool ready(void)
{
	if (!config.targets && !config.arguments && !config.results)
		return false;
	pthread_once(&read_once, read_settings);
	return tables != NULL;
}

unsigned targets_count(void)
{
	return ready() ? counts.targets : 0;
}

const struct target *target_at(unsigned number)
{
	return &tables->targets[number];
}

unsigned targets_arguments(void)
{
	return ready() ? counts.arguments : 0;
}

const struct target_request *target_argument_at(unsigned number)
{
	return &tables->arguments[number];
}

unsigned targets_results(void)
{
	return ready() ? counts.results : 0;
}

const struct target_request *target_result_at(unsigned number)
{
	return &tables->results[number];
}

/* ---- matches ---- */

void target_matched(unsigned number)
{
	if (!atomic_exchange(&tables->matched[number], true))
		atomic_fetch_sub(&unmatched, 1);
	if (atomic_load_explicit(&tables->written[number], memory_order_relaxed) ||
	    !lifecycle_open())
		return;
	if (!atomic_exchange(&tables->written[number], true))
		metadata_write_target(number, tables->targets[number].text);
}

bool targets_seek(void)
{
	return tables && atomic_load_explicit(&unmatched, memory_order_relaxed) > 0;
}

void targets_forked(void)
{
	for (unsigned i = 0; tables && i < counts.targets; i++)
		atomic_store(&tables->written[i], false);
}

/* ---- names that are nearly right ---- */

/* What is behind the last '.' or ':'. */
static const char *last_part(const char *name)
{
	const char *part = name;

	for (; *name; name++)
		if (*name == '.' || *name == ':')
			part = name + 1;
	return *part ? part : name;
}

static unsigned smallest(unsigned a, unsigned b, unsigned c)
{
	unsigned least = a < b ? a : b;

	return least < c ? least : c;
}

static unsigned char folded(char letter)
{
	return (unsigned char)(letter >= 'A' && letter <= 'Z' ? letter | 0x20 : letter);
}

/* Letters to be changed, taken and put to make one of the other; of names up to COMPARED_MAX, larger or smaller letters alike. */
static unsigned distance_of(const char *a, size_t a_length, const char *b, size_t b_length)
{
	unsigned row[COMPARED_MAX + 1], before, above;

	for (unsigned i = 0; i <= b_length; i++)
		row[i] = i;
	for (size_t i = 0; i < a_length; i++) {
		before = row[0]++;
		for (size_t k = 0; k < b_length; k++) {
			above = row[k + 1];
			row[k + 1] = smallest(row[k] + 1, above + 1,
					      before + (folded(a[i]) != folded(b[k])));
			before = above;
		}
	}
	return row[b_length];
}

/* UINT_MAX: it is another name altogether. */
static unsigned likeness(const struct target *target, const char *name)
{
	const char *wanted, *met;
	size_t wanted_length, met_length, difference;
	unsigned distance;

	if (!target->name)
		return UINT32_MAX;
	wanted = last_part(target->name);
	met = last_part(name);
	wanted_length = strlen(wanted);
	met_length = strlen(met);
	difference = wanted_length > met_length ? wanted_length - met_length
						: met_length - wanted_length;
	if (difference > wanted_length / 3 + 1 || wanted_length > COMPARED_MAX ||
	    met_length > COMPARED_MAX)
		return UINT32_MAX;
	distance = distance_of(wanted, wanted_length, met, met_length);
	return distance <= wanted_length / 3 + 1 && distance < wanted_length ? distance
									     : UINT32_MAX;
}

/* Sorted by distance, each name once. */
static void keep_near(struct near near[TARGET_NEAR_MAX], const char *name, unsigned distance)
{
	unsigned at = 0;

	if (strlen(name) >= NEAR_NAME_MAX)
		return;
	for (unsigned i = 0; i < TARGET_NEAR_MAX; i++)
		if (!strcmp(near[i].name, name))
			return;
	while (at < TARGET_NEAR_MAX && near[at].name[0] && near[at].distance <= distance)
		at++;
	if (at == TARGET_NEAR_MAX)
		return;
	memmove(&near[at + 1], &near[at], (TARGET_NEAR_MAX - at - 1) * sizeof(near[0]));
	memcpy(near[at].name, name, strlen(name) + 1);
	near[at].distance = distance;
}

/* Who finds another thread here goes on: a hint less does no harm. */
void targets_offer(const char *name)
{
	if (!targets_seek() || !*name || atomic_exchange(&near_busy, true))
		return;
	for (unsigned i = 0; i < counts.targets; i++) {
		unsigned distance = atomic_load(&tables->matched[i])
					    ? UINT32_MAX
					    : likeness(&tables->targets[i], name);

		if (distance != UINT32_MAX)
			keep_near(tables->near[i], name, distance);
	}
	atomic_store(&near_busy, false);
}

void targets_each_unmatched(void (*visit)(void *data, unsigned number, const struct target *target,
					  const char *const near[TARGET_NEAR_MAX]),
			    void *data)
{
	const char *names[TARGET_NEAR_MAX];

	if (!tables || atomic_exchange(&near_busy, true))
		return;
	for (unsigned i = 0; i < counts.targets; i++) {
		if (atomic_load(&tables->matched[i]))
			continue;
		for (unsigned k = 0; k < TARGET_NEAR_MAX; k++)
			names[k] = tables->near[i][k].name[0] ? tables->near[i][k].name : NULL;
		visit(data, i, &tables->targets[i], names);
	}
	atomic_store(&near_busy, false);
}

#ifdef UNIT_TEST
#include "unittest.h"

static void use(const char *targets, const char *arguments)
{
	static const pthread_once_t never = PTHREAD_ONCE_INIT;

	if (tables)
		sys_munmap(tables, sizeof(*tables));
	tables = NULL;
	memset(&counts, 0, sizeof(counts));
	read_once = never;
	config.targets = targets;
	config.arguments = arguments;
}

TEST_CASE(targets_have_parts)
{
	use("f; C.m ;ns::f;libfoo.so:ns::bar;mod:C.m;dir/file.py:12;:g;;a*", NULL);
	EXPECT_EQ(targets_count(), 8);
	EXPECT(!target_at(0)->object && !strcmp(target_at(0)->name, "f") && target_at(0)->plain);
	EXPECT(!strcmp(target_at(1)->text, "C.m"));
	EXPECT(!target_at(2)->object && !strcmp(target_at(2)->name, "ns::f"));
	EXPECT(!strcmp(target_at(3)->object, "libfoo.so") &&
	       !strcmp(target_at(3)->name, "ns::bar"));
	EXPECT(!strcmp(target_at(4)->object, "mod") && !strcmp(target_at(4)->name, "C.m"));
	EXPECT(!strcmp(target_at(5)->object, "dir/file.py") && !target_at(5)->name);
	EXPECT_EQ(target_at(5)->line, 12);
	EXPECT(!target_at(6)->object && !strcmp(target_at(6)->name, "g"));
	EXPECT(!target_at(7)->plain);
	use(NULL, NULL);
	EXPECT_EQ(targets_count(), 0);
}

TEST_CASE(targets_have_requests)
{
	use(NULL, "lib:solve@arg1/i,arg2/s;odd;empty@");
	EXPECT_EQ(targets_arguments(), 1);
	EXPECT(!strcmp(target_argument_at(0)->target.object, "lib"));
	EXPECT(!strcmp(target_argument_at(0)->target.name, "solve"));
	EXPECT(!strcmp(target_argument_at(0)->list, "arg1/i,arg2/s"));
	EXPECT_EQ(targets_count(), 0);
	use(NULL, NULL);
}

static void see(void *data, unsigned number, const struct target *target,
		const char *const near[TARGET_NEAR_MAX])
{
	unsigned *seen = data;

	EXPECT_EQ(number, 0);
	EXPECT(!strcmp(target->text, "mod:raw_decod"));
	EXPECT(near[0] && !strcmp(near[0], "json.decoder.raw_decode"));
	EXPECT(near[1] && !strcmp(near[1], "raw_encode"));
	EXPECT(!near[2]);
	++*seen;
}

TEST_CASE(targets_know_what_is_near)
{
	unsigned seen = 0;

	use("mod:raw_decod;f", NULL);
	EXPECT_EQ(targets_count(), 2);
	EXPECT(targets_seek());
	atomic_store(&tables->matched[1], true);
	targets_offer("something.else");
	targets_offer("raw_encode");
	targets_offer("json.decoder.raw_decode");
	targets_offer("json.decoder.raw_decode");
	targets_each_unmatched(see, &seen);
	EXPECT_EQ(seen, 1);
	use(NULL, NULL);
}
#endif
