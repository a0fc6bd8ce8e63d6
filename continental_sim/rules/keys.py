"""The table of rule keys: the schema of rules files, of ``--set`` and of the docs."""

from dataclasses import dataclass, fields

from continental_sim.rules.base import GameRules
from continental_sim.rules.continental import ContinentalRules
from continental_sim.rules.values import Kind


@dataclass(frozen=True)
class RuleKey:
    """One parameter of a game.

    Attributes
    ----------
    name : str
        As in a rules file and after ``--set``.
    kind : Kind
        Checks, reads and writes its values.
    default : object
        Value of the default rules, plain as in a TOML file.
    guide : str
        Number and title of the paragraph of the guide that it belongs to.
    doc : str
        What it means, in one sentence.
    """

    name: str
    kind: Kind
    default: object
    guide: str
    doc: str

    @property
    def type(self) -> str:
        """Name of the kind of value: integer, limit, flag, choice, ranks or patterns."""
        return type(self.kind).__name__.lower()

    @property
    def allowed(self) -> str:
        """What is allowed, in words."""
        return self.kind.allowed


def rule_keys(game: type[GameRules] = ContinentalRules) -> dict[str, RuleKey]:
    """List the parameters of a game.

    Parameters
    ----------
    game : type
        Its record.

    Returns
    -------
    dict of str to RuleKey
        By name, in the order of the record.
    """
    keys = {}
    for entry in fields(game):  # type: ignore[arg-type]
        kind: Kind = entry.metadata["kind"]
        keys[entry.name] = RuleKey(
            name=entry.name,
            kind=kind,
            default=kind.plain(entry.default),
            guide=entry.metadata["guide"],
            doc=entry.metadata["doc"],
        )
    return keys
