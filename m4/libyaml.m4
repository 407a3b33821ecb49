dnl SPDX-License-Identifier: MIT
dnl RECORDER_LIBYAML: LIBYAML_CFLAGS, LIBYAML_LIBS and LIBYAML_DEFINES of recorder run and recorder env, which read configuration files by libyaml.
AC_DEFUN([RECORDER_LIBYAML], [
	AC_ARG_WITH([libyaml],
		[AS_HELP_STRING([--without-libyaml], [no configuration files: recorder run -c])],
		[], [with_libyaml=check])
	have_libyaml=no
	AS_IF([test "x$with_libyaml" != xno],
		[PKG_CHECK_MODULES([LIBYAML], [yaml-0.1 >= 0.2], [have_libyaml=yes], [:])])
	AS_IF([test "x$with_libyaml" = xyes && test $have_libyaml = no],
		[AC_MSG_ERROR([--with-libyaml was given, but there is no libyaml (Debian: libyaml-dev)])])
	LIBYAML_DEFINES=
	AS_IF([test $have_libyaml = yes],
		[LIBYAML_DEFINES=-DHAVE_LIBYAML
		 recorder_libyaml="`$PKG_CONFIG --modversion yaml-0.1`"],
		[LIBYAML_CFLAGS= LIBYAML_LIBS=
		 recorder_libyaml=no
		 recorder_left_out="$recorder_left_out configuration files (no libyaml)"])
	AC_SUBST([LIBYAML_DEFINES])
])
