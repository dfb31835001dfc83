"""Dense, random, overlap-free packings of spheres from particle size distributions.

All lengths have the unit of the diameters. The same seed gives the same bits on any machine, with any number of threads.

Examples
--------
>>> import jostle
>>> packing = jostle.pack("concrete", n=1000, effort="quick")
>>> packing.centers.shape
(1000, 3)
>>> packing.certificate.max_overlap
0.0
"""

from typing import TYPE_CHECKING, Any

from ._blends import blend_requests, plot_blends
from ._core import VERSION as __version__
from ._core import FileError, InputError, PackingError
from ._functions import certify, predicted_packing_fraction, read, tune
from ._pack import Estimate, Packer, PackingInterrupt, PackingWarning, Progress, estimate, pack
from ._packing import Certificate, Component, Container, Neighbors, OmissionWarning, Packing, SizeReport
from ._pour import PourProgress, pour
from ._shapes import Box, Cone, Cylinder, Mesh, Sphere
from ._sizes import SizeDistribution
from ._tables import Contacts, Profile, Supports

if TYPE_CHECKING:
    from ._study import study

__all__ = [
    "Box",
    "Certificate",
    "Component",
    "Cone",
    "Contacts",
    "Container",
    "Cylinder",
    "Estimate",
    "FileError",
    "InputError",
    "Mesh",
    "Neighbors",
    "OmissionWarning",
    "Packer",
    "Packing",
    "PackingError",
    "PackingInterrupt",
    "PackingWarning",
    "PourProgress",
    "Profile",
    "Progress",
    "SizeDistribution",
    "SizeReport",
    "Sphere",
    "Supports",
    "__version__",
    "blend_requests",
    "certify",
    "estimate",
    "pack",
    "plot_blends",
    "pour",
    "predicted_packing_fraction",
    "read",
    "study",
    "tune",
]


def __getattr__(name: str) -> Any:
    """Imports the studies when they are used, so that `import jostle` is fast."""
    if name == "study":
        from ._study import study

        return study
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Returns the public names, also of modules that are imported at their first use."""
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
