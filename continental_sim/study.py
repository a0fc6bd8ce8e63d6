"""A study: the whole description of an experiment, as plain data."""

import difflib
import secrets
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from continental_sim.columns import FORMAT, GAME_FILES, GameFiles
from continental_sim.errors import ContsimError
from continental_sim.rules import (
    GameRules,
    choose_rules,
    differences,
    load_rules,
    rules_from_dict,
    rules_to_dict,
    with_changes,
)
from continental_sim.seating import Seating, seatings_of
from continental_sim.spans import NEIGHBOURS, Span, cut
from continental_sim.strategy import Strategy, check_game, find_strategy, make_strategy

SEED_LIMIT = 1 << 64
MOST_DEALS = 10**15
DEFAULT_STRATEGY, DEFAULT_DEALS = "fastest", 100_000
BLOCKS_WANTED = 32  # enough for an even load of a few workers and a progress bar that moves
SMALLEST_BLOCK, LARGEST_BLOCK = 1_000, 250_000  # [deals]; the largest takes about a second


@dataclass(frozen=True, init=False, repr=False)
class Study:
    """One described experiment: played twice, it gives the same outcomes.

    Parameters
    ----------
    lineup : str, Strategy or sequence of these
        Who plays: one strategy for all players, or one for each. A name or a file, with knobs after
        a colon (``"neighbours:WANTED=1"``).
    deals : float
        How many to play, a whole number; ``1e6`` is one.
    seed : int or None
        0 .. 2**64 - 1; a random one if None.
    game : str, optional
        ``"continental"`` or ``"basic-rummy"``; that of the rules if None.
    rules : str, Path or GameRules, optional
        A preset, a TOML file, or rules as `load_rules` gives them; the default rules of the game if
        None.
    set : mapping of str to object, optional
        Rules to change, by key: ``{"recycles": 0, "ace": "low"}``.
    fixed_order : bool
        Whether the players sit in the order of the line-up in every session.
    block_deals : int or None
        Deals of a block, the unit of work, which changes no outcome: rounded up to whole units;
        chosen from the number of deals if None.
    first_deal : int
        Index of the first one, where a unit begins: deals of other ranges can be added up.
    duplicate : bool
        Whether each pack is dealt again in all balanced seatings of the line-up, one after the
        other: they are a session, and `deals` counts all of them.

    Attributes
    ----------
    rules : GameRules
        What is played.
    lineup : tuple of Strategy
        One a player; as many as seats.
    seed, deals, fixed_order, block_deals, first_deal, duplicate
        As given, or as chosen where nothing was.

    Raises
    ------
    ContsimError
        If a strategy or rules are not found or not allowed, the number of strategies does not fit
        the seats, or a number its limits.
    """

    rules: GameRules
    lineup: tuple[Strategy, ...]
    seed: int
    deals: int
    fixed_order: bool
    block_deals: int
    first_deal: int
    duplicate: bool

    # Each field can be given by its name, as it is: `dataclasses.replace` does so.
    def __init__(  # noqa: PLR0913 - all that describes an experiment
        self,
        lineup: str | Strategy | Sequence[str | Strategy] = DEFAULT_STRATEGY,
        deals: float = DEFAULT_DEALS,
        seed: int | None = None,
        *,
        game: str | None = None,
        rules: str | Path | GameRules | None = None,
        set: Mapping[str, object] | None = None,  # noqa: A002 - as on the command line
        fixed_order: bool = False,
        block_deals: int | None = None,
        first_deal: int = 0,
        duplicate: bool = False,
    ) -> None:
        played = with_changes(choose_rules(rules, game), set or {})
        seed = secrets.randbits(64) if seed is None else seed
        whole = _checked(seed, deals, first_deal)
        fields = {
            "rules": played,
            "lineup": _seated(lineup, played),
            "seed": seed,
            "deals": whole,
            "fixed_order": fixed_order,
            "first_deal": first_deal,
            "duplicate": duplicate,
        }
        for name, value in fields.items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "block_deals", self._whole_units(block_deals))

    def _whole_units(self, block_deals: int | None) -> int:
        """Choose the size of a block, or round it up to whole units."""
        unit = self.unit
        if self.first_deal % unit:
            what = "a session of" if unit == self.session else "a span of matches,"
            raise ContsimError(
                f"first deal {self.first_deal} does not begin {what} {unit} deals: "
                f"{self.first_deal - self.first_deal % unit} does"
            )
        if block_deals is None:
            wanted = min(max(self.deals // BLOCKS_WANTED, SMALLEST_BLOCK), LARGEST_BLOCK)
            units = -(-wanted // unit)
            return unit << (units - 1).bit_length()  # powers of two: they can be cut
        return -(-max(block_deals, 1) // unit) * unit

    def __repr__(self) -> str:
        """Write the call that makes it: the default rules of its game, and what is changed."""
        specs = list(self.specs)
        changed = {
            key: value for key, (_, value) in differences(type(self.rules)(), self.rules).items()
        }
        more = {
            "game": self.rules.game,
            "set": changed,
            "fixed_order": self.fixed_order,
            "first_deal": self.first_deal,
            "duplicate": self.duplicate,
        }
        told = "".join(f", {name}={value!r}" for name, value in more.items() if value)
        players = specs[0] if len(dict.fromkeys(specs)) == 1 else specs
        return f"Study({players!r}, deals={self.deals}, seed={self.seed}{told})"

    @property
    def files(self) -> GameFiles:
        """The files of its game."""
        return GAME_FILES[self.rules.game]

    @cached_property
    def seatings(self) -> tuple[Seating, ...]:
        """In which players sit when a pack is dealt again; () if none is."""
        return tuple(seatings_of(self.specs)) if self.duplicate else ()

    @property
    def session(self) -> int:
        """How many deals hang together: a session of the game, or one for each seating [deals]."""
        return len(self.seatings) or self.rules.session_deals

    @property
    def unit(self) -> int:
        """Deals that something is counted of together: one session, or several [deals]."""
        return len(self.seatings) or self.rules.counted_together

    @property
    def alike(self) -> tuple[int, ...]:
        """For each player, the first one with the same strategy."""
        return tuple(map(self.specs.index, self.specs))

    @property
    def specs(self) -> tuple[str, ...]:
        """What the user called each player's strategy."""
        return tuple(strategy.spec for strategy in self.lineup)

    @property
    def end(self) -> int:
        """Index of the first deal that is not of the study any more."""
        return self.first_deal + self.deals

    def blocks(self) -> Iterator[Span]:
        """Yield the deals of each block."""
        return cut(Span(self.first_deal, self.end), self.block_deals)

    @property
    def block_sizes(self) -> tuple[int, ...]:
        """Deals of a block and of its parts, parts of parts ..., all whole units; ascending."""
        sizes = [self.block_deals]
        while sizes[0] % (NEIGHBOURS * self.unit) == 0:
            sizes.insert(0, sizes[0] // NEIGHBOURS)
        return tuple(sizes)


def make_study(
    rules: GameRules,
    strategies: Sequence[str | Strategy],
    seed: int | None,
    deals: int,
    fixed_order: bool = False,
    block_deals: int | None = None,
    first_deal: int = 0,
    duplicate: bool = False,
) -> Study:
    """Make a study of rules that have been read, as `Study` does."""
    return Study(
        strategies,
        deals,
        seed,
        rules=rules,
        fixed_order=fixed_order,
        block_deals=block_deals,
        first_deal=first_deal,
        duplicate=duplicate,
    )


def _checked(seed: int, deals: float, first_deal: int) -> int:
    """Return the number of deals as a whole number, if it and the others are within limits."""
    if not 0 <= seed < SEED_LIMIT:
        raise ContsimError(f"seed = {seed} is out of bounds: 0 to {SEED_LIMIT - 1}")
    if not 1 <= deals <= MOST_DEALS:  # nan neither
        raise ContsimError(f"deals = {deals} is out of bounds: 1 to {MOST_DEALS}")
    whole = int(deals)
    if whole != deals:
        raise ContsimError(f"deals = {deals} is no whole number: play {whole}, or {whole + 1}")
    if not 0 <= first_deal <= MOST_DEALS - whole:
        raise ContsimError(
            f"first deal {first_deal:,} is out of bounds: {whole:,} deals may begin at 0 to "
            f"{MOST_DEALS - whole:,}, name one of those"
        )
    return whole


def _seated(
    lineup: str | Strategy | Sequence[str | Strategy], rules: GameRules
) -> tuple[Strategy, ...]:
    """Find the strategies of all players."""
    strategies = [lineup] if isinstance(lineup, str | Strategy) else list(lineup)
    if len(strategies) not in (1, rules.seats):
        raise ContsimError(
            f"{len(strategies)} strategies for {rules.seats} seats: name one for all players, or "
            f"{rules.seats}, or set --seats {len(strategies)}"
        )
    found = [
        each if isinstance(each, Strategy) else find_strategy(each, rules.game)
        for each in strategies
    ]
    for each in found:
        check_game(each, rules.game)
    return tuple(found if len(found) == rules.seats else found * rules.seats)


def study_to_dict(study: Study) -> dict[str, Any]:
    """Turn a study into the tables of a study file; each strategy's source is in it."""
    return {
        "study": {
            "seed": study.seed,
            "first_deal": study.first_deal,
            "deals": study.deals,
            "lineup": list(study.specs),
            "fixed_order": study.fixed_order,
            "duplicate": study.duplicate,
            "block_deals": study.block_deals,
        },
        "rules": rules_to_dict(study.rules),
        "strategies": [
            {
                "spec": strategy.spec,
                "name": strategy.name,
                "sha256": strategy.sha256,
                "knobs": dict(strategy.knobs),
                "source": strategy.text,
            }
            for strategy in dict.fromkeys(study.lineup)
        ],
    }


_TABLES = (
    *("study", "rules", "strategies", "state", "stopping", "runs", "files", "segments"),
    "description",
)
_STUDY_KEYS = {
    "seed": int,
    "first_deal": int,
    "deals": int,
    "lineup": list,
    "fixed_order": bool,
    "duplicate": bool,
    "block_deals": int,
    "format": int,
    "code": str,
    "mark": str,
}


def study_from_dict(tables: Mapping[str, Any], where: str = "the study") -> Study:
    """Make a study of the tables of a study file or of a manifest.

    A strategy whose source is in the file is played from it; others are looked for by name.

    Raises
    ------
    ContsimError
        If a key is unknown or of the wrong type; it is named.
    """
    wanted = _described(tables, where)
    rules = tables.get("rules", "continental")
    if not isinstance(rules, str | Mapping):
        raise ContsimError(f"{where}: rules = {rules!r} is neither a name nor a table of rules")
    lineup = wanted.get("lineup", [DEFAULT_STRATEGY])
    if not all(isinstance(spec, str) for spec in lineup):
        raise ContsimError(f"{where}: lineup = {lineup!r} is not a list of strategy names")
    stored = tables.get("strategies", [])
    try:
        kept = {each["spec"]: _stored_strategy(each) for each in stored}
    except (TypeError, KeyError, AttributeError):
        raise ContsimError(f"{where}: [[strategies]] needs spec, name, source and knobs") from None
    try:
        played = load_rules(rules) if isinstance(rules, str) else rules_from_dict(rules)
    except ContsimError as error:
        raise ContsimError(f"{where}: [rules]: {error}") from None
    return make_study(
        played,
        [kept.get(spec, spec) for spec in lineup],
        wanted.get("seed"),
        wanted.get("deals", DEFAULT_DEALS),
        wanted.get("fixed_order", False),
        wanted.get("block_deals"),
        wanted.get("first_deal", 0),
        wanted.get("duplicate", False),
    )


def _described(tables: Mapping[str, Any], where: str) -> Mapping[str, Any]:
    """Return the table [study], once all names and types are right."""
    wanted = tables.get("study")
    if not isinstance(wanted, Mapping):
        raise ContsimError(f"{where} has no table [study]: if it holds rules, name it with --rules")
    if "segments" in tables:
        raise ContsimError(
            f"{where} is of a merged study, which cannot be played as one: name one of the studies "
            "that it was merged from"
        )
    for table in tables:
        if table not in _TABLES:
            near = difflib.get_close_matches(table, _TABLES, n=1)
            hint = f"did you mean [{near[0]}]?" if near else f"it may have {', '.join(_TABLES)}"
            raise ContsimError(f"{where} has an unknown table or key {table!r}: {hint}")
    if wanted.get("format", FORMAT) != FORMAT:
        raise ContsimError(
            f"{where} is of format {wanted['format']}, this version plays format {FORMAT}: "
            "play it with the version that wrote it"
        )
    for key, value in wanted.items():
        kind = _STUDY_KEYS.get(key)
        if kind is None:
            raise ContsimError(
                f"{where}: [study] has no key {key!r}: it may have {', '.join(_STUDY_KEYS)}"
            )
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise ContsimError(f"{where}: {key} = {value!r} is not of type {kind.__name__}")
    return wanted


def _stored_strategy(table: Mapping[str, Any]) -> Strategy:
    settings = ",".join(f"{knob}={value!r}" for knob, value in table["knobs"].items())
    return make_strategy(table["spec"], table["name"], table["source"], settings)


def read_tables(path: Path) -> dict[str, Any]:
    """Read the tables of a study file or of a manifest.

    Raises
    ------
    ContsimError
        If it cannot be read or is not TOML.
    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise ContsimError(f"cannot read the study file {path}: {error.strerror}") from None
    except ValueError as error:
        raise ContsimError(f"{path} is not TOML: {error}") from None


def load_study(path: Path) -> Study:
    """Read a study file, such as the manifest of an earlier study.

    Raises
    ------
    ContsimError
        If it cannot be read or is no study.
    """
    return study_from_dict(read_tables(path), str(path))
