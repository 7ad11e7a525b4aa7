"""The package and the examples are what their types say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent


@pytest.mark.parametrize("what", ["examples", "package"])
def test_mypy(what):
    pytest.importorskip("mypy")
    given = [str(HERE / "typed.py")] if what == "examples" else ["-p", "zug"]
    command = [sys.executable, "-m", "mypy", "--strict", *given]
    done = subprocess.run(command, capture_output=True, text=True, cwd=HERE.parent)
    assert done.returncode == 0, done.stdout + done.stderr
