"""Play a study and keep nothing: what `contsim run` is compared with to see what keeping costs.

    python scripts/bare_run.py 1e7

It plays blocks of the same size as `contsim run` with as many workers, and adds the cubes up in
memory, sixteen at a time as parts are joined. There is no directory, no manifest, no part, no
checksum, no progress, no estimate and no table; nor is a block played first to learn the pace.
"""

import argparse
import sys
from typing import Any

from measuring import CORES, STRATEGY

from continental_sim.backends import open_workers
from continental_sim.cubes import StudyCubes
from continental_sim.play.identity import code_mark
from continental_sim.play.worker import Played, play_task
from continental_sim.rules import load_rules
from continental_sim.spans import Span
from continental_sim.study import Study, make_study

AT_ONCE = 16  # cubes that are added up together


def play_bare(study: Study, jobs: int) -> StudyCubes:
    """Play a study in memory.

    Parameters
    ----------
    study : Study
    jobs : int
        Workers.

    Raises
    ------
    StudyFailed
        If a strategy fails.
    """

    def task(span: Span) -> tuple[Any, ...]:
        return study, span, False, code_mark(), None

    total, waiting = StudyCubes.empty(study.files, len(study.lineup)), []
    with open_workers("loky", jobs) as workers:
        for result in workers.results(play_task, map(task, study.blocks())):
            if not isinstance(result, Played):
                raise result
            waiting.append(result.cubes)
            if len(waiting) == AT_ONCE:
                total = StudyCubes.merge([total, *waiting])
                waiting = []
    return StudyCubes.merge([total, *waiting])


def main() -> int:
    """Play, and say how many deals there were."""
    parser = argparse.ArgumentParser(description="Play a study and keep nothing.")
    parser.add_argument("deals", type=lambda text: int(float(text)), help="such as 1e7")
    deals = parser.parse_args().deals
    study = make_study(load_rules("continental"), [STRATEGY], 1, deals)
    cubes = play_bare(study, CORES)
    print(f"{cubes.deals} deals")
    return 0 if cubes.deals == deals else 1


if __name__ == "__main__":
    sys.exit(main())
