"""Several studies in one directory, played side by side to the same look."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from continental_sim.errors import ContsimError, StudyMoved, typed
from continental_sim.files.manifest import MANIFEST, planned_deals, read_manifest
from continental_sim.files.store import StoredStudy
from continental_sim.interrupts import Interrupted, signal_name, signal_of, stoppable
from continental_sim.play.identity import code_mark, differences
from continental_sim.play.means import Means, Watcher
from continental_sim.play.simulate import resume_study, run_study
from continental_sim.study import Study, load_study, make_study


class SideBySide:
    """Studies that are begun, or gone on with, each in a place of its own.

    Parameters
    ----------
    studies : sequence of Study
    places : sequence of Path
        Directories of the studies.
    means : Means
        Its time is that of all studies together, from now on.
    watcher : Watcher
        Told of all deals together.
    records : bool
        Whether they keep one row a deal.
    """

    def __init__(
        self,
        studies: Sequence[Study],
        places: Sequence[Path],
        means: Means,
        watcher: Watcher,
        *,
        records: bool = False,
    ) -> None:
        self.studies = studies
        self._places, self._means, self._watcher = places, means, watcher
        self._records, self._clock = records, time.monotonic()

    def planned(self) -> list[int | None]:
        """Return the deals that each study is planned for; None if it is not begun."""
        return [
            planned_deals(read_manifest(place)) if (place / MANIFEST).exists() else None
            for place in self._places
        ]

    def refuse_others(self, fields: Sequence[str]) -> None:
        """Refuse places that hold other studies.

        Parameters
        ----------
        fields : sequence of str
            Fields of a study that must be the same, too.

        Raises
        ------
        ContsimError
            Says where the two differ.
        """
        for study, place in zip(self.studies, self._places, strict=True):
            if (place / MANIFEST).exists():
                self._refuse_another(study, place, fields)

    def _refuse_another(self, study: Study, place: Path, fields: Sequence[str]) -> None:
        kept, manifest = load_study(place / MANIFEST), read_manifest(place)
        found = list(differences(kept, study, fields))
        found += [] if manifest["study"].get("code") == code_mark() else ["other code"]
        found += ["no records"] if self._records and not manifest["state"]["records"] else []
        if found:
            raise ContsimError(
                f"{place} holds another study ({'; '.join(found)}): name another directory with "
                "--out"
            )

    def play(self, number: int, deals: int, others: int, whole: int) -> StoredStudy:
        """Play one of the studies to so many deals.

        Parameters
        ----------
        number : int
            Of the study.
        deals : int
        others, whole : int
            Deals that are played of other studies, and of all together: for who watches.
        """
        study, place = self.studies[number], self._places[number]
        means = replace(self._means, max_time=self._time_left())
        watcher = replace(self._watcher, progress=self._of_all(others, whole))
        if not (place / MANIFEST).exists():
            part = make_study(
                study.rules, study.lineup, study.seed, deals, duplicate=study.duplicate
            )
            return run_study(part, place, means, watcher, records=self._records)
        more = deals if planned_deals(read_manifest(place)) < deals else None
        return resume_study(place, means, watcher, deals=more)

    def _time_left(self) -> float | None:
        if self._means.max_time is None:
            return None
        return max(0.0, self._means.max_time - (time.monotonic() - self._clock))

    def _of_all(self, others: int, whole: int) -> Callable[[int, int], None] | None:
        progress = self._watcher.progress
        if progress is None:
            return None
        return lambda done, _: progress(others + done, whole)


@contextmanager
def kept_if_stopped(out: Path) -> Iterator[None]:
    """Say of what ends the play from outside what is kept, and how to go on."""
    kept = (
        f"what had finished is kept in {out}: give the same command again with --out {typed(out)}"
    )
    try:
        with stoppable(kept):
            yield
    except StudyMoved as moved:
        raise StudyMoved(moved.directory, "the same command with --out") from None
    except KeyboardInterrupt as stop:
        number = signal_of(stop)
        raise Interrupted(number, f"stopped by {signal_name(number)}; {kept}") from None
