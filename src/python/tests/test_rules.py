"""Rules, queries, reports, errors."""

from __future__ import annotations

import threading
import time
from fractions import Fraction

import pytest
import zug
from zug import Atom, Term, Var

from conftest import rules

FAMILY = "parent(tom, bob). parent(bob, ann). parent(bob, pat)."


def test_answers_are_dicts_of_python_objects():
    family = zug.loads(FAMILY)
    found = list(family.query("parent(bob, X)"))
    assert found == [{"X": "ann"}, {"X": "pat"}]
    assert isinstance(found[0]["X"], Atom)
    assert family.once("parent(X, tom)") is None


def test_terms_of_all_kinds():
    answer = zug.loads("").once(
        "A = 1, B = 2.5, C = abc, D = \"text\", E = [1, [x]], F = f(g(Y), Y), "
        "G is 2 ** 100, H is 1 rdiv 3, I = [a|T], J = [], K = 'it''s'"
    )
    assert answer["A"] == 1 and answer["B"] == 2.5
    assert answer["C"] == "abc" and isinstance(answer["C"], Atom)
    assert answer["D"] == "text" and not isinstance(answer["D"], Atom)
    assert answer["E"] == [1, [Atom("x")]]
    assert answer["F"].name == "f" and answer["F"][0] == Term("g", [answer["F"][1]])
    assert isinstance(answer["Y"], Var)
    assert answer["G"] == 2**100 and answer["H"] == Fraction(1, 3)
    assert answer["I"].name == "[|]" and answer["J"] == []
    assert answer["K"] == "it's"


@pytest.mark.parametrize(
    "term",
    [
        0, -7, 2**70, 1.5, -2e300, Fraction(-2, 3), Atom("tom"), Atom("Tom"), Atom("it's\n"),
        Atom("[]x"), Atom(""), "a \"text\"\\", [1, [Atom("a"), "b"]], [],
        Term("f", [1, Term("-", [Atom("a"), -1])]), Term("a b", [[]]),
    ],
)
def test_what_is_written_is_read_back(term):
    assert zug.loads("").once("X = Y", Y=term)["X"] == term
    assert zug.loads("").once(f"X = {zug.text(term)}")["X"] == term


def test_deep_terms():
    deep = zug.loads("deep(0, z). deep(N, s(T)) :- N > 0, M is N - 1, deep(M, T).")
    found = deep.once("deep(100000, X)")["X"]
    depth = 0
    while isinstance(found, Term):
        found, depth = found[0], depth + 1
    assert depth == 100_000
    assert len(deep.once("numlist(1, 100000, L)")["L"]) == 100_000


def test_cyclic_terms_are_an_error():
    with pytest.raises(zug.RulesError, match="cyclic"):
        zug.loads("").once("X = f(X)")


def test_queries_are_lazy_and_nest():
    endless = zug.loads("n(0). n(N) :- n(M), N is M + 1.")
    with endless.query("n(X)") as outer:
        assert next(outer)["X"] == 0
        with endless.query("n(X)") as inner:
            assert next(inner)["X"] == 0
            with pytest.raises(zug.RequestError, match="begun later"):
                next(outer)
        assert next(outer)["X"] == 1


def test_values_are_given_by_name():
    assert zug.loads("double(X, Y) :- Y is X * 2.").once("double(X, Y)", X=21)["Y"] == 42
    assert zug.loads("").once(Term("=", [Var("X"), [1, 2]]))["X"] == [1, 2]


def test_errors_say_where():
    with pytest.raises(zug.LoadError) as raised:
        zug.loads("f(1.\ng(2).", name="bad.pl")
    assert raised.value.place.file == "bad.pl" and raised.value.place.line >= 1
    with pytest.raises(zug.RulesSyntaxError) as raised:
        zug.loads("").query("f(")
    assert raised.value.findings[0].severity == "error"
    broken = zug.loads("twice(X, Y) :- Y is X * two.", name="broken.pl")
    with pytest.raises(zug.RulesError) as raised:
        broken.once("twice(1, Y)")
    assert "two" in str(raised.value)
    assert raised.value.place.file == "broken.pl" and raised.value.place.line == 1
    assert raised.value.calls[0].predicate == "twice/2"
    assert raised.value.term.startswith("error(type_error(evaluable")
    with pytest.raises(zug.LoadError):
        zug.load("no_such_file.pl")


def test_limits():
    endless = zug.loads("loop :- loop.")
    with pytest.raises(zug.LimitError):
        endless.once("loop", time=0.1)
    with pytest.raises(zug.LimitError):
        endless.once("loop", inferences=1000)
    assert endless.once("X = 1")["X"] == 1


def test_ctrl_c_stops_a_query():
    import _thread

    endless = zug.loads("loop :- loop.")
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        endless.once("loop")
    assert time.monotonic() - began < 10
    timer.join()
    assert endless.once("X = 1")["X"] == 1


def test_the_interpreter_is_free_meanwhile():
    endless = zug.loads("loop :- loop.")
    ticks = 0

    def run():
        with pytest.raises(zug.LimitError):
            endless.once("loop", time=0.5)

    thread = threading.Thread(target=run)
    thread.start()
    while thread.is_alive():
        ticks += 1
        time.sleep(0.01)
    assert ticks > 5


def test_output_is_kept():
    noisy = zug.loads("hello :- write(hello), nl.")
    noisy.once("hello")
    assert noisy.output() == "hello\n"
    assert noisy.output() == ""


def test_a_puzzle_is_solved():
    report = rules("jugs.pl").solve(engine="ucs")
    assert report and report.outcome == "solved"
    assert report.cost == 6 and report.optimal is True
    assert len(report.moves) >= 1 and report.stats["expanded"] > 0
    stopped = rules("taquin.pl").solve(engine="bfs", nodes=1)
    assert not stopped and stopped.outcome == "stopped"


def test_a_game_is_solved_and_played():
    nim = rules("nim.pl")
    report = nim.solve()
    assert report.exact and report.value is not None
    board = rules("tictactoe.pl")
    play = board.play({"x": "alphabeta", "o": "random"}, seed=3)
    assert play.outcome == "done" and play.returns[0] >= 0
    assert len(play.states) == len(play.actions) + 1


def test_equilibria():
    report = rules("rock_paper_scissors.pl").solve()
    assert report.outcome == "solved"
    assert report.players == ["one", "two"] and len(report.equilibria) == 1


def test_wrong_requests():
    with pytest.raises(zug.RequestError):
        rules("jugs.pl").solve(engine="no_such_engine")
    with pytest.raises(zug.RequestError):
        rules("jugs.pl").solve(instance="nowhere")
    with pytest.raises(zug.RequestError, match="no game and no puzzle"):
        zug.loads(FAMILY).game()


def test_check():
    report = rules("jugs.pl").check()
    assert report and report.kind == "puzzle" and "rule/4" in report.defines
    assert report.engines["ucs"] == []
    with_warning = zug.loads("f(X, Y) :- g(X).\ng(1).", name="w.pl").check()
    assert any(found.severity == "warning" for found in with_warning)


def test_pictures():
    tictactoe = rules("tictactoe.pl")
    tree = tictactoe.tree(depth=1)
    assert tree._repr_svg_().startswith("<svg") and "digraph" in tree.dot()
    assert tree.data()["nodes"]
    board = rules("connect4.pl").board(rules("connect4.pl").game().new_initial_state())
    assert board._repr_svg_().startswith("<svg") and str(board)


def test_tables():
    pandas = pytest.importorskip("pandas")
    frame = zug.loads(FAMILY).query("parent(X, Y)").table()
    assert isinstance(frame, pandas.DataFrame) and list(frame.columns) == ["X", "Y"]
    reports = [rules("jugs.pl").solve(engine=engine) for engine in ("bfs", "ucs")]
    assert list(zug.table(reports)["cost"]) == [6, 6]
