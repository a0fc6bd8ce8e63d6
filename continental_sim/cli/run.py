"""`contsim run`: play a study, keep it, print its table."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from continental_sim.cli.framework import Command, new_app
from continental_sim.cli.numbers import DEAL, DEALS
from continental_sim.cli.options import (
    AsJson,
    GameName,
    Level,
    RulesName,
    Seats,
    Settings,
    chosen_rules,
    directory_named,
    study_file,
)
from continental_sim.cli.outdir import fresh_directory
from continental_sim.cli.playing import (
    DEFAULT_STRATEGY,
    Backend,
    DealTimeout,
    FixedOrder,
    Jobs,
    MaxDeals,
    MaxTime,
    Quiet,
    Scheduler,
    Seed,
    Strategies,
    number_of_deals,
    play,
    print_result,
)
from continental_sim.errors import ContsimError

if TYPE_CHECKING:
    from continental_sim.play.means import Stopping
    from continental_sim.rules import GameRules
    from continental_sim.strategy import Strategy
    from continental_sim.study import Study

app = new_app()

DEFAULT_DEALS = 100_000


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
    seed: Seed = None,
    strategies: Strategies = None,
    game: GameName = None,
    rules_name: RulesName = None,
    settings: Settings = None,
    seats: Seats = None,
    fixed_order: FixedOrder = None,
    first_deal: Annotated[
        int | None,
        typer.Option(
            parser=DEAL,
            metavar="DEAL",
            help="Index of the first deal, to share a study out; contsim merge adds them up."
            "  [default: 0]",
        ),
    ] = None,
    until: Annotated[
        list[str] | None,
        typer.Option(
            metavar="METRIC=WIDTH",
            help="Play until a figure is known so well: exits.first_turn=1% of itself, or"
            " ledger[0]=0.01 on each side; may be repeated.",
        ),
    ] = None,
    max_deals: MaxDeals = None,
    max_time: MaxTime = None,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Go on with a study that was interrupted."),
    ] = None,
    jobs: Jobs = None,
    backend: Backend = "loky",
    scheduler: Scheduler = None,
    deal_timeout: DealTimeout = None,
    out: Annotated[
        Path | None,
        typer.Option(
            parser=directory_named,
            metavar="PATH",
            help="A new directory to keep it in.  [default: runs/TIME-MARK]",
        ),
    ] = None,
    records: Annotated[
        bool, typer.Option("--records", help="Keep one row a deal as well (records.parquet).")
    ] = False,
    level: Level = 0.95,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Play a study: deals by the million, to Parquet and a table.

    STUDY.toml is the description of a study, such as the manifest.toml of an earlier one; the
    options change it. A study that is interrupted keeps the blocks that had finished: --resume
    plays what is missing.
    """
    from continental_sim.files.manifest import planned_deals, read_manifest, refuse_table
    from continental_sim.play import simulate
    from continental_sim.play.means import Means
    from continental_sim.study import load_study, make_study, study_to_dict

    means = Means(jobs, backend, scheduler, deal_timeout, max_time)
    if resume is not None and study_toml is not None:
        raise ContsimError(f"--resume {resume} and {study_toml} are two studies: name one of them")
    if resume is not None:
        refuse_table(resume)
    path = resume if resume is not None else study_toml
    planned = None if resume is None else planned_deals(read_manifest(resume))
    base = load_study(study_file(path)) if path is not None else None
    if base is not None and planned is not None:
        base = replace(base, deals=planned)
    rules = chosen_rules(rules_name, settings, seats, base.rules if base else None, game=game)
    wanted = number_of_deals(
        base.deals if base and deals is None and not until else deals,
        max_deals,
        until,
        max_time,
        DEFAULT_DEALS,
    )
    study = make_study(
        rules,
        line_up(strategies, base),
        seed if seed is not None or base is None else base.seed,
        wanted,
        bool(base and base.fixed_order) if fixed_order is None else fixed_order,
        base.block_deals if base and base.deals == wanted else None,
        base.first_deal if first_deal is None and base else first_deal or 0,
    )
    stopping = stopping_rule(until, rules, level)
    if resume is not None and base is not None:
        directory, manifest = resume, read_manifest(resume)
        refuse_other(resume, base, manifest, study, stopping, out, records=records)
        kept = stopping_of(manifest, rules)
        stored = play(
            lambda watcher: simulate.resume_study(resume, means, watcher, stopping=kept),
            ctx.find_root().obj,
            quiet=quiet,
        )
    else:
        directory = out if out is not None else fresh_directory(study_to_dict(study))
        stored = play(
            lambda watcher: simulate.run_study(
                study, directory, means, watcher, records=records, stopping=stopping
            ),
            ctx.find_root().obj,
            quiet=quiet,
        )
    print_result(stored, level, directory, as_json=as_json, quiet=quiet)


def line_up(strategies: Sequence[str] | None, base: "Study | None") -> "list[str | Strategy]":
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
        return list(strategies or [DEFAULT_STRATEGY])
    # Alike players stay alike when --seats changes how many there are.
    return list(base.lineup[:1] if len(set(base.lineup)) == 1 else base.lineup)


def stopping_rule(
    until: Sequence[str] | None, rules: "GameRules", level: float
) -> "Stopping | None":
    """Read --until."""
    if not until:
        return None
    from continental_sim.figures.precision import read_target
    from continental_sim.play.until import Until

    return Until([read_target(text, rules) for text in until], level)


def stopping_of(manifest: Mapping[str, Any], rules: "GameRules") -> "Stopping | None":
    """Read the rule that a study was begun with."""
    from continental_sim.play.until import Until

    table = manifest.get("stopping")
    return Until.of_table(table, rules) if table else None


def refuse_other(
    directory: Path,
    kept: "Study",
    manifest: Mapping[str, Any],
    study: "Study",
    stopping: "Stopping | None",
    out: Path | None,
    *,
    records: bool,
) -> None:
    """Refuse to go on with a study if the options describe another one.

    Raises
    ------
    ContsimError
        It names the differences.
    """
    from continental_sim.play.identity import differences

    other_rule = stopping is not None and stopping.table() != manifest.get("stopping")
    also = ("seed", "first_deal", "deals")
    # Another rule plays as many deals as it takes.
    found = list(differences(kept, study, also[:-1] if other_rule else also))
    found += ["another --until or --level"] if other_rule else []
    if records and not manifest["state"].get("records"):
        found.append("--records, which it was begun without")
    if out is not None and out.resolve() != directory.resolve():
        found.append(f"--out {out}")
    if found:
        raise ContsimError(
            f"the study in {directory} is not the one that the options describe: "
            f"{'; '.join(found)}; leave them out to go on with it, or play another study without "
            "--resume"
        )
