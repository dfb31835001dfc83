"""Tests of blends: `SizeDistribution.blend`, and the components of packings."""

import json
import pickle

import jostle
import numpy as np
import pytest
from jostle import SizeDistribution


@pytest.fixture(scope="module")
def blend():
    return SizeDistribution.blend(
        [
            {"sizes": "fuller:d_min=1,d_max=2", "share": 0.5, "label": "sand", "density": 2.5},
            {"sizes": SizeDistribution.mono(4), "share": 0.5, "label": "stones", "density": 3.0},
        ],
        by="volume",
        name="mix",
    )


@pytest.fixture(scope="module")
def packing(blend):
    return jostle.pack(blend, n=150, effort="quick")


def test_a_mapping_gives_the_inline_blend():
    ours = SizeDistribution.blend({"equal": 0.4, "mono:d=2": 0.6}, name="blend:equal=0.4,(mono:d=2)=0.6")
    theirs = SizeDistribution("blend:equal=0.4,(mono:d=2)=0.6")
    assert ours.law == theirs.law and ours.name == theirs.name
    assert [own["label"] for own in ours.components] == ["equal", "mono:d=2"]
    assert ours.cdf(1) == pytest.approx(0.4)
    assert (ours.sample(90) == theirs.sample(90)).all()
    assert SizeDistribution.mono(1).components == []


def test_labels_are_stems_of_files_and_units_are_converted(tmp_path):
    document = {"schema": 1, "name": "pit 4", "unit": "cm", "source": "test", "law": {"mono": {"d": 2}}}
    path = tmp_path / "gravel.json"
    path.write_text(json.dumps(document))
    blend = SizeDistribution.blend({path: 0.5, "cement": 0.5})
    assert [own["label"] for own in blend.components] == ["gravel", "cement"]
    assert (blend.unit, blend.d_max, blend.d_min) == ("cm", 2, pytest.approx(1e-4))


def test_a_blend_can_be_pickled_and_hashed(blend):
    assert pickle.loads(pickle.dumps(blend)) == blend
    assert hash(blend) == hash(pickle.loads(pickle.dumps(blend)))


def test_packings_know_the_component_of_each_sphere(packing, tmp_path):
    packing.save(tmp_path / "p.json")
    for found in (packing, jostle.read(tmp_path / "p.json"), pickle.loads(pickle.dumps(packing))):
        sand, stones = found.components
        assert (sand.label, sand.density, stones.label, stones.density) == ("sand", 2.5, "stones", 3.0)
        assert len(sand) + len(stones) == 150 and len(stones) > 2
        assert (found.diameters[stones.spheres] == 4).all() and (found.diameters[sand.spheres] <= 2).all()
        assert (found.component_ids == np.where(found.diameters == 4, 1, 0)).all()
    other = jostle.pack("equal", n=20, effort="quick")
    assert other.components == () and (other.component_ids == -1).all()


def test_tables_files_and_analyses_have_the_components(packing, tmp_path):
    table = packing.to_pandas()
    assert list(table["component"].cat.categories) == ["sand", "stones"]
    assert (table.groupby("component", observed=True)["radius"].max() == [table.radius[table.radius < 2].max(), 2]).all()
    with pytest.warns(jostle.OmissionWarning, match="sand, stones"):
        packing.save(tmp_path / "p.data")
    rows = [line.split() for line in (tmp_path / "p.data").read_text().splitlines() if line[:1].isdigit() and len(line.split()) == 7]
    assert [(row[1], row[3]) for row in rows] == [("2", "3.0") if d == 4 else ("1", "2.5") for d in packing.diameters]
    found = packing.analyze(tolerance=0.01, points=0)["components"]
    assert [own["label"] for own in found] == ["sand", "stones"]
    assert found[0]["volume_share"] == pytest.approx(0.5, abs=0.1)
    json.dumps(packing.to_dict()["components"])


@pytest.mark.parametrize(
    ("components", "words"),
    [
        ({}, "a blend of 0 components"),
        ({"equal": 0.5}, "sum to 0.5"),
        ([{"sizes": "equal"}], "the keys 'sizes'; sizes and share"),
        ([{"sizes": "equal", "share": 1, "mass": 2}], "the key 'mass'"),
        ([{"sizes": "equal", "share": 1, "density": -1}], "density = -1.0"),
        ({"equal": 0.5, SizeDistribution.mono(1): 0.5, "concrete": 0.5}, "sum to 1.5"),
    ],
)
def test_components_that_make_no_blend_are_refused(components, words):
    with pytest.raises(jostle.InputError, match=words):
        SizeDistribution.blend(components)
