#!/bin/sh
# SPDX-License-Identifier: MIT
# The same Fortran program in the three bindings: each call is recorded once, and all three give the same records, whatever this MPI's
# Fortran functions call in C. So are those of a program whose functions MPI calls.
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
	win=integer file=integer memory='integer(kind=MPI_ADDRESS_KIND)'
	attr="call MPI_Attr_put(half, key, 5, ierror); call MPI_Attr_get(half, key, y, flag, ierror); if (y /= 5) stop 5"
	[ "$1" != mpi_f08 ] || status='type(MPI_Status) :: status' comm='type(MPI_Comm)' win='type(MPI_Win)' file='type(MPI_File)' memory='type(C_PTR)' attr=
	cat <<END
program bindings
  $use
  use, intrinsic :: iso_c_binding
  implicit none
  $include
  integer :: ierror, rank, numbers, key, x, y
  logical :: flag
  integer(kind=MPI_ADDRESS_KIND) :: value
  $request :: request
  $comm :: half
  $win :: win
  $file :: file
  $memory :: memory
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
  call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, key, value, ierror)
  call MPI_Comm_set_attr(half, key, value, ierror)
  call MPI_Comm_get_attr(half, key, value, flag, ierror)
  $attr
  call MPI_Comm_delete_attr(half, key, ierror)
  call MPI_Comm_free_keyval(key, ierror)
  call MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, key, value, ierror)
  call MPI_Type_set_attr(MPI_INTEGER, key, value, ierror)
  call MPI_Type_get_attr(MPI_INTEGER, key, value, flag, ierror)
  call MPI_Type_delete_attr(MPI_INTEGER, key, ierror)
  value = 4
  call MPI_Win_allocate(value, 4, MPI_INFO_NULL, MPI_COMM_WORLD, memory, win, ierror)
  call MPI_Win_get_attr(win, MPI_WIN_SIZE, value, flag, ierror)
  call MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, key, value, ierror)
  call MPI_Win_set_attr(win, key, value, ierror)
  call MPI_Win_delete_attr(win, key, ierror)
  call MPI_Win_free(win, ierror)
  call MPI_File_open(half, '$1.file', ior(MPI_MODE_CREATE, MPI_MODE_RDWR), MPI_INFO_NULL, file, ierror)
  call MPI_File_close(file, ierror)
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
0 mpi MPI_Comm_get_attr(comm=MPI_COMM_WORLD, comm_keyval=MPI_TAG_UB, flag=1) = MPI_SUCCESS
0 mpi MPI_Comm_create_keyval(comm_keyval=N) = MPI_SUCCESS
0 mpi MPI_Comm_set_attr(comm=half, comm_keyval=N) = MPI_SUCCESS
0 mpi MPI_Comm_get_attr(comm=half, comm_keyval=N, flag=1) = MPI_SUCCESS
0 mpi MPI_Attr_put(comm=half, keyval=N) = MPI_SUCCESS
0 mpi MPI_Attr_get(comm=half, keyval=N, flag=1) = MPI_SUCCESS
0 mpi MPI_Comm_delete_attr(comm=half, comm_keyval=N) = MPI_SUCCESS
0 mpi MPI_Comm_free_keyval(comm_keyval=N) = MPI_SUCCESS
0 mpi MPI_Type_create_keyval(type_keyval=N) = MPI_SUCCESS
0 mpi MPI_Type_set_attr(type=MPI_INTEGER, type_keyval=N) = MPI_SUCCESS
0 mpi MPI_Type_get_attr(type=MPI_INTEGER, type_keyval=N, flag=1) = MPI_SUCCESS
0 mpi MPI_Type_delete_attr(type=MPI_INTEGER, type_keyval=N) = MPI_SUCCESS
0 mpi MPI_Win_allocate(size=4, disp_unit=4, info=MPI_INFO_NULL, comm=MPI_COMM_WORLD, win=win#1) = MPI_SUCCESS
0 mpi MPI_Win_get_attr(win=win#1, win_keyval=MPI_WIN_SIZE, flag=1) = MPI_SUCCESS
0 mpi MPI_Win_create_keyval(win_keyval=N) = MPI_SUCCESS
0 mpi MPI_Win_set_attr(win=win#1, win_keyval=N) = MPI_SUCCESS
0 mpi MPI_Win_delete_attr(win=win#1, win_keyval=N) = MPI_SUCCESS
0 mpi MPI_Win_free(win=win#1) = MPI_SUCCESS
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
	[ $binding = mpi_f08 ] && without='/MPI_Attr_/d' || without=
	sed "$without" want >wanted
	# keys that the program made have other numbers in each MPI
	recorder2text --layers mpi --levels 0 --ranks 0 $binding.trace | cut -d ' ' -f 5- |
		sed 's/keyval=-*[0-9]*\([,)]\)/keyval=N\1/' >got
	diff wanted got >err || fail "$binding: $(cat err)"
	# ROMIO's attributes are none of the program
	expect_eq "$(grep -c -E '_(get|set)_attr' wanted)" \
		"$(recorder2text --functions '*_get_attr,*_set_attr' --ranks 0 $binding.trace | wc -l)" "attributes at all levels"
done

# callbacks BINDING NUMBER: fortran.t does it with Open MPI
callbacks()
{
	"$fortran" -w -fallow-argument-mismatch -ffree-line-length-none -DBINDING="$2" -o callbacks \
		"$TOP_SRCDIR/test/mpi/callbacks.F90" >err 2>&1 || fail "$1: $(cat err)"
	RECORDER_TRACES_DIR=$PWD/callbacks.$1.trace
	export RECORDER_TRACES_DIR
	run_mpi 2 -x LD_PRELOAD="$RECORDER_SO" ./callbacks >err 2>&1 || fail "$1: $(cat err)"
	for rank in 0 1; do
		sed 's/#[0-9][0-9]*/#N/g' want.$rank >wanted
		recorder2text --layers mpi,mpiio --ranks $rank "$RECORDER_TRACES_DIR" | cut -d ' ' -f 5- |
			sed 's/#[0-9][0-9]*/#N/g' >got
		"${PYTHON:-python3}" "$TOP_SRCDIR/test/mpi/check.py" same got wanted >err 2>&1 || fail "$1: $(cat err)"
	done
}

if [ "$MPI_KIND" != openmpi ]; then
	callbacks mpifh 77
	callbacks mpi 90
	callbacks mpi_f08 8
fi
