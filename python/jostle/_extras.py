"""Optional packages, with a sentence that tells how to install a missing one."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def extra(name: str, package: str) -> Any:
    """Returns the module `name` of a package."""
    try:
        return import_module(name)
    except ImportError as error:
        raise ImportError(f"this needs {package}; install it with: pip install {package}") from error


def pandas() -> Any:
    """Returns pandas."""
    return extra("pandas", "pandas")
