"""Strategies as data: find a file, read it, start a new one.

A strategy travels as its text and knobs, so that a worker on another machine, or a replay a year
later, plays the very file that was meant.
"""

import ast
import difflib
import hashlib
import importlib.metadata
import importlib.util
import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from continental_sim.contract import GAMES, QUESTIONS, read_contract
from continental_sim.errors import ContsimError

ENTRY_POINTS = "continental_sim.strategies"
CONTINENTAL = "continental"
_LISTED = "see `contsim strategies list`"


@dataclass(frozen=True)
class Strategy:
    """One strategy with its knobs, as plain data.

    Attributes
    ----------
    spec : str
        As the user named it: ``fastest``, ``mine.py:PATIENCE=3``.
    name : str
        The name by which it is known, or of its file without the suffix.
    text : str
        The whole source file.
    knobs : tuple of (str, int or float or bool)
        Constants that the spec sets, in alphabetical order.
    """

    spec: str
    name: str
    text: str
    knobs: tuple[tuple[str, Any], ...] = ()

    @property
    def summary(self) -> str:
        """First line of the docstring."""
        return (ast.get_docstring(ast.parse(self.text)) or "(no docstring)").splitlines()[0]

    @property
    def games(self) -> tuple[str, ...]:
        """The games that it is for."""
        return read_contract(self.text, f"{self.name}.py").games

    @property
    def sha256(self) -> str:
        """Hash of the source text."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def check_game(strategy: Strategy, game: str) -> None:
    """Refuse a strategy that is not for a game."""
    if game not in strategy.games:
        raise ContsimError(
            f"strategy {strategy.spec} is for {' and '.join(strategy.games)}, and not for {game}: "
            f"choose one of `contsim strategies list --game {game}`, or play --game "
            f"{strategy.games[0]}"
        )


def shipped_directory() -> Path:
    """Return where our own strategies lie: in the package if installed, beside it in a checkout."""
    package = Path(__file__).parent
    inside = package / "strategies"
    return inside if inside.is_dir() else package.parent / "strategies"


def shipped_strategy(name: str, game: str = CONTINENTAL) -> Strategy:
    """Return one of our own strategies, whatever else is called by its name."""
    directory = shipped_directory()
    own = directory / _directory_of(game) / f"{name}.py"
    return find_strategy(str(own if own.exists() else directory / f"{name}.py"), game)


def _directory_of(game: str) -> str:
    """Return where strategies lie that are for one game alone, but for Continental's."""
    return game.replace("-", "_")


def known_files(game: str = CONTINENTAL) -> dict[str, Path]:
    """Map each strategy name that needs no path to its file, in the order of the search.

    Those of another game than Continental lie in a directory of its name, beside the others.
    """
    found: dict[str, Path] = {}
    for directory in (Path("strategies"), shipped_directory()):
        for place in (directory / _directory_of(game), directory):
            for path in sorted(place.glob("*.py")):
                if not path.name.startswith("_") and (place != directory or _is_for(path, game)):
                    found.setdefault(path.stem, path)
    for point in importlib.metadata.entry_points(group=ENTRY_POINTS):
        try:
            module = importlib.util.find_spec(point.module)
        except Exception:  # noqa: BLE001, S112 - another's package is broken, not this study
            continue
        if module is None or module.origin is None:
            continue
        if _is_for(Path(module.origin), game):
            found.setdefault(point.name, Path(module.origin))
    return found


def _is_for(path: Path, game: str) -> bool:
    """Tell whether a file is for a game; one that cannot be read is left to whoever names it."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        return (
            game in read_contract(text, path.name).games if GAMES in text else game == CONTINENTAL
        )
    except (OSError, UnicodeDecodeError, ContsimError):
        return game == CONTINENTAL


def find_strategy(spec: str, game: str = CONTINENTAL) -> Strategy:
    """Find the strategy that a spec names.

    Parameters
    ----------
    spec : str
        ``NAME`` or ``FILE``, then optionally ``:KNOB=VALUE,...``.
    game : str
        That it is to play.

    Raises
    ------
    ContsimError
        If there is no such file or knob, or the file breaks the contract.
    """
    found = _read(spec, game)
    check_game(found, game)
    return found


def _read(spec: str, game: str) -> Strategy:
    """Read the file that a spec names, which may turn out to be for another game."""
    place, settings = _split(spec)
    if spec.endswith(":"):
        raise ContsimError(f"{spec} sets no knob: write {spec}KNOB=3, or {spec[:-1]} alone")
    if place.endswith(".py") or "/" in place:
        path = Path(place)
        name = path.stem
        _refuse_other_files(place)
    else:
        files = known_files(game)
        if place not in files:
            files = next((each for each in map(known_files, QUESTIONS) if place in each), files)
        if place not in files:
            here = (path.name for path in Path().glob("*.py"))
            hint = _nearest(place, [*files, *here], _LISTED)
            raise ContsimError(f"there is no strategy {place!r}: {hint}")
        path, name = files[place], place  # a package may call its module otherwise
    try:
        text = path.read_text(encoding="utf-8-sig")  # editors may put a mark before the text
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        hint = _nearest(place, [str(each) for each in path.parent.glob("*.py")], _LISTED)
        raise ContsimError(f"cannot read the strategy file {place}: {why}; {hint}") from None
    return make_strategy(spec, name, text, settings)


def _refuse_other_files(place: str) -> None:
    """Refuse a path that names no Python file."""
    path = Path(place)
    if path.is_dir():
        within = min(map(str, path.glob("*.py")), default="")
        hint = f"name a file in it, such as {within}" if within else _LISTED
        raise ContsimError(f"{place} is a directory, and a strategy is a file: {hint}")
    if not place.endswith(".py"):
        hint = _nearest(place, [str(each) for each in path.parent.glob("*.py")], _LISTED)
        raise ContsimError(f"{place} is no strategy file, whose name ends in .py: {hint}")


def _nearest(word: str, known: Iterable[str], otherwise: str) -> str:
    """Return a hint: the nearest of what there is, or another one if nothing is near."""
    near = difflib.get_close_matches(word, [each for each in known if each != word], n=1)
    return f"did you mean {near[0]}?" if near else otherwise


def _split(spec: str) -> tuple[str, str]:
    """Part a spec into name or path and settings; a path may hold a colon."""
    path, suffix, settings = spec.rpartition(".py:")
    if suffix:
        return f"{path}.py", settings
    if spec.endswith(".py"):
        return spec, ""
    place, _, settings = spec.partition(":")
    return place, settings


def make_strategy(spec: str, name: str, text: str, settings: str = "") -> Strategy:
    """Make a strategy from its text, checked against the contract; knobs as ``K=1,L=2``."""
    contract = read_contract(text, f"{name}.py")
    knobs = {}
    for setting in filter(None, settings.split(",")):
        knob, equals, value = (part.strip() for part in setting.partition("="))
        if knob not in contract.knobs:
            has = ", ".join(contract.knobs) or "none"
            hint = _nearest(knob, contract.knobs, f"it has {has}")
            raise ContsimError(f"strategy {name} has no knob {knob!r}: {hint}")
        try:
            number = ast.literal_eval(value)
        except (SyntaxError, ValueError):
            number = None
        if not equals or not isinstance(number, int | float) or not math.isfinite(number):
            raise ContsimError(
                f"knob {knob} of {name} needs a number, not {value!r}: write {knob}=3"
            )
        if isinstance(number, int) and not -(2**63) <= number < 2**63:
            raise ContsimError(
                f"knob {knob} of {name} is too large, {value}: give a whole number of 64 bits, "
                f"from {-(2**63)} to {2**63 - 1}"
            )
        knobs[knob] = number
    return Strategy(spec, name, text, tuple(sorted(knobs.items())))


def all_knobs(strategy: Strategy) -> dict[str, Any]:
    """Return the values of all knobs of a strategy, set or not."""
    found = read_contract(strategy.text, f"{strategy.name}.py").knobs
    defaults = {knob: ast.literal_eval(value) for knob, value in found.items()}
    return {**defaults, **dict(strategy.knobs)}


def list_strategies(game: str = CONTINENTAL) -> list[Strategy]:
    """Return the strategies of a game that need no path, by name."""
    return [find_strategy(name, game) for name in sorted(known_files(game))]


def source_of(name: str, game: str | None = None) -> str:
    """Return the source text of a strategy; without a game, that of the first game that has it."""
    return _read(name, CONTINENTAL).text if game is None else find_strategy(name, game).text


def new_strategy(name: str, directory: Path, game: str = CONTINENTAL) -> Path:
    """Write a template that plays a game, to start from.

    Raises
    ------
    ContsimError
        If the name cannot be a file's or the file exists.
    """
    if not name.isidentifier():
        raise ContsimError(f"{name!r} cannot name a strategy: use letters, digits and _")
    ours = (shipped_directory(), *(shipped_directory() / _directory_of(each) for each in QUESTIONS))
    if any((place / f"{name}.py").exists() for place in ours):
        raise ContsimError(f"{name!r} is the name of a shipped strategy: choose another")
    path = directory / f"{name}.py"
    templates = Path(__file__).parent / "templates"
    template = (templates / f"{game}.py.txt").read_text(encoding="utf-8")
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(template.replace("NAME", name))
    except FileExistsError:
        raise ContsimError(f"{path} exists already: choose another name") from None
    except OSError as error:
        raise ContsimError(f"cannot write {path}: {error.strerror}") from None
    return path
