"""Play from tests: studies, single deals with all that happened, and deals laid by hand."""

from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from continental_sim.cards import hand_counts, parse_face, parse_hand
from continental_sim.columns import GAME_FILES
from continental_sim.engine import cause, failure, table_for
from continental_sim.kernels import dealing, playing, turns
from continental_sim.kernels.games import set_hand
from continental_sim.kernels.table import clear_public, clear_seat, draw_stock, throw
from continental_sim.players import load_player
from continental_sim.rules import BasicRummyRules, ContinentalRules, GameRules, with_settings
from continental_sim.strategy import find_strategy, make_strategy
from continental_sim.study import make_study
from tests.reference import Stream

DEFAULT = ContinentalRules()
RUMMY = BasicRummyRules()
STRATEGIES = Path(__file__).parent / "strategies"
ENDS = ("exit", "drawn", "capped")


def rules_with(*changes, base=DEFAULT):
    """Change the default rules, or others."""
    return with_settings(base, changes)


def rummy_with(*changes):
    """Change the default rules of Basic Rummy."""
    return with_settings(RUMMY, changes)


def strategy(spec, game="continental"):
    """Find a strategy of the tests, of the program, or of a text that defines one."""
    if "\n" in spec:
        return make_strategy("inline", "inline", spec)
    name = spec.partition(":")[0]
    return find_strategy(f"{STRATEGIES}/{spec}" if name.endswith(".py") else spec, game)


def study_of(rules, specs, deals, *, seed=1, fixed_order=False, block_deals=None):
    """Make a study of one strategy for all, or one each."""
    specs = [specs] if isinstance(specs, str) else specs
    found = [strategy(spec, rules.game) for spec in specs]
    return make_study(rules, found, seed, deals, fixed_order, block_deals)


@dataclass
class Played:
    """All that happened in one deal."""

    rules: GameRules
    outcome: np.void
    hands: list  # as dealt, int8[53] each
    upcard: int
    stock: list  # in the order in which it is drawn
    moves: list  # (source, face taken, face thrown) of each turn that was finished
    laid: list  # what each of them laid on the table: sets and runs, masks of Basic Rummy
    seated: list  # player of each seat
    stopped: str  # how a strategy failed, "" if none did
    after: list = field(default_factory=list)  # the hands at the end
    pile: list = field(default_factory=list)  # at the end, from the bottom
    memos: list = field(default_factory=list)  # of the seats, at the end
    public: dict = field(default_factory=dict)  # what all see at the end

    @property
    def end(self):
        return ENDS[self.outcome["end"]]

    @property
    def kind(self):
        kinds = GAME_FILES[self.rules.game].kinds
        return kinds[self.outcome["kind"]].replace("-", "_") if self.outcome["kind"] >= 0 else None


@contextmanager
def table_of(rules, specs, *, seed=1, fixed_order=True, log=True):
    """Set up a table with strategies at it."""
    specs = [specs] * rules.seats if isinstance(specs, str) else specs
    players = [load_player(strategy(spec, rules.game), rules.game, fresh=True) for spec in specs]
    with table_for(rules, players, seed, fixed_order=fixed_order, log=log) as table:
        yield table


def status_of(table, play):
    """Call a kernel that plays; return its status, and how a strategy failed ("" if none did)."""
    try:
        status = play()
    except (IndexError, ValueError, ArithmeticError) as error:
        return None, failure(table, f"raised {type(error).__name__}: {error}")
    return status, "" if status == turns.DONE else failure(table, cause(table, status))


def moves_of(table):
    """List the moves in the log, and what each of them laid."""
    logged = int(table.game.logged)
    return [
        [tuple(row) for row in log[:logged].tolist()]
        for log in (table.game.log, table.game.log_laid)
    ]


def play_deal(rules, specs, deal, *, seed=1, fixed_order=True):
    """Play one deal of a seed, as the engine deals it."""
    with table_of(rules, specs, seed=seed, fixed_order=fixed_order) as table:
        return replayed(table, rules, deal)


def replayed(table, rules, deal):
    """Play one deal on a table that is set up."""
    files = GAME_FILES[rules.game]
    outcomes = np.zeros(1, files.outcome_dtype).view(np.recarray)
    openings = np.zeros((1, rules.seats), files.opening_dtype).view(np.recarray)
    _, stopped = status_of(
        table,
        lambda: playing.play_block(table.game, table.rules, table.public, deal, outcomes, openings),
    )
    moves, left = moves_of(table), left_on(table, rules)
    seated = [int(seat.player) for seat in table.seats]
    dealing.deal_cards(table.game, table.rules, table.public, deal)
    hands = [seat.hand.copy() for seat in table.seats]
    upcard = int(table.public.upcard)
    stock = [
        int(draw_stock(table.game, table.public, table.rules)) for _ in range(rules.stock_size)
    ]
    return Played(rules, outcomes[0], hands, upcard, stock, *moves, seated, stopped, *left)


def left_on(table, rules):
    """Copy what lies on the table when a deal is over: hands, pile, memos, what all see."""
    public, size = table.public, int(table.public.pile_size)
    return (
        [seat.hand.copy() for seat in table.seats],
        public.pile[:size].tolist(),
        [seat.memo.tolist() for seat in table.seats],
        seen_on(table, rules),
    )


def seen_on(table, rules):
    """Copy what all see."""
    public, seats, size = table.public, table.seats, int(table.public.pile_size)
    seen = {
        "known": public.known[: len(seats)].tolist(),
        "thrower": public.thrower[:size].tolist(),
        "in_pile": public.in_pile.tolist(),
        "recycled": public.recycled.tolist(),
        "recycles": int(public.recycles),
        "stock_size": int(public.stock_size),
        "upcard": int(public.upcard),
    }
    if rules.game == "basic-rummy":
        seen |= {
            "on_table": public.on_table.tolist(),
            "hand_sizes": public.hand_sizes[: len(seats)].tolist(),
            "laid": [int(seat.laid) for seat in seats],
            "melded": [bool(seat.melded) for seat in seats],
        }
    return seen


def lay(table, rules, hands, upcard, stock=(), *, deal=0):
    """Lay a deal on the table by hand: who holds what, the upcard, and the stock in its order.

    Hands are text or faces; players sit in the order of the line-up. The stock may be short of
    cards: what is not mentioned is nowhere.
    """
    dealing.deal_cards(table.game, table.rules, table.public, deal)
    clear_public(table.public, rules.seats)
    for number, (seat, hand) in enumerate(zip(table.seats, hands, strict=True)):
        clear_seat(seat)
        seat.deal, seat.player = deal, number
        faces = faces_of(hand)
        table.game.stock[: len(faces)] = faces
        set_hand(seat, table.rules, table.game, 0, len(faces))
        table.public.hand_sizes[number] = len(faces)
    throw(table.public, faces_of(upcard)[0], -1)
    stock = faces_of(stock)
    first = rules.cards - len(stock)  # the stock ends where the pack does
    table.game.position, table.public.stock_size = first, len(stock)
    # The stock is shuffled as it is drawn: lay each card where the shuffle will look for it.
    places = Stream.of_state(table.game.state).shuffled(range(len(stock)))
    for face, place in zip(stock, places, strict=True):
        table.game.stock[first + place] = face


def faces_of(cards):
    """Read text; leave faces as they are."""
    return parse_hand(cards) if isinstance(cards, str) else [int(face) for face in cards]


def play_laid(rules, specs, hands, upcard, stock=(), *, scripts=None):
    """Play a deal that is laid by hand; `scripts` tells the players of `script.py` what to do.

    A script is text such as ``"-KC <2D"``: by turns, what to throw after a draw from the stock
    (``-KC``) or from the pile (``<2D``: take and throw). In Basic Rummy, where `script_rummy.py`
    plays it, ``~`` after that declines to lay anything, and ``-.`` throws nothing: the last card is
    laid.
    """
    with table_of(rules, specs) as table:
        lay(table, rules, hands, upcard, stock)
        for seat, script in zip(table.seats, scripts or [""] * rules.seats, strict=True):
            write_script(seat, script)
        outcome = np.zeros(1, GAME_FILES[rules.game].outcome_dtype).view(np.recarray)[0]
        _, stopped = status_of(
            table, lambda: playing.play_deal(table.game, table.rules, table.public, outcome)
        )
        hands = [hand_counts(faces_of(hand)) for hand in hands]
        return Played(
            rules, outcome, hands, faces_of(upcard)[0], faces_of(stock), *moves_of(table),
            list(range(rules.seats)), stopped, *left_on(table, rules),
        )  # fmt: skip


def write_script(seat, script):
    """Put a script into a seat's memo.

    For each turn 2 * face thrown, + 1 to take the upcard, + 128 to lay nothing.
    """
    for turn, word in enumerate(script.split()):
        thrown = word[1:].removesuffix("~")
        face = parse_face(thrown) if thrown != "." else 0
        seat.memo[turn] = 2 * face + (word[0] == "<") + 128 * word.endswith("~")
