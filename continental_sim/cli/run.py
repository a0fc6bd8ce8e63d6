"""`contsim run`: play a study, keep it, print its table."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

from continental_sim.cli.numbers import DEALS, JOBS, SEED
from continental_sim.cli.options import (
    PATH,
    chosen_rules,
    json_option,
    level_option,
    note,
    print_json,
    rules_options,
    study_file,
)
from continental_sim.cli.outdir import claim_directory, fresh_directory, release_directory
from continental_sim.cli.progress import progress_bar

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from continental_sim.store import StoredStudy
    from continental_sim.strategy import Strategy
    from continental_sim.study import Study

DEFAULT_DEALS = 100_000
DEFAULT_STRATEGY = "fastest"


@click.command(
    epilog="Example: contsim run --deals 1e6 -s fastest -s stock -s neighbours -s random --seed 1",
)
@click.argument("study_toml", metavar="[STUDY.toml]", type=PATH, required=False)
@click.option("--deals", type=DEALS, help="Deals to play: 1e6, 1_000_000 or 1M.  [default: 100k]")
@click.option("--seed", type=SEED, help="0 to 2^64-1.  [default: a random one, printed and kept]")
@click.option(
    "--strategy",
    "-s",
    "strategies",
    metavar="SPEC",
    multiple=True,
    help="NAME or FILE, knobs after a colon (fastest:KNOB=3); once for all players, or once for"
    " each.  [default: fastest]",
)
@rules_options
@click.option(
    "--fixed-order/--shuffled-order",
    default=None,
    help="Keep the order of the players round the table, or shuffle it for each session.  "
    "[default: shuffled]",
)
@click.option("--jobs", type=JOBS, help="Worker processes.  [default: one a core]")
@click.option(
    "--backend",
    type=click.Choice(["loky", "threading"]),
    default="loky",
    show_default=True,
    help="How joblib spreads the work; it changes no result.",
)
@click.option("--out", type=PATH, help="A new directory to keep it in.  [default: runs/TIME-MARK]")
@click.option("--records", is_flag=True, help="Keep one row a deal as well (records.parquet).")
@level_option
@json_option
@click.option("--quiet", "-q", is_flag=True, help="No progress bar and no notes, only the result.")
def run(
    study_toml: Path | None,
    deals: int | None,
    seed: int | None,
    strategies: tuple[str, ...],
    rules_name: str | None,
    settings: tuple[str, ...],
    seats: str | None,
    fixed_order: bool | None,
    jobs: int | None,
    backend: str,
    out: Path | None,
    records: bool,
    level: float,
    as_json: bool,
    quiet: bool,
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
    )
    directory = out if out is not None else fresh_directory(study_to_dict(study))
    claim_directory(directory)
    stored = _play(study, directory, jobs, backend, records=records, quiet=quiet)
    _print_result(stored, level, directory, as_json=as_json, quiet=quiet)


def line_up(strategies: Sequence[str], base: Study | None) -> list[str | Strategy]:
    """Choose the players: those named, or those of the study that is played again.

    Parameters
    ----------
    strategies : sequence of str
        As given with --strategy.
    base : Study or None
        The study that is played again.

    Returns
    -------
    list of str or Strategy
        One for all players, or one for each.
    """
    if strategies or base is None:
        return list(strategies) or [DEFAULT_STRATEGY]
    # Alike players stay alike when --seats changes how many there are.
    return list(base.lineup[:1] if len(set(base.lineup)) == 1 else base.lineup)


def _play(
    study: Study, directory: Path, jobs: int | None, backend: str, *, records: bool, quiet: bool
) -> StoredStudy:
    """Play with a progress bar; an interruption says where the finished part is."""
    from continental_sim.simulate import run_study

    bar = progress_bar(quiet=quiet)
    try:
        return run_study(
            study,
            directory,
            jobs=jobs,
            backend=backend,
            records=records,
            progress=bar,
            notify=None if quiet else note,
            command=click.get_current_context().find_root().obj,
        )
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
    stored: StoredStudy, level: float, directory: Path, *, as_json: bool, quiet: bool
) -> None:
    from continental_sim import stats

    summary = stats.summarise(stored, level)
    if as_json:
        print_json(summary.to_json())
    else:
        click.echo(summary.table())
    if not quiet:
        name = shlex.quote(str(directory))
        click.echo(f"Kept in {name}; draw it: contsim report {name}", err=True)
