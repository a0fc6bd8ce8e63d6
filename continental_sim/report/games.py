"""The parts of pages by game: the only place here that names the games."""

from collections.abc import Mapping
from typing import Final

from continental_sim.report.continental_report import CONTINENTAL_REPORT
from continental_sim.report.game_report import GameReport
from continental_sim.report.rummy_report import RUMMY_REPORT
from continental_sim.rules import BasicRummyRules, ContinentalRules

GAME_REPORTS: Final[Mapping[str, GameReport]] = {
    ContinentalRules.game: CONTINENTAL_REPORT,
    BasicRummyRules.game: RUMMY_REPORT,
}
