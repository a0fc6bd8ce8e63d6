"""Strategy files as text, and what stops a bad one."""

import pytest

from continental_sim.engine import play_block
from continental_sim.errors import ContsimError
from continental_sim.play.means import Means, Watcher
from continental_sim.play.prepare import prepare
from continental_sim.strategy import make_strategy
from continental_sim.study import make_study
from tests.reference import pack_order
from tests.tabletop import DEFAULT

HEAD = "from continental_sim.api import *\nimport numpy as np\n\n\n"
TAKE = "def take_discard(view):\n    return False\n\n\n"


def source(*lines, head=HEAD, take=TAKE, more=""):
    """Write a file whose `choose_discard` has these lines, the first of them on line 10."""
    return head + take + "def choose_discard(view):\n" + "".join(f"    {x}\n" for x in lines) + more


def importing(line):
    """Write a file whose first line imports something."""
    return source("return 0", head=f"{line}\n")


def run_file(text, deals):
    """Prepare and play a study of a file, as `contsim run` does."""
    study = make_study(DEFAULT, [make_strategy("bad.py", "bad", text)], 1, deals)
    prepare(study, Means(), Watcher())
    play_block(study, 0, deals)


def stopped(text, deals=16):
    """Prepare and play a study of a file, as `contsim run` does; return what stops it."""
    with pytest.raises(ContsimError) as caught:
        run_file(text, deals)
    message = str(caught.value)
    assert "\n" not in message
    return caught.value, message


def breaks_in(deal, seed, how="1 // 0"):
    """Write a strategy that fails in one deal alone, which it knows by seat 0's hand."""
    code = sum((face + 3) ** 3 for face in pack_order(DEFAULT, seed, deal)[:15])
    return (
        "from continental_sim.api import best_discard\n\n\n"
        "def take_discard(view):\n    return False\n\n\n"
        "def choose_discard(view):\n"
        "    if view.turn == 1 and view.seat == 0:\n"
        "        code = -(view.taken + 3) ** 3 if view.taken >= 0 else 0\n"
        "        for face in range(53):\n"
        "            code += view.hand[face] * (face + 3) ** 3\n"
        "        for face in range(53):\n"  # one of the 16 cards was drawn
        f"            if view.hand[face] > 0 and code - (face + 3) ** 3 == {code}:\n"
        f"                return {how}\n"
        "    return best_discard(view)\n"
    )
