#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 900
# MPI calls in Fortran: programs in its three bindings that tell which records they expect, and the tests
# in C once more with their calls made in Fortran (by_fortran.py), which must give the records
# of C. Counting libraries for Fortran and C behind the recorder are the witnesses: each call once.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan

[ -x "$TEST_BIN/mpi/fortran_f08" ] || skip "built without MPI in Fortran"
check="${PYTHON:-python3} $TOP_SRCDIR/test/mpi/check.py"
libraries=$TEST_BIN/mpi/.libs
unset OMPI_MCA_btl_vader_single_copy_mechanism # windows need what lib.sh takes away

# run RANKS NAME IN_FRONT PROGRAM [ARGUMENT...]: leaves trace/ and counts/ in the folder NAME
run()
{
	ranks=$1
	name=$2
	front=$3
	shift 3
	here "$name" || return 1
	run_mpi "$ranks" -x LD_PRELOAD="$front$RECORDER_SO:$libraries/witness_fortran.so:$libraries/witness.so" \
		"$@" >../out 2>&1 || {
		echo "exit status $?" >>../err
		cat ../out >>../err
		return 1
	}
	cd ..
}

# The records of layers mpi and mpiio, as both readers tell them; `changed` is done to what is expected.
changed='s/a/a/'
lines()
{
	for rank in 0 1 2 3; do
		recorder2text --layers mpi,mpiio --ranks $rank trace >text.$rank 2>>err || return 1
		cut -d ' ' -f 5- text.$rank >got.$rank
		sed "$changed" work/want.$rank >want.$rank
	done
	$check lines trace got want 4 >>err 2>&1
}

counts()
{
	$check counts trace counts >>err 2>&1 && $check once counts >>err 2>&1 && $check comms trace >>err 2>&1
}

# Without the recorder the program does the same, and calls what it expects.
binding()
{
	mkdir -p "bare.$1" && (cd "bare.$1" && run_mpi 4 "$TEST_BIN/mpi/fortran_$1" >out 2>&1) || return 1
	run 4 "$1" '' "$TEST_BIN/mpi/fortran_$1" && lines && counts || return 1
	for rank in 0 1 2 3; do
		sed -e 's/address=[0-9]*/address=N/' -e '/array_of_displacements/d' -e "s|bare.$1|$1/work|" \
			"../bare.$1/want.$rank" >bare.$rank
		sed -e 's/address=[0-9]*/address=N/' -e '/array_of_displacements/d' "work/want.$rank" >traced.$rank
		diff bare.$rank traced.$rank >>err || return 1
	done
	[ ! -s out ]
}

# Numbers of objects that the program makes are no matter.
without_numbers()
{
	sed 's/#[0-9][0-9]*/#N/g' "$1"
}

# Functions of the program that MPI calls: what they call themselves is a level below the call that called them.
callbacks()
{
	run 4 "callbacks.$1" '' "$TEST_BIN/mpi/callbacks_$1" || return 1
	for rank in 0 1 2 3; do
		without_numbers work/want.$rank >want.$rank
		recorder2text --layers mpi,mpiio --ranks $rank trace 2>>err | cut -d ' ' -f 5- >text.$rank
		without_numbers text.$rank >got.$rank
		$check same got.$rank want.$rank >>err 2>&1 || return 1
		$check text trace $rank >second.$rank 2>>err || return 1
		without_numbers second.$rank >got.$rank
		$check same got.$rank want.$rank >>err 2>&1 || return 1
		for call in 'MPI_Status_set_elements(datatype=MPI_INTEGER, count=3)' 'MPI_Error_class(.*errorclass=MPI_ERR_RANK)'; do
			[ "$(grep -c "^1 mpi $call = MPI_SUCCESS" text.$rank)" = 1 ] || {
				echo "rank $rank: $call is not there once, a level below" >>err
				return 1
			}
		done
	done
	counts && [ ! -s out ]
}

# It starts itself twice by one call, with other arguments each.
spawned_twice()
{
	run 2 "twice.$1" '' "$TEST_BIN/mpi/callbacks_$1" spawn || return 1
	for world in 0.spawn 1.child; do
		for rank in 0 1; do
			without_numbers work/want.${world#*.}$rank >want
			recorder2text --layers mpi --worlds ${world%.*} --ranks $rank trace 2>>err | cut -d ' ' -f 5- >text
			without_numbers text >got
			$check same got want >>err 2>&1 || return 1
		done
	done
	counts
}

# What MPI-IO asks of the system lies a level below it.
levels()
{
	cd "$1" || return 1
	recorder2text --ranks 0 trace | cut -d ' ' -f 5- | grep 'shared file' >calls
	grep -q '^0 mpiio MPI_File_write_all(' calls && grep -q '^1 posix p*write[v64]*(' calls &&
		! grep -q '^0 posix' calls || cat calls
}

# BINDING PROGRAM: what C records. Open MPI tells no statuses in Fortran if any failed.
by_fortran()
{
	changed='/MPI_ERR_IN_STATUS$/s/array_of_statuses=.*)/array_of_statuses=?)/'
	run 4 "$1.$2" "$libraries/by_$1.so:" "$TEST_BIN/mpi/$2" && lines && counts
}

# Nearly all of the catalogue, see test/smoke.
smoke()
{
	RECORDER_LAYERS=$2
	export RECORDER_LAYERS
	run 2 "$1.smoke.$2" "$libraries/by_$1.so:" "$TEST_BIN/smoke/$2" ../want || return 1
	for rank in 0 1; do
		"${PYTHON:-python3}" "$TOP_SRCDIR/test/smoke/check_handles.py" trace $rank want.$rank >>err 2>&1 || return 1
	done
	$check once counts >>err 2>&1
}

# Two worlds; threads; a job that is aborted, whose killed ranks leave no counts.
spawned()
{
	run 2 f08.spawn "$libraries/by_f08.so:" "$TEST_BIN/mpi/spawn" && recorder2text trace | grep -q 'MPI_Comm_spawn(' &&
		$check counts trace counts >>err 2>&1 && $check once counts >>err 2>&1
}

threads()
{
	run 4 mpifh.threads "$libraries/by_mpifh.so:" "$TEST_BIN/mpi/threads"
	grep -q 'exit status 77' "$test_dir/mpifh.threads/err" 2>/dev/null && return 0
	cd "$test_dir/mpifh.threads" && counts && $check requests trace >>err 2>&1
}

aborted()
{
	RECORDER_LIVE_DIR=$test_dir
	export RECORDER_LIVE_DIR
	run 4 f08.abort "$libraries/by_f08.so:" "$TEST_BIN/mpi/abort"
	cd "$test_dir/f08.abort" && : >err
	recorder2text --layers mpi --ranks 1 trace 2>>err | tail -n 3 | cut -d ' ' -f 7- >got
	echo 'MPI_Pcontrol(level=1) = MPI_SUCCESS' >want
	echo 'MPI_Barrier(comm=MPI_COMM_WORLD) = MPI_SUCCESS' >>want
	echo 'MPI_Abort(comm=MPI_COMM_WORLD, errorcode=3) = ?' >>want
	diff want got >>err 2>&1
}

# The tables are kept also for calls that are not recorded.
filtered()
{
	RECORDER_FUNCTIONS='-MPI_I*,-MPI_Wait,-MPI_Comm_dup,-MPI_Type_free,-MPI_File_open'
	export RECORDER_FUNCTIONS
	changed='/^0 mpi MPI_I/d; /^0 mpi MPI_Wait(/d; /^0 mpi MPI_Comm_dup(/d; /^0 mpi MPI_Type_free(/d; /^0 mpiio MPI_File_open(/d'
	run 4 filtered '' "$TEST_BIN/mpi/fortran_f08" && lines
}

# Each name that MPI's Fortran libraries export is exported here, but for those without a function in C.
names()
{
	need nm binutils
	for name in mpi_mpifh mpi_usempif08; do
		nm -D --defined-only "$(ldd "$TEST_BIN/mpi/fortran_f08" | sed -n "s/.*lib$name\.so.* => \([^ ]*\) .*/\1/p")"
	done | awk '{ print $3 }' | grep -E '^(mpi_[a-z0-9_]*|MPI_[A-Z0-9_]*)$' |
		grep -v -i -E '^mpi_(sizeof_|fortran_|aint_(add|diff)|f_sync_reg|.*_(fn|fn_null|copy_fn|delete_fn)_*$)' | sort -u >theirs
	nm -D --defined-only "$RECORDER_SO" | awk '{ print $3 }' | sort -u >ours
	wc -l <theirs
	[ "$(wc -l <theirs)" -gt 1500 ] && ! comm -23 theirs ours | grep .
}

# Ports, names of services, accept, connect and join, in Fortran.
worlds()
{
	run 8 "$1.worlds" "$libraries/by_$1.so:" "$TEST_BIN/mpi/identity" worlds && $check identities trace 45 >>err 2>&1 &&
		$check counts trace counts >>err 2>&1 && $check once counts >>err 2>&1
}

# Each in one way, by turns, and in both ways in check-long.
cases='mpifh.p2p f08.completion mpifh.edges f08.collective mpifh.objects f08.io mpifh.rare'
[ -z "${FORTRAN_ALL:-}" ] || cases="$cases f08.p2p mpifh.completion f08.edges mpifh.collective f08.objects mpifh.io f08.rare"
# the module mpi calls the functions of mpif.h
twice='mpifh f08'
[ -z "${FORTRAN_ALL:-}" ] || twice="$twice mpi"
echo 1..$((19 + $(echo "$twice" | wc -w) + $(echo "$cases" | wc -w)))
(names) >log 2>&1
report $? "all names of MPI's Fortran libraries have wrappers" log
for program in mpifh mpi f08; do
	(binding $program)
	report $? "$program: each call with its arguments, once, and the program does the same" "$test_dir/$program/err"
done
for program in mpifh mpi f08; do
	(callbacks $program)
	report $? "$program: functions of the program, and the calls that they make" "$test_dir/callbacks.$program/err"
done
for program in $twice; do
	(spawned_twice $program)
	report $? "$program: MPI_Comm_spawn_multiple, and both worlds of it" "$test_dir/twice.$program/err"
done
(levels f08) >log 2>&1
report $? "the calls below MPI-IO are a level deeper" log
(filtered)
report $? "what is filtered out is still known to the others" "$test_dir/filtered/err"
for case in $cases; do
	(by_fortran "${case%.*}" "${case#*.}")
	report $? "$case: the records of C, once" "$test_dir/$case/err"
done
for layer in mpi mpiio; do
	for binding in mpifh f08; do
		(smoke $binding $layer)
		report $? "the catalogue of $layer by way of $binding" "$test_dir/$binding.smoke.$layer/err"
	done
done
for case in spawned:f08.spawn threads:mpifh.threads aborted:f08.abort; do
	("${case%:*}")
	report $? "${case#*:}" "$test_dir/${case#*:}/err"
done
(worlds f08)
report $? "other worlds by way of f08" "$test_dir/f08.worlds/err"
(preload "$TEST_BIN/mpi/nompi") >log 2>&1
report $? "a program without MPI finds none in Fortran" log
(cd "$test_dir/f08" && recorder check trace) >log 2>&1
report $? "the trace is whole" log
