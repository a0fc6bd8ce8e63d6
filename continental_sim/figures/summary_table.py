"""The text table of a study: at most 80 columns, every rate with its interval."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from continental_sim.figures.continental_table import continental_blocks
from continental_sim.figures.rummy_table import rummy_blocks
from continental_sim.figures.summary import Summary
from continental_sim.figures.table_blocks import footer, header

_BLOCKS: Final[Mapping[str, Callable[[Any], Iterable[Iterable[str]]]]] = {
    "continental": continental_blocks,
    "basic-rummy": rummy_blocks,
}


def render_table(summary: Summary) -> str:
    """Write all figures of a study as text.

    Parameters
    ----------
    summary : Summary
        Of a study.

    Returns
    -------
    str
        Lines of at most 80 columns, without a final newline.
    """
    lines = [*header(summary)]
    for block in (*_BLOCKS[summary.rules.game](summary), footer(summary)):
        lines += ["", *block]
    return "\n".join(line.rstrip() for line in lines)
