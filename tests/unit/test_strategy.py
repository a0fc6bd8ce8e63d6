"""Strategy files: found, compiled or interpreted, with their knobs."""

import gc
import importlib.util
import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from continental_sim import players, strategy
from continental_sim.engine import play_block
from continental_sim.errors import ContsimError, StudyFailed
from continental_sim.kernels import memory, records
from continental_sim.play.means import Means, Watcher
from continental_sim.play.prepare import prepare
from continental_sim.players import load_interpreted, load_player
from continental_sim.strategy import find_strategy, make_strategy
from continental_sim.study import make_study
from tests.strategy_files import source, stopped
from tests.tabletop import (
    DEFAULT,
    STRATEGIES,
    rules_with,
    study_of,
    table_of,
)

# --- Compiled and interpreted --------------------------------------------------------------------

TWINS = [
    *("fastest", "stock", "neighbours", "random", "watchful.py", "pile.py", "highest.py"),
    *("outs", "natural", "banker", "suit_hunter", "defender"),
]


@pytest.mark.parametrize("spec", TWINS)
def test_an_interpreted_strategy_plays_as_its_compiled_twin(spec):
    rules = rules_with("max_rounds=15")
    study = study_of(rules, spec, 8, seed=66)
    assert not load_player(study.lineup[0]).foreign
    compiled = play_block(study, 0, 8)
    interpreted = play_block(study, 0, 8, load=load_interpreted)
    assert interpreted.outcomes.tolist() == compiled.outcomes.tolist()
    np.testing.assert_array_equal(interpreted.behaviour, compiled.behaviour)
    np.testing.assert_array_equal(interpreted.faces, compiled.faces)


@pytest.mark.parametrize(
    "addition",
    [
        "\n\nimport json\n\nTABLE = json.loads('[1, 2]')\n",
        "\n\nclass Memory:\n    seen = 0\n",
        "\n\nimport collections.abc\n",
    ],
)
def test_a_file_that_cannot_be_compiled_plays_as_its_twin(addition):
    text = (STRATEGIES / "watchful.py").read_text(encoding="utf-8")
    rules = rules_with("max_rounds=10")
    twin = make_strategy("twin.py", "twin", text + addition)
    player = load_player(twin)
    assert player.foreign
    assert "(line " in player.reason
    study = make_study(rules, [twin, *[find_strategy("stock")] * 3], 67, 8)
    assert play_block(study, 0, 8).outcomes.tolist() == (
        play_block(
            study_of(rules, ["watchful.py", *["stock"] * 3], 8, seed=67), 0, 8
        ).outcomes.tolist()
    )


def test_the_user_is_told_that_a_strategy_runs_interpreted_and_why():
    said = []
    text = source(
        "return first_held(view)", head="import json\nfrom continental_sim.api import *\n\n\n"
    )
    prepare(
        make_study(DEFAULT, [make_strategy("slow.py", "slow", text)], 1, 4),
        Means(),
        Watcher(say=said.append),
    )
    (sentence,) = [words for words in said if "interpreted" in words]
    assert "slow" in sentence
    assert "it imports json (line 1)" in sentence
    assert "times slower" in sentence


def test_an_interpreted_module_is_loaded_afresh_for_each_block():
    text = source(
        "SEEN.append(1)", "return first_held(view) if len(SEEN) < 400 else 99",
        head="import json\nfrom continental_sim.api import *\n\nSEEN = []\n\n\n",
    )  # fmt: skip
    rules = rules_with("max_rounds=50", "seats=2")
    study = make_study(rules, [make_strategy("full.py", "full", text)], 1, 20)
    for _ in range(4):  # 200 discards each: what it has seen must not pile up
        play_block(study, 0, 2)
    with pytest.raises(StudyFailed):
        play_block(study, 0, 20)


def test_threads_may_load_at_once():
    # CPython's parser fails if another one begins in the midst of it, as it may when the collector
    # of garbage runs: here it does so often, and gives way to other threads.
    class Yields:
        def __init__(self):
            self.me = self

        def __del__(self):
            time.sleep(1e-5)

    def load(_):
        Yields()
        return load_player(made, fresh=True)

    made = make_strategy("many.py", "many", source("return 0", head="import json\n"))
    before = gc.get_threshold()
    gc.set_threshold(5)
    try:
        with ThreadPoolExecutor(4) as pool:
            players = list(pool.map(load, range(100)))
    finally:
        gc.set_threshold(*before)
    assert all(player.foreign for player in players)


def test_an_interpreted_strategy_does_not_hide_a_module_of_the_same_name():
    text = source(
        "return first_held(view)", head="import csv\nfrom continental_sim.api import *\n\n\n"
    )
    load_player(make_strategy("json.py", "json", text))
    assert sys.modules["json"] is json


# --- Knobs ---------------------------------------------------------------------------------------


def test_knobs_change_play_and_are_not_frozen_by_the_cache():
    # SPEED: PATIENCE=5 got the cached answer of PATIENCE=3. Here the knob is the face thrown first.
    text = "FACE = 3\n" + source("return FACE if view.hand[FACE] > 0 else first_held(view)")
    rules = rules_with("max_rounds=1")
    with_knob = {}
    for _ in range(2):
        for knob in ("", "FACE=40", "FACE=51"):
            made = make_strategy(f"k:{knob}", "k", text, knob)
            study = make_study(rules, [made], 68, 40)
            with_knob.setdefault(knob, []).append(play_block(study, 0, 40).faces[:, 1].tolist())
    assert all(first == second for first, second in with_knob.values())
    thrown = {knob: faces[0] for knob, faces in with_knob.items()}
    assert thrown["FACE=40"][40] > thrown[""][40]
    assert thrown["FACE=51"][51] > thrown[""][51]


@pytest.mark.parametrize(
    ("text", "settings", "expected"),
    [
        ("A = 1; B = 2\n", "A=100,B=3", "A = 100; B = 3\n"),
        ("# é\u2028\f\nA = (\n    -1\n)\n", "A=7", "# é\u2028\f\nA = (\n    7\n)\n"),
        ("A = -1  # é\n", "A=2.5", "A = 2.5  # é\n"),
        ("A = True\n", "A=False", "A = False\n"),
        ("A = 1e3\n", "A=-1e-3", "A = -0.001\n"),
    ],
)
def test_knobs_are_written_where_they_stand(text, settings, expected):
    made = make_strategy("k", "k", text + source("return 0"), settings)
    written = players.with_knobs(made, players.read_contract(made.text, "k.py"))
    assert written == expected + source("return 0")


def test_helpers_see_knobs_too():
    text = "FACE = 51\n" + source(
        "return late(view)", more="\n\ndef late(view):\n    return FACE\n"
    )
    _, message = stopped(text.replace("FACE = 51", "FACE = 77"))
    assert "threw card 77" in message


@pytest.mark.parametrize(
    ("spec", "parts"),
    [
        ("neighbours:WANTD=3", ["no knob 'WANTD'", "did you mean WANTED?"]),
        ("neighbours:XYZ=3", ["no knob 'XYZ'", "WANTED", "PAIR"]),
        ("fastest:XYZ=3", ["no knob 'XYZ'", "it has none"]),
        ("neighbours:WANTED=many", ["WANTED", "'many'", "WANTED=3"]),
        ("neighbours:WANTED=", ["knob WANTED of neighbours needs a number"]),
        ("neighbours:WANTED", ["knob WANTED of neighbours needs a number"]),
        ("fastets", ["no strategy 'fastets'", "did you mean fastest?"]),
        ("qqqqqq", ["no strategy 'qqqqqq'", "contsim strategies list"]),
        ("no/such.py", ["cannot read the strategy file no/such.py", "; see `contsim strategies"]),
        ("strategies/", ["strategies/ is a directory", "such as strategies/banker.py"]),
        ("strategies/fastest", ["no strategy file", "did you mean strategies/fastest.py?"]),
        ("strategies/fastets.py", ["No such file", "did you mean strategies/fastest.py?"]),
        ("/etc/passwd", ["/etc/passwd is no strategy file, whose name ends in .py"]),
    ],
)
def test_a_wrong_spec_is_refused_in_one_sentence(monkeypatch, spec, parts):
    monkeypatch.chdir(strategy.shipped_directory().parent)
    with pytest.raises(ContsimError) as refusal:
        find_strategy(spec)
    for part in parts:
        assert part in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_file_that_is_no_text_is_refused(monkeypatch, tmp_path):
    path = tmp_path / "odd.py"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ContsimError, match="not UTF-8"):
        find_strategy(str(path))
    with pytest.raises(ContsimError, match=r"is a directory, .* such as \S+odd\.py"):
        find_strategy(str(tmp_path / "."))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ContsimError, match=r"no strategy 'odd': did you mean odd\.py\?"):
        find_strategy("odd")


# --- Where they are found ------------------------------------------------------------------------


def test_a_users_own_strategy_goes_before_a_shipped_one(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    shipped = find_strategy("fastest").text
    (tmp_path / "strategies").mkdir()
    mine = tmp_path / "strategies" / "fastest.py"
    mine.write_text(source("return first_held(view)"), encoding="utf-8")
    (tmp_path / "strategies" / "_hidden.py").write_text("x", encoding="utf-8")
    assert find_strategy("fastest").text == mine.read_text(encoding="utf-8")
    assert find_strategy("stock").text != shipped
    assert "_hidden" not in strategy.known_files()


def test_entry_points_add_strategies(monkeypatch, tmp_path):
    package = tmp_path / "their_strategies.py"
    package.write_text(source("return first_held(view)"), encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert importlib.util.find_spec("their_strategies")

    class Point:
        name, module = "theirs", "their_strategies"

    monkeypatch.setattr(strategy.importlib.metadata, "entry_points", lambda group: [Point])
    assert find_strategy("theirs").text == package.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "path", sorted(strategy.shipped_directory().glob("*.py")), ids=lambda p: p.stem
)
def test_a_shipped_strategy_keeps_the_contract(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= (160 if path.stem == "champion" else 80)  # it has 24 knobs
    made = find_strategy(path.stem)
    for part in ("Uses:", "Ignores:", "Provenance:"):
        assert part in text
    assert made.summary.lower().startswith(path.stem)
    player = load_player(made)
    assert not player.foreign
    # It plays under rules at the edges: two seats, seven, one pack, no wild cards, cards that may
    # not go back, an ace that is only high.
    for changes in (
        ("seats=2", "recycles=0"), ("seats=7", "max_rounds=30"), ("return_taken=forbid",),
        ("packs=1", "seats=3", "jokers=0", "deuces_wild=false", "max_rounds=40"),
        ("ace=high", "wild_discard_takeable=false"),
    ):  # fmt: skip
        play_block(study_of(rules_with(*changes), path.stem, 40, seed=69), 0, 40)


def test_a_new_strategy_plays_as_it_is(tmp_path):
    path = strategy.new_strategy("mine", tmp_path)
    made = find_strategy(str(path))
    assert made.summary.startswith("mine")
    assert not load_player(made).foreign
    play_block(make_study(DEFAULT, [made], 70, 40), 0, 40)


def test_no_record_has_a_field_that_numpy_hides():
    # Interpreted, `record.size` would be numpy's own attribute, and not the field of that name.
    for name in ("SEAT", "PUBLIC", "GAME", "RULES"):
        fields = set(getattr(records, name).names)
        read = fields - {"round"}  # written by name, read by key alone
        assert not [field for field in read if hasattr(np.record, field)], name


def test_addresses_are_forgotten_with_their_table():
    before = set(memory._REGISTER)
    with table_of(DEFAULT, "stock"):
        assert len(set(memory._REGISTER) - before) >= 5
    assert set(memory._REGISTER) - before == set()
