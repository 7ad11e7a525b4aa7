"""Notebooks whose cells are rules and queries."""

from __future__ import annotations

import sys

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

from zug import kernel  # noqa: E402

from conftest import RULES  # noqa: E402


def outputs(*cells):
    """What cells show: texts, and `svg` where a picture is."""
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    client = nbclient.NotebookClient(made, timeout=120, kernel_name="zug", allow_errors=True)
    client.execute()

    def shown(output):
        if output.output_type == "stream":
            return output.text
        if output.output_type == "display_data":
            assert output.data["image/svg+xml"].startswith("<svg")
            return "svg"
        return output.ename

    return [[shown(output) for output in cell.outputs] for cell in made.cells]


def test_clauses_and_queries(zug_kernel):
    first, second, third = outputs(
        "parent(tom, bob).\nparent(bob, ann).\n?- parent(tom, X).\n",
        "?- parent(X, Y).\n?- parent(ann, _).\n",
        "parent(X, Y) :- .\n",
    )
    assert first == ["X = bob.\n"]
    assert "X = tom,\n" in second[0] or "X = tom, Y = bob ;\n" in second[0]
    assert "false.\n" in second[0]
    assert "cell" in third[0] and "error[E0" in third[0]


def test_answers_without_end_are_cut(zug_kernel):
    (cell,) = outputs("?- repeat.\n")
    assert cell[0].count("true ;") == kernel.ANSWERS and "there may be more" in cell[0]


def test_states_and_trees_are_pictures(zug_kernel):
    (cell,) = outputs(
        f":load {RULES / 'taquin.pl'}\n?- initial_state(five, S), astar(S, P, C).\n?- tree(astar(P, C)).\n"
    )
    assert cell.count("svg") == 2
    at = cell.index("svg")
    assert "C = 5." in cell[at - 1] and "expanded" in "".join(cell)


def test_a_cell_that_is_run_again_takes_its_clauses_back():
    session = kernel.Session([])
    session.cell("cell 1", "p(1). p(2).", 10)
    session.cell("cell 2", "q(1).", 10)
    session.cell("cell 1", "p(3).", 10)
    said, errors = session.cell("cell 3", "?- p(X), q(Y).", 10)
    assert said == [("X = 3,\nY = 1.\n", None)] or said == [("X = 3, Y = 1.\n", None)]
    assert errors == 0


def test_cells_add_to_each_other_and_replace_where_they_say_so():
    session = kernel.Session([])

    def answers(query):
        return session.cell("query", query, 10)[0][0][0]

    session.cell("cell 1", "p(1). p(2).", 10)
    session.cell("cell 2", "p(3).", 10)
    assert answers("?- findall(X, p(X), Xs).") == "Xs = [1, 2, 3].\n"
    session.cell("cell 1", "p(4).", 10)
    assert answers("?- findall(X, p(X), Xs).") == "Xs = [3, 4].\n"
    session.cell("cell 3", "%%replace\np(5).", 10)
    assert answers("?- findall(X, p(X), Xs).") == "Xs = [5].\n"
    session.cell("cell 3", "", 10)
    session.cell("cell 4", ":- dynamic(q/1).\nq(1).", 10)
    session.cell("cell 5", "q(2).", 10)
    session.cell("cell 4", "q(3).", 10)
    assert answers("?- findall(X, q(X), Xs).") == "Xs = [2, 3].\n"


def test_names_are_completed():
    session = kernel.Session([])
    session.cell("cell 1", "grandparent(a, b).", 10)
    start, names = session.complete("?- grandp", 9)
    assert start == 3 and names == ["grandparent("]


def test_the_description_names_this_python():
    assert kernel.SPEC["argv"][0] == sys.executable
