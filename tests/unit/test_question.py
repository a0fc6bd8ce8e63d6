"""A question on disk: it reads back, says how to ask again, and is refused if it is damaged."""

import shlex
from dataclasses import replace

import pytest

from continental_sim.comparing.question import Asked, Question, read_question, write_question
from continental_sim.comparing.variants import Variant
from continental_sim.comparing.whatif import asked_of, studies_of
from continental_sim.errors import ContsimError
from continental_sim.rules import rule_keys
from tests.tabletop import DEFAULT

PAYMENTS = [key for key in rule_keys() if key.startswith("pay_")]
ASKED = Question(
    rules="continental",
    settings=("ace=low", "seats=5 recycles=0"),
    grids=("jokers=0,4",),
    files=("my rules.toml",),
    metrics=(),
    strategies=("fastest",),
    until=(),
    deals=5000,
    seed=2**64 - 1,  # beyond what a signed number holds
    level=0.9,
    studies=(Asked("baseline", "baseline"), Asked("ace=low", "ace=low", ("a note",))),
)


def test_a_question_reads_back(tmp_path):
    write_question(tmp_path / "new", ASKED)
    assert read_question(tmp_path / "new") == ASKED


def test_the_command_asks_the_same():
    words = shlex.split(ASKED.command("a b"))
    assert words[:4] == ["contsim", "whatif", "--rules", "continental"]
    assert words[4:8] == ["--set", "ace=low", "--set", "seats=5 recycles=0"]
    assert words[8:12] == ["--grid", "jokers=0,4", "--variant", "my rules.toml"]
    assert words[-8:] == [
        *("--deals", "5000", "--seed", "18446744073709551615", "--level", "0.9", "--out", "a b"),
    ]
    until = shlex.split(replace(ASKED, until=("turns=1%",)).command("a b", 3000))
    assert until[-10:-6] == ["--until", "turns=1%", "--max-deals", "5000"]
    assert "--deals 3000" in ASKED.command("x", 3000)
    assert "--level 0.99999999 " in replace(ASKED, level=0.99999999).command("x")


def test_directories_of_long_variants_are_short_and_differ(tmp_path):
    many = " ".join(f"{key}=0" for key in ("recycles", *PAYMENTS))
    base, *variants = (Variant(name, DEFAULT) for name in ("baseline", "a/b", many, many + "0"))
    studies = studies_of(base, variants, ["random"], 1, 100)
    asked = asked_of(variants, studies)
    assert [each.name for each in asked] == ["baseline", "a/b", many, many + "0"]
    baseline, short, one, other = (each.directory for each in asked)
    assert (baseline, short) == ("baseline", "a-b")
    assert len(many) > len(one) == len(other) == 60
    assert one != other
    assert one.startswith("recycles=0 pay_")
    longest = "\N{PLAYING CARD BLACK JOKER}" * 60  # in bytes; its manifest is kept with a report
    (tmp_path / f".{longest}.toml.tmp").touch()


@pytest.mark.parametrize(
    "change",
    [
        ("format = 1", "format = 7"),
        ("seed", "seeds"),
        ("level = 0.9", "level ="),
        ("[[", "["),
        ("deals = 5000", 'deals = "x"'),
        ("deals = 5000", "deals = true"),
        ("deals = 5000", "deals = 0"),
        ("level = 0.9", "level = 9.0"),
        ('"jokers=0,4"', "4"),
        ("metrics = []", 'metrics = "turns"'),
        ('directory = "ace=low"', 'folder = "ace=low"'),
    ],
)
def test_a_damaged_question_is_refused(tmp_path, change):
    write_question(tmp_path, ASKED)
    path = tmp_path / "question.toml"
    assert change[0] in path.read_text()
    path.write_text(path.read_text().replace(*change))
    with pytest.raises(ContsimError, match="is damaged, or of another version: ask again"):
        read_question(tmp_path)


def test_a_question_without_variants_is_refused(tmp_path):
    write_question(tmp_path, replace(ASKED, studies=ASKED.studies[:1]))
    with pytest.raises(ContsimError, match="is damaged, or of another version"):
        read_question(tmp_path)
