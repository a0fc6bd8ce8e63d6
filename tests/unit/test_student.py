"""Student's t against tables, and against what is known in closed form."""

import math

import pytest

from continental_sim.figures.estimates import chance_beyond, z_value
from continental_sim.figures.student import shared_freedom, t_chance_beyond, t_value


@pytest.mark.parametrize(
    ("level", "freedom", "value"),
    [  # any printed table
        (0.95, 1, 12.706),
        (0.95, 2, 4.303),
        (0.99, 4, 4.604),
        (0.9, 9, 1.833),
        (0.95, 29, 2.045),
        (0.999, 120, 3.373),
    ],
)
def test_values_are_those_of_the_tables(level, freedom, value):
    assert t_value(level, freedom) == pytest.approx(value, abs=5e-4)


@pytest.mark.parametrize("t", [1e-6, 0.3, 1.0, 4.0, 50.0, 1e5])
def test_chances_of_one_and_two_degrees_are_known_in_closed_form(t):
    assert t_chance_beyond(t, 1) == pytest.approx(2 / math.pi * math.atan2(1, t), rel=1e-11)
    root = math.sqrt(2 + t * t)
    assert t_chance_beyond(t, 2) == pytest.approx(2 / (root * (root + t)), rel=1e-9)
    assert t_chance_beyond(-t, 2) == t_chance_beyond(t, 2)


def test_chances_of_three_degrees_are_known_in_closed_form():
    x = 2.7 / math.sqrt(3)
    known = 1 - 2 / math.pi * (x / (1 + x * x) + math.atan(x))
    assert t_chance_beyond(2.7, 3) == pytest.approx(known, rel=1e-11)


@pytest.mark.parametrize("freedom", [0.6, 1, 1.7, 3, 40.5, 1e3, 9e5])
@pytest.mark.parametrize("level", [0.05, 0.5, 0.95, 0.9999])
def test_a_value_has_the_chance_of_its_level(level, freedom):
    assert t_chance_beyond(t_value(level, freedom), freedom) == pytest.approx(1 - level, rel=1e-9)


def test_many_degrees_are_as_good_as_normal():
    for z in (0.1, 2.0, 6.0):
        assert t_chance_beyond(z, 9.9e5) == pytest.approx(chance_beyond(z), rel=1e-3)
        assert t_chance_beyond(z, 1e9) == chance_beyond(z)
    assert t_value(0.95, 9.9e5) == pytest.approx(z_value(0.95), rel=1e-5)


def test_chance_is_one_without_a_difference():
    assert t_chance_beyond(0.0, 3) == 1


def test_degrees_of_freedom_of_a_sum():
    assert shared_freedom([2.0], [4.0]) == 4
    assert shared_freedom([1.0, 1.0], [4.0, 4.0]) == 8
    assert shared_freedom([1.0, 1e-9], [4.0, 4.0]) == pytest.approx(4)
    assert shared_freedom([1.0, 0.0], [4.0, 0.0]) == 4
    assert shared_freedom([0.0], [0.0]) == 0
