"""The interactive view of a packing in a notebook."""

from __future__ import annotations

import os
from html import escape

from . import _core
from ._arguments import path_of


class View:
    """An interactive three-dimensional view of a packing, with slices: an HTML page that needs no other file and no network.

    :meth:`jostle.Packing.view` returns views. A notebook shows the page in a frame.

    Attributes
    ----------
    html : str
        The page.
    height : int
        Height of the frame in pixels.
    """

    def __init__(self, html: str, height: int) -> None:
        self.html = html
        self.height = height

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page to a file, which appears when it is complete."""
        _core.write_file(path_of("path", path), self.html.encode())

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{escape(self.html)}" title="packing" '
            f'style="width: 100%; height: {self.height}px; border: none"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<jostle view: a page of {len(self.html)} characters>"
