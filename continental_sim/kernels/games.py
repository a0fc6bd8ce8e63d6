"""The kernels of the game that is played.

Each game has its own kind of rules record. Which game's kernel is meant is told by the record that
it is given, when its caller is compiled, once for each game: it costs nothing in play.
"""

from inspect import signature

from numba.extending import overload

from continental_sim.kernels import basic_rummy, continental
from continental_sim.kernels.records import RULES, RUMMY_RULES, rules_type, rummy_rules_type

_GAMES = {RULES.names: continental, RUMMY_RULES.names: basic_rummy}
_GAMES_BY_TYPE = {rules_type: continental, rummy_rules_type: basic_rummy}


def _by_game(function):
    """Let compiled code call the kernel of a function's name, in the game of the rules given."""
    place = list(signature(function).parameters).index("rules")

    @overload(function, strict=False)
    def chosen(*types):
        kernel = getattr(_GAMES_BY_TYPE[types[place]], function.__name__)
        return lambda *arguments: kernel(*arguments)

    return function


@_by_game
def set_hand(seat, rules, game, first, last):
    """Deal the cards first .. last - 1 of the stock to a seat whose record is cleared."""
    _GAMES[rules.dtype.names].set_hand(seat, rules, game, first, last)


@_by_game
def take_turn(game, rules, public, mine):
    """Play a turn; return GOES_ON, WENT_OUT, NO_CARD, ILLEGAL_CARD or STRATEGY_FAILED."""
    return _GAMES[rules.dtype.names].take_turn(game, rules, public, mine)


@_by_game
def record_exit(game, rules, mine, outcome):
    """Write what is the game's own of a deal that a seat has won into its outcome."""
    _GAMES[rules.dtype.names].record_exit(game, rules, mine, outcome)


@_by_game
def record_no_exit(rules, outcome):
    """Write into an outcome that nothing of the game's own came about."""
    _GAMES[rules.dtype.names].record_no_exit(rules, outcome)


@_by_game
def note_opening(rules, mine, opening):
    """Write into an OPENING what a dealt hand is worth."""
    _GAMES[rules.dtype.names].note_opening(rules, mine, opening)


@_by_game
def note_ending(rules, mine, opening):
    """Write into an OPENING what is left of the hand when the deal is over."""
    _GAMES[rules.dtype.names].note_ending(rules, mine, opening)


@_by_game
def can_go_out(rules, mine, public):
    """Tell whether a hand can go out, with a card taken after some discard."""
    return _GAMES[rules.dtype.names].can_go_out(rules, mine, public)
