"""Outcome cubes: what a study keeps of its deals, grouped by block and added up.

A cube holds one row for each distinct outcome, with its `count` and the lowest index it came from.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from continental_sim.columns import DUELS, EXIT, GAME_FILES, SESSIONS, File, GameFiles
from continental_sim.grouping import Counts, Rows, collapse, group, merge
from continental_sim.rules import BasicRummyRules, GameRules
from continental_sim.rules.base import Stakes

_FACES: Final = 53


def group_openings(openings: Rows, outcomes: Rows, file: File, stakes: Stakes) -> Rows:
    """Group the dealt hands of some deals, with what became of them.

    Parameters
    ----------
    openings : structured array of the game's `opening_dtype`, shape (n, players)
    outcomes : structured array of its `outcome_dtype`, shape (n,)
        Of the same deals.
    file : File
        The game's openings.
    stakes : Stakes

    Returns
    -------
    structured array of `file.dtype`
    """
    players = openings.shape[1]
    won = openings["seat"] == outcomes["seat"][:, None]
    paid = outcomes["payment"].astype(np.int64)[:, None]
    points = np.where(won, stakes.winner * paid, stakes.other * paid)
    # All turns of a deal are counted, seat by seat: a winner's own are its rounds.
    own_turns = -(-outcomes["turns"].astype(np.int64) // players)[:, None]
    counted = won.astype(np.int64)
    sums = (counted, counted * own_turns, counted * own_turns**2, points, points * points)
    return group(openings.reshape(-1), file, [each.reshape(-1) for each in sums])


def session_results(
    outcomes: Rows, players: int, session_deals: int, stakes: Stakes
) -> tuple[Counts, Counts]:
    """Add up each complete session for each player.

    Parameters
    ----------
    outcomes : structured array of the game's `outcome_dtype`, shape (n,)
        In the order of the deals, from the first deal of a session.
    players : int
        Players of the line-up.
    session_deals : int
        Deals of a session.
    stakes : Stakes
        What a payment is worth to the winner, and to each other player.

    Returns
    -------
    ledgers : int64[sessions, players]
        Points.
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
    return (stakes.winner - stakes.other) * received + stakes.other * totals, wins


def group_matches(outcomes: Rows, players: int, rules: BasicRummyRules, file: File) -> Rows:
    """Group matches: in each span of deals that are counted together they follow each other.

    A match begins with a session, the next one after the deal that decided it. None begins where
    the span might end before it: all are played out, long ones like short ones, so that matches
    are independent of each other, and stopping there depends on those before alone.

    Parameters
    ----------
    outcomes : structured array of the game's `outcome_dtype`, shape (n,)
        In the order of the deals, from the first deal of a span; a last one that is not complete
        has no matches.
    players : int
    rules : BasicRummyRules
        Say with how many points a match is won.
    file : File
        The game's matches.

    Returns
    -------
    structured array of `file.dtype`
    """
    unit, longest, session = rules.counted_together, rules.match_deals, rules.session_deals
    deals = outcomes[: len(outcomes) // unit * unit]
    won = np.flatnonzero(deals["end"] == EXIT)
    gained = np.zeros((len(deals) + 1, players), np.int64)
    gained[won + 1, deals["winner"][won]] = deals["payment"][won]
    scores = gained.cumsum(axis=0)  # before each deal, and after the last

    # For each session, where a match that begins there would end, and who would win it.
    begins = np.arange(0, len(deals), session)
    ends = np.stack(
        [
            np.searchsorted(scores[:, player], scores[begins, player] + rules.target)
            for player in range(players)
        ],
        axis=1,
    )
    winner = ends.argmin(axis=1)
    end = ends.min(axis=1)
    decided = end <= begins + longest
    end = np.minimum(end, begins + longest)

    chosen, here = [], np.arange(0, len(deals), unit)
    while len(here):
        chosen.append(here // session)
        span_end = (here // unit + 1) * unit
        here = -(-end[here // session] // session) * session  # on to the next session
        here = here[here + longest <= span_end]
    matches = np.concatenate([*chosen, np.empty(0, np.intp)])

    shape = (len(matches), players)
    player = np.broadcast_to(np.arange(players), shape)
    mine = decided[matches, None] & (player == winner[matches, None])
    lengths = np.where(mine, (end - begins)[matches, None], 0)
    ended = scores[end[matches]] - scores[begins[matches]]
    first = int(outcomes["deal"][0]) if len(outcomes) else 0
    indices = np.broadcast_to(first + begins[matches, None], shape)
    keys = [each.reshape(-1) for each in (player, ended, lengths)]
    return collapse(keys, None, indices.reshape(-1), file)


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
    return collapse(keys, None, indices, SESSIONS)


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
    return collapse((ones, others, np.concatenate(list(leads.values()))), None, indices, DUELS)


def _numbered(file: File, names: tuple[str, ...], sums: Counts) -> Rows:
    """Rows of sums, the key being the number of the row."""
    rows = np.zeros(len(sums), file.dtype)
    rows[file.keys[0]] = np.arange(len(sums))
    for place, name in enumerate(names):
        rows[name] = sums[:, place]
    return rows


@dataclass(frozen=True)
class Block:
    """What a block of deals gave.

    Attributes
    ----------
    outcomes : structured array of the game's `outcome_dtype`, shape (deals,)
    openings : structured array of its `opening_dtype`, shape (deals, seats)
    faces : int64[53, 2]
    behaviour : int64[players, 5]
    """

    outcomes: Rows
    openings: Rows
    faces: np.ndarray
    behaviour: np.ndarray


@dataclass(frozen=True, slots=True)
class StudyCubes:
    """All that a study keeps of its deals, in memory of constant size.

    Attributes
    ----------
    files : GameFiles
        Of the game that was played.
    grouped : mapping of str to structured array
        The rows of each of `files.grouped` by its name, sorted by their keys.
    faces : int64[53, 2]
        `files.face_sums` by face [cards].
    behaviour : int64[players, 5]
        `files.behaviour_sums` by player.
    """

    files: GameFiles
    grouped: Mapping[str, Rows]
    faces: Counts
    behaviour: Counts

    @property
    def cube(self) -> Rows:
        """Deals that went alike."""
        return self.grouped["cube"]

    @property
    def sessions(self) -> Rows:
        """Sessions that went alike for a player."""
        return self.grouped[SESSIONS.name]

    @property
    def duels(self) -> Rows:
        """Sessions that went alike for two strategies."""
        return self.grouped[DUELS.name]

    @property
    def openings(self) -> Rows:
        """Dealt hands that were alike."""
        return self.grouped["openings"]

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
        rules: GameRules,
        block: Block,
        lead: int = 0,
        session: int | None = None,
        alike: Sequence[int] | None = None,
        *,
        duplicate: bool = False,
    ) -> "StudyCubes":
        """Group what the engine filled for one block of deals.

        A session, or a match, counts where its last deal does: blocks may be cut anywhere.

        Parameters
        ----------
        rules : GameRules
        block : Block
            Its outcomes begin with the first deal of a unit, `lead` deals before the block; a last
            session that is not complete counts as deals alone.
        lead : int
            Deals before the block, which are of its first unit alone: one session, or several.
        session : int, optional
            Deals of one; as the rules have it if left out.
        alike : sequence of int, optional
            As for `group_duels`; each player has a strategy of its own if left out.
        duplicate : bool
            Whether each pack is dealt again in all seatings: then there are no matches.
        """
        files, players, outcomes = GAME_FILES[rules.game], len(block.behaviour), block.outcomes
        session = session or rules.session_deals
        begun = outcomes[lead // session * session :]  # sessions before the block's are not its own
        first = int(begun["deal"][0]) // session if len(begun) else 0
        ledgers, wins = session_results(begun, players, session, rules.stakes)
        hands, deals = block.openings.reshape(-1, players), outcomes[lead:]
        grouped = {
            files.cube.name: group(deals, files.cube),
            SESSIONS.name: group_sessions(ledgers, wins, first),
            DUELS.name: group_duels(ledgers, alike or range(players), first),
            files.openings.name: group_openings(hands, deals, files.openings, rules.stakes),
        }
        if files.endings:
            grouped[files.endings.name] = group(hands.reshape(-1), files.endings)
        if files.matches and isinstance(rules, BasicRummyRules):
            played = deals[:0] if duplicate else outcomes
            grouped[files.matches.name] = group_matches(played, players, rules, files.matches)
        return cls(files, grouped, block.faces.astype(np.int64), block.behaviour.astype(np.int64))

    def rows(self) -> dict[str, Rows]:
        """Return the rows of each of `files.study` by its name, text left out."""
        faces, behaviour = self.files.faces, self.files.behaviour
        return {
            **self.grouped,
            faces.name: _numbered(faces, self.files.face_sums, self.faces),
            behaviour.name: _numbered(behaviour, self.files.behaviour_sums, self.behaviour),
        }

    @classmethod
    def of_rows(cls, files: GameFiles, rows: Mapping[str, Rows]) -> "StudyCubes":
        """Take `rows` apart again."""
        faces, behaviour = rows[files.faces.name], rows[files.behaviour.name]
        return cls(
            files,
            {file.name: rows[file.name] for file in files.grouped},
            faces=np.stack([faces[name] for name in files.face_sums], axis=1),
            behaviour=np.stack([behaviour[name] for name in files.behaviour_sums], axis=1),
        )

    @classmethod
    def empty(cls, files: GameFiles, players: int) -> "StudyCubes":
        """Cubes of no deals."""
        return cls(
            files,
            {file.name: np.empty(0, file.dtype) for file in files.grouped},
            faces=np.zeros((_FACES, len(files.face_sums)), np.int64),
            behaviour=np.zeros((players, len(files.behaviour_sums)), np.int64),
        )

    @classmethod
    def merge(cls, parts: "Sequence[StudyCubes]") -> "StudyCubes":
        """Add the cubes of at least one block, in any order."""
        files = parts[0].files
        return cls(
            files,
            {
                file.name: merge([part.grouped[file.name] for part in parts], file)
                for file in files.grouped
            },
            faces=np.sum([part.faces for part in parts], axis=0),
            behaviour=np.sum([part.behaviour for part in parts], axis=0),
        )
