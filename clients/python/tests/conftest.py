"""What the tests share. make python builds the program, and names it in FAIRSTREAM_PROGRAM."""

from __future__ import annotations

import pathlib

import pytest

import fairstream


@pytest.fixture(scope="session")
def program() -> str:
    """The program, which every test that needs it must have: a run without it fails."""
    return fairstream.program()


@pytest.fixture(scope="session")
def repository() -> pathlib.Path:
    return pathlib.Path(__file__).parents[3]
