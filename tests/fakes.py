"""Made-up studies: records that look like play, for what comes after the engine."""

from pathlib import Path
from typing import Any

import numpy as np

from continental_sim.columns import (
    CAPPED,
    CONTINENTAL,
    DEALT,
    DRAWN,
    EXIT,
    FIRST_TURN,
    LATER,
    OPENING,
    OUTCOME,
)
from continental_sim.cubes import Block, StudyCubes
from continental_sim.files import store
from continental_sim.rules import ContinentalRules, rules_to_dict

LINEUP = ("fastest", "stock", "neighbours", "fastest")


def fake_outcomes(
    rules: ContinentalRules,
    deals: int,
    seed: int = 1,
    ends: tuple[float, float, float] = (0.97, 0.02, 0.01),
) -> np.ndarray:
    """Draw `deals` outcomes, consistent in themselves; `ends` is P(exit, drawn, capped)."""
    dice = np.random.default_rng(seed)
    seats = rules.seats
    out = np.zeros(deals, OUTCOME)
    out["deal"] = np.arange(deals)
    out["dealer"] = (out["deal"] + 1) % seats
    out["end"] = dice.choice([EXIT, DRAWN, CAPPED], deals, p=ends)
    turns = 1 + dice.negative_binomial(4, 0.18, deals)
    out["turns"] = np.where(out["end"] == CAPPED, seats * rules.max_rounds, turns)
    out["recycles"] = out["turns"] // (rules.stock_size + 1)
    out["seat"] = (out["turns"] - 1) % seats
    out["winner"] = (out["seat"] + out["dealer"] + 1) % seats
    first = np.where(dice.random(deals) < 0.1, DEALT, FIRST_TURN)
    out["kind"] = np.where(out["turns"] <= seats, first, LATER)
    out["deuces"] = dice.binomial(rules.wilds - rules.jokers, 0.2, deals)
    out["jokers"] = dice.binomial(rules.jokers, 0.3, deals)
    out["one_suit"] = dice.random(deals) < 0.002
    out["patterns"] = dice.integers(1, 1 << len(rules.patterns), deals)
    wild = out["deuces"] * rules.pay_deuce + out["jokers"] * rules.pay_joker
    natural = (out["deuces"] == 0) & (out["jokers"] == 0)
    bonus = np.array([rules.pay_dealt, rules.pay_first_turn, 0])[out["kind"]]
    out["payment"] = (
        rules.pay_exit
        + np.where(natural, rules.pay_no_wild, wild)
        + bonus
        + out["one_suit"] * rules.pay_one_suit
    )
    nobody = out["end"] != EXIT
    for name in ("kind", "winner", "seat", "deuces", "jokers", "one_suit"):
        out[name][nobody] = -1
    out["payment"][nobody] = 0
    out["patterns"][nobody] = 0
    return out


def fake_openings(rules: ContinentalRules, outcomes: np.ndarray, seed: int = 1) -> np.ndarray:
    """Draw a dealt hand for each seat of each deal."""
    dice = np.random.default_rng([seed, 2])
    shape = (len(outcomes), rules.seats)
    out = np.zeros(shape, OPENING)
    out["deal"] = outcomes["deal"][:, None]
    out["seat"] = np.arange(rules.seats)
    out["deuces"] = dice.binomial(rules.wilds - rules.jokers, 0.14, shape)
    out["jokers"] = dice.binomial(rules.jokers, 0.14, shape)
    out["distance"] = dice.binomial(8, 0.5, shape)
    return out


def fake_sums(rules: ContinentalRules, outcomes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sums by face and by player that go with the outcomes."""
    turns = int(outcomes["turns"].sum())
    faces = np.full((53, 2), (len(outcomes) // 4, turns // 53), np.int64)
    behaviour = np.zeros((rules.seats, len(CONTINENTAL.behaviour_sums)), np.int64)
    behaviour[:] = (len(outcomes), turns // rules.seats, turns // 20, turns // 200, 0)
    return faces, behaviour


def fake_cubes(rules: ContinentalRules, outcomes: np.ndarray) -> StudyCubes:
    """Group outcomes as a block does."""
    return StudyCubes.of_block(
        rules, Block(outcomes, fake_openings(rules, outcomes), *fake_sums(rules, outcomes))
    )


def fake_manifest(
    rules: ContinentalRules, lineup: tuple[str, ...], deals: int, **study: Any
) -> dict[str, Any]:
    """Build a manifest as a finished study has it."""
    return {
        "study": {
            "seed": 7,
            "first_deal": 0,
            "deals": deals,
            "lineup": list(lineup),
            "fixed_order": False,
            **study,
        },
        "rules": rules_to_dict(rules),
        "state": {"status": "complete", "deals": deals, "reason": "", "records": False},
        "runs": [{"contsim": "0.1.0", "jobs": 1, "backend": "loky", "seconds": 1.5}],
    }


def fake_study(
    directory: Path,
    rules: ContinentalRules | None = None,
    lineup: tuple[str, ...] = LINEUP,
    deals: int = 4000,
    **options: Any,
) -> store.StoredStudy:
    """Write a made-up study into a directory."""
    rules = rules or ContinentalRules()
    outcomes = fake_outcomes(rules, deals, **options)
    manifest = fake_manifest(rules, lineup, deals)
    return store.write_study(directory, fake_cubes(rules, outcomes), manifest)
