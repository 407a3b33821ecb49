#!/bin/sh
# SPDX-License-Identifier: MIT
# DFTracer's package with a real torch, where there is one: what its profiler measured is in the trace as it said; operations of its graphs have regions. Without torch all of it can be imported.
. "${TOP_SRCDIR:?}/test/lib.sh"
. "$TOP_SRCDIR/test/python/python.sh"

py -c '
import sys
sys.modules["torch"] = None
from dftracer.python import Dynamo, create_backend, dynamo
assert Dynamo and create_backend
' || fail "import without torch"
DFTRACER_ENABLE=1 recorder run -q -o none -- "$python" -c '
import sys
sys.modules["torch"] = None
from dftracer.python import dynamo
try:
    @dynamo.compile
    def function(x):
        return x
except RuntimeError as error:
    assert "PyTorch is not available" in str(error), error
else:
    raise SystemExit("nothing is said")
' || fail "dynamo without torch"

python=/usr/bin/python3
py -c 'import torch.profiler, torch.fx, recorder' 2>/dev/null || skip "no torch for $python (package python3-torch)"
cat >profiled.py <<'END'
import json
import time
import torch
from torch.profiler import ProfilerActivity, profile, schedule
from dftracer.python import ai
from dftracer.python.torch import trace_handler

torch.set_num_threads(1)
model = torch.nn.Sequential(torch.nn.Linear(64, 32), torch.nn.ReLU(), torch.nn.Linear(32, 2))
batch = torch.randn(16, 64)
measured = []


def handler(profiler):
    measured.extend((event.key, int(event.time_range.elapsed_us())) for event in profiler.events())
    trace_handler(profiler)


before = time.time()
with profile(activities=[ProfilerActivity.CPU], on_trace_ready=handler, record_shapes=True, profile_memory=True):
    model(batch).sum().backward()
with profile(activities=[ProfilerActivity.CPU], schedule=schedule(wait=1, warmup=1, active=2, repeat=2), on_trace_ready=handler) as running:
    for _ in range(10):
        with ai.compute.forward:
            model(batch)
        running.step()
json.dump({"measured": sorted(measured), "before": before, "after": time.time()}, open("measured.json", "w"))
END
LD_PRELOAD='' DFTRACER_ENABLE=1 recorder run -q -o trace -- "$python" profiled.py 2>err || fail "status $?: $(cat err)"
cat >check.py <<'END'
import json
import recorder

want = json.load(open("measured.json"))
reader = recorder.RecorderReader("trace")
calls = [record for record in reader if record.layer == "user" and record.func != "forward"]
got = sorted([record.func, round(record.duration * 1e6)] for record in calls)
assert len(got) == len(want["measured"]) > 50, (len(got), len(want["measured"]))
assert [name for name, _ in got] == [name for name, _ in want["measured"]]
assert any(name == "aten::linear" for name, _ in got) and any("backward" in name.lower() for name, _ in got), got
for record in calls:
    arguments = record.arguments
    assert want["before"] <= arguments["start"] / 1e6 <= want["after"], (arguments, want["before"])
linear = next(record for record in calls if record.func == "aten::linear")
assert linear.arguments["input_size"] == 5 and linear.arguments["cpu_memory"] == 16 * 32 * 4, linear.arguments
assert sum(record.func == "forward" for record in reader) == 10
END
py check.py || fail "what the profiler measured"

cat >graphs.py <<'END'
import torch
import torch.fx
from dftracer.python import Dynamo, dynamo

model = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.ReLU())


def function(x):
    return torch.relu(model(x)).sum()


class Whole(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.model = model

    def forward(self, x):
        return function(x)


batch = torch.randn(2, 4)
graph = Dynamo().add_enhanced_timing_to_graph(torch.fx.symbolic_trace(Whole()))
assert torch.equal(graph(batch), function(batch))
with torch.no_grad():
    graph(batch)
if not hasattr(torch, "compile"):
    try:
        dynamo.compile(function)
    except RuntimeError as error:
        assert "torch.compile" in str(error), error
    else:
        raise SystemExit("nothing is said")
END
LD_PRELOAD='' DFTRACER_ENABLE=1 recorder run -q -o graphs -- "$python" graphs.py 2>err || fail "status $?: $(cat err)"
recorder2text -q --layers user graphs | cut -d ' ' -f 7- | sed 's/ = .*//' >got
for enabled in 1 0; do
	printf '%s(grad_enabled='$enabled')\n' model.0.Linear_model_0 model.1.ReLU_model_1 function.relu method.sum
done >want
diff want got || fail "operations of a graph (<) and what is recorded (>)"
