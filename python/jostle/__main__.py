"""The command ``jostle``: the Rust command line, and ``jostle study``, which Python carries out."""

from __future__ import annotations

import signal
import sys

from . import _core


def main() -> int:
    """Runs the command with the arguments of the process, and returns the exit code."""
    if sys.argv[1:2] == ["study"]:
        from ._study.command import main as study

        return study(sys.argv[2:])
    # The Rust code handles signals as the program without Python does. Ignored signals remain ignored.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _core.command(["jostle", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
