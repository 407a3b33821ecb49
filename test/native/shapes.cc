/* SPDX-License-Identifier: MIT */
/*
 * shapes.cc - exceptions, virtual calls, threads, jumps and 200 functions, each of which counts its calls by itself. With an argument, a file's name, the counts go there: "NAME CALLS".
 */
#include <csetjmp>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <ucontext.h>
#include <execinfo.h>

#include <atomic>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#define NOINLINE __attribute__((noinline, noclone))

static std::mutex counts_lock;
static std::map<std::string, std::atomic<long> *> &counts()
{
	static std::map<std::string, std::atomic<long> *> all;
	return all;
}

/* One for each function that is to be traced. */
struct Counter {
	std::atomic<long> calls{0};
	explicit Counter(const char *name)
	{
		std::lock_guard<std::mutex> hold(counts_lock);
		counts()[name] = &calls;
	}
};

#define COUNT(name)                                                                                \
	static Counter counter(name);                                                              \
	counter.calls++

/* ---- 200 functions ---- */

#define ONE(n)                                                                                     \
	NOINLINE long numbered_##n(long x)                                                         \
	{                                                                                          \
		COUNT("numbered_" #n);                                                             \
		return x * 31 + 1##n;                                                              \
	}
#define TEN(n)                                                                                     \
	ONE(n##0) ONE(n##1) ONE(n##2) ONE(n##3) ONE(n##4) ONE(n##5) ONE(n##6) ONE(n##7) ONE(n##8) ONE(n##9)
#define HUNDRED(n)                                                                                 \
	TEN(n##0) TEN(n##1) TEN(n##2) TEN(n##3) TEN(n##4) TEN(n##5) TEN(n##6) TEN(n##7) TEN(n##8) TEN(n##9)
HUNDRED(1)
HUNDRED(2)
#undef ONE
#define ONE(n) numbered_##n,
static long (*const numbered[])(long) = {HUNDRED(1) HUNDRED(2)};

/* ---- classes ---- */

namespace shapes
{
class Shape
{
	double unit;

      public:
	explicit Shape(double unit) : unit(unit)
	{
	}
	virtual ~Shape() = default;
	virtual double area(int times) const = 0;
	NOINLINE double scaled(double by) const
	{
		COUNT("shapes::Shape::scaled");
		return by * unit * area(3);
	}
};

class Square : public Shape
{
      public:
	Square() : Shape(1.5)
	{
	}
	NOINLINE double area(int times) const override
	{
		COUNT("shapes::Square::area");
		return times * 4.0 + numbered_100(times) % 7;
	}
};

class Circle : public Shape
{
      public:
	Circle() : Shape(0.5)
	{
	}
	NOINLINE double area(int times) const override
	{
		COUNT("shapes::Circle::area");
		return times * 3.14 + numbered_101(times) % 5;
	}
};

template <typename T> NOINLINE T twice(T value)
{
	COUNT(sizeof(T) == sizeof(int) ? "shapes::twice<int>" : "shapes::twice<double>");
	return value + value;
}
} // namespace shapes

namespace
{
NOINLINE int hidden(int value)
{
	COUNT("(anonymous namespace)::hidden");
	return value * 7 + (int)numbered_102(value);
}
} // namespace

/* ---- exceptions ---- */

struct Guard {
	int *cleaned;
	~Guard()
	{
		++*cleaned;
		numbered_103(*cleaned);
	}
};

NOINLINE int thrower(int depth)
{
	COUNT("thrower");
	if (depth % 5 == 0)
		throw std::runtime_error("depth " + std::to_string(depth));
	return (int)numbered_104(depth);
}

NOINLINE int sinking(int depth, int *cleaned)
{
	COUNT("sinking");
	Guard guard{cleaned};

	if (depth > 0)
		return 1 + sinking(depth - 1, cleaned);
	return thrower(*cleaned * 5);
}

NOINLINE int catching(int depth)
{
	COUNT("catching");
	int cleaned = 0;

	try {
		return sinking(depth, &cleaned);
	} catch (const std::exception &error) {
		return cleaned + (int)strlen(error.what()) + hidden(cleaned);
	}
}

/* By one that throws it again. */
NOINLINE int rethrowing(int depth)
{
	COUNT("rethrowing");
	try {
		int cleaned = 0;
		return sinking(depth, &cleaned);
	} catch (...) {
		throw;
	}
}

NOINLINE int exceptions()
{
	COUNT("exceptions");
	int sum = 0;

	for (int i = 0; i < 40; i++)
		sum += catching(i % 9);
	for (int i = 0; i < 40; i++)
		try {
			sum += rethrowing(i % 4);
		} catch (const std::runtime_error &) {
			sum += 3;
		}
	return sum;
}

/* ---- jumps ---- */

static jmp_buf place;

NOINLINE void jumping(int depth)
{
	COUNT("jumping");
	if (depth == 0)
		longjmp(place, 1);
	jumping(depth - 1);
	numbered_105(depth);
}

NOINLINE int jumps()
{
	COUNT("jumps");
	volatile int done = 0;

	for (int i = 0; i < 700; i++) {
		if (!setjmp(place))
			jumping(i % 6);
		done = done + 1;
	}
	return done;
}

/* ---- stacks that are switched ---- */

static ucontext_t main_context, other_contexts[3];
static int turns;

NOINLINE void turn(int who)
{
	COUNT("turn");
	turns = turns * 3 + who;
	swapcontext(&other_contexts[who], &main_context);
	numbered_106(who);
}

NOINLINE void coroutine(int who)
{
	COUNT("coroutine");
	for (int i = 0; i < 4; i++)
		turn(who);
}

NOINLINE int switching()
{
	COUNT("switching");
	static char stacks[3][1 << 16];

	for (int i = 0; i < 3; i++) {
		getcontext(&other_contexts[i]);
		other_contexts[i].uc_stack.ss_sp = stacks[i];
		other_contexts[i].uc_stack.ss_size = sizeof(stacks[i]);
		other_contexts[i].uc_link = &main_context;
		makecontext(&other_contexts[i], (void (*)())coroutine, 1, i);
	}
	/* in another order each time, to the end; the last one is never finished */
	for (int i = 0; i < 5; i++)
		for (int k = 0; k < 3; k++)
			if (i < 4 || (k + i) % 3 != 2)
				swapcontext(&main_context, &other_contexts[(k + i) % 3]);
	return turns;
}

/* ---- threads ---- */

NOINLINE long working(int who)
{
	COUNT("working");
	long sum = who;

	for (int i = 0; i < 50; i++)
		for (auto function : numbered)
			sum = function(sum) % 1000003;
	return sum + catching(who);
}

static std::atomic<bool> waits;

NOINLINE void waiting()
{
	COUNT("waiting");
	waits = true;
	for (;;)
		pthread_testcancel();
}

NOINLINE void *cancelled(void *)
{
	COUNT("cancelled");
	waiting();
	return nullptr;
}

NOINLINE int cancelling()
{
	COUNT("cancelling");
	pthread_t thread;
	void *result;

	pthread_create(&thread, nullptr, cancelled, nullptr);
	while (!waits)
		std::this_thread::yield();
	pthread_cancel(thread);
	pthread_join(thread, &result);
	return result == PTHREAD_CANCELED;
}

/* ---- odd ones ---- */

NOINLINE double many(int a, double b, int c, double d, int e, int f, int g, int h, double i, int j)
{
	COUNT("many");
	return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j;
}

NOINLINE long double longer(long double value)
{
	COUNT("longer");
	return value * 1.5L;
}

struct Large {
	long words[12];
};

NOINLINE Large large(Large from, int by)
{
	COUNT("large");
	for (long &word : from.words)
		word *= by;
	return from;
}

NOINLINE int variadic(const char *format, ...)
{
	COUNT("variadic");
	char text[100];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	return (int)strlen(text);
}

NOINLINE int frames()
{
	COUNT("frames");
	void *addresses[64];

	return backtrace(addresses, 64);
}

NOINLINE int odd(int n)
{
	COUNT("odd");
	if (n == 0)
		return 0;
	extern int even(int);
	return even(n - 1);
}

NOINLINE int even(int n)
{
	COUNT("even");
	if (n == 0)
		return 1;
	return odd(n - 1);
}

static void write_counts(const char *path)
{
	FILE *file = fopen(path, "w");

	for (const auto &count : counts())
		fprintf(file, "%s %ld\n", count.first.c_str(), count.second->load());
	fclose(file);
}

int main(int argc, char **argv)
{
	shapes::Square square;
	shapes::Circle circle;
	const shapes::Shape *all[] = {&square, &circle, &square};
	std::vector<std::thread> threads;
	long sums[4];
	double area = 0;

	for (const shapes::Shape *shape : all)
		area += shape->scaled(2);
	printf("area %.3f\n", area);
	printf("exceptions %d\n", exceptions());
	printf("jumps %d\n", jumps());
	printf("switching %d\n", switching());
	for (int i = 0; i < 4; i++)
		threads.emplace_back([i, &sums] { sums[i] = working(i); });
	for (std::thread &thread : threads)
		thread.join();
	printf("working %ld %ld %ld %ld\n", sums[0], sums[1], sums[2], sums[3]);
	printf("cancelling %d\n", cancelling());
	printf("many %.2f\n", many(1, 2.5, 3, 4.5, 5, 6, 7, 8, 9.5, 10));
	printf("longer %.3Lf\n", longer(2.25L));
	printf("large %ld\n", large(Large{{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}}, 3).words[11]);
	printf("variadic %d\n", variadic("%d %.3f %s", 42, 2.5, "text"));
	printf("frames %d\n", frames() >= 3); /* the recorder adds one for each traced function */
	printf("odd %d %d\n", odd(5), odd(6));
	printf("twice %d %.1f\n", shapes::twice(4), shapes::twice(2.5));
	if (argc > 1)
		write_counts(argv[1]);
	return 0;
}
