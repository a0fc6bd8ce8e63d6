"""Notes on answers to what-if questions: sentences without a full stop.

A directory keeps them in English, and pages say them `again`.
"""

from typing import Final

from continental_sim.language import marked

UNPAIRED: Final = marked(
    "the pack is another one, so the deals are too: the differences are unpaired"
)
IDLE: Final = marked("{rule} means nothing where melds are groups")
BY_TABLES: Final = (
    marked("{strategies} plays by the meld tables, which follow {rules}"),
    marked("{strategies} play by the meld tables, which follow {rules}"),
)
BY_SEARCH: Final = (
    marked("{strategies} plays by the search for melds, which follows {rules}"),
    marked("{strategies} play by the search for melds, which follows {rules}"),
)
BLIND: Final = marked("{strategy} looks at nothing that tells of {rules}")
KNOBS: Final = marked("what {strategy} has as {knobs} was not chosen for it")
WEIGHS: Final = marked("{strategy} weighs {rules}")
AT_THE_END: Final = (
    marked("{strategies} looks at {rules} only for the discard of an exit"),
    marked("{strategies} look at {rules} only for the discard of an exit"),
)
AHEAD: Final = (
    marked("{strategies} looks at no payment of an exit ahead"),
    marked("{strategies} look at no payment of an exit ahead"),
)
ONLY_IMAGINED: Final = (
    marked("{strategies} meets {rules} only in deals that are imagined"),
    marked("{strategies} meet {rules} only in deals that are imagined"),
)
TOLD_NOBODY: Final = marked("no strategy is told of {rules}")
NOTES: Final = (
    UNPAIRED,
    IDLE,
    *BY_TABLES,
    *BY_SEARCH,
    BLIND,
    KNOBS,
    WEIGHS,
    *AT_THE_END,
    *AHEAD,
    *ONLY_IMAGINED,
    TOLD_NOBODY,
)
