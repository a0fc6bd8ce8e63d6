"""From the cubes of a study to its figures: what all games have.

Deals are the trials. What the seats of one deal get is never taken as independent: each player's
ledger and each seat's has its own mean and variance by deal.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from continental_sim.cards import JOKER, RANKS, SUITS
from continental_sim.columns import ENDS, EXIT
from continental_sim.figures import formats
from continental_sim.figures.estimates import (
    Estimate,
    Mean,
    impossible,
    mean_of,
    mean_of_sums,
    moments,
    proportion,
)
from continental_sim.figures.structural import impossible_events
from continental_sim.figures.summary import Fate, Player, Seat, Summary
from continental_sim.files.store import StoredStudy
from continental_sim.grouping import Counts, Rows
from continental_sim.language import plural, tr
from continental_sim.rules import GameRules, describe
from continental_sim.words import counted

_SHARES: Final = 27_720  # common multiple of 1..12: a tied win is a whole number of such parts


class StudyFigures:
    """Estimates of one study, from its cube and the sisters of it.

    Parameters
    ----------
    study : StoredStudy
    level : float
        Confidence level of all intervals, between 0 and 1.
    """

    def __init__(self, study: StoredStudy, level: float) -> None:
        self.study = study
        self.rules: GameRules = study.rules
        self.cubes = study.cubes
        self.level = level
        self.seats, self.session = len(study.lineup), study.session
        self.impossible = impossible_events(study.rules)
        self.cube: Rows = study.cubes.cube
        self.counts: Counts = self.cube["count"]
        self.deals = study.cubes.deals
        self.gone_out: NDArray[np.bool_] = self.cube["end"] == EXIT
        self.exits: Rows = self.cube[self.gone_out]
        # A pack that is dealt again tells something new each time, but nobody knows how much: as if
        # all deals of a session were one, no interval is too narrow.
        self.repeated = study.session if study.duplicate else 1
        # Players of one session sit in one order: where it matters who sits behind whom, or who
        # deals, the deals of a session depend on each other.
        self.clustered = (
            study.duplicate
            or self.rules.next_dealer == "winner"
            or (not study.fixed_order and len(set(study.lineup)) > 1)
        )

    def summary(self) -> Summary:
        """Estimate all figures of the study."""
        raise NotImplementedError

    def seat_figures(self, number: int) -> Seat:
        """Estimate the figures of one seat."""
        raise NotImplementedError

    def shared(self) -> dict[str, Any]:
        """Estimate what all games have, by the fields of `Summary`."""
        cube = self.cube
        kinds = enumerate(self.study.files.kinds)
        players = tuple(self._player(number) for number in range(self.seats))
        return {
            "rules": self.rules,
            "header": tuple(self._header()),
            "level": self.level,
            "seeds": self.study.seeds,
            "deals": self.deals,
            "sessions": self._sessions(0)[0],
            "planned": int(self.study.manifest["study"]["deals"]),
            "complete": self.study.complete,
            "reason": str(self.study.manifest["state"].get("reason", "")),
            "ends": {n: self.rate(cube["end"] == code, n) for code, n in enumerate(ENDS)},
            "exits": {n: self.rate(cube["kind"] == code, n) for code, n in kinds},
            "recycled": self.rate(cube["recycles"] > 0, "recycled"),
            "payments": self.shares(self.exits["payment"]),
            "payment": self.mean_of_exits("payment"),
            "turns": self.mean(cube["turns"]),
            "rounds": self.mean(-(-cube["turns"] // self.seats)),
            "recycles": self.mean(cube["recycles"]),
            "exits_by_turn": self._exits_by_turn(),
            "players": players,
            "wins_by_strategy": self._wins_by_strategy(players),
            "seats": tuple(self.seat_figures(number) for number in range(self.seats)),
            "impossible": self.impossible,
            "notes": tuple(self._notes()),
        }

    def _header(self) -> list[str]:
        lineup = formats.lineup_text(self.study.lineup, fixed_order=self.study.fixed_order)
        return [*describe(self.rules), lineup]

    def rate(
        self, event: NDArray[np.bool_], name: str = "", effect: float | None = None
    ) -> Estimate:
        """Rate of an event over all deals; `name` finds the reason why it cannot happen."""
        return self._rate(self.counts, event, name, effect)

    def rate_of_exits(self, event: NDArray[np.bool_], name: str = "") -> Estimate:
        """Rate of an event over all exits."""
        return self._rate(self.exits["count"], event, name)

    def _rate(
        self, counts: Counts, event: NDArray[np.bool_], name: str, effect: float | None = None
    ) -> Estimate:
        count, trials = int(counts[event].sum()), int(counts.sum())
        if name in self.impossible and count == 0:
            return impossible(trials, self.impossible[name])
        return proportion(count, trials, self.level, effect or self.repeated)

    def shares(self, values: NDArray[Any]) -> dict[int, Estimate]:
        """Share of the exits for each value that occurred, ascending."""
        counts = self.exits["count"]
        return distribution(values, counts, int(counts.sum()), self.level, self.repeated)

    def mean(self, values: NDArray[Any], effect: float | None = None) -> Mean:
        """Mean of a value over all deals."""
        return mean_of(values, self.counts, self.level, effect or self.repeated)

    def mean_of_exits(self, name: str) -> Mean:
        """Mean of a column over all exits."""
        return mean_of(self.exits[name], self.exits["count"], self.level, self.repeated)

    def ranks(self, name: str, trials: int) -> dict[str, Estimate]:
        """Share of the cards of each rank that came up, as if it were one card each.

        Parameters
        ----------
        name : str
            What is counted, of `files.face_sums`.
        trials : int
            How often each card of the pack could come up.
        """
        counted = self.cubes.faces[:, self.study.files.face_sums.index(name)]
        suits = counted[:JOKER].reshape(len(SUITS), len(RANKS))
        found = {
            rank: (int(cards), self.rules.copies_of_card * len(SUITS))
            for rank, cards in zip(RANKS, suits.sum(axis=0), strict=True)
        }
        if self.rules.copies_of_joker:
            found["JK"] = int(counted[JOKER]), self.rules.copies_of_joker
        return {
            name: proportion(cards, trials * copies, self.level, copies * self.repeated)
            for name, (cards, copies) in found.items()
        }

    def _exits_by_turn(self) -> dict[str, dict[int, int]]:
        found: dict[str, dict[int, int]] = {}
        for code, name in enumerate(self.study.files.kinds):
            rows = self.exits[self.exits["kind"] == code]
            turns, places = np.unique(rows["turns"], return_inverse=True)
            sums = np.zeros(len(turns), np.int64)
            np.add.at(sums, places, rows["count"])
            found[name] = dict(zip(turns.tolist(), sums.tolist(), strict=True))
        return found

    def ledger(self, winner: str, number: int) -> NDArray[np.int64]:
        """Points of a player or a seat in the deals of each row of the cube."""
        paid = np.where(self.gone_out, self.cube["payment"], 0).astype(np.int64)
        return np.where(
            self.cube[winner] == number,
            self.rules.stakes.winner * paid,
            self.rules.stakes.other * paid,
        )

    def _sessions(self, number: int) -> tuple[int, Rows]:
        """Return the number of complete sessions, and a player's rows of them."""
        rows = self.cubes.sessions[self.cubes.sessions["player"] == number]
        return int(rows["count"].sum()), rows

    def _player(self, number: int) -> Player:
        ledger = self.ledger("winner", number)
        won = self.cube["winner"] == number
        _, rows = self._sessions(number)
        leaders = rows["leaders"].astype(np.int64)
        parts = np.where(leaders > 0, _SHARES // np.maximum(leaders, 1), 0)
        return Player(
            number=number,
            strategy=self.study.lineup[number],
            ledger=self.mean(ledger, self._design_effect(ledger, rows, "ledger")),
            wins=self.rate(won, effect=self._effect_on_wins(number)),
            session_ledger=mean_of(rows["ledger"], rows["count"], self.level),
            session_share=self._session_share(parts, rows["count"]),
            behaviour=dict(
                zip(
                    self.study.files.behaviour_sums,
                    self.cubes.behaviour[number].tolist(),
                    strict=True,
                )
            ),
        )

    def _session_share(self, parts: NDArray[Any], counts: Counts) -> Mean:
        """Mean share of won sessions; a player that never or always leads has the exact bound."""
        share = mean_of(parts, counts, self.level, scale=_SHARES)
        if share.mean not in (0.0, 1.0):
            return share
        bounds = proportion(round(share.mean) * share.n, share.n, self.level)
        return Mean(
            share.n, share.mean, bounds.low, bounds.high, share.sd, share.quantiles, bounds.method
        )

    def effect_on(self, number: int) -> float:
        """Design effect of what is not summed by session, of one player's deals.

        That of ledger or wins, whichever is larger; as if the deals of a pack were one.
        """
        ledger, rows = self.ledger("winner", number), self._sessions(number)[1]
        effects = self._effect_on_wins(number), self._design_effect(ledger, rows, "ledger")
        return max(*effects, self.repeated)

    def _effect_on_wins(self, number: int) -> float:
        won = self.cube["winner"] == number
        return self._design_effect(won, self._sessions(number)[1], "wins")

    def _design_effect(self, values: NDArray[Any], rows: Rows, total: str) -> float:
        """Variance of a mean by session, over its variance if all deals were independent.

        Parameters
        ----------
        values : array, shape (rows of the cube,)
            What a deal gives the player.
        rows : structured array of `SESSIONS`
            Sessions of the player.
        total : str
            Column of `rows` that sums the values over a session.
        """
        if not self.clustered:
            return 1.0
        _, _, of_deals = moments(values.astype(np.int64), self.counts)
        _, _, of_sessions = moments(rows[total], rows["count"])
        if not of_deals or of_sessions is None:
            return float(self.session)  # nothing to judge by: as if a session were one deal
        return max(1.0, of_sessions / (self.session * of_deals))

    def _wins_by_strategy(self, players: tuple[Player, ...]) -> dict[str, Estimate]:
        found = {}
        for strategy in dict.fromkeys(self.study.lineup):
            numbers = [player.number for player in players if player.strategy == strategy]
            won = np.isin(self.cube["winner"], numbers)
            # The cube of sessions has no sums over players: the largest effect of any of them.
            effect = max(self._effect_on_wins(number) for number in numbers)
            found[strategy] = self.rate(won, effect=effect)
        return found

    def fates(self, sorts: NDArray[Any]) -> dict[int, Fate]:
        """Return what became of the dealt hands of each sort, ascending."""
        found, effect = {}, self.seats * self.repeated
        for sort in np.unique(sorts):
            rows = self.cubes.openings[sorts == sort]
            # Python's integers: squares of many deals have no room elsewhere.
            sums = {
                name: sum(rows[name].tolist())
                for name in ("count", *self.study.files.openings.sums)
            }
            found[int(sort)] = Fate(
                wins=proportion(sums["wins"], sums["count"], self.level, effect),
                own_turns=mean_of_sums(
                    sums["wins"],
                    sums["own_turns"],
                    sums["own_turns_squares"],
                    self.level,
                    self.repeated,
                ),
                points=mean_of_sums(
                    sums["count"], sums["points"], sums["points_squares"], self.level, effect
                ),
            )
        return found

    def _notes(self) -> list[str]:
        notes = []
        if self.repeated > 1:
            notes.append(
                tr(
                    "Each pack is dealt again in {seatings} seatings: intervals by player are of "
                    "packs or wider, the others as if the deals of a pack were one deal: too wide.",
                    seatings=self.session,
                )
            )
        elif self.clustered:
            notes.append(
                tr(
                    "The deals of a session depend on each other here (who sits behind whom, or "
                    "who deals, stays): intervals by player allow for it, by variance between "
                    "sessions; the others take deals as independent."
                )
            )
        if self.deals and self.deals < 30:
            notes.append(
                plural(
                    self.deals,
                    "{deals} is few: the intervals of means are too narrow.",
                    "{deals} are few: the intervals of means are too narrow.",
                ).format(deals=counted(self.deals, "deal"))
            )
        return notes


def distribution(
    values: NDArray[Any], counts: Counts, total: int, level: float, effect: float = 1.0
) -> dict[int, Estimate]:
    """Share of `total` for each value that occurred, ascending."""
    return {
        int(value): proportion(int(counts[values == value].sum()), total, level, effect)
        for value in np.unique(values)
    }
