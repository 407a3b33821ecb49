# SPDX-License-Identifier: MIT
"""Whole programs, as users run them, to be run bare and traced in turns."""
import glob
import os
import shutil
import statistics
import subprocess
import time

from rows import missing, row
from running import OVERSUBSCRIBED, guarded

PAIRS = 7  # runs that count, bare and traced
RANKS = 2
SOURCES = 12
TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), ".."))
SAMPLES = 3000

MELT = """units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 12 0 12 0 12
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 3.0 87287
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
fix 1 all nve
dump 1 all custom 100 melt.dump id type x y z
thermo 10
run 1000
"""

# one problem of each of its benchmarks, as small as they come
HPCC = """HPLinpack benchmark input file
of the recorder
HPL.out
8
1
1000
1
80
0
1
1
2
16.0
1
2
1
4
1
2
1
1
1
1
1
0
2
64
0
0
1
8
##### This line (no. 32) is ignored (it serves as a separator). ######
0
1200 10000 30000
0
40 9 8 13 13 20 16 32 64
"""

EPOCH = """import os, sys
import torch

class Samples(torch.utils.data.Dataset):
    def __init__(self, folder):
        self.paths = [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
    def __len__(self):
        return len(self.paths)
    def __getitem__(self, index):
        with open(self.paths[index], "rb") as file:
            return torch.frombuffer(bytearray(file.read()), dtype=torch.uint8).float().mean()

torch.set_num_threads(1)
loader = torch.utils.data.DataLoader(Samples("samples"), batch_size=32, num_workers=2, shuffle=True)
print(sum(float(batch.sum()) for batch in loader) > 0)
"""


def write(path, data):
    with open(path, "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())


def prepare_sources(folder):
    sources = sorted(glob.glob(os.path.join(TOP, "lib", "format", "*.c")))[:SOURCES]
    objects = " ".join(os.path.basename(source)[:-1] + "o" for source in sources)
    write(os.path.join(folder, "Makefile"),
          f"CFLAGS = -O2 -g -DRECORDER_VERSION='\"0\"' -I{TOP}/lib -I{TOP}/include\nVPATH = {TOP}/lib/format\n"
          f"libsome.a: {objects}\n\tar rc $@ {objects}\n")


def prepare_samples(folder):
    os.mkdir(os.path.join(folder, "samples"))
    for number in range(SAMPLES):
        write(os.path.join(folder, "samples", f"{number:05}"), bytes([number % 251]) * 16384)
    write(os.path.join(folder, "epoch.py"), EPOCH)


def mpirun(*argv):
    return ["mpirun", "-np", str(RANKS), *argv]


def can_import(python, module):
    done = subprocess.run([python, "-c", f"import {module}"], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, timeout=60, check=False)
    return done.returncode == 0


class Program:
    """A program, with what it needs in the folder that it runs in."""

    def __init__(self, name, what, argv, prepare, needs, on_disk=False):
        self.name, self.what, self.argv, self.prepare = name, what, argv, prepare
        self.needs, self.on_disk = needs, on_disk

    def lacks(self):
        """What is not installed, else None."""
        for need in self.needs:
            python, _, module = need.partition(":")
            if not shutil.which(python):
                return f"no {python}"
            if module and not can_import(python, module):
                return f"no {module}"
        return None


FIO = ["fio", "--name=job", "--ioengine=psync", "--rw=randrw", "--bs=4k", "--size=64m",
       "--randrepeat=1", "--fallocate=none", "--norandommap", "--output=fio.out"]

PROGRAMS = (
    Program("fio", "fio, 4 KiB at random, direct to the disk", FIO + ["--io_size=192m", "--direct=1"],
            lambda folder: None, ["fio"], on_disk=True),
    Program("fio_memory", "fio, 4 KiB at random, files in memory", FIO + ["--io_size=3g"],
            lambda folder: None, ["fio"]),
    Program("gcc", f"a gcc build of {SOURCES} files of lib/format", ["make", "-s", "-B"],
            prepare_sources, ["gcc", "make"]),
    Program("lammps", f"LAMMPS, {RANKS} ranks", mpirun("lmp", "-in", "melt", "-screen", "none"),
            lambda folder: write(os.path.join(folder, "melt"), MELT), ["mpirun", "lmp"]),
    Program("hpcc", f"HPCC, {RANKS} ranks", mpirun("hpcc"),
            lambda folder: write(os.path.join(folder, "hpccinf.txt"), HPCC), ["mpirun", "hpcc"]),
    Program("dataloader", f"an epoch of a DataLoader, {SAMPLES} files",
            ["/usr/bin/python3", "epoch.py"], prepare_samples, ["/usr/bin/python3:torch"]),
)


def run_program(bench, program, folder, number):
    """(wall seconds, CPU seconds) of one run; traced if it has a number."""
    variables = dict(OVERSUBSCRIBED)
    if number is not None:
        variables["LD_PRELOAD"] = bench.library
        variables["RECORDER_TRACES_DIR"] = bench.trace(f"{program.name}{number}")
    begun = time.monotonic()
    _, cpu = bench.run(program.argv, folder, **variables)
    return time.monotonic() - begun, cpu


def run_pairs(bench, program, folder):
    """[(bare, traced)] of runs in turns, the first not counted; each (wall, CPU) seconds."""
    pairs = []
    for number in range(PAIRS + 1):
        order = (None, number) if number % 2 else (number, None)
        runs = {traced: run_program(bench, program, folder, traced) for traced in order}
        pairs.append((runs[None], runs[number]))
    return pairs[1:]


def added(pairs, which):
    """Median of what tracing adds to each run, in percent."""
    return statistics.median(100 * (traced[which] / bare[which] - 1) for bare, traced in pairs)


def spread(values):
    """Half of what the middle half of the values lies apart, in percent of their median."""
    low, middle, high = statistics.quantiles(values, n=4)
    return 50 * (high - low) / middle


def off_by(name, measured, estimate, noise):
    """How far the estimate is from what was measured, where that is no noise; all in percent of the bare CPU time."""
    what = "    which is off by"
    if measured < 3 * noise:
        return missing(name, what, "too little to tell")
    return row(name, what, 100 * abs(estimate / measured - 1), "%", 30.0, steady=False)


def measure_program(bench, program):
    lacks = program.lacks()
    if lacks:
        yield missing(program.name, program.what, lacks)
        return
    folder = os.path.join(bench.traces if program.on_disk else bench.files, f"of-{program.name}")
    os.mkdir(folder)
    program.prepare(folder)
    pairs = run_pairs(bench, program, folder)
    shutil.rmtree(folder)
    traces = [bench.info(f"{program.name}{number}") for number in range(1, PAIRS + 1)]
    estimate = statistics.median(100 * info["overhead"] / pair[0][1]
                                 for info, pair in zip(traces, pairs))
    records = statistics.median(info["records"] for info in traces)
    yield row(f"{program.name}_wall", f"{program.what}: elapsed time", added(pairs, 0), "%", 1.0,
              steady=False)
    yield row(f"{program.name}_spread", "    give or take, of bare runs",
              spread([bare[0] for bare, _ in pairs]), "%")
    yield row(f"{program.name}_cpu", "    CPU time", added(pairs, 1), "%", steady=False)
    yield row(f"{program.name}_estimate", "    CPU time as recorder info estimates it", estimate, "%",
              steady=False)
    yield off_by(f"{program.name}_off", added(pairs, 1), estimate, spread([bare[1] for bare, _ in pairs]))
    yield row(f"{program.name}_records", "    records a second",
              records / statistics.median(bare[0] for bare, _ in pairs), "")


def measure(bench):
    """Whole programs, bare and traced in turns."""
    for program in PROGRAMS:
        yield from guarded(measure_program, bench, program)
