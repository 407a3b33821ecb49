/* SPDX-License-Identifier: MIT */
/* declared.cc - functions with arguments of many types. */
#include <cstdio>
#include <string>

#define NOINLINE __attribute__((noinline, noclone))

enum color : unsigned char { RED, GREEN = 200 };
struct pair {
	int a;
	double b;
};
struct big {
	long all[5];
};
union word {
	float f;
	int i;
};
struct outer {
	pair inner;
};

static volatile long sink;

NOINLINE int plain(int count, const char *name, double weight, bool flag, color shade, float half)
{
	sink += count + name[0] + static_cast<int>(weight + half) + flag + shade;
	return -count;
}

NOINLINE unsigned char narrow(unsigned char a, signed char b, unsigned short c, short d, char e,
			      unsigned long f)
{
	sink += a + b + c + d + e + static_cast<long>(f);
	return static_cast<unsigned char>(a + 1);
}

/* after the registers, the stack; structures take registers, or words of the stack */
NOINLINE double crowded(int a, pair both, long b, big huge, long c, word either, long d, long e,
			int on_stack, long double wide, long last)
{
	sink += a + both.a + b + huge.all[4] + c + either.i + d + e + on_stack +
		static_cast<long>(wide) + last;
	return both.b;
}

NOINLINE big returned(int a, const char *text)
{
	big made = {{a, text[0], 0, 0, 0}};

	return made;
}

NOINLINE outer small(long a)
{
	outer made = {{static_cast<int>(a), 0.5}};

	return made;
}

NOINLINE std::string text(std::string by_reference, int n, int &out)
{
	out = n + 1;
	return by_reference + "!";
}

NOINLINE const char *chosen(const char *const *list, int at)
{
	return list[at];
}

struct Counter {
	int value;
	NOINLINE long add(int by, const Counter &other)
	{
		value += by + other.value;
		return value;
	}
	virtual ~Counter() = default;
	virtual bool is(int wanted) const noexcept;
};

NOINLINE bool Counter::is(int wanted) const noexcept
{
	return value == wanted;
}

template <typename T> NOINLINE T twice(T value)
{
	sink += static_cast<long>(value);
	return value + value;
}

typedef int handler(const char *, int);

NOINLINE int called(handler *with, int n, ...)
{
	return with ? n : 0;
}

int main()
{
	static const char *const names[] = {"zero", nullptr};
	const pair both = {7, 2.5};
	const big huge = {{1, 2, 3, 4, 5}};
	word either;
	int out = 0;
	Counter counter, other;

	counter.value = 1;
	other.value = 2;
	either.i = 3;
	for (int i = 0; i < 2; i++)
		plain(i, "first", 1.5, i > 0, i ? GREEN : RED, 0.25F);
	narrow(200, -5, 60000, -300, 'x', 1UL << 63);
	std::printf("%g\n", crowded(1, both, 2, huge, 3, either, 4, 5, 6, 7.0L, 8));
	std::printf("%ld\n", returned(9, "nine").all[0]);
	std::printf("%d\n", small(11).inner.a);
	std::printf("%s\n", text("by value", 3, out).c_str());
	std::printf("%d\n", out);
	std::printf("%d\n", chosen(names, 0) != nullptr && chosen(names, 1) == nullptr);
	std::printf("%ld\n", counter.add(4, other));
	std::printf("%d\n", counter.is(7));
	std::printf("%d\n", twice(21));
	std::printf("%g\n", twice(1.25));
	std::printf("%d\n", called(nullptr, 3, 4.0));
	return 0;
}
