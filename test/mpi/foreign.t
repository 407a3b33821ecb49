#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs of another MPI than librecorder.so was built for, in C and in each binding of Fortran: one note, their calls pass
# untouched, all else is recorded. In a build for Open MPI they are of MPICH, in one for MPICH of Open MPI.
# shellcheck source=test/lib.sh
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need_mpi
# shellcheck source=test/launchers/ranks.sh
. "$TOP_SRCDIR/test/launchers/ranks.sh"

case $MPI_KIND in
openmpi) other=mpich library=libmpich source=PMI_RANK ;;
*) other=openmpi library=libmpi.so source=OMPI_COMM_WORLD_RANK ;;
esac
sources=$TOP_SRCDIR/test/mpi
has_other=
command -v mpicc.$other >/dev/null && command -v mpiexec.$other >/dev/null && has_other=1

# both NAME RANKS CMD...: without the recorder and with it: the same output and status
both()
{
	name=$1 number=$2
	shift 2
	mpiexec.$other -n "$number" "$@" >plain.out 2>plain.err
	plain=$?
	recorder run -o "$name" -- mpiexec.$other -n "$number" "$@" >recorded.out 2>recorded.err
	recorded=$?
	[ $plain = $recorded ] || echo "exit status $recorded instead of $plain"
	sort plain.out >plain.sorted
	sort recorded.out | diff plain.sorted -
	[ $plain = $recorded ] && sort recorded.out | cmp -s plain.sorted -
}

# passed TRACE: one note, no MPI call
passed()
{
	[ "$(grep -c 'the recorder was built for' recorded.err)" = 1 ] && grep -q "$library" recorded.err ||
		{ cat recorded.err; return 1; }
	[ "$(recorder2text -q --layers mpi,mpiio "$1" | wc -l)" = 0 ]
}

in_c()
{
	mpicc.$other -w -o foreign "$sources/foreign.c" && both c 3 ./foreign && passed c || return 1
	(expect_ranks c 3 20 $source) &&
		python3 "$TOP_SRCDIR/test/privacy/plain.py" c >plain && grep -aq 'mpi.other' plain
}

# A rank that calls MPI_Abort. Open MPI itself, without the recorder, now and then ends otherwise than with what it was given: then once more.
aborting()
{
	RECORDER_LIVE_DIR=$test_dir
	export RECORDER_LIVE_DIR
	for try in 1 2 3 4 5; do
		both abort.$try 2 ./foreign abort >differs && break
		[ $plain != 5 ] || { cat differs; return 1; }
	done
	passed abort.$try && recorder2text -q --functions pwrite abort.$try | grep -q foreign
}

fortran_program()
{
	case $1 in
	mpifh) use='' include="include 'mpif.h'" comm=integer ;;
	mpi) use='use mpi' include='' comm=integer ;;
	mpi_f08) use='use mpi_f08' include='' comm='type(MPI_Comm)' ;;
	esac
	cat <<END
program foreign
  $use
  implicit none
  $include
  integer :: ierror, rank, ranks, total, other, length
  character(len=MPI_MAX_OBJECT_NAME) :: text
  logical :: flag
  $comm :: half
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  call MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, half, ierror)
  total = rank + 1
  call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_SUM, half, ierror)
  call MPI_Sendrecv(rank, 1, MPI_INTEGER, mod(rank + 1, ranks), 3, other, 1, MPI_INTEGER, MPI_ANY_SOURCE, 3, &
    MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  call MPI_Comm_set_name(half, 'half', ierror)
  call MPI_Comm_get_name(half, text, length, ierror)
  call MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, half, flag, MPI_STATUS_IGNORE, ierror)
  call MPI_Comm_free(half, ierror)
  print *, rank, ranks, total, other, trim(text), flag
  write (text, '(a,i0)') 'lines.', rank
  open (10, file=text)
  write (10, *) total
  close (10)
  call MPI_Finalize(ierror)
end program
END
}

in_fortran()
{
	fortran_program "$1" >"$1.f90"
	mpifort.$other -w -o "$1.program" "$1.f90" && both "$1" 2 "./$1.program" && passed "$1" || return 1
	[ "$(sort -u plain.out | wc -l)" = 2 ] || return 1
	[ "$(recorder2text -q --functions openat,open "$1" | grep -c '/lines\.[01]"')" = 2 ] || return 1
	[ "$(recorder2text -q --functions write "$1" | grep -c '/lines\.[01]')" = 2 ]
}

# An MPI that looks at each argument, first called by many threads at once.
arguments()
{
	mark=
	[ "$MPI_KIND" = openmpi ] || mark=-DLIKE_OPEN_MPI
	${CC:-cc} -w $mark -DLIBRARY -shared -fPIC -o libany.so "$sources/arguments.c" &&
		${CC:-cc} -w -o arguments "$sources/arguments.c" "$PWD/libany.so" -lpthread || return 1
	quietly ./arguments && RECORDER_TRACES_DIR=$PWD/arguments.trace preload ./arguments || return 1
	[ "$(recorder2text -q --functions pwrite arguments.trace | wc -l)" = 16 ] &&
		[ "$(recorder2text -q --layers mpi arguments.trace | wc -l)" = 0 ]
}

echo 1..6
arguments >log 2>&1
report $? "each argument arrives as it was passed, in registers and on the stack" log
if [ -n "$has_other" ]; then
	in_c >log 2>&1
	report $? "a program of $other in C" log
	(aborting) >log 2>&1
	report $? "one that aborts" log
else
	report_skip "no mpicc.$other"
	report_skip "no mpicc.$other"
fi
for binding in mpifh mpi mpi_f08; do
	if [ -n "$has_other" ] && command -v mpifort.$other >/dev/null; then
		in_fortran $binding >log 2>&1
		report $? "one in Fortran by $binding" log
	else
		report_skip "no mpifort.$other"
	fi
done
