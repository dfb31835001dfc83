"""The memory of a million spheres, against the program without Python."""

import os
import subprocess
import sys

N = 1_000_000


def peak(arguments):
    """Runs a program and returns its largest resident memory in bytes."""
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return 1024 * usage.ru_maxrss


def test_a_million_spheres_take_the_memory_of_the_command_line(program, tmp_path):
    theirs = peak([program, "pack", "concrete", "-n", str(N), "--max-sweeps", "45", "-o", tmp_path / "p.data", "-q"])
    code = f"import jostle; p = jostle.pack('concrete', {N}, max_sweeps=45); p.centers.sum()"
    ours = peak([sys.executable, "-c", code])
    assert ours < 1.1 * theirs, f"{ours / 1e6:.0f} MB, the program {theirs / 1e6:.0f} MB"
