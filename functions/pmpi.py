# SPDX-License-Identifier: MIT
"""Makes the wrappers of PMPI_X for MPICH, whose mpi_f08 calls that instead of MPI_X: such calls go to the wrapper of MPI_X.

Others pass: what another tool calls there is recorded already. See lib/wrap/mpi_f08.h.
"""
from ctext import declare, head, wrapped
from wrappers import guard

GUARD = "F08_CALLS_PMPI"


def covered(functions):
    """Those that Fortran may call."""
    return [function for function in functions if function.layer.fortran and not function.record_as
            and function.name.startswith("MPI_")]


def symbols(functions):
    """[(exported name, that of the next definition)]"""
    return [(f"P{function.name}", f"P{function.name}") for function in covered(functions)]


def wrapper(function):
    name = f"P{function.name}"
    params = [param.declaration for param in function.params] + ["..."] * function.variadic
    passed = [param.name for param in function.params]
    missing = ["\tif (!next)", f"\t\treturn {function.missing};"] if function.missing else []
    return "\n".join(
        [wrapped(f"WRAPPER {declare(function.type, name)}(", params or ["void"], ")"), "{",
         f"\t__typeof__({name}) *next =", f"\t\tfunction_next(SYM_{name});", "",
         "\tif (mpi_f08_calls(CALL_SITE))", wrapped(f"\t\treturn {function.name}(", passed, ");")] +
        missing + [wrapped("\treturn next(", passed, ");"), "}"])


def write_wrappers(layer, functions):
    """wrap_LAYER_pmpi_gen.c"""
    parts = [head(layer.source) + '#include "wrap/wrapper.h"\n\n' +
             "\n".join(f"#include {name}" for name in layer.header + ['"wrap/mpi_f08.h"']) +
             f"\n\n#ifdef {GUARD}"]
    for function in covered(functions):
        if function.layer.name != layer.name:
            continue
        condition = guard(function)
        text = wrapper(function)
        parts.append(f"{condition}\n{text}\n#endif" if condition else text)
    return "\n\n".join(parts + ["#endif"]) + "\n"
