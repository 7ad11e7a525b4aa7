"""Reports as dataclasses and tables."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from pathlib import Path
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
    """What a command of zug has found; ``data`` has all fields of its record (docs/json.md).

    ``remarks`` are what the command line says beside it: states that were not in a base, why a plan was not kept,
    why one thread did the work of several.
    """

    outcome: str | None
    data: dict[str, Any] = field(repr=False)
    remarks: list[str] = field(default_factory=list, repr=False, kw_only=True)

    def __getitem__(self, name: str) -> Any:
        return self.data[name]

    def get(self, name: str, default: Any = None) -> Any:
        return self.data.get(name, default)


@dataclass(frozen=True)
class Certificate:
    """What became of a certificate that was asked for; false if there is none, and ``reason`` says why.

    ``kind`` says what it proves (docs/certificates.md). Of a model ``flatzinc`` and ``proof`` are the files of what
    the proof is about, and of the proof in DRCP.
    """

    path: Path | None = None
    kind: str | None = None
    records: int = 0
    bytes: int = 0
    flatzinc: Path | None = None
    proof: Path | None = None
    reason: str | None = None

    @staticmethod
    def of(data: dict[str, Any]) -> Certificate | None:
        if "certificate" not in data:
            return None
        made = data["certificate"]
        if made is None:
            return Certificate(reason=data.get("certificate_reason"))

        def beside(name: str) -> Path | None:
            text = made.get(name)
            return None if text is None else Path(text["file"])

        return Certificate(
            path=Path(made["file"]),
            kind=made["kind"],
            records=made["records"],
            bytes=made["bytes"],
            flatzinc=beside("flatzinc"),
            proof=beside("proof"),
        )

    def __bool__(self) -> bool:
        return self.path is not None


@dataclass(frozen=True)
class Saved:
    """What was kept in a base: records that are ``new``, that were there already (``known``), and ``all`` of the kind;
    derived ``heuristics`` that are new. ``complete``: all that was to be kept is there."""

    base: Path
    new: int
    known: int
    all: int
    complete: bool
    bytes: int
    heuristics: int = 0

    @staticmethod
    def of(data: dict[str, Any]) -> Saved | None:
        kept = data.get("saved")
        return None if kept is None else Saved(**{**_known(Saved, kept), "base": Path(kept["base"])})


@dataclass(frozen=True)
class PlanReport(Report):
    """What a search for a plan has found.

    ``moves`` and ``states`` are terms; ``optimal`` is ``True`` where it is proved that no plan is
    cheaper, ``False`` where there is one, and ``None`` where nobody knows. ``from_base``: it was read, and not
    searched.
    """

    instance: str = ""
    engine: str = ""
    cost: Any = None
    moves: list[Any] = field(default_factory=list)
    optimal: bool | None = None
    optimal_by: str | None = None
    stats: dict[str, Any] = field(default_factory=dict, repr=False)
    from_base: bool = False
    saved: Saved | None = None
    certificate: Certificate | None = None

    @staticmethod
    def of(data: dict[str, Any]) -> PlanReport:
        return PlanReport(**_plan(data))

    def __bool__(self) -> bool:
        return self.outcome == "solved"


def _plan(data: dict[str, Any]) -> dict[str, Any]:
    """The fields of a plan."""
    return {
        "outcome": data.get("outcome"),
        "data": data,
        "instance": data.get("instance") or "",
        "engine": data.get("engine") or "",
        "cost": _number(data.get("cost")),
        "moves": [from_json(move) for move in data.get("path") or []],
        "optimal": data.get("optimal"),
        "optimal_by": data.get("optimal_by"),
        "stats": data.get("stats") or {},
        "from_base": bool(data.get("from_base")),
        "saved": Saved.of(data),
        "certificate": Certificate.of(data),
    }


@dataclass(frozen=True)
class Plan:
    """Moves, and the states that they go through, start and goal included."""

    moves: list[Any]
    states: list[Any]


@dataclass(frozen=True)
class PlansReport(PlanReport):
    """All cheapest plans of a puzzle: how many there are, and some of them; else what is known of the first.

    ``count`` is ``None`` where it is not known, or there is no plan; ``at_least`` is known where a limit cut the count
    off. ``unique``: there is no other plan. ``sequences`` are those of states that plans go through; ``rounded``: costs
    are floats, and plans equally cheap that differ by no more than rounding does.
    """

    count: int | None = None
    at_least: int | None = None
    unique: bool | None = None
    sequences: int | None = None
    rounded: bool = False
    plans: list[Plan] = field(default_factory=list, repr=False)

    @staticmethod
    def of(data: dict[str, Any]) -> PlansReport:
        def plan(one: dict[str, Any]) -> Plan:
            return Plan(*([from_json(term) for term in one[name]] for name in ("path", "states")))

        return PlansReport(
            **_plan(data),
            count=_number(data.get("plan_count")),
            at_least=_number(data.get("plan_count_at_least")),
            unique=data.get("unique"),
            sequences=_number(data.get("state_sequences")),
            rounded=bool(data.get("rounded")),
            plans=[plan(one) for one in data.get("plans") or []],
        )

    def __iter__(self) -> Iterator[Plan]:
        return iter(self.plans)


@dataclass(frozen=True)
class GameReport(Report):
    """What is known of a state of a game: its value to the player to move, and the best move.

    ``from_base``: it was read, and not searched. ``exact``: ``None`` where the value is exact if ``exact_if`` is so."""

    engine: str = ""
    player: Any = None
    value: Any = None
    move: Any = None
    line: list[Any] = field(default_factory=list)
    exact: bool | None = None
    stats: dict[str, Any] = field(default_factory=dict, repr=False)
    from_base: bool = False
    saved: Saved | None = None
    certificate: Certificate | None = None
    exact_if: str | None = None

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
            from_base=bool(data.get("from_base")),
            saved=Saved.of(data),
            certificate=Certificate.of(data),
            exact_if=data.get("exact_if"),
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
    certificate: Certificate | None = None
    exact_if: str | None = None

    @staticmethod
    def of(data: dict[str, Any]) -> NashReport:
        return NashReport(
            outcome=data.get("outcome"),
            data=data,
            players=[from_json(player) for player in data.get("players") or []],
            actions=[[from_json(a) for a in own] for own in data.get("actions") or []],
            equilibria=data.get("equilibria") or [],
            extent=data.get("extent"),
            certificate=Certificate.of(data),
            exact_if=data.get("exact_if"),
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
            for beside in ("data", "remarks", "saved", "certificate"):
                shown.pop(beside, None)
            return {**shown, **stats}
        return dict(one)

    return pandas.DataFrame([row(one) for one in rows])
