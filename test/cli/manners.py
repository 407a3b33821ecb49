#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# timeout: 600
"""What a careful user expects of every command, whatever it does: what is wrong is said on stderr, in words that name it, with the exit status that design and manual
pages promise; stdout that is full or gone is no success; places that cannot be written are left as they were; colours only where they are wanted; the same output in
any language and at any width."""
import itertools
import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile

TOOLS = os.path.join(os.environ["TOP_BUILDDIR"], "tools")
TRACE = os.path.join(os.environ["TOP_SRCDIR"], "test", "sql", "heat.rtrace")
PLAIN = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "TERM") and not name.startswith("LC_")}
WRITERS = [words for words in (
    ("recorder2text",), ("recorder2pfw",), ("recorder2pfw", "-z"), ("recorder2pfw", "--format", "chrome"), ("recorder2sqlite",), ("recorder2parquet",),
    ("recorder2csv",), ("recorder", "report"), ("recorder", "filter"), ("recorder", "anonymize"), ("recorder", "unpack"))
    if os.access(os.path.join(TOOLS, words[0]), os.X_OK)]
# of a trace, on stdout; those that say so much that no pipe holds it
SAYERS = (("recorder", "info"), ("recorder", "check"), ("recorder", "summary"), ("recorder", "summary", "--json"), ("recorder", "findings"), ("recorder", "verify"), ("recorder", "match"),
          ("recorder", "stacks"), ("recorder", "functions"), ("recorder2text",), ("recorder2pfw", "-o", "-"), ("recorder2csv", "-o", "-"), ("recorder2parquet", "-o", "-"),
          ("recorder2collapsed", "-o", "-"), ("recorder", "report", "-o", "-"))
LONG = (("recorder2text",), ("recorder2pfw", "-o", "-"), ("recorder2pfw", "--format", "chrome", "-o", "-"), ("recorder2csv", "-o", "-"),
        ("recorder", "report", "-o", "-"))
UNPRIVILEGED = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
COLOR = b"\x1b["
failed = []


def expect(condition, *what):
    if not condition:
        failed.append(" ".join(str(word) for word in what))


def run(words, before=(), **options):
    """(status, stdout, stderr)"""
    options = {"env": PLAIN, "stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "cwd": tempfile.gettempdir(), **options}
    done = subprocess.run([*before, os.path.join(TOOLS, words[0]), *words[1:]], stderr=subprocess.PIPE, check=False, timeout=280, **options)
    return done.returncode, done.stdout, done.stderr.decode(errors="replace")


def commands():
    """Each verb and converter that `recorder` itself names."""
    _, said, _ = run(["recorder"])
    verbs = re.findall(r"^  recorder (\w+)  ", said.decode(), re.MULTILINE)
    others = re.findall(r"^  (recorder2\w+)  ", said.decode(), re.MULTILINE)
    expect(len(verbs) > 15 and len(others) > 5, "recorder names too few:", verbs, others)
    return [("recorder", verb) for verb in verbs] + [(name,) for name in others if os.access(os.path.join(TOOLS, name), os.X_OK)]


def complains(what, done, status, *words):
    """By one who failed: nothing on stdout, and a line that begins with the command's name."""
    got, out, err = done
    expect(got == status, what, f"status {got}, not {status}:", err)
    expect(not out, what, "has something to say:", out)
    expect(err.startswith("recorder"), what, "says:", err)
    for word in words:
        expect(word in err, what, f"does not say {word!r}:", err)


def check_usage(home):
    for words in commands():
        usage = 125 if words[-1] == "run" else 2  # as of env, nohup, timeout: 2 may be the command's
        complains(words, run([*words, "--wrong"], cwd=home), usage, "--wrong", "--help")
        complains(words, run([*words, "-Z"], cwd=home), usage, "-Z", "--help")
        status, said, err = run([*words, "--help"], cwd=home)
        expect(status == 0 and said.startswith(b"usage: " + " ".join(words).encode()) and not err, words, "--help:", status, err)
        expect(b"examples:" in said, words, "--help has no examples")
        if words[0] == "recorder":
            expect(run(["recorder", "help", words[1]]) == (0, said, ""), "recorder help", words[1], "is not its --help")
    for verb in ("summary", "findings", "stacks", "where"):
        complains(verb, run(["recorder", verb, "--json", "--csv", TRACE]), 2, "--json", "--csv", "--help")
    complains("no verb", run(["recorder", "sumary"]), 2, "'sumary'", "'summary'")
    complains("no verb", run(["recorder", "text", TRACE]), 2, "'recorder2text'")
    complains("no verb", run(["recorder", "frobnicate"]), 2, "'frobnicate'", "--help")
    complains("no verb", run(["recorder", "help", "frobnicate"]), 2, "'frobnicate'")
    complains("no option", run(["recorder", "--frobnicate"]), 2, "'--frobnicate'")
    expect(os.listdir(home) == [], "made by wrong usage:", os.listdir(home))


def check_traces(home):
    """No trace, nothing there, no trace but something else."""
    os.mkdir(os.path.join(home, "empty"))
    readers = set(SAYERS) | {words + ("-o", os.path.join(home, "out")) for words in WRITERS}
    for words in readers:
        if words[-1] == "-" or "unpack" in words:
            continue
        if "filter" not in words and "anonymize" not in words and "unpack" not in words:
            complains(words, run(words, cwd=home), 1, "no trace in the working directory")
        for name in ("nowhere", "empty", "/etc/passwd"):
            complains(words, run([*words, name], cwd=home), 1, name)
    complains("recorder clean", run(["recorder", "clean", "nowhere"], cwd=home), 1, "nowhere")
    complains("recorder clean", run(["recorder", "clean", "/etc/passwd"], cwd=home), 1, "/etc/passwd")
    complains("recorder repair", run(["recorder", "repair", "/etc/passwd"], cwd=home), 1, "/etc/passwd")
    expect(os.listdir(home) == ["empty"], "made of no trace:", os.listdir(home))


def check_filters(home):
    """What is asked for by a name that nothing has."""
    for words in (("recorder", "summary"), ("recorder", "findings"), ("recorder2text",), ("recorder", "filter", "-o", os.path.join(home, "less"))):
        status, _, err = run([*words, "--functions", "MPI_Sned", TRACE])
        expect(status == 0 and "no record passes the filter: --functions MPI_Sned" in err, words, "does not warn of an empty filter:", status, err)
        again = ("--force",) if "filter" in words else ()
        status, _, err = run([*words, *again, "--functions", "p*", TRACE])
        expect(status == 0 and "no record" not in err, words, "warns of a filter that is none:", status, err)


def check_stdout():
    if os.path.exists("/dev/full"):
        for words in (*(words + (TRACE,) for words in SAYERS), ("recorder", "--help"), ("recorder", "summary", "--help"), ("recorder", "--version"),
                      ("recorder", "env")):
            with open("/dev/full", "wb") as full:
                status, _, err = run(words, stdout=full)
            expect(status == 1 and "cannot write to stdout: No space left" in err, words, "on a full disk: status", status, err)
    for words in LONG:
        reading, writing = os.pipe()
        os.close(reading)
        status, _, err = run([*words, "-q", TRACE], stdout=writing)
        os.close(writing)
        expect(status == -13 and not err, words, "to nobody: status", status, err)


def of(words, folder):
    """What a writer can read."""
    return folder if "anonymize" in words else TRACE


def refused(home, folder, words, before, reason, *options):
    out = os.path.join(home, "out.rtrace" if options else "out")
    status, said, err = run([*words, *options, "-o", out, of(words, folder)], before)
    expect(status == 1 and reason in err and not said, words, "status", status, said, err)
    expect("out" in err or "new trace" in err or "'" in err, words, "does not say where:", err)
    expect(not [name for name in os.listdir(home) if name.startswith("out")], words, "leaves", os.listdir(home))


def check_rights(home, folder):
    os.chmod(home, 0o555)
    before = UNPRIVILEGED if os.getuid() == 0 else ()
    if before and (not shutil.which("setpriv") or subprocess.run([*before, "test", "-w", home], check=False).returncode == 0):
        print("without setpriv: root may write everywhere")
        return
    for words in WRITERS:
        refused(home, folder, words, before, "Permission denied")
    refused(home, folder, ("recorder", "filter"), before, "Permission denied", "--ranks", "1")
    os.chmod(home, 0o700)


def check_full(home, folder):
    """A file system of a few pages, if there can be one."""
    if not shutil.which("unshare") or subprocess.run(["unshare", "-m", "true"], check=False, stderr=subprocess.DEVNULL).returncode:
        print("no file system of our own: cannot unshare")
        return
    script = 'mount -t tmpfs -o size=16k tmpfs "$1" || exit 99; shift; "$@"; status=$?; ls -A "$0"; exit $status'
    for words in WRITERS:
        before = ["unshare", "-m", "--propagation", "private", "sh", "-c", script, home, home]
        out = os.path.join(home, "out.rtrace" if words[-1] == "filter" else "out")
        status, left, err = run([*words, "-o", out, of(words, folder)], before)
        expect(status == 1 and ("No space left" in err or "disk is full" in err), words, "on a full disk: status", status, err)
        expect(left == b"", words, "leaves on a full disk", left)


def on_terminal(words, **variables):
    """What it writes to one."""
    leader, follower = pty.openpty()
    process = subprocess.Popen([os.path.join(TOOLS, words[0]), *words[1:]], env={**PLAIN, "TERM": "xterm", **variables}, stdin=follower, stdout=follower,
                               stderr=subprocess.STDOUT)
    os.close(follower)
    said = b""
    try:
        while part := os.read(leader, 65536):
            said += part
    except OSError:  # the other end is closed
        pass
    process.wait(timeout=280)
    os.close(leader)
    return said


def check_color():
    for words in (("recorder", "summary", TRACE), ("recorder", "findings", TRACE)):
        expect(COLOR in on_terminal(words), words, "has no colours on a terminal")
        expect(COLOR not in on_terminal(words, NO_COLOR="1"), words, "has colours, against NO_COLOR")
        expect(COLOR not in on_terminal(words, TERM="dumb"), words, "has colours on a terminal that has none")
        expect(COLOR in on_terminal(words, NO_COLOR=""), words, "an empty NO_COLOR counts")
        expect(COLOR not in on_terminal([*words, "--color=never"]), words, "has colours, against --color=never")
        expect(COLOR not in run(words)[1], words, "has colours in a file")
        expect(COLOR in run([*words, "--color=always"], env={**PLAIN, "NO_COLOR": "1"})[1], words, "--color=always counts less than NO_COLOR")


def turkish(home):
    """Folder of a locale in which I is not the capital of i, and 1,5 is a number; None: there can be none."""
    if shutil.which("localedef"):
        done = subprocess.run(["localedef", "-i", "tr_TR", "-f", "UTF-8", os.path.join(home, "tr_TR.UTF-8")], check=False, capture_output=True)
        if done.returncode in (0, 1) and os.path.isdir(os.path.join(home, "tr_TR.UTF-8")):
            return home
    print("no Turkish locale: localedef cannot make it")
    return None


def check_language(home):
    place = turkish(home)
    changes = [{"LC_ALL": "C", "LANG": "C"}, {"COLUMNS": "20"}, {"COLUMNS": "300"}]
    if place:
        changes.append({"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8", "LOCPATH": place})
    for words, change in itertools.product((*SAYERS, ("recorder", "--help"), ("recorder2pfw", "--format", "chrome", "-o", "-")), changes):
        words = words if words[-1] == "--help" else words + (TRACE,)
        expect(run(words) == run(words, env={**PLAIN, **change}), words, "says something else with", change)


def main():
    with tempfile.TemporaryDirectory() as top:
        homes = [os.path.join(top, name) for name in ("usage", "traces", "filters", "rights", "full", "language")]
        for home in homes:
            os.mkdir(home)
        folder = os.path.join(top, "heat")
        expect(run(["recorder", "unpack", "-q", "-o", folder, TRACE])[0] == 0, "cannot unpack", TRACE)
        check_usage(homes[0])
        check_traces(homes[1])
        check_filters(homes[2])
        check_stdout()
        check_rights(homes[3], folder)
        check_full(homes[4], folder)
        check_color()
        check_language(homes[5])
    for what in failed:
        print("fail:", what[:1000])
    print(f"{len(failed)} failed")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
