dnl SPDX-License-Identifier: MIT
dnl RECORDER_SANITIZER(NAME, FLAG): the option --enable-NAME, which adds -fsanitize=FLAG.
AC_DEFUN([RECORDER_SANITIZER], [
	AC_ARG_ENABLE([$1],
		[AS_HELP_STRING([--enable-$1], [build with -fsanitize=$2])],
		[], [enable_$1=no])
	AS_IF([test "x$enable_$1" = xyes], [
		recorder_ok=
		RECORDER_CHECK_LINK([-fsanitize=$2], [recorder_ok])
		AS_IF([test -z "$recorder_ok"], [AC_MSG_ERROR([$CC cannot link with -fsanitize=$2])])
		recorder_sanitizers="$recorder_sanitizers $2"
		SANITIZE_CFLAGS="$SANITIZE_CFLAGS -fsanitize=$2 -fno-omit-frame-pointer"
	])
])

dnl RECORDER_SANITIZERS: set SANITIZE_CFLAGS and the conditional SANITIZED.
AC_DEFUN([RECORDER_SANITIZERS], [
	SANITIZE_CFLAGS=
	recorder_sanitizers=
	RECORDER_SANITIZER([asan], [address])
	RECORDER_SANITIZER([ubsan], [undefined])
	RECORDER_SANITIZER([tsan], [thread])
	AS_IF([test "x$enable_asan$enable_tsan" = xyesyes],
		[AC_MSG_ERROR([--enable-asan and --enable-tsan exclude each other])])
	# a finding has to fail the test that made it
	AS_IF([test "x$enable_ubsan" = xyes],
		[SANITIZE_CFLAGS="$SANITIZE_CFLAGS -fno-sanitize-recover=undefined"])
	# it says that it does not know fences; what is ordered by one is told to it by annotations
	AS_IF([test "x$enable_tsan" = xyes], [RECORDER_CHECK_FLAG([-Wno-tsan], [SANITIZE_CFLAGS])])
	AM_CONDITIONAL([SANITIZED], [test -n "$recorder_sanitizers"])
	AM_CONDITIONAL([SANITIZED_THREADS], [test "x$enable_tsan" = xyes])
	AC_SUBST([SANITIZERS], [$recorder_sanitizers])
	AC_SUBST([SANITIZE_CFLAGS])
])
