"""Steps a second of tic-tac-toe and Connect Four: many boards at once, and one state after the other.

Where `pyspiel` (pip: open_spiel) is installed, its states are stepped beside ours in the same run. Every
number is the median of several rounds; seconds are those of the processor, of one thread, so that what else runs on the
machine does not count, with those of the clock beside them.

    python src/python/benches/steps.py [--seconds 1] [--rounds 5] [--only "connect four"] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from pathlib import Path
from typing import Any, Callable

import numpy as np
import zug
from zug.vector import Env, random_actions

RULES = Path(__file__).resolve().parents[3] / "rules"
BOARDS = 4096


def connect_four() -> zug.Rules:
    """Connect Four, 7 wide and 6 high."""
    return zug.load(RULES / "connect4.pl")


def rate(run: Callable[[], Any], seconds: float) -> tuple[float, float]:
    """Steps a second, of the processor and of the clock; a run may say itself how long it has taken."""
    clock, worked, steps = time.perf_counter(), time.process_time(), 0
    own_worked, own_clock, is_own = 0.0, 0.0, False
    while time.process_time() - worked < seconds:
        done = run()
        if isinstance(done, tuple):
            is_own = True
            own_worked, own_clock, done = own_worked + done[1], own_clock + done[2], done[0]
        steps += done
    if is_own:
        return steps / own_worked, steps / own_clock
    return steps / (time.process_time() - worked), steps / (time.perf_counter() - clock)


def boards(game: zug.Game, observations: Any) -> Callable[[], int]:
    """Boards at once: actions are legal ones, chosen beforehand where that is possible.

    Choosing is part of the time: the last legal action after a rotation that differs from step to step.
    """
    env = Env(game, BOARDS, observations=observations)
    step = env.reset()
    count = game.num_distinct_actions()
    draw = np.random.default_rng(1)
    # A number for each action and board; the legal action of the largest one is taken.
    ranks = [draw.integers(1, 127, (BOARDS, count), np.int8) for _ in range(16)]
    chosen = np.empty((BOARDS, count), np.int8)
    turn = 0

    def run() -> int:
        nonlocal turn
        turn += 1
        np.multiply(ranks[turn % 16], step.masks.view(np.int8), out=chosen)
        env.step(chosen.argmax(axis=1))
        return BOARDS

    return run


def bare_boards(game: zug.Game) -> Callable[[], int]:
    """The same without choosing: first legal actions, by the time of the steps alone."""
    env = Env(game, BOARDS, observations=None)
    step = env.reset()

    def run() -> int:
        env.step(step.masks.argmax(axis=1))
        return BOARDS

    return run


def random_boards(game: zug.Game) -> Callable[[], int]:
    """Legal actions uniformly at random, as `zug.vector.random_actions` draws them: drawing is part of the time."""
    env = Env(game, BOARDS, observations=None)
    step = env.reset()
    generator = np.random.default_rng(1)

    def run() -> int:
        env.step(random_actions(step.masks, generator))
        return BOARDS

    return run


def stepped_alone(game: zug.Game) -> Callable[[], tuple[int, float, float]]:
    """The same by the time of the steps alone, without that of drawing: steps, and seconds of processor and clock."""
    env = Env(game, BOARDS, observations=None)
    step = env.reset()
    generator = np.random.default_rng(1)

    def run() -> tuple[int, float, float]:
        actions = random_actions(step.masks, generator)
        clock, worked = time.perf_counter(), time.process_time()
        env.step(actions)
        return BOARDS, time.process_time() - worked, time.perf_counter() - clock

    return run


def states(new: Callable[[], Any], seed: int = 1) -> Callable[[], int]:
    """One state after the other, in the manner that both packages have."""
    draw = random.Random(seed)

    def run() -> int:
        state, steps = new(), 0
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(draw.random() * len(legal))])
            steps += 1
        return steps

    return run


def measured() -> dict[str, Callable[[], Any]]:
    """What is measured, by name."""
    found: dict[str, Callable[[], Any]] = {}
    for name, rules in {"tic-tac-toe": zug.load(RULES / "tictactoe.pl"), "connect four": connect_four()}.items():
        game = rules.game()
        found[f"{name}: {BOARDS} boards, masks"] = boards(game, None)
        found[f"{name}: {BOARDS} boards, masks, planes of bytes"] = boards(game, np.uint8)
        found[f"{name}: {BOARDS} boards, masks, first legal action"] = bare_boards(game)
        found[f"{name}: {BOARDS} boards, masks, random_actions"] = random_boards(game)
        found[f"{name}: {BOARDS} boards, masks, random, steps alone"] = stepped_alone(game)
        found[f"{name}: one state"] = states(game.new_initial_state)
        try:
            import pyspiel
        except ImportError:
            continue
        peer = pyspiel.load_game({"tic-tac-toe": "tic_tac_toe", "connect four": "connect_four"}[name])
        found[f"{name}: one state, OpenSpiel"] = states(peer.new_initial_state)
    together = zug.load(RULES / "goofspiel.pl").game()
    found[f"goofspiel: {BOARDS} boards, masks, random_actions"] = random_boards(together)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--only", default="", help="what has this in its name")
    given = parser.parse_args()
    runs = {name: run for name, run in measured().items() if given.only in name}
    for run in runs.values():
        # What is asked often becomes code: that is not measured.
        rate(run, given.seconds)
    rates: dict[str, list[tuple[float, float]]] = {name: [] for name in runs}
    for _ in range(given.rounds):
        for name, run in runs.items():
            rates[name].append(rate(run, given.seconds))
    medians = {
        name: {
            "steps_per_cpu_second": round(statistics.median(one for one, _ in found)),
            "steps_per_second": round(statistics.median(other for _, other in found)),
        }
        for name, found in rates.items()
    }
    for name, found in medians.items():
        print(f"{name:52} {found['steps_per_cpu_second']:>12,} {found['steps_per_second']:>12,}")
    if given.json:
        given.json.write_text(json.dumps(medians, indent=1) + "\n")


if __name__ == "__main__":
    main()
