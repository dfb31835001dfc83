"""Tests of beds at rest: the bits of the command line, and their stability by brute force."""

import pickle

import jostle
import numpy as np
import pytest

ARGUMENTS = {"sizes": "uniform-size:d_min=0.7,d_max=1.3", "box": "6,6,auto", "boundary": "ppw"}


@pytest.fixture(scope="module")
def bed():
    return jostle.pour(**ARGUMENTS, height=6)


def test_the_command_line_makes_the_same_bits(run, program, bed, tmp_path):
    run(program, "pour", ARGUMENTS["sizes"], "--box", "6,6,auto", "--boundary", "ppw", "--height", "6", "-o", "bed.json")
    written = jostle.read(tmp_path / "bed.json")
    assert written == bed
    assert (written.supports().pairs == bed.supports().pairs).all()
    assert written.provenance == bed.provenance


def test_no_sphere_of_a_written_bed_can_roll_down(bed, tmp_path):
    """Neither contacts nor supports of the library: all pairs, and descents along random directions."""
    bed.save(tmp_path / "bed.csv")
    table = np.loadtxt(tmp_path / "bed.csv", delimiter=",", skiprows=1)
    centers, radii = table[:, 1:4], table[:, 4]
    apart = centers[:, None] - centers[None]
    apart[..., :2] -= 6 * np.round(apart[..., :2] / 6)
    distances = np.linalg.norm(apart, axis=-1)
    gaps = distances - radii[:, None] - radii[None]
    np.fill_diagonal(gaps, np.inf)
    assert gaps.min() >= -1e-12
    random = np.random.default_rng(1)
    directions = random.normal(size=(4000, 3))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    down = directions[directions[:, 2] < -1e-3]
    for sphere in range(len(radii)):
        touching = gaps[sphere] < 1e-6
        normals = apart[sphere, touching] / distances[sphere, touching, None]
        if centers[sphere, 2] - radii[sphere] < 1e-6:
            normals = np.vstack([normals, [0, 0, 1]])
        # A step along a direction at a right angle to a support leaves it to second order.
        leaves_all = (down @ normals.T >= 0).all(axis=1)
        assert not leaves_all.any(), f"sphere {sphere} rolls down"


def test_supports_are_arrays(bed):
    supports = bed.supports()
    assert isinstance(supports, jostle.Supports)
    assert len(supports) == len(supports.pairs) == len(supports.normals)
    assert supports.gravity == "-z" and supports.unsupported == 0 and supports.max_gap < 1e-6
    assert set(supports.pairs[:, 0]) == set(range(len(bed)))
    assert np.linalg.norm(supports.normals, axis=1) == pytest.approx(1, abs=1e-9)
    assert pickle.loads(pickle.dumps(bed)).supports().unsupported == 0
    with pytest.raises(jostle.InputError, match="no supports"):
        bed[:10].supports()


def test_a_jammed_bed_carries_its_weight(run, program, tmp_path):
    """The forces at each sphere sum up to its weight: the file of the command line, with NumPy alone."""
    run(program, "pour", "mono:d=1", "-n", "80", "--container", "cylinder:d=5", "--jam", "-o", "bed.json")
    bed = jostle.pour("mono:d=1", n=80, container="cylinder:d=5", jam=True)
    written = jostle.read(tmp_path / "bed.json")
    assert written == bed and bed.provenance["jamming"]["end"] == "jammed"
    contacts = pickle.loads(pickle.dumps(bed)).contacts()
    sums = np.zeros((80, 3))
    for (a, b), force in zip(contacts.pairs, contacts.forces):
        normal = bed.centers[b] - bed.centers[a]
        normal /= np.linalg.norm(normal)
        sums[a] -= force * normal
        sums[b] += force * normal
    for sphere, normal, force in zip(contacts.walls, contacts.wall_normals, contacts.wall_forces):
        sums[sphere] -= force * normal
    mean = contacts.forces[contacts.forces > 0].mean()
    assert np.abs(sums - [0, 0, sums[:, 2].mean()]).max() < 1e-5 * mean
    assert sums[:, 2].mean() > 0.01 * mean
    assert bed.analyze()["bed"]["gravity"] == "-z"
    with pytest.raises(jostle.InputError, match="no supports"):
        bed.supports()


def test_layers_rest_on_fixed_spheres(bed):
    second = jostle.pour("mono:d=1", 50, box="6,6,auto", boundary="ppw", fixed=bed)
    assert second.container.lengths[2] >= bed.container.lengths[2]
    assert (second.centers[50:] == bed.centers).all()
    assert second.centers[:50, 2].min() > bed.centers[:, 2].mean()


def test_gravity_turns_a_bed(bed):
    turned = jostle.pour("mono:d=1", 100, container="box:lx=auto,ly=5,lz=5", gravity="-x")
    assert turned.supports().gravity == "-x"
    assert turned.centers[:, 0].min() == pytest.approx(0.5)


def test_progress_stops_a_deposition():
    seen = []
    packing = jostle.pour("mono:d=1", 20_000, container="cylinder:d=20", progress=lambda state: seen.append(state) or False)
    assert len(seen) == 1 and isinstance(seen[0], jostle.PourProgress)
    assert len(packing) == seen[0].deposited < 20_000
    assert packing.stop_reason == "interrupted"


def test_a_checkpoint_continues_a_deposition(tmp_path):
    arguments = {"sizes": "mono:d=1", "n": 20_000, "container": "cylinder:d=20", "checkpoint": tmp_path / "run.checkpoint"}
    jostle.pour(**arguments, progress=lambda state: state.deposited < 5000)
    assert arguments["checkpoint"].exists()
    with pytest.raises(jostle.InputError, match="another request"):
        jostle.pour(**{**arguments, "seed": 2})
    continued = jostle.pour(**arguments)
    assert not arguments["checkpoint"].exists()
    assert continued == jostle.pour("mono:d=1", 20_000, container="cylinder:d=20")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "vessel"),
        ({"container": "sphere:d=5"}, "closed at its top"),
        ({"container": "cylinder:d=0.5"}, "diameter 1"),
        ({"container": "cylinder:d=5", "height": 3}, "one of"),
        ({"container": "cylinder:d=5", "gravity": "down"}, "direction"),
        ({"container": "cylinder:d=5", "source": (1, 2)}, "coordinates"),
        ({"container": "cylinder:d=5", "passes": 2}, "without source"),
        ({"container": "cylinder:d=5", "taps": 2, "fraction": 0.6}, "taps and fraction"),
    ],
)
def test_unsuitable_arguments_are_rejected(arguments, words):
    with pytest.raises(jostle.InputError, match=words):
        jostle.pour("mono:d=1", 10, **arguments)


def test_an_outlet_has_a_width_of_four_spheres():
    request = {"sizes": "mono:d=1", "n": 60, "box": "12,12,12", "source": (6, 6, 11)}
    chosen = jostle.pour(**request)
    assert chosen == jostle.pour(**request, source_diameter=4)
    assert chosen != jostle.pour(**request, source_diameter=0)


def test_a_bed_beyond_the_memory_is_refused():
    with pytest.raises(jostle.InputError, match="of memory, but only"):
        jostle.pour("mono:d=1", n=1_000_000_000, container="cylinder:d=60")
