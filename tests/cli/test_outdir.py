"""Where a study is kept if the user does not say."""

from continental_sim.cli import main
from continental_sim.cli.outdir import fresh_directory


def test_fresh_directories_differ_and_name_the_study(tmp_path):
    first = fresh_directory({"seed": 1}, tmp_path)
    first.mkdir(parents=True)
    again = fresh_directory({"seed": 1}, tmp_path)
    other = fresh_directory({"seed": 2}, tmp_path)
    assert len({first, again, other}) == 3
    assert first.name[16:24] == again.name[16:24] != other.name[16:24]


def test_a_directory_without_a_name_is_refused(capsys):
    for command in ("run", "whatif --set ace=low", "report x"):
        assert main([*command.split(), "--out", ""]) == 2
        assert "'' names no directory; give a path" in capsys.readouterr().err


def test_a_question_is_not_put_among_other_things(tmp_path, capsys):
    (tmp_path / "letter.txt").write_text("mine")
    line = ["whatif", "--set", "ace=low", "--deals", "100", "--out", str(tmp_path)]
    assert main(line) == 2
    error = capsys.readouterr().err
    assert "is not empty (it holds letter.txt): name a new one with --out" in error
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]
