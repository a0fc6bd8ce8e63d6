"""Questions asked from Python: which strategy is better, and what if a rule were another one."""

from collections.abc import Sequence
from pathlib import Path

from continental_sim.comparing import compare as comparing
from continental_sim.comparing import whatif as asking
from continental_sim.library.places import (
    AnyPath,
    checked_level,
    means_of,
    place_for,
    watcher_of,
    whole,
)
from continental_sim.library.results import ComparisonResult, WhatifResult
from continental_sim.play.means import Progress
from continental_sim.rules import ContinentalRules, GameRules, choose_rules
from continental_sim.study import DEFAULT_STRATEGY


def compare(  # noqa: PLR0913 - the options of `contsim compare`
    strategies: Sequence[str],
    *,
    deals: float = 10_000,
    seed: int | None = None,
    rules: str | Path | GameRules | None = None,
    game: str | None = None,
    field: str | None = None,
    every: bool = False,
    until: str | None = None,
    level: float = 0.95,
    out: AnyPath | None = None,
    workers: int | None = None,
    max_time: float | None = None,
    progress: Progress | None = None,
) -> ComparisonResult:
    """Tell which strategy is better: the same deals in balanced seatings.

    Parameters
    ----------
    strategies : sequence of str
        Names or files, with knobs after a colon.
    deals : float
        Packs of each table; each is dealt again in all seatings. The most, with `until`.
    seed : int or None
        A random one if None, or that of the comparison in `out`.
    rules : str, Path or GameRules, optional
        As `load_rules` takes them.
    game : str, optional
        As `load_rules` takes it.
    field : str, optional
        Let each strategy sit alone among players of this one.
    every : bool
        Whether to play all tables that the strategies can make.
    until : str, optional
        ``"separated"``, or to how many points a deal all differences are to be known: ``"0.05"``.
    level : float
        Confidence level of all intervals.
    out : str or path, optional
        Directory to keep it in; the same comparison that is there is gone on with. Nothing is kept
        if None.
    workers : int or None
        Processes; one a core if None.
    max_time : float or None
        Begin no block after so long [seconds].
    progress : callable, optional
        Called with (deals finished, deals wanted).

    Returns
    -------
    ComparisonResult
        Standings, pairs and charts.

    Raises
    ------
    ContsimError
        If there is nothing to compare, or something given makes no sense.
    """
    means = means_of(workers, max_time)
    if seed is None and out is not None:
        seed = comparing.begun_seed(Path(out))
    comparison, studies = comparing.make_comparison(
        [strategies] if isinstance(strategies, str) else strategies,
        choose_rules(rules, game),
        field=field,
        every=every,
        deals=whole("deals", deals),
        seed=seed,
        level=checked_level(level),
        until=until,
    )
    watcher = watcher_of(progress, "continental_sim.compare")
    with place_for(out) as place:
        found = comparing.play_comparison(comparison, studies, place, means, watcher)
    return ComparisonResult(found, None if out is None else place)


def whatif(  # noqa: PLR0913 - the options of `contsim whatif`
    set: str | Sequence[str] = (),  # noqa: A002 - as on the command line
    *,
    grid: str | Sequence[str] = (),
    variants: str | Sequence[str] = (),
    metrics: str | Sequence[str] = (),
    strategies: str | Sequence[str] = DEFAULT_STRATEGY,
    deals: float = 200_000,
    seed: int | None = None,
    rules: str | Path | None = None,
    game: str | None = None,
    until: str | Sequence[str] = (),
    level: float = 0.95,
    out: AnyPath | None = None,
    workers: int | None = None,
    max_time: float | None = None,
    progress: Progress | None = None,
) -> WhatifResult:
    """Play rules and variants of them side by side, and tell what differs.

    Parameters
    ----------
    set : str or sequence of str
        Variants, each ``"recycles=0"``, or several rules parted by spaces.
    grid : str or sequence of str
        ``"jokers=0,2,4"``: a variant for each value, of several grids for each combination.
    variants : str or sequence of str
        Variants that are presets or files of rules.
    metrics : str or sequence of str
        Compare these figures alone, such as ``"exits.dealt"``.
    strategies : str or sequence of str
        One for all players, or one for each.
    deals : float
        Of each; the most, with `until`.
    seed : int or None
        A random one if None, or that of the question in `out`.
    rules : str or Path, optional
        Preset or file of the baseline.
    game : str, optional
        That it must be of.
    until : str or sequence of str
        Play until differences are known so well: ``"turns=0.05"``, or ``"turns=1%"``.
    level : float
        Confidence level of all intervals.
    out : str or path, optional
        Directory to keep it in; the same question that is there is gone on with. Nothing is kept if
        None.
    workers : int or None
        Processes; one a core if None.
    max_time : float or None
        Begin no block after so long [seconds].
    progress : callable, optional
        Called with (deals finished, deals wanted).

    Returns
    -------
    WhatifResult
        Differences and charts.

    Raises
    ------
    ContsimError
        If there is nothing to compare, or something given makes no sense.
    """
    means = means_of(workers, max_time)
    if seed is None and out is not None:
        seed = asking.begun_seed(Path(out))
    asked = asking.make_question(
        str(rules or game or ContinentalRules.game),
        game,
        settings=_several(set),
        grids=_several(grid),
        files=_several(variants),
        metrics=_several(metrics),
        strategies=_several(strategies),
        until=_several(until),
        deals=whole("deals", deals),
        seed=seed,
        level=checked_level(level),
    )
    watcher = watcher_of(progress, "continental_sim.whatif")
    with place_for(out) as place:
        found, reason = asking.play_question(
            asked.question, asked.studies, place, means, watcher, asked.goals
        )
    return WhatifResult(found, None if out is None else place, level, reason)


def _several(texts: str | Sequence[str]) -> list[str]:
    """Take one text for a list of one."""
    return [texts] if isinstance(texts, str) else list(texts)
