/* SPDX-License-Identifier: MIT */
/* sites.cc - a call from a function of a template. */
#include <fcntl.h>
#include <unistd.h>

namespace store {
template <class T> struct shelf {
	__attribute__((noinline)) void save(T fd)
	{
		write(fd, "x", 1); /* at store::shelf<int>::save(int) */
		__asm__("");
	}
};
}

int main()
{
	store::shelf<int> shelf;

	shelf.save(open("out", O_CREAT | O_RDWR, 0600)); /* at main */
	return 0;
}
