"""A strategy file checked, as `contsim strategies check` does: what holds, one finding each."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from continental_sim.authors.edges import Setup, setups
from continental_sim.authors.legality import Played, Watch, play_legally
from continental_sim.authors.purity import ask_again
from continental_sim.authors.repeats import play_again, play_interpreted
from continental_sim.authors.speed import measure
from continental_sim.interrupts import stoppable
from continental_sim.players import load_player
from continental_sim.rules import GameRules
from continental_sim.strategy import Strategy, find_strategy
from continental_sim.words import counted, in_number

DEALS: Final = 10_000
INTERPRETED: Final = 10  # times fewer deals of what is some 100 times slower
SPEED: Final = 20  # times less time for the speed than for the legal cards


@dataclass(frozen=True)
class Effort:
    """How much is played: deals, or what the time allows.

    Attributes
    ----------
    legal, again, turns, twins : int
        Deals played for illegal cards; played again; of which turns are played again; and played
        interpreted.
    seconds : float
        For the legal cards; the others have half of it each, the speed a twentieth.
    """

    legal: int = DEALS
    again: int = 1000
    turns: int = 36
    twins: int = 72
    seconds: float = 20.0

    @classmethod
    def of(cls, deals: int) -> "Effort":
        """Play so many deals for illegal cards, and of the others as many in proportion."""
        usual = cls()

        def part(of: int) -> int:
            return max(of * deals // usual.legal, 1)

        return cls(deals, part(usual.again), part(usual.turns), part(usual.twins))

    def fewer(self, times: int) -> "Effort":
        """Play so many times fewer deals, in the same time at most."""
        return Effort.of(max(self.legal // times, 1))


@dataclass(frozen=True)
class Finding:
    """A thing that holds.

    Attributes
    ----------
    name : str
        Which check.
    text : str
        A sentence.
    figures : dict of str to number or text
        What it is based on.
    """

    name: str
    text: str
    figures: dict[str, Any]


def check_strategy(
    spec: str,
    rules: GameRules,
    effort: Effort | None = None,
    watch: Watch | None = None,
    tell: Callable[[Finding], None] | None = None,
) -> list[Finding]:
    """Test a strategy against the contract.

    Parameters
    ----------
    spec : str
        As for `find_strategy`.
    rules : GameRules
        Played besides the rules at the edges.
    effort : Effort, optional
    watch : callable, optional
        Told of deals that are done, and of how many in all.
    tell : callable, optional
        Told of each finding as soon as it is there.

    Returns
    -------
    list of Finding

    Raises
    ------
    ContsimError
        For the first thing that does not hold.
    """
    found = []
    with stoppable():
        for finding in _findings(find_strategy(spec, rules.game), rules, effort or Effort(), watch):
            found.append(finding)
            if tell is not None:
                tell(finding)
    return found


def _findings(
    strategy: Strategy, rules: GameRules, effort: Effort, watch: Watch | None
) -> Iterator[Finding]:
    yield Finding("contract", "the file keeps the contract: functions, fields, names, imports", {})
    player = load_player(strategy, rules.game)
    if player.foreign:
        sentence = f"it runs interpreted, some 100 times slower than compiled: {player.reason}"
        yield Finding("interpreted", sentence, {"reason": player.reason})
        effort = effort.fewer(INTERPRETED)
    else:
        yield Finding("compiled", "it compiles", {})
    tables = setups(strategy, rules)
    legal = play_legally(tables, effort.legal, effort.seconds, watch)
    yield _played("legal", "it throws no illegal card", legal, tables, effort.legal)
    again = play_again(tables, effort.again, effort.seconds / 2, watch)
    sentence = "it plays the same deals the same way again, in any order"
    yield _played("repeated", sentence, again, tables, effort.again)
    yield _pure(tables, effort, watch)
    if not player.foreign:
        twins = play_interpreted(tables, effort.twins, effort.seconds / 2, watch)
        sentence = "it plays interpreted as it does compiled"
        yield _played("twins", sentence, twins, tables, effort.twins)
    yield _speed(strategy, rules, effort)


def _played(
    name: str, sentence: str, played: Played, tables: Sequence[Setup], wanted: int
) -> Finding:
    """Say what deals have shown, how many they were, and whether the time was over before all."""
    of_deals, over = "", ""
    if played.deals < wanted:
        of_deals, over = f" of {wanted:,}", f", as {played.seconds:.0f} s were over"
    of_tables = "" if played.setups == len(tables) else f" of {len(tables)}"
    deals = in_number(wanted if of_deals else played.deals, "deal")
    places = in_number(len(tables) if of_tables else played.setups, "table")
    extent = f"{played.deals:,}{of_deals} {deals} at {played.setups}{of_tables} {places}{over}"
    return Finding(name, f"{sentence}: {extent}", {**asdict(played), "tables": len(tables)})


def _pure(tables: Sequence[Setup], effort: Effort, watch: Watch | None) -> Finding:
    found = ask_again(tables, effort.turns, effort.seconds / 2, watch)
    sentence = (
        f"it acts alike when only hidden cards differ: {counted(found.turns, 'turn')} of "
        f"{found.setups} of {counted(len(tables), 'table')}, {found.recycled:,} of them after a "
        f"recycle, {counted(found.exits, 'exit')}"
    )
    return Finding("view", sentence, {**asdict(found), "tables": len(tables)})


def _speed(strategy: Strategy, rules: GameRules, effort: Effort) -> Finding:
    speed = measure(strategy, rules, effort.seconds / SPEED)
    lay = f", lay_down {_rounded(speed.lay)}" if speed.lay else ""
    sentence = (
        f"it plays about {_counted(speed.rate, 'deal')} a second on one core, "
        f"{_rounded(speed.of_fastest)} of what fastest does here; of "
        f"{_counted(speed.turn, 'microsecond')} a turn take_discard has {_rounded(speed.take)}, "
        f"choose_discard {_rounded(speed.throw)}{lay}"
    )
    return Finding("speed", sentence, asdict(speed))


def _counted(value: float, noun: str) -> str:
    """Write a rough figure and what it counts."""
    return f"{_rounded(value)} {in_number(float(f'{value:.2g}'), noun)}"


def _rounded(value: float) -> str:
    """Write a rough figure: two digits."""
    return f"{float(f'{value:.2g}'):,.10g}"
