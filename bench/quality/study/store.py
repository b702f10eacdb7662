"""Runs of a method on a data set are kept as JSON, so that a method is run again only when it or what it
learns from has changed."""

import hashlib
import json
import pathlib

from .data import CACHE
from .measures import Run

HERE = pathlib.Path(__file__).parent


def stamp(*parts):
    """Identifies what a result depends on: texts, and files of the study by name."""
    digest = hashlib.sha256()
    for part in parts:
        file = HERE / part
        digest.update(file.read_bytes() if part.endswith(".py") else part.encode())
        digest.update(b"\0")
    return digest.hexdigest()[:16]


def path(size, dataset, method):
    return CACHE / "results" / size / dataset / (method + ".json")


def save(size, dataset, method, stamp, runs):
    to = path(size, dataset, method)
    to.parent.mkdir(parents=True, exist_ok=True)
    temporary = to.with_suffix(".tmp")
    temporary.write_text(json.dumps({"stamp": stamp, "runs": [r.row() for r in runs]}))
    temporary.replace(to)


def known(size, dataset, method, stamp):
    """Whether runs with that stamp are kept."""
    at = path(size, dataset, method)
    return at.exists() and json.loads(at.read_text())["stamp"] == stamp


def runs(size, dataset, method, kind=Run):
    """The runs that are kept, whatever their stamp; none if there are none."""
    at = path(size, dataset, method)
    if not at.exists():
        return []
    return [kind(**row) for row in json.loads(at.read_text())["runs"]]
