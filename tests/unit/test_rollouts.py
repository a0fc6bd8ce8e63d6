"""Rollouts: what a seat imagines, what it earns there, and that the real table is left alone."""

import numpy as np
import pytest

from continental_sim import api
from continental_sim.cards import parse_face
from continental_sim.columns import OUTCOME
from continental_sim.engine import play_block
from continental_sim.kernels import dealing, holding, imagined, outs, playing, table, turns
from continental_sim.kernels.memory import registered
from continental_sim.players import load_interpreted, load_player
from tests.strategy_files import source
from tests.tabletop import DEFAULT, lay, play_laid, rules_with, strategy, study_of, table_of
from tests.unit.test_outs import JUNK, drawn_hands, view_of
from tests.unit.test_view import swap_hidden

# Plays as `fastest`, at a table at which rollouts can be asked for.
ASKING = """
from continental_sim.api import best_discard, distance, distance_with, rollouts


def take_discard(view):
    EARLY
    return distance_with(view, view.upcard) < distance(view)


def choose_discard(view):
    best = best_discard(view)
    LATE
    return best


def go_out(view):
    OUT
    return True
"""
EVERYWHERE = ("rollouts(view, -1, 2)", "rollouts(view, best, 2)", "rollouts(view, -1, 2)")
RULES = {
    "default": (),
    "recycled": ("seats=6",),
    "turned": ("seats=6", "recycle_order=turned"),
    "no return": ("return_taken=forbid",),
    "two seats": ("seats=2", "recycles=0"),
    "groups": ("melds=groups",),
    "three packs": ("packs=3", "jokers=3", "seats=6"),
    "searched": ("packs=3", "seats=2", "hand_size=7", "patterns=4+3", "max_wilds_per_run=1"),
}


def asking(early="", late="", out=""):
    text = ASKING.replace("EARLY", early or "pass").replace("LATE", late or "pass")
    return text.replace("OUT", out or "pass")


class Imagined:
    """The table on which a seat imagines deals."""

    def __init__(self, drawn):
        self.seat, self.public, self.rules = drawn.seat, drawn.table.public, drawn.table.rules
        self.game = registered(self.seat.imagined_at)
        self.seats = [registered(at) for at in self.game.seat_at[: self.rules.seats]]
        self.seen = registered(self.game.public_at)

    def deal(self, number):
        """Lay the deal of a number."""
        outs.note_hidden(self.seat, self.public, self.rules)
        imagined.imagine(self.game, self.rules, self.seat, self.public, number)

    def others(self):
        """List the other seats."""
        return [seat for seat in self.seats if seat.seat != self.seat.seat]

    def stock(self):
        """Count the copies of each face in the stock."""
        cards = self.game.stock[self.game.position : self.game.stock_end]
        return np.bincount(cards, minlength=53)


# --- What is imagined ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", RULES)
def test_an_imagined_deal_is_one_that_the_seat_may_be_in(name):
    rules, looked_at, recycled = rules_with(*RULES[name]), 0, 0
    for drawn in drawn_hands(rules, 25, seed=75, specs=(asking(),)):
        view, here, laid = drawn.view, Imagined(drawn), []
        for number in (0, 1, 2, 3, 0):
            here.deal(number)
            laid.append([*here.game.stock[: here.game.stock_end], *here.game.state])
            assert here.seats[view.seat].hand.tolist() == drawn.seat.hand.tolist()
            assert here.stock().sum() == here.seen.stock_size == view.stock_size
            total = here.stock() + view.hand + view.in_pile
            for other in here.others():
                assert other.hand.sum() == rules.hand_size
                assert (other.hand >= view.known[int(other.seat)]).all()
                total = total + other.hand
                assert stands(other) == stands(dealt_again(other, here.rules))
            assert total.tolist() == list(view.copies)
            assert (here.stock() <= drawn.unseen()).all()
            looked_at += 1
        assert laid[0] == laid[4]
        assert len(set(map(tuple, laid))) == 4
        recycled += view.recycles > 0
    assert looked_at > 30
    assert recycled > 1 or name not in ("recycled", "turned")


def stands(seat):
    """Tell what a seat's record says of its hand."""
    names = ("code", "beyond", "held", "kind", "pair", "wilds", "hand")
    return [np.array(seat[name]).tolist() for name in names]


def dealt_again(seat, rules):
    """Take all cards out of a hand, and give them back one by one."""
    faces = np.repeat(np.arange(53), seat.hand).tolist()
    for face in faces:
        holding.take_away(seat, rules, face)
    for face in faces:
        holding.give(seat, rules, face)
    return seat


def drawn_hand(rules, seed, suits):
    """Return a drawn hand that suits, and the table on which its seat imagines."""
    for drawn in drawn_hands(rules, 400, seed, (asking(),)):
        if suits(drawn.view):
            yield drawn, Imagined(drawn)
            return
    raise AssertionError("no hand suits")


def excess(counts, deals, cards, pool):
    """Return by how many standard deviations chi-square is above what it should be.

    `cards` of a pool, given by copies of each face, are drawn in each of some deals.
    """
    share = pool[pool > 0] / pool.sum()
    expected = deals * cards * share
    rest = (pool.sum() - cards) / (pool.sum() - 1)
    chi = ((counts[pool > 0] - expected) ** 2 / expected).sum() / rest
    free = len(share) - 1
    return (chi - free) / (2 * free) ** 0.5


def test_hidden_cards_are_dealt_as_likely_here_as_there():
    # Before anybody else has played; at most 4 standard deviations.
    def first(view):
        return view.seat == 0 and view.recycles == 0 and view.round < 2

    for drawn, here in drawn_hand(DEFAULT, 76, first):
        hands, stock, deals = np.zeros((3, 53)), np.zeros(53), 2000
        for number in range(deals):
            here.deal(number)
            stock += here.stock()
            hands += [other.hand for other in here.others()]
        for hand in hands:
            assert abs(excess(hand, deals, 15, drawn.unseen())) < 4
        assert abs(excess(stock, deals, drawn.view.stock_size, drawn.unseen())) < 4


@pytest.mark.parametrize("order", ["shuffled", "turned"])
def test_after_a_recycle_only_what_lay_in_the_pile_is_in_the_stock(order):
    # As likely each, within 4 standard deviations; a pile that is turned over is drawn as it lies.
    def late(view):
        return view.recycles > 0 and 3 < view.stock_size < sum(view.recycled) - 4

    for drawn, here in drawn_hand(rules_with("seats=6", f"recycle_order={order}"), 77, late):
        view, deals = drawn.view, 2000
        stock, hands, top = np.zeros(53), np.zeros((5, 53)), np.zeros(53)
        for number in range(deals):
            here.deal(number)
            stock += here.stock()
            top[table.draw_stock(here.game, here.seen, here.rules)] += 1
            hands += [o.hand - here.public.known[int(o.seat)] for o in here.others()]
        assert abs(excess(stock, deals, view.stock_size, drawn.unseen())) < 4
        assert abs(excess(top, deals, 1, drawn.unseen())) < 4
        hidden = [15 - sum(view.known[int(other.seat)]) for other in here.others()]
        all_hidden = drawn.table.rules.copies - np.array(view.hand) - view.in_pile
        all_hidden = all_hidden - sum(np.array(view.known[int(o.seat)]) for o in here.others())
        sure = all_hidden - drawn.unseen()
        assert sure.sum() > 20
        for face in np.flatnonzero((sure > 0) & (drawn.unseen() == 0)):
            shares = np.array(hidden) / sum(hidden)
            expected = deals * sure[face] * shares
            assert (abs(hands[:, face] - expected) < 4.5 * (expected * (1 - shares)) ** 0.5).all()


def test_hands_of_others_have_come_nearer_as_real_ones_have():
    # In the fifth and sixth round real hands have come 2.6 cards nearer, most of it imagined too.
    nearer, real, dealt = [], [], []
    for drawn in drawn_hands(DEFAULT, 300, seed=78, specs=(asking(),)):
        here, rules = Imagined(drawn), drawn.table.rules
        if drawn.table.public["round"] == 5 and drawn.view.recycles == 0:
            for number in range(5):
                here.deal(number)
                nearer += [15 - holding.cards_used(each, rules) for each in here.others()]
            mine = int(drawn.seat.seat)
            others = [seat for seat in drawn.table.seats if int(seat.seat) != mine]
            real += [15 - holding.cards_used(other, rules) for other in others]
            drawn.table.public["round"] = 1 - (mine > 0)
            here.deal(0)
            dealt += [15 - holding.cards_used(e, rules) for e in here.others() if e.seat > mine]
    assert len(real) > 100
    assert np.mean(dealt) - np.mean(real) > 2
    assert 0 < np.mean(nearer) - np.mean(real) < 1


# --- What it earns -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RULES)
def test_all_play_on_as_fastest(name):
    # The same deals, laid down and played on by the strategy itself.
    rules, compared = rules_with(*RULES[name]), 0
    with table_of(rules, "fastest") as fastest:
        entries = fastest.game.entries[0].copy()
    for drawn in drawn_hands(rules, 12, seed=79, specs=(asking(),)):
        here, view = Imagined(drawn), drawn.view
        kept = here.game.entries.copy()
        face = drawn.held()[0]
        here.game.entries[:] = entries
        total = 0
        for number in range(4):
            here.deal(number)
            mine = here.seats[view.seat]
            holding.take_away(mine, here.rules, face)
            table.throw(here.seen, face, view.seat)
            here.game.where[turns.AT_SEAT] = view.seat
            outcome = np.zeros(1, OUTCOME).view(np.recarray)[0]
            mine.taken = mine.barred = -1
            playing.play_deal(here.game, here.rules, here.seen, outcome)
            if outcome.end == 0:
                mine_won = outcome.seat == view.seat
                total += outcome.payment * (view.seats - 1 if mine_won else -1)
        here.game.entries[:] = kept
        assert api.rollouts(view, face, 4) == total / 4
        compared += total != 0
    assert compared > 3


def earned(study, turn, early="", late=""):
    """Compare what rollouts say in a turn with what was earned then: a row a player and deal."""
    rows, outcome = [], np.zeros(1, OUTCOME).view(np.recarray)[0]
    asked = [f"if view.turn == {turn}: {each}" if each else "" for each in (early, late)]
    spec = asking(*asked)
    with table_of(DEFAULT, spec, seed=80, log=False) as here:
        for deal in range(study):
            for number, seat in enumerate(here.seats):
                seat.player = number
            dealing.deal_cards(here.game, here.rules, here.public, deal)
            playing.play_deal(here.game, here.rules, here.public, outcome)
            for number, seat in enumerate(here.seats):
                won = outcome.winner == number
                if seat.memo[0] and not (won and seat.turn == turn and late):
                    points = outcome.payment * (3 if won else -1)
                    rows.append((number, seat.memo[1] / 1000, points))
    return np.array(rows)


def test_the_first_player_expects_what_it_gets():
    # Nobody has played yet, so the imagined deals are as the real ones: 4 standard errors.
    rows = earned(1500, 1, "view.memo[0], view.memo[1] = 1, int(1000 * rollouts(view, -1, 20))")
    rows = rows[rows[:, 0] == 0]
    differences = rows[:, 1] - rows[:, 2]
    assert len(rows) > 1400
    assert abs(differences.mean()) < 4 * differences.std() / len(rows) ** 0.5
    assert np.corrcoef(rows[:, 1], rows[:, 2])[0, 1] > 0.4


def test_later_a_player_expects_little_more_than_it_gets():
    # Were the hands of others no better than dealt, it would expect 4 points too many.
    rows = earned(
        800, 5, "", "view.memo[0], view.memo[1] = 1, int(1000 * rollouts(view, best, 20))"
    )
    assert len(rows) > 1000
    assert abs((rows[:, 1] - rows[:, 2]).mean()) < 1


# Complete, but for the exit that is declined.
WHOLE = "3C 4C 5C 6S 7S 8S 9H TH JH QD KD AD 9C TC JC"


def test_the_seat_that_declined_goes_out_in_its_next_turn():
    rules = rules_with("max_rounds=2")
    with table_of(rules, [asking(), *["stock"] * 3]) as here:
        lay(here, rules, [WHOLE, *[JUNK] * 3], "KH", "4H")
        table.throw(here.public, parse_face("QS"), 0)
        here.public["round"] = here.seats[0].turn = 1
        # 3 times 11, unless another goes out before: not with cards that come at random.
        assert api.rollouts(view_of(here, here.seats[0]), -1, 50) == 33


def test_before_its_draw_a_hand_that_is_dealt_whole_goes_out_at_once():
    with table_of(DEFAULT, [asking(), *["stock"] * 3]) as here:
        lay(here, DEFAULT, [WHOLE, *[JUNK] * 3], "KH", "4H")
        here.public["round"] = here.seats[0].turn = 1
        assert api.rollouts(view_of(here, here.seats[0]), -1, 50) == 3 * (1 + 10 + 10)


# --- Who asks ------------------------------------------------------------------------------------


def test_what_cannot_be_thrown_is_refused():
    rules = rules_with("return_taken=forbid")
    with table_of(rules, asking()) as here:
        lay(here, rules, [JUNK] * 4, "KH", "4H")
        seat = here.seats[0]
        view = view_of(here, seat)
        with pytest.raises(ValueError, match="after a draw"):
            api.rollouts(view, parse_face("3C"), 1)
        face = table.take_upcard(here.public, 0)
        holding.give(seat, here.rules, face)
        seat.barred = face
        view = view_of(here, seat)
        assert api.rollouts(view, parse_face("3C"), 1) <= 99
        for wrong in (-1, 53):
            with pytest.raises(IndexError):
                api.rollouts(view, wrong, 1)
        with pytest.raises(ValueError, match="not held"):
            api.rollouts(view, parse_face("KS"), 1)
        with pytest.raises(ValueError, match="may not be thrown"):
            api.rollouts(view, face, 1)
        for wrong in (0, -1, (1 << 20) + 1):
            with pytest.raises(ValueError, match="number"):
                api.rollouts(view, parse_face("3C"), wrong)


def test_only_who_asks_for_rollouts_gets_a_table_for_them():
    assert load_player(strategy("outs")).rollouts == ()
    with table_of(DEFAULT, "outs") as here:
        lay(here, DEFAULT, [JUNK] * 4, "KH", "4H")
        with pytest.raises(ValueError, match="no player"):
            api.rollouts(view_of(here, here.seats[0]), -1, 1)
    for head, call in (
        ("from continental_sim.api import *", "rollouts(view, 0, 1)"),
        ("from continental_sim.api import rollouts as ahead", "ahead(view, 0, 1)"),
        ("import continental_sim.api as api", "api.rollouts(view, 0, 1)"),
    ):
        assert load_player(strategy(source(f"return {call} > 0", head=f"{head}\n"))).rollouts


def test_the_real_deal_goes_on_as_if_nobody_had_asked():
    for changes in ((), ("seats=6",), ("return_taken=forbid",), ("seats=2", "melds=groups")):
        rules = rules_with(*changes)
        plain = play_block(study_of(rules, "fastest", 60, seed=81), 0, 60)
        asked = play_block(study_of(rules, asking(*EVERYWHERE), 60, seed=81), 0, 60)
        assert plain.outcomes.tolist() == asked.outcomes.tolist()
        assert plain.behaviour.tolist() == asked.behaviour.tolist()
        assert plain.faces.tolist() == asked.faces.tolist()


def test_lookahead_does_not_see_hidden_cards():
    dice, different = np.random.default_rng(82), 0
    for drawn in drawn_hands(DEFAULT, 25, seed=82, specs=("lookahead:ROLLOUTS=4",)):
        game = drawn.table.game

        def chosen(drawn=drawn, game=game):
            return int(turns.ask(game, drawn.seat, turns.THROW))

        first = chosen()
        different += first != api.most_outs_discard(drawn.view)
        for _ in range(3):
            swap_hidden(drawn.table, int(drawn.seat.seat), dice)
            assert chosen() == first
    assert different > 2


def test_lookahead_throws_what_earns_most_with_the_outs_that_it_leaves():
    compared = 0
    for drawn in drawn_hands(DEFAULT, 40, seed=84, specs=("lookahead:ROLLOUTS=4,MOST=16",)):
        view = drawn.view
        near = api.near_discards(view, 6) | 1 << api.most_outs_discard(view)
        faces = [face for face in range(53) if near >> face & 1]
        if api.can_go_out(view):
            continue
        chosen = int(turns.ask(drawn.table.game, drawn.seat, turns.THROW))
        worth = {f: 4 * api.rollouts(view, f, 4) + 50 * api.outs_without(view, f) for f in faces}
        assert worth[chosen] == max(worth.values())
        compared += len(set(worth.values())) > 2
    assert compared > 10


def test_lookahead_plays_a_deal_alike_wherever_it_is_played():
    study = study_of(DEFAULT, ["lookahead:ROLLOUTS=4", "fastest"] * 2, 16, seed=83)
    whole = play_block(study, 0, 16).outcomes
    parts = [play_block(study, first, 4).outcomes for first in (8, 12, 0, 4)]
    order = [2, 3, 0, 1]
    assert np.concatenate([parts[k] for k in order]).tolist() == whole.tolist()
    assert play_block(study, 0, 4, load=load_interpreted).outcomes.tolist() == whole[:4].tolist()


def test_recycled_stocks_that_are_imagined_are_shuffled_alike_wherever_a_deal_is_played():
    # With `random` beside them deals grow long.
    rules = rules_with("seats=5", "return_taken=forbid", "max_rounds=40")
    study = study_of(rules, ["lookahead", "random"] * 2 + ["lookahead"], 30, seed=20)
    whole = play_block(study, 0, 30).outcomes
    parts = [play_block(study, first, 5).outcomes for first in range(25, -5, -5)]
    assert np.concatenate(parts[::-1]).tolist() == whole.tolist()


def test_lookahead_goes_out_with_what_pays_most():
    played = play_laid(
        DEFAULT, ["lookahead", *["stock"] * 3], [WHOLE[:-2] + "4S", *[JUNK] * 3], "KH", "JC 4D"
    )
    assert (played.outcome.turns, played.outcome.payment) == (1, 18)
