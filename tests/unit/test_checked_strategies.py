"""What `contsim strategies check` finds: each check fails for a strategy that it is made for."""

import os
import re
import shlex
import signal
import time
from dataclasses import replace

import numpy as np
import pytest

from continental_sim.authors import check, legality, purity, repeats, speed
from continental_sim.authors.edges import SEED, Setup, checked_rules, deadlines, setups
from continental_sim.authors.moments import deal_to, next_seat
from continental_sim.cli import main
from continental_sim.engine import load_players, table_for
from continental_sim.interrupts import Interrupted
from continental_sim.kernels import turns
from continental_sim.kernels.timing import ask_often
from continental_sim.rules import as_settings, differences, load_rules, preset_names, rule_keys
from continental_sim.rules import with_settings as changed
from continental_sim.strategy import find_strategy
from tests.checked import LONG, MODULES, SHORT, alone, made, refused
from tests.strategy_files import HEAD, source
from tests.tabletop import DEFAULT, RUMMY, rules_with, strategy

# --- Edges ---------------------------------------------------------------------------------------


def test_the_edges_touch_every_rule_of_basic_rummy():
    edges = checked_rules(RUMMY)[1:]
    touched = {name for each in edges for name in differences(RUMMY, each)}
    assert touched == set(rule_keys(type(RUMMY)))
    assert {2, 3, 4, 5, 6} == {each.seats for each in edges}
    assert {0, 1, None} == {each.recycles for each in edges}
    assert any(each.stock_size == 1 for each in edges)


def test_the_edges_touch_every_rule():
    edges = checked_rules(DEFAULT)[1:]
    touched = {name for each in edges for name in differences(DEFAULT, each)}
    assert touched == set(rule_keys())
    assert {2, 3, 5, 7, 12} <= {each.seats for each in edges}
    assert {1, 2, 4} <= {each.packs for each in edges}
    assert {"low", "high", "both", "wrap"} == {each.ace for each in edges}
    assert {0, 1, 100} <= {each.pay_exit for each in edges}
    assert any(each.wilds == 0 for each in edges)
    assert any(each.stock_size == 0 for each in edges)


def test_the_rules_given_come_first_alone_and_beside_random_players():
    given = rules_with("seats=5", "max_rounds=12", "pay_exit=3")
    tables = setups(strategy("fastest"), given)
    assert [each.rules for each in tables[:2]] == [given, given]
    assert len(tables) == 2 * len(checked_rules(given))
    assert tables[0].study(4).specs == ("fastest",) * 5
    assert tables[1].study(4).specs == ("fastest", "random", "fastest", "random", "fastest")
    assert all(each.rules.max_rounds <= 40 for each in tables)


@pytest.mark.parametrize(
    "rules", [*checked_rules(DEFAULT), *checked_rules(RUMMY), *map(load_rules, preset_names())]
)
def test_settings_make_the_rules_again(rules):
    settings = as_settings(rules)
    assert not any(" " in each for each in settings)
    assert changed(type(rules)(), settings) == rules


def test_time_that_a_task_leaves_is_for_those_after_it():
    begun = time.perf_counter()
    shares = deadlines(8.0, 4)
    assert next(shares) - begun == pytest.approx(2, abs=0.1)
    assert next(shares) - begun == pytest.approx(8 / 3, abs=0.1)
    assert next(shares) - begun == pytest.approx(4, abs=0.1)


# --- Legal cards ---------------------------------------------------------------------------------


FORBIDDEN = "which it had just taken (return_taken = forbid)"


@pytest.mark.parametrize(
    ("thrown", "part", "settings"),
    [
        ("view.taken if view.taken >= 0 else first_held(view)", FORBIDDEN, "return_taken=forbid"),
        ("first_held(view) if view.stock_size else 99", "threw card 99", ""),
        ("first_held(view) if view.recycles < 2 else 99", "threw card 99", ""),
        ("first_held(view) if view.seats < 12 else 99", "threw card 99", "seats=12"),
        ("first_held(view) if view.seats > 2 else 99", "threw card 99", "seats=2"),
        ("first_held(view) if view.copies[0] < 4 else 99", "threw card 99", "packs=4"),
        ("first_held(view) if view.copies[0] > 1 else 99", "threw card 99", "packs=1"),
        ("first_held(view) if not view.groups else 99", "threw card 99", "melds=groups"),
        ("first_held(view) if view.wild[1] else 99", "threw card 99", "wild_ranks="),
        ("first_held(view) + 0 // view.pay_exit", "ZeroDivisionError", "pay_exit=0"),
        ("first_held(view) if not view.wild[12] else 99", "threw card 99", "wild_ranks=5,K"),
        ("first_held(view) if view.ace != 3 else 99", "threw card 99", "ace=wrap"),
        ("first_held(view) if view.hand_size > 3 else 99", "threw card 99", "hand_size=3"),
        ("first_held(view) if not view.must_exit else 99", "threw card 99", "exit_mandatory=true"),
    ],
)
def test_an_illegal_card_under_other_rules_is_found(thrown, part, settings):
    take = "def take_discard(view):\n    return view.upcard % 2 == 0\n\n\n"
    tables = setups(made(f"return {thrown}", take=take), DEFAULT)
    told = refused(legality.play_legally, tables, 2000, LONG)
    assert told.startswith("strategy mine.py (player ")
    assert part in told
    assert re.search(r", in deal \d+, seat \d+, turn \d+; ", told)
    assert settings in told.partition("; ")[2]


def test_cards_that_only_others_throw_are_met():
    # Nobody here throws a wild card: beside random players they come.
    mine = made(
        "if view.pile_size > 1 and is_wild(view, view.upcard):", "    return 99",
        "return best_discard(view)",
        take="def take_discard(view):\n    return distance_with(view, view.upcard)"
        " < distance(view)\n\n\n",
    )  # fmt: skip
    tables = setups(mine, DEFAULT)
    legality.play_legally(tables[:1], 400, LONG)
    assert "-s random" in refused(legality.play_legally, tables[1:2], 400, LONG)


def test_the_command_of_a_failure_leads_to_the_deal(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    text = source("return first_held(view) if view.hand[52] < 2 else 77")
    (tmp_path / "my file.py").write_text(text)
    setup = Setup(
        rules_with("return_taken=forbid", "wild_ranks=5,K"), (find_strategy("my file.py"),)
    )
    told = refused(legality.play_legally, [setup], 100, LONG)
    place = re.search(r"in deal (\d+), seat \d+, turn \d+", told)
    _, *words = shlex.split(told.rpartition(": ")[2])
    assert main([*words, "--jobs", "1", "--quiet", "--out", "failed"]) == 1
    err = capsys.readouterr().err
    assert int(place[1]) > 0
    assert place[0] in err
    _, *words = shlex.split(re.search(r"contsim replay \S+ --deal \d+", err)[0])
    assert words[-1] == place[1]
    assert main(words) == 0
    assert "stopped: strategy" in capsys.readouterr().out


def test_what_is_slow_is_played_as_long_as_the_time_allows():
    slow = made("time.sleep(0.002)", "return first_held(view)", head="import time\n" + HEAD)
    begun = time.perf_counter()
    found = legality.play_legally(alone(slow), 3000, 0.4)
    assert time.perf_counter() - begun < 5
    assert 3 <= found.deals < 3000
    assert found.setups >= 1
    told = check._played("legal", "so much", replace(found, setups=2), [0] * 3, 3000).text
    assert " of 3,000 deals at 2 of 3 tables, as " in told


def test_progress_is_told_and_ctrl_c_is_heard():
    told = []
    legality.play_legally(alone(strategy("fastest")), 3000, LONG, lambda *done: told.append(done))
    assert told[-1] == (3000, 3000)
    assert len(told) > 4

    pressed = []

    def press(done, total):
        pressed.append(done)
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(Interrupted):
        check.check_strategy("fastest", SHORT, check.Effort.of(400), press)
    assert len(pressed) == 1


@pytest.mark.parametrize(
    ("ask", "endless", "words"),
    [
        (repeats.play_again, "view.turn == 2", ", and may never do so; see it again"),
        # Only Python's numbers have room for this.
        (repeats.play_interpreted, "(view.seats << 62) > 0", " when it is interpreted, and may"),
        # In order, nobody's turns leap.
        (
            purity.ask_again,
            "view.turn > LAST[0] + 1",
            " out of their order, with other hidden cards, and may",
        ),
    ],
)
def test_no_check_waits_for_ever(monkeypatch, ask, endless, words):
    monkeypatch.setattr(legality, "DEAL_LIMIT", 0.4)
    monkeypatch.setattr(legality, "OTHERWISE", 2)
    kept = "LAST" in endless
    lines = ["while " + endless + ":", "    pass", *(["LAST[0] = view.turn"] if kept else [])]
    mine = made(*lines, "return first_held(view)", head=MODULES + "LAST = [0]\n" if kept else HEAD)
    told = refused(ask, alone(mine), 12, LONG)
    assert re.search(r"did not answer within 0.[48] s of the deal's start, in deal \d+", told)
    assert words in told


# --- The same again ------------------------------------------------------------------------------


def test_dice_of_its_own_are_found():
    mine = made("return first_held(view) if os.urandom(1)[0] % 2 else best_discard(view)",
                head="import os\n" + HEAD)  # fmt: skip
    told = refused(repeats.play_again, alone(mine), 40, LONG)
    assert "otherwise the second time: it may use the view" in told


def test_what_is_kept_from_deal_to_deal_is_found():
    text = ["if view.turn == 1:", "    DEALS.append(view.seat)",
            "return first_held(view) if len(DEALS) > 9 else best_discard(view)"]  # fmt: skip
    mine = made(*text, head=MODULES + "DEALS = []\n")
    told = refused(repeats.play_again, alone(mine), 80, LONG)
    assert "otherwise when other deals are played before" in told
    assert re.search(r"deal \d\d otherwise", told)


def test_deals_that_end_alike_are_compared_card_by_card():
    setup = alone(strategy("fastest"), rules_with("max_rounds=1"))[0]
    span = legality.Span(0, 8)
    once = legality.play(setup, span)
    faces = once.faces.copy()
    faces[3:5, 1] += [1, -1]
    told = refused(repeats._compare, setup, span, once, replace(once, faces=faces), "plays {deals}")
    assert "fastest plays some of deals 0 to 7" in told
    repeats._compare(setup, span, once, legality.play(setup, span), "")


def test_numbers_that_overflow_are_found_under_the_rules_where_they_do():
    mine = made("if (view.seats << 60) > 0:", "    return best_discard(view)",
                "return first_held(view)")  # fmt: skip
    tables = setups(mine, DEFAULT)
    repeats.play_interpreted(tables[:2], 16, LONG)
    told = refused(repeats.play_interpreted, tables, 72, LONG)
    assert "otherwise when it is interpreted" in told
    assert "--set seats=12" in told


@pytest.mark.parametrize("spec", ["random", "watchful.py"])
def test_deals_played_again_go_alike(spec):
    tables = alone(strategy(spec), SHORT, rules_with("next_dealer=winner", "max_rounds=8"))
    found = repeats.play_again(tables, 60, LONG)
    assert (found.deals >= 60, found.setups) == (True, 2)
    assert repeats.play_interpreted(tables, 8, LONG).setups == 2


# --- Speed ---------------------------------------------------------------------------------------


def test_where_the_time_goes_is_measured():
    busy = made("x = 0", "for k in range(view.turn + 3000):", "    x = x * 5 % 1000003 + k",
                "return best_discard(view) + (x < 0)")  # fmt: skip
    found = speed.measure(busy, SHORT, 0.4)
    assert found.throw > 50 * found.take > 0
    assert found.throw / 2 < found.turn < 20 * found.throw
    assert found.rate > 0
    assert found.of_fastest < 0.5


def test_a_question_put_often_leaves_no_trace():
    mine = made("view.memo[2] += 1", "view.memo[3] = roll(view, 1000)", "return first_held(view)")
    with table_for(SHORT, load_players(Setup(SHORT, (mine,)).study(3)), SEED) as here:
        deal_to(here, 0)
        seat = next_seat(here)
        kept = np.array([seat])
        ask_often(here.game, seat, turns.THROW, 9, np.uint64(kept.ctypes.data))
        assert np.array([seat]) == kept  # field by field: there are bytes between them
        turns.ask(here.game, seat, turns.THROW)
        assert seat.memo[2] == 1


def test_a_card_that_may_not_be_thrown_back_is_found_in_basic_rummy():
    greedy = made(
        "return view.taken if view.taken >= 0 else first_held(view)",
        head="GAMES = ('basic-rummy',)\nfrom continental_sim.api import *\n\n\n",
        take="def take_discard(view):\n    return True\n\n\n",
    )
    told = refused(legality.play_legally, setups(greedy, RUMMY)[:2], 20, LONG)
    assert "which it had just taken (return_taken = forbid)" in told
    assert told.endswith("-s mine.py --game basic-rummy --set max_rounds=40")


def test_the_question_of_basic_rummy_is_timed_where_it_is_asked():
    holder, fastest = (
        speed.measure(strategy(name, "basic-rummy"), RUMMY, 1.0) for name in ("holder", "fastest")
    )
    assert holder.turn > holder.lay > holder.take > 0
    assert holder.of_fastest > 1e-4  # nothing was compiled while it played
    assert fastest.lay == 0


# --- All of it -----------------------------------------------------------------------------------


def test_a_check_tells_what_holds_and_how_much_was_played(monkeypatch):
    monkeypatch.setattr(check, "setups", lambda what, rules: setups(what, rules)[:4])
    told = []
    found = check.check_strategy("outs", SHORT, check.Effort.of(400), tell=told.append)
    assert told == found
    names = ["contract", "compiled", "legal", "repeated", "view", "twins", "speed"]
    assert [each.name for each in found] == names
    legal = found[2].figures
    assert (legal["deals"], legal["setups"], legal["tables"]) == (400, 4, 4)
    assert found[2].text == "it throws no illegal card: 400 deals at 4 tables"


def test_an_interpreted_file_plays_a_tenth(monkeypatch):
    monkeypatch.setattr(check, "setups", lambda what, rules: setups(what, rules)[:2])
    monkeypatch.setattr(check, "find_strategy", lambda *_: made("return 0 + first_held(view)",
                                                                  head=MODULES))  # fmt: skip
    found = {each.name: each for each in check.check_strategy("m", SHORT, check.Effort.of(800))}
    assert found["legal"].figures["deals"] == 80
    assert "it imports json (line 1)" in found["interpreted"].text
    assert "twins" not in found


def test_ten_thousand_deals_are_usual():
    usual = check.Effort()
    assert usual.legal == 10_000
    assert check.Effort.of(10_000) == usual
    assert check.Effort.of(1).again == 1
