#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 120
# The same Fortran program in the three bindings: each call is recorded once, and all three give the same records, whatever this MPI's
# Fortran functions call in C.
# shellcheck source=test/lib.sh
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need_mpi
fortran=$(printf '%s' "${MPICC:-mpicc}" | sed 's/mpicc\([^/]*\)$/mpifort\1/')
need "$fortran" gfortran

# program BINDING: calls with buffers, without, and of attributes
program()
{
	case $1 in
	mpifh) use='' include="include 'mpif.h'" request=integer ;;
	mpi) use='use mpi' include='' request=integer ;;
	mpi_f08) use='use mpi_f08' include='' request='type(MPI_Request)' ;;
	esac
	status='integer :: status(MPI_STATUS_SIZE)'
	comm=integer
	[ "$1" != mpi_f08 ] || status='type(MPI_Status) :: status' comm='type(MPI_Comm)'
	cat <<END
program bindings
  $use
  implicit none
  $include
  integer :: ierror, rank, numbers, x, y
  logical :: flag
  integer(kind=MPI_ADDRESS_KIND) :: value
  $request :: request
  $comm :: half
  $status
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  x = rank
  call MPI_Comm_split(MPI_COMM_WORLD, rank, 0, half, ierror)
  call MPI_Isend(x, 1, MPI_INTEGER, 0, 3, half, request, ierror)
  call MPI_Recv(y, 1, MPI_INTEGER, 0, 3, half, status, ierror)
  call MPI_Get_count(status, MPI_INTEGER, numbers, ierror)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
  call MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, half, flag, MPI_STATUS_IGNORE, ierror)
  call MPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag, ierror)
  call MPI_Comm_set_name(half, 'half', ierror)
  call MPI_Comm_free(half, ierror)
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  call MPI_Finalize(ierror)
end program
END
}

cat >want <<'END'
0 mpi MPI_Init() = MPI_SUCCESS
0 mpi MPI_Comm_rank(comm=MPI_COMM_WORLD, rank=0) = MPI_SUCCESS
0 mpi MPI_Comm_split(comm=MPI_COMM_WORLD, color=0, key=0, newcomm=half) = MPI_SUCCESS
0 mpi MPI_Isend(count=1, datatype=MPI_INTEGER, dest=0, tag=3, comm=half, request=1) = MPI_SUCCESS
0 mpi MPI_Recv(count=1, datatype=MPI_INTEGER, source=0, tag=3, comm=half, status={source=0, tag=3, bytes=4}) = MPI_SUCCESS
0 mpi MPI_Get_count(datatype=MPI_INTEGER, count=1) = MPI_SUCCESS
0 mpi MPI_Wait(request=1, status={}) = MPI_SUCCESS
0 mpi MPI_Iprobe(source=MPI_ANY_SOURCE, tag=MPI_ANY_TAG, comm=half, flag=0, status=NULL) = MPI_SUCCESS
0 mpi MPI_Allreduce(sendbuf=MPI_IN_PLACE, count=1, datatype=MPI_INTEGER, op=MPI_SUM, comm=MPI_COMM_WORLD) = MPI_SUCCESS
0 mpi MPI_Comm_get_attr(comm=MPI_COMM_WORLD, comm_keyval=N, flag=1) = MPI_SUCCESS
0 mpi MPI_Comm_set_name(comm=half, comm_name="half") = MPI_SUCCESS
0 mpi MPI_Comm_free(comm=half) = MPI_SUCCESS
0 mpi MPI_Barrier(comm=MPI_COMM_WORLD) = MPI_SUCCESS
0 mpi MPI_Finalize() = MPI_SUCCESS
END
for binding in mpifh mpi mpi_f08; do
	program $binding >$binding.f90
	"$fortran" -o $binding $binding.f90 >err 2>&1 || skip "no binding $binding: $(head -n 3 err)"
	RECORDER_TRACES_DIR=$PWD/$binding.trace
	export RECORDER_TRACES_DIR
	run_mpi 2 -x LD_PRELOAD="$RECORDER_SO" ./$binding >err 2>&1 || fail "$binding: $(cat err)"
	# keys of attributes have other numbers in MPICH's Fortran than in C
	recorder2text --layers mpi --levels 0 --ranks 0 $binding.trace | cut -d ' ' -f 5- |
		sed 's/comm_keyval=[A-Z0-9_]*/comm_keyval=N/' >got
	diff want got >err || fail "$binding: $(cat err)"
done
