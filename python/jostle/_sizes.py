"""Distributions of sphere diameters."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _core
from ._arguments import array_of, numbers, path_of, real, text, whole
from ._core import InputError
from ._core import Sizes as CoreSizes

if TYPE_CHECKING:
    from typing import Literal

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

# Largest difference in percent that counts as rounding, such as that of a cumulative sum of rounded shares.
SIEVE_ROUNDING = 1e-3


class SizeDistribution:
    """A distribution of sphere diameters. All spheres have one density, so a share of the mass is a share of the volume; only the
    components of a blend may have several densities, and its mass curve is then a curve by volume.

    The class methods make the laws.

    Parameters
    ----------
    text : str or path
        A preset such as ``"concrete"``, an inline law such as ``"fuller:d_min=1,d_max=16"``, the name of a ``.json`` file, or that of a
        table of sieves or a list of diameters (``.csv``, ``.tsv`` or ``.txt``).

    Raises
    ------
    InputError
        If the text names no size distribution.
    FileError
        If the file cannot be read.

    Examples
    --------
    >>> from jostle import SizeDistribution
    >>> law = SizeDistribution.fuller(d_min=1, d_max=16)
    >>> round(law.quantile(0.5), 3)
    6.25
    """

    __slots__ = ("_core",)

    _core: CoreSizes

    def __init__(self, text: str | os.PathLike[str]) -> None:
        self._core = CoreSizes.load(path_of("text", text))

    @classmethod
    def _of(cls, core: CoreSizes) -> SizeDistribution:
        law = cls.__new__(cls)
        law._core = core
        return law

    @classmethod
    def _inline(cls, name: str, **parameters: float | int | str | None) -> SizeDistribution:
        given = {key: value for key, value in parameters.items() if value is not None}
        inline = ",".join(f"{key}={_text(key, value)}" for key, value in given.items())
        return cls(f"{name}:{inline}")

    @classmethod
    def mono(cls, d: float) -> SizeDistribution:
        """Equal spheres of diameter `d`."""
        return cls._inline("mono", d=d)

    @classmethod
    def bidisperse(
        cls, d_small: float, d_large: float, mass_small: float | None = None, *, number_small: float | None = None
    ) -> SizeDistribution:
        """Two diameters.

        Parameters
        ----------
        d_small, d_large : float
            The diameters.
        mass_small, number_small : float
            One of them is given, above 0 and below 1: the share of the mass in the small spheres, or their share of all spheres.
        """
        return cls._inline("bidisperse", d_small=d_small, d_large=d_large, mass_small=mass_small, number_small=number_small)

    @classmethod
    def power_law(cls, exponent: float, d_min: float, d_max: float) -> SizeDistribution:
        """Density ∝ d^exponent by number, from `d_min` to `d_max`."""
        return cls._inline("power-law", exponent=exponent, d_min=d_min, d_max=d_max)

    @classmethod
    def uniform_size(cls, d_min: float, d_max: float) -> SizeDistribution:
        """All diameters from `d_min` to `d_max` equally frequent by number."""
        return cls._inline("uniform-size", d_min=d_min, d_max=d_max)

    @classmethod
    def uniform_volume(cls, d_min: float, d_max: float) -> SizeDistribution:
        """The same volume of spheres at every diameter from `d_min` to `d_max`."""
        return cls._inline("uniform-volume", d_min=d_min, d_max=d_max)

    @classmethod
    def fuller(
        cls,
        d_min: float,
        d_max: float,
        n: float = 0.5,
        *,
        classes: int | None = None,
        first_class: Literal["increment", "all-below"] | None = None,
    ) -> SizeDistribution:
        """Fuller curve: mass share (d/d_max)^n, cut off below `d_min`.

        Parameters
        ----------
        d_min, d_max : float
            Smallest and largest diameter.
        n : float
            Exponent, above 0 and at most 10.
        classes : int, optional
            Number of size classes, from 2 to 10 000. By default the curve is continuous.
        first_class : {"increment", "all-below"}, optional
            The mass of the smallest class: one increment of the curve, or all mass of the formula at or below `d_min`.
        """
        return cls._inline("fuller", d_min=d_min, d_max=d_max, n=n, classes=classes, first_class=first_class)

    @classmethod
    def andreasen(cls, q: float, d_min: float, d_max: float) -> SizeDistribution:
        """Modified Andreasen (Dinger–Funk) curve with exponent `q`, above 0 and at most 10."""
        return cls._inline("andreasen", q=q, d_min=d_min, d_max=d_max)

    @classmethod
    def rosin_rammler(cls, d_prime: float, n: float, d_min: float, d_max: float) -> SizeDistribution:
        """Mass residue exp(−(d/d_prime)^n), cut off at `d_min` and `d_max`; `n` is from 0.05 to 50."""
        return cls._inline("rosin-rammler", d_prime=d_prime, n=n, d_min=d_min, d_max=d_max)

    @classmethod
    def lognormal(
        cls,
        d50: float,
        sigma: float | None = None,
        *,
        d10: float | None = None,
        d90: float | None = None,
        by: Literal["number", "mass"] = "number",
        d_min: float | None = None,
        d_max: float | None = None,
    ) -> SizeDistribution:
        """Lognormal law: ln d has a normal distribution.

        Parameters
        ----------
        d50 : float
            Median diameter.
        sigma : float, optional
            Standard deviation of ln d, from 1e-6 to 3; or else `d10` and `d90` are needed.
        d10, d90 : float, optional
            Diameters at or below which 10 % and 90 % lie.
        by : {"number", "mass"}
            The quantity that the quantiles refer to.
        d_min, d_max : float, optional
            Cut-offs. By default 0.1 % of the number is finer, and 0.1 % of the mass is coarser.
        """
        return cls._inline("lognormal", d10=d10, d50=d50, d90=d90, sigma=sigma, by=by, d_min=d_min, d_max=d_max)

    @classmethod
    def normal(
        cls,
        mean: float,
        sd: float,
        *,
        by: Literal["number", "mass"] = "number",
        d_min: float | None = None,
        d_max: float | None = None,
    ) -> SizeDistribution:
        """Normal law, cut off at two diameters.

        Parameters
        ----------
        mean, sd : float
            Mean and standard deviation of the diameter before the law is cut off.
        by : {"number", "mass"}
            The quantity that is normally distributed.
        d_min, d_max : float, optional
            Cut-offs. By default they are three standard deviations beside the mean.
        """
        return cls._inline("normal", mean=mean, sd=sd, by=by, d_min=d_min, d_max=d_max)

    @classmethod
    def from_diameters(cls, diameters: ArrayLike, *, name: str = "", unit: str = "") -> SizeDistribution:
        """Diameters one by one, such as those of measured particles.

        A stratified sample of as many spheres, which `jostle.pack` takes without `n`, has exactly these diameters in this order.
        Other samples come from the distribution of these diameters.

        Parameters
        ----------
        diameters : array_like, shape (n,)
            Diameters in any order.
        name, unit : str
            Name and unit for the provenance of packings.
        """
        return cls._of(CoreSizes.of_diameters(numbers("diameters", diameters), text("name", name), text("unit", unit)))

    @classmethod
    def from_table(cls, table: Any, *, name: str = "table", unit: str = "") -> SizeDistribution:
        """Table of sieves or of diameters, as `SizeDistribution` reads it from a ``.csv`` file.

        The names of the columns tell what they are, such as ``"Size [µm]"`` and ``"Passing [%]"``, ``"Cumulative retained [%]"`` or
        ``"Retained on sieve [g]"``. One column of sizes is a list of diameters. `notes` states what was assumed.

        Parameters
        ----------
        table : DataFrame, mapping or pair of array_like
            Columns with their names, or two arrays of sizes and shares whose numbers tell what they are.
        name : str
            Name for the provenance of packings and for errors.
        unit : str
            Unit of the sizes, if the names of the columns have none.

        Examples
        --------
        >>> from jostle import SizeDistribution
        >>> law = SizeDistribution.from_table({"Sieve [mm]": [0.25, 1, 16], "Passing [%]": [0, 12, 100]})
        >>> law.unit, round(law.cdf(1), 4)
        ('mm', 0.12)
        """
        named = dict(table.items()) if hasattr(table, "items") else None
        columns = list(named.values() if named is not None else table)
        header = [] if named is None else [str(column) for column in named]
        names = header or [f"column {i + 1}" for i in range(len(columns))]
        values = [numbers(column, array).tolist() for column, array in zip(names, columns)]
        return cls._of(CoreSizes.of_columns(header, values, text("name", name), text("unit", unit)))

    @classmethod
    def from_sieve(
        cls,
        sizes: ArrayLike,
        passing: ArrayLike,
        *,
        interpolation: Literal["log", "linear"] = "log",
        name: str = "",
        unit: str = "",
    ) -> SizeDistribution:
        """Sieve curve.

        Parameters
        ----------
        sizes : array_like, shape (k,)
            Sizes of the sieves, ascending or descending.
        passing : array_like, shape (k,)
            Percent of the mass that passes each sieve, from 0 at the smallest to 100 at the largest. Ends that miss 0 or 100 by
            at most 0.001, as sums of rounded numbers do, count as 0 and 100.
        interpolation : {"log", "linear"}
            Whether the curve is linear in ln d or in d between two sieves.
        name, unit : str
            Name and unit for the provenance of packings.
        """
        pairs = _pairs("sizes", sizes, "passing", passing)
        if len(pairs) > 1 and pairs[0][0] > pairs[-1][0]:
            pairs.reverse()
        for end in (0.0, 100.0):
            pairs = [(size, end if abs(share - end) <= SIEVE_ROUNDING else share) for size, share in pairs]
        texts = text("interpolation", interpolation), text("name", name), text("unit", unit)
        return cls._of(CoreSizes.of_sieves(pairs, *texts))

    @classmethod
    def from_classes(
        cls, diameters: ArrayLike, shares: ArrayLike, *, by: Literal["mass", "number"] = "mass", name: str = "", unit: str = ""
    ) -> SizeDistribution:
        """Size classes.

        Parameters
        ----------
        diameters : array_like, shape (k,)
            Diameters, ascending or descending.
        shares : array_like, shape (k,)
            Share of each class; the sum is 1.
        by : {"mass", "number"}
            The quantity that the shares refer to.
        name, unit : str
            Name and unit for the provenance of packings.
        """
        pairs = _pairs("diameters", diameters, "shares", shares)
        if len(pairs) > 1 and pairs[0][0] > pairs[-1][0]:
            pairs.reverse()
        return cls._of(CoreSizes.of_classes(pairs, text("by", by), text("name", name), text("unit", unit)))

    def cut(self, *, below: float | None = None, above: float | None = None) -> SizeDistribution:
        """Returns the distribution without small or large spheres. `notes` states the share of the mass that is left out.

        Parameters
        ----------
        below, above : float, optional
            Spheres that are smaller than `below` or larger than `above` are left out.
        """
        limits = (None if limit is None else real(key, limit) for key, limit in (("below", below), ("above", above)))
        return self._of(self._core.cut(*limits))

    @classmethod
    def blend(
        cls,
        components: Mapping[str | os.PathLike[str] | SizeDistribution, float] | Iterable[Mapping[str, Any]],
        *,
        by: Literal["mass", "volume"] = "mass",
        name: str = "",
    ) -> SizeDistribution:
        """Blend of components, each with a size distribution and a share.

        A sample keeps the share of each component within one sphere, and packings keep the components: see
        :attr:`Packing.components`. Units of length that differ are converted to the largest one.

        Parameters
        ----------
        components : mapping, or iterable of mappings
            Shares by size distribution: a preset, an inline law, the name of a file, or a distribution. Or a mapping for each
            component with the keys ``sizes`` and ``share``, and optionally ``label`` and ``density``. By default, the label is the
            name of the file without directory and extension, or the text, or the name of the distribution. Densities have one unit.
        by : {"mass", "volume"}
            The quantity of which the components have shares. The sum of the shares is 1, or 100 in percent.
        name : str
            Name for the provenance of packings.

        Examples
        --------
        >>> from jostle import SizeDistribution
        >>> blend = SizeDistribution.blend({"din-a16": 0.7, "mono:d=2": 0.3})
        >>> [component["label"] for component in blend.components]
        ['din-a16', 'mono:d=2']
        """
        if isinstance(components, Mapping):
            parts: list[Mapping[str, Any]] = [{"sizes": sizes, "share": share} for sizes, share in components.items()]
        else:
            parts = list(components)
        return cls._of(CoreSizes.of_blend([_component(part) for part in parts], text("by", by), text("name", name)))

    @property
    def components(self) -> list[dict[str, Any]]:
        """The components of a blend, as in ``.json`` files: label, share, sizes, and density if there is one; empty for other laws."""
        blend: dict[str, Any] = self.law.get("blend", {})
        components: list[dict[str, Any]] = blend.get("components", [])
        return components

    def with_shares(self, shares: ArrayLike) -> SizeDistribution:
        """Returns the blend of the same components with other shares, shape (k,), of the same quantity; their sum is 1."""
        return self._of(_core.with_shares(self._core, numbers("shares", shares).tolist()))

    def fitted_to(
        self, target: str | os.PathLike[str] | SizeDistribution, *, sieves: ArrayLike | None = None
    ) -> SizeDistribution:
        """Returns the blend of the same components whose mass curve fits a target best.

        The sum of the squared differences at the sieve sizes is least. A component that does not help has the share 0.

        Parameters
        ----------
        target : str, path or SizeDistribution
            The wanted size distribution.
        sieves : array_like, shape (k,), optional
            Sieve sizes in the unit of the blend; by default those of the target, or 17 sizes in its range.

        Examples
        --------
        >>> from jostle import SizeDistribution
        >>> sand_and_gravel = SizeDistribution("blend:(fuller:d_min=1,d_max=4)=0.5,(fuller:d_min=4,d_max=16)=0.5")
        >>> fitted = sand_and_gravel.fitted_to("fuller:d_min=1,d_max=16")
        >>> round(fitted.components[0]["share"], 3)
        0.333
        """
        law = target if isinstance(target, SizeDistribution) else SizeDistribution(target)
        sizes = None if sieves is None else numbers("sieves", sieves).tolist()
        return self._of(_core.fitted(self._core, law._core, sizes))

    def densest(self, *, model: Literal["rods", "compressible"] = "rods") -> SizeDistribution:
        """Returns the blend of the same components with the largest packing fraction that a model predicts.

        Parameters
        ----------
        model : {"rods", "compressible"}
            The model, as in :func:`jostle.predicted_packing_fraction`.
        """
        return self._of(_core.densest(self._core, text("model", model)))

    @staticmethod
    def presets() -> list[str]:
        """Returns the names of the presets."""
        return CoreSizes.presets()

    @property
    def _document(self) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self._core.to_json())
        return document

    @property
    def name(self) -> str:
        """Name of the preset, text of the inline law, or name in the file; empty if there is none."""
        name: str = self._document["name"]
        return name

    @property
    def unit(self) -> str:
        """Unit of the diameters, such as ``"mm"``; empty if it is unknown."""
        unit: str = self._document["unit"]
        return unit

    @property
    def source(self) -> str:
        """Reference of the distribution: a publication, a measurement or a formula."""
        source: str = self._document["source"]
        return source

    @property
    def notes(self) -> list[str]:
        """Sentences about what was assumed when the distribution was read, and about shares that were divided by their sum."""
        return self._core.notes()

    @property
    def law(self) -> dict[str, Any]:
        """The law with its parameters, as in ``.json`` files."""
        law: dict[str, Any] = self._document["law"]
        return law

    @property
    def d_min(self) -> float:
        """Smallest diameter."""
        return self._core.range()[0]

    @property
    def d_max(self) -> float:
        """Largest diameter."""
        return self._core.range()[1]

    @property
    def mean_volume(self) -> float:
        """Mean volume of a sphere, in the unit of the diameters cubed."""
        return self._core.range()[2]

    def sample(
        self,
        n: int | float | None = None,
        *,
        volume: float | None = None,
        sampling: Literal["stratified", "random"] = "stratified",
        seed: int = 1,
    ) -> NDArray[np.float64]:
        """Returns diameters, shape (n,).

        Parameters
        ----------
        n : int, optional
            Number of spheres.
        volume : float, optional
            Total volume of the spheres, in the unit of the diameters cubed; instead of `n`.
        sampling : {"stratified", "random"}
            Diameters as near to the distribution as possible, or independent draws.
        seed : int
            Seed of random draws. Stratified samples are the same for every seed.

        Raises
        ------
        MemoryError
            If the sample needs more memory than there is.
        """
        if (n is None) == (volume is None):
            raise InputError("one of n and volume must be given")
        count = None if n is None else whole("n", n, 0)
        total = None if volume is None else real("volume", volume)
        return self._core.sample(count, total, text("sampling", sampling), whole("seed", seed, 0))

    def quantile(self, share: ArrayLike, *, by: Literal["mass", "number"] = "mass") -> Any:
        """Returns the smallest diameter at or below which a share of the mass or number lies.

        Parameters
        ----------
        share : float or array_like
            Shares from 0 to 1.
        by : {"mass", "number"}
            The quantity that the shares refer to.

        Returns
        -------
        float or ndarray
            Diameters in the shape of `share`.
        """
        array = array_of("share", share)
        wrong = array[~((array >= 0) & (array <= 1))]
        if wrong.size:
            raise InputError(f"share is {wrong.flat[0]:g}; numbers from 0 to 1 are expected")
        return self._map(self._core.quantiles, array, by)

    def cdf(self, diameter: ArrayLike, *, by: Literal["mass", "number"] = "mass") -> Any:
        """Returns the share of the mass or number in spheres at or below a diameter: a float, or an array of its shape."""
        return self._map(self._core.shares, array_of("diameter", diameter), by)

    def mass_curve(self, diameters: ArrayLike | None = None) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Returns diameters and the share of the mass at or below each, two arrays of shape (k,).

        Parameters
        ----------
        diameters : array_like, shape (k,), optional
            By default the diameters of the size classes, or 101 diameters in geometric progression.
        """
        import numpy as np

        classes = self._core.classes()
        if diameters is not None:
            found = numbers("diameters", diameters)
        elif classes is not None:
            found = np.array([diameter for diameter, _, _ in classes])
        else:
            found = np.geomspace(self.d_min, self.d_max, 101)
        return found, self._core.shares("mass", found)

    @staticmethod
    def _map(function: Any, array: NDArray[np.float64], by: str) -> Any:
        mapped = function(text("by", by), array.ravel())
        return mapped.reshape(array.shape) if array.ndim else float(mapped[0])

    def __eq__(self, other: object) -> bool:
        return self._core == other._core if isinstance(other, SizeDistribution) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._core.to_json())

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.name or "size distribution", self._core.to_json())

    def __repr__(self) -> str:
        name = self.name or json.dumps(self.law)
        unit = f" {self.unit}" if self.unit else ""
        return f"<jostle.SizeDistribution: {name}, {self.d_min:.5g} to {self.d_max:.5g}{unit}>"


def _restore(origin: str, text: str) -> SizeDistribution:
    """Returns the distribution that was pickled."""
    return SizeDistribution._of(CoreSizes.from_json(origin, text))


def _component(part: Mapping[str, Any]) -> tuple[str, float, float | None, CoreSizes]:
    """Returns the label, share, density and sizes of a component of a blend."""
    unknown = [key for key in part if key not in ("sizes", "share", "label", "density")]
    if unknown or "sizes" not in part or "share" not in part:
        found = f"the key {unknown[0]!r}" if unknown else f"the keys {', '.join(map(repr, part)) or 'none'}"
        raise InputError(f"a component has {found}; sizes and share, and optionally label and density, are expected")
    sizes = part["sizes"]
    if isinstance(sizes, SizeDistribution):
        law, name = sizes, sizes.name
    else:
        named = path_of("sizes", sizes)
        law, name = SizeDistribution(named), named if ":" in named else Path(named).stem
    density = part.get("density")
    return (
        text("label", part.get("label", name)),
        real("share", part["share"]),
        None if density is None else real("density", density),
        law._core,
    )


def _pairs(first: str, a: ArrayLike, second: str, b: ArrayLike) -> list[tuple[float, float]]:
    columns = numbers(first, a).tolist(), numbers(second, b).tolist()
    if len(columns[0]) != len(columns[1]):
        raise InputError(f"{first} has {len(columns[0])} numbers and {second} has {len(columns[1])}; their numbers must be equal")
    return list(zip(*columns))


def _text(name: str, value: float | int | str) -> str:
    """Returns a parameter as on the command line: 1.0 is written 1."""
    if name in ("by", "first_class"):
        return text(name, value)
    number = real(name, value)
    return str(int(number)) if number.is_integer() and abs(number) < 2**53 else repr(number)
