"""What tests ask the child process of `watch`: it imports this module."""

import os
import time
from pathlib import Path

from continental_sim.engine import load_players, play_block, table_for


def rest_before(study, seconds, game=None):
    """Take long before the first deal, at a table that is set up."""
    players = load_players(study, game=game)
    with table_for(study.rules, players, study.seed, game=game):
        time.sleep(seconds)


def rest_after(study, seconds, game=None):
    """Take long after the last deal."""
    play_block(study, 0, study.deals, game=game)
    time.sleep(seconds)


def process(study, game=None):
    """Tell who is asked."""
    return os.getpid()


def directory(study, game=None):
    """Tell where it is asked."""
    return str(Path.cwd())


def read_input(study, game=None):
    """Read what a strategy would get from standard input."""
    return os.read(0, 10)


def fail(study, error, game=None):
    """Raise an error."""
    raise error


class StuckError(Exception):
    """An error that cannot be pickled."""

    def __reduce__(self):
        raise TypeError("no")


def fail_strangely(study, game=None):
    """Raise an error that cannot travel."""
    raise StuckError("lost")
