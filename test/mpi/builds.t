#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds for two MPIs in one prefix: `recorder run` and `recorder env` take the one of the program's MPI, or say that it is not there.
# shellcheck source=test/lib.sh
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need_mpi
[ "$MPI_KIND" = mpich ] && other=openmpi || other=mpich

# The other build: where there is none its folder holds a copy of ours, and who is chosen can be seen all the same.
real=
other_so=$RECORDER_SO
for folder in "$TOP_BUILDDIR/mpich" "$TOP_BUILDDIR/.."; do
	grep -q "^PRELOAD_MPI = $other\$" "$folder/Makefile" 2>/dev/null && [ -f "$folder/.libs/librecorder.so" ] &&
		real=1 other_so=$folder/.libs/librecorder.so
done
root=$(pwd -P)/root
libraries=$root/lib/recorder
mkdir -p "$root/bin" "$libraries/$MPI_KIND" "$libraries/$other" fake
cp "$TOP_BUILDDIR/tools/recorder" "$root/bin/" && cp "$RECORDER_SO" "$libraries/$MPI_KIND/" &&
	cp "$other_so" "$libraries/$other/librecorder.so" &&
	ln -s "recorder/$MPI_KIND/librecorder.so" "$root/lib/librecorder.so" || fail "cannot install"
run="$root/bin/recorder run -o trace"
export RECORDER_QUIET=1

# Programs that print what is preloaded, of libraries by the names of MPI's: direct, and below another library.
compile()
{
	(cd fake && ${CC:-cc} -w -fPIC -Wl,--no-as-needed "$@" -Wl,-rpath,"$PWD") || fail "cannot compile"
}
cat >fake/print.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int mpi(void) __attribute__((weak));
int main(void)
{
	return puts(getenv("LD_PRELOAD")) < 0 || (mpi && mpi());
}
END
echo 'int ompi_mpi_comm_world; int mpi(void) { return 0; }' >fake/open.c
echo 'int mpi(void) { return 0; }' >fake/any.c
echo 'int inner(void); int mpi(void) { return inner(); }' >fake/outer.c
echo 'int ompi_mpi_comm_world; int inner(void) { return 0; }' >fake/inner.c
compile -shared -o libmpi.so.40 -Wl,-soname,libmpi.so.40 open.c
compile -shared -o libmpi.so.12 -Wl,-soname,libmpi.so.12 any.c
mkdir fake/deep
compile -shared -o deep/libmpi.so.12 -Wl,-soname,libmpi.so.12 inner.c
compile -shared -o libouter.so outer.c deep/libmpi.so.12 -Wl,-rpath,"$PWD/fake/deep"
compile -o none print.c
compile -o open print.c libmpi.so.40
compile -o mpich print.c libmpi.so.12
compile -o below print.c "$PWD/fake/libouter.so" -Wl,-rpath-link,"$PWD/fake/deep"
compile -o lost print.c libmpi.so.12
printf '#!/bin/sh\nexec "$@"\n' >fake/mpiexec.hydra
printf '#!/bin/sh\nexec "$@"\n' >fake/orterun
chmod +x fake/mpiexec.hydra fake/orterun
ln -s orterun fake/mpirun

# takes WHICH CMD...: the library that CMD gets
takes()
{
	which=$1
	shift
	[ "$which" = default ] && want=$root/lib/librecorder.so || want=$libraries/$which/librecorder.so
	got=$("$@" 2>err) && [ "$got" = "$want" ] && return
	echo "$*: $got instead of $want; $(cat err)"
	return 1
}

# says STATUS TEXT CMD...
says()
{
	status=$1 text=$2
	shift 2
	"$@" >out 2>err
	[ $? = "$status" ] && grep -q "$text" err && return
	echo "$*: not status $status, '$text': $(cat out err)"
	return 1
}

programs()
{
	takes default $run -- fake/none && takes openmpi $run -- fake/open && takes mpich $run -- fake/mpich &&
		takes openmpi $run -- fake/below && takes mpich $run -- env A=B nice -n 1 fake/mpich &&
		takes mpich $run -- sh -c 'exec "$0"' fake/mpich
}

launchers()
{
	takes mpich $run -- fake/mpiexec.hydra fake/none && takes openmpi $run -- fake/mpirun fake/none &&
		takes openmpi $run -- fake/mpiexec.hydra fake/open && takes mpich $run -- fake/mpirun fake/mpich &&
		takes openmpi env OMPI_COMM_WORLD_SIZE=1 $run -- fake/none &&
		takes mpich env HYDI_CONTROL_FD=7 $run -- fake/none
}

forced()
{
	takes openmpi $run --mpi openmpi -- fake/mpich && takes mpich $run --mpi mpich -- fake/none &&
		says 125 "lam" $run --mpi lam -- fake/none && says 125 "mpi" $run --mpi &&
		says 2 "lam" "$root/bin/recorder" env --mpi lam
}

environments()
{
	"$root/bin/recorder" env --mpi mpich | grep -q "^export LD_PRELOAD='$libraries/mpich/librecorder.so'" &&
		"$root/bin/recorder" env | grep -q "^export LD_PRELOAD='$root/lib/librecorder.so'" &&
		"$root/bin/recorder" env --launcher mpich | grep -q "LD_PRELOAD $libraries/mpich/" &&
		"$root/bin/recorder" env --launcher openmpi | grep -q "LD_PRELOAD=$libraries/openmpi/" &&
		"$root/bin/recorder" env --launcher openmpi --mpi mpich | grep -q "LD_PRELOAD=$libraries/mpich/"
}

# what is preloaded already does not record a second time
inherited()
{
	takes mpich env LD_PRELOAD="$libraries/openmpi/librecorder.so" $run -- fake/mpich &&
		takes openmpi env LD_PRELOAD="$libraries/openmpi/librecorder.so" $run -- fake/open
}

# a program whose library is gone fails as it does without
missing()
{
	rm fake/libmpi.so.12
	says 127 'libmpi.so.12' fake/lost && says 127 'libmpi.so.12' $run -- fake/lost
}

wrong()
{
	mv "$libraries/mpich" gone
	ln -sf recorder/openmpi/librecorder.so "$root/lib/librecorder.so"
	unset RECORDER_QUIET
	takes default $run -q -- fake/mpich && [ ! -s err ] && takes default $run -- fake/mpich &&
		grep -q "fake/mpich' is of MPICH, and .*lib/librecorder.so is for Open MPI" err &&
		takes openmpi $run -- fake/open && ! grep -q 'is for' err && takes default $run -- fake/none &&
		! grep -q 'is for' err && says 125 'no librecorder.so for MPICH' $run --mpi mpich -- fake/none &&
		rm -r "$root/lib/librecorder.so" && takes openmpi $run -- fake/none || return 1
	rm -r "$libraries/openmpi"
	says 125 'librecorder.so is neither' $run -- fake/none
}

# each MPI's program under the one recorder, which takes the right library for both
real()
{
	for mpi in openmpi mpich; do
		mpicc.$mpi -w -o $mpi.program "$TOP_SRCDIR/test/mpi/foreign.c" &&
			$run.$mpi -- mpiexec.$mpi -n 2 ./$mpi.program || return 1
		[ "$(recorder2text -q --layers mpi trace.$mpi | wc -l)" -gt 1000 ] || return 1
	done
}

# Both builds are there for the one that is made last.
command -v mpicc.$other >/dev/null && command -v mpicc.$MPI_KIND >/dev/null || real=
echo 1..$((7 + ${real:-0}))
programs >log 2>&1
report $? "by the program's libraries" log
launchers >log 2>&1
report $? "by the launcher" log
forced >log 2>&1
report $? "by --mpi" log
environments >log 2>&1
report $? "recorder env" log
inherited >log 2>&1
report $? "a recorder that is preloaded already" log
if [ -n "$real" ]; then
	real >log 2>&1
	report $? "programs of two MPIs" log
fi
wrong >log 2>&1
report $? "only a library for another MPI, or none" log
mkdir -p "$libraries/openmpi" && cp "$RECORDER_SO" "$libraries/openmpi/" && missing >log 2>&1
report $? "a program whose MPI cannot be found" log
