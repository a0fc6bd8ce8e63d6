"""What the tables of a study hold, described once for the terminal and for pages.

A page has room, a line of the terminal has 80 columns: `Wording` has what that makes different.
The terminal speaks English; what it alone has is not looked up.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Generic, Literal, NamedTuple, TypeVar

from continental_sim.figures.estimates import Estimate, Mean
from continental_sim.figures.formats import percent
from continental_sim.figures.summary import Fate, Player
from continental_sim.language import marked, tr

SHOWN: Final = (0.05, 0.25, 0.5, 0.75, 0.95)  # quantiles of each mean
FigureT = TypeVar("FigureT", Estimate, Mean)


class Wording(NamedTuple):
    """Words that a line of the terminal has no room for, and what it says instead.

    Attributes
    ----------
    page, line : str
        On a page, and in the terminal; if `line` is empty, the terminal goes without: the words
        above go for a title, and a column is left out.
    """

    page: str
    line: str


class Team(NamedTuple):
    """All players of one strategy together."""

    strategy: str


class OfPlayer(NamedTuple):
    """A figure of a player: pages say which it is, since they have several in a table."""

    player: Player
    what: str


Title = str | Wording
Label = Title | Player | Team | OfPlayer
Medium = Literal["both", "page", "line"]


@dataclass(frozen=True, slots=True)
class Row(Generic[FigureT]):
    """A figure with its name.

    Attributes
    ----------
    label : Label
    figure : Estimate or Mean
    medium : Medium
        Where it is shown.
    """

    label: Label
    figure: FigureT
    medium: Medium = "both"


class Sentence(NamedTuple):
    """A sentence that the terminal has in place of rows which only a page lists."""

    text: str


@dataclass(frozen=True, slots=True)
class Rates:
    """Rates, one a row.

    Attributes
    ----------
    title : Title
    of : Wording
        What they are shares of.
    rows : sequence of Row of Estimate, or Sentence
    """

    title: Title
    of: Wording
    rows: Sequence[Row[Estimate] | Sentence]


@dataclass(frozen=True, slots=True)
class Means:
    """Means, one a row.

    Attributes
    ----------
    title : Title
    rows : sequence of Row of Mean
    medium : Medium
        Where they are shown.
    plain : bool
        Whether the terminal leaves out their spread and quantiles, which say nothing of a share.
    """

    title: Title
    rows: Sequence[Row[Mean]]
    medium: Medium = "both"
    plain: bool = False


@dataclass(frozen=True, slots=True)
class Fates:
    """What became of dealt hands: by what they are sorted, and the fate of each sort."""

    sorts: Sequence[tuple[Title, Mapping[int, Fate] | Mapping[str, Fate]]]


@dataclass(frozen=True, slots=True)
class Counts:
    """What players did: sums over all deals, by their names, with the titles of the columns."""

    columns: Mapping[str, Title]


Part = Rates | Means | Fates | Counts
Block = Sequence[Part]  # parts that belong together: the terminal has no empty line between them

RATE: Final = marked("rate")
SD: Final = marked("sd")
IMPOSSIBLE: Final = marked("impossible: {reason}")
WENT_OUT: Final = marked("went out")
POINTS: Final = marked("points")


def of_deals() -> Wording:
    """Say that rates are of all deals."""
    return Wording(tr("of all deals"), "of deals")


def of_exits() -> Wording:
    """Say that they are of the exits."""
    return Wording(tr("of the exits"), "of exits")


def of_hands() -> Wording:
    """Say that they are of all hands."""
    return Wording(tr("of all hands"), "of hands")


def fates_title() -> Wording:
    """Name the table of what became of hands."""
    return Wording(tr("What became of dealt hands"), "What became of hands")


def own_turns_title() -> Wording:
    """Name its column of turns."""
    return Wording(tr("own turns to do so"), "own turns")


def counts_title() -> Wording:
    """Name the table of what players did."""
    return Wording(tr("Counted over all deals"), "Counted")


def interval_title(level: float) -> str:
    """Name the column of intervals."""
    return tr("{level} interval", level=percent(level))


def mean_title(level: float) -> Wording:
    """Name the column of means."""
    page = tr("mean ({interval})", interval=interval_title(level))
    return Wording(page, f"mean ({percent(level)})")


def quantile_title(share: float) -> Wording:
    """Name the column of a quantile."""
    return Wording(tr("{share} quantile", share=percent(share)), f"q{100 * share:g}")


def on_page(label: Label) -> str:
    """Write a name as pages have it: strategies in full."""
    match label:
        case Wording():
            return label.page
        case Player():
            return label.label
        case Team():
            return tr("all {strategy}", strategy=label.strategy)
        case OfPlayer():
            return f"{label.player.label}: {label.what}"
    return label


def in_line(words: Title) -> str:
    """Write words as the terminal has them."""
    return words.line if isinstance(words, Wording) else words


def rows_of(figures: Mapping[str, FigureT]) -> list[Row[FigureT]]:
    """Return a row for each figure, by its name."""
    return [Row(label, figure) for label, figure in figures.items()]
