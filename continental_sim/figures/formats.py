"""Numbers as text: rounded to what their interval says, for tables, charts and pages."""

import math
import os
from collections.abc import Iterable, Mapping, Sequence

from continental_sim.figures.estimates import EXACT, STRUCTURAL, Estimate, Mean
from continental_sim.language import numeral, tr

_SMALL = 1e-3  # rates that are surely below have an exponent


def decimals_for(half: float) -> int:
    """Return the decimals that show two digits of a half width."""
    return max(0, 1 - math.floor(math.log10(half)))


def number(value: float, decimals: int) -> str:
    """Write a number with so many decimals and separated thousands; no "-0.0"."""
    return numeral(f"{round(value, decimals) + 0.0:,.{decimals}f}")


def count(value: int) -> str:
    """Write a whole number with separated thousands."""
    return numeral(f"{value:,}")


def short(value: float) -> str:
    """Write a number with as many digits as it needs, six at most."""
    return numeral(f"{value:g}")


def rate_text(estimate: Estimate) -> str:
    """Write the rate alone, to two digits of its error."""
    return "-" if estimate.rate is None else _like(estimate, estimate.rate)


def interval_text(estimate: Estimate) -> str:
    """Write the interval, or why there is none; an exact bound says so."""
    if estimate.method == STRUCTURAL:
        return tr("impossible")
    if estimate.low is None or estimate.high is None:
        return tr(estimate.method)
    text = f"{_like(estimate, estimate.low)} .. {_like(estimate, estimate.high)}"
    return tr("{interval} exact", interval=text) if estimate.method == EXACT else text


def _like(estimate: Estimate, value: float) -> str:
    """Write a rate as the rate and both bounds of its estimate are written."""
    if value in (0, 1) or estimate.low is None or estimate.high is None:
        return short(value)
    decimals = decimals_for((estimate.high - estimate.low) / 2) + (estimate.method == EXACT)
    if estimate.high >= _SMALL:
        return numeral(f"{value:.{decimals}f}")
    digits = max(1, decimals + math.floor(math.log10(value)))
    mantissa, exponent = f"{value:.{digits}e}".split("e")
    return numeral(f"{mantissa}e{int(exponent)}")


def mean_text(mean: Mean) -> str:
    """Write a mean as `4.612 ± 0.021`, or with the reason why it has no interval."""
    if mean.mean is None:
        return "-"
    if mean.low is None or mean.high is None:
        value = short(mean.mean)
        return (
            tr("{value} (all equal)", value=value)
            if mean.n > 1
            else tr("{value} (one value)", value=value)
        )
    half = (mean.high - mean.low) / 2
    decimals = decimals_for(half)
    if mean.method == EXACT:  # one-sided: the mean is at an end of its interval
        interval = f"{number(mean.low, decimals)} .. {number(mean.high, decimals)}"
        return tr("{interval} exact", interval=interval)
    return f"{number(mean.mean, decimals)} ± {number(half, decimals)}"


def sd_text(mean: Mean) -> str:
    """Write the standard deviation."""
    return "-" if mean.sd is None else numeral(f"{mean.sd:,.2f}")


def quantile_text(mean: Mean, share: float) -> str:
    """Write a quantile."""
    return short(mean.quantiles[share]) if mean.quantiles else "-"


def percent(level: float) -> str:
    """Write a level or a share as `95 %`."""
    return f"{numeral(f'{100 * level:.10g}')} %"


def listed(words: Sequence[str], last: str = "") -> str:
    """List words: `a, b and c`; `last` is what stands for the "and"."""
    last = last or tr("and")
    return f" {last} ".join([*([", ".join(words[:-1])] if words[1:] else []), words[-1]])


def capped_text(ends: Mapping[str, Estimate]) -> str:
    """Say which share of the deals was capped: it stands beside what it distorts."""
    capped = ends["capped"]
    rate = f"{rate_text(capped)}, " if capped.count else ""
    return tr("capped deals: {rate}", rate=f"{rate}{interval_text(capped)}")


def count_text(count: int, width: int) -> str:
    """Write a count with separated thousands, or with an exponent where it has no room."""
    text = numeral(f"{count:,}")
    return text if len(text) < width else numeral(f"{count:.4e}")


def plain(text: str, width: int) -> str:
    """Fit a name into a width: no control characters, the middle cut out if it is too long."""
    shown = "".join(letter if letter.isprintable() else "?" for letter in text)
    if len(shown) <= width:
        return shown
    head = (width - 1) // 2
    return f"{shown[:head]}…{shown[len(shown) - (width - 1 - head) :]}"


def distinct(names: Sequence[str], width: int) -> list[str]:
    """Fit different names into a width; those that would read alike begin where they differ."""
    shown = [plain(name, width) for name in names]
    for place, name in enumerate(names):
        alike = [other for other, text in zip(names, shown, strict=True) if text == shown[place]]
        if len(alike) > 1:
            begin = len(os.path.commonprefix([*alike, name]))  # noqa: RUF071 - not paths
            texts = [f"…{name[begin:]}"[:width] for name in alike]
            if len(set(texts)) < len(texts):
                texts = [
                    f"{k}…{plain(each, width)[-width + 4 :]}" for k, each in enumerate(alike, 1)
                ]
            for other, text in zip(alike, texts, strict=True):
                shown[names.index(other)] = text
    return shown


def short_names(names: Iterable[str], width: int) -> dict[str, str]:
    """Fit names into a width, by name: different ones stay `distinct`."""
    different = list(dict.fromkeys(names))
    return dict(zip(different, distinct(different, width), strict=True))


def player_label(strategy: str, player: int, width: int) -> str:
    """Name a player by strategy and place in the line-up; a long strategy is cut, not the place."""
    return player_name(plain(strategy, width - len(player_name("", player))), player)


def player_name(strategy: str, player: int) -> str:
    """Name a player by strategy and place in the line-up, since several may have one strategy."""
    return tr("{strategy} (player {number})", strategy=strategy, number=player)


def lineup_text(specs: Iterable[str], *, fixed_order: bool) -> str:
    """Name the strategies of a line-up, each once, and how their players sit."""
    names = ", ".join(plain(spec, 60) for spec in dict.fromkeys(specs))
    if fixed_order:
        return tr("Line-up: {names} (fixed order).", names=names)
    return tr("Line-up: {names} (order shuffled each session).", names=names)
