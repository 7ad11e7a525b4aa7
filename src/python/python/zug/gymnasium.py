"""Rules as environments of Gymnasium: puzzles, and games against an opponent.

>>> import zug
">>> from zug.gymnasium import PuzzleEnv, GameEnv, SeatsEnv, VectorEnv"
>>> env = PuzzleEnv(zug.load("rules/taquin.pl"), max_moves=200)
"""

from __future__ import annotations

import random
from typing import Any, SupportsFloat

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from zug import vector
from zug._game import Game, State
from zug._rules import Agent, Rules, _choice

Observation = npt.NDArray[np.float32]


def observation_space(game: Game) -> Any:
    """The space of observations."""
    shape = tuple(game.observation_tensor_shape())
    low, high = (-np.inf, np.inf) if game.has_whole_numbers() else (0.0, 1.0)
    return gymnasium.spaces.Box(low, high, shape, np.float32)


def _observation(state: State) -> Observation:
    return state.observation_tensor().reshape(state.game.observation_tensor_shape())


def _mask(state: State, player: int = 0) -> npt.NDArray[np.int8]:
    return np.array(state.legal_actions_mask(player), np.int8)


class _RulesEnv(gymnasium.Env[Observation, np.int64]):
    """What the environments have in common.

    ``info["action_mask"]`` says which actions are legal. An action that is not is answered as
    ``illegal`` says: ``"raise"``, or ``"stay"``, which leaves the state and costs ``penalty``.
    """

    metadata = {"render_modes": ["ansi"]}

    def __init__(
        self,
        rules: Rules | Game,
        *,
        instance: str | int | None = None,
        max_moves: int | None = 1_000,
        illegal: str = "stay",
        penalty: float = 1.0,
        render_mode: str | None = None,
    ) -> None:
        if illegal not in ("raise", "stay"):
            raise ValueError("illegal is 'raise' or 'stay'")
        self.game = rules if isinstance(rules, Game) else rules.game(instance=instance)
        self.render_mode = render_mode
        self.observation_space = observation_space(self.game)
        self.action_space = gymnasium.spaces.Discrete(self.game.num_distinct_actions())
        self._max_moves = max_moves
        self._illegal = illegal
        self._penalty = penalty
        self._state = self.game.new_initial_state()
        self._moves = 0

    @property
    def state(self) -> State:
        """The state that it is in."""
        return self._state

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_mask()}

    def action_mask(self) -> npt.NDArray[np.int8]:
        """By action: 1 if it is legal, for ``action_space.sample(mask=…)``."""
        return _mask(self._state)

    def _is_late(self) -> bool:
        return self._max_moves is not None and self._moves >= self._max_moves

    def _stay(self, action: int) -> tuple[Observation, SupportsFloat, bool, bool, dict[str, Any]]:
        if self._illegal == "raise":
            raise ValueError(f"action {action} is not legal here; info['action_mask'] says which are")
        info = {**self._info(), "illegal_action": True}
        return _observation(self._state), -self._penalty, False, self._is_late(), info

    def render(self) -> Any:
        return str(self._state) if self.render_mode == "ansi" else None


class PuzzleEnv(_RulesEnv):
    """A puzzle: the reward is what a move costs, negative, and it ends at the goal.

    A state without moves that is no goal ends it, too; ``info["solved"]`` tells them apart.
    """

    def __init__(self, rules: Rules | Game, **options: Any) -> None:
        super().__init__(rules, **options)
        if self.game.kind != "puzzle":
            raise ValueError("the rules are no puzzle; GameEnv and PettingZoo are for games")

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        self._state, self._moves = self.game.new_initial_state(), 0
        return _observation(self._state), self._info()

    def step(
        self, action: np.int64 | int
    ) -> tuple[Observation, SupportsFloat, bool, bool, dict[str, Any]]:
        number = int(action)
        self._moves += 1
        if number not in self._state.legal_actions():
            return self._stay(number)
        self._state.apply_action(number)
        is_over = self._state.is_terminal()
        info = {**self._info(), "solved": self._state.is_goal()}
        reward = self._state.rewards()[0]
        return _observation(self._state), reward, is_over, not is_over and self._is_late(), info


class GameEnv(_RulesEnv):
    """A game of one player against opponents that the environment plays.

    ``player`` is the number or the name of who learns; ``opponent`` is ``"random"``, the name of an
    engine, a ``dict`` of options of :meth:`Rules.solve`, or a function of a state that gives an
    action. Chance moves by itself.
    """

    def __init__(
        self,
        rules: Rules | Game,
        *,
        player: Any = 0,
        opponent: Agent = "random",
        **options: Any,
    ) -> None:
        super().__init__(rules, **options)
        if self.game.kind == "puzzle":
            raise ValueError("the rules are a puzzle: PuzzleEnv is for those")
        names = [str(name) for name in self.game.players]
        self.player = player if isinstance(player, int) else names.index(str(player))
        self._opponent = opponent

    def action_mask(self) -> npt.NDArray[np.int8]:
        return _mask(self._state, self.player)

    def _chosen(self, state: State, player: int) -> int:
        # What is drawn follows from the seed of the environment.
        if self._opponent == "random":
            legal = state.legal_actions(player)
            return legal[int(self.np_random.integers(len(legal)))]
        draw = random.Random(int(self.np_random.integers(1 << 62)))
        return _choice(self._opponent, state, player, draw)

    def _go_on(self) -> None:
        """Others move, until it is the learner's turn, or the game is over."""
        state = self._state
        while not state.is_terminal() and state.current_player() != self.player:
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes())
                state.apply_action(int(self.np_random.choice(outcomes, p=np.divide(chances, sum(chances)))))
            elif state.is_simultaneous_node():
                return
            else:
                state.apply_action(self._chosen(state, state.current_player()))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        self._state, self._moves = self.game.new_initial_state(), 0
        self._go_on()
        return _observation(self._state), self._info()

    def step(
        self, action: np.int64 | int
    ) -> tuple[Observation, SupportsFloat, bool, bool, dict[str, Any]]:
        number = int(action)
        self._moves += 1
        state = self._state
        if number not in state.legal_actions(self.player):
            return self._stay(number)
        if state.is_simultaneous_node():
            players = range(self.game.num_players())
            state.apply_actions(
                [number if one == self.player else self._chosen(state, one) for one in players]
            )
        else:
            state.apply_action(number)
        self._go_on()
        is_over = state.is_terminal()
        reward = state.returns()[self.player] if is_over else 0.0
        return _observation(state), reward, is_over, not is_over and self._is_late(), self._info()


class VectorEnv(gymnasium.vector.VectorEnv[Observation, npt.NDArray[np.int64], Any]):
    """Boards of :class:`zug.vector.Env` as a ``VectorEnv`` of Gymnasium.

    A board that is over begins again within the step (``AutoresetMode.SAME_STEP``). In a game all
    players are moved by the caller, and the reward is that of who has just moved; ``info`` has
    ``action_mask``, ``players`` and, by player, ``rewards``. Where all choose at once :class:`SeatsEnv` is
    the one to take.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(self, rules: Rules | Game, num_envs: int, *, seed: int = 0, max_moves: int = 0) -> None:
        self.env = vector.Env(rules, num_envs, seed=seed, max_moves=max_moves)
        if self.env.game.kind == "simultaneous":
            raise ValueError("all choose at once: SeatsEnv is for those")
        self.num_envs = num_envs
        self.single_observation_space = observation_space(self.env.game)
        self.single_action_space = gymnasium.spaces.Discrete(self.env.game.num_distinct_actions())
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def _info(self, step: vector.Buffers) -> dict[str, Any]:
        return {
            "action_mask": step.masks.view(np.int8).copy(),
            "players": step.players.copy(),
            "rewards": step.rewards.copy(),
            "solved": step.solved.copy(),
        }

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        first = seed[0] if isinstance(seed, list) else seed
        step = self.env.reset(first)
        assert step.observations is not None
        return step.observations.copy(), self._info(step)

    def step(self, actions: npt.NDArray[np.int64]) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        out, _ = self.env._flat(None)
        movers = out.players.copy()
        step = self.env.step(actions)
        assert step.observations is not None
        rewards = step.rewards[np.arange(self.num_envs), movers].astype(np.float64)
        return (
            step.observations.copy(),
            rewards,
            step.terminated.copy(),
            step.truncated.copy(),
            self._info(step),
        )


class SeatsEnv(gymnasium.vector.VectorEnv[Observation, npt.NDArray[np.int64], Any]):
    """Boards on which all choose at once, as a ``VectorEnv`` of Gymnasium: each player of each board is
    an environment.

    That of player ``p`` on board ``b`` has the number ``b * players + p``; those of a board end together,
    and begin again within the step (``AutoresetMode.SAME_STEP``). ``info["action_mask"]`` has the
    legal actions of each.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(self, rules: Rules | Game, num_boards: int, *, max_moves: int = 0) -> None:
        self.env = vector.Env(rules, num_boards, max_moves=max_moves)
        game = self.env.game
        if game.kind != "simultaneous":
            raise ValueError("players move in turn: VectorEnv is for those")
        self.num_boards, self.num_players = num_boards, game.num_players()
        self.num_envs = num_boards * self.num_players
        self.single_observation_space = observation_space(game)
        self.single_action_space = gymnasium.spaces.Discrete(game.num_distinct_actions())
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def _each(self, by_board: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return np.repeat(by_board, self.num_players, axis=0)

    def _info(self, step: vector.Buffers) -> dict[str, Any]:
        return {"action_mask": step.masks.reshape(self.num_envs, -1).view(np.int8).copy()}

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        step = self.env.reset()
        assert step.observations is not None
        return self._each(step.observations), self._info(step)

    def step(self, actions: npt.NDArray[np.int64]) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        step = self.env.step(np.reshape(actions, self.env.action_shape))
        assert step.observations is not None
        return (
            self._each(step.observations),
            step.rewards.reshape(-1).astype(np.float64),
            self._each(step.terminated),
            self._each(step.truncated),
            self._info(step),
        )
