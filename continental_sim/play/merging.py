"""Studies of the same experiment added up: other seeds, or other deals of the same seed."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

from continental_sim.columns import FIRST_DEAL, GameFiles
from continental_sim.cubes import StudyCubes
from continental_sim.errors import ContsimError
from continental_sim.files.directories import claimed, clear, release
from continental_sim.files.manifest import MANIFEST, going_on
from continental_sim.files.store import StoredStudy, file_path, read_study, write_study
from continental_sim.grouping import Rows
from continental_sim.interrupts import raise_held, stoppable
from continental_sim.play.identity import differences, marked
from continental_sim.play.segments import Segment, segments_of, study_of
from continental_sim.spans import Span


def merge_studies(
    directories: Sequence[Path],
    out: Path,
    run: Mapping[str, Any],
    say: Callable[[str], None] = lambda _: None,
) -> StoredStudy:
    """Add complete studies up that differ in seed or deals alone.

    Deals that follow on each other become one segment; if only one is left, the result is the
    study that had played all of them, byte for byte. Nothing is left of a sum that is cut short.

    Parameters
    ----------
    directories : sequence of Path
        At least two.
    out : Path
        New or empty.
    run : mapping
        What this process does, for the manifest.
    say : callable
        Called with a sentence for what is not carried over.

    Returns
    -------
    StoredStudy

    Raises
    ------
    ContsimError
        If they are not of the same experiment, share deals, or one is unfinished; if another
        process is at work in `out`, or it cannot be written.
    """
    studies = [_complete(directory) for directory in directories]
    for other in studies[1:]:
        _refuse_differences(studies[0], other)
    for one, other in combinations(studies, 2):
        _refuse_shared(one, other)
    unit = study_of(studies[0].manifest, segments_of(studies[0].manifest)[0]).unit
    parts = sorted(part for study in studies for part in segments_of(study.manifest))
    segments = _placed(_joined(parts, unit), unit)
    cubes = StudyCubes.merge([_moved(study, segments) for study in studies])
    with stoppable(), _all_or_nothing(out, studies[0].files):
        stored = write_study(out, cubes, _manifest(studies, segments, run))
        raise_held()
        clear(out)
    for sentence in _left_behind(studies):
        say(sentence)
    return stored


@contextmanager
def _all_or_nothing(out: Path, files: GameFiles) -> Iterator[None]:
    """Claim a directory, and take away what is written there if it does not come to its end."""
    new = not out.exists()
    with claimed(out):
        try:
            yield
        except BaseException:
            with suppress(OSError):  # what went wrong before is what is told
                for path in (out / MANIFEST, *(file_path(out, file) for file in files.study)):
                    path.unlink(missing_ok=True)
                clear(out)
                if new:
                    release(out)
            raise


def _left_behind(studies: Sequence[StoredStudy]) -> Iterator[str]:
    """Yield a sentence for what the sum has not."""
    kept = [str(each.directory) for each in studies if each.manifest["state"]["records"]]
    if kept:
        yield f"the records of {', '.join(kept)} are not carried over: they stay where they are"
    ruled = [str(each.directory) for each in studies if "stopping" in each.manifest]
    if ruled:
        yield (
            f"the stopping rule of {', '.join(ruled)} is not carried over: the new {MANIFEST} "
            "tells why the deals ended where they did"
        )


def _complete(directory: Path) -> StoredStudy:
    study = read_study(directory)
    if not study.complete:
        raise ContsimError(f"the study in {directory} is unfinished: {going_on(directory)} first")
    return study


def _refuse_differences(one: StoredStudy, other: StoredStudy) -> None:
    first, second = (
        study_of(each.manifest, segments_of(each.manifest)[0]) for each in (one, other)
    )
    if first.rules.game != second.rules.game:
        raise ContsimError(
            f"{one.directory} and {other.directory} are of different games, {first.rules.title} "
            f"and {second.rules.title}: only studies that differ in seed or deals alone can be "
            "merged"
        )
    found = list(differences(first, second))
    codes = [each.manifest["study"].get("code") for each in (one, other)]
    if codes[0] != codes[1]:
        found.append(f"code {codes[0]} against {codes[1]}")
    if found:
        raise ContsimError(
            f"{one.directory} and {other.directory} are not of the same experiment: "
            f"{'; '.join(found)}; only studies that differ in seed or deals alone can be merged"
        )


def _refuse_shared(one: StoredStudy, other: StoredStudy) -> None:
    for mine in segments_of(one.manifest):
        for theirs in segments_of(other.manifest):
            if mine.seed == theirs.seed and mine.span.meets(theirs.span):
                both = Span(
                    max(mine.span.first, theirs.span.first), min(mine.span.end, theirs.span.end)
                )
                raise ContsimError(
                    f"{one.directory} and {other.directory} share {both} of seed {mine.seed}, "
                    "which would count twice: play other deals with --first-deal, or another --seed"
                )


def _joined(parts: Iterable[Segment], unit: int) -> list[Segment]:
    """Join segments that follow on each other where a unit ends."""
    joined: list[Segment] = []
    for part in parts:
        last = joined[-1] if joined else None
        follows = last and (last.seed, last.span.end) == (part.seed, part.first_deal)
        if last and follows and last.deals % unit == 0:
            joined[-1] = replace(
                last, deals=last.deals + part.deals, endings=last.endings + part.endings
            )
        else:
            joined.append(part)
    return joined


def _placed(segments: list[Segment], unit: int) -> list[Segment]:
    """Give each seed after the first the indices behind the seed before it."""
    placed: list[Segment] = []
    for segment in segments:
        last = placed[-1] if placed else None
        offset = last.offset if last else 0
        if last and last.seed != segment.seed:
            free = -(-last.place.end // unit) * unit
            offset = free - segment.first_deal
        placed.append(replace(segment, offset=offset))
    return placed


def _moved(study: StoredStudy, segments: list[Segment]) -> StudyCubes:
    """Return the cubes of a study with the indices of the merged one.

    Seeds and deals are in the same order in both, so that the lowest index stays the lowest.
    """
    moves = []
    for mine in segments_of(study.manifest):
        target = next(
            each for each in segments if each.seed == mine.seed and each.span.holds(mine.span)
        )
        moves.append((mine.place, target.offset - mine.offset))
    cubes = study.cubes
    return replace(
        cubes,
        grouped={
            file.name: _shifted(
                cubes.grouped[file.name],
                file.index.name,
                moves,
                1 if file.index.name == FIRST_DEAL.name else study.session,
            )
            for file in cubes.files.grouped
        },
    )


def _shifted(rows: Rows, index: str, moves: list[tuple[Span, int]], unit: int) -> Rows:
    found = rows.copy()
    for place, offset in moves:
        there = (rows[index] * unit >= place.first) & (rows[index] * unit < place.end)
        found[index][there] += offset // unit
    return found


def _manifest(
    studies: Sequence[StoredStudy], segments: list[Segment], run: Mapping[str, Any]
) -> dict[str, Any]:
    kept = studies[0].manifest
    code = kept["study"]["code"]
    whole = study_of(kept, segments[0])
    runs = [each for study in studies for each in study.manifest.get("runs", [])]
    state = {"status": "", "deals": 0, "reason": "", "records": False}
    tables: dict[str, Any] = {**marked(whole, code), "state": state, "runs": [*runs, dict(run)]}
    if len(segments) == 1:
        endings = list(segments[0].endings)
        return {**tables, "state": {**state, "endings": endings}} if endings else tables
    of_one = ("seed", "first_deal", "block_deals", "mark")  # not of all segments
    own = {name: value for name, value in tables["study"].items() if name not in of_one}
    own["deals"] = sum(segment.deals for segment in segments)
    return {**tables, "study": own, "segments": [segment.table() for segment in segments]}
