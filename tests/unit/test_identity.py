"""What makes two studies the same, and where they differ."""

from dataclasses import replace

import pytest

from continental_sim.play import identity
from continental_sim.play.identity import code_mark, differences, study_mark
from continental_sim.rules import BasicRummyRules, rules_to_dict
from continental_sim.study import make_study, study_from_dict, study_to_dict
from tests.tabletop import DEFAULT, rules_with, strategy

MIXED = ["fastest", "stock", "neighbours", "random"]
TEXT = "def take_discard(view):\n    return 0\n\n\ndef choose_discard(view):\n    return 0\n"


def study(rules=DEFAULT, specs=MIXED, seed=1, deals=40, **options):
    return make_study(rules, specs, seed, deals, **options)


BASE = study()


@pytest.mark.parametrize(
    "other",
    [
        study(deals=80),
        study(first_deal=40),
        study(block_deals=4),
        study_from_dict(study_to_dict(BASE)),
    ],
)
def test_how_many_deals_and_in_which_blocks_does_not_matter(other):
    assert study_mark(other, "code") == study_mark(BASE, "code")
    assert not list(differences(BASE, other))


OTHERS = {
    "max_rounds": study(rules_with("max_rounds=9")),
    "fixed_order = false against true": study(fixed_order=True),
    "line-up fastest, stock, neighbours, random against stock, stock": study(specs=["stock"]),
    "random against stock, fastest, neighbours, random": study(
        specs=["stock", "fastest", "neighbours", "random"]
    ),
    "seats = 4 against 2": study(rules_with("seats=2"), ["stock"]),
}


@pytest.mark.parametrize("difference", OTHERS)
def test_all_that_an_outcome_depends_on_is_told_apart(difference):
    assert study_mark(OTHERS[difference], "code") != study_mark(BASE, "code")
    assert any(difference in each for each in differences(BASE, OTHERS[difference]))


def test_the_seed_and_the_code_are_of_the_mark_alone():
    assert study_mark(study(seed=2), "code") != study_mark(BASE, "code")
    assert study_mark(BASE, "other") != study_mark(BASE, "code")
    assert not list(differences(BASE, study(seed=2)))


def test_each_rule_is_told_apart():
    keys = rules_to_dict(DEFAULT)
    changed = {"max_rounds": 9, "pay_dealt": 9, "ace": "wrap", "next_dealer": "winner"}
    assert changed.keys() <= keys.keys()
    marks = {study_mark(BASE, "code")}
    for key, value in changed.items():
        other = study(rules_with(f"{key}={value}"))
        (told,) = differences(BASE, other)
        assert told == f"{key} = {keys[key]} against {value}"
        marks.add(study_mark(other, "code"))
    assert len(marks) == 5


def test_another_game_is_all_that_is_told():
    other = study(BasicRummyRules(), specs=["fastest"])
    assert list(differences(BASE, other)) == ["Continental against Basic Rummy"]


def test_the_text_of_a_strategy_counts_whatever_it_is_called():
    one = study(specs=[strategy(TEXT)])
    two = study(specs=[strategy(f"{TEXT}# changed\n")])
    assert one.specs == two.specs
    assert study_mark(one, "code") != study_mark(two, "code")
    assert list(differences(one, two)) == [
        f"the file of strategy inline (player {player})" for player in range(4)
    ]


def test_the_knobs_of_a_strategy_count():
    lineup = tuple(replace(each, knobs=(("K", 3),)) for each in BASE.lineup)
    assert study_mark(replace(BASE, lineup=lineup), "code") != study_mark(BASE, "code")


def test_the_code_that_plays_has_a_mark_and_other_code_has_not(tmp_path, monkeypatch):
    package = identity.Path(identity.__file__).parents[1]
    kept = [path for pattern in identity._CODE for path in package.glob(pattern)]
    names = {path.name for path in kept}
    assert {"engine.py", "cubes.py", "continental.py", "rng.py"} <= names
    assert {"contract.py", "players.py", "strategy.py"} <= names  # from text to what is called
    for path in kept:
        copy = tmp_path / path.relative_to(package)
        copy.parent.mkdir(exist_ok=True)
        copy.write_bytes(path.read_bytes())
    monkeypatch.setattr(identity, "__file__", str(tmp_path / "play" / "identity.py"))
    mark = code_mark()
    assert code_mark.__wrapped__() == mark
    (tmp_path / "report.py").write_text("# plays no deal\n")
    assert code_mark.__wrapped__() == mark
    for name in ("kernels/rng.py", "contract.py", "strategy.py"):
        with (tmp_path / name).open("a") as file:
            file.write("# changed\n")
        assert code_mark.__wrapped__() != mark
        mark = code_mark.__wrapped__()
