"""Strategies and tables for tests of `contsim strategies check`."""

import pytest

from continental_sim.authors.edges import Setup
from continental_sim.errors import ContsimError
from continental_sim.strategy import make_strategy
from tests.strategy_files import HEAD, source
from tests.tabletop import rules_with

LONG = 600.0  # [seconds] that no test needs
MODULES = "import json\nfrom continental_sim.api import *\n"  # json: it runs interpreted
SHORT = rules_with("seats=3", "max_rounds=8")
SOON = rules_with("seats=3", "packs=1", "max_rounds=8")  # its stock is short: recycled soon


def made(*lines, head=HEAD, **parts):
    return make_strategy("mine.py", "mine", source(*lines, head=head, **parts))


def alone(what, *rules):
    return [Setup(each, (what,)) for each in rules or (SHORT, SOON)]


def refused(call, *arguments):
    """Return the sentence with which a check refuses a strategy."""
    with pytest.raises(ContsimError) as caught:
        call(*arguments)
    assert "\n" not in str(caught.value)
    return str(caught.value)
