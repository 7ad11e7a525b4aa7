"""What is kept and proved, and what is said of long work: bases, certificates, progress, series of games."""

from __future__ import annotations

import threading
import time
from fractions import Fraction

import pytest
import zug

from conftest import rules

def test_a_game_is_answered_from_a_base(tmp_path):
    base = tmp_path / "positions.db"
    nim = rules("nim.pl")
    first = nim.solve(save=base)
    assert first.saved.base == base and first.saved.new == first.saved.all > 0 and first.saved.complete
    assert not first.from_base
    again = nim.solve(save=base)
    assert again.from_base and again.saved.new == 0 and again.saved.known == first.saved.all
    # Nothing stays open behind it.
    assert not nim.solve().from_base
    read = nim.solve(db=base)
    assert read.from_base and not nim.solve().from_base
    assert (read.value, read.move, read.line) == (first.value, first.move, first.line)
    info = zug.db_info(base, check=True)
    assert info.complete and info.positions.all == first.saved.all and info.costs is None
    assert info.positions.won + info.positions.lost == info.positions.all
    assert info.bytes == base.stat().st_size == first.saved.bytes
    assert info.base == base and info.starts[0].by == "solve_game" and info.starts[0].player == "a"


def test_rules_are_answered_from_a_base(tmp_path):
    base = tmp_path / "positions.db"
    rules("nim.pl").solve(save=base)
    nim = zug.load(rules("nim.pl").sources[0], db=base)
    assert nim.solve().from_base
    assert nim.once("best_move(a, 15, M)") == rules("nim.pl").once("best_move(a, 15, M)")
    with pytest.raises(zug.RequestError, match="save"):
        nim.solve(save=tmp_path / "other.db")
    nim.use_base(None)
    assert not nim.solve().from_base
    nim.use_base(base)
    assert nim.solve().from_base
    play = rules("nim.pl").play({"a": "solve_game", "b": "random"}, db=base, seed=1)
    assert play.outcome == "done"


def test_play_reads_the_base_and_leaves_it(tmp_path):
    base = tmp_path / "positions.db"
    nim = rules("nim.pl")
    nim.solve(save=base)
    asked = []
    solve = nim.solve

    def watched(**options):
        found = solve(**options)
        asked.append(found.from_base)
        return found

    nim.solve = watched
    nim.play({"a": "solve_game", "b": "solve_game"}, db=base)
    assert len(asked) > 1 and all(asked)
    nim.play({"a": "solve_game", "b": "solve_game"})
    assert not asked[-1]


def test_what_is_not_in_a_base_is_remarked(tmp_path):
    base = tmp_path / "positions.db"
    nim = rules("nim.pl")
    nim.solve(state=5, player="a", save=base)
    beyond = nim.solve(state=15, player="a", db=base)
    assert not beyond.from_base and "not in" in beyond.remarks[0]
    assert nim.solve(state=5, player="a", db=base).remarks == []


def test_bases_that_do_not_fit(tmp_path):
    base = tmp_path / "positions.db"
    rules("nim.pl").solve(save=base)
    other = rules("tictactoe.pl")
    with pytest.raises(zug.RequestError, match="other rules"):
        other.solve(db=base)
    with pytest.raises(zug.RequestError, match="no base"):
        other.solve(db=tmp_path / "nothing.db")
    with pytest.raises(zug.RequestError, match="together"):
        other.solve(db=base, save=base)
    with pytest.raises(zug.RequestError, match="other rules"):
        other.solve(save=base)
    assert other.solve(save=base, force=True).saved.complete
    with pytest.raises(zug.RequestError, match="no base"):
        zug.db_info(tmp_path / "nothing.db")
    assert not other.solve().from_base


def test_a_puzzle_is_answered_from_a_base(tmp_path):
    base = tmp_path / "costs.db"
    jugs = rules("jugs.pl")
    counted = jugs.enumerate(save=base)
    assert counted.saved.all == counted.states
    plan = jugs.solve(db=base)
    assert plan.from_base and plan.cost == 6
    assert zug.db_info(base).costs.all == counted.states
    loose = rules("taquin.pl").solve(engine="greedy", save=tmp_path / "none.db", verify=False)
    assert loose.saved is None or loose.saved.new == 0
    assert any("not kept" in remark for remark in loose.remarks)


def test_a_plan_is_proved(tmp_path):
    jugs, proof = rules("jugs.pl"), tmp_path / "plan.cert"
    report = jugs.solve(certificate=proof)
    made = report.certificate
    assert made and made.path == proof and made.kind == "cheapest" and made.bytes == proof.stat().st_size
    checked = jugs.verify(proof)
    assert checked and checked.accepted and checked.kind == "cheapest" and checked.cost == report.cost == 6
    assert checked.records == made.records and checked.outcome == "accepted" and checked.certificate == proof
    with pytest.raises(zug.RequestError, match="plan.cert"):
        jugs.solve(certificate=proof)
    assert jugs.solve(certificate=proof, force=True).certificate
    assert jugs.solve().certificate is None


def test_a_forged_certificate_is_rejected(tmp_path):
    jugs, proof = rules("jugs.pl"), tmp_path / "plan.cert"
    jugs.solve(certificate=proof)
    assert not rules("taquin.pl").verify(proof)
    lines = proof.read_text().splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("step("))
    # A move that is none, with the checksum of the text as it was.
    lines[at] = lines[at].replace("step(", "step(no_such_move-", 1)
    proof.write_text("\n".join(lines) + "\n")
    checked = jugs.verify(proof)
    assert not checked and checked.reason and checked.kind is None and checked.cost is None
    assert str(checked).startswith("rejected: ")
    with pytest.raises(zug.LoadError):
        jugs.verify(tmp_path / "nothing.cert")


def test_the_value_of_a_game_is_proved(tmp_path):
    proof = tmp_path / "value.cert"
    nim = rules("nim.pl")
    report = nim.solve(certificate=proof)
    assert report.certificate.kind == "value"
    checked = nim.verify(proof)
    assert checked.accepted and (checked.player, checked.value) == ("a", report.value)


def test_a_rejected_certificate_names_its_line(tmp_path):
    # The rules are others by one move than those that the certificate is of.
    text = "initial_state(0). final_state(3). rule(inc, 1, N, M) :- N < 5, M is N + 1.\n"
    proof = tmp_path / "plan.cert"
    assert zug.loads(text).solve(certificate=proof).certificate.kind == "cheapest"
    other = zug.loads(text + "rule(jump, 1, 1, 3).\n")
    assert zug.loads(text).verify(proof).line is None
    checked = other.verify(proof)
    lines = proof.read_text().splitlines()
    assert not checked and 1 <= checked.line <= len(lines)
    assert str(checked) == f"rejected: line {checked.line}: {checked.reason}"


def test_other_values_are_proved(tmp_path):
    coin, proof = zug.loads(zug.template("chance")), tmp_path / "values.cert"
    report = coin.solve(certificate=proof)
    assert report.certificate.kind == "values"
    assert coin.verify(proof).values[report.player] == report.value
    paper, mixed = rules("rock_paper_scissors.pl"), tmp_path / "mixed.cert"
    assert paper.solve(certificate=mixed).certificate.kind == "equilibrium"
    assert paper.verify(mixed).values == {"one": 0, "two": 0}


def test_models_are_proved(tmp_path):
    none = zug.loads(
        ":- use_module(library(clpfd)).\n"
        "model([a=A, b=B, c=C]) :- [A, B, C] ins 0..1, A #\\= B, B #\\= C, A #\\= C."
    )
    proof = tmp_path / "none.cert"
    report = none.solve(certificate=proof)
    made = report.certificate
    assert not report and made and made.kind == "no_solution"
    assert made.flatzinc.exists() and made.proof.exists() and made.proof.suffix == ".drcp"
    assert none.verify(proof).kind == "no_solution"
    made.proof.write_text("")
    assert not none.verify(proof)
    best = zug.loads(
        ":- use_module(library(clpfd)).\n"
        "model([x=X, y=Y]) :- [X, Y] ins 0..9, X + 2*Y #=< 13, X #\\= Y.\n"
        "objective([x=X, y=Y], max(X + Y))."
    )
    report = best.solve(certificate=tmp_path / "best.cert")
    checked = best.verify(tmp_path / "best.cert")
    assert report.certificate.kind == checked.kind == "optimal" and checked.value == report.value


def test_why_there_is_no_certificate(tmp_path):
    report = rules("taquin.pl").solve(certificate=tmp_path / "none.cert", engine="bfs", nodes=1)
    assert not report.certificate and report.certificate is not None and report.certificate.reason
    assert not (tmp_path / "none.cert").exists()


def test_all_cheapest_plans():
    jugs = rules("jugs.pl")
    report = jugs.solve(all_plans=1)
    assert isinstance(report, zug.PlansReport) and report.cost == 6
    assert report.count >= len(report.plans) == 1 and report.unique is (report.count == 1)
    assert len(report.plans[0].moves) == 6 and len(report.plans[0].states) == 7
    square = zug.loads(
        """
        initial_state(p(0, 0)). final_state(p(2, 2)).
        rule(right, 1, p(X, Y), p(Z, Y)) :- X < 2, Z is X + 1.
        rule(up, 1, p(X, Y), p(X, Z)) :- Y < 2, Z is Y + 1.
        """
    )
    assert square.solve(all_plans=20).count == 6 and len(list(square.solve(all_plans=20))) == 6
    with pytest.raises(zug.RequestError, match="heuristic"):
        jugs.solve(all_plans=1, heuristic="x")


def test_workers():
    board = rules("tictactoe.pl")
    alone = board.enumerate()
    assert board.enumerate(workers=2).by_depth == alone.by_depth
    assert board.solve(workers=2).value == board.solve().value
    assert rules("jugs.pl").solve(workers=2, engine="ucs").cost == 6
    with pytest.raises(zug.RequestError, match="together"):
        board.solve(workers=2, threads=2)
    with pytest.raises(zug.RequestError, match="workers"):
        board.solve(disk="layers")


def test_progress_of_a_training():
    told: list[zug.Progress] = []
    report = rules("nim.pl").train(games=777, method="q", seed=1, progress=told.append)
    assert told[-1].done == told[-1].of == 777
    # The last evaluation is made when all is over.
    assert told[-1].evaluation in report.curve and report.curve[-1].games == 777
    assert (told[-1].wins, told[-1].draws, told[-1].losses) == (report.wins, report.draws, report.losses)
    evaluated = [point.games for point in report.curve]
    assert set(evaluated) <= {one.done for one in told}
    assert all(one.wins + one.draws + one.losses == one.done for one in told)
    # It changes nothing that it was watched.
    assert rules("nim.pl").train(games=777, method="q", seed=1).data == report.data


def test_a_training_ends_when_enough_was_learned(tmp_path):
    kept = tmp_path / "kept.policy"

    def enough(now: zug.Progress) -> None:
        if now.done >= 100 and now.evaluation and now.evaluation.games >= 100:
            raise StopIteration

    report = rules("nim.pl").train(games=1_000_000, seed=1, save=kept, progress=enough)
    assert report.outcome == "stopped" and report.games == 100
    assert rules("nim.pl").train(games=0, resume=kept).games == 100


def test_what_a_watcher_raises_ends_a_training(tmp_path):
    kept = tmp_path / "kept.policy"

    def fails(now: zug.Progress) -> None:
        if now.done:
            raise ZeroDivisionError("no")

    with pytest.raises(ZeroDivisionError):
        rules("nim.pl").train(games=1_000_000, seed=1, save=kept, progress=fails)
    assert 0 < rules("nim.pl").train(games=0, resume=kept).games < 1_000_000


def test_a_watcher_is_called_in_the_thread_of_its_caller_while_others_go_on():
    threads, ticks = set(), 0

    def train():
        rules("tictactoe.pl").train(
            games=10**9, time=0.6, progress=lambda now: threads.add(threading.current_thread())
        )

    thread = threading.Thread(target=train)
    thread.start()
    while thread.is_alive():
        ticks += 1
        time.sleep(0.01)
    assert threads == {thread} and ticks > 5


def test_ctrl_c_while_it_is_watched():
    import _thread

    threading.Timer(0.5, _thread.interrupt_main).start()
    told = []
    with pytest.raises(KeyboardInterrupt):
        rules("tictactoe.pl").train(games=10**9, progress=told.append)
    assert told


def test_progress_of_searches():
    told: list[zug.Progress] = []

    def enough(now: zug.Progress) -> None:
        told.append(now)
        raise StopIteration

    stopped = rules("connect4.pl").solve(engine="solve_game", progress=enough)
    assert stopped.outcome == "stopped" and told[0].states > 0 and told[0].elapsed_seconds > 0
    count = len(told)
    counted = rules("connect4.pl").enumerate(progress=enough)
    assert counted.outcome == "stopped" and len(told) == count + 1
    # Afterwards nobody is told any more.
    rules("tictactoe.pl").enumerate()
    assert len(told) == count + 1


def test_games_among_machines():
    nim = rules("nim.pl")
    report = nim.series("solve_game", "random", games=6, seed=4)
    best, worst = report.scores
    assert (best.by, worst.by) == ("solve_game", "random") and report.outcome == "done"
    assert best.wins + best.draws + best.losses == 6 and best.wins == worst.losses
    assert best.wins > worst.wins
    assert len(report.games) == 6 and set(report.games[0].seats.values()) == {"solve_game", "random"}
    begins = [next(iter(game.seats.values())) for game in report]
    assert begins == ["solve_game", "random"] * 3
    again = nim.series("solve_game", "random", games=6, seed=4)
    assert again.data == report.data
    with pytest.raises(zug.RequestError, match="nobody"):
        nim.series("nobody", "random")
    with pytest.raises(zug.RequestError, match="games"):
        nim.series("random", "random", games=0)


def test_a_series_plays_what_was_learned(tmp_path):
    nim, kept = rules("nim.pl"), tmp_path / "nim.policy"
    nim.train(games=3000, method="q", seed=1, save=kept)
    report = nim.series(f"greedy:{kept}", "random", games=10, seed=1)
    assert report.scores[0].wins > 5

    def enough(now: zug.Progress) -> None:
        raise StopIteration

    board = rules("connect4.pl")
    cut = board.series("random", "random", games=10**6, seed=1, progress=enough)
    assert cut.outcome == "stopped" and 0 < len(cut.games) < 10**6
    assert cut.scores[0].wins + cut.scores[0].draws + cut.scores[0].losses == len(cut.games)


def test_queries_have_a_bound_of_memory():
    greedy = zug.loads("grow(L) :- grow([L, L, L, L|L]).")
    with pytest.raises(zug.LimitError):
        greedy.once("grow([])", memory=64 << 20)


def test_trees_take_what_is_alike_for_one():
    board = rules("tictactoe.pl")
    full = board.tree(depth=1).data()
    alike = board.tree(depth=1, symmetry=True, graph=True).data()
    assert len(alike["nodes"]) < len(full["nodes"])
    with pytest.raises(zug.RequestError, match="together"):
        board.tree(graph=True, truncate=True).svg()


def test_fractions_of_equilibria_are_exact(tmp_path):
    unfair = zug.loads(
        """
        players([a, b]). action(_, _, x). action(_, _, y).
        payoff([x, x], [1/3, -1/3]). payoff([x, y], [0, 0]).
        payoff([y, x], [0, 0]). payoff([y, y], [1/3, -1/3]).
        """
    )
    proof = tmp_path / "unfair.cert"
    assert unfair.solve(certificate=proof).certificate
    assert unfair.verify(proof).values == {"a": Fraction(1, 6), "b": Fraction(-1, 6)}
