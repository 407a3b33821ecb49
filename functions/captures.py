# SPDX-License-Identifier: MIT
"""Makes the statements that put arguments and results into a record, by kind. What they call is in lib/record/args.h and lib/wrap."""
import re

from catalogue import MADE, is_expression, split_top
from ctext import statement

# How values are captured: by the kind, else by the class of the kind. See lib/record/args.h.
CAPTURE = {
    "INT": "arg_int", "PAIR": "arg_fd", "DOUBLE": "arg_double", "STRING": "arg_string",
    "path": "arg_path", "stream": "arg_stream", "dir": "arg_dir", "pointer": "arg_pointer",
    "strings": "arg_strings", "command": "arg_command", "uid": "arg_uid", "parts": "arg_parts",
    "in_place": "arg_in_place", "aios": "arg_aios", "polled": "arg_polled",
}
# MPI handles have tables: arg_mpi_KIND(), see lib/wrap/mpi_args.h.
HANDLES = {"comm", "group", "datatype", "op", "win", "info", "errhandler", "session", "message", "mpi_file",
           "request"}
# Handles by which files and what is in them are known: what they stand for depends on the library.
OBJECTS = {"hid", "hspace", "hplist", "ncid", "varid"}
# Results that are themselves all that is told of a failure.
OWN_ERRORS = {"herr", "nc_error"}
HANDLE_ARRAYS = {"datatypes", "requests"}
# Objects that have a number from their address: arg_sync(), or arg_sync_new() of kind(new).
NUMBERED = {"barrier": "arg_sync", "cond": "arg_sync", "mutex": "arg_sync", "rwlock": "arg_sync",
            "semaphore": "arg_sync", "spinlock": "arg_sync", "pthread": "arg_pthread", "aio": "arg_aio"}
# What files are recorded by: the path filter asks about each.
FILE_KINDS = {"fd", "dirfd", "stream", "dir", "path"}
RESULTS = {"pointer": "result_pointer", "fd": "result_fd"}
# C types of 32 bits; other numbers behind pointers have 64.
C_INTS = {"int", "unsigned", "unsigned int", "pid_t", "nc_type"}


def as_longs(param):
    if param.element in C_INTS:
        # int ranges[][3] is taken as one row of ints
        cast = "][" in param.declaration or param.element.startswith("unsigned")
        return f"(const int *){param.name}" if cast else param.name
    return f"(const int64_t *){param.name}"


def expression(text, scoped=False, begin="length_"):
    """size(comm) and its like are functions of lib/wrap; of a scoped layer they are told the library."""
    return re.sub(r"\b(\w+)\(", rf"{begin}\1(&real, " if scoped else rf"{begin}\1(", text)


def capture_array(param, begin, scoped):
    length = expression(param.length, scoped)
    if param.kind in HANDLE_ARRAYS:
        return statement(f"arg_mpi_{param.kind}", begin + [param.name, length])
    if param.kind in CAPTURE:
        return statement(CAPTURE[param.kind], begin + [param.name, length])
    if param.lists is not None:
        lists = f"(const int64_t *const *){param.name}"
        if param.each:
            each = expression(param.length, scoped, "each_")
            return statement("arg_lists_each", begin + [lists, param.lists, each])
        return statement("arg_lists", begin + [lists, param.lists, length])
    function = "arg_ints" if param.element in C_INTS else "arg_longs"
    return statement(function, begin + [as_longs(param), length])


def capture_handle(function, param, begin):
    capturer = f"arg_mpi_{param.kind}"
    if param.mark == "+":
        extra = [param.extra] if param.extra else []
        return statement(f"{capturer}_made", begin + ["result", param.name] + extra)
    if param.mark == "-":
        return statement(f"{capturer}_ended", begin + [param.name])
    if param.kind == "request":
        return statement(capturer, begin + [param.name if param.is_pointer else f"&{param.name}"])
    if param.extra:
        return statement(f"{capturer}_if", begin + [expression(param.extra), param.name])
    if param.is_pointer:
        return statement(capturer + ("_at" if param.is_output else "_behind"), begin + [param.name])
    # only MPI's own results say whether it was a handle
    plain = function.result != "mpi_error" and param.kind != "mpi_file"
    return statement(capturer + ("_plain" if plain else ""), begin + [param.name])


def capture_object(param, begin):
    function = f"arg_{param.kind}" + ("_at" if param.is_pointer else "")
    extra = split_top(param.extra, ",") if param.extra else []
    return statement(function, begin + ["&real", param.name] + extra)


def capture(function, param, index, kinds):
    """The statement that puts a parameter into the record."""
    begin = ["&call", str(index)]
    if param.kind == "address" and param.is_output:
        return statement("arg_address_at", begin + [param.name, param.extra, "room"])
    if param.kind == "address":
        return statement("arg_address", begin + [param.name, param.extra])
    if param.kind in MADE:
        return statement(f"arg_{param.kind}", begin + [param.extra])
    if is_expression(param):
        return statement("arg_int", begin + [param.extra])
    if param.kind in OBJECTS:
        return capture_object(param, begin)
    if param.kind in NUMBERED:
        new = f"_{param.extra}" if param.extra else ""
        return statement(NUMBERED[param.kind] + new, begin + [param.name])
    if param.kind == "mpi_status":
        part = f"_{param.extra}" if param.extra else ""
        return statement(f"arg_mpi_status{part}", begin + ["result", param.name])
    if param.length is not None:
        return capture_array(param, begin, function.layer.scoped)
    if param.kind in HANDLES:
        return capture_handle(function, param, begin)
    if param.mark and kinds[param.kind] != "STRING":
        capturer = "arg_int_at" if param.element in C_INTS else "arg_long_at"
        if param.mark == "*" and param.kind == "offset":
            capturer = "arg_offset_at"
        return statement(capturer, begin + [as_longs(param)])
    value = f"{expression(param.extra)} ? {param.name} : NULL" if param.extra else param.name
    return statement(CAPTURE.get(param.kind, CAPTURE[kinds[param.kind]]), begin + [value])


def capture_result(function):
    """The statements that store the result."""
    if function.result == "none":
        return []
    if function.result in ("errnum", "stream", "double", "seconds", "mpi_error"):
        return [f"\tresult_{function.result}(&call, result);"]
    if function.result in HANDLES:
        return [f"\tresult_mpi_{function.result}(&call, result);"]
    if function.result in OBJECTS:
        return [f"\tresult_{function.result}(&call, &real, result);"]
    if function.result in OWN_ERRORS:
        return ["\tresult_int(&call, result, false);"]
    if function.opens:
        return [statement("result_opened", ["&call", "result", function.opens])]
    name = RESULTS.get(function.result, "result_int")
    return [statement(name, ["&call", "result", function.fails or "false"])]


def starts_file(params, at):
    """Whether a parameter says which file the call is on, and is not the path behind a directory."""
    kind = params[at].kind
    return kind in FILE_KINDS and not (kind == "path" and at > 0 and params[at - 1].kind == "dirfd")


def capture_path_at(param, before, at):
    """A path behind the directory that it is relative to."""
    return statement("arg_path_at", ["&call", str(at), before.name, param.name])


def captures(function, kinds):
    """What is recorded before the call; one of its files that is wanted keeps the call."""
    params = function.recorded()
    files = [at for at in range(len(params)) if starts_file(params, at)]
    lines = []
    for at, param in enumerate(params):
        if at in files[1:]:
            lines.append("\targ_next_file(&call);")
        if param.kind == "address" and param.is_output:
            lines.append(f"\troom = address_room({param.extra});")
        # until it is known, an argument is 0: unset
        if param.is_output:
            lines.append(f"\targ_int(&call, {at}, 0);")
        elif param.kind == "path" and at > 0 and params[at - 1].kind == "dirfd":
            lines.append(capture_path_at(param, params[at - 1], at))
        else:
            lines.append(capture(function, param, at, kinds))
    return lines + (["\targ_last_file(&call);"] if len(files) > 1 else [])
