"""The API tests of Gymnasium and PettingZoo, on every shipped game and puzzle and on rules of
other kinds."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import zug

gymnasium = pytest.importorskip("gymnasium")
pettingzoo = pytest.importorskip("pettingzoo")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import api_test, parallel_api_test, seed_test  # noqa: E402
from zug.gymnasium import GameEnv, PuzzleEnv, SeatsEnv, VectorEnv  # noqa: E402
from zug.pettingzoo import TogetherEnv, TurnsEnv  # noqa: E402

from conftest import GAMES, PUZZLES, SMALL, TOGETHER, rules  # noqa: E402

#: Rules that are not shipped: states with variables, lists that grow, floats of chance, three players.
OTHERS = {
    "three": """
        initial_state([]). initial_player(a). opponent(a, b). opponent(b, c). opponent(c, a).
        move(J, N, L, [J-N|L]) :- between(1, 3, N), \\+ memberchk(_-N, L).
        terminal(_, [_,_,_]).
        utility(J, L, U) :- memberchk(J-U, L).
    """,
    "coin": """
        initial_state(toss(0)). to_move(toss(_), chance). to_move(bet(_, _), me).
        to_move(end(_), me). initial_player(me). opponent(me, me).
        move(chance, heads, toss(N), bet(N, heads)).
        move(chance, tails, toss(N), bet(N, tails)).
        move(me, stop, bet(N, _), end(N)).
        move(me, go, bet(N, heads), toss(M)) :- M is N + 1, M < 4.
        probability(heads, _, 1/3). probability(tails, _, 2/3).
        terminal(_, end(_)).
        utility(_, end(N), N).
    """,
    "normal play": """
        initial_state([1, 2, 3]).
        move(N-K, L1, L2) :- nth1(N, L1, H), between(1, H, K), nth1(N, L1, H, R), G is H - K,
            nth1(N, L2, G, R).
    """,
}


def small(name):
    """A game with few actions: sequences of jumps on a large board are more than a survey meets."""
    instance = {"checkers.pl": "ending"}.get(name)
    return rules(name).game(instance=instance, **SMALL)


def checked(env):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(env, skip_render_check=True)


@pytest.mark.parametrize("name", PUZZLES)
def test_puzzles_in_gymnasium(name):
    checked(PuzzleEnv(rules(name).puzzle(**SMALL), max_moves=50))


@pytest.mark.parametrize("name", GAMES)
def test_games_in_gymnasium(name):
    checked(GameEnv(small(name), max_moves=50))


@pytest.mark.parametrize("name", TOGETHER)
def test_simultaneous_games_in_gymnasium(name):
    checked(GameEnv(rules(name).game(**SMALL), max_moves=50))


@pytest.mark.parametrize("name", GAMES)
def test_games_in_pettingzoo(name):
    env = TurnsEnv(small(name), max_moves=50)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(env, num_cycles=100)


@pytest.mark.parametrize("name", TOGETHER)
def test_simultaneous_games_in_pettingzoo(name):
    env = TogetherEnv(rules(name).game(**SMALL), max_moves=50, illegal="first")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parallel_api_test(env, num_cycles=50)


@pytest.mark.parametrize("name", list(OTHERS))
def test_other_rules(name):
    game = zug.loads(OTHERS[name]).game()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(TurnsEnv(game, max_moves=50), num_cycles=100)
    checked(GameEnv(game, max_moves=50))


@pytest.mark.parametrize("name", ["connect4.pl", "pig.pl"])
def test_seeds_in_pettingzoo(name):
    game = rules(name).game(**SMALL)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        seed_test(lambda: TurnsEnv(game, max_moves=50), num_cycles=50)


def test_an_opponent():
    env = GameEnv(rules("tictactoe.pl"), player="o", opponent={"engine": "alphabeta"})
    _, info = env.reset(seed=1)
    assert info["action_mask"].sum() == 8
    is_over, reward = False, 0.0
    while not is_over:
        action = int(np.flatnonzero(info["action_mask"])[0])
        _, reward, is_over, _, info = env.step(action)
    assert reward <= 0


def test_an_illegal_action():
    env = PuzzleEnv(rules("taquin.pl").puzzle(**SMALL), illegal="raise")
    _, info = env.reset(seed=1)
    illegal = np.flatnonzero(info["action_mask"] == 0)
    if len(illegal):
        with pytest.raises(ValueError, match="not legal"):
            env.step(int(illegal[0]))


def test_the_vector_environment():
    env = VectorEnv(rules("connect4.pl").game(**SMALL), 6, max_moves=30)
    observation, info = env.reset(seed=3)
    assert env.observation_space.contains(observation)
    generator = np.random.default_rng(1)
    ends = 0
    for _ in range(60):
        mask = info["action_mask"]
        actions = np.array([generator.choice(np.flatnonzero(row)) for row in mask])
        observation, reward, terminated, truncated, info = env.step(actions)
        assert env.observation_space.contains(observation)
        assert reward.shape == terminated.shape == truncated.shape == (6,)
        ends += int((terminated | truncated).sum())
    assert ends > 0


def test_boards_on_which_all_choose_at_once():
    game = rules("goofspiel.pl").game()
    with pytest.raises(ValueError, match="SeatsEnv"):
        VectorEnv(game, 4)
    with pytest.raises(ValueError, match="VectorEnv"):
        SeatsEnv(rules("tictactoe.pl"), 4)
    env = SeatsEnv(game, 5)
    assert env.num_envs == 10
    observation, info = env.reset(seed=1)
    assert env.observation_space.contains(observation)
    generator = np.random.default_rng(1)
    ends = 0
    for _ in range(9):
        actions = np.array([generator.choice(np.flatnonzero(row)) for row in info["action_mask"]])
        observation, reward, terminated, truncated, info = env.step(actions)
        assert env.observation_space.contains(observation)
        assert reward.shape == terminated.shape == truncated.shape == (10,)
        # What one wins the other loses, and both seats of a board end together.
        assert (reward.reshape(5, 2).sum(axis=1) == 0).all()
        assert (terminated[::2] == terminated[1::2]).all()
        ends += int(terminated.sum())
    # Three rounds are a game.
    assert ends == 30


def test_an_opponent_that_learned():
    nim = rules("nim.pl")
    learned = nim.train(games=3000, method="q").player()
    env = GameEnv(nim, player="b", opponent=learned)
    generator = np.random.default_rng(1)
    for seed in range(3):
        _, info = env.reset(seed=seed)
        is_over = False
        while not is_over:
            action = int(generator.choice(np.flatnonzero(info["action_mask"])))
            _, reward, is_over, _, info = env.step(action)
        assert reward != 0
