"""Rules as states that are stepped by numbered actions, in the manner of OpenSpiel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence

import numpy as np
import numpy.typing as npt

from zug._zug import Arena
from zug._zug import State as _State

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

    def __init__(self, rules: Rules, arena: Arena) -> None:
        self.rules = rules
        self.arena = arena
        self.kind = arena.kind()
        #: The moves, by the numbers of their actions.
        self.actions: list[Any] = arena.actions()
        #: The players' names, by number; a puzzle has none.
        self.players: list[Any] = arena.players()
        self._texts = arena.action_texts()
        self._outcomes = arena.outcome_texts()
        self._numbers = {text: number for number, text in enumerate(self._texts)}
        self._start = arena.start()

    def __repr__(self) -> str:
        return f"<zug.Game {self.kind}: {self.num_players()} players, {len(self.actions)} actions>"

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
        return State(self, self._start)

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


class State:
    """A state, stepped in place. Made by :meth:`Game.new_initial_state`.

    The names are those of OpenSpiel's ``pyspiel.State``.
    """

    __slots__ = ("game", "_at", "_history", "_rewards", "_paid")

    def __init__(
        self,
        game: Game,
        at: _State,
        history: list[Any] | None = None,
        rewards: list[float] | None = None,
        paid: float = 0.0,
    ) -> None:
        self.game = game
        self._at = at
        self._history = history or []
        self._rewards = rewards
        self._paid = paid

    def get_game(self) -> Game:
        """The game that it is a state of."""
        return self.game

    def current_player(self) -> int:
        """Who is to move: a player, :data:`CHANCE`, :data:`SIMULTANEOUS` or :data:`TERMINAL`."""
        return self._at.mover()

    def is_terminal(self) -> bool:
        """Whether it is over."""
        return self._at.is_over()

    def is_goal(self) -> bool:
        """Of a puzzle: whether it is solved."""
        return self._at.is_goal()

    def is_chance_node(self) -> bool:
        """Whether chance is to move."""
        return self._at.mover() == CHANCE

    def is_simultaneous_node(self) -> bool:
        """Whether all players are to choose at once."""
        return self._at.mover() == SIMULTANEOUS

    def is_player_node(self) -> bool:
        """Whether one player is to move."""
        return self._at.mover() >= 0

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The legal actions, ascending: of who is to move, or of a player."""
        return self._at.legal() if player is None else self._at.legal_of(player)

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        """By action: 1 if it is legal, else 0."""
        mask = [0] * len(self.game.actions)
        if not self.is_chance_node():
            for action in self.legal_actions(player):
                mask[action] = 1
        return mask

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of chance, and how likely each of them is."""
        return self._at.chances()

    def apply_action(self, action: int) -> None:
        """Makes a move, or takes an outcome of chance."""
        to = self._at.after(action)
        if self.game.kind == "puzzle":
            cost = self._at.cost(action)
            self._paid += cost
            self._rewards = [-cost]
        else:
            self._rewards = None
        self._at = to
        self._history.append(action)

    def apply_actions(self, actions: Sequence[int]) -> None:
        """Makes the moves of all players at once."""
        self._at = self._at.after_all(list(actions))
        self._rewards = None
        self._history.append(tuple(actions))

    def child(self, action: int) -> State:
        """The state that an action leads to; this one stays."""
        child = self.clone()
        child.apply_action(action)
        return child

    def clone(self) -> State:
        """A state of its own that is the same."""
        return State(self.game, self._at, self._history.copy(), self._rewards, self._paid)

    def returns(self) -> list[float]:
        """What it has come to for each player: the utility of the end, 0 before; of a puzzle, what
        its moves have cost, negative."""
        if self.game.kind == "puzzle":
            return [-self._paid]
        return self._at.returns() or [0.0] * self.game.num_players()

    def rewards(self) -> list[float]:
        """What the last move has brought."""
        if self._rewards is not None:
            return list(self._rewards)
        return self._at.returns() or [0.0] * self.game.num_players()

    def player_return(self, player: int) -> float:
        """What it has come to for a player."""
        return self.returns()[player]

    def player_reward(self, player: int) -> float:
        """What the last move has brought a player."""
        return self.rewards()[player]

    def history(self) -> list[Any]:
        """The actions that have led here."""
        return list(self._history)

    def move_number(self) -> int:
        """How many moves have led here."""
        return len(self._history)

    def action_to_string(self, player_or_action: int, action: int | None = None) -> str:
        """The move that an action is, or the outcome of chance: ``(action)`` or ``(player, action)``."""
        number = player_or_action if action is None else action
        is_chance = player_or_action == CHANCE if action is not None else self.is_chance_node()
        return self.game._outcomes[number] if is_chance else self.game._texts[number]

    def string_to_action(self, move: str) -> int:
        """The action that is written so."""
        if self.is_chance_node():
            return self.game._outcomes.index(move)
        return self.game.action(move)

    def observation_tensor(self, player: int = 0) -> npt.NDArray[np.float32]:
        """The state as numbers, flat; all players see the same."""
        observation = np.empty(self.game.observation_tensor_size(), np.float32)
        self._at.observe(observation)
        return observation

    def term(self) -> Any:
        """The state as a term; ``None`` in a game that is played once."""
        return self._at.term()

    def to_text(self) -> str | None:
        """The state as text."""
        return self._at.text()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self._at == other._at

    def __hash__(self) -> int:
        return hash(self.to_text())

    def __str__(self) -> str:
        drawn, _ = self._at.pictures()
        return drawn or self.to_text() or ""

    def __repr__(self) -> str:
        return f"<zug.State {self.to_text()}>"

    def _repr_svg_(self) -> str | None:
        return self._at.pictures()[1]
