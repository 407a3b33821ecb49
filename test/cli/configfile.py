#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# timeout: 300
"""Configuration files: what each key sets, that the example names every option and setting, which source comes first, and that whatever is wrong is told with its line and column."""
import os
import re
import subprocess
import sys
import tempfile

TOOL = os.path.join(os.environ["TOP_BUILDDIR"], "tools", "recorder")
SOURCE = os.environ["TOP_SRCDIR"]
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith("RECORDER_") and name != "LD_PRELOAD"}
# what the runtime tells itself, and what has another name as an option
INTERNAL = {"main-pid", "image"}
RENAMED = {"traces-dir": "output", "targets": "target"}
failed = []


def expect(condition, *what):
    if not condition:
        failed.append(" ".join(str(word) for word in what))


def run(words, text=None, **variables):
    """(status, stdout, stderr) of the command with a configuration file, if there is a text of one."""
    if text is not None:
        with open("c.yaml", "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        words = [words[0], "-c", "c.yaml", *words[1:]]
    done = subprocess.run([TOOL, *words], capture_output=True, check=False, env={**CLEAN, **variables}, timeout=120)
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def variables_of(words, text=None, **variables):
    """What `recorder env` sets."""
    status, out, err = run(["env", *words], text, **variables)
    expect(status == 0 and not err, words, text, "status", status, err)
    return dict(re.findall(r"^export RECORDER_(\w+)='(.*)'$", out, re.MULTILINE))


def refused(text, *said):
    """Each line that is said, as LINE:COLUMN: WORDS."""
    status, out, err = run(["env"], text)
    expect(status == 2 and out == "", repr(text), "status", status, out[:100])
    for line in said:
        place, words = line.split(" ", 1)
        expect(any(row.startswith(f"recorder env: c.yaml:{place} ") and words in row for row in err.splitlines()), repr(text), "wanted", line, "got", err)
    expect(len(err.splitlines()) == len(said), repr(text), "says", err)


def values():
    both = variables_of([], "layers: [mpi, -mpiio]\nexclude: [/a, /b]\nflush: 2.5s\nstacks: 12\nfold: off\nlog-pointer: true\nlog-argv: no\ntags: 'a: b'\n"
                        "output: t/%e\nmax-size: 1g\nusage: no\nverbose: yes\nclock-sync: all,barrier\ntraces-mode: 0640\n")
    wanted = {"LAYERS": "mpi,-mpiio", "EXCLUDE": "/a:/b", "FLUSH": "2.5s", "STACKS": "12", "FOLD": "0", "LOG_POINTER": "1", "LOG_ARGV": "0", "TAGS": "a: b",
              "TRACES_DIR": os.path.join(os.getcwd(), "t/%e"), "MAX_SIZE": "1g", "USAGE": "0", "VERBOSE": "1", "CLOCK_SYNC": "all,barrier", "TRACES_MODE": "0640"}
    expect(both == wanted, "values:", both)
    names = variables_of([], "targets: [solve*, 'lib.so:f']\narguments: solve@arg1/i\nresults:\n  - solve@ret/d\n")
    expect(names == {"TARGETS": "solve*;lib.so:f", "ARGUMENTS": "solve@arg1/i", "RESULTS": "solve@ret/d"}, "names:", names)
    expect(variables_of([], "") == {} and variables_of([], "# nothing\n---\n") == {}, "empty files")
    # recorder env reads a file for recorder run
    expect(variables_of([], "pack: yes\nstrict: yes\ntags: x\n") == {"TAGS": "x"}, "what is of recorder run alone")
    # anchors
    expect(variables_of([], "include: &a [/x, /y]\nexclude: *a\n") == {"INCLUDE": "/x:/y", "EXCLUDE": "/x:/y"}, "anchors")


def sources():
    """The command line before the file, the file before the environment."""
    text = "tags: file\ntargets: [a, b]\nusage: no\nflush: 1s\n"
    got = variables_of(["--tags", "line", "-t", "c"], text)
    expect(got == {"TAGS": "line", "TARGETS": "c", "USAGE": "0", "FLUSH": "1s"}, "command line:", got)
    status, out, err = run(["run", "-q", "--flush", "2s", "--", "env"], text + "output: one\n", RECORDER_TAGS="environment", RECORDER_USAGE="1",
                           RECORDER_KEEP="7", RECORDER_FLUSH="9s", RECORDER_TRACES_DIR="two")
    got = dict(re.findall(r"^RECORDER_(\w+)=(.*)$", out, re.MULTILINE))
    wanted = {"TAGS": "file", "TARGETS": "a;b", "USAGE": "0", "FLUSH": "2s", "KEEP": "7", "TRACES_DIR": os.path.join(os.getcwd(), "one")}
    expect(status == 0 and {name: got.get(name) for name in wanted} == wanted, "environment:", status, got, err)
    expect(os.path.isdir("one") and not os.path.exists("two"), "the directory")
    status, out, err = run(["run", "--", "cat", "c.yaml"], "quiet: no\noutput: loud\n", RECORDER_QUIET="1")
    expect(status == 0 and "loud" in err, "quiet: no:", err)
    status, out, err = run(["run", "--", "cat", "c.yaml"], "quiet: yes\noutput: silent\nrun-id: mine\npack: yes\n")
    expect(status == 0 and err == "" and os.path.isdir("silent") and os.path.exists("silent.rtrace"), "quiet: yes:", status, err)
    expect('"mine"' in run(["info", "--json", "silent"])[1], "run-id")


def example():
    """Each key in it is valid, and it has all of them."""
    with open(os.path.join(SOURCE, "packaging", "recorder.yaml"), encoding="utf-8") as file:
        text = file.read()
    expect(variables_of([], text) == {}, "the example does something as it is")
    text = re.sub(r"^#(?=[a-z-]+:|  - )", "", text, flags=re.MULTILINE)
    keys = set(re.findall(r"^([a-z-]+):", text, re.MULTILINE))
    got = variables_of([], text)
    status, _, err = run(["run", "--mpi", "openmpi", "--", "true"], re.sub(r"^(mpi|output|mode|rotate|include|functions|ranks|programs|pack):.*\n", "", text, flags=re.MULTILINE))
    expect(status == 0, "recorder run with all of it:", status, err)
    helped = set(re.findall(r"^ +(?:-\w, )?--([a-z-]+)", run(["run", "--help"])[1], re.MULTILINE)) - {"help", "version", "config"}
    expect({RENAMED.get(key, key) for key in keys} == helped, "keys and options:", {RENAMED.get(key, key) for key in keys} ^ helped)
    with open(os.path.join(SOURCE, "lib", "record", "config.c"), encoding="utf-8") as file:
        settings = {name.lower().replace("_", "-") for name in re.findall(r'^\tSETTING\("(\w+)"', file.read(), re.MULTILINE)} - INTERNAL
    expect(len(settings) > 30, "settings:", settings)
    expect({RENAMED.get(name, name) for name in settings} <= {RENAMED.get(key, key) for key in keys}, "settings:", settings - keys)
    expect({name.lower().replace("_", "-") for name in got} >= settings - {"quiet", "verbose"}, "not set:", settings, set(got))
    with open(os.path.join(SOURCE, "doc", "environment.md"), encoding="utf-8") as file:
        known = file.read()
    for name in got:
        expect(f"| `RECORDER_{name}` |" in known, "environment.md has no", name)


def wrong():
    refused("layer: mpi\n", "1:1: no option 'layer'; is 'layers' meant?")
    refused("tags: a\nRECORDER_TAGS: b\n", "2:1: no option 'RECORDER_TAGS'")
    refused("# a comment\n\nflush: soon\nstacks: 129\nkeep: -1\nfold: maybe\nusage: 2\ntiming: sums\n", "3:8: flush: a time", "4:9: stacks: a number up to 128", "5:7: keep:",
            "6:7: fold: yes or no is wanted, not 'maybe'", "7:8: usage: yes or no", "8:9: timing: stamps or summary")
    refused("flush: [1s, 2s]\npack: [yes]\n", "1:1: flush: one value is wanted, not a list", "2:1: pack: one value")
    refused("include:\n  a: b\nexclude: [[a]]\n", "2:3: nothing deeper", "3:11: nothing deeper")
    refused("tags:\nlayers: []\nexclude: [a, ~]\n", "1:6: tags: there is no value", "2:1: layers: the list is empty", "3:14: exclude: there is no value")
    refused("targets: [a]\ntarget: b\n", "2:1: 'target' has been given before")
    refused("arguments: [solve@]\n", "1:13: arguments: F[@LIST] is wanted, not 'solve@'")
    refused("mpi: lam\ncolor: red\n", "1:6: mpi:", "2:8: color:")
    refused("help: yes\n", "1:1: no option 'help'")
    refused("config: x\n", "1:1: no option 'config'")
    refused("- a\n", "1:1: lines of 'key: value'")
    refused("a\n", "1:1: lines of 'key: value'")
    refused("tags: a\n---\ntags: b\n", "3:1: a second document")
    refused("tags: [a\n", "2:1: parsing a flow sequence")
    refused("tags: 'a\n", "2:1: quoted scalar")
    refused(b"tags: x\nlog-env: \xff\n", "2:10: UTF-8")
    refused("tags: \"a\\0b\"\n", "1:7: zero byte")
    refused("? [a]\n: b\n", "1:3: a key is wanted")
    refused("tags: *nobody\n", "1:7: undefined alias")
    expect("there is no layer 'posx'" in run(["env"], "layers: [mpi, posx]\n")[2], "unknown layers")
    status, _, err = run(["run", "--", "true"], "tag: x\n")
    expect(status == 125 and "'tags' meant" in err, "recorder run:", status, err)
    for path in ("nowhere.yaml", ".", "/dev/zero"):
        status, _, err = run(["env", "-c", path])
        expect(status == 2 and path in err, path, status, err)


def anything():
    """The begin of any file, and a file with a byte changed, are taken or refused, and nothing else."""
    with open(os.path.join(SOURCE, "packaging", "recorder.yaml"), "rb") as file:
        whole = re.sub(rb"^#(?=[a-z-]+:|  - )", b"", file.read(), flags=re.MULTILINE)
    step = len(whole) // 40
    for at in range(0, len(whole), step):
        for text in (whole[:at], whole[:at] + b"\x00[{&*" + whole[at:]):
            status, _, err = run(["env"], text)
            expect(status in (0, 2) and (status == 0) == (err == ""), "at", at, status, err[:200])


os.chdir(tempfile.mkdtemp(prefix="configfile", dir=os.environ.get("TEST_TMPDIR")))
if "without libyaml" in run(["env"], "tags: x\n")[2]:
    expect(run(["run", "--", "true"], "tags: x\n")[0] == 125, "without libyaml")
else:
    values()
    sources()
    example()
    wrong()
    anything()
for line in failed:
    print(line)
sys.exit(1 if failed else 0)
