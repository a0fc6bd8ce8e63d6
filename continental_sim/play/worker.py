"""What a worker does, wherever it runs: play a block, and hand back its cubes or why it failed."""

import socket
from dataclasses import dataclass

import numpy as np

from continental_sim.cubes import StudyCubes
from continental_sim.engine import play_cubes
from continental_sim.errors import StudyFailed
from continental_sim.play.identity import code_mark
from continental_sim.play.watch import play_watched
from continental_sim.spans import Span
from continental_sim.study import Study


@dataclass(frozen=True, slots=True)
class Played:
    """A block that has been played.

    Attributes
    ----------
    span : Span
    cubes : StudyCubes
    outcomes : records OUTCOME[deals] or None
        If they were asked for.
    """

    span: Span
    cubes: StudyCubes
    outcomes: np.ndarray | None


def play_task(
    study: Study, span: Span, records: bool, code: str, deal_timeout: float | None
) -> Played | StudyFailed:
    """Play a block.

    A failure comes back as a result like others: what a worker raises would end all of them, and
    the blocks that they have finished meanwhile would be lost.

    Parameters
    ----------
    study : Study
    span : Span
        The deals of the block.
    records : bool
        Whether to hand back the outcome of each deal as well.
    code : str
        Mark of the code that should play them.
    deal_timeout : float or None
        Limit of a deal [seconds]; a process that can be killed plays if there is one.
    """
    if code != code_mark():
        return StudyFailed(
            f"the worker on {socket.gethostname()} has other code of contsim ({code_mark()}) than "
            f"this machine ({code}): install the same version on all of them"
        )
    try:
        if deal_timeout is None:
            cubes, outcomes = play_cubes(study, span.first, span.deals, records)
        else:
            cubes, outcomes = play_watched(study, span.first, span.deals, records, deal_timeout)
    except StudyFailed as failed:
        return failed
    return Played(span, cubes, outcomes)
