"""What needs no play: rules, and what is counted of the hands that they deal."""

from collections.abc import Mapping
from pathlib import Path

from continental_sim.exact.game_odds import GAME_ODDS
from continental_sim.exact.odds import HandOdds
from continental_sim.exact.rummy_odds import RummyOdds
from continental_sim.rules import GameRules, choose_rules, with_changes


def load_rules(
    rules: str | Path | GameRules | None = None,
    game: str | None = None,
    set: Mapping[str, object] | None = None,  # noqa: A002 - as on the command line
) -> GameRules:
    """Load rules, and change some of them.

    Parameters
    ----------
    rules : str, Path or GameRules, optional
        A preset (``contsim rules list``), a TOML file of rules, or rules to change; the default
        rules of the game if None.
    game : str, optional
        ``"continental"`` or ``"basic-rummy"``: which game they must be of.
    set : mapping of str to object, optional
        Rules to change, by key: ``{"recycles": 0, "ace": "low"}``.

    Returns
    -------
    GameRules
        Checked; its attributes are the keys.

    Raises
    ------
    ContsimError
        If there are no such rules, they are of another game, or a key or value is not allowed.
    """
    return with_changes(choose_rules(rules, game), set or {})


def exact_odds(
    rules: str | Path | GameRules | None = None,
    game: str | None = None,
    set: Mapping[str, object] | None = None,  # noqa: A002 - as on the command line
) -> HandOdds | RummyOdds:
    """Count the hands that rules deal: exact odds, nothing drawn at random.

    Parameters
    ----------
    rules : str, Path or GameRules, optional
        As `load_rules` takes them.
    game : str, optional
        As `load_rules` takes it.
    set : mapping of str to object, optional
        As `load_rules` takes it.

    Returns
    -------
    HandOdds or RummyOdds
        Whole numbers of equally likely hands, of Continental or of Basic Rummy.

    Raises
    ------
    ContsimError
        As `load_rules`.
    """
    chosen = load_rules(rules, game, set)
    found: HandOdds | RummyOdds = GAME_ODDS[chosen.game].count(chosen)
    return found
