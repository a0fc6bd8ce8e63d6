"""A referee: watches a deal card by card and says what its outcome must be.

It shares nothing with the engine but the rules record and the keys of the random streams: the
cards come from `tests.reference`, verdicts from `continental_sim.layouts`, which looks for real
layouts and has an oracle of its own. It expects players that go out as soon as they can, unless
told otherwise.
"""

from collections import Counter

from continental_sim.layouts import patterns_of
from tests.reference import RECYCLE, Stream, pack_order, seating

STOCK, PILE, RECYCLED = range(3)


class Referee:
    """One deal of a seed, watched from the deal on.

    Attributes
    ----------
    hands : list of list of int
    pile, stock : list of int
        The pile from the bottom; the stock in the order of the draws.
    """

    def __init__(self, rules, seed, deal, *, fixed_order=False, dealers_moved=None):
        self.rules, self.seed, self.deal = rules, seed, deal
        pack = pack_order(rules, seed, deal)
        self.pack = Counter(pack)
        size, seats = rules.hand_size, rules.seats
        self.hands = [pack[size * seat : size * (seat + 1)] for seat in range(seats)]
        self.pile = [pack[size * seats]]
        self.stock = pack[size * seats + 1 :]
        self.thrower = [-1]  # of each card of the pile
        self.recycled = []  # by the last recycling
        self.recycles = 0
        self.taken = Counter()
        self.known = [Counter() for _ in range(seats)]  # seen to be taken and not thrown since
        order, dealer = seating(rules, seed, deal, fixed_order=fixed_order)
        place = dealer + (deal % rules.session_deals if dealers_moved is None else dealers_moved)
        self.dealer = order[place % seats]
        self.seated = [order[(place + 1 + seat) % seats] for seat in range(seats)]
        self.check_cards()

    def check_cards(self):
        """No card is lost, doubled or changed, and hands have their size."""
        there = Counter(self.pile) + Counter(self.stock)
        for hand in self.hands:
            assert len(hand) == self.rules.hand_size
            there += Counter(hand)
        assert there == self.pack

    def goes_out(self, seat):
        """Name the patterns that a seat's hand fits."""
        if melds_needed(self.rules, self.hands[seat]) > max(map(len, self.rules.pattern_lengths)):
            return []  # plain to see; and it saves nearly all of the time
        return patterns_of(self.rules, counts(self.hands[seat]))

    def watch(self, moves, *, all_go_out=True):
        """Check each move; return the last seat that moved (None if nobody did)."""
        seat = None
        for turn, (source, face, thrown) in enumerate(moves):
            assert seat is None or not all_go_out or not self.goes_out(seat), "an exit was missed"
            seat = turn % self.rules.seats
            if all_go_out and turn < self.rules.seats:
                assert not self.goes_out(seat), "an exit before drawing was missed"
            self.move(seat, source, face, thrown)
            self.check_cards()
        return seat

    def move(self, seat, source, face, thrown):
        """Check one move."""
        if source == PILE:
            assert self.rules.wild_discard_takeable or not self.rules.is_wild(self.pile[-1])
        barred = self.draw(seat, source, face)
        self.throw(seat, thrown, barred)

    def draw(self, seat, source, face):
        """Let a seat draw a card; return the one that it may not throw then, or None."""
        hand, barred = self.hands[seat], None
        if source == PILE:
            assert face == self.pile.pop()
            self.thrower.pop()
            self.known[seat][face] += 1
            if self.rules.return_taken == "forbid" and face not in hand:
                barred = face
            self.taken[self.seated[seat]] += 1
        else:
            assert (source == RECYCLED) == (not self.stock), "recycled at the wrong time"
            if source == RECYCLED:
                self.recycle()
            assert face == self.stock.pop(0)
        hand.append(face)
        return barred

    def throw(self, seat, thrown, barred):
        """Let a seat throw a card."""
        assert thrown in self.hands[seat]
        assert thrown != barred
        self.hands[seat].remove(thrown)
        self.pile.append(thrown)
        self.thrower.append(seat)
        if self.known[seat][thrown]:
            self.known[seat][thrown] -= 1

    def recycle(self):
        """Make the pile but its top the stock."""
        assert self.rules.recycles is None or self.recycles < self.rules.recycles
        assert len(self.pile) > 1
        *cards, top = self.pile
        if self.rules.recycle_order == "shuffled":
            cards = list(Stream(self.seed, RECYCLE, self.deal, self.recycles).shuffled(cards))
        self.stock, self.pile = cards, [top]
        self.recycled, self.thrower = list(cards), self.thrower[-1:]
        self.recycles += 1

    @property
    def can_draw(self):
        """Whether a seat that declines the upcard gets a card."""
        may_recycle = self.rules.recycles is None or self.recycles < self.rules.recycles
        return bool(self.stock) or (len(self.pile) > 1 and may_recycle)

    def expected(self, moves, seat):
        """Say what the outcome is after these moves, the last by a seat (None: by nobody)."""
        rules, seats = self.rules, self.rules.seats
        turns = len(moves)
        if seat is not None and self.goes_out(seat):
            return self.exit_of(seat, turns, "first_turn" if turns <= seats else "later")
        if turns < seats and self.goes_out(turns):
            return self.exit_of(turns, turns + 1, "dealt")
        if turns == seats * rules.max_rounds:
            return {"end": "capped", "turns": turns, **self.shared(), **NOBODY}
        assert not self.can_draw, "the deal stopped for no reason"
        return {"end": "drawn", "turns": turns + 1, **self.shared(), **NOBODY}

    def public(self):
        """Say what all see."""
        return {
            "known": [counts(list(known.elements())) for known in self.known],
            "thrower": self.thrower,
            "in_pile": counts(self.pile),
            "recycled": counts(self.recycled),
            "recycles": self.recycles,
            "stock_size": len(self.stock),
            "upcard": self.pile[-1] if self.pile else -1,
        }

    def shared(self):
        return {"recycles": self.recycles, "dealer": self.dealer, "deal": self.deal}

    def exit_of(self, seat, turns, kind):
        """Describe an exit, with a payment worked out from the rules' words."""
        rules, hand = self.rules, self.hands[seat]
        wild = [face for face in hand if rules.is_wild(face)]
        jokers = wild.count(52)
        payment = rules.pay_exit
        if wild:
            payment += rules.pay_deuce * (len(wild) - jokers) + rules.pay_joker * jokers
        else:
            payment += rules.pay_no_wild
        if kind == "dealt":
            payment += rules.pay_dealt
        if kind == "first_turn" or (kind == "dealt" and rules.stack_first_turn):
            payment += rules.pay_first_turn
        judged = hand if rules.one_suit == "physical" else set(hand) - set(wild)
        one_suit = len({face // 13 for face in judged}) <= 1  # wild cards alone may lie anywhere
        return {
            "end": "exit",
            "kind": kind,
            "winner": self.seated[seat],
            "seat": seat,
            "payment": payment + rules.pay_one_suit * one_suit,
            "deuces": len(wild) - jokers,
            "jokers": jokers,
            "one_suit": one_suit,
            "patterns": sum(1 << rules.patterns.index(pattern) for pattern in self.goes_out(seat)),
            "turns": turns,
            **self.shared(),
        }


def melds_needed(rules, hand):
    """Count the melds of the longest length without which some natural would lie nowhere.

    The aces of runs are left out.
    """
    if rules.melds == "groups":
        return len({face % 13 for face in hand if not rules.is_wild(face)})
    if rules.ace == "wrap":
        return 0
    needed = 0
    for suit in range(4):
        reached = -1
        for face in range(13 * suit + 1, 13 * suit + 13):
            if face in hand and not rules.is_wild(face) and face > reached:
                needed += 1
                reached = face + max(rules.run_lengths) - 1
    return needed


NOBODY = {
    "kind": None, "winner": -1, "seat": -1, "payment": 0, "deuces": -1, "jokers": -1,
    "one_suit": -1, "patterns": 0,
}  # fmt: skip


def counts(hand):
    """Count the copies of each face."""
    return [hand.count(face) for face in range(53)]


def told(played):
    """Put the outcome of a deal into the words of `Referee.expected`."""
    outcome = played.outcome
    told = {name: int(outcome[name]) for name in outcome.dtype.names}
    return {**told, "end": played.end, "kind": played.kind}


def audit(played, seed, *, fixed_order=True, all_go_out=True):
    """Watch a deal that `tabletop.play_deal` played; return the referee.

    With players who may stay (`all_go_out` False) only the moves are checked, and not the end.
    """
    assert played.stopped == ""
    deal = int(played.outcome["deal"])
    referee = Referee(played.rules, seed, deal, fixed_order=fixed_order)
    assert [counts(hand) for hand in referee.hands] == [hand.tolist() for hand in played.hands]
    assert (referee.pile, referee.stock) == ([played.upcard], played.stock)
    assert referee.seated == played.seated
    seat = referee.watch(played.moves, all_go_out=all_go_out)
    assert [counts(hand) for hand in referee.hands] == [hand.tolist() for hand in played.after]
    assert (referee.pile, referee.public()) == (played.pile, played.public)
    if all_go_out:
        assert told(played) == referee.expected(played.moves, seat)
    return referee
