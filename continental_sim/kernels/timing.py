"""Questions put to a strategy many times over, to be timed."""

import numpy as np

from continental_sim.kernels.jit import kernel
from continental_sim.kernels.memory import copy_memory
from continental_sim.kernels.records import SEAT
from continental_sim.kernels.turns import ask

# What a question may change of a seat: its dice and its memo lie together.
FIRST = SEAT.fields["dice_ready"][1]
BYTES = SEAT.fields["hand"][1] - FIRST


@kernel
def ask_often(game, mine, question, times, kept_at):
    """Put a question to the player of a seat, with the same dice and memo each time.

    Parameters
    ----------
    game : record GAME
    mine : record SEAT
    question : int
        TAKE, THROW or GO_OUT.
    times : int
    kept_at : uint64
        Address of a copy of the seat.
    """
    start = np.uint64(FIRST)
    for _ in range(times):
        ask(game, mine, question)
        copy_memory(game.seat_at[mine.seat] + start, kept_at + start, BYTES)
