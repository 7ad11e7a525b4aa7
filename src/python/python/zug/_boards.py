"""Boards of a vector environment with access to their final states.

:class:`zug.vector.Env` begins a board again within the step that ends it, and its arrays have no final state. Without
chance the actions since the beginning lead to that state again (:class:`Replayed`). With chance the outcomes are
unknown, and each board is a :class:`zug.State` (:class:`Stepped`).
"""

from __future__ import annotations

from typing import Iterator, Protocol

import numpy as np
import numpy.typing as npt

from zug._errors import IllegalActionError
from zug._game import State
from zug._rewards import rewarded
from zug._starts import replayed
from zug.vector import Buffers, Env

Actions = npt.NDArray[np.int64]
#: Beginnings to draw before a game counts as one without moves.
_BEGINNINGS = 10_000


class Boards(Protocol):
    """Boards that are stepped together."""

    #: Whether final states are known.
    has_finals: bool

    def reset(self, seed: int | None) -> Buffers:
        """All boards begin again."""

    def step(self, actions: Actions) -> Buffers:
        """Makes a move on each board."""

    def finals(self, boards: npt.NDArray[np.intp]) -> Iterator[tuple[int, State]]:
        """The final states of boards that the last step ended."""


class Plain:
    """Boards without final states."""

    has_finals = False

    def __init__(self, env: Env) -> None:
        self._env = env

    def reset(self, seed: int | None) -> Buffers:
        return self._env.reset(seed)

    def step(self, actions: Actions) -> Buffers:
        return self._env.step(actions)

    def finals(self, boards: npt.NDArray[np.intp]) -> Iterator[tuple[int, State]]:
        return iter(())


class Replayed(Plain):
    """Boards without chance, whose actions are recorded."""

    has_finals = True

    def __init__(self, env: Env) -> None:
        super().__init__(env)
        self._moves = np.zeros((64, *env.action_shape), np.int64)
        self._lengths = np.zeros(env.num_envs, np.int64)
        self._ended: npt.NDArray[np.bool_] = np.zeros(env.num_envs, np.bool_)

    def reset(self, seed: int | None) -> Buffers:
        step = super().reset(seed)
        self._lengths[:] = 0
        self._ended = np.zeros(self._env.num_envs, np.bool_)
        return step

    def step(self, actions: Actions) -> Buffers:
        step = super().step(actions)
        self._lengths[self._ended] = 0
        if self._lengths.max() >= len(self._moves):
            self._moves = np.concatenate([self._moves, np.zeros_like(self._moves)])
        self._moves[self._lengths, np.arange(self._env.num_envs)] = actions
        self._lengths += 1
        self._ended = step.terminated | step.truncated
        return step

    def finals(self, boards: npt.NDArray[np.intp]) -> Iterator[tuple[int, State]]:
        for board in boards.tolist():
            yield board, replayed(self._env.game, self._moves[: self._lengths[board], board].tolist())


class Stepped:
    """Boards with chance, each a state in Python."""

    has_finals = True

    def __init__(self, env: Env, seed: int, max_moves: int) -> None:
        self._env, self._max_moves = env, max_moves
        self._draw = np.random.default_rng(seed)
        self._states: list[State] = []
        self._finals: dict[int, State] = {}

    def _chance(self, state: State) -> State:
        while state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes())
            bounds = np.cumsum(chances)
            drawn = int(np.searchsorted(bounds, self._draw.random() * bounds[-1], side="right"))
            state.apply_action(outcomes[min(drawn, len(outcomes) - 1)])
        return state

    def _new(self) -> State:
        # Chance may end a play before the first move; such plays have no steps.
        for _ in range(_BEGINNINGS):
            state = self._chance(self._env.game.new_initial_state())
            if not state.is_terminal():
                return state
        raise ValueError(f"chance ended {_BEGINNINGS} plays before the first move")

    def _write(self, out: Buffers, board: int) -> None:
        state, game = self._states[board], self._env.game
        out.players[board] = state.current_player()
        if state.is_simultaneous_node():
            out.masks[board] = [state.legal_actions_mask(seat) for seat in range(game.num_players())]
        else:
            out.masks[board] = state.legal_actions_mask()
        if out.observations is not None:
            out.observations[board] = state.observation_tensor().reshape(game.observation_tensor_shape())

    def reset(self, seed: int | None) -> Buffers:
        out = self._env._flat(None)[0]
        if seed is not None:
            self._draw = np.random.default_rng(seed)
        self._states = [self._new() for _ in range(self._env.num_envs)]
        self._moves = [0] * self._env.num_envs
        for array in (out.rewards, out.terminated, out.truncated, out.solved):
            array[:] = 0
        for board in range(self._env.num_envs):
            self._write(out, board)
        return out

    def step(self, actions: Actions) -> Buffers:
        out, kind = self._env._flat(None)[0], self._env.rewards
        chosen = actions.tolist()
        self._check(out, actions)
        self._finals = {}
        out.rewards[:] = 0
        for board, action in enumerate(chosen):
            state = self._states[board]
            if isinstance(action, list):
                state.apply_actions(action)
            else:
                state.apply_action(action)
            self._chance(state)
            self._moves[board] += 1
            is_over = state.is_terminal()
            is_late = not is_over and 0 < self._max_moves <= self._moves[board]
            out.terminated[board], out.truncated[board] = is_over, is_late
            if is_over:
                out.rewards[board] = rewarded(state.returns(), kind)
            if is_over or is_late:
                self._finals[board] = state
                self._states[board], self._moves[board] = self._new(), 0
            self._write(out, board)
        return out

    def _check(self, out: Buffers, actions: Actions) -> None:
        """Raises at an illegal action before any board is stepped."""
        inside = (actions >= 0) & (actions < out.masks.shape[-1])
        safe = np.where(inside, actions, 0)[..., np.newaxis]
        legal = inside & np.take_along_axis(out.masks, safe, axis=-1)[..., 0]
        if not legal.all():
            board = tuple(np.argwhere(~legal)[0].tolist())
            raise IllegalActionError(f"action {actions[board]} is not legal on board {board[0]}")

    def finals(self, boards: npt.NDArray[np.intp]) -> Iterator[tuple[int, State]]:
        return ((board, self._finals[board]) for board in boards.tolist())


def boards_of(env: Env, seed: int, max_moves: int, final_obs: bool) -> Boards:
    """The boards of an environment, by whether it has chance and final observations."""
    if not final_obs:
        return Plain(env)
    return Stepped(env, seed, max_moves) if env.game.max_chance_outcomes() else Replayed(env)
