"""What docs/python.md shows runs as it stands, one piece after the other."""

from __future__ import annotations

import re

import pytest

from conftest import ROOT, RULES


def test_the_manual(tmp_path, monkeypatch, capsys):
    for module in ("pandas", "gymnasium", "pettingzoo"):
        pytest.importorskip(module)
    text = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.S | re.M)
    assert len(blocks) > 8
    (tmp_path / "rules").symlink_to(RULES)
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for number, block in enumerate(blocks):
        exec(compile(block, f"docs/python.md, piece {number + 1}", "exec"), names)
    assert (tmp_path / "nim.policy").exists()
