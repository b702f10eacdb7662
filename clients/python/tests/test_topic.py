"""The rules of the model topic, in memory: which records count, and which document an alias means."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any, Optional

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from worlds import World

from fairstream._json import write
from fairstream._signature import Verifier
from fairstream._topic import Contents, Event, Message, Refused, Swapped, Waiting, Withheld

PRIVATE = Ed25519PrivateKey.generate()
RAW = PRIVATE.public_key().public_bytes_raw()
PUBLIC = "ed25519:" + base64.b64encode(RAW).decode()


class Log:
    """A model topic in memory. Intercepts tell documents apart."""

    def __init__(self, world: World, alias: Optional[str] = None, signed: bool = False) -> None:
        self.base = json.loads(world.document.read_bytes())
        self.events: list[Event] = []
        self.contents = Contents("adult", alias, Verifier([PUBLIC]) if signed else None, self.events.append)
        self.offset, self.signed = 0, signed

    def put(self, key: str, value: Optional[bytes], signed: Optional[bool] = None, headers: Optional[dict[str, bytes]] = None) -> None:
        headers = dict(headers or {})
        if (self.signed if signed is None else signed) and value is not None:
            covered = b"fairstream-model-topic-1" + len(key.encode()).to_bytes(8, "big") + key.encode() + value
            headers |= {"fairstream.key_id": hashlib.sha256(RAW).hexdigest()[:16].encode(), "fairstream.signature": PRIVATE.sign(covered)}
        self.contents.apply(Message(key.encode(), value, headers, self.offset))
        self.offset += 1

    def value(self, term: int, version: int) -> bytes:
        model = {**self.base["model"], "intercept": term + version / 1024}
        text = write(model)
        document = {**self.base, "job": "adult", "version": version, "lineage": {"term": term}, "model": model}
        return write({**document, "weights_sha256": hashlib.sha256(text.encode()).hexdigest()}).encode()

    def publish(self, term: int, version: int, **options: Any) -> None:
        self.put(f"adult/v/{term}/{version}", self.value(term, version), **options)

    def point(self, alias: str, term: int, version: int, owner: Optional[int] = None, **options: Any) -> None:
        sha256 = json.loads(self.value(term, version))["weights_sha256"]
        said = {"term": term, "version": version, "weights_sha256": sha256, "key": f"adult/v/{term}/{version}", "owner_term": owner or term}
        self.put(f"adult/{alias}", json.dumps(said).encode(), **options)

    def now(self) -> Optional[tuple[str, int, int]]:
        self.contents.choose()
        model = self.contents.current
        return model and (model.alias, model.term, model.version)

    def said(self, kind: type) -> list[Any]:
        return [e for e in self.events if isinstance(e, kind)]


@pytest.fixture
def world(all_worlds: dict[str, World]) -> World:
    return all_worlds["adult"]


def test_latest_never_goes_back(world: World) -> None:
    log = Log(world, "latest")
    assert log.now() is None
    log.publish(1, 100)
    log.publish(2, 50)
    assert log.now() == ("latest", 2, 50)
    log.publish(1, 900)  # an owner of a lower term comes late
    log.point("latest", 1, 900)
    assert log.now() == ("latest", 2, 50)
    log.publish(2, 60)
    assert log.now() == ("latest", 2, 60)
    assert log.contents.current is not None and log.contents.current.scorer.margin({}) == 2 + 60 / 1024
    for place in ((2, 60), (2, 50), (1, 100)):
        log.put(f"adult/v/{place[0]}/{place[1]}", None)
    assert log.now() == ("latest", 2, 60)  # the last good one stays in use


def test_stable_before_latest(world: World) -> None:
    log = Log(world)
    log.publish(1, 100)
    assert log.now() == ("latest", 1, 100)
    log.publish(1, 200)
    log.point("stable", 1, 100)
    assert log.now() == ("stable", 1, 100)
    log.publish(1, 300)
    assert log.now() == ("stable", 1, 100)
    log.put("adult/stable", None)
    assert log.now() == ("stable", 1, 100)
    log.point("stable", 1, 300)
    assert log.now() == ("stable", 1, 300)
    log.point("stable", 1, 200)  # withdrawn: an alias may go back
    assert log.now() == ("stable", 1, 200)


def test_a_late_owner_moves_no_alias(world: World) -> None:
    log = Log(world, "stable")
    log.publish(1, 100)
    log.publish(2, 200)
    log.point("stable", 2, 200)
    log.point("stable", 1, 100, owner=1)
    assert log.now() == ("stable", 2, 200)
    assert "after one of term 2" in log.said(Refused)[0].reason
    log.point("stable", 1, 100, owner=2)
    assert log.now() == ("stable", 1, 100)
    log.put("adult/stable", None)  # which forgets who moved it
    log.point("stable", 2, 200, owner=1)
    assert log.now() == ("stable", 2, 200)


def test_an_alias_before_its_document(world: World) -> None:
    log = Log(world, "candidate")
    log.point("candidate", 1, 100)
    assert log.now() is None
    assert log.now() is None
    assert log.said(Waiting) == [Waiting("candidate", 1, 100)]
    log.publish(1, 100)
    assert log.now() == ("candidate", 1, 100)


def test_damage_keeps_the_last_good_document(world: World) -> None:
    log = Log(world, "latest")
    log.publish(1, 100)
    assert log.now() == ("latest", 1, 100)
    good = log.value(1, 200)
    for i, (key, value) in enumerate(
        [
            ("adult/v/1/200", good.replace(b'"intercept":', b'"intercept":1')),
            ("adult/v/1/201", good),
            ("adult/v/3/200", good),
            ("adult/v/1/202", b"{"),
            ("adult/v/1/99999999999999999999", good),
            ("adult/v/x/1", good),
            ("adult/latest", b"[]"),
        ]
    ):
        log.put(key, value)
        assert log.now() == ("latest", 1, 100), key
        assert len(log.said(Refused)) == i + 1, key
    for key in ("other/v/1/300", "adult/v/300", "adult/x/1/2", "adult/v/1/2/3", "adult", ""):  # of another job, or program
        log.put(key, good)
    assert log.now() == ("latest", 1, 100)
    assert len(log.said(Refused)) == 7
    log.put("adult/v/1/200", good)
    assert log.now() == ("latest", 1, 200)
    assert [e.model.version for e in log.said(Swapped)] == [100, 200]


def test_an_alias_of_other_weights(world: World) -> None:
    log = Log(world, "stable")
    log.publish(1, 100)
    said = {"term": 1, "version": 100, "weights_sha256": "0" * 64, "key": "adult/v/1/100"}
    log.put("adult/stable", json.dumps(said).encode())
    assert log.now() is None
    assert log.now() is None
    assert ["other weights" in e.reason for e in log.said(Refused)] == [True]
    for bad in ({**said, "key": "adult/v/1/1"}, {**said, "term": 2**50 + 1}, {**said, "owner_term": -1}, {**said, "version": "100"}, {}, [], 7):
        log.put("adult/stable", json.dumps(bad).encode())
    assert len(log.said(Refused)) == 8
    log.point("stable", 1, 100)
    assert log.now() == ("stable", 1, 100)


@pytest.mark.parametrize("alias", [None, "stable"])
@pytest.mark.parametrize("forged", ["not signed", "damaged", "deleted"])
def test_a_refused_stable_is_waited_for(world: World, alias: Optional[str], forged: str) -> None:
    """The cleaner keeps the forged record alone: who starts then cannot know the stable version, and uses no other."""
    log = Log(world, alias, signed=True)
    log.publish(1, 100)
    log.publish(1, 200)
    if forged == "not signed":
        log.point("stable", 1, 200, signed=False)
    else:
        log.put("adult/stable", None if forged == "deleted" else b"{")
    assert log.now() is None
    assert log.now() is None
    assert [e.alias for e in log.said(Withheld)] == ["stable"]
    log.point("stable", 1, 100)
    assert log.now() == ("stable", 1, 100)


def test_signatures(world: World) -> None:
    log = Log(world, "latest", signed=True)
    log.publish(1, 100)
    assert log.now() == ("latest", 1, 100)
    log.publish(1, 200, signed=False)
    log.put("adult/v/1/300", log.value(1, 300), signed=False, headers={"fairstream.key_id": b"0" * 16, "fairstream.signature": b"x"})
    assert log.now() == ("latest", 1, 100)
    assert ["not signed" in e.reason or "not among" in e.reason for e in log.said(Refused)] == [True, True]
