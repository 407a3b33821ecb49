# SPDX-License-Identifier: MIT
"""The one tree of a program, and its branches by their names."""
from .ai_common import (  # noqa: F401
    AI, CheckpointEvent, CommunicationEvent, ComputeEvent, DataEvent, DataLoaderEvent, DeviceEvent, DFTracerAI, INIT_NAME, IOEvent, ITER_COUNT_NAME,
    OtherEvent, PipelineEvent, ProfileCategory, get_iter_block_name, get_iter_handle_name)

__all__ = ["AI", "CheckpointEvent", "CommunicationEvent", "ComputeEvent", "DFTracerAI", "DataEvent", "DataLoaderEvent", "DeviceEvent", "INIT_NAME", "IOEvent",
           "ITER_COUNT_NAME", "OtherEvent", "PipelineEvent", "ProfileCategory", "ai", "checkpoint", "comm", "compute", "data", "dataloader", "device",
           "get_iter_block_name", "get_iter_handle_name", "other", "pipeline"]

ai = AI()
compute, data, dataloader, comm = ai.compute, ai.data, ai.dataloader, ai.comm
device, checkpoint, pipeline, other = ai.device, ai.checkpoint, ai.pipeline, ai.other
