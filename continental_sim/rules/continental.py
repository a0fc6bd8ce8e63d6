"""The rules of Continental as one frozen record; its defaults are the Bicycle profile."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from continental_sim.cards import JOKER, RANKS, SUITS
from continental_sim.errors import ContsimError
from continental_sim.language import tr
from continental_sim.rules.base import (
    MAX_ROUNDS,
    MOST_RECYCLES,
    NEXT_DEALER,
    RECYCLE_ORDER,
    RETURN_TAKEN,
    GameRules,
    Stakes,
    rule,
)
from continental_sim.rules.values import (
    LONGEST_MELD,
    Choice,
    Flag,
    Integer,
    Limit,
    Patterns,
    Ranks,
)
from continental_sim.words import counted

_PAYMENT = Integer(0, 100)


@dataclass(frozen=True)
class ContinentalRules(GameRules):
    """Every parameter of Continental."""

    game: ClassVar[str] = "continental"
    title: ClassVar[str] = "Continental"

    seats: int = rule(4, Integer(2, 12), "2 Setup and deal", "Players at the table.")
    packs: int = rule(2, Integer(1, 4), "1 Aim and equipment", "Packs of 52 cards.")
    jokers: int = rule(2, Integer(0, 50), "1 Aim and equipment", "Jokers, altogether; always wild.")
    hand_size: int = rule(
        15, Integer(3, 25), "2 Setup and deal", "Cards dealt to each seat, and laid in an exit."
    )
    wild_ranks: tuple[str, ...] = rule(
        ("2",),
        Ranks(),
        "1 Aim and equipment",
        "Ranks that may stand for any card (deuces_wild = false is short for none).",
    )
    ace: str = rule(
        "both",
        Choice(("both", "low", "high", "wrap")),
        "3 Declarations",
        'Where the ace stands in a run; "wrap" closes the circle: K-A-2 is a run. Groups have no '
        "order.",
    )
    melds: str = rule(
        "runs",
        Choice(("runs", "groups")),
        "7 Context and variants",
        "Runs in one suit, or groups of equal rank in any suits.",
    )
    patterns: tuple[str, ...] = rule(
        ("3+3+3+3+3", "4+4+4+3", "5+4+3+3"),
        Patterns(),
        "3 Declarations",
        "Lengths of the runs, or groups, that an exit may consist of.",
    )
    min_naturals_per_run: int = rule(
        1, Integer(0, LONGEST_MELD), "3 Declarations", "Natural cards that each run or group needs."
    )
    max_wilds_per_run: int | None = rule(
        None, Limit(LONGEST_MELD), "3 Declarations", "Wild cards that a run or group may hold."
    )
    natural_two_counts: bool = rule(
        True,
        Flag(),
        "3 Declarations",
        "A card of a wild rank at its own place in a run counts as a natural card of it; in a "
        "group it never does.",
    )
    return_taken: str = rule(
        "allow",
        RETURN_TAKEN,
        "4 Legal actions",
        "Whether the card just taken from the discard pile may be thrown back.",
    )
    wild_discard_takeable: bool = rule(
        True, Flag(), "4 Legal actions", "Whether a wild upcard may be taken."
    )
    exit_mandatory: bool = rule(
        False, Flag(), "4 Legal actions", "Whether a seat must go out as soon as it can."
    )
    recycles: int | None = rule(
        None,
        Limit(MOST_RECYCLES),
        "6 Ending the game",
        "How often the discards may become a new stock in a deal.",
    )
    recycle_order: str = rule(
        "shuffled",
        RECYCLE_ORDER,
        "6 Ending the game",
        "Whether recycled discards are shuffled or only turned over.",
    )
    max_rounds: int = rule(
        500,
        MAX_ROUNDS,
        "6 Ending the game",
        "Full rounds after which a deal is stopped as capped; nobody pays.",
    )
    next_dealer: str = rule(
        "left",
        NEXT_DEALER,
        "2 Setup and deal",
        "Who deals next: the player to the left, or the winner of the deal.",
    )
    one_suit: str = rule(
        "declared",
        Choice(("declared", "physical")),
        "5 Scoring",
        "Whether wild cards count for the one-suit bonus by the suit declared or by their own.",
    )
    pay_exit: int = rule(1, _PAYMENT, "5 Scoring", "Points for going out [points an opponent].")
    pay_deuce: int = rule(1, _PAYMENT, "5 Scoring", "Points for each exposed card of a wild rank.")
    pay_joker: int = rule(2, _PAYMENT, "5 Scoring", "Points for each exposed joker.")
    pay_no_wild: int = rule(
        10, _PAYMENT, "5 Scoring", "Points for an exit that exposes no wild card."
    )
    pay_first_turn: int = rule(
        7, _PAYMENT, "5 Scoring", "Points for going out in one's first turn after drawing."
    )
    pay_dealt: int = rule(
        10, _PAYMENT, "5 Scoring", "Points for going out in one's first turn without drawing."
    )
    pay_one_suit: int = rule(10, _PAYMENT, "5 Scoring", "Points for an exit that lies in one suit.")
    stack_first_turn: bool = rule(
        False,
        Flag(),
        "5 Scoring",
        "Whether an exit without drawing earns the points for the first turn as well.",
    )

    def check(self) -> None:
        """Refuse values that are impossible together."""
        self._check_patterns()
        if self.melds == "groups":
            self._check_groups()

    def _check_patterns(self) -> None:
        for pattern, lengths in zip(self.patterns, self.pattern_lengths, strict=True):
            if sum(lengths) != self.hand_size:
                raise ContsimError(
                    f"pattern {pattern} lays {sum(lengths)} cards, but hand_size = "
                    f"{self.hand_size}: set both so that they agree"
                )
            if min(lengths) < self.min_naturals_per_run:
                raise ContsimError(
                    f"min_naturals_per_run = {self.min_naturals_per_run} is more than the "
                    f"{self.meld} of {min(lengths)} in pattern {pattern} can hold: lower it or set "
                    "patterns"
                )
            needed = sum(map(self.naturals_needed, lengths))
            there = self.cards - (self.jokers if self.counts_at_home else self.wilds)
            if needed > there:
                raise ContsimError(
                    f"pattern {pattern} can never be laid: its {self.melds} need "
                    f"{counted(needed, 'natural card')}, and the pack has {there}: set wild_ranks, "
                    f"packs or the limits on a {self.meld}"
                )

    def _check_groups(self) -> None:
        """Refuse patterns of which not even the whole pack could lay the groups."""
        copies = len(SUITS) * self.packs
        of_a_rank = f"{copies} of a rank (packs = {self.packs})"
        for pattern, lengths in zip(self.patterns, self.pattern_lengths, strict=True):
            for length in lengths:
                needed = self.naturals_needed(length)
                if needed > copies:
                    raise ContsimError(
                        f"pattern {pattern} can never be laid: its group of {length} needs "
                        f"{counted(needed, 'natural card')}, and the pack has {of_a_rank}: "
                        "set packs, patterns or the limits on a group"
                    )
            wilds = sum(max(0, length - copies) for length in lengths)
            if wilds > self.wilds:
                raise ContsimError(
                    f"pattern {pattern} can never be laid: its groups need "
                    f"{counted(wilds, 'wild card')} with {of_a_rank}, and the pack has "
                    f"{self.wilds}: set packs, jokers or patterns"
                )

    @property
    def made_of(self) -> str:
        """What makes the pack as large as it is."""
        return f" (packs = {self.packs}, jokers = {self.jokers})"

    @property
    def stakes(self) -> Stakes:
        """Each opponent pays the winner."""
        return Stakes(winner=self.seats - 1, other=-1)

    @property
    def copies_of_card(self) -> int:
        """Copies of each card that is no joker [cards]."""
        return self.packs

    @property
    def copies_of_joker(self) -> int:
        """Jokers in the pack [cards]."""
        return self.jokers

    @cached_property
    def cards(self) -> int:
        """Cards in the pack [cards]."""
        return 52 * self.packs + self.jokers

    @cached_property
    def wild_faces(self) -> tuple[bool, ...]:
        """Whether each of the 53 faces is wild."""
        ranks = [RANKS[face % len(RANKS)] in self.wild_ranks for face in range(JOKER)]
        return (*ranks, True)

    @cached_property
    def deuces(self) -> int:
        """Cards of wild ranks in the pack [cards]."""
        return len(self.wild_ranks) * len(SUITS) * self.packs

    @cached_property
    def wilds(self) -> int:
        """Wild cards in the pack [cards]."""
        return self.deuces + self.jokers

    @property
    def counts_at_home(self) -> bool:
        """Whether a card of a wild rank counts as a natural at its own place, which runs have."""
        return self.natural_two_counts and self.melds == "runs"

    @cached_property
    def pattern_lengths(self) -> tuple[tuple[int, ...], ...]:
        """Lengths of the runs or groups of each pattern, longest first."""
        return tuple(
            tuple(int(length) for length in pattern.split("+")) for pattern in self.patterns
        )

    @cached_property
    def run_lengths(self) -> tuple[int, ...]:
        """The different lengths of runs or groups in all patterns, ascending."""
        return tuple(sorted({length for lengths in self.pattern_lengths for length in lengths}))

    @property
    def meld(self) -> str:
        """What one meld is called: run or group."""
        return self.melds.removesuffix("s")

    def naturals_needed(self, length: int) -> int:
        """Count the naturals that a run or group must hold.

        Parameters
        ----------
        length : int
            Its cards.

        Returns
        -------
        int
            The minimum, or what the wilds must leave to naturals if that is more [cards].
        """
        if self.max_wilds_per_run is None:
            return self.min_naturals_per_run
        return max(self.min_naturals_per_run, length - self.max_wilds_per_run)

    def is_wild(self, face: int) -> bool:
        """Tell whether a face may stand for any card."""
        return self.wild_faces[face]

    def impossible_events(self) -> dict[str, str]:
        """Say why there is no later exit, none in one suit or natural, no wild card of a kind."""
        one_round = tr("max_rounds = 1 stops a deal after the first turns")
        return {
            "later": "" if self.max_rounds > 1 else one_round,
            "one_suit": self._no_one_suit(),
            "natural": self._no_natural(),
            "deuces": "" if self.wild_ranks else tr("no rank is wild"),
            "jokers": "" if self.jokers else tr("no joker is in the pack"),
        }

    def _no_one_suit(self) -> str:
        most = self.packs * (len(RANKS) - len(self.wild_ranks))
        if self.melds == "groups":  # of which each has few cards of one suit and rank
            laid = [sum(min(n, self.packs) for n in lengths) for lengths in self.pattern_lengths]
            most = min(most, max(laid))
        if self.one_suit == "physical":  # a joker has no suit
            most += self.packs * len(self.wild_ranks)
        else:
            most += self.wilds
        if most >= self.hand_size:
            return ""
        return tr(
            "{what} and the wild cards that fit make {most} of {hand}",
            what=tr("one suit") if self.melds == "runs" else tr("groups of one suit"),
            most=counted(most, "card"),
            hand=self.hand_size,
        )

    def _no_natural(self) -> str:
        naturals = self.cards - self.wilds
        if naturals < self.hand_size:
            return tr(
                "the pack has {naturals} for a hand of {hand}",
                naturals=counted(naturals, "natural card"),
                hand=self.hand_size,
            )
        copies = len(SUITS) * self.packs
        longest = min(max(lengths) for lengths in self.pattern_lengths)
        if self.melds == "groups" and longest > copies:
            return tr(
                "each pattern has a group of {longest} or more, and {copies} cards are of a rank",
                longest=longest,
                copies=copies,
            )
        return ""

    def description(self) -> list[str]:
        """Describe the equipment and how a deal is won, in two lines."""
        wild = [tr("{rank}s", rank=rank) for rank in self.wild_ranks]
        wild += [tr("jokers")] * (self.jokers > 0)
        ends = (
            tr("Exit: runs {patterns}; {ace}; cap {rounds}.")
            if self.melds == "runs"
            else tr("Exit: groups {patterns}; cap {rounds}.")
        )
        return [
            tr(
                "{title}: {seats} seats, {cards} cards ({packs}, {jokers}), {hand} each; wild: "
                "{wild}.",
                title=tr(self.title),
                seats=self.seats,
                cards=self.cards,
                packs=counted(self.packs, "pack"),
                jokers=counted(self.jokers, "joker"),
                hand=self.hand_size,
                wild=", ".join(wild) or tr("none"),
            ),
            ends.format(
                patterns=", ".join(self.patterns),
                ace=self._ace_text(),
                rounds=counted(self.max_rounds, "round"),
            ),
        ]

    def _ace_text(self) -> str:
        """Say where the ace stands in a run."""
        return {
            "both": tr("ace low or high"),
            "low": tr("ace low"),
            "high": tr("ace high"),
            "wrap": tr("ace low, high or between"),
        }[self.ace]
