#!/usr/bin/env python3
"""Ratios of speed: jostle against a plain textbook program, in one run on one machine.

    python3 benches/ratios.py FOLDER [--repeat R]

FOLDER holds the plain program as a Cargo project named `yardstick`. Each case is timed for both in turn, R times
(default 3), and the shortest time of each counts. jostle must reach at least the packing fraction named, without any
overlap. Times are those the programs report: from placement to the last step.
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
RATIO_10 = "power-law:exponent=-3,d_min=1,d_max=10"
RATIO_50 = "power-law:exponent=-3.5,d_min=1,d_max=50"

# title, arguments of the plain program, sizes, effort, packing fraction, threads
CASES = [
    ("equal", "10000 mono 0.0003 1.7", "mono:d=1", 1.2, 0.6415, 1),
    ("equal", "10000 mono 0.0003 1.7", "mono:d=1", 1.2, 0.6415, 2),
    ("ratio 10, looser", "10000 power:-3:10 0.001 1.4", RATIO_10, 0.5, 0.731, 1),
    ("ratio 10", "10000 power:-3:10 0.0003 1.7", RATIO_10, 0.7, 0.737, 1),
    ("ratio 50, looser", "10000 power:-3.5:50 0.001 1.4", RATIO_50, 0.2, 0.811, 1),
    ("ratio 50", "10000 power:-3.5:50 0.0003 1.4", RATIO_50, 0.7, 0.829, 1),
]


def build(manifest, target, *options):
    command = ["cargo", "build", "--release", "--quiet", "--manifest-path", str(manifest)]
    subprocess.run([*command, "--target-dir", str(target), *options], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()
    target = ROOT / "target"
    with tempfile.TemporaryDirectory() as scratch:
        # The folder may be read-only.
        copy = pathlib.Path(scratch) / "yardstick"
        shutil.copytree(arguments.folder, copy, ignore=shutil.ignore_patterns("target"), copy_function=shutil.copyfile)
        build(copy / "Cargo.toml", target / "yardstick")
        build(ROOT / "Cargo.toml", target)
        print("| sizes | threads | plain program: φ, s | jostle: φ, s, sweeps | ratio |\n|---|---|---|---|---|")
        for title, plain, sizes, effort, fraction, threads in CASES:
            runs = ([], [])
            for _ in range(arguments.repeat):
                command = [target / "yardstick/release/yardstick", *plain.split()]
                runs[0].append(json.loads(subprocess.check_output(command)))
                command = [target / "release/jostle", "pack", sizes, "-n", "10000", "--effort", str(effort)]
                command += ["--threads", str(threads), "--json", "--quiet", "-o", f"{scratch}/packing.csv"]
                runs[1].append(json.loads(subprocess.check_output(command)))
            theirs, ours = (min(of, key=lambda run: run["seconds"]) for of in runs)
            assert ours["packing_fraction"] >= fraction and ours["max_overlap"] == 0, (title, ours)
            print(
                f"| {title} | {threads} | {theirs['phi']:.4f}, {theirs['seconds']:.2f} "
                f"| {ours['packing_fraction']:.4f}, {ours['seconds']:.3f}, {ours['sweeps']} "
                f"| {theirs['seconds'] / ours['seconds']:.1f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
