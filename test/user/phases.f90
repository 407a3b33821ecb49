! SPDX-License-Identifier: MIT
! phases.f90 - a program of Fortran that says what it is doing, by recorder.f90.
program phases
	use recorder
	use, intrinsic :: iso_c_binding
	implicit none
	integer :: step

	call recorder_begin('run   ', category='solver')
	call recorder_note('mesh', 'coarse')
	do step = 1, 2
		call recorder_begin('step')
		call recorder_set('step', step)
		call recorder_set('cells', 5000000000_c_int64_t)
		call recorder_set('residual', 0.5d0**step)
		call recorder_set('single', 0.25)
		call recorder_set('scheme', 'upwind  ')
		call recorder_counter('time step', 0.125d0)
		if (step == 1) call recorder_end('step')
		if (step == 2) call recorder_end()
	end do
	call recorder_pause()
	call recorder_instant('not seen')
	call recorder_resume()
	call recorder_instant('converged')
	call recorder_span_begin('request', 7_c_int64_t)
	call recorder_span_end('request', 7_c_int64_t)
	call recorder_end('run', 'solver')
	print '(a)', 'done'
end program
