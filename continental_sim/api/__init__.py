"""For authors of strategies: the only module of the project that a strategy file imports.

A strategy file defines ``take_discard(view)`` and ``choose_discard(view)``, and may define
``go_out(view)``, or in Basic Rummy ``lay_down(view)``. Faces are numbers: ``13 * suit + rank`` with
suits C D H S and ace = 0, so 0 is AC and 51 is KS; 52 is a joker. All functions take plain numbers
and are compiled; a face out of bounds raises IndexError.
"""

from collections.abc import Mapping
from typing import Final

from continental_sim.api import basic_rummy, common, continental
from continental_sim.api.basic_rummy import *  # noqa: F403
from continental_sim.api.common import *  # noqa: F403
from continental_sim.api.continental import *  # noqa: F403

# What each game's strategies may use.
GAME_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "continental": (*common.__all__, *continental.__all__),
    "basic-rummy": (*common.__all__, *basic_rummy.__all__),
}

__all__ = sorted({name for names in GAME_NAMES.values() for name in names})  # noqa: PLE0605
