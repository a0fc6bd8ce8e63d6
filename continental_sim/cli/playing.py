"""What the commands that play share: how a study is played, and what is shown of it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from continental_sim.cli.numbers import DEALS, DURATION, JOBS, SEED
from continental_sim.cli.options import note, print_json, tell
from continental_sim.cli.progress import clock_of, progress_bar
from continental_sim.cli.style import heading
from continental_sim.errors import CannotPrint, ContsimError, typed

if TYPE_CHECKING:
    from continental_sim.files.store import StoredStudy
    from continental_sim.play.means import Watcher

DEFAULT_STRATEGY = "fastest"
MOST_UNTIL = 10**9  # deals of what plays until something is known, if no limit is given

Seed = Annotated[
    int | None,
    typer.Option(
        parser=SEED,
        metavar="SEED",
        help="0 to 2^64-1.  [default: a random one, printed and kept]",
    ),
]
Strategies = Annotated[
    list[str] | None,
    typer.Option(
        "--strategy",
        "-s",
        metavar="SPEC",
        help="NAME or FILE, knobs after a colon (fastest:KNOB=3); once for all players, or"
        " once for each.  [default: fastest]",
    ),
]
Compared = Annotated[
    list[str], typer.Argument(metavar="SPEC...", help="NAME or FILE, knobs after a colon.")
]
Field = Annotated[
    str | None,
    typer.Option(metavar="SPEC", help="Let each strategy sit alone among players of this one."),
]
FixedOrder = Annotated[
    bool | None,
    typer.Option(
        "--fixed-order/--shuffled-order",
        help="Keep the order of the players round the table, or shuffle it for each session."
        "  [default: shuffled]",
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(parser=JOBS, metavar="JOBS", help="Worker processes.  [default: one a core]"),
]
Backend = Annotated[
    Literal["loky", "threading", "dask", "ray"],
    typer.Option(
        metavar="[loky|threading|dask|ray]",
        help="Who does the work: processes or threads here, or a cluster; it changes no result.",
    ),
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Of the Dask or Ray cluster.  [default: one is started on this machine]",
    ),
]
DealTimeout = Annotated[
    float | None,
    typer.Option(
        parser=DURATION,
        metavar="TIME",
        help="Stop if a single deal takes longer, such as 10s: for strategies that may not end.",
    ),
]
MaxDeals = Annotated[
    int | None,
    typer.Option(
        parser=DEALS, metavar="DEALS", help="The most to play with --until.  [default: 1e9]"
    ),
]
MaxTime = Annotated[
    float | None,
    typer.Option(
        parser=DURATION,
        metavar="TIME",
        help="Begin no block after this time, such as 10m or 2h; what is played is kept.",
    ),
]
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="No progress bar and no notes, only the result.")
]


def number_of_deals(
    deals: int | None,
    max_deals: int | None,
    until: Sequence[str] | None,
    max_time: float | None,
    default: int,
) -> int:
    """Choose how many deals are played, at most if something else may end it.

    Parameters
    ----------
    deals, max_deals, until, max_time
        As given with the options of these names.
    default : int
        If no option tells.

    Raises
    ------
    ContsimError
        If the options contradict each other.
    """
    if until and deals is not None:
        raise ContsimError(
            f"--deals {deals} plays so many, --until {until[0]} as many as it takes: give the most "
            f"that it may take with --max-deals {deals}"
        )
    if max_deals is not None and not until:
        raise ContsimError(f"--max-deals {max_deals} needs --until: without it say --deals")
    if until:
        return max_deals or MOST_UNTIL
    if deals is None and max_time is not None:
        return MOST_UNTIL
    return deals or default


@contextmanager
def watched(command: Sequence[str] = (), *, quiet: bool) -> "Iterator[Watcher]":
    """Show a progress bar and notes while something is played.

    Parameters
    ----------
    command : sequence of str
        What the user typed, for the manifest.
    quiet : bool
    """
    from continental_sim.play.means import Watcher

    bar = progress_bar(quiet=quiet)

    def say(sentence: str) -> None:
        if bar is not None:
            bar.close()
        note(sentence)

    def busy(sentence: str) -> AbstractContextManager[object]:
        return clock_of(sentence, quiet=quiet)

    try:
        yield Watcher(bar, (lambda _: None) if quiet else say, busy, command)
    finally:
        if bar is not None:
            bar.close()


def play(
    work: "Callable[[Watcher], StoredStudy]", command: Sequence[str], *, quiet: bool
) -> "StoredStudy":
    """Play with a progress bar.

    Parameters
    ----------
    work : callable
        Plays, and tells the watcher that it is given.
    command : sequence of str
        What the user typed.
    quiet : bool
    """
    with watched(command, quiet=quiet) as watcher:
        return work(watcher)


def print_result(
    stored: "StoredStudy", level: float, directory: Path, *, as_json: bool, quiet: bool
) -> None:
    """Print the table of a study that has just been played, and where it is."""
    from continental_sim.figures import stats
    from continental_sim.figures.summary_table import render_table

    summary = stats.summarise(stored, level)
    name = typed(directory)
    kept = "" if quiet else f"Kept in {name}; draw it: contsim report {name}"
    with telling("study", name, kept):
        if as_json:
            print_json(summary.to_json())
        else:
            typer.echo(render_table(summary, heading))


@contextmanager
def telling(what: str, name: str, kept: str) -> Iterator[None]:
    """Print what is on disk: where it is is told in the end, even if the output goes nowhere.

    Parameters
    ----------
    what : str
        That is printed, such as ``study``.
    name : str
        Of its directory, as it is typed.
    kept : str
        The line that tells it, or "".
    """
    try:
        yield
    except BrokenPipeError:  # who reads it has seen enough
        tell(kept)
        raise
    except OSError as error:
        raise CannotPrint(error, f"the {what} is kept in {name}: contsim show {name}") from error
    tell(kept)
