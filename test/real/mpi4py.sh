#!/bin/sh
# SPDX-License-Identifier: MIT
# An mpi4py program on 4 ranks: messages, a reduction, MPI-IO on one shared file.
. "${TOP_SRCDIR:?}/test/real/compare.sh"
need python3
module=$(/usr/bin/python3 -c 'import importlib.util as util; print(util.find_spec("mpi4py.MPI").origin)' 2>/dev/null) || {
	[ -z "${CI:-}" ] || fail "mpi4py is missing (package python3-mpi4py)"
	skip "mpi4py is missing (package python3-mpi4py)"
}
of_mpi "$module"

mkdir input
cat >input/shared.py <<'END_OF_PROGRAM'
"""Each rank writes its blocks of a shared file and reads those of its neighbour."""
from mpi4py import MPI

BLOCK, BLOCKS = 512, 25
comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
right, left = (rank + 1) % size, (rank - 1) % size


def place(owner, block):
    return (block * size + owner) * BLOCK


file = MPI.File.Open(comm, "shared", MPI.MODE_CREATE | MPI.MODE_RDWR)
for block in range(BLOCKS):
    file.Write_at(place(rank, block), bytes([rank * BLOCKS + block]) * BLOCK)
file.Sync()
comm.Barrier()
buffer, got = bytearray(BLOCK), 0
for block in range(BLOCKS):
    file.Read_at_all(place(right, block), buffer)
    got += buffer == bytes([right * BLOCKS + block]) * BLOCK
file.Close()

token = bytearray([rank])
request = comm.Irecv([buffer, 1, MPI.BYTE], source=MPI.ANY_SOURCE, tag=5)
comm.Send([token, 1, MPI.BYTE], dest=right, tag=5)
request.Wait()
words = comm.gather({"rank": rank, "from": buffer[0], "blocks": got})
total = comm.allreduce(got)
if rank == 0:
    print(words, total)
raise SystemExit(0 if total == size * BLOCKS and buffer[0] == left else 1)
END_OF_PROGRAM

both "$mpiexec" -n 4 /usr/bin/python3 -B shared.py
grep -q "'blocks': 25}\] 100\$" traced.out || fail "output: $(cat traced.out)"
expect_eq "4" "$(info trace 'info["ranks"]')" "ranks"
mpi_witnessed

# the program's own calls on the shared file, by rank: each block at its place
for rank in 0 1 2 3; do
	for block in $(seq 0 24); do
		echo "$rank $(((block * 4 + rank) * 512))"
	done
done | sort >want
if [ -z "$foreign" ]; then
	recorder2text -q --levels 0 --functions MPI_File_write_at trace |
		sed -n -E 's/^([0-9]) .*\(fh=.*shared", offset=([0-9]*), count=512, .* = MPI_SUCCESS$/\1 \2/p' |
		sort >writes
	diff want writes || fail "MPI_File_write_at differs from what the program does (<)"
	expect_eq 100 "$(count MPI_File_read_at_all)" "MPI_File_read_at_all"
	levels=1-9
else
	levels=0
fi

# below them, what MPI-IO does with the file: the same places, and all bytes are read
recorder2text -q --levels $levels --functions pwrite trace |
	sed -n 's/^\([0-9]\) .*shared", count=512, offset=\([0-9]*\)) = 512$/\1 \2/p' | sort >writes
diff want writes || fail "pwrite differs from MPI_File_write_at (<)"
expect_eq 51200 "$(recorder2text -q --levels $levels --functions 'pread*' trace |
	awk '/shared", / { bytes += $NF } END { print bytes + 0 }')" "bytes read below"

[ -z "$foreign" ] || exit 0
calls --levels 0 --functions MPI_Wait --ranks 0 >got
echo 'mpi MPI_Wait(request=1, status={source=3, tag=5, bytes=1}) = MPI_SUCCESS' >want
diff want got || fail "the message from anybody names another sender"
