# SPDX-License-Identifier: MIT
"""For torch.profiler: profile(on_trace_ready=trace_handler) puts what it has measured into the trace, category PP.

This is said when it is over, so that it is in the trace as long as it was, but no earlier than what its thread has recorded by then: the argument `start` says when it began,
in microseconds since 1970.
"""
from dftracer.python.common import dftracer

__all__ = ["trace_handler"]

# argument: attributes that have it in some version of torch
_NUMBERS = {"cpu_memory": ("cpu_memory_usage",), "device_memory_usage": ("device_memory_usage", "cuda_memory_usage"), "is_remote": ("is_remote",),
            "total_cpu_percent": ("total_cpu_percent",), "total_device_percent": ("total_device_percent",)}


def _describe(event):
    arguments = {}
    for key, attributes in _NUMBERS.items():
        for attribute in attributes:
            value = getattr(event, attribute, None)
            if value is not None:
                arguments[key] = value
                break
    device = getattr(event, "device_type", None)
    if device is not None:
        arguments["device"] = int(getattr(device, "value", device))
    arguments["input_size"] = sum(len(shape) for shape in getattr(event, "input_shapes", None) or ())
    return arguments


def _began(profiler_result):
    """When it began, in microseconds since 1970; torch 1 counts in these, torch 2 in nanoseconds."""
    results = profiler_result.profiler.kineto_results
    return results.trace_start_ns() / 1000 if hasattr(results, "trace_start_ns") else results.trace_start_us()


def trace_handler(profiler_result):
    """Takes the events of a torch.profiler.profile, whose times are microseconds since it began."""
    log = dftracer.get_instance()
    began = _began(profiler_result)
    for event in sorted(profiler_result.events(), key=lambda event: event.time_range.end):
        start = int(began + event.time_range.start)
        log.log_event(event.key, "PP", start, int(event.time_range.elapsed_us()), {**_describe(event), "start": start})
