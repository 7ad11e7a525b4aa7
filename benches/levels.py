#!/usr/bin/env python3
"""Each level of `zug play` against the one below, over six games: the score in percent.

usage: benches/levels.py [--zug PATH] [--games N] [--time SECONDS] [--seed N]

A win counts 1, a draw 1/2. Who begins changes from game to game, and the first moves are random ones, the same for both.
The table of docs/play.md is what this prints.
"""

import argparse
import json
import subprocess

GAMES = [
    ("nim", []),
    ("tictactoe", []),
    ("kalah", []),
    ("breakthrough", []),
    ("connect4", []),
    ("reversi", ["--instance", "six"]),
]
LEVELS = range(2, 10)


def score(args, game, options, level):
    """What a level gets of the games against the one below, as wins and draws of all."""
    command = [args.zug, "play", f"rules/{game}.pl", *options, "--against", f"level:{level}"]
    command += ["--against", f"level:{level - 1}", "--games", str(args.games), "--time", str(args.time)]
    command += ["--seed", str(args.seed), "--format", "jsonl"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    lines = [json.loads(line) for line in told.splitlines()]
    [standing, _] = next(line for line in lines if line["record"] == "score")["standings"]
    return standing["wins"] + standing["draws"] / 2


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--zug", default="target/release/zug")
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--time", type=float, default=0.1, help="seconds for a move")
    parser.add_argument("--seed", type=int, default=11)
    args = parser.parse_args()
    print("| level | " + " | ".join(game for game, _ in GAMES) + " | all |")
    print("|---|" + "---:|" * (len(GAMES) + 1))
    for level in LEVELS:
        shares = [score(args, *game, level) / args.games for game in GAMES]
        shares.append(sum(shares) / len(shares))
        print(f"| {level} | " + " | ".join(f"{100 * share:.0f}" for share in shares) + " |", flush=True)


if __name__ == "__main__":
    main()
