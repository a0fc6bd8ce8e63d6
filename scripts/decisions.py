"""Decisions of a strategy, each of whose discards is played to the end on the same cards.

The kernel is `continental_sim.kernels.weighing`. Here is who is asked, and how many deals are
parted among workers.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from continental_sim.columns import OUTCOME
from continental_sim.engine import load_players, table_for
from continental_sim.kernels.memory import address_of, forget
from continental_sim.kernels.splitting import TREE, deal_bytes
from continental_sim.kernels.weighing import ASKED, LOST, MASK, OPTION, weigh
from continental_sim.players import load_player
from continental_sim.rules import ContinentalRules
from continental_sim.strategy import Strategy, make_strategy
from continental_sim.study import make_study

MOST_OPTIONS = 80  # [a deal] that there is room for

# In place of a strategy's own choice: count what is near the card that is asked for, and throw it.
PROBE = f"""

def choose_discard(view):
    face = view.memo[{ASKED}] - 1
    if face < 0:
        view.memo[{MASK}] = 0 if can_go_out(view) else near_discards(view, SLACK)
        return most_outs_discard(view)
    near_discards(view, SLACK)
    count_near(view, face)
    count_thrown(view, face)
    view.memo[{LOST}] = outs_lost(view, face)
    return face
"""


@dataclass(frozen=True)
class Chunk:
    """Deals from which decisions are taken, as plain data.

    Attributes
    ----------
    rules : ContinentalRules
    lineup : tuple of Strategy
    learner : Strategy
        Whose decisions they are, and how it plays on; its file counts what is near a card.
    seed, first_deal, deals : int
    """

    rules: ContinentalRules
    lineup: tuple[Strategy, ...]
    learner: Strategy
    seed: int
    first_deal: int
    deals: int


def play_chunk(chunk: Chunk) -> np.ndarray:
    """Return the options of a chunk.

    Returns
    -------
    records OPTION
        Those of a decision one after the other.
    """
    study = make_study(chunk.rules, chunk.lineup, chunk.seed, chunk.deals)
    players = load_players(study)
    probe = load_player(probe_of(chunk.learner))
    options = np.zeros(chunk.deals * MOST_OPTIONS, OPTION).view(np.recarray)
    tree, saved = np.zeros(1, TREE).view(np.recarray), np.zeros(deal_bytes(len(players)), np.uint8)
    tree[0].saved_at, tree[0].saved_bytes = address_of(saved), len(saved)
    outcome = np.zeros(1, OUTCOME).view(np.recarray)
    learns = np.array([strategy == chunk.learner for strategy in chunk.lineup])
    own = np.array([player.entries for player in players], np.uint64)
    with table_for(chunk.rules, players, chunk.seed) as table:
        number = weigh(
            table.game, table.rules, table.public, tree[0], outcome[0],
            np.array(probe.entries, np.uint64), own, learns,
            chunk.first_deal, chunk.deals, options,
        )  # fmt: skip
    forget([int(tree[0].saved_at)])
    return options[:number].copy()


def probe_of(learner: Strategy) -> Strategy:
    """Make the strategy that asks, out of the one that learns."""
    settings = ",".join(f"{knob}={value}" for knob, value in learner.knobs)
    return make_strategy("probe", "probe", learner.text + PROBE, settings)


def chunks_of(
    rules: ContinentalRules,
    lineups: Sequence[Sequence[Strategy]],
    learner: Strategy,
    seed: int,
    deals: int,
    chunk_deals: int,
) -> list[Chunk]:
    """Part the deals of several line-ups into chunks; each line-up has deals of its own."""
    made: list[Chunk] = []
    for lineup in lineups:
        for _ in range(0, deals, chunk_deals):
            first = len(made) * chunk_deals
            made.append(Chunk(rules, tuple(lineup), learner, seed, first, chunk_deals))
    return made
