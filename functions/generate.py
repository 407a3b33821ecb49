#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes wrappers, tables and the export map from the catalogue.

    generate.py [--doc FILE] [--out DIR] FILE.api...

Nothing about a single function is said here: that is in functions/*.api, whose grammar is in
doc/adding-a-function.md. What a kind is says lib/format/kinds.h. Written to DIR: functions_gen.h
and functions_gen.c (ids and tables), wrap_LAYER_gen.c, librecorder.map; for layers that Fortran has too
wrap_LAYER_fortran_gen.c and fortran_gen.h; for those that may be of another library than ours were compiled
for entries_gen.h; syscalls_gen.h for system calls that programs make themselves;
prototypes_gen.py for the package for Python.
"""
import argparse
import itertools
import os
import re
import sys

sys.dont_write_bytecode = True
from catalogue import (  # noqa: E402
    MADE, CatalogueError, check_catalogue, is_expression, read_catalogue, read_kinds, split_top)
import entries  # noqa: E402
import fortran  # noqa: E402
import pmpi  # noqa: E402
import syscalls  # noqa: E402
from ctext import LINE_WIDTH, block, c_bool, columns, declare, head, statement, wrapped  # noqa: E402
from document import write_doc  # noqa: E402
from positions import write_prototypes  # noqa: E402

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


# ---- what a wrapper records ----

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


# ---- a wrapper ----

def forward(function, begin):
    """The call of the real function."""
    return wrapped(f"{begin}next(", [param.name for param in function.params], ");")


def on_success(function):
    """What has to be done after a successful call, whether or not it is recorded."""
    action = None
    if function.new:
        action = "\t\tdescriptor_forget(result);"
    elif function.opens:
        action = statement("descriptor_opened", ["result", function.opens], "\t\t")
    elif function.then:
        action = f"\t\t{function.then};"
    return [f"\tif ({function.valid})", action] if action else []


def keep_books(function):
    """What has to be done around a call that is not recorded: lines before and after it."""
    before, after = [], []
    for param in function.recorded():
        if param.mark == "-":
            before.append(statement(f"mpi_{param.kind}_ended", [param.name], "\t\t"))
        elif param.mark == "+":
            extra = [param.extra] if param.extra else []
            after.append(statement(f"mpi_{param.kind}_made", ["result", param.name] + extra,
                                   "\t\t"))
    if after and function.has_valid:
        after = [f"\t{line}" for line in block(function.valid, [line[1:] for line in after])]
    return before, after + [f"\t{line}" for line in on_success(function)]


def number_of(function):
    """What its calls are recorded as."""
    return f"FN_{function.record_as or function.name}"


def what_begins(function):
    """The last arguments of what begins a call."""
    return [number_of(function), str(len(function.recorded())), "CALL_SITE"]


def unrecorded(function):
    """What happens to a call that is not recorded: a jump, unless there is a book to keep."""
    if enters_by_scope(function):
        enter = "\tif (!recorded)"
    else:
        passed_on = f"{function.unless} || " if function.unless else ""
        enter = statement(f"if ({passed_on}!{function.entering()}", ["&call"] + what_begins(function), end="))")
    before, after = keep_books(function)
    if function.type == "void":
        return [f"{enter} {{"] + [forward(function, "\t\t"), "\t\treturn;", "\t}"]
    if not before and not after:
        return [enter, forward(function, "\t\treturn ")]
    if not after:
        return [f"{enter} {{"] + before + [forward(function, "\t\treturn "), "\t}"]
    return ([f"{enter} {{"] + before + [forward(function, "\t\tresult = ")] + after +
            ["\t\treturn result;", "\t}"])


def is_passed(function):
    """Whether a call that is not recorded needs nothing but to be passed on, which is asked first."""
    return (not on_success(function) and
            not any(param.mark in ("+", "-") for param in function.recorded()))


def enters_by_scope(function):
    """Whether the real function is looked up and the call begun in one step."""
    return function.layer.scoped and function.layer.far and is_passed(function) and not function.unless


def pass_on(function, symbol):
    """What is done with a call that is filtered out."""
    real = forward(function, "\t\t" if function.type == "void" else "\t\treturn ")
    lines = ["\tif (unlikely(next != NULL)) {", real, "\t\treturn;", "\t}"] if function.type == "void" else [
        "\tif (unlikely(next != NULL))", real]
    if enters_by_scope(function):
        parts = ["&call", "&real", f"SYM_{symbol}"] + what_begins(function)
        return lines + [statement("recorded = call_far_enter_real", parts), "\tnext = real.function;"]
    if function.layer.scoped:
        return lines + [f"\treal = scope_real(SYM_{symbol}, CALL_SITE);", "\tnext = real.function;"]
    return lines + [f"\tnext = function_next(SYM_{symbol});"]


def refused(function):
    """For the program a descriptor of ours is a closed one."""
    return [f"\tif (unlikely(descriptor_is_ours({function.hidden})))",
            "\t\treturn descriptor_refused();"] if function.hidden else []


def declarations(function, symbol, passed):
    lines = []
    begin, end = f"\t__typeof__({symbol}) *next =", f"function_next(SYM_{symbol});"
    number = number_of(function)
    if passed:
        end = f"function_passed_on({number}, SYM_{symbol});"
    if function.layer.scoped and passed:
        lines.append("\tstruct real real;")
        end = f"scope_passed_on({number}, SYM_{symbol}, CALL_SITE);"
    elif function.layer.scoped:
        lines.append(f"\tstruct real real = scope_real(SYM_{symbol}, CALL_SITE);")
        end = "real.function;"
    glue = " " if columns(f"{begin} {end}") <= LINE_WIDTH else "\n\t\t"
    lines += [begin + glue + end, "\tstruct call call;"]
    if enters_by_scope(function):
        lines.append("\tbool recorded;")
    if function.type != "void":
        lines.append(f"\t{declare(function.type, 'result')};")
    if any(param.kind == "mpi_status" for param in function.params):
        lines.append("\tMPI_Status ignored;")
    if any(param.kind == "address" and param.is_output for param in function.params):
        lines.append("\tsocklen_t room;")
    return lines


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


def recorded(function, kinds):
    """The path of a call that is recorded."""
    numbered = list(enumerate(function.recorded()))
    before = captures(function, kinds)
    after = [capture(function, param, at, kinds) for at, param in numbered if param.is_output]
    status = [f"\t{param.name} = mpi_status_or({param.name}, &ignored);"
              for param in function.params if param.kind == "mpi_status"]
    new = [] if function.opens else on_success(function)
    if after and function.is_poll():
        after.insert(0, "\tpoll_found(&call);")
    if after and function.valid:
        after = block(function.valid, after)
    real = forward(function, "\t" if function.type == "void" else "\tresult = ")
    leave = f"\t{function.leaving()}(&call);"
    if function.quick:
        leave = statement("counted_leave", ["&call", "symbol", function.quick[0], "next"])
    return (before + status + [f"\t{function.starting()}", real, f"\t{function.recording()}stop(&call);"] + new +
            capture_result(function) + after + [leave])


def wrapper(function, symbol, kinds):
    """The definition of one exported symbol."""
    missing = []
    if function.missing:
        value = "" if function.type == "void" else f" {function.missing}"
        missing = ["\tif (!next)", f"\t\treturn{value};"]
    params = [param.declaration for param in function.params] or ["void"]
    lines = [wrapped(f"WRAPPER {declare(function.type, symbol)}(", params, ")"), "{"]
    passed = is_passed(function)
    lines += declarations(function, symbol, passed) + [""] + refused(function)
    lines += pass_on(function, symbol) if passed else []
    lines += missing + unrecorded(function)
    lines += recorded(function, kinds)
    lines += ["}"] if function.type == "void" else ["\treturn result;", "}"]
    return "\n".join(lines)


def timed(function, kinds):
    """What is behind all symbols of a function of which most calls are only counted: the others."""
    stream, ready, _ = function.quick
    params = ["unsigned symbol", "uintptr_t site"] + [param.declaration for param in function.params]
    lines = [wrapped(f"static __attribute__((noinline)) {declare(function.type, f'timed_{function.name}')}(", params, ")"),
             "{", "\tstruct thread *thread = thread_tls.self;",
             statement("struct counted_place *place = counted_claim_other", ["thread", "symbol", stream, "site"]),
             f"\t__typeof__({function.name}) *next = function_next_at(symbol, site);", "\tstruct call call;",
             f"\t{declare(function.type, 'result')};", "",
             "\tif (place) {",
             statement(f"bool counted = {ready} && counted_add", ["thread", "place", f"FN_{function.name}"], "\t\t"), "",
             "\t\tcounted_let_go(thread);", "\t\tif (counted)", forward(function, "\t\t\treturn "), "\t}"]
    lines += [line.replace("CALL_SITE", "site") for line in unrecorded(function)]
    return "\n".join(lines + recorded(function, kinds) + ["\treturn result;", "}"])


def counting(function, symbol):
    """The definition of one of its symbols. It has no frame of its own."""
    stream, ready, same = function.quick
    lines = [wrapped(f"WRAPPER {declare(function.type, symbol)}(",
                     [param.declaration for param in function.params] or ["void"], ")"),
             "{", "\tstruct thread *thread = thread_tls.self;",
             statement("struct counted_place *place = counted_claim", ["thread", f"SYM_{symbol}", stream, "CALL_SITE"]),
             f"\t__typeof__({symbol}) *next = NULL;", "",
             "\tif (place) {", f"\t\tif (likely({ready}))",
             statement("next = counted_add", ["thread", "place", f"FN_{function.name}"], "\t\t\t"),
             "\t\tcounted_let_go(thread);", "\t}", "\tif (unlikely(!next))",
             statement(f"return timed_{function.name}",
                       [f"SYM_{symbol}", "CALL_SITE"] + [param.name for param in function.params], "\t\t"),
             "\tif (likely(counted_is_direct()))", f"\t\treturn {same};", forward(function, "\treturn "), "}"]
    return "\n".join(lines)


def wrappers(function, kinds):
    """The definitions of all exported symbols of a function."""
    if function.quick:
        return [timed(function, kinds)] + [counting(function, symbol) for symbol in function.symbols()]
    return [wrapper(function, symbol, kinds) for symbol in function.symbols()]


def guard(function):
    """The preprocessor line that a function depends on, None for most."""
    if function.condition:
        return f"#ifdef {function.condition}"
    if function.since:
        major, minor = function.since.split(".")
        first, second = function.layer.version
        return f"#if {first} > {major} || ({first} == {major} && {second} >= {minor})"
    return None


# ---- the files ----

def write_wrappers(layer, functions, kinds):
    """wrap_LAYER_gen.c: the real headers, so that the compiler checks every prototype."""
    parts = [head(layer.source) + '#include "wrap/wrapper.h"\n\n' +
             "\n".join(f"#include {name}" for name in layer.header)]
    for function in functions:
        if function.layer.name != layer.name or function.hand:
            continue
        text = "\n\n".join(wrappers(function, kinds))
        condition = guard(function)
        parts.append(f"{condition}\n{text}\n#endif" if condition else text)
    return "\n\n".join(parts) + "\n"


def write_header(functions):
    """functions_gen.h: the numbers of functions and symbols."""
    ids = "".join(f"\tFN_{function.name},\n" for function in functions if not function.record_as)
    symbols = "".join(f"\tSYM_{symbol},\n" for function in functions
                      for symbol in function.symbols())
    symbols += "".join(f"\tSYM_{symbol},\n" for symbol, _ in fortran.symbols(functions) + pmpi.symbols(functions))
    return (head("the catalogue") +
            "#ifndef RECORDER_FUNCTIONS_GEN_H\n#define RECORDER_FUNCTIONS_GEN_H\n\n"
            f"enum function_id {{\n{ids}\tFN_COUNT\n}};\n\n"
            f"enum symbol_id {{\n{symbols}\tSYM_COUNT\n}};\n\n#endif\n")


def fitting(name, size):
    """The name as a string of C that fits, with its zero byte, into what lib/record/function.h has for it."""
    if len(name) >= size:
        raise SystemExit(f"{name}: too long a name for lib/record/function.h")
    return f'"{name}"'


def table_args(function):
    rows = "".join(f"\t{{{fitting(param.name, 30)}, KIND_{param.kind}, {c_bool(param.is_output)}}},\n"
                   for param in function.recorded())
    return f"\t/* {function.name} */\n{rows}" if rows else ""


def table_row(function, first_arg, layer):
    return (f"\t[FN_{function.name}] = {{{fitting(function.name, 48)}, "
            f"KIND_{function.result}, {len(function.recorded())}, {first_arg}, {layer}}},\n")


def layers_of(functions):
    """The functions of each layer, in their order, where those of a layer stand together."""
    layers = [list(members) for _, members in
              itertools.groupby(functions, key=lambda function: function.layer.name)]
    if len({members[0].layer.name for members in layers}) < len(layers):
        raise SystemExit("functions of a layer do not stand together")
    return layers


def layer_rows(functions):
    first = 0
    for members in layers_of(functions):
        layer = members[0].layer
        yield f"\t{{{fitting(layer.name, 16)}, {first}, {len(members)}, {c_bool(layer.opt_in)}}},\n"
        first += len(members)


def symbol_row(symbol, fallback, scoped=False):
    return (f"\t[SYM_{symbol}] = {{{fitting(symbol, 48)}, {fitting(fallback, 48)}, "
            f"{c_bool(scoped)}}},\n")


def symbol_rows(functions):
    for function in functions:
        for symbol in function.symbols():
            fallback = function.layer.fallback
            yield symbol_row(symbol, fallback + symbol.partition("_")[2] if fallback else "",
                             function.layer.scoped)
    for symbol, fallback in fortran.symbols(functions) + pmpi.symbols(functions):
        yield symbol_row(symbol, fallback)


def fold_case(function):
    """When calls of a function may be put together with those before, as C of what is recorded."""
    values = {param.name: f"(int64_t)record->args[{at}]" for at, param in enumerate(function.recorded())}
    values["result"] = "record->result"
    condition = re.sub(r"\b[A-Za-z_]\w*\b", lambda match: values[match[0]], function.folds)
    return f"\tcase FN_{function.name}:\n\t\treturn {condition};\n"


def write_folds(functions):
    cases = "".join(fold_case(function) for function in functions if function.folds)
    return ("bool function_folds(const struct raw_record *record)\n{\n\tswitch (record->function) {\n" +
            cases + "\tdefault:\n\t\treturn false;\n\t}\n}\n")


def write_tables(functions):
    """functions_gen.c: what lib/record/function.h declares."""
    mains = [function for function in functions if not function.record_as]
    firsts = itertools.accumulate((len(function.recorded()) for function in mains), initial=0)
    layers = (at for at, members in enumerate(layers_of(mains)) for _ in members)
    eager = "".join(f"\tSYM_{symbol},\n" for function in functions if function.eager
                    for symbol in function.symbols())
    return (head("the catalogue") +
            '#include "functions_gen.h"\n#include "format/wire.h"\n#include "record/bulk.h"\n#include "record/function.h"\n\n'
            "const struct function_parameter function_parameters[] = {\n" +
            "".join(table_args(function) for function in mains) + "};\n\n"
            "const struct function_entry function_table[FN_COUNT] = {\n" +
            "".join(table_row(*row) for row in zip(mains, firsts, layers)) + "};\n\n"
            "const struct layer_entry layer_table[] = {\n" + "".join(layer_rows(mains)) + "};\n\n"
            "const struct symbol_entry symbol_table[SYM_COUNT] = {\n" +
            "".join(symbol_rows(functions)) + "};\n\n"
            f"const uint16_t symbol_eager[] = {{\n{eager}}};\n\n"
            "const unsigned symbol_eager_count = sizeof(symbol_eager) / sizeof(symbol_eager[0]);\n"
            "const unsigned function_count = FN_COUNT, symbol_count = SYM_COUNT;\n"
            "const unsigned layer_count = sizeof(layer_table) / sizeof(layer_table[0]);\n\n"
            "uint8_t function_state[FUNCTION_IDS] = {[0 ... FN_COUNT - 1] = FUNCTION_NEW};\n\n"
            "void *symbol_next[SYM_COUNT] BULK;\n\n" + write_folds(functions))


def write_layers(functions):
    """layers_gen.h: the names of layers, for the tools."""
    names = ", ".join(f'"{name}"' for name in dict.fromkeys(function.layer.name
                                                            for function in functions))
    return (head("the catalogue") +
            "#ifndef RECORDER_LAYERS_GEN_H\n#define RECORDER_LAYERS_GEN_H\n\n"
            f"#define LAYER_NAMES {names}\n\n#endif\n")


# include/recorder/recorder.h
API = ["recorder_control", "recorder_process_note", "recorder_region_double", "recorder_region_int", "recorder_region_string",
       "recorder_site_begin", "recorder_site_begin_at", "recorder_site_cancel", "recorder_site_counter", "recorder_site_double", "recorder_site_end",
       "recorder_site_end_at", "recorder_site_inside", "recorder_site_instant", "recorder_site_int",
       "recorder_site_span", "recorder_site_string"]
# lib/wrap/posix_sandbox.c, posix_start.c, mpi_worlds.c: passed on, or recorded as other functions
NOTICED = ["PMIx_Connect", "__libc_start_main", "prctl", "syscall"]
# lib/native: what compilers let functions call
INSTRUMENTED = ["__cyg_profile_func_enter", "__cyg_profile_func_exit", "__fentry__", "_mcount", "mcount"]


def write_map(functions):
    """librecorder.map: exported is what the catalogue names, our own interface, and nothing else."""
    names = sorted([symbol for function in functions for symbol in function.symbols()] +
                   fortran.exported(functions) + [name for name, _ in pmpi.symbols(functions)] + API +
                   NOTICED + INSTRUMENTED)
    return "{\nglobal:\n" + "".join(f"\t{name};\n" for name in names) + "local:\n\t*;\n};\n"


# ---- main ----

def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def write_all(folder, functions, kinds):
    write(os.path.join(folder, "functions_gen.h"), write_header(functions))
    write(os.path.join(folder, "functions_gen.c"), write_tables(functions))
    write(os.path.join(folder, "layers_gen.h"), write_layers(functions))
    write(os.path.join(folder, "librecorder.map"), write_map(functions))
    write(os.path.join(folder, "prototypes_gen.py"), write_prototypes(functions))
    layers = {function.layer.name: function.layer for function in functions}
    for name, layer in layers.items():
        write(os.path.join(folder, f"wrap_{name}_gen.c"), write_wrappers(layer, functions, kinds))
        if layer.fortran:
            write(os.path.join(folder, f"wrap_{name}_fortran_gen.c"),
                  fortran.write_wrappers(layer, functions, kinds))
            write(os.path.join(folder, f"wrap_{name}_pmpi_gen.c"),
                  pmpi.write_wrappers(layer, functions, guard))
    if any(function.syscall for function in functions):
        write(os.path.join(folder, "syscalls_gen.h"),
              syscalls.write(functions, unrecorded, recorded, kinds))
    if any(layer.fortran for layer in layers.values()):
        write(os.path.join(folder, "fortran_gen.h"), fortran.write_header(functions))
    if any(layer.fallback for layer in layers.values()):
        write(os.path.join(folder, "entries_gen.h"), entries.write(functions, guard))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", metavar="DIR", help="write the C files and the export map here")
    parser.add_argument("--doc", metavar="FILE", help="write the list of functions here")
    parser.add_argument("files", metavar="FILE.api", nargs="+")
    options = parser.parse_args()

    try:
        kinds = read_kinds()
        functions = read_catalogue(options.files)
        check_catalogue(functions, kinds)
    except (CatalogueError, OSError) as error:
        sys.exit(f"generate.py: {error}")
    if options.doc:
        write(options.doc, write_doc(functions))
    if options.out:
        write_all(options.out, functions, kinds)


if __name__ == "__main__":
    main()
