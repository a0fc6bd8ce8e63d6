"""Basic Rummy: which cards of a hand can be laid on the table, by search over bit masks.

A hand is a mask of cards: a *lane* of 15 bits for each suit, in it bit 0 for the ace to bit 12 for
the king. Runs are masks of *places* in the same lanes, where bit 13 is the place of a high ace; a
run that would go on beyond a lane meets bit 14, which is never set. There is one pack, so each card
is in one place, and what lies on the table is two masks: the cards in sets, and the places of those
in runs. A set on the table is all that lies of a rank in sets, since two would need six cards.

What can be laid is found in this order: which cards go into new sets, for which every way is tried
where a card could be in a run too; then each stretch of at least three cards of a suit, or next to
a run on the table, is laid whole, for nothing is gained by leaving a part of it; then what fits the
sets on the table. A lay-off that opens another is in the same stretch.
"""

import numpy as np

from continental_sim.kernels.jit import kernel
from continental_sim.kernels.memory import apart, bits_set, lowest_bit

LANE = 15
ACES = sum(1 << LANE * suit for suit in range(4))  # the first card of each lane
CARDS = 0x1FFF * ACES
HIGH = 13  # place of a high ace
BOTH = 2  # `ace` of rules in which the ace is low or high
WAYS = 6  # for four cards of a rank: no set, all of them, or all but one


@kernel
def card_of(face):
    """Return the mask of one face."""
    return np.int64(1) << face // 13 * LANE + face % 13


@kernel
def face_of(bit):
    """Return the face of a bit of a mask of cards."""
    return bit // LANE * 13 + bit % LANE


@kernel
def faces_of(cards):
    """Return cards as a mask of faces: bit f for face f."""
    lane = (1 << LANE) - 1
    first, second = cards & lane, cards >> LANE & lane
    third, fourth = cards >> 2 * LANE & lane, cards >> 3 * LANE & lane
    return first | second << 13 | third << 26 | fourth << 39


@kernel
def cards_in(places):
    """Return the cards that lie in the places of runs."""
    return (places | places >> HIGH & ACES) & CARDS


@kernel
def pips(cards, ace_points):
    """Add up what cards count: ten for a court card, by their number from 2 to 10 [points].

    The values of a lane's cards, written in binary, are four masks.
    """
    ones = bits_set(cards & 0x154 * ACES)  # 3 5 7 9
    twos = bits_set(cards & 0x1E66 * ACES)  # 2 3 6 7 10 J Q K
    fours = bits_set(cards & 0x78 * ACES)  # 4 5 6 7
    eights = bits_set(cards & 0x1F80 * ACES)  # 8 9 10 J Q K
    return ones + 2 * twos + 4 * fours + 8 * eights + ace_points * bits_set(cards & ACES)


@kernel
def set_ranks(cards):
    """Return the ranks of which at least three cards are there, as a mask."""
    second, third, fourth = cards >> LANE, cards >> 2 * LANE, cards >> 3 * LANE
    return (cards & second & (third | fourth) | third & fourth & (cards | second)) & 0x1FFF


@kernel
def ranks_of(cards):
    """Return the ranks of cards, as a mask."""
    return (cards | cards >> LANE | cards >> 2 * LANE | cards >> 3 * LANE) & 0x1FFF


@kernel
def stretches(places, runs, new):
    """Return the places that can be laid: those next to runs on the table, and new runs if any.

    Parameters
    ----------
    places : int
        Of the cards held.
    runs : int
        Places of the runs on the table.
    new : bool
        Whether three or more in a row make a run.
    """
    found = np.int64(0)
    if new:
        three = places & places >> 1 & places >> 2
        found = three | three << 1 | three << 2
    near = (runs << 1 | runs >> 1) & places
    while near & ~found:
        found |= near
        near = (near << 1 | near >> 1) & places
    return found


@kernel
def places_of(rules, cards):
    """Return the places of cards in runs: both of an ace that may be low or high."""
    return cards | (cards & ACES) << HIGH if rules.ace == BOTH else cards


@kernel
def runs_laid(rules, cards, runs, new):
    """Return the places of the cards that can lie in runs, the fewest pips being left.

    Suits do not matter to each other.
    """
    places = places_of(rules, cards)
    return _aces_once(rules, places, stretches(places, runs, new), runs, new)


@kernel
def _aces_once(rules, places, found, runs, new):
    """Return what can be laid of stretches, an ace that is in two of them being tried in either."""
    twice = found & found >> HIGH & ACES
    while twice:
        ace = twice & -twice
        twice ^= ace
        lane = ace * ((1 << LANE) - 1)
        low = stretches(places & lane & ~(ace << HIGH), runs, new)
        high = stretches(places & lane & ~ace, runs, new)
        better = low if worth(rules, cards_in(low)) >= worth(rules, cards_in(high)) else high
        found = found & ~lane | better
    return found


@kernel
def worth(rules, cards):
    """Return a number by which to choose what to lay: first the pips, then the cards."""
    return pips(cards, np.int64(rules.ace_points)) * 64 + bits_set(cards)


@kernel
def with_layoffs(rules, cards, in_sets, in_runs, sets, runs, new):
    """Add to what a hand lays in new melds its lay-offs, and new runs if they are allowed."""
    left = cards & ~(in_sets | cards_in(in_runs))
    in_runs |= runs_laid(rules, left, runs, new)
    left &= ~cards_in(in_runs)
    return in_sets | left & ranks_of(sets) * ACES, in_runs


@kernel
def most_laid(rules, cards, sets, runs, melded):
    """Find what of a hand can be laid so that the fewest pips are left, and of these most cards.

    Parameters
    ----------
    rules : record RUMMY_RULES
    cards : int
        The hand.
    sets, runs : int
        What lies on the table.
    melded : bool
        Whether the seat has laid a meld of its own in this deal.

    Returns
    -------
    in_sets : int
        Cards laid in sets, new ones and those on the table.
    in_runs : int
        Places of the cards laid in runs.
    chosen : bool
        Whether something else could have been laid as well.
    """
    trios = set_ranks(cards)
    if rules.one_meld:
        return _most_laid_in_one(rules, cards, sets, runs, melded, trios)
    if rules.layoff_needs_meld and not melded:
        return _most_laid_of_all(rules, cards, sets, runs, trios, trios, True)
    places = places_of(rules, cards)
    found = stretches(places, runs, True)
    if trios:
        both = ranks_of(cards_in(found)) & trios
        if both:
            return _most_laid_of_all(rules, cards, sets, runs, trios, both, False)
    in_runs = _aces_once(rules, places, found, runs, True)
    fits = (ranks_of(sets) | trios) * ACES
    two_ends = rules.ace == BOTH and cards & ACES != 0
    return cards & ~cards_in(in_runs) & fits, in_runs, two_ends


@kernel
def _most_laid_of_all(rules, cards, sets, runs, trios, both, need_meld):
    """Try all new sets of the ranks of which a card could be in a run instead."""
    apart()
    best, best_sets, best_runs = np.int64(-1), np.int64(0), np.int64(0)
    for way in range(_ways(cards, both)):
        melds = _sets_of_way(cards, both, way) | cards & (trios & ~both) * ACES
        if need_meld and melds == 0 and runs_laid(rules, cards, np.int64(0), True) == 0:
            continue
        in_sets, in_runs = with_layoffs(rules, cards, melds, np.int64(0), sets, runs, True)
        value = worth(rules, in_sets | cards_in(in_runs))
        if value > best:
            best, best_sets, best_runs = value, in_sets, in_runs
    return best_sets, best_runs, True


@kernel
def _ways(cards, ranks):
    """Count the ways to lay new sets of some ranks, or none."""
    number = 1
    while ranks:
        held = cards & ACES << lowest_bit(ranks)
        ranks &= ranks - 1
        number *= WAYS if bits_set(held) == 4 else 2
    return number


@kernel
def _sets_of_way(cards, ranks, way):
    """Return the cards in new sets in one of the `_ways`; in the first there are none."""
    in_sets = np.int64(0)
    while ranks:
        rank = lowest_bit(ranks)
        ranks &= ranks - 1
        held = cards & ACES << rank
        number = WAYS if bits_set(held) == 4 else 2
        choice = way % number
        way //= number
        if choice > 0:
            in_sets |= held
        if choice > 1:
            in_sets &= ~(np.int64(1) << (choice - 2) * LANE + rank)
    return in_sets


@kernel
def _most_laid_in_one(rules, cards, sets, runs, melded, trios):
    """Try each new meld, where a turn has one at most, and none."""
    apart()
    none = np.int64(0)
    best, best_sets, best_runs = np.int64(-1), none, none
    if melded or not rules.layoff_needs_meld:
        best_sets, best_runs = with_layoffs(rules, cards, none, none, sets, runs, False)
        best = worth(rules, best_sets | cards_in(best_runs))
    ranks = trios
    while ranks:
        rank = ranks & -ranks
        ranks ^= rank
        for way in range(1, _ways(cards, rank)):
            melds = _sets_of_way(cards, rank, way)
            in_sets, in_runs = with_layoffs(rules, cards, melds, none, sets, runs, False)
            value = worth(rules, in_sets | cards_in(in_runs))
            if value > best:
                best, best_sets, best_runs = value, in_sets, in_runs
    places = stretches(places_of(rules, cards), none, True)
    while places:
        meld = stretches(places, places & -places, False)
        places &= ~meld
        meld &= ~((meld & meld >> HIGH & ACES) << HIGH)  # a whole suit has its ace once
        in_sets, in_runs = with_layoffs(rules, cards, none, meld, sets, runs, False)
        value = worth(rules, in_sets | cards_in(in_runs))
        if value > best:
            best, best_sets, best_runs = value, in_sets, in_runs
    return best_sets, best_runs, True


@kernel
def best_laying(rules, mine, public):
    """Find what a seat should lay so that after its discard the fewest pips are left in its hand.

    It keeps a card that it may throw, or lays all if that ends the deal. Of equals it is what lays
    most cards.

    Returns
    -------
    in_sets, in_runs : int
        As of `most_laid`.
    """
    cards, sets, runs = np.int64(mine.cards), np.int64(public.sets), np.int64(public.runs)
    in_sets, in_runs, chosen = most_laid(rules, cards, sets, runs, mine.melded != 0)
    left = cards & ~(in_sets | cards_in(in_runs))
    if left == 0 and not rules.must_discard:
        return in_sets, in_runs
    if left & throwable(mine) and not chosen:
        return in_sets, in_runs
    return _best_beside(rules, mine, sets, runs)


@kernel
def _best_beside(rules, mine, sets, runs):
    """Try each card that may be thrown: what is best laid of the others."""
    apart()
    cards = np.int64(mine.cards)
    best, best_sets, best_runs = np.int64(-1), np.int64(0), np.int64(0)
    left = throwable(mine)
    while left:
        card = left & -left
        left ^= card
        in_sets, in_runs, _ = most_laid(rules, cards & ~card, sets, runs, mine.melded != 0)
        value = worth(rules, in_sets | cards_in(in_runs) | card)
        if value > best:
            best, best_sets, best_runs = value, in_sets, in_runs
    return best_sets, best_runs


@kernel
def deadwood(rules, mine, public, cards):
    """Return the fewest pips that are left of a seat's cards when all is laid that can be."""
    return pips(left_of(rules, mine, public, cards), np.int64(rules.ace_points))


@kernel
def left_of(rules, mine, public, cards):
    """Return what is left of a seat's cards when all is laid that can be."""
    sets, runs = np.int64(public.sets), np.int64(public.runs)
    in_sets, in_runs, _ = most_laid(rules, cards, sets, runs, mine.melded != 0)
    return cards & ~(in_sets | cards_in(in_runs))


@kernel
def throwable(mine):
    """Return the cards that a seat may throw."""
    cards = np.int64(mine.cards)
    return cards & ~card_of(mine.barred) if mine.barred >= 0 else cards


@kernel
def lays(rules, mine, public, face):
    """Tell whether a card, laid at once, leaves no more in the hand than there is without it.

    That is no more pips; if it counts none itself, no more cards either.
    """
    card, cards = card_of(face), np.int64(mine.cards)
    left = left_of(rules, mine, public, cards | card)
    without = left_of(rules, mine, public, cards & ~card)
    ace_points = np.int64(rules.ace_points)
    if pips(card, ace_points) == 0:
        return worth(rules, left) <= worth(rules, without)
    return pips(left, ace_points) <= pips(without, ace_points)


@kernel
def chances(rules, mine, public, face):
    """Count the unseen cards that would make a meld of a card and another that is held."""
    card = card_of(face)
    cards = np.int64(mine.cards) & ~card
    alike = ACES << face % 13
    wanted = alike if cards & alike else np.int64(0)
    lane = places_of(rules, np.int64(0x1FFF) << face // 13 * LANE)
    held, at = places_of(rules, cards) & lane, places_of(rules, card)
    lower, low = held & at >> 2, held & at >> 1
    high, higher = held & at << 1, held & at << 2
    wanted |= cards_in(
        (low >> 1 | lower << 1 | low << 2 | high >> 2 | higher >> 1 | high << 1) & lane
    )
    return bits_set(wanted & ~(cards | card | public.seen))


@kernel
def can_go_out(rules, mine, public):
    """Tell whether a hand can be laid whole, but for a card to throw.

    Before the draw that is the card to come, so all of the hand must be laid.
    """
    cards = np.int64(mine.cards)
    if bits_set(cards) + mine.laid <= rules.hand_size:
        return left_of(rules, mine, public, cards) == 0
    in_sets, in_runs = best_laying(rules, mine, public)
    left = cards & ~(in_sets | cards_in(in_runs))
    return bits_set(left) <= 1 and (left == 0 or mine.barred < 0 or left != card_of(mine.barred))
