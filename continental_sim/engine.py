"""The engine from Python: a table with its players in memory, and what they play on it."""

import functools
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from continental_sim.cards import JOKER, face_name
from continental_sim.cubes import Block, StudyCubes
from continental_sim.errors import StudyFailed
from continental_sim.game_tables import GameTables, are_ready, game_tables
from continental_sim.interrupts import raise_held
from continental_sim.kernels import dealing, playing, rng, turns
from continental_sim.kernels.jit import COMPILED, code_directory
from continental_sim.kernels.memory import address_of, forget
from continental_sim.kernels.records import GAME, MOST_MOVES, PUBLIC, SEAT
from continental_sim.players import Player, load_player
from continental_sim.rules import GameRules
from continental_sim.seating import Seating
from continental_sim.strategy import Strategy, shipped_strategy
from continental_sim.study import Study

# What `where` of a game says in place of a deal.
NOWHERE = -1  # nobody plays
LOADING = -2  # the strategy of the player that it names is being loaded

HEARD_AFTER = 0.1  # [seconds] that a compiled call should last: a signal is heard after it


@dataclass(frozen=True)
class Table:
    """The memory of one table: everything that a block of deals is played on.

    Attributes
    ----------
    tables : GameTables
    players : tuple of Player
    game, public : records GAME and PUBLIC
    seats : tuple of record SEAT
        Each in memory of its own.
    """

    tables: GameTables
    players: tuple[Player, ...]
    game: Any
    public: Any
    seats: tuple[Any, ...]

    @property
    def rules(self) -> Any:
        """The record RULES."""
        return self.tables.record


@contextmanager
def table_for(
    rules: GameRules,
    players: Sequence[Player],
    seed: int,
    *,
    fixed_order: bool = False,
    seatings: Sequence[Seating] = (),
    log: bool = False,
    game: np.ndarray | None = None,
) -> Iterator[Table]:
    """Set up a table.

    Parameters
    ----------
    rules : GameRules
    players : sequence of Player
        One a seat; none for a table that only deals.
    seed : int
    fixed_order : bool
    seatings : sequence of Seating
        In which each pack is dealt again, one after the other.
    log : bool
        Whether `game.log` keeps each move.
    game : records GAME[1], optional
        Memory for the game that another process sees too; memory of its own if left out.
    """
    fresh = np.zeros(1, GAME)
    if game is None:
        game = fresh
    else:
        place_game(fresh, NOWHERE)
        game[:] = fresh
    tables = game_tables(rules)
    public = np.zeros(1, PUBLIC).view(np.recarray)
    seats = [np.zeros(1, SEAT).view(np.recarray) for _ in range(rules.seats)]
    record = game.view(np.recarray)[0]
    record.seed = seed
    record.fixed_order = fixed_order
    record.log_size = MOST_MOVES if log else 0
    record.game_at = address_of(game.view(np.recarray))
    record.public_at = address_of(public)
    record.rules_at = tables.address
    seated = np.array(seatings, np.uint8).reshape(-1)
    record.seatings, record.seatings_at = len(seatings), address_of(seated)
    for number, seat in enumerate(seats):
        seat[0].seat = number
        seat[0].dice_key = dice_key(seed)
        record.seat_at[number] = address_of(seat)
    for number, player in enumerate(players):
        record.entries[number] = player.entries
        record.foreign[number] = player.foreign
    try:
        # uint64 arithmetic wraps, which interpreted code warns of.
        with _imagined(rules, players, seats), np.errstate(over="ignore"):
            yield Table(tables, tuple(players), record, public[0], tuple(seat[0] for seat in seats))
    finally:
        place_game(game, NOWHERE)
        own = (record.game_at, record.public_at, record.seatings_at, *record.seat_at[: rules.seats])
        forget([int(address) for address in own])


@contextmanager
def _imagined(rules: GameRules, players: Sequence[Player], seats: Sequence[Any]) -> Iterator[None]:
    """Give the seats another table for the deals that they imagine, if a player asks for any."""
    rollouts = next((player.rollouts for player in players if player.rollouts), ())
    if not rollouts:
        yield
        return
    with table_for(rules, (), 0) as table:
        table.game.entries[:] = (*rollouts[1:], 0)
        for seat in seats:
            seat[0].rollouts_entry, seat[0].imagined_at = rollouts[0], table.game.game_at
        yield


def place_game(game: np.ndarray | None, deal: int, player: int = 0) -> None:
    """Say in a game that another process may see, if it is one, what goes on outside the deals."""
    if game is not None:
        game["where"][0, [turns.AT_DEAL, turns.AT_PLAYER]] = deal, player


def load_players(
    study: Study,
    load: Callable[[Strategy], Player] | None = None,
    game: np.ndarray | None = None,
) -> list[Player]:
    """Make the line-up of a study ready to play.

    Parameters
    ----------
    study : Study
    load : callable
        Makes a strategy ready to play; `load_player` afresh if None.
    game : records GAME[1], optional
        Memory that tells another process which player is being loaded.
    """
    load = load or functools.partial(load_player, game=study.rules.game, fresh=True)
    players = []
    for number, strategy in enumerate(study.lineup):
        place_game(game, LOADING, number)
        players.append(load(strategy))
    return players


def dice_key(seed: int) -> int:
    """Derive the key of the strategies' dice, from which the seed of the deck cannot be told."""
    state = np.zeros(4, np.uint64)
    with np.errstate(over="ignore"):
        rng.philox(np.uint64(seed), rng.DICE, 0, 0, state)
    return int(state[0])


def records_of(study: Study, deals: int) -> tuple[Any, Any]:
    """Return what the engine fills for deals: outcomes[deals] and openings[deals, seats]."""
    outcomes = np.zeros(deals, study.files.outcome_dtype)
    openings = np.zeros((deals, study.rules.seats), study.files.opening_dtype)
    return outcomes.view(np.recarray), openings.view(np.recarray)


def play_block(
    study: Study,
    first_deal: int,
    deals: int,
    load: Callable[[Strategy], Player] | None = None,
    game: np.ndarray | None = None,
) -> Block:
    """Play consecutive deals of a study.

    Parameters
    ----------
    study : Study
    first_deal, deals : int
        The deals first_deal .. first_deal + deals - 1.
    load : callable
        Makes a strategy ready to play; `load_player` afresh if None.
    game : records GAME[1], optional
        As for `table_for`.

    Raises
    ------
    StudyFailed
        If a strategy raised or threw a card that it may not: its name, the place and the cause.
    """
    players = load_players(study, load, game)
    outcomes, openings = records_of(study, deals)
    with table_for(
        study.rules,
        players,
        study.seed,
        fixed_order=study.fixed_order,
        seatings=study.seatings,
        game=game,
    ) as table:
        begin, step = 0, study.session
        while begin < deals:
            part = slice(begin, begin + step)
            started = time.perf_counter()
            called(
                table,
                playing.play_block,
                first_deal + begin,
                outcomes[part],
                openings[part],
            )
            raise_held()
            begin += step
            if time.perf_counter() - started < HEARD_AFTER:
                step *= 2
        behaviour = table.game.sums[: study.rules.seats].copy()
        return Block(outcomes, openings, table.game.faces.copy(), behaviour)


def play_cubes(
    study: Study, first_deal: int, deals: int, records: bool, game: np.ndarray | None = None
) -> tuple[StudyCubes, np.ndarray | None]:
    """Play a block and group it: what a worker does.

    Workers import this module, which is why it needs neither files nor Parquet. A block that
    begins in the midst of a unit is played from the unit's first deal.

    Parameters
    ----------
    study : Study
    first_deal, deals : int
    records : bool
        Whether to return the outcome of each deal as well.
    game : records GAME[1], optional
        As for `table_for`.
    """
    lead = first_deal % study.unit
    block = play_block(study, first_deal - lead, lead + deals, game=game)
    faces, behaviour = block.faces, block.behaviour
    if lead:
        before = play_block(study, first_deal - lead, lead, game=game)
        faces, behaviour = faces - before.faces, behaviour - before.behaviour
    mine = Block(block.outcomes, block.openings[lead:], faces, behaviour)
    cubes = StudyCubes.of_block(
        study.rules, mine, lead, study.session, study.alike, duplicate=study.duplicate
    )
    if not records:
        return cubes, None
    return cubes, block.outcomes[lead:].view(study.files.outcome_dtype, np.ndarray)


def dealt_packs(rules: GameRules, seed: int, deals: int) -> np.ndarray:
    """Deal the packs of the first deals of a seed, and draw all of their stock.

    Returns
    -------
    int8[deals, cards]
        Faces, in the order in which they are dealt and drawn.
    """
    packs = np.zeros((deals, rules.cards), np.int8)
    with table_for(rules, (), seed) as table:
        dealing.deal_packs(table.game, table.rules, table.public, packs)
    return packs


def called(table: Table, kernel: Callable[..., int], *arguments: Any) -> int:
    """Call a kernel that plays on a table.

    Parameters
    ----------
    table : Table
    kernel : callable
        Takes game, rules and public record, and the other arguments.

    Returns
    -------
    int
        What it returns.

    Raises
    ------
    StudyFailed
        If a strategy raised or threw a card that it may not: its name, the place and the cause.
    """
    try:
        status = kernel(table.game, table.rules, table.public, *arguments)
    except Exception as error:  # noqa: BLE001 - whatever compiled strategy code raises
        raise StudyFailed(failure(table, raised(error))) from None
    if status < turns.DONE:
        raise StudyFailed(failure(table, cause(table, status)))
    return status


def raised(error: Exception) -> str:
    """Say what compiled strategy code raised."""
    return f"raised {type(error).__name__}: {error}".removesuffix(": ")


def cause(table: Table, status: int) -> str:
    """Say what a player did that stopped the block."""
    where = table.game.where
    player = table.players[where[turns.AT_PLAYER]]
    if status == turns.STRATEGY_FAILED:
        return f"failed: {player.failures[-1] if player.failures else 'no reason given'}"
    card = int(where[turns.AT_CARD])
    last = JOKER if table.rules.copies[JOKER] else JOKER - 1  # no joker may be in the pack
    if not 0 <= card <= last:
        return f"threw card {card}, which is no face: 0 to {last}"
    mine = table.seats[where[turns.AT_SEAT]]
    if card == mine.barred:
        return f"threw {face_name(card)}, which it had just taken (return_taken = forbid)"
    return f"threw {face_name(card)}, which it does not hold"


def failure(table: Table, what: str) -> str:
    """Place what a player did."""
    specs = [player.strategy.spec for player in table.players]
    return failure_at(specs, table.game.where[: turns.AT_CARD].tolist(), what)


def failure_at(specs: Sequence[str], place: Sequence[int], what: str) -> str:
    """Put in words what a player did at a place: deal, player, seat and turn."""
    deal, player, seat, turn = place
    return (
        f"strategy {specs[player]} (player {player}) {what}, "
        f"in deal {deal}, seat {seat}, turn {turn}"
    )


def is_warm(rules: GameRules) -> bool:
    """Tell whether tables and machine code are on disk, so that a study starts at once."""
    return are_ready(rules) and is_compiled(rules)


def is_compiled(rules: GameRules) -> bool:
    """Tell whether the machine code of a game is on disk, or none is wanted."""
    return not COMPILED or _warm_mark(rules).exists()


def _warm_mark(rules: GameRules) -> Path:
    """Return the file that says that a game's engine is compiled."""
    return code_directory() / f"warm-{rules.game}"


def warm_up(rules: GameRules) -> None:
    """Build the tables and compile the engine, once for all later processes."""
    fastest = shipped_strategy("fastest", rules.game)
    study = Study(fastest, rules.seats, 0, rules=rules, block_deals=rules.seats)
    play_block(study, 0, rules.seats)
    if COMPILED:
        _warm_mark(rules).touch()
