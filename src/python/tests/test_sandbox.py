"""The sandbox, from Python: text of strangers opens no files, and rules of a folder no others than rule files of it."""

import os
import pathlib

import pytest
import zug

TOKEN = "zug_token_73519"

# Goals that read a file, write one, or tell whether one is there; P is its path.
GOALS = [
    "open('P', read, S), read_term(S, T, []), print(T)",
    "open('P', write, S), close(S)",
    "open('P', append, S), close(S)",
    "see('P'), read(T), print(T)",
    "tell('P'), told",
    "consult('P'), listing",
    "load_files('P', []), listing",
    "use_module('P'), listing",
    f"exists_file('P'), print({TOKEN})",
    f"exists_directory('P'), print({TOKEN})",
    f"size_file('P', _), print({TOKEN})",
    f"time_file('P', _), print({TOKEN})",
    "directory_files('P', Fs), print(Fs)",
    "read_file_to_terms('P', Ts, []), print(Ts)",
    "read_file_to_string('P', T, []), print(T)",
    "delete_file('P')",
    "make_directory('P')",
    "rename_file('P', 'made.pl')",
    "train([games(1), save('P')], _)",
    "shell('cat P')",
    "getenv('ZUG_TEST_TOKEN', T), print(T)",
]


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder with rules, and files around it that must stay closed."""
    rules = tmp_path / "rules"
    (rules / ".inner").mkdir(parents=True)
    for name in ("outside.pl", "rules/.hidden.pl", "rules/.inner/deep.pl", "rules/notes.txt"):
        (tmp_path / name).write_text(f"{TOKEN}. % {TOKEN}\n{TOKEN}(")
    (rules / "link.pl").symlink_to("../outside.pl")
    (rules / "zero.pl").symlink_to("/dev/zero")
    (rules / "part.pl").write_text("part(1).\n")
    (rules / "main.pl").write_text("own(1).\n")
    monkeypatch.chdir(rules)
    monkeypatch.setenv("ZUG_TEST_TOKEN", TOKEN)
    return rules


def paths(place):
    own = ["notes.txt", "link.pl", ".hidden.pl", "../outside.pl", "zero.pl", "new.pl"]
    foreign = ["/proc/self/environ", "/etc/passwd", "/dev/zero", str(place.parent / "outside.pl")]
    return own + foreign


def files(place):
    return sorted(str(path) for path in place.parent.rglob("*"))


def attempt(rules, goal):
    """The answers of a goal, or its error."""
    try:
        answers = [str(answer) for answer in rules.query(goal)]
    except zug.ZugError as error:
        return str(error)
    return " ".join(answers)


def shows(text):
    return TOKEN in text.replace("print(" + TOKEN, "") or "root:x:" in text


@pytest.mark.parametrize("make", ["text", "text in a folder", "file"])
def test_no_goal_opens_a_closed_file(place, make, capfd):
    rules = {
        "text": lambda: zug.loads("own(1)."),
        "text in a folder": lambda: zug.loads("own(1).", sandbox=place),
        "file": lambda: zug.load(place / "main.pl", sandbox=True),
    }[make]()
    before = files(place)
    for path in paths(place):
        for goal in GOALS:
            said = attempt(rules, goal.replace("P", path))
            written = capfd.readouterr()
            assert not shows(said), (path, goal, said)
            assert not shows(written.out + written.err), (path, goal)
    assert files(place) == before


def test_text_loads_nothing_and_a_folder_its_rule_files(place):
    alone = zug.loads("own(1).")
    with pytest.raises(zug.ZugError):
        list(alone.query("consult('part.pl')"))
    inside = zug.loads("own(1).", sandbox=place)
    assert len(list(inside.query("consult('part.pl'), part(1)"))) == 1


@pytest.mark.parametrize("path", ["/etc/passwd", "../outside.pl", ".hidden.pl", "notes.txt", "/proc/self/environ"])
def test_directives_of_text_open_nothing(place, path):
    text = f":- initialization((catch((open('{path}', read, S), read_string(S, _, T), assertz(got(T))), _, true))).\n:- dynamic got/1.\n"
    for sandbox in (True, place):
        rules = zug.loads(text, sandbox=sandbox)
        assert list(rules.query("got(T)")) == []


def test_cells_of_a_notebook_open_nothing(place):
    kernel = pytest.importorskip("zug.kernel")
    session = kernel.ZugKernel(sandbox=True).rules
    before = files(place)
    for path in paths(place):
        for goal in GOALS[:12]:
            assert not shows(attempt(session, goal.replace("P", path))), (path, goal)
    assert files(place) == before


def test_options_that_name_files_are_the_callers(place):
    """What Python code names itself is no matter of the sandbox; what rules name is."""
    rules = zug.loads("initial_state(0). final_state(1). rule(go, 1, 0, 1).")
    kept = pathlib.Path("plan.cert")
    rules.solve(certificate=kept)
    assert kept.exists() and os.path.getsize(kept) > 0
