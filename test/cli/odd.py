#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# files: memory
# timeout: 1200
"""Traces that are odd: empty, of nothing, of one rank of many, without MPI, without files, of ODD_FILES files, of names that are markup, with clocks that
are seconds off, damaged. Of each all outputs are made, valid and equal (test/real/everywhere.py), and say what is missing; packed, it has the same calls, and so has
what a filter without conditions makes of it. Of more names than the shape of a packed trace has place for, no output grows that should not. And all that write
files: what is there already stays without --force; who is interrupted before the end leaves nothing.

`make check-odd`: 10^6 files, 5 minutes of CPU time, 18 on a machine with two processors that four others used, 6 GB of memory."""
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
BUILD = os.environ["TOP_BUILDDIR"]
FILES = int(os.environ.get("ODD_FILES", "3000"))
MORE_FILES = 30000  # than a shape has place for
PAGE_MOST = 2 << 20
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(TESTS, "real"), os.path.join(TESTS, "format"), HERE]

import broken  # noqa: E402
import everywhere  # noqa: E402
from write_trace import save_global  # noqa: E402

TOOLS = everywhere.TOOLS
HOOKED = os.path.join(BUILD, "test", ".libs", "librecorder_hooked.so")
MPI = os.path.join(BUILD, "test", "analysis", "known_mpi")
ENV = {**{name: value for name, value in os.environ.items() if not name.startswith("RECORDER_")}, "LC_ALL": "C", "RECORDER_QUIET": "1",
       "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
       "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
NAMES = """
import os
for name in (b"it's", b'"quoted"', b"two\\nlines", b"tab\\t\\x01\\x1b[31m", b"\\xff\\xfe\\xe2\\x80\\xa8", b"<script>alert(1)<\\x2fscript>", b"a,b;c\\\\d", b"\\xf0\\x9f\\x98\\x80"):
    with open(name.replace(b"/", b"_"), "wb") as file:
        file.write(name)
"""
MANY = """
import os
os.mkdir("many")
for number in range(%d):
    os.close(os.open(f"many/{number}", os.O_CREAT | os.O_WRONLY))
    os.unlink(f"many/{number}")
"""


def record(where, options, *words, **variables):
    done = subprocess.run([os.path.join(TOOLS, "recorder"), "run", "-q", "-o", where, *options, "--", *words], cwd=os.path.dirname(where), env={**ENV, **variables},
                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False, timeout=900)
    assert done.returncode == 0, (words, done.stderr)


def empty(where):
    """A directory of a trace in which nobody wrote."""
    os.mkdir(where)
    save_global(where, {"run.id": "empty", "format": "1.0"})


def one_of_many(where):
    record(where, [], os.environ.get("MPIEXEC", "mpiexec"), "-n", "4", MPI)
    kept = streams_of(where, 2)
    for name in os.listdir(where):
        if name.endswith((".rec", ".lm")) and os.path.splitext(name)[0] not in kept:
            os.unlink(os.path.join(where, name))


def streams_of(where, rank):
    """Names of files without their ending."""
    said = json.loads(everywhere.tool("recorder", "info", "-q", "--json", where))
    return {stream["name"] for stream in said["streams"] if stream["rank"] == rank}


def damaged(where):
    record(where, [], sys.executable, "-c", "import os\nfor i in range(60000): os.stat('.')\n")
    path = max((os.path.join(where, name) for name in os.listdir(where) if name.endswith(".rec")), key=os.path.getsize)
    with open(path, "r+b") as file:
        size = os.path.getsize(path)
        file.seek(size // 2)
        file.write(b"\xa5" * 64)
        file.truncate(size - 9)


def off_clocks(where):
    launcher = os.environ.get("MPIEXEC", "mpiexec")
    hand = ["-x", "LD_PRELOAD=" + HOOKED] if os.environ.get("MPI_KIND", "openmpi") == "openmpi" else ["-genv", "LD_PRELOAD", HOOKED]
    done = subprocess.run([launcher, "-n", "2", *hand, MPI], cwd=os.path.dirname(where), check=False, stdout=subprocess.DEVNULL, timeout=600,
                          env={**ENV, "RECORDER_TRACES_DIR": where, "RECORDER_TEST_CLOCK": "0:0,3000000000:50000", "RECORDER_CLOCK_SYNC": "none"})
    assert done.returncode == 0


def cases():
    """(name, how it is made, whether something is missing)"""
    yield "empty", empty, None
    yield "nothing", lambda where: record(where, [], "sh", "-c", ":"), False
    yield "no-mpi", lambda where: record(where, [], "sh", "-c", "cat /etc/passwd | sort >sorted"), False
    yield "names", lambda where: record(where, [], sys.executable, "-c", NAMES), False
    yield "many-files", lambda where: record(where, [], sys.executable, "-c", MANY % FILES), False
    yield "damaged", damaged, True
    if os.access(MPI, os.X_OK):
        yield "no-files", lambda where: record(where, ["--layers", "mpi"], os.environ.get("MPIEXEC", "mpiexec"), "-n", "2", MPI), False
        yield "one-of-many", one_of_many, True
        yield "off-clocks", off_clocks, False


def says(trace, folder, summary, missing):
    """What is missing is said everywhere where there is a place for it."""
    if missing is None:
        return
    assert summary["complete"] is not missing, f"complete: {summary['complete']}"
    text = everywhere.tool("recorder", "summary", "-q", trace).decode(errors="replace")
    assert ("complete:" in text.split("\n")[2] and "incomplete" not in text.split("\n")[2]) is not missing, text.split("\n")[2]
    warned = subprocess.run([os.path.join(TOOLS, "recorder2text"), trace], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False).stderr
    assert bool(warned) is missing, warned
    strict = subprocess.run([os.path.join(TOOLS, "recorder"), "summary", "-q", "--strict", trace], stdout=subprocess.DEVNULL, check=False).returncode
    assert strict == int(missing), f"--strict: status {strict}"
    page = everywhere.by_page(os.path.join(folder, "out.html"))
    assert page["trace"]["complete"] is not missing, "the page"
    with open(os.path.join(folder, "out.json"), encoding="utf-8") as file:
        assert json.load(file)["otherData"]["complete"] is not missing, "Chrome JSON"


def lines_of(trace):
    """Digest of what recorder2text shows."""
    total = hashlib.sha256()
    with subprocess.Popen([os.path.join(TOOLS, "recorder2text"), "-q", trace], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as process:
        while part := process.stdout.read(1 << 20):
            total.update(part)
    assert process.returncode == 0, f"recorder2text: status {process.returncode}"
    return total.hexdigest()


def same_elsewhere(trace, home):
    packed, filtered, unpacked = (os.path.join(home, name) for name in ("out.rtrace", "filtered", "unpacked"))
    everywhere.tool("recorder", "pack", "-q", "-o", packed, trace)
    everywhere.tool("recorder", "filter", "-q", "-o", filtered, trace)
    everywhere.tool("recorder", "unpack", "-q", "-o", unpacked, packed)
    assert content(unpacked) == content(trace), "other bytes after recorder pack and unpack"
    lines = lines_of(trace)
    assert lines_of(packed) == lines, "other calls in the packed trace"
    assert lines_of(filtered) == lines, "other calls after recorder filter"
    assert os.path.getsize(os.path.join(home, "out.html")) <= PAGE_MOST, "the page grows with the trace"


def try_case(top, name, make, missing):
    home = os.path.join(top, name)
    os.mkdir(home)
    trace = os.path.join(home, "trace")
    make(trace)
    summary, _ = everywhere.check(trace, home)
    says(trace, home, summary, missing)
    same_elsewhere(trace, home)
    return summary


def try_more_files(top):
    """What tells how many it leaves out, and what is one file or one page in the end, whatever the names."""
    home = os.path.join(top, "more-files")
    os.mkdir(home)
    trace = os.path.join(home, "trace")
    record(trace, [], sys.executable, "-c", MANY % MORE_FILES)
    everywhere.tool("recorder", "report", "-q", "-o", os.path.join(home, "out.html"), trace)
    same_elsewhere(trace, home)
    files = everywhere.by_page(os.path.join(home, "out.html"))["files"]
    assert len(files["rows"]) + files["rest"] >= MORE_FILES, f"the page shows {len(files['rows'])} files and leaves {files['rest']} out"
    text = everywhere.tool("recorder", "summary", "-q", "--files-class", "all", trace).decode(errors="replace")
    more = re.search(r"^ +(\d+) more ", text[text.index("\nfiles (by"):], re.MULTILINE)
    assert more and int(more.group(1)) > MORE_FILES - 100, f"the summary does not say how many files it leaves out: {more}"


# ---- broken traces ----


def try_broken(top, name):
    """pfw and Chrome JSON are valid, or refused with a word and nothing left; other tests have the other outputs."""
    trace = os.path.join(top, name)
    broken.write(name, trace)
    for form in ("pfw", "chrome"):
        path = os.path.join(top, "out." + form)
        done = subprocess.run([os.path.join(TOOLS, "recorder2pfw"), "-q", "--format", form, "-o", path, trace], stdin=subprocess.DEVNULL, capture_output=True,
                              check=False, timeout=120)
        assert done.returncode in (0, 1), f"{form}: status {done.returncode}: {done.stderr[-200:]}"
        assert done.returncode == 0 or done.stderr, f"{form}: refused without a word"
        assert (done.returncode == 0) == os.path.exists(path), f"{form}: status {done.returncode}, and the file"
        if done.returncode == 0:
            with open(path, "rb") as file:
                data = file.read()
            for text in ([data] if form == "chrome" else [line for line in data.split(b"\n") if line.startswith(b"{")]):
                json.loads(text)
            os.unlink(path)


# ---- files that are there, files that are not finished ----

WRITERS = (
    ("recorder2pfw",), ("recorder2pfw", "-z"), ("recorder2pfw", "--format", "chrome"), ("recorder2sqlite",), ("recorder2parquet",), ("recorder2text",),
    ("recorder", "report"), ("recorder", "pack"), ("recorder", "filter"), ("recorder", "filter", "--layers", "posix"), ("recorder", "anonymize"), ("recorder", "unpack"))
FOLDERS = {"filter", "anonymize", "unpack"}  # what they write, if its name is not NAME.rtrace
INTERRUPTED = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "inject=rename,renameat,renameat2,link,linkat:error=EIO:signal=TERM"]


def writers():
    for words in WRITERS:
        if os.access(os.path.join(TOOLS, words[0]), os.X_OK):
            yield words


def run(words, options, trace, before=()):
    return subprocess.run([*before, os.path.join(TOOLS, words[0]), *words[1:], "-q", *options, trace], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, check=False, timeout=280)


def content(path):
    if os.path.isdir(path):
        return {name: content(os.path.join(path, name)) for name in os.listdir(path)}
    with open(path, "rb") as file:
        return file.read()


def try_writer(top, words, trace):
    home = tempfile.mkdtemp(dir=top)
    name = "out" if words[-1] in FOLDERS else "out.rtrace"
    out = os.path.join(home, name)
    if words[-1] in FOLDERS:
        os.mkdir(out)
    with open(os.path.join(out, "mine") if words[-1] in FOLDERS else out, "w", encoding="utf-8") as file:
        file.write("mine")
    before = content(home)
    done = run(words, ["-o", out], trace)
    assert done.returncode == 1 and done.stderr, f"writes over what is there: status {done.returncode}"
    assert content(home) == before, "changes what is there"
    if subprocess.run([os.path.join(TOOLS, *words[:1]), *words[1:2], "--help"], capture_output=True, check=False).stdout.find(b"--force") >= 0:
        assert b"--force" in done.stderr, f"does not say what to do: {done.stderr}"
        if words[-1] not in FOLDERS:
            assert run(words, ["--force", "-o", out], trace).returncode == 0 and content(home) != before, "--force"
    shutil.rmtree(home)
    os.mkdir(home)
    done = run(words, ["-o", out], trace)
    assert done.returncode == 0, done.stderr
    assert os.listdir(home) == [name], f"beside the output: {os.listdir(home)}"
    if shutil.which("strace") and not os.environ.get("SANITIZERS"):
        shutil.rmtree(home)
        os.mkdir(home)
        done = run(words, ["-o", out], trace, INTERRUPTED)
        assert done.returncode not in (0, 1), f"not interrupted: {done.returncode} {done.stderr}"
        assert os.listdir(home) == [], f"left behind: {os.listdir(home)}"
    shutil.rmtree(home)


def attempt(what, act, *arguments):
    try:
        result = act(*arguments)
    except (AssertionError, everywhere.Different, ValueError, KeyError) as error:
        print(f"fail: {what}: {type(error).__name__} {error}"[:2000])
        return 1
    if result:
        print(f"{what}: {result['records']} calls, complete: {result['complete']}")
    return 0


def main():
    if "thread" in os.environ.get("SANITIZERS", ""):
        print("skip: librecorder.so built with ThreadSanitizer cannot be preloaded")
        return 77
    failed = 0
    with tempfile.TemporaryDirectory() as top:
        for name, make, missing in cases():
            failed += attempt(name, try_case, top, name, make, missing)
        failed += attempt("more-files", try_more_files, top)
        os.mkdir(os.path.join(top, "broken"))
        trace, packed = os.path.join(top, "names", "trace"), os.path.join(top, "job.rtrace")
        run(("recorder", "pack"), ["-o", packed], trace)
        for words in writers():
            failed += attempt(" ".join(words), try_writer, top, words, packed if words[-1] == "unpack" else trace)
        for name in broken.CASES:
            failed += attempt(name, try_broken, os.path.join(top, "broken"), name)
    print(f"{failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
