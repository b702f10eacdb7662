"""Frames of pandas, polars and Arrow are weighed as the same records are, column by column."""

from __future__ import annotations

import datetime
import warnings
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from test_parity import bits
from worlds import World

from fairstream import RecordError, WholeFloatWarning


def flat(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Records with the same fields, since a frame has the same columns in every row."""
    names = sorted({name for r in records for name in r})
    return [{name: r.get(name) for name in names} for r in records]


FRAMES = {
    "pandas": lambda records: pd.DataFrame(records, dtype=object),
    "pandas-inferred": pd.DataFrame,
    "pandas-nullable": lambda records: pd.DataFrame(records).convert_dtypes(),
    "pandas-arrow": lambda records: pd.DataFrame(records).convert_dtypes(dtype_backend="pyarrow"),
    "pandas-category": lambda records: pd.DataFrame({k: pd.Categorical([r[k] for r in records]) for k in records[0]}),
    "polars": lambda records: pl.DataFrame(records, infer_schema_length=None),
    "polars-categorical": lambda records: pl.DataFrame(records, infer_schema_length=None).with_columns(pl.col(pl.String).cast(pl.Categorical)),
    "polars-lazy": lambda records: pl.LazyFrame(records, infer_schema_length=None),
    "numpy": lambda records: {k: np.array([r[k] for r in records] + [None], dtype=object)[:-1] for k in records[0]},
    "arrow": pa.Table.from_pylist,
    "arrow-batch": pa.RecordBatch.from_pylist,
    "arrow-chunks": lambda records: (lambda t: pa.concat_tables([t.slice(0, 7), t.slice(7)]))(pa.Table.from_pylist(records)),
    "arrow-columns": lambda records: dict(zip(records[0], pa.Table.from_pylist(records).columns)),
}


@pytest.mark.parametrize("kind", FRAMES)
def test_frames_are_weighed_as_records(world: World, kind: str) -> None:
    records = flat(world.records[:400])
    if kind == "pandas-category":  # which nested values are not
        records = [{k: v for k, v in r.items() if not isinstance(v, dict)} for r in records]
    want = world.scorer.margin(records)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WholeFloatWarning)
        if world.name == "sparse":  # whole numbers beside fractions are floats in a frame
            floats = {k for k in records[0] if any(isinstance(r[k], float) for r in records)}
            records = [{k: float(v) if k in floats and isinstance(v, int) else v for k, v in r.items()} for r in records]
            want = world.scorer.margin(records)
        assert bits(world.scorer.margin(FRAMES[kind](records))) == bits(want)


WHOLE = {
    "int": pd.Series([13, 9, 10]),
    "float": pd.Series([13.0, 9.0, 10.0]),
    "Int64": pd.Series([13, 9, 10], dtype="Int64"),
    "Float64": pd.Series([13, 9, 10], dtype="Float64"),
    "float32": pd.Series([13, 9, 10], dtype="float32"),
    "uint8": pd.Series([13, 9, 10], dtype="uint8"),
    "category of float": pd.Series([13.0, 9.0, 10.0], dtype="category"),
    "category of int": pd.Series([13, 9, 10], dtype="category"),
    "numpy float": np.array([13.0, 9.0, 10.0]),
    "numpy int": np.array([13, 9, 10], np.int8),
    "numpy text": np.array(["13", "9", "10"]),
    "text": pd.Series(["13", "9", "10"]),
    "object": pd.Series([13, "9", np.int16(10)], dtype=object),
    "polars float": pl.Series("education_num", [13.0, 9.0, 10.0]),
    "arrow float": pa.array([13.0, 9.0, 10.0]),
    "arrow int": pa.array([13, 9, 10]),
    "arrow dictionary of float": pa.array([13.0, 9.0, 10.0]).dictionary_encode(),
}


@pytest.mark.parametrize("kind", WHOLE)
def test_whole_floats_are_integers(all_worlds: dict[str, World], kind: str) -> None:
    """education_num is categorical here, so 13 and 13.0 are two texts, of which records had the first."""
    scorer = all_worlds["adult-crosses"].scorer
    want = scorer.margin([{"education_num": n} for n in (13, 9, 10)])
    assert bits(want) == bits(scorer.margin([{"education_num": n} for n in ("13", "9", "10")]))
    assert bits(want) != bits(scorer.margin([{"education_num": n} for n in (13.0, 9.0, 10.0)]))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        found = scorer.margin({"education_num": WHOLE[kind]})
    assert bits(found) == bits(want)
    acted = "float" in kind.lower()
    assert [w.category for w in said] == [WholeFloatWarning] * acted
    if acted:
        assert "'education_num'" in str(said[0].message)


def test_missing_among_whole_floats(all_worlds: dict[str, World]) -> None:
    scorer = all_worlds["adult-crosses"].scorer
    want = scorer.margin([{"education_num": n} for n in (13, None, 10)])
    for column in (pd.Series([13.0, None, 10.0]), pl.Series([13.0, None, 10.0]), pl.Series([13.0, float("nan"), 10.0]), pa.array([13.0, None, 10.0])):
        with pytest.warns(WholeFloatWarning):
            assert bits(scorer.margin({"education_num": column})) == bits(want)
    for column in (pd.Series([13, None, 10], dtype="Int64"), pl.Series([13, None, 10]), pa.array([13, None, 10]), pd.Series([13, pd.NaT, 10], dtype=object)):
        assert bits(scorer.margin({"education_num": column})) == bits(want)


@pytest.mark.parametrize("name", ["adult", "adult-crosses", "sparse"])
def test_numbers_of_arrays(all_worlds: dict[str, World], name: str) -> None:
    """Arrays of numbers take another path than single values do."""
    scorer = all_worlds[name].scorer
    columns = [c["name"] for c in scorer.document["model"]["columns"]]
    values = [0.5, -0.0, 0.0, 39.0, 1e308, -1e308, 1e150, 5e-324, 1e16, 1e21, 0.1, 1e-5, float("nan"), float("inf"), -float("inf"), 2174.0, 99999.0]
    for column in columns:
        want = bits(scorer.margin([{column: v} for v in values]))
        for frame in (pd.DataFrame({column: values}), pl.DataFrame({column: values}), pa.table({column: values})):
            assert bits(scorer.margin(frame)) == want, column
        integers = [0, 1, -1, 39, 40, 2174, 99999, 2**53 + 1, 2**63 - 1, -(2**63)]
        want = bits(scorer.margin([{column: v} for v in integers]))
        assert bits(scorer.margin(pd.DataFrame({column: integers}))) == want, column
        big = [1, 2**64 - 1]
        assert bits(scorer.margin(pa.table({column: pa.array(big, pa.uint64())}))) == bits(scorer.margin([{column: v} for v in big]))
        for dtype in ("float32", "float16"):
            odd = pd.DataFrame({column: np.array([0.5, 0.1, 3.3], dtype)})
            assert bits(scorer.margin(odd)) == bits(scorer.margin([{column: v} for v in ("0.5", "0.1", "3.3")]))
        flags = [True, False, True]
        assert bits(scorer.margin(pd.DataFrame({column: flags}))) == bits(scorer.margin([{column: v} for v in flags]))


def test_times_in_frames(all_worlds: dict[str, World]) -> None:
    scorer = all_worlds["timed"].scorer
    at = [datetime.datetime(2026, 5, 6, 7, 8, 9, 250000, datetime.timezone.utc), datetime.datetime(2026, 1, 31, 23, 0, tzinfo=datetime.timezone.utc), None]
    opened = [datetime.date(2020, 2, 29), None, datetime.date(2021, 3, 4)]
    texts = [{"at": "2026-05-06T07:08:09.25Z", "opened": "2020-02-29"}, {"at": "2026-01-31T23:00:00Z", "opened": None}, {"at": None, "opened": "2021-03-04"}]
    want = bits(scorer.margin(texts))
    rows = {"at": at, "opened": opened}
    assert bits(scorer.margin([{"at": a, "opened": o} for a, o in zip(at, opened)])) == want
    for frame in (pd.DataFrame(rows), pl.DataFrame(rows), pa.table(rows), pd.DataFrame({"at": pd.to_datetime(at, utc=True), "opened": pd.to_datetime(opened)})):
        assert bits(scorer.margin(frame)) == want
    moments = {"at": np.array(["2026-05-06T07:08:09.25", "2026-01-31T23:00", "NaT"], "datetime64[ns]"), "opened": np.array(["2020-02-29", "NaT", "2021-03-04"], "datetime64[D]")}
    assert bits(scorer.margin(moments)) == want
    assert bits(scorer.margin(pd.DataFrame({"at": [a and a.replace(tzinfo=None) for a in at], "opened": opened}))) == want
    with pytest.raises(RecordError, match="row 1: bad_time in field 'at'"):
        scorer.margin(pd.DataFrame({"at": ["2026-01-31T23:00:00Z", "never"]}))


def test_renamed_columns(all_worlds: dict[str, World]) -> None:
    scorer = all_worlds["timed"].scorer
    rows = [{"amount": 5.5, "fresh": True}, {"amount": 70.25, "fresh": False}]
    now = [{"who": {"deep": {"amount": r["amount"]}}, "is new": r["fresh"]} for r in rows]
    want = bits(scorer.margin(rows))
    assert bits(scorer.margin(now)) == want
    for frame in (pd.DataFrame(rows), pd.DataFrame(now), pl.DataFrame(now), pa.Table.from_pylist(now)):
        assert bits(scorer.margin(frame)) == want
    with pytest.raises(RecordError, match="twice"):
        scorer.margin({"amount": 1, "who": {"deep": {"amount": 2}}})
    with pytest.raises(RecordError, match="twice"):
        scorer.margin(pd.DataFrame([{"amount": 1, "who": {"deep": {"amount": 2}}}]))


def test_many_dicts_are_weighed_as_one(world: World) -> None:
    """From 64 dicts on they go by columns, unless one of them is nested."""
    records = [r for r in world.hostile if not isinstance(r.get("weight"), (list, dict))][:3000]
    flat_ones = [r for r in records if not any(isinstance(v, (list, dict)) for v in r.values())]
    assert len(flat_ones) > 300 or world.name in ("loans", "timed")
    for some in (flat_ones, records, [*flat_ones[:100], {1: 2}]):
        assert bits(world.scorer.margin(some)) == bits([world.scorer.margin(r) for r in some])
    with pytest.raises(ValueError, match="different lengths"):
        world.scorer.margin({"a": np.array([1]), "b": np.array([1, 2])})


def test_empty_and_odd(world: World) -> None:
    assert len(world.scorer.margin([])) == 0
    assert len(world.scorer.margin(pd.DataFrame({"age": [], "sex": []}))) == 0
    assert world.scorer.margin({}) == world.scorer.document["model"]["intercept"]
    assert world.scorer.margin(pd.DataFrame({"nothing": [1, 2]})).tolist() == [world.scorer.document["model"]["intercept"]] * 2
    record = flat(world.records[:3])
    assert bits([world.scorer.margin(pd.DataFrame(record, dtype=object).iloc[i]) for i in range(3)]) == bits(world.scorer.margin(record))
    for wrong in ("text", 7, [7]):
        with pytest.raises(TypeError):
            world.scorer.margin(wrong)
