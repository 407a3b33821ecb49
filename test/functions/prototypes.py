#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every prototype of the catalogue, also of wrappers by hand, agrees with the real headers."""
import glob
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

TOP = os.environ.get("TOP_SRCDIR") or os.path.join(os.path.dirname(__file__), "..", "..")
sys.path.insert(0, os.path.join(TOP, "functions"))
sys.dont_write_bytecode = True
from catalogue import check_catalogue, read_catalogue, read_kinds  # noqa: E402
from wrappers import guard  # noqa: E402


def prototypes(functions):
    """A C file that declares each symbol again, after the headers of its layer."""
    layer = functions[0].layer
    lines = ['#include "wrap/wrapper.h"'] + [f"#include {name}" for name in layer.header]
    for function in functions:
        params = [param.declaration for param in function.params] + ["..."] * function.variadic
        condition = guard(function)
        lines += [condition] if condition else []
        for symbol in function.symbols():
            lines.append(f'#line {function.where.rpartition(":")[2]} "{layer.source}"')
            lines.append(f"{function.type} {symbol}({', '.join(params) or 'void'});")
        lines += ["#endif"] if condition else []
    return "\n".join(lines) + "\n"


# Variables of the build's Makefile with what finds the headers of a layer; empty: it is left out.
FLAGS = {"hdf5": ["HDF5_CFLAGS", "MPI_CFLAGS"], "netcdf": ["NETCDF_CFLAGS", "MPI_CFLAGS", "NETCDF_DEFINES"],
         "pnetcdf": ["PNETCDF_CFLAGS", "MPI_CFLAGS"]}


def build_variable(name):
    """The words of a variable of the build's Makefile."""
    path = os.path.join(os.environ.get("TOP_BUILDDIR", "."), "Makefile")
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith(f"{name} = "):
                return shlex.split(line.partition("=")[2])
    return []


def compile_layer(functions, compiler, folder):
    name = functions[0].layer.name
    path = os.path.join(folder, f"{name}.c")
    with open(path, "w", encoding="utf-8") as file:
        file.write(prototypes(functions))
    command = compiler + ["-std=gnu11", "-D_GNU_SOURCE", "-Wall", "-Werror", "-fsyntax-only",
                          f"-I{TOP}/lib", f"-I{TOP}/include", f"-I{folder}", path]
    return subprocess.run(command).returncode == 0


def main():
    paths = sorted(glob.glob(os.path.join(TOP, "functions", "*.api")))
    functions = read_catalogue(paths)
    check_catalogue(functions, read_kinds())
    good = True
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, os.path.join(TOP, "functions", "generate.py"), "--out",
                        folder] + paths, check=True)
        for name in dict.fromkeys(function.layer.name for function in functions):
            compilers = [shlex.split(os.environ.get("CC", "cc"))]
            if name.startswith("mpi"):
                compilers = [[word] for word in ("mpicc", "mpicc.mpich") if shutil.which(word)]
                if not compilers:
                    print(f"layer {name}: left out, there is no mpicc")
                    continue
            if name in FLAGS:
                flags = [flag for variable in FLAGS[name] for flag in build_variable(variable)]
                if not flags:
                    print(f"layer {name}: left out, the build is without it")
                    continue
                compilers[0] += flags
            mine = [function for function in functions if function.layer.name == name]
            for compiler in compilers:
                good = compile_layer(mine, compiler, folder) and good
            print(f"layer {name}: {sum(len(function.symbols()) for function in mine)} prototypes")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
