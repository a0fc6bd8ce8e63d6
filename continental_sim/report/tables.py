"""Tables of text, whatever the page is made of: rules, provenance, definitions."""

from collections.abc import Iterable, Mapping
from typing import Any

from continental_sim.columns import GameFiles
from continental_sim.figures.tabular import Table
from continental_sim.rules import GameRules, rule_keys, rules_to_dict


def rules_table(rules: GameRules) -> Table:
    """Return every rule as it was played."""
    keys = rule_keys(type(rules))
    rows = [
        (name, value_of(value), keys[name].doc)
        for name, value in rules_to_dict(rules).items()
        if name in keys
    ]
    return Table("All rules", ("rule", "value", "meaning"), rows, numeric=False)


def provenance_table(manifest: Mapping[str, Any]) -> Table:
    """Return where the numbers come from: the study, and what it was played with."""
    found = {**manifest["study"], **manifest.get("stopping", {})}
    for number, segment in enumerate(manifest.get("segments", []), start=1):
        found[f"segment {number}"] = segment
    for number, run in enumerate(manifest.get("runs", []), start=1):
        found |= run if len(manifest["runs"]) == 1 else {f"run {number}": run}
    rows = [(name.replace("_", " "), value_of(value)) for name, value in _flat(found)]
    return Table("Where the numbers come from", ("what", "value"), rows, numeric=False)


def _flat(values: Mapping[str, Any], before: str = "") -> Iterable[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{name} ")
        else:
            yield before + name, value


def definition_tables(files: GameFiles) -> list[Table]:
    """Return what every column of every file of a game means."""
    return [
        Table(
            f"{file.name}.parquet: a row is {file.row}",
            ("column", "type", "unit", "meaning"),
            [(c.name, c.stored, c.unit, c.meaning) for c in file.columns],
            numeric=False,
        )
        for file in files.all
    ]


def value_of(value: object) -> str:
    """Write the value of a rule, or of anything else that a manifest holds."""
    if isinstance(value, list | tuple):
        return ", ".join(str(part) for part in value) or "none"
    return str(value).lower() if isinstance(value, bool) else str(value)
