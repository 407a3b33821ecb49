dnl SPDX-License-Identifier: MIT
dnl RECORDER_PYTHON: PYTHON_CFLAGS of the C half of the Python package `recorder`, and whether it is built. The interpreter is that of
dnl AM_PATH_PYTHON, which also says where the package is installed; its headers are of the machine that builds.
AC_DEFUN([RECORDER_PYTHON], [
	AC_ARG_WITH([python],
		[AS_HELP_STRING([--without-python], [leave the Python package recorder out])],
		[], [with_python=check])
	have_python=no
	PYTHON_CFLAGS=
	AS_IF([test "x$with_python" != xno && test "$PYTHON" != : && test "$cross_compiling" != yes],
		[python_include=`$PYTHON -c 'import sysconfig; print(sysconfig.get_path("include"))' 2>/dev/null`
		 AC_MSG_CHECKING([for Python.h in $python_include])
		 AS_IF([test -n "$python_include" && test -f "$python_include/Python.h"],
			[have_python=yes
			 PYTHON_CFLAGS="-isystem $python_include"])
		 AC_MSG_RESULT([$have_python])])
	AS_IF([test "x$with_python" = xyes && test $have_python = no],
		[AC_MSG_ERROR([--with-python was given, but there is no Python.h (Debian: python3-dev)])])
	AS_IF([test $have_python = yes],
		[recorder_python="for Python $PYTHON_VERSION"],
		[recorder_python=no
		 recorder_left_out="$recorder_left_out the package for Python"])
	AC_SUBST([PYTHON_CFLAGS])
	AM_CONDITIONAL([HAVE_PYTHON], [test $have_python = yes])
])
