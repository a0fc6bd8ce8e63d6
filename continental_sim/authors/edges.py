"""What a strategy is checked under: rules at the edges, and who else sits at the table."""

import shlex
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from continental_sim.errors import ContsimError
from continental_sim.rules import ContinentalRules, GameRules, as_settings, with_settings
from continental_sim.rules.load import Rules
from continental_sim.strategy import Strategy, shipped_strategy
from continental_sim.study import Study, make_study

SEED: Final = 20
ROUNDS: Final = 40  # a deal of a strategy that never gets there is long, and shows nothing more

_PAYMENTS = ("exit", "deuce", "joker", "no_wild", "first_turn", "dealt", "one_suit")
# Each forbids, ends or changes something that a strategy may have taken for granted. Most rules of
# melds are met with few packs: the tables of others take long to build.
_CONTINENTAL: Final = (
    ("seats=2", "recycles=0"),
    ("seats=5", "ace=low", "return_taken=forbid"),
    ("seats=7",),  # the stock is empty from the start
    ("seats=3", "packs=1", "jokers=0", "ace=high"),  # it is short, and recycled soon
    ("seats=3", "packs=1", "recycle_order=turned"),
    ("seats=12", "packs=4", "jokers=4", "melds=groups"),
    ("melds=groups", "wild_discard_takeable=false"),
    ("return_taken=forbid", "wild_discard_takeable=false"),
    ("exit_mandatory=true", "ace=wrap", "next_dealer=winner"),
    ("wild_ranks=none", "jokers=0"),
    ("wild_ranks=5,K", "natural_two_counts=false"),
    ("packs=1", "seats=4", "jokers=50"),  # nearly every hand goes out as it is dealt
    ("seats=12", "hand_size=3", "patterns=3"),
    ("seats=3", "packs=1", "ace=high", "min_naturals_per_run=2", "one_suit=physical"),
    ("seats=3", "packs=1", "ace=high", "max_wilds_per_run=1"),
    tuple(f"pay_{amount}=0" for amount in _PAYMENTS),
    (*(f"pay_{amount}=100" for amount in _PAYMENTS), "stack_first_turn=true"),
    ("max_rounds=1",),
)
_BASIC_RUMMY: Final = (
    ("seats=2", "recycles=unlimited"),
    ("seats=2", "dealt=3", "return_taken=allow"),
    ("seats=3", "ace=both", "recycle_order=turned"),
    ("seats=5", "recycles=0", "next_dealer=winner", "target=9"),
    ("seats=6", "ace=both", "one_meld_per_turn=true"),
    ("seats=2", "dealt=25"),  # one card is left in the stock
    ("one_meld_per_turn=true", "return_taken=allow"),
    ("layoff_needs_meld=true", "recycles=unlimited"),
    ("seats=3", "one_meld_per_turn=true", "layoff_needs_meld=true", "must_discard_to_go_out=true"),
    ("must_discard_to_go_out=true",),
    ("seats=2", "must_discard_to_go_out=true", "ace=both", "return_taken=allow"),
    ("ace_points=100", "going_rummy=1"),
    ("ace_points=0", "going_rummy=100"),
    ("max_rounds=1",),
)
EDGES: Final = {"continental": _CONTINENTAL, "basic-rummy": _BASIC_RUMMY}  # by game


@dataclass(frozen=True)
class Setup:
    """Rules, and who plays: the strategy alone, or beside others.

    Attributes
    ----------
    rules : GameRules
    lineup : tuple of Strategy
        One for all players, or one for each; the strategy that is checked is the first.
    """

    rules: GameRules
    lineup: tuple[Strategy, ...]

    @property
    def strategy(self) -> Strategy:
        """The strategy that is checked."""
        return self.lineup[0]

    @property
    def step(self) -> int:
        """Deals that cannot be played apart [deals]."""
        return self.rules.session_deals if self.rules.next_dealer == "winner" else 1

    def study(self, deals: int) -> Study:
        """Describe so many deals."""
        return make_study(self.rules, self.lineup, SEED, deals)

    def command(self, deals: int) -> str:
        """Write the command that plays so many deals."""
        words = ["contsim", "run", "--seed", str(SEED), "--deals", str(deals)]
        for strategy in self.lineup:
            words += ["-s", strategy.spec]
        if self.rules.game != ContinentalRules.game:
            words += ["--game", self.rules.game]
        for setting in as_settings(self.rules):
            words += ["--set", setting]
        return shlex.join(words)

    def failed(self, how: str, deals: int) -> ContsimError:
        """Make the error for a failure in one of the first deals: the study that fails so tells it.

        Such a study names the command that replays the deal.
        """
        return ContsimError(f"{how}; see it again, and replay it: {self.command(deals)}")

    def fault(self, what: str, deal: int) -> ContsimError:
        """Make the error for what is wrong in a deal that can be played, and replayed."""
        seen = f"{self.command(deal + 1)} --out checked && contsim replay checked --deal {deal}"
        return ContsimError(f"{what}; see how it goes: {seen}")


def checked_rules(rules: Rules) -> list[Rules]:
    """List the rules that a strategy is checked under: those given come first, then the edges."""
    edges = [with_settings(type(rules)(), edge) for edge in EDGES[rules.game]]
    return [
        with_settings(each, [f"max_rounds={min(ROUNDS, each.max_rounds)}"])
        for each in (rules, *edges)
    ]


def setups(strategy: Strategy, rules: GameRules) -> list[Setup]:
    """List what a strategy is checked under.

    Under all of `checked_rules` it plays alone, and beside `random`, which throws what no sensible
    player would.

    Parameters
    ----------
    strategy : Strategy
    rules : GameRules
    """
    # Ours, as another of this name may lie here.
    careless = replace(shipped_strategy("random", rules.game), spec="random")
    return [
        Setup(each, lineup)
        for each in checked_rules(rules)
        for lineup in (
            (strategy,),
            tuple((strategy, careless)[number % 2] for number in range(each.seats)),
        )
    ]


def deadlines(seconds: float, tasks: int) -> Iterator[float]:
    """Share time out among tasks: what one leaves, those after it have.

    Parameters
    ----------
    seconds : float
        For all of them.
    tasks : int

    Yields
    ------
    float
        When the task that begins now is to end, by `time.perf_counter`; in the past if no time is
        left.
    """
    end = time.perf_counter() + seconds
    for left in range(tasks, 0, -1):
        now = time.perf_counter()
        yield now + (end - now) / left
