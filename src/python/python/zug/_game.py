"""Rules as states that are stepped by numbered actions, in the manner of OpenSpiel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from zug._zug import Arena
from zug._zug import State as State

if TYPE_CHECKING:
    from zug._rules import Rules

#: The player to move where chance moves.
CHANCE = -1
#: The player to move where all choose at once.
SIMULTANEOUS = -2
#: The player to move at the end.
TERMINAL = -4


class Game:
    """Rules whose states are stepped. Made by :meth:`Rules.game`.

    The names are those of OpenSpiel's ``pyspiel.Game``.
    """

    def __init__(self, rules: Rules, arena: Arena, options: dict[str, Any] | None = None) -> None:
        self.rules = rules
        self.arena = arena
        #: The options of :meth:`Rules.game` that it was made with.
        self.options: dict[str, Any] = dict(options or {})
        self.kind = arena.kind()
        #: The moves, by the numbers of their actions.
        self.actions: list[Any] = arena.actions()
        #: The players' names, by number; a puzzle has none.
        self.players: list[Any] = arena.players()
        self._texts = arena.action_texts()
        self._player_texts = arena.player_texts()
        self._outcomes = arena.outcome_texts()
        self._numbers = {text: number for number, text in enumerate(self._texts)}

    def __repr__(self) -> str:
        return f"<zug.Game {self.kind}: {self.num_players()} players, {len(self.actions)} actions>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _remade, (self.rules, self.options)

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        # Nothing of a game changes: copies of states and environments share it.
        return self

    def num_players(self) -> int:
        """How many play; one in a puzzle."""
        return self.arena.seats()

    def num_distinct_actions(self) -> int:
        """Actions are numbered from 0 to this, exclusive."""
        return len(self.actions)

    def max_chance_outcomes(self) -> int:
        """Outcomes of chance are numbered from 0 to this, exclusive."""
        return len(self._outcomes)

    def new_initial_state(self) -> State:
        """The state that plays begin with."""
        return self.arena.start(self)

    def action(self, move: Any) -> int:
        """The number of a move, given as a term or as text."""
        from zug._terms import Atom, text

        written = move if isinstance(move, str) and not isinstance(move, Atom) else text(move)
        if written in self._numbers:
            return self._numbers[written]
        for number, own in enumerate(self.actions):
            if own == move:
                return number
        raise ValueError(f"there is no action {written}")

    def action_to_string(self, action: int) -> str:
        """The move that an action is."""
        return self._texts[action]

    def player_to_string(self, player: int) -> str:
        """The player's name as text; empty where nobody is named."""
        return self._player_texts[player] if 0 <= player < len(self._player_texts) else ""

    def outcome(self, text: str) -> int:
        """The number of an outcome of chance, given as text."""
        return self._outcomes.index(text)

    def outcome_to_string(self, outcome: int) -> str:
        """What has come of chance."""
        return self._outcomes[outcome]

    def observation_tensor_shape(self) -> list[int]:
        """Planes, then rows and columns of a board, or leaves of the state."""
        return self.arena.observation()[0]

    def observation_tensor_size(self) -> int:
        """Numbers of an observation."""
        return int(np.prod(self.observation_tensor_shape()))

    def observation_planes(self) -> list[str]:
        """What the planes of an observation stand for."""
        return self.arena.observation()[1]

    def has_whole_numbers(self) -> bool:
        """Whether integers of the state are in observations, beside ones and zeros."""
        return self.arena.observation()[2]

    def survey_is_complete(self) -> bool:
        """Whether all states were seen when actions were numbered."""
        return self.arena.survey()[0]

    def declares_actions(self) -> bool:
        """Whether the rules list their moves by ``actions/1``."""
        return self.arena.survey()[2]


def _remade(rules: Rules, options: dict[str, Any]) -> Game:
    """A game from a pickle: the rules are surveyed again."""
    return rules.game(**options)
