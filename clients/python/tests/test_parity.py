"""Python and the program give the same margin bit for bit, and the same decision, score and probability."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import numpy as np
import pytest
import worlds
from worlds import World

from fairstream import RecordError


def bits(x: Any) -> list[int]:
    return np.asarray(x, np.float64).view(np.int64).tolist()  # type: ignore[no-any-return]


def known(records: list[dict[str, Any]], scores: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The records that the program did not reject, for its own reasons such as the weight."""
    pairs = [(r, s) for r, s in zip(records, scores) if s.get("score") is not None]
    return [r for r, _ in pairs], [s for _, s in pairs]


@pytest.mark.parametrize("kind", ["records", "hostile"])
def test_margins_are_those_of_the_program(world: World, kind: str, tmp_path: pathlib.Path) -> None:
    records, scores = known(getattr(world, kind), world.scores(getattr(world, kind), tmp_path))
    assert len(records) > 0.5 * len(getattr(world, kind))
    records = [json.loads(json.dumps(r)) for r in records]
    if world.scorer.task == "regression":
        assert bits(world.scorer.margin(records)) == bits([s["score"] for s in scores])
        return
    assert bits(world.scorer.margin(records)) == bits([s["margin"] for s in scores])
    assert world.scorer.decide(records).tolist() == [s["decision"] == 1 for s in scores]
    assert bits(world.scorer.score(records)) == bits([s["score"] for s in scores])
    assert bits(world.scorer.probability(records)) == bits([s["probability"] for s in scores])


def test_sets_have_every_kind_of_column(all_worlds: dict[str, World]) -> None:
    found: set[str] = set()
    for world in all_worlds.values():
        model = world.scorer.document["model"]
        found |= {key for column in model["columns"] for key, value in column.items() if value} | {key for key, value in model.items() if value}
        found |= {"square_roots" for column in model["columns"] if column.get("linear", {}).get("square_roots")}
        found |= {"keyed" for column in model["columns"] for level in column.get("levels", []) if "key" in level}
        found |= {"crossed" for cross in model.get("crosses", []) if cross["levels"]}
    assert found >= {"linear", "bins", "coarse_bins", "numeric_levels", "knots", "standardized", "missing", "levels", "buckets", "keyed", "crossed", "square_roots"}


def test_one_record_and_many(world: World) -> None:
    records = world.records[:50]
    assert bits([world.scorer.margin(r) for r in records]) == bits(world.scorer.margin(records))
    assert isinstance(world.scorer.margin(records[0]), float)
    if world.scorer.task == "classification":
        assert isinstance(world.scorer.decide(records[0]), bool)
        assert isinstance(world.scorer.probability(records[0]), float)


BAD_TIMES = ["2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01 00:00:00Z", "2026-01-01T00:00:00", "yesterday", 12]
GOOD_TIMES = [
    "2026-01-01T1:02:03Z", "2026-12-31T23:59:59.123456789123Z", "2024-02-29T00:00:00,5+23:59", "0000-02-29T00:00:00Z", "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59-23:59", "1969-12-31T23:59:59.999999999Z", "2026-01-01T00:00:00+24:00", None,
]  # fmt: skip


def test_times(all_worlds: dict[str, World], tmp_path: pathlib.Path) -> None:
    world = all_worlds["timed"]
    records = [{**world.records[i], "at": at} for i, at in enumerate(GOOD_TIMES)]
    for i, seen in enumerate(["0", "-1", "+5", -62135596800, 253402300799, 1.5, "1e9", "-0.4999996", "1700000000.1234565", None]):
        records.append({**world.records[i], "seen": seen})
    records += [{k: v for k, v in world.records[i].items() if k != gone} for i, gone in enumerate(sorted(worlds.TIMES))]
    records.append({**world.records[0], "at.hour": 7, "opened.age": 3})
    scores = world.scores(records, tmp_path)
    assert all(s["margin"] is not None for s in scores)
    assert bits(world.scorer.margin(records)) == bits([s["margin"] for s in scores])
    bad = [{**world.records[0], "at": at} for at in BAD_TIMES] + [{**world.records[0], "seen": 253402300800}, {**world.records[0], "opened": [1]}]
    for record, score in zip(bad, world.scores(bad, tmp_path)):
        assert score.get("rejected"), record
        with pytest.raises(RecordError, match="field '"):
            world.scorer.margin(record)
