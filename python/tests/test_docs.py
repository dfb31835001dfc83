"""Runs the blocks of code in docs/guide, and checks their results."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import jostle
import pandas
import pytest
from conftest import ROOT

GUIDE = ROOT / "docs" / "guide"
# tests/readers/run recipes has these packages.
RUN_ELSEWHERE = ("import openmc", "import porespy")
MOST = 1500
# Commands of containers.md and formats.md that need files of other programs, or files of which the page shows no origin.
NEED_FILES = ("mesh:", "part.json", "drum.csv", "bars.csv", "rods.csv", "bars.json", "gear.svg")
# Pages whose commands are not run: they need several processes, hours, or files of any origin.
NOT_RUN = {"analysis.md": "any files", "interruptions.md": "ten million spheres", "ranks.md": "MPI; tests/mpi/run runs ranks"}


def blocks(page):
    """The blocks of code of a page with their languages, in their order."""
    return re.findall(r"^```(\w+)\n(.*?)^```$", (GUIDE / page).read_text(), re.MULTILINE | re.DOTALL)


def fewer(code):
    """A block that asks for at most 1500 spheres at a time, by `-n` or `n=`."""
    return re.sub(r"(-n |\bn=)(\d+)", lambda match: match[1] + str(min(MOST, int(match[2]))), code)


BLOCKS = blocks("python.md")


def test_the_recipes_run(tmp_path, program, monkeypatch):
    """The commands and the Python of all recipes run in order in one folder, as they read the files of earlier ones."""
    monkeypatch.chdir(tmp_path)
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "jostle").symlink_to(Path(program).resolve())
    monkeypatch.setenv("PATH", os.pathsep.join([str(programs), os.environ["PATH"]]))
    names = {}
    for language, code in blocks("recipes.md"):
        if language == "python":
            exec(fewer(code), names)
            continue
        result = subprocess.run(["bash", "-ec", fewer(code)], capture_output=True, text=True, timeout=120)
        assert result.returncode == 0, f"{code}\n{result.stderr}"
        for file in re.findall(r" -o (\S+)", code):
            assert (tmp_path / file).stat().st_size > 0, file
    assert names["denser"].packing_fraction == pytest.approx(0.62) and len(names["denser"]) == MOST
    assert names["bed"].certificate.max_overlap == 0 and len(names["bed"]) == 6
    # The bin of the hopper reaches to 10 on all sides of its axis.
    assert names["in_file"].min() < -8 and names["in_file"][:, :2].max() < 10
    rows = [line.split() for line in Path("hopper.data").read_text().split("Atoms # sphere")[1].splitlines() if line]
    assert min(float(row[4]) for row in rows) < -8 and 0 < min(float(row[6]) for row in rows) < 5
    assert jostle.read("mix.txt", "yade", box=0.025, boundary="www").certificate.max_overlap == 0


@pytest.mark.parametrize("page", ["distributions.md", "formats.md"])
def test_the_python_of_a_page_runs(page, tmp_path, monkeypatch):
    import matplotlib

    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    for name, law in {"sand": {"fuller": {"d_min": 1, "d_max": 2}}, "gravel": {"mono": {"d": 3}}, "chippings": {"mono": {"d": 4}}}.items():
        Path(f"{name}.json").write_text(json.dumps({"schema": 1, "name": name, "unit": "mm", "source": "a test", "law": law}))
    jostle.pack("mono:d=1", MOST, effort="quick").save("packing.parquet")
    code = [code for language, code in blocks(page) if language == "python" and not any(part in code for part in RUN_ELSEWHERE)]
    assert code
    names = {"jostle": jostle}
    for block in code:
        exec(fewer(block).replace("steps=6", "steps=2"), names)


@pytest.mark.parametrize("page", ["containers.md", "disks.md", "formats.md"])
def test_the_commands_of_a_page_run(page, tmp_path, program):
    lines = [line for language, code in blocks(page) if language == "sh" for line in code.splitlines()]
    commands = [line for line in lines if line.startswith("jostle ") and not any(part in line for part in NEED_FILES)]
    assert commands
    for command in commands:
        arguments = shlex.split(fewer(command), comments=True)[1:]
        result = subprocess.run([program, *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=120)
        # A request of fewer spheres may be out of reach.
        assert result.returncode in (0, 3), f"{command}\n{result.stderr}"


def test_every_page_with_commands_is_known():
    """A new page with commands is run by a test of this file, or has a reason."""
    pages = {page.name for page in GUIDE.glob("*.md") if "```sh" in page.read_text()}
    assert pages == {"containers.md", "disks.md", "formats.md", "python.md", "recipes.md", *NOT_RUN}


def test_no_page_has_other_python():
    """Each page with Python is run by a test of this file."""
    pages = {page.name for page in GUIDE.glob("*.md") if "```python" in page.read_text()}
    assert pages == {"distributions.md", "formats.md", "python.md", "recipes.md"}


def test_the_python_blocks_run(tmp_path, monkeypatch):
    import matplotlib

    matplotlib.use("Agg")
    pyvista = pytest.importorskip("pyvista")
    monkeypatch.setattr(pyvista, "OFF_SCREEN", True)
    monkeypatch.chdir(tmp_path)
    names = {}
    first, blends, beds, arrays, files, pictures, study, cluster = (block for language, block in BLOCKS if language == "python")
    exec(first, names)
    packing = names["packing"]
    assert len(packing) == 20_000 and packing.certificate.max_overlap == 0 and packing.container.boundary == "ppw"
    assert jostle.read("concrete.data", boundary="ppw") == packing
    exec(blends, names)
    assert len(names["packing"]) == 2000 and len(names["stones"]) > 0
    exec(beds, names)
    assert len(names["bed"]) == 500 and 0 < names["on_walls"] < 1
    # The options of files, with fewer spheres: voxels of 0.1 mm and copies of a box take much memory.
    names["packing"] = jostle.pack("fuller:d_min=1,d_max=4", 300, effort="quick")
    exec(arrays, names)
    assert len(names["pairs"]) == len(names["distances"]) > 300 and len(names["backbone"]) < 300 and names["image"].max() <= 300
    exec(files, names)
    assert len(names["spheres"]) == 300 and (tmp_path / "mix.npy").exists()
    large = (names["packing"].diameters > 2).sum()
    assert len(jostle.read("large.parquet")) == 4 * large
    exec(pictures, names)
    assert (tmp_path / "report.html").exists() and (tmp_path / "packing.png").exists() and names["view"].html
    exec(study, names)
    table = names["table"]
    assert len(table) == 8 and table["error"].isna().all()
    assert (table["contacts"] > 0).all() and (table["finest"] > 0).all()
    exec(cluster, names)
    assert list(names["table"]["spheres"]) == [500, 1000] and names["table"]["error"].isna().all()


def test_the_plan_runs_with_its_command(run, tmp_path):
    (plan,) = (block for language, block in BLOCKS if language == "toml")
    (tmp_path / "plan.toml").write_text(plan)
    (commands,) = (block for language, block in BLOCKS if language == "sh" and block.startswith("jostle study"))
    arguments = shlex.split(commands.splitlines()[0], comments=True)
    assert arguments == ["jostle", "study", "plan.toml"]
    result = run(sys.executable, "-m", *arguments)
    assert result.stdout == "8 packings, 0 failed; the table is in gradings/table.parquet\n"
    table = pandas.read_parquet(tmp_path / "gradings" / "table.parquet")
    assert table["packing_fraction"].round(2).tolist() == [0.5, 0.5, 0.6, 0.6] * 2
    assert table["contacts"].notna().all() and table["contacts"].max() > 0
