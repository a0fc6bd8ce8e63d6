"""Every public name is documented in numpydoc: each parameter, what comes back, what is refused."""

import inspect
import re
from dataclasses import fields, is_dataclass

import pytest

import continental_sim as cs

PUBLIC = {name: getattr(cs, name) for name in cs.__all__ if name != "__version__"}
OURS = (cs.StudyResult, cs.ComparisonResult, cs.WhatifResult)
METHODS = {
    f"{kind.__name__}.{name}": getattr(kind, name)
    for kind in OURS
    for name in dir(kind)
    if not name.startswith("_")
}
FUNCTIONS = {name: each for name, each in {**PUBLIC, **METHODS}.items() if inspect.isfunction(each)}
CLASSES = {name: each for name, each in PUBLIC.items() if inspect.isclass(each)}


def sections(doc):
    """Sections of a docstring: title to the names that it lists, each with some text."""
    found = {}
    pieces = re.split(r"^(\w+)\n-+\n", inspect.cleandoc(doc), flags=re.MULTILINE)
    for title, body in zip(pieces[1::2], pieces[2::2], strict=True):
        entries = re.split(r"^(?=\S)", body, flags=re.MULTILINE)
        found[title] = {}
        for entry in filter(str.strip, entries):
            head, _, text = entry.partition("\n")
            for name in head.partition(" : ")[0].split(", "):
                found[title][name] = text.strip()
    return found


def parameters_of(function):
    return [name for name in inspect.signature(function).parameters if name != "self"]


@pytest.mark.parametrize("name", [*PUBLIC, *METHODS])
def test_the_first_line_is_a_sentence(name):
    each = {**PUBLIC, **METHODS}[name]
    doc = inspect.getdoc(each.fget if isinstance(each, property) else each)
    if name in PUBLIC or hasattr(each, "__doc__"):
        assert doc, name
        assert doc.splitlines()[0].endswith("."), name


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_say_what_they_take_give_and_refuse(name):
    function = FUNCTIONS[name]
    told = sections(function.__doc__)
    wanted = parameters_of(function)
    assert list(told.get("Parameters", {})) == wanted
    assert all(told.get("Parameters", {}).values()), told
    assert all(told["Returns"].values()), told
    if wanted:
        assert "ContsimError" in told["Raises"]
        assert all(told["Raises"].values())


@pytest.mark.parametrize("name", ["Study", *(kind.__name__ for kind in OURS)])
def test_classes_say_what_they_are_made_of(name):
    told = sections(CLASSES[name].__doc__)
    assert list(told["Parameters"]) == parameters_of(CLASSES[name].__init__)
    assert all(told["Parameters"].values())
    assert told["Attributes"]


@pytest.mark.parametrize("name", [n for n, each in CLASSES.items() if is_dataclass(each)])
def test_attributes_are_told(name):
    told = sections(CLASSES[name].__doc__)["Attributes"]
    assert {field.name for field in fields(CLASSES[name])} <= set(told)
