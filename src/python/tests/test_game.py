"""States that are stepped one by one."""

from __future__ import annotations

import random

import numpy as np
import pytest
import zug

from conftest import GAMES, PUZZLES, SMALL, TOGETHER, rules


@pytest.mark.parametrize("name", GAMES + PUZZLES + TOGETHER)
def test_a_random_play(name):
    game = rules(name).game(**SMALL)
    draw = random.Random(1)
    state = game.new_initial_state()
    for _ in range(60):
        if state.is_terminal():
            break
        observation = state.observation_tensor()
        assert observation.shape == (game.observation_tensor_size(),)
        assert np.isfinite(observation).all()
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            assert sum(chance for _, chance in outcomes) == pytest.approx(1)
            state.apply_action(draw.choice(outcomes)[0])
        elif state.is_simultaneous_node():
            players = range(game.num_players())
            state.apply_actions([draw.choice(state.legal_actions(player)) for player in players])
        else:
            legal = state.legal_actions()
            assert legal == sorted(set(legal)) and legal
            mask = state.legal_actions_mask()
            assert [action for action, one in enumerate(mask) if one] == legal
            action = draw.choice(legal)
            assert game.action(state.action_to_string(action)) == action
            child = state.child(action)
            state.apply_action(action)
            assert child == state
    assert len(state.returns()) == game.num_players()


def test_the_manner_of_open_spiel():
    game = rules("tictactoe.pl").game()
    assert game.num_distinct_actions() == 9 and game.num_players() == 2
    assert game.observation_tensor_shape() == [5, 3, 3]
    assert game.observation_planes() == ["_", "o", "x", "x to move", "o to move"]
    state = game.new_initial_state()
    for move in ("[1,1]", "[2,1]", "[1,2]", "[2,2]", "[1,3]"):
        state.apply_action(state.string_to_action(move))
    assert state.is_terminal() and state.current_player() == zug.TERMINAL
    assert state.returns() == [10000.0, -10000.0] and state.legal_actions() == []
    assert state.history() == [0, 3, 1, 4, 2] and state.move_number() == 5
    with pytest.raises(zug.IllegalActionError):
        state.apply_action(5)
    planes = state.observation_tensor().reshape(5, 3, 3)
    assert planes[2, 0].tolist() == [1, 1, 1] and planes[1, 1].tolist() == [1, 1, 0]


def test_puzzles_cost_what_their_moves_do():
    game = rules("bridge.pl").puzzle()
    plan = rules("bridge.pl").solve()
    state = game.new_initial_state()
    for move in plan.moves:
        state.apply_action(game.action(move))
    assert state.is_goal() and state.is_terminal()
    assert state.returns() == [-plan.cost]


def test_moves_that_were_not_met_are_a_clear_error():
    counting = zug.loads(
        "initial_state(0). final_state(1000). rule(to(M), 1, N, M) :- M is N + 1."
    )
    game = counting.puzzle(survey_states=5, survey_moves=5)
    state = game.new_initial_state()
    with pytest.raises(zug.SpaceError, match="actions"):
        for _ in range(20):
            state.apply_action(state.legal_actions()[0])


def test_declared_actions():
    text = """
        actions([take(2), take(1)]).
        initial_state(3). initial_player(a). opponent(a, b). opponent(b, a).
        move(_, take(K), N, M) :- member(K, [1, 2]), K =< N, M is N - K.
        terminal(_, 0). utility(_, _, 1).
    """
    game = zug.loads(text).game()
    assert game.declares_actions()
    assert [zug.text(move) for move in game.actions] == ["take(2)", "take(1)"]
    state = game.new_initial_state()
    state.apply_action(0)
    assert state.term() == 1


def test_instances():
    with pytest.raises(zug.RequestError, match="no instance"):
        rules("sokoban.pl").game(instance="nowhere")
