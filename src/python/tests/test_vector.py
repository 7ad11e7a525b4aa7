"""Boards that are stepped at once."""

from __future__ import annotations

import numpy as np
import pytest
import zug
from zug.vector import Buffers, Env, random_actions

from conftest import GAMES, PUZZLES, SMALL, TOGETHER, rules


def played(game, boards, steps, seed, **options):
    env = Env(game, boards, seed=seed, max_moves=50, **options)
    generator = np.random.default_rng(seed)
    step = env.reset()
    trail = []
    for _ in range(steps):
        actions = random_actions(step.masks, generator)
        assert step.masks[np.arange(boards), actions].all()
        step = env.step(actions)
        parts = (step.masks, step.players, step.rewards, step.terminated, step.truncated)
        trail.append([part.copy() for part in parts])
    return env, step, trail


@pytest.mark.parametrize("name", GAMES + PUZZLES)
def test_all_rules_are_stepped(name):
    # Jumps of checkers are too many for a small survey.
    instance = "ending" if name == "checkers.pl" else None
    game = rules(name).game(instance=instance, **SMALL)
    env, step, trail = played(game, 5, 60, 1)
    assert step.observations.shape == (5, *game.observation_tensor_shape())
    assert step.masks.shape == (5, game.num_distinct_actions()) and step.masks.any(axis=1).all()
    assert sum(part[3].sum() + part[4].sum() for part in trail) > 0


@pytest.mark.parametrize("name", ["connect4.pl", "pig.pl"])
def test_the_same_seed_leads_the_same_way(name):
    game = rules(name).game(**SMALL)
    first, second = (played(game, 16, 40, 7)[2] for _ in range(2))
    for one, other in zip(first, second):
        assert all((a == b).all() for a, b in zip(one, other))


def test_arrays_of_the_caller():
    game = rules("connect4.pl").game(**SMALL)
    env = Env(game, 8)
    out, other = env.buffers(), env.buffers()
    assert env.reset(out=out) is out
    before = out.observations.copy()
    assert env.step(np.zeros(8, np.int64), out=other) is other
    assert (out.observations == before).all() and (other.observations != before).any()
    wrong = env.buffers()
    wrong.masks = np.zeros((8, 4), np.bool_)
    with pytest.raises(ValueError, match="masks"):
        env.step(np.zeros(8, np.int64), out=wrong)
    wrong.masks = np.zeros((5, 8), np.bool_).T
    with pytest.raises(ValueError, match="contiguous"):
        env.reset(out=wrong)


def test_observations_are_those_of_states():
    game = rules("tictactoe.pl").game()
    env = Env(game, 2, observations=np.uint8)
    step = env.reset()
    step = env.step([4, 0])
    state = game.new_initial_state()
    state.apply_action(4)
    assert (step.observations[0].ravel() == state.observation_tensor()).all()
    assert step.players.tolist() == [1, 1] and step.masks[1].tolist() == [False] + [True] * 8
    assert env.state(0) == state.to_text()


def test_an_illegal_action_steps_nothing():
    env = Env(rules("tictactoe.pl"), 2)
    env.reset()
    env.step([0, 1])
    with pytest.raises(zug.IllegalActionError, match="board 1"):
        env.step([1, 1])
    with pytest.raises(ValueError, match="shape"):
        env.step([1, 1, 1])
    step = env.step([1, 0])
    assert step.masks[0].tolist() == [False, False] + [True] * 7


def test_puzzles_are_rewarded_by_costs():
    game = rules("jugs.pl").puzzle()
    plan = [game.action(move) for move in rules("jugs.pl").solve().moves]
    env = Env(game, 1)
    env.reset()
    total = 0.0
    for action in plan:
        step = env.step([action])
        total += step.rewards[0, 0]
    assert step.terminated[0] and step.solved[0] and total == -6


@pytest.mark.parametrize("name", TOGETHER)
def test_all_choose_at_once(name):
    """Each board goes on as a single state does that the same actions are applied to."""
    game = rules(name).game()
    boards, players = 6, game.num_players()
    env = Env(game, boards, max_moves=20)
    assert env.action_shape == (boards, players)
    step = env.reset()
    assert step.masks.shape == (boards, players, game.num_distinct_actions())
    assert (step.players == zug.SIMULTANEOUS).all()
    states = [game.new_initial_state() for _ in range(boards)]
    generator = np.random.default_rng(2)
    ends = 0
    for _ in range(30):
        for board, state in enumerate(states):
            for player in range(players):
                mask = state.legal_actions_mask(player)
                assert step.masks[board, player].tolist() == [bool(one) for one in mask]
            assert (step.observations[board].ravel() == state.observation_tensor()).all()
        actions = random_actions(step.masks, generator)
        assert actions.shape == env.action_shape
        step = env.step(actions)
        for board, state in enumerate(states):
            state.apply_actions(actions[board].tolist())
            assert step.terminated[board] == state.is_terminal()
            assert step.rewards[board] == pytest.approx(state.rewards())
            if step.terminated[board] or step.truncated[board]:
                ends += 1
                states[board] = game.new_initial_state()
    assert ends > 0


def test_illegal_where_all_choose_at_once():
    env = Env(rules("goofspiel.pl"), 2)
    env.reset()
    env.step([[0, 1], [2, 0]])
    before = env.state(0)
    with pytest.raises(zug.IllegalActionError, match="action 0 of player 1 is not legal on board 1"):
        env.step([[1, 0], [0, 0]])
    assert env.state(0) == before
    with pytest.raises(ValueError, match="shape"):
        env.step([0, 1])
    env.step([[1, 0], [0, 1]])


def test_buffers_without_observations():
    game = rules("connect4.pl").game(**SMALL)
    assert Buffers.of(game, 3, None).observations is None
    assert Env(game, 3, observations=None).reset().observations is None
