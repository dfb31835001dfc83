"""Tests of `start` and of requests as people write them, in `jostle.pack`."""

import warnings

import jostle
import numpy as np
import pytest


def overlap(packing):
    """Compares all pairs of spheres in a periodic box."""
    difference = packing.centers[:, None] - packing.centers[None]
    lengths = np.array(packing.container.lengths)
    difference -= lengths * np.round(difference / lengths)
    radii = packing.radii
    gap = np.linalg.norm(difference, axis=-1) - (radii[:, None] + radii[None])
    return -gap[np.triu_indices(len(radii), 1)].min()


@pytest.fixture(scope="module")
def loose():
    return jostle.pack("equal", n=150, fraction=0.3, effort="quick")


def test_a_start_is_a_packing_a_file_or_arrays(loose, tmp_path):
    loose.save(tmp_path / "loose.json")
    loose.save(tmp_path / "loose.csv")
    side = loose.container.lengths[0]
    starts = [
        {"start": loose},
        {"start": tmp_path / "loose.json"},
        {"start": str(tmp_path / "loose.csv"), "box": side},
        {"start": (loose.centers, loose.radii), "box": side},
        {"start": {"centers": loose.centers, "diameters": loose.diameters}, "box": side},
        {"start": (loose.centers, loose.radii[0]), "box": side},
    ]
    for arguments in starts:
        found = jostle.pack(**arguments, effort="quick")
        assert found.container.lengths == pytest.approx(loose.container.lengths, abs=0, rel=1e-15)
        assert np.abs(found.centers - loose.centers).max() < 1e-6 * side, arguments
        assert (found.radii == loose.radii).all()
        assert found.provenance["start"] in ("packing", "arrays", *map(str, tmp_path.iterdir()))


def test_the_bits_are_those_of_the_command_line(program, run, loose, tmp_path):
    loose.save(tmp_path / "loose.json")
    cases = [
        (["--fraction", "0.55"], {"fraction": 0.55}),
        (["--porosity", "45%", "--seed", "3"], {"porosity": 0.45, "seed": 3}),
        (["--scale-sizes", "1.1"], {"scale_sizes": 1.1}),
        (["--densest"], {"densest": True}),
    ]
    for arguments, keywords in cases:
        run(program, "pack", "--start", "loose.json", *arguments, "--effort", "quick", "-o", "a.json", "-q")
        packing = jostle.pack(start=loose, **keywords, effort="quick")
        written = jostle.read(tmp_path / "a.json")
        assert (written.centers == packing.centers).all() and (written.radii == packing.radii).all(), arguments
        assert overlap(packing) <= 0


def test_a_packer_starts_at_the_centers(loose):
    packer = jostle.Packer(start=loose, effort="quick")
    assert np.abs(packer.centers - loose.centers).max() < 1e-4


def test_lengths_may_have_units_and_one_may_be_free():
    box = jostle.pack("din-a16", n=40, box="15cm", effort="quick").container.lengths
    assert box == (150, 150, 150)
    bed = jostle.pack("equal", n=100, box="5,5,auto", fraction=0.5, effort="quick")
    assert bed.container.lengths[:2] == (5, 5)
    assert bed.packing_fraction == pytest.approx(0.5, abs=1e-9)
    drum = jostle.pack("equal", n=60, container="cylinder:d=5,h=6,axis=x", effort="quick")
    assert drum.container.lengths == (6, 5, 5)


def test_a_request_out_of_reach_warns_before_the_run():
    sweeps = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        jostle.pack("equal", n=60, fraction=0.72, effort="quick", progress=lambda _: sweeps.append(len(caught)))
    assert set(sweeps) == {1}
    assert "may be out of reach" in str(caught[0].message)
    assert caught[0].category is jostle.PackingWarning and caught[0].filename == __file__


def test_an_estimate_packs_nothing():
    found = jostle.estimate("equal", box=20, fraction=0.5, effort="quick")
    assert found.spheres == pytest.approx(0.5 * 8000 / (np.pi / 6), abs=1)
    assert found.requested_packing_fraction == 0.5 and found.warning is None
    assert 0.6 < found.expected_packing_fraction < 0.65
    assert found.memory > 1e6 and found.seconds > 0


def test_fixed_spheres_are_moved_and_cropped():
    centers = [[1, 1, 1], [7.8, 2, 2]]
    found = jostle.pack(
        "mono:d=0.8", n=20, box=8, boundary="www", fixed=(centers, [0.5, 0.5]), fixed_at=(1, 0, 3), fixed_crop=True,
        effort="quick",
    )  # fmt: skip
    assert len(found) == 21
    assert found.centers[-1].tolist() == [2, 1, 4]
