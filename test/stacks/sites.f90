! SPDX-License-Identifier: MIT
! sites.f90 - calls from a procedure of a module, and from the main program.
module mesh
  use iso_c_binding
  interface
    function close_it(fd) bind(c, name="close")
      import c_int
      integer(c_int), value :: fd
      integer(c_int) :: close_it
    end function
  end interface
contains
  subroutine save()
    integer(c_int) :: result
    result = close_it(-7)
  end subroutine
end module

program heat
  use mesh
  integer(c_int) :: result
  call save()
  result = close_it(-8)
end program
