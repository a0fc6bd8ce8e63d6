"""The cards: faces 0..52, their names, and hands as counts of faces.

A *face* says which card it is: ``suit * 13 + rank`` for the 52 cards of a pack, with the suits
in the order C D H S and the ranks from the ace (0) to the king (12), and 52 for a joker. Copies
of a face are alike, so a hand is a count for each face.
"""

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from continental_sim.errors import ContsimError
from continental_sim.words import counted

SUITS = "CDHS"
RANKS = "A23456789TJQK"
JOKER = 52
FACES = 53

Counts = npt.NDArray[np.int8]

_SUIT_SYMBOLS = str.maketrans("♣♦♥♠♧♢♡♤", "CDHSCDHS", "\ufe0e\ufe0f")
_JOKER_NAMES = {"JK", "JOKER", "*", "🃏"}
_MOST_COPIES = int(np.iinfo(np.int8).max)


class Pack(Protocol):
    """What `check_copies` asks of the rules."""

    def copies(self, face: int) -> int:
        """Count the copies of a face in the pack."""


def face_name(face: int) -> str:
    """Name a face.

    Parameters
    ----------
    face : int
        0..52.

    Returns
    -------
    str
        Rank and suit, such as ``"TD"`` or ``"2H"``; ``"JK"`` for a joker.
    """
    if face == JOKER:
        return "JK"
    suit, rank = divmod(face, len(RANKS))
    return RANKS[rank] + SUITS[suit]


def parse_face(text: str, *, jokers: bool = True) -> int:
    """Read the name of a face.

    Upper and lower case, ``10D`` for ``TD``, suit symbols, and ``JK``, ``JOKER`` or ``*`` for a
    joker are understood.

    Parameters
    ----------
    text : str
        One card.
    jokers : bool
        Whether there are any; a joker is read all the same, for the pack to refuse it.

    Returns
    -------
    int
        The face, 0..52.

    Raises
    ------
    ContsimError
        If the text names no card.
    """
    name = text.strip().translate(_SUIT_SYMBOLS).upper()
    if name in _JOKER_NAMES:
        return JOKER
    if name.startswith("10"):
        name = "T" + name[2:]
    if len(name) == 2 and name[0] in RANKS and name[1] in SUITS:
        return SUITS.index(name[1]) * len(RANKS) + RANKS.index(name[0])
    shown = text if len(text) <= 20 else text[:20] + "..."
    raise ContsimError(
        f"unknown card {shown!r}: write a rank (A 2-9 T J Q K) and a suit (C D H S), "
        f"such as TD{', or JK for a joker' if jokers else ''}"
    )


def parse_hand(text: str, *, jokers: bool = True) -> list[int]:
    """Read cards separated by spaces or commas.

    Parameters
    ----------
    text : str
        Any number of cards.
    jokers : bool
        Whether there are any.

    Returns
    -------
    list of int
        The faces, in the order of the text.

    Raises
    ------
    ContsimError
        If a word names no card.
    """
    return [parse_face(word, jokers=jokers) for word in text.replace(",", " ").split()]


def hand_counts(faces: Iterable[int]) -> Counts:
    """Count the copies of each face.

    Parameters
    ----------
    faces : iterable of int
        Faces 0..52, in any order.

    Returns
    -------
    int8[53]
        Copies of each face.

    Raises
    ------
    ContsimError
        If a face occurs too often to be counted (more than 127 times).
    """
    counts = np.bincount(np.fromiter(faces, dtype=np.int64), minlength=FACES)
    face = int(counts.argmax())
    if counts[face] > _MOST_COPIES:
        raise ContsimError(f"{counts[face]} copies of {face_name(face)}: no pack holds as many")
    return counts.astype(np.int8)


def hand_faces(counts: Sequence[int] | Counts) -> list[int]:
    """List the cards of a hand in the order of the faces.

    Parameters
    ----------
    counts : int8[53]
        Copies of each face.

    Returns
    -------
    list of int
        Each face as often as it is held.
    """
    return [face for face in range(FACES) for _ in range(int(counts[face]))]


def hand_text(faces: Iterable[int]) -> str:
    """Write faces as text that `parse_hand` reads again."""
    return " ".join(face_name(face) for face in faces)


def check_copies(counts: Sequence[int] | Counts, rules: Pack) -> None:
    """Refuse a hand that holds more copies of a card than the pack.

    Parameters
    ----------
    counts : int8[53]
        Copies of each face.
    rules : rules record
        Says how many copies the pack holds.

    Raises
    ------
    ContsimError
        Names the first such card, and how many there are.
    """
    for face in range(FACES):
        limit = rules.copies(face)
        if counts[face] > limit:
            raise ContsimError(
                f"{counted(int(counts[face]), 'copy', 'copies')} of {face_name(face)}: "
                f"the pack of these rules holds {limit}"
            )
