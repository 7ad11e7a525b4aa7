"""Terms as Python objects.

| term | Python |
|---|---|
| integer, float | ``int``, ``float`` |
| rational number | ``fractions.Fraction`` |
| atom ``tom`` | ``Atom("tom")``, a ``str`` |
| string ``"text"`` | ``str`` |
| list | ``list`` |
| compound ``f(a, 1)`` | ``Term("f", [Atom("a"), 1])`` |
| unbound variable | ``Var("_G1")`` |
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any, Iterable, Iterator


class Atom(str):
    """An atom. It is equal to the ``str`` of its name."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Atom({str.__repr__(self)})"


class Var:
    """An unbound variable."""

    __slots__ = ("name",)

    def __init__(self, name: str = "_") -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"Var({self.name!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Var) and other.name == self.name and self.name != "_"

    def __hash__(self) -> int:
        return hash((Var, self.name))


class Term:
    """A compound: a name and arguments."""

    __slots__ = ("name", "args")

    def __init__(self, name: str, args: Iterable[Any]) -> None:
        self.name = Atom(name)
        self.args = tuple(args)

    @property
    def arity(self) -> int:
        return len(self.args)

    def __getitem__(self, at: int) -> Any:
        return self.args[at]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.args)

    def __len__(self) -> int:
        return len(self.args)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Term) and self.name == other.name and self.args == other.args

    def __hash__(self) -> int:
        return hash((self.name, text(self)))

    def __repr__(self) -> str:
        return text(self)


def partial_list(items: list[Any]) -> Term:
    """A list with a tail that is no list, as nested ``Term("[|]", [head, tail])``."""
    tail = items[-1]
    for item in reversed(items[:-1]):
        tail = Term("[|]", [item, tail])
    return tail  # type: ignore[no-any-return]


_PLAIN = re.compile(r"[a-z][A-Za-z0-9_]*\Z")
_ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def _quoted(name: str, quote: str) -> str:
    escapes = {**_ESCAPES, '"': '\\"'} if quote == '"' else _ESCAPES
    shown = (
        escapes[c] if c in escapes and (c != "'" or quote == "'")
        else f"\\x{ord(c):x}\\" if ord(c) < 32
        else c
        for c in name
    )
    return quote + "".join(shown) + quote


def _atom(name: str) -> str:
    if _PLAIN.match(name) or name in ("[]", "!", "{}", ";"):
        return name
    return _quoted(name, "'")


def text(term: Any) -> str:
    """A term as rules have it: what is read back is the same term.

    An ``Atom`` is an atom, a plain ``str`` a string; a tuple is a list, too.
    """
    # Terms may be deep: a list of what is still to be written, the next one last.
    out: list[str] = []
    left: list[tuple[bool, Any]] = [(False, term)]
    while left:
        is_text, part = left.pop()
        if is_text:
            out.append(part)
        elif isinstance(part, Atom):
            out.append(_atom(part))
        elif isinstance(part, str):
            out.append(_quoted(part, '"'))
        elif isinstance(part, bool):
            out.append("true" if part else "false")
        elif isinstance(part, int):
            out.append(f"({part})" if part < 0 else str(part))
        elif isinstance(part, float):
            out.append(_float(part))
        elif isinstance(part, Fraction):
            shown = f"{part.numerator}r{part.denominator}"
            out.append(f"({shown})" if part < 0 else shown)
        elif isinstance(part, Var):
            out.append(part.name)
        elif isinstance(part, (list, tuple)):
            _put(left, "[", part, "]")
        elif isinstance(part, Term):
            name = "'[|]'" if part.name == "[|]" else _atom(part.name)
            _put(left, f"{name}(", part.args, ")")
        else:
            raise TypeError(f"no term: {part!r}")
    return "".join(out)


def _put(left: list[tuple[bool, Any]], begin: str, parts: Any, end: str) -> None:
    left.append((True, end))
    for at in range(len(parts) - 1, -1, -1):
        left.append((False, parts[at]))
        if at > 0:
            left.append((True, ","))
    left.append((True, begin))


def _float(value: float) -> str:
    if value != value:
        return "nan"
    if value in (float("inf"), float("-inf")):
        return "inf" if value > 0 else "(-inf)"
    shown = repr(value)
    if "." not in shown:
        mantissa, _, exponent = shown.partition("e")
        shown = f"{mantissa}.0e{exponent}" if exponent else f"{mantissa}.0"
    return f"({shown})" if value < 0 else shown


def from_json(data: Any) -> Any:
    """The term of a record of JSON (docs/json.md): ``{"text": …, "term": …}`` or a structure."""
    if isinstance(data, dict) and set(data) >= {"text", "term"}:
        return from_json(data["term"])
    if isinstance(data, str):
        return Atom(data)
    if isinstance(data, list):
        return [from_json(item) for item in data]
    if not isinstance(data, dict):
        return data
    if "integer" in data:
        return int(data["integer"])
    if "float" in data:
        return float(data["float"])
    if "string" in data:
        return data["string"]
    if "variable" in data:
        return Var(data["variable"])
    if "list" in data:
        return partial_list([from_json(item) for item in [*data["list"], data["tail"]]])
    if "functor" in data:
        return Term(data["functor"], [from_json(item) for item in data.get("args", [])])
    return data
