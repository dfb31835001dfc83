#!/usr/bin/env python3
"""Whole packings of more and more spheres, as a user makes them, for the table of growth in docs/speed.md.

    python3 benches/growth.py [SPHERES...]

Equal spheres, and Fuller curves that reach as far as there is one sphere for the class of the largest: up to the whole curve of
Raschdorf & Kolonko (2011), 58000000 spheres, which takes 16 GiB of memory and twenty minutes or more. Without SPHERES it makes all others; else those
of so many spheres. What each run printed goes to examples/speed/growth.json, in the place of what was there for it, with its time on the
wall and its largest resident set.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time

from ratios import EQUAL, ROOT, TARGET, build

FILE = ROOT / "examples/speed/growth.json"
FULLER = "fuller:d_min=1,d_max={},classes={}"
WHOLE = 58_000_000
RUNS = [
    (EQUAL, 10_000),
    (EQUAL, 100_000),
    (EQUAL, 1_000_000),
    (EQUAL, 10_000_000),
    (FULLER.format(21.5, 33), 10_000),
    (FULLER.format(53.9, 43), 100_000),
    (FULLER.format(135.5, 53), 1_000_000),
    (FULLER.format(340, 63), 10_000_000),
    (FULLER.format(684.75, 70), WHOLE),
]


def measure(sizes, spheres):
    """What the program printed, its time on the wall and its largest resident set."""
    command = [TARGET / "release/jostle", "pack", sizes, "-n", str(spheres)]
    command += "--effort 0.3 --threads 2 -o packing.csv --json --quiet".split()
    with tempfile.TemporaryDirectory() as scratch:
        start = time.perf_counter()
        run = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=scratch)
        printed = run.stdout.read()
        _, status, usage = os.wait4(run.pid, 0)
        wall = time.perf_counter() - start
    if status != 0:
        sys.exit(f"the run of {spheres} spheres of {sizes} failed")
    result = json.loads(printed)
    del result["files"]
    # A process begins as a copy of the one that starts it, which counts.
    copied = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    peak = 1024 * usage.ru_maxrss if usage.ru_maxrss > 1.1 * copied else None
    return {"sizes": sizes, "wall_seconds": round(wall, 1), "peak_bytes": peak, "result": result}


def main():
    try:
        asked = {int(word) for word in sys.argv[1:]} or {spheres for _, spheres in RUNS} - {WHOLE}
    except ValueError:
        sys.exit(__doc__)
    if unknown := asked - {spheres for _, spheres in RUNS}:
        sys.exit(f"no run of {', '.join(map(str, sorted(unknown)))} spheres is in the table")
    build(ROOT / "Cargo.toml", TARGET)
    kept = {(run["sizes"], run["result"]["spheres"]): run for run in json.loads(FILE.read_text())}
    for key in RUNS:
        sizes, spheres = key
        if spheres not in asked:
            continue
        kept[key] = measure(sizes, spheres)
        print(f"{sizes}, {spheres} spheres: {kept[key]['wall_seconds']} s", flush=True)
        ordered = [kept[key] for key in RUNS if key in kept]
        FILE.write_text(json.dumps(ordered, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
