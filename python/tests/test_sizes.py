"""Tests of `jostle.SizeDistribution`, `jostle.predicted_packing_fraction` and `jostle.tune`."""

import json
import pickle

import jostle
import numpy as np
import pytest
from jostle import SizeDistribution

LAWS = {
    "mono:d=1.5": SizeDistribution.mono(1.5),
    "bidisperse:d_small=1,d_large=4,mass_small=0.25": SizeDistribution.bidisperse(1, 4, 0.25),
    "bidisperse:d_small=1,d_large=4,number_small=0.75": SizeDistribution.bidisperse(1, 4, number_small=0.75),
    "normal:mean=2,sd=0.5,by=mass,d_max=3": SizeDistribution.normal(2, 0.5, by="mass", d_max=3),
    "power-law:exponent=-3,d_min=1,d_max=10": SizeDistribution.power_law(-3, 1, 10),
    "uniform-size:d_min=1,d_max=10": SizeDistribution.uniform_size(1, 10),
    "uniform-volume:d_min=1,d_max=10": SizeDistribution.uniform_volume(1.0, 10.0),
    "fuller:d_min=1,d_max=16,n=0.45,classes=70": SizeDistribution.fuller(1, 16, 0.45, classes=70),
    "andreasen:q=0.37,d_min=0.5,d_max=20": SizeDistribution.andreasen(0.37, 0.5, 20),
    "rosin-rammler:d_prime=18,n=0.9,d_min=1,d_max=90": SizeDistribution.rosin_rammler(18, 0.9, 1, 90),
    "lognormal:d50=1,sigma=0.4,by=mass": SizeDistribution.lognormal(1, 0.4, by="mass"),
    "lognormal:d10=0.5,d50=1,d90=2,by=number": SizeDistribution.lognormal(1, d10=0.5, d90=2),
}


@pytest.mark.parametrize("text", LAWS)
def test_every_law_is_the_inline_law(text):
    law = LAWS[text]
    assert law == SizeDistribution(text) and law.name == text
    assert pickle.loads(pickle.dumps(law)) == law
    assert hash(law) == hash(SizeDistribution(text))
    name = next(iter(law.law))
    assert text.startswith(f"{name}:")
    assert 0 < law.d_min <= law.d_max
    assert repr(law).startswith("<jostle.SizeDistribution: ")


def test_presets_have_names_units_and_sources():
    assert "concrete" in SizeDistribution.presets()
    for name in SizeDistribution.presets():
        preset = SizeDistribution(name)
        assert preset.name == name and preset.source
    assert SizeDistribution("concrete").unit == "mm"
    assert SizeDistribution("concrete") != SizeDistribution("equal")
    assert SizeDistribution("concrete") != "concrete"


def test_a_sieve_curve_is_linear_in_the_logarithm():
    law = SizeDistribution.from_sieve([1, 2, 4, 8], [0, 35, 70, 100], name="pit", unit="mm")
    assert (law.name, law.unit) == ("pit", "mm")
    assert law.cdf(2**1.5) == pytest.approx(0.525)
    diameters, shares = law.mass_curve([1, 2, 4, 8])
    assert shares == pytest.approx([0, 0.35, 0.7, 1])
    linear = SizeDistribution.from_sieve([1, 2, 4, 8], [0, 35, 70, 100], interpolation="linear")
    assert linear.cdf(3) == pytest.approx(0.525)
    assert law.quantile(0.35) == pytest.approx(2)
    # Cumulative sums miss 100 by rounding, and sheets may begin with the largest sieve.
    for passing in ([0, 35, 70, 99.99999999999999], [1e-9, 35, 70, 100.00000000000001]):
        assert SizeDistribution.from_sieve([1, 2, 4, 8], passing, name="pit", unit="mm") == law
    assert SizeDistribution.from_sieve([8, 4, 2, 1], [100, 70, 35, 0], name="pit", unit="mm") == law
    with pytest.raises(jostle.InputError, match="^passing, last sieve: 90.0 % passes, but the last sieve must pass 100 %$"):
        SizeDistribution.from_sieve([1, 2], [0, 90])
    with pytest.raises(jostle.InputError, match="must be equal"):
        SizeDistribution.from_sieve([1, 2], [0])
    assert pickle.loads(pickle.dumps(law)) == law


def test_classes_have_shares():
    law = SizeDistribution.from_classes([1, 2], [0.5, 0.5])
    diameters, shares = law.mass_curve()
    assert list(diameters) == [1, 2] and list(shares) == pytest.approx([0.5, 1])
    # Equal masses: eight small spheres for each large one.
    assert law.cdf(1, by="number") == pytest.approx(8 / 9)
    assert law.mean_volume == pytest.approx(np.pi / 6 * 16 / 9)


def test_curves_invert_each_other():
    law = SizeDistribution.fuller(1, 16)
    shares = np.linspace(0, 1, 12).reshape(3, 4)
    diameters = law.quantile(shares)
    assert diameters.shape == (3, 4)
    assert law.cdf(diameters) == pytest.approx(shares)
    # The definition of the curve, cut off below 1.
    assert law.cdf(4.0) == pytest.approx((2 - 1) / (4 - 1))
    assert isinstance(law.quantile(0.5), float)
    grid, curve = law.mass_curve()
    assert len(grid) == 101 and curve[0] == 0 and curve[-1] == 1
    with pytest.raises(jostle.InputError, match="unknown basis"):
        law.quantile(0.5, by="length")
    for share in (2, -0.1, float("nan")):
        with pytest.raises(jostle.InputError, match="share is .*; numbers from 0 to 1"):
            law.quantile(share)


def test_samples_have_a_number_or_a_volume():
    law = SizeDistribution("concrete")
    sample = law.sample(1000)
    assert sample.shape == (1000,) and (sample == law.sample(1000, seed=9)).all()
    random = law.sample(1000, sampling="random", seed=2)
    assert (random == law.sample(1000, sampling="random", seed=2)).all()
    assert (random != law.sample(1000, sampling="random", seed=3)).any()
    of_volume = law.sample(volume=5000)
    assert np.pi / 6 * (of_volume**3).sum() == pytest.approx(5000, rel=1e-3)
    assert (jostle.pack("concrete", 200, effort="quick").diameters == law.sample(200)).all()
    for keywords in ({}, {"n": 1, "volume": 1.0}):
        with pytest.raises(jostle.InputError, match="one of n and volume"):
            law.sample(**keywords)
    with pytest.raises(jostle.InputError, match="volume"):
        law.sample(volume=-1)
    with pytest.raises(jostle.InputError, match="n is 1000000000000"):
        law.sample(10**12)


def test_tables_are_read_from_mappings_frames_and_arrays(tmp_path):
    sizes, passing = [16, 1, 0.25], [100, 12, 0]
    expected = SizeDistribution.from_sieve(sizes, passing)
    named = {"Sieve [mm]": sizes, "Passing [%]": passing}
    for table in (named, (sizes, passing), (np.array(passing), np.array(sizes))):
        law = SizeDistribution.from_table(table)
        assert law.law == expected.law
        assert law.unit == ("mm" if table is named else "")
    pandas = pytest.importorskip("pandas")
    assert SizeDistribution.from_table(pandas.DataFrame(named)) == SizeDistribution.from_table(named)
    file = tmp_path / "sieves.csv"
    file.write_text("Sieve [mm];Passing [%]\n0,25;0\n1;12\n16;100\n", encoding="utf-8")
    assert SizeDistribution(file).law == expected.law
    retained = SizeDistribution.from_table({"d": [1, 2, 4], "mass retained [g]": [30, 10, 0]}, unit="mm")
    assert retained.cdf(2) == pytest.approx(0.75) and retained.unit == "mm"
    with pytest.raises(jostle.InputError, match="table: row 2, column 1: -1 is not a sieve size above 0"):
        SizeDistribution.from_table({"size": [1, -1], "passing": [0, 100]})


def test_listed_diameters_are_packed_as_they_are():
    diameters = np.random.default_rng(4).uniform(1, 2, 60)
    law = SizeDistribution.from_diameters(diameters, name="grains", unit="mm")
    assert (law.sample(60) == diameters).all() and law.name == "grains"
    packing = jostle.pack(law, effort="quick")
    assert (packing.diameters == diameters).all()
    assert packing.sizes.mass_curve_error == 0 and packing.unit == "mm"
    assert len(jostle.pack(law, 20, effort="quick")) == 20
    cut = law.cut(below=1.5)
    assert (cut.sample(len(diameters[diameters >= 1.5])) == diameters[diameters >= 1.5]).all()


def test_a_cut_leaves_out_mass_and_says_so():
    law = SizeDistribution.fuller(1, 16)
    cut = law.cut(below=4, above=9)
    # The mass at or below d is (√d − 1) / 3.
    assert (cut.d_min, cut.d_max) == (4, 9)
    assert cut.cdf(6.25) == pytest.approx(0.5)
    assert cut.notes == ["left out: 33.333 % of the mass below 4 and 33.333 % of the mass above 9"]
    assert pickle.loads(pickle.dumps(cut)) == cut
    with pytest.raises(jostle.InputError, match="leaves no sphere"):
        law.cut(below=20)


def test_d_values_state_their_ends():
    law = SizeDistribution("dvalues:10=5,50=20,90=60")
    assert [law.quantile(share) for share in (0.1, 0.5, 0.9)] == pytest.approx([5, 20, 60])
    assert law.d_min == pytest.approx(5 / 4**0.25) and len(law.notes) == 2


@pytest.mark.parametrize(
    "make",
    [
        lambda: SizeDistribution("nothing"),
        lambda: SizeDistribution.mono(-1),
        lambda: SizeDistribution.mono("2.5"),
        lambda: SizeDistribution.mono(True),
        lambda: SizeDistribution(5),
        lambda: SizeDistribution.fuller(1, 16, classes=1),
        lambda: SizeDistribution.lognormal(1),
    ],
)
def test_bad_laws_are_rejected(make):
    with pytest.raises(jostle.InputError):
        make()


def test_equal_spheres_have_the_published_prediction():
    # Farr & Groot 2009, equal spheres.
    assert jostle.predicted_packing_fraction([1.0]) == pytest.approx(0.6435, abs=1e-4)
    radii = np.array([1.0, 2.0, 5.0])
    assert jostle.predicted_packing_fraction(radii) == jostle.predicted_packing_fraction(2 * radii)
    assert jostle.predicted_packing_fraction([-1.0]) == 0
    assert jostle.predicted_packing_fraction("equal") == pytest.approx(0.6435, abs=1e-4)


def plan_of(printed):
    """The object that the command line prints, without the name and version of the program."""
    plan = json.loads(printed)
    assert plan.pop("program") == f"jostle {jostle.__version__}"
    return plan


def test_tune_prints_the_plan_of_the_command_line(program, run):
    text = run(program, "tune", "din-a16", "--fraction", "0.7", "--method", "constant", "--levels", "6", "--json").stdout
    assert jostle.tune("din-a16", fraction=0.7, method="constant", levels=6) == plan_of(text)
    default = plan_of(run(program, "tune", "fuller-16", "--json").stdout)
    assert jostle.tune(SizeDistribution("fuller-16")) == default
    assert jostle.tune("fuller-16", k=0.5)["overhead"] == 0.5
    text = run(program, "tune", "din-a16", "--method", "constant", "--q", "1.5", "--json").stdout
    assert jostle.tune("din-a16", method="constant", q=1.5) == plan_of(text)
    assert json.loads(text)["ratio"] == 1.5
    for keywords, words in [
        ({"method": "best"}, "unknown method"),
        ({"search": "up"}, "unknown search"),
        ({"k": "some"}, "unknown k"),
        ({"dimension": 4}, "4"),
        ({"fraction": 2}, "2"),
        ({"levels": 0}, "levels"),
        ({"q": 2}, "only constant cell sizes"),
        ({"method": "constant", "q": 0}, "ratio q = 0"),
    ]:
        with pytest.raises(jostle.InputError, match=words):
            jostle.tune("din-a16", **keywords)
