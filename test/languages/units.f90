! SPDX-License-Identifier: MIT
! Fortran I/O: the same bytes as streams.cc by stream access, and records of a direct-access file.
program units
  implicit none
  integer :: i, unit
  character(len=29) :: line
  character(len=40007) :: all
  integer(kind=8) :: record(16)

  line = repeat('x', 29)
  open(newunit=unit, file='data', access='stream', form='unformatted', status='replace', action='readwrite')
  do i = 1, 1000
    write(unit) line, achar(10)
  end do
  write(unit, pos=101) repeat('y', 50)
  write(unit, pos=40001) 'the end'
  read(unit, pos=1) all
  close(unit)
  if (all(40001:40007) /= 'the end') stop 1
  open(newunit=unit, file='records', access='direct', recl=128, form='unformatted', status='replace', action='write')
  record = 7
  write(unit, rec=1) record
  write(unit, rec=10) record
  close(unit)
end program units
