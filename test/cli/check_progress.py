# SPDX-License-Identifier: MIT
"""Runs tools with a pseudo-terminal as stderr, makes their work long, and looks at what they show there.

    check_progress.py TRACE
"""
import os
import re
import signal
import subprocess
import sys
import threading
import time

LINE = re.compile(rb"(?:reading|checking) +\d+ % \[#* *\]")


class Terminal:
    """Collects what is written to a terminal."""

    def __init__(self):
        self.master, self.slave = os.openpty()
        self.text = b""
        self.reader = threading.Thread(target=self.collect)
        self.reader.start()

    def collect(self):
        try:
            while part := os.read(self.master, 4096):
                self.text += part
        except OSError:  # nobody has it open any more
            pass

    def close(self):
        os.close(self.slave)
        self.reader.join()
        os.close(self.master)
        return self.text


def slow_reader(command, env=None, terminal=True, until=None):
    """What the command says on stderr while its stdout is read slowly: for 2.5 s, or until `until` is on the screen, however
    long that takes; there is output for 10 s and more."""
    screen = Terminal()
    lines = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, bufsize=0, env={**os.environ, **(env or {})},
                          stderr=screen.slave if terminal else subprocess.PIPE) as process:
        begin = None
        while part := process.stdout.read(65536):
            lines += part.count(b"\n")
            begin = begin or time.monotonic()
            if not until.search(screen.text) if until else time.monotonic() < begin + 2.5:
                time.sleep(0.03)
        other = b"" if terminal else process.stderr.read()
    return screen.close() + other, lines, process.returncode


def at_once(command):
    """What the command says when its output is taken as fast as it comes, and the seconds that took."""
    screen = Terminal()
    begin = time.monotonic()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=screen.slave, check=True)
    return screen.close(), time.monotonic() - begin


def jerking(command, pause):
    """What the command says when it runs for some milliseconds only between pauses, until it shows its progress or ends."""
    screen = Terminal()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=screen.slave) as process:
        while process.poll() is None and not LINE.search(screen.text):
            time.sleep(0.003)
            process.send_signal(signal.SIGSTOP)
            time.sleep(pause)
            process.send_signal(signal.SIGCONT)
    return screen.close(), process.returncode


def on_screen(text):
    """The line as it stands after all that."""
    line, at = {}, 0
    for byte in text.decode():
        at = 0 if byte == "\r" else at
        if byte not in "\r\n":
            line[at] = byte
            at += 1
    return "".join(line[i] for i in sorted(line)).strip()


def expect(condition, what, text):
    if not condition:
        sys.exit(f"check_progress.py: {what}: {text[:300]!r}")


def main():
    trace = sys.argv[1]
    command = ["recorder2text", trace]
    for env in ({}, {"NO_COLOR": "1"}):
        text, lines, status = slow_reader(command, env, until=LINE)
        expect(status == 0 and lines > 400000, f"status {status}, {lines} lines", text)
        expect(LINE.search(text), "no line of progress", text)
        expect(on_screen(text) == "", "the line is left", text)
        expect(b"\x1b" not in text, "escape sequences", text)
    for what, quiet, terminal in (("-q", ["-q"], True), ("no terminal", [], False)):
        text, lines, status = slow_reader(command + quiet, terminal=terminal)
        expect(status == 0 and lines > 400000 and text == b"", what, text)
    text, seconds = at_once(command)
    expect(text == b"" or seconds > 2, "short work", text)  # on a busy machine it is long
    text, _, _ = slow_reader(command + ["--layers", "posix"], until=LINE)
    expect(LINE.search(text) and on_screen(text) == "", "with a filter", text)
    for pause in (0.2, 0.5, 1, 2.2, 2.2, 2.2, 2.2, 2.2):  # when this process has to wait, there are few of them
        text, status = jerking(["recorder", "check", trace], pause)
        expect(status == 0, f"check: status {status}", text)
        if LINE.search(text):
            expect(on_screen(text) == "", "the line of check is left", text)
            return
    sys.exit("check_progress.py: check shows no progress")


main()
