"""What measures, makes and trains: the commands of zug beside solving and playing."""

from __future__ import annotations

from fractions import Fraction

import pytest
import zug

from conftest import rules


def test_engines_are_listed():
    found = {engine.name: engine for engine in zug.engines()}
    assert found["astar"].informed and not found["astar"].games
    assert found["mcts"].games and found["mcts"].chance
    assert found["wastar"].parameters == ("weight",)


def test_engines_and_heuristics_side_by_side():
    report = rules("taquin.pl").compare(
        engines=["ucs", "astar"], heuristics="manhattan,misplaced", nodes=20_000
    )
    assert report.outcome == "done" and len(report) > 0
    engines = {(row.engine, row.heuristic) for row in report}
    assert {("ucs", None), ("astar", "manhattan"), ("astar", "misplaced")} <= engines
    solved = [row for row in report.rows if row.outcome == "solved"]
    assert all(row.expanded > 0 and row.moves >= 0 for row in solved)
    for instance in {row.instance for row in solved}:
        costs = {row.cost for row in solved if row.instance == instance and row.optimal}
        assert len(costs) <= 1
    assert all(factor.mean >= 1 for factor in report.factors)


def test_engines_of_games_side_by_side():
    report = rules("tictactoe.pl").compare(engines=["alphabeta", "solve_game"])
    assert [row.engine for row in report] == ["alphabeta", "solve_game"]
    assert {row.value for row in report} == {0} and all(row.exact for row in report)
    limited = rules("connect4.pl").compare(engines="solve_game", nodes=10)
    assert limited.rows[0].outcome == "stopped" and limited.rows[0].reason
    assert limited.outcome == "done"


def test_walks_make_more_starts():
    report = rules("taquin.pl").compare(engines="astar", heuristics="manhattan", random=3, steps=8, seed=2)
    walks = [row for row in report if row.instance.startswith("walk")]
    assert len(walks) == 3
    again = rules("taquin.pl").compare(engines="astar", heuristics="manhattan", random=3, steps=8, seed=2)
    assert [row.expanded for row in again] == [row.expanded for row in report]


def test_states_are_counted():
    report = rules("jugs.pl").enumerate()
    assert report and report.states == sum(report.by_depth) == 16
    assert report.deepest and report.kept
    board = rules("tictactoe.pl").enumerate()
    assert board.states == 5478 and board.by_depth[1] == 9
    stopped = rules("tictactoe.pl").enumerate(depth=2)
    assert not stopped and stopped.by_depth == [1, 9, 72]
    by_diagrams = rules("tictactoe.pl").enumerate(diagrams=True)
    assert by_diagrams.by_depth == board.by_depth and by_diagrams.kept == "in_diagrams"
    with pytest.raises(zug.RequestError, match="at once"):
        rules("goofspiel.pl").enumerate()


def test_heuristics_are_looked_at():
    report = rules("taquin.pl").heuristics(limit=2000, samples=10, steps=10)
    rows = {row.heuristic: row for row in report}
    assert report and "manhattan" in rows and rows["manhattan"].admissible != "violated"
    liar = zug.loads(
        """
        initial_state(0). final_state(3).
        rule(inc, 1, N, M) :- N < 5, M is N + 1.
        heuristic(_, 7).
        """
    ).heuristics()
    assert not liar and liar.whole and liar.heuristics[0].admissible == "violated"


def test_new_starts_are_made():
    report = rules("jugs.pl").generate(count=2)
    assert report and report.whole and len(report.starts) <= 2
    start = report.starts[0]
    assert start.clause.startswith("initial_state(") and len(start.moves) == start.cost
    again = rules("jugs.pl").solve(state=start.state)
    assert again.cost == start.cost
    assert not rules("jugs.pl").generate(cost=1000)


def test_a_game_is_learned(tmp_path):
    nim = rules("nim.pl")
    report = nim.train(games=2000, method="q", seed=1)
    assert report.outcome == "done" and report.games == 2000
    assert report.wins + report.draws + report.losses == 2000
    assert report.curve[-1].games == 2000
    assert report.optimal.choices == 12 and report.optimal.right_choices == 12
    assert nim.train(games=2000, method="q", seed=1).data == report.data
    row = report.policy[0]
    assert row.moves and abs(sum(move.probability for move in row.moves) - 1) < 1e-6


def test_what_was_learned_plays():
    nim = rules("nim.pl")
    # From 15 matches who begins has won.
    learned = nim.train(games=5000, method="q", seed=1).player()
    game = nim.game()
    state = game.new_initial_state()
    chances = learned.probabilities(state)
    assert set(chances) == set(state.legal_actions()) and abs(sum(chances.values()) - 1) < 1e-6
    value = nim.solve().value
    winner = "a" if value > 0 else "b"
    for seed in range(5):
        play = nim.play({winner: learned, ("b" if winner == "a" else "a"): "random"}, seed=seed)
        assert play.returns[0 if winner == "a" else 1] > 0


def test_a_training_goes_on(tmp_path):
    first, second = tmp_path / "first.policy", tmp_path / "second.policy"
    nim = rules("nim.pl")
    nim.train(games=1000, seed=3, punish=True, save=first)
    halfway = nim.train(games=0, resume=first)
    assert halfway.games == 1000
    nim.train(games=1000, resume=first, save=first)
    nim.train(games=2000, seed=3, punish=True, save=second)
    assert first.read_text() == second.read_text()
    with pytest.raises(zug.RequestError, match="resume"):
        nim.train(games=10, resume=first, method="q")
    found = nim.train(games=100, against=f"policy:{first}", seed=1)
    assert found.against.startswith("policy:")


def test_an_exhausted_clock_ends_a_training():
    report = rules("tictactoe.pl").train(games=100_000_000, time=0.3)
    assert report.outcome == "stopped" and 0 < report.games < 100_000_000


def test_options_are_looked_at():
    nim = rules("nim.pl")
    for options, what in [
        ({"epsilon": 2.0}, "epsilon"),
        ({"method": "guess"}, "method"),
        ({"games": -1}, "games"),
        ({"beads": (1, 2)}, "beads"),
        ({"beads": (1, 0, 0), "punish": True}, "together"),
        ({"against": "human"}, "person"),
        ({"against": "nobody"}, "against"),
        ({"time": -1.0}, "time"),
    ]:
        with pytest.raises(zug.RequestError, match=what):
            nim.train(**options)
    with pytest.raises(zug.RequestError):
        rules("jugs.pl").train()
    with pytest.raises(zug.RequestError, match="nodes"):
        rules("jugs.pl").solve(nodes=-5)
    with pytest.raises(zug.RequestError, match="playouts"):
        rules("jugs.pl").solve(playouts=5)


def test_parameters_of_engines():
    jugs = rules("taquin.pl")
    assert jugs.solve(engine="wastar", weight=3.0).engine == "wastar"
    with pytest.raises(zug.RequestError, match="weight"):
        jugs.solve(engine="wastar", weight=0.5)
    game = rules("connect4.pl").solve(engine="mcts", playouts=200, seed=4)
    assert game.move is not None
    assert game.value == rules("connect4.pl").solve(engine="mcts", playouts=200, seed=4).value


def test_players_of_repeated_games_meet():
    dilemma = rules("prisoners_dilemma.pl")
    report = dilemma.match("tit_for_tat", "always_defect", rounds=10)
    assert report.rounds == 10 and report.wins == [0, 1] and report.payoffs == [9, 14]
    assert report.winner == 1
    table = dilemma.tournament(["tit_for_tat", "grudger", "always_defect", zug.Term("history", [2])], seed=4)
    assert len(table.standings) == 4 and table.seed == 4
    assert table.standings[0].won >= table.standings[-1].won
    assert isinstance(table.standings[0].interval, tuple)


def test_equilibria_by_other_means():
    paper = rules("rock_paper_scissors.pl")
    exact = paper.nash(all=True)
    assert exact.equilibria[0]["payoffs"] == ["0", "0"]
    learned = paper.nash(learn="regret", iterations=100)
    assert learned.data["learning"]["iterations"] == 100
    sampled = paper.solve(engine="mcts", playouts=2000, seed=1)
    assert isinstance(sampled, zug.SampledReport) and len(sampled.actions) == 6
    assert abs(sum(one.share for one in sampled.actions) - 2) < 1e-6


def test_engines_play_where_all_choose_at_once():
    game = rules("goofspiel.pl")
    play = game.play({"first": "solve_game", "second": {"engine": "mcts", "playouts": 100}}, seed=2)
    assert play.outcome == "done" and len(play.actions) == 3


def test_models_are_solved():
    money = rules("send_more.pl").solve()
    assert money and money.solutions[0]
    queens = rules("queens_model.pl").solve(solutions=2)
    assert queens.complete and queens.count == 92 and len(queens.solutions) == 2
    assert rules("send_more.pl").solve(unique=True).unique is True


def test_certificates_and_bases(tmp_path):
    proof, base = tmp_path / "plan.cert", tmp_path / "states.db"
    report = rules("jugs.pl").solve(certificate=proof, save=base)
    assert proof.exists() and base.exists() and report.data["certificate"]["kind"]


def test_tables_of_reports():
    pandas = pytest.importorskip("pandas")
    compared = rules("jugs.pl").compare(engines=["bfs", "ucs"], instances=1).table()
    assert list(compared["engine"]) == ["bfs", "ucs"] and list(compared["cost"]) == [6, 6]
    assert list(rules("jugs.pl").enumerate().table().columns) == ["depth", "states"]
    curve = rules("nim.pl").train(games=100).table()
    assert isinstance(curve, pandas.DataFrame) and curve["games"].iloc[-1] == 100
    standings = rules("prisoners_dilemma.pl").tournament(["uniform", "grudger"], matches=2, seed=1)
    assert len(standings.table()) == 2
    assert len(rules("jugs.pl").generate().table()) >= 1


def test_ctrl_c_ends_a_training_and_keeps_what_was_learned(tmp_path):
    import _thread
    import threading

    kept = tmp_path / "kept.policy"
    threading.Timer(0.5, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        rules("tictactoe.pl").train(games=100_000_000, save=kept)
    assert rules("tictactoe.pl").train(games=0, resume=kept).games > 0


def test_rules_of_strangers_stay_in_their_folder(tmp_path):
    secret = tmp_path / "secret.pl"
    secret.write_text("hidden(1).")
    inside = tmp_path / "inside"
    inside.mkdir()
    file = inside / "game.pl"
    file.write_text(
        """
        initial_state(0). initial_player(a). opponent(a, b). opponent(b, a).
        move(_, go, 0, 1) :- open('%s', read, _).
        move(_, stay, 0, 1).
        terminal(_, 1). utility(_, _, 0).
        """
        % secret
    )
    strict = zug.load(file, sandbox=inside)
    with pytest.raises(zug.ZugError):
        strict.game()
    assert zug.load(file).game().num_distinct_actions() == 2


@pytest.mark.parametrize("kind", ["puzzle", "game", "chance", "simultaneous", "model"])
def test_templates_to_begin_with(kind):
    text = zug.template(kind, name="mine.pl")
    assert "mine.pl" in text
    made = zug.loads(text, name="mine.pl")
    assert made.kind == ("game" if kind == "chance" else kind) and not made.check().findings
    with pytest.raises(zug.RequestError, match="simultaneous"):
        zug.template("riddle")


def test_exact_payoffs_are_fractions():
    report = zug.loads(
        """
        players([a, b]). action(_, _, x). action(_, _, y).
        payoff([x, x], [1/3, 2/3]). payoff([x, y], [0, 0]).
        payoff([y, x], [0, 0]). payoff([y, y], [1/3, 2/3]).
        """
    ).match("fixed(x)", "fixed(x)", rounds=1)
    assert report.payoffs == [Fraction(1, 3), Fraction(2, 3)]
