"""Turns played again with other hidden cards: peeping, and what is kept beside the memo."""

import shlex

import numpy as np
import pytest

from continental_sim.authors import moments, purity
from continental_sim.authors.dealt import game_of
from continental_sim.authors.edges import SEED, Setup
from continental_sim.authors.moments import deal_hidden, deal_to, next_seat, play_turn
from continental_sim.cli import main
from continental_sim.engine import load_players, table_for
from continental_sim.kernels import turns
from continental_sim.kernels.fields import VIEW_FIELDS
from continental_sim.kernels.laying import card_of, cards_in
from continental_sim.kernels.view import VIEW_AT
from continental_sim.strategy import find_strategy, make_strategy
from tests.checked import LONG, MODULES, SHORT, alone, made, refused
from tests.strategy_files import HEAD, source
from tests.tabletop import DEFAULT, RUMMY, rules_with, strategy


def seen_by(there, seat):
    game, played = there.game, game_of(there)
    view = VIEW_AT[played](int(game.seat_at[seat]), int(game.public_at), int(game.rules_at))
    names = VIEW_FIELDS[played].names
    return {name: np.array(getattr(view, name)).tolist() for name in names}


OURS = ("random", "pile.py", "highest.py", "random", "pile.py")
RUMMYS = ("holder", "low", "random", "low", "fastest", "random")


@pytest.mark.parametrize(
    ("base", "changes", "specs"),
    [
        (DEFAULT, ("seats=5",), OURS),
        (DEFAULT, ("seats=3", "packs=1"), OURS),
        (DEFAULT, ("seats=3", "packs=1", "recycle_order=turned"), OURS),
        (RUMMY, ("seats=6", "recycles=unlimited"), RUMMYS),
        (RUMMY, ("seats=3", "recycle_order=turned"), RUMMYS),
    ],
)
def test_hidden_cards_are_dealt_as_they_may_lie(base, changes, specs):
    dice = np.random.default_rng(5)
    rules = rules_with(*changes, "max_rounds=20", base=base)
    setup = Setup(rules, tuple(strategy(spec, rules.game) for spec in specs[: rules.seats]))
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
                shown = public.in_pile + public.on_table
                np.testing.assert_array_equal(lies + hands + shown, pack)
                for each in there.seats:
                    if base is RUMMY:
                        faces = np.flatnonzero(each.hand).tolist()
                        assert int(each.cards) == sum(int(card_of(face)) for face in faces)
                    assert (each.hand >= public.known[int(each.seat)]).all()
                if public.recycles:
                    recycled += 1
                    assert (lies <= public.recycled).all()
                moved += bool((game.stock[first:end] != stock).any())
                turn = play_turn(there)
                if turn.move and turn.move[0] == turns.FROM_STOCK:
                    assert turn.move[1] == card
                if turn.went != turns.GOES_ON:
                    break
    assert moved > 30
    assert recycled > (0 if "seats=5" in changes else 20)


@pytest.mark.parametrize(
    "spec", ["watchful.py", "random", "natural", "fastest", "lookahead:ROLLOUTS=1"]
)
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


def test_a_turn_tells_what_it_laid():
    setup, dice = Setup(RUMMY, (strategy("fastest", "basic-rummy"),)), np.random.default_rng(1)
    with table_for(RUMMY, load_players(setup.study(4)), SEED, log=True) as here:
        kept = moments.turns_of(here, setup, 0, dice)
        for each in kept:
            moments.lay(here, each)
            mine = next_seat(here)
            before = int(mine.laid)
            turn = play_turn(here)
            in_sets, in_runs = turn.laid
            assert turn == each.turn
            assert int(mine.laid) - before == (in_sets | int(cards_in(in_runs))).bit_count()
    assert any(any(each.turn.laid) for each in kept)


# A hole in the view: cards of the next seat show beyond the top of the pile.
HOLE = "view.pile[500 + view.turn % 3]"


@pytest.fixture
def hole(monkeypatch):
    played = moments.play_turn

    def leaking(here):
        after = here.seats[(int(next_seat(here).seat) + 1) % len(here.seats)]
        here.public.pile[500:503] = np.flatnonzero(after.hand).take([0, 1, -1], mode="wrap")
        return played(here)

    def here(setup, deals, function, *arguments, **_):
        return function(setup.study(deals), *arguments)

    monkeypatch.setattr(purity, "watched", here)  # a process of its own would have no hole
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
    purity.ask_again(alone(strategy("fastest", "basic-rummy"), RUMMY), 8, LONG)


RUMMY_HEAD = "GAMES = ('basic-rummy',)\nfrom continental_sim.api import *\n\n\n"


@pytest.mark.parametrize("how", ["take", "throw", "lay"])
def test_a_peeping_strategy_of_basic_rummy_is_found(how, hole):
    parts = {
        "take": {"take": PEEPERS["take"]["take"]},
        "throw": {"lines": [f"if {PEEK}:", THROW[0], "return loose_discard(view)"]},
        "lay": {"more": f"\n\ndef lay_down(view):\n    return {PEEK}\n"},
    }[how]
    mine = made(*parts.pop("lines", ["return loose_discard(view)"]), head=RUMMY_HEAD, **parts)
    told = refused(purity.ask_again, alone(mine, RUMMY), 20, LONG)
    assert "mine does something else when only hidden cards differ, in deal " in told
    assert " --game basic-rummy " in told


def test_a_keeper_of_basic_rummy_is_found():
    more = "\n\ndef lay_down(view):\n    SEEN.append(1)\n    return len(SEEN) % 3 == 0\n"
    head = f"import json\nSEEN = []\n{RUMMY_HEAD}"
    mine = made("return loose_discard(view)", head=head, more=more)
    told = refused(purity.ask_again, alone(mine, RUMMY), 20, LONG)
    assert "mine does not do the same again" in told


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
