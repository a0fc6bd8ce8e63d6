"""Begin a study in a directory, or open one to go on with it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from continental_sim.errors import ContsimError, typed
from continental_sim.files import parquet, parts
from continental_sim.files.directories import claimed, clear, put_aside, room
from continental_sim.files.manifest import (
    COMPLETE,
    MANIFEST,
    UNFINISHED,
    planned_deals,
    read_manifest,
    write_manifest,
)
from continental_sim.files.store import (
    PARTS,
    DamagedStudy,
    StoredStudy,
    check_records,
    patterns_of,
    read_study,
    records_path,
)
from continental_sim.interrupts import raise_held
from continental_sim.play.identity import code_mark, marked
from continental_sim.play.means import Say
from continental_sim.play.unfinished import UnfinishedStudy
from continental_sim.spans import Span
from continental_sim.study import Study, make_study, study_from_dict
from continental_sim.words import are, counted


@contextmanager
def begin(
    directory: Path, study: Study, tables: Mapping[str, Any], *, records: bool
) -> Iterator[UnfinishedStudy]:
    """Begin a study in a new or empty directory.

    Parameters
    ----------
    directory : Path
    study : Study
    tables : mapping
        Further tables of the manifest: ``runs`` with this one, ``stopping`` if there is a rule.
    records : bool
        Whether to keep one row a deal.

    Raises
    ------
    ContsimError
        If something is there already, or it cannot be written.
    """
    with claimed(directory) as held:
        manifest = write_manifest(
            directory,
            {
                **marked(study, code_mark()),
                "state": {"status": UNFINISHED, "deals": 0, "reason": "", "records": records},
                **tables,
            },
        )
        yield UnfinishedStudy(directory, study, manifest, parts.Survey(), held, fresh=True)


@contextmanager
def reopen(
    directory: Path, run: Mapping[str, Any], say: Say, *, deals: int | None = None
) -> Iterator[UnfinishedStudy | StoredStudy]:
    """Go on with a study.

    Parameters
    ----------
    directory : Path
    run : mapping
        What this process does, for the manifest.
    say : callable
        Called with a sentence for each file that is set aside.
    deals : int or None
        Other than before, to extend it.

    Yields
    ------
    StoredStudy
        If all its deals are played already.
    UnfinishedStudy
        If not.

    Raises
    ------
    ContsimError
        If it cannot go on: another process plays it, or code or description have changed.
    """
    finished = _untouched(directory, deals)
    if finished is not None:
        yield finished
        return
    _described(directory, deals)  # what is refused leaves nothing behind
    with room(directory) as held:
        manifest, study, wanted = _described(directory, deals)
        if manifest["state"]["status"] == COMPLETE:
            finished = _whole(directory, say)
            sound = finished is not None and _sound_records(finished, say)
            if finished is not None and sound and wanted.deals == study.deals:
                clear(directory)
                yield finished
                return
            found = _as_parts(study, finished) if finished is not None else parts.Survey()
        else:
            found = parts.survey(directory / PARTS, manifest["study"]["mark"])
            for path, why in found.faults.items():
                put_aside(directory, path, why, say)
            for path in found.spare:
                path.unlink(missing_ok=True)
        state = {**manifest["state"], "status": UNFINISHED, "reason": ""}
        for name in ("planned", "time_over"):
            state.pop(name, None)
        tables = {name: table for name, table in manifest.items() if name != "files"}
        if deals is not None:
            tables.pop("stopping", None)  # it held for the deals before
        tables["study"] = {
            **manifest["study"],
            "deals": wanted.deals,
            "block_deals": wanted.block_deals,
        }
        tables |= {"state": state, "runs": [*manifest.get("runs", []), dict(run)]}
        yield UnfinishedStudy(directory, wanted, write_manifest(directory, tables), found, held)


def _described(directory: Path, deals: int | None) -> tuple[dict[str, Any], Study, Study]:
    """Return manifest, study as it is, and as it is wanted; refuse what cannot go on."""
    manifest = read_manifest(directory)
    tables = {name: table for name, table in manifest.items() if name != "files"}
    study = study_from_dict(tables, str(directory / MANIFEST))
    refuse_other_code(directory, manifest)
    wanted = _still_wanted(manifest) if deals is None else deals
    return manifest, study, study if wanted is None else extended(study, wanted)


def _still_wanted(manifest: Mapping[str, Any]) -> int | None:
    """Return the deals that were planned, if a study ends before them as its time was over."""
    return planned_deals(manifest) if manifest["state"].get("time_over") else None


def extended(study: Study, deals: int) -> Study:
    """Return a study with more deals, in blocks of a size that fits them.

    Raises
    ------
    ContsimError
        If it has as many already.
    """
    if deals < study.deals:
        raise ContsimError(
            f"the study has {counted(study.deals, 'deal')}, {deals:,} {are(deals)} fewer: extend "
            "it to more, or play another one"
        )
    most = make_study(
        study.rules,
        study.lineup,
        study.seed,
        deals,
        study.fixed_order,
        None,
        study.first_deal,
        study.duplicate,
    )
    return most if most.block_deals > study.block_deals else replace(study, deals=deals)


def refuse_other_code(directory: Path, manifest: Mapping[str, Any]) -> None:
    """Refuse to add to a study what would not be of it.

    Raises
    ------
    ContsimError
        If the code that plays has changed since it was begun.
    """
    begun = str(manifest["study"].get("code"))
    if begun != code_mark():
        raise ContsimError(
            f"the study in {directory} was begun by other code ({begun}; this is {code_mark()}), "
            "whose deals may differ: go on with the version of contsim that began it, or play it "
            f"anew with contsim run {typed(directory)} --out NEW"
        )


def _whole(directory: Path, say: Say) -> StoredStudy | None:
    """Read a complete study; if it is damaged, tell, set aside what is, and return None."""
    try:
        return read_study(directory)
    except DamagedStudy as fault:
        _set_aside(directory, fault, say)
        return None


def _sound_records(finished: StoredStudy, say: Say) -> bool:
    """Tell whether the records of a complete study are sound, if it has any; set aside others."""
    try:
        check_records(finished)
    except DamagedStudy as fault:
        _set_aside(finished.directory, fault, say)
        return False
    return True


def _set_aside(directory: Path, fault: DamagedStudy, say: Say) -> None:
    """Tell what is wrong with a complete study, whose deals are all lost, and make way for them."""
    lost, name = "all deals", fault.path.name
    if not fault.path.exists():
        say(f"{name} is missing in {directory}: {lost} are played again")
    elif name == MANIFEST:
        say(f"{name} in {directory} is damaged or foreign ({fault.why}): {lost} are played again")
    else:
        put_aside(directory, fault.path, fault.why, say, lost)


def _as_parts(study: Study, finished: StoredStudy) -> parts.Survey:
    """Make parts of a complete study, to which others are then added."""
    found = parts.Survey()
    place, mark = finished.directory / PARTS, finished.manifest["study"]["mark"]
    span = Span(study.first_deal, study.end)
    parts.CubeParts(place, mark, study.files, study.block_sizes, found.cubes).keep(
        span, finished.cubes
    )
    path = records_path(finished.directory)
    if finished.manifest["state"]["records"] and path.exists():
        kept = parts.RecordParts(place, mark, study.files, study.block_sizes, found.records)
        deal = study.first_deal
        for outcomes in parquet.read_records(path, study.files, patterns_of(study.rules)):
            raise_held()  # the study is complete still: nothing is lost
            kept.keep(Span(deal, deal + len(outcomes)), outcomes)
            deal += len(outcomes)
    return found


def _untouched(directory: Path, deals: int | None) -> StoredStudy | None:
    """Return a complete study to which nothing is to be added, without a lock or a change."""
    manifest = read_manifest(directory)
    wanted = _still_wanted(manifest) if deals is None else deals
    if manifest["state"]["status"] != COMPLETE or (directory / PARTS).exists():
        return None
    if wanted is not None and wanted != manifest["study"]["deals"]:
        return None
    with suppress(DamagedStudy):
        finished = read_study(directory)
        check_records(finished)
        return finished
    return None
