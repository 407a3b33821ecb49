#!/bin/sh
# SPDX-License-Identifier: MIT
# Every way a process can begin, multiply and end: test/life/life does it, cases.py counts records
# on all sides and finds no live file afterwards. What has a test of its own elsewhere:
#
#   exec of each form, wait of each form, _Fork            test/trace/children.c, process.c
#   vfork in many threads, exec failing there              test/wrap/vfork_threads
#   leaving traced calls by longjmp and pthread_exit       test/trace/nested.c
#   handlers that interrupt the recorder itself            test/trace/signals, interrupted
#   threads by the thousand                                test/trace/threads, exhaust
#   SIGKILL at every step of sealing, at random moments    test/crash/kill.sh, test/soak/kills.sh
#   a rank SIGKILLed, MPI_Abort, mpirun's status           test/crash/launcher.sh, test/mpi abort
#   MPI_Comm_spawn, MPI_THREAD_MULTIPLE                    test/mpi spawn, threads
#   no MPI_Init, no MPI_Finalize, the launcher killed      test/life/mpi.sh
#   2,000 processes one after the other                    test/life/many.sh
#   C++ exceptions through our frames                      test/launchers/exceptions.sh
#
# A library opened with RTLD_DEEPBIND binds to libc before us: its calls cannot be recorded, and it
# comes to no harm. LIFE_CASES="NAME..." runs these alone.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan

# shellcheck disable=SC3045
ulimit -c 0
export RECORDER_SO
leave_segv
# shellcheck disable=SC2086
"${PYTHON:-python3}" "$TOP_SRCDIR/test/life/cases.py" ${LIFE_CASES:-}
