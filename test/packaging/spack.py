#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Spack's recipe, run with a small stand-in for Spack: each variant gives configure options that it has, all that configure looks for is a
dependency of the version that configure asks for, and the sources are where the recipe lies."""
import os
import re
import subprocess
import sys
import types

TOP = os.environ["TOP_SRCDIR"]
RECIPE = os.path.join(TOP, "packaging", "spack", "packages", "recorder", "package.py")
NAMES = {"libbpf": "libbpf", "zlib": "zlib", "libdw": "elfutils", "sqlite3": "sqlite"}  # of pkg-config, of Spack


class Spec:
    """Which variants are on; a dependency has its compiler."""
    def __init__(self, variants):
        self.variants = variants

    def satisfies(self, condition):
        return self.variants[condition[1:]] == (condition[0] == "+")

    def __getitem__(self, name):
        return types.SimpleNamespace(mpicc=f"/spack/{name}/bin/mpicc")


class Package:
    def with_or_without(self, name):
        assert name in self.spec.variants, f"no variant {name}"
        return [f"--{'with' if self.spec.variants[name] else 'without'}-{name}"]


def load():
    """(class, {kind: [(words, settings)]}) of the recipe."""
    said = {}
    stand_in = types.ModuleType("spack.package")
    for kind in ("version", "variant", "depends_on", "conflicts", "license"):
        setattr(stand_in, kind, lambda *words, kind=kind, **settings: said.setdefault(kind, []).append((words, settings)))
    stand_in.AutotoolsPackage = Package
    stand_in.Executable = lambda path: lambda: subprocess.run(["test", "-x", os.path.join(TOP, path)], check=True)
    sys.modules["spack"] = types.ModuleType("spack")
    sys.modules["spack.package"] = stand_in
    space = {"__file__": RECIPE, "__name__": "package"}
    with open(RECIPE, encoding="utf-8") as file:
        exec(compile(file.read(), RECIPE, "exec"), space)  # pylint: disable=exec-used
    return space["Recorder"], said


def configure_options():
    shown = subprocess.run([os.path.join(TOP, "configure"), "--help"], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"^  --with(?:out)?-([a-z0-9]+)", shown, re.MULTILINE)), set(re.findall(r"^  ([A-Z_]+) ", shown, re.MULTILINE))


def check_arguments(recipe, variants):
    options, variables = configure_options()
    for on in (True, False):
        package = recipe()
        package.spec = Spec({name: on for name in variants})
        arguments = package.configure_args()
        assert len(arguments) == len(variants) + on, arguments
        for word in arguments:
            known = re.fullmatch(r"--with(?:out)?-(\w+)", word)
            if known:
                assert known.group(1) in options, f"configure has no option {word}"
                assert word.startswith("--without") != on, word
            else:
                assert word.split("=")[0] in variables, f"configure knows no {word}"
    package.autoreconf(package.spec, "/nowhere")


def check_versions(dependencies):
    """What m4/*.m4 asks pkg-config for is asked of Spack, no newer and no older."""
    asked = {}
    for name in sorted(os.listdir(os.path.join(TOP, "m4"))):
        with open(os.path.join(TOP, "m4", name), encoding="utf-8") as file:
            for library, least in re.findall(r"PKG_CHECK_MODULES\(\[\w+\], \[(\w+) >= ([0-9.]+)", file.read()):
                asked[library] = least
    assert set(asked) == set(NAMES), asked
    for library, least in asked.items():
        named = [word for word in dependencies if re.match(NAMES[library] + r"\b", word)]
        assert len(named) == 1, (library, dependencies)
        assert "@" not in named[0] or named[0].endswith(f"@{least}:"), (named, least)
    for library, said in (("hdf5", "version 1.10"), ("netcdf", "version 4.9")):
        with open(os.path.join(TOP, "m4", f"{library}.m4"), encoding="utf-8") as file:
            assert said in file.read()
        assert any(re.match(library + r"(-c)?@" + said.split()[1] + "$", word) for word in dependencies), library


def main():
    recipe, said = load()
    variants = [words[0] for words, _ in said["variant"]]
    assert all(settings["description"] for _, settings in said["variant"])
    check_arguments(recipe, variants)
    check_versions([words[0] for words, _ in said["depends_on"]])
    sources = recipe.git[len("file://"):]
    assert os.path.samefile(sources, TOP), sources
    with open(os.path.join(TOP, "configure.ac"), encoding="utf-8") as file:
        version = re.search(r"AC_INIT\(\[recorder\], \[([^]]+)\]\)", file.read()).group(1)
    with open(os.path.join(TOP, "debian", "changelog"), encoding="utf-8") as file:
        assert f"({version})" in file.readline(), "debian/changelog has another version than configure.ac"
    print(f"{len(variants)} variants: {' '.join(variants)}; {len(said['depends_on'])} dependencies")


if __name__ == "__main__":
    sys.exit(main())
