# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Sourced by the shell tests: . "${TOP_SRCDIR:?}/test/lib.sh". Exit 0: passed, 77: skipped, else
# failed. Each test runs in an empty directory of its own, "$PWD", which is removed at its end
# (TEST_KEEP=1 keeps it).
#
#   fail TEXT...        ends the test as failed
#   skip REASON...      ends it as skipped: this machine cannot do it
#   need CMD [PACKAGE]  skips without the command; in CI, where packages are installed, it fails
#   python3 ARG...      the interpreter that configure found
#   need_kernel         skips where `recorder system` cannot put its programs into the kernel; in CI, as root, it fails
#   need_mpi            skips where librecorder.so was built without MPI. With it, "$MPIEXEC" -n N CMD starts ranks, where
#                       run_mpi will not do: before `recorder run`, in scripts, in the background
#   need_mpicc          the same of "$MPICC", which compiles for it
#   need_mpiexec        skips where nothing starts programs of it
#   expect_eq WANT GOT WHAT
#   run_mpi N [-x NAME=VALUE]... CMD...   CMD in N ranks of the MPI that librecorder.so was built for, with what containers
#                       and root need; -x: only the ranks and what they spawn get the variable
#   mpi_option NAME VALUE  the words by which "$MPIEXEC" gives its ranks a variable
#   $mpi_killed         its status when a rank was killed by SIGKILL
#   mpi_of FILE         openmpi or mpich: which one a program or module is linked with, nothing if with none
#   mpiexec_of MPI      what starts programs of that one
#   need_openmpi        skips where librecorder.so was built for another one than Open MPI
#   preload CMD...      runs CMD with librecorder.so preloaded
#   skip_under_tsan     for tests that preload
#   quietly CMD...      runs CMD, shows its output only when it fails
#   until_ CONDITION... waits for what others do, for minutes if need be: $until_tries twentieths of a second (6000)
#   report STATUS NAME [FILE...]  a line of TAP; if STATUS is not 0 the files, as far as they are there, say why
#   report_skip REASON  a line of TAP for a case that this machine cannot do
#   memory_dir          makes $memory, a folder in memory, for live files for instance; it goes with the test
#   info_number NAME [FILE]  a number of the whole trace, from what recorder info --json gave (info.json)

set -u
: "${TOP_SRCDIR:?}" "${TOP_BUILDDIR:?}"

RECORDER_SO=$TOP_BUILDDIR/.libs/librecorder.so
# the programs the tests trace
# shellcheck disable=SC2034
TEST_BIN=$TOP_BUILDDIR/test
PATH=${TEST_TOOLS:-$TOP_BUILDDIR/tools}:$PATH
LC_ALL=C
TZ=UTC
export PATH LC_ALL TZ
unset LD_PRELOAD
for name in $(env | sed -n 's/^\(RECORDER_[A-Z_]*\)=.*/\1/p'); do
	[ "$name" = RECORDER_SO ] || unset "$name"
done

# TEST_SETTINGS="RECORDER_AGGREGATE=node RECORDER_STACKS=8": the same tests of a recorder that is set otherwise
for setting in ${TEST_SETTINGS:-}; do
	export "${setting?}"
done

if [ "${PYTHON:-:}" != : ]; then
	python3()
	{
		"$PYTHON" "$@"
	}
fi

MPI_KIND=${MPI_KIND:-openmpi}
MPICC=${MPICC:-mpicc}
MPIEXEC=${MPIEXEC:-mpiexec}
# shellcheck disable=SC2034
[ "$MPI_KIND" = openmpi ] && mpi_killed=137 || mpi_killed=9

# Open MPI: root, more ranks than cores, no waiting in a loop
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
OMPI_MCA_rmaps_base_oversubscribe=1
OMPI_MCA_mpi_yield_when_idle=1
OMPI_MCA_btl_vader_single_copy_mechanism=none
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe
export OMPI_MCA_mpi_yield_when_idle OMPI_MCA_btl_vader_single_copy_mechanism

test_name=$(basename "$0")
test_dir=$(mktemp -d "${TMPDIR:-/tmp}/recorder-test-${test_name%.*}.XXXXXX") || exit 99

test_memory=
memory_dir()
{
	memory=$(mktemp -d /dev/shm/recorder-test.XXXXXX) || exit 99
	test_memory="$test_memory $memory"
}

test_cleanup()
{
	cd /
	# shellcheck disable=SC2086 # a list
	[ -z "$test_memory" ] || rm -rf $test_memory
	if [ -n "${TEST_KEEP:-}" ]; then
		echo "kept: $test_dir"
	else
		chmod -R u+rwx "$test_dir" 2>/dev/null
		rm -rf "$test_dir"
	fi
}
trap test_cleanup EXIT
trap 'exit 99' HUP INT TERM
cd "$test_dir" || exit 99

fail()
{
	echo "fail: $*" >&2
	exit 1
}

skip()
{
	case $0 in
	*.t)
		echo "1..0 # SKIP $*"
		exit 0
		;;
	esac
	echo "skip: $test_name: $*"
	exit 77
}

need()
{
	command -v "$1" >/dev/null && return
	[ -z "${CI:-}" ] || fail "'$1' is missing (package ${2:-$1})"
	skip "'$1' is missing (package ${2:-$1})"
}

until_()
{
	tries=0
	until "$@" 2>/dev/null; do
		tries=$((tries + 1))
		[ $tries -lt "${until_tries:-6000}" ] || fail "never: $*"
		sleep 0.05
	done
}

# In `kernel_missing` why there are no programs in the kernel; "": there are.
look_for_kernel()
{
	kernel_missing=
	recorder system -o kernel.probe -- true >kernel.said 2>&1
	[ -n "$(find kernel.probe -name 'system.*' 2>/dev/null)" ] || kernel_missing=$(grep -v samples kernel.said | tail -n 1)
	rm -rf kernel.probe kernel.said
	[ -z "$kernel_missing" ] || [ -z "${CI:-}" ] || [ "$(id -u)" -ne 0 ] || fail "$kernel_missing"
}

need_kernel()
{
	look_for_kernel
	[ -z "$kernel_missing" ] || skip "$kernel_missing"
}

need_mpi()
{
	[ -x "$TEST_BIN/mpi/io" ] || skip "built without MPI"
	need_mpiexec
}

need_mpiexec()
{
	case $MPI_KIND in
	openmpi) need "$MPIEXEC" openmpi-bin ;;
	*) need "$MPIEXEC" mpich ;;
	esac
}

expect_eq()
{
	[ "$1" = "$2" ] || fail "$3: expected '$1', got '$2'"
}

need_mpicc()
{
	need_mpi
	case $MPI_KIND in
	openmpi) need "$MPICC" libopenmpi-dev ;;
	*) need "$MPICC" libmpich-dev ;;
	esac
}

mpi_option()
{
	case $MPI_KIND in
	openmpi) echo "-x $1=$2" ;;
	*) echo "-genv $1 $2" ;;
	esac
}

mpi_of()
{
	case $(ldd "$1" 2>/dev/null) in
	*libmpich.so.*) echo mpich ;;
	*libmpi.so.*) echo openmpi ;;
	esac
}

# each MPI of Debian has its commands with its name behind them
mpiexec_of()
{
	[ "$1" = "$MPI_KIND" ] && echo "$MPIEXEC" || echo "mpiexec.$1"
}

need_openmpi()
{
	[ "$MPI_KIND" = openmpi ] || skip "about Open MPI, and this build is for another"
}

run_mpi()
{
	run_mpi_ranks=$1
	shift
	need_mpiexec
	case $MPI_KIND in
	openmpi)
		"$MPIEXEC" -n "$run_mpi_ranks" "$@"
		;;
	*)
		run_mpi_next=-x
		for run_mpi_word in "$@"; do
			shift
			if [ "$run_mpi_next" = "$run_mpi_word" ]; then
				run_mpi_next=variable
				continue
			fi
			[ "$run_mpi_next" = variable ] && run_mpi_next=-x || run_mpi_next=words
			set -- "$@" "$run_mpi_word"
		done
		"$MPIEXEC" -n "$run_mpi_ranks" env "$@"
		;;
	esac
}

preload()
{
	LD_PRELOAD="$RECORDER_SO" "$@"
}

# here NAME: goes to NAME/work, as programs tell it; the trace will be in NAME/trace, what witnesses count in NAME/counts
here()
{
	mkdir -p "$1/work" "$1/counts" && cd "$1/work" || return 1
	PWD=$(pwd -P)
	RECORDER_TRACES_DIR=$test_dir/$1/trace
	WITNESS_DIR=$test_dir/$1/counts
	export PWD RECORDER_TRACES_DIR WITNESS_DIR
}

# The faults of the program are its own business: AddressSanitizer in the recorder does not report them.
leave_segv()
{
	case ${SANITIZERS:-} in *address*) ASAN_OPTIONS=$ASAN_OPTIONS:handle_segv=0:handle_sigbus=0 ;; esac
}

# For tests that preload: ThreadSanitizer cannot come into a program that was built without it.
skip_under_tsan()
{
	case ${SANITIZERS:-} in
	*thread*) skip "librecorder.so built with ThreadSanitizer cannot be preloaded" ;;
	esac
}

reported=0
report()
{
	reported=$((reported + 1))
	if [ "$1" = 0 ]; then
		echo "ok $reported - $2"
		return
	fi
	echo "not ok $reported - $2"
	shift 2
	sed 's/^/# /' "$@" 2>/dev/null </dev/null
}

# try NAME COMMAND...: a case, in a shell of its own; what it says is shown if it fails
try()
{
	name=$1
	shift
	("$@") >log 2>&1
	report $? "$name" log
}

report_skip()
{
	reported=$((reported + 1))
	echo "ok $reported # SKIP $*"
}

info_number()
{
	sed -n "s/^  \"$1\": \([0-9]*\),*\$/\1/p" "${2:-info.json}"
}

# TRACE: how many streams it has
streams()
{
	recorder info "$1" | sed -n 's/.* \([0-9]*\) streams on .*/\1/p'
}

quietly()
{
	"$@" >quietly.out 2>&1 || {
		quietly_status=$?
		cat quietly.out >&2
		return $quietly_status
	}
}
