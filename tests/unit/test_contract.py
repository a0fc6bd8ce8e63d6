"""What a strategy file may not do: each is stopped with one sentence that names the place."""

import ast
from types import SimpleNamespace

import pytest

from continental_sim import contract
from continental_sim.engine import play_block
from continental_sim.errors import ContsimError, StudyFailed
from continental_sim.interrupts import Interrupted, stoppable
from continental_sim.strategy import make_strategy
from continental_sim.study import make_study
from tests.strategy_files import TAKE, importing, source, stopped
from tests.tabletop import DEFAULT, strategy

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
    assert message == "line 16 of bad.py: a view has no field 'hnad': did you mean hand?"


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


def test_a_miscount_of_cpython_is_no_fault_of_the_file(monkeypatch):
    failures = [SystemError("AST constructor recursion depth mismatch (before=42, after=57)")]

    def parse(text):
        if failures:
            raise failures.pop()
        return ast.parse(text)

    monkeypatch.setattr(contract, "ast", SimpleNamespace(**{**vars(ast), "parse": parse}))
    text = strategy("fastest").text
    assert contract.read_contract(text, "it").functions == ("take_discard", "choose_discard")
    assert not failures


def test_ctrl_c_in_an_interpreted_strategy_is_no_answer():
    text = source(
        "if view.turn > 2:",
        "    signal.raise_signal(15)",
        "return first_held(view)",
        head="import signal\nfrom continental_sim.api import first_held\n\n\n",
    )
    study = make_study(DEFAULT, [make_strategy("slow.py", "slow", text)], 1, 4)
    with pytest.raises(Interrupted), stoppable():
        play_block(study, 0, 4)
