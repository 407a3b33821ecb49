! SPDX-License-Identifier: MIT
! Polls of Fortran: as polls.c, in one rank, which sends to itself. Prints "FUNCTION polls-that-found-nothing polls-that-did".
program polls
  use mpi
  implicit none
  integer, parameter :: tag = 5, nothing = 300
  integer :: ierror, request(1), value, i, index
  integer :: status(MPI_STATUS_SIZE)
  logical :: flag

  call MPI_Init(ierror)
  do i = 1, nothing
    call MPI_Iprobe(0, tag, MPI_COMM_WORLD, flag, status, ierror)
    if (flag) stop 1
  end do
  call MPI_Irecv(value, 1, MPI_INTEGER, 0, tag, MPI_COMM_WORLD, request(1), ierror)
  do i = 1, nothing
    call MPI_Test(request(1), flag, status, ierror)
    if (flag) stop 1
  end do
  do i = 1, nothing
    call MPI_Testany(1, request, index, flag, status, ierror)
    if (flag) stop 1
  end do
  call MPI_Send(i, 1, MPI_INTEGER, 0, tag, MPI_COMM_WORLD, ierror)
  i = 0
  do
    call MPI_Test(request(1), flag, status, ierror)
    if (flag) exit
    i = i + 1
  end do
  print '(a,i0,a)', 'MPI_Iprobe ', nothing, ' 0'
  print '(a,i0,a)', 'MPI_Test ', nothing + i, ' 1'
  print '(a,i0,a)', 'MPI_Testany ', nothing, ' 0'
  call MPI_Finalize(ierror)
end program polls
