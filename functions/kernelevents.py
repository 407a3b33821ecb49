#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the table of the kernel's occurrences from the catalogue.

    kernelevents.py kernel.events >kernelevents_gen.h

A line says what the arguments of an event mean that the kernel's programs send, in the order in which they send them.
"""
import sys

sys.dont_write_bytecode = True
from catalogue import CatalogueError, parse_function, parse_layer, read_kinds, statements  # noqa: E402
from ctext import head, wrapped  # noqa: E402

EVENT_ARGS = 8  # OCCURRENCE_ARGS
MOST_ARGS = 12  # OCCURRENCE_PARAMETERS
RANGES = {"offsets": "OCCURRENCE_OFFSETS", "counts": "OCCURRENCE_LENGTHS"}


def source_of(param, numbers):
    """Which part of the event the argument is."""
    if param.kind == "mapped":
        return "OCCURRENCE_FILE"
    if param.kind == "string":
        return "OCCURRENCE_NAME" if param.name == "comm" else "OCCURRENCE_TEXT"
    if param.kind in RANGES:
        return RANGES[param.kind]
    return next(numbers)


def row(function, kinds):
    """A row of kernel_occurrences[]."""
    numbers = iter(range(EVENT_ARGS))
    args = []
    for param in function.params:
        if param.kind not in kinds:
            raise CatalogueError(f"{function.name}: unknown kind '{param.kind}'")
        args.append(f'{{"{param.name}", "{param.kind}", CLASS_{kinds[param.kind]}, {source_of(param, numbers)}}}')
    if len(args) > MOST_ARGS:
        raise CatalogueError(f"{function.name}: more than {MOST_ARGS} arguments")
    parts = [f'"{function.layer.name}"', f'"{function.name}"', f'"{function.result}"', f"CLASS_{kinds[function.result]}",
             str(len(args)), "{" + ", ".join(args) + "}"]
    return wrapped(f"\t[OCCURRED_{function.name}] = {{", parts, "},")


def rows(path, kinds):
    layer = None
    for number, text in statements(path):
        try:
            if text.split()[0] == "layer":
                layer = parse_layer(text, path)
            else:
                yield row(parse_function(text, layer, f"{path}:{number}"), kinds)
        except CatalogueError as error:
            raise CatalogueError(f"{path}:{number}: {error}") from None


def main():
    try:
        lines = list(rows(sys.argv[1], read_kinds()))
    except CatalogueError as error:
        sys.exit(f"kernelevents.py: {error}")
    print(head("the catalogue") + "\nstatic const struct kernel_occurrence kernel_occurrences[OCCURRENCES] = {")
    print("\n".join(lines) + "\n};")


if __name__ == "__main__":
    main()
