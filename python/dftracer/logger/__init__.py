# SPDX-License-Identifier: MIT
"""DFTracer 1: `from dftracer.logger import dftracer, dft_fn`. It has what DFTracer 2 has in dftracer.python."""
from dftracer.python import *  # noqa: F401,F403
from dftracer.python import (  # noqa: F401
    DFTRACER_ENABLE, DFTRACER_INIT_PRELOAD, DFTRACER_LOG_LEVEL, DFTracerAI, ai, comm, compute, data, dataloader, device, dft_fn, dftracer, pipeline)
