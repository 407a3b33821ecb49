# SPDX-License-Identifier: MIT
"""Run by gdb: at each pwrite() of libc, writes the offset and the return addresses of all frames, from the one that called the
recorder's wrapper, to the file that $FRAMES names."""
import os

import gdb

MOST = 140  # frames


def is_start_of_coroutine(address):
    """What makecontext() leaves as a return address is the begin of a function."""
    text = gdb.execute(f"info symbol {address:#x}", to_string=True)
    return text.startswith("__start_context in ")


class Pwrite(gdb.Breakpoint):
    """libc's pwrite(), as the wrapper calls it."""

    def __init__(self, address, out):
        super().__init__(f"*{address:#x}", internal=True)
        self.silent = True
        self.out = out

    def stop(self):
        frame, addresses = gdb.newest_frame(), []
        offset = int(frame.read_register("rcx"))
        while frame and len(addresses) < MOST:
            if frame.type() not in (gdb.INLINE_FRAME, gdb.TAILCALL_FRAME):
                addresses.append(f"{frame.pc():x}")
            # what makecontext() made was called by nobody, which gdb does not see
            coroutine = is_start_of_coroutine(frame.pc())
            frame = None if coroutine else frame.older()
            if coroutine:
                addresses.append("?")
        self.out.write(f"{offset} {' '.join(addresses[2:])}\n")
        return False


gdb.execute("set pagination off")
gdb.execute("set confirm off")
gdb.execute("set backtrace past-main on")
gdb.execute("set backtrace past-entry on")
gdb.execute("set backtrace limit 400")
for name in ("SIGSEGV", "SIGUSR1"):
    gdb.execute(f"handle {name} nostop noprint pass")
gdb.execute("break frames.cc:ready")  # the recorder may have one, too
gdb.execute("run")
with open(os.environ["FRAMES"], "w", encoding="ascii") as file:
    where = int(gdb.parse_and_eval("(long)real_pwrite"))
    gdb.execute("delete")
    Pwrite(where, file)
    gdb.execute("continue")
