"""The package as a whole: what importing it asks for, and where it finds the program."""

from __future__ import annotations

import pathlib
import subprocess
import sys
import zipfile

import pytest

import fairstream

PACKAGE = pathlib.Path(fairstream.__file__).parents[1]
EXTRAS = ["sklearn", "pandas", "polars", "pyarrow", "confluent_kafka", "cryptography", "onnx"]


def test_import_needs_nothing_but_numpy() -> None:
    script = f"import fairstream, sys; print([m for m in {EXTRAS} if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=PACKAGE)
    assert found.stdout.strip() == "[]"


def test_names() -> None:
    assert set(fairstream.__all__) <= set(dir(fairstream))
    for name in fairstream.__all__:
        assert getattr(fairstream, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'Scorrer'"):
        fairstream.Scorrer


def test_a_wheel_of_the_checkout_holds_the_package(tmp_path: pathlib.Path) -> None:
    """What pip builds of this folder: hatchling once left the package out, because the repository's .gitignore names the program alike."""
    script = "import sys; from hatchling.builders.wheel import WheelBuilder; print(*WheelBuilder(sys.argv[1]).build(directory=sys.argv[2], versions=['standard']))"
    subprocess.run([sys.executable, "-c", script, str(PACKAGE), str(tmp_path)], check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {"fairstream/scorer.py", "fairstream/sklearn/__init__.py", "fairstream/py.typed"} <= set(names)
    assert not [n for n in names if n.startswith("fairstream/") and not n.endswith((".py", ".typed"))]


def test_program_runs(program: str) -> None:
    assert "fairstream" in subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout


def test_program_that_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setenv("FAIRSTREAM_PROGRAM", f"{tmp_path}/none")
    with pytest.raises(FileNotFoundError, match="FAIRSTREAM_PROGRAM is"):
        fairstream.program()
