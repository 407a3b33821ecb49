# SPDX-License-Identifier: MIT
"""The names of DFTracer's package, for programs that were instrumented for it: what they say lands in the trace of Recorder (doc/dftracer.md).

    from dftracer.logger import dftracer, dft_fn         # as in DFTracer 1
    from dftracer.python import ai, dft_fn, dftracer     # and 2

Our own text: the names are those of its documentation, the rest is recorder.regions. Where the recorder is not loaded, or DFTRACER_ENABLE is 0, nothing happens.
"""
