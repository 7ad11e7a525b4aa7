"""Reports of what measures, makes and trains: comparisons, spaces, heuristics, new starts, policies, matches."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Iterator

from zug import _zug
from zug._reports import Certificate, Report, Saved, _known, _number, table
from zug._terms import from_json

if TYPE_CHECKING:
    import pandas

    from zug._game import State


@dataclass(frozen=True)
class Engine:
    """A search engine: for ``games``, or for puzzles; ``when`` says for what it is the right one."""

    name: str
    title: str
    summary: str
    games: bool
    when: str
    reference: str
    threads: bool
    #: Of engines for puzzles: it calls the heuristic.
    informed: bool = False
    #: Of engines for games: it can play where chance moves.
    chance: bool = False
    #: Parameters of :meth:`Rules.solve` that it reads beside the limits.
    parameters: tuple[str, ...] = ()


def engines() -> list[Engine]:
    """The search engines, as ``zug engines`` lists them."""
    import json

    found = [_known(Engine, json.loads(one)) for one in _zug.engines()]
    return [Engine(**{**one, "parameters": tuple(one.get("parameters", ()))}) for one in found]


@dataclass(frozen=True)
class PuzzleRow:
    """A search of a comparison, in a puzzle. Times are seconds, memory bytes."""

    instance: str
    engine: str
    heuristic: str | None
    outcome: str
    reason: str | None
    cost: Any
    moves: int | None
    optimal: bool | None
    excess: Any
    expanded: int
    generated: int
    reopened: int
    peak_open: int
    elapsed_seconds: float
    peak_memory_bytes: int
    branching: float | None
    depth: int | None
    optimal_by: str | None = None
    optimal_if: str | None = None


@dataclass(frozen=True)
class GameRow:
    """A search of a comparison, in a game. Times are seconds, memory bytes."""

    instance: str
    engine: str
    player: str | None
    outcome: str
    reason: str | None
    value: Any
    exact: bool
    move: str | None
    depth: int | None
    nodes: int
    states: int
    elapsed_seconds: float
    peak_memory_bytes: int
    exact_if: str | None = None


@dataclass(frozen=True)
class Factor:
    """By how much an engine expands fewer nodes with one heuristic than with another."""

    engine: str
    better: str
    worse: str
    mean: float
    least: float
    greatest: float
    instances: int


@dataclass(frozen=True)
class CompareReport(Report):
    """Engines and heuristics side by side: a row a search (docs/compare.md)."""

    rows: list[PuzzleRow] | list[GameRow] = field(default_factory=list)
    factors: list[Factor] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @staticmethod
    def of(data: dict[str, Any]) -> CompareReport:
        def row(kind: Any, one: dict[str, Any], *numbers: str) -> Any:
            read = {name: _number(one.get(name)) for name in numbers}
            return kind(**{**_known(kind, one), **read})

        rows: Any
        if "puzzle" in data:
            rows = [row(PuzzleRow, one, "cost", "excess") for one in data["puzzle"]]
        else:
            rows = [row(GameRow, one, "value") for one in data.get("game") or []]
        is_failed = any(one.outcome == "error" for one in rows)
        outcome = "stopped" if data.get("interrupted") else "error" if is_failed else "done"
        return CompareReport(
            outcome=outcome,
            data=data,
            rows=rows,
            factors=[Factor(**_known(Factor, one)) for one in data.get("factors") or []],
            notes=list(data.get("notes") or []),
        )

    def __iter__(self) -> Iterator[PuzzleRow | GameRow]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def table(self) -> pandas.DataFrame:
        """The rows as a ``pandas.DataFrame``."""
        return table(vars(one) for one in self.rows)


@dataclass(frozen=True)
class EnumerateReport(Report):
    """The states that can be reached: how many, at which depth, and some of the deepest.

    ``outcome`` is ``complete`` or ``stopped``; ``terminal`` counts states without a successor.
    """

    instance: str = ""
    states: int = 0
    by_depth: list[int] = field(default_factory=list)
    terminal: int = 0
    deepest: list[Any] = field(default_factory=list, repr=False)
    kept: str = ""
    stats: dict[str, Any] = field(default_factory=dict, repr=False)
    saved: Saved | None = None

    @staticmethod
    def of(data: dict[str, Any]) -> EnumerateReport:
        return EnumerateReport(
            outcome=data.get("outcome"),
            data=data,
            instance=data.get("instance") or "",
            states=_number(data.get("states")),
            by_depth=[_number(count) for count in data.get("by_depth") or []],
            terminal=_number(data.get("terminal")),
            deepest=[from_json(state) for state in data.get("deepest") or []],
            kept=data.get("kept") or "",
            stats=data.get("stats") or {},
            saved=Saved.of(data),
        )

    def __bool__(self) -> bool:
        return self.outcome == "complete"

    def table(self) -> pandas.DataFrame:
        """States by depth as a ``pandas.DataFrame``."""
        rows = enumerate(self.by_depth)
        return table({"depth": depth, "states": states} for depth, states in rows)


@dataclass(frozen=True)
class HeuristicRow:
    """What was found of a heuristic: ``admissible`` and ``consistent`` are ``proved``,
    ``not_refuted`` or ``violated``; ``mean`` and ``max`` are its values where a plan is known, and
    ``informed`` is the mean part of the plan's cost that it says."""

    heuristic: str
    admissible: str
    overestimated: int
    consistent: str
    inconsistent: int
    goals_above: int
    mean: float
    max: Any
    informed: float


@dataclass(frozen=True)
class HeuristicsReport(Report):
    """Whether heuristics are admissible and consistent; ``whole``: all states were looked at.

    ``data["heuristics"]`` has the witnesses.
    """

    instances: list[str] = field(default_factory=list)
    whole: bool = False
    states: int = 0
    heuristics: list[HeuristicRow] = field(default_factory=list)

    @staticmethod
    def of(data: dict[str, Any]) -> HeuristicsReport:
        found = data.get("heuristics") or []
        rows = [
            HeuristicRow(**{**_known(HeuristicRow, one), "max": _number(one.get("max"))})
            for one in found
        ]
        return HeuristicsReport(
            outcome="stopped" if data.get("stopped") else "done",
            data=data,
            instances=list(data.get("instances") or []),
            whole=bool(data.get("whole")),
            states=data.get("states") or 0,
            heuristics=rows,
        )

    def __bool__(self) -> bool:
        """Nothing was violated."""
        return all("violated" not in (one.admissible, one.consistent) for one in self.heuristics)

    def __iter__(self) -> Iterator[HeuristicRow]:
        return iter(self.heuristics)

    def table(self) -> pandas.DataFrame:
        """The heuristics as a ``pandas.DataFrame``."""
        return table(vars(one) for one in self.heuristics)


@dataclass(frozen=True)
class NewStart:
    """A new start of a puzzle; ``clause`` makes it an instance of the rules.

    ``plan_count`` is ``None`` where the number of cheapest plans is not known.
    """

    name: str
    state: Any
    clause: str
    cost: Any
    moves: list[Any]
    plan_count: int | None = None


@dataclass(frozen=True)
class GenerateReport(Report):
    """New starts of a puzzle, the dearest first; ``whole``: costs are proved."""

    starts: list[NewStart] = field(default_factory=list)
    whole: bool = False
    states: int = 0

    @staticmethod
    def of(data: dict[str, Any]) -> GenerateReport:
        starts = [
            NewStart(
                name=one["name"],
                state=from_json(one["state"]),
                clause=one["clause"],
                cost=_number(one["cost"]),
                moves=[from_json(move) for move in one.get("path") or []],
                plan_count=_number(one.get("plan_count")),
            )
            for one in data.get("starts") or []
        ]
        return GenerateReport(
            outcome="stopped" if data.get("stopped") else "done" if starts else "exhausted",
            data=data,
            starts=starts,
            whole=bool(data.get("whole")),
            states=data.get("states") or 0,
        )

    def __bool__(self) -> bool:
        return bool(self.starts)

    def __iter__(self) -> Iterator[NewStart]:
        return iter(self.starts)

    def table(self) -> pandas.DataFrame:
        """The starts as a ``pandas.DataFrame``."""
        return table({**vars(one), "moves": len(one.moves)} for one in self.starts)


@dataclass(frozen=True)
class CurvePoint:
    """Evaluation games after so many ``games`` of training."""

    games: int
    wins: int
    draws: int
    losses: int


@dataclass(frozen=True)
class OptimalShare:
    """How many of the likeliest moves are optimal: of all ``states``, of those where it matters
    what is chosen (``choices``), and of those of them that were ``met``."""

    states: int
    right: int
    choices: int
    right_choices: int
    met: int
    right_met: int


@dataclass(frozen=True)
class PolicyMove:
    """A move of a policy: its beads or what it is ``worth``, how often it was made (``tries``), and
    how likely it is."""

    move: Any
    worth: float
    tries: int
    probability: float


@dataclass(frozen=True)
class PolicyRow:
    """What was learned of a state; ``player`` is ``None`` where players share what they learn."""

    player: Any
    state: Any
    moves: list[PolicyMove]


@dataclass(frozen=True)
class TrainReport(Report):
    """What a training came to (docs/learning.md).

    ``wins``, ``draws`` and ``losses`` are those of the learner in training or, against itself, of who
    begins; the ``curve`` has evaluation games against the ``baseline``. ``optimal`` is ``None``
    where the game is too large to know.
    """

    method: str = ""
    against: str = ""
    baseline: str = ""
    seed: int = 0
    games: int = 0
    before: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    curve: list[CurvePoint] = field(default_factory=list, repr=False)
    optimal: OptimalShare | None = None

    @staticmethod
    def of(data: dict[str, Any]) -> TrainReport:
        share = data.get("optimal")
        own = ("method", "against", "baseline", "games", "before", "wins", "draws", "losses")
        return TrainReport(
            outcome=data.get("outcome"),
            data=data,
            seed=_number(data.get("seed")),
            curve=[CurvePoint(**_known(CurvePoint, one)) for one in data.get("curve") or []],
            optimal=None if share is None else OptimalShare(**_known(OptimalShare, share)),
            **{name: data[name] for name in own},
        )

    @property
    def policy(self) -> list[PolicyRow]:
        """What was learned, a row a state."""
        rows = self.data.get("policy") or []
        return [
            PolicyRow(
                player=None if row["player"] is None else from_json(row["player"]),
                state=from_json(row["state"]),
                moves=[
                    PolicyMove(from_json(one["move"]), one["worth"], one["tries"], one["probability"])
                    for one in row["moves"]
                ],
            )
            for row in rows
        ]

    def player(self, *, greedy: bool = True, seed: int | None = None) -> Policy:
        """Who plays what was learned, for :meth:`Rules.play` and ``zug.gymnasium.GameEnv``: its
        likeliest moves or, without ``greedy``, moves drawn as in training."""
        return Policy(self.data.get("policy") or [], greedy, seed)

    def table(self) -> pandas.DataFrame:
        """The curve as a ``pandas.DataFrame``."""
        return table(vars(one) for one in self.curve)


class Policy:
    """A player by what was learned: a function of a state that gives an action.

    In a state that was not met in training it plays any legal action.
    """

    def __init__(self, rows: list[dict[str, Any]], greedy: bool, seed: int | None) -> None:
        self._moves = {
            (None if row["player"] is None else row["player"]["text"], row["state"]["text"]): {
                one["move"]["text"]: one["probability"] for one in row["moves"]
            }
            for row in rows
        }
        self._greedy = greedy
        self._draw = random.Random(seed)

    def probabilities(self, state: State) -> dict[int, float]:
        """By legal action, how likely it is made; all alike in a state that was not met."""
        text, legal = state.to_text(), state.legal_actions()
        player = str(state.game.player_to_string(state.current_player()))
        known = self._moves.get((None, text or "")) or self._moves.get((player, text or ""))
        if known is None:
            return {action: 1 / len(legal) for action in legal}
        return {action: known.get(state.action_to_string(action), 0.0) for action in legal}

    def __call__(self, state: State) -> int:
        chances = self.probabilities(state)
        most = max(chances.values())
        if most <= 0:
            return self._draw.choice(list(chances))
        if self._greedy:
            return self._draw.choice([one for one, chance in chances.items() if chance == most])
        return self._draw.choices(list(chances), list(chances.values()))[0]


@dataclass(frozen=True)
class MatchReport(Report):
    """A match of two players of a repeated game; ``winner`` is the number of a player, or ``None``."""

    players: list[Any] = field(default_factory=list)
    seed: int = 0
    rounds: int = 0
    wins: list[int] = field(default_factory=list)
    draws: int = 0
    payoffs: list[Any] = field(default_factory=list)
    winner: int | None = None

    @staticmethod
    def of(data: dict[str, Any]) -> MatchReport:
        return MatchReport(
            outcome=data.get("outcome"),
            data=data,
            players=[from_json(player) for player in data["players"]],
            seed=_number(data["seed"]),
            rounds=data["rounds"],
            wins=list(data["wins"]),
            draws=data["draws"],
            payoffs=[_number(payoff) for payoff in data["payoffs"]],
            winner=data.get("winner"),
        )


@dataclass(frozen=True)
class Standing:
    """How a player has done in a tournament; in the long run it wins a part of matches that lies in
    ``interval``, with a confidence of 95 %."""

    player: Any
    won: int
    drawn: int
    lost: int
    interval: tuple[float, float]
    payoff: Any
    mean_payoff: float


@dataclass(frozen=True)
class TournamentReport(Report):
    """A tournament of players of a repeated game: who won most matches first."""

    seed: int = 0
    matches: int = 0
    standings: list[Standing] = field(default_factory=list)

    @staticmethod
    def of(data: dict[str, Any]) -> TournamentReport:
        def standing(one: dict[str, Any]) -> Standing:
            read = {
                "player": from_json(one["player"]),
                "payoff": _number(one["payoff"]),
                "interval": tuple(one["interval"]),
            }
            return Standing(**{**_known(Standing, one), **read})

        return TournamentReport(
            outcome=data.get("outcome"),
            data=data,
            seed=_number(data["seed"]),
            matches=data["matches"],
            standings=[standing(one) for one in data["standings"]],
        )

    def __iter__(self) -> Iterator[Standing]:
        return iter(self.standings)

    def table(self) -> pandas.DataFrame:
        """The standings as a ``pandas.DataFrame``."""
        return table(vars(one) for one in self.standings)


@dataclass(frozen=True)
class ModelReport(Report):
    """Values for the variables of a model: solutions by name, and how many there are.

    ``complete``: all were counted. With an ``objective`` solutions have the best ``value``.
    """

    solutions: list[dict[str, Any]] = field(default_factory=list)
    count: int = 0
    complete: bool = False
    unique: bool | None = None
    objective: str | None = None
    value: Any = None
    optimal: bool | None = None
    stats: dict[str, Any] = field(default_factory=dict, repr=False)
    certificate: Certificate | None = None
    optimal_if: str | None = None
    exhausted_if: str | None = None
    complete_if: str | None = None

    @staticmethod
    def of(data: dict[str, Any]) -> ModelReport:
        from zug._terms import text

        def values(solution: dict[str, Any]) -> dict[str, Any]:
            read = [(from_json(one["name"]), from_json(one["value"])) for one in solution["values"]]
            return {name if isinstance(name, str) else text(name): value for name, value in read}

        value = data.get("value")
        return ModelReport(
            outcome=data.get("outcome"),
            data=data,
            solutions=[values(one) for one in data.get("solutions") or []],
            count=data.get("count") or 0,
            complete=bool(data.get("complete")),
            unique=data.get("unique"),
            objective=data.get("objective"),
            value=None if value is None else from_json(value),
            optimal=data.get("optimal"),
            stats=data.get("stats") or {},
            certificate=Certificate.of(data),
            optimal_if=data.get("optimal_if"),
            exhausted_if=data.get("exhausted_if"),
            complete_if=data.get("complete_if"),
        )

    def __bool__(self) -> bool:
        return self.outcome == "solved"

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.solutions)


@dataclass(frozen=True)
class TriedAction:
    """An action that plays at random tried: how often, what it came to on average, and with which
    part of the tries it was chosen."""

    player: Any
    action: Any
    visits: int
    mean: float
    share: float


@dataclass(frozen=True)
class SampledReport(Report):
    """What plays at random choose where all choose at once (docs/mcts.md): by player the ``values``
    and the action that was tried most, and all actions."""

    players: list[Any] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    best: list[Any] = field(default_factory=list)
    actions: list[TriedAction] = field(default_factory=list, repr=False)
    plays: int = 0

    @staticmethod
    def of(data: dict[str, Any]) -> SampledReport:
        seats = data.get("players") or []
        names = [from_json(seat["player"]) for seat in seats]
        best = [None if seat["best"] is None else from_json(seat["best"]) for seat in seats]
        return SampledReport(
            outcome=data.get("outcome"),
            data=data,
            players=names,
            values=[seat["value"] for seat in seats],
            best=best,
            actions=[
                TriedAction(name, from_json(one["action"]), one["visits"], one["mean"], one["share"])
                for name, seat in zip(names, seats)
                for one in seat["actions"]
            ],
            plays=data.get("plays") or 0,
        )

    def table(self) -> pandas.DataFrame:
        """The actions as a ``pandas.DataFrame``."""
        return table(vars(one) for one in self.actions)
