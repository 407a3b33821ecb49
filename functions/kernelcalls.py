#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the table of system calls from the catalogue.

    kernelcalls.py kernel.syscalls FILE.api... >kernelcalls_gen.h

A line of kernel.syscalls, or of another layer with `syscall (NAME)`, says what the kernel's programs keep of a call: which registers,
which of them is a descriptor or a path, and what these mean. What is behind other pointers they do not see.
"""
import sys

sys.dont_write_bytecode = True
from catalogue import (  # noqa: E402
    CatalogueError, parse_function, parse_layer, read_catalogue, read_kinds, statements)
from ctext import head, wrapped  # noqa: E402
import syscalls  # noqa: E402

DESCRIPTORS = {"fd", "dirfd"}
REGISTERS = 6
# What these have besides: where in the file they begin, which is in no register.
POSITIONED = {"read", "write", "readv", "writev"}


class Argument:
    """What is kept of a call: a register, or the text that it points to."""

    def __init__(self, param, register):
        self.name, self.kind, self.register = param.name, param.kind, register


class KernelCall:
    """One system call and what is kept of it."""

    def __init__(self, name, result="int", args=()):
        self.name, self.result, self.args = name, result, list(args)

    def which(self, wanted):
        """The first register, from 1, of such an argument; 0: there is none."""
        return next((arg.register + 1 for arg in self.args if wanted(arg)), 0)


def check_kinds(call, kinds):
    for kind in [call.result] + [arg.kind for arg in call.args]:
        if kind not in kinds:
            raise CatalogueError(f"{call.name}: unknown kind '{kind}'")


def kept(function, registers, kinds):
    """The arguments that the kernel's programs see, by their registers."""
    args, texts = [], 0
    for param, register in zip(function.params, registers):
        if register is None or register >= REGISTERS or not param.kind or param.mark or param.length:
            continue
        is_text = kinds.get(param.kind) == "STRING" and "char" in param.declaration
        if is_text and texts == 0:
            texts += 1
        elif is_text or kinds.get(param.kind, "INT") not in ("INT", "PAIR") or (param.is_pointer and param.kind != "hex"):
            continue
        args.append(Argument(param, register))
    return args


def of_layers(functions, kinds):
    for call in syscalls.all_of(functions):
        registers = [syscalls.REGISTERS.index(value) if value in list(syscalls.REGISTERS) else None
                     for value in call.values]
        yield KernelCall(call.name, call.function.result, kept(call.function, registers, kinds))


def of_kernel(path, kinds):
    layer = None
    for number, text in statements(path):
        words = text.split()
        try:
            if words[0] == "layer":
                layer = parse_layer(text, path)
            elif words[0] == "bare":
                yield from (KernelCall(name) for name in words[1:])
            else:
                function = parse_function(text, layer, f"{path}:{number}")
                yield KernelCall(function.name, function.result, kept(function, range(REGISTERS), kinds))
        except CatalogueError as error:
            raise CatalogueError(f"{path}:{number}: {error}") from None


def row(call, kinds):
    """A row of kernel_calls[], for machines that have such a call."""
    args = [f'{{"{arg.name}", "{arg.kind}", CLASS_{kinds[arg.kind]}, {arg.register}}}' for arg in call.args]
    if call.name in POSITIONED:
        args.append('{"position", "position", CLASS_INT, KERNEL_ARG_POSITION}')
    rule = ", ".join(str(value) for value in (
        call.which(lambda arg: arg.kind in DESCRIPTORS), call.which(lambda arg: kinds[arg.kind] == "STRING"),
        int(call.result == "fd"), len(args)))
    parts = [f'"{call.name}"', f'"{call.result}"', f"CLASS_{kinds[call.result]}", rule,
             "{" + (", ".join(args) or "{0}") + "}"]
    return f"#ifdef SYS_{call.name}\n" + wrapped(f"\t[SYS_{call.name}] = {{", parts, "},") + "\n#endif"


def main():
    kinds = read_kinds()
    kernel = [path for path in sys.argv[1:] if path.endswith(".syscalls")]
    others = [path for path in sys.argv[1:] if path not in kernel]
    try:
        calls = {call.name: call for call in of_layers(read_catalogue(others), kinds)}
        for call in of_kernel(kernel[0], kinds):
            if call.name in calls:
                raise CatalogueError(f"{kernel[0]}: '{call.name}' is there twice")
            check_kinds(call, kinds)
            calls[call.name] = call
    except CatalogueError as error:
        sys.exit(f"kernelcalls.py: {error}")
    print(head("the catalogue") + "\nstatic const struct kernel_call kernel_calls[KERNEL_CALLS] = {")
    print("\n".join(row(call, kinds) for call in calls.values()) + "\n};")


if __name__ == "__main__":
    main()
