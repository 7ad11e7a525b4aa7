"""Rules: loaded, queried, checked, solved."""

from __future__ import annotations

import json
import os
import random
from dataclasses import replace
from typing import Any, Callable, Iterable, Iterator, Mapping, TypeVar, Union

from zug import _zug
from zug._game import Game, State
from zug._kept import SeriesReport, VerifyReport, Watch, _watched
from zug._measures import (
    CompareReport,
    EnumerateReport,
    GenerateReport,
    HeuristicsReport,
    MatchReport,
    ModelReport,
    SampledReport,
    TournamentReport,
    TrainReport,
)
from zug._reports import (
    CheckReport,
    GameReport,
    NashReport,
    PlanReport,
    PlansReport,
    Report,
    _number,
    table,
)
from zug._terms import Atom, Term, Var, text

#: Who plays: ``"random"``, the name of an engine, options of :meth:`Rules.solve`, or a function of a
#: state that gives an action.
Agent = Union[str, Mapping[str, Any], Callable[[State], int]]
#: Several names: of heuristics, of instances, of engines.
Names = Union[str, int, Iterable[Any], None]
#: A file.
Path = Union[str, "os.PathLike[str]"]

Made = TypeVar("Made", bound=Report)


def _goal(goal: Any, given: Mapping[str, Any]) -> str:
    """A goal with values for some of its variables."""
    asked = goal if isinstance(goal, str) and not isinstance(goal, Atom) else text(goal)
    if not given:
        return asked
    asked = asked.strip().removesuffix(".")
    for name in given:
        if not (name[:1].isupper() or name[:1] == "_"):
            raise ValueError(f"a variable begins with a capital letter: {name}")
    return ", ".join([f"{name} = {text(value)}" for name, value in given.items()] + [f"({asked})"])


def _term(value: Any) -> str | None:
    """A term as it is handed over: text stays text, everything else is written."""
    if value is None or isinstance(value, str) and not isinstance(value, Atom):
        return value
    if isinstance(value, State):
        return value.to_text()
    return text(value)


def _names(given: Names) -> list[str] | None:
    """Names, or numbers, as they are handed over."""
    if given is None:
        return None
    if isinstance(given, (str, int)):
        return str(given).split(",")
    return [str(one) for one in given]


def _instance(given: str | int | None) -> str | None:
    return None if given is None else str(given)


def _placed(name: str) -> str:
    """The absolute path of a file, for other folders; names that are no file stay."""
    return os.path.abspath(name) if os.path.exists(name) else name


def _path(given: Path | None) -> str | None:
    return None if given is None else os.fspath(given)


def _plain(value: Any) -> Any:
    """A number of NumPy as one of Python."""
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(f"{value!r} is no value of an option")


def _request(**given: Any) -> str:
    asked = {name: value for name, value in given.items() if value is not None and value is not False}
    return json.dumps(asked, default=_plain)


class Answers(Iterator[dict[str, Any]]):
    """The answers to a query, each a ``dict`` of its variables, looked for as they are asked for."""

    def __init__(self, query: _zug.Query) -> None:
        self._query = query

    def __iter__(self) -> Answers:
        return self

    def __next__(self) -> dict[str, Any]:
        answer: dict[str, Any] = next(self._query)
        return answer

    def close(self) -> None:
        """Looks for no more of them."""
        self._query.close()

    def __enter__(self) -> Answers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def table(self) -> Any:
        """All answers as a ``pandas.DataFrame``."""
        return table(self)


class Tree:
    """A tree of moves, or of a search; a notebook shows it as a picture."""

    def __init__(self, rules: Rules, request: dict[str, Any]) -> None:
        self._rules = rules
        self._request = request

    def _written(self, form: str) -> str:
        written, _ = self._rules._session.tree(_request(**self._request), form)
        return written

    def svg(self) -> str:
        """The picture."""
        return self._written("svg")

    def dot(self) -> str:
        """For Graphviz."""
        return self._written("dot")

    def html(self) -> str:
        """A page to explore it, without network."""
        return self._written("html")

    def data(self) -> dict[str, Any]:
        """Nodes, edges and states, as ``zug tree --format json`` has them."""
        found: dict[str, Any] = json.loads(self._written("json"))
        return found

    def save(self, path: Path) -> None:
        """Writes it to a file whose ending says the format: svg, html, dot, txt, json."""
        ending = os.fspath(path).rpartition(".")[2]
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._written(ending))

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return self._written("text")


class Board:
    """A state as it is drawn; a notebook shows it as a picture."""

    def __init__(self, drawn: str | None, picture: str | None, term: str | None) -> None:
        self._drawn, self._picture, self._term = drawn, picture, term

    def _repr_svg_(self) -> str | None:
        return self._picture

    def __str__(self) -> str:
        return self._drawn or self._term or ""

    def __repr__(self) -> str:
        return str(self)


class Rules:
    """Rules that are loaded. Made by :func:`load` and :func:`loads`.

    Rules are no part of the interpreter: it is free for other threads while they work, and Ctrl-C
    stops them. Calls from several threads wait for each other. A pickle or a copy has the paths and texts of the rules,
    and loads them again: facts that queries asserted are not in it.
    """

    def __init__(
        self,
        sources: list[tuple[str, str | None]],
        sandbox: str | None = None,
        db: Path | None = None,
        time: float | None = None,
        memory: int | None = None,
    ) -> None:
        self._session = _zug.Session(sources, sandbox, time, memory)
        self.sources = [name for name, _ in sources]
        # What it takes to load them again, from any folder.
        placed = [(_placed(name) if source is None else name, source) for name, source in sources]
        root = os.path.abspath(sandbox) if sandbox else sandbox
        self._given: tuple[Any, ...] = (placed, root, time, memory)
        self._base: str | None = None
        if db is not None:
            self.use_base(db)

    def __repr__(self) -> str:
        return f"<zug.Rules {self.kind}: {', '.join(self.sources)}>"

    def __reduce__(self) -> tuple[Any, ...]:
        sources, sandbox, time, memory = self._given
        return Rules, (sources, sandbox, self._base, time, memory)

    def _extended(self, name: str, clauses: str) -> Rules:
        """The same rules with further clauses, which replace those of their predicates."""
        sources, sandbox, time, memory = self._given
        return Rules([*sources, (name, clauses)], sandbox, self._base, time, memory)

    @property
    def kind(self) -> str:
        """``puzzle``, ``game``, ``simultaneous``, ``model`` or ``program``."""
        return self._session.kind()

    def query(
        self,
        goal: Any,
        *,
        time: float | None = None,
        inferences: int | None = None,
        memory: int | None = None,
        **given: Any,
    ) -> Answers:
        """The answers to a goal, text or a :class:`Term`; ``given`` has values of its variables.

        >>> rules = loads("double(X, Y) :- Y is X * 2.")
        >>> [answer["Y"] for answer in rules.query("double(X, Y)", X=21)]
        [42]

        ``time`` (seconds), ``inferences`` and ``memory`` (bytes) bound the search for each answer.
        """
        return Answers(self._session.query(_goal(goal, given), time, inferences, memory))

    def once(self, goal: Any, **options: Any) -> dict[str, Any] | None:
        """The first answer to a goal; ``None`` where there is none. Options as of :meth:`query`."""
        with self.query(goal, **options) as answers:
            return next(answers, None)

    def output(self) -> str:
        """What the rules have written since this was asked last."""
        return self._session.output()

    def check(self) -> CheckReport:
        """What ``zug check`` says of the rules: findings, and which engines apply."""
        return CheckReport.of(json.loads(self._session.check()))

    def use_base(self, db: Path | None) -> None:
        """Answers queries, :meth:`solve` and :meth:`play` from a base from now on (docs/bases.md), or from none; what
        is not in it is searched."""
        self._session.answer_from(_path(db))
        self._base = None if db is None else os.path.abspath(db)

    def _run(
        self, command: str, *, progress: Watch | None = None, **given: Any
    ) -> tuple[list[dict[str, Any]], list[str]]:
        """The records of a command, and remarks."""
        records, remarks = self._session.run(command, _request(**given), _watched(progress))
        return [json.loads(one) for one in records], remarks

    def _one(
        self,
        command: str,
        read: Callable[[dict[str, Any]], Made],
        *,
        progress: Watch | None = None,
        **given: Any,
    ) -> Made:
        """The report of a command that has one."""
        found, remarks = self._run(command, progress=progress, **given)
        return replace(read(found[0]), remarks=remarks)

    def solve(
        self,
        *,
        engine: str | None = None,
        heuristic: str | None = None,
        instance: str | int | None = None,
        state: Any = None,
        player: Any = None,
        every: bool = False,
        time: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        memory: int | None = None,
        threads: int | None = None,
        seed: int | None = None,
        weight: float | None = None,
        width: int | None = None,
        symmetry: bool = False,
        verify: int | bool | None = None,
        playouts: int | None = None,
        exploration: float | None = None,
        rave: float | None = None,
        cutoff: int | None = None,
        compact: bool = False,
        solutions: int | None = None,
        unique: bool = False,
        label: Names = None,
        all_plans: int | None = None,
        workers: int | None = None,
        disk: Path | None = None,
        db: Path | None = None,
        save: Path | None = None,
        certificate: Path | None = None,
        force: bool = False,
        progress: Watch | None = None,
    ) -> Any:
        """Solves what the rules pose.

        A puzzle: a :class:`PlanReport`, or a list of them with ``every=True``, one an instance;
        ``all_plans=N`` counts all cheapest plans and shows N, in a :class:`PlansReport`. A
        game: a :class:`GameReport`, the value of a state and the best move. A game in which all
        choose at once: a :class:`NashReport`, or a :class:`SampledReport` with ``engine="mcts"``.
        A model: a :class:`ModelReport`; ``solutions=N`` counts all and shows N, ``unique=True``
        looks for a second one. Limits: seconds, nodes, depth, bytes. A limit that strikes is no
        error; ``outcome`` says it.

        Other options are those of ``zug solve``: ``weight`` and ``width`` of engines, ``playouts``,
        ``exploration``, ``rave``, ``cutoff`` and ``seed`` of plays at random, ``verify`` states to
        prove that a plan is a cheapest one (``False`` for none). ``save`` is a base that what is found is kept in, and
        ``db`` one that is answered from. ``certificate`` is a file for the proof, which :meth:`verify` checks; ``force``
        replaces one that is there, and a base of other rules. ``workers`` search in threads with states of their own;
        those of games keep their layers on ``disk``, in files of a folder. ``progress`` is called with a
        :class:`Progress` ten times a second at most.
        """
        kind = self.kind
        found, remarks = self._run(
            "solve",
            progress=progress,
            engine=engine,
            heuristic=heuristic,
            instance=_instance(instance),
            state=_term(state),
            player=_term(player),
            every=every,
            time=time,
            nodes=nodes,
            depth=depth,
            memory=memory,
            threads=threads,
            seed=seed,
            weight=weight,
            width=width,
            symmetry=symmetry,
            verify=None if isinstance(verify, bool) else verify,
            no_verify=verify is False,
            playouts=playouts,
            exploration=exploration,
            rave=rave,
            cutoff=cutoff,
            compact=compact,
            solutions=solutions,
            unique=unique,
            label=_names(label),
            all_plans=all_plans,
            workers=workers,
            disk=_path(disk),
            db=_path(db),
            save=_path(save),
            certificate=_path(certificate),
            force=force,
        )
        read: Callable[[dict[str, Any]], Report]
        if kind == "game":
            read = GameReport.of
        elif kind == "simultaneous":
            read = SampledReport.of if found[0].get("engine") == "mcts" else NashReport.of
        elif kind == "model":
            read = ModelReport.of
        else:
            read = PlanReport.of if all_plans is None else PlansReport.of
        reports = [replace(read(one), remarks=remarks) for one in found]
        return reports if every else reports[0]

    def verify(
        self, certificate: Path, *, time: float | None = None, memory: int | None = None
    ) -> VerifyReport:
        """Checks a certificate that :meth:`solve`, or ``zug solve``, wrote for these rules, as ``zug verify`` does.

        The rules are loaded anew and run as they are written. A limit of time or memory that strikes is a
        :class:`LimitError`: nothing is said of the certificate then.
        """
        file = _path(certificate)
        return self._one("verify", VerifyReport.of, certificate=file, time=time, memory=memory)

    def nash(
        self,
        *,
        state: Any = None,
        instance: str | int | None = None,
        all: bool = False,
        eliminate: str | None = None,
        learn: str | None = None,
        iterations: int | None = None,
        seed: int | None = None,
        time: float | None = None,
        nodes: int | None = None,
    ) -> NashReport:
        """Equilibria of a game in which all choose at once.

        ``eliminate`` (``"strict"``, ``"weak"``) removes dominated actions first; ``learn``
        (``"regret"``, ``"fictitious"``) approximates by so many ``iterations``.
        """
        return self._one(
            "nash",
            NashReport.of,
            state=_term(state),
            instance=_instance(instance),
            all=all,
            eliminate=eliminate,
            learn=learn,
            iterations=iterations,
            seed=seed,
            time=time,
            nodes=nodes,
        )

    def compare(
        self,
        *,
        engines: Names = None,
        heuristics: Names = None,
        instances: Names = None,
        state: Any = None,
        random: int | None = None,
        steps: int | None = None,
        seed: int | None = None,
        time: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        memory: int | None = None,
        threads: int | None = None,
        weight: float | None = None,
        width: int | None = None,
        symmetry: bool = False,
        verify: int | bool | None = None,
        playouts: int | None = None,
        exploration: float | None = None,
        rave: float | None = None,
        cutoff: int | None = None,
        progress: Watch | None = None,
    ) -> CompareReport:
        """Every engine with every heuristic from every instance: a row for each search.

        ``random`` makes so many more starts of a puzzle, by walks of at most ``steps`` moves. Each search
        has limits of its own, 10 seconds and a million nodes if nothing is said; one that is
        reached is a row like others.
        """
        return self._one(
            "compare",
            CompareReport.of,
            progress=progress,
            engines=_names(engines),
            heuristics=_names(heuristics),
            instances=_names(instances),
            state=_term(state),
            random=random,
            steps=steps,
            seed=seed,
            time=time,
            nodes=nodes,
            depth=depth,
            memory=memory,
            threads=threads,
            weight=weight,
            width=width,
            symmetry=symmetry,
            verify=None if isinstance(verify, bool) else verify,
            no_verify=verify is False,
            playouts=playouts,
            exploration=exploration,
            rave=rave,
            cutoff=cutoff,
        )

    def enumerate(
        self,
        *,
        instance: str | int | None = None,
        state: Any = None,
        depth: int | None = None,
        nodes: int | None = None,
        time: float | None = None,
        memory: int | None = None,
        threads: int | None = None,
        diagrams: bool = False,
        disk: Path | None = None,
        save: Path | None = None,
        workers: int | None = None,
        force: bool = False,
        progress: Watch | None = None,
    ) -> EnumerateReport:
        """Counts the states that can be reached, by depth.

        ``diagrams`` keeps layers as decision diagrams, ``disk`` states in files of a folder; ``save``
        is a base for what each state of a puzzle costs. ``workers`` count in threads with states of their own.
        """
        return self._one(
            "enumerate",
            EnumerateReport.of,
            progress=progress,
            instance=_instance(instance),
            state=_term(state),
            depth=depth,
            nodes=nodes,
            time=time,
            memory=memory,
            threads=threads,
            diagrams=diagrams,
            disk=_path(disk),
            save=_path(save),
            workers=workers,
            force=force,
        )

    def heuristics(
        self,
        *,
        heuristics: Names = None,
        instances: Names = None,
        limit: int | None = None,
        samples: int | None = None,
        steps: int | None = None,
        seed: int | None = None,
        nodes: int | None = None,
        time: float | None = None,
        memory: int | None = None,
        progress: Watch | None = None,
    ) -> HeuristicsReport:
        """Whether heuristics of a puzzle are admissible and consistent, and how much they say.

        All states are looked at if there are no more than ``limit`` of them; else the ends of so many
        walks at random (``samples``, ``steps``, ``seed``), solved with ``nodes`` expansions each.
        """
        return self._one(
            "heuristics",
            HeuristicsReport.of,
            progress=progress,
            heuristics=_names(heuristics),
            instances=_names(instances),
            limit=limit,
            samples=samples,
            steps=steps,
            seed=seed,
            nodes=nodes,
            time=time,
            memory=memory,
        )

    def generate(
        self,
        *,
        cost: float | None = None,
        count: int | None = None,
        unique: bool = False,
        instance: str | int | None = None,
        heuristic: str | None = None,
        seed: int | None = None,
        limit: int | None = None,
        samples: int | None = None,
        steps: int | None = None,
        search_nodes: int | None = None,
        nodes: int | None = None,
        time: float | None = None,
        memory: int | None = None,
        progress: Watch | None = None,
    ) -> GenerateReport:
        """New starts of a puzzle: of the greatest cost, or of the ``cost`` that is asked for.

        ``unique``: only those with one cheapest plan. All states are looked at if there are no more
        than ``limit`` of them, else ``samples``.
        """
        return self._one(
            "generate",
            GenerateReport.of,
            progress=progress,
            cost=cost,
            count=count,
            unique=unique,
            instance=_instance(instance),
            heuristic=heuristic,
            seed=seed,
            limit=limit,
            samples=samples,
            steps=steps,
            search_nodes=search_nodes,
            nodes=nodes,
            time=time,
            memory=memory,
        )

    def train(
        self,
        *,
        games: int | None = None,
        method: str | None = None,
        against: str | None = None,
        baseline: str | None = None,
        seed: int | None = None,
        epsilon: float | None = None,
        alpha: float | None = None,
        decay: float | None = None,
        discount: float | None = None,
        reinforce: str | None = None,
        punish: bool = False,
        beads: tuple[int, int, int] | None = None,
        instance: str | int | None = None,
        save: Path | None = None,
        resume: Path | None = None,
        time: float | None = None,
        memory: int | None = None,
        progress: Watch | None = None,
    ) -> TrainReport:
        """Learns a game by playing it: 10,000 ``games`` against itself if nothing is said.

        ``method`` is ``"matchboxes"``, ``"q"`` or ``"monte_carlo"``; ``against`` and ``baseline``, who
        plays evaluation games, are ``"self"``, ``"random"``, ``"optimal"``, ``"alphabeta:4"``,
        ``"mcts:500"``, ``"policy:FILE"``. ``save`` writes what was learned to a file; ``resume`` goes on from
        one, and all but the number of games is in it. Ctrl-C and ``time`` (seconds) end a training, and what
        was learned by then is saved. ``progress`` is called with a :class:`Progress` after each evaluation, at the end, and
        ten times a second at most between them; what it raises ends the training, and after ``StopIteration`` the report is
        that of the games by then. The :meth:`~zug.TrainReport.player` of the report plays it.
        """
        return self._one(
            "train",
            TrainReport.of,
            progress=progress,
            games=games,
            method=method,
            against=against,
            baseline=baseline,
            seed=seed,
            epsilon=epsilon,
            alpha=alpha,
            decay=decay,
            discount=discount,
            reinforce=reinforce,
            punish=punish,
            beads=None if beads is None else list(beads),
            instance=_instance(instance),
            save=_path(save),
            resume=_path(resume),
            time=time,
            memory=memory,
        )

    def match(
        self,
        first: Any,
        second: Any,
        *,
        to: int | None = None,
        rounds: int | None = None,
        seed: int | None = None,
        time: float | None = None,
        progress: Watch | None = None,
    ) -> MatchReport:
        """Two players of a game in which all choose at once, round after round (docs/simultaneous.md).

        It ends when one has won ``to`` rounds (50), or after ``rounds``.
        """
        players = [_term(first), _term(second)]
        return self._one(
            "match",
            MatchReport.of,
            progress=progress,
            players=players,
            to=to,
            rounds=rounds,
            seed=seed,
            time=time,
        )

    def tournament(
        self,
        players: Iterable[Any],
        *,
        matches: int | None = None,
        to: int | None = None,
        rounds: int | None = None,
        seed: int | None = None,
        time: float | None = None,
        progress: Watch | None = None,
    ) -> TournamentReport:
        """Every two of some players meet in so many ``matches`` (10), each of 200 ``rounds``."""
        return self._one(
            "tournament",
            TournamentReport.of,
            progress=progress,
            players=[_term(player) for player in players],
            matches=matches,
            to=to,
            rounds=rounds,
            seed=seed,
            time=time,
        )

    def series(
        self,
        *agents: str,
        games: int = 10,
        seed: int | None = None,
        instance: str | int | None = None,
        state: Any = None,
        first: Any = None,
        time: float | None = None,
        db: Path | None = None,
        progress: Watch | None = None,
    ) -> SeriesReport:
        """Games of players in turn among machines, as ``zug play --games`` plays them: who wins how often.

        Each of ``agents`` is ``"random"``, ``"level:1"`` to ``"level:9"``, ``"alphabeta:6"`` (an engine and how deep it looks),
        ``"mcts:500"`` (and how many plays it makes), ``"solve_game"``, ``"policy:FILE"`` or ``"greedy:FILE"`` of a training. They
        begin in turn, and each game with a move of each player at random; the same ``seed`` gives the same games, as far
        as moves have no bound of ``time`` (seconds for each, 2 if nothing is said). ``db`` is a base to answer from.
        Ctrl-C ends it; after ``StopIteration`` of ``progress`` the report is that of the games by then.
        """
        seed = random.randrange(1_000_000) if seed is None else seed
        found, remarks = self._run(
            "series",
            progress=progress,
            agents=[str(agent) for agent in agents],
            games=games,
            seed=seed,
            instance=_instance(instance),
            state=_term(state),
            first=_term(first),
            time=time,
            db=_path(db),
        )
        return replace(SeriesReport.of(found, games, seed), remarks=remarks)

    def tree(
        self,
        *,
        engine: str | None = None,
        heuristic: str | None = None,
        instance: str | int | None = None,
        state: Any = None,
        player: Any = None,
        depth: int | None = None,
        graph: bool = False,
        truncate: bool = False,
        symmetry: bool = False,
        max_nodes: int | None = None,
        time: float | None = None,
        nodes: int | None = None,
        memory: int | None = None,
        weight: float | None = None,
        width: int | None = None,
        playouts: int | None = None,
        seed: int | None = None,
    ) -> Tree:
        """The tree of all moves, or of a search by an engine; equal states are one in a ``graph``, and drawn once with
        what is below them with ``truncate``. With ``symmetry`` states are one that ``symmetry/2`` or ``mirrored/2`` call alike.
        """
        asked = {
            "engine": engine,
            "heuristic": heuristic,
            "instance": _instance(instance),
            "state": _term(state),
            "player": _term(player),
            "depth": depth,
            "graph": graph,
            "truncate": truncate,
            "symmetry": symmetry,
            "max_nodes": max_nodes,
            "time": time,
            "nodes": nodes,
            "memory": memory,
            "weight": weight,
            "width": width,
            "playouts": playouts,
            "seed": seed,
        }
        return Tree(self, asked)

    def board(self, state: Any) -> Board:
        """A state as ``draw_state/2`` and ``print_state/1`` draw it, or as the grid that it is."""
        written = _term(state) or ""
        drawn, picture = self._session.board(written)
        return Board(drawn, picture, written)

    def game(
        self,
        *,
        instance: str | int | None = None,
        survey_states: int = 10_000,
        survey_moves: int = 30_000,
        time: float | None = None,
        memory: int | None = None,
    ) -> Game:
        """The rules as an environment: states that are stepped by numbered actions.

        Actions are numbered as ``actions(L)`` of the rules lists them, or in the standard order of
        those that a survey meets: of ``survey_states`` states, breadth first, and if these were not
        all plays at random until nothing new was met for ``survey_moves`` moves. ``time`` (seconds) bounds that, and
        ``memory`` (bytes) what the rules may take, as they did when they were loaded unless it is given.
        """
        arena = self._session.arena(_instance(instance), survey_states, survey_moves, time, memory)
        options = {"instance": instance, "survey_states": survey_states, "survey_moves": survey_moves}
        return Game(self, arena, {**options, "time": time, "memory": memory})

    puzzle = game

    def play(
        self,
        players: Mapping[Any, Agent] | None = None,
        *,
        instance: str | int | None = None,
        seed: int | None = None,
        most_moves: int = 10_000,
        db: Path | None = None,
    ) -> Play:
        """Plays a game from its start to its end.

        ``players`` says by a player's name who plays: ``"random"``, the name of an engine, a
        ``dict`` of options of :meth:`solve`, or a function of a :class:`State` that gives an
        action, as the :meth:`~zug.TrainReport.player` of a training. Who is not named plays at random. ``db`` is a
        base that engines answer from.
        """
        if db is None:
            return _played(self, players or {}, instance, seed, most_moves)
        before = self._session.answer_from(_path(db))
        try:
            return _played(self, players or {}, instance, seed, most_moves)
        finally:
            self._session.answer_from(before)


class Play(Report):
    """A game that was played: its states, actions and what it came to."""

    def __init__(self, states: list[State], actions: list[Any]) -> None:
        end = states[-1]
        outcome = "done" if end.is_terminal() else "stopped"
        super().__init__(outcome, {"actions": actions, "returns": end.returns()})
        object.__setattr__(self, "states", states)
        object.__setattr__(self, "actions", actions)
        object.__setattr__(self, "returns", end.returns())

    states: list[State]
    actions: list[Any]
    returns: list[float]

    def __repr__(self) -> str:
        return f"<zug.Play of {len(self.actions)} moves, returns {self.returns}>"


def _engine_action(
    state: State, player: int, options: Mapping[str, Any], draw: random.Random
) -> int:
    """The action of an engine; where all choose at once it is drawn as an equilibrium, or as plays at
    random, mix them."""
    game = state.game
    if not state.is_simultaneous_node():
        found = game.rules.solve(state=state, player=game.players[player], **options)
        return game.action(found.move)
    found = game.rules.solve(state=state, **options)
    if isinstance(found, SampledReport):
        own = [one for one in found.actions if one.player == found.players[player]]
        moves, shares = [one.action for one in own], [one.share for one in own]
    else:
        if not found.equilibria:
            raise ValueError(f"no equilibrium was found: {found.get('reason') or 'there is none'}")
        own = found.equilibria[0]["strategies"][player]
        moves = [one["action"]["text"] for one in own]
        shares = [float(_number(one["probability"])) for one in own]
    return game.action(draw.choices(moves, shares)[0])


def _choice(agent: Agent, state: State, player: int, draw: random.Random) -> int:
    """What somebody who plays chooses."""
    if callable(agent):
        return int(agent(state))
    if agent == "random":
        return draw.choice(state.legal_actions(player))
    options = {"engine": agent} if isinstance(agent, str) else dict(agent)
    return _engine_action(state, player, options, draw)


def _played(
    rules: Rules,
    players: Mapping[Any, Agent],
    instance: str | int | None,
    seed: int | None,
    most_moves: int,
) -> Play:
    game = rules.game(instance=instance)
    draw = random.Random(seed)
    named = {str(name): player for name, player in players.items()}
    strange = set(named) - {str(name) for name in game.players}
    if strange:
        known = ", ".join(str(name) for name in game.players)
        raise ValueError(f"there is no player {', '.join(sorted(strange))}; there are {known}")

    def chosen(state: State, player: int) -> int:
        agent = named.get(str(game.players[player]) if game.players else "", "random")
        return _choice(agent, state, player, draw)

    state = game.new_initial_state()
    states: list[State] = [state.clone()]
    actions: list[Any] = []
    while not state.is_terminal() and len(actions) < most_moves:
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes())
            action: Any = draw.choices(outcomes, chances)[0]
            state.apply_action(action)
        elif state.is_simultaneous_node():
            action = [chosen(state, player) for player in range(game.num_players())]
            state.apply_actions(action)
        else:
            action = chosen(state, state.current_player())
            state.apply_action(action)
        actions.append(action)
        states.append(state.clone())
    return Play(states, actions)


def load(
    *paths: Path,
    text: str | None = None,
    sandbox: Path | bool = False,
    db: Path | None = None,
    time: float | None = None,
    memory: int | None = None,
) -> Rules:
    """Loads rule files, and ``text`` after them.

    Rules of strangers: with ``sandbox`` they open no files but rule files of that folder, and no
    processes; ``True`` is the folder of the first file. ``db`` is a base that queries, :meth:`Rules.solve` and
    :meth:`Rules.play` are answered from. ``time`` (seconds) bounds the loading, ``memory`` (bytes) what the rules may
    take, half of what the machine has unless it is given; beyond them it raises a :class:`LimitError`.
    """
    sources: list[tuple[str, str | None]] = [(os.fspath(path), None) for path in paths]
    if text is not None:
        sources.append(("text", text))
    root = _sandbox(sandbox, os.path.dirname(os.fspath(paths[0])) or "." if paths else "")
    return Rules(sources, root, db, time, memory)


def loads(
    text: str,
    *,
    name: str = "rules",
    sandbox: Path | bool = True,
    db: Path | None = None,
    time: float | None = None,
    memory: int | None = None,
) -> Rules:
    """Loads rules from text; options as of :func:`load`.

    Text may be anybody's, so the rules are in a sandbox without a folder and open no files at all, unless ``sandbox`` is a
    folder or ``False``.
    """
    return Rules([(name, text)], _sandbox(sandbox, ""), db, time, memory)


def _sandbox(wanted: Path | bool | None, folder: str) -> str | None:
    """The root of a sandbox, ``folder`` unless one is given; ``None`` without a sandbox."""
    if wanted is True:
        return folder
    return None if wanted is None or wanted is False else _path(wanted)


def template(kind: str = "game", *, name: str = "rules.pl") -> str:
    """The text of a small, commented rule file to begin with, as ``zug new`` writes it.

    ``kind`` is ``"puzzle"``, ``"game"``, ``"chance"`` (a game with a coin), ``"simultaneous"`` or ``"model"``;
    ``name`` is what its comments call the file.
    """
    return _zug.template(kind, name)
