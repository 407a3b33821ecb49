dnl SPDX-License-Identifier: MIT
dnl RECORDER_SQLITE3: SQLITE3_CFLAGS, SQLITE3_LIBS and SQLITE3_DEFINES of recorder2sqlite and of recorder sql.
AC_DEFUN([RECORDER_SQLITE3], [
	AC_ARG_WITH([sqlite3],
		[AS_HELP_STRING([--without-sqlite3], [no recorder2sqlite and no recorder sql])],
		[], [with_sqlite3=check])
	have_sqlite3=no
	dnl 3.38 is the first that has JSON always
	AS_IF([test "x$with_sqlite3" != xno],
		[PKG_CHECK_MODULES([SQLITE3], [sqlite3 >= 3.38], [have_sqlite3=yes], [:])])
	AS_IF([test "x$with_sqlite3" = xyes && test $have_sqlite3 = no],
		[AC_MSG_ERROR([--with-sqlite3 was given, but there is no SQLite of 3.38 or newer (Debian: libsqlite3-dev)])])
	SQLITE3_DEFINES=
	AS_IF([test $have_sqlite3 = yes],
		[SQLITE3_DEFINES=-DHAVE_SQLITE3
		 recorder_sqlite3="`$PKG_CONFIG --modversion sqlite3`"],
		[SQLITE3_CFLAGS= SQLITE3_LIBS=
		 recorder_sqlite3=no
		 recorder_left_out="$recorder_left_out recorder2sqlite and recorder sql (no sqlite3)"])
	AC_SUBST([SQLITE3_DEFINES])
	AM_CONDITIONAL([HAVE_SQLITE3], [test $have_sqlite3 = yes])
])
