#!/bin/sh
# SPDX-License-Identifier: MIT
# Each line of the catalogue: its function is called with arguments that mean something, and the trace
# must have exactly that: all arguments, the result, the error. See write_smoke.py.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
# names of one function are called at one place
RECORDER_FOLD=0
export RECORDER_FOLD
[ "$PYTHON" != : ] || skip "no Python"

# run LAYER FOLDER CMD...: the calls of a layer in a folder called work, what is expected in FOLDER/want
run()
{
	layer=$1
	mkdir -p "$2"
	rm -rf work && mkdir work && cd work || return 1
	folder=$2
	shift 2
	"$@" "$TEST_BIN/smoke/$layer" "../$folder/want" <"$TOP_SRCDIR/README.md" >../out 2>&1
	status=$?
	cd .. && mv out "$folder/out"
	[ $status = 0 ] || {
		echo "exit status $status"
		cat "$folder/out"
		return 1
	}
}

# Numbers of processes, ports and segments, addresses and names of temporary files differ each time.
without_chance()
{
	sed -e 's/127.0.0.1:[0-9]*/PORT/g' -e '/ shmat(/s/id=[0-9]*/ID/' -e 's/<\([a-z_]*\) [0-9a-f]*/<\1/g' -e 's/tid=[0-9]*/TID/' -e '/ [_a-z]*\(fork\|Fork\|wait\|kill\|spawn\)/s/[0-9][0-9][0-9]*/PID/g' \
		-e 's/#[0-9]* (deleted)/NAME/' -e 's/recorder-smoke\.[0-9]*/NAME/g' -e 's/\(stem\|folder\)\.[[:alnum:]]\{6\}/NAME/g' "$1"
}

# With and without the recorder the calls do the same.
same()
{
	RECORDER_TRACES_DIR=$PWD/$1.trace
	export RECORDER_TRACES_DIR
	run "$1" "$1.bare" env &&
		RECORDER_EXCLUDE=/nowhere RECORDER_PROGRAMS=$1 RECORDER_LAYERS=$1 run "$1" "$1.traced" preload &&
		cmp "$1.bare/out" "$1.traced/out" || return 1
	without_chance "$1.bare/want" >"$1.one"
	without_chance "$1.traced/want" >"$1.other"
	diff "$1.one" "$1.other"
}

which=
# recorded LAYER [RANK]: the trace against what the program said
recorded()
{
	"$PYTHON" "$TOP_SRCDIR/test/smoke/check_handles.py" $which "$1.trace" "${2:-0}" "$1.traced/want${2:+.$2}"
}

# Of a library that calls its own functions, those that the program called.
recorded_outermost()
{
	which=--outermost
	recorded "$1"
}

# The same on two ranks. run_ranks LAYER FOLDER [ARGUMENT OF mpirun...]
run_ranks()
{
	layer=$1
	folder=$2
	mkdir -p "$folder"
	rm -rf work && mkdir work && cd work || return 1
	shift 2
	# windows need what lib.sh takes away from machines that may lack it
	unset OMPI_MCA_btl_vader_single_copy_mechanism
	run_mpi 2 "$@" "$TEST_BIN/smoke/$layer" "../$folder/want" >../out 2>&1
	status=$?
	cd .. && mv out "$folder/out"
	[ $status = 0 ] || {
		echo "exit status $status"
		cat "$folder/out"
		return 1
	}
}

# Handles and addresses differ each time.
without_addresses()
{
	sed -e 's/<\([a-z]*\) [0-9a-f]*/<\1/g' -e '/MPI_\(Get_a\|A\)ddress(/s/[0-9][0-9]*/N/g' "$1"
}

same_ranks()
{
	run_ranks "$1" "$1.bare" || return 1
	run_ranks "$1" "$1.traced" -x LD_PRELOAD="$RECORDER_SO" -x RECORDER_TRACES_DIR="$PWD/$1.trace" \
		-x RECORDER_LAYERS="$1" || return 1
	for rank in 0 1; do
		without_addresses "$1.bare/want.$rank" >"$1.one"
		without_addresses "$1.traced/want.$rank" >"$1.other"
		diff "$1.one" "$1.other" || return 1
	done
}

# A library over MPI, on one rank.
same_alone()
{
	run "$1" "$1.bare" run_mpi 1 || return 1
	run "$1" "$1.traced" run_mpi 1 -x LD_PRELOAD="$RECORDER_SO" -x RECORDER_TRACES_DIR="$PWD/$1.trace" \
		-x RECORDER_LAYERS="$1" || return 1
	cmp "$1.bare/out" "$1.traced/out" || return 1
	without_addresses "$1.bare/want" >"$1.one"
	without_addresses "$1.traced/want" >"$1.other"
	diff "$1.one" "$1.other"
}

recorded_ranks()
{
	recorded "$1" 0 && recorded "$1" 1
}

table()
{
	"$PYTHON" "$TOP_SRCDIR/test/smoke/write_smoke.py" --table "$TOP_SRCDIR/functions/$1.api" \
		"$TOP_SRCDIR/test/smoke/$1.calls"
}

# Each layer of the catalogue, whether it is built here or not.
every_layer()
{
	wrong=0
	for api in "$TOP_SRCDIR"/functions/*.api; do
		layer=$(basename "$api" .api)
		if [ ! -f "$TOP_SRCDIR/test/smoke/$layer.calls" ]; then
			echo "$layer.api has no $layer.calls"
			wrong=1
		elif ! table "$layer" >this_table; then
			cat this_table
			wrong=1
		fi
	done
	return $wrong
}

# three_cases LAYER SAME RECORDED
three_cases()
{
	("$2" "$1") >log 2>&1
	report $? "$1: the functions do the same with and without the recorder" log
	("$3" "$1") >log 2>&1
	report $? "$1: the trace has the calls, their arguments and results" log
	table "$1" >log
	report $? "$1: at least 85 % of the catalogue are called" log
	sed 's/^/# /' log
}

# ONLY_MPI: nothing but layers of MPI, in a build for another one
layers='posix stdio thread net'
own_layers=
for layer in hdf5 netcdf; do
	[ ! -x "$TEST_BIN/smoke/$layer" ] || own_layers="$own_layers $layer"
done
mpi_layers=
[ ! -x "$TEST_BIN/smoke/mpi" ] || mpi_layers='mpi mpiio'
over_mpi=
[ ! -x "$TEST_BIN/smoke/pnetcdf" ] || over_mpi=pnetcdf
[ -z "${ONLY_MPI:-}" ] || layers='' own_layers='' over_mpi=''
echo "1..$((3 * $(echo "$layers $own_layers $mpi_layers $over_mpi" | wc -w) + 1))"
for layer in $layers; do
	three_cases "$layer" same recorded
done
for layer in $own_layers; do
	three_cases "$layer" same recorded_outermost
done
for layer in $mpi_layers; do
	three_cases "$layer" same_ranks recorded_ranks
done
for layer in $over_mpi; do
	three_cases "$layer" same_alone recorded_outermost
done
every_layer >log 2>&1
report $? "each layer of the catalogue has calls, which are at least 85 % of it" log
sed 's/^/# /' log
