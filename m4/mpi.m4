dnl SPDX-License-Identifier: MIT
dnl RECORDER_MPI: MPI_CFLAGS and MPI_LIBS, the conditional and macro HAVE_MPI. MPI_CFLAGS compile the
dnl wrappers, MPI_LIBS link test programs only: librecorder.so finds MPI in the traced program.
dnl MPI_KIND is whose MPI it is (openmpi, mpich), PRELOAD_MPI the same or nompi, MPIEXEC starts the programs of the tests.
AC_DEFUN([RECORDER_MPI], [
	AC_ARG_WITH([mpi],
		[AS_HELP_STRING([--without-mpi], [leave the layers mpi and mpiio out])],
		[], [with_mpi=check])
	AC_ARG_VAR([MPICC], [MPI C compiler, asked for its flags])
	AC_ARG_VAR([MPIEXEC], [what starts MPI programs in the tests, mpiexec beside MPICC otherwise])
	AC_ARG_VAR([MPI_CFLAGS], [compiler flags for mpi.h, instead of asking MPICC])
	AC_ARG_VAR([MPI_LIBS], [linker flags for MPI, instead of asking MPICC])
	have_mpi=no
	AS_IF([test "x$with_mpi" != xno], [
		AC_PATH_PROGS([MPICC], [${MPICC:-mpicc}])
		RECORDER_MPI_FLAGS
		RECORDER_MPI_HEADER
		RECORDER_MPI_LAUNCHER
		RECORDER_MPI_FORTRAN
	])
	AS_IF([test "x$with_mpi" = xyes && test $have_mpi = no],
		[AC_MSG_ERROR([--with-mpi was given, but no mpi.h compiles (Debian: libopenmpi-dev)])])
	AS_IF([test $have_mpi = yes],
		[AC_DEFINE([HAVE_MPI], [1], [Define if the layers mpi and mpiio are built.])
		 recorder_layers="$recorder_layers mpi mpiio"],
		[recorder_mpi=no
		 recorder_left_out="$recorder_left_out layers mpi and mpiio (no MPI)"])
	AC_SUBST([MPI_KIND])
	PRELOAD_MPI=${MPI_KIND:-nompi}
	AC_SUBST([PRELOAD_MPI])
	AM_CONDITIONAL([HAVE_MPI_FORTRAN], [test -n "$MPI_FORTRAN_LIBS"])
	AM_CONDITIONAL([HAVE_MPI], [test $have_mpi = yes])
])

dnl Fill MPI_CFLAGS and MPI_LIBS: Open MPI's mpicc, MPICH's mpicc, pkg-config.
AC_DEFUN([RECORDER_MPI_FLAGS], [
	AS_IF([test -z "$MPI_CFLAGS$MPI_LIBS" && test -n "$MPICC"], [
		AS_IF([$MPICC --showme:compile >/dev/null 2>&1], [
			MPI_CFLAGS=`$MPICC --showme:compile`
			MPI_LIBS=`$MPICC --showme:link`
		], [$MPICC -compile_info >/dev/null 2>&1], [
			MPI_CFLAGS=`$MPICC -compile_info | $SED 's/^@<:@^ @:>@* *//'`
			MPI_LIBS=`$MPICC -link_info | $SED 's/^@<:@^ @:>@* *//'`
		])
	])
	AS_IF([test -z "$MPI_CFLAGS$MPI_LIBS"], [
		PKG_CHECK_MODULES([MPI], [ompi-c], [], [PKG_CHECK_MODULES([MPI], [mpich], [], [:])])
	])
	# MPICH tells of its libraries in both
	MPI_CFLAGS=`AS_ECHO([" $MPI_CFLAGS"]) | $SED 's/ -@<:@lL@:>@@<:@^ @:>@*//g;s/ -Wl,@<:@^ @:>@*//g;s/^ *//'`
	# the MPI's headers are not ours to warn about
	MPI_CFLAGS=`AS_ECHO(["$MPI_CFLAGS"]) | $SED 's/-I *\//-isystem \//g'`
])

dnl Does mpi.h compile, and whose is it?
AC_DEFUN([RECORDER_MPI_HEADER], [
	AC_MSG_CHECKING([for mpi.h])
	recorder_save_CPPFLAGS=$CPPFLAGS
	CPPFLAGS="$CPPFLAGS $MPI_CFLAGS"
	AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>
		#if MPI_VERSION < 3
		#error "MPI-3 is needed"
		#endif]], [[MPI_Comm c = MPI_COMM_NULL; (void)c;]])], [have_mpi=yes])
	AS_IF([test $have_mpi = yes], [
		AC_PREPROC_IFELSE([AC_LANG_SOURCE([[#include <mpi.h>
			#ifndef OMPI_MAJOR_VERSION
			#error
			#endif]])],
			[MPI_KIND=openmpi recorder_mpi="Open MPI"],
			[MPI_KIND=mpich recorder_mpi="MPICH or a relative"])
		recorder_mpi="$recorder_mpi, $MPI_CFLAGS"
	])
	CPPFLAGS=$recorder_save_CPPFLAGS
	AC_MSG_RESULT([$have_mpi])
	# MPI_STATUSES_IGNORE is (MPI_Status *)1 in MPICH, and gcc thinks that something is written to it
	AS_IF([test "$MPI_KIND" = mpich],
		[RECORDER_CHECK_FLAG([-Wno-stringop-overflow], [WARN_CFLAGS])])
])

dnl mpicc.mpich has its mpiexec.mpich beside it, any other mpicc an mpiexec.
AC_DEFUN([RECORDER_MPI_LAUNCHER], [
	recorder_mpiexec=`AS_ECHO(["$MPICC"]) | $SED 's/mpicc\(@<:@^/@:>@*\)$/mpiexec\1/'`
	AS_IF([test -z "$MPIEXEC" && test -x "$recorder_mpiexec"], [MPIEXEC=$recorder_mpiexec])
	AC_PATH_PROGS([MPIEXEC], [${MPIEXEC:-mpiexec}])
])

dnl The tests alone have Fortran: MPIFC compiles it, MPI_FORTRAN_LIBS link C programs that call it. Only for Open MPI, whose Fortran
dnl functions have wrappers of their own.
AC_DEFUN([RECORDER_MPI_FORTRAN], [
	AC_ARG_VAR([MPIFC], [MPI Fortran compiler, for the tests])
	AS_IF([test "$MPI_KIND" = openmpi], [AC_PATH_PROGS([MPIFC], [${MPIFC:-mpifort}])])
	AS_IF([test -n "$MPIFC"], [
		AC_MSG_CHECKING([whether $MPIFC compiles])
		AS_ECHO(["      end"]) >conftest.f
		AS_IF([$MPIFC -o conftest conftest.f >&AS_MESSAGE_LOG_FD 2>&1],
			[MPI_FORTRAN_LIBS=`$MPIFC --showme:link`])
		rm -f conftest.f conftest
		AC_MSG_RESULT([${MPI_FORTRAN_LIBS:-no}])
	])
	AC_SUBST([MPI_FORTRAN_LIBS])
])
