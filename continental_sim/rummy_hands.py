"""One hand of Basic Rummy: what of it can be laid, as which melds, and what is left."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from continental_sim.cards import RANKS, SUITS, check_copies, hand_counts, hand_text, parse_hand
from continental_sim.engine import table_for
from continental_sim.errors import ContsimError
from continental_sim.kernels import laying
from continental_sim.kernels.laying import LANE
from continental_sim.rules import BasicRummyRules
from continental_sim.words import are, counted

TRIO = 3  # cards that make a set


class Laid(NamedTuple):
    """Cards that are laid in one place of the table.

    Attributes
    ----------
    kind : str
        ``set`` or ``run``.
    faces : tuple of int
        In their order on the table.
    new : bool
        Whether they are a meld of their own, and no lay-off.
    """

    kind: str
    faces: tuple[int, ...]
    new: bool


@dataclass(frozen=True)
class Laying:
    """What can be laid of a hand when nothing lies on the table.

    Attributes
    ----------
    melds : tuple of Laid
    left : tuple of int
        The other cards, by face.
    deadwood : int
        What they count [points].
    goes_out : bool
        Whether the hand goes out so: nothing is left, or one card, which is thrown.
    """

    melds: tuple[Laid, ...]
    left: tuple[int, ...]
    deadwood: int
    goes_out: bool


def laid_together(
    in_sets: int, in_runs: int, runs: int = 0, *, melds_first: bool = False
) -> Iterator[Laid]:
    """Part what is laid by the places where it lies: sets by rank, then runs by suit.

    Parameters
    ----------
    in_sets, in_runs : int
        Cards laid in sets, and places in runs, as `log_laid` has them.
    runs : int
        Places of the runs that lie on the table already.
    melds_first : bool
        Whether three or more in a row are a meld of their own even where they touch a run: without
        a meld there may be no lay-off.

    Yields
    ------
    Laid
    """
    for rank in range(len(RANKS)):
        faces = [_face(suit, rank) for suit in range(len(SUITS)) if _has(in_sets, suit, rank)]
        if faces:
            yield Laid("set", tuple(faces), len(faces) >= TRIO)
    for suit in range(len(SUITS)):
        places = [place for place in range(LANE) if _has(in_runs, suit, place)]
        for first, last in _stretches(places):
            faces = [_face(suit, place) for place in range(first, last + 1)]
            touches = _has(runs, suit, first - 1) or _has(runs, suit, last + 1)
            new = not touches or (melds_first and len(faces) >= TRIO)
            yield Laid("run", tuple(faces), new)


def with_a_meld(laid: Sequence[Laid]) -> list[Laid]:
    """Make one of them the meld that lay-offs need: what has three cards, though it touches a run.

    Parameters
    ----------
    laid : sequence of Laid
        Of a turn before which the seat had no meld.
    """
    found = list(laid)
    large = [place for place, each in enumerate(found) if len(each.faces) >= TRIO]
    if large and not any(each.new for each in found):
        found[large[0]] = found[large[0]]._replace(new=True)
    return found


def best_melds(rules: BasicRummyRules, faces: Sequence[int]) -> Laying:
    """Find what of a hand a turn should lay.

    Parameters
    ----------
    rules : BasicRummyRules
    faces : sequence of int
        The cards held after the draw, each once.

    Returns
    -------
    Laying
        That with which it goes out, if it can; else that which leaves the least deadwood, and of
        those one that lays most cards.
    """
    cards = _mask(faces)
    with table_for(rules, (), 0) as here:
        mine = here.seats[0]
        mine.cards, mine.barred = cards, -1
        mine.laid = rules.hand_size + 1 - len(faces)  # so these are its cards after the draw
        goes_out = bool(laying.can_go_out(here.rules, mine, here.public))
        if goes_out:
            in_sets, in_runs = laying.best_laying(here.rules, mine, here.public)
        else:
            in_sets, in_runs, _ = laying.most_laid(here.rules, cards, 0, 0, False)
        melds = tuple(laid_together(int(in_sets), int(in_runs)))
    left = sorted(set(faces).difference(*(meld.faces for meld in melds)))
    return Laying(melds, tuple(left), points_of(rules, left), goes_out)


def points_of(rules: BasicRummyRules, faces: Iterable[int]) -> int:
    """Add up what cards count, each of them once [points]."""
    return int(laying.pips(_mask(faces), rules.ace_points))


def check_hand(rules: BasicRummyRules, text: str) -> dict[str, Any]:
    """Judge the cards that a seat holds after its draw, when nothing lies on the table.

    Returns
    -------
    dict
        ``valid`` (it can go out), ``whole`` (all cards can be laid), ``melds`` (``kind`` and
        ``cards`` of each), ``left`` (cards), ``deadwood`` (what is left counts so much [points]),
        ``discard`` (or None), ``reason``.

    Raises
    ------
    ContsimError
        If the text is no such hand.
    """
    faces = parse_hand(text, jokers=False)
    if not 1 <= len(faces) <= rules.hand_size + 1:
        raise ContsimError(
            f"a hand has 1 to {rules.hand_size + 1} cards after the draw, and here "
            f"{are(len(faces))} {len(faces)}"
        )
    check_copies(hand_counts(faces), rules)
    found = best_melds(rules, faces)
    left = hand_text(found.left)
    if not found.goes_out:
        reason = f"{len(found.left)} of {counted(len(faces), 'card')} cannot be laid"
        if not found.left:
            reason = "all can be laid, and the last card must be thrown"
    elif found.left:
        reason = f"all cards can be laid but {left}, which is thrown"
    else:
        reason = "all cards can be laid"
    return {
        "valid": found.goes_out,
        "whole": not found.left,
        "melds": [{"kind": each.kind, "cards": hand_text(each.faces)} for each in found.melds],
        "left": left,
        "deadwood": found.deadwood,
        "discard": left if found.goes_out and found.left else None,
        "reason": reason,
    }


def check_text(verdict: Mapping[str, Any]) -> str:
    """Put a verdict into lines."""
    lines = [f"{'can' if verdict['valid'] else 'cannot'} go out: {verdict['reason']}"]
    lines += [f"  {meld['kind']:<5} {meld['cards']}" for meld in verdict["melds"]]
    if verdict["left"]:
        points = counted(verdict["deadwood"], "point")
        lines.append(f"  left  {verdict['left']}: {points} of deadwood")
    return "\n".join(lines)


def _mask(faces: Iterable[int]) -> int:
    return sum(int(laying.card_of(face)) for face in faces)


def _face(suit: int, place: int) -> int:
    """Return the face at a place of a suit; a high ace is an ace."""
    return suit * len(RANKS) + place % len(RANKS)


def _has(mask: int, suit: int, place: int) -> bool:
    """Tell whether a mask of cards or places has one of a suit."""
    return 0 <= place < LANE and bool(mask >> LANE * suit + place & 1)


def _stretches(places: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last of places in a row, ascending."""
    for first in places:
        if first - 1 not in places:
            last = first
            while last + 1 in places:
                last += 1
            yield first, last
