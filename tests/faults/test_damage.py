"""Files that were damaged, mixed up or lost behind a study's back: found, named, played again."""

import shutil

import pytest

from continental_sim.cli import main
from tests.processes import canonical, deals_kept, manifest_of, spans_kept, unbroken
from tests.studies import play_until
from tests.tabletop import DEFAULT, study_of

BLOCK = 20
DEALS = 600
KEPT = 500  # a part of 16 blocks and 9 single ones


def study(seed=72):
    return study_of(DEFAULT, "stock", DEALS, seed=seed, block_deals=BLOCK)


def play_half(directory, seed=72):
    """Play a study until it is interrupted."""
    play_until(study(seed), directory, KEPT, records=True)
    return directory


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    return play_half(tmp_path_factory.mktemp("begun") / "study")


@pytest.fixture(scope="module")
def foreign(tmp_path_factory):
    return play_half(tmp_path_factory.mktemp("foreign") / "study", seed=73)


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    return unbroken(study(), tmp_path_factory.mktemp("unbroken") / "study", records=True)


@pytest.fixture
def directory(begun, tmp_path):
    return shutil.copytree(begun, tmp_path / "study")


def part(directory, kind, first):
    """Find the part that begins with a deal."""
    (path,) = (directory / "parts").glob(f"{kind}-{first:015d}-*")
    return path


def flip(path):
    """Change one bit in the middle of a file."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def cut_short(path):
    path.write_bytes(path.read_bytes()[:-1])


def empty(path):
    path.write_bytes(b"")


def resume(directory, capsys, kept):
    """Resume a study of which so many deals are still good; return what is told."""
    assert main(["run", "--resume", str(directory), "--jobs", "1"]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1].startswith("Kept in ")
    assert manifest_of(directory)["runs"][-1]["deals"] == DEALS - kept
    return lines[:-1]


def told(directory, path, why, lost="its deals"):
    return (
        f"contsim: {path.name} is damaged or foreign ({why}): it lies in {directory}/set-aside "
        f"now, and {lost} are played again"
    )


@pytest.mark.parametrize(
    ("kind", "first", "damage"),
    [
        ("cubes", 0, flip),
        ("records", 380, cut_short),
        pytest.param("cubes", 380, flip, marks=pytest.mark.full),
        pytest.param("cubes", 0, cut_short, marks=pytest.mark.full),
        pytest.param("cubes", 380, empty, marks=pytest.mark.full),
        pytest.param("records", 0, flip, marks=pytest.mark.full),
        pytest.param("records", 0, empty, marks=pytest.mark.full),
    ],
)
def test_a_damaged_part_is_set_aside_and_played_again(
    directory, expected, capsys, kind, first, damage
):
    path = part(directory, kind, first)
    damage(path)
    data = path.read_bytes()
    # Records, which are large, are looked at when the study goes on.
    assert main(["show", str(directory)]) == (2 if kind == "cubes" else 0)
    err = capsys.readouterr().err
    told_now = f"{path} is damaged or foreign: its checksum differs; contsim run --resume" in err
    assert told_now == (kind == "cubes")
    lost = 16 * BLOCK if first == 0 else BLOCK
    assert resume(directory, capsys, KEPT - lost) == [told(directory, path, "its checksum differs")]
    assert canonical(directory) == expected
    assert (directory / "set-aside" / path.name).read_bytes() == data


def test_a_part_of_another_study_is_never_summed(directory, foreign, expected, capsys):
    mine, theirs = part(directory, "cubes", 380), part(foreign, "cubes", 380)
    mine.unlink()
    shutil.copy(theirs, mine.parent)
    assert resume(directory, capsys, KEPT - BLOCK) == [
        told(directory, theirs, "it is of another study")
    ]
    assert canonical(directory) == expected


def test_a_renamed_part_is_not_counted_elsewhere(directory, expected, capsys):
    path = part(directory, "cubes", 380)
    moved = path.rename(path.with_name(path.name.replace("380-", "520-").replace("399-", "539-")))
    why = "its name is not the one that it was written under"
    assert resume(directory, capsys, KEPT - BLOCK) == [told(directory, moved, why)]
    assert canonical(directory) == expected


def test_a_file_that_is_no_part_is_put_out_of_the_way(directory, expected, capsys):
    stranger = directory / "parts" / "notes.txt"
    stranger.write_text("mine")
    assert resume(directory, capsys, KEPT) == [
        told(directory, stranger, "it is no part of a study")
    ]
    assert canonical(directory) == expected
    assert (directory / "set-aside" / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize(("kind", "first"), [("cubes", 0), ("records", 340), ("cubes", 480)])
def test_a_part_that_vanished_is_played_again(directory, expected, capsys, kind, first):
    path = part(directory, kind, first)
    path.unlink()
    lost = 16 * BLOCK if first == 0 else BLOCK
    if kind == "cubes":
        assert deals_kept(directory) == KEPT - lost
    assert resume(directory, capsys, KEPT - lost) == []
    assert canonical(directory) == expected


def test_all_parts_vanished(directory, expected, capsys):
    shutil.rmtree(directory / "parts")
    assert main(["show", str(directory)]) == 2
    assert "contsim run --resume" in capsys.readouterr().err
    assert resume(directory, capsys, 0) == []
    assert canonical(directory) == expected


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9])
def test_a_manifest_cut_short_is_refused_by_name(directory, capsys, share):
    path = directory / "manifest.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text[: int(len(text) * share)], encoding="utf-8")
    for line in (["run", "--resume"], ["show"], ["extend", "--deals", "1200"], ["run"]):
        assert main([line[0], *line[1:], str(directory)]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith("contsim: ")
        assert str(path) in err
        assert err.count("\n") == 1
    assert deals_kept(directory) == KEPT
    path.write_text(text, encoding="utf-8")
    assert resume(directory, capsys, KEPT) == []


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (("seed = 72", "seed = 74"), "has been changed since it was written"),
        (('code = "', 'code = "0'), "has been changed since it was written"),
        (("max_rounds = 500", "max_rounds = 400"), "has been changed since it was written"),
    ],
)
def test_a_manifest_that_was_edited_is_refused(directory, capsys, change, what):
    path = directory / "manifest.toml"
    text = path.read_text(encoding="utf-8")
    assert change[0] in text
    path.write_text(text.replace(*change), encoding="utf-8")
    assert main(["run", "--resume", str(directory)]) == 2
    err = capsys.readouterr().err
    assert what in err
    assert err.count("\n") == 1
    assert len(spans_kept(directory)) == 10


def test_a_complete_study_that_is_damaged_is_mended(directory, expected, capsys):
    assert resume(directory, capsys, KEPT) == []
    path = directory / "cube.parquet"
    flip(path)
    assert main(["show", str(directory)]) == 2
    assert f"{path} is damaged or foreign" in capsys.readouterr().err
    why = "it is not the file that this study wrote: its checksum differs"
    assert resume(directory, capsys, 0) == [told(directory, path, why, "all deals")]
    assert canonical(directory) == expected
