"""A weight document: read, and checked as every other reader checks it. docs/document.md describes the format."""

from __future__ import annotations

import hashlib
import os
from typing import Any, Mapping, Union

from fairstream import _json

Source = Union[str, "os.PathLike[str]", bytes, Mapping[str, Any]]

_LARGEST = 256 << 20


class DocumentError(ValueError):
    """The weight document cannot be used: it is damaged, of another format, or its signature is wrong."""


def read(source: Source) -> tuple[dict[str, Any], bytes]:
    """The document, and its bytes. A str or path names a file; bytes are the document; a mapping is what a JSON library made
    of it, and is written as the program writes it."""
    if isinstance(source, Mapping):
        data = _json.write(dict(source)).encode()
    elif isinstance(source, (bytes, bytearray, memoryview)):
        data = bytes(source)
    else:
        with open(source, "rb") as file:
            data = file.read(_LARGEST + 1)
    return parse(data), data


def parse(data: bytes) -> dict[str, Any]:
    """Checks format, version and hashes. The error is a DocumentError."""
    if len(data) > _LARGEST:
        raise DocumentError(f"the document has more than {_LARGEST} bytes")
    try:
        document, texts = _json.members(data.decode())
    except (ValueError, RecursionError) as err:
        raise DocumentError(f"not a weight document: {err}") from None
    if document.get("format") != "fairstream-weights":
        raise DocumentError("not a weight document: its format is not 'fairstream-weights'")
    if document.get("format_version") != 1:
        raise DocumentError(f"format version {document.get('format_version')}: this package reads version 1")
    if not isinstance(document.get("model"), dict):
        raise DocumentError("the document has no model")
    _compare(texts["model"], document.get("weights_sha256"), "its model")
    if document.get("probability") is not None:
        try:
            free, free_texts = _json.members(texts["probability"])
            weights = free_texts["weights"]
        except (ValueError, KeyError):
            raise DocumentError("probability without weights") from None
        _compare(weights, free.get("sha256"), "the weights of its probability")
    return document


def _compare(text: str, wanted: Any, what: str) -> None:
    found = hashlib.sha256(_json.compact(text).encode()).hexdigest()
    if found != wanted:
        raise DocumentError(
            f"damaged: {what} has SHA-256 {found} and should have {wanted} (of a document that another program wrote again, give the original bytes)"
        )
