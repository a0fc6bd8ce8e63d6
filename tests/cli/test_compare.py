"""`contsim compare`."""

import json
import math

import numpy as np
import pytest

from continental_sim.cli.entry import main
from continental_sim.comparing import compare as comparing
from continental_sim.comparing.comparison import read_comparison
from continental_sim.files.manifest import COMPARISON
from continental_sim.files.store import read_study
from tests.tabletop import STRATEGIES

FOUR = ["fastest", "stock", "neighbours", "random"]


def compare(capsys, *line, status=0):
    assert main(["compare", *line]) == status
    return capsys.readouterr()


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    out = tmp_path_factory.mktemp("compare") / "four"
    assert main(["compare", *FOUR, "--deals", "300", "--seed", "5", "--out", str(out)]) == 0
    return out


def test_a_comparison_is_told_in_80_columns(capsys, played):
    assert main(["show", str(played)]) == 0
    told = capsys.readouterr().out
    assert all(len(line) <= 80 for line in told.splitlines())
    assert "300 packs at one table, each dealt again in 24 seatings: 7,200 deals" in " ".join(
        told.split()
    )
    places = [line.split()[:2] for line in told.splitlines() if line[:1].isdigit()][1:]
    assert places == [["1", "fastest"], ["2", "neighbours"], ["3", "stock"], ["4", "random"]]
    assert "All places are separated." in told


def test_the_figures_are_those_of_the_sessions(capsys, played):
    assert main(["show", str(played), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    study = read_study(played / "table-1")
    rows = study.cubes.sessions
    for each in found["standings"]:
        player = study.lineup.index(each["strategy"])
        mine = rows[rows["player"] == player]
        points = np.repeat(mine["ledger"], mine["count"]) / 24
        wins = np.repeat(mine["wins"], mine["count"]) / 24
        for values, told in ((points, each["ledger"]), (wins, each["wins"])):
            error = values.std(ddof=1) / math.sqrt(300)
            assert told["value"] == pytest.approx(values.mean())
            assert told["high"] - told["low"] == pytest.approx(2 * 1.967930 * error, rel=1e-6)
    assert sum(each["ledger"]["value"] for each in found["standings"]) == pytest.approx(0, abs=1e-9)
    assert len(found["pairs"]) == 6
    for pair in found["pairs"]:
        ahead = {each["strategy"]: each["ledger"]["value"] for each in found["standings"]}
        assert pair["ahead"]["value"] == pytest.approx(ahead[pair["one"]] - ahead[pair["other"]])
        assert pair["adjusted"] >= pair["p"]
        assert pair["gain"] == pytest.approx(pair["plain_deals"] / 7200)


def test_the_same_command_plays_nothing_twice_and_more_deals_extend(capsys, played):
    manifest = played / "table-1" / "manifest.toml"
    before = manifest.stat().st_mtime_ns
    line = [*FOUR, "--out", str(played)]
    compare(capsys, *line, "--deals", "300", "--seed", "5")
    assert manifest.stat().st_mtime_ns == before
    out = compare(capsys, *line, "--deals", "310", "--json").out  # the seed is that of before
    assert json.loads(out)["deals"] == 7440
    assert read_comparison(played).deals == 310


def test_another_comparison_is_refused(capsys, played):
    error = compare(capsys, *FOUR[::-1], "--out", str(played), "--deals", "10", status=2).err
    assert "holds another comparison (strategies: fastest, stock, neighbours, random" in error
    assert read_comparison(played).strategies == tuple(FOUR)


def test_one_strategy_under_two_names_is_identical_in_every_deal(capsys, tmp_path):
    copy = tmp_path / "copy.py"
    copy.write_text(main_text("fastest"), encoding="utf-8")
    line = ["fastest", str(copy), "--deals", "40", "--seed", "1", "--out", str(tmp_path / "out")]
    told = compare(capsys, *line).out
    assert "come out identical in every deal" in " ".join(told.split())
    found = json.loads(compare(capsys, *line, "--json").out)
    (pair,) = found["pairs"]
    assert pair["identical"]
    assert pair["ahead"] == {"value": 0.0, "low": None, "high": None}
    assert [each["places"] for each in found["standings"]] == [[1, 2], [1, 2]]


@pytest.mark.parametrize(
    ("other", "deals", "why"),
    [
        (
            *("stock", "1"),
            "the most, 1 pack, is played: differences without an interval, wanted ± 0.2",
        ),
        ("copy", "2", "told apart well enough: all are identical in every deal"),
    ],
)
def test_a_width_is_met_by_what_is_identical_and_not_by_what_is_unknown(
    capsys, tmp_path, other, deals, why
):
    (tmp_path / "copy.py").write_text(main_text("fastest"), encoding="utf-8")
    other = str(tmp_path / "copy.py") if other == "copy" else other
    line = ["fastest", other, "--until", "0.2", "--max-deals", deals, "--seed", "1", "--json"]
    found = json.loads(compare(capsys, *line, "--out", str(tmp_path / "out")).out)
    assert found["reason"] == why


def main_text(name):
    from continental_sim.strategy import find_strategy

    return find_strategy(name).text


def test_who_sits_behind_a_careless_thrower_gains_nothing(capsys, tmp_path):
    # Three alike and one that throws anything: turning the table alone would favour one of them.
    copies = []
    for name in ("one", "two", "three"):
        copies.append(str(tmp_path / f"{name}.py"))
        (tmp_path / f"{name}.py").write_text(main_text("fastest"), encoding="utf-8")
    line = [*copies, "random", "--deals", "30", "--seed", "2", "--json", "-q"]
    found = json.loads(compare(capsys, *line, "--out", str(tmp_path / "out")).out)
    alike = [pair for pair in found["pairs"] if "random" not in (pair["one"], pair["other"])]
    assert len(alike) == 3
    assert all(pair["identical"] for pair in alike)


def test_a_field_and_all_tables(capsys, tmp_path):
    line = ["stock", "neighbours", "--field", "fastest", "--deals", "150", "--seed", "4", "--json"]
    found = json.loads(compare(capsys, *line, "--out", str(tmp_path / "field")).out)
    assert found["lineups"] == [[one, *["fastest"] * 3] for one in ("stock", "neighbours")]
    assert found["standings"][0]["strategy"] == "fastest"
    unmet = next(pair for pair in found["pairs"] if "fastest" not in (pair["one"], pair["other"]))
    assert unmet["gain"] is None
    assert unmet["ahead"]["low"] < unmet["ahead"]["value"] < unmet["ahead"]["high"]

    line = ["stock", "fastest", "--all", "--deals", "20", "--seed", "4", "--json"]
    found = json.loads(compare(capsys, *line, "--out", str(tmp_path / "all")).out)
    assert len(found["lineups"]) == 3
    assert (
        len({(tmp_path / "all" / f"table-{k}" / "cube.parquet").stat().st_ino for k in (1, 2, 3)})
        == 3
    )


def test_other_seats_and_rules(capsys, tmp_path):
    line = [
        "fastest",
        "stock",
        "--seats",
        "5",
        "--set",
        "recycles=0",
        "--deals",
        "30",
        "--seed",
        "1",
    ]
    found = json.loads(compare(capsys, *line, "--json", "--out", str(tmp_path / "five")).out)
    assert [sorted(set(map(each.count, each))) for each in found["lineups"]] == [[2, 3], [2, 3]]
    assert found["standings"][0]["strategy"] == "fastest"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (["fastest"], "1 strategy is too few"),
        (["fastest", "nobody"], "nobody"),
        (["fastest", "stock", "--deals", "0"], "0"),
        ([str(STRATEGIES / "script.py"), str(STRATEGIES / "missing.py")], "missing"),
    ],
)
def test_what_cannot_be_compared_is_refused(capsys, tmp_path, line, words):
    error = compare(capsys, *line, "--out", str(tmp_path / "out"), status=2).err
    assert words in error
    assert not (tmp_path / "out").exists()


def test_a_damaged_comparison_is_told(capsys, tmp_path):
    (tmp_path / COMPARISON).write_text("format = 9\n", encoding="utf-8")
    assert main(["show", str(tmp_path)]) == 2
    assert "is damaged, or of another version" in " ".join(capsys.readouterr().err.split())


def test_it_plays_until_differences_are_known_so_well(capsys, tmp_path):
    line = ["fastest", "stock", "--until", "0.08", "--seed", "3", "--json"]
    found = json.loads(compare(capsys, *line, "--out", str(tmp_path / "out")).out)
    (pair,) = found["pairs"]
    assert (pair["ahead"]["high"] - pair["ahead"]["low"]) / 2 <= 0.08
    assert found["reason"].startswith("told apart well enough: differences to ± 0.0")
    assert found["level"] == 0.95
    again = json.loads(compare(capsys, *line, "--out", str(tmp_path / "out")).out)
    assert again["packs"] == found["packs"]
    wide = ["fastest", "stock", "--until", "0.0001", "--max-deals", "1500", "--seed", "3"]
    told = compare(capsys, *wide, "--out", str(tmp_path / "most")).out
    assert "Ended: the most, 1,500 packs, are played: differences to" in " ".join(told.split())


def test_it_plays_until_all_are_separated_at_a_level_that_holds_at_all_looks(capsys, tmp_path):
    line = ["fastest", "stock", "neighbours", "random", "--until", "separated", "--seed", "3"]
    out = str(tmp_path / "out")
    found = json.loads(compare(capsys, *line, "--json", "--out", out).out)
    assert found["reason"] == "told apart well enough: 6 of 6 pairs are separated"
    assert all(pair["adjusted"] < 1 - found["level"] for pair in found["pairs"])
    assert found["level"] == pytest.approx(1 - 0.05 * 6 / math.pi**2)  # the first look did
    assert main(["show", out, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["pairs"] == found["pairs"]


def test_a_look_that_the_time_cut_short_separates_nothing(capsys, tmp_path, monkeypatch):
    # Else whoever plays on again and again with a little time would spend one chance many times.
    play_to = comparing._Tables._play_to
    line = ["fastest", "random", "--until", "separated", "--max-time", "60", "--seed", "3"]
    out = str(tmp_path / "out")
    with monkeypatch.context() as cut:
        cut.setattr(comparing._Tables, "_play_to", lambda self, packs: play_to(self, packs // 20))
        told = compare(capsys, *line, "--out", out).out
    assert "Ended: the time of 60 seconds was over: 1 of 1 pair is separated." in told
    told = compare(capsys, *line, "--out", out).out
    assert "Ended: told apart well enough: 1 of 1 pair is separated." in told


def test_deals_without_an_exit_are_told(capsys, tmp_path):
    line = ["fastest", "stock", "--deals", "50", "--seed", "1", "--set", "max_rounds=4"]
    out = str(tmp_path / "out")
    told = compare(capsys, *line, "--out", out).out
    found = json.loads(compare(capsys, *line, "--json", "--out", out).out)
    cube = read_study(tmp_path / "out" / "table-1").cubes.cube
    assert found["capped"] == cube["count"][cube["end"] == 2].sum() > 0
    assert found["drawn"] == 0
    assert f"{found['capped']} deals (" in told
    assert "had to stop at max_rounds: nobody is paid there." in told
    assert "drawn" not in told


def test_time_ends_it_as_well(capsys, tmp_path):
    line = ["fastest", "stock", "--max-time", "1s", "--seed", "3", "--json"]
    found = json.loads(compare(capsys, *line, "--out", str(tmp_path / "out")).out)
    assert found["reason"] == "the time of 1 second was over"
    assert found["packs"] * 6 <= found["deals"]


@pytest.mark.parametrize("goal", ["0", "-1", "nan", "inf", "apart"])
def test_a_goal_that_is_none_is_refused(capsys, tmp_path, goal):
    line = ["fastest", "stock", f"--until={goal}", "--out", str(tmp_path / "out")]
    assert f"--until {goal} is no goal" in compare(capsys, *line, status=2).err


def test_all_tables_make_a_game_of_choosing_strategies(capsys, tmp_path):
    out = str(tmp_path / "out")
    line = ["fastest", "stock", "random", "--all", "--seats", "3", "--deals", "40", "--seed", "4"]
    told = " ".join(compare(capsys, *line, "--out", out).out.split())
    assert "fastest is ahead of every other one" in told
    assert "Among players of stock a player of fastest earns most, 1" in told
    assert "ahead of every other one; its least lead is" in told
    game = json.loads(compare(capsys, *line, "--json", "--out", out).out)["metagame"]
    assert game["best_responses"] == ["fastest"] * 3
    assert game["unbeaten"] == "fastest"
    assert [share["value"] for share in game["mixture"]] == pytest.approx([1, 0, 0], abs=0.01)
    assert game["exploitable"] < 0.05
    assert game["margin"]["low"] > 0
    duels = read_study(tmp_path / "out" / "table-1").cubes.duels
    assert read_comparison(tmp_path / "out").lineups[0].lineup == ("fastest", "fastest", "stock")
    # What one player of stock earns among two of fastest, by the file of that table.
    rows = duels[(duels["player"] == 2) & (duels["opponent"] == 2)]
    mean = (rows["lead"] * rows["count"]).sum() / rows["count"].sum() / 3
    assert game["alone"][1][0]["value"] == pytest.approx(mean)


def test_one_table_is_no_game(capsys, played):
    assert main(["show", str(played), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["metagame"] is None


def test_two_goals_are_refused(capsys, tmp_path):
    line = ["fastest", "stock", "--until", "0.05", "--until", "separated"]
    error = compare(capsys, *line, "--out", str(tmp_path / "out"), status=2).err
    assert "--until 0.05 and --until separated" in error
