"""Studies: many packings, one row of a table for each."""

from ._study import study

__all__ = ["study"]
