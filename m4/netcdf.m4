dnl SPDX-License-Identifier: MIT
dnl RECORDER_NETCDF: NETCDF_CFLAGS and PNETCDF_CFLAGS, which compile the wrappers of layers netcdf and pnetcdf, and the
dnl libraries of test programs, NETCDF_LIBS (serial, with NETCDF_SERIAL_CFLAGS) and PNETCDF_LIBS. librecorder.so finds both in
dnl the traced program. netCDF's parallel header is taken where there is one and MPI: it has all that the serial one has.
AC_DEFUN([RECORDER_NETCDF], [
	AC_ARG_WITH([netcdf],
		[AS_HELP_STRING([--without-netcdf], [leave the layer netcdf out])],
		[], [with_netcdf=check])
	AC_ARG_WITH([pnetcdf],
		[AS_HELP_STRING([--without-pnetcdf], [leave the layer pnetcdf out])],
		[], [with_pnetcdf=check])
	have_netcdf=no
	have_pnetcdf=no
	# the packages are for Open MPI: wrappers compiled for another MPI would cut its handles
	recorder_parallel=no
	AS_CASE([$recorder_mpi], [Open*], [recorder_parallel=yes])
	AS_IF([test -n "$PNETCDF_CFLAGS$PNETCDF_LIBS"], [recorder_parallel=$have_mpi])
	AS_IF([test "x$with_netcdf" != xno], [RECORDER_NETCDF_PROBE])
	AS_IF([test "x$with_pnetcdf" != xno && test $recorder_parallel = yes], [RECORDER_PNETCDF_PROBE])
	AS_IF([test "x$with_netcdf" = xyes && test $have_netcdf = no],
		[AC_MSG_ERROR([--with-netcdf was given, but no netcdf.h of version 4.9 compiles (Debian: libnetcdf-dev)])])
	AS_IF([test "x$with_pnetcdf" = xyes && test $have_pnetcdf = no],
		[AC_MSG_ERROR([--with-pnetcdf was given, but no pnetcdf.h compiles with MPI (Debian: libpnetcdf-dev)])])
	AS_IF([test $have_netcdf = yes], [recorder_layers="$recorder_layers netcdf"],
		[recorder_netcdf=no
		 recorder_left_out="$recorder_left_out layer netcdf (no netCDF 4.9)"])
	AS_IF([test $have_pnetcdf = yes], [recorder_layers="$recorder_layers pnetcdf"],
		[recorder_pnetcdf=no
		 recorder_left_out="$recorder_left_out layer pnetcdf (no PnetCDF)"])
	AM_CONDITIONAL([HAVE_NETCDF], [test $have_netcdf = yes])
	AM_CONDITIONAL([HAVE_PNETCDF], [test $have_pnetcdf = yes])
	AC_SUBST([NETCDF_DEFINES])
])

dnl RECORDER_HEADER(FLAGS, PROGRAM-HEAD, IF-IT-COMPILES, ELSE)
AC_DEFUN([RECORDER_HEADER], [
	recorder_save_CPPFLAGS=$CPPFLAGS
	CPPFLAGS="$CPPFLAGS $1"
	AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[$2]], [])], [$3], [$4])
	CPPFLAGS=$recorder_save_CPPFLAGS
])

AC_DEFUN([RECORDER_NETCDF_PROBE], [
	PKG_CHECK_MODULES([NETCDF_SERIAL], [netcdf], [], [:])
	NETCDF_LIBS=$NETCDF_SERIAL_LIBS
	AC_SUBST([NETCDF_LIBS])
	AS_IF([test $recorder_parallel = yes], [PKG_CHECK_MODULES([NETCDF_MPI], [netcdf-mpi], [], [:])])
	AC_MSG_CHECKING([for netcdf.h of version 4.9])
	AS_IF([test -n "$NETCDF_MPI_CFLAGS$NETCDF_MPI_LIBS"], [
		for folder in "" "-isystem `$PKG_CONFIG --variable=libdir netcdf-mpi`/netcdf/mpi/include"; do
			NETCDF_CFLAGS="$folder `AS_ECHO(["$NETCDF_MPI_CFLAGS"]) | $SED 's/-I *\//-isystem \//g'`"
			RECORDER_HEADER([$NETCDF_CFLAGS $MPI_CFLAGS], [#include <netcdf.h>
				#include <netcdf_mem.h>
				#include <netcdf_par.h>], [have_netcdf=yes])
			test $have_netcdf = yes && break
		done
	])
	AS_IF([test $have_netcdf = yes], [NETCDF_DEFINES=-DHAVE_NETCDF_PAR recorder_netcdf="parallel, $NETCDF_CFLAGS"], [
		NETCDF_CFLAGS=`AS_ECHO(["$NETCDF_SERIAL_CFLAGS"]) | $SED 's/-I *\//-isystem \//g'`
		RECORDER_HEADER([$NETCDF_CFLAGS], [#include <netcdf.h>
			#include <netcdf_mem.h>], [have_netcdf=yes])
		recorder_netcdf="serial, $NETCDF_CFLAGS"
	])
	RECORDER_HEADER([$NETCDF_CFLAGS], [#include <netcdf_meta.h>
		#if NC_VERSION_MAJOR != 4 || NC_VERSION_MINOR != 9
		#error "another version"
		#endif], [:], [have_netcdf=no])
	AC_SUBST([NETCDF_CFLAGS])
	AC_MSG_RESULT([$have_netcdf])
])

AC_DEFUN([RECORDER_PNETCDF_PROBE], [
	PKG_CHECK_MODULES([PNETCDF], [pnetcdf], [], [:])
	PNETCDF_CFLAGS=`AS_ECHO(["$PNETCDF_CFLAGS"]) | $SED 's/-I *\//-isystem \//g'`
	AC_MSG_CHECKING([for pnetcdf.h])
	RECORDER_HEADER([$PNETCDF_CFLAGS $MPI_CFLAGS], [#include <pnetcdf.h>
		#if PNETCDF_VERSION_MAJOR != 1
		#error "another version"
		#endif], [have_pnetcdf=yes])
	recorder_pnetcdf="yes $PNETCDF_CFLAGS"
	AC_MSG_RESULT([$have_pnetcdf])
])
