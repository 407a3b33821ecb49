dnl SPDX-License-Identifier: MIT
dnl RECORDER_ZLIB: ZLIB_CFLAGS and ZLIB_LIBS for tools and libreader; ZLIB_STATIC_LIBS for the
dnl preload library, which may bring no library into the traced process and must not export zlib.
AC_DEFUN([RECORDER_ZLIB], [
	PKG_CHECK_MODULES([ZLIB], [zlib >= 1.2.8], [],
		[AC_MSG_ERROR([zlib is needed (Debian: zlib1g-dev)])])
	AC_ARG_VAR([ZLIB_STATIC_LIBS], [how to link the static zlib into librecorder.so])
	AS_IF([test -z "$ZLIB_STATIC_LIBS"],
		[ZLIB_STATIC_LIBS='-Wl,--exclude-libs,libz.a -Wl,-l:libz.a'])
	AC_MSG_CHECKING([for a static zlib that goes into a shared library])
	recorder_save_CFLAGS=$CFLAGS
	recorder_save_LIBS=$LIBS
	CFLAGS="$CFLAGS $ZLIB_CFLAGS -fPIC -shared -Wl,-z,text"
	LIBS="$LIBS $ZLIB_STATIC_LIBS"
	AC_LINK_IFELSE([AC_LANG_SOURCE([[
		#include <zlib.h>
		int probe(z_stream *s);
		int probe(z_stream *s)
		{
			return deflateInit(s, 1) + deflate(s, Z_FINISH) + inflate(s, Z_FINISH);
		}
	]])], [recorder_zlib_static=yes], [recorder_zlib_static=no])
	CFLAGS=$recorder_save_CFLAGS
	LIBS=$recorder_save_LIBS
	AC_MSG_RESULT([$recorder_zlib_static])
	AS_IF([test $recorder_zlib_static = no],
		[AC_MSG_ERROR([libz.a is needed (Debian: zlib1g-dev), or set ZLIB_STATIC_LIBS])])
	recorder_zlib="`$PKG_CONFIG --modversion zlib` (static in librecorder.so)"
])
