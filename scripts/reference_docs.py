"""The generated parts that tell what there is: commands, rules, columns, fields, functions."""

import ast
import inspect
import json
import re
from collections.abc import Callable
from functools import partial
from typing import Final

from markdown_parts import code, first_line, prose, table

import continental_sim
from continental_sim import api, rules
from continental_sim.cli import entry
from continental_sim.cli.framework import explained
from continental_sim.columns import GAME_FILES
from continental_sim.contract import read_contract
from continental_sim.figures.game_figures import GAME_FIGURES
from continental_sim.kernels import rng
from continental_sim.kernels.fields import VIEW_FIELDS
from continental_sim.layouts import TIMINGS, exit_payment
from continental_sim.strategy import shipped_directory
from continental_sim.tables import load_melds

MOST_KNOBS: Final = 6  # of a strategy that are listed


def commands() -> str:
    """List what `contsim --help` lists."""
    return table(
        ("command", "what it does"),
        ((code(f"contsim {name}"), line) for name, line in entry.COMMANDS.items()),
    )


def command_line() -> str:
    """Explain every command, every argument and every option, as the help does."""
    _, *commands = explained(entry.command(), "contsim")  # the first is contsim itself
    pages = []
    for each in commands:
        level = len(each.name.split())
        tables = [
            table(
                (title.lower().rstrip("s"), "meaning"),
                ((code(a), prose(" ".join(b.split()))) for a, b in rows),
            )
            for title, rows in each.parts.items()
        ]
        label, _, example = each.epilog.partition(": ")
        pieces = [f"{'#' * level} {each.name}", code(f"{each.name} {each.usage}")]
        pieces += [prose(each.about), *(text.rstrip() for text in tables)]
        shown = (code(text) for text in re.split(r"; (?=contsim )", example) if text)
        pieces += [f"{label}: {', '.join(shown)}"] if example else []
        pages.append("\n\n".join(pieces))
    return "\n\n".join(pages) + "\n"


def shipped(game: str = "continental") -> str:
    """List the strategies of a game that come with the program, from their docstrings."""
    rows = []
    for path in sorted(shipped_directory().rglob("*.py"), key=lambda path: path.stem):
        text = path.read_text(encoding="utf-8")
        if game not in read_contract(text, path.name).games:
            continue
        doc = ast.get_docstring(ast.parse(text)) or ""
        uses = re.search(r"Uses: (.*?)\.\s", " ".join(doc.split()))
        lines = text.splitlines()
        knobs = [
            f"`{name}` = {ast.unparse(value)}, {lines[value.lineno - 1].partition('# ')[2]}"
            for name, value in read_contract(text, path.name).knobs.items()
        ]
        if len(knobs) > MOST_KNOBS:
            knobs = [f"{len(knobs)} weights, which `contsim strategies show {path.stem}` prints"]
        how = first_line(doc).partition(": ")[2]
        rows.append((code(path.stem), how, uses[1] if uses else "", "; ".join(knobs) or "none"))
    return table(("name", "how it plays", "uses", "knobs"), rows)


def rule_keys(game: str = "continental") -> str:
    """List every rule key of a game."""
    return table(
        ("key", "default", "allowed", "meaning", "paragraph"),
        (
            (code(key.name), code(json.dumps(key.default)), key.allowed, key.doc, key.guide)
            for key in rules.rule_keys(rules.GAMES[game]).values()
        ),
    )


def presets(game: str = "continental") -> str:
    """List the presets of a game with their differences from its default."""
    default = rules.GAMES[game]()
    rows = []
    for name in rules.preset_names():
        if rules.preset_game(name) != game:
            continue
        changed = rules.differences(default, rules.load_rules(name))
        keys = (code(f"{key} = {json.dumps(value)}") for key, (_, value) in changed.items())
        rows.append((code(name), rules.preset_about(name), ", ".join(keys) or "none"))
    return table(("preset", "about", "differs in"), rows)


def payments() -> str:
    """Show what each opponent pays for some exits, under the default rules."""
    default = rules.ContinentalRules()
    exits = {
        "no wild card": (0, 0, False),
        "one deuce": (1, 0, False),
        "two deuces and a joker": (2, 1, False),
        "all eight deuces and both jokers": (8, 2, False),
        "no wild card, all in one suit": (0, 0, True),
        "one deuce, all in one suit": (1, 0, True),
    }
    return table(
        ("exposed", "later exit:", "first-turn exit:", "dealt exit:"),
        (
            (
                name,
                *(
                    exit_payment(default, deuces, jokers, one_suit=one_suit, timing=timing)
                    for timing in TIMINGS
                ),
            )
            for name, (deuces, jokers, one_suit) in exits.items()
        ),
    )


def column_tables(game: str = "continental") -> str:
    """List every column of every file of a game."""
    parts = []
    for file in GAME_FILES[game].all:
        rows = []
        for column in file.columns:
            kind = {"label": "string", "labels": "string"}.get(column.stored, column.stored)
            key = "key" if column in file.key else ""
            null = "null without an exit" if column.nullable else ""
            rows.append((code(column.name), kind, column.unit, key, null, column.meaning))
        parts.append(
            f"### {file.name}.parquet\n\nOne row: {file.row}.\n\n"
            + table(("column", "type", "unit", "key", "nulls", "meaning"), rows)
        )
    return "\n".join(parts)


def metrics(game: str = "continental") -> str:
    """List what `--until` may name in a game."""
    metrics = GAME_FIGURES[game].metrics.values()
    rows = ((code(each.pattern), each.unit, each.meaning) for each in metrics)
    return table(("metric", "of the", "meaning"), rows)


def compared(game: str = "continental") -> str:
    """List what `contsim whatif` compares in a game."""
    return table(
        ("metric", "of the", "what"),
        (
            (code(each.name), each.unit, f"{each.label}, {'rate' if each.rate else 'mean'}")
            for each in GAME_FIGURES[game].compared
        ),
    )


def view_fields(game: str = "continental", beside: str = "") -> str:
    """List what a strategy of a game may read of the view, but for what is as in another game."""
    rows, fields = [], VIEW_FIELDS[game]
    other = VIEW_FIELDS.get(beside)
    same = {**other.seat, **other.public, **other.rules}.values() if other else ()
    for place, known in (
        ("own seat", fields.seat),
        ("table", fields.public),
        ("rules", fields.rules),
    ):
        for name, text in known.items():
            if text in same:
                continue
            kind, colon, meaning = text.partition(": ")
            if not colon or not re.fullmatch(r"u?int\d+\[.*\]", kind):
                kind, meaning = "int", text
            rows.append((code(f"view.{name}"), kind, place, meaning))
    return table(("field", "type", "about", "meaning"), rows)


def api_functions(game: str = "continental", beside: str = "") -> str:
    """List what a strategy of a game may import, but for what one of another game may, too."""
    rows = []
    for name in sorted(set(api.GAME_NAMES[game]) - set(api.GAME_NAMES.get(beside, ()))):
        thing = getattr(api, name)
        if isinstance(thing, int):
            rows.append((code(name), f"The number {thing}."))
            continue
        function = getattr(thing, "py_func", thing)
        doc = " ".join((inspect.getdoc(function) or "").split())
        call = f"{name}({', '.join(inspect.signature(function).parameters)})"
        rows.append((code(call), doc.replace("``", "`")))
    return table(("name", "meaning"), rows)


def streams() -> str:
    """List the random streams."""
    return table(
        ("stream", "key:", "counter", "what it decides"),
        (
            ("deck", f"(seed, {rng.DECK})", "(deal, 0)", "the order of the pack"),
            (
                "recycle",
                f"(seed, {rng.RECYCLE})",
                "(deal, recycles before)",
                "the order of a recycled stock",
            ),
            ("dice", f"(seed', {rng.DICE})", "(deal, player)", "`api.roll` of one player"),
            (
                "session",
                f"(seed, {rng.SESSION})",
                "(session, 0)",
                "first dealer, order round the table",
            ),
            (
                "branch",
                f"(seed, {rng.BRANCH})",
                "(root, branch)",
                "what comes next in a copy of a deal (`contsim rare`)",
            ),
            (
                "world",
                f"(seed', {rng.WORLD})",
                "(deal, player and turn and number)",
                "a deal that a player imagines (`api.rollouts`)",
            ),
        ),
    )


def meld_tables() -> str:
    """Measure the meld tables of the default rules."""
    melds = load_melds(rules.ContinentalRules())
    size = sum(array.nbytes for array in melds.arrays().values())
    return table(
        ("tables of the default rules", "number:"),
        (
            ("count vectors of a suit", f"{len(melds.kinds):,}"),
            ("sets of selections that cover a suit exactly", f"{melds.cover_sets:,}"),
            ("classes of a suit for the distance", f"{melds.classes:,}"),
            ("classes of a pair of suits", f"{melds.pair_classes:,}"),
            ("size of all tables [MB]", f"{size / 1e6:.1f}"),
        ),
    )


def public_names() -> str:
    """List what `import continental_sim` offers, from the docstrings."""
    names = [name for name in continental_sim.__all__ if not name.startswith("__")]
    each = {name: getattr(continental_sim, name) for name in names}
    rows = ((code(f"cs.{name}"), first_line(inspect.getdoc(it))) for name, it in each.items())
    return table(("name", "what it is"), rows)


PARTS: Final[dict[str, Callable[[], str]]] = {
    "api": api_functions,
    "metrics": metrics,
    "metrics-basic-rummy": partial(metrics, "basic-rummy"),
    "compared": compared,
    "compared-basic-rummy": partial(compared, "basic-rummy"),
    "columns": column_tables,
    "cli": command_line,
    "commands": commands,
    "meld-tables": meld_tables,
    "payments": payments,
    "presets": presets,
    "public-names": public_names,
    "rule-keys": rule_keys,
    "shipped": shipped,
    "rummy-rule-keys": partial(rule_keys, "basic-rummy"),
    "rummy-presets": partial(presets, "basic-rummy"),
    "rummy-columns": partial(column_tables, "basic-rummy"),
    "rummy-api": lambda: api_functions("basic-rummy", beside="continental"),
    "rummy-shipped": lambda: shipped("basic-rummy"),
    "rummy-view-fields": lambda: view_fields("basic-rummy", beside="continental"),
    "streams": streams,
    "view-fields": view_fields,
}
