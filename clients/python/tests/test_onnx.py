"""onnxruntime decides by the exported graph as Python does. Where the margin is within 1e-9 of the threshold, it may not: such rows are counted."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
import worlds
from worlds import HOSTILE, World

from fairstream._texts import flatten, number, text

# What the sets need to be expressible: no more values than have weights, and no text beyond 64 bytes.
EXPRESSIBLE = {
    "adult-crosses": ("vocabulary: {levels: 90, buckets: 16}", "vocabulary: {levels: 60000}"),
    "sparse": ("vocabulary: {levels: 150, buckets: 8}", "vocabulary: {levels: 8000}"),
}


@pytest.fixture(scope="module", params=list(worlds.SETS))
def graph(request: pytest.FixtureRequest, program: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[World, onnxruntime.InferenceSession]:
    name = request.param
    generate, count, configuration = worlds.SETS[name]
    if name in EXPRESSIBLE:
        configuration = configuration.replace(*EXPRESSIBLE[name])
    if name == "sparse":
        configuration = configuration.replace("record: {", "record: {ignore: [word], ").replace("[word, f1], ", "")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(worlds.SETS, name, (generate, count, configuration))
        world = worlds.make(name, program, tmp_path_factory.mktemp("graph"))
    data = world.scorer.to_onnx()
    onnx.checker.check_model(onnx.load_from_string(data), full_check=True)
    return world, onnxruntime.InferenceSession(data)


def inputs(session: onnxruntime.InferenceSession, world: World, records: list[dict[str, Any]]) -> dict[str, np.ndarray]:
    """Records as docs/onnx.md says to give them."""
    missing = world.scorer._missing
    flat = [world.scorer._fields(r) for r in records]
    found = {}
    for i in session.get_inputs():
        gone = frozenset() if i.name in world.scorer._times.made() else missing
        column: list[Any] = []
        for fields in flat:
            value = text(fields[i.name]) if i.name in fields else "(absent)"
            if value is None or value in gone:
                column.append(np.nan if i.type == "tensor(double)" else "")
            elif i.type == "tensor(double)":
                x = number(value)
                column.append(np.inf if x is None else x)
            else:
                column.append(value)
        found[i.name] = np.array(column, np.float64 if i.type == "tensor(double)" else object).reshape(-1, 1)
    return found


def hostile(world: World) -> list[dict[str, Any]]:
    """Hostile records whose texts mean the number that they are: a graph cannot tell 39.0 from 39."""

    def plain(value: Any) -> bool:
        if isinstance(value, (list, dict)):
            return False
        written = text(value)
        x = None if written is None else number(written)
        return x is None or written in (str(int(x)) if x == int(x) else "", repr(x)) and not (x == int(x) and "." in str(written))

    odd = [v for v in HOSTILE if not plain(v)]
    return [r for r in world.hostile if not any(any(v is o for o in odd) for v in flatten(r, {}).values())]


def test_decisions_of_onnxruntime(graph: tuple[World, onnxruntime.InferenceSession]) -> None:
    world, session = graph
    records = world.records[:3000] + hostile(world)
    assert len(records) > 4000 or len(world.records) < 3001
    names = [o.name for o in session.get_outputs()]
    out = dict(zip(names, (o[:, 0] for o in session.run(None, inputs(session, world, records)))))
    margin = world.scorer.margin(records)
    assert np.max(np.abs(out["margin"] - margin)) < 1e-9
    if world.scorer.task == "regression":
        assert names == ["margin"]
        return
    assert names == ["margin", "decision", "probability"]
    other = out["decision"] != world.scorer.decide(records)
    assert np.all(np.abs(margin[other]) < 1e-9)
    print(f"{world.name}: {other.sum()} of {len(records)} rows decided otherwise, all within 1e-9 of the threshold")
    assert np.max(np.abs(out["probability"] - world.scorer.probability(records))) < 1e-12


def test_metadata(graph: tuple[World, onnxruntime.InferenceSession]) -> None:
    world, session = graph
    said = session.get_modelmeta().custom_metadata_map
    assert said["fairstream.weights_sha256"] == world.scorer.document["weights_sha256"]
    assert said["fairstream.task"] == world.scorer.task


def test_what_a_graph_cannot_express(all_worlds: dict[str, World], tmp_path: pathlib.Path) -> None:
    with pytest.raises(ValueError, match="raise learner.vocabulary.levels"):
        all_worlds["adult-crosses"].scorer.to_onnx()
    path = tmp_path / "model.onnx"
    assert path.write_bytes(all_worlds["adult"].scorer.to_onnx()) == len(all_worlds["adult"].scorer.to_onnx(path))
