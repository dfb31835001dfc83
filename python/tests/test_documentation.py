"""Runs each block of code in docs/guide/python.md, and checks its result."""

import re
import shlex
import sys

import jostle
import pandas
import pytest
from conftest import ROOT

TEXT = (ROOT / "docs" / "guide" / "python.md").read_text()
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def test_the_python_blocks_run(tmp_path, monkeypatch):
    import matplotlib

    matplotlib.use("Agg")
    pyvista = pytest.importorskip("pyvista")
    monkeypatch.setattr(pyvista, "OFF_SCREEN", True)
    monkeypatch.chdir(tmp_path)
    names = {}
    first, blends, arrays, files, pictures, study, cluster = (block for language, block in BLOCKS if language == "python")
    exec(first, names)
    packing = names["packing"]
    assert len(packing) == 20_000 and packing.certificate.max_overlap == 0 and packing.container.boundary == "ppw"
    assert jostle.read("concrete.data", boundary="ppw") == packing
    exec(blends, names)
    assert len(names["packing"]) == 2000 and len(names["stones"]) > 0
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
