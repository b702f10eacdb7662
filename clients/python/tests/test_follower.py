"""Follower on the embedded broker, with documents that fairstream run publishes."""

from __future__ import annotations

import json
import os
import pathlib
import queue
import re
import signal
import subprocess
from typing import Iterator

import numpy as np
import pytest
import worlds

import fairstream
from fairstream.follower import Event, Outage, Swapped


@pytest.fixture(scope="module")
def config(program: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[pathlib.Path]:
    """The configuration of a job on a broker that is started for it."""
    data = tmp_path_factory.mktemp("broker")
    broker = subprocess.Popen([program, "broker", "--port", "0", "--data", str(data)], stdout=subprocess.PIPE, text=True)
    assert broker.stdout is not None
    broker.stdout.readline()
    yield data / "adult.yaml"
    broker.send_signal(signal.SIGINT if os.name != "nt" else signal.SIGTERM)
    broker.wait(30)


def learn(program: str, config: pathlib.Path, records: int, skip: int) -> None:
    """Lets the job learn so many records more, and publish."""
    lines = config.parent / "records.jsonl"
    lines.write_text("".join(json.dumps(r) + "\n" for r in worlds.adult(skip + records)[skip:]))
    for command in (["topics", "create"], ["produce", "--input", str(lines)], ["run", "--until-end", "--set", "server.address="]):
        done = subprocess.run([program, command[0], *command[1:], "--config", str(config)], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr


def address(config: pathlib.Path) -> str:
    found = re.search(r'brokers: \["(.*?)"\]', config.read_text())
    assert found
    return found.group(1)


def test_a_job_is_followed(program: str, config: pathlib.Path) -> None:
    events: queue.Queue[Event] = queue.Queue()
    with fairstream.Follower(address(config), topic="adult.models", job="adult", notify=events.put) as follower:
        with pytest.raises(TimeoutError):  # there is no topic yet
            follower.wait(0.5)
        with pytest.raises(LookupError):
            follower.scorer
        learn(program, config, 3000, 0)
        first = follower.wait(30)
        shown = subprocess.run([program, "models", "show", "--json", "--config", str(config)], capture_output=True, check=True)
        assert follower.scorer.document["weights_sha256"] == fairstream.Scorer.load(shown.stdout).document["weights_sha256"]
        learn(program, config, 2000, 3000)
        model = first
        while model.version < 5000:
            event = events.get(timeout=30)
            model = event.model if isinstance(event, Swapped) else model
        assert follower.current is model
        assert (model.term, model.version) > (first.term, first.version)
        assert np.isfinite(model.scorer.margin(worlds.adult(10))).all()
        follower.wait_read(30)
    assert follower.current is model
    with fairstream.Follower({"bootstrap.servers": address(config)}, topic="adult.models", job="other") as other:
        other.wait_read(30)
        assert other.current is None
    with pytest.raises(RuntimeError, match="ended"):
        other.wait(1)


def test_a_cluster_that_cannot_be_reached() -> None:
    events: list[Event] = []
    with fairstream.Follower("127.0.0.1:1", topic="t", job="adult", notify=events.append) as follower:
        with pytest.raises(TimeoutError):
            follower.wait(1)
    assert isinstance(events[0], Outage) and events[0].reason


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match="topic or job"):
        fairstream.Follower("127.0.0.1:1", topic="", job="adult")
    with pytest.raises(ValueError, match="no public key"):
        fairstream.Follower("127.0.0.1:1", topic="t", job="adult", public_keys=["x"])
