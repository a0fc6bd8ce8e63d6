"""Events as expressions, what may happen by the rules, and how hands are worth something."""

import numpy as np
import pytest

from continental_sim.columns import EXIT, OUTCOME
from continental_sim.engine import play_block
from continental_sim.errors import ContsimError
from continental_sim.rare.events import COLUMNS, read_event
from continental_sim.rare.goals import NEVER, find_goal
from tests.tabletop import DEFAULT, rules_with, study_of


@pytest.fixture(scope="module")
def outcomes():
    """Deals with any ends: those without an exit hold what stands for nothing."""
    dice, deals = np.random.default_rng(11), 5000
    rows = np.zeros(deals, OUTCOME)
    for column in COLUMNS.values():
        most = len(column.labels) or {"bool": 2}.get(column.stored, 7)
        rows[column.name] = dice.integers(most, size=deals)
    rows["turns"] = dice.integers(1, 40, size=deals)
    rows["payment"] = dice.integers(1, 30, size=deals)
    for column in COLUMNS.values():
        if column.nullable:
            rows[column.name][rows["end"] != EXIT] = column.none
    return rows


@pytest.mark.parametrize(
    ("text", "by_hand"),
    [
        ("one_suit", lambda x: x["one_suit"] == 1),
        ("not one_suit", lambda x: x["one_suit"] != 1),
        ("one_suit and deuces == 0", lambda x: (x["one_suit"] == 1) & (x["deuces"] == 0)),
        ("payment >= 21", lambda x: x["payment"] >= 21),
        ("payment < 5", lambda x: (x["end"] == 0) & (x["payment"] < 5)),
        ("kind == dealt or kind == later", lambda x: np.isin(x["kind"], (0, 2))),
        ("kind != dealt", lambda x: np.isin(x["kind"], (1, 2))),
        ("first_turn == kind", None),
        ("end == drawn", lambda x: x["end"] == 1),
        ("end != exit and turns > 30", lambda x: (x["end"] != 0) & (x["turns"] > 30)),
        ("1 <= deuces + jokers < 3", lambda x: np.isin(x["deuces"] + x["jokers"], (1, 2))),
        ("2 * turns - recycles * 3 > 40", lambda x: 2 * x["turns"] - 3 * x["recycles"] > 40),
        ("winner == 0 and seat == 6", lambda x: (x["winner"] == 0) & (x["seat"] == 6)),
        ("dealer == 2", lambda x: x["dealer"] == 2),
        ("not (kind == later) and -1 < 0", lambda x: x["kind"] != 2),
        ("2 < 1", lambda x: np.zeros(len(x), bool)),
    ],
)
def test_events_are_what_they_say(outcomes, text, by_hand):
    if by_hand is None:
        with pytest.raises(ContsimError, match="a word of kind: write kind == first_turn"):
            read_event(text)
        return
    happened = read_event(text).happened(outcomes)
    assert happened.dtype == bool
    assert (happened == by_hand(outcomes)).all()
    assert happened.any() == (text != "2 < 1")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("one_suite", "did you mean one_suit?"),
        ("zzz > 1", "there are end, kind, winner, seat, payment, deuces, jokers, one_suit"),
        ("patterns == 1", "is no column"),
        ("deal == 3", "is no column"),
        ("one_suit and", "is no expression"),
        ("", "is no expression"),
        ("kind = dealt", "is no expression"),
        ("deuces", "deuces is no statement: compare it, as in deuces == 0"),
        ("one_suit + 1 > 2", "one_suit is yes or no: write one_suit or not one_suit"),
        ("one_suit == 1", "one_suit is yes or no"),
        ("kind == 1", "1 is no kind: it is dealt, first_turn or later"),
        ("kind == drawn", "drawn is no kind"),
        ("kind < later", "words have none: use == or !="),
        ("kind + 1 > 2", "kind is a word: write kind == dealt"),
        ("turns / 2 > 4", "turns / 2 is not computed: only + - * are"),
        ("turns > 1.5", "1.5 is neither a column nor a whole number"),
        ("turns > True", "True is neither a column nor a whole number"),
        ("turns > 10000000000", "10000000000 is too large: the limit is 1,000,000,000"),
        ("turns in (1, 2)", "a comparison that is not known: use =="),
        ("__import__('os').system('x')", "is no statement"),
        ("deuces == 0 if one_suit else 1", "is no statement"),
        ("turns > " + "1 + " * 400 + "1", "characters long: write at most 1000"),
        ("(" * 300 + "turns" + ")" * 300, "is no expression"),
    ],
)
def test_anything_else_is_refused_in_one_sentence(text, told):
    with pytest.raises(ContsimError) as refused:
        read_event(text)
    message = str(refused.value)
    assert told in message
    assert message.startswith("event ")
    assert "\n" not in message
    assert len(message) < 300


def test_bounds_tell_what_may_happen_and_what_must():
    def row(**values):
        return {name: np.array([float(values.get(name, 0))]) for name in COLUMNS}

    bounds = row(turns=3, deuces=2), row(turns=9, deuces=2)
    for text, must, may in (
        ("turns > 2", True, True),
        ("turns > 5", False, True),
        ("turns > 9", False, False),
        ("turns == 4", False, True),
        ("turns != 4", False, True),
        ("turns != 12", True, True),
        ("turns * -2 >= -18", True, True),
        ("10 - turns > 7", False, False),
        ("turns - deuces >= 8", False, False),
        ("not turns > 5", False, True),
    ):
        assert read_event(text).judge(bounds) == (must, may), text


@pytest.mark.parametrize(
    "settings",
    [
        (),
        ("seats=7", "max_rounds=6"),
        ("seats=7", "recycles=0", "stack_first_turn=true"),
        ("max_rounds=1", "wild_ranks=2,3,4,5,6,7,8"),
        ("jokers=8", "one_suit=physical", "max_wilds_per_run=2"),
    ],
)
def test_what_is_played_was_possible(settings):
    """Each outcome of a study is an event that the rules allow."""
    rules = rules_with(*settings)
    study = study_of(rules, "fastest", 3 * rules.seats if not settings else 840, seed=3)
    played = play_block(study, 0, study.deals).outcomes
    for outcome in np.unique(played[[*COLUMNS]])[::9]:
        text = " and ".join(_statement(column, outcome[column.name]) for column in COLUMNS.values())
        assert not find_goal(read_event(text), rules).impossible, text
        assert read_event(text).happened(played).any(), text


def _statement(column, value):
    if column.nullable and value == column.none:
        return "end != exit"
    if column.labels:
        return f"{column.name} == {column.labels[value]}"
    if column.stored == "bool":
        return column.name if value else f"not {column.name}"
    return f"{column.name} == {value}"


@pytest.mark.parametrize(
    ("text", "settings", "reason"),
    [
        ("end == drawn", (), "stock and discard pile together always hold 46 cards"),
        ("payment >= 34", (), NEVER),
        ("payment == 33", (), NEVER),
        ("deuces == 9", (), NEVER),
        ("kind == dealt and turns == 5", (), NEVER),
        ("kind == first_turn and seat == 1 and turns != 2", (), NEVER),
        ("turns > 2000", (), NEVER),
        ("end == capped and turns < 2000", (), NEVER),
        ("one_suit and end == drawn", (), NEVER),
        ("recycles > 0", ("recycles=0",), "recycles = 0 forbids it"),
        ("kind == later", ("max_rounds=1",), "max_rounds = 1 stops a deal"),
        ("jokers > 0", ("jokers=0",), NEVER),
        ("one_suit and kind == later", ("max_rounds=1",), "max_rounds = 1 stops a deal"),
    ],
)
def test_impossible_events_are_told_with_the_reason(text, settings, reason):
    if text == "payment == 33":  # all ten wild cards, in one suit, dealt: possible by the amounts
        assert not find_goal(read_event(text), DEFAULT).impossible
        return
    assert reason in find_goal(read_event(text), rules_with(*settings)).impossible


def worth(goal, seat, kind, suited, naturals, deuces=0, jokers=0):
    return int(goal.worths[seat, kind, suited, naturals, deuces, jokers])


def test_hands_are_worth_what_may_lie_in_the_event():
    natural = find_goal(read_event("one_suit and deuces + jokers == 0"), DEFAULT)
    assert natural.one_suit
    assert not natural.by_turns
    assert worth(natural, 0, 2, 1, 12, deuces=3) == 12
    assert worth(natural, 0, 2, 0, 15) == 0
    many = find_goal(read_event("deuces >= 6 and seat == 2"), DEFAULT)
    assert worth(many, 2, 2, 0, 9, deuces=6) == 15
    assert worth(many, 2, 2, 0, 13, deuces=2) == 11
    assert worth(many, 1, 2, 0, 9, deuces=6) == 0
    dealt = find_goal(read_event("kind == dealt and payment >= 20"), DEFAULT)
    assert dealt.last_turn == DEFAULT.seats
    assert worth(dealt, 3, 0, 0, 11) == 11
    assert not dealt.worths[:, 1:].any()


def test_lengths_of_deals_are_scored_by_turns():
    for text in ("turns > 100", "recycles >= 2", "end == capped", "kind == later and turns > 60"):
        assert find_goal(read_event(text), DEFAULT).by_turns, text
    for text in ("one_suit", "payment >= 21", "kind == first_turn", "turns <= 3"):
        assert not find_goal(read_event(text), DEFAULT).by_turns, text
    assert find_goal(read_event("turns <= 3"), DEFAULT).last_turn == 3


def test_an_event_needs_no_more_than_the_columns_it_names():
    rows = np.zeros(2, [("end", "i1"), ("turns", "i4")])
    rows["turns"] = 5, 7
    assert read_event("turns > 6").happened(rows).tolist() == [False, True]
    assert set(COLUMNS) < set(OUTCOME.names)
