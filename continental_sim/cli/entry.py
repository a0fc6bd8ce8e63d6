"""The `contsim` command: which commands there are, and how any error becomes one sentence.

Nothing heavy is imported here: a command's module is imported when the command is used, and numpy,
numba or matplotlib only inside the function that needs them. So `contsim --help` answers at once.
"""

import importlib
import os
import sys
from collections.abc import Sequence

import click

from continental_sim import __version__
from continental_sim.errors import ContsimError

# Name, and the one line that `contsim --help` shows; the module is continental_sim.cli.NAME, and
# its command is called NAME too. A test compares each line with the command's own help.
COMMANDS = {
    "run": "Play a study: deals by the million, to Parquet and a table.",
    "show": "Print the table of a finished study again.",
    "report": "Draw a study: charts and a page around them.",
    "check": "Judge a hand of 15 or 16 cards, or a declared layout.",
    "advise": "Weigh each discard of a hand of 16 cards.",
    "replay": "Print one deal of a study as readable play.",
    "rules": "List, show and check the rules of a game.",
    "strategies": "List, show, check and start strategies.",
}

STATUS_USAGE = 2
STATUS_BUG = 70  # EX_SOFTWARE of sysexits.h
STATUS_INTERRUPTED = 130  # as a shell reports SIGINT
STATUS_BROKEN_PIPE = 141  # as a shell reports SIGPIPE


class LazyGroup(click.Group):
    """A group that knows its commands' names and help lines, and imports one when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's signature)
        """Name them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one."""
        if cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        module = importlib.import_module(f"continental_sim.cli.{cmd_name}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find one, or name the nearest."""
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            raise click.exceptions.NoSuchCommand(args[0], possibilities=COMMANDS, ctx=ctx)
        return super().resolve_command(ctx, args)

    def format_commands(
        self,
        ctx: click.Context,  # noqa: ARG002
        formatter: click.HelpFormatter,
    ) -> None:
        """Write what the help says of them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="`contsim COMMAND --help` shows a command's options and an example.",
)
@click.version_option(__version__, prog_name="contsim", message="%(prog)s %(version)s")
@click.pass_context
def contsim(ctx: click.Context) -> None:
    """Play Continental Rummy by the million, and count what happens."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


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
        own, 130 stopped by Ctrl-C, 141 the reader of the output went away.
    """
    args = sys.argv[1:] if argv is None else list(argv)
    if "_CONTSIM_COMPLETE" in os.environ:  # a shell asks for completions: click answers and exits
        contsim.main(args, prog_name="contsim")
    debug = bool(os.environ.get("CONTSIM_DEBUG"))
    try:
        with contsim.make_context("contsim", args, obj=["contsim", *args]) as ctx:
            contsim.invoke(ctx)
        sys.stdout.flush()  # inside the net: a closed pipe may only show here
    except click.exceptions.Exit as done:
        return done.exit_code
    except BrokenPipeError:
        # The interpreter flushes again on its way out; that must find something open.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return STATUS_BROKEN_PIPE
    except KeyboardInterrupt as stop:
        return _fail(
            str(stop) or "stopped by Ctrl-C", STATUS_INTERRUPTED, newline=sys.stderr.isatty()
        )
    except Exception as error:
        if debug:
            raise
        return _fail(*explain(error, args))
    return 0


def explain(error: Exception, args: Sequence[str] = ()) -> tuple[str, int]:
    """Turn an exception into one sentence and an exit status.

    Parameters
    ----------
    error : Exception
        What a command raised.
    args : sequence of str
        The command line, to name the command whose help explains it.

    Returns
    -------
    tuple of str and int
        The sentence, without the program's name, and the status.
    """
    if isinstance(error, ContsimError):
        return str(error), error.exit_status
    if isinstance(error, click.UsageError):
        return _usage(error, args), STATUS_USAGE
    if isinstance(error, click.ClickException):
        return error.format_message(), STATUS_USAGE
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


def _usage(error: click.UsageError, args: Sequence[str]) -> str:
    """Shorten click's message: what is wrong, the nearest name, where the help is."""
    command = error.ctx.command_path if error.ctx else "contsim"
    if command == "contsim" and args and args[0] in COMMANDS:  # click's parser knows no better
        command = f"contsim {args[0]}"
    if isinstance(error, click.NoSuchOption | click.exceptions.NoSuchCommand):
        option = isinstance(error, click.NoSuchOption)
        kind = "option" if option else "command"
        name = error.option_name if isinstance(error, click.NoSuchOption) else error.command_name
        near = error.possibilities[0] if error.possibilities else None
        hint = f"did you mean {near}?" if near else f"'{command} --help' lists the {kind}s"
        return f"unknown {kind} {name!r}; {hint}"
    if isinstance(error, click.BadParameter) and error.param and error.message:
        # Our own parameter types already say what was given and what is allowed.
        return f"{_parameter_name(error.param)}: {error.message.rstrip('.')}"
    message = error.format_message().rstrip(".")
    return f"{message[:1].lower()}{message[1:]}; see '{command} --help'"


def _parameter_name(parameter: click.Parameter) -> str:
    if isinstance(parameter, click.Option):
        return max(parameter.opts, key=len)
    return parameter.human_readable_name


def _fail(sentence: str, status: int, *, newline: bool = False) -> int:
    """Print a sentence on standard error, on one line, and return the status."""
    line = " ".join(sentence.split())
    # After ^C the cursor stands behind what the terminal echoed.
    print(f"{chr(10) if newline else ''}contsim: {line}", file=sys.stderr)
    return status
