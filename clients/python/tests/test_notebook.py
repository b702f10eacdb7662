"""The notebook runs as it stands, on fewer records."""

from __future__ import annotations

import json
import pathlib

import nbclient
import nbformat
import pytest


def test_notebook(repository: pathlib.Path, program: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(repository / "clients/python"))
    monkeypatch.setenv("FAIRSTREAM_PROGRAM", program)
    notebook = nbformat.read(repository / "clients/python/examples/adult.ipynb", as_version=4)
    settings = next(c for c in notebook.cells if c.source.startswith("ADULT = "))
    records = str(repository / "internal/adult/adult.csv.gz")
    settings.source += f"\nADULT = {json.dumps(records)}\nRECORDS = 6000\nTAUS = [0.05, 0.2]\nROUNDS = 3"
    nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    printed = "".join(o.get("text", "") for c in notebook.cells if c.cell_type == "code" for o in c.outputs)
    assert "Male − Female: " in printed
    assert "version 4000 says yes to " in printed
    assert any("image/png" in o.get("data", {}) for c in notebook.cells if c.cell_type == "code" for o in c.outputs)
