# SPDX-License-Identifier: MIT
"""python -m recorder DIR: what is in a trace, and how often each function was called."""
import argparse
import sys
import time

from . import Error, RecorderReader, __version__


def completeness(info):
    if info.running:
        return "running"
    told = [f"{getattr(info, name)} {name.replace('_', ' ')}"
            for name in ("lost", "unreadable", "in_flight") if getattr(info, name)]
    return ("complete" if info.complete else "incomplete") + (f": {', '.join(told)}" if told else "")


def lines(reader, calls):
    info = reader.GM
    begin = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(info.start_ts))
    hosts = {stream["host"] for stream in reader.streams}
    yield f"trace      {reader.path}"
    yield f"format     {info.format}"
    yield f"state      {completeness(info)}"
    yield f"started    {begin} UTC, lasted {info.duration:.6f} s"
    yield (f"ranks      {info.ranks} in {info.worlds} world{'s' * (info.worlds != 1)}, "
           f"{len(reader.streams)} stream{'s' * (len(reader.streams) != 1)} "
           f"on {len(hosts)} host{'s' * (len(hosts) != 1)}")
    yield f"records    {info.records}"
    yield ""
    yield f"{'calls':>12}  {'layer':<8} function"
    layers = {function.name: function.layer for function in reader.functions}
    for name, count in sorted(calls.items(), key=lambda item: (-item[1], item[0])):
        yield f"{count:>12}  {layers[name]:<8} {name}"


def main(argv=None):
    parser = argparse.ArgumentParser(
        prog="python -m recorder", description=__doc__.partition(": ")[2],
        epilog="More: recorder info DIR, recorder2text DIR, pydoc recorder.")
    parser.add_argument("dir", metavar="DIR", help="a trace")
    parser.add_argument("--version", action="version", version=f"recorder {__version__}")
    for name in ("ranks", "layers", "functions", "files"):
        parser.add_argument(f"--{name}", metavar="LIST" if name != "files" else "GLOB",
                            help="count only calls of these")
    given = vars(parser.parse_args(argv))
    try:
        with RecorderReader(given.pop("dir")) as reader:
            for line in lines(reader, reader.count(**given)):
                print(line)
    except Error as error:
        print(f"recorder: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        sys.stderr.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
