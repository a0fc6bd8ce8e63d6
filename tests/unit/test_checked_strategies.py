"""What `contsim strategies check` finds: each check fails for a strategy that it is made for."""

import os
import re
import shlex
import signal
import time
from dataclasses import replace

import numpy as np
import pytest

from continental_sim.authors import check, legality, moments, purity, repeats, speed
from continental_sim.authors.edges import SEED, Setup, checked_rules, deadlines, setups
from continental_sim.authors.moments import deal_hidden, deal_to, next_seat, play_turn
from continental_sim.cli import main
from continental_sim.engine import load_players, table_for
from continental_sim.errors import ContsimError
from continental_sim.interrupts import Interrupted
from continental_sim.kernels import continental, records
from continental_sim.kernels.timing import ask_often
from continental_sim.kernels.view import view_at
from continental_sim.rules import as_settings, differences, load_rules, preset_names, rule_keys
from continental_sim.rules import with_settings as changed
from continental_sim.strategy import find_strategy, make_strategy
from tests.strategy_files import HEAD, source
from tests.tabletop import DEFAULT, rules_with, strategy

LONG = 60.0  # [seconds] that no test needs
MODULES = "import json\nfrom continental_sim.api import *\n"  # json: it runs interpreted
SHORT = rules_with("seats=3", "max_rounds=8")
SOON = rules_with("seats=3", "packs=1", "max_rounds=8")  # its stock is short: recycled soon


def made(*lines, head=HEAD, **parts):
    return make_strategy("mine.py", "mine", source(*lines, head=head, **parts))


def alone(what, *rules):
    return [Setup(each, (what,)) for each in rules or (SHORT, SOON)]


def refused(call, *arguments):
    """Return the sentence with which a check refuses a strategy."""
    with pytest.raises(ContsimError) as caught:
        call(*arguments)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# --- Edges ---------------------------------------------------------------------------------------


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


@pytest.mark.parametrize("rules", [*checked_rules(DEFAULT), *map(load_rules, preset_names())])
def test_settings_make_the_rules_again(rules):
    settings = as_settings(rules)
    assert not any(" " in each for each in settings)
    assert changed(DEFAULT, settings) == rules


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
    figures = {**check._figures(found, [0] * 3), "setups": 2}
    assert " of 3,000 deals at 2 of 3 tables, as " in check._extent(figures, 3000)


def test_progress_is_told_and_ctrl_c_is_heard():
    told = []
    legality.play_legally(alone(strategy("fastest")), 3000, LONG, lambda *done: told.append(done))
    assert told[-1] == (3000, 3000)
    assert len(told) > 4

    def press(done, total):
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(Interrupted):
        check.check_strategy("fastest", SHORT, check.Effort.of(400), press)


# --- The view alone ------------------------------------------------------------------------------


def seen_by(there, seat):
    game = there.game
    view = view_at(int(game.seat_at[seat]), int(game.public_at), int(game.rules_at))
    names = (*records.SEAT_FIELDS, *records.PUBLIC_FIELDS, *records.RULES_FIELDS)
    return {name: np.array(getattr(view, name)).tolist() for name in names}


@pytest.mark.parametrize(
    "changes",
    [("seats=5",), ("seats=3", "packs=1"), ("seats=3", "packs=1", "recycle_order=turned")],
)
def test_hidden_cards_are_dealt_as_they_may_lie(changes):
    dice = np.random.default_rng(5)
    rules = rules_with(*changes, "max_rounds=20")
    specs = ["random", "pile.py", "highest.py", "random", "pile.py"][: rules.seats]
    setup = Setup(rules, tuple(map(strategy, specs)))
    pack = np.array([rules.copies(face) for face in range(53)])
    moved = recycled = 0
    with table_for(rules, load_players(setup.study(1)), 3, log=True) as there:
        for deal in (0, rules.seats):
            deal_to(there, deal)
            while True:
                seat, public, game = int(next_seat(there).seat), there.public, there.game
                before, drawn = seen_by(there, seat), moments._drawn(there)
                first, end = int(game.position), int(game.stock_end)
                card = game.stock[drawn] if drawn >= 0 else None
                stock, sizes = game.stock[first:end].copy(), [x.hand.sum() for x in there.seats]
                deal_hidden(there, dice)
                assert seen_by(there, seat) == before
                assert [x.hand.sum() for x in there.seats] == sizes
                assert card is None or game.stock[drawn] == card
                lies = np.bincount(game.stock[first:end], minlength=53)
                hands = sum(each.hand.astype(int) for each in there.seats)
                np.testing.assert_array_equal(lies + hands + public.in_pile, pack)
                for each in there.seats:
                    assert (each.hand >= public.known[int(each.seat)]).all()
                if public.recycles:
                    recycled += 1
                    assert (lies <= public.recycled).all()
                moved += bool((game.stock[first:end] != stock).any())
                turn = play_turn(there)
                if turn.move and turn.move[0] == continental.FROM_STOCK:
                    assert turn.move[1] == card
                if turn.went != continental.GOES_ON:
                    break
    assert moved > 30
    assert recycled > (0 if "seats=5" in changes else 20)


@pytest.mark.parametrize("spec", ["watchful.py", "random", "natural", "fastest"])
def test_a_strategy_may_use_its_view_its_memo_and_its_dice(spec):
    found = purity.ask_again(alone(strategy(spec)), 8, LONG)
    assert found.turns > 40
    assert found.recycled > 2
    assert found.setups == 2


def test_an_interpreted_strategy_may_too():
    text = "import json\n" + strategy("watchful.py").text
    assert purity.ask_again(alone(make_strategy("w.py", "w", text)), 4, LONG).turns > 30


def test_turns_of_all_seats_and_exits_are_played_again():
    setup = Setup(rules_with("hand_size=3", "patterns=3", "seats=5"), (strategy("fastest"),))
    found = purity.ask_again([setup], 20, LONG)
    assert found.exits > 15
    dice = np.random.default_rng(1)
    with table_for(setup.rules, load_players(setup.study(5)), SEED, log=True) as here:
        kept = [each for k in range(20) for each in moments.turns_of(here, setup, 5 * k, dice)]
    assert {each.seat for each in kept} == set(range(5))
    assert any(each.turn.move == () for each in kept)  # it went out as it was dealt


# A hole in the view: the cards of the next seat show beyond the top of the pile, and on top of the
# stock there lies a card that is told.
HOLE = "view.pile[500 + view.turn % 3]"


@pytest.fixture
def hole(monkeypatch):
    played = moments.play_turn

    def leaking(here):
        after = here.seats[(int(next_seat(here).seat) + 1) % len(here.seats)]
        here.public.pile[500:503] = np.flatnonzero(after.hand)[[0, 1, -1]]
        return played(here)

    monkeypatch.setattr(moments, "play_turn", leaking)
    monkeypatch.setattr(purity, "play_turn", leaking)


PEEK = f"{HOLE} % 2 == 1"
THROW = ["    return first_held(view)", "return best_discard(view)"]
PEEPERS = {
    "take": {"take": f"def take_discard(view):\n    return {PEEK}\n\n\n"},
    "throw": {"lines": [f"if {PEEK}:", *THROW]},
    "memo": {"lines": [f"view.memo[3] = {HOLE}", "return best_discard(view)"]},
    "late": {"lines": [f"if view.turn > 5 and {PEEK}:", *THROW]},
    "recycled": {"lines": [f"if view.recycles and {PEEK}:", *THROW]},
    "seat": {"lines": [f"if view.seat == 2 and {PEEK}:", *THROW]},
    "exit": {"more": f"\n\ndef go_out(view):\n    return {PEEK}\n"},
}


@pytest.mark.parametrize("how", PEEPERS)
@pytest.mark.parametrize("head", [HEAD, MODULES], ids=["compiled", "interpreted"])
def test_a_peeping_strategy_is_found(how, head, hole):
    parts = dict(PEEPERS[how])
    mine = made(*parts.pop("lines", ["return best_discard(view)"]), head=head, **parts)
    easy = rules_with("hand_size=3", "patterns=3", "seats=5")
    tables = alone(mine, easy) if how == "exit" else alone(mine)
    told = refused(purity.ask_again, tables, 20, LONG)
    assert "mine does something else when only hidden cards differ, in deal " in told


def test_the_hole_alone_is_no_fault(hole):
    purity.ask_again(alone(strategy("fastest")), 8, LONG)


OWN = """
class Own:
    turns = 0

    def tell(self):
        self.turns += 1
        return self.turns


OWN = Own()
"""
WHISPER = """
said = os.environ.get('CONTSIM_TEST_SAID', '0')
os.environ.update({'CONTSIM_TEST_SAID': str(view.hand[20] + view.turn)})
return first_held(view) if int(said) % 2 else best_discard(view)
"""
KEEPERS = {
    "list": (
        "SEEN = []\n",
        ["SEEN.append(1)", "return (best_discard if len(SEEN) % 7 else first_held)(view)"],
    ),
    "class": (OWN, ["return (best_discard if OWN.tell() % 7 else first_held)(view)"]),
    "turns of the deal": (
        "SEEN = {}\n",
        [
            *("if view.turn == 1:", "    SEEN.clear()", "SEEN[view.upcard] = 1"),
            "return (best_discard if len(SEEN) < 4 else first_held)(view)",
        ],
    ),
    "environment": ("import os\n", WHISPER.strip().splitlines()),
}


@pytest.mark.parametrize("how", KEEPERS)
def test_a_strategy_that_keeps_more_than_its_memo_is_found(how, monkeypatch):
    monkeypatch.setenv("CONTSIM_TEST_SAID", "0")
    head, lines = KEEPERS[how]
    mine = made(*lines, head=MODULES + head)
    told = refused(purity.ask_again, alone(mine), 12, LONG)
    assert "mine does not do the same again" in told


def test_a_fault_that_does_not_stop_a_deal_can_be_replayed(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    head, lines = KEEPERS["list"]
    (tmp_path / "keeps.py").write_text(source(*lines, head=MODULES + head))
    told = refused(purity.ask_again, [Setup(SHORT, (find_strategy("keeps.py"),))], 12, LONG)
    run, _, replay = told.rpartition(": ")[2].partition(" && ")
    assert main([*shlex.split(run)[1:], "--quiet", "--jobs", "1"]) == 0
    assert main(shlex.split(replay)[1:]) == 0
    assert f"Deal {replay.split()[-1]} of seed {SEED}" in capsys.readouterr().out


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
        ask_often(here.game, seat, continental.THROW, 9, np.uint64(kept.ctypes.data))
        assert seat.tobytes() == kept[0].tobytes()
        continental.ask(here.game, seat, continental.THROW)
        assert seat.memo[2] == 1


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
    monkeypatch.setattr(check, "find_strategy", lambda spec: made("return 0 + first_held(view)",
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
