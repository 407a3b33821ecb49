! SPDX-License-Identifier: MIT
!
! MPI calls in Fortran, each with the record it must give: in mpif.h (BINDING 77), the module mpi (90) and
! mpi_f08 (8), there without ierror. It stops with an error if a call does not do what it has to: data
! sent from MPI_BOTTOM, put in place, received with a status that is ignored. What rank R expects is
! written to the file want.R.
!
#include "bindings.inc"

program fortran
  USE_MPI
  use, intrinsic :: iso_c_binding
  implicit none
  INCLUDE_MPI
#if BINDING != 8
  external :: longest, on_error
#endif
  integer :: ierr, rank, size, right, left, requests = 0, want = 20
  character(len=*), parameter :: WORLD = 'comm=MPI_COMM_WORLD', OK = ' = MPI_SUCCESS', &
                                 INTS = 'datatype=MPI_INTEGER'

  call start()
  call point_to_point()
  call completion()
  call from_bottom()
  call collectives()
  call communicators()
  call attributes()
  call errors()
  call hints()
  call types()
  call windows()
  call files()
  call MPI_Finalize(IERROR)
  call expect('MPI_Finalize()'//OK)
  close (want)

contains

#include "expect.inc"

  ! ---- the parts ----

  subroutine start()
    character(len=MPI_MAX_PROCESSOR_NAME) :: name
    logical :: flag
    integer :: length, major, minor
    character(len=20) :: path
#if BINDING == 90
    integer :: provided

    call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
#else
    call MPI_Init(IERROR)
#endif
    call MPI_Comm_rank(MPI_COMM_WORLD, rank AND_IERROR)
    call MPI_Comm_size(MPI_COMM_WORLD, size AND_IERROR)
    write (path, '("want.",i0)') rank
    open (unit=want, file=path, status='replace', action='write')
#if BINDING == 90
    if (provided == MPI_THREAD_FUNNELED) &
      call expect('MPI_Init_thread(required=MPI_THREAD_FUNNELED, provided=MPI_THREAD_FUNNELED)'//OK)
    if (provided == MPI_THREAD_MULTIPLE) &
      call expect('MPI_Init_thread(required=MPI_THREAD_FUNNELED, provided=MPI_THREAD_MULTIPLE)'//OK)
#else
    call expect('MPI_Init()'//OK)
#endif
    call expect('MPI_Comm_rank('//WORLD//', rank='//str(rank)//')'//OK)
    call expect('MPI_Comm_size('//WORLD//', size='//str(size)//')'//OK)
    right = modulo(rank + 1, size)
    left = modulo(rank - 1, size)
    call MPI_Initialized(flag AND_IERROR)
    call must(flag, 'MPI_Initialized')
    call expect('MPI_Initialized(flag=1)'//OK)
    call MPI_Get_processor_name(name, length AND_IERROR)
    call must(len_trim(name) == length, 'MPI_Get_processor_name')
    call expect('MPI_Get_processor_name(name="'//trim(name)//'", resultlen='//str(length)//')'//OK)
    call must(MPI_Wtime() >= 0, 'MPI_Wtime')
    call expect('MPI_Wtime() = *')
    call must(MPI_Wtick() > 0, 'MPI_Wtick')
    call expect('MPI_Wtick() = *')
    call MPI_Get_version(major, minor AND_IERROR)
    call expect('MPI_Get_version(version='//str(major)//', subversion='//str(minor)//')'//OK)
  end subroutine

  subroutine point_to_point()
    integer :: here(4), there(4), count
    logical :: flag
    STATUS :: status
    MESSAGE :: message

    here = rank
    there = -1
    call MPI_Sendrecv(here, 4, MPI_INTEGER, right, 3, there, 4, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE AND_IERROR)
    call must(all(there == left), 'MPI_Sendrecv')
    call expect('MPI_Sendrecv(sendcount=4, sendtype=MPI_INTEGER, dest='//str(right)//', sendtag=3, recvcount=4, '// &
                'recvtype=MPI_INTEGER, source=MPI_ANY_SOURCE, recvtag=MPI_ANY_TAG, '//WORLD//', status='// &
                received(left, 3, 16)//')'//OK)
    if (rank == 0) then
      call MPI_Send(here, 3, MPI_INTEGER, 1, 4, MPI_COMM_WORLD AND_IERROR)
      call expect('MPI_Send(count=3, '//INTS//', dest=1, tag=4, '//WORLD//')'//OK)
      call MPI_Ssend(here, 1, MPI_INTEGER, 1, 5, MPI_COMM_WORLD AND_IERROR)
      call expect('MPI_Ssend(count=1, '//INTS//', dest=1, tag=5, '//WORLD//')'//OK)
      call MPI_Send(here, 2, MPI_INTEGER, 1, 6, MPI_COMM_WORLD AND_IERROR)
      call expect('MPI_Send(count=2, '//INTS//', dest=1, tag=6, '//WORLD//')'//OK)
    else if (rank == 1) then
      call MPI_Recv(there, 4, MPI_INTEGER, 0, 4, MPI_COMM_WORLD, status AND_IERROR)
      call must(SOURCE_OF(status) == 0, 'MPI_Recv')
      call expect('MPI_Recv(count=4, '//INTS//', source=0, tag=4, '//WORLD//', status='//received(0, 4, 12)//')'//OK)
      call MPI_Get_count(status, MPI_INTEGER, count AND_IERROR)
      call must(count == 3, 'MPI_Get_count')
      call expect('MPI_Get_count('//INTS//', count=3)'//OK)
      call MPI_Probe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE AND_IERROR)
      call expect('MPI_Probe(source=MPI_ANY_SOURCE, tag=5, '//WORLD//', status='//received(0, 5, 4)//')'//OK)
      call MPI_Recv(there, 4, MPI_INTEGER, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE AND_IERROR)
      call expect('MPI_Recv(count=4, '//INTS//', source=MPI_ANY_SOURCE, tag=5, '//WORLD//', status='// &
                  received(0, 5, 4)//')'//OK)
      call MPI_Mprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, message, status AND_IERROR)
      call expect('MPI_Mprobe(source=0, tag=MPI_ANY_TAG, '//WORLD//', message=2, status='//received(0, 6, 8)//')'//OK)
      call MPI_Mrecv(there, 4, MPI_INTEGER, message, MPI_STATUS_IGNORE AND_IERROR)
      call must(message == MPI_MESSAGE_NULL, 'MPI_Mrecv')
      call expect('MPI_Mrecv(count=4, type=MPI_INTEGER, message=2, status='//received(0, 6, 8)//')'//OK)
    end if
    call MPI_Iprobe(rank, 77, MPI_COMM_WORLD, flag, MPI_STATUS_IGNORE AND_IERROR)
    call must(.not. flag, 'MPI_Iprobe')
    call expect('MPI_Iprobe(source='//str(rank)//', tag=77, '//WORLD//', flag=0, status=NULL)'//OK)
  end subroutine

  subroutine completion()
    integer :: out(2), in(2), index, count, indices(2), first
    logical :: flag
    REQUEST :: pair(2)
    STATUS :: status
    STATUSES(2) :: both
    character(len=:), allocatable :: send, receive

    send = 'MPI_Isend(count=1, '//INTS//', dest='//str(rank)//', tag='
    receive = 'MPI_Irecv(count=1, '//INTS//', source=MPI_ANY_SOURCE, tag='
    out = [rank, rank + 1]
    call MPI_Irecv(in(1), 1, MPI_INTEGER, MPI_ANY_SOURCE, 11, MPI_COMM_WORLD, pair(1) AND_IERROR)
    call expect(receive//'11, '//WORLD//made()//')'//OK)
    call MPI_Isend(out(1), 1, MPI_INTEGER, rank, 11, MPI_COMM_WORLD, pair(2) AND_IERROR)
    call expect(send//'11, '//WORLD//made()//')'//OK)
    call MPI_Waitall(2, pair, MPI_STATUSES_IGNORE AND_IERROR)
    call must(pair(1) == MPI_REQUEST_NULL .and. in(1) == rank, 'MPI_Waitall')
    call expect('MPI_Waitall(count=2, array_of_requests=['//str(requests - 1)//', '//str(requests)// &
                '], array_of_statuses=['//received(rank, 11, 4)//', {}])'//OK)

    ! indices count from 1 here, and from 0 in the record
    pair(1) = MPI_REQUEST_NULL
    call MPI_Irecv(in(2), 1, MPI_INTEGER, rank, 12, MPI_COMM_WORLD, pair(2) AND_IERROR)
    call expect('MPI_Irecv(count=1, '//INTS//', source='//str(rank)//', tag=12, '//WORLD//made()//')'//OK)
    call MPI_Send(out(2), 1, MPI_INTEGER, rank, 12, MPI_COMM_WORLD AND_IERROR)
    call expect('MPI_Send(count=1, '//INTS//', dest='//str(rank)//', tag=12, '//WORLD//')'//OK)
    call MPI_Waitany(2, pair, index, status AND_IERROR)
    call must(index == 2 .and. in(2) == rank + 1 .and. SOURCE_OF(status) == rank, 'MPI_Waitany')
    call expect('MPI_Waitany(count=2, array_of_requests=['//str(requests)//'], index=1, status='// &
                received(rank, 12, 4)//')'//OK)
    call MPI_Waitany(2, pair, index, MPI_STATUS_IGNORE AND_IERROR)
    call must(index == MPI_UNDEFINED, 'MPI_Waitany')
    call expect('MPI_Waitany(count=2, array_of_requests=[], index=MPI_UNDEFINED, '// &
                'status={source=MPI_ANY_SOURCE, tag=MPI_ANY_TAG, bytes=0})'//OK)

    call MPI_Irecv(in(2), 1, MPI_INTEGER, rank, 13, MPI_COMM_WORLD, pair(2) AND_IERROR)
    call expect('MPI_Irecv(count=1, '//INTS//', source='//str(rank)//', tag=13, '//WORLD//made()//')'//OK)
    call MPI_Send(out(1), 1, MPI_INTEGER, rank, 13, MPI_COMM_WORLD AND_IERROR)
    call expect('MPI_Send(count=1, '//INTS//', dest='//str(rank)//', tag=13, '//WORLD//')'//OK)
    call MPI_Waitsome(2, pair, count, indices, MPI_STATUSES_IGNORE AND_IERROR)
    call must(count == 1 .and. indices(1) == 2 .and. in(2) == rank, 'MPI_Waitsome')
    call expect('MPI_Waitsome(incount=2, array_of_requests=['//str(requests)//'], outcount=1, array_of_indices=[1], '// &
                'array_of_statuses='//received(rank, 13, 4)//')'//OK)
    call MPI_Testall(2, pair, flag, both AND_IERROR)
    call must(flag, 'MPI_Testall')
    call expect('MPI_Testall(count=2, array_of_requests=[0, 0], flag=1, array_of_statuses=['// &
                '{source=MPI_ANY_SOURCE, tag=MPI_ANY_TAG, bytes=0}, {source=MPI_ANY_SOURCE, tag=MPI_ANY_TAG, bytes=0}])'//OK)

    ! persistent ones stay
    first = requests + 1
    call MPI_Send_init(out, 2, MPI_INTEGER, right, 14, MPI_COMM_WORLD, pair(1) AND_IERROR)
    call expect('MPI_Send_init(count=2, '//INTS//', dest='//str(right)//', tag=14, '//WORLD//made()//')'//OK)
    call MPI_Recv_init(in, 2, MPI_INTEGER, left, 14, MPI_COMM_WORLD, pair(2) AND_IERROR)
    call expect('MPI_Recv_init(count=2, '//INTS//', source='//str(left)//', tag=14, '//WORLD//made()//')'//OK)
    call MPI_Startall(2, pair AND_IERROR)
    call expect('MPI_Startall(count=2, array_of_requests=['//str(first)//', '//str(first + 1)//'])'//OK)
    call MPI_Wait(pair(2), status AND_IERROR)
    call must(in(1) == left .and. pair(2) /= MPI_REQUEST_NULL, 'MPI_Wait')
    call expect('MPI_Wait(request='//str(first + 1)//', status='//received(left, 14, 8)//')'//OK)
    call MPI_Wait(pair(1), MPI_STATUS_IGNORE AND_IERROR)
    call expect('MPI_Wait(request='//str(first)//', status={})'//OK)
    call MPI_Request_free(pair(1) AND_IERROR)
    call expect('MPI_Request_free(request='//str(first)//')'//OK)
    call MPI_Request_free(pair(2) AND_IERROR)
    call expect('MPI_Request_free(request='//str(first + 1)//')'//OK)

    call MPI_Irecv(in, 1, MPI_INTEGER, rank, 99, MPI_COMM_WORLD, pair(1) AND_IERROR)
    call expect('MPI_Irecv(count=1, '//INTS//', source='//str(rank)//', tag=99, '//WORLD//made()//')'//OK)
    call MPI_Test(pair(1), flag, MPI_STATUS_IGNORE AND_IERROR)
    call must(.not. flag, 'MPI_Test')
    call expect('MPI_Test(request='//str(requests)//', flag=0, status=NULL)'//OK)
    call MPI_Cancel(pair(1) AND_IERROR)
    call expect('MPI_Cancel(request='//str(requests)//')'//OK)
    call MPI_Wait(pair(1), status AND_IERROR)
    call expect('MPI_Wait(request='//str(requests)//', status={cancelled})'//OK)
    call MPI_Test_cancelled(status, flag AND_IERROR)
    call must(flag, 'MPI_Test_cancelled')
    call expect('MPI_Test_cancelled(flag=1)'//OK)
  end subroutine

  ! Data at addresses, the buffer is MPI_BOTTOM.
  subroutine from_bottom()
    integer, target :: values(3)
    integer(kind=MPI_ADDRESS_KIND) :: places(2)
    integer :: lengths(2) = [1, 1], got(2)
    character(len=60) :: text
    DATATYPE :: scattered

    values = [10 + rank, 20, 30 + rank]
    call MPI_Get_address(values(1), places(1) AND_IERROR)
    write (text, '("MPI_Get_address(address=",i0,")")') places(1)
    call expect(trim(text)//OK)
    call MPI_Get_address(values(3), places(2) AND_IERROR)
    write (text, '("MPI_Get_address(address=",i0,")")') places(2)
    call expect(trim(text)//OK)
    call MPI_Type_create_hindexed(2, lengths, places, MPI_INTEGER, scattered AND_IERROR)
    write (text, '("[",i0,", ",i0,"]")') places
    call expect('MPI_Type_create_hindexed(count=2, array_of_blocklengths=[1, 1], array_of_displacements='//trim(text)// &
                ', oldtype=MPI_INTEGER, newtype=scattered)'//OK)
    call MPI_Type_set_name(scattered, 'scattered' AND_IERROR)
    call expect('MPI_Type_set_name(type=scattered, type_name="scattered")'//OK)
    call MPI_Type_commit(scattered AND_IERROR)
    call expect('MPI_Type_commit(type=scattered)'//OK)
    call MPI_Sendrecv(MPI_BOTTOM, 1, scattered, right, 8, got, 2, MPI_INTEGER, left, 8, MPI_COMM_WORLD, &
                      MPI_STATUS_IGNORE AND_IERROR)
    call must(all(got == [10 + left, 30 + left]), 'MPI_BOTTOM')
    call expect('MPI_Sendrecv(sendcount=1, sendtype=scattered, dest='//str(right)//', sendtag=8, recvcount=2, '// &
                'recvtype=MPI_INTEGER, source='//str(left)//', recvtag=8, '//WORLD//', status='//received(left, 8, 8)//')'//OK)
    call MPI_Bcast(MPI_BOTTOM, 1, scattered, 0, MPI_COMM_WORLD AND_IERROR)
    call must(values(3) == 30, 'MPI_Bcast')
    call expect('MPI_Bcast(count=1, datatype=scattered, root=0, '//WORLD//')'//OK)
    call MPI_Type_free(scattered AND_IERROR)
    call must(scattered == MPI_DATATYPE_NULL, 'MPI_Type_free')
    call expect('MPI_Type_free(type=scattered)'//OK)
  end subroutine

  subroutine collectives()
    integer :: sum(2), all_of(4), counts(4) = 1, places(4) = [0, 1, 2, 3], mine, bytes(4)
    REQUEST :: request
    OP :: operator
    DATATYPE :: kinds(4)

    sum = rank
    call MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD AND_IERROR)
    call must(all(sum == 6), 'MPI_Allreduce')
    call expect('MPI_Allreduce(sendbuf=MPI_IN_PLACE, count=2, '//INTS//', op=MPI_SUM, '//WORLD//')'//OK)
    sum = rank
    if (rank == 2) then
      call MPI_Reduce(MPI_IN_PLACE, sum, 2, MPI_INTEGER, MPI_MAX, 2, MPI_COMM_WORLD AND_IERROR)
      call must(all(sum == 3), 'MPI_Reduce')
      call expect('MPI_Reduce(sendbuf=MPI_IN_PLACE, count=2, '//INTS//', op=MPI_MAX, root=2, '//WORLD//')'//OK)
    else
      call MPI_Reduce(sum, sum, 2, MPI_INTEGER, MPI_MAX, 2, MPI_COMM_WORLD AND_IERROR)
      call expect('MPI_Reduce(sendbuf=buffer, count=2, '//INTS//', op=MPI_MAX, root=2, '//WORLD//')'//OK)
    end if
    all_of = -1
    all_of(rank + 1) = rank * 10
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all_of, 1, MPI_INTEGER, MPI_COMM_WORLD AND_IERROR)
    call must(all(all_of == [0, 10, 20, 30]), 'MPI_Allgather')
    call expect('MPI_Allgather(sendbuf=MPI_IN_PLACE, sendcount=0, sendtype=MPI_DATATYPE_NULL, recvcount=1, '// &
                'recvtype=MPI_INTEGER, '//WORLD//')'//OK)
    mine = rank + 100
    call MPI_Gatherv(mine, 1, MPI_INTEGER, all_of, counts, places, MPI_INTEGER, 0, MPI_COMM_WORLD AND_IERROR)
    if (rank == 0) then
      call must(all(all_of == [100, 101, 102, 103]), 'MPI_Gatherv')
      call expect('MPI_Gatherv(sendbuf=buffer, sendcount=1, sendtype=MPI_INTEGER, recvcounts=[1, 1, 1, 1], '// &
                  'displs=[0, 1, 2, 3], recvtype=MPI_INTEGER, root=0, '//WORLD//')'//OK)
    else
      call expect('MPI_Gatherv(sendbuf=buffer, sendcount=1, sendtype=MPI_INTEGER, recvcounts=[], displs=[], '// &
                  'recvtype=MPI_DATATYPE_NULL, root=0, '//WORLD//')'//OK)
    end if
    kinds = MPI_INTEGER
    bytes = 4 * places
    all_of = [(rank * 10 + mine, mine=0, 3)]
    call MPI_Alltoallw(MPI_IN_PLACE, counts, bytes, kinds, all_of, counts, bytes, kinds, MPI_COMM_WORLD AND_IERROR)
    call must(all(all_of == [(mine * 10 + rank, mine=0, 3)]), 'MPI_Alltoallw')
    call expect('MPI_Alltoallw(sendbuf=MPI_IN_PLACE, sendcounts=[], sdispls=[], sendtypes=[], recvcounts=[1, 1, 1, 1], '// &
                'rdispls=[0, 4, 8, 12], recvtypes=[MPI_INTEGER, MPI_INTEGER, MPI_INTEGER, MPI_INTEGER], '//WORLD//')'//OK)
    call MPI_Op_create(longest, .true., operator AND_IERROR)
    call expect('MPI_Op_create(commute=1, op=op#15)'//OK)
    mine = rank
    call MPI_Allreduce(mine, all_of, 1, MPI_INTEGER, operator, MPI_COMM_WORLD AND_IERROR)
    call must(all_of(1) == 3, 'MPI_Op_create')
    call expect('MPI_Allreduce(sendbuf=buffer, count=1, '//INTS//', op=op#15, '//WORLD//')'//OK)
    call MPI_Op_free(operator AND_IERROR)
    call expect('MPI_Op_free(op=op#15)'//OK)
    call MPI_Ibarrier(MPI_COMM_WORLD, request AND_IERROR)
    call expect('MPI_Ibarrier('//WORLD//made()//')'//OK)
    call MPI_Wait(request, MPI_STATUS_IGNORE AND_IERROR)
    call expect('MPI_Wait(request='//str(requests)//', status={})'//OK)
    call MPI_Barrier(MPI_COMM_WORLD AND_IERROR)
    call expect('MPI_Barrier('//WORLD//')'//OK)
  end subroutine

  subroutine communicators()
    integer :: dims(2) = [2, 2], coords(2), got(2), members(2) = [0, 1], other, place
    logical :: periods(2) = [.true., .false.], around(2), keep(2) = [.false., .true.], inter
    character(len=30) :: name
    character(len=MPI_MAX_OBJECT_NAME) :: back
    COMM :: named, half, grid, row, both, merged
    GROUP :: everybody, pair

    call MPI_Comm_dup(MPI_COMM_WORLD, named AND_IERROR)
    name = 'a name'
    call expect('MPI_Comm_dup('//WORLD//', newcomm="a name")'//OK)
    call MPI_Comm_set_name(named, name AND_IERROR)
    call expect('MPI_Comm_set_name(comm="a name", comm_name="a name")'//OK)
    call MPI_Comm_get_name(named, back, place AND_IERROR)
    call must(back == 'a name' .and. place == 6, 'MPI_Comm_get_name')
    call expect('MPI_Comm_get_name(comm="a name", comm_name="a name", resultlen=6)'//OK)
    call MPI_Comm_split(named, modulo(rank, 2), rank, half AND_IERROR)
    call expect('MPI_Comm_split(comm="a name", color='//str(modulo(rank, 2))//', key='//str(rank)//', newcomm=comm#4)'//OK)
    other = 1 - modulo(rank, 2)
    call MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, other, 21, both AND_IERROR)
    if (rank < 2) then
      call expect('MPI_Intercomm_create(local_comm=comm#4, local_leader=0, bridge_comm=MPI_COMM_WORLD, remote_leader='// &
                  str(other)//', tag=21, newintercomm=comm#5)'//OK)
    else
      call expect('MPI_Intercomm_create(local_comm=comm#4, local_leader=0, bridge_comm=MPI_COMM_NULL, remote_leader='// &
                  str(other)//', tag=21, newintercomm=comm#5)'//OK)
    end if
    call MPI_Comm_test_inter(both, inter AND_IERROR)
    call must(inter, 'MPI_Comm_test_inter')
    call expect('MPI_Comm_test_inter(comm=comm#5, flag=1)'//OK)
    call MPI_Intercomm_merge(both, other == 0, merged AND_IERROR)
    call expect('MPI_Intercomm_merge(intercomm=comm#5, high='//str(1 - other)//', newintercomm=comm#6)'//OK)
    call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, .false., grid AND_IERROR)
    call expect('MPI_Cart_create(old_comm=MPI_COMM_WORLD, ndims=2, dims=[2, 2], periods=[1, 0], reorder=0, comm_cart=comm#7)'//OK)
    call MPI_Cart_get(grid, 2, got, around, coords AND_IERROR)
    call must(all(got == dims) .and. (around(1) .and. .not. around(2)), 'MPI_Cart_get')
    call expect('MPI_Cart_get(comm=comm#7, maxdims=2, dims=[2, 2], periods=[1, 0], coords=['//str(coords(1))//', '// &
                str(coords(2))//'])'//OK)
    call MPI_Cart_rank(grid, coords, place AND_IERROR)
    call must(place == rank, 'MPI_Cart_rank')
    call expect('MPI_Cart_rank(comm=comm#7, coords=['//str(coords(1))//', '//str(coords(2))//'], rank='//str(place)//')'//OK)
    call MPI_Cart_sub(grid, keep, row AND_IERROR)
    call expect('MPI_Cart_sub(comm=comm#7, remain_dims=[0, 1], new_comm=comm#8)'//OK)
    call MPI_Comm_group(MPI_COMM_WORLD, everybody AND_IERROR)
    call expect('MPI_Comm_group('//WORLD//', group=0-3)'//OK)
    call MPI_Group_incl(everybody, 2, members, pair AND_IERROR)
    call expect('MPI_Group_incl(group=0-3, n=2, ranks=[0, 1], newgroup=0-1)'//OK)
    call MPI_Group_free(pair AND_IERROR)
    call expect('MPI_Group_free(group=0-1)'//OK)
    call MPI_Comm_free(row AND_IERROR)
    call must(row == MPI_COMM_NULL, 'MPI_Comm_free')
    call expect('MPI_Comm_free(comm=comm#8)'//OK)
  end subroutine

  subroutine attributes()
    integer(kind=MPI_ADDRESS_KIND) :: value, found, state = 0
    integer :: keyval
    logical :: flag

    call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, keyval, state AND_IERROR)
    call expect('MPI_Comm_create_keyval(comm_keyval='//str(keyval)//')'//OK)
    value = 1234567890123_MPI_ADDRESS_KIND + rank
    call MPI_Comm_set_attr(MPI_COMM_SELF, keyval, value AND_IERROR)
    call expect('MPI_Comm_set_attr(comm=MPI_COMM_SELF, comm_keyval='//str(keyval)//')'//OK)
    call MPI_Comm_get_attr(MPI_COMM_SELF, keyval, found, flag AND_IERROR)
    call must(flag .and. found == value, 'MPI_Comm_get_attr')
    call expect('MPI_Comm_get_attr(comm=MPI_COMM_SELF, comm_keyval='//str(keyval)//', flag=1)'//OK)
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, found, flag AND_IERROR)
    call must(flag .and. found >= 32767, 'MPI_TAG_UB')
    call expect('MPI_Comm_get_attr('//WORLD//', comm_keyval=MPI_TAG_UB, flag=1)'//OK)
    call MPI_Comm_delete_attr(MPI_COMM_SELF, keyval AND_IERROR)
    call expect('MPI_Comm_delete_attr(comm=MPI_COMM_SELF, comm_keyval='//str(keyval)//')'//OK)
    call expect('MPI_Comm_free_keyval(comm_keyval='//str(keyval)//')'//OK)
    call MPI_Comm_free_keyval(keyval AND_IERROR)
    call must(keyval == MPI_KEYVAL_INVALID, 'MPI_Comm_free_keyval')
  end subroutine

  subroutine errors()
    integer :: nothing(1) = 0
    ERRHANDLER :: handler

    call MPI_Comm_create_errhandler(on_error, handler AND_IERROR)
    call expect('MPI_Comm_create_errhandler(errhandler=errhandler#3)'//OK)
    call MPI_Errhandler_free(handler AND_IERROR)
    call must(handler == MPI_ERRHANDLER_NULL, 'MPI_Errhandler_free')
    call expect('MPI_Errhandler_free(errhandler=errhandler#3)'//OK)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN AND_IERROR)
    call expect('MPI_Comm_set_errhandler(comm=MPI_COMM_SELF, errhandler=MPI_ERRORS_RETURN)'//OK)
    ierr = -1
    call MPI_Send(nothing, 1, MPI_INTEGER, 99, 1, MPI_COMM_SELF AND_IERROR)
#if BINDING == 8
    call must(ierr == -1, 'ierror')
#else
    call must(ierr /= MPI_SUCCESS .and. ierr /= -1, 'ierror')
#endif
    call expect('MPI_Send(count=1, '//INTS//', dest=99, tag=1, comm=MPI_COMM_SELF) = MPI_ERR_RANK')
  end subroutine

  subroutine hints()
    character(len=20) :: key, value
    integer :: count, length
    logical :: flag
    INFO :: hint

    call MPI_Info_create(hint AND_IERROR)
    call expect('MPI_Info_create(info=info#2)'//OK)
    key = 'colour'
    value = 'dark green'
    call MPI_Info_set(hint, key, value AND_IERROR)
    call expect('MPI_Info_set(info=info#2, key="colour", value="dark green")'//OK)
    value = '?'
    call MPI_Info_get(hint, 'colour', 20, value, flag AND_IERROR)
    call must(flag .and. value == 'dark green', 'MPI_Info_get')
    call expect('MPI_Info_get(info=info#2, key="colour", valuelen=20, value="dark green", flag=1)'//OK)
    call MPI_Info_get(hint, 'shape  ', 20, value, flag AND_IERROR)
    call must(.not. flag, 'MPI_Info_get')
    call expect('MPI_Info_get(info=info#2, key="shape", valuelen=20, value=NULL, flag=0)'//OK)
    call MPI_Info_get_valuelen(hint, key, length, flag AND_IERROR)
    call must(flag .and. length == 10, 'MPI_Info_get_valuelen')
    call expect('MPI_Info_get_valuelen(info=info#2, key="colour", valuelen=10, flag=1)'//OK)
    call MPI_Info_get_nkeys(hint, count AND_IERROR)
    call expect('MPI_Info_get_nkeys(info=info#2, nkeys=1)'//OK)
    call MPI_Info_get_nthkey(hint, 0, key AND_IERROR)
    call must(key == 'colour', 'MPI_Info_get_nthkey')
    call expect('MPI_Info_get_nthkey(info=info#2, n=0, key="colour")'//OK)
    call MPI_Info_delete(hint, key AND_IERROR)
    call expect('MPI_Info_delete(info=info#2, key="colour")'//OK)
    call MPI_Info_free(hint AND_IERROR)
    call must(hint == MPI_INFO_NULL, 'MPI_Info_free')
    call expect('MPI_Info_free(info=info#2)'//OK)
  end subroutine

  subroutine types()
    integer(kind=MPI_ADDRESS_KIND) :: lower, extent, addresses(1), state = 0
    integer :: keyval, bytes, integers(3), counts(3), combiner, place, packed(10)
    DATATYPE :: vector, inner(1)

    call MPI_Type_vector(3, 2, 4, MPI_DOUBLE_PRECISION, vector AND_IERROR)
    call expect('MPI_Type_vector(count=3, blocklength=2, stride=4, oldtype=MPI_DOUBLE_PRECISION, newtype=columns)'//OK)
    call MPI_Type_set_name(vector, 'columns  ' AND_IERROR)
    call expect('MPI_Type_set_name(type=columns, type_name="columns")'//OK)
    call MPI_Type_size(vector, bytes AND_IERROR)
    call must(bytes == 48, 'MPI_Type_size')
    call expect('MPI_Type_size(type=columns, size=48)'//OK)
    call MPI_Type_get_extent(vector, lower, extent AND_IERROR)
    call must(extent == 80, 'MPI_Type_get_extent')
    call expect('MPI_Type_get_extent(type=columns, lb=0, extent=80)'//OK)
    call MPI_Type_get_envelope(vector, counts(1), counts(2), counts(3), combiner AND_IERROR)
    call expect('MPI_Type_get_envelope(type=columns, num_integers=3, num_addresses=0, num_datatypes=1, '// &
                'combiner=MPI_COMBINER_VECTOR)'//OK)
    call MPI_Type_get_contents(vector, 3, 0, 1, integers, addresses, inner AND_IERROR)
    call must(all(integers == [3, 2, 4]) .and. inner(1) == MPI_DOUBLE_PRECISION, 'MPI_Type_get_contents')
    call expect('MPI_Type_get_contents(mtype=columns, max_integers=3, max_addresses=0, max_datatypes=1)'//OK)
    call MPI_Type_free(vector AND_IERROR)
    call expect('MPI_Type_free(type=columns)'//OK)
    call MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, keyval, state AND_IERROR)
    call expect('MPI_Type_create_keyval(type_keyval='//str(keyval)//')'//OK)
    call expect('MPI_Type_free_keyval(type_keyval='//str(keyval)//')'//OK)
    call MPI_Type_free_keyval(keyval AND_IERROR)
    place = 0
    call MPI_Pack(rank, 1, MPI_INTEGER, packed, 40, place, MPI_COMM_WORLD AND_IERROR)
    call must(place == 4, 'MPI_Pack')
    call expect('MPI_Pack(incount=1, '//INTS//', outsize=40, position=4, '//WORLD//')'//OK)
  end subroutine

  subroutine windows()
    integer :: memory(4), here(1), keyval
    integer(kind=MPI_ADDRESS_KIND) :: bytes = 16, place = 2, state = 0
    WIN :: window

    memory = -1
    call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window AND_IERROR)
    call expect('MPI_Win_create(size=16, disp_unit=4, info=MPI_INFO_NULL, '//WORLD//', win="the window")'//OK)
    call MPI_Win_set_name(window, 'the window' AND_IERROR)
    call expect('MPI_Win_set_name(win="the window", win_name="the window")'//OK)
    call MPI_Win_fence(0, window AND_IERROR)
    call expect('MPI_Win_fence(assert=0, win="the window")'//OK)
    here = rank
    call MPI_Put(here, 1, MPI_INTEGER, right, place, 1, MPI_INTEGER, window AND_IERROR)
    call expect('MPI_Put(origin_count=1, origin_datatype=MPI_INTEGER, target_rank='//str(right)// &
                ', target_disp=2, target_count=1, target_datatype=MPI_INTEGER, win="the window")'//OK)
    call MPI_Win_fence(MPI_MODE_NOSUCCEED, window AND_IERROR)
    call must(memory(3) == left, 'MPI_Put')
    call expect('MPI_Win_fence(assert=MPI_MODE_NOSUCCEED, win="the window")'//OK)
    call MPI_Win_free(window AND_IERROR)
    call must(window == MPI_WIN_NULL, 'MPI_Win_free')
    call expect('MPI_Win_free(win="the window")'//OK)
    call MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, keyval, state AND_IERROR)
    call expect('MPI_Win_create_keyval(win_keyval='//str(keyval)//')'//OK)
    call expect('MPI_Win_free_keyval(win_keyval='//str(keyval)//')'//OK)
    call MPI_Win_free_keyval(keyval AND_IERROR)
  end subroutine

  subroutine files()
    character(len=40) :: path
    character(len=200) :: folder
    character(len=:), allocatable :: name, fh
    integer :: buffer(4), got(4)
    integer(kind=MPI_OFFSET_KIND) :: place, bytes
    FILE_HANDLE :: file
    REQUEST :: request

    path = 'shared file'
    call getcwd(folder)
    name = trim(folder)//'/shared file'
    fh = 'fh=1 "'//name//'"'
    buffer = rank
    call MPI_File_open(MPI_COMM_WORLD, path, ior(MPI_MODE_CREATE, MPI_MODE_RDWR), MPI_INFO_NULL, file AND_IERROR)
    call expect_io('MPI_File_open('//WORLD//', filename="shared file", amode=MPI_MODE_CREATE|MPI_MODE_RDWR, '// &
                   'info=MPI_INFO_NULL, '//fh//', hints=NULL)'//OK)
    place = 16 * rank
    call MPI_File_set_view(file, place, MPI_INTEGER, MPI_INTEGER, 'native  ', MPI_INFO_NULL AND_IERROR)
    call expect_io('MPI_File_set_view('//fh//', disp='//str(16 * rank)//', etype=MPI_INTEGER, filetype=MPI_INTEGER, '// &
                   'datarep="native", info=MPI_INFO_NULL, hints=NULL)'//OK)
    call MPI_File_write_all(file, buffer, 4, MPI_INTEGER, MPI_STATUS_IGNORE AND_IERROR)
    call expect_io('MPI_File_write_all('//fh//', count=4, '//INTS//', status={bytes=16}, position='//str(16 * rank)//')'//OK)
    call MPI_File_sync(file AND_IERROR)
    call expect_io('MPI_File_sync('//fh//')'//OK)
    call MPI_Barrier(MPI_COMM_WORLD AND_IERROR)
    call expect('MPI_Barrier('//WORLD//')'//OK)
    place = 2
    call MPI_File_read_at(file, place, got, 2, MPI_INTEGER, MPI_STATUS_IGNORE AND_IERROR)
    call must(all(got(1:2) == rank), 'MPI_File_read_at')
    call expect_io('MPI_File_read_at('//fh//', offset=2, count=2, '//INTS//', status={bytes=8}, position='// &
                   str(16 * rank + 8)//')'//OK)
    call MPI_File_iwrite_at(file, place, buffer, 1, MPI_INTEGER, request AND_IERROR)
    call expect_io('MPI_File_iwrite_at('//fh//', offset=2, count=1, '//INTS//made()//', position='// &
                   str(16 * rank + 8)//')'//OK)
    call MPI_Wait(request, MPI_STATUS_IGNORE AND_IERROR)
    call expect('MPI_Wait(request='//str(requests)//', status={bytes=4})'//OK)
    call MPI_Barrier(MPI_COMM_WORLD AND_IERROR)
    call expect('MPI_Barrier('//WORLD//')'//OK)
    call MPI_File_get_size(file, bytes AND_IERROR)
    call must(bytes == 64, 'MPI_File_get_size')
    call expect_io('MPI_File_get_size('//fh//', size=64)'//OK)
    call MPI_File_close(file AND_IERROR)
    call must(file == MPI_FILE_NULL, 'MPI_File_close')
    call expect_io('MPI_File_close('//fh//')'//OK)
    if (rank == 0) then
      call MPI_File_delete(path, MPI_INFO_NULL AND_IERROR)
      call expect_io('MPI_File_delete(filename="shared file", info=MPI_INFO_NULL)'//OK)
    end if
  end subroutine

#if BINDING == 8
  subroutine longest(in, inout, count, kind)
    type(c_ptr), value :: in, inout
    integer :: count
    DATATYPE :: kind
#else
  end program

  subroutine longest(in, inout, count, kind)
    implicit none
    integer :: in(*), inout(*), count, kind
#endif
#if BINDING == 8
    integer, pointer :: from(:), to(:)

    call c_f_pointer(in, from, [count])
    call c_f_pointer(inout, to, [count])
    to = max(from, to)
  end subroutine

  subroutine on_error(comm, error)
    COMM :: comm
    integer :: error

    error stop 2
  end subroutine
end program
#else
    inout(1:count) = max(in(1:count), inout(1:count))
  end subroutine

  subroutine on_error(comm, error)
    implicit none
    integer :: comm, error

    error stop 2
  end subroutine
#endif
