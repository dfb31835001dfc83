"""Tests of packings of disks."""

import json
import pickle

import jostle
import numpy as np
import pytest
import shapely
import shapely.affinity
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


def test_disks_are_analyzed_and_drawn():
    packing = jostle.pack(np.ones(200), box=(15, 15), effort="quick")
    analysis = packing.analyze(points=20_000)
    assert analysis["order"] is None
    d = packing.centers[:, None] - packing.centers[None]
    d -= 15 * np.round(d / 15)
    near = np.hypot(*d.T).T <= 1.4
    np.fill_diagonal(near, False)
    waves = np.where(near, np.exp(6j * np.arctan2(d[..., 1], d[..., 0])), 0)
    psi6 = waves.sum(axis=1) / np.maximum(near.sum(axis=1), 1)
    assert analysis["hexatic"]["psi6_mean"] == pytest.approx(np.abs(psi6).mean())
    assert analysis["hexatic"]["psi6_global"] == pytest.approx(abs(psi6.mean()))
    assert packing.profile().along == "y"
    assert packing.local_density.shape == (200,)
    assert packing.render(side=32)[:4] == b"\x89PNG"
    assert "200 disks" in packing.report()
    assert 'id="canvas"' in packing.view().html
    for refused in ({"cut": ("x", 0.5)}, {"view": (1, 1, 1)}, {"color": "level"}):
        with pytest.raises(jostle.InputError, match="is for spheres, not for disks"):
            packing.render(**refused)
    with pytest.raises(jostle.InputError, match="the profile along z is known for spheres"):
        packing.analyze(axis="z")


def test_studies_pack_disks():
    requests = [{"sizes": "mono:d=1", "box": (10, 10), "effort": "quick"}]
    table = jostle.study(requests, seeds=range(1, 3), analyses={"order": "hexatic.psi6_mean"}, progress=False)
    assert len(table) == 2
    assert table["order"].between(0.5, 1).all()


def test_maps_of_blends_are_of_spheres():
    with pytest.raises(jostle.InputError, match="the container is flat"):
        jostle.blend_requests(["mono:d=1", "mono:d=2"], 2, box=(20, 20))


def drawing(rings):
    """Returns a DXF file with a closed polyline for each ring."""
    lines = ["0 SECTION", "2 ENTITIES"]
    for ring in rings:
        lines += ["0 LWPOLYLINE", "70 1"]
        lines += [f"{code} {value}" for point in ring for code, value in zip((10, 20), point)]
    return "\n".join(line.replace(" ", "\n") for line in [*lines, "0 ENDSEC", "0 EOF"])


@pytest.mark.parametrize("name", ["star.json", "star.dxf"])
def test_outlines_have_the_distances_of_shapely(tmp_path, name):
    angles = np.linspace(0, 2 * np.pi, 30, endpoint=False)
    star = [(10 + r * np.cos(a), 10 + r * np.sin(a)) for a, r in zip(angles, 15 * [9, 6])]
    hole = [(8, 8), (12, 8), (12, 11), (9, 12)]
    polygon = shapely.Polygon(star, [hole])
    text = json.dumps(shapely.geometry.mapping(polygon)) if name == "star.json" else drawing([star, hole])
    (tmp_path / name).write_text(text)
    packing = jostle.pack(np.full(60, 1.0), container=f"outline:{tmp_path}/{name}", effort="quick")
    moved = shapely.affinity.translate(polygon, -polygon.bounds[0], -polygon.bounds[1])
    factor = packing.container.lengths[0] / (moved.bounds[2] - moved.bounds[0])
    scaled = shapely.affinity.scale(moved, factor, factor, origin=(0, 0))
    assert packing.container.volume == pytest.approx(scaled.area)
    points = [shapely.Point(*center) for center in packing.centers]
    gaps = [scaled.exterior.distance(point) if scaled.contains(point) else -1 for point in points]
    gaps = np.minimum(gaps, [shapely.LinearRing(scaled.interiors[0].coords).distance(point) for point in points])
    assert (gaps - packing.radii).min() > -1e-12
    d = packing.centers[:, None] - packing.centers[None]
    pairs = np.hypot(*d.T)[np.triu_indices(60, 1)].min() - 1.0
    least = min(pairs, (gaps - packing.radii).min())
    assert packing.certificate.min_gap == pytest.approx(least, abs=1e-9)


def test_drawings_and_images_are_written(tmp_path):
    packing = jostle.pack("mono:d=1", box=(10, 10), effort="quick")
    packing.save(tmp_path / "a.dxf")
    assert (tmp_path / "a.dxf").read_text().count("CIRCLE") == len(packing)
    packing.save(tmp_path / "a.npy", voxel=0.05)
    image = np.load(tmp_path / "a.npy")
    assert image.shape == (200, 200) and image.mean() == pytest.approx(packing.packing_fraction, abs=0.01)
    assert np.array_equal(packing.voxels(0.05), image)
    spheres = jostle.pack("mono:d=1", n=20, effort="quick")
    with pytest.raises(jostle.InputError, match="holds disks, not spheres"):
        spheres.save(tmp_path / "b.dxf")


def test_lengths_that_are_no_box_are_refused():
    for box in [(1, 2, 0), (1, 2, 3, 4), (1, 0)]:
        with pytest.raises(jostle.InputError):
            jostle.pack("mono:d=0.1", n=10, box=box)
