#!/usr/bin/env python3
"""Measure ratios of speed, each within one run on one machine.

    python3 benches/ratios.py [--plain FOLDER] [--repeat R] [CASE...]

plain       Whole packings of 10 000 spheres against a plain textbook program, for several size distributions. FOLDER
            holds this program as a Cargo project named `yardstick`; without FOLDER the case is skipped.
threads     Two threads against one: whole packings of a million spheres, equal and of a Fuller curve. For comparison, two
            programs with one thread each run at the same time; together they set an upper limit for two threads.
million     A million equal spheres on two threads: wall time, files included.
spheropack  10 000 equal spheres against the event-driven PyPI package spheropack, which this script installs in a
            temporary environment.

Without CASE, all cases are measured. The programs run in turn, R times each (default 3; spheropack once), and the shortest
time of each counts. jostle must reach at least the stated packing fraction and that of the plain program, without any overlap.
Times are those that the programs report, from placement to the last step, unless stated otherwise.
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import venv
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = ROOT / "target"
EQUAL = "mono:d=1"
RATIO_10 = "power-law:exponent=-3,d_min=1,d_max=10"
RATIO_50 = "power-law:exponent=-3.5,d_min=1,d_max=50"
FULLER_50 = "fuller:d_min=1,d_max=50"

# Title, arguments of the plain program, sizes, effort, smallest packing fraction, threads.
PLAIN = [
    ("equal", "10000 mono 0.0003 1.7", EQUAL, 1.11, 0.6415, 1),
    ("equal", "10000 mono 0.0003 1.7", EQUAL, 1.11, 0.6415, 2),
    ("ratio 10, looser", "10000 power:-3:10 0.001 1.4", RATIO_10, 0.55, 0.731, 1),
    ("ratio 10", "10000 power:-3:10 0.0003 1.7", RATIO_10, 1.2, 0.737, 1),
    ("ratio 50, looser", "10000 power:-3.5:50 0.001 1.4", RATIO_50, 0.15, 0.811, 1),
    ("ratio 50", "10000 power:-3.5:50 0.0003 1.4", RATIO_50, 0.75, 0.829, 1),
]
# Target density of spheropack (or "max", where spheres jam), options of jostle.
SPHEROPACK = [("0.6364", ["--effort", 0.7]), ("'max'", ["--effort", 1.06]), ("'max'", ["--jam"])]
SPHEROPACK_PROGRAM = """
import json, spheropack, time
start = time.perf_counter()
packing = spheropack.pack(n=10000, density=DENSITY, seed=1)
print(json.dumps({"phi": packing.density, "seconds": time.perf_counter() - start}))
"""


def build(manifest, target, *options):
    """Build a Cargo project in release mode."""
    command = ["cargo", "build", "--release", "--quiet", "--manifest-path", str(manifest)]
    subprocess.run([*command, "--target-dir", str(target), *options], check=True)


def output(*command):
    """Return the JSON that a command prints."""
    return json.loads(subprocess.check_output([str(word) for word in command]))


class Jostle:
    """Function that packs spheres into a temporary file and returns the output of the program."""

    def __init__(self, scratch):
        self.file = scratch / "packing.csv"

    def __call__(self, sizes, number, threads, *options, fraction=0.0):
        command = [TARGET / "release/jostle", "pack", sizes, "-n", number, "--threads", threads, *options]
        start = time.perf_counter()
        run = output(*command, "--json", "--quiet", "-o", self.file)
        run["wall"] = time.perf_counter() - start
        if run["packing_fraction"] < fraction or run["max_overlap"] != 0:
            sys.exit(
                f"{sizes} {options}: packing fraction {run['packing_fraction']} and overlap {run['max_overlap']};"
                f" expected at least {fraction} and no overlap"
            )
        return run


def fastest(repeat, *programs, key="seconds"):
    """Run the programs in turn and return the fastest run of each."""
    rounds = [[program() for program in programs] for _ in range(repeat)]
    return [min(runs, key=lambda run: run[key]) for runs in zip(*rounds)]


def describe(run):
    return f"φ {run['packing_fraction']:.4f}, {run['seconds']:.3f} s, {run['sweeps']} sweeps"


def row(*cells):
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def header(title, *cells):
    print(f"\n{title}\n")
    row(*cells)
    row(*["---"] * len(cells))


def plain(jostle, arguments, scratch):
    if not arguments.plain:
        print("\nplain: skipped; --plain FOLDER names the folder of the plain program")
        return
    # The folder may be read-only.
    copy = scratch / "yardstick"
    shutil.copytree(arguments.plain, copy, ignore=shutil.ignore_patterns("target"), copy_function=shutil.copyfile)
    build(copy / "Cargo.toml", TARGET / "yardstick")
    header("Against a plain program, 10 000 spheres", "sizes", "threads", "plain program", "jostle", "ratio")
    for title, options, sizes, effort, fraction, threads in PLAIN:
        reference, own = fastest(
            arguments.repeat,
            lambda: output(TARGET / "yardstick/release/yardstick", *options.split()),
            lambda: jostle(sizes, 10_000, threads, "--effort", effort, fraction=fraction),
        )
        if own["packing_fraction"] < reference["phi"]:
            sys.exit(f"{title}: packing fraction {own['packing_fraction']}; the plain program reaches {reference['phi']}")
        ratio = reference["seconds"] / own["seconds"]
        row(title, threads, f"φ {reference['phi']:.4f}, {reference['seconds']:.2f} s", describe(own), f"{ratio:.1f}")


def threads(jostle, arguments, _):
    title = "Two threads against one, 1 000 000 spheres"
    header(title, "sizes", "one thread", "two threads", "ratio", "two programs of one thread at once", "ratio")
    for sizes in (EQUAL, FULLER_50):
        run = lambda count: jostle(sizes, 1_000_000, count, "--effort", 0)

        def at_once():
            with ThreadPoolExecutor() as pool:
                return max(pool.map(run, [1, 1]), key=lambda run: run["seconds"])

        one, two, both = (
            run["seconds"] for run in fastest(arguments.repeat, lambda: run(1), lambda: run(2), at_once)
        )
        row(sizes, f"{one:.2f} s", f"{two:.2f} s", f"{one / two:.2f}", f"{both:.2f} s", f"{2 * one / both:.2f}")


def million(jostle, arguments, _):
    header("1 000 000 equal spheres on two threads, to φ ≥ 0.636", "jostle", "whole program")
    run = lambda: jostle(EQUAL, 1_000_000, 2, "--effort", 0.7, fraction=0.636)
    (best,) = fastest(arguments.repeat, run, key="wall")
    row(describe(best), f"{best['wall']:.1f} s")


def spheropack(jostle, arguments, scratch):
    venv.create(scratch / "venv", with_pip=True)
    python = scratch / "venv/bin/python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "spheropack==0.2.0"], check=True)
    header("Against spheropack, 10 000 equal spheres on one thread", "target of spheropack", "spheropack", "jostle", "ratio")
    for density, options in SPHEROPACK:
        program = SPHEROPACK_PROGRAM.replace("DENSITY", density)
        (reference,) = fastest(1, lambda: output(python, "-c", program))
        run = lambda: jostle(EQUAL, 10_000, 1, *options, fraction=reference["phi"])
        (own,) = fastest(arguments.repeat, run)
        ratio = reference["seconds"] / own["seconds"]
        target = density.strip("'") + (", jammed" if "--jam" in options else "")
        row(target, f"φ {reference['phi']:.4f}, {reference['seconds']:.1f} s", describe(own), f"{ratio:.0f}")


CASES = {case.__name__: case for case in (plain, threads, million, spheropack)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=", ".join(CASES))
    parser.add_argument("--plain", type=pathlib.Path, metavar="FOLDER", help="folder of the plain program")
    parser.add_argument("--repeat", type=int, default=3, metavar="R", help="run each program R times (default: 3)")
    arguments = parser.parse_args()
    if unknown := set(arguments.cases) - set(CASES):
        parser.error(f"unknown case {', '.join(sorted(unknown))}; expected one of {', '.join(CASES)}")
    build(ROOT / "Cargo.toml", TARGET)
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        for name in arguments.cases or CASES:
            CASES[name](Jostle(scratch), arguments, scratch)


if __name__ == "__main__":
    main()
