"""Group the records of deals into outcome cubes, and add cubes up.

A cube holds one row for each distinct outcome, with its `count` and the lowest index it came from.
Grouping and merging do not depend on the order of the records or on how they were split into
blocks: rows come sorted by their key columns, counts and sums add, first indices take the minimum.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from continental_sim.columns import (
    BEHAVIOUR,
    BEHAVIOUR_SUMS,
    CUBE,
    DUELS,
    EXIT,
    FACE_SUMS,
    FACES,
    OPENINGS,
    SESSIONS,
    File,
)

Rows: TypeAlias = NDArray[np.void]  # structured: fields by name
Counts: TypeAlias = NDArray[np.int64]

_FACES: Final = 53
_KEY_BITS: Final = 63
_TABLE_SIZE: Final = 1 << 16  # codes up to which a table of all of them beats sorting


def group(records: Rows, file: File, sums: Sequence[Counts] = ()) -> Rows:
    """Collapse records that agree in all key columns of a file.

    Parameters
    ----------
    records : structured array, shape (n,)
        Has the key columns, and the index that the file's last column is the lowest of (`deal`
        for `first_deal`).
    file : File
        One of `CUBE`, `SESSIONS`, `OPENINGS`.
    sums : sequence of int64[n]
        For each of `file.sums` what a record adds to it.

    Returns
    -------
    structured array of `file.dtype`
        Sorted by the key columns.
    """
    index = file.values[-1].name.removeprefix("first_")
    return _collapse(_keys(records, file), None, records[index], file, sums)


def merge(parts: Sequence[Rows], file: File) -> Rows:
    """Add cubes of separate blocks: `merge` of grouped blocks equals `group` of all records."""
    rows = np.concatenate([*parts, np.empty(0, file.dtype)])
    sums = [rows[name] for name in file.sums]
    return _collapse(_keys(rows, file), rows["count"], rows[file.values[-1].name], file, sums)


def _keys(rows: Rows, file: File) -> list[NDArray[Any]]:
    return [np.ascontiguousarray(rows[name]) for name in file.keys]


def _collapse(
    keys: Sequence[NDArray[Any]],
    counts: Counts | None,
    firsts: Counts,
    file: File,
    sums: Sequence[Counts] = (),
) -> Rows:
    """Sum the rows that agree in all keys: counts (None: one each) add, the lowest first stays."""
    if len(firsts) == 0:
        return np.empty(0, file.dtype)
    lows = [int(key.min()) for key in keys]
    spans = [int(key.max()) - low + 1 for key, low in zip(keys, lows, strict=True)]
    size = math.prod(spans)
    if size >= 1 << _KEY_BITS:
        order = np.lexsort(keys[::-1])
        # ~key is never key: the first row begins a run.
        changed = [np.diff(key[order], prepend=~key[order[:1]]) != 0 for key in keys]
        begins = np.flatnonzero(np.logical_or.reduce(changed))
        return _sum_runs(keys, order, begins, counts, firsts, file, sums)

    # Mixed radix, the first column in the highest place: codes sort as the columns do.
    code = np.zeros(len(firsts), np.int64)
    for key, low, span in zip(keys, lows, spans, strict=True):
        if span > 1:
            code *= span
            code += key
            code -= low
    if size <= _TABLE_SIZE:
        return _sum_table(code, lows, spans, counts, firsts, file, sums)
    order, code = _sort(code, size)
    begins = np.flatnonzero(np.diff(code, prepend=-1))
    return _sum_runs(keys, order, begins, counts, firsts, file, sums)


def _sort(code: Counts, size: int) -> tuple[NDArray[np.intp], Counts]:
    """Order that sorts codes in 0..size-1, and the sorted codes."""
    bits = len(code).bit_length()
    if size << bits >= 1 << _KEY_BITS:
        order = np.argsort(code, kind="stable")
        return order, code[order]
    # The place goes under the code: sorting plain integers takes a sixth of the time of argsort.
    packed = code << bits
    packed |= np.arange(len(code))
    packed.sort()
    return packed & ((1 << bits) - 1), packed >> bits


def _sum_runs(
    keys: Sequence[NDArray[Any]],
    order: NDArray[np.intp],
    begins: NDArray[np.intp],
    counts: Counts | None,
    firsts: Counts,
    file: File,
    sums: Sequence[Counts],
) -> Rows:
    """Sum over runs of equal keys, which begin at `begins` once taken in `order`."""
    out = np.empty(len(begins), file.dtype)
    for name, key in zip(file.keys, keys, strict=True):
        out[name] = key[order[begins]]
    if counts is None:
        out["count"] = np.diff(begins, append=len(order))
    else:
        out["count"] = np.add.reduceat(counts[order], begins)
    for name, values in zip(file.sums, sums, strict=True):
        out[name] = np.add.reduceat(values[order], begins)
    out[file.values[-1].name] = np.minimum.reduceat(firsts[order], begins)
    return out


def _sum_table(
    code: Counts,
    lows: Sequence[int],
    spans: Sequence[int],
    counts: Counts | None,
    firsts: Counts,
    file: File,
    sums: Sequence[Counts],
) -> Rows:
    """Sum into a table of all codes: no sorting, where few codes are possible."""
    size = math.prod(spans)
    whole = np.bincount(code, minlength=size) if counts is None else _add_up(code, counts, size)
    lowest = np.full(size, np.iinfo(np.int64).max)
    np.minimum.at(lowest, code, firsts)
    seen = np.flatnonzero(whole)
    out = np.empty(len(seen), file.dtype)
    for name, low, places in zip(file.keys, lows, np.unravel_index(seen, spans), strict=True):
        out[name] = places + low
    out["count"] = whole[seen]
    for name, values in zip(file.sums, sums, strict=True):
        out[name] = _add_up(code, values, size)[seen]
    out[file.values[-1].name] = lowest[seen]
    return out


def _add_up(code: Counts, values: Counts, size: int) -> Counts:
    """Sum values by their codes in 0..size-1."""
    sums = np.zeros(size, np.int64)
    np.add.at(sums, code, values)
    return sums


def group_openings(openings: Rows, outcomes: Rows) -> Rows:
    """Group the dealt hands of some deals, with what became of them.

    Parameters
    ----------
    openings : structured array of `OPENING`, shape (n, players)
    outcomes : structured array of `OUTCOME`, shape (n,)
        Of the same deals.

    Returns
    -------
    structured array of `OPENINGS.dtype`
    """
    players = openings.shape[1]
    won = openings["seat"] == outcomes["seat"][:, None]
    paid = outcomes["payment"].astype(np.int64)[:, None]
    points = np.where(won, (players - 1) * paid, -paid)
    # All turns of a deal are counted, seat by seat: a winner's own are its rounds.
    own_turns = -(-outcomes["turns"].astype(np.int64) // players)[:, None]
    counted = won.astype(np.int64)
    sums = (counted, counted * own_turns, counted * own_turns**2, points, points * points)
    return group(openings.reshape(-1), OPENINGS, [each.reshape(-1) for each in sums])


def session_results(outcomes: Rows, players: int, session_deals: int) -> tuple[Counts, Counts]:
    """Add up each complete session for each player.

    Parameters
    ----------
    outcomes : structured array of `OUTCOME`, shape (n,)
        In the order of the deals, from the first deal of a session.
    players : int
        Players of the line-up.
    session_deals : int
        Deals of a session.

    Returns
    -------
    ledgers : int64[sessions, players]
        Points; every row sums to zero.
    wins : int64[sessions, players]
        Deals won.
    """
    sessions = len(outcomes) // session_deals
    deals = outcomes[: sessions * session_deals]
    session = np.repeat(np.arange(sessions), session_deals)
    won = deals["end"] == EXIT
    session, winner = session[won], deals["winner"][won]
    paid = deals["payment"][won].astype(np.int64)
    wins = np.zeros((sessions, players), np.int64)
    np.add.at(wins, (session, winner), 1)
    received = np.zeros((sessions, players), np.int64)
    np.add.at(received, (session, winner), paid)
    totals = np.zeros((sessions, 1), np.int64)
    np.add.at(totals[:, 0], session, paid)
    # A winner gets `players - 1` payments, and everybody else pays one.
    return players * received - totals, wins


def group_sessions(ledgers: Counts, wins: Counts, first_session: int) -> Rows:
    """Group consecutive sessions by player, ledger, shared lead and wins.

    Parameters
    ----------
    ledgers, wins : int64[n, players]
        As `session_results` gives them.
    first_session : int
        Index of the first session.

    Returns
    -------
    structured array of `SESSIONS.dtype`
    """
    sessions, players = ledgers.shape
    leads = ledgers == ledgers.max(axis=1, keepdims=True)
    leaders = leads * leads.sum(axis=1, keepdims=True)
    player = np.tile(np.arange(players), sessions)
    keys = (player, ledgers.reshape(-1), leaders.reshape(-1), wins.reshape(-1))
    indices = np.repeat(np.arange(first_session, first_session + sessions), players)
    return _collapse(keys, None, indices, SESSIONS)


def group_duels(ledgers: Counts, alike: Sequence[int], first_session: int) -> Rows:
    """Group consecutive sessions by two strategies, and by how far the one was ahead.

    Parameters
    ----------
    ledgers : int64[n, players]
        As `session_results` gives them.
    alike : sequence of int
        For each player the first one with the same strategy.
    first_session : int
        Index of the first session.

    Returns
    -------
    structured array of `DUELS.dtype`
        Empty if all players have one strategy.
    """
    firsts = sorted(set(alike))
    if len(firsts) == 1:
        return np.empty(0, DUELS.dtype)
    players = {first: [k for k, each in enumerate(alike) if each == first] for first in firsts}
    totals = {first: ledgers[:, mine].sum(axis=1) for first, mine in players.items()}
    leads = {(first, first): total for first, total in totals.items()}
    for one, other in combinations(firsts, 2):
        mine, theirs = len(players[one]), len(players[other])
        leads[one, other] = theirs * totals[one] - mine * totals[other]
    sessions = len(ledgers)
    ones, others = (np.repeat(side, sessions) for side in zip(*leads, strict=True))
    indices = np.tile(np.arange(first_session, first_session + sessions), len(leads))
    return _collapse((ones, others, np.concatenate(list(leads.values()))), None, indices, DUELS)


def _numbered(file: File, names: tuple[str, ...], sums: Counts) -> Rows:
    """Rows of sums, the key being the number of the row."""
    rows = np.zeros(len(sums), file.dtype)
    rows[file.keys[0]] = np.arange(len(sums))
    for place, name in enumerate(names):
        rows[name] = sums[:, place]
    return rows


@dataclass(frozen=True, slots=True)
class StudyCubes:
    """All that a study keeps of its deals, in memory of constant size.

    Attributes
    ----------
    cube, sessions, duels, openings : structured arrays
        Rows of `CUBE`, `SESSIONS`, `DUELS` and `OPENINGS`, sorted by their keys.
    faces : int64[53, 2]
        `FACE_SUMS` by face [cards].
    behaviour : int64[players, 5]
        `BEHAVIOUR_SUMS` by player.
    """

    cube: Rows
    sessions: Rows
    duels: Rows
    openings: Rows
    faces: Counts
    behaviour: Counts

    @property
    def players(self) -> int:
        """Players of the line-up."""
        return len(self.behaviour)

    @property
    def deals(self) -> int:
        """Deals in the cubes."""
        return int(self.cube["count"].sum())

    @classmethod
    def of_block(
        cls,
        outcomes: Rows,
        openings: Rows,
        faces: Counts,
        behaviour: Counts,
        lead: int = 0,
        session: int | None = None,
        alike: Sequence[int] | None = None,
    ) -> "StudyCubes":
        """Group what the engine filled for one block of deals.

        A session counts where its last deal does, so that blocks may be cut anywhere.

        Parameters
        ----------
        outcomes : structured array of `OUTCOME`, shape (lead + n,)
            Consecutive deals, from the first deal of a session; a last session that is not
            complete counts as deals alone.
        openings : structured array of `OPENING`, shape (n * players,) or (n, players)
        faces : int64[53, 2]
        behaviour : int64[players, 5]
        lead : int
            Deals before the block, which are of its first session alone.
        session : int, optional
            Deals of one; as many as there are players if left out.
        alike : sequence of int, optional
            As for `group_duels`; each player has a strategy of its own if left out.
        """
        players = len(behaviour)
        session = session or players
        first = int(outcomes["deal"][0]) // session if len(outcomes) else 0
        ledgers, wins = session_results(outcomes, players, session)
        return cls(
            cube=group(outcomes[lead:], CUBE),
            sessions=group_sessions(ledgers, wins, first),
            duels=group_duels(ledgers, alike or range(players), first),
            openings=group_openings(openings.reshape(-1, players), outcomes[lead:]),
            faces=faces.astype(np.int64),
            behaviour=behaviour.astype(np.int64),
        )

    def rows(self) -> dict[str, Rows]:
        """Return the rows of each of `STUDY_FILES` by its name, text left out."""
        return {
            CUBE.name: self.cube,
            SESSIONS.name: self.sessions,
            DUELS.name: self.duels,
            OPENINGS.name: self.openings,
            FACES.name: _numbered(FACES, FACE_SUMS, self.faces),
            BEHAVIOUR.name: _numbered(BEHAVIOUR, BEHAVIOUR_SUMS, self.behaviour),
        }

    @classmethod
    def of_rows(cls, rows: Mapping[str, Rows]) -> "StudyCubes":
        """Take `rows` apart again."""
        faces, behaviour = rows[FACES.name], rows[BEHAVIOUR.name]
        return cls(
            cube=rows[CUBE.name],
            sessions=rows[SESSIONS.name],
            duels=rows[DUELS.name],
            openings=rows[OPENINGS.name],
            faces=np.stack([faces[name] for name in FACE_SUMS], axis=1),
            behaviour=np.stack([behaviour[name] for name in BEHAVIOUR_SUMS], axis=1),
        )

    @classmethod
    def empty(cls, players: int) -> "StudyCubes":
        """Cubes of no deals."""
        return cls(
            cube=np.empty(0, CUBE.dtype),
            sessions=np.empty(0, SESSIONS.dtype),
            duels=np.empty(0, DUELS.dtype),
            openings=np.empty(0, OPENINGS.dtype),
            faces=np.zeros((_FACES, len(FACE_SUMS)), np.int64),
            behaviour=np.zeros((players, len(BEHAVIOUR_SUMS)), np.int64),
        )

    @classmethod
    def merge(cls, parts: "Sequence[StudyCubes]") -> "StudyCubes":
        """Add the cubes of at least one block, in any order."""
        return cls(
            cube=merge([part.cube for part in parts], CUBE),
            sessions=merge([part.sessions for part in parts], SESSIONS),
            duels=merge([part.duels for part in parts], DUELS),
            openings=merge([part.openings for part in parts], OPENINGS),
            faces=np.sum([part.faces for part in parts], axis=0),
            behaviour=np.sum([part.behaviour for part in parts], axis=0),
        )
