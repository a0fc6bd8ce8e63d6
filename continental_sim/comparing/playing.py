"""What all that is compared shares when it is played: several studies in one directory."""

from collections.abc import Callable, Sequence
from pathlib import Path

from continental_sim.errors import ContsimError
from continental_sim.files.manifest import MANIFEST, read_manifest
from continental_sim.play.identity import code_mark, differences
from continental_sim.play.means import Watcher
from continental_sim.study import Study, load_study


def of_all(watcher: Watcher, others: int, whole: int) -> Callable[[int, int], None] | None:
    """Tell of one study's deals as of those of all.

    Parameters
    ----------
    watcher : Watcher
    others, whole : int
        Deals that are played of other studies, and of all studies together.
    """
    progress = watcher.progress
    if progress is None:
        return None
    return lambda done, _: progress(others + done, whole)


def refuse_another(
    study: Study, directory: Path, fields: Sequence[str], *, records: bool = False
) -> None:
    """Refuse a directory that holds another study.

    Parameters
    ----------
    study : Study
    directory : Path
        With a manifest.
    fields : sequence of str
        Fields of a study that must be the same, too.
    records : bool
        Whether it must have records.

    Raises
    ------
    ContsimError
        Says where the two differ.
    """
    kept, manifest = load_study(directory / MANIFEST), read_manifest(directory)
    found = list(differences(kept, study, fields))
    found += [] if manifest["study"].get("code") == code_mark() else ["other code"]
    found += ["no records"] if records and not manifest["state"]["records"] else []
    if found:
        raise ContsimError(
            f"{directory} holds another study ({'; '.join(found)}): name another directory with "
            "--out"
        )
