"""From the cubes of a study to its figures.

Deals are the trials. What the seats of one deal get is never taken as independent: each player's
ledger and each seat's has its own mean and variance by deal.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from continental_sim.cards import JOKER, RANKS, SUITS
from continental_sim.columns import (
    DEALT,
    ENDS,
    EXIT,
    FIRST_TURN,
    KINDS,
    LATER,
)
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
from continental_sim.figures.summary import Fate, Openings, Player, Seat, Summary
from continental_sim.files.store import StoredStudy
from continental_sim.grouping import Counts, Rows
from continental_sim.rules import continental, describe
from continental_sim.words import are, counted

EXPOSED: Final = 0  # column of the sums by face
_SHARES: Final = 27_720  # common multiple of 1..12: a tied win is a whole number of such parts


def summarise(study: StoredStudy, level: float = 0.95) -> Summary:
    """Estimate all figures of a study.

    Parameters
    ----------
    study : StoredStudy
        As `store.read_study` or `store.write_study` gives it.
    level : float
        Confidence level of all intervals, between 0 and 1.

    Returns
    -------
    Summary
    """
    return _Figures(study, level).summary()


class _Figures:
    """Estimates of one study, from its cube and the sisters of it."""

    def __init__(self, study: StoredStudy, level: float) -> None:
        self.study = study
        self.rules = continental(study.rules, "a summary")
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
        cube, exits = self.cube, self.exits
        players = tuple(self._player(number) for number in range(self.seats))
        return Summary(
            rules=self.rules,
            header=tuple(self._header()),
            level=self.level,
            seeds=self.study.seeds,
            deals=self.deals,
            sessions=self._sessions(0)[0],
            planned=int(self.study.manifest["study"]["deals"]),
            complete=self.study.complete,
            reason=str(self.study.manifest["state"].get("reason", "")),
            ends={name: self._rate(cube["end"] == code, name) for code, name in enumerate(ENDS)},
            exits={name: self._rate(cube["kind"] == code, name) for code, name in enumerate(KINDS)},
            one_suit=self._rate(cube["one_suit"] == 1, "one_suit"),
            natural=self._rate(
                self.gone_out & (cube["deuces"] == 0) & (cube["jokers"] == 0), "natural"
            ),
            recycled=self._rate(cube["recycles"] > 0, "recycled"),
            payments=self._shares(exits["payment"]),
            payment=self._mean_of_exits("payment"),
            deuces=self._mean_of_exits("deuces"),
            jokers=self._mean_of_exits("jokers"),
            deuces_exposed=self._shares(exits["deuces"]),
            jokers_exposed=self._shares(exits["jokers"]),
            ranks_exposed=self._ranks_exposed(),
            patterns=self._patterns(),
            turns=self._mean(cube["turns"]),
            rounds=self._mean(-(-cube["turns"] // self.seats)),
            recycles=self._mean(cube["recycles"]),
            exits_by_turn=self._exits_by_turn(),
            players=players,
            wins_by_strategy=self._wins_by_strategy(players),
            seats=tuple(self._seat(number) for number in range(self.seats)),
            openings=self._openings(),
            impossible=self.impossible,
            notes=tuple(self._notes()),
        )

    def _header(self) -> list[str]:
        lineup = formats.lineup_text(self.study.lineup, fixed_order=self.study.fixed_order)
        return [*describe(self.rules), lineup]

    def _rate(
        self, event: NDArray[np.bool_], name: str = "", effect: float | None = None
    ) -> Estimate:
        """Rate of an event over all deals; `name` finds the reason why it cannot happen."""
        count = int(self.counts[event].sum())
        if name in self.impossible and count == 0:
            return impossible(self.deals, self.impossible[name])
        return proportion(count, self.deals, self.level, effect or self.repeated)

    def _shares(self, values: NDArray[Any]) -> dict[int, Estimate]:
        """Share of the exits for each value that occurred, ascending."""
        counts = self.exits["count"]
        return _distribution(values, counts, int(counts.sum()), self.level, self.repeated)

    def _mean(self, values: NDArray[Any], effect: float | None = None) -> Mean:
        return mean_of(values, self.counts, self.level, effect or self.repeated)

    def _mean_of_exits(self, name: str) -> Mean:
        return mean_of(self.exits[name], self.exits["count"], self.level, self.repeated)

    def _ranks_exposed(self) -> dict[str, Estimate]:
        """Share of the cards of each rank that an exit lays down, as if it were one card each."""
        exposed, exits = self.cubes.faces[:, EXPOSED], int(self.exits["count"].sum())
        suits = exposed[:JOKER].reshape(len(SUITS), len(RANKS))
        found = {
            rank: (int(cards), self.rules.packs * len(SUITS))
            for rank, cards in zip(RANKS, suits.sum(axis=0), strict=True)
        }
        if self.rules.jokers:
            found["JK"] = int(exposed[JOKER]), self.rules.jokers
        return {
            name: proportion(cards, exits * copies, self.level, copies * self.repeated)
            for name, (cards, copies) in found.items()
        }

    def _patterns(self) -> dict[str, Estimate]:
        counts, bits = self.exits["count"], self.exits["patterns"]
        total = int(counts.sum())
        return {
            pattern: proportion(
                int(counts[(bits >> place & 1) == 1].sum()), total, self.level, self.repeated
            )
            for place, pattern in enumerate(self.rules.patterns)
        }

    def _exits_by_turn(self) -> dict[str, dict[int, int]]:
        found: dict[str, dict[int, int]] = {}
        for code, name in enumerate(KINDS):
            rows = self.exits[self.exits["kind"] == code]
            turns, places = np.unique(rows["turns"], return_inverse=True)
            sums = np.zeros(len(turns), np.int64)
            np.add.at(sums, places, rows["count"])
            found[name] = dict(zip(turns.tolist(), sums.tolist(), strict=True))
        return found

    def _ledger(self, winner: str, number: int) -> NDArray[np.int64]:
        """Points of a player or a seat in the deals of each row of the cube."""
        paid = np.where(self.gone_out, self.cube["payment"], 0).astype(np.int64)
        return np.where(
            self.cube[winner] == number,
            self.rules.stakes.winner * paid,
            self.rules.stakes.other * paid,
        )

    def _seat(self, number: int) -> Seat:
        here = self.cube["seat"] == number
        kind = self.cube["kind"]
        return Seat(
            number=number,
            ledger=self._mean(self._ledger("seat", number)),
            wins=self._rate(here),
            dealt=self._rate(here & (kind == DEALT)),
            first_turn=self._rate(here & (kind == FIRST_TURN)),
            by_first_turn=self._rate(here & ((kind == DEALT) | (kind == FIRST_TURN))),
            later=self._rate(here & (kind == LATER), "later"),
        )

    def _sessions(self, number: int) -> tuple[int, Rows]:
        """Return the number of complete sessions, and a player's rows of them."""
        rows = self.cubes.sessions[self.cubes.sessions["player"] == number]
        return int(rows["count"].sum()), rows

    def _player(self, number: int) -> Player:
        ledger = self._ledger("winner", number)
        won = self.cube["winner"] == number
        _, rows = self._sessions(number)
        leaders = rows["leaders"].astype(np.int64)
        parts = np.where(leaders > 0, _SHARES // np.maximum(leaders, 1), 0)
        return Player(
            number=number,
            strategy=self.study.lineup[number],
            ledger=self._mean(ledger, self._design_effect(ledger, rows, "ledger")),
            wins=self._rate(won, effect=self._effect_on_wins(number)),
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
            found[strategy] = self._rate(won, effect=effect)
        return found

    def _openings(self) -> Openings:
        rows, effect = self.cubes.openings, self.seats * self.repeated
        counts = rows["count"]

        def mean(name: str) -> Mean:
            # One hand of each deal would have a mean with `seats` times the variance.
            return mean_of(rows[name], counts, self.level, effect)

        total = int(counts.sum())
        return Openings(
            distance=mean("distance"),
            distances=_distribution(rows["distance"], counts, total, self.level, effect),
            deuces=mean("deuces"),
            jokers=mean("jokers"),
            by_distance=self._fates(rows["distance"]),
            by_wilds=self._fates(rows["deuces"] + rows["jokers"]),
        )

    def _fates(self, sorts: NDArray[Any]) -> dict[int, Fate]:
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
                f"Each pack is dealt again in {self.session} seatings: intervals by player are of "
                "packs or wider, the others as if the deals of a pack were one deal: too wide."
            )
        elif self.clustered:
            notes.append(
                "The deals of a session depend on each other here (who sits behind whom, or who "
                "deals, stays): intervals by player allow for it, by variance between sessions; "
                "the others take deals as independent."
            )
        if self.deals and self.deals < 30:
            notes.append(
                f"{counted(self.deals, 'deal')} {are(self.deals)} few: "
                "the intervals of means are too narrow."
            )
        return notes


def _distribution(
    values: NDArray[Any], counts: Counts, total: int, level: float, effect: float = 1.0
) -> dict[int, Estimate]:
    """Share of `total` for each value that occurred, ascending."""
    return {
        int(value): proportion(int(counts[values == value].sum()), total, level, effect)
        for value in np.unique(values)
    }
