"""Environments of Gymnasium: puzzles, games against an opponent, and boards stepped together.

>>> import gymnasium
>>> import zug.gymnasium                       # registers zug/Puzzle-v0 and zug/Game-v0
>>> env = gymnasium.make("zug/Puzzle-v0", rules="rules/taquin.pl", max_moves=200)
"""

from __future__ import annotations

import random
from typing import Any, SupportsFloat, TypedDict, Unpack

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from zug import vector
from zug._game import Game, State
from zug._rewards import reward_kind, rewarded
from zug._rules import Agent, _choice
from zug._starts import Instances, Source, Started, Starts, player_number

Observation = npt.NDArray[np.float32]
Step = tuple[Observation, SupportsFloat, bool, bool, dict[str, Any]]


def _box(shape: tuple[int, ...], has_integers: bool) -> Any:
    low, high = (-np.inf, np.inf) if has_integers else (0.0, 1.0)
    return gymnasium.spaces.Box(low, high, shape, np.float32)


def observation_space(game: Game | Starts) -> Any:
    """The space of observations of a game, or of all starts of an environment."""
    if isinstance(game, Starts):
        return _box(game.shape, game.has_integers)
    return _box(tuple(game.observation_tensor_shape()), game.has_whole_numbers())


class _RulesEnv(Started, gymnasium.Env[Observation, np.int64]):
    """Common parts of the environments.

    ``rules`` are rules, a game, or the path of a rule file. ``instance`` is a name or a number, a list of them, or
    ``"random"`` for all; the seed of ``reset`` chooses among several. ``reset(options={"instance": …})`` chooses one,
    and ``options={"state": …}`` begins in a state given as text or as a term (``"player"`` names the player to move).

    ``info["action_mask"]`` has a 1 for each legal action. After an illegal action ``illegal="stay"`` leaves the state
    and costs ``penalty``; ``"raise"`` raises ``ValueError``. A step after the end raises
    ``gymnasium.error.ResetNeeded``.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}

    def __init__(
        self,
        rules: Source,
        *,
        instance: Instances = None,
        max_moves: int | None = 1_000,
        illegal: str = "stay",
        penalty: float = 1.0,
        render_mode: str | None = None,
    ) -> None:
        if illegal not in ("raise", "stay"):
            raise ValueError("illegal is 'raise' or 'stay'")
        check_render_mode(render_mode)
        self._starts = Starts(rules, instance)
        #: The game of the first start; :attr:`state` has that of the current one.
        self.game = self._starts.game
        self.render_mode = render_mode
        self.observation_space = observation_space(self._starts)
        self.action_space = gymnasium.spaces.Discrete(len(self._starts.actions))
        self._max_moves = max_moves
        self._illegal = illegal
        self._penalty = penalty
        self._start = self._starts.starts[0]
        self._state = self._start.game.new_initial_state()
        self._moves = 0
        self._needs_reset = True

    @property
    def state(self) -> State:
        """The current state; the numbers of its actions are those of its own game."""
        return self._state

    def action(self, move: Any) -> int:
        """The number of a move, given as a term or as text, in :attr:`action_space`."""
        return self._starts.action(move)

    def action_to_string(self, action: int) -> str:
        """The move of a number in :attr:`action_space`."""
        return self._starts.actions[int(action)]

    def _seat(self) -> int:
        """The player that acts, by its number in the game of the current start."""
        return 0

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_mask()}

    def action_mask(self) -> npt.NDArray[np.int8]:
        """By action: 1 if it is legal, for ``action_space.sample(mask=…)``."""
        return self._start.mask(self._state, self._seat())

    def _observation(self) -> Observation:
        return self._start.observation(self._state, self._seat())

    def _begin(self) -> None:
        """Moves others before the first action."""

    def _move(self, action: int) -> None:
        """Makes a legal move, numbered as in the game of the current start."""
        self._state.apply_action(action)

    def _reward(self) -> float:
        """The reward of the last move."""
        return self._state.rewards()[0]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        self._start = self._starts.choose(options, self.np_random)
        self._state, self._moves = self._start.game.new_initial_state(), 0
        self._needs_reset = False
        self._begin()
        return self._observation(), self._info()

    def step(self, action: np.int64 | int) -> Step:
        if self._needs_reset:
            raise ResetNeeded("the episode is over or has not begun: call reset() first")
        self._moves += 1
        reward: float
        illegal: dict[str, Any] = {}
        # An episode may begin at its end; then any action ends it.
        if self._state.is_terminal():
            reward = self._reward()
        elif (number := self._start.action(int(action))) in self._state.legal_actions(self._seat()):
            self._move(number)
            reward = self._reward()
        elif self._illegal == "raise":
            raise ValueError(f"action {action} is not legal here; info['action_mask'] has the legal ones")
        else:
            reward, illegal = -self._penalty, {"illegal_action": True}
        is_over = self._state.is_terminal()
        is_late = not is_over and self._max_moves is not None and self._moves >= self._max_moves
        self._needs_reset = is_over or is_late
        return self._observation(), reward, is_over, is_late, {**self._info(), **illegal}

    def render(self) -> Any:
        """The board as text with ``render_mode="ansi"``."""
        return str(self._state) if self.render_mode == "ansi" else None


class PuzzleEnv(_RulesEnv):
    """A puzzle. The reward is the cost of the move, negative; the episode ends at a goal.

    A state without moves ends it, too; ``info["solved"]`` tells them apart.
    """

    def __init__(self, rules: Source, **options: Any) -> None:
        super().__init__(rules, **options)
        if self.game.kind != "puzzle":
            raise ValueError("the rules are no puzzle; GameEnv and PettingZoo are for games")

    def _info(self) -> dict[str, Any]:
        return {**super()._info(), "solved": self._state.is_goal()}


class GameEnv(_RulesEnv):
    """A game of one player against opponents that the environment plays.

    ``player`` is the number or the name of the learner; ``opponent`` is ``"random"``, the name of an
    engine, a ``dict`` of options of :meth:`Rules.solve`, or a function of a state that gives an
    action. Chance moves by itself.

    The reward is 0 before the end. At the end ``rewards="sign"`` gives 1, 0 or -1 if the learner wins, draws or loses,
    and ``rewards="utility"`` the utility of the rules. The default is ``"sign"`` where two or more players move in
    turn, else ``"utility"``.
    """

    def __init__(
        self,
        rules: Source,
        *,
        player: Any = 0,
        opponent: Agent = "random",
        rewards: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__(rules, **options)
        if self.game.kind == "puzzle":
            raise ValueError("the rules are a puzzle: PuzzleEnv is for those")
        self.player = self._own_seat = player_number(self.game, player)
        self._opponent = opponent
        self._rewards = reward_kind(self.game, rewards)

    def _seat(self) -> int:
        return self._own_seat

    def _reward(self) -> float:
        return rewarded(self._state.returns(), self._rewards)[self._seat()] if self._state.is_terminal() else 0.0

    def _chosen(self, state: State, player: int) -> int:
        # What is drawn follows from the seed of the environment.
        if self._opponent == "random":
            legal = state.legal_actions(player)
            return legal[int(self.np_random.integers(len(legal)))]
        draw = random.Random(int(self.np_random.integers(1 << 62)))
        return _choice(self._opponent, state, player, draw)

    def _begin(self) -> None:
        # Games of other starts may number the players otherwise.
        self._own_seat = self._start.game.players.index(self.game.players[self.player])
        self._wait()

    def _wait(self) -> None:
        """Others move, until it is the learner's turn, or the game is over."""
        state, seat = self._state, self._seat()
        while not state.is_terminal() and state.current_player() != seat:
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes())
                state.apply_action(int(self.np_random.choice(outcomes, p=np.divide(chances, sum(chances)))))
            elif state.is_simultaneous_node():
                return
            else:
                state.apply_action(self._chosen(state, state.current_player()))

    def _move(self, action: int) -> None:
        state, seat = self._state, self._seat()
        if state.is_simultaneous_node():
            players = range(state.game.num_players())
            state.apply_actions([action if one == seat else self._chosen(state, one) for one in players])
        else:
            state.apply_action(action)
        self._wait()


class BoardOptions(TypedDict, total=False):
    """Options of environments of many boards; without ``final_obs`` final observations are left out."""

    seed: int
    max_moves: int
    instance: str | int | None
    rewards: str | None
    final_obs: bool


class _BoardsEnv(gymnasium.vector.VectorEnv[Observation, npt.NDArray[np.int64], Any]):
    """Boards of :class:`zug.vector.Env`, with the final observations that Gymnasium requires.

    A board that is over begins again within the step (``AutoresetMode.SAME_STEP``). ``info["final_obs"]`` and
    ``info["final_info"]`` are of the end, with masks ``_final_obs`` and ``_final_info``; everything else in ``info`` is
    of the new beginning.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self,
        rules: Source,
        boards: int,
        *,
        seed: int = 0,
        max_moves: int = 0,
        instance: str | int | None = None,
        rewards: str | None = None,
        final_obs: bool = True,
    ) -> None:
        if isinstance(instance, (list, tuple)) or instance == "random":
            raise ValueError("boards have one instance: give its name or number")
        game = Starts(rules, instance).game
        self.env = vector.Env(
            game, boards, seed=seed, max_moves=max_moves, rewards=rewards, finals=final_obs
        )
        #: Environments on each board.
        self._seats = game.num_players() if game.kind == "simultaneous" else 1
        self.num_envs = boards * self._seats
        self.single_observation_space = observation_space(game)
        self.single_action_space = gymnasium.spaces.Discrete(game.num_distinct_actions())
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._all = np.ones(self.num_envs, np.bool_)
        self._begins_solved = game.new_initial_state().is_goal()
        self._needs_reset = True

    def _each(self, by_board: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """A row for each environment: a copy."""
        return np.repeat(by_board, self._seats, axis=0)

    def _begun(self, step: vector.Buffers) -> dict[str, Any]:
        """Information of the current states, by environment."""
        return {"action_mask": step.masks.reshape(self.num_envs, -1).view(np.int8).copy()}

    def _ended(self, step: vector.Buffers) -> dict[str, Any]:
        """Information of the ends, by environment."""
        return {}

    def _masked(self, info: dict[str, Any], mask: npt.NDArray[np.bool_]) -> dict[str, Any]:
        return {**info, **{f"_{name}": mask for name in info}}

    def _with_final(self, info: dict[str, Any], step: vector.Buffers) -> None:
        over = step.terminated | step.truncated
        if not over.any():
            return
        final, ended = self._ended(step), self._each(over)
        if step.final_observations is not None and step.final_masks is not None:
            seen = np.full(self.num_envs, None, object)
            for row in np.flatnonzero(ended):
                seen[row] = step.final_observations[row // self._seats].copy()
            info["final_obs"], info["_final_obs"] = seen, ended
            masks = step.final_masks.reshape(self.num_envs, -1) & ended[:, np.newaxis]
            final["action_mask"] = masks.view(np.int8)
        info["final_info"], info["_final_info"] = self._masked(final, ended), ended

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        if options:
            raise ValueError(f"boards have no options of reset, and {', '.join(map(str, options))} was given")
        if isinstance(seed, list):
            if len(seed) != self.num_envs:
                raise ValueError(f"{len(seed)} seeds for {self.num_envs} environments")
            known = [one for one in seed if one is not None]
            seed = int(np.random.SeedSequence(known).generate_state(1)[0]) if known else None
        step = self.env.reset(seed)
        self._needs_reset = False
        assert step.observations is not None
        return self._each(step.observations), self._masked(self._begun(step), self._all)

    def step(self, actions: npt.NDArray[np.int64]) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        if self._needs_reset:
            raise ResetNeeded("the boards have not begun: call reset() first")
        movers = self.env._flat(None)[0].players.copy()
        step = self.env.step(np.reshape(actions, self.env.action_shape))
        assert step.observations is not None
        info = self._masked(self._begun(step), self._all)
        self._with_final(info, step)
        return (
            self._each(step.observations),
            self._rewarded(step, movers),
            self._each(step.terminated),
            self._each(step.truncated),
            info,
        )

    def _rewarded(self, step: vector.Buffers, movers: npt.NDArray[np.int32]) -> npt.NDArray[np.float64]:
        if self._seats > 1:
            return step.rewards.reshape(-1).astype(np.float64)
        return step.rewards[np.arange(self.num_envs), movers].astype(np.float64)


class VectorEnv(_BoardsEnv):
    """Boards of :class:`zug.vector.Env` as a ``VectorEnv`` of Gymnasium.

    A board that is over begins again within the step (``AutoresetMode.SAME_STEP``). In a game the caller moves all
    players, and the reward is that of the player who has just moved; ``rewards`` are those of :class:`GameEnv`.
    ``info`` has ``action_mask`` and ``players`` (to move); ``info["final_info"]`` has the ``action_mask`` of the end,
    ``rewards`` by player, and ``solved``. :class:`SeatsEnv` is for simultaneous-move games.

    ``final_obs=False`` leaves final observations out.
    """

    def __init__(self, rules: Source, num_envs: int, **options: Unpack[BoardOptions]) -> None:
        super().__init__(rules, num_envs, **options)
        if self.env.game.kind == "simultaneous":
            raise ValueError("all players move at once: SeatsEnv is for those")

    def _begun(self, step: vector.Buffers) -> dict[str, Any]:
        begun = {**super()._begun(step), "players": step.players.copy()}
        if self.env.game.kind == "puzzle":
            # Boards that were solved have begun again: `final_info` has their ends.
            begun["solved"] = np.full(self.num_envs, self._begins_solved)
        return begun

    def _ended(self, step: vector.Buffers) -> dict[str, Any]:
        return {"rewards": step.rewards.copy(), "solved": step.solved.copy()}


class SeatsEnv(_BoardsEnv):
    """Boards of a simultaneous-move game as a ``VectorEnv`` of Gymnasium: each player of each board is
    an environment.

    The environment of player ``p`` on board ``b`` has the number ``b * players + p``. Those of a board end together,
    and begin again within the step (``AutoresetMode.SAME_STEP``); ``info`` is that of :class:`VectorEnv`.
    """

    def __init__(self, rules: Source, num_boards: int, **options: Unpack[BoardOptions]) -> None:
        super().__init__(rules, num_boards, **options)
        if self.env.game.kind != "simultaneous":
            raise ValueError("players move in turn: VectorEnv is for those")
        self.num_boards, self.num_players = num_boards, self._seats


def check_render_mode(render_mode: str | None) -> None:
    """``ValueError`` unless it is ``None`` or ``"ansi"``."""
    if render_mode not in (None, "ansi"):
        raise ValueError(f"render_mode is None or 'ansi', not {render_mode!r}")


def register() -> None:
    """Registers ``zug/Puzzle-v0`` and ``zug/Game-v0``; importing the module does so."""
    entries = {
        "zug/Puzzle-v0": ("zug.gymnasium:PuzzleEnv", "zug.gymnasium:VectorEnv"),
        # Boards have no opponents: environments of games are made one by one.
        "zug/Game-v0": ("zug.gymnasium:GameEnv", None),
    }
    for name, (single, boards) in entries.items():
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point=single, vector_entry_point=boards)


register()
