"""Where a study is kept if the user does not say."""

from continental_sim.cli.outdir import fresh_directory


def test_fresh_directories_differ_and_name_the_study(tmp_path):
    first = fresh_directory({"seed": 1}, tmp_path)
    first.mkdir(parents=True)
    again = fresh_directory({"seed": 1}, tmp_path)
    other = fresh_directory({"seed": 2}, tmp_path)
    assert len({first, again, other}) == 3
    assert first.name[16:24] == again.name[16:24] != other.name[16:24]
