"""Tests of the command `jostle` that the package installs, and of the import."""

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import jostle
import pytest
from conftest import start, wait_for_thread


@pytest.fixture
def command():
    """The installed command."""
    found = shutil.which("jostle", path=str(Path(sys.executable).parent))
    return [found] if found else [sys.executable, "-m", "jostle"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["--version"],
        ["--help"],
        ["pack", "--help"],
        ["sizes"],
        ["sizes", "concrete", "--json"],
        ["pack", "nothing"],
        ["pack", "--color"],
        ["frobnicate"],
        [],
        ["check", "missing.json"],
    ],
    ids=" ".join,
)
def test_the_command_is_the_program(command, program, run, arguments):
    theirs = run(program, *arguments, check=False)
    ours = run(*command, *arguments, check=False)
    assert (ours.returncode, ours.stdout, ours.stderr) == (theirs.returncode, theirs.stdout, theirs.stderr)


def test_exit_codes_are_those_of_the_program(command, run, tmp_path):
    assert run(*command, "pack", "equal", "-n", "200", "--effort", "quick", "-q").returncode == 0
    assert jostle.read(tmp_path / "packing.json").certificate.max_overlap == 0
    (tmp_path / "overlap.csv").write_text("id,x,y,z,radius\n0,1,1,1,0.5\n1,1,1,1.5,0.5\n")
    assert run(*command, "check", "overlap.csv", "--box", "4", check=False).returncode == 1
    assert run(*command, "pack", "equal", "-n", "200", "--fraction", "0.9", "-q", "-o", "dense.json", check=False).returncode == 3


def test_signals_end_the_command_with_a_packing(command, tmp_path):
    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        path = tmp_path / f"{code}.json"
        process = start(*command, "pack", "equal", "-n", "20000", "--effort", "thorough", "-o", path, stderr=subprocess.PIPE)
        wait_for_thread(process, "signals")
        process.send_signal(number)
        process.communicate(timeout=100)
        assert process.returncode == code
        assert jostle.read(path).stop_reason == "interrupted"


def test_the_import_takes_less_than_a_tenth_of_a_second():
    measured = "import time; b = time.process_time(); import jostle; print(time.process_time() - b)"
    times = [float(subprocess.check_output([sys.executable, "-c", measured])) for _ in range(5)]
    assert min(times) < 0.1
    loaded = subprocess.check_output([sys.executable, "-c", "import sys, jostle; print('numpy' in sys.modules)"])
    assert loaded == b"False\n"


def test_the_version_is_that_of_the_program(program, run):
    assert run(program, "--version").stdout == f"jostle {jostle.__version__}\n"


def test_the_namespace_has_no_other_names():
    assert sorted(jostle.__all__) == jostle.__all__
    for name in jostle.__all__:
        assert getattr(jostle, name).__doc__ or name == "__version__"
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        jostle.nothing  # noqa: B018
