#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# timeout: 900
"""The examples of each --help do what they show: they are run, in order, where a trace lies, and end well. Programs that they only hand something on to
(less, jq, flamegraph.pl ...) are stand-ins; so is pidof, which knows one process that is recorded."""
import functools
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOOLS = os.path.abspath(os.path.join(os.environ["TOP_BUILDDIR"], "tools"))
TRACES = ("trace", "b", "monday", "friday", "before", "after")
STAND_INS = {
    "less": 'exec cat -- "$@"',
    "flamegraph.pl": "exec cat",
    "drishti": 'test -e "$1"',
    "duckdb": 'test -e trace.parquet',
    "jq": 'exec python3 -c "import json, sys; json.load(sys.stdin)"',
    "pdsh": 'shift 2\nexec "$@"',
    "pidof": 'cat "$TOP/pid"',
    # all ranks that a test can have
    "mpirun": 'test "$1" = -np && { shift 2; set -- -n 2 "$@"; }\nexec "$REAL_MPIEXEC" "$@"',
    "app": "cat /etc/passwd >/dev/null",
}
FOLDERS = (("/scratch/", "scratch/"), ("/tmp/", "tmp/"))


def helps():
    """(words, text) of all that has a --help."""
    known = subprocess.run([os.path.join(TOOLS, "recorder"), "--help"], capture_output=True, text=True, check=True).stdout
    for verb in re.findall(r"^  recorder ([a-z]+)  ", known, re.MULTILINE):
        yield ("recorder", verb)
    for name in sorted(os.listdir(TOOLS)):
        if re.fullmatch(r"recorder2[a-z0-9]+", name) and os.access(os.path.join(TOOLS, name), os.X_OK):
            yield (name,)


def examples(words):
    text = subprocess.run([os.path.join(TOOLS, words[0]), *words[1:], "--help"], capture_output=True, text=True, check=True).stdout
    lines = text.split("examples:\n")[1].split("\n\n")[0].split("\n")
    # what comes of it stands behind more than one blank
    return [re.split(r" {2,}", line.strip())[0] for line in lines if line.strip()]


def left_out(line):
    """What cannot be tried here, or has a test of its own that waits for what it needs."""
    if " -c recorder.yaml" in line and b"without libyaml" in subprocess.run([os.path.join(TOOLS, "recorder"), "env", "-c", os.devnull], capture_output=True, check=False).stderr:
        return True
    return "$!" in line or line.endswith("&") or re.fullmatch("recorder clean( --.*)?", line)


def prepare(top):
    """A trace to copy, and the environment of the examples."""
    bin_dir = os.path.join(top, "bin")
    os.mkdir(bin_dir)
    for name, body in STAND_INS.items():
        path = os.path.join(bin_dir, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + body + "\n")
        os.chmod(path, 0o755)
    env = {name: value for name, value in os.environ.items() if not name.startswith("RECORDER_") and name != "LD_PRELOAD"}
    env.update(PATH=f"{bin_dir}:{TOOLS}:{env['PATH']}", TOP=top, REAL_MPIEXEC=os.environ.get("MPIEXEC", "mpiexec"), LC_ALL="C.UTF-8",
               OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1",
               OMPI_MCA_mpi_yield_when_idle="1", OMPI_MCA_btl_vader_single_copy_mechanism="none")
    subprocess.run(["recorder", "run", "-q", "-o", os.path.join(top, "kept"), "--", "sh", "-c", "cat /etc/passwd | sort"], env=env, check=True,
                   stdout=subprocess.DEVNULL)
    return env


def furnish(top, home):
    """What examples take for granted: traces, a packed one, a program; and the newest trace of the working directory."""
    kept = os.path.join(top, "kept")
    for folder in ("scratch", "tmp"):
        os.makedirs(os.path.join(home, folder), exist_ok=True)
    for name in TRACES:
        if not os.path.exists(os.path.join(home, name)):
            shutil.copytree(kept, os.path.join(home, name))
    if not os.path.exists(os.path.join(home, "scratch", "trace")):
        shutil.copytree(kept, os.path.join(home, "scratch", "trace"))
    if not os.path.exists(os.path.join(home, "recorder-sh-1")):
        shutil.copytree(kept, os.path.join(home, "recorder-sh-1"))
    shutil.copy(os.path.join(top, "bin", "app"), home)
    shutil.copy(os.path.join(HERE, "..", "..", "packaging", "recorder.yaml"), home)
    with open(os.path.join(home, "train.py"), "w", encoding="utf-8") as file:
        file.write("print(open(__file__).read())\n")


@functools.cache
def takes_programs(place, path):
    return subprocess.run(["recorder", "system", "-q", "-o", place, "--", "true"], env={"PATH": path}, check=False,
                          stderr=subprocess.DEVNULL).returncode != 125


def kernel_takes_programs(top, env):
    """Not without rights, or where recorder system is not built."""
    return takes_programs(os.path.join(top, "kernel"), env["PATH"])


def try_help(top, words, env):
    """(examples tried, of them failed)"""
    home = os.path.join(top, "-".join(words))
    tried = failed = 0
    for line in examples(words):
        if left_out(line) or (line.startswith("recorder system") and not kernel_takes_programs(top, env)):
            continue
        furnish(top, home)
        if not os.path.exists(os.path.join(home, "job.rtrace")):
            subprocess.run(["recorder", "pack", "-q", "-o", "job.rtrace", "trace"], cwd=home, env=env, check=True)
        if "job.rtrace" in line.split(" -o ")[-1].split()[0:1]:
            os.unlink(os.path.join(home, "job.rtrace"))
        if line.startswith("recorder") and " -o " not in line:
            for name in filter(os.path.isfile, glob.glob(os.path.join(home, "trace.*"))):
                os.unlink(name)
        command = line
        for name, place in FOLDERS:
            command = command.replace(name, place)
        done = subprocess.run(["sh", "-c", command], cwd=home, env=env, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=280)
        tried += 1
        if done.returncode or b"usage:" in done.stderr or b"not found" in done.stderr:
            failed += 1
            print(f"fail: {line}: status {done.returncode}: {done.stderr.decode(errors='replace')[-500:]}")
    return tried, failed


def main():
    if "thread" in os.environ.get("SANITIZERS", ""):
        print("skip: librecorder.so built with ThreadSanitizer cannot be preloaded")
        return 77
    if not shutil.which(os.environ.get("MPIEXEC", "mpiexec")) or not os.access(os.path.join(TOOLS, "recorder2sqlite"), os.X_OK) or not shutil.which("sqlite3"):
        print("skip: needs MPI and SQLite")
        return 77
    tried = failed = 0
    with tempfile.TemporaryDirectory() as top:
        env = prepare(top)
        # it says that it runs when it is recorded; it ends when nobody has hold of the other end of its input
        with subprocess.Popen(["recorder", "run", "-q", "-o", os.path.join(top, "running"), "--", "sh", "-c",
                               'echo $$ >"$TOP/pid.new"; mv "$TOP/pid.new" "$TOP/pid"; echo; read -r line'],
                              env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as job:
            job.stdout.readline()
            for words in helps():
                some, bad = try_help(top, words, env)
                if not some and words not in (("recorder", "ctl"), ("recorder", "system")):
                    print(f"no examples: {' '.join(words)}")
                    bad += 1
                tried, failed = tried + some, failed + bad
            job.stdin.close()
    print(f"{tried} examples, {failed} failed")
    return failed > 0 or tried < 50


if __name__ == "__main__":
    sys.exit(main())
