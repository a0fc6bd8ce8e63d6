"""A strategy asked about a hand: it sees the situation, and answers as the engine would hear it."""

import pytest

from continental_sim.authors.asking import Situation, takes, throws
from continental_sim.cards import parse_face
from continental_sim.errors import ContsimError
from tests.strategy_files import HEAD, source
from tests.tabletop import RUMMY, rules_with

HAND = "3C 4C 5C 6D 7D 8D 9H TH JH QS KS 8C 8S 2D 2S"
INTERPRETED = "import json\n" + HEAD


@pytest.fixture
def file(tmp_path):
    """Write a strategy file whose two functions have these lines; return its spec."""

    def write(*lines, take="return False", head=HEAD, more=""):
        path = tmp_path / "mine.py"
        take = f"def take_discard(view):\n    {take}\n\n\n"
        path.write_text(source(*lines, take=take, head=head, more=more), encoding="utf-8")
        return str(path)

    return write


def test_the_upcard_is_taken_if_it_helps():
    assert takes("fastest", HAND, "AS")
    assert not takes("fastest", HAND, "4D")
    assert not takes("stock", HAND, "AS")


def test_what_is_thrown_is_the_best_discard():
    assert throws("fastest", f"{HAND} AS") == ("8C", True)
    assert throws("fastest", f"{HAND} 8H").goes_out is False
    # A suit of which no card is held has its class in the tables, too.
    two = "6D KD 5C 6D 8C 2C 6C KD TD 7C 2C 7C JD 6C 5D 7D"
    assert throws("fastest", two) == ("6D", False)


def test_a_card_too_many_is_no_exit(file):
    assert throws(file(f"return {parse_face('JH')}"), f"{HAND} AS") == ("JH", False)


def test_an_exit_is_declined_as_in_play():
    # The mark that choose_discard leaves in the memo is what go_out reads.
    hand = "3C 4C 5C 6D 7D 8D 9H TH JH QS KS AS 4H 5H 2H KC"
    early, late = Situation(turn=1), Situation(turn=9)
    assert throws("natural", hand, situation=early) == ("KC", False)
    assert throws("natural", hand, situation=late) == ("KC", True)
    forced = Situation(rules_with("exit_mandatory=true"), turn=1)
    assert throws("natural", hand, situation=forced).goes_out


@pytest.mark.parametrize("head", [HEAD, INTERPRETED], ids=["compiled", "interpreted"])
@pytest.mark.parametrize(
    ("seen", "situation"),
    [
        ("view.seat == 3 and view.turn == 4 and view.round == 4", Situation(seat=3, turn=4)),
        ("view.pile_size == 3 and view.in_pile[24] == 1 and view.upcard == 25", "QD"),
        ("view.pile[0] == 24 and view.thrower[0] == 2 and view.thrower[2] == 0", "QD"),
        ("view.thrower[0] == -1 and view.thrower[1] == 0", Situation(seat=2, turn=1, pile="QD TD")),
        ("view.known[3, 24] == 2 and view.known[0, 24] == 0", Situation(known={3: "QD QD"})),
        ("unseen(view, 24) == 0", Situation(known={3: "QD QD"})),
        ("view.memo[1] == 7 and view.memo[2] == 0", Situation(memo=(5, 7))),
        ("view.stock_size == 106 - 60 - 1", Situation()),
        ("view.seats == 5", Situation(rules_with("seats=5"))),
        ("view.hand[52] == 0 and view.hand[2] == 1 and view.wilds == 2", Situation()),
        ("view.taken == -1 and view.barred == -1", Situation()),
    ],
)
def test_the_view_shows_the_situation(seen, situation, head, file):
    situation = Situation(seat=1, pile=f"{situation} TD") if situation == "QD" else situation
    spec = file("return first_held(view)", take=f"return {seen}", head=head)
    assert takes(spec, HAND, "KD", situation)
    assert not takes(file("return 0", take=f"return not ({seen})"), HAND, "KD", situation)


def test_a_card_that_was_taken_may_be_barred(file):
    spec = file("return view.taken if view.barred < 0 else first_held(view)")
    assert throws(spec, f"{HAND} AS", taken="AS").card == "AS"
    forbid = Situation(rules_with("return_taken=forbid"))
    assert throws(spec, f"{HAND} AS", situation=forbid, taken="AS").card != "AS"
    # A second copy may go.
    assert throws(spec, f"{HAND} 8C", situation=forbid, taken="8C").card == "8C"
    with pytest.raises(ContsimError, match="which it had just taken"):
        throws(file("return view.taken"), f"{HAND} AS", situation=forbid, taken="AS")


@pytest.mark.parametrize("head", [HEAD, INTERPRETED], ids=["compiled", "interpreted"])
@pytest.mark.parametrize(
    ("thrown", "part"),
    [
        ("51", "mine.py threw KS, which it does not hold"),
        ("53", "mine.py threw card 53, which is no face: 0 to 52"),
        ("-2", "mine.py threw card -2"),
        ("view.hand[60]", "IndexError"),
    ],
)
def test_a_failure_is_one_sentence(thrown, part, head, file):
    hand = HAND.replace("KS", "KD")
    with pytest.raises(ContsimError) as caught:
        throws(file(f"return {thrown}", head=head), f"{hand} AS")
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


def test_go_out_may_fail_too(file):
    with pytest.raises(ContsimError, match="ZeroDivisionError"):
        throws(file("return best_discard(view)", head=INTERPRETED,
                    more="\n\ndef go_out(view):\n    return 1 // 0\n"), f"{HAND} AS")  # fmt: skip
    with pytest.raises(ContsimError, match="IndexError"):
        takes(file("return 0", take="return view.hand[99]"), HAND, "AS")


@pytest.mark.parametrize(
    ("ask", "part"),
    [
        (lambda: takes("fastest", f"{HAND} AS", "KD"), "a hand has 15 cards, and here are 16"),
        (lambda: throws("fastest", HAND), "a hand has 16 cards, and here are 15"),
        (lambda: takes("fastest", HAND, "8X"), "8X"),
        (lambda: takes("fastest", HAND, "8S", Situation(pile="8S")), "3 copies of 8S"),
        (lambda: takes("fastest", HAND, "KD", Situation(known={2: "8S 8S"})), "3 copies of 8S"),
        (lambda: takes("fastest", HAND, "KD", Situation(seat=4)), "seat = 4 is out of bounds"),
        (lambda: takes("fastest", HAND, "KD", Situation(known={4: "8S"})), "seat = 4 is out of"),
        (lambda: takes("fastest", HAND, "KD", Situation(turn=0)), "turn = 0"),
        (lambda: takes("fastest", HAND, "KD", Situation(memo=[0] * 17)), "memo has 17 numbers"),
        (lambda: throws("fastest", f"{HAND} AS", taken="KD"), "taken = 'KD' is not in the hand"),
        (lambda: takes("fastets", HAND, "KD"), "did you mean fastest?"),
    ],
)
def test_what_cannot_be_is_refused(ask, part):
    with pytest.raises(ContsimError) as caught:
        ask()
    assert part in str(caught.value)


def test_hands_of_basic_rummy_are_not_asked_about():
    with pytest.raises(ContsimError, match="asking a strategy about a hand is for Continental"):
        takes("random", "5H 6H 7H", "8H", Situation(RUMMY))
