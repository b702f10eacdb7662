"""Where the program fairstream is: the wheel of a platform carries it, the pure wheel does not."""

from __future__ import annotations

import os
import pathlib
import shutil
import sys
import sysconfig

_FILE = "fairstream.exe" if os.name == "nt" else "fairstream"


def program() -> str:
    """The path of the program: that of the environment variable FAIRSTREAM_PROGRAM, or the one beside this Python, where a
    wheel puts it, or the first on the path. FileNotFoundError if there is none."""
    if named := os.environ.get("FAIRSTREAM_PROGRAM"):
        if not os.path.isfile(named):
            raise FileNotFoundError(f"FAIRSTREAM_PROGRAM is {named}, which is no file")
        return named
    folders = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", f"{os.name}_user"), os.path.dirname(sys.executable)]
    for folder in folders:
        found = pathlib.Path(folder) / _FILE
        if found.is_file():
            return str(found)
    if on_path := shutil.which("fairstream"):
        return on_path
    raise FileNotFoundError(
        "the program fairstream is missing: install a wheel of your platform, or name the program in FAIRSTREAM_PROGRAM"
    )
