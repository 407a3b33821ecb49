# SPDX-License-Identifier: MIT
"""The functions that DFTracer 1 has below its decorators."""
from dftracer.logger import dftracer as _dftracer, finalize, get_time, initialize  # noqa: F401


def enter_event():
    _dftracer.get_instance().enter_event()


def exit_event():
    _dftracer.get_instance().exit_event()


def log_event(name, cat, start_time, duration, int_args=None, string_args=None, float_args=None):
    _dftracer.get_instance().log_event(name, cat, start_time, duration, int_args, float_args, string_args)


def log_metadata_event(key, value):
    _dftracer.get_instance().log_metadata_event(key, value)
