#!/usr/bin/env python3
"""Measure whole packings of increasing numbers of spheres, for the table of growth in docs/reports/performance.md.

    python3 benches/growth.py [SPHERES...]

The size distributions are equal spheres, and Fuller curves up to the size of which the sample has one sphere. The largest is the
complete curve of Raschdorf & Kolonko 2011: 58000000 spheres, which take 16 GiB of memory and at least twenty minutes. With SPHERES,
only the runs with these numbers of spheres are made; without, all runs except the largest. The output of each run, its wall time
and its largest resident set replace the earlier entry of this run in reports/src/speed/growth.json.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time

from ratios import EQUAL, ROOT, TARGET, build

FILE = ROOT / "reports/src/speed/growth.json"
FULLER = "fuller:d_min=1,d_max={},classes={}"
LARGEST = 58_000_000
RUNS = [
    (EQUAL, 10_000),
    (EQUAL, 100_000),
    (EQUAL, 1_000_000),
    (EQUAL, 10_000_000),
    (FULLER.format(21.5, 33), 10_000),
    (FULLER.format(53.9, 43), 100_000),
    (FULLER.format(135.5, 53), 1_000_000),
    (FULLER.format(340, 63), 10_000_000),
    (FULLER.format(684.75, 70), LARGEST),
]


def measure(sizes, spheres):
    """Return the output of the program, its wall time in seconds and its largest resident set in bytes."""
    command = [TARGET / "release/jostle", "pack", sizes, "-n", str(spheres)]
    command += "--effort 0.3 --threads 2 -o packing.csv --json --quiet".split()
    with tempfile.TemporaryDirectory() as scratch:
        start = time.perf_counter()
        run = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=scratch)
        printed = run.stdout.read()
        _, status, usage = os.wait4(run.pid, 0)
        wall = time.perf_counter() - start
    if status != 0:
        sys.exit(f"jostle failed for {spheres} spheres of {sizes}; its message is above")
    result = json.loads(printed)
    del result["files"]
    # A process begins as a copy of its parent, and its resident set includes this copy.
    copied = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    peak = 1024 * usage.ru_maxrss if usage.ru_maxrss > 1.1 * copied else None
    return {"sizes": sizes, "wall_seconds": round(wall, 1), "peak_bytes": peak, "result": result}


def main():
    try:
        requested = {int(word) for word in sys.argv[1:]} or {spheres for _, spheres in RUNS} - {LARGEST}
    except ValueError:
        sys.exit(__doc__)
    if unknown := requested - {spheres for _, spheres in RUNS}:
        known = ", ".join(map(str, sorted({spheres for _, spheres in RUNS})))
        sys.exit(f"the table has no run of {', '.join(map(str, sorted(unknown)))} spheres; it has {known}")
    build(ROOT / "Cargo.toml", TARGET)
    kept = {(run["sizes"], run["result"]["spheres"]): run for run in json.loads(FILE.read_text())}
    for key in RUNS:
        sizes, spheres = key
        if spheres not in requested:
            continue
        kept[key] = measure(sizes, spheres)
        print(f"{sizes}, {spheres} spheres: {kept[key]['wall_seconds']} s", flush=True)
        ordered = [kept[key] for key in RUNS if key in kept]
        FILE.write_text(json.dumps(ordered, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
