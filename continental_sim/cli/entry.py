"""The `contsim` command: which commands there are, and how any error becomes one sentence.

Nothing heavy is imported here: a command's module is imported when the command is used, and numpy,
numba or matplotlib only inside the function that needs them. So `contsim --help` answers at once.
"""

import errno
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated

import typer

from continental_sim import __version__
from continental_sim.cli.framework import AnyCommand, LazyGroup, UsageError, new_app, usage
from continental_sim.cli.style import painted
from continental_sim.errors import CannotPrint, ContsimError
from continental_sim.interrupts import signal_name, signal_of

# Name, and the one line that `contsim --help` shows; the module is continental_sim.cli.NAME, and
# its command is its `app`. A test compares each line with the command's own help.
COMMANDS = {
    "run": "Play a study: deals by the million, to Parquet and a table.",
    "extend": "Add deals to a study: it becomes what one run of all of them gives.",
    "merge": "Add studies up that differ in seed or deals alone.",
    "show": "Print the table of a finished study, what-if or comparison again.",
    "report": "Draw a study, what-if or comparison: charts and a page around them.",
    "check": "Judge a hand of 15 or 16 cards, or a declared layout.",
    "advise": "Weigh each discard of a hand of Continental, of 16 cards.",
    "odds": "Count the hands that are dealt: exact odds, nothing drawn at random.",
    "compare": "Tell which strategy is better: the same deals in balanced seatings.",
    "plan": "Tell how many deals contsim compare needs to find a difference.",
    "whatif": "Play rules and variants of them side by side, and tell what differs.",
    "luck": "Tell whether a score may be luck, and how many deals would tell.",
    "rare": "Estimate how often a rare event of Continental happens, by multilevel splitting.",
    "verify": "Compare play with what is counted exactly: for a new machine, or new rules.",
    "replay": "Print one deal of a study as readable play.",
    "rules": "List, show and check the rules of a game.",
    "strategies": "List, show, check and start strategies.",
}

# What `contsim` alone prints: the way from nothing to an answer.
START = """\
contsim plays Continental Rummy and Basic Rummy by the million, and counts.

Three commands to begin with:
  contsim run --deals 1e5         play, and print every figure with its interval
  contsim whatif --set ace=wrap   play rules and a change of them: what differs?
  contsim report DIR              draw what they have kept: charts and a page

For the other game: contsim run --game basic-rummy. All commands: contsim --help"""

STATUS_USAGE = 2
STATUS_BUG = 70  # EX_SOFTWARE of sysexits.h
STATUS_SIGNAL = 128  # and the number of the signal, as a shell reports it
STATUS_BROKEN_PIPE = 141  # as a shell reports SIGPIPE
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)  # how writing to a stream fails


class Commands(LazyGroup):
    """The commands of contsim."""

    lines = COMMANDS
    package = "continental_sim.cli"


app = new_app(
    cls=Commands,
    add_completion=True,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="`contsim COMMAND --help` shows a command's options and an example.",
)


def show_version(ctx: typer.Context, wanted: bool) -> None:
    """Print the version and stop."""
    if wanted and not ctx.resilient_parsing:
        typer.echo(f"contsim {__version__}")
        raise typer.Exit


@app.callback()
def contsim(
    ctx: typer.Context,
    version: Annotated[  # noqa: ARG001 (its callback does the work)
        bool,
        typer.Option(
            "--version", callback=show_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Play Continental Rummy and Basic Rummy by the million, and count what happens."""
    if ctx.invoked_subcommand is None:
        typer.echo(START)


def command() -> AnyCommand:
    """Build the whole command line, without importing a command."""
    return typer.main.get_command(app)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit status.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments; those of the process if left out.

    Returns
    -------
    int
        0 done, 1 a failed study or a hand that cannot go out, 2 bad input, 70 a fault of contsim's
        own, 130 stopped by Ctrl-C (128 + the signal), 141 the reader of the output went away.
    """
    args = sys.argv[1:] if argv is None else list(argv)
    debug = bool(os.environ.get("CONTSIM_DEBUG"))
    try:
        root = command()
        if "_CONTSIM_COMPLETE" in os.environ:  # a shell asks for completions: typer answers, exits
            root.main(args, prog_name="contsim")
        with root.make_context("contsim", args, obj=["contsim", *args]) as ctx:
            root.invoke(ctx)
        sys.stdout.flush()  # inside the net: a closed pipe may only show here
    except typer.Exit as done:
        return done.exit_code
    except SystemExit as done:  # completion ends so
        return done.code if isinstance(done.code, int) else 0
    except BrokenPipeError:
        _drop_output()
        return STATUS_BROKEN_PIPE
    except KeyboardInterrupt as stop:
        # A study that was stopped tells what it has kept.
        number = signal_of(stop)
        sentence = str(stop) or f"stopped by {signal_name(number)}"
        return _fail(sentence, STATUS_SIGNAL + number, newline=sys.stderr.isatty())
    except Exception as error:
        if debug:
            raise
        if isinstance(error, OSError) and error.filename is None and error.errno in FULL:
            error = CannotPrint(error)  # files that a command writes are named
        if isinstance(error, CannotPrint):
            _drop_output()
        return _fail(*explain(error))
    return 0


def explain(error: Exception) -> tuple[str, int]:
    """Turn an exception into one sentence and an exit status.

    Parameters
    ----------
    error : Exception
        What a command raised.

    Returns
    -------
    tuple of str and int
        The sentence, without the program's name, and the status.
    """
    if isinstance(error, ContsimError):
        return str(error), error.exit_status
    if isinstance(error, UsageError):
        return usage(error), STATUS_USAGE
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename is not None else ""
        return f"{where}{error.strerror}", STATUS_USAGE
    if isinstance(error, MemoryError):
        return "there is not enough memory; fewer --jobs need less", 1
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return (
        f"a fault in contsim itself, please report it ({what}); CONTSIM_DEBUG=1 shows where",
        STATUS_BUG,
    )


def _fail(sentence: str, status: int, *, newline: bool = False) -> int:
    """Print a sentence on standard error, on one line, and return the status."""
    line = " ".join(sentence.split())
    # After ^C the cursor stands behind what the terminal echoed.
    with suppress(OSError):  # nobody can be told; the status says it
        name = painted("contsim:", sys.stderr, fg="red", bold=True)
        print(f"{chr(10) if newline else ''}{name} {line}", file=sys.stderr)
    return status


def _drop_output() -> None:
    """Forget what could not be written: the interpreter would try again on its way out."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
