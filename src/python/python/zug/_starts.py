"""Start states of environments: instances of the rules, chosen by seed or by `reset(options=…)`.

Each instance is a :class:`zug.Game` with its own numbering of actions and its own observation planes. An
environment has one action space and one observation space: actions are matched by their text and planes by their
names. Observations of smaller states are padded with zeros.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Mapping, Sequence, Union

import numpy as np
import numpy.typing as npt

from zug._errors import RequestError
from zug._game import Game, State
from zug._rules import Rules, load
from zug._terms import Atom, text

#: Rules as environments take them: loaded, as a game, or the path of a file.
Source = Union[Rules, Game, str, "os.PathLike[str]"]
#: An instance by name or number, several of them, or ``"random"`` for all.
Instances = Union[str, int, Sequence[Union[str, int]], None]

#: Options of ``reset``.
OPTIONS = ("instance", "player", "state")
#: States given by ``options["state"]`` whose games are cached.
_CACHED = 64


@dataclass
class Start:
    """A start state, and the translation of its game's numbers to those of the environment."""

    game: Game
    #: By action of the environment: the action of the game, or -1.
    to_game: npt.NDArray[np.int64]
    #: By action of the game: the action of the environment.
    to_env: npt.NDArray[np.int64]
    #: By plane of the game: the plane of the environment.
    planes: npt.NDArray[np.int64]
    #: The shape of the environment's observations.
    shape: tuple[int, ...]

    def __post_init__(self) -> None:
        own = self.game.observation_tensor_shape()
        self._has_all_actions = self.to_game.tolist() == list(range(len(self.to_env)))
        self._has_all_planes = list(self.shape) == own and self.planes.tolist() == list(range(own[0]))

    def action(self, action: int) -> int:
        """The game's number of an action of the environment; -1 if the game has no such action."""
        return int(self.to_game[action]) if 0 <= action < len(self.to_game) else -1

    def mask(self, state: State, player: int | None) -> npt.NDArray[np.int8]:
        """By action of the environment: 1 if it is legal."""
        if self._has_all_actions:
            return np.array(state.legal_actions_mask(player), np.int8)
        mask = np.zeros(len(self.to_game), np.int8)
        legal = [] if state.is_chance_node() else state.legal_actions(player)
        mask[self.to_env[legal]] = 1
        return mask

    def observation(self, state: State, player: int = 0) -> npt.NDArray[np.float32]:
        """The observation of a state in the shape of the environment."""
        seen = state.observation_tensor(player)
        if self._has_all_planes:
            return seen.reshape(self.shape)
        seen = seen.reshape(self.game.observation_tensor_shape())
        whole = np.zeros(self.shape, np.float32)
        place: tuple[Any, ...] = (self.planes, *(slice(length) for length in seen.shape[1:]))
        whole[place] = seen
        return whole


def _planes(game: Game) -> list[str]:
    """The names of the planes; the second plane of the same name has a number, and so on."""
    met: dict[str, int] = {}
    names = []
    for name in game.observation_planes():
        met[name] = met.get(name, 0) + 1
        names.append(name if met[name] == 1 else f"{name} {met[name]}")
    # A state without planes for its leaves still has one plane of zeros.
    return names + [f"plane {number}" for number in range(len(names), game.observation_tensor_shape()[0])]


def _has_forms(game: Game) -> bool:
    return "form 1" in game.observation_planes()


class Started:
    """An environment in a state of a start: a pickle or a copy has the actions that led there, and replays them."""

    _start: Start
    _state: State

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_state": self._state.history()}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__dict__.update(saved)
        self._state = replayed(self._start.game, saved["_state"])


def replayed(game: Game, history: Sequence[Any]) -> State:
    """The state that actions lead to from the beginning: of one player or of chance, or one of each player."""
    state = game.new_initial_state()
    for action in history:
        if isinstance(action, (list, tuple)):
            state.apply_actions(action)
        else:
            state.apply_action(action)
    return state


class Starts:
    """The starts of an environment and the spaces that contain all of them."""

    def __init__(self, rules: Source, instance: Instances = None) -> None:
        if isinstance(rules, (str, os.PathLike)):
            rules = load(rules)
        self._survey: dict[str, Any] = {}
        if isinstance(rules, Game):
            self._rules = rules.rules
            self._survey = {key: value for key, value in rules.options.items() if key != "instance"}
            first = [rules] if instance is None else self._games(instance)
        else:
            self._rules = rules
            first = self._games(instance)
        #: The game of the first start; its kind and its players are those of all.
        self.game = first[0]
        self.actions = list(dict.fromkeys(name for one in first for name in one._texts))
        self.planes = list(dict.fromkeys(name for one in first for name in _planes(one)))
        self.has_integers = any(one.has_whole_numbers() for one in first)
        shapes = [one.observation_tensor_shape() for one in first]
        if len({len(shape) for shape in shapes}) > 1:
            raise ValueError("the states of the instances are boards and other terms: name instances of one kind")
        lengths = [max(sizes) for sizes in zip(*(shape[1:] for shape in shapes))]
        self.shape = (len(self.planes), *lengths)
        self.starts = [self._start(one) for one in first]
        self._by_name: dict[str, Start] = {}
        self._by_state: dict[tuple[str, str | None], Start] = {}

    def __deepcopy__(self, memo: dict[int, Any]) -> Starts:
        # Nothing but caches changes: copies of an environment share them.
        return self

    def _games(self, instance: Instances) -> list[Game]:
        if instance is None or isinstance(instance, (str, int)) and instance != "random":
            return [self._rules.game(instance=instance, **self._survey)]
        if not isinstance(instance, (str, int)):
            if not instance:
                raise ValueError("instance names at least one instance")
            return [self._rules.game(instance=one, **self._survey) for one in instance]
        games = [self._rules.game(instance=1, **self._survey)]
        while True:
            try:
                games.append(self._rules.game(instance=len(games) + 1, **self._survey))
            except RequestError:  # there are no more
                return games

    def _start(self, game: Game) -> Start:
        """A game with the translation of its numbers; ``ValueError`` if the spaces don't contain it."""
        actions = {name: number for number, name in enumerate(self.actions)}
        planes = {name: number for number, name in enumerate(self.planes)}
        shape = game.observation_tensor_shape()
        own = _planes(game)
        advice = "; make the environment with instance=\"random\" or a list of instances"
        if game is not self.game and (_has_forms(game) or _has_forms(self.game)):
            raise ValueError("states of these rules have several forms, which differ between starts: one instance only")
        for what, names, known in (("actions", game._texts, actions), ("planes", own, planes)):
            unknown = [name for name in names if name not in known]
            if unknown:
                raise ValueError(f"this start has {what} that the environment lacks: {', '.join(unknown[:5])}{advice}")
        if len(shape) != len(self.shape) or any(map(int.__gt__, shape[1:], self.shape[1:])):
            sizes = f"observations of this start have the shape {shape}, those of the environment {list(self.shape)}"
            raise ValueError(sizes + advice)
        to_env = np.array([actions[name] for name in game._texts], np.int64)
        to_game = np.full(len(self.actions), -1, np.int64)
        to_game[to_env] = np.arange(len(to_env))
        return Start(game, to_game, to_env, np.array([planes[name] for name in own], np.int64), self.shape)

    def action(self, move: Any) -> int:
        """The environment's number of a move."""
        written = move if isinstance(move, str) and not isinstance(move, Atom) else text(move)
        if written not in self.actions:
            raise ValueError(f"there is no action {written}")
        return self.actions.index(written)

    def choose(self, options: Mapping[str, Any] | None, draw: np.random.Generator) -> Start:
        """The start that the options of ``reset`` name; without options one of the starts at random."""
        given = dict(options or {})
        unknown = sorted(str(name) for name in given if name not in OPTIONS)
        if unknown:
            raise ValueError(f"no such option of reset: {', '.join(unknown)}; options are {', '.join(OPTIONS)}")
        instance, state, player = (given.get(name) for name in ("instance", "state", "player"))
        if state is not None and instance is not None:
            raise ValueError("options name an instance or a state, not both")
        if player is not None and state is None:
            raise ValueError("the option player is the player to move in the option state")
        if state is not None:
            return self._of_state(state, player)
        if instance is not None:
            name = str(instance)
            if name not in self._by_name:
                self._by_name[name] = self._start(self._rules.game(instance=instance, **self._survey))
            return self._by_name[name]
        if len(self.starts) == 1:
            return self.starts[0]
        return self.starts[int(draw.integers(len(self.starts)))]

    def _of_state(self, state: Any, player: Any) -> Start:
        key = (self._written(state), None if player is None else self._player(player))
        if key not in self._by_state:
            # Clauses of a later source replace those of an earlier one.
            clauses = f"initial_state(given, {key[0]})."
            if key[1] is not None:
                clauses += f"\ninitial_player({key[1]})."
            rules = self._rules._extended("the option state", clauses)
            start = self._start(rules.game(instance="given", **self._survey))
            while len(self._by_state) >= _CACHED:
                del self._by_state[next(iter(self._by_state))]
            self._by_state[key] = start
        return self._by_state[key]

    def _written(self, state: Any) -> str:
        """A state as the text of one term."""
        if isinstance(state, State):
            return state.to_text() or ""
        if isinstance(state, str) and not isinstance(state, Atom):
            answer = self._rules.once(f"Given_ = ({state.strip().removesuffix('.')})")
            return text(answer["Given_"] if answer else state)
        return text(state)

    def _player(self, player: Any) -> str:
        return text(self.game.players[player_number(self.game, player)])


def player_number(game: Game, player: Any) -> int:
    """The number of a player given by number or name."""
    names = [str(name) for name in game.players]
    known = f"players are {', '.join(f'{number} ({name})' for number, name in enumerate(names))}"
    if isinstance(player, (int, np.integer)) and not isinstance(player, bool):
        if 0 <= player < len(names):
            return int(player)
    elif str(player) in names:
        return names.index(str(player))
    raise ValueError(f"there is no player {player}; {known}")
