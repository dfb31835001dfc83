"""Tests of `jostle.Packing`, `jostle.read` and `jostle.certify`."""

import copy
import errno
import gc
import io
import json
import pickle
import warnings

import jostle
import numpy as np
import pytest


@pytest.fixture(scope="module")
def packing():
    return jostle.pack("concrete", 300, effort="quick", boundary="ppw")


def test_arrays_are_views_of_the_packing(packing):
    n = len(packing)
    assert n == 300
    for name, shape in {"centers": (n, 3), "radii": (n,), "diameters": (n,), "ids": (n,)}.items():
        array = getattr(packing, name)
        assert array.shape == shape
        assert np.shares_memory(array, getattr(packing, name)), name
        assert not array.flags.owndata and not array.flags.writeable and array.flags.c_contiguous
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    assert packing.centers.dtype == packing.radii.dtype == packing.diameters.dtype == np.float64
    assert (packing.diameters == 2 * packing.radii).all()
    assert (packing.ids == np.arange(n)).all() and (packing.ids - 1)[0] == -1


def test_arrays_outlive_the_packing():
    other = jostle.pack("equal", 100, effort="quick")
    centers, expected = other.centers, other.centers.copy()
    del other
    gc.collect()
    jostle.pack("equal", 100, effort="quick", seed=2)
    assert (centers == expected).all()


def test_numbers_agree_with_the_file(packing, tmp_path):
    packing.save(tmp_path / "p.json")
    file = json.loads((tmp_path / "p.json").read_text())
    spheres = np.array(file["spheres"])
    assert (spheres[:, :3] == packing.centers).all() and (spheres[:, 3] == packing.radii).all()
    assert file["container"] == packing.container.description
    assert list(packing.lengths) == file["container"]["lengths"]
    assert packing.container.boundary == "ppw"
    assert file["provenance"] == packing.provenance
    assert file["provenance"]["stop"] == packing.stop_reason == "converged"
    assert file["sizes"]["mass_curve"] == packing.sizes.mass_curve
    assert file["certificate"]["min_gap"] == packing.certificate.min_gap
    assert file["unit"] == packing.unit == "mm"
    volume = (np.pi / 6 * packing.diameters**3).sum() / packing.lengths.prod()
    assert packing.packing_fraction == pytest.approx(volume)


def test_every_readable_format_reads_back(packing, tmp_path):
    packing.save([tmp_path / name for name in ("p.json", "p.csv", "p.xyz", "p.data", "p.vtp")])
    for name, hints in {
        "p.json": {},
        "p.csv": {"box": packing.lengths, "boundary": "ppw"},
        "p.xyz": {},
        "p.data": {"boundary": "ppw"},
    }.items():
        found = jostle.read(tmp_path / name, **hints)
        assert (found.centers == packing.centers).all() and (found.radii == packing.radii).all(), name
        assert found.certificate == packing.certificate
        assert found.seconds is None and found.threads is None
    assert (jostle.read(tmp_path / "p.data", boundary="ppw").ids == packing.ids + 1).all()
    assert jostle.read(tmp_path / "p.json").digest() == packing.digest()


def test_save_has_the_options_of_the_command_line(packing, program, run, tmp_path):
    packing.save(tmp_path / "p.json")
    voxel = float(packing.lengths.min()) / 12
    for name, options, arguments in [
        ("a.data", {"density": 2650, "scale": 0.001, "types": 3}, ["--density", 2650, "--scale", 0.001, "--types", 3]),
        ("b.txt", {"format": "yade", "origin": "center"}, ["--format", "yade", "--origin", "center"]),
        ("c.xyz", {"images": True, "select": "d>4,z<20"}, ["--images", "--select", "d>4,z<20"]),
        ("d.csv", {"repeat": (2, 3, 1), "types": "classes"}, ["--repeat", "2,3,1", "--types", "classes"]),
        ("e.obj", {"resolution": 1, "shrink": 0.98, "bridge": 0.2}, ["--resolution", 1, "--shrink", 0.98, "--bridge", 0.2]),
        ("f.stl", {"resolution": 0, "cut": True}, ["--resolution", 0, "--cut"]),
        ("g.npy", {"voxel": voxel, "voxel_values": "id"}, ["--voxel", voxel, "--voxel-values", "id"]),
        ("h.data", {"format": "liggghts", "script": True}, ["--format", "liggghts", "--script"]),
    ]:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            packing.save(tmp_path / name, **options)
        written = (tmp_path / name).read_bytes()
        (tmp_path / name).unlink()
        # An output that no option names, such as the script, replaces no file.
        for script in tmp_path.glob("*.in"):
            script.unlink()
        result = run(program, "convert", "p.json", name, *map(str, arguments))
        assert written == (tmp_path / name).read_bytes(), name
        assert [f"warning: {warning.message}" for warning in caught] == result.stderr.splitlines(), name
        assert all(warning.filename == __file__ for warning in caught)
    assert 'read_data       "h.data"' in (tmp_path / "h.in").read_text()


def test_options_that_do_not_fit_are_rejected(packing, tmp_path):
    for name, options, words in [
        ("p.txt", {}, "choose it with format"),
        ("p.csv", {"format": "cvs"}, "unknown format 'cvs'; expected one of json, csv"),
        ("p.csv", {"format": 3}, "format is 3; a text is expected"),
        ("p.csv", {"scale": 0}, "the scale is 0"),
        ("p.csv", {"scale": "large"}, "scale is 'large'; a number is expected"),
        ("p.csv", {"origin": "middle"}, "unknown origin 'middle'; expected one of corner, center"),
        ("p.csv", {"types": 2000}, "a number of types from 1 to 1000"),
        ("p.csv", {"select": "q>1"}, "no condition"),
        ("p.csv", {"repeat": (2, 2)}, "3 whole numbers are expected"),
        ("p.csv", {"repeat": (1, 1, 2)}, "walls along z"),
        ("p.csv", {"script": True}, "no script exists for the format csv"),
        ("p.stl", {"resolution": 2**40}, "it must be from 0 to 8"),
        ("p.json", {"origin": "center"}, "cannot have another origin"),
        ("p.vti", {}, "the option voxel is not given"),
    ]:
        with pytest.raises(jostle.InputError, match=words):
            packing.save(tmp_path / name, **options)
    assert not list(tmp_path.iterdir())


def test_open_files_receive_the_packing(packing, tmp_path):
    binary, texts = io.BytesIO(), io.StringIO()
    packing.save(binary)
    packing.save(tmp_path / "p.json")
    assert binary.getvalue() == (tmp_path / "p.json").read_bytes()
    packing.save(texts, "xyz")
    packing.save(tmp_path / "p.xyz")
    assert texts.getvalue() == (tmp_path / "p.xyz").read_text()
    for path, words in [([], "path is empty"), (5, "path is 5"), (io.StringIO(), "is binary")]:
        with pytest.raises(jostle.InputError, match=words):
            packing.save(path, "npz")


def test_a_file_without_loss_gives_an_equal_packing(packing, tmp_path):
    for name in ("p.csv", "p.data", "p.json"):
        packing.save(tmp_path / name)
        hints = {"box": packing.lengths} if name == "p.csv" else {}
        assert jostle.read(tmp_path / name, boundary="ppw", **hints) == packing


def test_read_takes_a_format(packing, tmp_path):
    packing.save(tmp_path / "spheres.txt", "xyz")
    assert jostle.read(tmp_path / "spheres.txt", "xyz") == jostle.read(tmp_path / "spheres.txt", format="xyz")
    assert (jostle.read(tmp_path / "spheres.txt", "xyz").centers == packing.centers).all()
    with pytest.raises(jostle.InputError, match="unknown format 'foo'"):
        jostle.read(tmp_path / "spheres.txt", "foo")


def test_read_takes_frames_and_a_diameter(tmp_path):
    time = "1 0 0 0 0 9 9 9\n{x} 2 2 0 0 0 0.5 0 0 0 0 0 0 0\n"
    (tmp_path / "run.data").write_text(time.format(x=1) + time.format(x=2))
    with pytest.warns(UserWarning, match="only frame 1 of the frames 0 to 1"):
        last = jostle.read(tmp_path / "run.data", boundary="www")
    with pytest.warns(UserWarning, match="only frame 0"):
        first = jostle.read(tmp_path / "run.data", boundary="www", frame=0)
    assert (first.centers[0, 0], last.centers[0, 0]) == (1, 2)

    centers = np.array([[1.0, 2, 3], [4, 5, 6]])
    np.save(tmp_path / "beds.npy", centers)
    np.savetxt(tmp_path / "beds.csv.gz", centers, delimiter=",")
    for name in ("beds.npy", "beds.csv.gz"):
        found = jostle.read(tmp_path / name, box=9, boundary="www", diameter=1)
        assert (found.centers == centers).all() and (found.radii == 0.5).all(), name
        with pytest.raises(jostle.InputError, match="with diameter, such as diameter=6"):
            jostle.read(tmp_path / name, box=9, boundary="www")
    with pytest.raises(jostle.InputError, match="diameter is 'six'; a number is expected"):
        jostle.read(tmp_path / "beds.npy", box=9, diameter="six")


def test_tables_of_arrow_have_the_bits_and_the_container(packing, tmp_path):
    from pyarrow import feather, parquet

    for name, read in [("p.parquet", parquet.read_table), ("p.arrow", feather.read_table)]:
        packing.save(tmp_path / name)
        table = read(tmp_path / name)
        assert table.column_names == ["id", "x", "y", "z", "radius"]
        assert (np.column_stack([table[axis] for axis in "xyz"]) == packing.centers).all()
        assert (np.asarray(table["radius"]) == packing.radii).all()
        metadata = json.loads(table.schema.metadata[b"jostle"])
        assert metadata == {"container": packing.container.description, "origin": [0, 0, 0], "unit": "mm"}
        found = jostle.read(tmp_path / name)
        assert found.digest() == packing.digest()
        assert (found.container, found.unit, found.certificate) == (packing.container, packing.unit, packing.certificate)


def test_files_that_cannot_be_read_or_written_are_named(packing, tmp_path):
    for path, kind, words in [
        (tmp_path / "p.foo", jostle.InputError, "names no format"),
        (tmp_path / "none" / "p.json", jostle.FileError, "there is no directory"),
    ]:
        with pytest.raises(kind, match=words):
            packing.save(path)
    packing.save([tmp_path / "p.csv", tmp_path / "p.data"])
    (tmp_path / "broken.json").write_text("{")
    for path, kind, words in [
        (tmp_path / "none.json", jostle.FileError, "cannot read"),
        (tmp_path / "broken.json", jostle.InputError, "line 1"),
        (tmp_path / "p.csv", jostle.InputError, "with box and boundary"),
        (tmp_path / "p.data", jostle.InputError, "with boundary"),
    ]:
        with pytest.raises(kind, match=words):
            jostle.read(path)
    with pytest.raises(OSError) as error:
        jostle.read(tmp_path / "none.json")
    assert error.value.errno == errno.ENOENT and isinstance(error.value, jostle.FileError)


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_packings_survive_pickling(packing, protocol):
    found = pickle.loads(pickle.dumps(packing, protocol))
    assert found == packing and found.digest() == packing.digest()
    assert found.seconds == packing.seconds and found.container == packing.container


def test_ids_of_a_file_survive_pickling(packing, tmp_path):
    packing.save(tmp_path / "p.data")
    read = jostle.read(tmp_path / "p.data", boundary="ppw")
    found = pickle.loads(pickle.dumps(read))
    assert found == read and found.ids[0] == 1


def test_copies_are_the_packing_itself(packing):
    assert copy.copy(packing) is packing and copy.deepcopy(packing) is packing


def test_equality_compares_all_numbers(packing):
    assert packing == jostle.pack("concrete", 300, effort="quick", boundary="ppw", threads=1)
    assert packing != jostle.pack("concrete", 300, effort="quick", boundary="ppw", seed=2)
    assert packing != "packing"
    with pytest.raises(TypeError):
        hash(packing)
    with pytest.raises(TypeError, match=r"jostle\.pack"):
        jostle.Packing()


def test_the_digest_is_that_of_the_bytes(packing):
    from hashlib import blake2b

    content = packing.ids.tobytes() + packing.centers.tobytes() + packing.radii.tobytes()
    assert packing.digest() == blake2b(content, digest_size=16).hexdigest()


def test_texts_are_short(packing):
    text = repr(packing)
    assert text.startswith("<jostle.Packing: 300 spheres, packing fraction 0.") and len(text) < 150
    html = packing._repr_html_()
    assert html.startswith("<table>") and "1 to" in html and len(html) < 1000


def test_dictionaries_and_tables_hold_the_spheres(packing):
    found = packing.to_dict()
    assert found["centers"] is not None and found["packing_fraction"] == packing.packing_fraction
    json.dumps({key: value for key, value in found.items() if key not in ("ids", "centers", "radii")})
    table = packing.to_pandas()
    assert list(table.columns) == ["x", "y", "z", "radius"] and table.index.name == "id"
    assert (table[["x", "y", "z"]].to_numpy() == packing.centers).all()
    assert (table["radius"].to_numpy() == packing.radii).all()


def test_the_analysis_is_that_of_the_command_line(packing, program, run, tmp_path):
    packing.save(tmp_path / "p.json")
    theirs = json.loads(run(program, "analyze", "p.json", "--json", "--tolerance", "0.01", "--axis", "x").stdout)
    ours = packing.analyze(tolerance=0.01, axis="x")
    assert ours == {key: theirs[key] for key in ours}
    assert packing.analyze(points=0)["pores"] is None
    for keywords, words in [({"axis": "w"}, "axis is 'w'"), ({"axis": 3}, "axis is 3"), ({"tolerance": -1}, "tolerance"), ({"axis": "xy"}, "axis is 'xy'")]:
        with pytest.raises(jostle.InputError, match=words):
            packing.analyze(**keywords)


def test_contacts_are_those_of_the_command_line(packing, program, run, tmp_path):
    packing.save(tmp_path / "p.json")
    run(program, "analyze", "p.json", "--tolerance", "0.01", "--contacts", "c.npz")
    with np.load(tmp_path / "c.npz") as theirs:
        ours = packing.contacts(tolerance=0.01)
        assert ours.tolerance == 0.01 and len(ours) == len(ours.pairs) > 0 < len(ours.walls)
        assert (np.concatenate([ours.pairs[:, 0], ours.walls]) == theirs["a"]).all()
        assert (theirs["b"][len(ours) :] == -1).all() and (ours.pairs[:, 1] == theirs["b"][: len(ours)]).all()
        assert (np.concatenate([ours.gaps, ours.wall_gaps]) == theirs["gap"]).all()
        assert (np.concatenate([ours.areas, ours.wall_areas]) == theirs["area"]).all()
        normals = np.stack([theirs["nx"], theirs["ny"], theirs["nz"]], axis=1)
        assert (np.concatenate([ours.normals, ours.wall_normals]) == normals).all()
    assert np.linalg.norm(normals, axis=1) == pytest.approx(1)
    a, b = ours.pairs.T
    vectors = packing.centers[b] - packing.centers[a]
    vectors -= np.array([1, 1, 0]) * packing.lengths * np.round(vectors / packing.lengths)
    assert np.linalg.norm(vectors, axis=1) - packing.radii[a] - packing.radii[b] == pytest.approx(ours.gaps, abs=1e-9)
    with pytest.raises(jostle.InputError, match="tolerance"):
        packing.contacts(tolerance=2)


def test_contacts_are_bonds_of_lammps(packing, tmp_path):
    packing.save(tmp_path / "p.data", bonds=0.01)
    lines = (tmp_path / "p.data").read_text().splitlines()
    pairs = [[int(atom) - 1 for atom in line.split()[2:]] for line in lines[lines.index("Bonds") + 2 :]]
    assert (np.array(pairs) == packing.contacts(tolerance=0.01).pairs).all()
    with pytest.raises(jostle.InputError, match="lammps-data, gengeo, musen"):
        packing.save(tmp_path / "p.csv", bonds=0.01)


def test_profiles_divide_the_spheres(packing):
    for along in ["x", "y", "z", "depth", "radius"]:
        profile = packing.profile(along)
        assert profile.along == along and 1 < len(profile.groups) <= 5
        assert sum(profile.groups.values()) == pytest.approx(profile.total)
        assert profile.is_exact == (along != "radius")
    # Slices have equal volumes.
    assert packing.profile("z").total.mean() == pytest.approx(packing.packing_fraction)
    labels = np.where(packing.radii > np.median(packing.radii), "large", "small")
    groups = packing.profile("z", by=labels).groups
    assert list(groups) == ["large", "small"]
    large = 4 / 3 * np.pi * (packing.radii[labels == "large"] ** 3).sum() / packing.container.volume
    assert groups["large"].mean() == pytest.approx(large)
    for arguments, words in [
        (("w",), "x, y, z, depth, radius"),
        ((2,), "along is 2"),
        (("z", "size"), "class, component"),
        (("z", "component"), "not made from a blend"),
        (("z", [1, 2]), "shape"),
    ]:
        with pytest.raises(jostle.InputError, match=words):
            packing.profile(*arguments)
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = packing.plot_profile("depth")
    assert len(axes.lines) == 1 + len(packing.profile().groups) and "depth" in axes.get_xlabel()


def test_too_many_points_are_refused(packing):
    with pytest.raises(MemoryError, match="the random points would need"):
        packing.analyze(points=10**15)


def test_certify_finds_the_closest_pair():
    certificate = jostle.certify([[1, 1, 1], [1, 1, 2.5], [3, 3, 3]], [0.5, 0.5, 0.1], box=4)
    assert certificate == jostle.Certificate(0.0, 0.5, {"spheres": [0, 1]})
    overlap = jostle.certify(np.array([[0.25, 2, 2]]), [0.5], box=(4, 4, 4), boundary="www")
    assert overlap.max_overlap == 0.25 and overlap.closest == {"wall": [0, 0]}
    # The two spheres are 0.5 apart through the periodic face.
    assert jostle.certify([[0.25, 1, 1], [3.75, 1, 1]], [0.5, 0.5], box=4).max_overlap == 0.5
    assert jostle.certify(np.empty((0, 3)), [], box=1).min_gap == float("inf")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([[1, 2]], [1]), "shape (1, 2)"),
        (([[1, 2, 3]], [1, 2]), "1 centers and 2 radii"),
        (([[1, 2, 3]], [[1]]), "shape (1, 1)"),
    ],
)
def test_certify_rejects_arrays_of_other_shapes(arguments, words):
    with pytest.raises(jostle.InputError) as error:
        jostle.certify(*arguments, box=4)
    assert words in str(error.value)


def test_pictures_are_drawn(packing, tmp_path):
    import matplotlib

    matplotlib.use("Agg")
    axes = packing.plot_sizes()
    x, y = axes.lines[0].get_data()
    assert len(x) == 300 and y[-1] == pytest.approx(100)
    assert packing.plot_sizes(ax=axes) is axes
    pyvista = pytest.importorskip("pyvista")
    pyvista.OFF_SCREEN = True
    packing.show(off_screen=True, screenshot=tmp_path / "p.png", window_size=(200, 200))
    assert (tmp_path / "p.png").stat().st_size > 1000
    lines, triangles = packing._core.outline()
    assert len(lines) == 12 * 6 and not len(triangles)
    cylinder = jostle.pack("equal", 20, container="cylinder:d=8,h=8", keep_out="sphere:d=2@4,4,4", effort="quick")
    lines, triangles = (array.reshape(-1, 3) for array in cylinder._core.outline())
    assert np.hypot(lines[:, 0] - 4, lines[:, 1] - 4) == pytest.approx(4)
    assert np.linalg.norm(triangles - 4, axis=1) == pytest.approx(1)
    cylinder.show(off_screen=True, screenshot=tmp_path / "c.png", window_size=(200, 200))
    assert (tmp_path / "c.png").stat().st_size > 1000


def test_types_in_a_file_are_components(tmp_path):
    rows = "x,y,z,r,type\n1,1,1,0.5,sand\n3,3,3,1,gravel\n6,6,6,0.5,sand\n"
    packing = jostle.read(rows.encode(), "csv", box=9, boundary="www")
    assert [(own.label, list(own.spheres)) for own in packing.components] == [("sand", [0, 2]), ("gravel", [1])]
    svg = packing.render(tmp_path / "mix.svg", color="component", side=64)
    assert b">gravel<" in svg
    with pytest.raises(jostle.InputError, match="no components"):
        jostle.read(b"x,y,z,r\n1,1,1,0.5\n", "csv", box=9).render(color="component")
    ase = pytest.importorskip("ase")
    atoms = packing.to_ase()
    assert isinstance(atoms, ase.Atoms) and list(atoms.arrays["component"]) == [0, 1, 0]
    data = packing.to_xarray()
    assert list(data["component"].values) == [0, 1, 0] and data["component"].attrs["labels"] == ["sand", "gravel"]
    pyvista = pytest.importorskip("pyvista")
    pyvista.OFF_SCREEN = True
    assert list(packing.to_pyvista()["component"]) == [0, 1, 0]
    packing.show(color="component", off_screen=True, screenshot=tmp_path / "m.png", window_size=(200, 200))
    assert (tmp_path / "m.png").stat().st_size > 1000
    with pytest.raises(jostle.InputError, match="'size' or 'component'"):
        packing.show(color="type")


def test_a_missing_package_is_named(packing, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "pyvista", None)
    with pytest.raises(ImportError, match="pip install pyvista"):
        packing.show()
