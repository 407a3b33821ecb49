dnl SPDX-License-Identifier: MIT
dnl RECORDER_CHECK_FLAG(FLAG, VARIABLE): append FLAG to VARIABLE if the compiler takes it.
AC_DEFUN([RECORDER_CHECK_FLAG], [
	AS_VAR_PUSHDEF([cache], [AS_TR_SH([recorder_cv_cc_$1])])
	AC_CACHE_CHECK([whether $CC takes $1], [cache], [
		recorder_save_CFLAGS=$CFLAGS
		# gcc takes any -Wno-x in silence: ask for the positive form
		recorder_flag=`AS_ECHO(["$1"]) | $SED 's/^-Wno-/-W/'`
		CFLAGS="$CFLAGS -Werror $recorder_flag"
		AC_COMPILE_IFELSE([AC_LANG_PROGRAM()], [cache=yes], [cache=no])
		CFLAGS=$recorder_save_CFLAGS
	])
	AS_VAR_IF([cache], [yes], [$2="$$2 $1"])
	AS_VAR_POPDEF([cache])
])

dnl RECORDER_WARNINGS: probe each warning; set WARN_CFLAGS. --enable-werror makes them errors.
AC_DEFUN([RECORDER_WARNINGS], [
	AC_ARG_ENABLE([werror],
		[AS_HELP_STRING([--enable-werror], [make compiler warnings errors (for developers)])],
		[], [enable_werror=no])
	WARN_CFLAGS=
	m4_foreach_w([flag], [
		-Wall
		-Wextra
		-Wshadow
		-Wundef
		-Wvla
		-Wformat=2
		-Wpointer-arith
		-Wwrite-strings
		-Wstrict-prototypes
		-Wmissing-prototypes
		-Wold-style-definition
		-Wlogical-op
		-Wduplicated-cond
		-Wimplicit-fallthrough
		-Wstringop-overflow
		-Warray-bounds
		-Wdate-time
		-Wno-unused-parameter
		-Wno-gnu-variable-sized-type-not-at-end
	], [RECORDER_CHECK_FLAG(flag, [WARN_CFLAGS])])
	AS_IF([test "x$enable_werror" = xyes], [WARN_CFLAGS="$WARN_CFLAGS -Werror"])
	AC_SUBST([WARN_CFLAGS])
])
