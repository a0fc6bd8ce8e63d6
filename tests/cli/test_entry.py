"""The command line as a whole: help, unknown names, and errors as one sentence."""

import importlib
import os
import subprocess
import sys

import pytest
import shellingham

from continental_sim import __version__
from continental_sim.cli import entry, main
from continental_sim.cli.framework import Command, Group, new_app
from continental_sim.errors import ContsimError, StudyFailed


def run_main(capsys, *arguments):
    """Run in this process; gives status, standard output and standard error."""
    status = main(list(arguments))
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def with_failing(monkeypatch, error):
    """Put a command that raises in the place of `rules`."""
    app = new_app()

    @app.command(cls=Command)
    def rules():
        raise error

    module = importlib.import_module("continental_sim.cli.rules")
    monkeypatch.setattr(module, "app", app)


def commands(group, path=()):
    """Every command and group below `group`, with the words that call it."""
    context = group.context_class(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        yield (*path, name), command
        if isinstance(command, Group):
            yield from commands(command, (*path, name))


ALL = list(commands(entry.command()))


def test_version(capsys):
    assert run_main(capsys, "--version") == (0, f"contsim {__version__}\n", "")


def test_nothing_shows_the_three_commands_that_matter(capsys):
    status, out, err = run_main(capsys)
    assert (status, err) == (0, "")
    shown = [line.split()[1] for line in out.splitlines() if line.startswith("  contsim ")]
    assert shown == ["run", "whatif", "report"]
    assert set(shown) <= set(entry.COMMANDS)
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize("arguments", [("--help",), ("-h",)])
def test_help_names_every_command(capsys, arguments):
    status, out, err = run_main(capsys, *arguments)
    assert (status, err) == (0, "")
    words = " ".join(out.split())  # a long line is wrapped
    for name, line in entry.COMMANDS.items():
        assert f" {name} {line}" in words


def test_help_lines_are_those_of_the_commands():
    top = {words[0]: command for words, command in ALL if len(words) == 1}
    assert {name: top[name].help.splitlines()[0] for name in top} == entry.COMMANDS


@pytest.mark.parametrize(("words", "command"), ALL, ids=[" ".join(words) for words, _ in ALL])
def test_every_command_has_help_an_example_and_json(capsys, words, command):
    status, out, err = run_main(capsys, *words, "--help")
    assert (status, err) == (0, "")
    assert "Usage: contsim " + " ".join(words) in out
    assert command.help
    assert command.epilog.startswith("Example")
    if not isinstance(command, Group):
        assert "--json" in out
    assert not [parameter.name for parameter in command.params if not parameter.help]


@pytest.mark.parametrize("words", [(), *(words for words, _ in ALL)], ids=" ".join)
def test_help_fits_80_columns_however_wide_the_terminal(capsys, monkeypatch, words):
    monkeypatch.setenv("COLUMNS", "200")
    assert main([*words, "--help"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


def test_help_names_arguments_as_they_are_typed(capsys):
    assert main(["report", "--help"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Usage: contsim report [OPTIONS] DIR\n")
    assert "  DIR  A directory that contsim run, whatif or compare wrote.\n" in out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["rn"], "unknown command 'rn'; did you mean run?"),
        (["xyzzy"], "unknown command 'xyzzy'; 'contsim --help' lists the commands"),
        (["rules", "lst"], "unknown command 'lst'; did you mean list?"),
        (["run", "--sed", "3"], "unknown option '--sed'; did you mean --seed?"),
        (["--foo"], "unknown option '--foo'; 'contsim --help' lists the options"),
        (["replay", "x"], "missing option '--deal'; see 'contsim replay --help'"),
        (["show"], "missing argument 'DIR'; see 'contsim show --help'"),
        (
            ["run", "--backend", "lok"],
            "--backend: 'lok' is not one of 'loky', 'threading', 'dask', 'ray'",
        ),
        (["run", "--seed"], "option '--seed' requires an argument; see 'contsim run --help'"),
        (["check"], "no hand is given; see 'contsim check --help'"),
    ],
)
def test_wrong_use_is_one_sentence_and_status_2(capsys, arguments, sentence):
    assert run_main(capsys, *arguments) == (2, "", f"contsim: {sentence}\n")


@pytest.mark.parametrize(
    ("error", "status", "sentence"),
    [
        (ContsimError("seats = 9 is too many"), 2, "seats = 9 is too many"),
        (ContsimError("two\n  lines"), 2, "two lines"),
        (StudyFailed("the study stopped"), 1, "the study stopped"),
        (FileNotFoundError(2, "No such file", "x.toml"), 2, "x.toml: No such file"),
        (MemoryError(), 1, "there is not enough memory; fewer --jobs need less"),
        (KeyboardInterrupt(), 130, "stopped by Ctrl-C"),
        (KeyboardInterrupt("40 deals are kept"), 130, "40 deals are kept"),
    ],
)
def test_errors_are_one_sentence(capsys, monkeypatch, error, status, sentence):
    with_failing(monkeypatch, error)
    assert run_main(capsys, "rules") == (status, "", f"contsim: {sentence}\n")


def test_a_fault_of_ours_says_so(capsys, monkeypatch):
    with_failing(monkeypatch, ZeroDivisionError("division by zero"))
    monkeypatch.delenv("CONTSIM_DEBUG", raising=False)
    status, out, err = run_main(capsys, "rules")
    assert (status, out) == (70, "")
    assert err.count("\n") == 1
    assert "ZeroDivisionError: division by zero" in err
    assert "CONTSIM_DEBUG=1" in err


def test_debugging_shows_the_traceback(monkeypatch):
    with_failing(monkeypatch, ZeroDivisionError("division by zero"))
    monkeypatch.setenv("CONTSIM_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        main(["rules"])


def test_a_closed_pipe_is_no_error():
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "continental_sim", "--help"],
        stdout=write,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (entry.STATUS_BROKEN_PIPE, b"")


@pytest.mark.parametrize(
    ("words", "completions"),
    [
        ("contsim st", "strategies"),
        ("contsim rules s", "show"),
        ("contsim run --sh", "--shuffled-order"),
        ("contsim run --backend l", "loky"),
    ],
)
def test_a_shell_can_complete(words, completions):
    done = subprocess.run(
        [sys.executable, "-m", "continental_sim"],
        env={
            **os.environ,
            "_CONTSIM_COMPLETE": "complete_bash",
            "COMP_WORDS": words,
            "COMP_CWORD": str(words.count(" ")),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == (f"{completions}\n", "")


def test_completion_can_be_installed(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(shellingham, "detect_shell", lambda: ("bash", "/bin/bash"))
    status, out, err = run_main(capsys, "--show-completion")
    assert (status, err) == (0, "")
    assert "_CONTSIM_COMPLETE=complete_bash" in out
    assert run_main(capsys, "--install-completion")[0] == 0
    assert "contsim" in (tmp_path / ".bashrc").read_text()
