"""Common parts of the tests."""

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def program() -> str:
    """The program that is built without Python."""
    found = os.environ.get("JOSTLE_BINARY") or shutil.which("jostle")
    assert found, "the variable JOSTLE_BINARY names no program"
    return found


@pytest.fixture
def run(tmp_path):
    """Runs a command in an empty folder."""

    def run(*command, check=True, **options):
        arguments = [os.fspath(part) for part in command]
        result = subprocess.run(arguments, cwd=tmp_path, capture_output=True, text=True, timeout=300, **options)
        assert not check or result.returncode == 0, result.stderr
        return result

    return run


def largest_overlap(packing):
    """Compares all pairs of spheres or disks, by minimum images, and all walls."""
    centers, radii = np.array(packing.centers), np.array(packing.radii)
    difference = centers[:, None] - centers[None]
    for axis, (letter, length) in enumerate(zip(packing.container.boundary, packing.container.lengths)):
        if letter == "p":
            difference[..., axis] -= length * np.round(difference[..., axis] / length)
        else:
            assert (centers[:, axis] >= radii).all()
            assert (centers[:, axis] <= length - radii).all()
    gap = np.linalg.norm(difference, axis=-1) - (radii[:, None] + radii[None])
    return -gap[np.triu_indices(len(radii), 1)].min()


def start(*command, **options):
    """Starts a program that Ctrl-C ends, also where the tests run in the background."""
    restore = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)  # noqa: E731
    return subprocess.Popen(command, preexec_fn=restore, **options)


def wait_for_thread(process, name=None):
    """Waits until a process has a second thread, or a thread of this name."""
    while process.poll() is None:
        threads = list(Path(f"/proc/{process.pid}/task").iterdir())
        names = [(thread / "comm").read_text().strip() for thread in threads if thread.exists()]
        if name in names or (name is None and len(names) > 1):
            return
        time.sleep(0.01)
    raise AssertionError("the process ended early")
