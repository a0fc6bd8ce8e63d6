"""What a study on disk consists of: one segment of deals, or several if it was merged."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from continental_sim.errors import ContsimError
from continental_sim.spans import Span
from continental_sim.study import Study, read_tables, study_from_dict


@dataclass(frozen=True, order=True, slots=True)
class Segment:
    """Deals of one seed within a merged study.

    Attributes
    ----------
    seed, first_deal, deals : int
        Which they are.
    offset : int
        Added to the index of a deal, so that no two deals of the merged study have the same.
    endings : tuple of str
        Of the studies in it that ended by a rule or early: their deals, and why.
    """

    seed: int
    first_deal: int
    deals: int
    offset: int = 0
    endings: tuple[str, ...] = ()

    @property
    def span(self) -> Span:
        """Its deals by their index under the seed."""
        return Span(self.first_deal, self.first_deal + self.deals)

    @property
    def place(self) -> Span:
        """Its deals by their index in the merged study."""
        return Span(self.span.first + self.offset, self.span.end + self.offset)

    def table(self) -> dict[str, Any]:
        """Return it as the manifest tells it."""
        found = {**asdict(self), "endings": list(self.endings)}
        return {name: value for name, value in found.items() if value != []}


def segments_of(manifest: Mapping[str, Any]) -> list[Segment]:
    """Return what a study consists of: one segment, or those of a merged study."""
    if "segments" in manifest:
        return [
            Segment(**{**each, "endings": tuple(each.get("endings", ()))})
            for each in manifest["segments"]
        ]
    study, state = manifest["study"], manifest["state"]
    whole = Segment(study["seed"], study["first_deal"], study["deals"])
    endings = list(state.get("endings", ()))
    if state.get("reason"):
        endings.append(f"{whole.span}: {state['reason']}")
    return [replace(whole, endings=tuple(endings))]


def study_of(manifest: Mapping[str, Any], segment: Segment) -> Study:
    """Return a segment as a study of its own."""
    tables = {name: table for name, table in manifest.items() if name != "segments"}
    own = {name: getattr(segment, name) for name in ("seed", "first_deal", "deals")}
    return study_from_dict({**tables, "study": {**manifest["study"], **own}}, "the manifest")


def study_of_deal(manifest: Mapping[str, Any], deal: int) -> tuple[Study, int]:
    """Find the study that a deal of a merged study is from, and its index there.

    Raises
    ------
    ContsimError
        If the merged study has no such deal.
    """
    segments = segments_of(manifest)
    for segment in segments:
        if segment.place.first <= deal < segment.place.end:
            return study_of(manifest, segment), deal - segment.offset
    held = ", ".join(f"{each.place.first} to {each.place.end - 1}" for each in segments)
    raise ContsimError(f"the merged study has no deal {deal}: it has {held}")


def load_study_of_deal(path: Path, deal: int) -> tuple[Study, int]:
    """Read the study that a deal is from, and its index there, from a study file or a manifest.

    Raises
    ------
    ContsimError
        If it cannot be read, is no study or, being merged, has no such deal.
    """
    tables = read_tables(path)
    if "segments" in tables:
        return study_of_deal(tables, deal)
    return study_from_dict(tables, str(path)), deal
