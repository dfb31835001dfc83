"""Tests of the report, the view, figures and still pictures."""

import json
import struct

import jostle
import pytest


@pytest.fixture(scope="module")
def packing():
    return jostle.pack("concrete", 300, effort="quick", boundary="ppw")


def test_the_report_is_that_of_the_command_line(packing, program, run, tmp_path):
    packing.save(tmp_path / "p.json")
    run(program, "report", "p.json", "--tolerance", "0.01", "-o", "theirs.html")
    page = packing.report(tmp_path / "ours.html", tolerance=0.01)
    assert (tmp_path / "ours.html").read_text() == page == (tmp_path / "theirs.html").read_text()
    with pytest.raises(jostle.FileError):
        packing.report(tmp_path / "none" / "report.html")


def test_pictures_are_those_of_the_command_line(packing, program, run, tmp_path):
    packing.save(tmp_path / "p.json")
    options = ["--view", "1,-1,0.5", "--cut", "x=0.5", "--color", "type", "--side", "60", "--no-outline"]
    keywords = {"view": (1, -1, 0.5), "cut": ("x", 0.5), "color": "type", "side": 60, "outline": False}
    for name in ("p.png", "p.svg"):
        run(program, "render", "p.json", "-o", f"theirs-{name}", *options)
        assert packing.render(tmp_path / name, **keywords) == (tmp_path / name).read_bytes()
        assert (tmp_path / name).read_bytes() == (tmp_path / f"theirs-{name}").read_bytes()
    picture = packing.render(side=48)
    assert struct.unpack(">II", picture[16:24]) == (48, 92)
    assert struct.unpack(">II", packing.render(side=48, legend=False)[16:24]) == (48, 48)
    for wrong, words in [
        ({"side": 0}, "side is 0"),
        ({"view": (0, 0, 0)}, "direction to the viewer"),
        ({"cut": "x=0.5"}, "an axis and a share"),
        ({"cut": ("w", 0.5)}, "an axis and a share"),
        ({"cut": ("z", 2)}, "from 0 to 1"),
        ({"color": "rainbow"}, "rainbow"),
    ]:
        with pytest.raises(jostle.InputError, match=words):
            packing.render(**wrong)


def test_the_view_is_a_page_in_a_frame(packing, tmp_path):
    view = packing.view(height=400)
    assert view.html.startswith("<!doctype html>") and 'id="canvas"' in view.html and "<h2>Figures" not in view.html
    meta = view.html.split('id="meta">')[1].split("</script>")[0]
    assert json.loads(meta)["spheres"] == 300
    # No other file and no network.
    assert "src=" not in view.html and "http" not in view.html.replace("http://www.w3.org", "")
    frame = view._repr_html_()
    assert frame.startswith("<iframe srcdoc=") and "height: 400px" in frame and frame.count("<") == 2
    view.save(tmp_path / "view.html")
    assert (tmp_path / "view.html").read_text() == view.html


def test_every_figure_is_plotted(packing):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    analysis = packing.analyze()
    ax = pyplot.figure().subplots()
    assert packing.plot("pores", ax) is ax
    (line,) = ax.lines
    assert list(line.get_xdata()) == pytest.approx(analysis["pores"]["diameter"])
    contacts = packing.plot("contacts")
    tallest = max(bar.get_y() + bar.get_height() for bar in contacts.patches)
    assert tallest == pytest.approx(max(sum(row) for row in analysis["contacts"]["by_class"]))
    names = [label.get_text() for label in contacts.get_xticklabels()]
    assert len(names) == len(analysis["sizes"]["classes"])
    for figure in ("sizes", "gaps", "profile", "wall", "radius", "homogeneity", "structure-factor"):
        ax = packing.plot(figure, points=20_000)
        assert ax.get_title() and ax.get_xlabel() and ax.get_ylabel() and (ax.lines or ax.patches or ax.collections), figure
    pyplot.close("all")
    with pytest.raises(jostle.InputError, match="unknown figure 'pore'"):
        packing.plot("pore")
    with pytest.raises(jostle.InputError, match="the container must have walls"):
        jostle.pack("equal", 100, effort="quick").plot("wall")
