"""Scorer weighs and decides records by a weight document, as the program does."""

from __future__ import annotations

import os
import subprocess
import tempfile
from typing import Any, Iterable, Mapping, Optional, Sequence, Union

import numpy as np

from fairstream import _document, _explore, _logistic
from fairstream._compiled import Compiled, free_model
from fairstream._frame import columns_of, fields_of, flat_fields
from fairstream._program import program
from fairstream._texts import RecordError, flatten
from fairstream._times import Parts

# From how many dicts on it pays to go by columns.
_COLUMNS_FROM = 64
_MISSING = ["", "?", "NaN", "nan", "NA", "N/A", "null", "None", "NULL"]


class Scorer:
    """Decides by one weight document. Scorer.load makes one. Margins and decisions are those of the program, bit for bit.

    Every method takes one record (a dict), or records: a sequence of dicts, a DataFrame of pandas or polars, a table of
    Arrow, or a dict of columns. For one record it returns a number, for records an array with one number a row. Fields that the model does not know
    are ignored. A record with a time that cannot be read is a RecordError.
    """

    def __init__(self, document: Mapping[str, Any], data: bytes) -> None:
        self.document = document
        self.data = data
        record = document.get("config", {}).get("record", {})
        missing = record.get("missing")
        self._missing = frozenset(_MISSING if missing is None else map(_json_text, missing))
        self._learnt_as = {r["field"]: r["was"] for r in record.get("renamed") or []}
        self._times = Parts(record)
        self._time_fields = self._times.names()
        self._model = Compiled(document["model"], self._missing, self._times.made())
        self._threshold: Optional[float] = document["model"].get("threshold")
        if (self._threshold is not None) != (document.get("task") == "classification"):
            raise _document.DocumentError("its model and its task do not match")
        self._free = Compiled(free_model(document), self._missing, self._times.made()) if document.get("probability") else None
        self._wanted = {column.name for column in self._model.columns}
        # Whether the members of a record are its fields. A key that is a number may stand for its digits.
        self._flat = not self._times.fields and not self._learnt_as and not any("." in name or name.isdigit() for name in self._wanted)

    @classmethod
    def load(
        cls,
        source: _document.Source,
        *,
        public_keys: Optional[Sequence[str]] = None,
        key: Optional[bytes] = None,
        key_id: str = "",
        signature: Optional[bytes] = None,
    ) -> Scorer:
        """Reads a document: a path, the bytes of a document, or what a JSON library made of one. Its hashes are checked.

        With public_keys, each as ed25519:BASE64, the signature must be good too. It covers the key and the value of a record of
        the model topic: give the record's key, its value as source, and its headers fairstream.key_id and fairstream.signature.

        DocumentError if the document cannot be used; OSError if the file cannot be read.
        """
        document, data = _document.read(source)
        if public_keys:
            from fairstream._signature import Verifier

            if not isinstance(source, (bytes, bytearray, memoryview)) or key is None:
                raise ValueError("a signature covers the key and the bytes of a record: give bytes, and key")
            Verifier(public_keys).verify(key, bytes(source), key_id, signature)
        return cls(document, data)

    @property
    def task(self) -> str:
        """classification or regression."""
        return str(self.document["task"])

    @property
    def version(self) -> int:
        """The number of records that came until the weights were published."""
        return int(self.document["version"])

    @property
    def columns(self) -> list[str]:
        """The fields that count."""
        return [column.name for column in self._model.columns]

    @property
    def gives_probability(self) -> bool:
        return self._free is not None

    def margin(self, records: Any) -> Any:
        """w⋅x: a float, or an array of float64. For a regression it is the prediction, in units of the label."""
        return self._margin(self._model, records)

    def decide(self, records: Any, *, explore: float = 0.0, keys: Any = None) -> Any:
        """Whether the margin is above the threshold: a bool, or an array of them. A regression decides nothing: TypeError.

        explore turns this share of the negative decisions to positive, so that labels are seen of records which the model turns
        down. keys identify the records (a text or number for one record, an array for many; missing ones are never explored): the
        program explores those with the same keys, and a larger share explores those of every smaller one."""
        return self.explore(records, explore, keys).decision

    def explore(self, records: Any, share: float, keys: Any) -> _explore.Exploration:
        """decide with exploration, and what is to be written beside each decision: explored, and propensity, the probability of the decision.

        The propensity belongs into the message of the label (record.propensity). It is 1 where the model accepts or a record has no key."""
        if self._threshold is None:
            raise TypeError("a regression makes no decisions: use margin, which is the prediction")
        _explore.check(share)
        if share > 0 and keys is None:
            raise ValueError("explore needs keys: what identifies each record")
        margin = self.margin(records)
        if isinstance(margin, float):
            return _explore.one(bool(margin > self._threshold), share, keys)
        return _explore.many(margin > self._threshold, share, keys)

    def score(self, records: Any) -> Any:
        """1/(1+exp(-margin)), with the bits of the program. It orders records; under constraints it is no calibrated probability."""
        return _score(self.margin(records))

    def probability(self, records: Any) -> Any:
        """The calibrated probability of the positive label, by the model without constraints. ValueError if the document has none."""
        if self._free is None:
            raise ValueError("the document has no probability: it is of a regression, of mode paper, or of an older program")
        return _score(self._margin(self._free, records))

    def to_onnx(self, path: Optional[Union[str, "os.PathLike[str]"]] = None) -> bytes:
        """The model as ONNX, which the program writes: FileNotFoundError without it. docs/onnx.md describes inputs and outputs.
        With path, it is written there too. ValueError, with the key that avoids it, if a graph cannot express the model."""
        with tempfile.TemporaryDirectory() as folder:
            document = os.path.join(folder, "weights.json")
            with open(document, "wb") as file:
                file.write(self.data)
            command = [program(), "models", "export", "--format", "onnx", "--model", document]
            done = subprocess.run(command, capture_output=True, check=False)
        if done.returncode != 0:
            raise ValueError(done.stderr.decode(errors="replace").strip())
        if path is not None:
            with open(path, "wb") as file:
                file.write(done.stdout)
        return done.stdout

    def _margin(self, model: Compiled, records: Any) -> Any:
        frame = columns_of(records)
        if frame is not None:
            rows, sources = frame
            return model.margins(fields_of(rows, sources, self._wanted, self._learnt_as, self._times, self._missing), rows)
        if isinstance(records, Mapping):
            return model.margin(self._fields(records))
        if hasattr(records, "to_dict"):  # a row of a DataFrame
            return model.margin(self._fields(records.to_dict()))
        if isinstance(records, (str, bytes)) or not isinstance(records, Iterable):
            raise TypeError(f"records are a dict, a sequence of dicts, or a table of pandas, polars or Arrow, not {type(records).__name__}")
        records = list(records)
        if len(records) >= _COLUMNS_FROM and self._flat:
            fields = flat_fields(records, self._wanted)
            if fields is not None:
                return model.margins(fields, len(records))
        margins = []
        for i, record in enumerate(records):
            if not isinstance(record, Mapping):
                raise TypeError(f"record {i} is {type(record).__name__}, not a dict")
            try:
                margins.append(model.margin(self._fields(record)))
            except RecordError as err:
                raise RecordError(f"record {i}: {err}") from None
        return np.array(margins, np.float64)

    def _fields(self, record: Mapping[str, Any]) -> dict[str, Any]:
        fields = flatten(record, self._learnt_as, self._time_fields)
        if self._times.fields:
            self._times.replace(fields, self._missing)
        return fields


def _json_text(value: Any) -> str:
    return value if isinstance(value, str) else {True: "true", False: "false"}.get(value, str(value))


def _score(margin: Any) -> Any:
    if isinstance(margin, float):
        return float(_logistic.probability(np.array([margin]))[0])
    return _logistic.probability(margin)
