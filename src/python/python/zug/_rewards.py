"""Rewards of games: the utilities of the rules, or who wins.

Rules give utilities in units of their own: ±10,000 in many shipped games. Training is stable with rewards near 1, so
the default in games of players in turn is the result. Utilities of a single player, and payoffs of simultaneous-move
games, where equilibria depend on the amounts, are rewards as they are.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zug._game import Game


def reward_kind(game: Game, rewards: str | None) -> str:
    """``"sign"`` or ``"utility"``; ``None`` is the default of the game."""
    if rewards is None:
        return "sign" if game.kind == "game" and game.num_players() > 1 else "utility"
    if rewards not in ("sign", "utility"):
        raise ValueError(f"rewards are 'sign' or 'utility', not {rewards!r}")
    if rewards == "sign" and game.kind == "puzzle":
        raise ValueError("the reward of a puzzle is the cost of a move: rewards='utility'")
    return rewards


def signs(returns: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """By player (the last axis): 1 for a return above all others, 0 for the highest shared with another, else -1.

    In a zero-sum game of two that is the sign of the return; for a single player it is the sign, too.
    """
    values = np.asarray(returns, np.float64)
    if values.shape[-1] == 1:
        return np.sign(values)
    ordered = np.sort(values, axis=-1)
    best, second = ordered[..., -1:], ordered[..., -2:-1]
    signed: npt.NDArray[np.float64] = np.sign(values - np.where(values == best, second, best))
    return signed


def rewarded(returns: Any, kind: str) -> list[float]:
    """Rewards of the returns of one end."""
    return [float(one) for one in (signs(returns) if kind == "sign" else returns)]
