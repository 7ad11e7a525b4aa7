"""Reports as dataclasses and tables."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Iterable, Iterator

from zug._terms import from_json

if TYPE_CHECKING:
    import pandas


def _known(kind: Any, data: dict[str, Any]) -> dict[str, Any]:
    """The fields that a dataclass knows: later versions may have more."""
    names = {one.name for one in fields(kind)}
    return {name: value for name, value in data.items() if name in names}


@dataclass(frozen=True)
class Place:
    """A place in a text: lines and columns from 1 on, ``span`` in bytes from 0 on."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    span: tuple[int, int]
    label: str = ""

    @staticmethod
    def of(data: dict[str, Any] | None) -> Place | None:
        if data is None:
            return None
        known = _known(Place, data)
        return Place(**{**known, "span": tuple(known["span"])})


@dataclass(frozen=True)
class Finding:
    """What was found in rules: ``severity`` is ``error``, ``warning`` or ``note``."""

    severity: str
    code: str
    message: str
    place: Place | None = None
    related: list[Place] = field(default_factory=list)
    hints: list[str] = field(default_factory=list)

    @staticmethod
    def of(data: dict[str, Any]) -> Finding:
        known = _known(Finding, data)
        related = [place for place in map(Place.of, known.get("related") or []) if place]
        return Finding(**{**known, "place": Place.of(known.get("place")), "related": related})

    def __str__(self) -> str:
        at = f"{self.place.file}:{self.place.line}:{self.place.column}: " if self.place else ""
        return f"{at}{self.severity}[{self.code}]: {self.message}"


@dataclass(frozen=True)
class Call:
    """A call that had not returned when an exception was raised."""

    predicate: str
    file: str
    line: int
    column: int
    times: int = 1


@dataclass(frozen=True)
class Report:
    """What a command of zug has found; ``data`` has all fields of its record (docs/json.md)."""

    outcome: str | None
    data: dict[str, Any] = field(repr=False)

    def __getitem__(self, name: str) -> Any:
        return self.data[name]

    def get(self, name: str, default: Any = None) -> Any:
        return self.data.get(name, default)


@dataclass(frozen=True)
class PlanReport(Report):
    """What a search for a plan has found.

    ``moves`` and ``states`` are terms; ``optimal`` is ``True`` where it is proved that no plan is
    cheaper, ``False`` where there is one, and ``None`` where nobody knows.
    """

    instance: str = ""
    engine: str = ""
    cost: Any = None
    moves: list[Any] = field(default_factory=list)
    optimal: bool | None = None
    optimal_by: str | None = None
    stats: dict[str, Any] = field(default_factory=dict, repr=False)

    @staticmethod
    def of(data: dict[str, Any]) -> PlanReport:
        return PlanReport(
            outcome=data.get("outcome"),
            data=data,
            instance=data.get("instance") or "",
            engine=data.get("engine") or "",
            cost=_number(data.get("cost")),
            moves=[from_json(move) for move in data.get("path") or []],
            optimal=data.get("optimal"),
            optimal_by=data.get("optimal_by"),
            stats=data.get("stats") or {},
        )

    def __bool__(self) -> bool:
        return self.outcome == "solved"


@dataclass(frozen=True)
class GameReport(Report):
    """What is known of a state of a game: its value to the player to move, and the best move."""

    engine: str = ""
    player: Any = None
    value: Any = None
    move: Any = None
    line: list[Any] = field(default_factory=list)
    exact: bool | None = None
    stats: dict[str, Any] = field(default_factory=dict, repr=False)

    @staticmethod
    def of(data: dict[str, Any]) -> GameReport:
        move = data.get("move")
        return GameReport(
            outcome=data.get("outcome"),
            data=data,
            engine=data.get("engine") or "",
            player=from_json(data.get("player")),
            value=_number(data.get("value")),
            move=None if move is None else from_json(move),
            line=[from_json(one) for one in data.get("line") or []],
            exact=data.get("exact"),
            stats=data.get("stats") or {},
        )


@dataclass(frozen=True)
class Strategy:
    """What a player of an equilibrium does: actions with their probabilities, as text."""

    player: Any
    shares: dict[str, Any]


@dataclass(frozen=True)
class NashReport(Report):
    """Equilibria of a game in which all choose at once."""

    players: list[Any] = field(default_factory=list)
    actions: list[list[Any]] = field(default_factory=list)
    equilibria: list[dict[str, Any]] = field(default_factory=list)
    extent: str | None = None

    @staticmethod
    def of(data: dict[str, Any]) -> NashReport:
        return NashReport(
            outcome=data.get("outcome"),
            data=data,
            players=[from_json(player) for player in data.get("players") or []],
            actions=[[from_json(a) for a in own] for own in data.get("actions") or []],
            equilibria=data.get("equilibria") or [],
            extent=data.get("extent"),
        )


@dataclass(frozen=True)
class CheckReport(Report):
    """What was found in a rule file, and which engines apply."""

    kind: str = ""
    defines: list[str] = field(default_factory=list)
    instances: list[str] = field(default_factory=list)
    heuristics: list[str] = field(default_factory=list)
    engines: dict[str, list[str]] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    @staticmethod
    def of(data: dict[str, Any]) -> CheckReport:
        findings = [Finding.of(found) for found in data.get("findings") or []]
        engines = {row["engine"]: list(row["missing"]) for row in data.get("engines") or []}
        return CheckReport(
            outcome="faults" if any(one.severity == "error" for one in findings) else "done",
            data=data,
            kind=data.get("kind") or "",
            defines=list(data.get("defines") or []),
            instances=list(data.get("instances") or []),
            heuristics=list(data.get("heuristics") or []),
            engines=engines,
            findings=findings,
        )

    def __bool__(self) -> bool:
        return self.outcome == "done"

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)


def _number(value: Any) -> Any:
    """A number of a record: what no number of JSON can say is text there."""
    from fractions import Fraction

    if not isinstance(value, str):
        return value
    if value in ("inf", "-inf", "nan"):
        return float(value)
    try:
        return Fraction(value) if "/" in value else int(value)
    except ValueError:
        return value


def table(rows: Iterable[Any]) -> pandas.DataFrame:
    """A table of reports, answers or other rows, by ``pandas``."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError("tables are made by pandas: pip install pandas") from error

    def row(one: Any) -> dict[str, Any]:
        if isinstance(one, Report):
            shown = {name.name: getattr(one, name.name) for name in fields(one)}
            stats = shown.pop("stats", None) or {}
            shown.pop("data")
            return {**shown, **stats}
        return dict(one)

    return pandas.DataFrame([row(one) for one in rows])
