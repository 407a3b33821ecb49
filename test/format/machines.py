# SPDX-License-Identifier: MIT
"""Clocks of several machines brought together: doc/format.md, section 8, "Several machines"."""
import itertools
import re

HOPS = 16
SECOND = 10 ** 9


class Machine:
    """All streams of a boot id, the earliest first."""

    def __init__(self, streams):
        mono, real = streams[0].start()
        self.to_real = real - mono
        self.onto, self.points, self.reference = None, [], None
        for stream in streams:
            reference = stream.word("clock.reference")
            if not reference or not stream.word("boot.id"):
                continue
            self.reference = self.reference or reference
            if reference == self.reference:
                self.points += own_points(stream)
        self.points = rising(sorted(set(self.points)))
        if streams[0].word("boot.id"):
            readings = sorted((reading for stream in streams for reading in own_readings(stream)),
                              key=lambda reading: (reading[0], reading[3], reading[4], reading[1], reading[2]))
            for stream in streams:
                stream.refine_clock(readings)

    def hops(self):
        """The machines that a time is brought to one after the other; None: that has no end."""
        passed = [self]
        while passed[-1].onto and len(passed) <= HOPS:
            passed.append(passed[-1].onto)
        return None if passed[-1].onto else passed

    def root(self):
        return self.hops()[-1]

    def convert(self, mono):
        """Monotonic time of the root."""
        for machine in self.hops()[:-1]:
            mono = machine.step(max(mono, 0))
        return mono

    def step(self, mono):
        first, last = self.points[0], self.points[-1]
        after = next((i for i, point in enumerate(self.points) if point[0] > mono), None)
        if after:
            return between(self.points[after - 1], self.points[after], self.points[after - 1], mono)
        nearest = last if after is None else first
        if last[0] - first[0] >= SECOND:
            return between(first, last, nearest, mono)
        return mono - nearest[0] + nearest[1]


def between(a, b, start, mono):
    return start[1] + (mono - start[0]) * (b[1] - a[1]) // (b[0] - a[0])


def own_points(stream):
    """Those of one LM: (time here, time of the reference)."""
    points = []
    for number in itertools.count():
        mono = stream.number(f"clock.point.{number}.mono")
        if mono is None:
            return points
        there = mono + stream.number(f"clock.point.{number}.offset", 0)
        if mono > 0 and there > 0:
            points.append((mono, there))


def own_readings(stream):
    """Instants on all clocks that one LM has."""
    for key, value in stream.meta.items():
        if key.startswith("clock.reading.") and isinstance(value, bytes) and \
                re.fullmatch(rb"[0-9]+( [0-9]+){4}", value):
            reading = tuple(int(word) for word in value.split())
            if max(reading) < 1 << 61 and reading[0] > 0 and reading[4] <= 10 ** 6:
                yield reading


def rising(points):
    kept = points[:1]
    for point in points[1:]:
        if point[0] > kept[-1][0] and point[1] > kept[-1][1]:
            kept.append(point)
    return kept


def make_machines(streams):
    """Gives each stream its `machine`; they know which leads to which."""
    groups = {}
    for stream in streams:
        groups.setdefault(stream.word("boot.id") or ("", stream.name), []).append(stream)
    machines = {boot: Machine(sorted(group, key=lambda s: (s.start()[0], s.name)))
                for boot, group in groups.items()}
    for boot, machine in machines.items():
        reference = machines.get(machine.reference)
        machine.onto = reference if machine.points and reference is not machine else None
        for stream in groups[boot]:
            stream.machine = machine
    lost = [machine for machine in machines.values() if machine.hops() is None]
    for machine in lost:
        machine.onto = None
    return list(machines.values())
