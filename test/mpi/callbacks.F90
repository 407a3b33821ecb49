! SPDX-License-Identifier: MIT
!
! Functions of a program in Fortran that MPI calls: of requests, error handlers, attributes and operators, in
! the three bindings. It stops with an error if one is not called, or does not get what it has to. What each call of
! MPI must give is in want.R of rank R; calls that the functions make are a level below, and not told.
!
! With the argument "spawn" it starts itself twice by one call, with other arguments each, and all talk.
!
#include "bindings.inc"
#if BINDING == 8
#define CALLED called_f08
#elif BINDING == 90
#define CALLED called_mpi
#else
#define CALLED called_mpifh
#endif

module CALLED
  USE_MPI
  use, intrinsic :: iso_c_binding
  implicit none
  INCLUDE_MPI
  private
  public :: query, release, cancel, of_comm, of_win, of_file, copy_comm, drop_comm, copy_type, drop_type, drop_win, earlier
#if BINDING != 8
  public :: copy_old, drop_old
#endif

  ! what they were called with
  integer(kind=MPI_ADDRESS_KIND), public :: queried = 0, released = 0, cancelled = 0, dropped = 0
  integer, public :: class = 0, times = 0, elements = 0
  COMM, public :: with_comm
  WIN, public :: with_win
  FILE_HANDLE, public :: with_file, the_file
  DATATYPE, public :: with_type

contains

  subroutine query(state, status, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: state
    STATUS :: status
    integer :: ierror

    SOURCE_OF(status) = 2
    TAG_OF(status) = 9
    call MPI_Status_set_elements(status, MPI_INTEGER, 3, ierror)
    call MPI_Status_set_cancelled(status, .false., ierror)
    queried = state
  end subroutine

  subroutine release(state, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: state
    integer :: ierror

    released = state
    ierror = MPI_SUCCESS
  end subroutine

  subroutine cancel(state, complete, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: state
    logical :: complete
    integer :: ierror

    if (.not. complete) cancelled = state
    ierror = MPI_SUCCESS
  end subroutine

  subroutine of_comm(comm, error)
    COMM :: comm
    integer :: error, ierr

    with_comm = comm
    call MPI_Error_class(error, class, ierr)
  end subroutine

  subroutine of_win(win, error)
    WIN :: win
    integer :: error, ierr

    with_win = win
    call MPI_Error_class(error, class, ierr)
  end subroutine

  ! MPICH 4.0 gives it what the file is in C.
  subroutine of_file(file, error)
    FILE_HANDLE :: file
    character(len=MPI_MAX_LIBRARY_VERSION_STRING) :: version
    integer :: error, length, ierr

    call MPI_Get_library_version(version, length, ierr)
    if (index(version, 'MPICH') == 0) with_file = file
    if (index(version, 'MPICH') > 0) with_file = the_file
    call MPI_Error_class(error, class, ierr)
  end subroutine

  ! the copy is as much more as the state says
  subroutine copy_comm(comm, keyval, state, from, to, flag, ierror)
    COMM :: comm
    integer :: keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: state, from, to
    logical :: flag

    with_comm = comm
    to = from + state
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine

  subroutine drop_comm(comm, keyval, value, state, ierror)
    COMM :: comm
    integer :: keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: value, state

    dropped = value
    ierror = MPI_SUCCESS
  end subroutine

  subroutine copy_type(type, keyval, state, from, to, flag, ierror)
    DATATYPE :: type
    integer :: keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: state, from, to
    logical :: flag

    with_type = type
    to = from + state
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine

  subroutine drop_type(type, keyval, value, state, ierror)
    DATATYPE :: type
    integer :: keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: value, state

    dropped = value
    ierror = MPI_SUCCESS
  end subroutine

  subroutine drop_win(win, keyval, value, state, ierror)
    WIN :: win
    integer :: keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: value, state

    dropped = value
    ierror = MPI_SUCCESS
  end subroutine

#if BINDING != 8
  ! of MPI-1, with default integers
  subroutine copy_old(comm, keyval, state, from, to, flag, ierror)
    integer :: comm, keyval, state, from, to, ierror
    logical :: flag

    with_comm = comm
    to = from + state
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine

  subroutine drop_old(comm, keyval, value, state, ierror)
    integer :: comm, keyval, value, state, ierror

    dropped = value
    ierror = MPI_SUCCESS
  end subroutine
#endif

  ! of two the one of the lower rank
#if BINDING == 8
  subroutine earlier(in, inout, count, type)
    type(c_ptr), value :: in, inout
    integer :: count
    DATATYPE :: type
    integer, pointer :: from(:), to(:)

    call c_f_pointer(in, from, [count])
    call c_f_pointer(inout, to, [count])
    to = from
#else
  subroutine earlier(in, inout, count, type)
    integer :: count, in(count), inout(count), type

    inout = in
#endif
    with_type = type
    elements = count
    times = times + 1
  end subroutine
end module

program callbacks
  use CALLED
  USE_MPI
  implicit none
  INCLUDE_MPI
  integer :: ierr, rank, requests = 0, want = 20
  character(len=*), parameter :: OK = ' = MPI_SUCCESS', WORLD = 'comm=MPI_COMM_WORLD', SELF = 'comm=MPI_COMM_SELF'
  character(len=20) :: what

  call get_command_argument(1, what)
  call MPI_Init(IERROR)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank AND_IERROR)
  open (unit=want, file='want.'//trim(what)//str(rank), status='replace', action='write')
  call expect('MPI_Init()'//OK)
  call expect('MPI_Comm_rank('//WORLD//', rank='//str(rank)//')'//OK)
  if (what == 'spawn') then
    call spawn()
  else if (what == 'child') then
    call child()
  else
    call requests_of_ours()
    call errors_of_comms()
    call errors_of_windows()
    call errors_of_files()
    call attributes_of_comms()
    call attributes_of_types()
    call attributes_of_windows()
#if BINDING != 8
    call attributes_of_old()
#endif
    call operators()
  end if
  call MPI_Finalize(IERROR)
  call expect('MPI_Finalize()'//OK)
  close (want)

contains

#include "expect.inc"

  subroutine requests_of_ours()
    integer(kind=MPI_ADDRESS_KIND) :: state = 41
    character(len=:), allocatable :: number
    logical :: flag
    REQUEST :: request
    STATUS :: status

    call MPI_Grequest_start(query, release, cancel, state, request AND_IERROR)
    requests = requests + 1
    number = 'request='//str(requests)
    call expect('MPI_Grequest_start('//number//')'//OK)
    call MPI_Test(request, flag, MPI_STATUS_IGNORE AND_IERROR)
    call must(.not. flag, 'MPI_Test')
    call expect('MPI_Test('//number//', flag=0, status=NULL)'//OK)
    call MPI_Cancel(request AND_IERROR)
    call must(cancelled == 41, 'the function that cancels')
    call expect('MPI_Cancel('//number//')'//OK)
    call MPI_Grequest_complete(request AND_IERROR)
    call expect('MPI_Grequest_complete('//number//')'//OK)
    call MPI_Wait(request, status AND_IERROR)
    call must(queried == 41 .and. SOURCE_OF(status) == 2 .and. TAG_OF(status) == 9, 'the function that asks')
    call must(released == 41 .and. request == MPI_REQUEST_NULL, 'the function that releases')
    call expect('MPI_Wait('//number//', status='//received(2, 9, 12)//')'//OK)
  end subroutine

  subroutine errors_of_comms()
    integer :: nothing(1) = 0
    ERRHANDLER :: handler

    call MPI_Comm_create_errhandler(of_comm, handler AND_IERROR)
    call expect('MPI_Comm_create_errhandler(errhandler=errhandler#3)'//OK)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, handler AND_IERROR)
    call expect('MPI_Comm_set_errhandler('//SELF//', errhandler=errhandler#3)'//OK)
    call MPI_Comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_OTHER AND_IERROR)
    call must(with_comm == MPI_COMM_SELF .and. class == MPI_ERR_OTHER, 'MPI_Comm_call_errhandler')
    call expect('MPI_Comm_call_errhandler('//SELF//', errorcode=MPI_ERR_OTHER)'//OK)
    with_comm = MPI_COMM_NULL
    call MPI_Send(nothing, 1, MPI_INTEGER, 99, 1, MPI_COMM_SELF AND_IERROR)
    call must(with_comm == MPI_COMM_SELF .and. class == MPI_ERR_RANK, 'the handler of a communicator')
    call expect('MPI_Send(count=1, datatype=MPI_INTEGER, dest=99, tag=1, '//SELF//') = MPI_ERR_RANK')
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL AND_IERROR)
    call expect('MPI_Comm_set_errhandler('//SELF//', errhandler=MPI_ERRORS_ARE_FATAL)'//OK)
    call MPI_Errhandler_free(handler AND_IERROR)
    call expect('MPI_Errhandler_free(errhandler=errhandler#3)'//OK)
  end subroutine

  subroutine errors_of_windows()
    integer, asynchronous :: memory(1)
    integer(kind=MPI_ADDRESS_KIND) :: bytes = 4
    ERRHANDLER :: handler
    WIN :: window

    call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window AND_IERROR)
    call expect('MPI_Win_create(size=4, disp_unit=4, info=MPI_INFO_NULL, '//WORLD//', win=window)'//OK)
    call MPI_Win_set_name(window, 'window' AND_IERROR)
    call expect('MPI_Win_set_name(win=window, win_name="window")'//OK)
    call MPI_Win_create_errhandler(of_win, handler AND_IERROR)
    call expect('MPI_Win_create_errhandler(errhandler=errhandler#4)'//OK)
    call MPI_Win_set_errhandler(window, handler AND_IERROR)
    call expect('MPI_Win_set_errhandler(win=window, errhandler=errhandler#4)'//OK)
    class = 0
    call MPI_Win_call_errhandler(window, MPI_ERR_OTHER AND_IERROR)
    call must(with_win == window .and. class == MPI_ERR_OTHER, 'the handler of a window')
    call expect('MPI_Win_call_errhandler(win=window, errorcode=MPI_ERR_OTHER)'//OK)
    call MPI_Errhandler_free(handler AND_IERROR)
    call expect('MPI_Errhandler_free(errhandler=errhandler#4)'//OK)
    call MPI_Win_free(window AND_IERROR)
    call expect('MPI_Win_free(win=window)'//OK)
  end subroutine

  subroutine errors_of_files()
    integer(kind=MPI_OFFSET_KIND) :: place = 0
    character(len=200) :: folder
    character(len=:), allocatable :: name, fh
    ERRHANDLER :: handler
    FILE_HANDLE :: file

    call getcwd(folder)
    name = 'of.'//str(rank)
    fh = 'fh=1 "'//trim(folder)//'/'//name//'"'
    call MPI_File_open(MPI_COMM_SELF, name, ior(MPI_MODE_CREATE, MPI_MODE_RDWR), MPI_INFO_NULL, file AND_IERROR)
    call expect_io('MPI_File_open('//SELF//', filename="'//name//'", amode=MPI_MODE_CREATE|MPI_MODE_RDWR, '// &
                   'info=MPI_INFO_NULL, '//fh//', hints=NULL)'//OK)
    the_file = file
    call MPI_File_create_errhandler(of_file, handler AND_IERROR)
    call expect_io('MPI_File_create_errhandler(errhandler=errhandler#5)'//OK)
    call MPI_File_set_errhandler(file, handler AND_IERROR)
    call expect_io('MPI_File_set_errhandler(file'//fh(3:)//', errhandler=errhandler#5)'//OK)
    class = 0
    call MPI_File_call_errhandler(file, MPI_ERR_OTHER AND_IERROR)
    call must(with_file == file .and. class == MPI_ERR_OTHER, 'MPI_File_call_errhandler')
    call expect_io('MPI_File_call_errhandler('//fh//', errorcode=MPI_ERR_OTHER)'//OK)
    with_file = MPI_FILE_NULL
    call MPI_File_seek(file, place, 12345 AND_IERROR)
    call must(with_file == file .and. class == MPI_ERR_ARG, 'the handler of a file')
    call expect_io('MPI_File_seek('//fh//', offset=0, whence=12345) = MPI_ERR_ARG')
    call MPI_Errhandler_free(handler AND_IERROR)
    call expect('MPI_Errhandler_free(errhandler=errhandler#5)'//OK)
    call MPI_File_close(file AND_IERROR)
    call expect_io('MPI_File_close('//fh//')'//OK)
  end subroutine

  subroutine attributes_of_comms()
    integer(kind=MPI_ADDRESS_KIND) :: state = 7, value = 1234567890123_MPI_ADDRESS_KIND, found
    character(len=:), allocatable :: key
    integer :: keyval
    logical :: flag
    COMM :: copy

    call MPI_Comm_create_keyval(copy_comm, drop_comm, keyval, state AND_IERROR)
    key = 'comm_keyval='//str(keyval)//')'//OK
    call expect('MPI_Comm_create_keyval('//key)
    call MPI_Comm_set_attr(MPI_COMM_SELF, keyval, value AND_IERROR)
    call expect('MPI_Comm_set_attr('//SELF//', '//key)
    with_comm = MPI_COMM_NULL
    call MPI_Comm_dup(MPI_COMM_SELF, copy AND_IERROR)
    call must(with_comm == MPI_COMM_SELF, 'the function that copies')
    call expect('MPI_Comm_dup('//SELF//', newcomm=copy)'//OK)
    call MPI_Comm_set_name(copy, 'copy' AND_IERROR)
    call expect('MPI_Comm_set_name(comm=copy, comm_name="copy")'//OK)
    call MPI_Comm_get_attr(copy, keyval, found, flag AND_IERROR)
    call must(flag .and. found == value + 7, 'the attribute of a copy')
    call expect('MPI_Comm_get_attr(comm=copy, comm_keyval='//str(keyval)//', flag=1)'//OK)
    call MPI_Comm_free(copy AND_IERROR)
    call must(dropped == value + 7, 'the function that drops the attribute of a communicator that goes')
    call expect('MPI_Comm_free(comm=copy)'//OK)
    call MPI_Comm_delete_attr(MPI_COMM_SELF, keyval AND_IERROR)
    call must(dropped == value, 'the function that drops')
    call expect('MPI_Comm_delete_attr('//SELF//', '//key)
    call MPI_Comm_free_keyval(keyval AND_IERROR)
    call expect('MPI_Comm_free_keyval('//key)
  end subroutine

  subroutine attributes_of_types()
    integer(kind=MPI_ADDRESS_KIND) :: state = 5, value = -3, found
    character(len=:), allocatable :: key
    integer :: keyval
    logical :: flag
    DATATYPE :: pair, copy

    call MPI_Type_contiguous(2, MPI_INTEGER, pair AND_IERROR)
    call expect('MPI_Type_contiguous(count=2, oldtype=MPI_INTEGER, newtype=pair)'//OK)
    call MPI_Type_set_name(pair, 'pair' AND_IERROR)
    call expect('MPI_Type_set_name(type=pair, type_name="pair")'//OK)
    call MPI_Type_create_keyval(copy_type, drop_type, keyval, state AND_IERROR)
    key = 'type_keyval='//str(keyval)//')'//OK
    call expect('MPI_Type_create_keyval('//key)
    call MPI_Type_set_attr(pair, keyval, value AND_IERROR)
    call expect('MPI_Type_set_attr(type=pair, '//key)
    call MPI_Type_dup(pair, copy AND_IERROR)
    call must(with_type == pair, 'the function that copies')
    call expect('MPI_Type_dup(type=pair, newtype=another)'//OK)
    call MPI_Type_set_name(copy, 'another' AND_IERROR)
    call expect('MPI_Type_set_name(type=another, type_name="another")'//OK)
    call MPI_Type_get_attr(copy, keyval, found, flag AND_IERROR)
    call must(flag .and. found == 2, 'the attribute of a copy')
    call expect('MPI_Type_get_attr(type=another, type_keyval='//str(keyval)//', flag=1)'//OK)
    call MPI_Type_free(copy AND_IERROR)
    call must(dropped == 2, 'the function that drops the attribute of a type that goes')
    call expect('MPI_Type_free(type=another)'//OK)
    call MPI_Type_delete_attr(pair, keyval AND_IERROR)
    call must(dropped == -3, 'the function that drops')
    call expect('MPI_Type_delete_attr(type=pair, '//key)
    call MPI_Type_free_keyval(keyval AND_IERROR)
    call expect('MPI_Type_free_keyval('//key)
    call MPI_Type_free(pair AND_IERROR)
    call expect('MPI_Type_free(type=pair)'//OK)
  end subroutine

  subroutine attributes_of_windows()
    integer, asynchronous :: memory(1)
    integer(kind=MPI_ADDRESS_KIND) :: bytes = 4, state = 0, value = 99
    character(len=:), allocatable :: key
    integer :: keyval
    WIN :: window

    call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window AND_IERROR)
    call expect('MPI_Win_create(size=4, disp_unit=4, info=MPI_INFO_NULL, '//WORLD//', win=second)'//OK)
    call MPI_Win_set_name(window, 'second' AND_IERROR)
    call expect('MPI_Win_set_name(win=second, win_name="second")'//OK)
    call MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, drop_win, keyval, state AND_IERROR)
    key = 'win_keyval='//str(keyval)//')'//OK
    call expect('MPI_Win_create_keyval('//key)
    call MPI_Win_set_attr(window, keyval, value AND_IERROR)
    call expect('MPI_Win_set_attr(win=second, '//key)
    call MPI_Win_free(window AND_IERROR)
    call must(dropped == 99, 'the function that drops the attribute of a window that goes')
    call expect('MPI_Win_free(win=second)'//OK)
    call MPI_Win_free_keyval(keyval AND_IERROR)
    call expect('MPI_Win_free_keyval('//key)
  end subroutine

#if BINDING != 8
  subroutine attributes_of_old()
    integer :: keyval, copy, found
    character(len=:), allocatable :: key
    logical :: flag

    call MPI_Keyval_create(copy_old, drop_old, keyval, 6, ierr)
    key = 'keyval='//str(keyval)//')'//OK
    call expect('MPI_Keyval_create('//key)
    call MPI_Attr_put(MPI_COMM_SELF, keyval, 10, ierr)
    call expect('MPI_Attr_put('//SELF//', '//key)
    with_comm = MPI_COMM_NULL
    call MPI_Comm_dup(MPI_COMM_SELF, copy, ierr)
    call must(with_comm == MPI_COMM_SELF, 'the old function that copies')
    call expect('MPI_Comm_dup('//SELF//', newcomm=old)'//OK)
    call MPI_Comm_set_name(copy, 'old', ierr)
    call expect('MPI_Comm_set_name(comm=old, comm_name="old")'//OK)
    call MPI_Attr_get(copy, keyval, found, flag, ierr)
    call must(flag .and. found == 16, 'the old attribute of a copy')
    call expect('MPI_Attr_get(comm=old, keyval='//str(keyval)//', flag=1)'//OK)
    call MPI_Comm_free(copy, ierr)
    call must(dropped == 16, 'the old function that drops')
    call expect('MPI_Comm_free(comm=old)'//OK)
    call MPI_Attr_delete(MPI_COMM_SELF, keyval, ierr)
    call must(dropped == 10, 'MPI_Attr_delete')
    call expect('MPI_Attr_delete('//SELF//', '//key)
    call MPI_Keyval_free(keyval, ierr)
    call expect('MPI_Keyval_free('//key)
  end subroutine
#endif

  subroutine operators()
    integer :: mine(2), first(2)
    OP :: operator

    call MPI_Op_create(earlier, .false., operator AND_IERROR)
    call expect('MPI_Op_create(commute=0, op=op#15)'//OK)
    mine = [rank, 3]
    call MPI_Scan(mine, first, 2, MPI_INTEGER, operator, MPI_COMM_WORLD AND_IERROR)
    call must(all(first == [0, 3]), 'what an operator makes')
    call must(rank == 0 .or. (times > 0 .and. elements == 2 .and. with_type == MPI_INTEGER), 'the function of an operator')
    call expect('MPI_Scan(sendbuf=buffer, count=2, datatype=MPI_INTEGER, op=op#15, '//WORLD//')'//OK)
    call MPI_Op_free(operator AND_IERROR)
    call expect('MPI_Op_free(op=op#15)'//OK)
  end subroutine

  subroutine spawn()
    character(len=300) :: commands(2), words(2, 3)
    integer :: counts(2) = [1, 1], codes(2)
    INFO :: infos(2)
    COMM :: both

    call get_command_argument(0, commands(1))
    commands(2) = commands(1)
    words(:, 1) = 'child'
    words(:, 2) = ['one', 'two']
    words(:, 3) = ' '
    infos = MPI_INFO_NULL
    call MPI_Comm_spawn_multiple(2, commands, words, counts, infos, 0, MPI_COMM_WORLD, both, codes AND_IERROR)
    call must(rank /= 0 .or. all(codes == MPI_SUCCESS), 'MPI_Comm_spawn_multiple')
    if (rank == 0) then
      call expect('MPI_Comm_spawn_multiple(count=2, array_of_maxprocs=[1, 1], root=0, '//WORLD//', intercomm=comm#4)'//OK)
    else
      call expect('MPI_Comm_spawn_multiple(count=2, array_of_maxprocs=[], root=0, '//WORLD//', intercomm=comm#4)'//OK)
    end if
    call talk(both, .false.)
  end subroutine

  subroutine child()
    character(len=20) :: word
    COMM :: parent

    call MPI_Comm_get_parent(parent AND_IERROR)
    call must(parent /= MPI_COMM_NULL, 'MPI_Comm_get_parent')
    call expect('MPI_Comm_get_parent(parent=comm#4)'//OK)
    call get_command_argument(2, word)
    call must(word == merge('one', 'two', rank == 0), 'the arguments of a child')
    call talk(parent, .true.)
  end subroutine

  ! the children come last
  subroutine talk(both, last)
    COMM :: both, everybody
    logical :: last
    integer :: value, size

    call MPI_Intercomm_merge(both, last, everybody AND_IERROR)
    call expect('MPI_Intercomm_merge(intercomm=comm#4, high='//str(merge(1, 0, last))//', newintercomm=comm#5)'//OK)
    call MPI_Comm_size(everybody, size AND_IERROR)
    call must(size == 4, 'all of them')
    call expect('MPI_Comm_size(comm=comm#5, size=4)'//OK)
    value = merge(0, 8, last)
    call MPI_Bcast(value, 1, MPI_INTEGER, 0, everybody AND_IERROR)
    call must(value == 8, 'MPI_Bcast')
    call expect('MPI_Bcast(count=1, datatype=MPI_INTEGER, root=0, comm=comm#5)'//OK)
    call MPI_Comm_free(everybody AND_IERROR)
    call expect('MPI_Comm_free(comm=comm#5)'//OK)
    call MPI_Comm_disconnect(both AND_IERROR)
    call expect('MPI_Comm_disconnect(comm=comm#4)'//OK)
  end subroutine
end program
