"""Tests of arrays of single spheres and pairs, of chosen spheres, and of objects of other packages."""

import json
import pickle
import sys

import jostle
import numpy as np
import pytest


@pytest.fixture(scope="module")
def packing():
    return jostle.pack("concrete", 300, effort="quick", boundary="ppw")


def distances_of_all_pairs(packing):
    """Returns the distance between any two centers, by minimum images."""
    difference = packing.centers[:, None] - packing.centers[None]
    for axis, letter in enumerate(packing.container.boundary):
        if letter == "p":
            length = packing.lengths[axis]
            difference[..., axis] -= length * np.round(difference[..., axis] / length)
    return np.linalg.norm(difference, axis=-1)


@pytest.mark.parametrize("share", [0.1, 0.3, 1.0])
def test_neighbors_are_the_pairs_within_the_cutoff(packing, share):
    cutoff = share * 0.5 * packing.lengths[:2].min()
    distances = distances_of_all_pairs(packing)
    first, second = np.nonzero(np.triu(distances <= cutoff, 1))
    found = packing.neighbors(cutoff)
    assert isinstance(found, jostle.Neighbors)
    assert (found.pairs == np.column_stack([first, second])).all() and found.pairs.dtype == np.int64
    assert found.distances == pytest.approx(distances[first, second], rel=1e-12)


def test_unsuitable_cutoffs_are_rejected(packing):
    for cutoff, words in [(0, "the cutoff is 0"), (1e6, "half of the shortest periodic length"), ("x", "cutoff is 'x'")]:
        with pytest.raises(jostle.InputError, match=words):
            packing.neighbors(cutoff)
    assert packing[[]].neighbors(0.5).pairs.shape == (0, 2)


def test_contact_numbers_count_the_pairs_that_touch(packing):
    radii = packing.radii
    gaps = distances_of_all_pairs(packing) - (radii[:, None] + radii[None])
    touch = gaps <= packing.contact_tolerance * 2 * np.minimum(radii[:, None], radii[None])
    np.fill_diagonal(touch, False)
    assert (packing.coordination == touch.sum(axis=1)).all()
    reach = np.minimum(packing.centers[:, 2], packing.lengths[2] - packing.centers[:, 2]) - radii
    walls = reach <= packing.contact_tolerance * 2 * radii
    is_rattler = np.zeros(len(packing), dtype=bool)
    while True:
        weak = (touch[:, ~is_rattler].sum(axis=1) + walls < 4) & ~is_rattler
        if not weak.any():
            break
        is_rattler |= weak
    assert (packing.rattlers == is_rattler).all() and packing.rattlers.dtype == bool
    analysis = packing.analyze(points=0)
    assert packing.contact_tolerance == analysis["contacts"]["tolerance"]
    assert packing.rattlers.sum() == analysis["rattlers"]["number"]
    for array in (packing.coordination, packing.rattlers, packing.local_density):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_cells_have_the_shares_of_random_points(packing):
    points = np.random.default_rng(5).random((4000, 3)) * packing.lengths
    difference = np.abs(points[:, None] - packing.centers[None])
    for axis in (0, 1):
        difference[..., axis] = np.minimum(difference[..., axis], packing.lengths[axis] - difference[..., axis])
    power = (difference**2).sum(axis=-1) - packing.radii**2
    hits = np.bincount(power.argmin(axis=1), minlength=len(packing)) / len(points)
    shares = (packing.radii**3 * 4 / 3 * np.pi / packing.local_density) / packing.container.volume
    assert shares.sum() == pytest.approx(1, abs=1e-9)
    error = np.sqrt(shares * (1 - shares) / len(points))
    assert (np.abs(hits - shares) < 5.5 * error + 1e-3).all()
    assert ((packing.local_density > 0) & (packing.local_density < 1)).all()


def test_cells_need_a_convex_container():
    packing = jostle.pack("mono:d=0.5", 20, box=4, keep_out=jostle.Sphere(2, position=(2, 2, 2)), effort="quick")
    with pytest.raises(jostle.InputError, match="without bodies"):
        packing.local_density  # noqa: B018


def test_chosen_spheres_are_a_packing(packing):
    mask = packing.diameters > 3
    coarse = packing[mask]
    assert (coarse.centers == packing.centers[mask]).all() and (coarse.radii == packing.radii[mask]).all()
    assert (coarse.ids == packing.ids[mask]).all() and coarse.container == packing.container and coarse.unit == packing.unit
    # The certificate and the packing fraction are those of the chosen spheres.
    expected = jostle.certify(coarse.centers, coarse.radii, box=packing.lengths, boundary="ppw")
    assert coarse.certificate == expected and coarse.certificate.min_gap >= packing.certificate.min_gap
    assert coarse.packing_fraction == pytest.approx(4 / 3 * np.pi * (coarse.radii**3).sum() / packing.container.volume)
    assert coarse.sizes is None and coarse.provenance is None and coarse.unmet == []
    assert (packing[::-2].ids == packing.ids[::-2]).all() and (packing[[7, -1]].ids == [7, 299]).all()
    assert packing[:].digest() == packing.digest() and packing[:] == packing
    assert len(packing[[]]) == len(packing[5:5]) == 0 and packing[[]].packing_fraction == 0
    assert (coarse[coarse.ids > 9].ids == coarse.ids[coarse.ids > 9]).all()


def test_chosen_spheres_keep_their_components():
    packing = jostle.pack(jostle.SizeDistribution.blend({"mono:d=1": 0.5, "mono:d=2": 0.5}), n=180, effort="quick")
    for key in (slice(None, None, 3), packing.radii > 0.75, packing.radii < 0.75, [179, 3, 4, 90], []):
        chosen = packing[key]
        assert (chosen.component_ids == packing.component_ids[key]).all()
        assert [component.label for component in chosen.components] == ["mono:d=1", "mono:d=2"]


def test_fixed_spheres_remain_the_last_ones():
    fixed = ([[2.0, 2.0, 2.0], [5.0, 5.0, 5.0]], [1.0, 1.0])
    packing = jostle.pack("mono:d=1", 60, box=8, fixed=fixed, effort="quick")
    assert packing[packing.radii > 0.75].fixed == 2
    assert packing[-1:].fixed == 1 and packing[:10].fixed == 0
    assert packing[::-1].fixed == 0


@pytest.mark.parametrize(
    ("key", "words"),
    [
        (3, "a mask of shape"),
        ("all", "a mask of shape"),
        (np.ones((2, 2), dtype=bool), "a mask of shape"),
        ([0.5], "a mask of shape"),
        ([True, False], "2 values for 300 spheres"),
        ([0, 300], "no sphere 300"),
        ([-301], "no sphere -301"),
        ([4, 5, 4], "sphere 4 is chosen twice"),
    ],
)
def test_unsuitable_choices_are_rejected(packing, key, words):
    with pytest.raises(jostle.InputError, match=words):
        packing[key]


def test_a_packing_is_no_sequence(packing):
    with pytest.raises(TypeError):
        iter(packing)


def test_voxels_hold_the_spheres(packing, tmp_path):
    size = packing.lengths.min() / 30
    image = packing.voxels(size, "id")
    middles = [(np.arange(count) + 0.5) * length / count for count, length in zip(image.shape, packing.lengths)]
    points = np.stack(np.meshgrid(*middles, indexing="ij"), axis=-1)
    expected = np.zeros(image.shape, dtype=int)
    for number, (center, radius) in enumerate(zip(packing.centers, packing.radii), 1):
        difference = np.abs(points - center)
        difference[..., :2] = np.minimum(difference[..., :2], packing.lengths[:2] - difference[..., :2])
        expected[(difference**2).sum(axis=-1) <= radius**2] = number
    # Rounding may move the surface by one voxel.
    assert (image == expected).mean() > 1 - 1e-4 and image.dtype == np.uint16
    solid = packing.voxels(size)
    assert ((solid == 1) == (image > 0)).all() and solid.dtype == np.uint8
    assert packing.voxels(size, "class", types=3).max() == 3
    packing.save(tmp_path / "image.npy", voxel=size, voxel_values="id")
    assert (np.load(tmp_path / "image.npy") == image).all()
    for bad, words in [(0, "above 0 and at most"), (1000, "at most"), ("x", "size is 'x'")]:
        with pytest.raises(jostle.InputError, match=words):
            packing.voxels(bad)
    with pytest.raises(MemoryError, match="the voxels would need"):
        packing.voxels(1e-6)


def test_bytes_are_the_files(packing, tmp_path):
    import io

    for name, format, hints in [("p.json", "json", {}), ("p.npz", "npz", {}), ("p.data", "lammps-data", {"boundary": "ppw"})]:
        packing.save(tmp_path / name, format)
        content = packing.to_bytes(format)
        assert content == (tmp_path / name).read_bytes()
        for source in (content, bytearray(content), io.BytesIO(content)):
            assert jostle.read(source, format, **hints) == packing
    assert jostle.read(io.StringIO(packing.to_bytes("xyz").decode()), "xyz") == packing
    # The format of bytes is JSON unless it is named.
    assert jostle.read(packing.to_bytes()).digest() == packing.digest()
    with pytest.warns(jostle.OmissionWarning) as caught:
        packing.to_bytes("npy", scale=2)
    assert caught[0].filename == __file__
    for call, kind, words in [
        (lambda: packing.to_bytes("pvtp"), jostle.InputError, "has several files"),
        (lambda: packing.to_bytes("lammps-data", script=True), jostle.InputError, "script"),
        (lambda: packing.to_bytes("json", sclae=2), TypeError, "sclae"),
        (lambda: jostle.read(b"{", "json"), jostle.InputError, "line 1"),
        (lambda: jostle.read(b"1,2", "cvs"), jostle.InputError, "unknown format 'cvs'"),
    ]:
        with pytest.raises(kind, match=words):
            call()


def test_objects_of_other_packages_hold_the_spheres(packing):
    atoms = packing.to_ase()
    assert (atoms.positions == packing.centers).all() and (atoms.get_pbc() == [True, True, False]).all()
    assert (atoms.cell.lengths() == packing.lengths).all() and (atoms.get_array("radius") == packing.radii).all()
    data = packing.to_xarray()
    assert (data["center"].sel(axis="z") == packing.centers[:, 2]).all() and data["radius"].attrs == {"units": "mm"}
    assert data.attrs["packing_fraction"] == packing.packing_fraction and data.sizes == {"sphere": 300, "axis": 3}
    pytest.importorskip("pyvista")
    points = packing.to_pyvista()
    assert (points.points == packing.centers).all() and (points["diameter"] == packing.diameters).all()


@pytest.mark.parametrize(("name", "method"), [("ase", "to_ase"), ("xarray", "to_xarray"), ("pyvista", "to_pyvista")])
def test_a_missing_package_is_named(packing, monkeypatch, name, method):
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match=f"pip install {name}"):
        getattr(packing, method)()


def test_forces_of_a_row_between_walls():
    """Two spheres between the ends of a box, with a force of 3, and one that nothing holds."""
    walls = [{"sphere": 0, "normal": [-1, 0, 0], "force": 3}, {"sphere": 1, "normal": [1, 0, 0], "force": 3}]
    spheres = jostle.read(
        b"id,x,y,z,radius\n0,0.5,1,1,0.5\n1,1.5,1,1,0.5\n2,1,3,3,0.5\n", "csv", box=(2, 4, 4), boundary="wpp"
    )
    assert spheres.force_contacts is None and spheres.contacts(1e-6).forces is None
    content = json.loads(spheres.to_bytes())
    content["forces"] = {"pairs": [[0, 1]], "of_pairs": [3], "walls": walls}
    packing = jostle.read(json.dumps(content).encode(), "json")
    for each in (packing, pickle.loads(pickle.dumps(packing))):
        assert each.force_contacts.tolist() == [2, 2, 0]
        contacts = each.contacts(1e-6)
        assert contacts.forces.tolist() == [3] and contacts.walls.tolist() == [0, 1]
        assert contacts.wall_forces.tolist() == [3, 3]
    network = packing.analyze(points=0)["force_network"]
    assert network["stress"]["tensor"][0][0] == pytest.approx(3 / 16)
    assert network["rattlers"] == 1
