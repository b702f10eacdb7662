"""Six sets of records, each learnt by the program with other settings, and hostile records for each."""

from __future__ import annotations

import copy
import csv
import gzip
import json
import pathlib
import random
import subprocess
from dataclasses import dataclass
from typing import Any, Callable

from fairstream import Scorer

REPOSITORY = pathlib.Path(__file__).parents[3]

HOSTILE = [
    None, "", "?", "NaN", "nan", "N/A", "null", 0, -0.0, 0.0, 1, -1, 39, 39.0, 39.5, "39", "39.0", " 39", "39 ", "+39", "3.9e1", "3.90E+1", ".5", "5.", "-.5e-3",
    1e308, -1e308, 1e-308, 5e-324, 1e150, -1e151, "1e308", "1e999", "-1e999", "1e-999", "inf", "-Infinity", "0x10", "1_000", "٣", "１２", 2**53 + 1, 2**63 - 1, 2**64, 10**40,
    1e16, 1e21, 123456789012345680000.0, 0.1, 1e-5, True, False, "true", "True", "unseen", "Male ", "männlich", "日本語", "e\u0301", "😀", "a\u0000b", "\u2028<&>\"\\", "w1",
    "long " * 40, "long " * 30 + "w1", "x" * 300, [], {}, [1, 2], {"a": {"b": None}},
]  # fmt: skip


@dataclass
class World:
    """A set of records, what the program learnt from them, and what it says about hostile ones."""

    name: str
    document: pathlib.Path
    scorer: Scorer
    records: list[dict[str, Any]]
    hostile: list[dict[str, Any]]
    program: str

    def scores(self, records: list[dict[str, Any]], folder: pathlib.Path) -> list[dict[str, Any]]:
        """What the program says about records, in their order."""
        lines = folder / "records.jsonl"
        lines.write_text("".join(json.dumps(r) + "\n" for r in records))
        command = [self.program, "score", "--model", str(self.document), "--input", str(lines), "--json"]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode in (0, 1), done.stderr
        found = [json.loads(line) for line in done.stdout.splitlines()]
        assert len(found) == len(records)
        return found


def adult(count: int) -> list[dict[str, Any]]:
    """The first records of Adult, their numbers as numbers."""
    with gzip.open(REPOSITORY / "internal/adult/adult.csv.gz", "rt") as file:
        rows = [row for row, _ in zip(csv.DictReader(file), range(count))]
    return [{k: int(v) if v.lstrip("-").isdigit() else v for k, v in row.items()} for row in rows]


def loans(count: int) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (REPOSITORY / "examples/loans/sample.jsonl").read_text().splitlines()[:count]]


def timed(count: int) -> list[dict[str, Any]]:
    """Nested values, and times in every format."""
    draw = random.Random(1)
    records = []
    for i in range(count):
        hour, day = draw.randrange(24), draw.randrange(1, 29)
        amount = round(draw.lognormvariate(3, 1.3), 2)
        amount += 0.5 * (amount == int(amount))  # 5.0 and 5 are two texts, and 5 counts as missing
        records.append(
            {
                "at": f"2026-{draw.randrange(1, 13):02}-{day:02}T{hour:02}:05:06{draw.choice(['Z', '+05:30', '.25-08:00'])}",
                "opened": draw.choice([f"20{draw.randrange(10, 27)}-03-{day:02}", None]),
                "seen": 1_700_000_000 + draw.randrange(10**8),
                "local": f"2026-11-{day:02} {hour:02}:30:00.5",
                "who": {"sex": draw.choice("mf"), "tags": [draw.choice(["a", "b"]), str(draw.randrange(5))], "deep": {"amount": amount}},
                "is new": draw.random() < 0.5,
                "y": int(draw.random() < (0.7 if hour > 12 else 0.3)),
            }
        )
    return records


def sparse(count: int) -> list[dict[str, Any]]:
    """Many columns, most of them absent; few records have a word of their own, and words are in many scripts."""
    draw = random.Random(2)
    words = ["w", "ö", "日本", "😀", "long " * 30]
    records = []
    for i in range(count):
        r: dict[str, Any] = {"sex": draw.choice("mf"), "word": draw.choice(words) + str(draw.randrange(60))}
        for k in range(40):
            if draw.random() < 0.2:
                r[f"f{k}"] = draw.choice([1, draw.randrange(1, 6), round(draw.gauss(0, 9), draw.randrange(4))])
        r["y"] = draw.choice(["yes", "no"]) if "f1" in r else "yes" if "f2" in r else draw.choice(["no", "no", "yes"])
        records.append(r)
    return records


ADULT = """
record: {label: {field: income, positive: ">50K"}}
constraints: [{name: sex, attribute: sex, group: Male, versus: Female, tau: 0.05}]
"""

SETS: dict[str, tuple[Callable[[int], list[dict[str, Any]]], int, str]] = {
    "adult": (adult, 12000, ADULT),
    "adult-crosses": (
        adult,
        12000,
        ADULT
        + """
learner:
  columns: {age: {type: numeric, encoding: piecewise-linear}, hours_per_week: {type: numeric, encoding: standardized}, education_num: {type: categorical}}
  crosses: [[education, occupation], [age, relationship], [hours_per_week, capital_gain], [fnlwgt, race, workclass]]
  vocabulary: {levels: 90, buckets: 16}
""",
    ),
    "hours": (
        adult,
        8000,
        """
record: {label: {field: hours_per_week}, ignore: [fnlwgt]}
learner: {task: regression}
constraints: [{name: sex, attribute: sex, group: Male, versus: Female, tau: 2}]
""",
    ),
    "loans": (loans, 3000, (REPOSITORY / "examples/loans/config.yaml").read_text().replace("  key: loan ", "  #")),
    "timed": (
        timed,
        6000,
        """
record:
  label: {field: y, positive: "1"}
  missing: ["", "-0", "39", "5", "unseen"]
  time: {field: at}
  times:
    - {field: at, parts: [hour, weekday, month]}
    - {field: opened, format: date, parts: [age, weekday, month]}
    - {field: seen, format: unix, parts: [hour, age]}
    - {field: local, format: local}
  renamed: [{field: who.deep.amount, was: amount}, {field: is new, was: fresh}]
constraints: [{name: sex, attribute: who.sex, group: m, versus: f, tau: 0.05}]
""",
    ),
    "sparse": (
        sparse,
        8000,
        """
record: {label: {field: y, positive: "yes"}}
learner:
  crosses: [[word, f1], [f2, f3]]
  vocabulary: {levels: 150, buckets: 8}
constraints: [{name: sex, attribute: sex, group: m, versus: f, tau: 0.1}]
""",
    ),
}
TIMES = {"at", "opened", "seen", "local"}


def make(name: str, program: str, folder: pathlib.Path) -> World:
    generate, count, configuration = SETS[name]
    records = generate(count)
    lines, config, document = folder / f"{name}.jsonl", folder / f"{name}.yaml", folder / f"{name}.json"
    lines.write_text("".join(json.dumps(r) + "\n" for r in records))
    config.write_text(configuration)
    command = [program, "replay", "--config", str(config), "--input", str(lines), "--save", str(document)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return World(name, document, Scorer.load(document), records, _hostile(records), program)


def _hostile(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Records with hostile values in each field, one by one and many at once; and with fields left out."""
    draw = random.Random(3)
    found: list[dict[str, Any]] = [{}, {"none": 1}]
    fields = sorted({name for r in records[:200] for name in r} - TIMES)
    for value in HOSTILE:
        for name in fields:
            found.append({**copy.deepcopy(draw.choice(records)), name: value})
    for _ in range(1000):
        r = {**copy.deepcopy(draw.choice(records))}
        for name in draw.sample(sorted(r), min(len(r), draw.randrange(5))):
            if name in TIMES or draw.random() < 0.3:
                del r[name]
            else:
                r[name] = draw.choice(HOSTILE)
        found.append(r)
    return found
