"""A referee of Basic Rummy, by the rules' words: every card, every meld, and the score.

The melds lie before him one by one, as they were laid. He shares nothing with the engine but the
rules record, the keys of the random streams, and how the log writes down what was laid.
"""

from tests import rummy_oracle as oracle
from tests.referee import Referee, counts

LANE = 15  # bits of the log's masks for each suit
NOTHING = -1


class RummyReferee(Referee):
    """One deal of a seed, watched from the deal on.

    Attributes
    ----------
    sets : dict of int to set of int
        The suits that lie in the set of a rank.
    runs : list of (int, set of int)
        The suit and the places of each run; place 13 is the ace above the king.
    laid : list of int
        Cards that each seat has laid.
    melded : list of bool
        Whether each seat has laid a meld of its own.
    """

    def __init__(self, rules, seed, deal, *, fixed_order=False):
        self.sets, self.runs = {}, []
        self.laid, self.melded = [0] * rules.seats, [False] * rules.seats
        self.sizes = [rules.hand_size] * rules.seats
        self.thrown = self.rummy = False  # how the last turn went
        super().__init__(rules, seed, deal, fixed_order=fixed_order)

    @property
    def on_table(self):
        """The faces that lie in melds."""
        in_sets = [13 * suit + rank for rank, suits in self.sets.items() for suit in suits]
        return in_sets + [13 * suit + place % 13 for suit, run in self.runs for place in run]

    def check_cards(self):
        """Each of the 52 cards is in one place, and no hand has a wrong size."""
        there = [*self.pile, *self.stock, *self.on_table]
        for seat, hand in enumerate(self.hands):
            there += hand
            assert len(hand) == self.sizes[seat]
            assert len(hand) + self.laid[seat] in (
                self.rules.hand_size,
                self.rules.hand_size + (not hand and not self.thrown),
            )
        assert sorted(there) == list(range(52))

    def turn(self, seat, move, laid, *, lays_best=False):
        """Check one turn: the card taken, what is laid, the card thrown."""
        source, face, thrown = move
        barred = self.draw(seat, source, face)
        before = self.laid[seat]
        self.lay(seat, barred, *laid, lays_best=lays_best)
        self.thrown = thrown != NOTHING
        if self.thrown:
            self.throw(seat, thrown, barred)
        else:
            assert not self.hands[seat]
            assert not self.rules.must_discard_to_go_out
        self.sizes[seat] = len(self.hands[seat])
        self.rummy = not self.hands[seat] and before == 0
        self.check_cards()

    def lay(self, seat, barred, in_sets, in_runs, *, lays_best):
        """Check what a turn lays, and lay it."""
        hand = self.hands[seat]
        sets = {(rank, suit) for suit, rank in read(in_sets)}
        runs = read(in_runs)
        cards = [13 * suit + rank for rank, suit in sets]
        cards += [13 * suit + place % 13 for suit, place in runs]
        assert len(set(cards)) == len(cards)
        assert set(cards) <= set(hand)
        if lays_best:
            self.check_best(seat, barred, set(hand) - set(cards))
        new, own, layoffs = self.lay_sets(sets)
        more = self.lay_runs(runs)
        new, own, layoffs = new + more[0], own + more[1], layoffs + more[2]
        if self.rules.one_meld_per_turn:
            assert new <= 1
        if self.rules.layoff_needs_meld and layoffs:
            assert self.melded[seat] or own
        self.laid[seat] += len(cards)
        self.melded[seat] |= own > 0
        for face in cards:
            hand.remove(face)
            self.known[seat][face] = 0

    def lay_sets(self, cards):
        """Lay cards in sets; count new melds, those and melds in lay-offs, and lay-offs."""
        new = layoffs = 0
        for rank in {rank for rank, _ in cards}:
            suits = {suit for other, suit in cards if other == rank}
            if rank in self.sets:
                layoffs += 1
            else:
                assert len(suits) >= 3
                new += 1
            self.sets.setdefault(rank, set()).update(suits)
        return new, new, layoffs

    def lay_runs(self, places):
        """Lay cards in runs; count as for `lay_sets`.

        A stretch beside a run on the table is a lay-off, and a meld too if it has three cards.
        """
        new = own = layoffs = 0
        assert all(place <= 12 or self.rules.ace == "both" for _, place in places)
        for suit, run in stretches(places):
            beside = [
                other
                for other_suit, other in self.runs
                if other_suit == suit and (min(run) - 1 in other or max(run) + 1 in other)
            ]
            assert beside or len(run) >= 3
            new += not beside
            own += len(run) >= 3
            layoffs += bool(beside)
            if beside:
                beside[0].update(run)
            else:
                self.runs.append((suit, set(run)))
        return new, own, layoffs

    def check_best(self, seat, barred, left):
        """Nothing that could be laid leaves fewer pips after the best discard."""
        sets = frozenset((rank, suit) for rank, suits in self.sets.items() for suit in suits)
        runs = frozenset((suit, place) for suit, run in self.runs for place in run)
        table = oracle.Table(sets, runs)
        lines = oracle.lines(self.rules, self.hands[seat], table, self.melded[seat])
        kept = oracle.kept(self.rules, oracle.Line(frozenset(left), table), barred)
        assert kept == oracle.least_kept(self.rules, lines, barred)

    def public(self):
        """Say what all see."""
        return {
            **super().public(),
            "on_table": counts(self.on_table),
            "hand_sizes": self.sizes,
            "laid": self.laid,
            "melded": self.melded,
        }

    def expected(self, moves, seat):
        """Say what the outcome is after these turns, the last by a seat (None: by nobody)."""
        turns, rules = len(moves), self.rules
        if seat is not None and not self.hands[seat]:
            score = sum(oracle.points(rules, hand) for hand in self.hands)
            return {
                "end": "exit",
                "kind": "rummy" if self.rummy else "ordinary",
                "winner": self.seated[seat],
                "seat": seat,
                "payment": score * (rules.going_rummy if self.rummy else 1),
                "thrown": int(self.thrown),
                "turns": turns,
                **self.shared(),
            }
        if turns == rules.seats * rules.max_rounds:
            return {"end": "capped", "turns": turns, **NOBODY, **self.shared()}
        assert not self.can_draw, "the deal stopped for no reason"
        return {"end": "drawn", "turns": turns + 1, **NOBODY, **self.shared()}


NOBODY = {"kind": None, "winner": -1, "seat": -1, "payment": 0, "thrown": -1}


def read(mask):
    """List the (suit, number) of a mask of the log."""
    return [(suit, n) for suit in range(4) for n in range(LANE) if mask >> LANE * suit + n & 1]


def stretches(places):
    """Yield the suit and the places of each stretch in a row."""
    left = sorted(places)
    while left:
        suit, first = left.pop(0)
        run = [first]
        while left and left[0] == (suit, run[-1] + 1):
            run.append(left.pop(0)[1])
        yield suit, run
