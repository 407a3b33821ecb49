/* SPDX-License-Identifier: MIT */
/* characters.c - puts characters into a file and gets them back, one by one. */
#include <stdio.h>

#define CHARACTERS 20000

int main(void)
{
	FILE *stream = fopen("characters", "w+");
	long sum = 0;

	if (!stream)
		return 1;
	for (int i = 0; i < CHARACTERS; i++)
		fputc('a' + i % 26, stream);
	rewind(stream);
	for (int i = 0; i < CHARACTERS; i++)
		sum += fgetc(stream);
	printf("%ld, and then %d\n", sum, fgetc(stream));
	return 0;
}
