#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""torn.py NODE HOW: spoils the file of a node as a write that was cut short would, or a disk.

header   half a chunk header in front of the middle frame; nothing is lost by it
body     what is behind the header of the last DATA frame of the first stream is gone, others' frames follow
flip     a flipped bit in the body of that frame
tag      a flipped bit in the identity that it has
end      the file ends in the middle of its last frame
killed   the stream that has not ended was killed in the middle of its next write, and others went on
Prints the place of the frame and the identity of its stream.
"""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "format"))

import nodes  # noqa: E402
from broken_nodes import frame  # noqa: E402
from parts import DATA, FINAL, META  # noqa: E402
from write_trace import chunk  # noqa: E402


def frames(data):
    place = 32
    while place < len(data):
        identity, header = nodes.frame_at(data, place)
        yield place, identity, header
        place += nodes.FRAME + header.body_size


def main():
    path, how = sys.argv[1:]
    with open(path, "rb") as file:
        data = bytearray(file.read())
    every = list(frames(bytes(data)))
    chosen = [one for one in every if one[1] == every[0][1] and one[2].type == DATA][-1]
    if how == "header":
        chosen = every[len(every) // 2]
    if how == "end":
        chosen = every[-1]
    if how == "killed":
        ended = {one[1] for one in every if one[2].type == META and one[2].flags & FINAL}
        chosen = [one for one in every if one[1] not in ended and one[2].type == DATA][-1]
    place, identity, header = chosen
    body = place + nodes.FRAME
    if how == "header":
        data[place:place] = data[place:place + 60]
    elif how == "body":
        del data[body + header.body_size // 2:body + header.body_size]
    elif how == "flip":
        data[body + header.body_size // 2] ^= 4
    elif how == "tag":
        data[place] ^= 4
    elif how == "end":
        del data[-3:]
    elif how == "killed":
        torn = chunk(DATA, bytes(1000), count=1, thread=header.thread,
                     sequence=header.sequence + header.count, encoding=2)
        data[every[-1][0]:every[-1][0]] = frame(identity, torn)[:nodes.FRAME + 500]
    else:
        sys.exit(__doc__)
    with open(path, "wb") as file:
        file.write(data)
    print(place, f"{identity:016x}")


if __name__ == "__main__":
    main()
