"""Games as environments of PettingZoo.

>>> import zug
>>> from zug.pettingzoo import TurnsEnv, TogetherEnv
>>> env = TurnsEnv(zug.load("rules/connect4.pl"))

An agent is called after the player: ``x``, ``o``. Games of players in turn are a
:class:`TurnsEnv` (``AECEnv``), games in which all choose at once a :class:`TogetherEnv`
(``ParallelEnv``). An observation is a ``dict`` of ``observation`` and ``action_mask``.

``instance``, ``rewards`` and ``reset(options=…)`` are those of :class:`zug.gymnasium.GameEnv`, but ``reset`` ignores
unknown options: the tests of PettingZoo pass one.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pettingzoo
from gymnasium.utils import seeding

from zug._errors import IllegalActionError
from zug._game import Game
from zug._rewards import reward_kind, rewarded
from zug._starts import OPTIONS, Instances, Source, Started, Starts
from zug.gymnasium import check_render_mode, observation_space


def _agents(game: Game) -> list[str]:
    if game.kind == "puzzle":
        raise ValueError("the rules are a puzzle: zug.gymnasium.PuzzleEnv is for those")
    return [str(name) for name in game.players]


class _Spaces(Started):
    """Spaces, observations and starts of both kinds of environments."""

    game: Game
    render_mode: str | None
    possible_agents: list[str]
    _starts: Starts
    _rewards: str
    _np_random: np.random.Generator

    def _prepare(self, starts: Starts, rewards: str | None, render_mode: str | None) -> None:
        check_render_mode(render_mode)
        self.game = starts.game
        self.possible_agents = _agents(self.game)
        self.agents = self.possible_agents[:]
        self.render_mode = render_mode
        self._starts, self._start = starts, starts.starts[0]
        self._rewards = reward_kind(self.game, rewards)
        self._state = self.game.new_initial_state()
        self._np_random, _ = seeding.np_random(None)
        self._make_spaces(self.possible_agents)

    def _begin(self, seed: int | None, options: dict[str, Any] | None) -> None:
        """The start that the seed and the options choose."""
        if seed is not None:
            self._np_random, _ = seeding.np_random(seed)
        known = {name: value for name, value in (options or {}).items() if name in OPTIONS}
        self._start = self._starts.choose(known, self._np_random)
        self._state = self._start.game.new_initial_state()

    def _chance(self) -> None:
        """Chance moves, as long as it is its turn."""
        while self._state.is_chance_node():
            outcomes, chances = zip(*self._state.chance_outcomes())
            likely = np.divide(chances, sum(chances))
            self._state.apply_action(int(self._np_random.choice(outcomes, p=likely)))

    def _seat(self, agent: str) -> int:
        """The number of an agent in the game of the current start, which may number players otherwise."""
        return [str(name) for name in self._start.game.players].index(agent)

    def _by_agent(self) -> dict[str, float]:
        """Rewards at the end."""
        rewards = rewarded(self._state.returns(), self._rewards)
        return {agent: rewards[self._seat(agent)] for agent in self.possible_agents}

    def _make_spaces(self, agents: list[str]) -> None:
        box = observation_space(self._starts)
        count = len(self._starts.actions)
        mask = gymnasium.spaces.Box(0, 1, (count,), np.int8)

        def both() -> gymnasium.spaces.Dict:
            return gymnasium.spaces.Dict({"observation": box, "action_mask": mask})

        self.observation_spaces = {agent: both() for agent in agents}
        self.action_spaces: dict[str, gymnasium.spaces.Space[Any]] = {
            agent: gymnasium.spaces.Discrete(count) for agent in agents
        }

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        return self.action_spaces[agent]

    def _seen(self, agent: str) -> dict[str, npt.NDArray[Any]]:
        seat = self._seat(agent)
        return {
            "observation": self._start.observation(self._state, seat),
            "action_mask": self._start.mask(self._state, seat),
        }

    def render(self) -> str | None:
        return str(self._state) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is to be given back."""


class TurnsEnv(_Spaces, pettingzoo.AECEnv[str, Any, Any]):
    """A game of players in turn. Chance moves by itself; ``max_moves`` ends longer plays.

    An action that is not legal raises :class:`zug.IllegalActionError`.
    """

    metadata = {"render_modes": ["ansi"], "name": "zug_turns", "is_parallelizable": False}

    def __init__(
        self,
        rules: Source,
        *,
        instance: Instances = None,
        rewards: str | None = None,
        max_moves: int | None = 1_000,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        starts = Starts(rules, instance)
        if starts.game.kind == "simultaneous":
            raise ValueError("all players move at once: TogetherEnv is for those")
        self._prepare(starts, rewards, render_mode)
        self._max_moves = max_moves

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._begin(seed, options)
        self._moves = 0
        self.agents = self.possible_agents[:]
        self.rewards = {agent: 0.0 for agent in self.agents}
        self._cumulative_rewards = {agent: 0.0 for agent in self.agents}
        self.terminations = {agent: False for agent in self.agents}
        self.truncations = {agent: False for agent in self.agents}
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._chance()
        self.agent_selection = self._mover()

    def _mover(self) -> str:
        player = self._state.current_player()
        return str(self._start.game.players[player if player >= 0 else 0])

    def observe(self, agent: str) -> dict[str, npt.NDArray[Any]]:
        return self._seen(agent)

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        number = self._start.action(int(action))
        if number not in self._state.legal_actions():
            raise IllegalActionError(f"action {action} is not legal here; the action mask has the legal ones")
        self._state.apply_action(number)
        self._moves += 1
        self._chance()
        if self._state.is_terminal():
            self.rewards = self._by_agent()
            self.terminations = {one: True for one in self.possible_agents}
            at = (self.possible_agents.index(agent) + 1) % len(self.possible_agents)
            self.agent_selection = self.possible_agents[at]
        else:
            if self._max_moves is not None and self._moves >= self._max_moves:
                self.truncations = {one: True for one in self.agents}
            self.agent_selection = self._mover()
        self._accumulate_rewards()


class TogetherEnv(_Spaces, pettingzoo.ParallelEnv[str, Any, Any]):
    """A game in which all choose at once."""

    metadata = {"render_modes": ["ansi"], "name": "zug_together"}

    def __init__(
        self,
        rules: Source,
        *,
        instance: Instances = None,
        rewards: str | None = None,
        max_moves: int | None = 1_000,
        illegal: str = "raise",
        render_mode: str | None = None,
    ) -> None:
        starts = Starts(rules, instance)
        if starts.game.kind != "simultaneous":
            raise ValueError("players move in turn: TurnsEnv is for those")
        if illegal not in ("raise", "first"):
            raise ValueError("illegal is 'raise' or 'first'")
        self._prepare(starts, rewards, render_mode)
        self._max_moves = max_moves
        self._illegal = illegal

    def _all_seen(self) -> dict[str, Any]:
        return {agent: self._seen(agent) for agent in self.agents}

    def _all_infos(self) -> dict[str, Any]:
        return {agent: {"action_mask": self._start.mask(self._state, self._seat(agent))} for agent in self.agents}

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        self._begin(seed, options)
        self._chance()
        self._moves = 0
        self.agents = self.possible_agents[:]
        return self._all_seen(), self._all_infos()

    def _chosen(self, agent: str, action: int) -> int:
        legal = self._state.legal_actions(self._seat(agent))
        number = self._start.action(action)
        if number in legal:
            return number
        if self._illegal == "raise":
            legal_ones = "the action mask has the legal ones"
            raise IllegalActionError(f"action {action} of {agent} is not legal here; {legal_ones}")
        return legal[0]

    def step(self, actions: dict[str, Any]) -> tuple[
        dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]
    ]:
        chosen = [self._chosen(name, int(actions[name])) for name in map(str, self._start.game.players)]
        self._state.apply_actions(chosen)
        self._chance()
        self._moves += 1
        is_over = self._state.is_terminal()
        is_late = not is_over and self._max_moves is not None and self._moves >= self._max_moves
        rewards = self._by_agent() if is_over else {agent: 0.0 for agent in self.possible_agents}
        agents = self.agents
        result = (
            self._all_seen(),
            rewards,
            {agent: is_over for agent in agents},
            {agent: is_late for agent in agents},
            self._all_infos(),
        )
        if is_over or is_late:
            self.agents = []
        return result
