#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 900
# Four kinds of programs - MPI-IO, a simulation, a DataLoader of PyTorch whose workers are forked, a pipeline of the shell - through all outputs: each is
# valid, and says the same calls and bytes.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need python3
everywhere=$TOP_SRCDIR/test/real/everywhere.py

# A number that the program is known for, by SQL or, without it, not looked at: known NAME QUERY NUMBER
known()
{
	[ -x "$TOP_BUILDDIR/tools/recorder2sqlite" ] || return 0
	expect_eq "$3" "$(recorder sql -q --csv "$1.trace" "$2" | tail -n 1 | tr -d '\r')" "$1: $2"
}

# ---- a pipeline of the shell: 4 processes, of which no one knows MPI ----
seq 1 20000 >numbers
recorder run -q -o pipeline.trace -- sh -c 'cat numbers | sort -r | head -n 5000 | tr 0 "\n" >sorted' || fail "the pipeline"
python3 "$everywhere" pipeline.trace pipeline || exit 1
known pipeline "SELECT count(DISTINCT exe) > 3 FROM streams" 1
known pipeline "SELECT sum(bytes) FROM calls WHERE path LIKE '%/sorted' AND operation = 'write'" \
	"$(wc -c <sorted)"

# ---- an epoch of a DataLoader ----
if /usr/bin/python3 -c 'import torch' 2>/dev/null; then
	cat >epoch.py <<'END'
import torch
import torch.utils.data


class Samples(torch.utils.data.Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, number):
        with open(f"samples/{number}", "rb") as file:
            return torch.frombuffer(bytearray(file.read()), dtype=torch.uint8).float()


if __name__ == "__main__":
    torch.set_num_threads(1)
    loader = torch.utils.data.DataLoader(Samples(), batch_size=8, num_workers=2, multiprocessing_context="fork")
    print(sum(batch.shape[0] for batch in loader))
END
	mkdir samples
	i=0
	while [ $i -lt 64 ]; do
		head -c 16384 numbers >samples/$i
		i=$((i + 1))
	done
	recorder run -q -o loader.trace -- /usr/bin/python3 epoch.py >said || fail "the DataLoader"
	expect_eq 64 "$(cat said)" "samples"
	python3 "$everywhere" loader.trace loader || exit 1
	known loader "SELECT sum(bytes) FROM calls WHERE path LIKE '%/samples/%' AND operation = 'read'" \
		$((64 * 16384))
	known loader "SELECT count(DISTINCT stream) FROM calls WHERE path LIKE '%/samples/%'" 2
else
	[ -z "${CI:-}" ] || fail "torch is missing (package python3-torch)"
	echo "not tried: a DataLoader (package python3-torch)"
fi

# ---- with MPI ----
[ -x "$TEST_BIN/analysis/known_mpi" ] || exit 0
need_mpiexec
recorder run -q -o mpiio.trace -- "$MPIEXEC" -n 4 "$TEST_BIN/analysis/known_mpi" || fail "known_mpi"
python3 "$everywhere" mpiio.trace mpiio || exit 1
known mpiio "SELECT count(DISTINCT rank) FROM records WHERE layer = 'mpiio'" 4

[ "$MPI_KIND" = openmpi ] || exit 0
need lmp lammps
cat >melt <<'END'
units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 4 0 4 0 4
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 3.0 87287
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
fix 1 all nve
dump 1 all custom 10 melt.dump id type x y z
run 20
END
recorder run -q -o lammps.trace -- "$MPIEXEC" -n 4 lmp -in melt >said || fail "LAMMPS: $(tail -n 5 said)"
python3 "$everywhere" lammps.trace lammps || exit 1
known lammps "SELECT sum(bytes) FROM calls WHERE path LIKE '%/melt.dump' AND operation = 'write'
	AND layer = 'stdio'" "$(wc -c <melt.dump)"
