"""How a strategy asks for rollouts: see `imagined`, which those alone compile who ask."""

import numpy as np

from continental_sim.kernels.jit import kernel
from continental_sim.kernels.memory import call_compiled, record_address
from continental_sim.kernels.records import FACES

NOTHING = -1  # is thrown: the deal goes on as it stands
MOST_ROLLOUTS = 1 << 20
CHOICES = FACES + 1  # a face, or NOTHING


@kernel
def rollouts(seat, public, face, number):
    """Return what a seat gets, on average, in deals that it imagines [points].

    Trusts that it may throw the face, and that its table has one for such deals.
    """
    question = np.uint64(CHOICES * number + 1 + face)
    at, public_at = record_address(seat), record_address(public)
    return call_compiled(seat.rollouts_entry, at, public_at, question) / number
