"""The example notebook runs from top to bottom, shows what it says, and is kept without outputs."""

import sys

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from tests.docs.test_docs import ROOT

NOTEBOOK = ROOT / "docs" / "example.ipynb"
LONGEST = 120  # [seconds] of a cell, with all that is slow once


def read():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    return notebook


def run(notebook, room, monkeypatch):
    """Run a notebook on this checkout, in an empty directory, and return its code cells."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("IPYTHONDIR", str(room / "ipython"))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(room / "runtime"))
    client = NotebookClient(notebook, timeout=LONGEST, resources={"metadata": {"path": str(room)}})
    client.create_kernel_manager()
    client.km.kernel_spec.argv[0] = sys.executable  # whatever is called python3 here
    client.execute()
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def shown(cell):
    """What a cell shows: type to text."""
    found = {"stream": "".join(each.get("text", "") for each in cell.outputs)}
    for each in cell.outputs:
        found |= each.get("data", {})
    return found


def test_it_is_kept_without_outputs():
    for cell in read().cells:
        if cell.cell_type == "code":
            assert cell.outputs == []
            assert cell.execution_count is None


def test_it_runs_and_shows_tables_and_charts(tmp_path, monkeypatch):
    first, figure, chart, frame, deal, query, question = map(
        shown, run(read(), tmp_path, monkeypatch)
    )
    assert "20,000 deals, 5,000 complete sessions, seed 1." in first["text/html"]
    assert first["text/html"].count("<table") == 4
    assert first["text/plain"].startswith("<StudyResult: Continental, fastest, stock, neighbours")
    assert figure["text/plain"].startswith("Estimate(count=")
    assert chart["image/png"]
    assert "payment" in frame["text/plain"]
    assert deal["stream"].startswith("Deal ")
    assert "each opponent pays" in deal["stream"]
    assert "<table" in query["text/html"]
    assert "With ace=low: " in question["text/html"]


def test_a_notebook_that_fails_is_noticed(tmp_path, monkeypatch):
    notebook = read()
    notebook.cells = notebook.cells[:2]
    notebook.cells[1].source = "import continental_sim as cs\ncs.Study('nobody')"
    with pytest.raises(CellExecutionError, match="there is no strategy 'nobody'"):
        run(notebook, tmp_path, monkeypatch)


def test_the_stop_button_leaves_the_kernel_and_what_is_finished(tmp_path, monkeypatch):
    """A signal comes in the midst of a cell, twice, as from who is impatient; the next one runs."""
    notebook = read()
    notebook.cells = notebook.cells[:2]
    notebook.cells[1].source = (
        "import os, signal, threading, time\n"
        "import continental_sim as cs\n"
        "def stop():\n"
        "    for _ in range(2):\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "        time.sleep(1.5)\n"
        "begun = threading.Event()\n"
        "def progress(done, of):\n"
        "    if done and not begun.is_set():\n"
        "        begun.set()\n"
        "        threading.Thread(target=stop).start()\n"
        "try:\n"
        "    cs.simulate(cs.Study(seed=1, deals=1e9), out='long', workers=1, progress=progress)\n"
        "except KeyboardInterrupt as stopped:\n"
        "    print(type(stopped).__name__, str(stopped)[:19])\n"
        "    time.sleep(2)\n"
    )
    after = nbformat.v4.new_code_cell("print(0 < cs.open_study('long').deals < 1e9)", id="after")
    notebook.cells.append(after)
    notebook.cells[1].metadata["tags"] = ["raises-exception"]  # the second signal hits the sleep
    _, last = run(notebook, tmp_path, monkeypatch)
    assert "Interrupted stopped by Ctrl-C;" in shown(notebook.cells[1])["stream"]
    assert shown(last)["stream"] == "True\n"
