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


def slow_reader(command, pause, env=None, terminal=True):
    """What the command says on stderr while its stdout is not read for `pause` seconds."""
    screen = Terminal()
    with subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, **(env or {})},
                          stderr=screen.slave if terminal else subprocess.PIPE) as process:
        time.sleep(pause)
        lines = process.stdout.read().count(b"\n")
        other = b"" if terminal else process.stderr.read()
    return screen.close() + other, lines, process.returncode


def stopped(command, after):
    """The same for a command that is stopped on its way, for longer than it has patience."""
    screen = Terminal()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=screen.slave) as process:
        time.sleep(after)
        process.send_signal(signal.SIGSTOP)
        time.sleep(2.2)
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
        text, lines, status = slow_reader(command, 2.5, env)
        expect(status == 0 and lines > 400000, f"status {status}, {lines} lines", text)
        expect(LINE.search(text), "no line of progress", text)
        expect(on_screen(text) == "", "the line is left", text)
        expect(b"\x1b" not in text, "escape sequences", text)
    for what, arguments in (("-q", (command + ["-q"], 2.5)),
                            ("no terminal", (command, 2.5, None, False))):
        text, lines, status = slow_reader(*arguments)
        expect(status == 0 and lines > 400000 and text == b"", what, text)
    begin = time.monotonic()
    text, _, _ = slow_reader(command, 0)
    short = time.monotonic() - begin < 2  # on a busy machine it is not
    expect(text == b"" or not short, "short work", text)
    text, _, _ = slow_reader(command + ["--layers", "posix"], 2.5)
    expect(LINE.search(text) and on_screen(text) == "", "with a filter", text)
    for attempt in range(30):  # too early or too late at first
        text, status = stopped(["recorder", "check", trace], 0.01 * (attempt + 1))
        expect(status == 0, f"check: status {status}", text)
        if LINE.search(text):
            expect(on_screen(text) == "", "the line of check is left", text)
            return
    sys.exit("check_progress.py: check shows no progress")


main()
