/* SPDX-License-Identifier: MIT */
/* names.cc - functions whose names alone do not tell which is meant. */
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#define NOINLINE __attribute__((noinline, noclone))

template <typename T> class Stack
{
	std::vector<T> all;

      public:
	NOINLINE void push(const T &value)
	{
		all.push_back(value);
	}
	NOINLINE T &operator[](int at)
	{
		return all[static_cast<unsigned>(at)];
	}
	NOINLINE std::size_t operator()(const char *text, int more) const
	{
		std::printf("%s %d\n", text, more);
		return all.size();
	}
};

namespace
{
NOINLINE int inner(int n)
{
	std::printf("inner %d\n", n);
	return n + 1;
}
} // namespace

NOINLINE int over(int n)
{
	std::printf("int %d\n", n);
	return n;
}

NOINLINE int over(const char *text)
{
	std::printf("text %s\n", text);
	return 0;
}

NOINLINE int over(char *text)
{
	text[0] = 'O';
	return over(const_cast<const char *>(text));
}

NOINLINE int over(const std::string &text, unsigned long n)
{
	std::printf("string %s %lu\n", text.c_str(), n);
	return 0;
}

NOINLINE std::string tagged(int n)
{
	return std::string(static_cast<unsigned>(n), 'x');
}

int main()
{
	char text[] = "own";
	Stack<int> ints;
	Stack<std::pair<int, const char *>> pairs;

	for (int i = 0; i < 3; i++)
		ints.push(i);
	pairs.push(std::make_pair(1, "one"));
	pairs.push(std::make_pair(2, "two"));
	ints[1] += inner(over(7));
	over("constant");
	over(text);
	over(tagged(3), 5UL);
	return ints("of ints", 1) + pairs("of pairs", 2) == 5 ? 0 : 1;
}
