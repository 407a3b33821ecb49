# SPDX-License-Identifier: MIT
"""What MPI-4.0 made of functions by rule: X_c, which counts in MPI_Count, and X_init, which is X made persistent."""
import copy
import re

SINCE = "4.0"


def large_element(function, param):
    """The type that numbers of a parameter have in X_c: of counts and displacements, or said by the line."""
    if param.name in function.large:
        return function.large[param.name]
    if param.kind in ("count", "counts", "mpi_count") and param.element == "int":
        return "MPI_Count"
    if param.kind in ("offset", "offsets") and re.match(r"const int\b.*\[", param.declaration):
        return "MPI_Aint"
    return param.element


def as_large(function):
    """X_c of X."""
    large = copy.deepcopy(function)
    large.name, large.made_of = f"{function.name}_c", function.name
    for param in large.params:
        element = large_element(function, param)
        param.declaration = re.sub(rf"\b{param.element}\b", element, param.declaration, count=1)
        param.element = element
    return large


def as_persistent(function, parse_parameter):
    """X_init of a collective X: it says how, and gives a request."""
    persistent = copy.deepcopy(function)
    persistent.name, persistent.made_of = f"{function.name}_init", function.name
    persistent.then = None
    persistent.params += [parse_parameter("MPI_Info info:info"),
                          parse_parameter("MPI_Request *request:+request(REQUEST_COLLECTIVE)")]
    return persistent


def derived(function, parse_parameter):
    """The functions that a line stands for besides its own."""
    more = [as_persistent(function, parse_parameter)] if function.persistent else []
    if function.large is not None:
        more += [as_large(one) for one in [function] + more]
    for one in more:
        one.aliases, one.since = [], SINCE
        one.large, one.persistent = None, False
    return more
