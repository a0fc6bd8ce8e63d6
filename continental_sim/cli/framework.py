"""What contsim makes of typer: lazy commands, the nearest name, plain help and plain values.

Typer brings its own copy of click, and since 0.29 reads each value through pydantic, whose import
takes longer than the whole of ``contsim --help``. Whatever leans on the inside of typer is in this
file and in no other; pyproject.toml names the range of versions that were tested.
"""

import difflib
import importlib
import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal, get_args, get_origin

import typer
from typer._click import Command as AnyCommand
from typer._click import Context, HelpFormatter, Parameter
from typer._click.exceptions import BadParameter, NoSuchOption, UsageError
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from continental_sim.errors import ContsimError

__all__ = [
    "AnyCommand",
    "Command",
    "Explained",
    "Group",
    "LazyGroup",
    "UsageError",
    "explained",
    "new_app",
    "usage",
]


class Command(TyperCommand):
    """A command whose help names arguments as they are typed, without braces and types."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Parse; an error always knows which command it is about."""
        try:
            return super().parse_args(ctx, args)
        except UsageError as error:
            error.ctx = error.ctx or ctx
            raise

    def get_params(self, ctx: Context) -> list[Parameter]:
        """List the parameters; they read their values plainly."""
        return [_read_plainly(parameter) for parameter in super().get_params(ctx)]

    def collect_usage_pieces(self, ctx: Context) -> list[str]:  # noqa: ARG002 (typer's signature)
        """Name options and arguments."""
        return _usage_pieces(self)

    def format_options(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Explain arguments and options."""
        _explain_parameters(self, ctx, formatter)


class Group(TyperGroup):
    """A command with commands of its own; an unknown one is answered with the nearest name."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Parse; an error always knows which command it is about."""
        try:
            return super().parse_args(ctx, args)
        except UsageError as error:
            error.ctx = error.ctx or ctx
            raise

    def resolve_command(
        self, ctx: Context, args: list[str]
    ) -> tuple[str | None, AnyCommand | None, list[str]]:
        """Find a command.

        Raises
        ------
        ContsimError
            If there is none of that name.
        """
        known = self.list_commands(ctx)
        if args[0] not in known and not ctx.resilient_parsing:
            near = difflib.get_close_matches(args[0], known, 1)
            hint = _hint(ctx.command_path, "commands", near)
            raise ContsimError(f"unknown command {args[0]!r}; {hint}")
        return super().resolve_command(ctx, args)

    def get_params(self, ctx: Context) -> list[Parameter]:
        """List the parameters; they read their values plainly."""
        return [_read_plainly(parameter) for parameter in super().get_params(ctx)]

    def collect_usage_pieces(self, ctx: Context) -> list[str]:  # noqa: ARG002
        """Name options, arguments and the commands."""
        return [*_usage_pieces(self), self.subcommand_metavar]

    def format_options(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Explain options and commands."""
        _explain_parameters(self, ctx, formatter)
        self.format_commands(ctx, formatter)


class LazyGroup(Group):
    """A group that knows the names and help lines of its commands, and imports one when it is used.

    Attributes
    ----------
    lines : mapping
        Name and the line that the help shows.
    package : str
        The command NAME is the `app` of the module NAME in it.
    """

    lines: ClassVar[Mapping[str, str]] = {}
    package: ClassVar[str] = ""

    def list_commands(self, ctx: Context) -> list[str]:  # noqa: ARG002
        """Name them."""
        return list(self.lines)

    def get_command(self, ctx: Context, cmd_name: str) -> AnyCommand | None:  # noqa: ARG002
        """Import one."""
        if cmd_name in self.lines and cmd_name not in self.commands:
            app = importlib.import_module(f"{self.package}.{cmd_name}").app
            self.commands[cmd_name] = typer.main.get_command(app)
        return self.commands.get(cmd_name)

    def format_commands(self, ctx: Context, formatter: HelpFormatter) -> None:  # noqa: ARG002
        """Write what the help says of them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self.lines.items()))


def new_app(**settings: Any) -> typer.Typer:
    """Make an app whose help and errors are plain text.

    Parameters
    ----------
    settings
        As `typer.Typer` takes them; completion belongs to the root alone.
    """
    plain = {
        "cls": Group,
        "add_completion": False,
        "subcommand_metavar": "[COMMAND] [ARGS]...",
        **settings,
    }
    return typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, **plain)


@dataclass(frozen=True)
class Explained:
    """What the help says of a command.

    Attributes
    ----------
    name : str
        As it is typed: ``contsim rules show``.
    usage : str
        What comes after the name.
    about : str
        Paragraphs of text.
    parts : dict of str to list of pairs of str
        For ``Arguments`` and ``Options``, as far as there are any: what is typed, what it means.
    epilog : str
        What stands at the end: an example.
    """

    name: str
    usage: str
    about: str
    parts: dict[str, list[tuple[str, str]]]
    epilog: str


def explained(command: AnyCommand, name: str, above: Context | None = None) -> Iterator[Explained]:
    """Explain a command and all commands in it, as ``--help`` does.

    Parameters
    ----------
    command : AnyCommand
    name : str
        By which it is called.
    above : Context, optional
        Of the command that it belongs to.

    Yields
    ------
    Explained
        The command itself, then those in it.
    """
    with command.make_context(name, [], parent=above, resilient_parsing=True) as ctx:
        usage_text = " ".join(command.collect_usage_pieces(ctx))
        about = inspect.cleandoc(command.help or "")
        parts = _explanations(command, ctx)
        yield Explained(ctx.command_path, usage_text, about, parts, command.epilog or "")
        if isinstance(command, TyperGroup):
            for each in command.list_commands(ctx):
                inner = command.get_command(ctx, each)
                if inner is not None and not inner.hidden:
                    yield from explained(inner, each, ctx)


def usage(error: UsageError) -> str:
    """Shorten what typer says of wrong use: what is wrong, the nearest name, where the help is."""
    command = error.ctx.command_path if error.ctx else "contsim"
    if isinstance(error, NoSuchOption):
        near = list(error.possibilities or ())
        return f"unknown option {error.option_name!r}; {_hint(command, 'options', near)}"
    if isinstance(error, BadParameter) and error.param and error.message:
        # The parsers of the parameters already say what was given and what is allowed.
        return f"{_name(error.param)}: {error.message.rstrip('.')}"
    message = error.format_message().rstrip(".")
    return f"{message[:1].lower()}{message[1:]}; see '{command} --help'"


def _hint(command: str, kind: str, near: list[str]) -> str:
    return f"did you mean {near[0]}?" if near else f"'{command} --help' lists the {kind}"


def _name(parameter: Any) -> str:
    if isinstance(parameter, TyperOption):
        return max(parameter.opts, key=len)
    return str(parameter.metavar or parameter.name)


def _usage_pieces(command: AnyCommand) -> list[str]:
    arguments = [_name(each) for each in command.params if isinstance(each, TyperArgument)]
    return [*([command.options_metavar] if command.options_metavar else []), *arguments]


def _explain_parameters(command: AnyCommand, ctx: Context, formatter: HelpFormatter) -> None:
    for title, rows in _explanations(command, ctx).items():
        with formatter.section(title):
            formatter.write_dl(rows)


def _explanations(command: AnyCommand, ctx: Context) -> dict[str, list[tuple[str, str]]]:
    arguments, options = [], []
    for parameter in command.get_params(ctx):
        if isinstance(parameter, TyperArgument):
            arguments.append((_name(parameter), parameter.help or ""))
        elif (record := parameter.get_help_record(ctx)) is not None:
            options.append(record)
    titled = {"Arguments": arguments, "Options": options}
    return {title: rows for title, rows in titled.items() if rows}


class _PlainReader:
    """Stands where typer puts its reader of a parameter's values, which would import pydantic."""

    def __init__(self, read: Callable[[Any], Any]) -> None:
        self.read = read

    def coerce(self, value: Any, param: Any, ctx: Context) -> Any:
        """Read what was typed, or a default."""
        many = param.multiple or param.nargs == -1
        if value is None:
            return () if many else None
        try:
            return [self.read(each) for each in value] if many else self.read(value)
        except ValueError as error:
            raise BadParameter(str(error), ctx=ctx, param=param) from error


def _read_plainly(parameter: Parameter) -> Parameter:
    """Take our parsers, text, paths and choices out of pydantic's hands; leave the rest there."""
    kind = getattr(parameter, "type_descriptor", None)  # before typer 0.29: no pydantic
    read = kind and _reader(kind.annotation, kind.parameter_info.parser)
    if read is not None:
        parameter._runtime_param = _PlainReader(read)  # type: ignore[attr-defined]  # noqa: SLF001
    return parameter


def _reader(annotation: Any, parser: Callable[[Any], Any] | None) -> Callable[[Any], Any] | None:
    if parser is not None:
        return parser
    if get_origin(annotation) is list:
        return _reader(get_args(annotation)[0], None)
    if get_origin(annotation) is Literal:
        return lambda value: _choose(value, get_args(annotation))
    if annotation in (str, Path):
        return annotation  # type: ignore[no-any-return]
    return bool if annotation is bool else None


def _choose(value: str, choices: tuple[str, ...]) -> str:
    if value not in choices:
        raise ValueError(f"{value!r} is not one of {', '.join(map(repr, choices))}")
    return value
