#!/bin/sh
# SPDX-License-Identifier: MIT
# LAMMPS: a melting crystal on 4 ranks, with dump and restart files. MELT_SIZE=N: N^3 unit cells,
# MELT_STEPS: time steps.
. "${TOP_SRCDIR:?}/test/real/compare.sh"
need lmp lammps
need python3
of_mpi "$(command -v lmp)"
size=${MELT_SIZE:-6}
steps=${MELT_STEPS:-100}

mkdir input
cat >input/melt <<END_OF_INPUT
units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 $size 0 $size 0 $size
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 3.0 87287
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
fix 1 all nve
dump 1 all custom 50 melt.dump id type x y z
dump_modify 1 sort id
restart 50 melt.restart
thermo 50
run $steps
END_OF_INPUT

# LAMMPS tells how fast it was: lines with nothing else in them go, "create_atoms CPU" too
normal_text()
{
	sed -E -e 's/^(Loop time of) [0-9.e+-]+ /\1 T /' -e 's/CPU = [0-9.]+/CPU = T/' \
		-e '/^Performance:/d' -e '/% CPU use with/d' -e '/^Total wall time:/d' \
		-e '/^(Pair|Neigh|Comm|Output|Modify|Other) +\|/d'
}

normal_files()
{
	normal_text <"$1/log.lammps" >log
	mv log "$1/log.lammps"
}

both "$mpiexec" -n 4 lmp -in melt
expect_eq "4" "$(info trace 'info["ranks"]')" "ranks"
mpi_witnessed
for function in MPI_Send MPI_Allreduce MPI_Init MPI_Finalize; do
	[ -n "$foreign" ] || expect_eq 4 "$(count_by_rank $function | awk '$2 > 0' | wc -l)" "ranks with $function"
done
# rank 0 alone writes the dump: one fopen; the restart files of both steps
calls --ranks 0 >calls.0
expect_eq 1 "$(grep -c 'fopen(.*melt\.dump"' calls.0)" "opens of the dump"
expect_eq $((steps / 50)) "$(grep -c 'fopen(.*melt\.restart\.[0-9]*"' calls.0)" \
	"opens of restart files"
expect_eq 0 "$(calls --ranks 1-3 | grep -c 'melt\.dump"')" "calls of others on the dump"
