/* SPDX-License-Identifier: MIT */
/* inner.c - a library that is there to be found. */
int inner(void);

int inner(void)
{
	return 1;
}
