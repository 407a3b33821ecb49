dnl SPDX-License-Identifier: MIT
dnl RECORDER_CHECK_LINK(FLAG, VARIABLE): append FLAG to VARIABLE if a program links with it.
AC_DEFUN([RECORDER_CHECK_LINK], [
	AS_VAR_PUSHDEF([cache], [AS_TR_SH([recorder_cv_ld_$1])])
	AC_CACHE_CHECK([whether $CC links with $1], [cache], [
		recorder_save_LDFLAGS=$LDFLAGS
		LDFLAGS="$LDFLAGS $1"
		AC_LINK_IFELSE([AC_LANG_PROGRAM()], [cache=yes], [cache=no])
		LDFLAGS=$recorder_save_LDFLAGS
	])
	AS_VAR_IF([cache], [yes], [$2="$$2 $1"])
	AS_VAR_POPDEF([cache])
])

dnl RECORDER_LINK_FLAGS: flags of everything linked (LINK_LDFLAGS) and compiled (STRING_CFLAGS), of the library that lives in
dnl other people's processes (PRELOAD_CFLAGS, PRELOAD_LDFLAGS).
AC_DEFUN([RECORDER_LINK_FLAGS], [
	LINK_LDFLAGS=
	RECORDER_CHECK_LINK([-Wl,--as-needed], [LINK_LDFLAGS])
	RECORDER_CHECK_LINK([-Wl,-z,relro], [LINK_LDFLAGS])

	# Copies of some tens of bytes are what there is most of; as "rep movs" each has to wait 10 ns for that instruction to begin.
	STRING_CFLAGS=
	RECORDER_CHECK_FLAG([-mstringop-strategy=libcall], [STRING_CFLAGS])
	AC_SUBST([STRING_CFLAGS])

	# All symbols are bound at load (no lazy binding inside a traced call), so a PLT would only
	# add a jump; thread-local data is at a fixed distance of the thread pointer.
	PRELOAD_CFLAGS=
	RECORDER_CHECK_FLAG([-ftls-model=initial-exec], [PRELOAD_CFLAGS])
	RECORDER_CHECK_FLAG([-fno-plt], [PRELOAD_CFLAGS])
	# A header's promise that a pointer is not NULL binds the program, and it may break it.
	RECORDER_CHECK_FLAG([-fno-delete-null-pointer-checks], [PRELOAD_CFLAGS])
	# Its checks are functions of libc, which others may stand in front of (lib/record/memory.c).
	PRELOAD_CFLAGS="$PRELOAD_CFLAGS -U_FORTIFY_SOURCE"
	# The end of a wrapper is not rare, though the compiler thinks so after some ten conditions, and would put it megabytes away from its begin.
	RECORDER_CHECK_FLAG([-fno-reorder-blocks-and-partition], [PRELOAD_CFLAGS])
	# Two neighbouring fields written one by one and read as one vector stall the store buffer.
	RECORDER_CHECK_FLAG([-fno-tree-slp-vectorize], [PRELOAD_CFLAGS])
	# Handlers around which vector registers are not saved (lib/native).
	GENERAL_CFLAGS=
	RECORDER_CHECK_FLAG([-mgeneral-regs-only], [GENERAL_CFLAGS])
	AS_IF([test -n "$GENERAL_CFLAGS"], [GENERAL_CFLAGS="$GENERAL_CFLAGS -DGENERAL_REGISTERS_ONLY"])
	RECORDER_CHECK_FLAG([-fno-sanitize=all], [GENERAL_CFLAGS])
	AC_SUBST([GENERAL_CFLAGS])
	PRELOAD_LDFLAGS=
	RECORDER_CHECK_LINK([-Wl,-z,now], [PRELOAD_LDFLAGS])
	RECORDER_CHECK_LINK([-Wl,-z,text], [PRELOAD_LDFLAGS])
	# A sanitizer's library gives its symbols only in the program.
	AS_IF([test -z "$recorder_sanitizers"],
		[RECORDER_CHECK_LINK([-Wl,-z,defs], [PRELOAD_LDFLAGS])])
	# Libraries that the program is linked with call our wrappers from their constructors. Those run
	# before ours, by whose first one AddressSanitizer comes up: but for this flag.
	AS_IF([test "x$enable_asan" = xyes],
		[RECORDER_CHECK_LINK([-Wl,-z,initfirst], [PRELOAD_LDFLAGS])])
	# Programs leave wrappers by longjmp, or exec in the child of a vfork, and AddressSanitizer does
	# not see it: its marks around local variables would stay there (lib/record/sanitizer.h).
	WRAPPER_CFLAGS=
	AS_IF([test "x$enable_asan" = xyes], [
		RECORDER_CHECK_FLAG([--param=asan-stack=0], [WRAPPER_CFLAGS])
		RECORDER_CHECK_FLAG([-mllvm -asan-stack=0], [WRAPPER_CFLAGS])
	])
	AC_SUBST([WRAPPER_CFLAGS])
	AC_SUBST([LINK_LDFLAGS])
	AC_SUBST([PRELOAD_CFLAGS])
	AC_SUBST([PRELOAD_LDFLAGS])
])
