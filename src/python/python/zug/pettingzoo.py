"""Games as environments of PettingZoo.

>>> import zug
>>> from zug.pettingzoo import TurnsEnv, TogetherEnv
>>> env = TurnsEnv(zug.load("rules/connect4.pl"))

An agent is called after the player: ``x``, ``o``. Games of players in turn are a
:class:`TurnsEnv` (``AECEnv``), games in which all choose at once a :class:`TogetherEnv`
(``ParallelEnv``). An observation is a ``dict`` of ``observation`` and ``action_mask``.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pettingzoo
from gymnasium.utils import seeding

from zug._game import Game, State
from zug._rules import Rules
from zug.gymnasium import observation_space


def _agents(game: Game) -> list[str]:
    if game.kind == "puzzle":
        raise ValueError("the rules are a puzzle: zug.gymnasium.PuzzleEnv is for those")
    return [str(name) for name in game.players]


class _Spaces:
    """Spaces of agents, and what they observe."""

    game: Game
    render_mode: str | None
    _state: State

    def _make_spaces(self, agents: list[str]) -> None:
        box = observation_space(self.game)
        count = self.game.num_distinct_actions()
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

    def _seen(self, player: int) -> dict[str, npt.NDArray[Any]]:
        shape = self.game.observation_tensor_shape()
        return {
            "observation": self._state.observation_tensor(player).reshape(shape),
            "action_mask": np.array(self._state.legal_actions_mask(player), np.int8),
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
        rules: Rules | Game,
        *,
        instance: str | int | None = None,
        max_moves: int | None = 1_000,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.game = rules if isinstance(rules, Game) else rules.game(instance=instance)
        if self.game.kind == "simultaneous":
            raise ValueError("all choose at once: TogetherEnv is for those")
        self.possible_agents = _agents(self.game)
        self.agents = self.possible_agents[:]
        self.render_mode = render_mode
        self._make_spaces(self.possible_agents)
        self._max_moves = max_moves
        self._state = self.game.new_initial_state()
        self._np_random, _ = seeding.np_random(None)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._np_random, _ = seeding.np_random(seed)
        self._state = self.game.new_initial_state()
        self._moves = 0
        self.agents = self.possible_agents[:]
        self.rewards = {agent: 0.0 for agent in self.agents}
        self._cumulative_rewards = {agent: 0.0 for agent in self.agents}
        self.terminations = {agent: False for agent in self.agents}
        self.truncations = {agent: False for agent in self.agents}
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._settle()
        self.agent_selection = self._mover()

    def _settle(self) -> None:
        """Chance moves, as long as it is its turn."""
        while self._state.is_chance_node():
            outcomes, chances = zip(*self._state.chance_outcomes())
            likely = np.divide(chances, sum(chances))
            self._state.apply_action(int(self._np_random.choice(outcomes, p=likely)))

    def _mover(self) -> str:
        player = self._state.current_player()
        return self.possible_agents[player if player >= 0 else 0]

    def observe(self, agent: str) -> dict[str, npt.NDArray[Any]]:
        return self._seen(self.possible_agents.index(agent))

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._state.apply_action(int(action))
        self._moves += 1
        self._settle()
        if self._state.is_terminal():
            for one, value in zip(self.possible_agents, self._state.returns()):
                self.rewards[one] = value
                self.terminations[one] = True
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
        rules: Rules | Game,
        *,
        instance: str | int | None = None,
        max_moves: int | None = 1_000,
        illegal: str = "raise",
        render_mode: str | None = None,
    ) -> None:
        self.game = rules if isinstance(rules, Game) else rules.game(instance=instance)
        if self.game.kind != "simultaneous":
            raise ValueError("players move in turn: TurnsEnv is for those")
        if illegal not in ("raise", "first"):
            raise ValueError("illegal is 'raise' or 'first'")
        self.possible_agents = _agents(self.game)
        self.agents = self.possible_agents[:]
        self.render_mode = render_mode
        self._make_spaces(self.possible_agents)
        self._max_moves = max_moves
        self._illegal = illegal
        self._state = self.game.new_initial_state()

    def _all_seen(self) -> dict[str, Any]:
        return {agent: self._seen(self.possible_agents.index(agent)) for agent in self.agents}

    def _all_infos(self) -> dict[str, Any]:
        players = {agent: self.possible_agents.index(agent) for agent in self.agents}
        masks = {agent: np.array(self._state.legal_actions_mask(at), np.int8) for agent, at in players.items()}
        return {agent: {"action_mask": mask} for agent, mask in masks.items()}

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        self._state = self.game.new_initial_state()
        self._moves = 0
        self.agents = self.possible_agents[:]
        return self._all_seen(), self._all_infos()

    def _chosen(self, player: int, action: int) -> int:
        legal = self._state.legal_actions(player)
        if action in legal or self._illegal == "raise":
            return action
        return legal[0]

    def step(self, actions: dict[str, Any]) -> tuple[
        dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]
    ]:
        chosen = [
            self._chosen(at, int(actions[agent])) for at, agent in enumerate(self.possible_agents)
        ]
        self._state.apply_actions(chosen)
        self._moves += 1
        is_over = self._state.is_terminal()
        is_late = not is_over and self._max_moves is not None and self._moves >= self._max_moves
        returns = self._state.returns() if is_over else [0.0] * len(self.possible_agents)
        agents = self.agents
        result = (
            self._all_seen(),
            dict(zip(self.possible_agents, returns)),
            {agent: is_over for agent in agents},
            {agent: is_late for agent in agents},
            self._all_infos(),
        )
        if is_over or is_late:
            self.agents = []
        return result
