"""Outs: what the api counts and chooses, against plain loops over distances."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from continental_sim import api
from continental_sim.cards import JOKER, parse_face
from continental_sim.columns import OUTCOME
from continental_sim.engine import Table, play_block
from continental_sim.kernels import dealing, holding, playing, table, turns
from continental_sim.kernels.view import VIEW_AT
from continental_sim.strategy import all_knobs, find_strategy
from tests.tabletop import DEFAULT, lay, play_laid, rules_with, study_of, table_of

JUNK = "3C 3D 3H 6C 6D 6H 9C 9D 9H QC QD QH 4S 8S QS"
# Rules of each way in which hands are looked up.
RULES = {
    "default": (),
    "recycled": ("seats=6",),
    "no return": ("return_taken=forbid",),
    "no wild cards": ("wild_ranks=", "jokers=0"),
    "another wild rank": ("wild_ranks=5,K", "ace=wrap"),
    "many jokers": ("jokers=40", "hand_size=9", "patterns=3+3+3"),
    "groups": ("melds=groups",),
    "groups of 13 ranks": ("melds=groups", "wild_ranks=", "jokers=4"),
    "three packs": ("packs=3", "jokers=3", "seats=6"),
    "one wild a run": ("max_wilds_per_run=1",),
    "two naturals a run": ("min_naturals_per_run=2", "natural_two_counts=false"),
    "searched": ("packs=3", "seats=2", "hand_size=7", "patterns=4+3", "max_wilds_per_run=1"),
}


@dataclass
class Drawn:
    """A seat that has drawn, in the midst of a deal."""

    table: Table
    seat: Any
    view: Any

    def held(self):
        """List the faces that may be thrown."""
        return [f for f in range(53) if self.view.hand[f] > 0 and f != self.view.barred]

    def unseen(self):
        """Count the copies of each face that may come from the stock."""
        view, counts = self.view, np.zeros(53, int)
        for face in range(53):
            others = sum(view.known[s][face] for s in range(view.seats) if s != view.seat)
            counts[face] = view.copies[face] - view.hand[face] - view.in_pile[face] - others
            if view.recycles:
                counts[face] = min(counts[face], view.recycled[face])
        return counts

    def outs(self, natural):
        """Count what shortens the distance, or the natural distance, after each discard."""
        unseen, found = self.unseen(), {}
        for face in self.held():
            holding.take_away(self.seat, self.table.rules, face)
            away = self.without_wilds(()) if natural else api.distance(self.view)
            outs = 0
            for other in np.flatnonzero(unseen):
                if natural and self.view.wild[other]:
                    continue
                if natural:
                    nearer = self.without_wilds((int(other),))
                else:
                    nearer = api.distance_with(self.view, int(other))
                outs += unseen[other] if nearer < away else 0
            holding.give(self.seat, self.table.rules, face)
            found[face] = away, outs
        return found

    def without_wilds(self, more):
        """Measure the distance without the wild cards, and with some more."""
        rules = self.table.rules
        wilds = np.repeat(np.arange(53), np.where(rules.wild[:53], self.seat.hand[:53], 0)).tolist()
        for face in wilds:
            holding.take_away(self.seat, rules, face)
        for face in more:
            holding.give(self.seat, rules, face)
        away = api.distance(self.view)
        for face in more:
            holding.take_away(self.seat, rules, face)
        for face in wilds:
            holding.give(self.seat, rules, face)
        return away

    def in_stock(self):
        """Count the copies of each face that are in the stock."""
        game = self.table.game
        return np.bincount(game.stock[game.position : game.stock_end], minlength=53)


def view_of(here, seat):
    game = here.game
    return VIEW_AT["continental"](
        int(game.seat_at[int(seat.seat)]), int(game.public_at), int(game.rules_at)
    )


def drawn_hands(rules, deals, seed, specs=("fastest", "neighbours")):
    """Play some turns of each deal, and draw a card for the seat that comes next."""
    dice = np.random.default_rng(seed)
    outcome = np.zeros(1, OUTCOME).view(np.recarray)[0]
    with table_of(rules, [*specs] * (rules.seats // len(specs)), seed=seed) as here:
        for deal in range(deals):
            dealing.deal_cards(here.game, here.rules, here.public, deal)
            for number, seat in enumerate(here.seats):
                seat.player = number
            for _ in range(dice.integers(0, 12 * rules.seats)):
                if playing.next_turn(here.game, here.rules, here.public, outcome) != 0:
                    break
            seat = here.seats[(here.game.where[turns.AT_SEAT] + 1) % rules.seats]
            if seat.hand.sum() != rules.hand_size or here.public.stock_size == 0:
                continue
            if dice.random() < 0.3 and here.public.upcard >= 0:
                face = table.take_upcard(here.public, seat.seat)
                if here.rules.bar_taken and seat.hand[face] == 0:
                    seat.barred = face
            else:
                face = table.draw_stock(here.game, here.public, here.rules)
            holding.give(seat, here.rules, face)
            yield Drawn(here, seat, view_of(here, seat))


@pytest.mark.parametrize("name", RULES)
def test_outs_are_those_of_a_plain_loop(name):
    rules = rules_with(*RULES[name])
    compared, recycled = 0, 0
    for drawn in drawn_hands(rules, 4 if name == "searched" else 8, seed=71):
        view = drawn.view
        unseen = drawn.unseen()
        assert [api.unseen(view, face) for face in range(53)] == unseen.tolist()
        assert (unseen >= drawn.in_stock()).all()
        if view.recycles == 0:
            known = sum(sum(view.known[s]) for s in range(view.seats) if s != view.seat)
            theirs = (view.seats - 1) * view.hand_size - known
            assert unseen.sum() == view.stock_size + theirs
        recycled += view.recycles > 0
        plain = drawn.outs(natural=False)
        least = min(away for away, _ in plain.values())
        nearest = [face for face, (away, _) in plain.items() if away == least]
        mask = api.nearest_discards(view)
        assert [face for face in range(53) if mask >> face & 1] == nearest
        for face, (away, outs) in plain.items():
            assert api.outs_without(view, face) == (outs if away else 0)
        chosen = api.most_outs_discard(view)
        if least == 0:
            assert chosen == api.best_discard(view)
        else:
            free = [face for face in nearest if not view.wild[face]]
            if least == api.distance(view) and free:
                most = max(plain[face][1] for face in free)
                assert plain[chosen] == (least, most)
                compared += len({plain[face][1] for face in free}) > 1
            else:
                assert chosen == api.nearest_discard(view)
        natural = drawn.outs(natural=True)
        assert api.natural_distance(view) == drawn.without_wilds(())
        for face in range(view.seat, 53, 7):
            more = not view.wild[face] and view.hand[face] < view.copies[face]
            wanted = drawn.without_wilds((face,) if more else ())
            assert api.natural_distance_with(view, face) == wanted
        for face, (_, outs) in natural.items():
            assert api.natural_outs_without(view, face) == outs
        chosen = api.natural_discard(view)
        away = min(away for away, _ in natural.values())
        assert natural[chosen][0] == away
        free = [f for f, (far, _) in natural.items() if far == away and not view.wild[f]]
        if free and away == drawn.without_wilds(()):
            assert natural[chosen][1] == max(natural[face][1] for face in free)
        assert view_of(drawn.table, drawn.seat).hand == view.hand
    assert compared > 1
    assert recycled > 1 or name != "recycled"


def test_a_face_that_is_not_held_or_no_face_is_refused():
    with table_of(DEFAULT, "stock") as here:
        lay(here, DEFAULT, [JUNK] * 4, "KH")
        view = view_of(here, here.seats[0])
        for function in (api.outs_without, api.natural_outs_without, api.payment_without):
            with pytest.raises(ValueError, match="not held"):
                function(view, parse_face("KS"))
            for face in (-1, 53):
                with pytest.raises(IndexError):
                    function(view, face)
        for face in (-1, 53):
            with pytest.raises(IndexError):
                api.unseen(view, face)


# --- The strategies that play by them ------------------------------------------------------------

# Complete but for one of 8C and JC; the deuce that comes first will do.
ALMOST = "3C 4C 5C 6S 7S 8S 9H TH JH QD KD AD 9C TC 4H"
STOCK = "2D 4D 4D 6S 8C KS"


@pytest.mark.parametrize(
    ("spec", "changes", "turns", "payment"),
    [
        ("outs", (), 1, 9),  # the exit with a deuce, in the first turn
        ("natural", (), 5, 11),  # waits for a club, and throws the deuce then
        ("natural", ("exit_mandatory=true",), 1, 9),
        ("banker", (), 1, 9),
        ("banker", ("pay_no_wild=100",), 1, 9),
        ("banker", ("pay_first_turn=0", "pay_no_wild=1"), 1, 2),
        ("banker", ("pay_first_turn=0", "pay_no_wild=60"), 5, 61),
        ("banker", ("pay_first_turn=0", "pay_no_wild=60", "exit_mandatory=true"), 1, 2),
    ],
)
def test_an_exit_is_declined_where_waiting_is_the_plan(spec, changes, turns, payment):
    rules = rules_with(*changes)
    played = play_laid(rules, [spec, *["stock"] * 3], [ALMOST, *[JUNK] * 3], "5D", STOCK)
    assert played.stopped == ""
    assert (played.outcome.turns, played.outcome.payment) == (turns, payment)


THROWS_8C = '''"""Throws 8C when it has it."""
from continental_sim.api import first_held


def take_discard(view):
    return False


def choose_discard(view):
    return 7 if view.hand[7] > 0 else first_held(view)
'''


@pytest.mark.parametrize(
    ("spec", "changes"),
    [("natural", ()), ("banker", ("pay_first_turn=0", "pay_no_wild=60"))],
)
def test_who_waits_takes_the_upcard_that_it_waits_for(spec, changes):
    lineup = [spec, *["stock"] * 2, THROWS_8C]
    played = play_laid(rules_with(*changes), lineup, [ALMOST, *[JUNK] * 3], "5D", "2D 4D 4D 8C KS")
    assert played.moves[3][2] == parse_face("8C")
    assert played.outcome.turns == 5
    assert played.moves[4][:2] == (turns.FROM_PILE, parse_face("8C"))
    assert played.outcome.deuces == 0


def test_natural_takes_no_wild_upcard_while_it_aims():
    rules = rules_with("max_rounds=1")
    for spec, source in (("natural", turns.FROM_STOCK), ("outs", turns.FROM_PILE)):
        lineup, hands = [spec, *["stock"] * 3], [ALMOST, *[JUNK] * 3]
        played = play_laid(rules, lineup, hands, "2S", "8H 4D 4D 6S 4C")
        assert played.moves[0][0] == source


@pytest.mark.parametrize(
    ("hand", "turns", "thrown"),
    [
        # It could go out with clubs in its hand, and goes on with hearts: 12 with the deuce.
        ("3H 4H 5H 6H 7H 8H 9H TH JH 5H 6H QC KC AC 4S", 4, "4S"),
        ("3H 4H 5H 6H 7H 8H 9D TD JD 5S 6S QC KC AC 9S", 1, "9S"),
    ],
)
def test_suit_hunter_hunts_if_it_holds_enough(hand, turns, thrown):
    rules, lineup = rules_with("max_rounds=1"), ["suit_hunter", *["stock"] * 3]
    played = play_laid(rules, lineup, [hand, *[JUNK] * 3], "5D", STOCK)
    assert played.outcome.turns == turns
    assert played.moves[0][2] == parse_face(thrown)


def test_suit_hunter_plays_as_outs_where_melds_are_groups():
    rules = rules_with("melds=groups")
    hunting, plain = (
        play_block(study_of(rules, spec, 200, seed=75), 0, 200).outcomes
        for spec in ("suit_hunter", "outs")
    )
    assert hunting.tolist() == plain.tolist()


def test_suit_hunter_goes_out_in_its_suit():
    hand = "3H 4H 5H 6H 7H 8H 9H TH JH 5H 6H QH KH AH 4S"
    played = play_laid(DEFAULT, ["suit_hunter", *["stock"] * 3], [hand, *[JUNK] * 3], "5D", STOCK)
    assert (played.outcome.turns, played.outcome.one_suit, played.outcome.payment) == (1, 1, 19)


def test_defender_throws_what_the_next_player_shows_no_interest_in():
    compared = 0
    with table_of(DEFAULT, "defender") as defending:
        entries = defending.game.entries[0].copy()
        for drawn in drawn_hands(DEFAULT, 40, seed=72):
            view, game = drawn.view, drawn.table.game
            if api.can_go_out(view):
                continue
            near = api.near_discards(view, 0)
            faces = [face for face in range(53) if near >> face & 1]
            outs = {face: api.outs_without(view, face) for face in faces}
            assert len(set(outs.values())) == 1
            assert api.outs_without(view, api.most_outs_discard(view)) == outs[faces[0]]
            wide = api.near_discards(view, 3)
            assert wide & near == near
            for face in range(53):
                if wide >> face & 1:
                    assert outs[faces[0]] - 3 <= api.outs_without(view, face)
                    assert api.outs(view) - api.outs_lost(view, face) == api.outs_without(
                        view, face
                    )
            before = game.entries[drawn.seat.player].copy()
            game.entries[drawn.seat.player] = entries
            chosen = int(turns.ask(game, drawn.seat, turns.THROW))
            game.entries[drawn.seat.player] = before
            dangers = {face: danger(view, drawn.unseen(), face) for face in faces}
            assert dangers[chosen] == min(dangers.values())
            compared += len(set(dangers.values())) > 1
    assert compared > 5


def danger(view, unseen, face):
    """Weigh a card as `defender` says it does, under the default rules."""
    after, weight = (view.seat + 1) % 4, 0
    for other in range(JOKER):
        if other != face and is_near(other, face) and not view.wild[other]:
            weight += unseen[other] + 4 * view.known[after][other]
    for k in range(view.pile_size):
        if view.thrower[k] == after and not view.wild[view.pile[k]]:
            weight -= 2 * is_near(view.pile[k], face)
    return weight


def test_champion_throws_what_is_worth_least():
    knobs = all_knobs(find_strategy("champion"))
    compared, distances = 0, set()
    with table_of(DEFAULT, "champion") as championing:
        entries = championing.game.entries[0].copy()
        for drawn in drawn_hands(DEFAULT, 300, seed=74):
            view, game = drawn.view, drawn.table.game
            near = api.near_discards(view, knobs["SLACK"])
            if api.can_go_out(view) or near & (near - 1) == 0:
                continue
            costs = {}
            for face in range(53):
                if near >> face & 1:
                    lost = api.outs(view) - api.outs_without(view, face)
                    costs[face] = worth(knobs, view, drawn.unseen(), face, lost)
            before = game.entries[drawn.seat.player].copy()
            game.entries[drawn.seat.player] = entries
            chosen = int(turns.ask(game, drawn.seat, turns.THROW))
            game.entries[drawn.seat.player] = before
            assert costs[chosen] == pytest.approx(min(costs.values()))
            compared += 1
            distances.add(min(api.distance(view), 4))
    assert compared > 150
    assert distances == {1, 2, 3, 4}


def worth(knobs, view, unseen, face, lost):
    """Weigh a card as `champion` says it does, under the default rules."""
    after, away = (view.seat + 1) % 4, api.distance(view)
    cost = knobs["COPY"] * (view.hand[face] - 1) + knobs[f"OUT_{min(away, 4)}"] * lost
    wants = knobs["WANT"]
    for other in range(JOKER):
        if view.wild[other] or not is_near(other, face):
            continue
        beside = (other - face) % 13 in {1, 12}
        kind = "SAME" if other == face else "NEXT" if beside else "GAP"
        if kind != "SAME":
            cost += {"NEXT": 1, "GAP": knobs["HELD_GAP"]}[kind] * (view.hand[other] > 0)
        cost += knobs[f"UNSEEN_{kind}"] * unseen[other]
        wants += knobs[f"WANT_UNSEEN_{kind}"] * unseen[other]
        wants += knobs[f"WANT_KNOWN_{kind}"] * view.known[after][other]
        for k in range(view.pile_size):
            if view.pile[k] == other and view.thrower[k] == after:
                wants += knobs[f"WANT_THROWN_{kind}"]
            if view.pile[k] == other == face and view.thrower[k] == view.seat:
                wants += knobs["WANT_REFUSED"]
    risk = knobs[f"RISK_{away}"] if away <= 3 else 0
    return cost + risk / (1 + math.exp(-wants))


def is_near(one, other):
    """Tell whether two cards of a suit lie within two places; an ace is low and high."""
    (suit, rank), (other_suit, other_rank) = divmod(one, 13), divmod(other, 13)
    gap = abs(rank - other_rank)
    with_ace = 0 in (rank, other_rank) and gap >= 11
    return suit == other_suit and (gap <= 2 or with_ace)


def test_a_mask_is_read_face_by_face():
    mask, faces = 1 << 3 | 1 << 17 | 1 << 51, []
    while mask:
        faces.append(api.first_face(mask))
        mask &= mask - 1
    assert faces == [3, 17, 51]
    assert api.first_face(0) == -1


def test_company_is_what_neighbours_counts():
    for changes in ((), ("ace=low",), ("ace=high",), ("ace=wrap",), ("melds=groups",)):
        for drawn in drawn_hands(rules_with(*changes), 3, seed=73):
            for face in range(53):
                near = api.company(drawn.view, face)
                held = [f for f in range(53) if near >> f & 1 and drawn.view.hand[f]]
                assert api.neighbours(drawn.view, face) == len(held)
                assert not near >> face & 1
                assert near == 0 or not drawn.view.wild[face]
                if not changes and not drawn.view.wild[face]:
                    assert near == sum(
                        1 << other
                        for other in range(JOKER)
                        if other != face and is_near(other, face) and not drawn.view.wild[other]
                    )
