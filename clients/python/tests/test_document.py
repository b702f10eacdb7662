"""What is refused as a document, and how one is given."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from worlds import World

from fairstream import DocumentError, Scorer
from fairstream._hash import mix, text_hash
from fairstream._json import write


def test_ways_to_give_a_document(world: World) -> None:
    data = world.document.read_bytes()
    record = world.records[0]
    want = world.scorer.margin(record)
    for source in (world.document, str(world.document), data):
        assert Scorer.load(source).margin(record) == want
    if b",-0," in data:  # which a JSON library reads as 0
        with pytest.raises(DocumentError, match="give the original bytes"):
            Scorer.load(json.loads(data))
    else:
        assert Scorer.load(json.loads(data)).margin(record) == want


def test_hash_and_keys_of_the_document_page() -> None:
    assert text_hash("Married-civ-spouse") == 0x11120D9F437BFB14
    assert mix(3, text_hash("Married-civ-spouse")) == 0x97926EAA907627B2


@pytest.mark.parametrize(
    "number, text",
    [(1e20, "100000000000000000000"), (1e21, "1e+21"), (1e-6, "0.000001"), (1.5e-7, "1.5e-7"), (-1e-300, "-1e-300"), (0.1, "0.1"), (12.0, "12"), (-0.0, "-0")],
)
def test_numbers_as_the_program_writes_them(number: float, text: str) -> None:
    assert write(number) == text


def broken(document: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    """Documents that are refused: part of the message, and what was done to them."""
    model = document["model"]
    return [
        ("damaged: its model", "a weight", {**document, "model": {**model, "intercept": model["intercept"] + 1}}),
        ("damaged: its model", "the hash", {**document, "weights_sha256": "0" * 64}),
        ("damaged: the weights of its prob", "a weight", {**document, "probability": {**document["probability"], "weights": [0]}}),
        ("format version 2", "version", {**document, "format_version": 2}),
        ("not a weight document", "format", {**document, "format": "x"}),
        ("no model", "model", {**document, "model": None}),
        ("do not match", "task", {**document, "task": "regression"}),
    ]


def test_what_is_refused(all_worlds: dict[str, World]) -> None:
    document = json.loads(all_worlds["adult"].document.read_bytes())
    for message, what, bad in broken(document):
        with pytest.raises(DocumentError, match=message):
            Scorer.load(bad)
            pytest.fail(what)
    for data in (b"", b"[]", b"{}", b'{"format"', b'{"a":1,"a":2}', b"\xff", b'{"a":NaN}', b"[" * 10**5):
        with pytest.raises(DocumentError, match="not a weight document"):
            Scorer.load(data)


def test_a_key_of_a_newer_model_is_refused(all_worlds: dict[str, World]) -> None:
    import hashlib

    document = json.loads(all_worlds["adult"].document.read_bytes())
    document["model"]["columns"][0]["novel"] = 1
    document["weights_sha256"] = hashlib.sha256(write(document["model"]).encode()).hexdigest()
    with pytest.raises(DocumentError, match="'novel': was it written by a newer program"):
        Scorer.load(document)


def test_signatures(all_worlds: dict[str, World]) -> None:
    data = all_worlds["adult"].document.read_bytes()
    private = Ed25519PrivateKey.generate()
    raw = private.public_key().public_bytes_raw()
    import hashlib

    public, key_id, key = "ed25519:" + base64.b64encode(raw).decode(), hashlib.sha256(raw).hexdigest()[:16], b"job/v/1/2"
    signature = private.sign(b"fairstream-model-topic-1" + len(key).to_bytes(8, "big") + key + data)
    good: dict[str, Any] = {"public_keys": [public], "key": key, "key_id": key_id, "signature": signature}
    Scorer.load(data, **good)
    for name, bad, message in [
        ("key", b"job/v/1/3", "wrong"),
        ("signature", signature[:-1] + b"x", "wrong"),
        ("signature", b"short", "wrong"),
        ("signature", None, "not signed"),
        ("key_id", "0" * 16, "not among"),
    ]:
        with pytest.raises(DocumentError, match=message):
            Scorer.load(data, **{**good, name: bad})
    with pytest.raises(ValueError, match="no public key"):
        Scorer.load(data, **{**good, "public_keys": ["ed25519:short"]})
    with pytest.raises(ValueError, match="give bytes"):
        Scorer.load(all_worlds["adult"].document, **good)


def test_a_regression_decides_nothing(all_worlds: dict[str, World]) -> None:
    with pytest.raises(TypeError, match="regression"):
        all_worlds["hours"].scorer.decide({})
    with pytest.raises(ValueError, match="no probability"):
        all_worlds["hours"].scorer.probability({})
