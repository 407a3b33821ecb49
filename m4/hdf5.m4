dnl SPDX-License-Identifier: MIT
dnl RECORDER_HDF5: HDF5_CFLAGS, which compile the wrappers of layer hdf5, and HDF5_LIBS and HDF5_SERIAL_LIBS, which
dnl link test programs only: librecorder.so finds HDF5 in the traced program. The parallel header is taken where
dnl there is one and MPI: it has all that the serial one has, with the same ABI. HDF5_SECOND_LIBS is another library than
dnl the serial one, for a test with two of them in one process, whatever its MPI.
AC_DEFUN([RECORDER_HDF5], [
	AC_ARG_WITH([hdf5],
		[AS_HELP_STRING([--without-hdf5], [leave the layer hdf5 out])],
		[], [with_hdf5=check])
	AC_ARG_VAR([HDF5_CFLAGS], [compiler flags for hdf5.h, instead of asking pkg-config])
	AC_ARG_VAR([HDF5_LIBS], [linker flags for HDF5])
	have_hdf5=no
	have_parallel_hdf5=no
	AS_IF([test "x$with_hdf5" != xno], [
		RECORDER_HDF5_FLAGS
		RECORDER_HDF5_HEADER
	])
	AS_IF([test "x$with_hdf5" = xyes && test $have_hdf5 = no],
		[AC_MSG_ERROR([--with-hdf5 was given, but no hdf5.h of version 1.10 compiles (Debian: libhdf5-dev)])])
	AS_IF([test $have_hdf5 = yes],
		[AC_DEFINE([HAVE_HDF5], [1], [Define if the layer hdf5 is built.])
		 recorder_layers="$recorder_layers hdf5"],
		[recorder_hdf5=no
		 recorder_left_out="$recorder_left_out layer hdf5 (no HDF5 1.10)"])
	AS_IF([test $have_hdf5 = yes], [RECORDER_HDF5_SECOND])
	AM_CONDITIONAL([HAVE_SECOND_HDF5], [test -n "$HDF5_SECOND_LIBS"])
	AM_CONDITIONAL([HAVE_HDF5], [test $have_hdf5 = yes])
	AM_CONDITIONAL([HAVE_PARALLEL_HDF5], [test $have_parallel_hdf5 = yes])
])

dnl Fill HDF5_CFLAGS and HDF5_LIBS by pkg-config, whose names are those of Debian, else of everybody.
AC_DEFUN([RECORDER_HDF5_FLAGS], [
	AS_IF([test -z "$HDF5_CFLAGS$HDF5_LIBS" && test $have_mpi = yes], [
		AS_CASE([$recorder_mpi],
			[Open*], [PKG_CHECK_MODULES([HDF5], [hdf5-openmpi], [], [:])],
			[PKG_CHECK_MODULES([HDF5], [hdf5-mpich], [], [:])])
	])
	AS_IF([test -z "$HDF5_CFLAGS$HDF5_LIBS"], [
		PKG_CHECK_MODULES([HDF5], [hdf5-serial], [], [PKG_CHECK_MODULES([HDF5], [hdf5], [], [:])])
	])
	PKG_CHECK_MODULES([HDF5_SERIAL], [hdf5-serial], [],
		[HDF5_SERIAL_CFLAGS=$HDF5_CFLAGS HDF5_SERIAL_LIBS=$HDF5_LIBS])
	HDF5_CFLAGS=`AS_ECHO(["$HDF5_CFLAGS"]) | $SED 's/-I *\//-isystem \//g'`
])

AC_DEFUN([RECORDER_HDF5_SECOND], [
	HDF5_SECOND_LIBS=
	AS_IF([test "$HDF5_LIBS" != "$HDF5_SERIAL_LIBS"],
		[HDF5_SECOND_LIBS=$HDF5_LIBS],
		[for package in hdf5-openmpi hdf5-mpich; do
			AS_IF([test -z "$HDF5_SECOND_LIBS"], [HDF5_SECOND_LIBS=`$PKG_CONFIG --libs $package 2>/dev/null`])
		done])
	AC_SUBST([HDF5_SECOND_LIBS])
])

dnl Does hdf5.h compile, and with MPI? Other versions have other functions under the same names.
AC_DEFUN([RECORDER_HDF5_HEADER], [
	AC_MSG_CHECKING([for hdf5.h of version 1.10])
	recorder_save_CPPFLAGS=$CPPFLAGS
	CPPFLAGS="$CPPFLAGS $MPI_CFLAGS $HDF5_CFLAGS"
	AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <hdf5.h>
		#if H5_VERS_MAJOR != 1 || H5_VERS_MINOR != 10
		#error "another version"
		#endif]], [[hid_t id = H5P_DEFAULT; (void)id;]])], [have_hdf5=yes])
	AS_IF([test $have_hdf5 = yes && test $have_mpi = yes], [
		AC_PREPROC_IFELSE([AC_LANG_SOURCE([[#include <hdf5.h>
			#ifndef H5_HAVE_PARALLEL
			#error
			#endif]])], [have_parallel_hdf5=yes])
	])
	CPPFLAGS=$recorder_save_CPPFLAGS
	AC_MSG_RESULT([$have_hdf5])
	AS_IF([test $have_parallel_hdf5 = yes], [recorder_hdf5="parallel, $HDF5_CFLAGS"],
		[recorder_hdf5="serial, $HDF5_CFLAGS"])
])
