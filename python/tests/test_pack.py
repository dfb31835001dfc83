"""Tests of `jostle.pack` and `jostle.Packer`."""

import pickle
import signal
import subprocess
import sys
import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import jostle
import numpy as np
import pytest
from conftest import largest_overlap, start, wait_for_thread


def test_the_bits_are_those_of_the_command_line(program, run, tmp_path):
    cases = [
        (["concrete", "-n", "3000"], {"sizes": "concrete", "n": 3000}),
        (
            ["fuller:d_min=1,d_max=4", "--box", "12,12,20", "--fraction", "0.55", "--boundary", "ppw", "--seed", "7"],
            {"sizes": jostle.SizeDistribution.fuller(1, 4), "box": (12, 12, 20), "fraction": 0.55, "boundary": "ppw", "seed": 7},
        ),
        (
            ["power-law-3", "-n", "1000", "--sampling", "random", "--exchange", "auto", "--min-gap", "0.01"],
            {"sizes": "power-law-3", "n": 1000, "sampling": "random", "exchange": "auto", "min_gap": 0.01},
        ),
        (
            ["equal", "--container", "cylinder:d=8,h=12", "--fraction", "0.5", "--boundary", "p", "--wall-gap", "0.05"],
            {"sizes": "equal", "container": "cylinder:d=8,h=12", "fraction": 0.5, "boundary": "p", "wall_gap": 0.05},
        ),
        (["concrete", "-n", "900", "--breathe", "auto"], {"sizes": "concrete", "n": 900, "breathe": "auto"}),
        (["concrete", "-n", "900", "--toward-nearest", "0.5"], {"sizes": "concrete", "n": 900, "toward_nearest": 0.5}),
        (["equal", "-n", "100", "--jam"], {"sizes": "equal", "n": 100, "jam": True}),
        (["concrete", "-n", "300", "--container", "sphere"], {"sizes": "concrete", "n": 300, "container": "sphere"}),
        (["equal", "-n", "800", "--max-sweeps", "70"], {"sizes": "equal", "n": 800, "max_sweeps": 70, "index": "kd-tree"}),
    ]
    for arguments, keywords in cases:
        run(program, "pack", *arguments, "--effort", "quick", "-o", "packing.json", "-q")
        packing = jostle.pack(**keywords, effort="quick")
        assert jostle.read(tmp_path / "packing.json").digest() == packing.digest(), arguments


def test_bodies_and_fixed_spheres_are_those_of_the_command_line(program, run, tmp_path):
    (tmp_path / "skeleton.csv").write_text("x,y,z,radius\n0.1,4.3,7.9,1.5\n3.7,2.2,3.3,1.25\n")
    bodies = ["cylinder:d=1.5@6,0,1,axis=y", "sphere:d=2@6,6,6"]
    options = ["--box", "8", "--fixed", "skeleton.csv", "--keep-out", bodies[0], "--keep-out", bodies[1], "--effort", "quick"]
    run(program, "pack", "mono:d=0.6", "--fraction", "0.5", *options, "-o", "packing.json", "-q")
    theirs = jostle.read(tmp_path / "packing.json")
    skeleton = jostle.read(tmp_path / "skeleton.csv", box=8)
    for fixed in (skeleton, (skeleton.centers.tolist(), skeleton.radii)):
        packing = jostle.pack("mono:d=0.6", box=8, fraction=0.5, keep_out=bodies, fixed=fixed, effort="quick")
        assert packing.digest() == theirs.digest()
        assert packing.container == theirs.container
    assert packing.fixed == 2
    assert (packing.centers[-2:] == skeleton.centers).all() and (packing.radii[-2:] == skeleton.radii).all()
    assert largest_overlap(packing) <= 0
    volume = 512 - 8 * np.pi * 0.75**2 - 4 / 3 * np.pi
    assert packing.container.volume == pytest.approx(volume, rel=1e-12)
    assert packing.packing_fraction == pytest.approx(4 / 3 * np.pi * (packing.radii**3).sum() / volume, rel=1e-12)
    periodic = (packing.centers - [6, 6, 6] + 4) % 8 - 4
    assert (np.linalg.norm(periodic, axis=1) >= 1 + packing.radii - 1e-13).all()
    from_axis = (packing.centers[:, [0, 2]] - [6, 1] + 4) % 8 - 4
    assert (np.linalg.norm(from_axis, axis=1) >= 0.75 + packing.radii - 1e-13).all()
    assert jostle.certify(packing.centers, packing.radii, box=8, keep_out=bodies) == packing.certificate
    copy = pickle.loads(pickle.dumps(packing))
    assert (copy.container, copy.fixed) == (packing.container, 2)


def test_spheres_without_room_around_fixed_ones_are_left_out():
    fixed = ([[2.0, 2.0, 2.0], [2.5, 2.0, 2.0]], [1.5, 1.5])
    packing = jostle.pack("mono:d=1", 60, box=4, fixed=fixed, fixed_may_overlap=True, effort="quick")
    assert packing.provenance["left_out"] == 62 - len(packing) > 0
    assert packing.certificate.max_overlap == pytest.approx(2.5)
    assert jostle.certify(packing.centers[:-2], packing.radii[:-2], box=4).max_overlap == 0


def test_a_request_that_is_not_met_warns_or_raises():
    unreached = {"sizes": "equal", "n": 100, "fraction": 0.9, "effort": "quick"}
    with pytest.warns(jostle.PackingWarning, match="the requested packing fraction 0.9 was not reached") as caught:
        packing = jostle.pack(**unreached)
    before, after = caught
    assert "is expected; it may be out of reach" in str(before.message)
    assert before.filename == after.filename == __file__ and packing.unmet == [str(after.message)]
    assert pickle.loads(pickle.dumps(packing)).unmet == packing.unmet
    with pytest.raises(jostle.PackingError, match="not reached") as error:
        jostle.pack(**unreached, strict=True)
    assert error.value.packing == packing
    with pytest.warns(jostle.PackingWarning, match="the requested box was not reached"):
        jostle.pack("mono:d=1", 100, box=4, effort="quick")
    with pytest.warns(jostle.PackingWarning, match="the sample of 10 spheres"):
        assert jostle.pack("concrete", 10, effort="quick").unmet
    with pytest.raises(jostle.PackingError) as error:
        jostle.pack("concrete", 10, strict=True)
    # The sample tells before the run.
    assert error.value.packing is None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert jostle.pack("equal", 100, fraction=0.5, effort="quick", strict=True).unmet == []


def test_a_file_is_the_one_of_the_command_line(program, run, tmp_path):
    run(program, "pack", "din-a16", "-n", "500", "--effort", "0.25", "-o", "theirs.json", "-q")
    jostle.pack("din-a16", 500, effort=0.25).save(tmp_path / "ours.json")
    assert (tmp_path / "ours.json").read_bytes() == (tmp_path / "theirs.json").read_bytes()


def test_packings_have_no_overlap_by_all_pairs():
    for boundary in ("ppp", "www", "ppw"):
        packing = jostle.pack("power-law-3", 400, boundary=boundary, effort="quick")
        assert largest_overlap(packing) <= 0
        assert packing.certificate.max_overlap == 0


def test_spheres_stay_in_a_cylinder():
    packing = jostle.pack("power-law-3", container="cylinder:d=25,h=30", fraction=0.5, wall_gap=0.1, effort="quick")
    assert packing.container.shape == "cylinder:d=25,h=30" and packing.stop_reason == "fraction-reached"
    # The axis of the cylinder is in the middle of the bounding box.
    distance = np.hypot(packing.centers[:, 0] - 12.5, packing.centers[:, 1] - 12.5) + packing.radii
    assert (distance <= 12.5 - 0.1 + 1e-9).all()
    assert packing.container.volume == pytest.approx(np.pi * 12.5**2 * 30)
    certificate = jostle.certify(packing.centers, packing.radii, container=packing.container.shape)
    assert certificate == packing.certificate
    assert "cylinder" in repr(packing)


# A square funnel without lid and outlet. The last face is turned.
FUNNEL = """v -1 -1 0
v 1 -1 0
v 1 1 0
v -1 1 0
v -5 -5 8
v 5 -5 8
v 5 5 8
v -5 5 8
f 1 2 6 5
f 2 3 7 6
f 3 4 8 7
f 1 4 8 5
"""


def test_meshes_are_repaired(tmp_path):
    path = tmp_path / "funnel.obj"
    path.write_text(FUNNEL)
    with pytest.raises(jostle.InputError, match="one of 2 openings of 4 edges, 40 long, around .* 'cap' closes it"):
        jostle.Container.mesh(path)
    hopper = jostle.Container.mesh(path, cap=True)
    # The frustum of a pyramid.
    volume = 8 / 3 * (4 + 100 + 20)
    assert hopper.volume == pytest.approx(volume, rel=1e-12)
    assert hopper.repairs["capped_openings"] == 2 and hopper.repairs["flipped_triangles"] == 2
    assert hopper.repairs["capped_area"] == pytest.approx(104, rel=1e-12)
    packing = jostle.pack("mono:d=1", 60, container=hopper, effort="quick")
    assert packing.container.volume == pytest.approx(hopper.volume, rel=1e-12)
    assert packing.container.repairs == pytest.approx(hopper.repairs, rel=1e-12)
    assert jostle.certify(packing.centers, packing.radii, container=hopper) == packing.certificate
    larger = jostle.Container.mesh(path, cap=True, scale=10, inside=(0, 0, 40), fit=True)
    assert larger.volume == pytest.approx(1000 * volume, rel=1e-12)
    packing = jostle.pack("mono:d=1", 60, container=larger, effort="quick")
    assert packing.container.volume < volume
    assert jostle.pack("equal", 5, container="sphere", effort="quick").container.repairs == {}
    for keywords, words in [
        ({"inside": (1, 2)}, "inside is '1.0,2.0'"),
        ({"inside": (9, 9, 9)}, "outside of all shells"),
        ({"inside": 5}, "an array of shape"),
        ({"scale": 0}, "scale is '0.0'"),
        ({"cap": "yes"}, "cap is 'yes'"),
    ]:
        with pytest.raises(jostle.InputError, match=words):
            jostle.Container.mesh(path, **{"cap": True, **keywords})


def test_sizes_may_be_diameters():
    diameters = np.random.default_rng(1).uniform(1, 3, 300)
    packing = jostle.pack(diameters, fraction=0.5, effort="quick")
    assert (packing.diameters == diameters).all()
    assert packing.packing_fraction == pytest.approx(0.5, rel=1e-9)
    assert packing.sizes is None
    assert jostle.pack(list(diameters), fraction=0.5, effort="quick") == packing
    assert (jostle.pack(diameters.astype(np.float32)[::2], box=30, effort="quick").lengths == 30).all()


def test_a_path_is_a_file_of_sizes(tmp_path):
    path = tmp_path / "pit.json"
    path.write_text(
        '{"schema": 1, "name": "pit", "unit": "mm", "source": "x", "law": {"sieve": {"passing": [[1, 0], [2, 40], [4, 100]]}}}'
    )
    packing = jostle.pack(path, 200, effort="quick")
    assert packing.unit == "mm"
    assert packing.provenance["sizes"] == "pit"


def test_limits_end_a_run():
    assert jostle.pack("equal", 2000, max_sweeps=60).stop_reason == "sweep-limit"
    packing = jostle.pack("equal", 20_000, effort="thorough", time_limit=0.01)
    assert packing.stop_reason == "time-limit"
    assert packing.certificate.max_overlap == 0
    assert packing.seconds > 0
    assert jostle.pack("equal", 100, threads=1, effort="quick").threads == 1


def test_a_callable_receives_the_progress_and_stops_the_run():
    seen = []

    def observe(progress):
        seen.append(progress)
        return len(seen) < 5

    packing = jostle.pack("equal", 500, progress=observe)
    assert [progress.sweeps for progress in seen] == [1, 2, 3, 4, 5]
    assert isinstance(seen[0], jostle.Progress)
    assert all(progress.spheres == 500 and progress.seconds > 0 for progress in seen)
    assert packing.stop_reason == "interrupted"
    assert packing.certificate.max_overlap == 0


def test_a_callable_that_returns_nothing_lets_the_run_go_on():
    seen = []
    packing = jostle.pack("equal", 200, effort="quick", progress=seen.append)
    assert packing.stop_reason == "converged"
    assert len(seen) == packing.provenance["sweeps"]


def test_an_exception_of_the_callable_is_raised():
    def fail(progress):
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine") as error:
        jostle.pack("equal", 500, progress=fail)
    assert not hasattr(error.value, "packing")


def test_a_bar_shows_the_progress(capsys, monkeypatch):
    packing = jostle.pack("equal", 300, effort="quick", progress=True)
    assert f"{packing.provenance['sweeps']} sweeps" in capsys.readouterr().err.replace("/", " sweeps ")
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    assert jostle.pack("equal", 300, effort="quick", progress=True) == packing
    assert "packing" in capsys.readouterr().err


MESSAGES = [
    ({"sizes": "concret"}, ["concret"]),
    ({"sizes": "mono:d=-1"}, ["mono:d=-1"]),
    ({"sizes": "missing.json"}, ["missing.json"]),
    ({"effort": "slow"}, ["--effort", "slow"]),
    ({"index": "tree"}, ["--index", "tree"]),
    ({"boundary": "pp"}, ["--boundary", "pp"]),
    ({"exchange": "on"}, ["--exchange", "on"]),
    ({"toward_nearest": "1.5"}, ["--toward-nearest", "1.5"]),
    ({"sampling": "some"}, ["--sampling", "some"]),
    ({"sizes": "equal", "n": 10, "box": 1}, ["equal", "-n", "10", "--box", "1"]),
    ({"sizes": "equal", "n": 10, "box": 0.5}, ["equal", "-n", "10", "--box", "0.5"]),
    ({"sizes": "equal", "n": 10**12}, ["equal", "-n", "1e12"]),
]


@pytest.mark.parametrize(("keywords", "arguments"), MESSAGES, ids=lambda value: str(value))
def test_messages_are_those_of_the_command_line(program, run, keywords, arguments):
    with pytest.raises((ValueError, OSError)) as error:
        jostle.pack(**keywords)
    message = run(program, "pack", *arguments, check=False).stderr.strip()
    # The program names the option before the sentence. Free memory changes from one call to the next.
    sentence = str(error.value).split(" are available")[0].split(", but only")[0]
    assert sentence and sentence in message


@pytest.mark.parametrize(
    ("keywords", "words"),
    [
        ({"box": "10,10,auto"}, "a length of the container is auto"),
        ({"box": 10, "n": 10, "fraction": 0.5}, "give two of them"),
        ({"sizes": [1.0], "n": 2}, "the number of spheres is 2, but 1 diameters are given"),
        ({"sizes": [1.0], "box": 3, "fraction": 0.5}, "or their diameters, are given together"),
        ({"sizes": [1.0, -1.0]}, "radius -5e-1 of sphere 1"),
        ({"sizes": []}, "the number of spheres is 0"),
        ({"sizes": [[1.0, 2.0]]}, "shape (1, 2)"),
        ({"sizes": ["a"]}, "sizes holds texts"),
        ({"sizes": np.array(["1.5"])}, "sizes holds texts"),
        ({"sizes": [1.0, True]}, "sizes holds bool"),
        ({"sizes": [1.0, None]}, "sizes holds NoneType"),
        ({"sizes": np.array([True])}, "sizes holds booleans"),
        ({"sizes": [1 + 2j]}, "sizes holds complex"),
        ({"sizes": np.array(["2026-01-01"], dtype="datetime64[D]")}, "sizes holds dates"),
        ({"sizes": np.ma.masked_array([1.0, 2.0], [False, True])}, "sizes has masked values"),
        ({"sizes": 10_000}, "the number of spheres is n"),
        ({"n": True}, "n is True"),
        ({"n": "10"}, "n is '10'"),
        ({"threads": None}, "threads is None"),
        ({"min_gap": None}, "min_gap is None"),
        ({"min_gap": True}, "min_gap is True"),
        ({"exchange": None}, "exchange is None"),
        ({"toward_nearest": None}, "toward_nearest is None"),
        ({"index": None}, "index is None"),
        ({"fraction": "0.5"}, "fraction is '0.5'"),
        ({"fraction": np.timedelta64(1, "s")}, "a number is expected"),
        ({"box": "2,34,5,6", "n": 1}, "box is '2,34,5,6'"),
        ({"box": "2cm", "sizes": "mono:d=1", "n": 1}, "'2cm' has a unit"),
        ({"box": "2", "container": "sphere:d=5", "n": 1}, "box and container are given together"),
        ({"checkpoint": 5}, "checkpoint is 5"),
        ({"progress": "yes"}, "progress is 'yes'"),
        ({"strict": "no"}, "strict is 'no'"),
        ({"n": 0}, "n is 0"),
        ({"n": 1.5}, "n is 1.5"),
        ({"fraction": 1.5}, "packing fraction 1.5"),
        ({"seed": -1}, "seed is -1"),
        ({"threads": 2000}, "threads is 2000"),
        ({"time_limit": 0}, "time_limit is 0"),
        ({"time_limit": timedelta(1)}, "a number is expected"),
        ({"max_sweeps": 0}, "max_sweeps is 0"),
        ({"min_gap": -1}, "minimum gap -1"),
        ({"box": (1, 2, 3, 4), "n": 1}, "three lengths"),
        ({"box": 1e200, "n": 1}, "beyond the range of numbers"),
        ({"boundary": 5}, "boundary is 5"),
        ({"container": "cylinder:d=8,h=12", "boundary": "ppp", "n": 1}, "the shape cylinder cannot have the boundary ppp"),
        ({"container": "cube:l=1"}, "unknown shape 'cube'"),
        ({"container": 5}, "container is 5"),
        ({"container": "sphere:d=5", "box": 5, "n": 1}, "box and container are given together"),
        ({"container": "sphere:d=5", "sizes": [1.0], "fraction": 0.5}, "or their diameters, are given together"),
        ({"container": "sphere:d=5", "boundary": "ppw", "n": 1}, "cannot have the boundary"),
        ({"wall_gap": -1}, "-1"),
        ({"keep_out": "sphere:d=1@1,1,1"}, "bodies that keep spheres out are given without the size"),
        ({"keep_out": 5}, "keep_out is 5"),
        ({"keep_out": ["spher:d=1@1,1,1"], "box": 5, "n": 1}, "did you mean sphere"),
        ({"keep_out": ["sphere:d=6@1,1,1"], "box": 5, "n": 1}, "6 long along x"),
        ({"fixed": ([[1, 1, 1]], [1])}, "fixed spheres are given without the size"),
        ({"fixed": 5, "box": 5, "n": 1}, "neither a packing nor"),
        ({"fixed": ([1, 1, 1], [1]), "box": 5, "n": 1}, "fixed centers has the shape (3,)"),
        ({"fixed": ([[1, 1, 1]], [1, 1]), "box": 5, "n": 1}, "fixed has 1 centers and 2 radii"),
        ({"fixed": ([[1, 1, 1]], [3]), "box": 5, "n": 1}, "fixed_may_overlap allows it"),
        ({"fixed": ([[1, 1, 1]], [2]), "box": 5, "fraction": 0.1}, "counts them and must be larger"),
        ({"fixed_may_overlap": True}, "without fixed"),
        ({"fixed_crop": True}, "without fixed"),
        ({"fixed_at": (1, 2, 3)}, "without fixed"),
        ({"fixed_at": (1, 2)}, "three coordinates"),
        ({"porosity": 0.4, "fraction": 0.6}, "fraction and porosity are given together"),
        ({"porosity": 1.5}, "packing fraction -0.5"),
        ({"densest": True}, "without start"),
        ({"scale_sizes": 2}, "without start"),
        ({"start": 5}, "neither a packing nor a file"),
        ({"start": ([[1, 1, 1]], [0.5])}, "expected box or container"),
        ({"start": ([[1, 1, 1]], [0.5, 0.5]), "box": 5}, "start has 1 centers and 2 radii"),
        ({"start": {"centers": [[1, 1, 1]], "sizes": 1}, "box": 5}, "neither a packing nor a file"),
        ({"start": ([[1, 1, 1]], 0.5), "box": 5, "sizes": "equal"}, "sizes is given beside start"),
        ({"start": ([[1, 1, 9]], 0.5), "box": 5, "boundary": "www"}, "outside of the container"),
        ({"start": ([[1, 1, 1]], 0.5), "box": 5, "scale_sizes": -1}, "the factor on all diameters is -1"),
    ],
)
def test_bad_arguments_are_rejected(keywords, words):
    with pytest.raises(jostle.InputError) as error:
        jostle.pack(**keywords)
    assert words in str(error.value)
    assert isinstance(error.value, ValueError)


INTERRUPTED = """
import sys, jostle
def started(progress):
    if progress.sweeps == 3:
        print("started", flush=True)
try:
    jostle.pack("equal", 30_000, effort="thorough", progress=started if sys.argv[1] == "callable" else None,
                checkpoint=sys.argv[2] if len(sys.argv) > 2 else None)
except KeyboardInterrupt as error:
    print(error.packing.stop_reason, len(error.packing), error.packing.certificate.max_overlap)
"""


@pytest.mark.parametrize("kind", ["callable", "none"])
def test_ctrl_c_raises_with_the_packing_so_far(kind, tmp_path):
    checkpoint = tmp_path / "run.checkpoint"
    process = start(sys.executable, "-c", INTERRUPTED, kind, checkpoint, stdout=subprocess.PIPE, text=True)
    if kind == "callable":
        assert process.stdout.readline() == "started\n"
    else:
        # The threads of the run.
        wait_for_thread(process)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert out == "interrupted 30000 0.0\n"
    assert checkpoint.exists()


LARGE = """
import sys, time
import jostle

def started(progress):
    if progress.sweeps == 2:
        print("started", flush=True)

try:
    jostle.pack("equal", 1_000_000, effort="thorough", progress=started, checkpoint=sys.argv[1])
except KeyboardInterrupt as error:
    print(time.monotonic())
"""


def test_ctrl_c_does_not_wait_for_a_large_packing(tmp_path):
    checkpoint = tmp_path / "run.checkpoint"
    process = start(sys.executable, "-c", LARGE, checkpoint, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "started\n"
    sent = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=120)
    # The run itself takes minutes. On an idle machine, the exception comes after a twentieth of a second.
    assert 0 < float(out) - sent < 10
    # The interpreter ends when the checkpoint is complete.
    assert process.returncode == 0 and checkpoint.exists()


def test_an_interrupted_run_gives_its_packing_once():
    def interrupt(progress):
        raise KeyboardInterrupt

    with pytest.raises(jostle.PackingInterrupt) as error:
        jostle.pack("equal", 500, progress=interrupt)
    packing = error.value.packing
    assert packing is error.value.packing
    # One sweep of the run, and at most 40 that compact the packing.
    assert packing.stop_reason == "interrupted" and 1 < packing.provenance["sweeps"] <= 41


def test_other_threads_run_meanwhile():
    run = threading.Thread(target=jostle.pack, args=("equal", 20_000), kwargs={"threads": 1})
    run.start()
    count = 0
    while run.is_alive():
        count += 1
    assert count > 10_000


def test_concurrent_threads_make_the_same_bits():
    def digest(seed):
        return jostle.pack("concrete", 500, seed=seed, threads=1, effort="quick").digest()

    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(digest, range(8)))
    assert together == [digest(seed) for seed in range(8)]
    assert len(set(together)) == 8


def test_a_checkpoint_continues_the_run(tmp_path, program, run):
    path = tmp_path / "run.checkpoint"
    keywords = {"sizes": "concrete", "n": 2000, "seed": 3}

    def stop(progress):
        return progress.sweeps < 60

    first = jostle.pack(**keywords, checkpoint=path, progress=stop)
    assert first.stop_reason == "interrupted"
    copy = tmp_path / "copy.checkpoint"
    copy.write_bytes(path.read_bytes())

    with pytest.raises(jostle.InputError, match="belongs to another request"):
        jostle.pack(**{**keywords, "seed": 4}, checkpoint=path)
    seen = []
    packing = jostle.pack(**keywords, checkpoint=path, progress=seen.append, threads=1)
    assert seen[0].sweeps == 61
    assert packing == jostle.pack(**keywords)
    assert not path.exists()

    run(program, "resume", copy, "-o", "packing.json", "-q")
    assert jostle.read(tmp_path / "packing.json").digest() == packing.digest()


def test_a_checkpoint_that_cannot_be_used_is_rejected(tmp_path):
    broken = tmp_path / "broken"
    broken.write_text("text")
    with pytest.raises(jostle.InputError, match="checkpoint"):
        jostle.pack("equal", 100, checkpoint=broken)
    with pytest.raises(jostle.FileError, match="there is no directory"):
        jostle.pack("equal", 100, checkpoint=tmp_path / "none" / "run")


def test_a_packer_makes_the_packing_of_pack():
    packer = jostle.Packer("concrete", 500, effort="quick", seed=5)
    assert packer.progress is None and packer.stop_reason is None and len(packer) == 500
    while progress := packer.sweep():
        assert packer.progress == progress
    assert packer.stop_reason == "converged"
    packing = packer.finish()
    assert packing == jostle.pack("concrete", 500, effort="quick", seed=5)
    with pytest.raises(jostle.InputError, match="finished"):
        packer.sweep()


def test_the_positions_of_a_packer_follow_the_run():
    packer = jostle.Packer("equal", 400)
    view = packer.centers
    packer.sweep()
    before = view.copy()
    assert view.shape == (400, 3) and not view.flags.writeable
    assert np.shares_memory(view, packer.centers)
    for _ in range(20):
        packer.sweep()
    assert (view != before).any()
    assert ((view >= 0) & (view < packer.container.lengths[0])).all()
    assert packer.container.volume == pytest.approx(packer.container.lengths[0] ** 3)
    fraction = 400 * np.pi / 6 / packer.container.volume
    assert packer.progress.packing_fraction == pytest.approx(fraction, rel=0.05)


def test_pending_spheres_have_no_position():
    packer = jostle.Packer("fuller-16", 20_000, effort="quick")
    packer.sweep()
    inserted = ~np.isnan(packer.centers).any(axis=1)
    assert 0 < inserted.sum() < 20_000
    assert inserted.sum() == packer.progress.spheres


def test_shapes_are_their_texts(tmp_path):
    at = (4, 4, 4)
    for shape, text in [
        (jostle.Box(), "box"),
        (jostle.Box(3, 4, 5.5), "box:lx=3,ly=4,lz=5.5"),
        (jostle.Cylinder(3, 4), "cylinder:d=3,h=4"),
        (jostle.Cylinder(aspect=2), "cylinder:aspect=2"),
        (jostle.Cylinder(2, position=at, axis="x"), "cylinder:d=2@4,4,4,axis=x"),
        (jostle.Sphere(), "sphere"),
        (jostle.Sphere(d=1e-7, position=np.array([1, 2, 3])), "sphere:d=1e-07@1,2,3"),
        (jostle.Cone(3, 0, 4, position=at), "cone:d_bottom=3,d_top=0,h=4@4,4,4"),
        (jostle.Mesh(tmp_path / "a.stl", fit=True), f"mesh:{tmp_path}/a.stl,fit"),
        (jostle.Mesh("a.stl", 1000, position=at), "mesh:a.stl,scale=1000@4,4,4"),
        (jostle.Mesh("a.stl", cap=True, inside=(1, 2, 0.5)), "mesh:a.stl,inside=1,2,0.5,cap"),
    ]:
        assert str(shape) == text
    assert jostle.Sphere(2) == jostle.Sphere(d=2) != jostle.Sphere(3)
    body = jostle.Cylinder(2, 4, position=at, axis="y")
    keywords = {"n": 40, "effort": "quick"}
    with_text = jostle.pack("mono:d=1", container="box:lx=8,ly=8,lz=8", keep_out=str(body), **keywords)
    for bodies in (body, [body], (str(body),)):
        assert jostle.pack("mono:d=1", container=jostle.Box(8, 8, 8), keep_out=bodies, **keywords) == with_text
    content = with_text[:5].to_bytes("csv")
    assert jostle.read(content, "csv", container=jostle.Box(8, 8, 8)).container.shape == "box:lx=8,ly=8,lz=8"
    assert jostle.certify([[4, 4, 4]], [1], container=jostle.Sphere(8)).min_gap == 3
    for wrong, words in [({"container": 5}, "jostle.Cylinder"), ({"keep_out": [5], "box": 8}, "jostle.Cylinder"), ({"container": jostle.Box(1)}, "lx, ly and lz")]:
        with pytest.raises(jostle.InputError, match=words):
            jostle.pack("mono:d=1", 10, **wrong)


def test_no_seed_draws_one_and_records_it(tmp_path):
    drawn = [jostle.pack("equal", 50, effort="quick", seed=None) for _ in range(2)]
    seeds = [packing.provenance["seed"] for packing in drawn]
    assert seeds[0] != seeds[1] and drawn[0] != drawn[1]
    assert jostle.pack("equal", 50, effort="quick", seed=seeds[0]) == drawn[0]
    assert jostle.Packer("equal", 50, effort="quick", seed=None).finish().provenance["seed"] not in seeds
    with pytest.raises(jostle.InputError, match="seed is None with checkpoint"):
        jostle.pack("equal", 50, seed=None, checkpoint=tmp_path / "run")
