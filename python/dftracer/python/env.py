# SPDX-License-Identifier: MIT
"""What the environment asks for. The recorder itself judges its own settings and those of DFTracer (doc/dftracer.md)."""
import logging
import os

from recorder.regions import is_recording

DFTRACER_ENABLE_ENV = "DFTRACER_ENABLE"
DFTRACER_INIT_ENV = "DFTRACER_INIT"
DFTRACER_LOG_LEVEL_ENV = "DFTRACER_LOG_LEVEL"
DFTRACER_TIME_METRIC_ENV = "DFTRACER_TIME_METRIC"

#: Whether there is a recorder, and nobody said that it is not to be.
DFTRACER_ENABLE = is_recording() and os.environ.get(DFTRACER_ENABLE_ENV, "1") != "0"
DFTRACER_INIT_PRELOAD = os.environ.get(DFTRACER_INIT_ENV, "PRELOAD") == "PRELOAD"
DFTRACER_LOG_LEVEL = os.environ.get(DFTRACER_LOG_LEVEL_ENV, "ERROR")


def setup_stream_logger():
    """A logger of that level; this package has nothing to say to it."""
    logger = logging.getLogger("DFTRACER")
    logger.setLevel({"DEBUG": logging.DEBUG, "INFO": logging.INFO, "WARN": logging.WARNING}.get(DFTRACER_LOG_LEVEL, logging.ERROR))
    return logger
