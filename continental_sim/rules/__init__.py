"""Rules as data: a frozen record for each game, presets, and the table of their keys."""

from continental_sim.rules.base import GameRules
from continental_sim.rules.basic_rummy import BasicRummyRules
from continental_sim.rules.continental import ContinentalRules
from continental_sim.rules.keys import RuleKey, rule_keys
from continental_sim.rules.load import (
    GAMES,
    as_settings,
    choose_rules,
    continental,
    describe,
    differences,
    load_rules,
    preset_about,
    preset_game,
    preset_names,
    rules_from_dict,
    rules_to_dict,
    with_changes,
    with_settings,
)

__all__ = [
    "GAMES",
    "BasicRummyRules",
    "ContinentalRules",
    "GameRules",
    "RuleKey",
    "as_settings",
    "choose_rules",
    "continental",
    "describe",
    "differences",
    "load_rules",
    "preset_about",
    "preset_game",
    "preset_names",
    "rule_keys",
    "rules_from_dict",
    "rules_to_dict",
    "with_changes",
    "with_settings",
]
