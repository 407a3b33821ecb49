dnl SPDX-License-Identifier: MIT
dnl RECORDER_LIBDW: LIBDW_CFLAGS, LIBDW_LIBS and LIBDW_DEFINES of the tools, which name call sites by elfutils.
AC_DEFUN([RECORDER_LIBDW], [
	AC_ARG_WITH([libdw],
		[AS_HELP_STRING([--without-libdw], [call sites are shown as offsets, not as function, file and line])],
		[], [with_libdw=check])
	have_libdw=no
	AS_IF([test "x$with_libdw" != xno],
		[PKG_CHECK_MODULES([LIBDW], [libdw >= 0.170 libelf], [have_libdw=yes], [:])])
	AS_IF([test "x$with_libdw" = xyes && test $have_libdw = no],
		[AC_MSG_ERROR([--with-libdw was given, but there is no libdw (Debian: libdw-dev)])])
	LIBDW_DEFINES=
	AS_IF([test $have_libdw = yes],
		[LIBDW_DEFINES=-DHAVE_LIBDW
		 recorder_libdw="`$PKG_CONFIG --modversion libdw`"],
		[LIBDW_CFLAGS= LIBDW_LIBS=
		 recorder_libdw=no
		 recorder_left_out="$recorder_left_out names of call sites (no libdw)"])
	AC_SUBST([LIBDW_DEFINES])
	AM_CONDITIONAL([HAVE_LIBDW], [test $have_libdw = yes])
])
