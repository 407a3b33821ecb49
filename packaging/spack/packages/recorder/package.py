# SPDX-License-Identifier: MIT
import os

from spack.package import *


class Recorder(AutotoolsPackage):
    """Records what every process of a parallel job does, call by call: MPI, MPI-IO, HDF5, netCDF, PnetCDF, POSIX and stdio; and makes
    a summary, findings, a page of HTML, SQL, Parquet, Chrome JSON and DFTracer .pfw of it."""

    # The checkout or tarball that this recipe came with.
    here = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", "..", "..", ".."))
    git = "file://" + here

    license("MIT")

    version("main", branch="main")

    variant("mpi", default=True, description="Layers mpi and mpiio, for the MPI of this package")
    variant("hdf5", default=True, description="Layer hdf5")
    variant("netcdf", default=True, description="Layer netcdf")
    variant("pnetcdf", default=False, when="+mpi", description="Layer pnetcdf")
    variant("libdw", default=True, description="Call sites by function, file and line")
    variant("libyaml", default=True, description="Configuration files")
    variant("sqlite3", default=True, description="recorder2sqlite and recorder sql")
    variant("bpf", default=False, description="recorder system: programs in the kernel")
    variant("python", default=True, description="Package recorder for Python")

    depends_on("c", type="build")
    # a checkout has neither configure nor the wrappers that are made of the catalogue
    depends_on("autoconf", type="build")
    depends_on("automake", type="build")
    depends_on("libtool", type="build")
    depends_on("m4", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3.6:", type="build", when="~python")
    depends_on("python@3.6:", type=("build", "link", "run"), when="+python")

    depends_on("mpi", when="+mpi")
    depends_on("zlib+pic")  # its libz.a becomes part of librecorder.so
    # headers alone: the library is looked for in the traced program
    depends_on("hdf5@1.10", type="build", when="+hdf5")
    depends_on("netcdf-c@4.9", type="build", when="+netcdf")
    depends_on("parallel-netcdf", type="build", when="+pnetcdf")
    depends_on("elfutils@0.170:", when="+libdw")
    depends_on("libyaml@0.2:", when="+libyaml")
    depends_on("sqlite@3.38:", when="+sqlite3")
    depends_on("libbpf@1.0:", when="+bpf")
    # these make the programs
    depends_on("llvm+clang", type="build", when="+bpf")
    depends_on("bpftool", type="build", when="+bpf")

    conflicts("platform=darwin", msg="Recorder traces processes of Linux")

    def autoreconf(self, spec, prefix):
        Executable("./bootstrap")()

    def configure_args(self):
        args = []
        for variant_name in ("mpi", "hdf5", "netcdf", "pnetcdf", "libdw", "libyaml", "sqlite3", "bpf", "python"):
            args += self.with_or_without(variant_name)
        if self.spec.satisfies("+mpi"):
            args.append("MPICC=" + self.spec["mpi"].mpicc)
        return args
