"""A learner in a process of the program fairstream, which is fed through a pipe and ends with its object."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import weakref
from typing import Any, Iterable, Optional

import numpy as np

from fairstream._program import program


class LearnerError(ValueError):
    """The program refused what it was given. The message names the field or key, and no value of a record."""


def _end(process: subprocess.Popen[bytes], owner: int) -> None:
    """The end of its input ends the program. A fork of Python leaves it to its owner."""
    if os.getpid() != owner:
        return
    for pipe in (process.stdin, process.stdout):
        try:
            pipe.close()  # type: ignore[union-attr]
        except OSError:
            pass
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class Learner:
    """A learner of a configuration. It can be pickled and copied: the copy has a process of its own, with the same state, from when
    it is first asked."""

    def __init__(self, config: dict[str, Any], state: Optional[bytes] = None) -> None:
        self._config = config
        self._state = state
        self._process: Optional[subprocess.Popen[bytes]] = None
        self._owner = 0
        self._ask(b"")

    def __getstate__(self) -> dict[str, Any]:
        return {"config": self._config, "state": self.state()}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self._config, self._state = saved["config"], saved["state"]
        self._process, self._owner = None, 0

    def learn(self, batches: Iterable[bytes]) -> np.ndarray:
        """Learns batches of CSV with a header, in their order. It returns the margin of each row before it was learnt, NaN where it had
        none. Python makes the next batch while the program learns this one."""
        margins = []
        waiting = False
        for batch in batches:
            self._send(b"L", batch)
            if waiting:
                margins.append(self._answer())
            waiting = True
            self._state = None
        if waiting:
            margins.append(self._answer())
        return np.frombuffer(b"".join(margins), dtype="<f8")

    def predict(self, batches: Iterable[bytes]) -> tuple[np.ndarray, np.ndarray]:
        """The margin of each row, and the probability by the model without constraints, NaN if there is none."""
        parts = [np.frombuffer(self._ask(b"P", batch), dtype="<f8").reshape(2, -1) for batch in batches]
        both = np.concatenate(parts, axis=1)
        return both[0], both[1]

    def document(self) -> str:
        """The weight document, as JSON."""
        return self._ask(b"D").decode()

    def state(self) -> bytes:
        if self._state is None:
            self._state = self._ask(b"S")
        return self._state

    def _start(self) -> None:
        own_group: dict[str, Any] = (
            {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)} if os.name == "nt" else {"start_new_session": True}
        )
        # In a group of its own, so that Ctrl-C in a notebook leaves the learner alone.
        self._process = subprocess.Popen(
            [program(), "learn"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, **own_group
        )
        self._owner = os.getpid()
        weakref.finalize(self, _end, self._process, self._owner)
        self._send(b"C", json.dumps(self._config).encode())
        self._answer()
        if self._state is not None:
            self._send(b"R", self._state)
            self._answer()

    def _ask(self, what: bytes, payload: bytes = b"") -> bytes:
        if self._process is None:
            self._start()
        if not what:
            return b""
        self._send(what, payload)
        return self._answer()

    def _send(self, what: bytes, payload: bytes) -> None:
        if self._process is None:
            self._start()
        if os.getpid() != self._owner:
            raise RuntimeError("the learner belongs to the process that forked this one: pickle the estimator, or fit it here")
        pipe = self._process.stdin  # type: ignore[union-attr]
        try:
            pipe.write(what + struct.pack("<Q", len(payload)))  # type: ignore[union-attr]
            pipe.write(payload)  # type: ignore[union-attr]
            pipe.flush()  # type: ignore[union-attr]
        except OSError as error:
            raise RuntimeError("the program fairstream ended: fit again") from error

    def _answer(self) -> bytes:
        head = self._read(9)
        payload = self._read(struct.unpack("<Q", head[1:])[0])
        if head[:1] != b"+":
            raise LearnerError(payload.decode())
        return payload

    def _read(self, length: int) -> bytes:
        data = self._process.stdout.read(length)  # type: ignore[union-attr]
        if len(data) != length:
            raise RuntimeError("the program fairstream ended: fit again")
        return data
