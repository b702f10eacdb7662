"""Follower gives the weights to decide by at any time, from the model topic of a running job."""

from __future__ import annotations

import threading
from typing import Any, Callable, Mapping, Optional, Sequence, Union

from fairstream._signature import Verifier
from fairstream._topic import Contents, Event, Message, Model, Outage, Refused, Swapped, Waiting, Withheld
from fairstream.scorer import Scorer

__all__ = ["Event", "Follower", "Message", "Model", "Outage", "Refused", "Swapped", "Waiting", "Withheld"]

_POLL = 0.2  # seconds


class Follower:
    """Follows an alias of a job on its model topic, in a thread of its own, by the rules of the program (pkg/follow).

    A document is used only if its hash is right, its job, version and term are those of its key and, with public_keys, its
    signature and that of the alias are good. Otherwise the last good one stays in use, and notify is told. latest is the document
    of the highest term, and in it of the highest version: it never goes back. Without an alias it is stable, and latest until there
    is a stable one. While Kafka cannot be reached, the last good document stays in use.

        with fairstream.Follower("127.0.0.1:9092", topic="people.models", job="adult") as follower:
            model = follower.wait(timeout=30)
            model.scorer.decide(record)

    kafka is the address of a broker, or the settings of a consumer of confluent-kafka. notify is called from the thread, and must
    return soon. It needs the extra kafka.
    """

    def __init__(
        self,
        kafka: Union[str, Mapping[str, Any]],
        *,
        topic: str,
        job: str,
        alias: Optional[str] = None,
        public_keys: Sequence[str] = (),
        notify: Optional[Callable[[Event], None]] = None,
    ) -> None:
        try:
            import confluent_kafka
        except ImportError as err:
            raise ImportError("Follower needs the library confluent-kafka: pip install 'fairstream[kafka]'") from err
        if not topic or not job:
            raise ValueError("topic or job is empty")
        settings: dict[str, Any] = {"bootstrap.servers": kafka} if isinstance(kafka, str) else dict(kafka)
        settings |= {"enable.auto.commit": False, "enable.partition.eof": True, "auto.offset.reset": "earliest", "isolation.level": "read_committed"}
        settings.setdefault("group.id", "fairstream-follower")  # it joins no group: the library asks for a name
        settings["error_cb"] = self._fails
        self._down, self._next = "", 0
        self._kafka, self._topic, self._notify = confluent_kafka, topic, notify or (lambda event: None)
        self._contents = Contents(job, alias, Verifier(public_keys) if public_keys else None, self._tell)
        self._changed = threading.Condition()
        self._read = self._stopped = False
        self._error: Optional[BaseException] = None
        self._consumer = confluent_kafka.Consumer(settings, logger=_silent())
        self._thread = threading.Thread(target=self._follow, name=f"fairstream follows {topic}", daemon=True)
        self._thread.start()

    @property
    def current(self) -> Optional[Model]:
        """The model to use now; None before the first one."""
        return self._contents.current

    @property
    def scorer(self) -> Scorer:
        """The scorer to use now. LookupError before the first one."""
        model = self.current
        if model is None:
            raise LookupError("no document was read yet: wait for one")
        return model.scorer

    def wait(self, timeout: Optional[float] = None) -> Model:
        """The model to use now; waits for the first one. TimeoutError after so many seconds; RuntimeError if the follower ended."""
        self._wait_for(lambda: self.current is not None, timeout)
        assert self.current is not None
        return self.current

    def wait_read(self, timeout: Optional[float] = None) -> None:
        """Waits until the topic was read to its end once: if current is None then, there is no document that can be used."""
        self._wait_for(lambda: self._read, timeout)

    def close(self) -> None:
        """Ends following. current keeps its model."""
        self._stopped = True
        self._thread.join()

    def __enter__(self) -> Follower:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _wait_for(self, there: Callable[[], bool], timeout: Optional[float]) -> None:
        with self._changed:
            self._changed.wait_for(lambda: there() or self._ended(), timeout)
        if there():
            return
        if self._ended():
            raise RuntimeError("the follower has ended") from self._error
        raise TimeoutError(f"no document that can be used came in {timeout} seconds")

    def _ended(self) -> bool:
        return self._stopped or self._error is not None

    def _tell(self, event: Event) -> None:
        self._notify(event)
        if isinstance(event, Swapped):
            with self._changed:
                self._changed.notify_all()

    def _follow(self) -> None:
        try:
            self._consume()
        except BaseException as err:  # noqa: BLE001 it is the error of whoever waits
            self._error = err
        finally:
            self._consumer.close()
            with self._changed:
                self._changed.notify_all()

    def _consume(self) -> None:
        kafka = self._kafka
        self._consumer.assign([kafka.TopicPartition(self._topic, 0, kafka.OFFSET_BEGINNING)])
        while not self._stopped:
            message = self._consumer.poll(_POLL)
            if message is None:
                continue
            error = message.error()
            if error is None:
                self._apply(message)
            elif error.code() == kafka.KafkaError._PARTITION_EOF:
                error = None
                self._reach_end()
            elif error.fatal() or error.code() in (kafka.KafkaError.TOPIC_AUTHORIZATION_FAILED, kafka.KafkaError._AUTHENTICATION):
                raise kafka.KafkaException(error)
            else:
                self._fails(error)
            if self._down and error is None:
                self._down = ""
                self._tell(Outage(""))

    def _fails(self, error: Any) -> None:
        """Tells once what fails. The library goes on trying."""
        if error.str() != self._down:
            self._down = error.str()
            self._tell(Outage(self._down))

    def _apply(self, message: Any) -> None:
        headers = {name: value or b"" for name, value in message.headers() or []}
        if message.offset() < self._next:  # the topic was made again, or cut
            self._contents.restart()
            self._read = False
        self._next = message.offset() + 1
        self._contents.apply(Message(message.key() or b"", message.value(), headers, message.offset()))
        if self._read:
            self._contents.choose()

    def _reach_end(self) -> None:
        """What was superseded on the way to the end is never used: only now it is known."""
        self._contents.choose()
        if not self._read:
            self._read = True
            with self._changed:
                self._changed.notify_all()


def _silent() -> Any:
    import logging

    return logging.getLogger("fairstream.kafka")
