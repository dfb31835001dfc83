"""Tests of blends with chosen shares, of predictions, and of maps by studies."""

import json
import re
import sys
import xml.etree.ElementTree as ElementTree

import jostle
import numpy as np
import pytest

COARSE = "fuller:d_min=4,d_max=16"
FINE = "fuller:d_min=1,d_max=4"
THREE = ["mono:d=1", "mono:d=1.5", "mono:d=2"]


def shares(blend):
    return [component["share"] for component in blend.components]


def test_the_shares_of_a_curve_are_found():
    blend = jostle.SizeDistribution(f"blend:({FINE})=0.5,({COARSE})=0.5")
    fitted = blend.fitted_to("fuller:d_min=1,d_max=16")
    assert shares(fitted) == pytest.approx([1 / 3, 2 / 3], abs=1e-6)
    known = blend.with_shares([0.7, 0.3])
    assert shares(blend.fitted_to(known, sieves=[2, 3, 6, 8])) == pytest.approx([0.7, 0.3], abs=1e-4)
    assert known.name == f"{FINE} 0.7000, {COARSE} 0.3000"
    diameters, passing = fitted.mass_curve([4.0])
    assert passing[0] == pytest.approx(1 / 3, abs=1e-6) and diameters[0] == 4


def test_the_command_chooses_the_same_shares(program, run):
    printed = run(program, "blend", "--json", "--densest", "mono:d=1", "mono:d=5").stdout
    densest = jostle.SizeDistribution("blend:(mono:d=1)=0.5,(mono:d=5)=0.5").densest()
    chosen = json.loads(printed)
    assert shares(densest) == pytest.approx([part["share"] for part in chosen["components"]], abs=1e-12)
    predicted = jostle.predicted_packing_fraction(densest)
    assert predicted == pytest.approx(chosen["predicted"]["rods"], abs=1e-12)
    assert predicted == pytest.approx(0.787, abs=1.5e-3)


def test_models_predict_packing_fractions():
    for model in ("rods", "compressible"):
        assert jostle.predicted_packing_fraction([1.0], model=model) == pytest.approx(0.6435, abs=1e-4)
        assert jostle.predicted_packing_fraction("equal", model=model) == pytest.approx(0.6435, abs=1e-4)
        assert jostle.predicted_packing_fraction([-1.0], model=model) == 0
    law = jostle.SizeDistribution("fuller:d_min=1,d_max=4")
    of_law = jostle.predicted_packing_fraction(law, model="compressible")
    of_sample = jostle.predicted_packing_fraction(law.sample(5000), model="compressible")
    assert of_law == pytest.approx(of_sample, abs=2e-3)
    with pytest.raises(jostle.InputError, match="unknown model 'best'"):
        jostle.predicted_packing_fraction([1.0], model="best")


def test_a_study_maps_two_components():
    requests = jostle.blend_requests("blend:(mono:d=1)=0.5,(mono:d=2)=0.5", steps=4, n=100, effort="quick")
    table = jostle.study(requests, seeds=[1, 2])
    assert len(table) == 10 and table["error"].isna().all()
    assert sorted(set(table["share of mono:d=1"])) == [0, 0.25, 0.5, 0.75, 1]
    assert np.allclose(table["share of mono:d=1"] + table["share of mono:d=2"], 1)
    assert (table["packing_fraction"] - table["predicted by rods"]).abs().max() < 0.1
    equal = table[table["share of mono:d=1"] == 1]
    assert equal["predicted by compressible packing"].iloc[0] == pytest.approx(0.6435, abs=1e-4)
    pytest.importorskip("matplotlib").use("Agg")
    axes = jostle.plot_blends(table)
    line = axes.lines[0]
    assert line.get_xdata().tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert line.get_ydata()[0] == pytest.approx(table["packing_fraction"][table["share of mono:d=1"] == 0].mean())


def test_a_study_maps_three_components():
    table = jostle.study(jostle.blend_requests(THREE, steps=2, n=60, effort="quick", columns={"batch": "A"}))
    assert len(table) == 6 and set(table["batch"]) == {"A"}
    pytest.importorskip("matplotlib").use("Agg")
    axes = jostle.plot_blends(table, "predicted by rods")
    texts = {text.get_text(): text.get_position() for text in axes.texts}
    assert set(texts) == set(THREE)
    # A pure component is at the corner with its name.
    corners = axes.lines[0].get_xydata()
    for name, share in zip(THREE, ([1, 0, 0], [0, 1, 0], [0, 0, 1])):
        row = next(i for i, found in enumerate(sorted(map(tuple, grid()))) if list(found) == share)
        assert corners[row] == pytest.approx(texts[name], abs=0.05)


def grid():
    """The compositions of three components in two steps."""
    return [(a / 2, b / 2, (2 - a - b) / 2) for a in range(3) for b in range(3 - a)]


def test_the_command_writes_a_map(run, tmp_path):
    plan = tmp_path / "map.toml"
    plan.write_text(f'out = "map"\n[blend]\ncomponents = {json.dumps(THREE)}\nsteps = 2\n[grid]\nn = 60\neffort = "quick"\n')
    run(sys.executable, "-m", "jostle", "study", plan.name, "-q")
    rows = json.loads((tmp_path / "map" / "map.json").read_text())
    assert len(rows) == 6 and len((tmp_path / "map" / "map.csv").read_text().splitlines()) == 7
    svg = (tmp_path / "map" / "map.svg").read_text()
    root = ElementTree.fromstring(svg)
    circles = [element for element in root.iter() if element.tag.endswith("circle")]
    assert len(circles) == 18
    # The picture states the shares and the packing fraction of each disc.
    stated = re.findall(r"<title>mono:d=1 ([\d.]+), mono:d=1.5 ([\d.]+), mono:d=2 ([\d.]+): ([\d.]+)</title>", svg)
    measured = {tuple(float(share) for share in row[:3]): float(row[3]) for row in stated[:6]}
    for row in rows:
        assert measured[tuple(row[f"share of {name}"] for name in THREE)] == pytest.approx(row["packing_fraction"], abs=1e-4)


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        ("[blend]\nsteps = 2\n", "no components"),
        ('[blend]\ncomponents = ["equal"]\n', "2 to 3"),
        ('[blend]\ncomponents = ["equal", "concrete"]\nparts = 2\n', "'parts'"),
        ('blend = 3\n', "a table with components"),
        ('[blend]\ncomponents = ["equal", "mono:d=2"]\n[grid]\nn = [10, 20]\n', "2 combinations"),
        ('[blend]\ncomponents = ["equal", "mono:d=2"]\n[grid]\nsizes = "equal"\n', "sizes"),
    ],
)
def test_bad_plans_are_refused(run, tmp_path, plan, words):
    (tmp_path / "plan.toml").write_text(plan)
    refused = run(sys.executable, "-m", "jostle", "study", "plan.toml", check=False)
    assert refused.returncode == 2 and words in refused.stderr and len(refused.stderr.splitlines()) == 1


def test_other_tables_and_laws_are_refused():
    import pandas

    with pytest.raises(jostle.InputError, match="share of"):
        jostle.plot_blends(pandas.DataFrame({"packing_fraction": [0.6]}))
    with pytest.raises(jostle.InputError, match="not a blend"):
        jostle.SizeDistribution("equal").densest()
    blend = jostle.SizeDistribution("blend:(mono:d=1)=0.5,(mono:d=2)=0.5")
    with pytest.raises(jostle.InputError, match="1 shares; 2 are expected"):
        blend.with_shares([1.0])
    with pytest.raises(jostle.InputError, match="agree"):
        blend.fitted_to("equal", sieves=[5])
