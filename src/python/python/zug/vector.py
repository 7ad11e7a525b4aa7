"""Many boards at once, stepped in Rust, into arrays of the caller.

>>> import numpy as np, zug
>>> from zug.vector import Env
>>> env = Env(zug.load("rules/connect4.pl"), 4096, seed=1)
>>> step = env.reset()
>>> while True:
...     actions = step.masks.argmax(axis=1)        # the first legal action of each board
...     step = env.step(actions)                   # the same arrays, filled anew
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from zug._game import Game
from zug._rewards import reward_kind, signs
from zug._rules import Rules
from zug._zug import Batch


@dataclass
class Buffers:
    """Arrays that steps fill, board by board.

    A board that is over begins again within the step: ``rewards`` and ``terminated`` are those of the
    end, ``masks``, ``observations`` and ``players`` those of the new beginning.
    """

    #: Observations: boards, planes, rows, columns; float32 or uint8, or ``None`` for none.
    observations: npt.NDArray[Any] | None
    #: By board and action: whether it is legal; where all choose at once by board, player and action.
    masks: npt.NDArray[np.bool_]
    #: By board: the player to move; ``zug.SIMULTANEOUS`` where all choose at once.
    players: npt.NDArray[np.int32]
    #: By board and player: what the step has brought.
    rewards: npt.NDArray[np.float32]
    #: By board: a play has ended by the rules.
    terminated: npt.NDArray[np.bool_]
    #: By board: a play was ended after ``max_moves``.
    truncated: npt.NDArray[np.bool_]
    #: By board: the puzzle was solved.
    solved: npt.NDArray[np.bool_]
    #: Of boards whose play the last step ended: the observation of the end, in the shape of ``observations``.
    #: Rows of other boards keep what they had.
    final_observations: npt.NDArray[Any] | None = None
    #: The legal actions of the end, in the shape of ``masks``: those of a truncated play.
    final_masks: npt.NDArray[np.bool_] | None = None

    @staticmethod
    def of(game: Game, num_envs: int, observations: Any = np.float32, finals: bool = False) -> Buffers:
        """Arrays for ``num_envs`` boards; ``observations`` is their type, or ``None`` for none."""
        seen, players = None, game.num_players()
        choosers = (players,) if game.kind == "simultaneous" else ()
        if observations is not None:
            seen = np.zeros((num_envs, *game.observation_tensor_shape()), observations)
        masks = np.zeros((num_envs, *choosers, game.num_distinct_actions()), np.bool_)
        return Buffers(
            observations=seen,
            masks=masks,
            players=np.zeros(num_envs, np.int32),
            rewards=np.zeros((num_envs, players), np.float32),
            terminated=np.zeros(num_envs, np.bool_),
            truncated=np.zeros(num_envs, np.bool_),
            solved=np.zeros(num_envs, np.bool_),
            final_observations=np.zeros_like(seen) if finals and seen is not None else None,
            final_masks=np.zeros_like(masks) if finals else None,
        )

    def flat(self) -> Buffers:
        """The same arrays in one dimension each, without a copy."""
        arrays = {name: array for name, array in vars(self).items()}
        for name, array in arrays.items():
            if array is None:
                continue
            if not array.flags.c_contiguous or not array.flags.writeable:
                raise ValueError(f"{name} has to be contiguous and writeable")
            arrays[name] = array.reshape(-1)
        return Buffers(**arrays)


class Env:
    """Boards of a game, or of a puzzle.

    Where all choose at once a step takes an action of each player: an array of boards and players. In a
    puzzle the reward is what the move costs, negative, and a play ends at the goal (``solved``), or where
    there is no move. Chance moves by itself, as the seed has it.

    ``rewards`` of games are ``"sign"``: 1, 0 and -1 for a win, a draw and a loss, or ``"utility"``: the utilities of the
    rules. The default is ``"sign"`` where two or more players move in turn, else ``"utility"``.

    ``observations`` is the type of observations, ``numpy.float32`` or ``numpy.uint8``, or ``None``
    where they are not wanted; ``max_moves`` ends longer plays (``truncated``). With ``finals`` a step also writes how
    the plays ended that it ends.
    """

    def __init__(
        self,
        rules: Rules | Game,
        num_envs: int,
        *,
        seed: int = 0,
        observations: Any = np.float32,
        max_moves: int = 0,
        instance: str | int | None = None,
        rewards: str | None = None,
        finals: bool = False,
    ) -> None:
        self.game = rules if isinstance(rules, Game) else rules.game(instance=instance)
        self.num_envs = num_envs
        #: ``"sign"`` or ``"utility"``.
        self.rewards = reward_kind(self.game, rewards)
        #: The shape of the actions of a step.
        self.action_shape: tuple[int, ...] = (num_envs,)
        if self.game.kind == "simultaneous":
            self.action_shape = (num_envs, self.game.num_players())
        self._batch = Batch(self.game.arena, num_envs, max_moves, seed)
        self._observations, self._finals = observations, finals
        self._own: Buffers | None = None
        # The arrays that were used last, and the same in one dimension each.
        self._last: tuple[list[Any], Buffers] | None = None

    def buffers(self) -> Buffers:
        """New arrays for ``out``."""
        return Buffers.of(self.game, self.num_envs, self._observations, self._finals)

    def _flat(self, out: Buffers | None) -> tuple[Buffers, Buffers]:
        if out is None:
            if self._own is None:
                self._own = self.buffers()
            out = self._own
        arrays = list(vars(out).values())
        if self._last is None or any(one is not new for one, new in zip(self._last[0], arrays)):
            self._last = (arrays, out.flat())
        return out, self._last[1]

    def reset(self, seed: int | None = None, *, out: Buffers | None = None) -> Buffers:
        """All boards begin anew."""
        out, flat = self._flat(out)
        self._batch.reset(flat, seed)
        return out

    def step(self, actions: npt.ArrayLike, *, out: Buffers | None = None) -> Buffers:
        """Makes a move on each board: an array of actions in :attr:`action_shape`, best of int64.

        Without ``out`` the arrays are the same in each step: what is to stay has to be copied.
        """
        chosen = np.ascontiguousarray(actions, np.int64)
        if chosen.shape != self.action_shape:
            raise ValueError(f"actions have the shape {chosen.shape}; {self.action_shape} is wanted")
        out, flat = self._flat(out)
        self._batch.step(chosen.reshape(-1), flat)
        if self.rewards == "sign" and flat.terminated.any():
            by_board = flat.rewards.reshape(self.num_envs, -1)
            by_board[flat.terminated] = signs(by_board[flat.terminated])
        return out

    def state(self, board: int) -> str:
        """The state of a board as text."""
        return self._batch.state(board) or ""


def random_actions(
    masks: npt.NDArray[np.bool_], generator: np.random.Generator
) -> npt.NDArray[np.int64]:
    """A legal action for each board, or for each player of each board, uniformly at random."""
    draws = generator.random(masks.shape, np.float32)
    draws[~masks] = -1.0
    chosen: npt.NDArray[np.int64] = draws.argmax(axis=-1)
    return chosen
