"""What the tests share. make python builds the program, and names it in FAIRSTREAM_PROGRAM."""

from __future__ import annotations

import pathlib

import pytest
import worlds

import fairstream


@pytest.fixture(scope="session")
def program() -> str:
    """The program, which every test that needs it must have: a run without it fails."""
    return fairstream.program()


@pytest.fixture(scope="session")
def repository() -> pathlib.Path:
    return pathlib.Path(__file__).parents[3]


@pytest.fixture(scope="session")
def all_worlds(program: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, worlds.World]:
    folder = tmp_path_factory.mktemp("worlds")
    return {name: worlds.make(name, program, folder) for name in worlds.SETS}


@pytest.fixture(params=list(worlds.SETS))
def world(request: pytest.FixtureRequest, all_worlds: dict[str, worlds.World]) -> worlds.World:
    return all_worlds[request.param]
