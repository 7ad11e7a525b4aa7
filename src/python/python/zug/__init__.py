"""Games and puzzles whose rules are written as Prolog clauses: solved, played, and trained on.

>>> import zug
>>> rules = zug.loads("parent(tom, bob). parent(bob, ann).")
>>> [answer["Y"] for answer in rules.query("parent(X, Y)")]
[Atom('bob'), Atom('ann')]
"""

from zug._errors import (
    HaltError,
    IllegalActionError,
    LimitError,
    LoadError,
    RequestError,
    RulesError,
    RulesSyntaxError,
    SpaceError,
    ZugError,
)
from zug._game import CHANCE, SIMULTANEOUS, TERMINAL, Game, State
from zug._reports import Call, Finding, Place, Report, table
from zug._rules import Answers, Rules, Tree, load, loads
from zug._terms import Atom, Term, Var, text
from zug._zug import __version__

__all__ = [
    "CHANCE",
    "SIMULTANEOUS",
    "TERMINAL",
    "Answers",
    "Atom",
    "Call",
    "Finding",
    "Game",
    "HaltError",
    "IllegalActionError",
    "LimitError",
    "LoadError",
    "Place",
    "Report",
    "RequestError",
    "Rules",
    "RulesError",
    "RulesSyntaxError",
    "SpaceError",
    "State",
    "Term",
    "Tree",
    "Var",
    "ZugError",
    "__version__",
    "load",
    "loads",
    "table",
    "text",
]
