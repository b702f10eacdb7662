"""Decide by the weights that fairstream learns. Each name is imported when it is first used, so that only those that need
a library beyond numpy ask for it."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from fairstream._version import __version__

if TYPE_CHECKING:
    from fairstream._document import DocumentError
    from fairstream._frame import WholeFloatWarning
    from fairstream._program import program
    from fairstream._texts import RecordError
    from fairstream.follower import Follower
    from fairstream.scorer import Scorer

# Where each public name is.
_HOME = {
    "DocumentError": "fairstream._document",
    "Follower": "fairstream.follower",
    "RecordError": "fairstream._texts",
    "Scorer": "fairstream.scorer",
    "WholeFloatWarning": "fairstream._frame",
    "program": "fairstream._program",
}

__all__ = ["__version__", *_HOME]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'fairstream' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
