"""What goes wrong, as exceptions with the places in the rules that are at fault."""

from __future__ import annotations

import json
from typing import Any

from zug._reports import Call, Finding, Place


class ZugError(Exception):
    """Something that went wrong.

    ``findings`` say where in the rules and what to do; ``term`` is the exception that the rules
    raised, as text, and ``calls`` the calls that led to it, innermost first.
    """

    def __init__(self, message: str, details: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        details = details or {}
        self.findings = [Finding.of(found) for found in details.get("findings") or []]
        self.calls = [Call(**call) for call in details.get("calls") or []]
        term = details.get("term")
        self.term: str | None = term["text"] if isinstance(term, dict) else None

    @property
    def place(self) -> Place | None:
        """Where it stands in the rules, if that is known."""
        return next((found.place for found in self.findings if found.place), None)


class LoadError(ZugError):
    """Rules that can't be loaded: no such file, or errors in them."""


class RulesSyntaxError(ZugError):
    """A query or a term that can't be read."""


class RulesError(ZugError):
    """An error that the rules raise, or an answer of theirs that breaks the contract."""


class LimitError(ZugError):
    """A limit of time, calls or memory."""


class HaltError(ZugError):
    """The rules have called ``halt``."""


class RequestError(ZugError, ValueError):
    """What is asked for makes no sense for these rules: no such engine, no such instance."""


class SpaceError(ZugError, ValueError):
    """Actions can't be numbered, or a state can't be written as numbers."""


class IllegalActionError(ZugError, ValueError):
    """An action that is not legal in the state."""


_CLASSES: dict[str, type[ZugError]] = {
    "LoadError": LoadError,
    "SyntaxError": RulesSyntaxError,
    "RulesError": RulesError,
    "LimitError": LimitError,
    "HaltError": HaltError,
    "RequestError": RequestError,
    "SpaceError": SpaceError,
    "IllegalActionError": IllegalActionError,
}


def make(kind: str, message: str, details: str) -> ZugError:
    """The exception of a kind."""
    return _CLASSES.get(kind, ZugError)(message, json.loads(details))
