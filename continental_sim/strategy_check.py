"""The contract's tests on one strategy file, as `contsim strategies check` runs them."""

import time
from collections.abc import Iterator

import numpy as np

from continental_sim.engine import Table, play_block, table_for
from continental_sim.errors import ContsimError, StudyFailed
from continental_sim.interrupts import stoppable
from continental_sim.kernels import continental, table
from continental_sim.players import load_interpreted, load_player
from continental_sim.rules import ContinentalRules, with_settings
from continental_sim.strategy import Strategy, find_strategy
from continental_sim.study import make_study

SEED = 20
# Rules at the edges: each forbids or ends something that a strategy may have taken for granted.
EDGES = (
    (),
    ("return_taken=forbid",),
    ("wild_discard_takeable=false", "exit_mandatory=true"),
    ("recycles=0", "seats=2"),
    ("wild_ranks=", "jokers=0"),
    ("ace=low", "seats=5"),
)
RATE_SECONDS = 0.5  # [seconds] of play from which a speed is told
ROUNDS = 60  # a deal of a strategy that never gets there is long, and shows nothing more
DEALS = 200  # [deals] of each edge; interpreted strategies play a tenth


def check_strategy(spec: str, rules: ContinentalRules) -> list[str]:
    """Test a strategy against the contract.

    Parameters
    ----------
    spec : str
        As for `find_strategy`.
    rules : ContinentalRules
        Played besides the rules at the edges.

    Returns
    -------
    list of str
        A sentence for each thing that holds.

    Raises
    ------
    ContsimError
        For the first thing that does not hold.
    """
    with stoppable():
        return list(_findings(find_strategy(spec), rules))


def _findings(strategy: Strategy, rules: ContinentalRules) -> Iterator[str]:
    yield "the file keeps the contract: functions, fields, names, imports"
    player = load_player(strategy)
    if player.foreign:
        yield f"it runs interpreted, some 100 times slower than compiled: {player.reason}"
    else:
        yield "it compiles"
    deals = DEALS // 10 if player.foreign else DEALS
    for edge in EDGES:
        _play(strategy, _edge_rules(rules, edge), deals)
    yield f"it plays {deals} deals under each of {len(EDGES)} rule sets without an illegal card"
    short = _edge_rules(rules, ())
    if _play(strategy, short, deals) != _play(strategy, short, deals):
        raise ContsimError(
            f"{strategy.name} plays the same deals differently the second time: "
            "use api.roll for dice"
        )
    yield "it plays the same deals the same way again"
    _refuse_peeking(strategy, rules, deals)
    yield "it acts alike when only the hidden cards differ"
    if not player.foreign:
        _compare_interpreted(strategy, short, deals // 10)
        yield "it plays interpreted as it does compiled"
    rate = _rate(strategy, rules, deals)
    yield f"it plays about {float(f'{rate:.2g}'):,.0f} deals a second on one core"


def _edge_rules(rules: ContinentalRules, edge: tuple[str, ...]) -> ContinentalRules:
    return with_settings(rules, [*edge, f"max_rounds={min(ROUNDS, rules.max_rounds)}"])


def _play(strategy: Strategy, rules: ContinentalRules, deals: int) -> bytes:
    try:
        return play_block(make_study(rules, [strategy], SEED, deals), 0, deals).outcomes.tobytes()
    except StudyFailed as failed:
        raise ContsimError(str(failed)) from None


def _rate(strategy: Strategy, rules: ContinentalRules, deals: int) -> float:
    begun, played = time.perf_counter(), 0
    while (passed := time.perf_counter() - begun) < RATE_SECONDS:
        _play(strategy, rules, deals)
        played += deals
    return played / passed


def _refuse_peeking(strategy: Strategy, rules: ContinentalRules, deals: int) -> None:
    """Ask in two worlds that differ in what the seat cannot see."""
    player = load_player(strategy)
    players = [player] * rules.seats
    with table_for(rules, players, SEED) as here, table_for(rules, players, SEED) as there:
        for deal in range(deals):
            for world in (here, there):
                continental.deal_cards(world.game, world.rules, world.public, deal)
            _permute_hidden(there, deal)
            answers = [_first_turn(world) for world in (here, there)]
            if answers[0] != answers[1]:
                raise ContsimError(
                    f"{strategy.name} answers {answers[0]} and {answers[1]} in deal {deal} "
                    f"of seed {SEED}, "
                    "though only hidden cards differ"
                )


def _permute_hidden(world: Table, deal: int) -> None:
    """Shuffle the stock and all hands but seat 0's together."""
    rng = np.random.default_rng(deal)
    game = world.game
    first, last = int(game.position), int(game.stock_end)
    hidden = np.concatenate(
        [np.repeat(np.arange(len(seat.hand)), seat.hand) for seat in world.seats[1:]]
        + [game.stock[first:last]]
    )
    rng.shuffle(hidden)
    for seat in world.seats[1:]:
        size = int(seat.hand.sum())
        for face in np.repeat(np.arange(len(seat.hand)), seat.hand):
            table.take_away(seat, world.rules, int(face))
        for face in hidden[:size]:
            table.give(seat, world.rules, int(face))
        hidden = hidden[size:]
    game.stock[first:last] = hidden


def _first_turn(world: Table) -> tuple[int, int]:
    """Ask seat 0 what it takes, and what it throws when it has the upcard."""
    seat = world.seats[0]
    seat.turn = 1
    taken = bool(continental.ask(world.game, seat, continental.TAKE))
    face = int(world.public.upcard)
    table.give(seat, world.rules, face)
    return taken, int(continental.ask(world.game, seat, continental.THROW))


def _compare_interpreted(strategy: Strategy, rules: ContinentalRules, deals: int) -> None:
    study = make_study(rules, [strategy], SEED, deals)
    compiled = play_block(study, 0, deals).outcomes
    interpreted = play_block(study, 0, deals, load=load_interpreted).outcomes
    different = np.flatnonzero(compiled != interpreted)
    if len(different):
        raise ContsimError(
            f"{strategy.name} plays deal {different[0]} of seed {SEED} differently when it is "
            "interpreted: "
            "look for numbers that overflow or a negative index"
        )
