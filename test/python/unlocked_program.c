/* SPDX-License-Identifier: MIT */
/* unlocked_program.c - says of itself what a build of Python without its lock says; there is none on this machine. What is looked at behind that would end it. */
#include <stdio.h>
#include <stdlib.h>

const char *Py_GetVersion(void);
int Py_IsInitialized(void);
int PySys_AddAuditHook(void *hook, void *data);

const char *Py_GetVersion(void)
{
	return "3.13.0 experimental free-threading build (main, Oct  7 2024, 23:47:22) [GCC "
	       "13.2.0]";
}

int Py_IsInitialized(void)
{
	return 1;
}

int PySys_AddAuditHook(void *hook, void *data)
{
	(void)hook;
	(void)data;
	abort();
}

int main(void)
{
	puts("done");
	return 0;
}
