"""The rules record, its presets, and what it refuses."""

import dataclasses
import tomllib
from importlib import resources

import pytest
import tomli_w

from continental_sim.cards import JOKER
from continental_sim.errors import ContsimError
from continental_sim.rules import (
    ContinentalRules,
    describe,
    differences,
    load_rules,
    preset_about,
    preset_names,
    rule_keys,
    rules_from_dict,
    rules_to_dict,
    with_settings,
)

DEFAULT = ContinentalRules()


def test_the_default_is_the_guide():
    # Guide 1: two packs and two jokers, deuces and jokers wild. Guide 2: 15 cards, stock 45.
    assert (DEFAULT.seats, DEFAULT.cards, DEFAULT.hand_size, DEFAULT.stock_size) == (4, 106, 15, 45)
    assert DEFAULT.wilds == 10
    assert [face for face in range(53) if DEFAULT.is_wild(face)] == [1, 14, 27, 40, JOKER]
    # Guide 3: three partitions.
    assert DEFAULT.pattern_lengths == ((3, 3, 3, 3, 3), (4, 4, 4, 3), (5, 4, 3, 3))
    assert DEFAULT.run_lengths == (3, 4, 5)
    # Five seats start with a stock of 30.
    assert load_rules("continental-5").stock_size == 30


def test_the_record_is_frozen_hashable_and_compares_by_value():
    with pytest.raises(dataclasses.FrozenInstanceError):
        DEFAULT.seats = 5
    assert hash(load_rules()) == hash(DEFAULT)
    assert load_rules() == DEFAULT
    assert ContinentalRules(patterns=["3+3+4+5"]) == ContinentalRules(patterns=("5+4+3+3",))


def test_the_default_preset_names_every_key():
    text = resources.files("continental_sim.rules").joinpath("presets/continental.toml")
    values = tomllib.loads(text.read_text(encoding="utf-8"))
    assert set(values) == {"about", "game", *rule_keys()}
    assert rules_from_dict(values) == DEFAULT


def test_presets_are_what_their_names_say():
    assert preset_names() == [
        "continental",
        "block",
        "circular-ace",
        "continental-5",
        "four-packs",
        "groups",
        "jokers-only",
        "three-packs",
        "basic-rummy",
        "basic-rummy-2",
        "basic-rummy-3",
    ]
    rules = {name: load_rules(name) for name in preset_names()}
    changed = {name: differences(type(each)(), each) for name, each in rules.items()}
    assert changed == {
        "continental": {},
        "block": {"recycles": ("unlimited", 0)},
        "circular-ace": {"ace": ("both", "wrap")},
        "continental-5": {"seats": (4, 5)},
        "four-packs": {"seats": (4, 9), "packs": (2, 4), "jokers": (2, 4)},
        "groups": {"melds": ("runs", "groups")},
        "jokers-only": {"wild_ranks": (["2"], [])},
        "three-packs": {"seats": (4, 6), "packs": (2, 3), "jokers": (2, 3)},
        "basic-rummy": {},
        "basic-rummy-2": {"seats": (4, 2)},
        "basic-rummy-3": {"seats": (4, 3)},
    }
    assert [each.hand_size for name, each in rules.items() if "rummy" in name] == [7, 10, 7]
    assert all(preset_about(name).endswith(".") for name in preset_names())


def test_every_key_is_documented():
    keys = rule_keys()
    assert list(keys) == [entry.name for entry in dataclasses.fields(ContinentalRules)]
    for key in keys.values():
        assert key.doc.endswith((".", "]."))
        assert key.guide[0] in "1234567"
        assert key.allowed
        assert key.type in {"integer", "limit", "flag", "choice", "ranks", "patterns"}
        assert key.kind.plain(key.kind.read(key.name, key.default)) == key.default


@pytest.mark.parametrize(
    "settings",
    [
        [],
        ["seats=5", "recycles=0", "ace=wrap"],
        ["wild_ranks=2,10,k", "max_wilds_per_run=2", "exit_mandatory=true"],
        ["deuces_wild=false", "patterns=5+5+5,3+4+4+4", "jokers=12"],
    ],
)
def test_rules_survive_toml(settings):
    rules = with_settings(DEFAULT, settings)
    text = tomli_w.dumps(rules_to_dict(rules))
    assert rules_from_dict(tomllib.loads(text)) == rules


def test_settings_are_read_as_their_kind():
    rules = with_settings(
        DEFAULT,
        [
            "seats=4",
            "seats = 5",
            "recycles=unlimited",
            "wild_ranks=10, q,2",
            "patterns=3+4+4+4 5+5+5",
            "max_wilds_per_run=0",
            "exit_mandatory=TRUE",
        ],
    )
    assert rules.seats == 5
    assert rules.recycles is None
    assert rules.wild_ranks == ("2", "T", "Q")
    assert rules.patterns == ("4+4+4+3", "5+5+5")
    assert rules.max_wilds_per_run == 0
    assert rules.exit_mandatory is True


def test_deuces_wild_is_a_spelling_of_wild_ranks():
    assert with_settings(DEFAULT, ["deuces_wild=false"]).wild_ranks == ()
    assert with_settings(DEFAULT, ["wild_ranks=none"]).wild_ranks == ()
    assert with_settings(DEFAULT, ["wild_ranks=3", "deuces_wild=true"]).wild_ranks == ("2",)
    assert rules_from_dict({"deuces_wild": False}) == load_rules("jokers-only")
    with pytest.raises(ContsimError, match="deuces_wild or wild_ranks, not both"):
        rules_from_dict({"deuces_wild": False, "wild_ranks": ["2"]})


def test_settings_that_need_each_other_are_checked_together():
    rules = with_settings(DEFAULT, ["hand_size=10", "patterns=4+3+3,5+5"])
    assert rules.pattern_lengths == ((4, 3, 3), (5, 5))
    with pytest.raises(ContsimError, match=r"lays 15 cards, but hand_size = 10"):
        with_settings(DEFAULT, ["hand_size=10"])


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("seets=5", "unknown rule key 'seets' .*did you mean 'seats'"),
        ("deuce_wild=true", "did you mean 'deuces_wild'"),
        ("qqq=1", "unknown rule key 'qqq': see them all"),
        ("seats", "'seats' has no value: write key=value"),
        ("seats=", "seats = '' is not allowed: it must be a whole number from 2 to 12"),
        ("seats=1", "seats = 1 is not allowed"),
        ("seats=13", "from 2 to 12"),
        ("seats=4.0", "seats = '4.0' is not allowed"),
        ("jokers=-1", "jokers = -1"),
        ("recycles=never", "recycles = 'never'.*or \"unlimited\""),
        ("recycles=-1", "recycles = -1"),
        ("ace=middle", 'it must be "both" or "low" or "high" or "wrap"'),
        ("exit_mandatory=yes", "it must be true or false"),
        ("deuces_wild=2", "deuces_wild = '2' is not allowed"),
        ("wild_ranks=2,1", "wild_ranks = "),
        ("patterns=", "patterns = "),
        ("patterns=3+3+3+3+3,3+3+3+3+3", "different patterns"),
        ("patterns=15", "runs or groups of 2 to 13 cards"),
        ("patterns=14+1", "runs or groups of 2 to 13 cards"),
        ("patterns=3+x", "patterns = '3[+]x'"),
        ("min_naturals_per_run=4", "more than the run of 3 in pattern 3[+]3"),
        ("packs=5", "packs = 5 is not allowed: it must be a whole number from 1 to 4"),
        ("melds=sets", 'it must be "runs" or "groups"'),
        ("pay_exit=101", "from 0 to 100"),
        ("seats=" + "9" * 5000, "seats = '999"),
    ],
)
def test_a_bad_setting_names_the_value_and_the_limit(setting, message):
    with pytest.raises(ContsimError, match=message) as caught:
        with_settings(DEFAULT, [setting])
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    "values",
    [
        {"seats": "4"},
        {"seats": 4.0},
        {"seats": True},
        {"recycles": True},
        {"recycles": 1.5},
        {"exit_mandatory": 1},
        {"exit_mandatory": "true"},
        {"ace": ["both"]},
        {"wild_ranks": 2},
        {"wild_ranks": [["2"]]},
        {"wild_ranks": [True]},
        {"patterns": [[3, 3, 3, 3, 3]]},
        {"patterns": []},
        {"patterns": 5},
        {"game": "bridge"},
        {"seats": {"a": 1}},
    ],
)
def test_a_value_of_a_wrong_type_is_refused(values):
    name = next(iter(values))
    with pytest.raises(ContsimError, match=f"^{name} = "):
        rules_from_dict(values)


def test_eight_seats_from_two_packs_are_refused_with_the_reason():
    with pytest.raises(ContsimError, match=r"seats = 8 .* need 121 cards.* 106 .*at most 7 seats"):
        with_settings(DEFAULT, ["seats=8"])
    assert with_settings(DEFAULT, ["seats=7"]).stock_size == 0


def test_three_and_four_packs_seat_as_many_as_bicycle_says():
    for name, seats in (("continental", 2), ("continental", 5), ("three-packs", 8)):
        assert with_settings(load_rules(name), [f"seats={seats}"]).stock_size > 0
    twelve = with_settings(load_rules("four-packs"), ["seats=12"])
    assert (twelve.cards, twelve.stock_size) == (212, 31)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        # One pack has four cards of a rank and, here, a single wild card, or two.
        (["patterns=5+5+5", "jokers=2"], "need 3 wild cards with 4 of a rank .* the pack has 2:"),
        (
            ["patterns=5+5+5"],
            r"5[+]5[+]5 can never be laid: its groups need 3 wild .* the pack has 1:",
        ),
        (
            ["patterns=5+5+5", "max_wilds_per_run=0"],
            r"its group of 5 needs 5 natural .* has 4 of a rank",
        ),
        (["patterns=3+3+3+3+3,5+5+5", "min_naturals_per_run=3"], "5[+]5[+]5 can never be laid"),
        (["patterns=10+5", "min_naturals_per_run=5"], "its group of 10 needs 5 natural"),
        (["min_naturals_per_run=4"], "more than the group of 3 in pattern 3[+]3"),
    ],
)
def test_groups_that_can_never_be_laid_are_refused(settings, message):
    few = ["melds=groups", "packs=1", "seats=3", "jokers=1", "deuces_wild=false"]
    with pytest.raises(ContsimError, match=message):
        with_settings(DEFAULT, [*few, *settings])


EVERY_RANK = "wild_ranks=A,2,3,4,5,6,7,8,9,T,J,Q,K"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ([EVERY_RANK, "melds=groups"], r"3[+]3 .* its groups need 2 natural cards, .* has 0: set"),
        ([EVERY_RANK, "natural_two_counts=false"], "its runs need 2 natural cards, .* has 0: set"),
        (
            [EVERY_RANK.removesuffix(",K"), "melds=groups", "packs=1", "min_naturals_per_run=3"],
            "its groups need 6 natural cards, and the pack has 4",
        ),
    ],
)
def test_patterns_that_need_more_naturals_than_there_are_are_refused(settings, message):
    small = ["hand_size=6", "patterns=3+3", "seats=3"]
    with pytest.raises(ContsimError, match=message):
        with_settings(DEFAULT, [*small, *settings])


def test_a_wild_card_that_counts_in_its_own_place_is_natural_enough():
    small = ["hand_size=6", "patterns=3+3", "seats=3", EVERY_RANK]
    assert with_settings(DEFAULT, [*small, "min_naturals_per_run=3"]).wilds == 106


def test_groups_that_can_just_be_laid_are_allowed():
    few = ["melds=groups", "packs=1", "seats=3", "deuces_wild=false"]
    for settings in (
        ["jokers=1", "patterns=5+4+3+3"],
        ["jokers=3", "patterns=5+5+5", "max_wilds_per_run=1"],
        ["jokers=8", "patterns=8+7", "min_naturals_per_run=4"],
        ["packs=4", "jokers=0", "patterns=13+2", "min_naturals_per_run=2"],
    ):
        assert with_settings(DEFAULT, [*few, *settings]).melds == "groups"


def test_unknown_rules_are_refused_with_the_nearest_name(tmp_path):
    with pytest.raises(
        ContsimError, match=r"unknown rules 'continentl' .*did you mean 'continental'"
    ):
        load_rules("continentl")
    with pytest.raises(ContsimError, match=r"cannot read the rules file .*none.toml: No such file"):
        load_rules(str(tmp_path / "none.toml"))
    with pytest.raises(ContsimError, match="unknown rules"):
        load_rules(str(tmp_path))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"seats = 4 5", "is not valid TOML"),
        (b"about = '\xff'", "is not valid TOML"),
        (b"seats = 'four'", r"in the rules file .*: seats = 'four' is not allowed"),
        (b"seets = 4", r"in the rules file .*did you mean 'seats'"),
    ],
)
def test_a_bad_file_is_named(tmp_path, content, message):
    path = tmp_path / "mine.toml"
    path.write_bytes(content)
    with pytest.raises(ContsimError, match=message) as caught:
        load_rules(str(path))
    assert "mine.toml" in str(caught.value)


def test_a_file_changes_what_it_names(tmp_path):
    path = tmp_path / "my rules.toml"
    path.write_text('about = "mine"\nseats = 3\nmax_wilds_per_run = 1\n', encoding="utf-8")
    assert differences(DEFAULT, load_rules(str(path))) == {
        "seats": (4, 3),
        "max_wilds_per_run": ("unlimited", 1),
    }


def test_the_description_comes_from_the_record():
    lines = describe(DEFAULT)
    assert len(lines) == 2
    assert all(len(line) <= 80 for line in lines)
    assert "4 seats, 106 cards (2 packs, 2 jokers), 15 each; wild: 2s, jokers" in lines[0]
    assert "3+3+3+3+3, 4+4+4+3, 5+4+3+3; ace low or high; cap 500 rounds" in lines[1]
    rules = with_settings(DEFAULT, ["seats=3", "deuces_wild=false", "jokers=0", "recycles=0"])
    first, _, third = describe(rules)
    assert "3 seats" in first
    assert "wild: none" in first
    assert third == "Not the default: seats = 3, jokers = 0, wild_ranks = none, recycles = 0."


def test_the_description_of_groups_says_nothing_of_the_ace():
    _, exits, changed = describe(load_rules("groups"))
    assert exits == "Exit: groups 3+3+3+3+3, 4+4+4+3, 5+4+3+3; cap 500 rounds."
    assert changed == "Not the default: melds = groups."


def test_copies_are_counted_by_face():
    assert [DEFAULT.copies(0), DEFAULT.copies(JOKER)] == [2, 2]
    assert ContinentalRules(packs=1, seats=2, jokers=4).copies(JOKER) == 4
    with pytest.raises(ValueError, match="53"):
        DEFAULT.copies(53)
