"""`contsim run`: play a study, keep it, print its table."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from continental_sim.cli.framework import Command, new_app
from continental_sim.cli.numbers import DEALS, JOBS, SEED
from continental_sim.cli.options import (
    AsJson,
    Level,
    RulesName,
    Seats,
    Settings,
    chosen_rules,
    note,
    print_json,
    study_file,
)
from continental_sim.cli.outdir import claim_directory, fresh_directory, release_directory
from continental_sim.cli.progress import progress_bar

if TYPE_CHECKING:
    from continental_sim.store import StoredStudy
    from continental_sim.strategy import Strategy
    from continental_sim.study import Study

app = new_app()

DEFAULT_DEALS = 100_000
DEFAULT_STRATEGY = "fastest"


@app.command(
    cls=Command,
    epilog="Example: contsim run --deals 1e6 -s fastest -s stock -s neighbours -s random --seed 1",
)
def run(
    ctx: typer.Context,
    study_toml: Annotated[
        Path | None,
        typer.Argument(metavar="[STUDY.toml]", help="A study to play again, or its directory."),
    ] = None,
    deals: Annotated[
        int | None,
        typer.Option(
            parser=DEALS,
            metavar="DEALS",
            help="Deals to play: 1e6, 1_000_000 or 1M.  [default: 100k]",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            parser=SEED,
            metavar="SEED",
            help="0 to 2^64-1.  [default: a random one, printed and kept]",
        ),
    ] = None,
    strategies: Annotated[
        list[str] | None,
        typer.Option(
            "--strategy",
            "-s",
            metavar="SPEC",
            help="NAME or FILE, knobs after a colon (fastest:KNOB=3); once for all players, or"
            " once for each.  [default: fastest]",
        ),
    ] = None,
    rules_name: RulesName = None,
    settings: Settings = None,
    seats: Seats = None,
    fixed_order: Annotated[
        bool | None,
        typer.Option(
            "--fixed-order/--shuffled-order",
            help="Keep the order of the players round the table, or shuffle it for each session."
            "  [default: shuffled]",
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(parser=JOBS, metavar="JOBS", help="Worker processes.  [default: one a core]"),
    ] = None,
    backend: Annotated[
        Literal["loky", "threading"],
        typer.Option(
            metavar="[loky|threading]",
            help="How joblib spreads the work; it changes no result.",
        ),
    ] = "loky",
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH", help="A new directory to keep it in.  [default: runs/TIME-MARK]"
        ),
    ] = None,
    records: Annotated[
        bool, typer.Option("--records", help="Keep one row a deal as well (records.parquet).")
    ] = False,
    level: Level = 0.95,
    as_json: AsJson = False,
    quiet: Annotated[
        bool,
        typer.Option("--quiet", "-q", help="No progress bar and no notes, only the result."),
    ] = False,
) -> None:
    """Play a study: deals by the million, to Parquet and a table.

    STUDY.toml is the description of a study, such as the manifest.toml of an earlier one; the
    options change it.
    """
    from continental_sim.study import load_study, make_study, study_to_dict

    base = load_study(study_file(study_toml)) if study_toml is not None else None
    study = make_study(
        chosen_rules(rules_name, settings, seats, base.rules if base else None),
        line_up(strategies, base),
        seed if seed is not None or base is None else base.seed,
        deals or (base.deals if base else DEFAULT_DEALS),
        bool(base and base.fixed_order) if fixed_order is None else fixed_order,
        base.block_deals if base and not deals else None,
    )
    directory = out if out is not None else fresh_directory(study_to_dict(study))
    claim_directory(directory)
    stored = _play(
        study,
        directory,
        quiet=quiet,
        jobs=jobs,
        backend=backend,
        records=records,
        command=ctx.find_root().obj,
    )
    _print_result(stored, level, directory, as_json=as_json, quiet=quiet)


def line_up(strategies: Sequence[str] | None, base: "Study | None") -> "list[str | Strategy]":
    """Choose the players: those named, or those of the study that is played again.

    Parameters
    ----------
    strategies : sequence of str or None
        As given with --strategy.
    base : Study or None
        The study that is played again.

    Returns
    -------
    list of str or Strategy
        One for all players, or one for each.
    """
    if strategies or base is None:
        return list(strategies or [DEFAULT_STRATEGY])
    # Alike players stay alike when --seats changes how many there are.
    return list(base.lineup[:1] if len(set(base.lineup)) == 1 else base.lineup)


def _play(study: "Study", directory: Path, *, quiet: bool, **options: Any) -> "StoredStudy":
    """Play with a progress bar; an interruption says where the finished part is."""
    from continental_sim.simulate import run_study

    bar = progress_bar(quiet=quiet)
    tell = None if quiet else note
    try:
        return run_study(study, directory, progress=bar, notify=tell, **options)
    except KeyboardInterrupt as stop:
        raise KeyboardInterrupt(str(stop) or stopped(directory)) from stop
    finally:
        if bar is not None:
            bar.close()
        release_directory(directory)


def stopped(directory: Path) -> str:
    """Say what an interrupted study has left."""
    if any(directory.iterdir()):
        name = shlex.quote(str(directory))
        return f"stopped by Ctrl-C; what had finished is kept, see it with contsim show {name}"
    return "stopped by Ctrl-C before a block had finished; nothing is kept"


def _print_result(
    stored: "StoredStudy", level: float, directory: Path, *, as_json: bool, quiet: bool
) -> None:
    from continental_sim import stats
    from continental_sim.summary_table import render_table

    summary = stats.summarise(stored, level)
    if as_json:
        print_json(summary.to_json())
    else:
        typer.echo(render_table(summary))
    if not quiet:
        name = shlex.quote(str(directory))
        typer.echo(f"Kept in {name}; draw it: contsim report {name}", err=True)
