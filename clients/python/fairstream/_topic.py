"""Which records of a model topic count, and which document an alias means: the rules of pkg/follow, without Kafka."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Callable, Mapping, Optional, Union

from fairstream._document import DocumentError
from fairstream._signature import Verifier
from fairstream.scorer import Scorer

LATEST, STABLE = "latest", "stable"
_MOST = 2**50
Place = tuple[int, int]  # term and version


@dataclass(frozen=True)
class Message:
    """A record of the topic. A value of None deletes its key."""

    key: bytes
    value: Optional[bytes]
    headers: Mapping[str, bytes] = field(default_factory=dict)
    offset: int = 0


@dataclass(frozen=True)
class Model:
    """A document that was verified: what to decide by, and where it stands."""

    scorer: Scorer
    term: int
    version: int
    alias: str


@dataclass(frozen=True)
class Swapped:
    """Another document is in use from now on."""

    model: Model
    before: Optional[Model]


@dataclass(frozen=True)
class Refused:
    """A record is not used, for a reason. The present document stays in use."""

    key: str
    offset: int
    reason: str


@dataclass(frozen=True)
class Waiting:
    """An alias points to a document that is not on the topic."""

    alias: str
    term: int
    version: int


@dataclass(frozen=True)
class Withheld:
    """There is no document to use: the only record of the alias was refused, or it was deleted where signatures are required."""

    alias: str
    refused: Refused


@dataclass(frozen=True)
class Outage:
    """Kafka cannot be asked, and is asked again. The reason is empty when it answers again."""

    reason: str


Event = Union[Swapped, Refused, Waiting, Withheld, Outage]


@dataclass
class _Alias:
    place: Place
    sha256: str
    offset: int
    bad: bool = False


class Contents:
    """What the topic holds of a job, and the model that its alias means now. alias None: stable, and latest until stable appears
    for the first time."""

    def __init__(self, job: str, alias: Optional[str], verifier: Optional[Verifier], notify: Callable[[Event], None]) -> None:
        self.job, self.named, self.verifier, self.notify = job, alias, verifier, notify
        self.current: Optional[Model] = None
        self._stable = False  # it was seen
        self.restart()

    def restart(self) -> None:
        """Forgets the topic, as when it was made again. The present model stays in use."""
        self._documents: dict[Place, Message] = {}
        self._bad: set[Place] = set()
        self._aliases: dict[str, _Alias] = {}
        self._movers: dict[str, int] = {}
        self._withheld: Optional[Refused] = None
        self._told: Optional[Refused] = None
        self._waiting: Optional[Place] = None

    @property
    def alias(self) -> str:
        return self.named or STABLE

    def apply(self, message: Message) -> None:
        """Follows one record; choose then decides what is in use."""
        key = message.key.decode(errors="replace")
        if not key.startswith(self.job + "/"):
            return
        words = key[len(self.job) + 1 :].split("/")
        if len(words) > 1 and (words[0] != "v" or len(words) != 3):
            return  # of another program
        try:
            self._apply(message, words)
        except DocumentError as err:
            refused = Refused(key, message.offset, str(err))
            self.notify(refused)
            if words == [self.alias]:
                self._withheld = refused

    def _apply(self, message: Message, words: list[str]) -> None:
        if len(words) == 1:
            return self._move(message, words[0])
        if message.value is None:
            place = _place(words[1:])
            if place is not None:
                self._documents.pop(place, None)
                self._bad.discard(place)
            return
        place = _place(words[1:])
        if place is None:
            raise DocumentError("its key is not that of a document")
        self._verify(message)
        self._documents[place] = message
        self._bad.discard(place)

    def _verify(self, message: Message) -> None:
        if self.verifier is not None and message.value is not None:
            key_id = message.headers.get("fairstream.key_id", b"").decode(errors="replace")
            self.verifier.verify(message.key, message.value, key_id, message.headers.get("fairstream.signature"))

    def _move(self, message: Message, name: str) -> None:
        if message.value is None:
            self._movers.pop(name, None)
            self._aliases.pop(name, None)
            if name == self.alias:
                self._withheld = None
                if name == STABLE and self.verifier is not None:
                    self._withheld = Refused(message.key.decode(), message.offset, "it was deleted, and a deletion cannot be signed")
            return
        self._verify(message)
        alias, mover = self._read(message)
        before = self._movers.get(name)
        if before is not None and mover < before and name != LATEST:
            raise DocumentError(f"an owner of term {mover} moved it, after one of term {before}")
        self._movers[name], self._aliases[name] = mover, alias
        if name == self.alias:
            self._withheld = None

    def _read(self, message: Message) -> tuple[_Alias, int]:
        """Where an alias points, and the term of the owner who moved it."""
        assert message.value is not None
        try:
            said = json.loads(message.value)
            place = _valid(said["term"], said["version"])
            owner = said.get("owner_term", 0)
            if place is None or said["key"] != f"{self.job}/v/{place[0]}/{place[1]}" or type(owner) is not int or not 0 <= owner <= _MOST:
                raise ValueError
            sha256 = str(said["weights_sha256"])
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise DocumentError("it is not an alias of a weight document") from None
        if not owner and self.verifier is None:  # of an older program; a signature covers no header
            written = message.headers.get("fairstream.owner_term", b"")
            if written.isdigit() and int(written) <= _MOST:
                return _Alias(place, sha256, message.offset), int(written)
        return _Alias(place, sha256, message.offset), owner or place[0]

    def choose(self) -> None:
        """Swaps to the document that is to be used now, if it is another one and good."""
        name = self.alias
        alias = self._aliases.get(name)
        if self.named is None:
            self._stable = self._stable or alias is not None
            # Who knows only a refused record of stable cannot know whether there is a stable version.
            if not self._stable and (self.current is not None or self._withheld is None):
                name = LATEST
        if name == LATEST:
            return self._newest()
        if alias is None:
            if self._withheld is not None and self._withheld is not self._told and self.current is None:
                self._told = self._withheld
                self.notify(Withheld(name, self._withheld))
            return
        place = alias.place
        if alias.bad or self.current is not None and self.current.alias == name and self._at() == place:
            return
        if place not in self._documents:
            if self._waiting != place:
                self._waiting = place
                self.notify(Waiting(name, *place))
            return
        scorer = self._load(place)
        if scorer is None:
            return
        if scorer.document["weights_sha256"] != alias.sha256:
            alias.bad = True
            self.notify(Refused(f"{self.job}/{name}", alias.offset, f"it speaks of other weights than version {place[1]} has"))
            return
        self._swap(scorer, place, name)

    def _newest(self) -> None:
        for place in sorted(self._documents, reverse=True):
            if self.current is not None and self.current.alias == LATEST and place <= self._at():
                return
            scorer = self._load(place)
            if scorer is not None:
                return self._swap(scorer, place, LATEST)

    def _at(self) -> Place:
        assert self.current is not None
        return self.current.term, self.current.version

    def _load(self, place: Place) -> Optional[Scorer]:
        """Reads a document; None if it was refused."""
        if place in self._bad:
            return None
        message = self._documents[place]
        assert message.value is not None
        try:
            scorer = Scorer.load(message.value)
            said = scorer.document
            if (said.get("job"), said.get("version"), said.get("lineage", {}).get("term")) != (self.job, place[1], place[0]):
                raise DocumentError("its job, version and term are not those of its key")
        except DocumentError as err:
            self._bad.add(place)
            self.notify(Refused(message.key.decode(), message.offset, str(err)))
            return None
        return scorer

    def _swap(self, scorer: Scorer, place: Place, name: str) -> None:
        before = self.current
        self.current, self._waiting = Model(scorer, place[0], place[1], name), None
        self._trim()
        self.notify(Swapped(self.current, before))

    def _trim(self) -> None:
        """Keeps no document that cannot be in use again, where the alias latest is named: it never goes back."""
        if self.named == LATEST:
            self._documents = {p: m for p, m in self._documents.items() if p >= self._at()}


def _place(words: list[str]) -> Optional[Place]:
    try:
        return _valid(*(int(w) for w in words)) if all(w.isascii() and w.lstrip("+-").isdigit() for w in words) else None
    except ValueError:
        return None


def _valid(term: object, version: object) -> Optional[Place]:
    if type(term) is int and type(version) is int and 0 <= term <= _MOST and 0 <= version <= _MOST:
        return term, version
    return None
