! SPDX-License-Identifier: MIT
!
! recorder.f90 - for programs in Fortran that say what they are doing: recorder.h for them.
!
!	use recorder
!	call recorder_begin('epoch')
!	call recorder_set('epoch', epoch)            ! of the innermost region of the thread: integers, reals, characters
!	call recorder_counter('loss', loss)
!	call recorder_end('epoch')                   ! or call recorder_end(): the innermost one
!
! A module in source form, as compilers do not read each other's: it is compiled with the program, before what uses it,
!
!	mpif90 $(recorder-config --fortran) app.f90
!
! and needs nothing to be linked. Where the recorder is not loaded nothing happens, at the cost of a test. Names are without the blanks at their end.
! All procedures may be called by any thread at any time; a region belongs to the thread that began it.
!
module recorder
	use, intrinsic :: iso_c_binding
	implicit none
	private
	public :: recorder_begin, recorder_end, recorder_instant, recorder_counter, recorder_span_begin, recorder_span_end
	public :: recorder_set, recorder_note, recorder_pause, recorder_resume, recorder_flush

	! An argument of the innermost region; a second value of a key takes the place of the first.
	interface recorder_set
		module procedure set_int32, set_int64, set_real32, set_real64, set_text
	end interface

	interface recorder_counter
		module procedure counter_int32, counter_real32, counter_real64
	end interface

	integer, parameter :: category_at = 257, names_max = 320

	! struct recorder_site of recorder.h
	type, bind(c) :: site
		type(c_ptr) :: name = c_null_ptr, category = c_null_ptr
		integer(c_int) :: number = 0, reserved = 0
	end type

	abstract interface
		integer(c_int) function of_site(place) bind(c)
			import :: c_int, site
			type(site), intent(inout) :: place
		end function
		integer(c_int) function of_value(place, value) bind(c)
			import :: c_int, c_double, site
			type(site), intent(inout) :: place
			real(c_double), value :: value
		end function
		integer(c_int) function of_span(place, id, ends) bind(c)
			import :: c_int, c_int64_t, site
			type(site), intent(inout) :: place
			integer(c_int64_t), value :: id
			integer(c_int), value :: ends
		end function
		integer(c_int) function of_any(place) bind(c)
			import :: c_int, c_ptr
			type(c_ptr), value :: place
		end function
		integer(c_int) function of_int(key, value) bind(c)
			import :: c_int, c_char, c_int64_t
			character(kind=c_char), intent(in) :: key(*)
			integer(c_int64_t), value :: value
		end function
		integer(c_int) function of_double(key, value) bind(c)
			import :: c_int, c_char, c_double
			character(kind=c_char), intent(in) :: key(*)
			real(c_double), value :: value
		end function
		integer(c_int) function of_text(key, value) bind(c)
			import :: c_int, c_char
			character(kind=c_char), intent(in) :: key(*), value(*)
		end function
		integer(c_int) function of_request(request) bind(c)
			import :: c_int
			integer(c_int), value :: request
		end function
	end interface

	interface
		type(c_funptr) function find_symbol(handle, name) bind(c, name='dlsym')
			import :: c_funptr, c_ptr, c_char
			type(c_ptr), value :: handle
			character(kind=c_char), intent(in) :: name(*)
		end function
	end interface

	! What the recorder offers, in place of which a program without it has nothing.
	logical, save :: looked = .false., there = .false.
	procedure(of_site), pointer, save :: begins => null(), ends => null(), happens => null()
	procedure(of_any), pointer, save :: ends_innermost => null()
	procedure(of_value), pointer, save :: counts => null()
	procedure(of_span), pointer, save :: spans => null()
	procedure(of_int), pointer, save :: sets_int => null()
	procedure(of_double), pointer, save :: sets_double => null()
	procedure(of_text), pointer, save :: sets_text => null(), notes => null()
	procedure(of_request), pointer, save :: controls => null()

contains

	! Two threads that look at the same time find the same.
	logical function is_there()
		if (.not. looked) call look
		is_there = there
	end function

	type(c_funptr) function symbol(name)
		character(len=*), intent(in) :: name
		symbol = find_symbol(c_null_ptr, name // c_null_char) ! RTLD_DEFAULT
	end function

	subroutine look()
		if (c_associated(symbol('recorder_site_begin'))) then
			call c_f_procpointer(symbol('recorder_site_begin'), begins)
			call c_f_procpointer(symbol('recorder_site_end'), ends)
			call c_f_procpointer(symbol('recorder_site_end'), ends_innermost)
			call c_f_procpointer(symbol('recorder_site_instant'), happens)
			call c_f_procpointer(symbol('recorder_site_counter'), counts)
			call c_f_procpointer(symbol('recorder_site_span'), spans)
			call c_f_procpointer(symbol('recorder_region_int'), sets_int)
			call c_f_procpointer(symbol('recorder_region_double'), sets_double)
			call c_f_procpointer(symbol('recorder_region_string'), sets_text)
			call c_f_procpointer(symbol('recorder_process_note'), notes)
			call c_f_procpointer(symbol('recorder_control'), controls)
			there = .true.
		end if
		looked = .true.
	end subroutine

	function c_text(text)
		character(len=*), intent(in) :: text
		character(len=len_trim(text) + 1, kind=c_char) :: c_text

		c_text = trim(text) // c_null_char
	end function

	! Name and category one behind the other, each with a zero at its end; the recorder keeps copies of what is new.
	subroutine write_names(names, name, category)
		character(len=names_max), intent(out) :: names
		character(len=*), intent(in) :: name
		character(len=*), intent(in), optional :: category

		names = c_text(name(:min(len(name), category_at - 2)))
		names(category_at:) = c_null_char
		if (present(category)) names(category_at:) = c_text(category(:min(len(category), names_max - category_at)))
	end subroutine

	type(site) function site_of(names)
		character(len=names_max), intent(in), target :: names

		site_of%name = c_loc(names(1:1))
		site_of%category = c_loc(names(category_at:category_at))
	end function

	! One of those that take a place alone.
	subroutine at(what, name, category)
		procedure(of_site) :: what
		character(len=*), intent(in) :: name
		character(len=*), intent(in), optional :: category
		character(len=names_max), target :: names
		type(site) :: place
		integer(c_int) :: ignored

		call write_names(names, name, category)
		place = site_of(names)
		ignored = what(place)
	end subroutine

	! A region begins, inside of those that the thread has open.
	subroutine recorder_begin(name, category)
		character(len=*), intent(in) :: name
		character(len=*), intent(in), optional :: category

		if (is_there()) call at(begins, name, category)
	end subroutine

	! It ends, and with it regions inside of it that have not been ended; without a name: the innermost one.
	subroutine recorder_end(name, category)
		character(len=*), intent(in), optional :: name, category
		integer(c_int) :: ignored

		if (.not. is_there()) return
		if (present(name)) then
			call at(ends, name, category)
		else
			ignored = ends_innermost(c_null_ptr)
		end if
	end subroutine

	! Something happens now.
	subroutine recorder_instant(name, category)
		character(len=*), intent(in) :: name
		character(len=*), intent(in), optional :: category

		if (is_there()) call at(happens, name, category)
	end subroutine

	! Something begins that need not end in this thread, nor inside of its regions; `id` tells it from others of the same name.
	subroutine recorder_span_begin(name, id, category)
		character(len=*), intent(in) :: name
		integer(c_int64_t), intent(in) :: id
		character(len=*), intent(in), optional :: category

		call span(name, id, 0_c_int, category)
	end subroutine

	subroutine recorder_span_end(name, id, category)
		character(len=*), intent(in) :: name
		integer(c_int64_t), intent(in) :: id
		character(len=*), intent(in), optional :: category

		call span(name, id, 1_c_int, category)
	end subroutine

	subroutine span(name, id, ends_now, category)
		character(len=*), intent(in) :: name
		integer(c_int64_t), intent(in) :: id
		integer(c_int), intent(in) :: ends_now
		character(len=*), intent(in), optional :: category
		character(len=names_max), target :: names
		type(site) :: place
		integer(c_int) :: ignored

		if (.not. is_there()) return
		call write_names(names, name, category)
		place = site_of(names)
		ignored = spans(place, id, ends_now)
	end subroutine

	! A quantity has a value from now on.
	subroutine counter_real64(name, value)
		character(len=*), intent(in) :: name
		real(c_double), intent(in) :: value
		character(len=names_max), target :: names
		type(site) :: place
		integer(c_int) :: ignored

		if (.not. is_there()) return
		call write_names(names, name)
		place = site_of(names)
		ignored = counts(place, value)
	end subroutine

	subroutine counter_real32(name, value)
		character(len=*), intent(in) :: name
		real(c_float), intent(in) :: value

		call counter_real64(name, real(value, c_double))
	end subroutine

	subroutine counter_int32(name, value)
		character(len=*), intent(in) :: name
		integer(c_int), intent(in) :: value

		call counter_real64(name, real(value, c_double))
	end subroutine

	subroutine set_int64(key, value)
		character(len=*), intent(in) :: key
		integer(c_int64_t), intent(in) :: value
		integer(c_int) :: ignored

		if (is_there()) ignored = sets_int(c_text(key), value)
	end subroutine

	subroutine set_int32(key, value)
		character(len=*), intent(in) :: key
		integer(c_int), intent(in) :: value

		call set_int64(key, int(value, c_int64_t))
	end subroutine

	subroutine set_real64(key, value)
		character(len=*), intent(in) :: key
		real(c_double), intent(in) :: value
		integer(c_int) :: ignored

		if (is_there()) ignored = sets_double(c_text(key), value)
	end subroutine

	subroutine set_real32(key, value)
		character(len=*), intent(in) :: key
		real(c_float), intent(in) :: value

		call set_real64(key, real(value, c_double))
	end subroutine

	subroutine set_text(key, value)
		character(len=*), intent(in) :: key, value
		integer(c_int) :: ignored

		if (is_there()) ignored = sets_text(c_text(key), c_text(value))
	end subroutine

	! Something that is true of the whole process.
	subroutine recorder_note(key, value)
		character(len=*), intent(in) :: key, value
		integer(c_int) :: ignored

		if (is_there()) ignored = notes(c_text(key), c_text(value))
	end subroutine

	! No call is recorded until recorder_resume(). Calls and regions in flight are recorded when they end.
	subroutine recorder_pause()
		integer(c_int) :: ignored

		if (is_there()) ignored = controls(1_c_int)
	end subroutine

	subroutine recorder_resume()
		integer(c_int) :: ignored

		if (is_there()) ignored = controls(2_c_int)
	end subroutine

	! What each thread has recorded goes to the trace directory with its next call.
	subroutine recorder_flush()
		integer(c_int) :: ignored

		if (is_there()) ignored = controls(3_c_int)
	end subroutine
end module recorder
