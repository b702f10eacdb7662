"""Exploration takes the records that the program takes: the vectors are those of pkg/scoring."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from worlds import World

from fairstream._explore import explored
from fairstream._hash import mix, text_hash

VECTORS = {"c-000417": 0xFCEEF23741A7B0C0, "39": 0xC428858CB0C1F980, "Müller 7": 0xDA86AD4ABF3BEC84}


@pytest.mark.parametrize("key", VECTORS)
def test_vectors(key: str) -> None:
    assert mix(2**33, text_hash(key)) == VECTORS[key]
    at = (VECTORS[key] >> 11) / 2**53
    assert not explored(at, key)
    assert explored(at + 1e-15, key)


def test_decisions(all_worlds: dict[str, World]) -> None:
    scorer = all_worlds["adult"].scorer
    assert [i for i in range(200) if explored(0.02, f"c-{i:06}")] == [2, 31, 99, 125, 135, 144, 177]
    records = all_worlds["adult"].records[:200]
    keys = [f"c-{i:06}" for i in range(200)]
    plain = scorer.decide(records)
    changed = np.nonzero(scorer.decide(records, explore=0.02, keys=keys) != plain)[0].tolist()
    assert changed == [i for i in [2, 31, 99, 125, 135, 144, 177] if not plain[i]] != []
    assert scorer.decide(records[changed[0]], explore=0.02, keys=keys[changed[0]]) is True
    assert scorer.decide(pd.DataFrame(records), explore=0.02, keys=pd.Series(keys)).sum() == plain.sum() + len(changed)
    assert (scorer.decide(records, explore=0, keys=keys) == plain).all()
    assert scorer.decide(records, explore=1, keys=[None, ""] * 100).tolist() == plain.tolist()
    assert scorer.decide(records, explore=1, keys=range(200)).all()


def test_what_is_written(all_worlds: dict[str, World]) -> None:
    scorer = all_worlds["adult"].scorer
    records = all_worlds["adult"].records[:200]
    keys = [f"c-{i:06}" for i in range(199)] + [None]
    plain = scorer.decide(records)
    for share in (0, 1e-9, 0.02, 1):
        made = scorer.explore(records, share, iter(keys))
        assert (made.decision == scorer.decide(records, explore=share, keys=keys)).all()
        assert (made.explored == (made.decision & ~plain)).all()
        for i, (key, own) in enumerate(zip(keys, plain)):
            want = 1 if own or key is None else share if made.explored[i] else 1 - share
            assert made.propensity[i] == want
        assert scorer.explore(records[2], share, keys[2]) == tuple(x[2] for x in made)


def test_what_is_refused(all_worlds: dict[str, World]) -> None:
    scorer = all_worlds["adult"].scorer
    for share in (-0.1, 1.1, float("nan")):
        with pytest.raises(ValueError, match="outside"):
            scorer.decide({}, explore=share, keys="a")
    with pytest.raises(ValueError, match="needs keys"):
        scorer.decide({}, explore=0.1)
    with pytest.raises(ValueError, match="1 keys for 2 records"):
        scorer.decide([{}, {}], explore=0.1, keys=["a"])
    with pytest.raises(TypeError, match="regression"):
        all_worlds["hours"].scorer.decide({}, explore=0.1, keys="a")
