#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs that use netCDF (classic files and those that are HDF5 underneath) and PnetCDF: they tell which records they
# expect, and a counting library behind the recorder is the witness.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan

python=${PYTHON:-python3}
check="$python $TOP_SRCDIR/test/hdf5/check.py"
bin=$TEST_BIN/netcdf
# as in Makemodule.am
pattern='nc_(?:put|get_(?:var(?!_chunk)|att)|def_(?:var|dim|grp)|inq_(?:var|dim)|open|create|close|enddef|sync)\w*'

# The two readers find the same, and nothing wrong.
agree()
{
	"$python" "$TOP_SRCDIR/test/format/readers_agree.py" trace >>err 2>&1
}

# A file of each kind.
variables()
{
	here "$1" || return 1
	LD_PRELOAD="${TEST_PRELOAD:+$TEST_PRELOAD:}$RECORDER_SO:$bin/.libs/witness.so" "$bin/variables" "$1" >../want 2>../err ||
		echo "exit status $?" >>../err
	cd ..
	recorder2text --layers netcdf --levels 0 trace 2>>err | cut -d ' ' -f 5- >got
	diff want got >differences && [ ! -s err ] && agree
}

counts()
{
	cd "$test_dir/$1" && $check counts trace counts "$pattern" >>err 2>&1
}

nested()
{
	cd "$test_dir/$1" && shift && $check nested trace "$@" >>err 2>&1
}

ranks()
{
	here ranks || return 1
	run_mpi 4 -x LD_PRELOAD="${TEST_PRELOAD:+$TEST_PRELOAD:}$RECORDER_SO" "$bin/ranks" >../err 2>&1 ||
		echo "exit status $?" >>../err
	cd ..
	for rank in 0 1 2 3; do
		recorder2text --layers pnetcdf --levels 0 --ranks $rank trace 2>>err | cut -d ' ' -f 5- >got.$rank
		grep ' pnetcdf ' work/want.$rank >want.$rank
		diff want.$rank got.$rank >differences || return 1
	done
	[ ! -s err ] && agree
}

# The tools of the package: ncdump's library is found, and its output is as without the recorder.
tools()
{
	here tools && cp ../../netcdf4/work/data.nc . && ncdump data.nc >../want && preload ncdump data.nc >../got 2>../err
	cd .. && diff want got >differences && [ ! -s err ] &&
		recorder2text --layers netcdf trace | grep -q 'nc_open(path="data.nc"'
}

echo 1..8
for kind in classic netcdf4; do
	(variables $kind)
	report $? "$kind: every call with its arguments" "$test_dir/$kind/err" "$test_dir/$kind/differences"
	(counts $kind)
	report $? "$kind: the counts of the witness" "$test_dir/$kind/err"
done
(nested netcdf4 netcdf hdf5 posix)
report $? "netCDF contains HDF5, which contains POSIX" "$test_dir/netcdf4/err"
if command -v ncdump >/dev/null; then
	(tools)
	report $? "ncdump" "$test_dir/tools/err" "$test_dir/tools/differences"
else
	report_skip "no ncdump (package netcdf-bin)"
fi
if [ -x "$bin/ranks" ]; then
	(ranks)
	report $? "PnetCDF: every call with its arguments" "$test_dir/ranks/err" "$test_dir/ranks/differences"
	(nested ranks pnetcdf mpiio posix)
	report $? "PnetCDF contains MPI-IO, which contains POSIX" "$test_dir/ranks/err"
else
	report_skip "built without PnetCDF"
	report_skip "built without PnetCDF"
fi
