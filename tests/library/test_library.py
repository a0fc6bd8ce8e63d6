"""The public library: studies from Python, kept or not, gone on with, and shown."""

import html
import logging
import re
import signal
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import continental_sim as cs
from continental_sim import library
from continental_sim.cli import main
from continental_sim.files.parquet import schema
from continental_sim.study import make_study
from tests.fakes import fake_study
from tests.studies import digests

DEALS = 4_000
STUDY = cs.Study("stock", deals=DEALS, seed=7)


@pytest.fixture
def room(tmp_path, monkeypatch):
    """Where temporary directories are made, so that what is left of them is seen."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A study that is kept with its records."""
    place = tmp_path_factory.mktemp("kept") / "study"
    return cs.simulate(STUDY, out=place, records=True)


# -- Names -----------------------------------------------------------------------------------------


def test_the_names_are_those_of_the_library():
    assert set(cs.__all__) == {*library.__all__, "__version__"}
    assert set(cs.__all__) <= set(dir(cs))
    for name in library.__all__:
        assert getattr(cs, name) is getattr(library, name)
    with pytest.raises(AttributeError, match="has no attribute 'simulat'"):
        cs.simulat  # noqa: B018


# -- Studies ---------------------------------------------------------------------------------------


def test_a_study_is_that_of_the_command_line():
    made = cs.Study(
        "fastest", 1e5, 1, game="continental", rules="continental-5", set={"recycles": 0}
    )
    rules = cs.load_rules("continental-5", set={"recycles": "0"})
    assert made == make_study(rules, ["fastest"], 1, 100_000)
    assert made.deals == 100_000
    assert type(made.deals) is int
    assert made.specs == ("fastest",) * 5


def test_a_study_is_changed_field_by_field():
    assert replace(STUDY, deals=8_000) == cs.Study("stock", 8_000, seed=7)
    assert replace(STUDY, seed=8) != STUDY


@pytest.mark.parametrize(
    "study",
    [
        STUDY,
        cs.Study(["fastest", "stock", "random", "outs"], 1e6, 3, set={"ace": "low", "jokers": 4}),
        cs.Study(game="basic-rummy", seed=2, deals=9, fixed_order=True),
        cs.Study(["fastest", "stock"], 48, 5, set={"seats": 2}, duplicate=True, first_deal=4),
    ],
    ids=repr,
)
def test_a_study_tells_how_it_is_made(study):
    assert eval(repr(study), {"Study": cs.Study}) == study  # noqa: S307 - our own text


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"lineup": "fastst"}, "there is no strategy 'fastst': did you mean fastest"),
        ({"deals": 0}, "deals = 0 is out of bounds: 1 to"),
        ({"deals": 1.5}, "deals = 1.5 is no whole number: play 1, or 2"),
        ({"deals": float("nan")}, "deals = nan is out of bounds"),
        ({"seed": -1}, "seed = -1 is out of bounds"),
        ({"rules": "continental-6"}, "unknown rules 'continental-6'"),
        ({"set": {"recycle": 0}}, "unknown rule key 'recycle' \\(did you mean 'recycles'\\?\\)"),
        ({"set": {"ace": 3}}, "ace = 3 is not allowed"),
        ({"game": "basic-rummy", "rules": "continental-5"}, "are of continental, not of basic-rum"),
        ({"lineup": ["fastest", "stock"]}, "2 strategies for 4 seats"),
    ],
)
def test_what_makes_no_sense_is_refused_when_it_is_given(given, told):
    with pytest.raises(cs.ContsimError, match=told):
        cs.Study(**given)


# -- Playing ---------------------------------------------------------------------------------------


def test_nothing_is_left_of_a_study_that_is_not_kept(room, kept):
    result = cs.simulate(STUDY)
    assert not list(room.iterdir())
    assert result.directory is None
    assert str(result) == str(kept)
    pd.testing.assert_frame_equal(result.to_pandas("openings"), kept.to_pandas("openings"))
    with pytest.raises(cs.ContsimError, match="there is no file 'records'"):
        result.to_pandas("records")


def test_a_kept_study_is_that_of_the_command_line(kept, tmp_path, capsys):
    line = f"run --deals {DEALS} --seed 7 -s stock --records --quiet --out {tmp_path / 'same'}"
    assert main(line.split()) == 0
    assert capsys.readouterr().out.strip() == str(kept)
    assert digests(tmp_path / "same") == digests(kept.directory)


def test_a_study_that_is_there_is_read_and_not_played(kept):
    before = digests(kept.directory)
    played = []
    again = cs.simulate(
        STUDY, out=kept.directory, records=True, progress=lambda *each: played.append(each)
    )
    assert not played
    assert str(again) == str(kept) == str(cs.open_study(str(kept.directory)))
    assert digests(kept.directory) == before


def test_more_deals_are_added(tmp_path):
    cs.simulate(replace(STUDY, deals=2_000), out=tmp_path / "grown")
    grown = cs.simulate(STUDY, out=tmp_path / "grown")
    cs.simulate(STUDY, out=tmp_path / "whole")
    assert grown.deals == DEALS
    assert digests(tmp_path / "grown") == digests(tmp_path / "whole")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"seed": 8}, "holds another study \\(seed = 7 against 8\\)"),
        ({"deals": 100}, "the study has 4,000 deals, 100 are fewer"),
        ({"fixed_order": True}, "fixed_order = false against true"),
    ],
)
def test_another_study_is_refused(kept, change, told):
    with pytest.raises(cs.ContsimError, match=told):
        cs.simulate(replace(STUDY, **change), out=kept.directory, records=True)


def test_another_rule_to_stop_is_refused(kept, tmp_path):
    with pytest.raises(cs.ContsimError, match="plays until no rule: give the same"):
        cs.simulate(STUDY, out=kept.directory, until="turns=1%")
    study = replace(STUDY, deals=40_000)
    first = cs.simulate(study, out=tmp_path / "until", until="turns=1%")
    assert first.deals < 40_000
    assert "known well enough" in first.summary.reason
    again = cs.simulate(study, out=tmp_path / "until", until=["turns=1%"])
    assert str(again) == str(first)
    with pytest.raises(cs.ContsimError, match=r"plays until turns=1%: give the same"):
        cs.simulate(study, out=tmp_path / "until")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"workers": 0}, "workers = 0 is out of bounds: 1 to 1024"),
        ({"level": 95}, "level = 95 is not between 0 and 1; write 0.95 for 95 %"),
        ({"max_time": 0}, "max_time = 0 is out of bounds"),
        ({"deal_timeout": float("nan")}, "deal_timeout = nan is out of bounds"),
        ({"until": "turns"}, "'turns' is no target: write METRIC=WIDTH"),
        ({"records": True}, "name a directory with out="),
    ],
)
def test_what_makes_no_sense_is_refused_before_play(room, given, told):
    with pytest.raises(cs.ContsimError, match=told):
        cs.simulate(STUDY, **given)
    assert not list(room.iterdir())


def test_a_strategy_that_fails_leaves_nothing_of_nothing(room, tmp_path):
    wrong = tmp_path / "wrong.py"
    wrong.write_text(
        '"""Wrong: throws what it does not hold."""\n\n\n'
        "def take_discard(view):\n    return False\n\n\n"
        "def choose_discard(view):\n    return 99\n",
        encoding="utf-8",
    )
    with pytest.raises(cs.StudyFailed, match="in deal 0, seat 0, turn 1"):
        cs.simulate(cs.Study(str(wrong), 400, 1))


# -- Ctrl-C ----------------------------------------------------------------------------------------


def ctrl_c(done, _):
    """Press Ctrl-C as soon as something is finished."""
    if done:
        signal.raise_signal(signal.SIGINT)


@pytest.fixture
def python_listens():
    """Ctrl-C does what it does in a session of Python."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_keeps_what_is_finished(python_listens, kept, tmp_path):
    out = tmp_path / "study"
    with pytest.raises(KeyboardInterrupt, match=r"stopped by Ctrl-C; .* of 4,000 deals are kept"):
        cs.simulate(STUDY, out=out, records=True, progress=ctrl_c)
    part = cs.open_study(out)
    assert 0 < part.deals < DEALS
    assert not part.complete
    assert "unfinished" in repr(part)
    assert f"Unfinished: {part.deals:,} of 4,000 deals are played" in part._repr_html_()
    assert part.to_pandas()["count"].sum() == part.deals
    assert str(cs.simulate(STUDY, out=out, records=True)) == str(kept)
    assert digests(out) == digests(kept.directory)


def test_ctrl_c_keeps_what_was_not_to_be_kept(python_listens, room, kept):
    with pytest.raises(cs.Interrupted) as stop:
        cs.simulate(STUDY, progress=ctrl_c)
    (left,) = room.iterdir()
    assert f"are kept in {left}; go on with contsim run --resume {left}" in str(stop.value)
    assert str(cs.simulate(STUDY, out=left)) == str(kept)


SESSION = """
import signal, sys, threading, time, os
import continental_sim as cs

def twice(done, _):
    if done:
        signal.raise_signal(signal.SIGINT)
        time.sleep(1.2)
        signal.raise_signal(signal.SIGINT)  # no echo: somebody is impatient
        print("not reached")

try:
    cs.simulate(cs.Study("stock", 4000, 7), out="study", progress=twice)
except KeyboardInterrupt:
    print("alive", cs.open_study("study").deals > 0)
"""


def test_an_impatient_ctrl_c_does_not_end_the_session(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", SESSION], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "alive True\n"


SCRIPT = """
import continental_sim as cs

print(cs.simulate(cs.Study("stock", 20_000, 1), workers=2).deals)
"""


def test_a_script_needs_no_guard_for_its_workers(tmp_path):
    # Long enough by `QUICKEST` it is not; so it is made so.
    script = tmp_path / "script.py"
    script.write_text(
        "from continental_sim.play import running\nrunning.WORKERS_PAY = 0\n" + SCRIPT,
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "20000\n"), done.stderr


# -- What is found ---------------------------------------------------------------------------------


def test_figures_have_the_names_of_until(kept):
    assert kept.figure("wins[0]") == kept.summary.players[0].wins
    assert kept.figure("exits.first_turn") == kept.summary.exits["first_turn"]
    assert isinstance(kept.figure("turns"), cs.Mean)
    with pytest.raises(cs.ContsimError, match="did you mean wins"):
        kept.figure("winz[0]")


def test_intervals_have_the_level(kept):
    wider = kept.with_level(0.999)
    assert wider.figure("turns").low < kept.figure("turns").low
    assert "99.9 %" in str(wider)
    with pytest.raises(cs.ContsimError, match="level = 1 is not between 0 and 1"):
        kept.with_level(1)


def test_frames_hold_what_the_files_hold(kept):
    assert kept.files == (
        "cube", "sessions", "duels", "openings", "faces", "behaviour", "records",
    )  # fmt: skip
    for name in kept.files:
        frame = kept.to_pandas(name)
        path = kept.directory / f"{name}.parquet"
        pd.testing.assert_frame_equal(
            frame, pd.read_parquet(path, dtype_backend="numpy_nullable"), check_names=False
        )
    assert (
        kept.to_pandas("records")["turns"].sum()
        == (kept.to_pandas()["turns"] * kept.to_pandas()["count"]).sum()
    )


def test_types_are_honest(kept):
    frame = kept.to_pandas()
    numbers = frame.drop(columns=["end", "kind", "patterns", "one_suit"])
    assert all(str(kind).startswith("Int") for kind in numbers.dtypes)
    assert str(frame["one_suit"].dtype) == "boolean"
    assert str(frame["kind"].dtype) == "category"
    rummy = cs.simulate(cs.Study(game="basic-rummy", deals=400, seed=1)).to_pandas()
    assert not any(np.issubdtype(k, np.floating) for k in rummy.dtypes if isinstance(k, np.dtype))


def test_arrow_tables_explain_themselves(kept):
    table = kept.to_arrow("cube")
    assert table.schema.equals(schema(kept._stored.files.cube), check_metadata=True)


@pytest.mark.parametrize("name", ["cubes", "manifest", ""])
def test_unknown_files_are_refused(kept, name):
    with pytest.raises(cs.ContsimError, match=r"there is no file .*(did you mean|there are cube,)"):
        kept.to_pandas(name)


def test_charts_leave_pyplot_alone(kept):
    from matplotlib.figure import Figure

    figure = kept.plot("payments")
    assert isinstance(figure, Figure)
    assert figure.axes[0].get_title("left")
    assert figure is not kept.plot("payments")
    assert figure._repr_png_().startswith(b"\x89PNG")
    pyplot = sys.modules.get("matplotlib.pyplot")
    assert pyplot is None or not pyplot.get_fignums()
    assert "payments" in kept.charts
    with pytest.raises(cs.ContsimError, match="no chart 'payment': did you mean 'payments'"):
        kept.plot("payment")


def test_a_notebook_shows_figures_and_no_markup_of_others(tmp_path):
    evil = "<script>alert(1)</script>"
    fake_study(tmp_path, lineup=(evil, "a&b", "stock", "stock"))
    shown = cs.open_study(tmp_path)._repr_html_()
    assert evil not in shown
    assert html.escape(evil) in shown
    assert "a&amp;b" in shown
    assert shown.count("<table") == shown.count("</table>") == 4
    assert "seed 7" in shown
    assert re.search(
        r"<th scope=\"row\">exit</th><td[^>]*>[\d,]+</td><td[^>]*>[\d.]+</td><td[^>]*>.* \.\. ",
        shown,
    )


def test_a_result_is_one_line(kept):
    assert repr(kept) == (
        f"<StudyResult: Continental, stock, 4,000 deals, seed 7, in {kept.directory}>"
    )


def test_notes_go_to_the_log(caplog, tmp_path):
    slow = tmp_path / "slow.py"
    slow.write_text(
        '"""Slow: sorts with a library."""\n\nimport heapq\n\n\n'
        "def take_discard(view):\n    return False\n\n\n"
        "def choose_discard(view):\n"
        "    return heapq.nlargest(1, [f for f in range(53) if view.hand[f] > 0])[0]\n",
        encoding="utf-8",
    )
    with caplog.at_level(logging.WARNING, logger="continental_sim"):
        cs.simulate(cs.Study(str(slow), 8, 1, set={"max_rounds": 3}))
    assert "strategy slow runs interpreted" in caplog.text


# -- The others ------------------------------------------------------------------------------------


def told_by(capsys, *line):
    assert main([*line, "--quiet"] if line[0] in {"compare", "whatif"} else [*line]) == 0
    return " ".join(capsys.readouterr().out.split())


def test_a_comparison_is_that_of_the_command_line(capsys, room, tmp_path):
    result = cs.compare(["fastest", "stock"], deals=1e2, seed=1)
    line = f"compare fastest stock --deals 100 --seed 1 --out {tmp_path / 'c'}"
    assert " ".join(str(result).split()) == told_by(capsys, *line.split())
    assert not list(room.iterdir())
    assert list(result.to_pandas()["one"]) == ["fastest"]
    assert repr(result) == "<ComparisonResult: fastest and stock, 100 packs>"
    assert html.escape(str(result)) in result._repr_html_()
    assert result.plot(result.charts[0]).axes
    again = cs.compare(["fastest", "stock"], deals=100, out=tmp_path / "c")
    assert str(again) == str(result)


def test_a_question_is_that_of_the_command_line(capsys, room, tmp_path):
    result = cs.whatif("ace=low", deals=400, seed=1, strategies="stock")
    line = f"whatif --set ace=low --deals 400 --seed 1 -s stock --out {tmp_path / 'w'}"
    assert told_by(capsys, *line.split()).endswith(" ".join(str(result).split()))
    assert not list(room.iterdir())
    frame = result.to_pandas()
    assert set(frame["of"]) == {"ace=low"}
    assert frame["difference.value"].notna().any()
    assert repr(result) == "<WhatifResult: ace=low, 400 deals of each>"
    assert result.plot(result.charts[0]).axes
    again = cs.whatif(["ace=low"], deals=400, out=tmp_path / "w", strategies=["stock"])
    assert str(again) == str(result)


def test_odds_are_those_of_the_game():
    odds = cs.exact_odds("basic-rummy")
    assert odds.no_meld.p == pytest.approx(0.5, abs=0.5)
    assert odds.rules == cs.load_rules(game="basic-rummy")
    assert cs.exact_odds(set={"jokers": 4}).rules.jokers == 4
    with pytest.raises(cs.ContsimError, match="unknown rules 'continentl'"):
        cs.exact_odds("continentl")


def test_a_deal_is_told_of_whatever_describes_it(kept):
    told = cs.replay(STUDY, 3)
    assert told.startswith("Deal 3 of seed 7\nseat 0: stock")
    assert told == cs.replay(kept, 3) == cs.replay(kept.directory, 3)
    assert told == cs.replay(kept.directory / "manifest.toml", 3, timeout=None)
    with pytest.raises(cs.ContsimError, match="deal -1 is negative"):
        cs.replay(STUDY, -1)
    with pytest.raises(cs.ContsimError, match="cannot read the study file nowhere/at all"):
        cs.replay(Path("nowhere") / "at all", 0)
