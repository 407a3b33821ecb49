# SPDX-License-Identifier: MIT
"""Makes the wheel: the package, with libreader and libanalysis inside its C module. What is needed besides: zlib and Python.h."""
import glob
import os
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_py import build_py

BASE = "build-pip"  # build/ is where script/test builds
GENERATED = "prototypes_gen.py"


def version():
    with open("configure.ac", encoding="utf-8") as file:
        return re.search(r"AC_INIT\(\[recorder\], \[([^]]+)\]\)", file.read()).group(1)


class BuildPy(build_py):
    """Also what the catalogue tells the package; a tarball has it."""

    def run(self):
        super().run()
        made = os.path.join("functions", GENERATED)
        if not os.path.exists(made):
            folder = os.path.join(BASE, "functions")
            os.makedirs(folder, exist_ok=True)
            subprocess.run([sys.executable, "functions/generate.py", "--out", folder, *catalogue()], check=True)
            made = os.path.join(folder, GENERATED)
        shutil.copy(made, os.path.join(self.build_lib, "recorder", GENERATED))


def catalogue():
    """In the order of the build, which a list in functions/Makemodule.am says."""
    with open("functions/Makemodule.am", encoding="utf-8") as file:
        return re.findall(r"^\t(functions/\w+\.api)", file.read(), re.MULTILINE)


os.chdir(os.path.dirname(os.path.abspath(__file__)))
os.makedirs(BASE, exist_ok=True)
setup(
    version=version(),
    packages=["recorder", "recorder_viz", "recorder_utils", "dftracer", "dftracer.logger", "dftracer.python", "dftracer.python.dbg", "dftracer.python.torch",
              "dftracer_dbg", "dftracer_dbg.logger", "pydftracer"],
    package_dir={"": "python"},
    ext_modules=[Extension(
        "recorder._reader",
        sources=sorted(file for folder in ("python/src", "lib/analysis", "lib/read", "lib/format")
                       for file in glob.glob(f"{folder}/*.c")),
        include_dirs=["include", "lib"],
        define_macros=[("_GNU_SOURCE", ""), ("RECORDER_VERSION", f'"{version()}"')],
        extra_compile_args=["-fvisibility=hidden"],
        extra_link_args=["-Wl,--version-script=python/src/module.map"],
        depends=glob.glob("python/src/*.h") + glob.glob("lib/*/*.h") + glob.glob("include/recorder/*.h"),
        libraries=["z", "m"],
    ), Extension(
        "recorder._regions",
        sources=sorted(glob.glob("python/regions/*.c")),
        include_dirs=["include"],
        extra_compile_args=["-fvisibility=hidden"],
        depends=["include/recorder/recorder.h"] + glob.glob("python/regions/*.h"),
    )],
    cmdclass={"build_py": BuildPy},
    options={"build": {"build_base": BASE}, "egg_info": {"egg_base": BASE}},
)
