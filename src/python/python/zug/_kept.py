"""What is kept and proved: bases of solved states, certificates, and what is said of long work."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Iterator

from zug import _zug
from zug._reports import Report, _known, _number
from zug._terms import from_json

if TYPE_CHECKING:
    from zug._measures import CurvePoint


@dataclass(frozen=True)
class Progress:
    """How far long work is: what the command counts, and ``None`` elsewhere.

    A search has ``expanded``, ``generated``, ``bound``, ``depth`` and ``memory_bytes``; one of a game ``nodes``,
    ``states`` and ``depth``; trainings, comparisons, tournaments and series have ``done`` and ``of``. Of a
    training ``wins``, ``draws`` and ``losses`` are those of the learner so far or, against itself, of who begins,
    and ``evaluation`` is the last point of its curve.
    """

    elapsed_seconds: float
    done: int | None = None
    of: int | None = None
    wins: int | None = None
    draws: int | None = None
    losses: int | None = None
    evaluation: CurvePoint | None = None
    expanded: int | None = None
    generated: int | None = None
    bound: float | None = None
    best: str | None = None
    depth: int | None = None
    memory_bytes: int | None = None
    nodes: int | None = None
    states: int | None = None
    engine: str | None = None
    heuristic: str | None = None
    instance: str | None = None
    rounds: int | None = None

    @staticmethod
    def of_record(data: dict[str, Any]) -> Progress:
        from zug._measures import CurvePoint

        point = data.get("evaluation")
        read = None if point is None else CurvePoint(**_known(CurvePoint, point))
        return Progress(**{**_known(Progress, data), "evaluation": read})


#: What is called with the :class:`Progress` of long work, ten times a second at most. What it raises ends the work;
#: after ``StopIteration`` what was found by then is returned.
Watch = Callable[[Progress], object]


def _watched(watch: Watch | None) -> Callable[[str], None] | None:
    """A function of a record as JSON."""
    if watch is None:
        return None

    def told(record: str) -> None:
        watch(Progress.of_record(json.loads(record)))

    return told


@dataclass(frozen=True)
class BaseStart:
    """A state from which a base has what can be reached; ``by`` is an engine, or ``enumerate``."""

    state: str
    by: str
    complete: bool
    instance: str | None = None
    player: str | None = None


@dataclass(frozen=True)
class BaseRecords:
    """States in a base: of a game worth more than nothing to who is to move (``won``), nothing, or less; of a puzzle
    those from which it can be solved (``won``) or not. Sizes are bytes."""

    all: int
    won: int
    drawn: int
    lost: int
    chance: int
    largest_distance: int | None
    symmetry: bool
    bytes: int
    bytes_each: float
    file_bytes_each: float


@dataclass(frozen=True)
class BaseInfo(Report):
    """What is in a base (docs/bases.md): ``positions`` of a game, ``costs`` of states of a puzzle, derived
    ``heuristics`` and ``policies`` with their bytes. ``complete``: all that was to be kept is there."""

    base: Path = Path()
    rules: str = ""
    fingerprint: str = ""
    zug: str = ""
    format: int = 0
    complete: bool = False
    starts: list[BaseStart] = field(default_factory=list)
    positions: BaseRecords | None = None
    costs: BaseRecords | None = None
    heuristics: dict[str, int] = field(default_factory=dict)
    policies: dict[str, int] = field(default_factory=dict)
    bytes: int = 0

    @staticmethod
    def of(data: dict[str, Any]) -> BaseInfo:
        def records(name: str) -> BaseRecords | None:
            found = data.get(name)
            return None if found is None else BaseRecords(**_known(BaseRecords, found))

        own = ("rules", "fingerprint", "zug", "format", "complete", "bytes")
        return BaseInfo(
            outcome="done",
            data=data,
            base=Path(data["base"]),
            starts=[BaseStart(**_known(BaseStart, one)) for one in data.get("starts") or []],
            positions=records("positions"),
            costs=records("costs"),
            heuristics={one["about"]: one["bytes"] for one in data.get("heuristics") or []},
            policies={one["name"]: one["bytes"] for one in data.get("policies") or []},
            **{name: data[name] for name in own},
        )


def db_info(db: str | os.PathLike[str], *, check: bool = False) -> BaseInfo:
    """What is in a base, as ``zug db info`` says it; with ``check`` all of it is read first, as by ``zug db check``.

    Raises a :class:`RequestError` if it is no base, or damaged.
    """
    path = os.fspath(db)
    if check:
        _zug.db_check(path)
    return BaseInfo.of(json.loads(_zug.db_info(path)))


@dataclass(frozen=True)
class VerifyReport(Report):
    """Whether a certificate is accepted, and what it proves (docs/certificates.md).

    ``kind`` is ``plan``, ``cheapest``, ``unsolvable``, ``value``, ``values``, ``bounds``, ``equilibrium``, ``solution``,
    ``no_solution`` or ``optimal``; ``proves`` says it in words, and numbers are the ``cost`` of a plan, the ``value`` of
    a game to ``player``, or of a model's objective, the ``values`` by player, or ``bounds``. If it is rejected,
    ``reason`` says why, and ``line`` which line of the certificate shows it, if one does.
    """

    certificate: Path = Path()
    accepted: bool = False
    kind: str | None = None
    proves: str | None = None
    cost: Any = None
    player: Any = None
    value: Any = None
    bounds: tuple[Any, Any] | None = None
    values: dict[Any, Any] = field(default_factory=dict)
    records: int | None = None
    line: int | None = None
    reason: str | None = None

    @staticmethod
    def of(data: dict[str, Any]) -> VerifyReport:
        bounds, player = data.get("bounds"), data.get("player")
        accepted = bool(data["accepted"])
        own: dict[str, Any] = {
            name: data.get(name) for name in ("kind", "proves", "records", "line", "reason")
        }
        return VerifyReport(
            outcome="accepted" if accepted else "rejected",
            data=data,
            certificate=Path(data["certificate"]),
            accepted=accepted,
            cost=_number(data.get("cost")),
            player=None if player is None else from_json(player),
            value=_number(data.get("value")),
            bounds=None if bounds is None else (_number(bounds[0]), _number(bounds[1])),
            values={from_json(one["player"]): _number(one["value"]) for one in data.get("values") or []},
            **own,
        )

    def __bool__(self) -> bool:
        return self.accepted

    def __str__(self) -> str:
        if self.accepted:
            return f"accepted: {self.proves}"
        at = "" if self.line is None else f"line {self.line}: "
        return f"rejected: {at}{self.reason}"


@dataclass(frozen=True)
class SeriesGame:
    """A game of a series: who played whom (``seats``, players with ``by``), its ``moves``, of which the first
    ``opening`` were made at random, what it was worth by player, and who won (all, if it is a ``draw``)."""

    game: int
    outcome: str
    seats: dict[Any, str]
    moves: list[Any]
    opening: int
    values: dict[Any, Any]
    winners: list[Any]
    draw: bool


@dataclass(frozen=True)
class AgentScore:
    """How somebody did in a series of games."""

    by: str
    wins: int
    draws: int
    losses: int


@dataclass(frozen=True)
class SeriesReport(Report):
    """Games among machines who begin in turn: the games and, in the order in which they were given, the scores."""

    seed: int = 0
    games: list[SeriesGame] = field(default_factory=list, repr=False)
    scores: list[AgentScore] = field(default_factory=list)

    @staticmethod
    def of(found: list[dict[str, Any]], games: int, seed: int) -> SeriesReport:
        def game(one: dict[str, Any]) -> SeriesGame:
            return SeriesGame(
                game=one["game"],
                outcome=one["outcome"],
                seats={from_json(seat["player"]): seat["by"] for seat in one["seats"]},
                moves=[from_json(move) for move in one["moves"]],
                opening=one["opening"],
                values={from_json(own["player"]): _number(own["value"]) for own in one["values"]},
                winners=[from_json(winner) for winner in one["winners"]],
                draw=one["draw"],
            )

        *results, score = found
        return SeriesReport(
            outcome="done" if len(results) == games else "stopped",
            data={"games": results, **score},
            seed=seed,
            games=[game(one) for one in results],
            scores=[AgentScore(**_known(AgentScore, one)) for one in score["standings"]],
        )

    def __iter__(self) -> Iterator[SeriesGame]:
        return iter(self.games)

    def table(self) -> Any:
        """The scores as a ``pandas.DataFrame``."""
        from zug._reports import table

        return table(vars(one) for one in self.scores)
