dnl SPDX-License-Identifier: MIT
dnl RECORDER_BPF: what recorder system needs to put programs into the kernel: libbpf, and to build these programs clang and bpftool.
dnl BPF_CFLAGS, BPF_LIBS, BPF_DEFINES, BPF_CLANG, BPFTOOL, BPF_TARGET (the machine, as libbpf's headers name it) and the conditional HAVE_BPF.
AC_DEFUN([RECORDER_BPF], [
	AC_ARG_WITH([bpf],
		[AS_HELP_STRING([--without-bpf], [no programs in the kernel: recorder system])],
		[], [with_bpf=check])
	AC_ARG_VAR([BPF_CLANG], [clang that makes programs for the kernel])
	AC_ARG_VAR([BPFTOOL], [bpftool that makes C of them])
	have_bpf=no
	bpf_missing=
	AS_IF([test "x$with_bpf" != xno], [
		PKG_CHECK_MODULES([BPF], [libbpf >= 1.0], [], [bpf_missing=" libbpf"])
		AC_PATH_PROGS([BPF_CLANG], [clang clang-19 clang-18 clang-17 clang-16 clang-15 clang-14])
		AC_PATH_PROGS([BPFTOOL], [bpftool], [], [$PATH:/usr/sbin:/sbin])
		AS_IF([test -z "$BPF_CLANG"], [bpf_missing="$bpf_missing clang"])
		AS_IF([test -z "$BPFTOOL"], [bpf_missing="$bpf_missing bpftool"])
		AS_CASE([$host_cpu],
			[x86_64], [BPF_TARGET=x86],
			[aarch64], [BPF_TARGET=arm64],
			[bpf_missing="$bpf_missing $host_cpu"])
		AS_IF([test -z "$bpf_missing"], [have_bpf=yes])
	])
	AS_IF([test "x$with_bpf" = xyes && test $have_bpf = no],
		[AC_MSG_ERROR([--with-bpf was given, but there is no$bpf_missing (Debian: clang bpftool libbpf-dev)])])
	BPF_DEFINES=
	AS_IF([test $have_bpf = yes],
		[BPF_DEFINES=-DHAVE_BPF
		 recorder_bpf="libbpf `$PKG_CONFIG --modversion libbpf`, $BPF_CLANG"
		 bpf_multiarch=`$CC -print-multiarch 2>/dev/null`
		 BPF_INCLUDES=
		 AS_IF([test -n "$bpf_multiarch"], [BPF_INCLUDES="-idirafter /usr/include/$bpf_multiarch"])],
		[BPF_CFLAGS= BPF_LIBS=
		 recorder_bpf=no
		 recorder_left_out="$recorder_left_out recorder system's programs in the kernel (no$bpf_missing)"])
	AC_SUBST([BPF_DEFINES])
	AC_SUBST([BPF_TARGET])
	AC_SUBST([BPF_INCLUDES])
	AM_CONDITIONAL([HAVE_BPF], [test $have_bpf = yes])
])
