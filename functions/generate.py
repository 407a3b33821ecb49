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
import os
import sys

sys.dont_write_bytecode = True
from catalogue import CatalogueError, check_catalogue, read_catalogue, read_kinds  # noqa: E402
import entries  # noqa: E402
import fortran  # noqa: E402
import pmpi  # noqa: E402
import syscalls  # noqa: E402
from document import write_doc  # noqa: E402
from positions import write_prototypes  # noqa: E402
from tables import write_header, write_layers, write_map, write_tables  # noqa: E402
from wrappers import write_wrappers  # noqa: E402


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
                  pmpi.write_wrappers(layer, functions))
    if any(function.syscall for function in functions):
        write(os.path.join(folder, "syscalls_gen.h"), syscalls.write(functions, kinds))
    if any(layer.fortran for layer in layers.values()):
        write(os.path.join(folder, "fortran_gen.h"), fortran.write_header(functions))
    if any(layer.fallback for layer in layers.values()):
        write(os.path.join(folder, "entries_gen.h"), entries.write(functions))


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
