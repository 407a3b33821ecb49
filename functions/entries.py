# SPDX-License-Identifier: MIT
"""Lists the functions that have an entry in front of their wrapper: those of MPI, which may be another one than the wrapper was
compiled for. See lib/wrap/mpi_entry.h.
"""
from ctext import head, wrapped
import fortran
import pmpi
from wrappers import guard


def guarded(condition, text):
    return f"{condition}\n{text}\n#endif" if condition else text


def entries_of(functions, exported):
    """Lines for the functions that the C headers declare."""
    return [guarded(guard(function), "\n".join(f"MPI_ENTRY({name})" for name in exported(function)))
            for function in functions if function.layer.fallback]


def fortran_entries(functions):
    lines = []
    for subroutine in fortran.subroutines(functions):
        lines += [f"MPI_ENTRY_FORTRAN({name})" for name, _ in subroutine.symbols()]
        lines += [wrapped("MPI_ENTRY_SPELLINGS(", [f"{name}_", name, f"{name}__", name.upper()], ")")
                  for name in subroutine.spellings]
    return lines


def write(functions):
    """entries_gen.h, to be included with these three macros defined."""
    plain = entries_of(functions, lambda function: function.symbols())
    profiling = entries_of(pmpi.covered(functions), lambda function: [f"P{function.name}"])
    return (head("the catalogue") + "\n" + "\n".join(plain) + "\n\n" +
            guarded(f"#ifdef {pmpi.GUARD}", "\n".join(profiling)) + "\n\n" +
            guarded(f"#ifdef {fortran.GUARD}", "\n".join(fortran_entries(functions))) + "\n")
