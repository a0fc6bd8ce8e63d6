"""Tables of text, whatever the page is made of: rules, provenance, definitions."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from continental_sim.columns import GameFiles
from continental_sim.figures.tabular import Table
from continental_sim.language import marked, tr
from continental_sim.rules import GameRules, rule_keys, rules_to_dict

# What a manifest tells of a study and how it was played; other keys stand as they are.
_KNOWN: Final = {
    *(marked("seed"), marked("first deal"), marked("deals"), marked("lineup")),
    *(marked("fixed order"), marked("duplicate"), marked("block deals"), marked("until")),
    *(marked("max deals"), marked("level"), marked("mark"), marked("code"), marked("format")),
    *(marked("command"), marked("started"), marked("seconds"), marked("backend")),
    *(marked("jobs"), marked("versions")),
}


def rules_table(rules: GameRules) -> Table:
    """Return every rule as it was played."""
    keys = rule_keys(type(rules))
    rows = [
        (name, value_of(value), tr(keys[name].doc))
        for name, value in rules_to_dict(rules).items()
        if name in keys
    ]
    head = (tr("rule"), tr("value"), tr("meaning"))
    return Table(tr("All rules"), head, rows, numeric=False)


def provenance_table(manifest: Mapping[str, Any]) -> Table:
    """Return where the numbers come from: the study, and what it was played with."""
    found = {**manifest["study"], **manifest.get("stopping", {})}
    for number, segment in enumerate(manifest.get("segments", []), start=1):
        found[tr("segment {number}", number=number)] = segment
    for number, run in enumerate(manifest.get("runs", []), start=1):
        found |= run if len(manifest["runs"]) == 1 else {tr("run {number}", number=number): run}
    rows = [(name, value_of(value)) for name, value in _flat(found)]
    head = (tr("what"), tr("value"))
    return Table(tr("Where the numbers come from"), head, rows, numeric=False)


def _flat(values: Mapping[str, Any], before: str = "") -> Iterable[tuple[str, Any]]:
    for key, value in values.items():
        name = key.replace("_", " ")
        name = tr(name) if name in _KNOWN else name
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{name} ")
        else:
            yield before + name, value


def definition_tables(files: GameFiles) -> list[Table]:
    """Return what every column of every file of a game means."""
    return [
        Table(
            tr("{file}: a row is {row}", file=f"{file.name}.parquet", row=tr(file.row)),
            (tr("column"), tr("type"), tr("unit"), tr("meaning")),
            [(c.name, c.stored, tr(c.unit), tr(c.meaning)) for c in file.columns],
            numeric=False,
        )
        for file in files.all
    ]


def value_of(value: object) -> str:
    """Write the value of a rule, or of anything else that a manifest holds."""
    if isinstance(value, list | tuple):
        return ", ".join(str(part) for part in value) or tr("none")
    return str(value).lower() if isinstance(value, bool) else str(value)
