# SPDX-License-Identifier: MIT
"""Makes what records system calls that programs make by syscall(2), from the catalogue lines of libc's functions.

A line with `syscall (NAME)` is the function that the system call NAME stands for: syscall(SYS_NAME, ...) is recorded
as that function, with the same arguments. Where their order differs, the registers are said: NAME(a, b, c, 0) gives
the value of each parameter in order.
"""
import copy
import re

from catalogue import CatalogueError, failure, split_top
from ctext import declare, head, wrapped
from wrappers import recorded, unrecorded

REGISTERS = "abcdef"


class SystemCall:
    """One system call and the function that it is recorded as."""

    def __init__(self, function, text):
        match = re.fullmatch(r"(\w+)(?:\((.*)\))?", text)
        if not match:
            raise CatalogueError(f"{function.where}: cannot read system call '{text}'")
        self.name, values = match.groups()
        self.values = split_top(values, ",") if values else list(REGISTERS)
        self.function = copy.copy(function)
        if len(self.values) < len(function.params):
            raise CatalogueError(f"{function.where}: {self.name} has too few values")
        if function.fails and "MAP_FAILED" not in function.fails:
            self.function.fails, self.function.valid = failure("-1")
        if function.result == "errnum":
            self.function.result = "error"


def all_of(functions):
    """Every system call of the catalogue, in order."""
    return [SystemCall(function, text) for function in functions if function.syscall
            for text in split_top(function.syscall, ",")]


def recorder(system_call, kinds):
    """The function that records one system call."""
    function = system_call.function
    name = f"SYS_{system_call.name}"
    parts = ["syscall_function *next", "uintptr_t site"] + [f"long {r}" for r in REGISTERS]
    lines = [wrapped(f"static long record_{system_call.name}(", parts, ")"), "{"]
    for param, value in zip(function.params, system_call.values):
        if param.kind or re.search(rf"\b{param.name}\b", used(function)):
            ctype = re.sub(rf"\b{param.name}\b(\[\w*\])?", lambda m: "*" if m.group(1) else "",
                           param.declaration).strip()
            lines.append(f"\t{declare(ctype, param.name)} = ({ctype}){value};")
    lines.append("\tstruct call call;")
    if function.type != "void":
        lines.append(f"\t{declare(function.type, 'result')};")
    if any(param.kind == "address" and param.is_output for param in function.params):
        lines.append("\tsocklen_t room;")
    body = "\n".join(unrecorded(function) + recorded(function, kinds))
    cast = "" if function.type == "void" else f"({function.type})"
    real = f"next({name}, a, b, c, d, e, f);"
    body = re.sub(r"return next\([^;]*;", f"return {real}", body)
    body = re.sub(r"result = next\([^;]*;", f"result = {cast}{real}", body)
    body = re.sub(r"^(\t+)next\([^;]*;", rf"\1{real}", body, flags=re.M)
    body = body.replace("CALL_SITE", "site").replace("return result;", "return (long)result;")
    body = re.sub(r"return;", "return 0;", body)
    lines += ["", body, "\treturn (long)result;" if cast else "\treturn 0;", "}"]
    return "\n".join(lines)


def used(function):
    """Where parameters are used that are not recorded."""
    return " ".join(filter(None, [function.then, function.opens, function.valid] +
                           [param.extra or "" for param in function.recorded()] +
                           [param.length or "" for param in function.recorded()]))


def write(functions, kinds):
    """syscalls_gen.h: to be included by the wrapper of syscall()."""
    calls = all_of(functions)
    headers = dict.fromkeys(name for call in calls for name in call.function.layer.header)
    parts = [head("the catalogue") + "\n".join(f"#include {name}" for name in headers)]
    for call in calls:
        parts.append(f"#ifdef SYS_{call.name}\n" + recorder(call, kinds) +
                     "\n#endif")
    rows = "".join(f"#ifdef SYS_{call.name}\n\t[SYS_{call.name}] = record_{call.name},\n#endif\n"
                   for call in calls)
    parts.append(f"static record_function *const generated_records[] = {{\n{rows}}};")
    return "\n\n".join(parts) + "\n"
