! SPDX-License-Identifier: MIT
! modules.f90 - procedures of modules, and others, that call each other a known number of times.
module solver
   implicit none
contains
   subroutine step(x, n)
      real(8), intent(inout) :: x(:)
      integer, intent(in) :: n
      integer :: i
      do i = 1, n
         x = x + norm(x)/real(i, 8)
      end do
   end subroutine
   real(8) function norm(x)
      real(8), intent(in) :: x(:)
      norm = sqrt(sum(x*x))
   end function
end module

subroutine solve(n)
   use solver
   implicit none
   integer, intent(in) :: n
   real(8) :: x(8)
   x = 1
   call step(x, n)
   write (*, '(f20.6)') x(1)
end subroutine

program main
   implicit none
   integer :: i
   do i = 1, 3
      call solve(i)
   end do
end program
