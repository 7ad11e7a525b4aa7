"""Rule files for the tests."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
import zug

# A shell has what runs in its background ignore Ctrl-C, and tests press it.
signal.signal(signal.SIGINT, signal.default_int_handler)

RULES = Path(__file__).resolve().parents[3] / "rules"
ROOT = RULES.parent


def kinds() -> dict[str, list[str]]:
    """The names of the shipped rule files, by what kind of rules they are."""
    found: dict[str, list[str]] = {}
    for path in sorted(RULES.glob("*.pl")):
        found.setdefault(zug.load(path).kind, []).append(path.name)
    return found


KINDS = kinds()
PUZZLES = KINDS["puzzle"]
GAMES = KINDS["game"]
TOGETHER = KINDS["simultaneous"]

#: A small survey: what is tested is the adapter, and some rules are slow.
SMALL = {"survey_states": 1_000, "survey_moves": 3_000}


def rules(name: str) -> zug.Rules:
    """A shipped rule file."""
    return zug.load(RULES / name)


def game(name: str) -> zug.Game:
    """A shipped rule file as an environment."""
    return rules(name).game()


@pytest.fixture(scope="session")
def zug_kernel(tmp_path_factory):
    """The kernel for notebooks of rules, known to Jupyter while the tests run."""
    from zug import kernel

    folder = tmp_path_factory.mktemp("jupyter")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_PATH", str(folder / "share" / "jupyter"))
        kernel.install(prefix=str(folder))
        yield
