#!/bin/sh
# SPDX-License-Identifier: MIT
# Preload, kernel and strace agree on LAMMPS and on a DataLoader of torch (three.py). Leaves the table in the build directory, where make check-real
# prints it.
# timeout: 900
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
[ -z "${SANITIZERS:-}" ] || skip "a sanitizer makes system calls of its own"
need strace
need_openmpi
python=/usr/bin/python3

recorder system -q -o probe.trace -- true >out 2>&1
case $?:$(cat out) in
0:*) ;;
*"built without libbpf"*) skip "recorder system is not built: no libbpf, clang or bpftool" ;;
*) [ "$(id -u)" -eq 0 ] && fail "$(cat out)" || skip "no right to put programs into the kernel" ;;
esac

# three NAME CMD...
three()
{
	mkdir "$1" && cd "$1" || exit 99
	"${PYTHON:-python3}" "$TOP_SRCDIR/test/real/three.py" "$@" >"$test_dir/$1.table" 2>"$test_dir/$1.why" || {
		cat "$test_dir/$1.table" "$test_dir/$1.why" >&2
		fail "they do not agree on $1"
	}
	cd "$test_dir" || exit 99
	cat "$1.table"
	mkdir -p "$TOP_BUILDDIR/test/real"
	cat "$1.table" >>"$TOP_BUILDDIR/test/real/three.table"
	seen=$((seen + 1))
}

cat >melt <<'END'
units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 4 0 4 0 4
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 3.0 87287
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
fix 1 all nve
dump 1 all custom 50 melt.dump id type x y z
restart 50 melt.restart
run 100
END

seen=0
rm -f "$TOP_BUILDDIR/test/real/three.table"
if command -v lmp >/dev/null; then
	three LAMMPS "$MPIEXEC" -n 2 lmp -in "$PWD/melt"
fi
if "$python" -c 'import torch, numpy' 2>/dev/null; then
	three DataLoader "$python" -B "$TOP_SRCDIR/test/real/loader.py"
fi
[ $seen -gt 0 ] || skip "neither lmp (package lammps) nor torch for $python (package python3-torch)"
[ $seen -eq 2 ] || [ -z "${CI:-}" ] || fail "lmp (package lammps) or torch for $python (package python3-torch) is missing"
