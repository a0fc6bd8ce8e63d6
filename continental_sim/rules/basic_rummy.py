"""The rules of Basic Rummy as one frozen record; its defaults are those of the guide."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from continental_sim.cards import RANKS, SUITS
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
from continental_sim.rules.values import Choice, Flag, Integer, Limit
from continental_sim.words import counted

DEALT_TO_TWO, DEALT_TO_MORE = 10, 7  # [cards], as the guide says
# A span of matches has the deals of so many of the longest. No match begins in the last of these:
# with five, a fifth of the deals is in no match, and small studies still have whole spans.
LONGEST_MATCHES = 5


@dataclass(frozen=True)
class BasicRummyRules(GameRules):
    """Every parameter of Basic Rummy."""

    game: ClassVar[str] = "basic-rummy"
    title: ClassVar[str] = "Basic Rummy"

    seats: int = rule(4, Integer(2, 6), "2 Setup and deal", "Players at the table.")
    dealt: int | None = rule(
        None,
        Limit(25, low=3, none="by_seats"),
        "2 Setup and deal",
        f"Cards dealt to each seat; by seats, {DEALT_TO_TWO} to two and {DEALT_TO_MORE} to more.",
    )
    ace: str = rule(
        "low",
        Choice(("low", "both")),
        "1 Aim",
        "Where the ace stands in a run: below the two, or there or above the king.",
    )
    one_meld_per_turn: bool = rule(
        False,
        Flag(),
        "3 Turn",
        "Whether a turn may lay one meld at most; lay-offs are not limited.",
    )
    layoff_needs_meld: bool = rule(
        False,
        Flag(),
        "3 Turn",
        "Whether a seat may lay off only once it has laid a meld of its own in the deal.",
    )
    return_taken: str = rule(
        "forbid",
        RETURN_TAKEN,
        "3 Turn",
        "Whether the card just taken from the discard pile may be thrown back.",
    )
    must_discard_to_go_out: bool = rule(
        False,
        Flag(),
        "4 Going out",
        "Whether the last card must be thrown: a hand that can be laid whole keeps one.",
    )
    recycles: int | None = rule(
        1,
        Limit(MOST_RECYCLES),
        "5 End of the stock",
        "How often the discards may become a new stock before the deal is drawn (a deadlock).",
    )
    recycle_order: str = rule(
        "shuffled",
        RECYCLE_ORDER,
        "5 End of the stock",
        "Whether recycled discards are shuffled or only turned over.",
    )
    max_rounds: int = rule(
        500,
        MAX_ROUNDS,
        "5 End of the stock",
        "Full rounds after which a deal is stopped as capped; nobody scores.",
    )
    ace_points: int = rule(
        1, Integer(0, 100), "6 Scoring", "What an ace left in a hand counts [points]."
    )
    going_rummy: int = rule(
        2,
        Integer(1, 100),
        "6 Scoring",
        "Factor of the score of a winner who lays the whole hand in one turn, and nothing before.",
    )
    target: int = rule(
        100, Integer(1, 100_000), "6 Scoring", "Points with which a player wins a match."
    )
    next_dealer: str = rule(
        "left",
        NEXT_DEALER,
        "2 Setup and deal",
        "Who deals next: the player to the left, or the winner of the deal.",
    )

    @cached_property
    def hand_size(self) -> int:
        """Cards dealt to each seat [cards]."""
        return self.dealt or (DEALT_TO_TWO if self.seats == 2 else DEALT_TO_MORE)

    @property
    def cards(self) -> int:
        """Cards in the pack [cards]."""
        return len(SUITS) * len(RANKS)

    @property
    def match_deals(self) -> int:
        """Most deals of a match, which somebody wins with `target` points [deals].

        There are as many as points, up to whole sessions: a deal brings several to somebody.
        """
        return self.seats * -(-self.target // self.seats)

    @property
    def counted_together(self) -> int:
        """Deals in which matches follow each other, the last of them whole, too [deals]."""
        return LONGEST_MATCHES * self.match_deals

    @property
    def stakes(self) -> Stakes:
        """The winner scores what is left in all other hands; nobody else scores."""
        return Stakes(winner=1, other=0)

    def impossible_events(self) -> dict[str, str]:
        """Say why there is no ordinary exit, or none whose last card is laid."""
        one_turn = tr("max_rounds = 1 gives each seat one turn, and nothing was laid before it")
        thrown = tr("must_discard_to_go_out = true has the last card thrown")
        return {
            "ordinary": one_turn if self.max_rounds == 1 else "",
            "last_card_laid": thrown if self.must_discard_to_go_out else "",
        }

    def description(self) -> list[str]:
        """Describe the equipment and how a deal is won, in two lines."""
        aces = {"low": tr("ace low"), "both": tr("ace low or high")}
        melds = (
            tr("one meld a turn") if self.one_meld_per_turn else tr("any number of melds a turn")
        )
        layoffs = (
            tr("lay-offs after a meld of one's own")
            if self.layoff_needs_meld
            else tr("lay-offs on any meld")
        )
        return [
            tr(
                "{title}: {seats} seats, {cards} cards, {hand} each.",
                title=tr(self.title),
                seats=self.seats,
                cards=self.cards,
                hand=self.hand_size,
            ),
            tr(
                "Sets of 3 or 4 and runs of 3 or more, {ace}; {melds}, {layoffs}; cap {rounds}.",
                ace=aces[self.ace],
                melds=melds,
                layoffs=layoffs,
                rounds=counted(self.max_rounds, "round"),
            ),
        ]
