# SPDX-License-Identifier: MIT
"""The programs whose calls are compared, each as a script for sh that begins in an empty folder."""

PYTHON3 = r"""
cat >program.py <<'END'
import json, mmap, os, shutil, subprocess, tempfile
tempfile.tempdir = "."
os.makedirs("a/b")
for n in range(10):
    with open(f"a/b/{n}", "w") as file:
        json.dump({"n": n, "text": "x" * 20000}, file)
print(sum(len(json.load(open(f"a/b/{n}"))["text"]) for n in range(10)))
fd = os.open("raw", os.O_RDWR | os.O_CREAT)
os.pwrite(fd, bytes(8192), 4096)
os.lseek(fd, 100, os.SEEK_SET)
os.readv(fd, [bytearray(10), bytearray(20)])
os.fsync(fd)
os.ftruncate(fd, 8192)
with mmap.mmap(fd, 4096) as memory:
    memory[:5] = b"hello"
    memory.flush()
os.close(fd)
os.rename("raw", "a/raw")
os.link("a/raw", "hard"); os.symlink("a/raw", "soft")
print(sorted(os.listdir("a")), os.stat("soft").st_size, os.readlink("soft"))
shutil.copyfile("a/raw", "copy")
shutil.copytree("a", "again")
shutil.rmtree("again")
for top, folders, files in os.walk("."):
    folders.sort()
with tempfile.TemporaryFile() as file:
    file.write(b"y" * 10000)
    file.seek(0)
    print(len(file.read()))
print(subprocess.run(["cat", "copy"], capture_output=True).stdout[:5])
os.chmod("copy", 0o600); os.utime("copy", (1, 1))
os.remove("copy")
if os.fork() == 0:
    os.write(1, b"child\n")
    os._exit(3)
print(os.wait()[1])
END
exec /usr/bin/python3 -B program.py
"""

SQLITE3 = r"""
for mode in delete wal; do
	cat >$mode.sql <<END
PRAGMA journal_mode=$mode;
CREATE TABLE sample (id INTEGER PRIMARY KEY, value TEXT);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
	INSERT INTO sample SELECT i, printf('value %08d', i * 7919) FROM n;
CREATE INDEX by_value ON sample(value);
BEGIN; UPDATE sample SET value = 'changed' WHERE id % 7 = 0; ROLLBACK;
DELETE FROM sample WHERE id % 5 = 0;
SELECT count(*), min(value), max(value) FROM sample;
VACUUM;
END
	sqlite3 -batch -init /dev/null $mode.db <$mode.sql
done
"""

GIT = r"""
GIT_AUTHOR_NAME=Tester GIT_AUTHOR_EMAIL=tester@example.org GIT_AUTHOR_DATE=2001-09-09T01:46:40Z
GIT_COMMITTER_NAME=Tester GIT_COMMITTER_EMAIL=tester@example.org GIT_COMMITTER_DATE=2001-09-09T01:46:40Z
GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null HOME=$PWD
export GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_AUTHOR_DATE GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
export GIT_COMMITTER_DATE GIT_CONFIG_NOSYSTEM GIT_CONFIG_GLOBAL HOME
set -e
git init -q -b main one
cd one
git config gc.auto 0
seq 400 >file
touch -d 2001-09-09 file # not as new as the index
git add .
git commit -q -m first
git log --stat
"""

# Nothing that writes the index twice in one tick of the file system's clock: git would read it again, or not.
GIT_MORE = r"""
git checkout -q -b side
git tag -a -m tag v1
git branch other
git show v1 --stat
git blame file
git grep -n 77
git archive HEAD
git cat-file --batch-check --batch-all-objects
git rev-list --objects --all
git branch -d other
git fsck
"""


def fio(engine, *options):
    return rf"""
fio --name=job --ioengine={engine} --rw=randrw --bs=4k --size=128k --numjobs=2 \
	--randrepeat=1 --allrandrepeat=1 --fallocate=none --disk_util=0 --eta=never --minimal --output=said {" ".join(options)}
"""


H5PY = r"""
cat >program.py <<'END'
from mpi4py import MPI
import h5py, numpy
comm = MPI.COMM_WORLD
with h5py.File("sample.h5", "w", driver="mpio", comm=comm) as file:
    data = file.create_dataset("x", (comm.size, 5000), dtype="f8")
    data[comm.rank] = numpy.arange(5000.0)
    with data.collective:
        data[comm.rank, :100] = comm.rank
with h5py.File("sample.h5", "r", driver="mpio", comm=comm) as file:
    print(float(file["x"][(comm.rank + 1) % comm.size].sum()))
END
rank /usr/bin/python3 -B program.py
"""

NETCDF = r"""
cat >sample.cdl <<END
netcdf sample {
dimensions: x = 200; t = UNLIMITED;
variables: double v(t, x); int n(x);
data: n = $(seq -s, 200);
 v = $(seq -s, 400);
}
END
for kind in classic netCDF-4; do
	ncgen -k "$kind" -o $kind.nc sample.cdl
	nccopy -k netCDF-4 -d 3 $kind.nc $kind.copy.nc
	ncdump $kind.copy.nc | cksum
done
"""

TORCH = r"""
mkdir data
for n in 0 1 2 3 4 5 6 7; do head -c 4096 /dev/zero >data/$n; done
cat >program.py <<'END'
import torch
from torch.utils.data import DataLoader, Dataset
torch.set_num_threads(1)

class Files(Dataset):
    def __len__(self):
        return 8
    def __getitem__(self, n):
        with open(f"data/{n}", "rb") as file:
            return torch.frombuffer(bytearray(file.read()), dtype=torch.uint8)

print(sum(batch.shape[0] for batch in DataLoader(Files(), batch_size=2, num_workers=2)))
END
exec /usr/bin/python3 -B program.py
"""

LAMMPS = r"""
cat >melt <<END
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
restart 10 melt.restart
run 20
END
rank lmp -in melt
"""

class Program:
    """A script for sh, in which `rank COMMAND` runs so many ranks, if any. needs: a command or file, of Debian's
    package. by_time: files that it asks for once in a while (regular expression)."""

    def __init__(self, script, needs, package, ranks=0, by_time=None):
        self.script, self.needs, self.package = script, needs, package
        self.ranks, self.by_time = ranks, by_time


def of_fio(engine, *options):
    # its helper thread looks for a wish to see the state
    return Program(fio(engine, *options), "fio", "fio", by_time="/fio-dump-status$")


# Ranks share folders and memory of Open MPI, and which of them looks at what, and takes it away, is chance.
OPEN_MPI_S_OWN = r"^/tmp$|^/tmp/ompi\.|^/dev/shm/|^/dev/pts/"

PROGRAMS = {
    "python3": Program(PYTHON3, "/usr/bin/python3", "python3"),
    "sqlite3": Program(SQLITE3, "sqlite3", "sqlite3"),
    "git": Program(GIT, "git", "git"),
    "git, more of it": Program(GIT + GIT_MORE, "git", "git"),
    "fio psync": of_fio("psync"),
    "fio pvsync2": of_fio("pvsync2"),
    "fio libaio": of_fio("libaio", "--iodepth=4"),
    "fio posixaio": of_fio("posixaio", "--iodepth=4"),
    "fio mmap": of_fio("mmap"),
    "fio io_uring": of_fio("io_uring", "--iodepth=4"),
    "netCDF tools": Program(NETCDF, "ncgen", "netcdf-bin"),
    "h5py, 2 ranks": Program(H5PY, "/usr/lib/python3/dist-packages/h5py/_debian_h5py_mpi", "python3-h5py-mpi", ranks=2, by_time=OPEN_MPI_S_OWN),
    "LAMMPS, 2 ranks": Program(LAMMPS, "lmp", "lammps", ranks=2, by_time=OPEN_MPI_S_OWN),
    "PyTorch DataLoader": Program(TORCH, "/usr/lib/python3/dist-packages/torch", "python3-torch"),
}
