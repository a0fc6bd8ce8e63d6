"""What is said of the strategies' knowledge of a rule: only what their files tell."""

import inspect
import re

import pytest

from continental_sim import api
from continental_sim.comparing import awareness
from continental_sim.comparing.awareness import names_used, notes_on
from continental_sim.kernels.fields import VIEW_FIELDS
from continental_sim.rules import GAMES, rule_keys, with_settings
from continental_sim.strategy import find_strategy, make_strategy
from tests.tabletop import DEFAULT, rules_with

OWN = """
from continental_sim import api


def take_discard(view):
    return api.can_go_out(view)


def choose_discard(view):
    return api.first_held(view)
"""


def notes(*settings, strategies=("fastest",)):
    return notes_on(DEFAULT, rules_with(*settings), map(find_strategy, strategies))


@pytest.mark.parametrize("game", GAMES)
def test_each_rule_is_told_of_or_met_in_play_for_a_reason(game):
    keys, told, met = {*rule_keys(GAMES[game])}, awareness.TOLD[game], awareness.MET[game]
    assert told | met.keys() == keys
    assert not told & met.keys()
    assert all(met.values())


OTHERS = {
    "continental": {
        "ace": "low", "melds": "groups", "wild_ranks": "3", "patterns": "3+3+3+3+3",
        "natural_two_counts": "false", "one_suit": "physical", "recycle_order": "turned",
        "next_dealer": "winner", "stack_first_turn": "true", "return_taken": "forbid",
        "wild_discard_takeable": "false", "exit_mandatory": "true", "max_wilds_per_run": "2",
        "min_naturals_per_run": "2", "seats": "5", "hand_size": "", "packs": "3",
    },
    "basic-rummy": {
        "ace": "both", "return_taken": "allow", "recycle_order": "turned", "next_dealer": "winner",
        "one_meld_per_turn": "true", "layoff_needs_meld": "true", "seats": "3",
        "must_discard_to_go_out": "true",
    },
}  # fmt: skip


@pytest.mark.parametrize("game", GAMES)
def test_something_is_said_of_just_the_rules_that_are_told_of(game):
    base, (fastest,) = GAMES[game](), [find_strategy("fastest", game)]
    for key in rule_keys(GAMES[game]):
        value = OTHERS[game].get(key, "7")
        if value:  # a hand of another size needs other patterns, too
            other = with_settings(base, [f"{key}={value}"])
            if other != base:
                said = notes_on(base, other, [fastest])
                assert bool(said) == (key in awareness.TOLD[game]), key


def test_names_are_those_that_a_file_reads():
    assert names_used(OWN) >= {"can_go_out", "first_held"}
    assert "distance" not in names_used(OWN)
    every = OWN.replace("from continental_sim import api", "from continental_sim.api import *")
    assert {"can_go_out", "api"} <= names_used(every)


def test_what_tells_of_rules_is_what_the_code_has():
    paid = awareness._PAID | awareness._OF_TIMES
    named = {*awareness._FITTING, *paid, *awareness._UNTOLD}
    assert named <= set(rule_keys())
    fields = {*VIEW_FIELDS["continental"].names}
    assert set().union(*awareness._FITTING.values()) <= {*api.__all__, *fields}
    texts = {
        name: inspect.getsource(getattr(thing, "py_func", thing))
        for name in api.GAME_NAMES["continental"]
        if callable(thing := getattr(api, name))
    }
    reading = {
        name
        for name, text in texts.items()
        if re.search(r"used(_if)?\(|games\.can|(choices|_kernels)\.(?!unseen)", text)
    }
    assert reading == awareness._TABLES
    assert {name for name, text in texts.items() if "paying" in text} == awareness._WEIGHED
    assert {name for name, text in texts.items() if "exit_payment" in text} == awareness._TOLD - {
        awareness._IMAGINED
    }
    assert {field for field in fields if field.startswith("pay_")} == paid - {"one_suit"}
    for key, field in (("ace", "ace"), ("melds", "groups"), ("wild_ranks", "wild")):
        reading = {
            name for name, text in texts.items() if re.search(rf"rules\.{field}|= company\(", text)
        }
        assert reading == awareness._FITTING[key] & set(api.__all__)


@pytest.mark.parametrize(
    ("settings", "strategies", "said"),
    [
        (["ace=low"], ["fastest"], ["fastest plays by the meld tables, which follow ace"]),
        (
            ["ace=low", "wild_ranks=3"],
            ["stock", "fastest", "fastest"],
            ["stock and fastest play by the meld tables, which follow wild_ranks and ace"],
        ),
        (["ace=low"], ["random"], ["random looks at nothing that tells of ace"]),
        (
            ["patterns=3+3+3+3+3", "ace=low"],
            ["neighbours"],
            [
                "neighbours looks at nothing that tells of patterns",
                "what neighbours has as WANTED and PAIR was not chosen for it",
            ],
        ),
        (
            ["pay_no_wild=0"],
            ["fastest", "random"],
            [
                "fastest looks at pay_no_wild only for the discard of an exit",
                "random looks at no payment of an exit ahead",
            ],
        ),
        (
            ["pay_exit=2", "pay_deuce=0"],
            ["banker", "outs"],
            [
                "banker weighs pay_exit and pay_deuce",
                "outs looks at pay_deuce only for the discard of an exit",
            ],
        ),
        (["pay_dealt=0"], ["outs"], ["outs looks at no payment of an exit ahead"]),
        (["recycles=0"], ["fastest"], ["no strategy is told of recycles"]),
        (["seats=5", "jokers=4"], ["fastest"], []),
    ],
)
def test_what_is_said(settings, strategies, said):
    assert notes(*settings, strategies=strategies) == said


def test_a_rule_of_runs_means_nothing_for_groups():
    groups = rules_with("melds=groups")
    nothing = "ace means nothing where melds are groups"
    (fastest,) = lineup = [find_strategy("fastest")]
    assert notes_on(groups, rules_with("melds=groups", "ace=low"), lineup) == [nothing]
    assert notes_on(DEFAULT, rules_with("melds=groups", "ace=low"), lineup) == [
        nothing,
        f"{fastest.spec} plays by the meld tables, which follow melds",
    ]
    assert notes_on(groups, rules_with("ace=low"), lineup) == [
        f"{fastest.spec} plays by the meld tables, which follow ace and melds"
    ]


def test_a_file_of_ones_own_is_read_too():
    mine = make_strategy("mine.py", "mine", OWN, "")
    (said,) = notes_on(DEFAULT, rules_with("ace=low"), [mine])
    assert said == "mine.py plays by the meld tables, which follow ace"


def test_who_imagines_deals_plays_them_by_all_the_rules():
    other = rules_with("recycles=0", "pay_no_wild=20")
    notes = list(awareness.notes_on(DEFAULT, other, [find_strategy("lookahead")]))
    assert "lookahead meets recycles only in deals that are imagined" in notes
    assert "lookahead weighs pay_no_wild" in notes
    plain = list(awareness.notes_on(DEFAULT, other, [find_strategy("outs")]))
    assert "no strategy is told of recycles" in plain
