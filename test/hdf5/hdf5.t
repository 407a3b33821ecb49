#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# Programs that use HDF5, serial, parallel and by Python: they tell which records they expect, and a counting
# library behind the recorder is the witness.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan

python=${PYTHON:-python3}
# the one that has the distribution's modules
packaged=/usr/bin/python3
check="$python $TOP_SRCDIR/test/hdf5/check.py"
bin=$TEST_BIN/hdf5
witness=$bin/.libs/witness.so
pattern='H5(?!FD)[A-Z][a-z]\w+'

# with_witness CMD...: the recorder, and the witness behind it
with_witness()
{
	LD_PRELOAD="${TEST_PRELOAD:+$TEST_PRELOAD:}$RECORDER_SO:$witness" "$@"
}

# What the program itself called. HDF5's own handling of errors while it ends is none of it.
own_calls()
{
	recorder2text --layers "$1" --levels 0 --functions '-H5E*' trace 2>>err | cut -d ' ' -f 5-
}

# same NAME CMD...: the records are those that the program told
same()
{
	here "$1" || return 1
	shift
	"$@" >../want 2>../err || echo "exit status $?" >>../err
	cd ..
	own_calls hdf5 >got
	diff want got >differences && [ ! -s err ] && agree
}

# The two readers find the same, and nothing wrong.
agree()
{
	"$python" "$TOP_SRCDIR/test/format/readers_agree.py" trace >>err 2>&1
}

counts()
{
	cd "$test_dir/$1" && $check counts trace counts "$2" >>err 2>&1
}

# The second one brings its MPI along, which may be another than ours: no call of it is made.
two()
{
	RECORDER_QUIET=1 same "$1" preload "$bin/both" "$bin/.libs/$2.so" "$bin/.libs/$3.so"
}

# The program's HDF5 calls are the same without their records: names are kept all the same.
filtered()
{
	RECORDER_FUNCTIONS='-H5Fcreate,-H5G*,-H5Dopen2,-H5Pcreate' same filtered preload "$bin/names"
	cd "$test_dir/filtered" && sed '/^0 hdf5 \(H5Fcreate\|H5G\|H5Dopen2\|H5Pcreate\)/d' want >left && : >err
	diff left got >differences && [ ! -s err ]
}

excluded()
{
	RECORDER_EXCLUDE='*/data.h5' same excluded preload "$bin/names"
	cd "$test_dir/excluded" && : >err
	grep 'data\.h5' got >>err
	grep -q 'H5Screate' got && [ ! -s err ]
}

# Which file it is, the kernel is asked when one is opened, and not for each of the datasets in it.
replaced()
{
	here replaced || return 1
	strace -f -e trace=%file -o ../calls -E LD_PRELOAD="${TEST_PRELOAD:+$TEST_PRELOAD:}$RECORDER_SO" \
		"$bin/replaced" >../err 2>&1 || return 1
	cd .. && asked=$(grep -c 'stat.*/data\.h5' calls)
	[ "$asked" -lt 20 ] || echo "asked $asked times" >>err
	$check within trace old=work/old.h5 new=work/data.h5 >>err 2>&1 && [ ! -s err ] && agree
}

# Not a program of HDF5: it has none and loads none.
nothing()
{
	here nothing && preload /bin/true 2>../err && preload "$python" -c '
import ctypes
me = ctypes.CDLL(None)
me.H5Fopen.restype = ctypes.c_int64
assert me.H5Fopen(b"x", 0, ctypes.c_int64(0)) == -1' 2>>../err && [ ! -s ../err ]
}

# It says so when it ends, and whenever it is asked; of others nothing is said.
embedded()
{
	here embedded && recorder run -o ../trace -- "$bin/embedded" >../err 2>&1 || return 1
	grep -q 'embedded (static-hdf5)' ../err || return 1
	recorder info ../trace 2>&1 | tee -a ../err | grep -q 'untraced.*embedded (static-hdf5)' || return 1
	! recorder info "$test_dir/names/trace" 2>&1 | grep static-hdf5 >>../err
}

parallel()
{
	here parallel || return 1
	run_mpi 4 -x LD_PRELOAD="${TEST_PRELOAD:+$TEST_PRELOAD:}$RECORDER_SO:$witness" \
		"$bin/parallel" >../err 2>&1 || echo "exit status $?" >>../err
	cd ..
	for rank in 0 1 2 3; do
		recorder2text --layers hdf5 --levels 0 --functions '-H5E*' --ranks $rank trace 2>>err |
			cut -d ' ' -f 5- >got.$rank
		grep ' hdf5 ' work/want.$rank >want.$rank
		diff want.$rank got.$rank >differences || return 1
	done
	[ ! -s err ] && agree
}

nested()
{
	cd "$test_dir/$1" && shift && $check nested trace "$@" >>err 2>&1
}

# has_python MODULE...: whether it can be imported
has_python()
{
	(cd / && "$packaged" -c "import $1" 2>/dev/null)
}

h5py_serial()
{
	here h5py || return 1
	# python3-h5py takes the library with MPI when it is started by mpirun
	preload "$packaged" "$TOP_SRCDIR/test/hdf5/h5py_program.py" >../err 2>&1 || return 1
	cd .. && own_calls hdf5 >got
	path=$(cd work && pwd -P)/data.h5
	grep -q "H5Fcreate(.*) = {file=\"$path\"}\$" got || return 1
	grep -q "H5Dcreate2(.*) = {dataset=\"/grp/x\", file=\"$path\"}\$" got || return 1
	grep -q "H5Dwrite(dset_id={dataset=\"/grp/x\", file=\"$path\"}, mem_type_id=.*, bytes=32, mode=INDEPENDENT) = 0\$" \
		got || return 1
	grep -q "H5Aread(attr_id={attribute=\"/grp/x@units\", file=\"$path\"}, .* bytes=4) = 0\$" got &&
		[ ! -s err ] && agree
}

# The MPI that h5py is linked with, if one of them is.
mpi_of_h5py()
{
	(cd / && "$packaged" -c 'import importlib.util as util
print(util.find_spec("h5py").submodule_search_locations[0])' 2>/dev/null) | while read -r folder; do
		find "$folder" -name 'h5fd.*.so'
	done | while read -r module; do
		mpi_of "$module"
	done
}

# By the MPI that it has, which may be another than the recorder's: that is said.
h5py_parallel()
{
	here h5py_mpi || return 1
	"$(mpiexec_of "$1")" -n 4 env LD_PRELOAD="${TEST_PRELOAD:+$TEST_PRELOAD:}$RECORDER_SO" "$packaged" \
		"$TOP_SRCDIR/test/hdf5/h5py_program.py" mpi >../err 2>&1 || return 1
	[ "$1" = "$MPI_KIND" ] || sed -i '/^recorder: .* the recorder was built for /d' ../err
	cd .. && own_calls hdf5 >got
	path=$(cd work && pwd -P)/data.h5
	[ "$(grep -c "H5Dwrite(dset_id={dataset=\"/grp/x\", file=\"$path\"}, .* bytes=32, mode=" got)" = 4 ] &&
		[ ! -s err ]
}

echo 1..18
for program in names transfer; do
	(same $program with_witness "$bin/$program")
	report $? "$program: every call with its arguments" "$test_dir/$program/err" "$test_dir/$program/differences"
	(counts $program "$pattern")
	report $? "$program: the counts of the witness" "$test_dir/$program/err"
done
(nested transfer hdf5 posix)
report $? "calls of HDF5 contain those of POSIX" "$test_dir/transfer/err"
(filtered)
report $? "what is filtered out is still known to the others" "$test_dir/filtered/err" "$test_dir/filtered/differences"
(excluded)
report $? "calls on a file that is excluded leave no record" "$test_dir/excluded/err"
if command -v strace >/dev/null; then
	(replaced)
	report $? "datasets are in the file that had the name then" "$test_dir/replaced/err"
else
	report_skip "no strace"
fi
(nothing)
report $? "programs without HDF5" "$test_dir/nothing/err"
if [ -f "$bin/.libs/side_second.so" ]; then
	(two both side_serial side_second)
	report $? "two libraries in one process, private to those who use them" "$test_dir/both/err" "$test_dir/both/differences"
	(two turned side_second side_serial)
	report $? "the same the other way round" "$test_dir/turned/err" "$test_dir/turned/differences"
else
	report_skip "no second HDF5 (package libhdf5-openmpi-dev)"
	report_skip "no second HDF5 (package libhdf5-openmpi-dev)"
fi

(embedded)
report $? "an HDF5 that is part of the program is named as untraced" "$test_dir/embedded/err"

if [ -x "$bin/parallel" ]; then
	(parallel)
	report $? "parallel: every call with its arguments" "$test_dir/parallel/err" "$test_dir/parallel/differences"
	(counts parallel "$pattern")
	report $? "parallel: the counts of the witness" "$test_dir/parallel/err"
	(nested parallel hdf5 mpiio posix)
	report $? "HDF5 contains MPI-IO, which contains POSIX" "$test_dir/parallel/err"
else
	report_skip "built without parallel HDF5"
	report_skip "built without parallel HDF5"
	report_skip "built without parallel HDF5"
fi
if has_python h5py; then
	(h5py_serial)
	report $? "h5py loads HDF5 late and privately" "$test_dir/h5py/err"
else
	report_skip "no h5py (package python3-h5py)"
fi
mpi=$(mpi_of_h5py)
if [ -n "$mpi" ] && has_python mpi4py; then
	(h5py_parallel "$mpi")
	report $? "h5py with MPI" "$test_dir/h5py_mpi/err"
else
	report_skip "no h5py with MPI (package python3-h5py-mpi)"
fi
(
	cd "$test_dir" && readelf -d "$RECORDER_SO" >needed && ! grep 'NEEDED.*\(hdf5\|netcdf\|mpi\)' needed
)
report $? "librecorder.so needs none of these libraries"
