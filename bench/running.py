# SPDX-License-Identifier: MIT
"""Running programs, bare and traced, in folders of the bench's own."""
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from rows import missing

TIMEOUT = 40  # seconds, of any one program, where nothing else is said
# calls a round, and rounds, of the traces that what reads is measured by
LONG_TRACES = {"writes": (150000, 14), "random": (60000, 14)}
# for mpirun, as root and with more ranks than cores
OVERSUBSCRIBED = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                  "OMPI_MCA_rmaps_base_oversubscribe": "1"}

# of each rank the 1,500 records in which MPI begins, 20 KB, are little beside those of so many steps
HALO_RANKS, HALO_STEPS, HALO_ROUNDS = 4, 20000, 7
# writes the CPU seconds of its program, and of nothing that ran before in its process, into a file for each rank
METER = """import os, sys
_, status, used = os.wait4(os.spawnv(os.P_NOWAIT, sys.argv[2], sys.argv[2:]), 0)
with open(sys.argv[1] + "." + os.environ["OMPI_COMM_WORLD_RANK"], "w") as file:
    file.write(str(used.ru_utime + used.ru_stime))
sys.exit(status != 0)
"""


class Failed(Exception):
    """A program did not do what it was to do; the text says which and why."""


def disk_folder():
    """Where traces go: a disk, which /tmp may not be. There, too, many files are deleted, and for a minute after that an ext4 without
    a journal takes long to make new ones near them."""
    folder = os.environ.get("TMPDIR", "/var/tmp")
    return folder if os.access(folder, os.W_OK) else None


def end_group(child):
    """Ends a program and what it started; launchers get a moment to do so themselves."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(child.pid, number)
            child.wait(timeout=3)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            pass


class Bench:
    """Folders and programs of one run."""

    def __init__(self, build, time_limit):
        self.build = os.path.abspath(build)
        self.patience = TIMEOUT
        self.deadline = time.monotonic() + time_limit
        self.library = os.path.join(self.build, ".libs", "librecorder.so")
        shared = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self.traces = tempfile.mkdtemp(prefix="recorder-bench.", dir=disk_folder())
        self.files = tempfile.mkdtemp(prefix="recorder-bench.", dir=shared)
        self.halo_values = None
        self.base = {name: value for name, value in os.environ.items()
                     if name != "LD_PRELOAD" and not name.startswith("RECORDER_")}

    def close(self):
        shutil.rmtree(self.traces, ignore_errors=True)
        shutil.rmtree(self.files, ignore_errors=True)

    def program(self, name):
        return os.path.join(self.build, name)

    def trace(self, name):
        return os.path.join(self.traces, name)

    def run(self, argv, folder=None, **variables):
        """(standard output, CPU seconds) of a program."""
        name = os.path.basename(argv[0])
        patience = min(self.patience, self.deadline - time.monotonic())
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        if patience <= 0:
            raise Failed("no time left")
        try:
            child = subprocess.Popen(argv, env={**self.base, **variables}, cwd=folder or self.files,
                                     stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE, start_new_session=True)
        except OSError as error:
            raise Failed(f"{name}: {error}") from error
        with child:
            try:
                out, err = child.communicate(timeout=patience)
            except BaseException as error:
                end_group(child)
                if isinstance(error, subprocess.TimeoutExpired):
                    raise Failed(f"{name}: took over {patience:.0f} s") from error
                raise
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if child.returncode:
            lines = err.decode(errors="replace").strip().splitlines()
            raise Failed(f"{name}: {lines[-1] if lines else child.returncode}")
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return out.decode(), cpu

    def cpu_of_ranks(self, count, argv):
        """CPU seconds of the program in each of so many ranks."""
        meter = os.path.join(self.files, "meter")
        self.run(["mpirun", "-np", str(count), sys.executable, "-c", METER, meter, *argv], **OVERSUBSCRIBED)
        cpu = []
        for rank in range(count):
            with open(f"{meter}.{rank}", encoding="ascii") as file:
                cpu.append(float(file.read()))
        return cpu

    def values(self, argv, **variables):
        """{name: value} of what a program reports."""
        text, _ = self.run(argv, **variables)
        pairs = (line.split() for line in text.splitlines())
        return {pair[0]: float(pair[1]) for pair in pairs if len(pair) == 2}

    def traced(self, trace, argv, behind="", **variables):
        """The same, of a program that is recorded into the trace of that name."""
        return self.values(argv, LD_PRELOAD=f"{self.library} {behind}".strip(),
                           RECORDER_TRACES_DIR=self.trace(trace), **variables)

    def workload(self, name, trace, calls, rounds, **variables):
        return self.traced(trace, [self.program("bench/workloads"), name, self.files,
                                   str(calls), str(rounds)], **variables)

    def long_trace(self, name):
        """The name of a trace of that workload, recorded when it is first asked for: beside its records beginning and ending are little."""
        trace = f"long_{name}"
        if not self.has_trace(trace):
            self.workload(name, trace, *LONG_TRACES[name])
        return trace

    def run_halo(self, trace, *options):
        return self.traced(trace, ["mpirun", "-np", str(HALO_RANKS), self.program("bench/halo"),
                                   str(HALO_STEPS), str(HALO_ROUNDS), *options], **OVERSUBSCRIBED)

    def halo(self):
        """What bench/halo reports, of a run into the trace "halo", which is made when it is first asked for."""
        if self.halo_values is None:
            self.halo_values = self.run_halo("halo")
        return self.halo_values

    def has_trace(self, name):
        return os.path.isdir(self.trace(name))

    def info(self, trace):
        text, _ = self.run([self.program("tools/recorder"), "info", "--json", self.trace(trace)])
        return json.loads(text)

    def records(self, trace):
        return self.info(trace)["records"]

    def allocated(self, trace):
        """Bytes that the files of a trace take on disk."""
        return sum(entry.stat().st_blocks * 512 for entry in os.scandir(self.trace(trace)))

    def bytes_a_record(self, trace):
        return self.allocated(trace) / self.records(trace)


def guarded(group, *arguments):
    """The rows of a group; what fails becomes a row that says so."""
    try:
        yield from group(*arguments)
    except (Failed, KeyError, ValueError, OSError) as error:
        name = getattr(arguments[-1], "name", arguments[-1])
        name = name if isinstance(name, str) else group.__name__
        yield missing(name, name.replace("measure_", ""), f"failed: {error}")
