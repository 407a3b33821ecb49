# SPDX-License-Identifier: MIT
"""recorder2pfw: to the writing and to the compression of the same bytes, and shared by ranks."""
import os
import shutil
import statistics
import time
import zlib

from rows import missing, row

TURNS = 5
NAMES = (20000, 14)  # calls, rounds
RANKS, WRITES = 4, 4000000  # beside so many what a process does once is little
COPY_SIZE = 1 << 20


def cpu_of(work):
    """CPU seconds of a piece of work of our own."""
    before = time.process_time()
    work()
    return time.process_time() - before


def write_file(path, data):
    view = memoryview(data)
    with open(path, "wb", buffering=0) as file:
        for start in range(0, len(view), COPY_SIZE):
            file.write(view[start:start + COPY_SIZE])
    os.unlink(path)


def deflate(data):
    """Bytes that zlib makes of it at level 1."""
    deflater = zlib.compressobj(1)
    return len(deflater.compress(data)) + len(deflater.flush())


def command(bench, trace, options, path):
    return [bench.program("tools/recorder2pfw"), "-q", *options, "-o", path, bench.trace(trace)]


def convert(bench, trace, options, path):
    """(CPU seconds, bytes) of recorder2pfw."""
    cpu = bench.run(command(bench, trace, options, path))[1]
    size = os.path.getsize(path)
    os.unlink(path)
    return cpu, size


def read_once(bench, trace, path):
    bench.run(command(bench, trace, [], path))
    with open(path, "rb") as file:
        data = file.read()
    os.unlink(path)
    return data


def in_turns(bench, trace):
    """One process, in turns with the yardsticks: ({what: least CPU seconds}, bytes compressed, to those of zlib)."""
    path = os.path.join(bench.files, "out.pfw")
    data = read_once(bench, trace, path)
    times = {name: [] for name in ("plain", "written", "zipped", "deflated")}
    for _ in range(TURNS):
        times["plain"].append(convert(bench, trace, ["-j", "1"], path)[0])
        times["written"].append(cpu_of(lambda: write_file(path, data)))
        cpu, zipped = convert(bench, trace, ["-j", "1", "-z"], path)
        times["zipped"].append(cpu)
        times["deflated"].append(cpu_of(lambda: deflate(data)))
    return {name: min(values) for name, values in times.items()}, zipped / deflate(data)


def measure_alone(bench):
    trace = bench.long_trace("writes")
    records = bench.records(trace)
    least, size = in_turns(bench, trace)
    yield row("pfw", "recorder2pfw, speed: to write(2) of the same bytes",
              least["written"] / least["plain"], "x", 0.8, higher=True)
    yield row("pfw_ns", "    a record", least["plain"] / records * 1e9, "ns")
    yield row("pfw_gz", "recorder2pfw -z, speed: to zlib level 1 of the same bytes",
              least["deflated"] / least["zipped"], "x", 1.0, higher=True)
    yield row("pfw_gz_ns", "    a record", least["zipped"] / records * 1e9, "ns")
    yield row("pfw_gz_size", "    bytes, to those of zlib level 1", size, "x", 1.3)


def kinds_of_lines(bench):
    """(name, what, trace) of lines that differ in more than numbers."""
    yield "names", "a metadata loop", "pfw_metadata"
    if shutil.which("mpirun") and os.path.exists(bench.program("bench/halo")):
        bench.halo()
        yield "halo", "a halo exchange", "halo"


def measure_lines(bench, name, what, trace):
    least, size = in_turns(bench, trace)
    yield row(f"pfw_{name}", f"recorder2pfw of {what}, speed: to write(2) of the same bytes",
              least["written"] / least["plain"], "x", higher=True)
    yield row(f"pfw_{name}_ns", "    a record", least["plain"] / bench.records(trace) * 1e9, "ns")
    yield row(f"pfw_gz_{name}", f"recorder2pfw -z of {what}, speed: to zlib level 1",
              least["deflated"] / least["zipped"], "x", 1.0, higher=True)
    yield row(f"pfw_gz_{name}_size", "    bytes, to those of zlib level 1", size, "x", 1.3)


def measure_emitter(bench):
    """What deflates, by itself, of lines of several kinds."""
    path = os.path.join(bench.files, "out.pfw")
    kinds = [("writes", "small writes", bench.long_trace("writes"), [])]
    kinds += [(*kind, []) for kind in kinds_of_lines(bench)]
    if kinds[-1][0] == "halo":
        kinds.append(("chrome", "a halo exchange, Chrome JSON", "halo", ["--format", "chrome"]))
    for name, what, trace, options in kinds:
        bench.run(command(bench, trace, options, path))
        values = bench.values([bench.program("bench/emitter"), path])
        os.unlink(path)
        yield row(f"emitter_{name}", f"deflating {what}, speed: to zlib level 1", values["zlib"] / values["own"], "x",
                  4.0 if name == "writes" else None, higher=True)
        yield row(f"emitter_{name}_ns", "    a line", values["own"], "ns")
        yield row(f"emitter_{name}_size", "    bytes, to those of zlib level 1", values["bytes"], "x", 1.3)


def of_ranks(bench, count, trace, options):
    """CPU seconds of each of so many ranks."""
    path = os.path.join(bench.files, "out.pfw")
    cpu = bench.cpu_of_ranks(count, command(bench, trace, options, path))
    os.unlink(path)
    return cpu


def measure_ranks(bench):
    if not shutil.which("mpirun"):
        yield missing("pfw_ranks", f"recorder2pfw of {RANKS} ranks", "no MPI")
        return
    bench.traced("ranks", [bench.program("bench/loop"), os.path.join(bench.files, "loop"), str(WRITES)])
    for name, what, trace, options in (
            ("pfw_ranks", "recorder2pfw", "ranks", ["-j", "1"]),
            ("pfw_gz_ranks", "recorder2pfw -z", bench.long_trace("writes"), ["-j", "1", "-z"])):
        shares = [max(of_ranks(bench, RANKS, trace, options)) / of_ranks(bench, 1, trace, options)[0]
                  for _ in range(3)]
        yield row(name, f"{what}, {RANKS} ranks: CPU of the busiest, to that of one alone",
                  statistics.median(shares), "x", 0.4)


def measure(bench):
    yield from measure_alone(bench)
    bench.workload("metadata", "pfw_metadata", *NAMES)
    for kind in kinds_of_lines(bench):
        yield from measure_lines(bench, *kind)
    yield from measure_emitter(bench)
    shutil.rmtree(bench.trace("pfw_metadata"))
    yield from measure_ranks(bench)
