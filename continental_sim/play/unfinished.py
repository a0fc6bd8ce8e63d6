"""A study that is being played: parts are added until it is whole."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from continental_sim.cubes import StudyCubes
from continental_sim.errors import StudyMoved
from continental_sim.files import parquet, parts
from continental_sim.files.directories import Held, clear, release
from continental_sim.files.manifest import MANIFEST, write_manifest
from continental_sim.files.store import (
    PARTS,
    StoredStudy,
    patterns_of,
    records_path,
    write_study,
)
from continental_sim.grouping import Rows
from continental_sim.spans import Span, cut, gaps
from continental_sim.study import Study


class UnfinishedStudy:
    """A study with its directory, which is locked while this is open.

    Parameters
    ----------
    directory : Path
    study : Study
        With the deals that are wanted now.
    manifest : mapping
        As it is on disk.
    found : parts.Survey
        What is finished already.
    held : callable
        Tells whether the directory is still where it was, and the lock with it.
    fresh : bool
        Whether this process has begun it.
    """

    def __init__(
        self,
        directory: Path,
        study: Study,
        manifest: Mapping[str, Any],
        found: parts.Survey,
        held: Held = lambda: True,
        *,
        fresh: bool = False,
    ) -> None:
        self._held = held
        self.directory = directory
        self.fresh = fresh
        self.study = study
        self.manifest = dict(manifest)
        mark, room = self.manifest["study"]["mark"], directory / PARTS
        self._cubes = parts.CubeParts(room, mark, study.files, study.block_sizes, found.cubes)
        self._records = parts.RecordParts(room, mark, study.files, study.block_sizes, found.records)

    @property
    def records(self) -> bool:
        """Whether one row a deal is kept."""
        return bool(self.manifest["state"]["records"])

    @property
    def deals(self) -> int:
        """Deals that are finished."""
        return sum(span.deals for span in self._cubes.found)

    @property
    def reach(self) -> int:
        """Index behind the last deal that is finished, whatever is missing before it."""
        return max((span.end for span in self._cubes.found), default=self.study.first_deal)

    def missing(self, end: int, size: int | None = None) -> Iterator[Span]:
        """Yield what is still to be played before a deal, in order, cut into blocks of a size."""
        for span in self._gaps(end):
            yield from cut(span, size or self.study.block_deals)

    def ahead(self, end: int) -> int:
        """Deals that are still to be played before a deal."""
        return sum(span.deals for span in self._gaps(end))

    def _gaps(self, end: int) -> Iterator[Span]:
        """Yield what is missing before a deal, parted where a part that is there ends."""
        whole = Span(self.study.first_deal, end)
        done = list(self._cubes.found)
        if self.records:
            # Where one is missing both are played: what is there already is not kept again.
            done = [
                both
                for one in done
                for other in self._records.found
                if (both := Span(max(one.first, other.first), min(one.end, other.end))).deals > 0
            ]
        edges = {
            edge for each in (self._cubes, self._records) for span in each.found for edge in span
        }
        for gap in gaps(done, whole):
            inner = sorted(edge for edge in edges if gap.first < edge < gap.end)
            yield from map(Span, [gap.first, *inner], [*inner, gap.end])

    def keep(self, span: Span, cubes: StudyCubes, outcomes: Rows | None) -> None:
        """Keep a block that has been played; once this returns no crash can lose it."""
        self.check_place()
        if outcomes is not None and not any(held.holds(span) for held in self._records.found):
            self._records.keep(span, outcomes)
        if not any(held.holds(span) for held in self._cubes.found):
            self._cubes.keep(span, cubes)

    def so_far(self) -> StoredStudy:
        """Add up what is finished."""
        cubes = parts.add_up(self._cubes.found, self.study.files, len(self.study.lineup))
        state = {**self.manifest["state"], "deals": cubes.deals}
        return StoredStudy.of(self.directory, {**self.manifest, "state": state}, cubes)

    def note(self, run: Mapping[str, Any], reason: str) -> None:
        """Write into the manifest what this process did, and why it ends before the study does."""
        self.check_place()
        self.manifest = write_manifest(self.directory, self._tables(run, reason))

    def _tables(self, run: Mapping[str, Any], reason: str) -> dict[str, Any]:
        return {
            **self.manifest,
            "runs": [*self.manifest["runs"][:-1], dict(run)],
            "state": {**self.manifest["state"], "reason": reason},
        }

    def finish(
        self, run: Mapping[str, Any], deals: int, reason: str = "", *, time_over: bool = False
    ) -> StoredStudy:
        """Make the canonical files of the parts, which then go.

        Parameters
        ----------
        run : mapping
            What this process did, for the manifest.
        deals : int
            How many the study has now: fewer than planned if it stopped early.
        reason : str
            Why it stopped early, or "".
        time_over : bool
            Whether it may go on to what was planned, when there is time again.
        """
        self.check_place()
        if self.records:
            parquet.write_records(
                records_path(self.directory),
                _first(deals, parts.read_outcomes(self._records.found, self.study.files)),
                self.study.files,
                patterns_of(self.study.rules),
            )
        tables = self._tables(run, reason)
        tables["study"] = {**tables["study"], "deals": deals}
        if deals < self.study.deals:
            early = {"planned": self.study.deals, "time_over": time_over}
            tables["state"] = {**tables["state"], **early}
        cubes = self.so_far().cubes
        stored = write_study(self.directory, cubes, tables)
        clear(self.directory)
        return stored

    def check_place(self) -> None:
        """Refuse to write into a directory that is another one by now.

        Raises
        ------
        StudyMoved
        """
        if not self._held():
            raise StudyMoved(self.directory)

    def abandon(self) -> bool:
        """Take away what this process has begun, if no block has finished; tell whether it did."""
        if self.deals or not (self.fresh and self._held()):
            return False
        (self.directory / MANIFEST).unlink(missing_ok=True)
        clear(self.directory)
        release(self.directory)
        return True


def _first(deals: int, outcomes: Iterable[Rows]) -> Iterator[Rows]:
    """Yield the records of the first deals: a crash may have left some without their cubes."""
    for rows in outcomes:
        yield rows[:deals]
        deals -= len(rows)
        if deals <= 0:
            return
