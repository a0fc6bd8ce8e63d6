"""Rules from presets, files and settings, and back to plain data and words."""

import difflib
import tomllib
from collections.abc import Iterable, Mapping
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar, cast

from continental_sim.cards import RANKS
from continental_sim.errors import ContsimError
from continental_sim.language import tr
from continental_sim.rules.base import GameRules
from continental_sim.rules.basic_rummy import BasicRummyRules
from continental_sim.rules.continental import ContinentalRules
from continental_sim.rules.keys import rule_keys

_PRESETS = resources.files("continental_sim.rules") / "presets"
Rules = TypeVar("Rules", bound=GameRules)

GAMES: Mapping[str, type[GameRules]] = {
    record.game: record for record in (ContinentalRules, BasicRummyRules)
}
_DEUCES_WILD = "deuces_wild"  # another spelling of wild_ranks = ["2"] or []
_NOT_RULES = ("game", "about")  # keys of a rules file that are no parameters


def preset_names(game: str | None = None) -> list[str]:
    """List the rules that come with the program, or those of a game; the default comes first."""
    names = sorted(
        entry.name.removesuffix(".toml")
        for entry in _PRESETS.iterdir()
        if entry.name.endswith(".toml")
    )
    games = list(GAMES)
    found = sorted(names, key=lambda name: (games.index(preset_game(name)), name not in games))
    return [name for name in found if game in (None, preset_game(name))]


def preset_game(name: str) -> str:
    """Say which game a preset is of."""
    return str(_preset(name)["game"])


def preset_about(name: str) -> str:
    """Say in one sentence what a preset is.

    Parameters
    ----------
    name : str
        One of `preset_names`.

    Returns
    -------
    str
        The key ``about`` of its file.
    """
    return str(_preset(name)["about"])


def load_rules(name_or_path: str = "continental", game: str | None = None) -> GameRules:
    """Load a preset or a TOML file.

    Parameters
    ----------
    name_or_path : str
        One of `preset_names`, or the path of a TOML file of rule keys; keys that it does not
        name keep their defaults.
    game : str, optional
        Of a file that names none.

    Returns
    -------
    GameRules
        Checked.

    Raises
    ------
    ContsimError
        If there is no such preset or file, or the file is not valid.
    """
    if name_or_path in preset_names():
        return rules_from_dict(_preset(name_or_path))
    path = Path(name_or_path)
    if path.suffix != ".toml" and not path.is_file():
        raise ContsimError(
            f"unknown rules {name_or_path!r}{_nearest(name_or_path, preset_names())}: give the "
            f"path of a .toml file or one of {', '.join(preset_names())}"
        )
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8-sig"))
        return rules_from_dict({"game": game, **values} if game else values)
    except OSError as error:
        raise ContsimError(f"cannot read the rules file {path}: {error.strerror}") from error
    except ValueError as error:  # TOML or UTF-8 that cannot be decoded
        raise ContsimError(f"the rules file {path} is not valid TOML: {error}") from error
    except ContsimError as error:
        raise ContsimError(f"in the rules file {path}: {error}") from error


def choose_rules(rules: str | Path | GameRules | None, game: str | None = None) -> GameRules:
    """Find the rules that a user means.

    Parameters
    ----------
    rules : str, Path, GameRules or None
        A preset, a file, or rules that are there already; None takes the default rules of the game.
    game : str, optional
        The game that they must be of, Continental if nothing says it.

    Raises
    ------
    ContsimError
        As `load_rules`, and for rules of another game.
    """
    if isinstance(rules, GameRules):
        chosen, named = rules, "the study's rules"
    else:
        chosen = load_rules(str(rules or game or ContinentalRules.game), game)
        named = f"the rules {rules}"
    if game is not None and chosen.game != game:
        raise ContsimError(
            f"{named} are of {chosen.game}, not of {game}: leave --game {game} out, or name rules "
            f"of that game (see `contsim rules list --game {game}`)"
        )
    return chosen


def continental(rules: GameRules, what: str) -> ContinentalRules:
    """Refuse what is for Continental alone under the rules of another game.

    Parameters
    ----------
    rules : GameRules
        What is played.
    what : str
        What was asked for, such as ``contsim odds``.

    Raises
    ------
    ContsimError
        If the rules are of another game.
    """
    if not isinstance(rules, ContinentalRules):
        raise ContsimError(
            f"{what} is for Continental, and these rules are of {rules.title}: name rules of "
            f"Continental (see `contsim rules list --game {ContinentalRules.game}`)"
        )
    return rules


def with_settings(rules: Rules, settings: Iterable[str]) -> Rules:
    """Change rules by settings such as ``seats=5``.

    Parameters
    ----------
    rules : GameRules
        Where to start from.
    settings : iterable of str
        Each ``key=value``; of two for one key the later counts. They are checked together.

    Returns
    -------
    GameRules
        The changed rules.

    Raises
    ------
    ContsimError
        If a setting has no ``=``, its key is unknown (the nearest one is named), or the value
        or the rules that come of them are not allowed.
    """
    changes: dict[str, object] = {}
    for setting in settings:
        name, equals, text = (part.strip() for part in setting.partition("="))
        if not equals:
            raise ContsimError(f"setting {setting!r} has no value: write key=value, as in seats=5")
        changes[name] = text
    return with_changes(rules, changes)


def with_changes(rules: Rules, changes: Mapping[str, object]) -> Rules:
    """Change rules by key and value.

    Parameters
    ----------
    rules : GameRules
        Where to start from.
    changes : mapping of str to object
        A value is one of a rules file, or the text that stands behind ``key=``. All are checked
        together.

    Returns
    -------
    GameRules
        The changed rules.

    Raises
    ------
    ContsimError
        If a key is unknown (the nearest one is named), or a value or the rules that come of them
        are not allowed.
    """
    keys = rule_keys(type(rules))
    values = rules_to_dict(rules)
    for name, value in changes.items():
        if name == _DEUCES_WILD and "wild_ranks" in keys:
            flags = {"true": True, "false": False}
            flag = flags.get(value.lower(), value) if isinstance(value, str) else value
            values["wild_ranks"] = _deuces(flag)
        elif name in keys:
            values[name] = keys[name].kind.parse(value) if isinstance(value, str) else value
        else:
            raise _unknown_key(name, keys, rules.game)
    return cast("Rules", rules_from_dict(values))


def rules_to_dict(rules: GameRules) -> dict[str, Any]:
    """Turn rules into plain data that TOML can hold: the game and every key, in order."""
    values: dict[str, Any] = {"game": rules.game}
    for name, key in rule_keys(type(rules)).items():
        values[name] = key.kind.plain(getattr(rules, name))
    return values


def rules_from_dict(values: Mapping[str, Any]) -> GameRules:
    """Make rules from plain data, the opposite of `rules_to_dict`.

    Parameters
    ----------
    values : mapping
        Rule keys; those missing keep their defaults. ``game`` and ``about`` may be there too.

    Returns
    -------
    GameRules
        Checked.

    Raises
    ------
    ContsimError
        If a key is unknown (the nearest one is named) or a value is not allowed.
    """
    game = values.get("game", ContinentalRules.game)
    if game not in GAMES:
        known = " or ".join(f'"{name}"' for name in GAMES)
        raise ContsimError(f"game = {game!r} is unknown: it must be {known}")
    keys = rule_keys(GAMES[game])
    chosen: dict[str, Any] = {}
    for name, value in values.items():
        if name == _DEUCES_WILD and "wild_ranks" in keys:
            if "wild_ranks" in values:
                raise ContsimError(f"give {_DEUCES_WILD} or wild_ranks, not both")
            chosen["wild_ranks"] = _deuces(value)
        elif name in keys:
            chosen[name] = value
        elif name not in _NOT_RULES:
            raise _unknown_key(name, keys, game)
    return GAMES[game](**chosen)


def differences(first: GameRules, second: GameRules) -> dict[str, tuple[object, object]]:
    """Compare two sets of rules.

    Parameters
    ----------
    first, second : GameRules
        What to compare.

    Returns
    -------
    dict of str to (object, object)
        For each key that differs the two values, plain as in a TOML file.
    """
    one, other = rules_to_dict(first), rules_to_dict(second)
    return {name: (one[name], other[name]) for name in one if one[name] != other[name]}


def as_settings(rules: GameRules) -> list[str]:
    """Write what is not the default as settings, the opposite of `with_settings`.

    Parameters
    ----------
    rules : GameRules
        Any.

    Returns
    -------
    list of str
        Each ``key=value``, without spaces; empty for the default rules.
    """
    changed = differences(type(rules)(), rules)
    return [f"{name}={_words(value).replace(' ', '')}" for name, (_, value) in changed.items()]


def describe(rules: GameRules) -> list[str]:
    """Describe rules in two or three lines, all of it read from the record.

    Parameters
    ----------
    rules : GameRules
        What is played.

    Returns
    -------
    list of str
        The equipment, the exit, and the values that are not the default, if any.
    """
    lines = rules.description()
    changed = differences(type(rules)(), rules)
    if changed:
        settings = (f"{name} = {_words(value)}" for name, (_, value) in changed.items())
        lines.append(tr("Not the default: {settings}.", settings=", ".join(settings)))
    return lines


def _preset(name: str) -> dict[str, Any]:
    return tomllib.loads((_PRESETS / f"{name}.toml").read_text(encoding="utf-8"))


def _deuces(value: object) -> list[str]:
    if not isinstance(value, bool):
        raise ContsimError(f"{_DEUCES_WILD} = {value!r} is not allowed: it must be true or false")
    return [RANKS[1]] if value else []


def _unknown_key(name: str, keys: Iterable[str], game: str) -> ContsimError:
    names = [*keys, _DEUCES_WILD] if game == ContinentalRules.game else list(keys)
    of_game = "" if game == ContinentalRules.game else f" {game}"
    return ContsimError(
        f"unknown rule key {name!r}{_nearest(name, names)}: "
        f"see them all with contsim rules show{of_game} --keys"
    )


def _nearest(name: str, names: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(names), n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""


def _words(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(value) or "none"
    return str(value).lower() if isinstance(value, bool) else str(value)
