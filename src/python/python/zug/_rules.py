"""Rules: loaded, queried, checked, solved."""

from __future__ import annotations

import json
import os
from typing import Any, Iterator, Mapping

from zug import _zug
from zug._game import Game, State
from zug._reports import CheckReport, GameReport, NashReport, PlanReport, Report, table
from zug._terms import Atom, Term, Var, text

_TERMS = (Term, Var, Atom, list, tuple, int, float)


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


def _request(**given: Any) -> str:
    return json.dumps({name: value for name, value in given.items() if value is not None})


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

    def save(self, path: str | os.PathLike[str]) -> None:
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
    stops them. Calls from several threads wait for each other.
    """

    def __init__(
        self,
        sources: list[tuple[str, str | None]],
        sandbox: str | None = None,
    ) -> None:
        self._session = _zug.Session(sources, sandbox)
        self.sources = [name for name, _ in sources]

    def __repr__(self) -> str:
        return f"<zug.Rules {self.kind}: {', '.join(self.sources)}>"

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
        **given: Any,
    ) -> Answers:
        """The answers to a goal, text or a :class:`Term`; ``given`` has values of its variables.

        >>> rules = loads("double(X, Y) :- Y is X * 2.")
        >>> [answer["Y"] for answer in rules.query("double(X, Y)", X=21)]
        [42]

        ``time`` (seconds) and ``inferences`` bound the search for each answer.
        """
        return Answers(self._session.query(_goal(goal, given), time, inferences))

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
    ) -> Any:
        """Solves what the rules pose.

        A puzzle: a :class:`PlanReport`, or a list of them with ``every=True``, one an instance. A
        game: a :class:`GameReport`, the value of a state and the best move. A game in which all
        choose at once: a :class:`NashReport`. Limits: seconds, nodes, depth, bytes. A limit that
        strikes is no error; ``outcome`` says it.
        """
        request = _request(
            engine=engine,
            heuristic=heuristic,
            instance=None if instance is None else str(instance),
            state=_term(state),
            player=_term(player),
            every=every or None,
            time=time,
            nodes=nodes,
            depth=depth,
            memory=memory,
            threads=threads,
            seed=seed,
        )
        kind = self.kind
        if kind == "game":
            return GameReport.of(json.loads(self._session.solve_game(request)))
        if kind == "simultaneous":
            return NashReport.of(json.loads(self._session.nash(request)))
        reports = [PlanReport.of(json.loads(one)) for one in self._session.solve(request)]
        return reports if every else reports[0]

    def nash(self, *, state: Any = None, all: bool = False, **limits: Any) -> NashReport:
        """Equilibria of a game in which all choose at once."""
        request = _request(state=_term(state), all=all or None, **limits)
        return NashReport.of(json.loads(self._session.nash(request)))

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
        max_nodes: int | None = None,
        time: float | None = None,
        nodes: int | None = None,
    ) -> Tree:
        """The tree of all moves, or of a search by an engine; equal states are one in a ``graph``."""
        asked = {
            "engine": engine,
            "heuristic": heuristic,
            "instance": None if instance is None else str(instance),
            "state": _term(state),
            "player": _term(player),
            "depth": depth,
            "graph": graph or None,
            "max_nodes": max_nodes,
            "time": time,
            "nodes": nodes,
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
    ) -> Game:
        """The rules as an environment: states that are stepped by numbered actions.

        Actions are numbered as ``actions(L)`` of the rules lists them, or in the standard order of
        those that a survey meets: of ``survey_states`` states, breadth first, and if these were not
        all plays at random until nothing new was met for ``survey_moves`` moves.
        """
        named = None if instance is None else str(instance)
        return Game(self, self._session.arena(named, survey_states, survey_moves))

    puzzle = game

    def play(
        self,
        players: Mapping[Any, Any] | None = None,
        *,
        instance: str | int | None = None,
        seed: int | None = None,
        most_moves: int = 10_000,
    ) -> Play:
        """Plays a game from its start to its end.

        ``players`` says by a player's name who plays: ``"random"``, the name of an engine, a
        ``dict`` of options of :meth:`solve`, or a function of a :class:`State` that gives an
        action. Who is not named plays at random.
        """
        return _played(self, players or {}, instance, seed, most_moves)


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


def _played(
    rules: Rules,
    players: Mapping[Any, Any],
    instance: str | int | None,
    seed: int | None,
    most_moves: int,
) -> Play:
    import random

    game = rules.game(instance=instance)
    draw = random.Random(seed)
    named = {str(name): player for name, player in players.items()}
    strange = set(named) - {str(name) for name in game.players}
    if strange:
        known = ", ".join(str(name) for name in game.players)
        raise ValueError(f"there is no player {', '.join(sorted(strange))}; there are {known}")

    def chosen(state: State, player: int) -> int:
        agent = named.get(str(game.players[player]) if game.players else "", "random")
        if agent == "random":
            return draw.choice(state.legal_actions(player))
        if callable(agent):
            return int(agent(state))
        options = {"engine": agent} if isinstance(agent, str) else dict(agent)
        found = rules.solve(state=state, player=game.players[player], **options)
        return game.action(found.move)

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
    *paths: str | os.PathLike[str],
    text: str | None = None,
    sandbox: str | os.PathLike[str] | None = None,
) -> Rules:
    """Loads rule files, and ``text`` behind them.

    Rules of strangers: with ``sandbox`` they open no files but rule files of that folder, and no
    processes.
    """
    sources: list[tuple[str, str | None]] = [(os.fspath(path), None) for path in paths]
    if text is not None:
        sources.append(("text", text))
    return Rules(sources, None if sandbox is None else os.fspath(sandbox))


def loads(text: str, *, name: str = "rules", sandbox: str | None = None) -> Rules:
    """Loads rules from text."""
    return Rules([(name, text)], sandbox)
