"""The page about size: its parts follow from the figures, and its chart is drawn from them."""

import copy
import json
import re
from math import comb, sqrt

import matplotlib as mpl
import pytest

from tests.script_files import load_script
from tests.statistical.test_exact import DEALT, GO_OUT

model = load_script("scale_model")
scale = load_script("scale_docs")
billion = load_script("billion_docs")


def process(wall, processor=None, memory=200.0):
    return {"wall": wall, "processor": processor or 2 * wall, "memory": memory}


def played(deals, wall, files):
    disk = {"size": 90_000, "records": 0, "most_files": files, "most_size": 400_000}
    return {"deals": deals, **process(wall), **disk}


# Two cores, 400,000 deals a second, 2 s to start; a block takes a core 1.25 s.
FIGURES = {
    "cores": 2,
    "versions": {"python": "3.11.7"},
    "strategy": "fastest",
    "scale": 1,
    "played": {
        "a": played(10**5, 1.5, 8),
        "b": played(10**6, 4.4, 20),
        "c": played(10**6, 4.6, 22),
        "d": played(10**7, 27.0, 30),
        "e": played(10**8, 252.0, 40),
    },
    "records": {"a": {**played(10**7, 30.0, 50), "records": 70_000_000}},
    "pairs": {
        "1": {"deals": 10**7, "one": process(50.0), "two": process(27.0)},
        "2": {"deals": 10**7, "one": process(54.0), "two": process(27.0)},
    },
    "overhead": {
        "1": {"deals": 10**7, "run": process(27.0, 52.0), "bare": process(25.0, 50.0)},
        "2": {"deals": 10**8, "run": process(254.5, 505.0), "bare": process(250.0, 500.0)},
    },
    "blocks": {
        "one": {
            "deals": 250_000,
            "play": 1.25,
            "task_size": 2_000,
            "result_size": 123_000,
            "records_size": 8_000_000,
            "keep": 0.0125,
            "keep_records": 0.1125,
        }
    },
    "cluster": {"dask": {"tasks": 2_000, "seconds": 4.0, "workers": 2}},
    "resume": {"f": {"deals": 10**9, "rows": 25_000, "size": 2_000_000, "walls": [1.2, 1.4, 1.3]}},
}


@pytest.fixture
def figures():
    return copy.deepcopy(FIGURES)


def rows_of(text):
    """Rows of all tables: first cell -> the others."""
    lines = [line[2:-2].split(" | ") for line in text.splitlines() if line.startswith("|")]
    return {first: others for first, *others in lines}


# --- The model --------------------------------------------------------------------------------


def test_a_line_is_found_again():
    line = model.fit((deals, 3 + deals / 500) for deals in (1e3, 1e5, 1e7))
    assert line.start == pytest.approx(3)
    assert line.rate == pytest.approx(500)


def test_each_point_of_a_line_counts_by_its_relative_error():
    exact = [(deals, 2 + deals / 1e6) for deals in (1e6, 1e7, 1e9)]
    late = [*exact[:2], (1e9, 1.1 * exact[2][1])]
    line = model.fit(late)
    assert line.seconds(1e6) == pytest.approx(3, rel=0.05)  # not drawn away by the largest


def test_a_line_needs_two_sizes():
    with pytest.raises(ValueError, match="two sizes"):
        model.fit([(10, 1.0), (10, 1.1)])


def test_the_limits_follow_from_what_was_timed(figures):
    found = model.Model(figures)
    assert found.line.start == pytest.approx(2, abs=0.01)
    assert found.core_rate == pytest.approx(200_000, rel=1e-3)
    assert found.block_seconds == pytest.approx(1.25, rel=1e-3)
    assert found.parent == pytest.approx(100, rel=1e-3)
    assert found.parent_with_records == pytest.approx(10, rel=1e-3)
    assert found.scheduler == pytest.approx(625, rel=1e-3)
    assert found.network() == pytest.approx(1_250, rel=1e-3)
    assert found.bytes_a_deal == 7
    assert found.gains == [pytest.approx(50 / 27), 2]
    assert found.overheads("processor") == {
        10**7: [pytest.approx(0.04)],
        10**8: [pytest.approx(0.01)],
    }


def test_more_cores_help_up_to_the_limit(figures):
    found = model.Model(figures)
    start = found.line.start
    play = {cores: found.seconds(1e12, cores) - start for cores in (2, 64, 128, 1024)}
    assert play[2] / play[64] == pytest.approx(32)
    assert play[2] / play[128] == pytest.approx(found.parent / 2)
    assert play[1024] == play[128]
    shared = found.seconds(1e12, 1024, shares=16) - start
    assert play[2] / shared == pytest.approx(512)
    figures["cluster"]["dask"]["seconds"] = 100.0  # now the scheduler holds 25 cores
    slow = model.Model(figures)
    assert slow.seconds(1e12, 1024, cluster=True) > 3 * slow.seconds(1e12, 1024)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.5, "0.5 s"), (119, "119 s"), (120, "2 min"), (9_000, "2.5 h"), (4e6, "46 days")],
)
def test_times_are_told_as_one_thinks_of_them(seconds, text):
    assert model.long_time(seconds) == text


# --- The parts --------------------------------------------------------------------------------


def test_sizes_are_shown_with_the_line(figures):
    text = scale.sizes(model.Model(figures))
    rows = rows_of(text)
    assert rows["1,000,000"][:3] == ["4.5", "4.4 to 4.6", "4.5"]
    assert rows["1,000,000"][6] == "22"
    assert rows["100,000"][2] == "not fitted"
    assert "](scale.svg)" in text
    assert "trial" not in text
    figures["scale"] = 0.1
    assert "trial" in scale.sizes(model.Model(figures))


def test_limits_are_kept_or_missed(figures):
    rows = rows_of(scale.kept_limits(model.Model(figures)))
    assert rows["two cores against one"][-1] == "kept"
    assert rows["overhead, 100,000,000 deals, processor time"][-2:] == ["at most 3 %", "kept"]
    assert rows["overhead, 10,000,000 deals, processor time"][-2:] == ["", ""]
    figures["pairs"] = {"1": {"deals": 10**7, "one": process(40.0), "two": process(27.0)}}
    figures["overhead"]["2"]["run"]["wall"] = 260.0
    figures["resume"]["f"]["walls"] = [1.0, 2.5, 2.6]
    rows = rows_of(scale.kept_limits(model.Model(figures)))
    assert rows["two cores against one"][-1] == "missed"
    assert rows["overhead, 100,000,000 deals, wall time"][-1] == "missed"
    assert rows["resuming a finished study of 1,000,000,000 deals"][-1] == "missed"


def test_a_machine_of_one_core_has_no_pair(figures):
    del figures["pairs"]
    figures["cores"] = 1
    assert "two cores against one" not in rows_of(scale.kept_limits(model.Model(figures)))


def test_machines_say_what_holds_them_up(figures):
    rows = rows_of(scale.machines(model.Model(figures)))
    assert rows["2 cores"][0] == "42 min"
    assert rows["2 cores"][-1] == "from the measured line"
    assert rows["64 cores"][-2:] == ["none", "computed"]
    assert rows["16 machines of 64 cores, one study over Dask"][-2] == "it plays like 100 cores"


def test_what_runs_out_is_in_order(figures):
    text = scale.runs_out(model.Model(figures))
    cores = [int(name.replace(",", "")) for name in rows_of(text) if name[0].isdigit()]
    assert len(cores) == 5
    assert cores == sorted(cores)
    assert "is: one process keeps all blocks, at 100 cores" in text
    assert "7 TB for 1e12 deals" in text
    assert "at most 1e15 deals" in text


def test_rare_rates_have_the_width_of_a_hundred_events(figures):
    rows = rows_of(scale.rare(model.Model(figures)))
    assert rows["1e9"] == ["42 min", "1e-7", "20 %", "3.7e-9"]


@pytest.mark.parametrize("missing", [None, "resume"])
def test_without_all_figures_nothing_is_told(figures, missing, tmp_path, monkeypatch):
    path = tmp_path / "scale.json"
    monkeypatch.setattr(scale, "FIGURES", path)
    if missing:
        del figures[missing]
        path.write_text(json.dumps(figures), encoding="utf-8")
    assert {write() for write in scale.PARTS.values()} == {scale.NOTHING}
    assert scale.fresh_chart() is None


# --- The chart --------------------------------------------------------------------------------


def test_the_chart_is_the_same_for_the_same_figures(figures):
    first = scale.chart(model.Model(figures))
    assert first == scale.chart(model.Model(figures))
    assert first.startswith("<svg")
    figures["played"]["e"]["wall"] = 253.0
    other = model.Model(figures)
    assert scale.fingerprint(other) not in first
    assert scale.fingerprint(other) in scale.chart(other)


def test_the_kept_chart_is_drawn_from_the_kept_figures():
    found = scale.figures()
    if found is None:
        assert not scale.CHART.exists(), "a chart without figures: run python scripts/docs.py"
        return
    kept = scale.CHART.read_text(encoding="utf-8")
    assert scale.fingerprint(model.Model(found)) in kept, "run python scripts/docs.py"
    # Other versions of matplotlib draw the same with other bytes.
    if f"matplotlib {mpl.__version__} " in kept:
        assert kept == scale.chart(model.Model(found)), "run python scripts/docs.py"
    if scale.FIGURES.exists():
        assert found["scale"] == 1


# --- The large study --------------------------------------------------------------------------


def estimate(count, trials):
    half = 2 * sqrt(max(count, 1)) / trials
    rate = count / trials
    return {"count": count, "trials": trials, "rate": rate, "low": rate - half, "high": rate + half}


@pytest.fixture
def told():
    deals = 10**8
    dealt = round(deals * DEALT)
    ledger = {"strategy": "fastest", "mean": 0.0005, "low": -0.0005, "high": 0.0015, "sd": 8.4}
    return {
        "complete": True,
        "lineup": ["fastest"] * 4,
        "rules_changed": [],
        "planned": deals,
        "block_deals": 250_000,
        "runs": [
            {"started": "2026-01-02T03:04:05", "seconds": 200.0, "deals": 6 * 10**7}
            | {"backend": "loky", "jobs": 2, "versions": {}},
            {"started": "2026-01-03T03:04:05", "seconds": 9_000.0, "deals": 4 * 10**7}
            | {"backend": "dask", "jobs": None, "versions": {}},
        ],
        "files": {"cube": 9_000, "sessions": 1_000},
        "size": 1_234_567,
        "summary": {
            "deals": deals,
            "seed": 1,
            "exits": {
                "dealt": estimate(4 * dealt, deals),
                "first_turn": estimate(1_300_000, deals),
                "later": estimate(98_000_000, deals),
            },
            "first_turn_by_seat": [estimate(300_000, deals)] * 4,
            "by_first_turn_by_seat": [estimate(300_000 + dealt, deals)] * 4,
            "one_suit": estimate(17_000, deals),
            "natural": estimate(289_000, deals),
            "payment": [{"payment": 3, "count": 3 * 10**7}, {"payment": 5, "count": 7 * 10**7}],
            "ledger": [ledger] * 4,
        },
    }


def test_the_large_study_is_compared_with_exact_values(told):
    chance = billion.DEALT
    assert chance == GO_OUT / comb(106, 15)
    assert chance == pytest.approx(DEALT, rel=1e-8)
    text = billion.study_text(told)
    rows = rows_of(text)
    assert rows["dealt exits of seat 0"][-2:] == ["3.17344830e-4", "+0.0"]
    assert rows["ledger of player 3 [points a deal]"][-2:] == ["0", "+1.0"]
    assert rows["payment [points an opponent]"][0].startswith("4.4")
    assert "1.2 MB and 10,000 rows" in text
    assert rows["2026-01-02"] == ["60,000,000", "3.3 min", "300,000", "loky, 2 workers"]
    sigma = sqrt(10**8 * DEALT)
    told["summary"]["by_first_turn_by_seat"][0] = estimate(
        told["summary"]["by_first_turn_by_seat"][0]["count"] - round(3 * sigma), 10**8
    )
    assert rows_of(billion.study_text(told))["dealt exits of seat 0"][-1] == "-3.0"


def test_nothing_is_exact_under_other_rules_or_with_other_players(told):
    told["rules_changed"] = ["recycles"]
    told["lineup"] = ["fastest", "stock", "fastest", "stock"]
    rows = rows_of(billion.study_text(told))
    assert rows["dealt exits of seat 0"][-2:] == ["", ""]
    assert rows["ledger of player 0 [points a deal]"][-2:] == ["", ""]


def test_a_large_study_that_was_not_played_is_said_so(tmp_path, monkeypatch, told):
    monkeypatch.setattr(billion, "FIGURES", tmp_path / "none.json")
    assert billion.billion() == billion.NOT_PLAYED
    told["complete"] = False
    assert "It is not finished" in billion.study_text(told)


def test_the_page_holds_no_figure_outside_its_parts():
    """Times and rates of this page come from a measurement, or they are not there."""
    text = (scale.DOCS / "scale.md").read_text(encoding="utf-8")
    outside = re.sub(r"<!-- generated: .*?<!-- end -->|```.*?```", "", text, flags=re.DOTALL)
    assert not re.findall(r"\d[\d,.]* (?:deals/s|MB|GB|ms|min|h|days)\b", outside)
