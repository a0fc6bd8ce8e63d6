"""A strategy asked about a hand, for the tests of a strategy file."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from continental_sim.cards import (
    FACES,
    SUITS,
    Counts,
    check_copies,
    face_name,
    hand_counts,
    parse_face,
    parse_hand,
)
from continental_sim.engine import Table, cause, load_players, raised, table_for
from continental_sim.errors import ContsimError
from continental_sim.hands import read_hand
from continental_sim.kernels import continental, dealing, holding, table, turns
from continental_sim.kernels.records import MEMO
from continental_sim.rules import ContinentalRules, load
from continental_sim.study import make_study


@dataclass(frozen=True)
class Situation:
    """What a seat knows beside its hand.

    Attributes
    ----------
    rules : ContinentalRules
    seat : int
        Own seat, 0 acts first.
    turn : int
        Own turns begun, this one counted.
    pile : str
        Cards under the upcard, from the bottom. They were thrown one a turn, the upcard by the
        player before.
    known : mapping of int to str
        By seat: cards that it took from the pile and kept.
    memo : sequence of int
        The first numbers of the memo; the others are 0.
    """

    rules: ContinentalRules = field(default_factory=ContinentalRules)
    seat: int = 0
    turn: int = 2
    pile: str = ""
    known: Mapping[int, str] = field(default_factory=dict)
    memo: Sequence[int] = ()


class Thrown(NamedTuple):
    """What a strategy does after a draw.

    Attributes
    ----------
    card : str
        What it throws.
    goes_out : bool
        Whether the other cards fit, and it says so.
    """

    card: str
    goes_out: bool


def takes(spec: str, hand: str, upcard: str, situation: Situation | None = None) -> bool:
    """Tell whether a strategy takes the upcard.

    Parameters
    ----------
    spec : str
        As for `find_strategy`: ``mine``, ``mine.py:CLOSE=4``.
    hand : str
        The cards between turns (15), such as ``"3C 4C 5C ... JK"``.
    upcard : str
    situation : Situation, optional

    Raises
    ------
    ContsimError
        If there is no such strategy or hand, or the strategy fails.
    """
    situation = situation or Situation()
    with _asked(spec, hand, 0, upcard, situation) as (there, mine):
        return bool(_answer(there, mine, turns.TAKE))


def throws(
    spec: str, hand: str, upcard: str = "", situation: Situation | None = None, taken: str = ""
) -> Thrown:
    """Tell what a strategy throws, and whether it goes out then.

    Parameters
    ----------
    spec : str
    hand : str
        The cards after a draw (16).
    upcard : str
        What lies on the pile now; "" for nothing.
    situation : Situation, optional
    taken : str
        The card of the hand that was just taken from the pile; "" after a draw from the stock.

    Raises
    ------
    ContsimError
        As for `takes`; also if it may not throw what it answers.
    """
    situation = situation or Situation()
    with _asked(spec, hand, 1, upcard, situation) as (there, mine):
        if taken:
            mine.taken = parse_face(taken)
            if mine.hand[mine.taken] == 0:
                raise ContsimError(f"taken = {taken!r} is not in the hand: name one of its cards")
            if there.rules.bar_taken and mine.hand[mine.taken] == 1:
                mine.barred = mine.taken
        card = _answer(there, mine, turns.THROW)
        if not 0 <= card < FACES or mine.hand[card] == 0 or card == mine.barred:
            there.game.where[turns.AT_CARD] = card
            raise ContsimError(f"{spec} {cause(there, turns.ILLEGAL_CARD)}")
        holding.take_away(mine, there.rules, card)
        kernel = continental.ask_to_go_out
        went = _tried(there, turns.STRATEGY_FAILED, kernel, there.rules, mine)
        return Thrown(face_name(card), went == turns.WENT_OUT)


@contextmanager
def _asked(
    spec: str, hand: str, drawn: int, upcard: str, situation: Situation
) -> Iterator[tuple[Table, Any]]:
    """Lay out what a seat sees in its turn."""
    rules, seat = (
        load.continental(situation.rules, "asking a strategy about a hand"),
        situation.seat,
    )
    for number in (seat, *situation.known):
        if not 0 <= number < rules.seats:
            raise ContsimError(f"seat = {number} is out of bounds: 0 to {rules.seats - 1}")
    if situation.turn < 1:
        raise ContsimError(f"turn = {situation.turn} is out of bounds: the first is 1")
    if len(situation.memo) > MEMO:
        raise ContsimError(f"memo has {len(situation.memo)} numbers: at most {MEMO}")
    counts, pile = (
        read_hand(hand, (rules.hand_size + drawn,)),
        parse_hand(f"{situation.pile} {upcard}"),
    )
    known = {other: hand_counts(parse_hand(cards)) for other, cards in situation.known.items()}
    check_copies(sum(known.values(), counts + hand_counts(pile)), rules)
    with table_for(rules, load_players(make_study(rules, [spec], 0, 1)), 0) as there:
        dealing.clear_table(there.game, there.rules, there.public, 0)
        _lay_public(there, situation, pile, known)
        mine = there.seats[seat]
        for suit in range(len(SUITS)):  # an empty suit has its class too, and it is not 0
            holding.recode(mine, there.rules, suit)
        for face in np.repeat(np.arange(FACES), counts).tolist():
            holding.give(mine, there.rules, face)
        mine.player, mine.turn = seat, situation.turn
        mine.memo[: len(situation.memo)] = situation.memo
        there.game.where[:] = 0, seat, seat, situation.turn, -1
        yield there, mine


def _lay_public(
    there: Table, situation: Situation, pile: Sequence[int], known: Mapping[int, Counts]
) -> None:
    """Lay out what all see."""
    seats, public = situation.rules.seats, there.public
    turns = (situation.turn - 1) * seats + situation.seat  # that were played
    for above, face in zip(reversed(range(len(pile))), pile, strict=True):
        table.throw(public, face, (situation.seat - 1 - above) % seats if above < turns else -1)
    public.upcard = pile[-1] if pile else -1
    for other, counts in known.items():
        public.known[other] = counts
    public["round"] = situation.turn
    public.stock_size = max(
        situation.rules.cards - seats * situation.rules.hand_size - len(pile), 0
    )


def _answer(there: Table, mine: Any, question: int) -> int:
    return _tried(there, turns.FOREIGN_FAILED, turns.ask, mine, question)


def _tried(there: Table, failed: int, kernel: Callable[..., int], *arguments: Any) -> int:
    """Call a kernel that asks a strategy; what it raises, or the number that means so, is told."""
    spec = there.players[0].strategy.spec
    try:
        answer = int(kernel(there.game, *arguments))
    except Exception as error:  # noqa: BLE001 - whatever compiled strategy code raises
        raise ContsimError(f"{spec} {raised(error)}") from None
    if answer == failed:
        raise ContsimError(f"{spec} {cause(there, turns.STRATEGY_FAILED)}")
    return answer
