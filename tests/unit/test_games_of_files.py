"""Files for one game, the other or both: what they may read, call and be asked."""

import pytest

from continental_sim.columns import GAME_FILES
from continental_sim.contract import read_contract
from continental_sim.engine import play_block
from continental_sim.errors import ContsimError, StudyFailed
from continental_sim.rules import BasicRummyRules
from continental_sim.strategy import find_strategy, known_files, list_strategies, make_strategy
from continental_sim.study import make_study
from tests.strategy_files import HEAD, source
from tests.tabletop import DEFAULT, RUMMY, rules_with, rummy_with

OF_RUMMY = f"GAMES = ('basic-rummy',)\n{HEAD}"
OF_BOTH = f"GAMES = ('continental', 'basic-rummy')\n{HEAD}"
INTERPRETED = f"import json\n{OF_RUMMY}"


def sentence(text):
    """Return what is wrong with a file."""
    with pytest.raises(ContsimError) as caught:
        make_strategy("bad.py", "bad", text)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def helper(name, *lines):
    """Write a function of a view to come after a file."""
    return f"\n\ndef {name}(mine, face):\n" + "".join(f"    {line}\n" for line in lines)


@pytest.mark.parametrize(
    ("games", "found"),
    [
        ("", ("continental",)),
        ("GAMES = ('basic-rummy',)\n", ("basic-rummy",)),
        ("GAMES = 'basic-rummy'\n", ("basic-rummy",)),
        ("GAMES: tuple = ('continental', 'basic-rummy')\n", ("continental", "basic-rummy")),
    ],
)
def test_a_file_says_what_it_is_for(games, found):
    assert (
        read_contract(source("return first_held(view)", head=games + HEAD), "m.py").games == found
    )


@pytest.mark.parametrize("games", ["()", "3", "('rummy',)", "('basic-rummy', [])", "NAMES", "{[]}"])
def test_games_that_there_are_not_are_refused(games):
    message = sentence(source("return 0", head=f"NAMES = 1\nGAMES = {games}\n"))
    assert message.startswith("line 2 of bad.py: GAMES names the games")
    assert "'continental' or 'basic-rummy'" in message


@pytest.mark.parametrize("head", [OF_RUMMY, INTERPRETED, OF_BOTH])
@pytest.mark.parametrize(
    ("lines", "more", "line"),
    [
        (["return view.wilds"], "", 0),
        (["v = view", "return v.wilds"], "", 1),
        (["return late(view, 3)"], helper("late", "return mine.wilds"), 4),
        (["return late(face=3, mine=view)"], helper("late", "return mine.wilds"), 4),
        (
            ["return late(view, 3)"],
            helper("late", "return later(mine, face)") + helper("later", "return mine.wilds"),
            8,
        ),
        (["key = lambda face: view.wilds", "return key(3)"], "", 0),
    ],
)
def test_a_field_of_the_other_game_is_refused_wherever_the_view_goes(head, lines, more, line):
    message = sentence(source(*lines, head=head, more=more))
    place = head.count("\n") + 6 + line  # after take_discard
    assert message.startswith(f"line {place} of bad.py: a view of basic-rummy has no field 'wilds'")
    assert "only one of continental has: docs/strategies.md" in message


def test_what_is_no_view_may_have_any_field():
    text = source(
        "return later(Kept(), 3) * 0 + first_held(view)",
        head=f"{INTERPRETED}class Kept:\n    wilds = 3\n\n\n",
        more=helper("later", "return mine.wilds"),
    )
    study = make_study(RUMMY, [make_strategy("good.py", "good", text)], 1, 2)
    play_block(study, 0, 2)


def test_a_view_that_the_text_does_not_show_is_refused_when_it_is_read():
    kept = "class Kept:\n    def read(self, seen):\n        return seen[0].wilds\n\n\n"
    text = source("return Kept().read([view])", head=f"{INTERPRETED}{kept}")
    study = make_study(RUMMY, [make_strategy("bad.py", "bad", text)], 1, 2)
    with pytest.raises(StudyFailed) as caught:
        play_block(study, 0, 2)
    assert "AttributeError: a view of basic-rummy has no field 'wilds'" in str(caught.value)


@pytest.mark.parametrize(
    ("head", "games"),
    [(OF_RUMMY, "basic-rummy"), (OF_BOTH, "continental and basic-rummy")],
)
@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("return best_discard(view)", "best_discard"),
        ("return a.distance(view)", "distance"),
    ],
)
def test_a_function_of_the_other_game_is_refused(head, games, line, name):
    message = sentence(source(line, head=f"import continental_sim.api as a\n{head}"))
    assert f"{name} is a function for continental, and this file is for {games}" in message


def test_a_function_is_refused_where_it_is_imported():
    head = "from continental_sim.api import chances\n"
    message = sentence(source("return 0", head=head))
    assert message.startswith("line 1 of bad.py: chances is a function for basic-rummy, and this")
    message = sentence(source("return 0", head=f"{OF_RUMMY}from continental_sim.api import pisp\n"))
    assert message.endswith("has no 'pisp'; did you mean pips?")


def test_a_name_of_ones_own_may_be_that_of_a_function_of_the_other_game():
    text = source("distance = 3", "return first_held(view) + 0 * distance", head=OF_RUMMY)
    assert make_strategy("good.py", "good", text).games == ("basic-rummy",)


@pytest.mark.parametrize(
    ("head", "question", "asked_in", "games"),
    [
        (HEAD, "lay_down", "basic-rummy", "continental"),
        (OF_RUMMY, "go_out", "continental", "basic-rummy"),
    ],
)
def test_a_question_that_would_never_be_asked_is_refused(head, question, asked_in, games):
    more = f"\n\ndef {question}(view):\n    return True\n"
    message = sentence(source("return first_held(view)", head=head, more=more))
    assert f"{question} is asked in {asked_in}, and this file is for {games}" in message
    assert f"write GAMES = ('{asked_in}',)" in message


QUESTIONS_OF_BOTH = """

def go_out(view):
    return {exits}


def lay_down(view):
    return {lays}
"""


def test_a_file_for_both_games_may_answer_what_one_of_them_asks():
    more = QUESTIONS_OF_BOTH.format(exits="view.pay_deuce < 0", lays="view.must_discard > 1")
    text = source("return first_held(view)", head=OF_BOTH, more=more)
    both = make_strategy("m.py", "m", text)
    assert both.games == ("continental", "basic-rummy")
    for rules, declined in (
        (rules_with("packs=1", "seats=4", "jokers=50", "max_rounds=3"), "exits_declined"),
        (rummy_with("max_rounds=3"), "layings_declined"),
    ):
        block = play_block(make_study(rules, [both], 1, 40), 0, 40)
        place = GAME_FILES[rules.game].behaviour_sums.index(declined)
        assert block.behaviour[:, place].sum() > 0


@pytest.mark.parametrize(
    ("exits", "lays", "field", "game"),
    [
        ("view.must_discard", "True", "must_discard", "continental"),
        ("True", "view.pay_deuce", "pay_deuce", "basic-rummy"),
    ],
)
def test_a_question_of_one_game_reads_the_view_of_that_game(exits, lays, field, game):
    more = QUESTIONS_OF_BOTH.format(exits=exits, lays=lays)
    message = sentence(source("return first_held(view)", head=OF_BOTH, more=more))
    assert field in message
    assert game in message


def test_a_strategy_sits_at_tables_of_its_games_alone():
    theirs = make_strategy("m.py", "m", source("return first_held(view)", head=OF_RUMMY))
    with pytest.raises(ContsimError, match=r"m\.py is for basic-rummy, and not for continental"):
        make_study(DEFAULT, [theirs], 1, 4)
    both = make_strategy("m.py", "m", source("return first_held(view)", head=OF_BOTH))
    for rules in (DEFAULT, RUMMY):
        play_block(make_study(rules, [both], 1, 8), 0, 8)


def test_names_are_those_of_the_game(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert {each.name for each in list_strategies(BasicRummyRules.game)} == {
        *("fastest", "holder", "low", "random", "stock")
    }
    assert "holder" not in known_files()
    assert find_strategy("fastest", "basic-rummy").text != find_strategy("fastest").text
    assert find_strategy("random", "basic-rummy").text == find_strategy("random").text
    with pytest.raises(ContsimError, match="or play --game basic-rummy"):
        find_strategy("holder")
