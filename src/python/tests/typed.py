"""What users write, as mypy sees it; it is not run."""

from __future__ import annotations

import numpy as np
import zug
from zug.gymnasium import GameEnv, PuzzleEnv, SeatsEnv
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


def measures(rules: zug.Rules) -> list[float]:
    compared: zug.CompareReport = rules.compare(engines=["astar"], heuristics="manhattan", time=1.0)
    counted: zug.EnumerateReport = rules.enumerate(depth=3)
    verdicts: list[str] = [row.admissible for row in rules.heuristics().heuristics]
    starts: list[zug.NewStart] = rules.generate(count=2, unique=True).starts
    print(counted.states, verdicts, starts[0].clause, zug.engines()[0].name)
    return [row.elapsed_seconds for row in compared]


def training(rules: zug.Rules) -> float:
    report: zug.TrainReport = rules.train(games=100, method="q", epsilon=0.5, save="game.policy")
    learned: zug.Policy = report.player(greedy=False, seed=1)
    play: zug.Play = rules.play({"a": learned, "b": {"engine": "mcts", "playouts": 100}})
    GameEnv(rules, opponent=learned).reset()
    return play.returns[0] + report.curve[-1].wins


def kept(rules: zug.Rules) -> list[str | None]:
    info: zug.BaseInfo = zug.db_info("positions.db", check=True)
    positions: zug.BaseRecords | None = info.positions
    checked: zug.VerifyReport = rules.verify("plan.cert", time=10.0)
    watch: zug.Watch = lambda now: print(now.done, now.evaluation)
    report: zug.TrainReport = rules.train(games=100, progress=watch)
    series: zug.SeriesReport = rules.series("level:3", "random", games=4, db="positions.db")
    wins: int = series.scores[0].wins
    print(positions, report.games, wins, zug.load("rules.pl", db="positions.db"))
    return [checked.kind, checked.reason]


def at_once(rules: zug.Rules) -> tuple[int, ...]:
    match: zug.MatchReport = rules.match("uniform", "fixed(rock)", rounds=3)
    best: zug.Standing = rules.tournament(["uniform", "nash"]).standings[0]
    SeatsEnv(rules, 4).reset()
    return match.rounds, best.won


def errors() -> int:
    try:
        zug.loads("f(1)")
    except zug.LoadError as error:
        return error.findings[0].place.line if error.findings[0].place else 0
    return 0
