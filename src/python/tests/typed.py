"""What users write, as mypy sees it; it is not run."""

from __future__ import annotations

import numpy as np
import zug
from zug.gymnasium import PuzzleEnv
from zug.pettingzoo import TurnsEnv
from zug.vector import Buffers, Env, random_actions


def queries(rules: zug.Rules) -> list[str]:
    return [str(answer["X"]) for answer in rules.query("p(X)", time=1.0)]


def states(rules: zug.Rules) -> list[float]:
    game: zug.Game = rules.game()
    state: zug.State = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    return state.returns()


def boards(rules: zug.Rules) -> float:
    env = Env(rules, 16)
    step: Buffers = env.reset(seed=1)
    step = env.step(random_actions(step.masks, np.random.default_rng(1)))
    return float(step.rewards.sum())


def adapters(rules: zug.Rules) -> None:
    observation, info = PuzzleEnv(rules).reset(seed=1)
    TurnsEnv(rules).reset()


def errors() -> int:
    try:
        zug.loads("f(1)")
    except zug.LoadError as error:
        return error.findings[0].place.line if error.findings[0].place else 0
    return 0
