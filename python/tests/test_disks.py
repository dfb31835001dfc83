"""Tests of packings of disks."""

import pickle

import jostle
import numpy as np
import pytest
from conftest import largest_overlap


def test_a_box_of_two_lengths_holds_disks():
    packing = jostle.pack("bidisperse:d_small=1,d_large=1.4,number_small=0.5", box=(12, 10), boundary="pw", effort="quick")
    assert packing.centers.shape == (len(packing), 2)
    assert packing.container.lengths == (12.0, 10.0, 0.0)
    assert packing.container.boundary == "pw"
    assert packing.container.volume == 120.0
    assert largest_overlap(packing) <= 1e-12
    area = np.pi * (np.array(packing.radii) ** 2).sum()
    assert packing.packing_fraction == pytest.approx(area / 120)
    text = jostle.pack("bidisperse:d_small=1,d_large=1.4,number_small=0.5", box="12,10", boundary="pw", effort="quick")
    assert text == packing


def test_disks_are_read_saved_and_certified(tmp_path):
    packing = jostle.pack(np.ones(40), container="circle", effort="quick")
    assert packing.container.shape.startswith("circle:d=")
    packing.save(tmp_path / "disks.json")
    assert jostle.read(tmp_path / "disks.json") == packing
    assert pickle.loads(pickle.dumps(packing)) == packing
    assert jostle.certify([[1, 1], [1, 2.5]], [0.5, 0.5], box=(4, 4)).min_gap == pytest.approx(0.5)
    with pytest.raises(jostle.InputError, match="holds spheres, not disks"):
        packing.save(tmp_path / "disks.stl")
    with pytest.raises(jostle.InputError, match="known for spheres"):
        packing.analyze()


def test_lengths_that_are_no_box_are_refused():
    for box in [(1, 2, 0), (1, 2, 3, 4), (1, 0)]:
        with pytest.raises(jostle.InputError):
            jostle.pack("mono:d=0.1", n=10, box=box)
