"""The notebooks of the manual run to their ends."""

from __future__ import annotations

import pytest

from conftest import ROOT

pytest.importorskip("ipykernel")
nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")


@pytest.mark.parametrize("path", sorted((ROOT / "docs/notebooks").glob("*.ipynb")), ids=lambda p: p.stem)
def test_a_notebook(path, zug_kernel):
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=600, kernel_name=notebook.metadata.kernelspec.name).execute()
    assert all(cell.get("outputs") is not None for cell in notebook.cells if cell.cell_type == "code")
