# SPDX-License-Identifier: MIT
"""Makes the numbers and tables of functions, symbols and layers, and the export map."""
import itertools
import re

import fortran
import pmpi
from ctext import c_bool, head


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
