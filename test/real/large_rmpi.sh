#!/bin/sh
# SPDX-License-Identifier: MIT
# R with Rmpi on 3 ranks: objects sent and received, a reduction, files. Rmpi's own functions have the names of Fortran's MPI (mpi_comm_rank).
# timeout: 300
. "${TOP_SRCDIR:?}/test/real/compare.sh"
need Rscript r-base-core
module=$(Rscript -e 'cat(system.file("libs/Rmpi.so", package="Rmpi"))' 2>/dev/null)
[ -f "$module" ] || need Rmpi r-cran-rmpi
of_mpi "$module"

mkdir input
cat >input/ring.R <<'END_OF_PROGRAM'
library(Rmpi)
rank <- mpi.comm.rank(0)
size <- mpi.comm.size(0)
total <- mpi.allreduce(as.integer(rank), type = 1, op = "sum", comm = 0)
if (rank == 0) {
	for (to in 1:(size - 1)) mpi.send.Robj(list(to = to, squares = (1:(1000 * to))^2), to, 7, comm = 0)
} else {
	got <- mpi.recv.Robj(0, 7, comm = 0)
	cat(got$to, length(got$squares), sum(got$squares), total, "\n", file = paste0("got.", rank))
	saveRDS(got$squares, paste0("squares.", rank))
}
write.csv(data.frame(a = 1:1000, b = sqrt(1:1000)), paste0("table.", rank, ".csv"))
mpi.barrier(0)
invisible(mpi.finalize())
END_OF_PROGRAM

# ranks write where they stand in each other's lines
normal_text()
{
	tr -d '\n' | fold -w 1 | sort
}

both "$mpiexec" -n 3 Rscript --vanilla ring.R
expect_eq "1 1000 333833500 3 " "$(cat traced/got.1)" "what rank 1 got"
expect_eq 3 "$(info trace 'info["ranks"]')" "ranks"
mpi_witnessed
[ -z "$foreign" ] || exit 0
expect_eq "2 3 3" "$(for function in MPI_Send MPI_Allreduce MPI_Barrier; do
	count $function
done | tr '\n' ' ' | sed 's/ $//')" "sends, reductions and barriers"
