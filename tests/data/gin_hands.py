"""Write gin_hands.csv: the least deadwood of hands by two public implementations of gin rummy.

Run it in an environment of its own, as the program and its tests need neither:

    python -m venv gin
    gin/bin/pip install open_spiel==2.0.2 rlcard==1.2.0 termcolor
    gin/bin/python tests/data/gin_hands.py > tests/data/gin_hands.csv

Half of the hands come from all cards, and half from five ranks in a row, where sets and runs want
the same cards. RLCard lists melds up to three at a time, which is all that 11 cards can hold.
"""

import sys
from importlib.metadata import version
from random import Random

import pyspiel
from rlcard.games.gin_rummy.utils import melding, utils

SIZES, HANDS, SEED = (7, 10, 11), 500, 64


def rlcard_deadwood(names):
    hand = [utils.card_from_text(name) for name in names]
    clusters = [[], *melding.get_meld_clusters(hand)]
    melded = [{card for meld in cluster for card in meld} for cluster in clusters]
    return min(
        sum(utils.get_deadwood_value(card) for card in hand if card not in cards)
        for cards in melded
    )


def main():
    dice, out = Random(SEED), sys.stdout
    rows = []
    for size in SIZES:
        gin = pyspiel.gin_rummy.GinRummyUtils(13, 4, size)
        names = [gin.card_string(card).upper() for card in range(52)]
        for number in range(2 * HANDS):
            first = dice.randrange(9)
            cards = [card for card in range(52) if number % 2 or first <= card % 13 < first + 5]
            hand = dice.sample(cards, size)
            deadwood = gin.min_deadwood(hand)
            assert deadwood == rlcard_deadwood([names[card] for card in hand])
            rows.append(f"{' '.join(names[card] for card in hand)},{deadwood}\n")
    spiel, other = version("open_spiel"), version("rlcard")
    out.write(f"# Least deadwood of {len(rows)} hands by GinRummyUtils.min_deadwood of pyspiel\n")
    out.write(f"# (OpenSpiel {spiel}); RLCard {other} agrees. Made by gin_hands.py.\n")
    out.write("hand,deadwood\n")
    out.writelines(rows)


main()
