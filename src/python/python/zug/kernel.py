"""A kernel for notebooks whose cells are rules and queries.

    python -m zug.kernel install

makes it known to Jupyter. A cell has clauses, then queries that begin with ``?-``; states and trees are shown
as pictures. The clauses of a cell take the place of those that it had when it was run before, and are added to
those of other cells; with ``%%replace`` as its first line they replace those.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from ipykernel.kernelbase import Kernel
from jupyter_client.kernelspec import KernelSpecManager
from traitlets import Bool

from zug._zug import Session, __version__

#: Answers of a query that are shown.
ANSWERS = 10

SPEC = {
    "argv": [sys.executable, "-m", "zug.kernel", "-f", "{connection_file}"],
    "display_name": "zug",
    "language": "prolog",
    "interrupt_mode": "signal",
}


class ZugKernel(Kernel):
    """A session that rules are loaded into, cell by cell."""

    sandbox = Bool(False, help="Keep rules and cells from files and processes").tag(config=True)

    implementation = "zug"
    implementation_version = __version__
    banner = f"zug {__version__}: games and puzzles from rules"
    language_info = {
        "name": "prolog",
        "mimetype": "text/x-prolog",
        "file_extension": ".pl",
        "codemirror_mode": "prolog",
        "pygments_lexer": "prolog",
    }

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        # Cells come from the person at the keyboard, unless a front end says otherwise.
        self.rules = Session([], "" if self.sandbox else None)

    def _cell_name(self, cell_id: str | None) -> str:
        """What a cell is called: the same each time that it is run, where the notebook numbers its cells."""
        return f"cell {cell_id or self.execution_count}"

    def _say(self, name: str, text: str) -> None:
        if text:
            self.send_response(self.iopub_socket, "stream", {"name": name, "text": text})

    async def do_execute(
        self,
        code: str,
        silent: bool,
        store_history: bool = True,
        user_expressions: dict[str, Any] | None = None,
        allow_stdin: bool = False,
        *,
        cell_meta: dict[str, Any] | None = None,
        cell_id: str | None = None,
    ) -> dict[str, Any]:
        """Runs a cell."""
        status: dict[str, Any] = {
            "status": "ok",
            "execution_count": self.execution_count,
            "payload": [],
            "user_expressions": {},
        }
        try:
            said, errors = self.rules.cell(self._cell_name(cell_id), code, ANSWERS)
        except KeyboardInterrupt:
            self._say("stderr", "interrupted\n")
            return {**status, "status": "error", "ename": "interrupted", "evalue": "", "traceback": []}
        if not silent:
            for text, picture in said:
                self._say("stdout", text)
                if picture is not None:
                    shown = {"data": {"image/svg+xml": picture}, "metadata": {}}
                    self.send_response(self.iopub_socket, "display_data", shown)
        if errors:
            return {**status, "status": "error", "ename": "error", "evalue": "", "traceback": []}
        return status

    async def do_complete(self, code: str, cursor_pos: int) -> dict[str, Any]:
        """Predicates and engines that begin so."""
        start, names = self.rules.complete(code, cursor_pos)
        return {
            "status": "ok",
            "matches": names,
            "cursor_start": start,
            "cursor_end": cursor_pos,
            "metadata": {},
        }

    async def do_is_complete(self, code: str) -> dict[str, Any]:
        """Whether a text that is typed at a console is to be run."""
        text = code.rstrip()
        is_whole = not text or text.endswith(".") or text.startswith(":")
        return {"status": "complete"} if is_whole else {"status": "incomplete", "indent": "    "}


def install(user: bool = True, prefix: str | None = None) -> str:
    """Makes the kernel known to Jupyter; the folder of its description."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "kernel.json").write_text(json.dumps(SPEC, indent=1))
        where: str = KernelSpecManager().install_kernel_spec(
            folder, "zug", user=user and prefix is None, prefix=prefix
        )
    return where


def main() -> None:
    """``install``, or what Jupyter asks for."""
    if sys.argv[1:2] != ["install"]:
        from ipykernel.kernelapp import IPKernelApp

        IPKernelApp.launch_instance(kernel_class=ZugKernel)
        return
    parser = argparse.ArgumentParser(prog="python -m zug.kernel install")
    parser.add_argument("--sys-prefix", action="store_true", help="for this environment alone")
    given = parser.parse_args(sys.argv[2:])
    print("installed in", install(prefix=sys.prefix if given.sys_prefix else None))


if __name__ == "__main__":
    main()
