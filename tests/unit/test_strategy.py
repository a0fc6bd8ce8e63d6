"""Strategy files: found, checked, compiled or interpreted, and kept to what a seat may know."""

import importlib.util
import json
import sys
from random import Random

import numpy as np
import pytest

from continental_sim import api, players, strategy
from continental_sim.cards import JOKER, hand_counts, parse_face
from continental_sim.columns import OUTCOME
from continental_sim.engine import play_block
from continental_sim.errors import ContsimError, StudyFailed
from continental_sim.kernels import continental, memory, records, table
from continental_sim.kernels.view import view_at
from continental_sim.players import load_interpreted, load_player
from continental_sim.simulate import prepare
from continental_sim.strategy import find_strategy, make_strategy
from continental_sim.study import make_study
from tests import oracle
from tests.tabletop import (
    DEFAULT,
    STRATEGIES,
    lay,
    play_deal,
    replayed,
    rules_with,
    study_of,
    table_of,
)

HEAD = "from continental_sim.api import *\nimport numpy as np\n\n\n"
TAKE = "def take_discard(view):\n    return False\n\n\n"
JUNK = "3C 3D 3H 6C 6D 6H 9C 9D 9H QC QD QH 4S 8S QS"


def source(*lines, head=HEAD, take=TAKE, more=""):
    """Write a file whose `choose_discard` has these lines, the first of them on line 10."""
    return head + take + "def choose_discard(view):\n" + "".join(f"    {x}\n" for x in lines) + more


def importing(line):
    return source("return 0", head=f"{line}\n")


def run_file(text, deals):
    study = make_study(DEFAULT, [make_strategy("bad.py", "bad", text)], 1, deals)
    prepare(study, lambda sentence: None)
    play_block(study, 0, deals)


def stopped(text, deals=16):
    """Prepare and play a study of a file, as `contsim run` does; return what stops it."""
    with pytest.raises(ContsimError) as caught:
        run_file(text, deals)
    message = str(caught.value)
    assert "\n" not in message
    return caught.value, message


# --- What cannot be written ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "lines"),
    [
        (0, ["view.hand[0] = 1", "return 0"]),
        (1, ["h = view.hand", "h[0] = 1", "return 0"]),
        (1, ["h = view.known[0]", "h[:] = 1", "return 0"]),
        (1, ["v = view", "v.hand[0] = 1", "return 0"]),
        (0, ["view.turn = 5", "return 0"]),
        (0, ["view.turn += 5", "return 0"]),
        (0, ["view.memo = 5", "return 0"]),
        (0, ["view.hand[0], x = 1, 2", "return 0"]),
        (0, ["for view.hand[0] in range(3):", "    pass", "return 0"]),
        (0, ["del view.hand[0]", "return 0"]),
        (2, ["h = view.hand", "if view.turn > 400:", "    h[0] = 1", "return first_held(view)"]),
        (0, ["view.wild[0] = 1", "return 0"]),
    ],
)
def test_nothing_of_a_view_is_written_but_the_memo(written, lines):
    error, message = stopped(source(*lines))
    assert type(error) is ContsimError
    assert f"line {10 + written} of bad.py" in message
    assert "cannot be written" in message
    assert "memo[...]" in message


@pytest.mark.parametrize(
    "lines",
    [
        ["view.hand.flat[0] = 1", "return first_held(view)"],
        ["h = view.hand", "for x in np.nditer(h):", "    x[()] = 0", "return first_held(view)"],
        ["h = view.in_pile", "h.fill(0)", "return first_held(view)"],
        ["h = view.hand.reshape(53)", "h[0] = 1", "return first_held(view)"],
        ["h = view.known.ravel()", "h[0] = 1", "return first_held(view)"],
        ["np.copyto(view.hand, view.in_pile)", "return first_held(view)"],
        ["view.hand.sort()", "return first_held(view)"],
        ["h = view.memo.view(np.int8)", "return h[200]"],
        ["return view.hand.tobytes()[60]"],
    ],
)
def test_numpy_is_no_way_round(lines):
    # Compiled, `flat` and `nditer` would write to read-only arrays: such files run interpreted,
    # where the arrays of a view are tuples.
    error, message = stopped(source(*lines))
    assert type(error) is ContsimError
    assert " of bad.py" in message
    assert "cannot be compiled either" in message or "is not for strategies" in message


# --- Bounds --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "lines",
    [
        ["return view.hand[112]"],
        ["return view.hand[53]"],
        ["return view.hand[-54]"],
        ["return view.known[12, 0]"],
        ["return view.known[0, 53]"],
        ["return view.pile[512]"],
        ["return view.thrower[view.pile_size + 600]"],
        ["return view.memo[16]"],
        ["view.memo[16] = 1", "return 0"],
        ["view.memo[-17] = 1", "return 0"],
        ["m = view.memo", "m[99] = 1", "return 0"],
        ["return is_wild(view, 53)"],
        ["return is_wild(view, -1)"],
        ["return neighbours(view, 99)"],
        ["return distance_with(view, 53)"],
        ["return distance_without(view, -1)"],
    ],
)
def test_a_read_or_write_out_of_bounds_is_stopped(lines):
    error, message = stopped(source(*lines))
    assert type(error) is StudyFailed
    assert "strategy bad.py" in message
    assert "raised IndexError" in message
    assert "in deal 0, seat 0, turn 1" in message


def test_bounds_are_those_of_numpys_indices():
    # The last elements can be read, from both ends.
    text = source(
        "x = view.hand[52] + view.hand[-53] + view.memo[15] + view.known[11, 52] + view.pile[511]",
        "return first_held(view) + 0 * x",
    )
    study = make_study(DEFAULT, [make_strategy("good.py", "good", text)], 1, 4)
    play_block(study, 0, 4)


def test_distance_with_a_card_that_cannot_come():
    # Both kings of spades are held: a third would be looked up beyond the tables.
    with table_of(DEFAULT, "stock") as memory:
        hand = "KS KS JK JK 3C 3D 3H 6C 6D 6H 9C 9D 9H QC QD"
        lay(memory, DEFAULT, [hand, JUNK, JUNK, JUNK], "KH")
        view = view_of(memory, 0)
        for face in ("KS", "JK"):
            assert api.distance_with(view, parse_face(face)) == api.distance(view)


# --- Hidden things, and mistakes -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        (source("return view._seat.hand[0]"), 10, "_seat begins with an underscore"),
        (source("v = view", "return v._public.upcard"), 11, "_public begins with an underscore"),
        (source("return view.__class__"), 10, "__class__ begins with an underscore"),
        (source("v = view", "return v.addresses[0]"), 11, "addresses is not for strategies"),
        (source("return view.hand.ctypes.data"), 10, "ctypes is not for strategies"),
        (source("return np.lib.stride_tricks.as_strided(view.hand, 400)[200]"), 10, "as_strided"),
        (source("return getattr(view, 'hand')[0]"), 10, "getattr() is not for strategies"),
        (source("return eval('0')"), 10, "eval() is not for strategies"),
        (source("return __import__('os').getpid()"), 10, "__import__() is not for strategies"),
        (importing("from continental_sim.kernels import table"), 1, "continental_sim.kernels"),
        (importing("import continental_sim.kernels.rng as r"), 1, "continental_sim.kernels"),
        (importing("from continental_sim import engine"), 1, "continental_sim.engine is not"),
        (importing("import continental_sim"), 1, "continental_sim is not for strategies"),
        (importing("import continental_sim.api"), 1, "continental_sim is not for"),
        (importing("from continental_sim.api import choices"), 1, "has no 'choices'"),
        (source("return a.rng.DECK", head="import continental_sim.api as a\n"), 7, "has no 'rng'"),
        (importing("from continental_sim.api import best_discrad"), 1, "best_discard?"),
        (importing("import ctypes"), 1, "ctypes is not for strategies"),
        (importing("import gc, json"), 1, "gc is not for strategies"),
        (importing("from importlib import import_module"), 1, "importlib is not"),
        (importing("from numba import carray"), 1, "numba is not for strategies"),
        (source("return view.hnad[0]"), 10, "a view has no field 'hnad': did you mean hand?"),
        (source("v = view", "return v.hnad[0]"), 11, "a view has no field 'hnad'"),
        (source("return view.stock[0]"), 10, "a view has no field 'stock'"),
        (source("return view.hands[1]"), 10, "a view has no field 'hands': did you mean hand?"),
        (source("return view.seed"), 10, "a view has no field 'seed'"),
        (source("return nothing(view)"), 10, "the name 'nothing' is not defined"),
        (source("return firstheld(view)"), 10, "did you mean first_held?"),
        (source("return view.hand[0"), 10, "is not Python"),
        (source("return np.random.randint(52)"), 10, "use roll(view, n)"),
        (importing("import random"), 1, "use roll(view, n)"),
        (importing("from numpy.random import rand"), 1, "use roll(view, n)"),
        (source("return 0", take=TAKE.replace("view", "view, more")), 5, "one argument"),
        (source("return 0", take=TAKE.replace("view", "")), 5, "one argument, the view"),
        (source("return 0", more="\n\nX = 1 // 0\n"), 13, "ZeroDivisionError"),
    ],
)  # fmt: skip
def test_a_mistake_or_a_way_round_is_named_with_its_line(text, line, part):
    error, message = stopped(text)
    assert type(error) is ContsimError
    assert f"line {line} of bad.py" in message
    assert part in message


@pytest.mark.parametrize(
    "text", [TAKE, TAKE.replace("take", "choose"), "choose_discard = 1\n" + TAKE]
)
def test_a_missing_function_is_named(text):
    _, message = stopped(text)
    assert "does not define" in message
    assert "contsim strategies new" in message


@pytest.mark.parametrize("name", ["view", "mine"])
def test_a_misspelt_field_in_a_helper_that_is_never_called_in_a_trial_is_no_silent_fallback(name):
    helper = f"\n\ndef late({name}):\n    return {name}.hnad[0]\n"
    lines = ["if view.turn > 400:", "    return late(view)", "return first_held(view)"]
    error, message = stopped(source(*lines, more=helper))
    assert type(error) is ContsimError
    assert message == "line 16 of bad.py: a view has no field 'hnad'"


@pytest.mark.parametrize(
    ("lines", "parts"),
    [
        (["raise ValueError('I give up')"], ["ValueError: I give up", "line 10 of bad.py"]),
        (["raise RuntimeError"], ["RuntimeError", "line 10 of bad.py"]),
        (["assert view.wilds > 90", "return 0"], ["raised AssertionError, in deal 0"]),
        (["if view.wilds >= 0:", "    raise KeyError('x')", "return 0"], ["raised KeyError"]),
        (["return 1 // (view.wilds - view.wilds)"], ["raised ZeroDivisionError"]),
        (["return roll(view, 0)"], ["roll: a die has"]),
        (["return distance_without(view, 52 - 52 * (view.hand[52] > 0))"], ["not held"]),
        (["return 52 if view.hand[52] == 0 else 51"], ["threw JK, which it does not hold"]),
        (["return 77"], ["threw card 77, which is no face: 0 to 52"]),
        (["return None"], ["choose_discard returned None, not a whole number"]),
        (["pass"], ["choose_discard returned None"]),
        (["if view.turn > 2:", "    return first_held(view)"], ["choose_discard returned None"]),
        (["return 1.0"], ["choose_discard returned 1.0, not a whole number"]),
        (["return 'KS'"], ["choose_discard returned 'KS'"]),
        (["return 1 << 62"], ["threw card", "no face"]),
    ],
)
def test_what_goes_wrong_in_play_is_placed(lines, parts):
    _, message = stopped(source(*lines))
    for part in parts:
        assert part in message
    assert "strategy bad.py" in message
    assert ", in deal 0, seat 0, turn 1" in message


@pytest.mark.parametrize(
    ("lines", "part"),
    [
        (["raise SystemExit(3)"], "SystemExit: 3"),
        (["exit()"], "SystemExit"),
        (["return 2**70"], f"returned {2**70}, not a whole number of 64 bits"),
        (["return [0]"], "returned [0]"),
        (["return json.loads('{')"], "JSONDecodeError"),
    ],
)
def test_what_goes_wrong_interpreted_is_placed(lines, part):
    error, message = stopped(source(*lines, head="import json\n\n\n"))
    assert type(error) is ContsimError
    assert part in message
    assert "in deal 0, seat 0, turn 1" in message
    assert "it cannot be compiled either: it imports json (line 1)" in message


def test_an_answer_that_is_no_whole_number_is_refused_for_the_draw_too():
    # Cut to an integer, 0.5 would be a silent no.
    _, message = stopped(source("return 0", take="def take_discard(view):\n    return 0.5\n\n\n"))
    assert "take_discard returned 0.5" in message


def test_ctrl_c_in_an_interpreted_strategy_is_no_answer():
    text = source("if view.turn > 2:", "    raise KeyboardInterrupt", "return first_held(view)",
                  head="import json\nfrom continental_sim.api import first_held\n\n\n")  # fmt: skip
    study = make_study(DEFAULT, [make_strategy("slow.py", "slow", text)], 1, 4)
    with pytest.raises(KeyboardInterrupt):
        play_block(study, 0, 4)


# --- The view holds what a seat may know ---------------------------------------------------------


def view_of(memory_of_table, seat):
    """Make the interpreted view of a seat."""
    game = memory_of_table.game
    return view_at(int(game.seat_at[seat]), int(game.public_at), int(game.rules_at))


def seen_by(view):
    """List all that a view tells."""
    names = (*records.SEAT_FIELDS, *records.PUBLIC_FIELDS, *records.RULES_FIELDS)
    return {name: np.array(getattr(view, name)).tolist() for name in names}


def swap_hidden(memory_of_table, seat, dice):
    """Deal the hidden cards anew: the stock, and the other hands but for what is known of them."""
    game, public = memory_of_table.game, memory_of_table.public
    first, left = int(game.position), int(public.stock_size)
    stock = game.stock[first : first + left].tolist()
    loose = {}
    for other in memory_of_table.seats:
        if other.seat != seat:
            unknown = other.hand - public.known[int(other.seat)]
            loose[int(other.seat)] = np.repeat(np.arange(53), unknown).tolist()
    cards = stock + [face for faces in loose.values() for face in faces]
    dice.shuffle(cards)
    for number, faces in loose.items():
        other = memory_of_table.seats[number]
        for face in faces:
            table.take_away(other, memory_of_table.rules, face)
        for _ in faces:
            table.give(other, memory_of_table.rules, cards.pop())
    game.stock[first : first + left] = cards


@pytest.mark.parametrize("spec", ["watchful.py", "fastest", "neighbours"])
def test_hidden_cards_cannot_be_reached(spec):
    # Play some rounds, then deal all that the seat does not know anew: same view, same answers.
    dice = np.random.default_rng(61)
    rules = rules_with("max_rounds=4", "seats=5")
    for deal in range(12):
        specs = [spec, "neighbours", "pile.py", "random", "highest.py"]
        with table_of(rules, specs, seed=62) as here:
            continental.deal_cards(here.game, here.rules, here.public, deal)
            for number, seat in enumerate(here.seats):
                seat.player = number
            outcome = np.zeros(1, OUTCOME).view(np.recarray)[0]
            continental.play_deal(here.game, here.rules, here.public, outcome)
            seat = here.seats[0]
            before = seen_by(view_of(here, 0))
            answers = [all_answers(here, seat)]
            for _ in range(3):
                swap_hidden(here, 0, dice)
                assert seen_by(view_of(here, 0)) == before
                answers.append(all_answers(here, seat))
            assert answers[1:] == answers[:1] * 3


def all_answers(memory_of_table, seat):
    """Ask each question, without leaving a trace in the memo or the dice."""
    kept = seat.memo.copy(), seat.dice.copy(), int(seat.dice_ready)
    game = memory_of_table.game
    answers = []
    for question in (continental.TAKE, continental.THROW, continental.GO_OUT):
        if game.entries[seat.player, question]:
            answers.append(int(continental.ask(game, seat, question)))
        seat.memo[:], seat.dice[:], seat.dice_ready = kept
    return answers


def test_a_view_tells_no_more_than_its_documented_fields():
    secrets = (
        "stock",
        "seed",
        "dice",
        "dice_key",
        "player",
        "deal",
        "state",
        "order",
        "entries",
        "code",
    )
    with table_of(DEFAULT, "stock") as here:
        continental.deal_cards(here.game, here.rules, here.public, 0)
        view = view_of(here, 0)
        for name in secrets:
            with pytest.raises(AttributeError):
                getattr(view, name)
        with pytest.raises(AttributeError):
            view.turn = 3
        for name in (*records.SEAT_FIELDS, *records.PUBLIC_FIELDS, *records.RULES_FIELDS):
            value = getattr(view, name)
            assert isinstance(value, int | tuple) or name == "memo", name


def test_the_view_tells_the_table_as_it_is():
    with table_of(DEFAULT, "stock") as here:
        lay(here, DEFAULT, [JUNK] * 4, "KH", "4H 5H")
        table.throw(here.public, parse_face("2D"), 2)
        view = view_of(here, 1)
        assert (view.seat, view.upcard, view.pile_size, view.stock_size) == (
            1,
            parse_face("2D"),
            2,
            2,
        )
        assert view.pile[:2] == (parse_face("KH"), parse_face("2D"))
        assert view.thrower[:2] == (-1, 2)
        assert view.in_pile[parse_face("KH")] == 1
        assert (view.seats, view.hand_size, view.cards) == (4, 15, 106)
        assert [face for face in range(53) if view.wild[face]] == [1, 14, 27, 40, JOKER]
        assert view.copies == (2,) * 53
        assert sum(view.hand) == 15


# --- What the api says ---------------------------------------------------------------------------


@pytest.fixture
def hand_view():
    """Set up views of hands."""
    with table_of(DEFAULT, "stock") as here:

        def view(hand, upcard="KH", rules=DEFAULT):
            lay(here, rules, [hand, JUNK, JUNK, JUNK], upcard)
            return view_of(here, 0)

        yield view


def test_api_distances_agree_with_the_oracle(hand_view):
    dice = Random(63)
    for _ in range(15):
        faces = oracle.biased_hand(DEFAULT, dice, size=dice.choice((15, 16)))
        view = hand_view(faces)
        counts = hand_counts(faces)
        away = oracle.distance(DEFAULT, counts)
        assert api.distance(view) == away
        assert api.can_go_out(view) == (away == 0)
        thrown = counts.copy()
        thrown[faces[0]] -= 1
        assert api.distance_without(view, faces[0]) == oracle.distance(DEFAULT, thrown)
        face = dice.randrange(53)
        if counts[face] < 2:
            counts[face] += 1
            assert api.distance_with(view, face) == oracle.distance(DEFAULT, counts)


def test_api_discards_leave_the_least_distance(hand_view):
    dice = Random(64)
    for _ in range(40):
        faces = oracle.biased_hand(DEFAULT, dice, size=16)
        view = hand_view(faces)
        least = min(api.distance_without(view, face) for face in set(faces))
        near, best = api.nearest_discard(view), api.best_discard(view)
        assert api.distance_without(view, near) == api.distance_without(view, best) == least
        assert (api.paying_discard(view) >= 0) == (least == 0)


@pytest.mark.parametrize(
    ("hand", "face", "ace", "expected"),
    [
        ("3C 5C 6C", "4C", "both", 3),
        ("3C 3C 6C", "4C", "both", 2),  # copies count once
        ("4C 4C", "4C", "both", 0),  # nor is the face its own neighbour
        ("3D 5D", "4C", "both", 0),
        ("QC KC 3C", "AC", "both", 3),
        ("QC KC 3C", "AC", "low", 1),
        ("QC KC 3C", "AC", "high", 2),
        ("QC AC", "KC", "both", 2),
        ("QC AC", "KC", "low", 1),
        ("AC 3C", "KC", "wrap", 1),
        ("2C JK", "AC", "both", 0),  # wilds are no neighbours
        ("3C 4C", "2C", "both", 0),  # and have none
        ("AC 3C", "KC", "both", 1),
    ],
)
def test_neighbours(hand, face, ace, expected):
    rules = rules_with(f"ace={ace}")
    with table_of(rules, "stock") as here:
        lay(here, rules, [hand, JUNK, JUNK, JUNK], "KH")
        assert api.neighbours(view_of(here, 0), parse_face(face)) == expected


def test_faces_have_rank_and_suit():
    assert [(api.rank(face), api.suit(face)) for face in (0, 12, 13, 51, 52)] == [
        (0, 0), (12, 0), (0, 1), (12, 3), (0, 4),
    ]  # fmt: skip


def test_dice_are_fair_and_keyed_by_deal_and_player():
    text = source(
        "if view.turn == 1:", "    view.memo[0] = roll(view, 6) * 6 + roll(view, 6)",
        "return first_held(view)",
    )  # fmt: skip
    rules = rules_with("max_rounds=1")
    counts = np.zeros(36)
    rolls = {}
    with table_of(rules, text, seed=65, fixed_order=False) as here:
        for deal in range(450):
            played = replayed(here, rules, deal)
            for seat, player in enumerate(played.seated):
                if played.memos[seat][0] or played.end == "capped":
                    counts[played.memos[seat][0]] += 1
                    rolls[deal, player] = played.memos[seat][0]
    chi_square = ((counts - counts.mean()) ** 2 / counts.mean()).sum()
    assert abs(chi_square - 35) < 4 * (2 * 35) ** 0.5  # 4 sigma, fixed seed
    # In a fixed order the same players sit elsewhere, and throw the same.
    for deal in range(8):
        again = play_deal(rules, text, deal, seed=65, fixed_order=True)
        for seat, player in enumerate(again.seated):
            if (deal, player) in rolls and (again.memos[seat][0] or again.end == "capped"):
                assert again.memos[seat][0] == rolls[deal, player]


# --- Compiled and interpreted --------------------------------------------------------------------

TWINS = ["fastest", "stock", "neighbours", "random", "watchful.py", "pile.py", "highest.py"]


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
    prepare(make_study(DEFAULT, [make_strategy("slow.py", "slow", text)], 1, 4), said.append)
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
    written = players._with_knobs(made, players.read_contract(made.text, "k.py"))
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
        ("no/such.py", ["cannot read the strategy file no/such.py"]),
    ],
)
def test_a_wrong_spec_is_refused_in_one_sentence(spec, parts):
    with pytest.raises(ContsimError) as refusal:
        find_strategy(spec)
    for part in parts:
        assert part in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_file_that_is_no_text_is_refused(tmp_path):
    path = tmp_path / "odd.py"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ContsimError, match="not UTF-8"):
        find_strategy(str(path))
    with pytest.raises(ContsimError, match="cannot read"):
        find_strategy(str(tmp_path / "."))


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
    assert len(text.splitlines()) <= 80
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
