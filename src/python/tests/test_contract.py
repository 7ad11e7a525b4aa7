"""The contract of Gymnasium: ends, final observations, options of `reset`, seeds, rewards, names, copies."""

from __future__ import annotations

import copy
import pickle
import warnings

import numpy as np
import pytest
import zug

gymnasium = pytest.importorskip("gymnasium")
pettingzoo = pytest.importorskip("pettingzoo")

from gymnasium.error import ResetNeeded  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402
from zug._rewards import signs  # noqa: E402
from zug.gymnasium import GameEnv, PuzzleEnv, SeatsEnv, VectorEnv  # noqa: E402
from zug.pettingzoo import TogetherEnv, TurnsEnv  # noqa: E402
from zug.vector import Env, random_actions  # noqa: E402

from conftest import RULES, SMALL, rules  # noqa: E402

COIN = """
    initial_state(start). initial_player(a). opponent(a, b). opponent(b, a).
    to_move(start, a). to_move(toss(_), chance). to_move(end(_, _), a).
    move(a, one, start, toss(1)). move(a, two, start, toss(2)).
    move(chance, heads, toss(N), end(N, heads)). move(chance, tails, toss(N), end(N, tails)).
    probability(heads, _, 1/4). probability(tails, _, 3/4).
    terminal(_, end(_, _)).
    utility(a, end(N, heads), U) :- U is 50 * N.    utility(a, end(N, tails), U) :- U is -50 * N.
    utility(b, S, U) :- utility(a, S, V), U is -V.
"""


def drawn(mask, generator):
    return int(generator.choice(np.flatnonzero(mask)))


def finished(env, seed=0):
    """The rewards of an episode of random moves."""
    generator = np.random.default_rng(seed + 100)  # not the draws of the opponent
    _, info = env.reset(seed=seed)
    rewards, is_over = [], False
    while not is_over:
        _, reward, terminated, truncated, info = env.step(drawn(info["action_mask"], generator))
        rewards.append(reward)
        is_over = terminated or truncated
    return rewards


# Rewards


def test_signs():
    assert signs([10_000.0, -10_000.0]).tolist() == [1, -1]
    assert signs([0.0, 0.0]).tolist() == [0, 0]
    assert signs([[3, 5], [2, 2]]).tolist() == [[-1, 1], [0, 0]]
    assert signs([1, 3, 2]).tolist() == [-1, 1, -1]
    assert signs([3, 3, 2]).tolist() == [0, 0, -1]
    assert signs([-7]).tolist() == [-1]


def test_rewards_are_who_wins():
    game = rules("connect4.pl").game(**SMALL)
    seen = {finished(GameEnv(game), seed)[-1] for seed in range(12)}
    assert seen <= {1.0, 0.0, -1.0} and {1.0, -1.0} <= seen
    utilities = {abs(finished(GameEnv(game, rewards="utility"), seed)[-1]) for seed in range(12)}
    assert 10_000.0 in utilities <= {0.0, 10_000.0}
    with pytest.raises(ValueError, match="'sign' or 'utility'"):
        GameEnv(game, rewards="wins")


def test_payoffs_and_costs_stay():
    """Payoffs of simultaneous-move games, and of one player alone, are no wins and losses."""
    dilemma = rules("prisoners_dilemma.pl").game()
    env = GameEnv(dilemma)
    payoffs = {finished(env, seed)[-1] for seed in range(12)}
    assert not payoffs <= {1.0, 0.0, -1.0}
    assert set(finished(GameEnv(dilemma, rewards="sign"), 0)) <= {1.0, 0.0, -1.0}
    assert finished(PuzzleEnv(rules("jugs.pl"), max_moves=3)) == [-1.0] * 3
    with pytest.raises(ValueError, match="cost"):
        Env(rules("jugs.pl"), 1, rewards="sign")


def test_rewards_of_boards():
    game = rules("connect4.pl").game(**SMALL)
    for options, size in (({}, 1.0), ({"rewards": "utility"}, 10_000.0)):
        env = Env(game, 16, seed=1, **options)
        generator, step, ends = np.random.default_rng(1), env.reset(), 0
        for _ in range(40):
            step = env.step(random_actions(step.masks, generator))
            ends += int(step.terminated.sum())
            assert set(np.abs(step.rewards[step.terminated]).ravel()) <= {0.0, size}
            assert not step.rewards[~step.terminated].any()
            assert not step.rewards.sum(axis=1).any()
        assert ends > 10


def test_rewards_in_pettingzoo():
    for options, size in (({}, 1.0), ({"rewards": "utility"}, 10_000.0)):
        env = TurnsEnv(rules("connect4.pl").game(**SMALL), **options)
        env.reset(seed=1)
        generator = np.random.default_rng(3)
        while not any(env.terminations.values()):
            env.step(drawn(env.observe(env.agent_selection)["action_mask"], generator))
        assert sorted(env.rewards.values()) == [-size, size]
    env = TogetherEnv(rules("rpsls.pl"), rewards="sign")
    env.reset(seed=1)
    _, rewards, *_ = env.step({agent: 0 for agent in env.agents})
    assert set(rewards.values()) == {0.0}


# Ends


def test_a_step_after_the_end():
    env = PuzzleEnv(rules("jugs.pl"), max_moves=2)
    with pytest.raises(ResetNeeded, match="reset"):
        env.step(0)
    finished(env)
    with pytest.raises(ResetNeeded):
        env.step(0)
    game = GameEnv(rules("tictactoe.pl"))
    finished(game)
    with pytest.raises(ResetNeeded):
        game.step(0)
    env.reset()
    env.step(0)


def test_an_episode_that_begins_at_its_end():
    env = PuzzleEnv(rules("jugs.pl"))
    _, info = env.reset(options={"state": "jugs(4, [jug(5,4), jug(3,0)])"})
    assert info["solved"]
    _, reward, terminated, truncated, info = env.step(0)
    assert terminated and not truncated and reward == 0 and info["solved"]


# Players and modes


@pytest.mark.parametrize("player", [2, -1, "z", True, None, 1.5])
def test_players_are_checked(player):
    with pytest.raises(ValueError, match=r"no player .*0 \(x\), 1 \(o\)"):
        GameEnv(rules("tictactoe.pl"), player=player)


def test_players_by_name_and_number():
    assert GameEnv(rules("tictactoe.pl"), player="o").player == 1
    assert GameEnv(rules("tictactoe.pl"), player=np.int64(1)).player == 1


@pytest.mark.parametrize("make", [PuzzleEnv, GameEnv, TurnsEnv, TogetherEnv])
def test_render_modes(make):
    name = {PuzzleEnv: "taquin.pl", TogetherEnv: "goofspiel.pl"}.get(make, "tictactoe.pl")
    with pytest.raises(ValueError, match="render_mode is None or 'ansi'"):
        make(rules(name), render_mode="human")
    env = make(rules(name), render_mode="ansi")
    env.reset(seed=1)
    drawn_board = env.render()
    assert isinstance(drawn_board, str) and drawn_board
    if make is not TogetherEnv:
        assert drawn_board.count("\n") >= 2
    assert make(rules(name)).render() is None


# Starts


def test_a_seed_chooses_the_instance():
    env = PuzzleEnv(rules("taquin.pl").puzzle(**SMALL), instance="random")
    starts = []
    for seed in range(20):
        env.reset(seed=seed)
        first = env.state.to_text()
        env.reset(seed=seed)
        assert env.state.to_text() == first
        starts.append(first)
    assert len(set(starts)) > 3
    fixed = PuzzleEnv(rules("taquin.pl").puzzle(**SMALL), instance=["two", "ten"])
    assert len({fixed.reset(seed=seed)[0].tobytes() for seed in range(20)}) == 2


def test_spaces_contain_all_instances():
    """Boards of several sizes: observations are padded, and actions have the same number in each instance."""
    env = PuzzleEnv(rules("hanoi.pl").puzzle(**SMALL), instance=["three", "four", "four_pegs"], max_moves=30)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(env, skip_render_check=True)
    for name in ("three", "four", "four_pegs"):
        seen, info = env.reset(options={"instance": name})
        assert env.observation_space.contains(seen)
        own = env.state.game
        names = {own.action_to_string(action) for action in env.state.legal_actions()}
        legal = np.flatnonzero(info["action_mask"])
        assert {env.action_to_string(action) for action in legal} == names
        before = env.state.clone()
        env.step(legal[-1])
        assert env.state == before.child(own.action(env.action_to_string(legal[-1])))


def test_options_of_reset():
    env = PuzzleEnv(rules("taquin.pl").puzzle(**SMALL))
    env.reset(options={"instance": "five"})
    five = env.state.to_text()
    env.reset(options={"instance": 1})
    assert env.state.to_text() == five
    state = rules("taquin.pl").puzzle(instance="two", **SMALL).new_initial_state()
    for given in (state, state.to_text(), state.term()):
        seen, _ = env.reset(options={"state": given})
        assert env.state.to_text() == state.to_text()
        assert env.observation_space.contains(seen)
    # The plan of a state leads to the goal by the numbers of the environment.
    for move in rules("taquin.pl").solve(state=state).moves:
        _, _, terminated, _, info = env.step(env.action(move))
    assert terminated and info["solved"]
    env.reset(options={})
    with pytest.raises(ValueError, match="no such option of reset: level; options are instance, player, state"):
        env.reset(options={"level": 3})
    with pytest.raises(ValueError, match="not both"):
        env.reset(options={"instance": 1, "state": "a"})
    with pytest.raises(zug.RequestError, match="nowhere"):
        env.reset(options={"instance": "nowhere"})
    with pytest.raises(zug.ZugError):
        env.reset(options={"state": "f(("})


def test_a_start_outside_of_the_spaces():
    env = PuzzleEnv(rules("hanoi.pl").puzzle(instance="three", **SMALL))
    with pytest.raises(ValueError, match="instance=\"random\""):
        env.reset(options={"instance": "four_pegs"})
    # The planes of forms are numbered by each survey, so they can't be matched.
    with pytest.raises(ValueError, match="several forms"):
        GameEnv(rules("goofspiel.pl"), instance="random")
    with pytest.raises(ValueError, match="at least one"):
        PuzzleEnv(rules("hanoi.pl"), instance=[])


def test_a_state_of_rules_from_text():
    counter = zug.loads("initial_state(0). final_state(4). rule(one, 1, N, M) :- N < 4, M is N + 1.")
    env = PuzzleEnv(counter)
    env.reset(options={"state": 3})
    _, _, terminated, _, info = env.step(0)
    assert terminated and info["solved"]
    _, info = env.reset()
    assert env.state.to_text() == "0" and not info["solved"]


def test_a_state_and_who_is_to_move():
    env = GameEnv(rules("tictactoe.pl"), player="o")
    board = "[[x,o,x],[o,o,x],[_,_,_]]"
    env.reset(options={"state": board, "player": "o"})
    assert env.action_mask().sum() == 3
    assert str(env.state.game.players[env.state.current_player()]) == "o"
    seen, _ = env.reset(options={"state": board, "player": 1})
    whose = env.game.observation_planes().index("o to move")
    assert seen[whose].all() and not seen[env.game.observation_planes().index("x to move")].any()
    # The middle of the last row wins: o has the middle column then.
    wins = [
        env.action(env.state.action_to_string(action))
        for action in env.state.legal_actions()
        if env.state.child(action).is_terminal()
    ]
    _, reward, terminated, _, _ = env.step(wins[0])
    assert terminated and reward == 1.0
    with pytest.raises(ValueError, match="player to move in the option state"):
        env.reset(options={"player": "o"})
    with pytest.raises(ValueError, match="no player z"):
        env.reset(options={"state": board, "player": "z"})


def test_starts_in_pettingzoo():
    env = TurnsEnv(rules("tictactoe.pl"))
    env.reset(options={"state": "[[x,o,x],[o,o,x],[_,_,_]]", "player": "o"})
    assert env.agent_selection == "o"
    assert env.observe("o")["action_mask"].sum() == 3
    with pytest.raises(zug.IllegalActionError):
        env.step(0)
    together = TogetherEnv(rules("goofspiel.pl"), instance="two")
    together.reset(seed=1)


# Final observations


def compared(vector, single, steps, generator):
    """Steps both with the same actions; how many episodes ended."""
    seen, info = vector.reset(seed=1)
    other, others = single.reset(seed=1)
    ends = 0
    for _ in range(steps):
        assert (seen == other).all()
        for name in ("action_mask", "_action_mask", "solved", "_solved"):
            assert (info[name] == others[name]).all(), name
        actions = np.array([drawn(mask, generator) for mask in info["action_mask"]])
        seen, rewards, terminated, truncated, info = vector.step(actions)
        other, wanted, ended, late, others = single.step(actions)
        assert (rewards == wanted).all() and rewards.dtype == wanted.dtype
        assert (terminated == ended).all() and (truncated == late).all()
        assert ("final_obs" in info) == ("final_obs" in others) == bool((ended | late).any())
        if "final_obs" in info:
            ends += int((ended | late).sum())
            assert (info["_final_obs"] == others["_final_obs"]).all()
            assert (info["_final_info"] == others["_final_info"]).all()
            for mine, theirs in zip(info["final_obs"], others["final_obs"]):
                assert (mine is None) == (theirs is None)
                assert mine is None or (mine == theirs).all()
            for name, value in others["final_info"].items():
                assert (info["final_info"][name] == value).all(), name
    return ends


@pytest.mark.parametrize("name", ["jugs.pl", "taquin.pl", "hanoi.pl"])
def test_boards_are_a_sync_vector_env(name):
    game = rules(name).puzzle(**SMALL)
    vector = VectorEnv(game, 8, max_moves=9)
    single = SyncVectorEnv(
        [lambda: PuzzleEnv(game, max_moves=9)] * 8, autoreset_mode=AutoresetMode.SAME_STEP
    )
    assert vector.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    assert vector.single_observation_space == single.single_observation_space
    assert vector.action_space == single.action_space
    assert compared(vector, single, 60, np.random.default_rng(1)) > 8


@pytest.mark.parametrize("name", ["connect4.pl", "nim.pl", "pig.pl", "race.pl"])
@pytest.mark.parametrize("max_moves", [0, 7])
def test_final_observations_of_games(name, max_moves):
    """With and without chance: the end is one that the last state leads to."""
    game = rules(name).game(**SMALL)
    env = VectorEnv(game, 6, seed=2, max_moves=max_moves)
    seen, info = env.reset(seed=2)
    generator = np.random.default_rng(2)
    ends = 0
    for _ in range(200):
        before = info["players"]
        actions = np.array([drawn(mask, generator) for mask in info["action_mask"]])
        seen, rewards, terminated, truncated, info = env.step(actions)
        over = terminated | truncated
        if not over.any():
            assert "final_obs" not in info
            continue
        ends += int(over.sum())
        final = info["final_info"]
        assert (info["_final_obs"] == over).all() and (info["_final_info"] == over).all()
        for board in np.flatnonzero(over):
            last = info["final_obs"][board]
            assert env.single_observation_space.contains(last)
            assert (last != seen[board]).any()
            assert final["action_mask"][board].any() == truncated[board]
            if terminated[board]:
                assert final["rewards"][board, before[board]] == rewards[board]
                assert sorted(final["rewards"][board]) in ([-1, 1], [0, 0])
    assert ends > 10


def test_boards_of_chance_follow_the_rules():
    game = zug.loads(COIN).game()
    env = VectorEnv(game, 500, seed=4)
    runs = []
    for _ in range(2):
        env.reset(seed=4)
        _, rewards, terminated, _, info = env.step(np.zeros(500, np.int64))
        assert terminated.all()
        runs.append(np.stack(list(info["final_obs"])).tobytes() + rewards.tobytes())
    assert runs[0] == runs[1]
    heads = game.observation_planes().index("heads")
    won = np.array([seen[heads].any() for seen in info["final_obs"]])
    assert (rewards == np.where(won, 1.0, -1.0)).all()
    assert 80 < won.sum() < 170
    with pytest.raises(zug.IllegalActionError, match="action 7 is not legal on board 3"):
        env.step(np.where(np.arange(500) == 3, 7, 0))


def test_final_observations_of_seats():
    env = SeatsEnv(rules("goofspiel.pl").game(), 3)
    _, info = env.reset(seed=1)
    generator = np.random.default_rng(1)
    state, ends = None, 0
    for number in range(9):
        if number % 3 == 0:
            state = env.env.game.new_initial_state()
        actions = np.array([drawn(mask, generator) for mask in info["action_mask"]])
        state.apply_actions(actions[:2].tolist())
        _, _, terminated, _, info = env.step(actions)
        if terminated.any():
            ends += 1
            assert info["_final_obs"].tolist() == terminated.tolist()
            assert (info["final_obs"][0].ravel() == state.observation_tensor()).all()
            assert (info["final_obs"][0] == info["final_obs"][1]).all()
    assert ends == 3


def test_without_final_observations():
    env = VectorEnv(zug.loads(COIN), 4, final_obs=False)
    env.reset(seed=1)
    *_, info = env.step(np.zeros(4, np.int64))
    assert "final_obs" not in info and info["final_info"]["rewards"].any(axis=1).all()


def test_resets_of_boards():
    env = VectorEnv(rules("jugs.pl"), 4)
    with pytest.raises(ResetNeeded):
        env.step(np.zeros(4, np.int64))
    with pytest.raises(ValueError, match="no options"):
        env.reset(options={"instance": 2})
    with pytest.raises(ValueError, match="3 seeds for 4"):
        env.reset(seed=[1, 2, 3])
    env.reset(seed=[1, None, 3, 4])
    with pytest.raises(ValueError, match="one instance"):
        VectorEnv(rules("jugs.pl"), 4, instance="random")
    assert VectorEnv(rules("jugs.pl"), 4, instance="nine_four").env.state(0) == "jugs(6,[jug(9,0),jug(4,0)])"


# Names and copies


def test_make():
    path = str(RULES / "taquin.pl")
    env = gymnasium.make("zug/Puzzle-v0", rules=path, max_moves=50, render_mode="ansi")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env.reset(seed=1)
        assert env.render().count("\n") >= 2
        env.step(int(np.flatnonzero(env.unwrapped.action_mask())[0]))
    again = gymnasium.make(gymnasium.envs.registration.EnvSpec.from_json(env.spec.to_json()))
    assert (again.reset(seed=1)[0] == env.reset(seed=1)[0]).all()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(env.unwrapped)
    game = gymnasium.make("zug/Game-v0", rules=RULES / "tictactoe.pl", player="o")
    assert game.reset(seed=1)[1]["action_mask"].sum() == 8
    boards = gymnasium.make_vec("zug/Puzzle-v0", 3, vectorization_mode="vector_entry_point", rules=path)
    assert isinstance(boards, VectorEnv) and boards.num_envs == 3
    assert gymnasium.make_vec("zug/Game-v0", 2, vectorization_mode="sync", rules=str(RULES / "nim.pl")).reset(seed=1)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies(copied, monkeypatch, tmp_path):
    monkeypatch.chdir(RULES)
    envs = [
        PuzzleEnv(zug.load("jugs.pl"), instance="random", max_moves=20),
        GameEnv("tictactoe.pl", player="o"),
        GameEnv(zug.loads(COIN)),
        GameEnv(zug.load("pig.pl").game(**SMALL)),
        GameEnv("goofspiel.pl"),
    ]
    for env in envs:
        _, info = env.reset(seed=3)
        env.step(drawn(info["action_mask"], np.random.default_rng(1)))
        # A copy is loaded from any folder.
        monkeypatch.chdir(tmp_path)
        other = copied(env)
        monkeypatch.chdir(RULES)
        assert other.state.to_text() == env.state.to_text()
        assert other.state.returns() == env.state.returns()
        assert (other.action_mask() == env.action_mask()).all()
        assert finished(other, 5) == finished(env, 5)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_in_pettingzoo(copied):
    env = TurnsEnv(rules("tictactoe.pl"))
    env.reset(seed=1)
    env.step(4)
    other = copied(env)
    assert other.agent_selection == "o" and not other.observe("o")["action_mask"][4]
    other.step(0)
    assert env.agent_selection == "o"
    together = TogetherEnv(rules("goofspiel.pl"))
    together.reset(seed=1)
    moves = {agent: 1 for agent in together.agents}
    for one, two in zip(together.step(moves)[0].values(), copied(together)._all_seen().values()):
        assert (one["observation"] == two["observation"]).all()


def test_a_copy_goes_its_own_way():
    env = PuzzleEnv(rules("jugs.pl"))
    _, info = env.reset(seed=1)
    other = copy.deepcopy(env)
    env.step(drawn(info["action_mask"], np.random.default_rng(1)))
    assert (other.action_mask() == info["action_mask"]).all() and other.state != env.state


def test_pickled_rules(monkeypatch, tmp_path):
    monkeypatch.chdir(RULES)
    saved = pickle.dumps((zug.load("nim.pl"), zug.loads("p(1)."), zug.load("jugs.pl").puzzle(instance="hopeless")))
    monkeypatch.chdir(tmp_path)
    nim, facts, jugs = pickle.loads(saved)
    assert nim.kind == "game" and facts.once("p(X)") == {"X": 1}
    assert jugs.new_initial_state().to_text() == "jugs(3,[jug(6,0),jug(4,0)])"
