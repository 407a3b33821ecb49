! SPDX-License-Identifier: MIT
! Arguments that come as addresses, and one that does not.
module solver
contains
	subroutine step(n, x, name, y, single)
		integer, intent(in) :: n
		real(8), intent(inout) :: x
		character(len=*), intent(in) :: name
		integer, value :: y
		real(4), intent(in) :: single
		x = x + n + y + single
		print *, name
	end subroutine
	real(8) function norm(a, m)
		real(8), intent(in) :: a(:)
		integer, optional, intent(in) :: m
		norm = sum(a)
		if (present(m)) norm = norm + m
	end function
	function label(n, prefix) result(made)
		integer, intent(in) :: n
		character(len=*), intent(in) :: prefix
		character(len=8) :: made
		write(made, '(a,i4)') prefix, n
	end function
	complex(8) function turned(z, back)
		complex(8), intent(in) :: z
		logical, intent(in) :: back
		turned = z * (0d0, 1d0)
		if (back) turned = -turned
	end function
end module
program p
	use solver
	real(8) :: x
	x = 1
	call step(3, x, "abc", 4, 0.5)
	print *, label(5, "ab")
	print *, turned((1d0, 0d0), .true.)
	print *, norm([x, x]), norm([x], -2)
end program
