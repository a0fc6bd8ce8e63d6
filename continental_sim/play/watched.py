"""The child process of `watch`: it plays what it is asked to, in sight of its parent.

Requests come and answers go as pickles, over what were its standard input and output.
"""

import mmap
import os
import pickle
import sys
from collections.abc import Callable, Sequence
from typing import IO, Any

from continental_sim.processes import die_with_parent


def main(arguments: Sequence[str]) -> None:
    """Answer requests until the parent closes their stream.

    Parameters
    ----------
    arguments : sequence of str
        Descriptor of the file that holds the game, and the parent's process id.
    """
    descriptor, parent = map(int, arguments)
    die_with_parent(parent)
    requests, answers = _streams()

    import numpy as np

    from continental_sim.kernels.records import GAME

    game = np.frombuffer(mmap.mmap(descriptor, GAME.itemsize), GAME)
    os.close(descriptor)
    while True:
        try:
            place, function, study, rest = pickle.load(requests)  # noqa: S301 - our own parent's
        except EOFError:
            return
        os.chdir(place)  # where the parent is now: a strategy may read a file there
        answers.write(_answer(function, study, rest, game))
        answers.flush()


def _streams() -> tuple[IO[bytes], IO[bytes]]:
    """Take standard input and output away from strategies: what they print is no answer."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr  # which is written at once: this process may be killed
    os.close(nothing)
    return requests, answers


def _answer(function: Callable[..., Any], study: Any, rest: tuple[Any, ...], game: Any) -> bytes:
    """Call a function; pack what it returned and what it raised."""
    from continental_sim.engine import is_warm, warm_up

    try:
        if not is_warm(study.rules):  # on a new machine; slow, but not a strategy's doing
            warm_up(study.rules)
        return pickle.dumps((function(study, *rest, game=game), None))
    except BaseException as error:  # noqa: BLE001 - the parent raises it
        try:
            return pickle.dumps((None, error))
        except Exception:  # noqa: BLE001 - not all errors can travel
            return pickle.dumps((None, RuntimeError(f"{type(error).__name__}: {error}")))


if __name__ == "__main__":
    main(sys.argv[1:])
