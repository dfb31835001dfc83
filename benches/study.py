#!/usr/bin/env python3
"""Compares a study on two Dask workers with the same packings by the command line, two at a time.

    python3 benches/study.py [number of packings] [number of spheres]

The Python that runs this script needs the package jostle and distributed; JOSTLE_BINARY names the program, by default
target/release/jostle. Run it on an idle machine. The quotient of the two times should be at most 1.15.
"""

import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import jostle

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("JOSTLE_BINARY", ROOT / "target" / "release" / "jostle")


def by_study(packings, spheres, client, folder):
    """Returns the seconds of a study, and the hash of each seed."""
    began = time.perf_counter()
    table = jostle.study({"sizes": "concrete", "n": spheres}, seeds=range(packings), executor=client, out=folder, save="json")
    seconds = time.perf_counter() - began
    assert table["error"].isna().all() and len(table) == packings
    return seconds, dict(zip(table["seed"], table["hash"]))


def by_command(packings, spheres, folder):
    """Returns the seconds of the same packings by the program."""

    def pack(seed):
        file = Path(folder, f"{seed}.json")
        command = [PROGRAM, "pack", "concrete", "-n", str(spheres), "--seed", str(seed), "--threads", "1", "-q", "-o", file]
        subprocess.run(command, check=True)

    began = time.perf_counter()
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(pack, range(packings)))
    return time.perf_counter() - began


def main():
    from distributed import Client, LocalCluster

    packings, spheres = (int(float(text)) for text in (sys.argv[1:] + ["200", "1e4"][len(sys.argv) - 1 :])[:2])
    with tempfile.TemporaryDirectory() as folder:
        with (
            LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
            Client(cluster) as client,
        ):
            # The workers import the package before the time counts.
            jostle.study({"sizes": "equal", "n": 10}, seeds=range(8), executor=client)
            study, hashes = by_study(packings, spheres, client, Path(folder, "study"))
        command = by_command(packings, spheres, folder)
        for seed in (0, packings - 1):
            assert jostle.read(Path(folder, f"{seed}.json")).digest() == hashes[seed]
    print(f"study {study:.1f} s, command line {command:.1f} s, quotient {study / command:.3f}")


if __name__ == "__main__":
    main()
